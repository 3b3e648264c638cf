"""Values put for symbols: nothing is decided by sampling. sympy's floor, Abs, Max and relations of closed numbers are floating point."""

import pytest
import sympy

from dpbounds import Claim
from dpbounds.claims.counterexamples.refute import Refutation, refute_at
from dpbounds.claims.statement import instance
from dpbounds.errors import LanguageError
from dpbounds.language import enclose, functions
from dpbounds.language.definedness import conditions_of
from dpbounds.language.functions import SampledGaussianDelta, expand_quantities
from dpbounds.language.quantifiers import ForAll
from dpbounds.language.substitution import junction, negation, rebuilt, replaced, substituted
from dpbounds.language.symbols import integer, real

x, y, c = real("x y c")
k = integer("k")
FAR = sympy.Rational(301, 3)
"""gamma(301/3) has 157 digits before the point: sympy's floor of it is wrong, because it keeps 15."""


def test_a_true_bound_on_a_floor_is_not_refuted():
    """x·floor(gamma(x)) <= x·gamma(x) always holds; at x = 301/3 it was REFUTED, because floor came out too large."""
    made = Claim(id="c", text="", given=[x >= 1], then=x * sympy.floor(sympy.gamma(x)) <= x * sympy.gamma(x))
    assert not isinstance(refute_at(made, {x: FAR}), Refutation)
    assert instance.truth_at(made.then, {x: FAR}) is True


def test_a_false_bound_on_a_floor_is_refuted():
    made = Claim(id="c", text="", given=[x >= 1], then=x * sympy.floor(sympy.gamma(x)) > x * sympy.gamma(x))
    assert instance.truth_at(made.then, {x: FAR}) is False
    assert isinstance(refute_at(made, {x: FAR}), Refutation)


def test_a_false_conjunct_with_a_witness_stays():
    """With the witness c = 301/3 sympy took the first conjunct for true, and the claim was x <= 2 alone."""
    made = Claim(
        id="c",
        text="",
        given=[x >= 0, x <= 1],
        then=sympy.And(c * sympy.floor(sympy.gamma(c)) > c * sympy.gamma(c), x <= 2),
        witness={c: FAR},
    )
    assert isinstance(made.then, sympy.And) and made.then.has(sympy.floor)
    assert isinstance(refute_at(made, {x: 0}), Refutation)


@pytest.mark.parametrize(
    "node",
    [
        sympy.floor(x),
        sympy.ceiling(x),
        sympy.Abs(x - 7),
        sympy.Max(x, 3),
        sympy.Min(x, 3),
        sympy.sqrt((x - 7) ** 2),
        sympy.exp(sympy.log((x - 7) ** 2) / 2),
        sympy.log(sympy.sqrt(x) - 7),
        sympy.Gt(x, 7),
        sympy.And(x > 7, y < 1),
        sympy.Or(x > 7, y < 1),
        sympy.Not(sympy.And(x > 7, y < 1), evaluate=False),
        sympy.Eq(x, 7),
        sympy.Piecewise((1, x > 7), (y, True)),
        x * sympy.sqrt((x - 7) ** 2) * y,
        sympy.Mod(x, 3),
        sympy.Implies(x > 7, y < 1),
    ],
)
def test_nothing_is_sampled(node, monkeypatch):
    """With evalf out of order every substitution comes out the same: a closed number's size is nobody's business here."""

    original = sympy.core.evalf.EvalfMixin.evalf

    def forbidden(self, *arguments, **options):
        if not self.is_Rational:
            raise AssertionError(f"{self} was sampled")
        return original(self, *arguments, **options)

    value = sympy.gamma(FAR) + sympy.sqrt(2)
    expected = substituted(node, {x: value})
    sympy.core.cache.clear_cache()
    monkeypatch.setattr(sympy.core.evalf.EvalfMixin, "evalf", forbidden)
    assert substituted(node, {x: sympy.gamma(FAR) + sympy.sqrt(2)}) == expected
    assert y not in node.free_symbols or y in expected.free_symbols


def test_rational_numbers_are_evaluated():
    assert substituted(sympy.floor(x) + sympy.Abs(x) + sympy.Max(x, 1) + x**2, {x: sympy.Rational(-3, 2)}) == sympy.Rational(
        -2
    ) + sympy.Rational(3, 2) + 1 + sympy.Rational(9, 4)
    assert substituted(sympy.sqrt(x), {x: sympy.Integer(4)}) == 2
    assert substituted(sympy.log(1 + x) - x, {x: sympy.S.Zero}) == 0


def test_what_symbols_assume_is_used():
    positive = sympy.Symbol("x", positive=True)
    assert substituted(sympy.sqrt(x**2), {x: positive}) == positive
    assert substituted(sympy.Abs(x), {x: positive}) == positive


def test_bound_symbols_are_left_alone_and_not_captured():
    total = sympy.Sum(x * k, (k, 1, 3))
    assert substituted(total, {k: 5}) == total
    assert substituted(total, {x: y}) == sympy.Sum(y * k, (k, 1, 3))
    assert substituted(sympy.Integral(x * y, (y, 0, x)), {x: 2}) == sympy.Integral(2 * y, (y, 0, 2))
    assert substituted(sympy.Integral(y, (y, 0, y)), {y: 2}) == sympy.Integral(y, (y, 0, 2))
    assert substituted(ForAll(x, x > y, x > c), {x: 1, y: 2}) == ForAll(x, sympy.Gt(x, 2), x > c)
    with pytest.raises(LanguageError, match="binds"):
        substituted(total, {x: k})


def test_conditions_stay_as_they_stand():
    false = sympy.Gt(sympy.Integer(3), sympy.pi, evaluate=False)
    assert junction(sympy.And, [false, x < 1]).args == (x < 1, false) or set(junction(sympy.And, [false, x < 1]).args) == {x < 1, false}
    assert negation(false) == sympy.Le(sympy.Integer(3), sympy.pi, evaluate=False)
    assert negation(sympy.And(x > 1, y > 2)) == sympy.Or(x <= 1, y <= 2)
    assert replaced(sympy.Abs(x) + sympy.floor(sympy.Abs(x)), sympy.Abs(x), y) == y + sympy.floor(y)
    assert rebuilt(x + 1, [y, sympy.S.One]) == y + 1


def test_quantities_are_written_out_without_sampling():
    """Which branch of a closed form applies is decided by balls, not by sympy when it is written out."""
    closed = expand_quantities(SampledGaussianDelta(sympy.Rational(1, 2), 1, sympy.Rational(1, 10), 1, "add"))
    assert isinstance(closed, sympy.Piecewise) and len(closed.args) == 2
    assert instance.truth_at(sympy.Ge(closed, 0, evaluate=False), {}) is True
    assert functions.HockeyStick(1, (sympy.Rational(1, 2),), (sympy.Rational(1, 2),)).definition().has(sympy.Max)


_EVEN, _COUNT, _PLACE = sympy.Symbol("e", even=True), sympy.Symbol("n", integer=True), sympy.Symbol("x", real=True)


@pytest.mark.parametrize(
    "value", [_EVEN / 2, _COUNT * (_COUNT + 1), sympy.floor(_PLACE / 3), 2 ** sympy.Symbol("k", integer=True, nonnegative=True)]
)
def test_an_integer_is_whole(value):
    assert value.is_integer


@pytest.mark.parametrize(
    "value",
    [
        _EVEN / 6,
        _EVEN**2 / 10,
        _EVEN * _COUNT / 6,
        2 ** (_EVEN**2 / 6),
        sympy.Mul(2, _COUNT, sympy.Rational(1, 6), evaluate=False),
        sympy.Mul(_EVEN, sympy.Pow(6, -1, evaluate=False), evaluate=False),
    ],
)
def test_a_quotient_of_unknown_kind_is_not_taken_for_an_integer(value):
    """sympy's own rule counts the twos of both sides: 2/6 is no integer."""
    assert value.is_integer is None


def test_a_power_with_such_an_exponent_needs_a_base_that_is_not_negative():
    """(−8)^{2/6} is no real number here."""
    power = sympy.Pow(_PLACE, _EVEN / 6, evaluate=False)
    assert conditions_of(power) == [_PLACE > 0]
    at = {_PLACE: (sympy.Integer(-8),) * 2, _EVEN: (sympy.Integer(2),) * 2}
    assert not enclose.enclose(power, at, 60).upper < sympy.oo
