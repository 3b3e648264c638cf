"""Statements as formulas of the proof checker: node by node, as they were typed, without evaluation. Nothing of sympy is read.

What is declared of a free variable becomes a premise: 0 < x for a positive one, and ∀i (1 ≤ i → 0 ≤ p(i)) for a nonnegative family, or
∀i (0 ≤ i → …) where an index of the statement may be 0. What is declared of a bound variable must follow from its range.
Quantities are unfolded by the page of definitions (`dpbounds.logic.definitions`). What they ask for is listed beside: see `ReadStatement`.

A document proves its claim when the proof checker shows these formulas from it, so this file says what every such verdict means.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import reduce
from math import comb
from typing import Any

from dpbounds.kernel import terms as kernel
from dpbounds.kernel.definedness import obligations, ranges
from dpbounds.kernel.notation import RESERVED
from dpbounds.kernel.terms import (
    ONE,
    ZERO,
    at_most,
    below,
    equal,
    implies,
    minus,
    negative,
    node,
    number,
    over,
    plus,
    power,
    times,
    unequal,
)
from dpbounds.language.typed.gamma_function import axioms_of_gamma
from dpbounds.language.typed.infinite_values import finite_where
from dpbounds.logic import terms
from dpbounds.logic.definitions import definitions_of
from dpbounds.logic.ranges import between, bounds_of
from dpbounds.logic.signatures import DIVERGENCES
from dpbounds.logic.terms import Family, Term, conjuncts, name_of


class NotRead(Exception):
    """The statement uses something that the proof checker's language does not have."""


_HALF = number("1/2")
_MOST_ORDERS = 512
"""Whole orders up to this one are written out."""
_SIGNS: dict[str, Callable[[kernel.Term], kernel.Term]] = {
    "positive": lambda t: at_most(ONE, t) if t.sort == "Z" else below(ZERO, t),
    "negative": lambda t: below(t, ZERO),
    "nonnegative": lambda t: at_most(ZERO, t),
    "nonpositive": lambda t: at_most(t, ZERO),
    "nonzero": lambda t: unequal(t, ZERO),
}
"""What a declaration says of a number."""


def said_of(facts: Iterable[str], t: kernel.Term) -> list[kernel.Term]:
    """What declarations say; the sharpest says it all.

    Raises:
        NotRead: an integer is declared even or odd.
    """
    facts = set(facts)
    if not facts <= _SIGNS.keys():
        raise NotRead("a variable is declared to be more than a sign")
    if {"nonnegative", "nonpositive"} <= facts:
        return [_SIGNS["nonnegative"](t), _SIGNS["nonpositive"](t)]
    return [_SIGNS[next(fact for fact in _SIGNS if fact in facts)](t)] if facts else []


def plain_name(name: str) -> str:
    """A name that the checker's notation has for a variable.

    >>> plain_name("x'"), plain_name("lambda"), plain_name("exp")
    ('x', 'lam', 'exp_')
    """
    base = re.sub(r"[^A-Za-z0-9_]", "_", name).strip("_") or "x"
    base = "lam" if base in ("lambda", "lamda") else base
    base = base if base[0].isalpha() and not keyword.iskeyword(base) else f"v{base}"
    return base if base not in RESERVED else f"{base}_"


class TypedReading:
    """One reading: every variable and family has one name, whatever else is called alike.

    Args:
        called: names that variables and families shall have where nothing else has them.
        absent: read 0 as the summand of a divergence where its mass p is 0, in words of its own.
    """

    def __init__(self, called: Mapping[Any, str] | None = None, *, absent: bool = False) -> None:
        self.called = called or {}
        self.absent = absent
        self.variables: dict[Term, kernel.Term] = {}
        self.families: dict[tuple[Any, int], tuple[str, str]] = {}
        self.from_zero: set[tuple[Any, int, int]] = set()
        self.named: dict[Term, tuple[kernel.Term, list[kernel.Term]]] = {}
        self.asked: list[kernel.Term] = []
        """That integrals run forward, x > 0 in Γ(x), 0 < p < 1 in a quantile, and bound variables are what is declared of them."""
        self.wanted: list[kernel.Term] = []
        """What quantities ask for: the premises of their definitions, and that masses and densities are not negative."""
        self.gamma: tuple[str, str] | None = None
        self._bound: dict[Term, kernel.Term] = {}
        self._ranges: list[list[kernel.Term]] = []
        self._taken: set[str] = set()

    # names

    def name(self, name: str, key: Any = None) -> str:
        """A name that nothing else has."""
        found, k = self.called.get(key, ""), 1
        if not found or found in self._taken:
            found = base = plain_name(name)
            while found in self._taken:
                found, k = f"{base}{k}" if not base[-1].isdigit() else f"{base}_{k}", k + 1
        self._taken.add(found)
        return found

    def variable(self, x: Term) -> kernel.Term:
        """The variable of the checker for one of a statement."""
        if x in self._bound:
            return self._bound[x]
        if x not in self.variables:
            self.variables[x] = kernel.variable(self.name(name_of(x), x), x.sort)
        return self.variables[x]

    def family(self, named: Any, arity: int) -> tuple[str, str]:
        """The function symbol of a family of numbers, or of an unknown function of real numbers."""
        if (named, arity) not in self.families:
            sorts = "Z" if isinstance(named, Family) else "R"
            if sorts == "R" and (named.facts or named.sort != "R"):
                raise NotRead(f"the unknown function {named} is declared to be more than real")
            self.families[named, arity] = self.name(name_of(named), named), f"{sorts * arity}>{named.sort}"
        return self.families[named, arity]

    def signs(self, named: Any, arity: int) -> list[kernel.Term]:
        """What is declared of the numbers of a family, for every index."""
        name, signature = self.families[named, arity]
        indices = [kernel.variable(f"%s{k}", "Z") for k in range(arity)]
        starts = [ZERO if (named, arity, k) in self.from_zero else ONE for k in range(arity)]
        ranges = list(zip(indices, starts, strict=True))[::-1]
        found = said_of(named.facts, node("f", *indices, data=(name, signature))) if named.facts else []
        return [reduce(lambda f, of: kernel.binder("all", of[0], implies([at_most(of[1], of[0])], f)), ranges, f) for f in found]

    @contextmanager
    def opened(self, t: Term) -> Iterator[tuple[kernel.Term, tuple[Term, ...]]]:
        """The variable that a term binds, and the parts under its binder."""
        x, inner = terms.opened(t, (name_of(y) for y in self._bound))
        inside = kernel.variable(f"%b{len(self._bound)}", x.sort)
        self._ranges.append(self._range(t, inside))
        self._bound[x] = inside
        try:
            if t.tag != "ForAll" and x.data[2]:
                within = between(t.tag, t.parts[0], t.parts[1], x.sort, {})
                within = within.whole() if x.sort == "Z" else within
                for sign in said_of([fact for fact in x.data[2] if not within.shows(fact)], inside):
                    self._ask(sign)
            yield inside, inner
        finally:
            del self._bound[x], self._ranges[-1]

    def _range(self, t: Term, x: kernel.Term) -> list[kernel.Term]:
        """What is known of a bound variable: low ≤ x ≤ high of integers, low < x < high of an extremum, else low < x ≤ high."""
        if t.tag == "ForAll":
            return []
        low, high = t.parts[:2]
        first, last = (at_most if x.sort == "Z" else below), (below if t.tag in _EXTREMA else at_most)
        found = [] if low == _MINUS_INFINITY else [first(self.term(low), x)]
        return found if high.tag == "oo" else [*found, last(x, self.term(high))]

    def throughout(self, wanted: kernel.Term) -> kernel.Term:
        """For all values of what is bound around it."""
        for x, within in reversed(list(zip(self._bound.values(), self._ranges, strict=True))):
            if x in wanted.free:
                wanted = kernel.binder("all", x, implies(within, wanted))
        return wanted

    def _want(self, *conditions: kernel.Term) -> None:
        self.wanted += [self.throughout(condition) for condition in conditions if not _is_plain(condition)]

    # formulas

    def conclusion(self, t: Term) -> kernel.Term:
        """The formula of what is claimed: of an inequality between infinite sums more than that, see `_partial_sums`."""
        if t.tag == "And":
            return node("and", *map(self.conclusion, t.parts))
        if t.tag in ("<=", ">="):
            small, large = t.parts if t.tag == "<=" else t.parts[::-1]
            if _endless(small) is not None:
                return self._partial_sums(small, large)
        return self.formula(t)

    def _partial_sums(self, small: Term, large: Term) -> kernel.Term:
        """Of c·Σ_{i≥l} a ≤ c'·Σ_{i≥l} b, or ≤ b: 0 < c and all terms are ≥ 0, so sums have a value in [0, ∞], and ≤ of Σ_l^n for every n.

        Infinite sums are limits of these, and limits keep ≤. No premise may be read so, for the formula says more than the statement.
        """
        endless = [found for side in (small, large) if (found := _endless(side)) is not None]
        low = endless[0][1].parts[0]
        if any(total.parts[0] != low for _, total in endless) or low.sort != "Z":
            raise NotRead("infinite sums that do not start at one integer")
        n, signs, sums, rest = kernel.variable("%n", "Z"), [], [], [] if len(endless) > 1 else [self.term(large)]
        first = self.term(low)
        start, last = (number(low.data[0] - 1), n) if low.tag == "number" else (ZERO, plus(minus(first, ONE), n))
        for factors, total in endless:
            factor = self._multiplied(factors) if factors else None
            signs += [] if factor is None else [below(ZERO, factor)]
            with self.opened(total) as (i, (body,)):
                summand = self.term(body)
                own = at_most(ZERO, summand if low.tag == "number" else kernel.substitute(summand, {i: plus(first, i)}))
                signs.append(kernel.binder("all", i, implies([at_most(first if low.tag == "number" else ZERO, i)], own)))
                partial = kernel.binder("sum", i, first, last, summand)
            sums.append(partial if factor is None else times(factor, partial))
        return node("and", *signs, kernel.binder("all", n, implies([at_most(start, n)], at_most(*sums, *rest))))

    def formula(self, t: Term) -> kernel.Term:
        """The formula of a condition."""
        if t.tag in _ORDERS:
            sides = [self.term(side) for side in t.parts]
            return _ORDERS[t.tag](*sides)
        if t.tag in _JUNCTIONS:
            return node(_JUNCTIONS[t.tag], *map(self.formula, t.parts))
        if t.tag == "true":
            return equal(ZERO, ZERO)
        if t.tag != "ForAll":
            raise NotRead(f"a statement of kind {t.tag}")
        with self.opened(t) as (x, (condition, body)):
            bound = next(reversed(self._bound))
            declared = dict(zip(terms.facts_of(bound, bound.data[2]), bound.data[2], strict=True))
            conditions = [f for c in conjuncts(condition) for f in (said_of([declared[c]], x) if c in declared else [self.formula(c)])]
            for o in obligations(implies(conditions, equal(ZERO, ZERO))):  # else a premise speaks of x where its condition has no value
                self._ask(o)
            self._ranges[-1] = conditions
            return kernel.binder("all", x, implies(conditions, self.formula(body)))

    # terms

    def term(self, t: Term) -> kernel.Term:
        """The term of an expression."""
        if t.tag not in _TERMS and t.tag not in DIVERGENCES and not definitions_of(t.tag):
            raise NotRead(f"{t.tag} is not in the checker's language")
        return _TERMS.get(t.tag, TypedReading._quantity)(self, t)

    def _apply(self, t: Term) -> kernel.Term:
        named, arity = t.data[0], len(t.parts)
        if isinstance(named, Family):
            for k, place in enumerate(t.parts):
                least = bounds_of(place, {})
                if least.shows("nonnegative") and not least.shows("positive"):
                    self.from_zero.add((named, arity, k))
        return node("f", *map(self.term, t.parts), data=self.family(named, arity))

    def _sum(self, t: Term) -> kernel.Term:
        first, *others = t.parts
        total = self.term(first)
        for part in others:
            total = minus(total, self.term(part.parts[0])) if part.tag == "neg" else plus(total, self.term(part))
        return total

    def _product(self, t: Term) -> kernel.Term:
        return self._multiplied(t.parts)

    def _multiplied(self, factors: Iterable[Term]) -> kernel.Term:
        whole: kernel.Term | None = None
        for part in factors:
            if part.tag == "inv" and part.parts[0].tag != "sqrt":
                whole = over(ONE if whole is None else whole, self.term(part.parts[0]))
            else:
                factor = self.term(part)
                whole = factor if whole is None else times(whole, factor)
        assert whole is not None
        return whole

    def _inverse(self, t: Term) -> kernel.Term:
        if t.parts[0].tag == "sqrt":
            return node("pow", self.term(t.parts[0].parts[0]), number("-1/2"))
        return over(ONE, self.term(t.parts[0]))

    def _power(self, t: Term) -> kernel.Term:
        base, exponent = t.parts
        if base.tag == "E":
            return node("exp", self.term(exponent))
        n = exponent.data[0] if exponent.tag == "number" else None
        if n is None or n.denominator != 1 or abs(n) >= 1000:
            return node("pow", self.term(base), self.term(exponent))
        return self.term(base) if n == 1 else over(ONE, power(self.term(base), -int(n))) if n < 0 else power(self.term(base), int(n))

    def _total(self, t: Term) -> kernel.Term:
        """Σ from low to high; where high < low − 1 the checker asks for a proof that it is not so."""
        low, high = map(self.term, t.parts[:2])
        with self.opened(t) as (i, (body,)):
            return kernel.binder("sum", i, low, high, self.term(body))

    def _integral(self, t: Term) -> kernel.Term:
        """Of the function that is 0 outside of low < x ≤ high; that low ≤ high is asked for."""
        with self.opened(t) as (x, (body,)):
            return self._over_part(x, self.term(body))

    def _over_part(self, x: kernel.Term, body: kernel.Term) -> kernel.Term:
        within = self._ranges[-1]
        if len(within) == 2:
            self._ask(at_most(within[0].parts[0], within[1].parts[1]))
        whole = body if not within else node("ite", within[0] if len(within) == 1 else node("and", *within), body, ZERO)
        return kernel.binder("line", x, whole)

    def _ask(self, wanted: kernel.Term) -> None:
        if not _is_plain(wanted):
            self.asked.append(self.throughout(wanted))

    def _extremum(self, t: Term) -> kernel.Term:
        low, high = t.parts[:2]
        if low == _MINUS_INFINITY:
            raise NotRead("an extremum over an interval without a lower end")
        tag = {"Supremum": "sup", "Infimum": "inf"}[t.tag] + ("_above" if high.tag == "oo" else "")
        ends = [self.term(low)] if high.tag == "oo" else [self.term(low), self.term(high)]
        with self.opened(t) as (x, (body,)):
            return kernel.binder(tag, x, *ends, self.term(body))

    def _factorial(self, t: Term) -> kernel.Term:
        """n! = exp Σ_{k=1}^n log k, where n ≥ 0 must be shown, as for every sum."""
        k = kernel.variable("%k", "Z")
        return node("exp", kernel.binder("sum", k, ONE, self.term(t.parts[0]), node("log", k)))

    def _named(self, t: Term) -> kernel.Term:
        """A number x in the place of Φ⁻¹(p), ⌊z⌋ or ⌈z⌉; what x is is a premise then, see `equations`."""
        if t.free & self._bound.keys():
            raise NotRead(f"{t.tag} of what is bound by a sum, an integral or a quantifier")
        if t not in self.named:
            z, is_quantile = self.term(t.parts[0]), t.tag == "NormalQuantile"
            x = kernel.variable(self.name("quantile" if is_quantile else "rounded", t), "R" if is_quantile else "Z")
            self.asked += [*([below(ZERO, z), below(z, ONE)] if is_quantile else []), *obligations(z)]
            low, high = (x, z) if t.tag == "floor" else (z, x)
            self.named[t] = x, [equal(node("Phi", x), z)] if is_quantile else [at_most(low, high), below(high, plus(low, ONE))]
        return self.named[t][0]

    def _gamma(self, t: Term) -> kernel.Term:
        """Γ(x) for x > 0, as a function that is all of Γ there, see `axioms_of_gamma`; that 0 < x is asked for."""
        x = self.term(t.parts[0])
        self._ask(below(ZERO, x))
        self.gamma = self.gamma or (self.name("Gamma", "gamma"), "R>R")
        return node("f", x, data=self.gamma)

    def equations(self) -> list[kernel.Term]:
        """Φ(x) = p of each Φ⁻¹(p) that was read, x ≤ z < x + 1 of each ⌊z⌋, and z ≤ x < z + 1 of each ⌈z⌉, where x is an integer."""
        return [premise for _, said in self.named.values() for premise in said]

    def _error_function(self, t: Term) -> kernel.Term:
        """erf x = 2Φ(√2·x) − 1, erfc x = 2Φ(−√2·x)."""
        scaled = times(node("pow", number(2), _HALF), self.term(t.parts[0]))
        if t.tag == "erfc":
            return times(number(2), node("Phi", negative(scaled)))
        return minus(times(number(2), node("Phi", scaled)), ONE)

    def _hyperbolic(self, t: Term) -> kernel.Term:
        """cosh x = (e^x + e^{−x})/2, sinh x = (e^x − e^{−x})/2, tanh x = (e^x − e^{−x})/(e^x + e^{−x})."""
        x = self.term(t.parts[0])
        up, down = node("exp", x), node("exp", negative(x))
        if t.tag == "tanh":
            return over(minus(up, down), plus(up, down))
        return times(_HALF, plus(up, down) if t.tag == "cosh" else minus(up, down))

    def _cases(self, t: Term) -> kernel.Term:
        *before, last, otherwise = t.parts
        if otherwise.tag != "true":
            raise NotRead("a case distinction without a last case")
        value = self.term(last)
        for branch, when in reversed(list(zip(before[::2], before[1::2], strict=True))):
            value = node("ite", self.formula(when), self.term(branch), value)
        return value

    # quantities

    def _quantity(self, t: Term) -> kernel.Term:
        """A quantity of the claim language, unfolded by its definition, whose premises it asks for."""
        if t.tag in DIVERGENCES:
            return self._divergence(t)
        for entry in definitions_of(t.tag):
            values = _matched(entry.left, t)
            if values is not None and entry.right is not None:
                self._want(*(self.formula(terms.substitute(premise, values)) for premise in entry.premises))
                if t.tag == "SampledGaussianMoment" and t.data == ("remove",) and (n := _whole_order(t.parts[0])):
                    return self._binomial_moment(n, *map(self.term, t.parts[1:]))
                return self.term(terms.substitute(entry.right, values))
        raise NotRead(f"{t.tag} has no definition in the checker's language")

    def _binomial_moment(self, n: int, sigma: kernel.Term, q: kernel.Term) -> kernel.Term:
        """1 + Σ_{j=2}^n C(n, j) q^j (1 − q)^{n−j} (e^{j(j−1)/(2σ²)} − 1): the moment of a whole order.

        The binomial theorem gives Σ C(n, j) q^j (1 − q)^{n−j} e^{j(j−1)/(2σ²)} for the integral (Mironov, Talwar & Zhang 2019, §3.3).
        """
        total = ONE
        for j in range(2, n + 1):
            weight = times(times(number(comb(n, j)), power(q, j)), power(minus(ONE, q), n - j))
            total = plus(total, times(weight, minus(node("exp", over(number(j * (j - 1) // 2), power(sigma, 2))), ONE)))
        return total

    def _divergence(self, t: Term) -> kernel.Term:
        """An integral over an interval, a sum over integers, or a sum over the entries of two tables."""
        if t.hint is None:
            *orders, p, q = t.parts
            numbers = [self.term(order) for order in orders]
            parts = [(a, self._density(t.tag, numbers, a, b)) for a, b in zip(p.parts, q.parts, strict=True)]
            total = reduce(plus, [part for a, part in parts if a != 0] or [ZERO])
        else:
            low, high, *orders = t.parts[: t.inner]
            numbers = [self.term(order) for order in orders]
            with self.opened(t) as (x, (p, q)):
                summand = self._density(t.tag, numbers, p, q)
                whole = None if x.sort == "Z" else self._over_part(x, summand)
            total = kernel.binder("sum", x, self.term(low), self.term(high), summand) if whole is None else whole
        self._want(*(o for order in numbers for o in obligations(order)))
        if t.tag in ("RenyiMoment", "RenyiDivergence"):
            self._want(below(ONE, numbers[0]))
        return over(node("log", total), minus(numbers[0], ONE)) if t.tag == "RenyiDivergence" else total

    def _density(self, tag: str, numbers: list[kernel.Term], first: Term, second: Term) -> kernel.Term:
        """What is integrated, or added up, of two masses or densities, which must not be negative; q has a value where p is 0, too."""
        p, q = self.term(first), self.term(second)
        self._want(at_most(ZERO, p), at_most(ZERO, q), *obligations(q))
        found = _summand(tag, numbers, p, q)
        return node("ite", at_most(p, ZERO), ZERO, found) if self.absent and tag in DIVIDING else found


def _summand(tag: str, numbers: list[kernel.Term], p: kernel.Term, q: kernel.Term) -> kernel.Term:
    """What is integrated, or added up."""
    if tag == "KLDivergence":
        return times(p, minus(node("log", p), node("log", q)))
    order = numbers[0]
    if tag == "HockeyStick":
        return node("max", minus(p, times(node("exp", order), q)), ZERO)
    if tag == "LossTail":
        return node("ite", below(times(node("exp", order), q), p), p, ZERO)
    alpha = kernel.value(order)
    if alpha is not None and alpha.denominator == 1 and abs(alpha) < 999:
        return times(power(p, int(alpha)), power(q, 1 - int(alpha)))
    return times(node("pow", p, order), node("pow", q, minus(ONE, order)))


def _whole_order(order: Term) -> int | None:
    """A whole number from 2 on as the order of a moment that is written out."""
    alpha = order.data[0] if order.tag == "number" else None
    return int(alpha) if alpha is not None and alpha.denominator == 1 and 2 <= alpha <= _MOST_ORDERS else None


def _matched(pattern: Term, t: Term) -> dict[Any, Term] | None:
    """What the variables of a pattern stand for."""
    if pattern.data != t.data or len(pattern.parts) != len(t.parts):
        return None
    values: dict[Any, Term] = {}
    for part, given in zip(pattern.parts, t.parts, strict=True):
        if part.tag == "variable":
            values[part] = given
        elif part != given:
            return None
    return values


def _is_plain(relation: kernel.Term) -> bool:
    """Whether an order of two numbers holds at sight."""
    sides = [kernel.value(side) for side in relation.parts]
    if relation.tag not in ("<", "<=") or None in sides:
        return False
    low, high = sides
    return bool(low < high or (low == high and relation.tag == "<="))  # type: ignore[operator]


DIVIDING = ("KLDivergence", "RenyiMoment", "RenyiDivergence")
"""Divergences whose summand divides by a mass of q, or takes its logarithm."""
_EXTREMA = ("Supremum", "Infimum")
_MINUS_INFINITY = terms.node("neg", terms.node("oo"))
_ORDERS: dict[str, Callable[..., kernel.Term]] = {
    "<=": at_most,
    "<": below,
    ">=": lambda a, b: at_most(b, a),
    ">": lambda a, b: below(b, a),
    "=": equal,
    "!=": unequal,
}
_JUNCTIONS = {"And": "and", "Or": "or", "Not": "not", "Implies": "->"}


def _called(tag: str) -> Callable[[TypedReading, Term], kernel.Term]:
    return lambda read, t: node(tag, *map(read.term, t.parts))


def _chain(tag: str) -> Callable[[TypedReading, Term], kernel.Term]:
    return lambda read, t: reduce(lambda a, b: node(tag, a, b), map(read.term, t.parts))


_TERMS: dict[str, Callable[[TypedReading, Term], kernel.Term]] = {
    "number": lambda read, t: number(t.data[0]),
    "variable": TypedReading.variable,
    "apply": TypedReading._apply,
    "E": lambda read, t: node("exp", ONE),
    "pi": lambda read, t: node("pi"),
    "+": TypedReading._sum,
    "*": TypedReading._product,
    "neg": lambda read, t: negative(read.term(t.parts[0])),
    "inv": TypedReading._inverse,
    "**": TypedReading._power,
    "sqrt": lambda read, t: node("pow", read.term(t.parts[0]), _HALF),
    "exp": _called("exp"),
    "log": _called("log"),
    "Abs": _called("abs"),
    "binomial": _called("binom"),
    "Max": _chain("max"),
    "Min": _chain("min"),
    "NormalCDF": _called("Phi"),
    **dict.fromkeys(("NormalQuantile", "floor", "ceiling"), TypedReading._named),
    "factorial": TypedReading._factorial,
    "gamma": TypedReading._gamma,
    **dict.fromkeys(("erf", "erfc"), TypedReading._error_function),
    **dict.fromkeys(("sinh", "cosh", "tanh"), TypedReading._hyperbolic),
    "Piecewise": TypedReading._cases,
    "Sum": TypedReading._total,
    "Integral": TypedReading._integral,
    **dict.fromkeys(_EXTREMA, TypedReading._extremum),
}
"""The term of each kind of expression."""


def _endless(t: Term) -> tuple[tuple[Term, ...], Term] | None:
    """The factors and the sum of c·Σ_{i≥l}; None of anything else."""
    parts = t.parts if t.tag == "*" else (t,)
    found = [part for part in parts if part.tag == "Sum" and part.parts[1].tag == "oo"]
    return (tuple(part for part in parts if part is not found[0]), found[0]) if len(found) == 1 else None


@dataclass(frozen=True)
class ReadStatement:
    """A statement as formulas, and what must follow from its premises so that they say what it says.

    Attributes:
        given: premises, declarations of variables included.
        claim: what is claimed.
        clear: the premises that say what they say whatever the others are.
        unclear: the premises in which something may be infinite, which no term of the checker is, and where that is not so, if it is known.
        asked: what must follow from the clear premises, or the others do not say what they say.
        wanted: what the quantities of the claim ask for.
    """

    given: list[kernel.Term]
    claim: kernel.Term
    clear: list[kernel.Term]
    unclear: dict[kernel.Term, list[kernel.Term] | None]
    asked: list[kernel.Term]
    wanted: list[kernel.Term]


def reading(read: TypedReading, then: Term, given: Iterable[Term]) -> ReadStatement:
    """What is given, declarations of variables included, and what is claimed."""
    claim = read.conclusion(then)
    wanted, premises, left = list(read.wanted), list[kernel.Term](), set[kernel.Term]()
    unclear: dict[kernel.Term, list[kernel.Term] | None] = {}
    for part in (part for premise in given for part in conjuncts(premise)):
        before = len(read.asked)
        premises.append(read.formula(part))
        if len(read.asked) > before or ranges(premises[-1]):
            left.add(premises[-1])
        conditions = finite_where(part)
        if conditions != []:
            unclear[premises[-1]] = None if conditions is None else list(map(read.formula, conditions))
    premises += [*read.equations(), *axioms_of_gamma(read.gamma)]
    free = claim.free.union(*(premise.free for premise in premises))
    signs = [sign for x, v in read.variables.items() if v in free for sign in said_of(x.data[2], v)]
    signs += [sign for (named, arity), f in read.families.items() if f in free for sign in read.signs(named, arity)]
    whole = list(dict.fromkeys([*signs, *premises]))
    named = {read.gamma, *(x for x, _ in read.named.values())}
    clear = [g for g in whole if g not in left and g not in unclear and not named & g.free]
    asked = [*read.asked, *(o for g in whole for o in ranges(g))]
    return ReadStatement(whole, claim, clear, unclear, list(dict.fromkeys(asked)), list(dict.fromkeys(wanted)))
