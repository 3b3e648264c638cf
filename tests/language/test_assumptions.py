"""What sympy concludes of the parts of a statement, against their values: it evaluates by what it concludes."""

import math
import random
from fractions import Fraction

import pytest
import sympy

from dpbounds import Claim, settle
from dpbounds.claims import Boxes
from dpbounds.errors import EmptyDomainError, LanguageError
from dpbounds.language.substitution import extremum
from dpbounds.language.typed.bridge import from_sympy, to_sympy
from dpbounds.logic import notation as n
from dpbounds.logic.signatures import RELATIONS
from dpbounds.logic.terms import TermError, node, number, opened, variable

SORTS = [("Z", ()), ("Z", ("positive",)), ("Z", ("nonnegative",)), ("Z", ("negative",)), ("Z", ("nonzero",))]
SORTS += [("Z", ("even",)), ("Z", ("odd",)), ("Z", ("nonnegative", "even")), ("Z", ("positive", "odd")), ("R", ()), ("R", ("nonpositive",))]
VARIABLES = [variable(f"v{k}", *sort) for k, sort in enumerate(SORTS)]
NUMBERS = [number(k) for k in (0, 1, 2, 3, -1, -2, 6)] + [number(k, 2) for k in (1, -1, 3)] + [number(1, 3), number(1, 4), number(1, 6)]
FACTS = ("integer", "even", "odd", "positive", "negative", "nonnegative", "nonpositive", "zero", "nonzero", "real", "rational")


class NoValueError(Exception):
    """Without a value, or with one that is irrational or too large to take part."""


def value_of(t, at):
    """A term at rational numbers, from its definition."""
    if t.tag == "Piecewise":
        return next(value_of(e, at) for e, c in zip(t.parts[::2], t.parts[1::2], strict=True) if value_of(c, at))
    if t.tag == "Sum":
        x, (body,) = opened(t)
        low, high = (value_of(end, at) for end in t.parts[:2])
        if not -1 <= high - low <= 20:
            raise NoValueError
        return sum((value_of(body, {**at, x: Fraction(k)}) for k in range(int(low), int(high) + 1)), Fraction(0))
    if t in at or t.tag == "number":
        return at[t] if t in at else t.data[0]
    parts = [value_of(part, at) for part in t.parts]
    if t.tag not in VALUES or any(abs(part) > 10**6 for part in parts):
        raise NoValueError
    return VALUES[t.tag](*parts)


def power(base, exponent):
    if exponent.denominator != 1 or abs(exponent) > 20 or (base == 0 and exponent < 0):
        raise NoValueError
    return base ** int(exponent)


def factorial(x):
    if x.denominator != 1 or not 0 <= x < 30:
        raise NoValueError
    return Fraction(math.factorial(int(x)))


def binomial(x, k):
    if k.denominator != 1 or not 0 <= k <= 20:
        raise NoValueError
    return math.prod(((x - j) / (j + 1) for j in range(int(k))), start=Fraction(1))


VALUES = {
    **RELATIONS,
    "+": lambda *parts: sum(parts),
    "*": lambda *parts: math.prod(parts),
    "neg": lambda a: -a,
    "inv": lambda a: power(a, Fraction(-1)),
    "**": power,
    "Abs": abs,
    "Max": max,
    "Min": min,
    "floor": lambda a: Fraction(math.floor(a)),
    "ceiling": lambda a: Fraction(math.ceil(a)),
    "factorial": factorial,
    "gamma": lambda a: factorial(a - 1),
    "binomial": binomial,
    "true": lambda: True,
}


def random_term(rng, depth, names):
    if depth == 0 or rng.random() < 0.15:
        return rng.choice([*names, *names, rng.choice(NUMBERS)])
    part = [random_term(rng, depth - 1, names) for _ in range(3)]
    makers = [
        lambda: node(rng.choice(["Abs", "floor", "ceiling", "factorial", "gamma", "neg", "inv"]), part[0]),
        lambda: part[0] * rng.choice([part[1], *NUMBERS]),
        lambda: part[0] + part[1],
        lambda: part[0] - part[1],
        lambda: part[0] ** rng.choice([part[1], *NUMBERS]),
        lambda: node(rng.choice(["Max", "Min"]), part[0], part[1]),
        lambda: n.binomial(part[0], rng.choice([part[1], *NUMBERS])),
        lambda: n.Piecewise((part[0], part[1] <= part[2]), (part[1], n.true)),
        lambda: n.Sum(part[0] * INDEX, (INDEX, 0, rng.choice([w for w in [number(3), *names] if w.sort == "Z"]))),
    ]
    return rng.choice(makers)()


INDEX = variable("i", "Z", ["nonnegative"])


def fits(v, x):
    _, sort, facts = v.data
    return (sort == "R" or x.denominator == 1) and all(truth(fact, x) for fact in facts)


def truth(fact, x):
    whole = x.denominator == 1
    signs = {"positive": x > 0, "negative": x < 0, "nonnegative": x >= 0, "nonpositive": x <= 0, "zero": x == 0, "nonzero": x != 0}
    return {**signs, "integer": whole, "even": whole and x % 2 == 0, "odd": whole and x % 2 == 1, "real": True, "rational": True}[fact]


def wrong_conclusions(seed, count):
    """What sympy's reading says of random terms and their parts that is not so at some point: the value or a fact."""
    rng, found, checked = random.Random(seed), [], 0
    values = [Fraction(k) for k in range(-6, 7)] + [Fraction(k, 2) for k in (-3, -1, 1, 5)]
    for _ in range(count):
        names = rng.sample(VARIABLES, 2)
        try:
            t = random_term(rng, 2, names)
            made = to_sympy(t)
            nodes = [e for e in sympy.preorder_traversal(made) if isinstance(e, sympy.Expr) and e.args]
            parts = [(part, e) for e in nodes if (part := term_or_none(e)) is not None]
            whole = term_or_none(made)
        except (TermError, LanguageError):
            continue
        points = [[x for x in values if fits(v, x)] for v in names]
        for _ in range(6):
            at = {v: rng.choice(row) for v, row in zip(names, points, strict=True)}
            known = [(e, value) for part, e in parts if part.free <= set(names) and (value := value_or_none(part, at)) is not None]
            own, read = value_or_none(t, at), value_or_none(whole, at)
            checked += len(known)
            if own is not None:
                found += [(t, made, at)] if read is not None and read != own else []
                found += [(e, fact, at) for e, x in known for fact in FACTS if getattr(e, f"is_{fact}") not in (None, truth(fact, x))]
    return found, checked


def term_or_none(e):
    try:
        return from_sympy(e)
    except TermError:
        return None


def value_or_none(t, at):
    try:
        return None if t is None else value_of(t, at)
    except NoValueError:
        return None


@pytest.mark.parametrize("seed", [4, 6, 9])
def test_nothing_that_sympy_concludes_is_wrong(seed):
    """Each of these found a wrong conclusion of sympy's own rules."""
    found, checked = wrong_conclusions(seed, 150)
    assert not found and checked > 300


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20, 24))
def test_nothing_that_sympy_concludes_of_many_terms_is_wrong(seed):
    assert not wrong_conclusions(seed, 5_000)[0]


COUNT, MORE = n.positive_integer("count more")
T = n.real("t")
PEAK = n.Integral(1 - 3 * 10**10 * n.exp(-(10**16) * (T - n.Rational(1234, 10007)) ** 2), (T, 0, 1))
"""1 − 300·√π, about −531: sympy's quadrature finds 1."""
EVEN, ODD = (n.Symbol(name, integer=True, **{name: True}) for name in ("even", "odd"))
X = n.real("x")


@pytest.mark.parametrize(
    ("then", "given"),
    [
        (n.floor(EVEN / 6) + X**2 >= EVEN / 6 - n.Rational(1, 10), [EVEN >= 2, EVEN <= 20, X >= 0, X <= 1]),
        (n.ceiling(EVEN * ODD / 6) <= EVEN * ODD / 6, [EVEN >= 2, EVEN <= 4, ODD >= 1, ODD <= 3]),
        (n.Abs(n.gamma(ODD + n.Rational(1, 2))) <= -n.Rational(1, 2), [ODD >= 1, ODD <= 9]),
        (n.Abs(7 / (COUNT + MORE) - 1) <= 7 / (COUNT + MORE) - 1 + X, [COUNT >= 8, X >= 0, X <= 1]),
        (n.Max(PEAK, 0) + X <= -n.Rational(1, 2), [X >= 0, 4 * X <= 1]),
        (n.floor(PEAK) + X >= 1, [X >= 0, X <= 1]),
        (n.sqrt(PEAK**2) + X <= -1, [X >= 0, X <= 1]),
        (n.floor(n.erf(30)) + X >= 1, [X >= 0, X <= 1]),
    ],
)
def test_what_was_certified_by_a_wrong_rule_is_not(then, given):
    assert settle(Claim(id="a", text="", given=given, then=then, by=Boxes(budget=50))).verdict.holds is not True


def test_what_sympy_does_not_compare_is_kept():
    low = n.Symbol("low", negative=True)
    assert isinstance(extremum(sympy.Max, [to_sympy(n.log(low)), 1]), sympy.Max)
    claim = Claim(id="a", text="", given=[X >= 0, X <= 1], then=n.Max(n.NormalCDF(X), n.NormalCDF(-1)) <= 1)
    assert settle(claim).verdict.holds


@pytest.mark.parametrize("value", [2 / (COUNT * MORE) - 1, 7 / (COUNT + MORE) - 1, 1 - 1 / (COUNT * MORE), PEAK])
def test_a_sign_that_is_not_known_is_not_concluded(value):
    made = to_sympy(value)
    assert made.is_positive is None and made.is_negative is None


@pytest.mark.parametrize("value", [n.floor(n.tanh(300)), n.ceiling(n.exp(n.Rational(1, 10**300)) - 1), n.Abs(PEAK), n.Min(PEAK, 0)])
def test_what_sympy_would_sample_is_kept(value):
    assert from_sympy(to_sympy(value)).tag == value.tag


@pytest.mark.parametrize("sign", ["negative", "nonpositive"])
@pytest.mark.parametrize("more", [{}, {"integer": True}, {"integer": True, "even": True}])
def test_a_sign_below_zero_comes_back_from_sympy(sign, more):
    v = n.Symbol("v", **{sign: True}, **more)
    assert from_sympy(to_sympy(v)) == v


def test_a_domain_without_whole_numbers_is_empty():
    low, high = n.Symbol("low", integer=True, negative=True), n.Symbol("high", integer=True, positive=True, even=True)
    with pytest.raises(EmptyDomainError, match="the domain is empty"):
        settle(Claim(id="a", text="", given=[low >= high], then=X >= 0))
