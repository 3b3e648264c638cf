"""Identities with bound variables against a finite model: what the ring takes for equal has one value there.

In the model an integral is a weighted sum over three points, and an extremum is that of three points of the range: both satisfy every law
that the ring uses of them. Terms and their twins differ in one leaf, in the order of binders, or not at all.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import mpmath
import pytest
from mpmath import mpf

from dpbounds.kernel.notation import Reader
from dpbounds.kernel.polynomials import Budget
from dpbounds.kernel.ring import Ring
from dpbounds.kernel.terms import Refused, Term, minus, variable

REALS, INTEGERS = ("a", "b"), ("m", "n")
READ = Reader(
    {n: variable(n, "R") for n in REALS} | {n: variable(n, "Z") for n in INTEGERS}, {"f": "R>R", "g": "RR>R", "p": "Z>R", "w": "ZZ>R"}
)
BINDERS = {"sum": 2, "line": 0, "sup": 2, "inf": 2, "sup_above": 1, "inf_above": 1}
PREMISES = [
    "0 < a", "m <= n", "allR(_0, 0 < f(_0))", "allZ(_0, imp(1 <= _0, 0 < p(_0)))", "allR(_0, allR(_1, imp(0 < _0, 0 <= g(_0, _1))))",
]  # fmt: skip


@dataclass(frozen=True)
class Shape:
    """A term whose leaves are choices: (tag, parts), or a leaf with the names that may stand there."""

    tag: str
    parts: tuple[Shape, ...] = ()
    names: tuple[str, ...] = ()


def shape(rng: random.Random, depth: int, reals: tuple[str, ...], integers: tuple[str, ...]) -> Shape:
    """A random term of real sort."""
    if depth == 0:
        kind = rng.choice(["real", "real", "f", "g", "p", "w", "number"])
        if kind == "real":
            return Shape("leaf", (), reals)
        if kind == "number":
            return Shape("leaf", (), ("0", "1", "2", "1/2"))
        count = 2 if kind in "gw" else 1
        return Shape(kind, tuple(Shape("leaf", (), reals if kind in "fg" else integers) for _ in range(count)))
    tag = rng.choice(["+", "*", "/", "max", "abs", "ite", "exp", "log", "pow", *BINDERS, *BINDERS])
    if tag not in BINDERS:
        count = {"abs": 1, "exp": 1, "log": 1, "ite": 4}.get(tag, 2)
        return Shape(tag, tuple(shape(rng, depth - 1 if k == 0 else rng.randrange(depth), reals, integers) for k in range(count)))
    x = f"x{len(reals) + len(integers)}"
    if tag == "sum":
        ends = (Shape("leaf", (), ("0", "1", *integers)), Shape("leaf", (), ("2", "3", *integers)))
        return Shape(tag, (*ends, shape(rng, depth - 1, reals, (x, *integers))), (x,))
    ends = tuple(Shape("leaf", (), reals if k else ("0", *reals)) for k in range(BINDERS[tag]))
    return Shape(tag, (*ends, shape(rng, depth - 1, (x, *reals), integers)), (x,))


def leaves(s: Shape) -> int:
    """The number of leaves."""
    return 1 if s.tag == "leaf" else sum(map(leaves, s.parts))


def text(s: Shape, chosen: list[int], shuffle: Callable[[], bool]) -> str:
    """The term with these choices, taken from the front; sums and products may change sides, and nested binders of a kind their order."""
    if s.tag == "leaf":
        return s.names[chosen.pop(0) % len(s.names)]
    parts = [text(part, chosen, shuffle) for part in s.parts]
    if s.tag in BINDERS:
        ends, body, inner = parts[:-1], parts[-1], s.parts[-1]
        if inner.tag == s.tag and s.tag in ("sum", "line") and shuffle() and s.names[0] not in " ".join(split(body)[1:-1]):
            y, *inner_ends, innermost = split(body)
            return call(s.tag, y, *inner_ends, call(s.tag, s.names[0], *ends, innermost))
        return call(s.tag, s.names[0], *parts)
    if s.tag in ("+", "*", "/"):
        a, b = parts[::-1] if s.tag != "/" and shuffle() else parts
        return f"({a}) {s.tag} ({b})"
    if s.tag == "ite":
        return f"ite({parts[0]} < {parts[1]}, {parts[2]}, {parts[3]})"
    return f"({parts[0]})**({parts[1]})" if s.tag == "pow" else call(s.tag, *parts)


def call(tag: str, *arguments: str) -> str:
    """A call."""
    return f"{tag}({', '.join(arguments)})"


def split(whole: str) -> list[str]:
    """The arguments of a call."""
    found, depth = [""], 0
    for c in whole[whole.index("(") + 1 : -1]:
        depth += (c == "(") - (c == ")")
        if c == "," and not depth:
            found.append("")
        else:
            found[-1] += c
    return [part.strip() for part in found]


class Model:
    """Values of terms: random numbers for variables and functions, three points for what is bound over the reals."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        rng = random.Random(seed)
        n = rng.randint(1, 3)
        self.at: dict[str, Fraction] = {
            "a": Fraction(rng.randint(1, 9), 4),
            "b": Fraction(rng.randint(-9, 9), 4),
            "n": Fraction(n),
            "m": Fraction(rng.randint(-1, n)),
        }

    def function(self, name: str, arguments: tuple[mpf, ...]) -> mpf:
        """A number for each argument, with the signs that the premises give."""
        value = mpf(random.Random(repr((self.seed, name, [mpmath.nstr(a, 20) for a in arguments]))).randint(-8, 8)) / 4
        if name == "f" or (name == "p" and arguments[0] >= 1):
            return abs(value) + mpf("0.25")
        return abs(value) if name == "g" and arguments[0] > 0 else value

    def value(self, t: Term, bound: tuple[mpf, ...] = ()) -> mpf:
        """The value of a term under values of the variables bound above it; KeyError where it is not looked at."""
        match t.tag:
            case "q":
                q = Fraction(str(t.data[0]))
                return mpf(q.numerator) / q.denominator
            case "v":
                return mpf(self.at[str(t.data[0])].numerator) / self.at[str(t.data[0])].denominator
            case "b":
                return bound[int(str(t.data[0]))]
            case "ite":
                a, b = (self.value(side, bound) for side in t.parts[0].parts)
                return self.value(t.parts[1 if a < b else 2], bound)
        if t.tag in BINDERS:
            ends = [self.value(end, bound) for end in t.parts[:-1]]
            points = self.points(t.tag, ends)
            values = [self.value(t.parts[-1], (x, *bound)) for x in points]
            if t.tag == "sum":
                return sum(values, mpf(0))
            if t.tag == "line":
                return sum(((k + 1) * v for k, v in enumerate(values)), mpf(0))
            return (max if t.tag.startswith("sup") else min)(values)
        parts = [self.value(part, bound) for part in t.parts]
        match t.tag:
            case "f":
                return self.function(str(t.data[0]), tuple(parts))
            case "+":
                return parts[0] + parts[1]
            case "*":
                return parts[0] * parts[1]
            case "^":
                n = int(str(t.data[0]))
                return parts[0] ** n if parts[0] or n >= 0 else mpf(0)
            case "exp" if parts[0] < 1000:
                return mpmath.exp(parts[0])
            case "log":
                return mpmath.log(abs(parts[0])) if parts[0] else mpf(0)
            case "pow" if parts[0] > 0 and abs(parts[1] * mpmath.log(parts[0])) < 1000:
                return parts[0] ** parts[1]
            case "pow" if parts[0] == 0:
                return mpf(parts[1] == 0)
            case "max":
                return max(parts)
            case "abs":
                return abs(parts[0])
        raise KeyError(t.tag)

    def points(self, tag: str, ends: list[mpf]) -> list[mpf]:
        """Where the body is looked at."""
        if tag == "sum":
            return [mpf(i) for i in range(int(ends[0]), int(ends[1]) + 1)]
        if tag == "line":
            return [mpf("-1.5"), mpf("0.25"), mpf(2)]
        if len(ends) == 1:
            return [ends[0] + mpf("0.25"), ends[0] + 1, ends[0] + 4]
        low, high = ends
        if low >= high:
            raise KeyError("a range without points")
        return [low + (high - low) * k / 8 for k in (1, 3, 6)]


def identities(seed: int, count: int) -> tuple[int, int, list[str]]:
    """How many twins are tried, how many are taken for equal, and those that are and have different values."""
    rng, tried, accepted, wrong = random.Random(seed), 0, 0, list[str]()
    for _ in range(count):
        form = shape(rng, rng.choice([2, 3, 3, 4]), REALS, INTEGERS)
        chosen = [rng.randrange(60) for _ in range(leaves(form))]
        other = list(chosen)
        for _ in range(rng.choice([0, 1, 1, 1, 2])):
            other[rng.randrange(len(other))] = rng.randrange(60)
        try:
            left, right = READ(text(form, list(chosen), lambda: False)), READ(text(form, list(other), lambda: rng.random() < 0.3))
            tried += 1
            premises = [READ(p) for p in PREMISES if rng.random() < 0.5]
            if not Ring(premises, Budget(60_000)).zero(minus(left, right)):
                continue
        except Refused:
            continue
        accepted += 1
        for point in range(4):  # at 50 digits
            model = Model(seed * 1000 + point)
            try:
                one, two = model.value(left), model.value(right)
                if abs(one - two) > mpf(10) ** -25 * (1 + abs(one)):
                    wrong.append(f"{text(form, list(chosen), lambda: False)} == {text(form, list(other), lambda: False)}")
                    break
            except KeyError:
                continue
    return tried, accepted, wrong


@pytest.mark.parametrize("seed", range(6))
def test_what_is_taken_for_equal_has_one_value_in_a_finite_model(seed: int) -> None:
    with mpmath.workdps(50):
        tried, accepted, wrong = identities(seed, 150)
    assert not wrong and tried > 100 and accepted > 20, (tried, accepted, wrong)
