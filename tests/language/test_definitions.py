"""The page of definitions says what the language computes: both by numbers, for each entry."""

from pathlib import Path

import mpmath
import pytest

from dpbounds.language.functions import expand_quantities
from dpbounds.language.typed.bridge import to_sympy
from dpbounds.logic import notation
from dpbounds.logic.definitions import DEFINITIONS, TABLES, as_markdown
from dpbounds.logic.gaussian_family import SHORTHANDS
from dpbounds.logic.laws import laws
from dpbounds.logic.signatures import QUANTITIES
from dpbounds.logic.terms import Term, binder, node, number, opened, variable, walk
from tests.language.unfold import meaning_of, unfolded

ROOT = Path(__file__).parents[2]
HALF, THIRD = notation.Rational(1, 2), notation.Rational(1, 3)
t = notation.real("t")
normal, shifted = notation.normal_density(t, 0, 2), notation.normal_density(t, 1, 2)
coin, fair = notation.Tuple(THIRD, 1 - THIRD), notation.Tuple(HALF, HALF)
LAPLACE, RESPONSE = (f'[{{"{key}": "@0"}}]' for key in ("laplace-scale", "randomized-response"))

CASES = [
    notation.RenyiMoment(3, coin, fair),
    notation.RenyiDivergence(3, coin, fair),
    notation.KLDivergence(coin, fair),
    notation.HockeyStick(THIRD, coin, fair),
    notation.LossTail(notation.Rational(1, 10), coin, fair),
    notation.RenyiMoment(2, notation.Tuple(1, 0), fair),
    notation.KLDivergence(notation.Tuple(1, 0), fair),
    notation.HockeyStick(THIRD, normal, shifted, (t, -notation.oo, notation.oo)),
    notation.LossTail(THIRD, normal, shifted, (t, -notation.oo, notation.oo)),
    notation.NormalCDF(notation.Rational(-3, 4)),
    notation.GaussianRenyi(3, 2, THIRD),
    notation.GaussianDelta(HALF, 2, 3),
    notation.SampledGaussianMoment(3, 2, THIRD),
    notation.SampledGaussianRenyi(3, 2, THIRD),
    notation.SampledGaussianDelta(HALF, 2, THIRD),
    notation.SampledGaussianDelta(HALF, 2, THIRD, 1, "add"),
    notation.SubstituteGaussianDelta(HALF, 2, THIRD),
    *(node("MechanismDelta", THIRD, HALF, data=(text, "worst")) for text in (LAPLACE, RESPONSE)),
    *(node("MechanismRenyi", order, HALF, data=(text, "worst")) for text in (LAPLACE, RESPONSE) for order in (number(1), number(3))),
    notation.erf(HALF),
    notation.erfc(HALF),
    notation.cosh(HALF),
    notation.sinh(HALF),
    notation.tanh(HALF),
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
    between = (normal, shifted, (t, -notation.oo, notation.oo))
    assert is_near(number_of(unfolded(notation.RenyiDivergence(3, *between))), 3 / 8)
    assert is_near(number_of(unfolded(notation.KLDivergence(*between))), 1 / 8)

    def density(y: object, mean: int) -> object:
        return mpmath.npdf(y, mean, 2)

    def moment(y: object) -> object:
        return density(y, 0) ** 3 / (density(y, 1) / 3 + 2 * density(y, 0) / 3) ** 2

    known = float(mpmath.quad(moment, [-40, -10, 0, 10, 40]))
    assert is_near(number_of(unfolded(notation.SampledGaussianMoment(3, 2, THIRD, "add"))), known)
    assert is_near(number_of(unfolded(notation.SampledGaussianRenyi(3, 2, THIRD, "add"))), float(mpmath.log(known)) / 2)


def test_every_quantity_has_an_entry_with_a_source() -> None:
    named = {entry.name for entry in DEFINITIONS}
    assert set(QUANTITIES) <= named
    for entry in DEFINITIONS:
        assert entry.source and entry.words and entry.left.tag == entry.name
        assert entry.right is not None or "the " in entry.words
    assert set(TABLES) <= named


def test_a_law_is_summed() -> None:
    i, n = notation.index("i"), variable("n", "Z", ["positive"])
    p, q = laws("p q", (i, 1, n))
    assert str(unfolded(notation.HockeyStick(0, p, q))) == "Sum(Max(p[i] - exp(0)*q[i], 0), (i, 1, n))"
    assert unfolded(notation.RenyiMoment(2, p, q)) == notation.Sum(p[i] ** 2 * q[i] ** (1 - notation.Rational(2)), (i, 1, n))


def test_unfolding_captures_nothing() -> None:
    x, y = notation.real("x y")
    assert unfolded(notation.NormalCDF(x)).free == {x}
    assert str(unfolded(notation.NormalCDF(x))) == "Integral(exp(-x_1**2/2)/sqrt(2*pi), (x_1, -oo, x))"
    stick = notation.HockeyStick(x, notation.exp(-y), notation.exp(-y) * x, (y, 0, notation.oo))
    assert unfolded(stick).free == {x}
    nested = binder("Supremum", x, [variable("a"), notation.oo], notation.GaussianDelta(x, y, 1))
    assert unfolded(nested).free == {variable("a"), y}
    moved = binder("Supremum", y, [variable("a"), notation.oo], notation.GaussianDelta(y, x, 1)).subs(x, notation.real("y"))
    assert unfolded(moved) == unfolded(binder("Supremum", x, [variable("a"), notation.oo], notation.GaussianDelta(x, y, 1)))


def test_what_has_no_formula_stays() -> None:
    for t in (notation.SampledGaussianDelta(1, 1, HALF, 2), notation.Rational(1, 2) + notation.real("x")):
        assert meaning_of(t) is None and unfolded(t) == t
    assert unfolded(notation.erfc(HALF), keep=["erf"]) == 1 - notation.erf(HALF)


def test_the_page_of_the_documentation_is_this_one() -> None:
    assert (ROOT / "docs" / "definitions.md").read_text(encoding="utf-8") == as_markdown(SHORTHANDS)
