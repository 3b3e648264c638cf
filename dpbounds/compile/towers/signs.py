"""SignWriter of polynomials in the generators of a tower, as steps: sums of products of what is positive, squares, and numbers."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product as combinations
from math import comb
from typing import Any

from dpbounds.compile.constants import DIGITS, Constants
from dpbounds.compile.library import Library
from dpbounds.compile.steps import NotWritten, Steps, positive, product_of, sign_of, sum_of_terms
from dpbounds.compile.towers.places import WritingPlace
from dpbounds.descent import polynomials as poly
from dpbounds.descent.polynomials import Polynomial
from dpbounds.kernel.terms import ONE, ZERO, Refused, Term, at_most, below, minus, negative, node, number, plus, power, times, variable

Side = tuple[Fraction, int] | None
"""An end of a generator, and the step that says that the generator lies beyond it."""
_MOST_TERMS = 600
"""Terms of a sum whose sign is shown; what the search finds has some dozens."""
_TOGETHER, _MOST_AT_ONCE = 16, 60
"""Terms of a part of a long sum, and of the longest sum, whose sign is shown at once."""
_LONGER = 4
"""Times the work of an attempt, for such a part."""
_HIGHEST = 48
"""The highest power of 1 + z by which a polynomial in one generator is multiplied."""


class SignWriter:
    """SignWriter of polynomials over one place.

    Args:
        steps: the document.
        constants: brackets of numbers.
        place: the tower, its terms, what is known.
        library: lemmas.
    """

    def __init__(self, steps: Steps, constants: Constants, place: WritingPlace, library: Library) -> None:
        self.steps, self.constants, self.place, self.library = steps, constants, place, library
        self._sides: dict[tuple[int, int], tuple[Side, Side]] = {}
        self._shown: dict[tuple[frozenset[object], bool], tuple[int, int] | None] = {}
        self._open: set[tuple[frozenset[object], bool]] = set()

    def positive(self, p: Polynomial, *, strict: bool = True) -> tuple[int, int] | None:
        """(σ, step): σ is 1 or −1, and the step says 0 < σp, or 0 ≤ σp unless it must be strict; None where no sign is found."""
        mark = frozenset(p.items()), strict
        if mark not in self._shown:
            if mark in self._open:
                return None
            self._open.add(mark)
            try:
                self._shown[mark] = self._sign(p, strict)
            finally:
                self._open.discard(mark)
        return self._shown[mark]

    def wanted(self, p: Polynomial, sign: int, *, strict: bool = True) -> int | None:
        """A step for a polynomial whose sign must be this one."""
        found = self.positive(p, strict=strict)
        return found[1] if found is not None and found[0] == sign else None

    def _sign(self, p: Polynomial, strict: bool) -> tuple[int, int] | None:
        if not p:
            return None
        used = sorted(poly.used(p))
        if all(self._is_constant(i) for i in used):
            return self._of_number(p)
        for digits in DIGITS if any(self._is_constant(i) for i in used) else DIGITS[:1]:
            ranges = {i: self.sides(i, digits) for i in used}
            ways = (self._by_terms, self._by_square, self._by_powers)
            for way, sides in ((way, sides) for sides in self._choices(ranges) for way in ways):
                try:
                    found = way(p, sides, strict)
                except Refused:
                    continue
                if found is not None:
                    return found
        return self._by_facts(p, strict)

    def _choices(self, ranges: dict[int, tuple[Side, Side]]) -> list[dict[int, tuple[Side, Side]]]:
        """The ranges; also without the upper ends of numbers, or of functions, which make a long sum of a product of roots."""
        kinds = [g.kind for g in self.place.tower.generators]
        low, fixed = ({i: (s[0], None if s[0] is not None and unused(i) else s[1]) for i, s in ranges.items()}
                      for unused in (lambda i: kinds[i] != "variable", self._is_constant))  # fmt: skip
        return [*_with_widths(ranges), *(other for other in (fixed, low) if other != ranges)]

    def _by_facts(self, p: Polynomial, strict: bool) -> tuple[int, int] | None:
        """By what is known besides the ranges."""
        t = self.place.term(p)
        for sign, side in ((1, t), (-1, negative(t))):
            goal = sign_of(side, strict=strict)
            for by in ([], *([k] for k in self.place.facts)):
                found = self.steps.attempt("linear", *by, *self.place.known, formula=goal, multipliers=[ONE] * len(by))
                if found is not None:
                    return sign, found
        return None

    def _is_constant(self, index: int) -> bool:
        tower = self.place.tower
        return not any(tower.varies_with(index, i) for i, g in enumerate(tower.generators) if g.kind == "variable")

    def _of_number(self, p: Polynomial) -> tuple[int, int] | None:
        t = self.place.term(p)
        for digits in DIGITS:
            try:
                found = self.constants.bracket(t, digits)
            except NotWritten:
                return None
            if found.low > 0 or found.high < 0:
                sign = 1 if found.low > 0 else -1
                by = found.above_low if sign == 1 else found.below_high
                goal = positive(t if sign == 1 else negative(t))
                step = self.steps.sum_of(goal, [] if by is None else [by])
                return None if step is None else (sign, step)
        return None

    # --- ranges of generators

    def sides(self, index: int, digits: int) -> tuple[Side, Side]:
        """The ends between which a generator lies."""
        mark = index, digits if self._is_constant(index) else 0
        if mark not in self._sides:
            self._sides[mark] = None, None  # while it is being found
            self._sides[mark] = self._ends(index, digits)
        return self._sides[mark]

    def _ends(self, index: int, digits: int) -> tuple[Side, Side]:
        g, t = self.place.tower.generators[index], self.place.terms[index]
        if g.kind == "variable":
            v = self.place.variables[g.name]
            return (
                None if v.low is None or v.above_low is None else (v.low, v.above_low),
                None if v.high is None or v.below_high is None else (v.high, v.below_high),
            )
        if self._is_constant(index):
            try:
                found = self.constants.bracket(t, digits)
            except NotWritten:
                return None, None
            low = None if found.above_low is None else (found.low, found.above_low)
            high = None if found.below_high is None else (found.high, found.below_high)
            return low, high
        return self._ends_of_function(g.kind, g.inner, t)

    def _ends_of_function(self, kind: str, inner: poly.Quotient, t: Term) -> tuple[Side, Side]:
        """By the sign of the argument, or of the argument less 1."""
        steps, (n, d) = self.steps, inner
        zero = Fraction(0)
        low: Side = None
        high: Side = None
        if kind == "phi":
            return self._ends_of_normal(inner, t)
        if kind in ("exp", "root"):
            floor = steps.attempt("sign", *self.place.facts, formula=positive(t))
            low = None if floor is None else (zero, floor)
        p = n if kind == "exp" else poly.minus(n, d)
        below_ = self.positive(d)
        above = self.positive(p, strict=False) if below_ is not None else None
        if above is None or below_ is None:
            return low, high
        sign = above[0] * below_[0]
        tag = self.steps.formula(above[1]).tag
        a, base = t.parts[0], (ZERO if kind == "exp" else ONE)
        order = node(tag, base, a) if sign == 1 else node(tag, a, base)
        weight = [ONE if d == poly.ONE else power(self.place.term(poly.scaled(d, below_[0])), -1)]
        argument = steps.sum_of(order, [above[1]], [below_[1], *self.place.facts], weight)
        if argument is None:
            return low, high
        grown = self._grown(t, argument, a, sign)
        if grown is None:
            return low, high
        edge = Fraction(0) if kind == "log" else Fraction(1)
        goal = node(tag, number(edge), t) if sign == 1 else node(tag, t, number(edge))
        step = steps.sum_of(goal, [grown])
        if step is None:
            return low, high
        return ((edge, step), high) if sign == 1 else (low, (edge, step))

    def _ends_of_normal(self, inner: poly.Quotient, t: Term) -> tuple[Side, Side]:
        """0 < Φ(w) < 1, and on which side of 1/2 it lies."""
        steps, w, half = self.steps, t.parts[0], Fraction(1, 2)
        both = steps.write("normal_symmetry", term=w)
        floor = steps.write("sign", formula=positive(t))
        other = steps.write("sign", formula=positive(node("Phi", negative(w))))
        roof = steps.sum_of(below(t, ONE), [both, other], (), [ONE, ONE])
        low: Side = (Fraction(0), floor)
        high: Side = None if roof is None else (Fraction(1), roof)
        signs = [self.positive(p) for p in inner if p != poly.ONE]
        if None in signs or not signs:
            return low, high
        found = [s for s in signs if s is not None]
        sign = 1
        for s, _ in found:
            sign *= s
        argument = w if sign == 1 else negative(w)
        least = steps.attempt("sign", *(k for _, k in found), *self.place.facts, formula=positive(argument))
        if least is None:
            weight = [ONE if inner[1] == poly.ONE else power(self.place.term(inner[1]), -1)]
            least = steps.sum_of(positive(argument), [found[0][1]], [k for _, k in found[1:]], weight)
        if least is None:
            return low, high
        above = self.library.normal_above(argument, least)
        if sign == 1:
            return (half, above), high
        turned = steps.sum_of(below(t, number(half)), [both, above], (), [ONE, ONE])
        return low, high if turned is None else (half, turned)

    def _grown(self, t: Term, order: int, a: Term, sign: int) -> int | None:
        steps = self.steps
        if t.tag == "exp":
            return steps.attempt("exp_monotone", order)
        small = ONE if sign == 1 else a
        least = steps.attempt("sign", *self.place.facts, formula=positive(small))
        if least is None:
            return None
        if t.tag == "log":
            return steps.attempt("log_monotone", order, least)
        weak = steps.sum_of(at_most(ZERO, small), [least])
        exponent = steps.attempt("sign", formula=sign_of(t.parts[1], strict=steps.formula(order).tag == "<"))
        return None if weak is None or exponent is None else steps.attempt("power_monotone", weak, order, exponent)

    # --- three ways

    def _by_terms(self, p: Polynomial, ranges: dict[int, tuple[Side, Side]], strict: bool) -> tuple[int, int] | None:
        """p times the widths of the ranges, as a sum of products of the distances to their ends (Bernstein)."""
        found = _mapped(p, ranges)
        if found is None:
            return None
        terms, widths = found
        signs = {c > 0 for c in terms.values()}
        if len(signs) != 1 or len(terms) > _MOST_TERMS:
            return None
        sign = 1 if signs.pop() else -1
        indices = sorted(ranges)
        pieces = []
        for exponents, c in terms.items():
            factors = [(f, e) for i, es in zip(indices, exponents, strict=True) for f, e in self._factors(i, ranges[i], es)]
            pieces.append(times(number(abs(c)), product_of(factors)) if factors else number(abs(c)))
        facts = tuple(dict.fromkeys(s for i in indices for side in ranges[i] if side is not None for s in [side[1]]))
        scale = Fraction(1)
        for i, n in widths.items():
            low, high = ranges[i]
            assert low is not None and high is not None
            scale *= (high[0] - low[0]) ** n
        goal = self.place.term(p)
        goal = goal if sign == 1 else negative(goal)
        if len(pieces) <= _MOST_AT_ONCE:
            return self._concluded(sign, goal, sum_of_terms(pieces), facts, number(1 / scale), strict)
        return self._in_parts(sign, goal, list(terms.items()), ranges, number(1 / scale))

    def _in_parts(
        self, sign: int, goal: Term, terms: list[Any], ranges: dict[int, tuple[Side, Side]], weight: Term
    ) -> tuple[int, int] | None:
        """The sign of the goal from those of a few positive terms at a time: each sum in variables, and then multiplied out."""
        shown, distances = [], dict[Term, tuple[Term, int]]()
        for i, sides in ranges.items():
            for side, exponents in zip(sides, ((1, 0), (0, 1)), strict=True):
                if side is not None:
                    ((t, _),) = self._factors(i, sides, exponents)
                    least = self.steps.sum_of(positive(t), [side[1]])
                    if least is None:
                        return None
                    distances[t] = variable(f"d{len(distances)}_", "R"), least
        for k in range(0, len(terms), _TOGETHER):
            part = terms[k : k + _TOGETHER]
            total = poly.sum_of((poly.scaled(self._expanded(ranges, mark), abs(c)), poly.ONE) for mark, c in part)[0]
            pieces = []
            for mark, c in part:
                own = [(t, e) for i, es in zip(sorted(ranges), mark, strict=True) for t, e in self._factors(i, ranges[i], es)]
                pieces.append(times(number(abs(c)), product_of([(distances[t][0], e) for t, e in own])) if own else number(abs(c)))
            whole = sum_of_terms(pieces)
            used = {t: (v, least) for t, (v, least) in distances.items() if v in whole.free}
            lemma = self.steps.attempt("sign", *(self.steps.assume(positive(v)) for v, _ in used.values()), formula=positive(whole))
            if lemma is None:
                return None
            row = self.library.instance(lemma, {v: t for t, (v, _) in used.items()}, *(least for _, least in used.values()))
            with self.steps.longer(_LONGER):
                step = self.steps.sum_of(positive(self.place.term(total)), [row])
            if step is None:
                return None
            shown.append(step)
        found = self.steps.sum_of(positive(goal), shown, self.place.facts, [weight] * len(shown))
        return None if found is None else (sign, found)

    def _expanded(self, ranges: dict[int, tuple[Side, Side]], mark: tuple[tuple[int, int], ...]) -> Polynomial:
        """A product of distances to ends, multiplied out."""
        rows = []
        for (i, (low, high)), (a, b) in zip(sorted(ranges.items()), mark, strict=True):
            g = poly.generator(i)
            rows += [(poly.minus(g, poly.constant(low[0] if low else 0)), a)] if a else []
            rows += [(poly.minus(poly.constant(high[0]), g), b)] if b and high else []
        return poly.product(rows)

    def _concluded(self, sign: int, goal: Term, total: Term, facts: Sequence[int], weight: Term, strict: bool) -> tuple[int, int] | None:
        """The sign of the goal from that of a sum of positive terms, to which it is proportional."""
        for sure in (True, False) if not strict else (True,):
            shown = self.steps.attempt("sign", *facts, formula=sign_of(total, strict=sure))
            if shown is None:
                continue
            step = self.steps.sum_of(sign_of(goal, strict=sure), [shown], [*facts, *self.place.facts], [weight])
            if step is not None:
                return sign, step
        return None

    def _factors(self, index: int, sides: tuple[Side, Side], exponents: tuple[int, int]) -> list[tuple[Term, int]]:
        """Distances to the ends with their exponents."""
        t, (low, high), (a, b) = self.place.terms[index], sides, exponents
        found = []
        if a:
            found.append((t if low is None or low[0] == 0 else minus(t, number(low[0])), a))
        if b:
            assert high is not None
            found.append((negative(t) if high[0] == 0 else minus(number(high[0]), t), b))
        return found

    def _by_square(self, p: Polynomial, ranges: dict[int, tuple[Side, Side]], strict: bool) -> tuple[int, int] | None:
        """Az² + Bz + C = A(z + B/2A)² + (4AC − B²)/4A."""
        for i in sorted(ranges):
            parts = poly.coefficients_by(p, i)
            if not {1, 2} <= set(parts) <= {0, 1, 2} or len(p) > 12:
                continue
            a = self.positive(parts[2])
            if a is None:
                continue
            rest = poly.minus(poly.scaled(poly.times(parts[2], parts.get(0, {})), 4), poly.times(parts[1], parts[1]))
            above = self.positive(rest, strict=strict) if rest else None
            if rest and (above is None or above[0] != 1) or strict and not rest:
                continue
            sign, term = a[0], self.place.term
            lead = term(poly.scaled(parts[2], sign))
            inner = plus(times(number(2), times(term(parts[2]), self.place.terms[i])), term(parts[1]))
            square = self.steps.write.square(inner)
            quarter = times(number(Fraction(1, 4)), power(lead, -1))
            by = [square] if above is None else [square, above[1]]
            whole = term(poly.scaled(p, sign))
            sure = above is not None and self.steps.formula(above[1]).tag == "<"
            step = self.steps.sum_of(sign_of(whole, strict=sure), by, [a[1], *self.place.facts], [quarter] * len(by))
            if step is None:
                continue
            goal = sign_of(term(p) if sign == 1 else negative(term(p)), strict=sure)
            return sign, self.steps.weaker(goal, step)
        return None

    def _by_powers(self, p: Polynomial, ranges: dict[int, tuple[Side, Side]], strict: bool) -> tuple[int, int] | None:
        """A polynomial in one generator with no root in its range: (1 + z)^n p has coefficients of one sign (Pólya)."""
        if len(ranges) != 1:
            return None
        ((i, sides),) = ranges.items()
        low, high = sides
        found = _mapped(p, ranges)
        if found is None or low is None and high is None:
            return None
        terms, widths = found
        both = low is not None and high is not None
        degree = widths[i] if both else max(e[0][0] if low is not None else e[0][1] for e in terms)
        dense = [Fraction(0)] * (1 + degree)
        for e, c in terms.items():
            dense[e[0][0] if low is not None else e[0][1]] = c
        n = 0
        while {c > 0 for c in dense if c} != {True} and {c > 0 for c in dense if c} != {False}:
            n += 1
            if n > _HIGHEST:
                return None
            dense = [a + b for a, b in zip([*dense, Fraction(0)], [Fraction(0), *dense], strict=True)]
        sign = 1 if next(c for c in dense if c) > 0 else -1
        top = len(dense) - 1
        pieces = []
        for k, c in enumerate(dense):
            if c:
                exponents = (k, top - k) if both else (k, 0) if low is not None else (0, k)
                factors = self._factors(i, sides, exponents)
                pieces.append(times(number(abs(c)), product_of(factors)) if factors else number(abs(c)))
        facts = [side[1] for side in sides if side is not None]
        if both:
            assert low is not None and high is not None
            width = high[0] - low[0]
            # with z = (g − l)/(h − g), 1 + z = (h − l)/(h − g): the degrees add up to that of the sum
            weight: Term = number(1 / width ** (widths.get(i, 0) + n))
        else:
            distance = self._factors(i, sides, (1, 0) if low is not None else (0, 1))[0][0]
            weight = power(plus(ONE, distance), -n) if n else ONE
        goal = self.place.term(p)
        goal = goal if sign == 1 else negative(goal)
        return self._concluded(sign, goal, sum_of_terms(pieces), facts, weight, strict)


def _with_widths(ranges: dict[int, tuple[Side, Side]]) -> list[dict[int, tuple[Side, Side]]]:
    """The ranges; those of a single number with one of their ends, as there is nothing between two."""
    points = {i for i, (low, high) in ranges.items() if low is not None and high is not None and low[0] == high[0]}
    if not points:
        return [ranges]
    lows = {i: (low, None if i in points else high) for i, (low, high) in ranges.items()}
    return [lows, {i: (None if i in points else low, high) for i, (low, high) in ranges.items()}]


def _mapped(
    p: Polynomial, ranges: dict[int, tuple[Side, Side]]
) -> tuple[dict[tuple[tuple[int, int], ...], Fraction], dict[int, int]] | None:
    """p in the distances u = g − low and v = high − g of its generators: coefficients by exponents (of u, of v), and the degrees n.

    With two ends, p·(high − low)^n is a sum of u^k·v^(n − k). None where a generator without ends has an odd power.
    """
    indices = sorted(ranges)
    widths: dict[int, int] = {}
    rows: list[tuple[tuple[int, ...], Fraction]] = [(tuple(m[i] if i < len(m) else 0 for i in indices), Fraction(c)) for m, c in p.items()]
    if any(ranges[i] == (None, None) and any(e[k] % 2 for e, _ in rows) for k, i in enumerate(indices)):
        return None
    size = 1
    tables: list[dict[int, dict[tuple[int, int], Fraction]]] = []
    for k, i in enumerate(indices):
        top = max(e[k] for e, _ in rows)
        size *= 1 + top if ranges[i] != (None, None) else 1
        low, high = ranges[i]
        table: dict[int, dict[tuple[int, int], Fraction]] = {}
        for e in {row[k] for row, _ in rows}:
            if low is not None and high is not None:
                widths[i] = top
                table[e] = _bernstein(e, top, low[0], high[0])
            elif low is not None:
                table[e] = {(j, 0): Fraction(comb(e, j)) * low[0] ** (e - j) for j in range(e + 1) if low[0] or j == e}
            elif high is not None:
                table[e] = {(0, j): Fraction((-1) ** j * comb(e, j)) * high[0] ** (e - j) for j in range(e + 1) if high[0] or j == e}
            else:
                table[e] = {(e, 0): Fraction(1)}
        tables.append(table)
    if size > 6000:
        return None
    sums: dict[tuple[tuple[int, int], ...], Fraction] = {}
    for powers, c in rows:
        for chosen in combinations(*(tables[k][powers[k]].items() for k in range(len(indices)))):
            value = c
            for _, factor in chosen:
                value *= factor
            mark = tuple(key for key, _ in chosen)
            sums[mark] = sums.get(mark, Fraction(0)) + value
    return {m: c for m, c in sums.items() if c}, widths


def _bernstein(e: int, top: int, low: Fraction, high: Fraction) -> dict[tuple[int, int], Fraction]:
    """g^e·(high − low)^top in u^k·v^(top − k): g = (high·u + low·v)/(high − low), and u + v = high − low."""
    row = [Fraction(1)]
    for factor in [(high, low)] * e + [(Fraction(1), Fraction(1))] * (top - e):
        up, down = factor
        row = [a * down + b * up for a, b in zip([*row, Fraction(0)], [Fraction(0), *row], strict=True)]
    return {(k, top - k): c for k, c in enumerate(row) if c}
