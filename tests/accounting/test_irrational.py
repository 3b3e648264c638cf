"""Irrational parameters: enclosures between rational neighbours, closed forms from mpmath, and what fails without the two sides."""

from fractions import Fraction

import mpmath
import pytest
import sympy

from dpbounds.accounting import delta, epsilon, irrational
from dpbounds.claims.boxes.mechanism_quantities import mechanism_delta, mechanism_renyi
from dpbounds.errors import InputError, PrecisionError
from dpbounds.language.enclose import enclose
from dpbounds.mechanisms import (
    Composed,
    DensityPair,
    FiniteTable,
    FixedSizeSampling,
    Gaussian,
    Laplace,
    PoissonSampling,
    RandomizedResponse,
    Repeated,
    Sampled,
    WithReplacementSampling,
)
from dpbounds.numbers.balls import Enclosure

ROOT, PI = sympy.sqrt(2), sympy.pi
TABLE = FiniteTable(["1/2", "1/2", 0], ["1/4", "1/2", "1/4"])
X = sympy.Symbol("x")
DENSITIES = DensityPair(sympy.exp(-abs(X - 1)) / 2, sympy.exp(-abs(X)) / 2, X)


def exact_gaussian_delta(sigma, epsilon, digits=60):
    """δ(ε) of one use: Φ(1/2σ − εσ) − e^ε·Φ(−1/2σ − εσ)."""
    with mpmath.workdps(digits + 20):
        s, e = (mpmath.mpf(str(sympy.N(value, digits + 20))) for value in (sigma, epsilon))
        return mpmath.nstr(mpmath.ncdf(1 / (2 * s) - e * s) - mpmath.exp(e) * mpmath.ncdf(-1 / (2 * s) - e * s), digits)


def holds(enclosure, text, digits=55):
    """Whether the enclosure holds a number known to so many digits."""
    value = Fraction(text)
    spare = abs(value) / 10**digits
    return enclosure.lower <= value + spare and enclosure.upper >= value - spare


@pytest.mark.parametrize(("sigma", "at"), [(ROOT, sympy.log(3)), (ROOT, Fraction(1)), (Fraction(3, 2), sympy.exp(-20)), (PI, 1 / PI)])
def test_one_use_of_gaussian_noise_holds_the_closed_form(sigma, at):
    found = delta(Gaussian(sigma), at, digits=40).enclosure
    assert found.meets(40)
    assert holds(found, exact_gaussian_delta(sigma, at))


def test_one_sided_rounding_would_miss(monkeypatch):
    """With one rational neighbour instead of two, the enclosure is that of another mechanism."""
    text = exact_gaussian_delta(ROOT, sympy.log(3))
    honest = irrational.rational_ends
    assert holds(delta(Gaussian(ROOT), sympy.log(3), digits=20).enclosure, text)
    for end in (0, 1):
        monkeypatch.setattr(irrational, "rational_ends", lambda value, bits, end=end: (honest(value, 40)[end],) * 2)
        assert not holds(delta(Gaussian(ROOT), sympy.log(3), digits=20).enclosure, text)


def test_a_wrong_side_would_miss(monkeypatch):
    """Less noise is the upper bound: exchanged, the two ends do not even make an interval."""
    honest = irrational.rational_bound
    monkeypatch.setattr(irrational, "rational_bound", lambda product, bits, private: honest(product, bits, private=not private))
    with pytest.raises(ValueError, match="low <= high"):
        delta(Gaussian(ROOT), 1, digits=15)


@pytest.mark.parametrize("sampling", [None, PoissonSampling("0.1")])
@pytest.mark.parametrize("direction", ["add", "remove", "worst"])
def test_between_decimals_on_both_sides(sampling, direction):
    def mechanism(sigma):
        return Repeated(Gaussian(sigma) if sampling is None else Sampled(Gaussian(sigma), sampling), 20)

    more, found, less = (
        delta(mechanism(sigma), "1.3", digits=12, direction=direction).enclosure for sigma in ("1.41421356", ROOT, "1.41421357")
    )
    assert less.lower <= found.lower
    assert found.upper <= more.upper


@pytest.mark.parametrize(("mechanism", "options"), [
    (Repeated(Sampled(Gaussian(ROOT), PoissonSampling(1 / PI)), 3), {"direction": "add"}),
    (Repeated(Sampled(Gaussian(ROOT), PoissonSampling(1 / PI)), 3), {"relation": "substitute"}),
    (Repeated(Sampled(Laplace(PI), PoissonSampling(1 / PI)), 1), {"direction": "remove"}),
    (Repeated(Laplace(PI), 3), {}),
    (Repeated(Sampled(RandomizedResponse(sympy.log(3)), PoissonSampling(1 / PI)), 5), {"direction": "add"}),
    (Repeated(Sampled(TABLE, PoissonSampling(1 / PI)), 3), {"direction": "worst"}),
    (Sampled(Gaussian(ROOT), FixedSizeSampling(100, 3)), {}),
    (Sampled(Gaussian(ROOT), WithReplacementSampling(10, 3)), {"guarantee": "pair"}),
    (Sampled(DENSITIES, PoissonSampling(1 / PI)), {"direction": "remove"}),
    (Composed((Gaussian(PI), Repeated(RandomizedResponse(sympy.log(2)), 3))), {}),
])  # fmt: skip
def test_every_pair_agrees_with_a_rational_neighbour(mechanism, options):
    """Parameters cut after 30 decimals move δ by less than 10^{−20}."""

    def cut(value):
        return value if isinstance(value, Fraction) else Fraction(str(sympy.N(value, 31)))

    def near(part):
        if isinstance(part, Repeated):
            return Repeated(near(part.mechanism), part.steps)
        if isinstance(part, Composed):
            return Composed([near(inner) for inner in part.parts])
        if isinstance(part, Sampled):
            sampling = PoissonSampling(cut(part.sampling.q)) if isinstance(part.sampling, PoissonSampling) else part.sampling
            return Sampled(near(part.base), sampling)
        if isinstance(part, Gaussian):
            return Gaussian(cut(part.sigma))
        if isinstance(part, Laplace):
            return Laplace(cut(part.scale))
        return RandomizedResponse(cut(part.epsilon)) if isinstance(part, RandomizedResponse) else part

    found, close = (
        delta(mechanism, sympy.log(2) / 7, digits=10, **options),
        delta(near(mechanism), cut(sympy.log(2) / 7), digits=10, **options),
    )
    assert found.enclosure.meets(11)
    assert found.enclosure.lower <= close.enclosure.upper + Fraction(1, 10**20)
    assert close.enclosure.lower <= found.enclosure.upper + Fraction(1, 10**20)
    assert "irrational inputs" in found.method


def test_roots_that_are_rational_are_the_rational_mechanism():
    assert Gaussian("sqrt(4)") == Gaussian(2)
    assert delta(Gaussian(sympy.sqrt(4)), 1).lower == delta(Gaussian(2), 1).lower


@pytest.mark.parametrize(("mechanism", "at", "direction"), [
    (RandomizedResponse(sympy.log(3)), sympy.log(3), "worst"),
    (Repeated(RandomizedResponse("log(3)"), 4), "4*log(3)", "worst"),
    (Repeated(Laplace(ROOT), 3), 3 / ROOT, "worst"),
    (Repeated(Sampled(Gaussian(1), PoissonSampling("1/2")), 10), "10*log(2)", "add"),
    (Sampled(RandomizedResponse("log(3)"), PoissonSampling("1/2")), sympy.log(2), "remove"),
    (Sampled(RandomizedResponse("log(3)"), PoissonSampling("1/2")), sympy.log(Fraction(3, 2)), "add"),
])  # fmt: skip
def test_delta_is_zero_exactly_at_the_largest_loss(mechanism, at, direction):
    assert delta(mechanism, at, direction=direction).enclosure.upper == 0


@pytest.mark.parametrize(("mechanism", "below", "direction"), [
    (RandomizedResponse(sympy.log(3)), sympy.log(3) - Fraction(1, 10**9), "worst"),
    (Sampled(RandomizedResponse("log(3)"), PoissonSampling("1/2")), sympy.log(Fraction(3, 2)), "remove"),
    (Sampled(Gaussian(1), PoissonSampling("1/2")), sympy.log(2) - Fraction(1, 10**3), "add"),
])  # fmt: skip
def test_delta_is_positive_below_it(mechanism, below, direction):
    assert delta(mechanism, below, digits=3, direction=direction).enclosure.lower > 0


def test_epsilon_inverts_delta():
    found = epsilon(Gaussian(ROOT), "exp(-12)", digits=25).enclosure
    target = Fraction(str(sympy.N(sympy.exp(-12), 40)))
    below, above = (delta(Gaussian(ROOT), end, digits=20).enclosure for end in (found.lower, found.upper))
    assert below.upper >= target * (1 - Fraction(1, 10**18))
    assert above.lower <= target * (1 + Fraction(1, 10**18))


def test_epsilon_where_delta_is_met_at_once_or_never():
    assert epsilon(Gaussian(PI), sympy.exp(Fraction(-1, 10))).enclosure.upper == 0
    assert epsilon(TABLE, sympy.exp(-5)).enclosure.lower == float("inf")


def test_equality_that_no_precision_decides_is_an_error():
    with pytest.raises(PrecisionError):
        epsilon(Gaussian(1), sympy.erf(1 / (2 * sympy.sqrt(2))))


@pytest.mark.parametrize("value", ["-sqrt(2)", "log(1/2)", "sqrt(-2)", "log(0)", "exp(log(2)*10**9)", "10**(10**9)*pi", "sqrt(2"])
def test_bad_epsilons_are_one_line(value):
    with pytest.raises(InputError, match="epsilon must be"):
        delta(Gaussian(1), value)


@pytest.mark.parametrize("value", ["sqrt(2)", "-exp(-20)", "exp(20)"])
def test_deltas_outside_the_unit_interval_are_one_line(value):
    with pytest.raises(InputError, match="delta must lie strictly between 0 and 1"):
        epsilon(Gaussian(1), value)


def test_quantities_of_claims():
    mechanism = Repeated(Sampled(Gaussian(ROOT), PoissonSampling(1 / PI)), 3)
    value = enclose(mechanism_delta(sympy.log(2), mechanism, "add"), {})
    assert value.overlaps(delta(mechanism, sympy.log(2), digits=10, direction="add").enclosure)
    assert value.digits() > 10
    order = enclose(mechanism_renyi(PI, Gaussian(ROOT)), {})
    assert order.overlaps(Enclosure.exactly(Fraction(str(sympy.N(PI / 4, 30)))))


# the order that the proofs state, on rational parameters -------------------------------------------------------------------------


@pytest.mark.parametrize(("make", "options"), [
    (lambda more: Sampled(Gaussian("1.1" if more else 1), PoissonSampling("0.3")), {"direction": "add"}),
    (lambda more: Sampled(Gaussian(1), PoissonSampling("0.29" if more else "0.3")), {"relation": "substitute"}),
    (lambda more: Sampled(Gaussian("1.1" if more else 1), FixedSizeSampling(10, 3)), {}),
    (lambda more: Sampled(Gaussian("1.1" if more else 1), WithReplacementSampling(10, 3)), {"guarantee": "pair"}),
    (lambda more: Sampled(Laplace("1.1" if more else 1), PoissonSampling("0.3")), {"direction": "add"}),
    (lambda more: Sampled(Laplace(1), PoissonSampling("0.29" if more else "0.3")), {"direction": "remove"}),
    (lambda more: Sampled(RandomizedResponse("0.9" if more else 1), PoissonSampling("0.3")), {"direction": "add"}),
    (lambda more: Sampled(TABLE, PoissonSampling("0.29" if more else "0.3")), {"direction": "add"}),
    (lambda more: Sampled(DENSITIES, PoissonSampling("0.29" if more else "0.3")), {"direction": "add"}),
])  # fmt: skip
@pytest.mark.parametrize("at", ["0", "0.01", "0.2"])
def test_more_noise_and_less_sampling_are_more_private(make, options, at):
    assert delta(make(True), at, digits=8, **options).enclosure.lower <= delta(make(False), at, digits=8, **options).enclosure.upper
