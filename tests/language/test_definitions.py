"""The page of definitions says what the language computes: both by numbers, for each entry."""

from pathlib import Path

import mpmath
import pytest

from dpbounds.language.bridge import to_sympy
from dpbounds.language.functions import expand_quantities
from dpbounds.logic.definitions import DEFINITIONS, TABLES, as_markdown
from dpbounds.logic.gaussian_family import SHORTHANDS
from dpbounds.logic.laws import laws
from dpbounds.logic.notation import (
    GaussianDelta,
    GaussianRenyi,
    HockeyStick,
    KLDivergence,
    LossTail,
    NormalCDF,
    Rational,
    RenyiDivergence,
    RenyiMoment,
    SampledGaussianDelta,
    SampledGaussianMoment,
    SampledGaussianRenyi,
    SubstituteGaussianDelta,
    Sum,
    Tuple,
    cosh,
    erf,
    erfc,
    exp,
    index,
    normal_density,
    oo,
    real,
    sinh,
    tanh,
)
from dpbounds.logic.signatures import QUANTITIES
from dpbounds.logic.terms import Term, binder, node, number, opened, variable, walk
from tests.language.unfold import meaning_of, unfolded

ROOT = Path(__file__).parents[2]
HALF, THIRD = Rational(1, 2), Rational(1, 3)
t = real("t")
normal, shifted = normal_density(t, 0, 2), normal_density(t, 1, 2)
coin, fair = Tuple(THIRD, 1 - THIRD), Tuple(HALF, HALF)
LAPLACE, RESPONSE = (f'[{{"{key}": "@0"}}]' for key in ("laplace-scale", "randomized-response"))

CASES = [
    RenyiMoment(3, coin, fair),
    RenyiDivergence(3, coin, fair),
    KLDivergence(coin, fair),
    HockeyStick(THIRD, coin, fair),
    LossTail(Rational(1, 10), coin, fair),
    RenyiMoment(2, Tuple(1, 0), fair),
    KLDivergence(Tuple(1, 0), fair),
    HockeyStick(THIRD, normal, shifted, (t, -oo, oo)),
    LossTail(THIRD, normal, shifted, (t, -oo, oo)),
    NormalCDF(Rational(-3, 4)),
    GaussianRenyi(3, 2, THIRD),
    GaussianDelta(HALF, 2, 3),
    SampledGaussianMoment(3, 2, THIRD),
    SampledGaussianRenyi(3, 2, THIRD),
    SampledGaussianDelta(HALF, 2, THIRD),
    SampledGaussianDelta(HALF, 2, THIRD, 1, "add"),
    SubstituteGaussianDelta(HALF, 2, THIRD),
    *(node("MechanismDelta", THIRD, HALF, data=(text, "worst")) for text in (LAPLACE, RESPONSE)),
    *(node("MechanismRenyi", order, HALF, data=(text, "worst")) for text in (LAPLACE, RESPONSE) for order in (number(1), number(3))),
    erf(HALF),
    erfc(HALF),
    cosh(HALF),
    sinh(HALF),
    tanh(HALF),
]


def number_of(t: Term) -> float:
    """The value by mpmath: of integrals by quadrature."""

    def value(node: Term, at: dict[Term, object]) -> object:
        if node.tag == "Integral":
            x, (body,) = opened(node, [v.data[0] for v in at])
            low, high = (value(end, at) for end in node.parts[:2])
            cuts = sorted({low, high, *(mpmath.mpf(k) for k in range(-20, 21) if low < k < high)})
            return mpmath.quad(lambda y: value(body, {**at, x: y}), cuts)
        if node.tag == "Piecewise":
            cases = zip(node.parts[::2], node.parts[1::2], strict=True)
            return value(next(branch for branch, condition in cases if value(condition, at)), at)
        parts = [value(part, at) for part in node.parts]
        operations = {
            "number": lambda: mpmath.mpf(node.data[0].numerator) / node.data[0].denominator,
            "variable": lambda: at[node],
            "+": lambda: mpmath.fsum(parts),
            "*": lambda: mpmath.fprod(parts),
            "neg": lambda: -parts[0],
            "inv": lambda: 1 / parts[0],
            "**": lambda: parts[0] ** parts[1],
            "exp": lambda: mpmath.exp(parts[0]),
            "log": lambda: mpmath.log(parts[0]),
            "sqrt": lambda: mpmath.sqrt(parts[0]),
            "Abs": lambda: abs(parts[0]),
            "Max": lambda: max(parts),
            "pi": lambda: mpmath.pi,
            "oo": lambda: mpmath.inf,
            "true": lambda: True,
            ">": lambda: parts[0] > parts[1],
            "=": lambda: parts[0] == parts[1],
        }
        return operations[node.tag]()

    with mpmath.workdps(15):
        return float(value(t, {}))


def is_near(found: float, known: float, part: float = 1e-6) -> bool:
    """Whether two numbers differ by at most a part of the second."""
    return abs(found - known) <= part * abs(known)


@pytest.mark.parametrize("quantity", CASES, ids=lambda t: str(t)[:60])
def test_the_page_says_what_the_language_computes(quantity: Term) -> None:
    meant = unfolded(quantity)
    assert not any(node.tag in {entry.name for entry in DEFINITIONS} for node in walk(meant))
    known = expand_quantities(to_sympy(quantity)).doit()
    kinks = any(node.tag in ("Max", "Piecewise") for node in walk(meant)) and any(node.tag == "Integral" for node in walk(meant))
    assert is_near(number_of(meant), float(known), 1e-3 if kinks else 1e-9)


def test_divergences_that_the_language_does_not_compute() -> None:
    """Closed forms of two normal laws, and the moments of a record that is added, integrated by other means."""
    between = (normal, shifted, (t, -oo, oo))
    assert is_near(number_of(unfolded(RenyiDivergence(3, *between))), 3 / 8)
    assert is_near(number_of(unfolded(KLDivergence(*between))), 1 / 8)

    def density(y: object, mean: int) -> object:
        return mpmath.npdf(y, mean, 2)

    def moment(y: object) -> object:
        return density(y, 0) ** 3 / (density(y, 1) / 3 + 2 * density(y, 0) / 3) ** 2

    known = float(mpmath.quad(moment, [-40, -10, 0, 10, 40]))
    assert is_near(number_of(unfolded(SampledGaussianMoment(3, 2, THIRD, "add"))), known)
    assert is_near(number_of(unfolded(SampledGaussianRenyi(3, 2, THIRD, "add"))), float(mpmath.log(known)) / 2)


def test_every_quantity_has_an_entry_with_a_source() -> None:
    named = {entry.name for entry in DEFINITIONS}
    assert set(QUANTITIES) <= named
    for entry in DEFINITIONS:
        assert entry.source and entry.words and entry.left.tag == entry.name
        assert entry.right is not None or "the " in entry.words
    assert set(TABLES) <= named


def test_a_law_is_summed() -> None:
    i, n = index("i"), variable("n", "Z", ["positive"])
    p, q = laws("p q", (i, 1, n))
    assert str(unfolded(HockeyStick(0, p, q))) == "Sum(Max(p[i] - exp(0)*q[i], 0), (i, 1, n))"
    assert unfolded(RenyiMoment(2, p, q)) == Sum(p[i] ** 2 * q[i] ** (1 - Rational(2)), (i, 1, n))


def test_unfolding_captures_nothing() -> None:
    x, y = real("x y")
    assert unfolded(NormalCDF(x)).free == {x}
    assert str(unfolded(NormalCDF(x))) == "Integral(exp(-x_1**2/2)/sqrt(2*pi), (x_1, -oo, x))"
    stick = HockeyStick(x, exp(-y), exp(-y) * x, (y, 0, oo))
    assert unfolded(stick).free == {x}
    nested = binder("Supremum", x, [variable("a"), oo], GaussianDelta(x, y, 1))
    assert unfolded(nested).free == {variable("a"), y}
    moved = binder("Supremum", y, [variable("a"), oo], GaussianDelta(y, x, 1)).subs(x, real("y"))
    assert unfolded(moved) == unfolded(binder("Supremum", x, [variable("a"), oo], GaussianDelta(x, y, 1)))


def test_what_has_no_formula_stays() -> None:
    for t in (SampledGaussianDelta(1, 1, HALF, 2), Rational(1, 2) + real("x")):
        assert meaning_of(t) is None and unfolded(t) == t
    assert unfolded(erfc(HALF), keep=["erf"]) == 1 - erf(HALF)


def test_the_page_of_the_documentation_is_this_one() -> None:
    assert (ROOT / "docs" / "definitions.md").read_text(encoding="utf-8") == as_markdown(SHORTHANDS)
