"""Skellam noise in the checker: its series against mpmath, its tails, and certificates end to end."""

import json
import sys
from fractions import Fraction

import mpmath
import pytest
from flint import arb

from dpbounds.accounting import delta, epsilon
from dpbounds.certificates.number import certificate_of
from dpbounds.errors import PrecisionError
from dpbounds.laws.ball_numbers import BALLS
from dpbounds.mechanisms import PoissonSampling, Repeated, Sampled
from dpbounds.noise.skellam import Skellam, SkellamPair
from dpbounds.oracle.numbers import MPMATH
from dpbounds.recheck.atoms import Atoms, Loss
from dpbounds.recheck.check import check
from dpbounds.recheck.convolution import totals
from dpbounds.recheck.noise.skellam import _bessel, atoms
from dpbounds.recheck.numbers import Numbers, Refused
from dpbounds.renyi.solve import renyi_divergence


@pytest.mark.parametrize(("variance", "n"), [("0.1", 0), ("2.5", 3), ("40", 0), ("40", 60)])
def test_the_series_holds_the_bessel_function(variance, n):
    low, high = _bessel(Fraction(variance), n, 80).bounds()
    with mpmath.workdps(40):
        exact = mpmath.besseli(n, mpmath.mpf(variance))
        assert mpmath.mpf(low.numerator) / low.denominator <= exact <= mpmath.mpf(high.numerator) / high.denominator
        assert float(high - low) < 1e-20 * float(exact)


def test_what_is_not_listed_is_bounded():
    """The bound holds the mass beyond the list, and is no more than twenty times as large; without it the masses do not add up to 1."""
    numbers = Numbers(40)
    law = atoms({"skellam": "2.5", "steps": 1}, False, numbers)
    listed = numbers.total([p for p, _ in law.rows])
    with mpmath.workdps(60):
        reach = (len(law.rows) - 2) // 2
        missing = 2 * mpmath.nsum(lambda k: mpmath.exp(-2.5) * mpmath.besseli(k, 2.5), [reach + 1, reach + 60])
        assert missing <= float(law.dropped.bounds()[1]) <= 20 * missing
    assert float(listed.bounds()[0]) <= 1 <= float((listed + law.dropped).bounds()[1])


@pytest.mark.parametrize("part", [{"skellam": "-1"}, {"skellam": "1", "sensitivity": 0}, {"skellam": "1e9"}])
def test_bad_parts_are_refused(part):
    with pytest.raises(Refused):
        atoms(part, False, Numbers(40))


@pytest.mark.parametrize("t", ["1/2", "3/2", "9"])
def test_renyi_divergences_hold_the_sum(t):
    """The list and its tails against three times as many terms, by Bessel functions of mpmath."""
    order = Fraction(t)
    with mpmath.workdps(30):
        found = SkellamPair(Fraction(5, 2), 2).divergence(mpmath.mpf(order.numerator) / order.denominator, MPMATH)
        mass = lambda x: mpmath.exp(-2.5) * mpmath.besseli(abs(x), 2.5)  # noqa: E731
        alpha = 1 + mpmath.mpf(order.numerator) / order.denominator
        exact = mpmath.log(mpmath.fsum(mass(x - 2) ** alpha * mass(x) ** (1 - alpha) for x in range(-60, 200))) / (alpha - 1)
        assert abs(found / exact - 1) < 1e-20


@pytest.mark.parametrize("sampled", [False, True])
def test_certificates(sampled):
    mechanism = Sampled(Skellam(2), PoissonSampling("0.3")) if sampled else Repeated(Skellam(2), 1)
    for result in (delta(mechanism, "0.3", digits=6), epsilon(mechanism, "1e-3", digits=5)):
        text = certificate_of(result)
        assert check(text)
        shown = json.loads(text)
        shown["query"]["mechanism"][0]["skellam"] = "1.9"
        with pytest.raises(Refused):
            check(json.dumps(shown))


class FewBits(type(BALLS)):
    """Balls for which very little is small enough to be left out, so that what is left out shows."""

    bits = 1


def ratio(n, variance):
    return mpmath.besseli(n, mpmath.mpf(variance)) / mpmath.besseli(0, mpmath.mpf(variance))


def test_ratios_hold_wherever_the_recurrence_starts():
    """At v = 10⁶ it forgets its start slowly: the ball of r_N is needed, and is as wide as v/(2(N+1))."""
    sizes = SkellamPair(Fraction(10**6), 1)._sizes(FewBits(), 4)
    assert all(size.contains(arb(float(ratio(n, 10**6)))) for n, size in enumerate(sizes))
    low = SkellamPair(Fraction(1, 10), 1)._sizes(FewBits(), 4)
    assert all(abs(size / float(ratio(n, "0.1")) - 1) < 1e-12 for n, size in enumerate(low))


@pytest.mark.parametrize("last", [2, 3, 6])
def test_a_tail_is_nearly_as_large_as_its_bound(last):
    pair = SkellamPair(Fraction(5, 2), 1)
    bound = float(pair._tails(BALLS, pair._sizes(BALLS, last)).upper())
    missing = float(mpmath.nsum(lambda n: 2 * ratio(n, 2.5), [last + 1, last + 40]))
    assert missing <= bound <= 1.25 * missing


def test_masses_know_what_the_list_leaves_out(monkeypatch):
    monkeypatch.setattr(SkellamPair, "reach", lambda *_: 1)
    rows = SkellamPair(Fraction(5, 2), 1).shared(BALLS)
    masses = [float(mpmath.exp(-2.5) * mpmath.besseli(n, 2.5)) for n in range(3)]
    for x, (p, q) in zip(range(-1, 3), rows, strict=True):
        assert p.contains(arb(masses[abs(x - 1)])) and q.contains(arb(masses[abs(x)]))


def test_dropped_holds_the_mass_of_either_side(monkeypatch):
    """P and Q of little noise, listed up to T = 1 only."""
    monkeypatch.setattr(SkellamPair, "reach", lambda *_: 1)
    missing = float(mpmath.exp(-0.1) * mpmath.nsum(lambda n: mpmath.besseli(n, 0.1), [2, 40]))
    assert missing <= float(SkellamPair(Fraction(1, 10), 1).dropped(BALLS).upper()) <= 3 * missing


@pytest.mark.parametrize(("variance", "shift", "t"), [("0.3", 1, "1/2"), ("2", 5, "7"), ("0.3", 2, "0"), ("3", 1, "0"), ("8", 1, "3")])
def test_divergences_know_what_the_list_leaves_out(variance, shift, t):
    """With one bit the list is short: the sum of a long one lies in the ball, near its lower end."""
    order, mean = Fraction(t), mpmath.mpf(variance)
    found = SkellamPair(Fraction(variance), shift).divergence(BALLS.number(order), FewBits())
    with mpmath.workdps(40):
        rows = [(mpmath.besseli(abs(x - shift), mean), mpmath.besseli(abs(x), mean)) for x in range(-80, 81)]
        if order:
            exact = mpmath.log(
                mpmath.fsum(p * (p / q) ** (mpmath.mpf(order.numerator) / order.denominator) for p, q in rows) / mpmath.exp(mean)
            )
            exact *= mpmath.mpf(order.denominator) / order.numerator
        else:
            exact = mpmath.fsum(p * mpmath.log(p / q) for p, q in rows) / mpmath.exp(mean)
        assert float(found.lower()) <= exact <= float(found.upper()) <= exact + 0.1


def test_orders_too_large_and_noise_too_wide_are_refused():
    assert renyi_divergence(Skellam("2.5"), 10**5, digits=6).lower == "8.193477"
    with pytest.raises(PrecisionError, match="order"):
        renyi_divergence(Skellam("2.5"), 10**8, digits=6)
    with pytest.raises(PrecisionError, match="wide"):
        delta(Skellam(10**7), 1, digits=6)


@pytest.mark.parametrize("name", ["..query", "noise.skellam", "../skellam", "Skellam", "--init--", "json.tool", "skellam\ud800", ""])
def test_a_certificate_names_no_code(name):
    """The noises that a certificate can name were listed when the checker was loaded; nothing is looked for by what it says."""
    shown = json.loads(certificate_of(delta(Skellam(2), "0.3", digits=3, direction="add")))
    (part,) = shown["query"]["mechanism"]
    part[name] = part.pop("skellam")
    loaded = set(sys.modules)
    with pytest.raises(Refused, match="must name one noise"):
        check(json.dumps(shown))
    assert set(sys.modules) == loaded


def test_a_law_of_many_outcomes_is_checked():
    """Twelve hundred of them, once and no lattice."""
    numbers = Numbers(30)
    rows = tuple((numbers.number(Fraction(1, 1200)), Loss(ratio=Fraction(n + 1, n + 2))) for n in range(1200))
    found = totals([(Atoms(rows), 1)], {"units": [None]}, numbers)
    assert len(found) == 1200 and numbers.total([p for p, _ in found]).bounds()[0] <= 1 <= numbers.total([p for p, _ in found]).bounds()[1]
