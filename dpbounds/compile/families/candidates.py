"""Inequalities at one place whose sum is a claim about sums.

With the sums S_k = Σ t_k, slopes ν_k of the gap G and Σ u = 1, h = Σ ν_k t_k + (G − Σ ν_k S_k)·u has the sum G. What is left of G
may be spread over places in other ways: by parts, or as a sum of the claim is. Functions whose sum is 0 may be added: a difference of
two laws, or t − S·u. Nothing here is believed: a candidate that holds at every place is added up by the checker.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sympy
from sympy import Symbol

from dpbounds.compile.families.forms import Form
from dpbounds.compile.ratios import ends_of
from dpbounds.compile.trials import vanishes

_KINKS = (sympy.Abs, sympy.Max, sympy.Min)
_MOST = 3
"""Sums that are taken for parameters one after another."""


@dataclass(frozen=True)
class Places:
    """What candidates are made of.

    Attributes:
        totals: pairs (symbol, body) of the sums.
        units: pairs (u, c) with Σ u = c; the last one is the number of places.
        entries: the symbols that stand for entries at one place.
        relations: what premises say at one place.
    """

    totals: Sequence[tuple[Symbol, Any]]
    units: Sequence[tuple[Any, Any]]
    entries: frozenset[Symbol]
    relations: Sequence[Any]

    @property
    def _laws(self) -> list[Any]:
        return [u / c for u, c in self.units[:-1] if c != 0]

    @property
    def _shares(self) -> list[Any]:
        return [u / c for u, c in self.units if c != 0]

    def _slopes(self, gap: Any, fixed: Sequence[Symbol] = ()) -> tuple[dict[Symbol, Any], Any, Any] | None:
        """The slopes of the gap, Σ ν t and what is left, where some sums are parameters."""
        slopes = {s: sympy.diff(gap, s) for s, _ in self.totals if s not in fixed}
        if any(slope.has(sympy.Derivative) for slope in slopes.values()):
            return None
        return slopes, sympy.Add(*(slopes[s] * body for s, body in self.totals if s in slopes)), rest_of(gap, slopes)

    def plain(self, form: Form) -> Iterator[Any]:
        """With what is left as one law, or the mean of two."""
        found = self._slopes(form.large - form.small)
        yield from () if found is None else self._starts(found[1], found[2])

    def _starts(self, base: Any, rest: Any) -> Iterator[Any]:
        shares = self._shares + [(a + b) / 2 for a, b in itertools.combinations(self._laws, 2)]
        yield from dict.fromkeys([*([base] if rest == 0 else []), *(base + rest * share for share in shares)])

    def adjusted(self, form: Form) -> Iterator[Any]:
        """The same with multiples of the difference of two laws, and of what has the sum 0 by a premise."""
        found = self._slopes(form.large - form.small)
        if found is None:
            return
        _, base, rest = found
        starts = list(self._starts(base, rest))
        pairs = [(a, b) for a, b in itertools.combinations(self._shares, 2) if (a.free_symbols | b.free_symbols) & base.free_symbols]
        for h in starts:
            for a, b in pairs:
                for c in self._multipliers(h, a, b):
                    yield h + c * (a - b)
        for a, b in itertools.permutations(self._laws, 2):
            yield base + rest * (a + 2 * b) / 3 - (a - b)
        for h in starts:
            for u in (u for u, c in self.units if c == 0):
                entry = next(iter(u.free_symbols & self.entries), None)
                if entry is not None:
                    yield from (h + c * u for c in _at_zero(h, u, entry))
                for bounded in sorted(u.free_symbols & self.entries, key=str):
                    yield from (h + c * u for c in self._sound(self._level_at_ends(h, u, bounded)))

    def _multipliers(self, h: Any, a: Any, b: Any) -> Iterator[Any]:
        """Multiples of a − b for which h touches 0 where a = b or a premise at one place is an equation, or is the same where two are."""
        p = next(iter(a.free_symbols & self.entries), None)
        if p is None:
            return
        found: dict[Any, None] = {}
        h = h.xreplace({piece: piece.args[-1].expr for piece in h.atoms(sympy.Piecewise)})
        place = sympy.solve(a - b, p)
        if len(place) == 1:
            smooth = h.xreplace(dict.fromkeys(h.atoms(*_KINKS), sympy.S.Zero))
            slope = sympy.diff(smooth, p).subs(p, place[0])
            there = tidy(-slope / sympy.diff(a - b, p))
            found |= dict.fromkeys([self._at_means(there), there.subs(dict.fromkeys(there.free_symbols & self.entries, 0))])
        ends = [end for relation in self.relations for end in sympy.solve(relation.lhs - relation.rhs, p)]
        for end in ends:
            found[tidy(-h.subs(p, end) / (a - b).subs(p, end))] = None
        for low, high in itertools.combinations(dict.fromkeys(ends), 2):
            width = (a - b).subs(p, high) - (a - b).subs(p, low)
            found[tidy(-(h.subs(p, high) - h.subs(p, low)) / width)] = None
        found |= dict.fromkeys([sympy.S.NegativeOne, sympy.S.One, sympy.Rational(1, 2), -sympy.Rational(1, 2)])
        yield from self._sound(found)

    def _at_means(self, e: Any) -> Any:
        """What is left of an expression where each entry x is its mean Σ u·x under a law u."""
        for s, body in self.totals:
            for u in self._laws:
                x = sympy.cancel(body / u)
                if x in self.entries and x in e.free_symbols:
                    e = e.xreplace({x: s})
        return e

    def _sound(self, factors: Iterable[Any]) -> Iterator[Any]:
        for c in dict.fromkeys(factors):
            if c != 0 and not c.has(sympy.nan, sympy.zoo, sympy.oo) and not c.free_symbols & self.entries:
                yield c

    def halved(self, form: Form) -> Iterator[Any]:
        """Candidates in which a sum of kinks S stands once for S and once for a bound of its terms, as in S² ≥ Σ s·S."""
        gap = form.large - form.small
        slopes = {s: sympy.diff(gap, s) / (2 if body.has(sympy.Abs, sympy.Max) else 1) for s, body in self.totals}
        base, rest = sympy.Add(*(slopes[s] * body for s, body in self.totals)), rest_of(gap, slopes)
        pieces = [sympy.S.Zero, sympy.S.One, *sympy.Add.make_args(sympy.expand(rest))]
        for share in self._laws if rest != 0 else [sympy.S.Zero]:
            for a, b in itertools.permutations(self._laws, 2):
                for piece in pieces:
                    for sign in (1, -1) if piece != 0 else (1,):
                        yield base + rest * share + sign * piece * (a - b)

    def spread(self, form: Form, *, moved: bool) -> Iterator[Any]:
        """With what is left spread by its parts, or as a sum of the claim is; moved: with functions whose sum is 0 besides."""
        gap = form.large - form.small
        products = [s for s, _ in self.totals if any(t != s and sympy.diff(gap, s).has(t) for t, _ in self.totals)]
        for fixed in ((), *((s,) for s in products[:_MOST])):
            found = self._slopes(gap, fixed)
            if found is None:
                continue
            slopes, base, rest = found
            for h in [*self._starts(base, rest), *self._by_parts(base, rest), *self._like_totals(slopes, base, rest)]:
                if moved:
                    yield from self._moved(h, gap)
                else:
                    yield h

    def _by_parts(self, base: Any, rest: Any) -> Iterator[Any]:
        """Parts with the number of places as a factor are the same everywhere, the other ones as a law is."""
        length, n = self.units[-1][1], len(self._laws)
        parts = sympy.Add.make_args(sympy.expand(rest))
        for law in self._laws if len(parts) > 1 else ():
            yield base + sympy.Add(*(part / length if part.has(length) else part * law for part in parts))
        for law in self._laws[: n if rest != 0 else 0]:
            yield base + rest * (law + 1 / length) / 2

    def _like_totals(self, slopes: Mapping[Symbol, Any], base: Any, rest: Any) -> Iterator[Any]:
        for s, body in self.totals:
            if rest != 0 and s.is_nonnegative and rest.has(s) and body not in [u for u, _ in self.units]:
                share = sympy.powsimp(sympy.expand(rest / s))
                yield base + share * body
                own = slopes.get(s, sympy.S.Zero)
                if own != 0:
                    yield base - own * body + sympy.cancel(own + share) * body

    def _moved(self, h: Any, gap: Any) -> Iterator[Any]:
        """The candidate with a multiple of t − S·u, or of a difference of two laws, that touches it or makes its ends equal."""
        for s, body in self.totals:
            if body.has(*_KINKS, sympy.Piecewise) or body in [u for u, _ in self.units] or not gap.has(s):
                continue
            for share in self._shares:
                zero = body - s * share
                yield from (h + c * zero for c in self._sound(self._touching(h, zero, body / share - s)))
        for a, b in itertools.combinations(self._laws, 2):
            yield from (h + c * (a - b) for c in self._sound(self._at_kinks(h, a)))

    def _level_at_ends(self, h: Any, zero: Any, entry: Symbol) -> Iterator[Any]:
        """Multiples of a function with the sum 0 for which the values at two ends of an entry are the same."""
        lows, highs = ends_of([(r, 0) for r in self.relations], entry)
        for a, b in itertools.product(lows, highs):
            width = sympy.cancel(zero.subs(entry, b) - zero.subs(entry, a))
            if a != b and width != 0:
                yield sympy.factor(-(h.subs(entry, b) - h.subs(entry, a)) / width)

    def _touching(self, h: Any, zero: Any, level: Any) -> Iterator[Any]:
        """Multiples of a function with the sum 0: the slope vanishes where it is 0, or the values at two ends are the same."""
        for entry in sorted(zero.free_symbols & self.entries, key=str):
            yield from self._level_at_ends(h, zero, entry)
            if not level.free_symbols & (self.entries - {entry}) and not h.has(*_KINKS):
                try:
                    places = sympy.solve(level, entry)
                except RuntimeError:  # sympy knows no way to solve it
                    continue
                for place in (place for place in places[:1] if not place.has(sympy.LambertW)):
                    yield tidy((-sympy.diff(h, entry) / sympy.diff(zero, entry)).subs(entry, place))

    def _at_kinks(self, h: Any, a: Any) -> Iterator[Any]:
        """The factors of |p − q|, and the slopes beside it where another entry is at an end."""
        kinks = [k for k in h.atoms(sympy.Abs) if k.free_symbols & a.free_symbols & self.entries]
        plain = sympy.expand(h)
        for kink in kinks:
            factor = plain.coeff(kink)
            yield from (factor, -factor)
            p = next(iter(a.free_symbols & self.entries))
            slope = sympy.diff(plain - factor * kink, p)
            for other in sorted(slope.free_symbols & self.entries, key=str):
                lows, highs = ends_of([(r, 0) for r in self.relations], other)
                for end in (*lows, *highs):
                    yield from (sympy.expand(-slope.subs(other, end) + sign * factor) for sign in (1, -1))


def _at_zero(h: Any, u: Any, entry: Symbol) -> Iterator[Any]:
    for point in (sympy.S.Zero, sympy.S.One):
        with_slope = sympy.diff(u, entry).subs(entry, point)
        if with_slope not in (0, sympy.nan, sympy.zoo):
            yield tidy(-sympy.diff(h, entry).subs(entry, point) / with_slope)


def rest_of(gap: Any, slopes: Mapping[Symbol, Any]) -> Any:
    """G − Σ ν_k S_k."""
    rest = sympy.powsimp(sympy.expand(gap - sympy.Add(*(slope * s for s, slope in slopes.items()))))
    return sympy.S.Zero if vanishes(rest) else rest


def tidy(e: Any) -> Any:
    """The expression with its logarithms apart and common factors cancelled."""
    return sympy.factor(sympy.expand_log(sympy.powsimp(sympy.factor(e)), force=True))
