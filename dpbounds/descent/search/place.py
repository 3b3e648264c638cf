"""Untrusted: a tower in which goals are proved: products, factors with known signs, limits, and the ways that are tried for the rest."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from dpbounds.descent import polynomials as poly
from dpbounds.descent.images import substitution
from dpbounds.descent.limits import lower_limit
from dpbounds.descent.polynomials import ONE, Polynomial
from dpbounds.descent.refusal import DescentRefused
from dpbounds.descent.search import by_cutting, by_parts, by_premises, by_rewriting, by_slopes
from dpbounds.descent.search.building import Canonical, Document, NoForm, factored, ratio_through
from dpbounds.descent.tower import Tower

if TYPE_CHECKING:
    from dpbounds.descent.search.deepening import DescentSearch

Way = Callable[["TowerPlace", Polynomial, int, bool], Document | None]
_ORDERS = (1, 2, 3, 5)
_LONG = 6
"""Terms from which on the samples are cheaper than the sign test."""


class TowerPlace:
    """A canonical tower in which goals are proved."""

    def __init__(self, search: DescentSearch, canonical: Canonical, strict: bool) -> None:
        self.search, self.canonical, self.tower = search, canonical, canonical.tower
        self.premises: list[Polynomial] = []
        self.below: list[Polynomial] = []
        self.name = repr(self.tower.generators)

    def defined(self, depth: int) -> bool:
        """Prove what the sign test leaves open of the arguments of logarithms and roots."""
        for i, g in enumerate(self.tower.generators):
            if g.kind in ("log", "root", "factorial") and self.tower._sign_of(*g.inner) != 1:
                proof = TowerPlace(self.search, self.canonical.before(i), True).product(*g.inner, depth - 1, strict=True)
                if proof is None:
                    return False
                self.canonical.proofs[i] = proof
        return True

    def divisor(self, n: Polynomial, d: Polynomial, depth: int) -> Document | None:
        """n/d ≠ 0: it is positive or negative everywhere."""
        n, d = self.tower.reduced(n), self.tower.reduced(d)
        return self.product(n, d, depth, strict=True) or self.product(poly.scaled(n, -1), d, depth, strict=True)

    def product(self, n: Polynomial, d: Polynomial, depth: int, *, strict: bool) -> Document | None:
        """n/d ≥ 0: the factors, each with a sign by the test or a proof of its own."""
        if not n:
            return None if strict else {}
        rows, sign, open_factors = self.rows(n, d, strict)
        if rows is None:
            return None
        open_factors = self._joined(rows, open_factors)
        for row, f, _ in open_factors:
            seen = self.seen(f)
            if len(seen) != 1:
                if seen or not self.premises:
                    return None
                seen = {sign}
            s = seen.pop()
            if row[1] % 2:
                sign *= s
            row[0] = poly.ordered(poly.scaled(f, s))
            row[2] = s
        if sign < 0 and not self._contradicted(rows, depth, strict=strict):
            return self._whole(n, d, depth, strict=strict)
        for row, f, under in open_factors:
            row[2] = self.descend(poly.scaled(f, row[2]), depth, strict=strict or under)
            if row[2] is None:
                return None
        return rows

    def _whole(self, n: Polynomial, d: Polynomial, depth: int, *, strict: bool) -> Document | None:
        """The numerator as it is, by the premises."""
        below = self.tower.sign(d) if self.premises else None
        if not below:
            return None
        above = poly.scaled(n, below)
        proof = by_premises.given(self, above, depth, strict=strict)
        return None if proof is None else {"num": [[poly.ordered(above), 1, proof]], "den": [[poly.ordered(d), 1, None]]}

    def _contradicted(self, rows: Document, depth: int, *, strict: bool) -> bool:
        """A factor that is negative on the box, though a premise says otherwise: there is no point here, and the premise shows it."""
        for row in rows["num"] if self.premises else ():
            f = row[0]
            if row[1] % 2 == 0 or row[2] is not None or not (sign := self._signs(f)[0]):
                continue
            below = poly.scaled(f, -sign)
            proof = by_premises.given(self, below, depth, strict=strict)
            if proof is not None:
                row[0], row[2] = poly.ordered(below), proof
                return True
        return False

    def rows(self, n: Polynomial, d: Polynomial, strict: bool) -> tuple[Document | None, int, list[Any]]:
        """Factor rows, the sign of what has one, and the factors without."""
        sign = 1
        rows: Document = {"num": [], "den": []}
        open_factors: list[Any] = []
        for key, p in (("num", n), ("den", d)):
            c, factors = factored(p)
            sign *= 1 if c > 0 else -1
            for f, k in factors:
                row: list[Any] = [poly.ordered(f), k, None]
                rows[key].append(row)
                under = key == "den"
                s, surely = self._signs(f)
                if under and s == 1 and surely and len(f) > 1 and f not in self.below:
                    self.below.append(f)
                if s and (surely or not (strict or under)):
                    sign *= s**k
                elif k % 2 == 0 and not strict and not under:
                    continue
                else:
                    open_factors.append((row, f, under))
        return rows, sign, open_factors

    def _joined(self, rows: Document, open_factors: list[Any]) -> list[Any]:
        """Factors that change sign together, such as p − q and log p − log q, are one factor."""
        if len(open_factors) < 2 or self.premises:
            return open_factors
        mixed = [entry for entry in open_factors if not entry[2] and entry[0][1] % 2 and len(self.canonical.samples.seen(entry[1])) == 2]
        if len(mixed) < 2:
            return open_factors
        product = poly.product((f, row[1]) for row, f, _ in mixed)
        joined: list[Any] = [poly.ordered(product), 1, None]
        rows["num"] = [row for row in rows["num"] if all(row is not entry[0] for entry in mixed)] + [joined]
        return [entry for entry in open_factors if all(entry is not other for other in mixed)] + [(joined, product, False)]

    def seen(self, f: Polynomial) -> set[int]:
        """The signs that a polynomial takes at the samples where the premises hold."""
        return self.canonical.samples.seen(f, self.premises)

    def _signs(self, f: Polynomial) -> tuple[int | None, bool]:
        """The sign test; a polynomial that takes both signs at the samples is spared it."""
        if len(f) > _LONG and len(self.canonical.samples.seen(f)) == 2:
            return None, False
        return self.tower.signs(f)

    def descend(self, f: Polynomial, depth: int, *, strict: bool) -> Document | None:
        """A step that shows f ≥ 0 (f > 0) for a polynomial without a known sign."""
        search = self.search
        search.look()
        search.steps += 1
        if self.premises:
            found = by_premises.given(self, f, depth, strict=strict)
            if found is not None:
                return found
        if depth <= 0 or -1 in self.seen(f):
            if depth != 0 or self.premises or -1 in self.seen(f):
                return None
            return self._attempt(by_rewriting.conjugate, f, 0, strict)
        key = self.name, frozenset(f.items()), strict, tuple(frozenset(premise.items()) for premise in self.premises)
        known = search.memory.get(key)
        if isinstance(known, dict):
            return known
        if known is not None and known >= depth:
            return None
        found = self._descend(f, depth, strict)
        search.memory[key] = depth if found is None else found
        return found

    def _descend(self, f: Polynomial, depth: int, strict: bool) -> Document | None:
        for way in (
            by_parts.dropped,
            by_rewriting.tangent,
            by_rewriting.tangent_of_powers,
            by_rewriting.conjugate,
            by_parts.completed,
            by_parts.mirrored,
            by_parts.parted,
        ):
            if (found := self._attempt(way, f, depth, strict)) is not None:
                return found
        # What follows speaks of slopes and ends, where the premises may fail.
        premises, self.premises = self.premises, []
        try:
            if premises and -1 in self.seen(f):
                return None
            ways = [by_slopes.moved, by_cutting.split, by_cutting.ordered, by_rewriting.logarithm, by_slopes.chained]
            if self.search.glue:
                first = not self.search.cuts and depth == self.search.depth
                ways = [*([] if first else [by_slopes.moved]), by_cutting.glued]
            if by_rewriting.has_powers(self, f):
                ways.insert(0, by_rewriting.logarithm)
            for way in ways:
                if (found := self._attempt(way, f, depth, strict)) is not None:
                    return found
        finally:
            self.premises = premises
        return None

    def _attempt(self, way: Way, f: Polynomial, depth: int, strict: bool) -> Document | None:
        try:
            return way(self, f, depth, strict)
        except (NoForm, DescentRefused, ZeroDivisionError, OverflowError):
            return None

    def factor_or_descend(self, f: Polynomial, depth: int, strict: bool) -> Document | None:
        """A step for f, by its factors first."""
        rows = self.product(f, ONE, depth, strict=strict)
        return None if rows is None else {"step": "factors", **rows}

    def fill(self, open_factors: list[Any], depth: int, strict: bool) -> bool:
        """Proofs of the factors that are of one sign at the samples."""
        for row, _, _ in open_factors:
            if row[1] % 2 == 0 and not strict:
                row[2] = None
                continue
            proof = self.descend(row[2], depth - 1, strict=strict)
            if proof is None:
                return False
            row[2] = proof
        return True

    def limit(self, f: Polynomial, scale: Any, v: int, side: int, depth: int) -> Document | None:
        """The limes inferior of f/scale at an end is ≥ 0."""
        tower, end = self.tower, self.tower.generators[v].ends[0 if side == 1 else 1]
        # In the order of the document: the limit makes its generators in the order of the terms.
        f, scale = poly.ordered(f), [(poly.ordered(s), k) for s, k in scale]
        below = poly.product(scale)
        if end is not None:
            try:
                free = Tower()
                images = substitution(tower, free, {v: (poly.constant(end), ONE)})
                value = ratio_through(f, scale, images)
            except DescentRefused:
                value = None
            if value is not None:
                claim = self.search.claim(free, value, depth - 1, strict=False)
                if claim is not None:
                    return {"continuous": True, "claim": claim}
        way = side if end is not None else -side
        for order in _ORDERS:
            self.search.look()
            found = self._lower_limit(f, below, v, end, way, order)
            if found is None:
                continue
            free, limit = found
            if limit is None or not limit[0]:
                return {"order": order}
            claim = self.search.claim(free, limit, depth - 1, strict=False)
            if claim is not None:
                return {"order": order, "claim": claim}
            return None
        return None

    def _lower_limit(self, f: Polynomial, below: Polynomial, v: int, end: Any, way: int, order: int) -> Any:
        key = self.name, frozenset(f.items()), frozenset(below.items()), v, end, way, order
        if key not in self.search.memory:
            try:
                self.search.memory[key] = lower_limit(self.tower, f, below, v, end, way, order, self.search.look)
            except DescentRefused:
                self.search.memory[key] = None
        return self.search.memory[key]
