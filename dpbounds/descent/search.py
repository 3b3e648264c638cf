"""Untrusted: finds a certificate that a function is not negative on a box, by a descent of derivatives.

A goal F ≥ 0 is divided by a positive scale, differentiated by a variable, and what remains of the slope becomes the next goal; one end of
the variable's range gives a goal with one variable less. What is negative at a sample is dropped at once. Nothing here is believed.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from dpbounds.descent import building
from dpbounds.descent import polynomials as poly
from dpbounds.descent.boxes import lower_end
from dpbounds.descent.building import Canonical, NoForm, cancelled, factored
from dpbounds.descent.check import ordered, shared, substitution
from dpbounds.descent.limits import lower_limit
from dpbounds.descent.polynomials import ONE, Polynomial, Quotient
from dpbounds.descent.refusal import DescentRefused
from dpbounds.descent.tower import Range, Tower

Document = dict[str, Any]
_MOST_MOVES = 14
_MOST_TERMS = 200
_ORDERS = (1, 2, 3, 5)
_LEVELS, _CHAINED, _SHARE, _PATIENT = 3, 1, 0.6, 3.0
"""Slopes of slopes that change sign once: how many, at which depth, their share of the time, and from how many seconds on."""
_SCALES, _FEW, _FEW_SHARE = 8, 4, 0.2
"""How many scales a slope that changes sign is divided by; how many in a first look at slopes of slopes, and its share of the time."""
_GLANCE, _DIVIDED, _DIVIDED_DEPTHS = 0.02, 0.1, (3, 4)
"""The shares of the time of a first look at each depth, without boxes and with them, and the depths of the latter."""
_NARROW_AFTER, _NARROW_SHARE, _LONGEST_CHAIN = 4, 0.1, 24
"""A search of one move a goal: before which depth, its share of the time, and its depth."""
_MOST_BOXES, _DEEPEST_BOX, _MOST_BOXED_TERMS, _FAR = 300, 24, 40, 1e-4
"""Of a division into boxes: how many, how deep, terms of the polynomial, and how far it stays from 0 beside its terms."""
_MOST_MULTIPLES, _MOST_MONOMIALS = 60, 60
"""Of premises in a linear program: how many multiples, and monomials in them."""
_MULTIPLES = tuple(Fraction(sign * k, 4) for k in (0, 4, 2, 1, 8, 3, 6, 16) for sign in (1, -1) if k or sign == 1)
"""Of a line that is 0 in the sum of two halves: how much of it is moved from one to the other."""
_PROMISE, _PROMISE_SHARE, _PROMISE_DEPTH = "promise", 0.4, 5
"""What a search remembers where a goal falls into parts that seem to hold, and the share of the time and the depth of a look at them."""
_LONG = 6
"""Terms from which on the samples are cheaper than the sign test."""


class OutOfTime(Exception):
    """The processor time is used up."""


class DescentSearch:
    """One search, with a deadline in processor seconds and a depth."""

    def __init__(
        self,
        deadline: float,
        depth: int,
        memory: dict[Any, Any],
        levels: int = 1,
        width: int = _MOST_MOVES,
        *,
        boxes: bool = False,
        scales: int = _SCALES,
    ) -> None:
        self.deadline, self.depth, self.memory, self.levels, self.width, self.boxes = deadline, depth, memory, levels, width, boxes
        self.scales = scales
        self.steps = 0
        self.differing: frozenset[int] = frozenset()
        """Which premises are strict."""

    def look(self) -> None:
        """Stop when the time is used up."""
        if time.process_time() > self.deadline:
            raise OutOfTime

    # --- claims

    def claim(
        self,
        free: Tower,
        value: Quotient,
        depth: int,
        *,
        strict: bool,
        premises: tuple[Quotient, ...] = (),
        box: Mapping[str, Range] | None = None,
    ) -> Document | None:
        """value ≥ 0 over a free tower: its canonical tower, and the factors of numerator and denominator."""
        self.look()
        try:
            canonical = Canonical(free, box)
            n, d = canonical.through(value)
            at = TowerPlace(self, canonical, strict)
            at.premises = [canonical.through(premise)[0] for premise in premises]
            by = at.product(canonical.tower.reduced(n), canonical.tower.reduced(d), depth, strict=strict)
            if by is None or not at.defined(depth):
                return None
            divisors = [at.divisor(*canonical.through((p, ONE)), depth) for p in free.divisors]
        except (NoForm, DescentRefused, ZeroDivisionError, OverflowError):
            return None
        if None in divisors:
            return None
        return {"tower": canonical.rows, "images": canonical.hints, "by": by, **({"divisors": divisors} if divisors else {})}


class TowerPlace:
    """A canonical tower in which goals are proved."""

    def __init__(self, search: DescentSearch, canonical: Canonical, strict: bool) -> None:
        self.search, self.canonical, self.tower = search, canonical, canonical.tower
        self.premises: list[Polynomial] = []
        self.below: list[Polynomial] = []
        self.name = repr(canonical.rows)

    def defined(self, depth: int) -> bool:
        """Prove what the sign test leaves open of the arguments of logarithms and roots."""
        for i, (row, g) in enumerate(zip(self.canonical.rows, self.tower.generators, strict=True)):
            if g.kind in ("log", "root", "factorial") and self.tower._sign_of(*g.inner) != 1:
                proof = TowerPlace(self.search, self.canonical.before(i), True).product(*g.inner, depth - 1, strict=True)
                if proof is None:
                    return False
                row += [*[None] * (4 - len(row)), proof]
        return True

    def divisor(self, n: Polynomial, d: Polynomial, depth: int) -> Document | None:
        """n/d ≠ 0: it is positive or negative everywhere."""
        n, d = self.tower.reduced(n), self.tower.reduced(d)
        return self.product(n, d, depth, strict=True) or self.product(poly.scaled(n, -1), d, depth, strict=True)

    def product(self, n: Polynomial, d: Polynomial, depth: int, *, strict: bool) -> Document | None:
        """n/d ≥ 0: the factors, each with a sign by the test or a proof of its own."""
        if not n:
            return None if strict else {}
        rows, sign, open_factors = self._rows(n, d, strict)
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
            row[0] = poly.write(poly.scaled(f, s))
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
        proof = self.by_premises(above, depth, strict=strict)
        return None if proof is None else {"num": [[poly.write(above), 1, proof]], "den": [[poly.write(d), 1, None]]}

    def _contradicted(self, rows: Document, depth: int, *, strict: bool) -> bool:
        """A factor that is negative on the box, though a premise says otherwise: there is no point here, and the premise shows it."""
        for row in rows["num"] if self.premises else ():
            f = poly.read(row[0])
            if row[1] % 2 == 0 or row[2] is not None or not (sign := self._signs(f)[0]):
                continue
            below = poly.scaled(f, -sign)
            proof = self.by_premises(below, depth, strict=strict)
            if proof is not None:
                row[0], row[2] = poly.write(below), proof
                return True
        return False

    def _rows(self, n: Polynomial, d: Polynomial, strict: bool) -> tuple[Document | None, int, list[Any]]:
        """Factor rows, the sign of what has one, and the factors without."""
        sign = 1
        rows: Document = {"num": [], "den": []}
        open_factors: list[Any] = []
        for key, p in (("num", n), ("den", d)):
            c, factors = factored(p)
            sign *= 1 if c > 0 else -1
            for f, k in factors:
                row: list[Any] = [poly.write(f), k, None]
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
        mixed = [entry for entry in open_factors if not entry[2] and entry[0][1] % 2 and len(self.canonical.seen(entry[1])) == 2]
        if len(mixed) < 2:
            return open_factors
        product = poly.product((f, row[1]) for row, f, _ in mixed)
        joined: list[Any] = [poly.write(product), 1, None]
        rows["num"] = [row for row in rows["num"] if all(row is not entry[0] for entry in mixed)] + [joined]
        return [entry for entry in open_factors if all(entry is not other for other in mixed)] + [(joined, product, False)]

    def seen(self, f: Polynomial) -> set[int]:
        """The signs that a polynomial takes at the samples where the premises hold."""
        return self.canonical.seen(f, self.premises)

    def _signs(self, f: Polynomial) -> tuple[int | None, bool]:
        """The sign test; a polynomial that takes both signs at the samples is spared it."""
        if len(f) > _LONG and len(self.canonical.seen(f)) == 2:
            return None, False
        return self.tower.signs(f)

    # --- steps

    def descend(self, f: Polynomial, depth: int, *, strict: bool) -> Document | None:
        """A step that shows f ≥ 0 (f > 0) for a polynomial without a known sign."""
        search = self.search
        search.look()
        search.steps += 1
        if self.premises:
            found = self.by_premises(f, depth, strict=strict)
            if found is not None:
                return found
        if depth <= 0 or -1 in self.seen(f):
            if depth != 0 or self.premises or -1 in self.seen(f):
                return None
            return self._attempt(self._conjugate, f, 0, strict) or self._boxed(f, 0, strict)
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
        for way in (self._dropped, self._tangent, self._tangent_of_powers, self._conjugate, self._completed, self._mirrored, self._parted):
            if (found := self._attempt(way, f, depth, strict)) is not None:
                return found
        # What follows speaks of slopes and ends, where the premises may fail.
        premises, self.premises = self.premises, []
        try:
            if premises and -1 in self.seen(f):
                return None
            ways = [self._moved, self._split, self._ordered, self._logarithm, self._boxed, self._pieces, self._chained]
            if self._has_powers(f):
                ways.insert(0, self._logarithm)
            for way in ways:
                if (found := self._attempt(way, f, depth, strict)) is not None:
                    return found
        finally:
            self.premises = premises
        return None

    def _has_powers(self, f: Polynomial) -> bool:
        """Whether there is an exponential of something with a logarithm, as a power is; then logarithms come before slopes."""
        generators = self.tower.generators
        powers = (generators[i].inner for i in poly.used(f) if generators[i].kind == "exp")
        return any(generators[i].kind == "log" for n, d in powers for i in poly.used(n) | poly.used(d))

    @staticmethod
    def _attempt(way: Callable[[Polynomial, int, bool], Document | None], f: Polynomial, depth: int, strict: bool) -> Document | None:
        try:
            return way(f, depth, strict)
        except (NoForm, DescentRefused, ZeroDivisionError, OverflowError):
            return None

    def by_premises(self, f: Polynomial, depth: int, *, strict: bool) -> Document | None:
        """f as a multiple of one premise, or of a factor of it, and a rest; or as a combination of premises with numbers."""
        for i, premise in enumerate(self.premises):
            for h, divided in self._within(premise):
                numbers = {Fraction(f[m]) / Fraction(h[m]) for m in h if m in f}
                for number in sorted(c for c in numbers if c > 0):
                    row = [poly.write(poly.constant(number)), i, *divided]
                    rest = self.tower.reduced(poly.minus(f, poly.scaled(h, number)))
                    if not rest and not (strict and i not in self.search.differing):
                        return {"step": "given", "multipliers": [row]}
                    proof = self._alone(rest, depth, strict and i not in self.search.differing) if rest else None
                    if proof is not None:
                        return {"step": "given", "multipliers": [row], "rest": proof}
        return self._combined(f, strict=strict)

    def _within(self, premise: Polynomial) -> Iterator[tuple[Polynomial, list[str]]]:
        """A premise, and its only factor without a sign."""
        yield premise, []
        c, factors = factored(premise)
        open_factors = [(f, k) for f, k in factors if not self.tower.sign(f)]
        if len(open_factors) != 1 or open_factors[0][1] != 1 or len(factors) == 1 and abs(c) == 1:
            return
        positive = poly.constant(abs(c))
        sign = 1 if c > 0 else -1
        for f, k in factors:
            if s := self.tower.sign(f):
                positive = poly.times(positive, poly.power(poly.scaled(f, s), k))
                sign *= s**k
        h = poly.scaled(open_factors[0][0], sign)
        yield h, [poly.write(positive), poly.write(h)]

    def _alone(self, f: Polynomial, depth: int, strict: bool) -> Document | None:
        """A step for f that uses no premise."""
        premises, self.premises = self.premises, []
        try:
            return self.factor_or_descend(f, depth - 1, strict)
        except (NoForm, DescentRefused, ZeroDivisionError, OverflowError):
            return None
        finally:
            self.premises = premises

    def _combined(self, f: Polynomial, *, strict: bool) -> Document | None:
        """Premises times positive numbers and monomials, and monomials that are left over: a small linear program."""
        key = "combined", self.name, frozenset(f.items()), strict, tuple(frozenset(premise.items()) for premise in self.premises)
        if key not in self.search.memory:
            self.search.memory[key] = self._by_program(f, strict, products=False) or self._by_program(f, strict, products=True)
        return self.search.memory[key]  # type: ignore[no-any-return]

    def _by_program(self, f: Polynomial, strict: bool, *, products: bool) -> Document | None:
        from scipy.optimize import linprog

        multiples = self._multiples(f)
        of_premises = [poly.times({m: 1}, self.premises[i]) for i, m in multiples]
        monomials = sorted({m for p in (*of_premises, f) for m in p})
        if not multiples or len(monomials) > _MOST_MONOMIALS:
            return None
        columns: list[Polynomial] = [*of_premises, *self._known_signs(monomials, products=products)]
        wanted = [float(f.get(m, 0)) for m in monomials]
        rows = [[float(p.get(m, 0)) for p in columns] for m in monomials]
        result = linprog([1.0] * len(columns), A_eq=rows, b_eq=wanted, bounds=(0, None))
        if not result.success:
            return None
        found: dict[int, Polynomial] = {}
        for (i, m), value in zip(multiples, result.x, strict=False):
            if c := Fraction(float(value)).limit_denominator(1000):
                found.setdefault(i, {})[m] = c
        rest = f
        for i, factor in found.items():
            rest = poly.minus(rest, poly.times(factor, self.premises[i]))
        rest = self.tower.reduced(rest)
        sign, surely = self.tower.signs(rest) if rest else (1, False)
        by_premise = any(i in self.search.differing and self.tower.sign(factor) == 1 for i, factor in found.items())
        if sign != 1 or strict and not (surely or by_premise):
            return None
        return {"step": "given", "multipliers": [[poly.write(factor), i] for i, factor in found.items()]}

    def _known_signs(self, monomials: Sequence[tuple[int, ...]], *, products: bool) -> Iterator[Polynomial]:
        """Monomials with a sign; with products, also times distances from the ends of generators, where all of it is among them."""
        within = frozenset(monomials)
        used = sorted({i for m in monomials for i, k in enumerate(m) if k})
        distances: list[Polynomial] = []
        for i in used if products else ():
            low, high = self.tower.ranges[i]
            distances += [poly.minus(poly.generator(i), poly.constant(low))] if low else []
            distances += [poly.minus(poly.constant(high), poly.generator(i))] if high is not None else []
        factors: list[Polynomial] = [ONE, *distances, *(poly.times(a, b) for a, b in itertools.combinations(distances, 2))]
        for m in monomials:
            if sign := self.tower.weak_sign({m: 1}):
                for factor in factors:
                    own = poly.times({m: sign}, factor)
                    if within.issuperset(own):
                        yield own

    def _multiples(self, f: Polynomial) -> list[tuple[int, tuple[int, ...]]]:
        """A premise and a positive monomial by which it may be multiplied: what makes a monomial of it one of f, or of another multiple."""
        found: dict[tuple[int, tuple[int, ...]], None] = {(i, ()): None for i in range(len(self.premises))}
        wanted = set(f)
        for _ in range(2):
            for (i, premise), m in itertools.product(enumerate(self.premises), sorted(wanted)):
                for own in premise:
                    quotient = _quotient_of(m, own)
                    if quotient is not None and len(found) < _MOST_MULTIPLES and self.tower.weak_sign({quotient: 1}) == 1:
                        found[i, quotient] = None
            wanted |= {m for i, by in found for m in poly.times({by: 1}, self.premises[i])}
        return list(found)

    def _dropped(self, f: Polynomial, depth: int, strict: bool) -> Document | None:
        """Terms with Φ that are not negative are left out."""
        normals = [i for i, g in enumerate(self.tower.generators) if g.kind == "phi"]
        gone: Polynomial = {}
        kept: Polynomial = {}
        for monomial, c in f.items():
            has = any(i < len(monomial) and monomial[i] for i in normals)
            (gone if has and self.tower.sign({monomial: c}) == 1 else kept)[monomial] = c
        if not gone or not kept or -1 in self.seen(kept):
            return None
        rest = self.factor_or_descend(kept, depth - 1, strict)
        return None if rest is None else {"step": "sum", "parts": [[poly.write(kept), rest], [poly.write(gone), None]]}

    def _tangent(self, f: Polynomial, depth: int, strict: bool) -> Document | None:
        """Σ m·log Y + R ≥ Σ m·(1 − 1/Y) + R, for the weights m > 0 of which the coefficients of all logarithms are sums."""
        tower = self.tower
        logs = [i for i in sorted(poly.used(f)) if tower.generators[i].kind == "log"]
        if not logs or any(sum(m[i] for i in logs if i < len(m)) > 1 for m in f):
            return None
        counts: dict[int, dict[frozenset[Any], int]] = {}
        weights: dict[frozenset[Any], Polynomial] = {}
        for i in logs:
            part = poly.coefficients_by(f, i)[1]
            sign = tower.sign(part)
            if not sign:
                return None
            part = poly.scaled(part, sign)
            weights[frozenset(part.items())] = part
            counts[i] = {frozenset(part.items()): sign}
        terms = {whole: found for whole in weights if (found := self._terms_of(whole, weights))}
        for row in counts.values():
            while whole := next((key for key in row if key in terms), None):
                k = row.pop(whole)
                for term in terms[whole]:
                    row[term] = row.get(term, 0) + k
        parts, total = [], []
        for key, weight in weights.items():
            powers = [(i, -row[key]) for i, row in counts.items() if row.get(key)]
            if not powers:
                continue
            n, d = tower.power_product(powers)
            parts.append([poly.write(weight), [list(pair) for pair in powers], None])
            total.append((poly.times(weight, poly.minus(d, n)), d))
        constant = {m: c for m, c in f.items() if not any(i < len(m) and m[i] for i in logs)}
        n, d = cancelled(poly.sum_of([(constant, ONE), *total]))
        rest = self.product(tower.reduced(n), tower.reduced(d), depth - 1, strict=strict)
        return None if rest is None else {"step": "tangent", "parts": parts, "rest": rest}

    def _tangent_of_powers(self, f: Polynomial, depth: int, strict: bool) -> Document | None:
        """m·log Y + m·log E + R ≥ m·(1 − 1/(Y·E)) + R, where E is a power that stands in Y: log E is a multiple of another logarithm."""
        tower = self.tower
        logs = [i for i in sorted(poly.used(f)) if tower.generators[i].kind == "log"]
        for i in logs:
            parts = poly.coefficients_by(f, i)
            inside = poly.used(tower.generators[i].inner[0])
            powers = [e for e in sorted(inside) if tower.generators[e].kind == "exp" and self._has_powers(poly.generator(e))]
            sign = tower.sign(parts[1]) if powers and set(parts) <= {0, 1} else 0
            if not sign:
                continue
            weight = poly.scaled(parts[1], sign)
            for e, k in itertools.product(powers, (sign, -sign)):
                rows = [(i, -sign), (e, k)]
                x = tower.power_product(rows)
                total = [(poly.scaled(a, c), b) for c, (a, b) in zip((-sign, k), map(tower.logarithm_of_base, (i, e)), strict=True)]
                value, below = poly.sum_of([x, (poly.constant(-1), ONE), *((poly.scaled(a, -1), b) for a, b in total)])
                n, d = cancelled(poly.sum_of([(f, ONE), (poly.scaled(poly.times(weight, value), -1), below)]))
                n, d = tower.reduced(n), tower.reduced(d)
                sides = {a * b for a in self.seen(n) for b in self.seen(d)}
                if any(tower.generators[j].kind == "log" for j in poly.used(n) | poly.used(d)) or -1 in sides:
                    continue
                self.search.memory[_PROMISE] = True
                rest = self.product(n, d, depth - 1, strict=strict)
                if rest is not None:
                    return {"step": "tangent", "parts": [[poly.write(weight), [list(row) for row in rows], None]], "rest": rest}
        return None

    def _terms_of(self, whole: frozenset[Any], weights: Mapping[frozenset[Any], Polynomial]) -> tuple[frozenset[Any], ...]:
        """Two to four other weights whose sum it is."""
        others = [key for key in weights if key != whole][:8]
        for size in (2, 3, 4):
            for chosen in itertools.combinations_with_replacement(others, size):
                total: Polynomial = {}
                for key in chosen:
                    total = poly.plus(total, weights[key])
                if not poly.minus(total, weights[whole]):
                    return chosen
        return ()

    def _conjugate(self, f: Polynomial, depth: int, strict: bool) -> Document | None:
        """a − b√h with a, b > 0 is multiplied by a + b√h."""
        for i, g in enumerate(self.tower.generators):
            if g.kind != "root" or g.order != 2:
                continue
            parts = poly.coefficients_by(f, i)
            if set(parts) != {0, 1}:
                continue
            other = poly.minus(parts[0], poly.times(parts[1], poly.generator(i)))
            s = self.tower.sign(other)
            if not s:
                continue
            other = poly.scaled(other, s)
            product = self.tower.reduced(poly.times(f, other))
            proof = self.factor_or_descend(product, depth, strict)
            if proof is not None:
                return {"step": "conjugate", "times": poly.write(other), "gives": poly.write(product), "proof": proof}
        return None

    def _completed(self, f: Polynomial, depth: int, strict: bool) -> Document | None:
        """f = a − bT, T its part with roots, as c(sT − 1)² and a rest in which T is not alone."""
        roots = {i for i, g in enumerate(self.tower.generators) if g.kind == "root" and self.tower._variables[i]}
        part = {m: c for m, c in f.items() if any(i < len(m) and m[i] % 2 for i in roots)}
        if strict or not 1 < len(part) < len(f) or len(part) > _LONG:
            return None
        first = abs(Fraction(next(iter(part.values()))))
        part = poly.scaled(part, 1 / first)
        for share in (Fraction(1), Fraction(1, 2), Fraction(2)):
            for sign in (1, -1):
                base = poly.minus(poly.scaled(part, share * sign), ONE)
                square = poly.scaled(poly.times(base, base), first / (2 * share))
                rest = self.tower.reduced(poly.minus(f, square))
                if not rest or -1 in self.seen(rest):
                    continue
                proof = self.factor_or_descend(rest, depth - 1, strict)
                if proof is not None:
                    factors = {"step": "factors", "num": [[poly.write(base), 2, None]], "den": []}
                    return {"step": "sum", "parts": [[poly.write(square), factors], [poly.write(rest), proof]]}
        return None

    def _mirrored(self, f: Polynomial, depth: int, strict: bool) -> Document | None:
        """f(p, q) = g(p, q) + h(1 − p, 1 − q), as of two coins, for g of homogeneous things; (p − q) + ((1 − p) − (1 − q)) is 0."""
        tower = self.tower
        variables = [i for i in range(len(tower.generators)) if tower.generators[i].kind == "variable"]
        inside = [i for i in poly.used(f) if tower.generators[i].kind != "variable" and tower._variables[i]]
        if strict or any(tower.generators[i].ends != (0, 1) for i in variables) or not 0 < len(variables) <= 2:
            return None
        near = {i for i in inside if tower.generators[i].inner[1] == ONE and _is_homogeneous(tower.generators[i].inner[0])}
        far = set(inside) - near
        mean = poly.scaled(poly.sum_of([(poly.generator(v), ONE) for v in variables])[0], Fraction(1, len(variables)))
        part: Polynomial = {}
        for m, c in f.items():
            used = {i for i, k in enumerate(m) if k}
            if used & near and used & far:
                return None
            if used & near:
                part = poly.plus(part, {m: c})
            elif not used & far:
                part = poly.plus(part, poly.scaled({m: c}, Fraction(1, 2)) if used & set(variables) else poly.times({m: c}, mean))
        if not near or not far:
            return None
        v, w = (poly.generator(i) for i in (variables[0], variables[-1]))
        line = poly.minus(v, w) if v != w else poly.minus(poly.scaled(v, 2), ONE)
        for c in _MULTIPLES:
            first = poly.plus(part, poly.scaled(line, c)) if c else part
            second = poly.minus(f, first)
            if not first or not second or -1 in self.seen(first) or -1 in self.seen(second):
                continue
            self.search.memory[_PROMISE] = True
            proofs = [self.factor_or_descend(half, depth - 1, strict) for half in (first, second)]
            if None not in proofs:
                return {"step": "sum", "parts": [[poly.write(half), own] for half, own in zip((first, second), proofs, strict=True)]}
        return None

    def _parted(self, f: Polynomial, depth: int, strict: bool) -> Document | None:
        """The terms with logarithms, or with another kind of function, or that vary with a variable, and the others: both seem ≥ 0."""
        tower = self.tower
        inside = [i for i in poly.used(f) if tower._variables[i]]
        groups = [frozenset(i for i in inside if tower.generators[i].kind == kind) for kind in ("phi", "log", "root", "exp")]
        groups += [frozenset(i for i in inside if tower.varies_with(i, v)) for v in inside if tower.generators[v].kind == "variable"]
        for group in dict.fromkeys(groups):
            first: Polynomial = {}
            rest: Polynomial = {}
            for m, c in f.items():
                (first if any(k and i in group for i, k in enumerate(m)) else rest)[m] = c
            if len(first) < 2 or len(rest) < 2 or self.seen(first) != {1} or self.seen(rest) != {1}:
                continue
            proofs = [self.factor_or_descend(first, depth - 1, strict)]
            proofs += [] if proofs[0] is None else [self.factor_or_descend(rest, depth - 1, False)]
            if None not in proofs:
                return {"step": "sum", "parts": [[poly.write(part), own] for part, own in zip((first, rest), proofs, strict=True)]}
        return None

    def factor_or_descend(self, f: Polynomial, depth: int, strict: bool) -> Document | None:
        """A step for f, by its factors first."""
        rows = self.product(f, ONE, depth, strict=strict)
        return None if rows is None else {"step": "factors", **rows}

    def scales(self, f: Polynomial, v: int) -> Iterator[list[tuple[Polynomial, int]]]:
        """Positive functions to divide by before the derivative is taken."""
        tower = self.tower
        yield []
        for i, g in enumerate(tower.generators):
            if g.kind == "log" and tower.varies_with(i, v) and g.inner[1] == ONE and tower.sign(g.inner[0]) == 1:
                yield [(g.inner[0], 1)]
        common = self._common(f, v)
        if common:
            yield common
        for p in self.below[:4]:
            yield [(p, 1)]
        for i, g in enumerate(tower.generators):
            exponents = sorted({m[i] if i < len(m) else 0 for m in f})
            if exponents == [0] or not tower.varies_with(i, v):
                continue
            if g.kind in ("log", "phi", "factorial") and exponents[-1] == 1:
                if scale := self._of_one_sign(factored(poly.coefficients_by(f, i)[1])[1]):
                    yield scale
            elif g.kind in ("exp", "variable", "root"):
                s = tower.sign(poly.generator(i))
                if s:
                    for k in exponents:
                        if k:
                            yield [(poly.scaled(poly.generator(i), s), k)]

    def _of_one_sign(self, factors: list[tuple[Polynomial, int]]) -> list[tuple[Polynomial, int]]:
        """Factors written so that they are positive; none if one has no known sign."""
        signs = [self.tower.sign(p) for p, _ in factors]
        return [(poly.scaled(p, s), k) for (p, k), s in zip(factors, signs, strict=True) if s] if all(signs) else []

    def _common(self, f: Polynomial, v: int) -> list[tuple[Polynomial, int]]:
        """The common factors of the coefficients of logarithms: a denominator that was multiplied out."""
        parts = []
        for i, g in enumerate(self.tower.generators):
            if g.kind == "log" and self.tower.varies_with(i, v) and any(i < len(m) and m[i] for m in f):
                parts.append(factored(poly.coefficients_by(f, i).get(1, {}))[1])
        if len(parts) < 2:
            return []
        powers = [(p, [[k for q, k in part if q == p] for part in parts]) for p, _ in parts[0]]
        return self._of_one_sign([(p, min(k for (k,) in found)) for p, found in powers if all(found)])

    def _moves(self, f: Polynomial) -> list[Any]:
        moves: list[Any] = []
        for v in [i for i, g in enumerate(self.tower.generators) if g.kind == "variable"]:
            done = []
            for scale in self.scales(f, v):
                self.search.look()
                if scale in done:
                    continue
                done.append(scale)
                try:
                    move = self._slope(f, v, scale)
                except (NoForm, DescentRefused):
                    continue
                if move is not None:
                    moves.append((move[0], len(moves), v, scale, *move[1:]))
        moves.sort(key=lambda move: move[:2])
        return moves[: self.search.width]

    def _slope(self, f: Polynomial, v: int, scale: list[tuple[Polynomial, int]]) -> Any:
        """Cost, factor rows, sign and open factors of the slope of f/scale."""
        tower = self.tower
        parts = [tower.slope_of_polynomial(f, v)]
        for s, k in scale:
            n, d = tower.slope_of_polynomial(s, v)
            if n:
                parts.append((poly.scaled(poly.times(f, n), -k), poly.times(s, d)))
        n, d = poly.sum_of(parts)
        n, d = cancelled((tower.reduced(n), tower.reduced(d)))
        if not n or len(n) > _MOST_TERMS:
            return None
        rows, sign, open_factors = self._rows(n, d, False)
        if any(under for _, _, under in open_factors):
            return None
        cost = sum(len(p) for _, p, _ in open_factors)
        return cost, rows, sign, open_factors

    def _chained(self, f: Polynomial, depth: int, strict: bool) -> Document | None:
        """A first goal in one variable, by slopes of slopes that change sign once; the last resort, because it branches much."""
        if strict or self.search.levels == 1 or depth < self.search.depth or sum(g.kind == "variable" for g in self.tower.generators) > 1:
            return None
        return self._moved(f, depth, strict, levels=self.search.levels)

    def _moved(self, f: Polynomial, depth: int, strict: bool, levels: int = 1) -> Document | None:
        for _, _, v, scale, rows, sign, open_factors in self._moves(f):
            self.search.look()
            head = {"in": self.tower.generators[v].name, "scale": [[poly.write(s), k] for s, k in scale], "slope": rows}
            try:
                found = self._move(f, v, scale, head, sign, open_factors, depth, strict, levels)
            except (NoForm, DescentRefused, ZeroDivisionError, OverflowError):
                continue
            if found is not None:
                return found
        return None

    def _move(
        self, f: Polynomial, v: int, scale: Any, head: Document, sign: int, open_factors: list[Any], depth: int, strict: bool, levels: int
    ) -> Document | None:
        mixed = []
        for row, p, _ in open_factors:
            seen = self.canonical.seen(p)
            if not seen:
                return None
            if len(seen) > 1:
                mixed.append((row, p))
                continue
            s = seen.pop()
            if row[1] % 2:
                sign *= s
            row[:] = [poly.write(poly.scaled(p, s)), row[1], poly.scaled(p, s)]
        if len(mixed) > 1 or mixed and mixed[0][0][1] != 1:
            return None
        if not mixed:
            limit = self.limit(f, scale, v, sign, depth)
            if limit is None or not self._fill(open_factors, depth, strict):
                return None
            if strict and not self._surely(head["slope"]):
                return None
            return {"step": "monotone", **head, "limit": limit}
        row, m = mixed[0]
        others = [entry for entry in open_factors if entry[0] is not row]
        slope = {key: [r for r in head["slope"][key] if r is not row] for key in ("num", "den")}
        head = {**head, "slope": slope}
        found = self._curve(f, v, scale, head, sign, m, others, depth, strict) if levels == 1 else None
        if found is None:
            found = self._chord(f, v, scale, head, sign, m, others, depth, strict, levels)
        if found is None and levels == 1:
            found = self._valley(f, v, scale, head, sign, m, others, depth, strict)
        return found

    def _surely(self, slope: Document) -> bool:
        return all(r[2] is not None or self.tower.sign(poly.read(r[0])) for key in ("num", "den") for r in slope[key])

    def _fill(self, open_factors: list[Any], depth: int, strict: bool) -> bool:
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

    def _curve(
        self, f: Polynomial, v: int, scale: Any, head: Document, sign: int, m: Polynomial, others: list[Any], depth: int, strict: bool
    ) -> Document | None:
        tower = self.tower
        powers = self._powers(m) if any(i != v and tower.varies_with(i, v) for i in poly.used(m)) else None
        line, by = (m, {}) if powers is None else powers
        if poly.degree(line, v) != 1 or any(i != v and tower.varies_with(i, v) for i in poly.used(line)):
            return None
        parts = poly.coefficients_by(line, v)
        a, b = parts[1], parts.get(0, {})
        s = tower.sign(a)
        if not s or sign * s < 0:
            return None
        if "powers" in by and s < 0:
            # The checker wants the product that grows faster in v first.
            by = {**by, "powers": by["powers"][::-1]}
        above, below = poly.scaled(b, -s), poly.scaled(a, s)
        low, high = tower.generators[v].ends
        if low is not None and tower.weak_sign(poly.minus(above, poly.scaled(below, low))) not in (0, 1):
            return None
        if high is not None and tower.weak_sign(poly.minus(poly.scaled(below, high), above)) not in (0, 1):
            return None
        free = Tower()
        images = substitution(tower, free, {v: (above, below)})
        claim = self.search.claim(free, _ratio(f, scale, images), depth - 1, strict=strict)
        if claim is None or not self._fill(others, depth, False):
            return None
        return {"step": "curve", **head, **by, "at": [poly.write(above), poly.write(below)], "claim": claim}

    def _powers(self, m: Polynomial) -> tuple[Polynomial, Document] | None:
        """A line with the sign of P − Q, a multiple of two products of powers of exponentials, and what the checker wants to know of it."""
        if len(m) != 2:
            return None
        (first, c), (second, d) = m.items()
        used = poly.used(m)
        if c != -d or any(self.tower.generators[i].kind != "exp" for i in used):
            return None
        if c < 0:
            first, second = second, first
        rows = [[(i, e) for i, e in enumerate(powers) if e] for powers in (first, second)]
        parts = [self.tower.logarithm_of_base(i) for i, _ in (*rows[0], *rows[1])]
        counts = [k for _, k in rows[0]] + [-k for _, k in rows[1]]
        n, below = cancelled(poly.sum_of((poly.scaled(a, k), b) for (a, b), k in zip(parts, counts, strict=True)))
        if not n:
            return None
        c, factors = factored(n)
        lines = [f for f, k in factors if not self.tower.sign(f) and k == 1]
        if len(lines) != 1 or any(not self.tower.sign(f) for f, _ in factors if f != lines[0]):
            return None
        sign = (1 if c > 0 else -1) * (self.tower.sign(below) or 0)
        exponent: Document = {"num": [], "den": [[poly.write(f), k, None] for f, k in factored(below)[1]]}
        for f, k in factors:
            if f != lines[0]:
                sign *= (self.tower.sign(f) or 0) ** k
                exponent["num"].append([poly.write(f), k, None])
        return poly.scaled(lines[0], sign), {"powers": [[list(pair) for pair in part] for part in rows], "exponent": exponent}

    def _chord(
        self,
        f: Polynomial,
        v: int,
        scale: Any,
        head: Document,
        sign: int,
        m: Polynomial,
        others: list[Any],
        depth: int,
        strict: bool,
        levels: int,
    ) -> Document | None:
        m = poly.scaled(m, sign)
        if levels > 1 and not self.canonical.falls_through_zero(m, v):
            return None
        limits: list[Any] = []
        for second in self._crossings(m, v, depth, levels, strict=strict):
            limits = limits or [self.limit(f, scale, v, side, depth) for side in (1, -1)]
            if None in limits:
                return None
            if self._fill(others, depth, True):
                return {"step": "chord", **head, "factor": poly.write(m), "second": second, "limits": limits}
        return None

    def _crossings(self, m: Polynomial, v: int, depth: int, levels: int, *, strict: bool) -> Iterator[Document]:
        """That m is first ≥ 0 and then ≤ 0: it falls after division by a scale, or its slope changes sign only once."""
        for scale in itertools.islice(self.scales(m, v), self.search.scales):
            self.search.look()
            move = self._slope(m, v, scale)
            if move is None:
                continue
            _, rows, sign, open_factors = move
            head = {"in": self.tower.generators[v].name, "scale": [[poly.write(s), k] for s, k in scale], "slope": rows}
            mixed = [entry for entry in open_factors if len(self.canonical.seen(entry[1])) > 1]
            if not mixed:
                seen = self._seen_sign(open_factors)
                if seen is not None and sign * seen < 0 and self._fill(open_factors, depth, strict):
                    yield head
                continue
            rest = [entry for entry in open_factors if entry[0] is not mixed[0][0]]
            seen = self._seen_sign(rest)
            if levels <= 1 or strict or len(mixed) > 1 or mixed[0][0][1] != 1 or seen is None:
                continue
            inner = {key: [r for r in rows[key] if r is not mixed[0][0]] for key in ("num", "den")}
            for side in (1, -1):
                second = poly.scaled(mixed[0][1], side * sign * seen)
                if not self.canonical.falls_through_zero(second, v):
                    continue
                limit = self.limit(poly.scaled(m, side), scale, v, side, depth - 1)
                if limit is None:
                    continue
                then = next(self._crossings(second, v, depth, levels - 1, strict=False), None)
                if then is not None and self._fill(rest, depth, True):
                    yield {**head, "slope": inner, "side": side, "factor": poly.write(second), "limit": limit, "then": then}

    def _seen_sign(self, open_factors: list[Any]) -> int | None:
        """The sign of the product of the factors by what is seen of each, which is written so that it is positive; None without one."""
        product = 1
        for row, p, _ in open_factors:
            seen = self.canonical.seen(p)
            if len(seen) != 1:
                return None
            s = seen.pop()
            product *= s if row[1] % 2 else 1
            row[:] = [poly.write(poly.scaled(p, s)), row[1], poly.scaled(p, s)]
        return product

    def _valley(
        self, f: Polynomial, v: int, scale: Any, head: Document, sign: int, m: Polynomial, others: list[Any], depth: int, strict: bool
    ) -> Document | None:
        """Least where the slope is 0: at another variable, or at a number that suggests itself."""
        m = poly.scaled(m, sign)
        places = [place for place in self._places(v) if self._is_zero(m, v, place)]
        if not places:
            return None
        others_of = [i for i, g in enumerate(self.tower.generators) if g.kind == "variable" and g.ends == self.tower.generators[v].ends]
        for w in sorted(others_of, key=lambda i: i != v):
            here = places if w == v else [place for place in places if place == (poly.generator(w), ONE)]
            for second in itertools.islice(self.scales(m, w), self.search.scales if here else 0):
                move = self._slope(m, w, second)
                if move is None:
                    continue
                _, rows, slope_sign, open_factors = move
                seen_sign = self._seen_sign(open_factors)
                if seen_sign is None or slope_sign * seen_sign != (1 if w == v else -1):
                    continue
                for at in here:
                    found = self._bottom(f, m, v, scale, second, at, depth, strict)
                    if found is None or not self._fill(open_factors, depth, False) or not self._fill(others, depth, True):
                        continue
                    inner = {"in": self.tower.generators[w].name, "scale": [[poly.write(s), k] for s, k in second], "slope": rows}
                    place = [poly.write(part) for part in at]
                    return {"step": "valley", **head, "factor": poly.write(m), "second": inner, "at": place, **found}
        return None

    def _bottom(
        self, f: Polynomial, m: Polynomial, v: int, scale: Any, second: Any, at: Quotient, depth: int, strict: bool
    ) -> Document | None:
        """That the slope is 0 at a place, and f/scale ≥ 0 there."""
        zero = []
        for sign in (1, -1):
            free = Tower()
            images = substitution(self.tower, free, {v: at})
            n, d = _ratio(m, second, images)
            zero.append(self.search.claim(free, (poly.scaled(n, sign), d), 0, strict=False))
        if None in zero:
            return None
        free = Tower()
        images = substitution(self.tower, free, {v: at})
        claim = self.search.claim(free, _ratio(f, scale, images), depth - 1, strict=strict)
        return None if claim is None else {"zero": zero, "claim": claim}

    def _places(self, v: int) -> Iterator[Quotient]:
        """Values of a variable where a slope is often 0: other variables, their mirror images, and simple numbers."""
        low, high = self.tower.generators[v].ends
        others = [i for i, g in enumerate(self.tower.generators) if g.kind == "variable" and i != v]
        candidates = [(poly.generator(i), ONE) for i in others]
        candidates += [(poly.minus(ONE, poly.generator(i)), ONE) for i in others]
        candidates += [(poly.scaled(poly.generator(i), c), ONE) for i in others for c in (-1, 2, Fraction(1, 2), Fraction(-1, 2))]
        candidates += [(poly.constant(c), ONE) for c in (0, 1, Fraction(1, 2), Fraction(1, 3), Fraction(2, 3), 2)]
        roots = [i for i, g in enumerate(self.tower.generators) if g.kind == "root" and not self.tower._variables[i]]
        candidates += [(poly.scaled(poly.generator(i), c), ONE) for i in roots for c in (1, Fraction(1, 2))]
        for a, b in candidates:
            above = low is None or self.tower.weak_sign(poly.minus(a, poly.constant(low))) in (0, 1)
            if above and (high is None or self.tower.weak_sign(poly.minus(poly.constant(high), a)) in (0, 1)):
                yield a, b

    def _is_zero(self, m: Polynomial, v: int, at: Quotient) -> bool:
        free = Tower()
        images = substitution(self.tower, free, {v: at})
        try:
            canonical = Canonical(free)
            return not canonical.tower.reduced(canonical.through(poly.substituted(m, images))[0])
        except (NoForm, DescentRefused, ZeroDivisionError, OverflowError):
            return False

    def limit(self, f: Polynomial, scale: Any, v: int, side: int, depth: int) -> Document | None:
        """The limes inferior of f/scale at an end is ≥ 0."""
        tower, end = self.tower, self.tower.generators[v].ends[0 if side == 1 else 1]
        # In the order of the document: the limit makes its generators in the order of the terms.
        f, scale = poly.read(poly.write(f)), [(poly.read(poly.write(s)), k) for s, k in scale]
        below = poly.product(scale)
        if end is not None:
            try:
                free = Tower()
                images = substitution(tower, free, {v: (poly.constant(end), ONE)})
                value = _ratio(f, scale, images)
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

    def _split(self, f: Polynomial, depth: int, strict: bool) -> Document | None:
        """A line is cut at 0, an interval of the only variable in the middle."""
        tower = self.tower
        variables = [i for i, g in enumerate(tower.generators) if g.kind == "variable"]
        for v in variables:
            low, high = tower.generators[v].ends
            c = self._cut(v, variables)
            if c is None:
                continue
            claims = []
            for ends in ((low, c), (c, high)):
                free = Tower()
                images = substitution(tower, free, {}, {v: ends})
                claims.append(self.search.claim(free, _ratio(f, [], images), depth - 1, strict=strict))
                if claims[-1] is None:
                    break
            if None not in claims and strict:
                free = Tower()
                images = substitution(tower, free, {v: (poly.constant(c), ONE)})
                claims.append(self.search.claim(free, _ratio(f, [], images), depth - 1, strict=True))
            if None not in claims:
                return {"step": "split", "in": tower.generators[v].name, "at": str(c), "claims": claims}
        return None

    def _boxed(self, f: Polynomial, depth: int, strict: bool) -> Document | None:
        """A division of a bounded box in at most two variables, where f seems to stay away from 0."""
        variables = [i for i, g in enumerate(self.tower.generators) if g.kind == "variable"]
        ends = {v: self.tower.generators[v].ends for v in variables}
        if (
            not self.search.boxes
            or len(variables) > 2
            or any(end is None for pair in ends.values() for end in pair)
            or len(f) > _MOST_BOXED_TERMS
        ):
            return None
        key = "boxes", self.name, frozenset(f.items())
        if key not in self.search.memory:
            self.search.memory[key] = None
            if self.canonical.stays_above(f, _FAR):
                self.search.memory[key] = self._divided(f, ends)
        tree = self.search.memory[key]
        return None if tree is None else {"step": "boxes", "tree": tree[0]}

    def _divided(self, f: Polynomial, box: dict[int, Range]) -> list[Any] | None:
        """The tree of a division, in a list; None where it takes too many boxes."""
        left = [_MOST_BOXES]

        def divided(own: dict[int, Any], depth: int) -> Any:
            self.search.look()
            left[0] -= 1
            low = lower_end(self.tower, f, own)
            if low is not None and low[0] > 0:
                return None
            if left[0] < 0 or depth > _DEEPEST_BOX:
                raise NoForm("many boxes")
            v = max(own, key=lambda i: (own[i][1] - own[i][0]) / (box[i][1] - box[i][0]))  # type: ignore[operator]
            c = (own[v][0] + own[v][1]) / 2
            parts = [divided({**own, v: ends}, depth + 1) for ends in ((own[v][0], c), (c, own[v][1]))]
            return [self.tower.generators[v].name, str(c), *parts]

        try:
            return [divided(dict(box), 0)]
        except (NoForm, DescentRefused):
            return None

    def _pieces(self, f: Polynomial, depth: int, strict: bool) -> Document | None:
        """A first goal in one variable, where one part of its range is decided by boxes."""
        variables = [i for i, g in enumerate(self.tower.generators) if g.kind == "variable"]
        if len(variables) != 1 or depth < self.search.depth - 1 or not self.search.boxes:
            return None
        (v,) = variables
        low, high = self.tower.generators[v].ends
        if low is None:
            return None
        cuts = [low + w for w in (1, 3, 9)] if high is None else [low + w * (high - low) for w in (Fraction(1, 4), Fraction(3, 4))]
        for c in cuts:
            sides = [(low, c), (c, high)]
            for compact in (0, 1):
                claims: list[Any] = [None, None]
                for side, below in ((compact, 0), (1 - compact, depth - 1)):
                    self.search.look()
                    if None in sides[side] and below == 0:
                        break
                    free = Tower()
                    images = substitution(self.tower, free, {}, {v: sides[side]})
                    claims[side] = self.search.claim(free, _ratio(f, [], images), below, strict=strict)
                    if claims[side] is None:
                        break
                if None in claims:
                    continue
                if strict:
                    free = Tower()
                    images = substitution(self.tower, free, {v: (poly.constant(c), ONE)})
                    claims.append(self.search.claim(free, _ratio(f, [], images), depth - 1, strict=True))
                if None not in claims:
                    return {"step": "split", "in": self.tower.generators[v].name, "at": str(c), "claims": claims}
        return None

    def _cut(self, v: int, variables: list[int]) -> Fraction | None:
        """0 inside of a range, the middle of the only one, or an end of another variable's range."""
        low, high = self.tower.generators[v].ends
        if (low is None or low < 0) and (high is None or high > 0):
            return Fraction(0)
        if low is None or high is None:
            return None
        if len(variables) == 1:
            return (low + high) / 2
        others = [end for w in variables for end in self.tower.generators[w].ends if end is not None]
        return next((end for end in others if low < end < high), None)

    def _ordered(self, f: Polynomial, depth: int, strict: bool) -> Document | None:
        """A polynomial in variables alone, or a multiple of v − w, once more where one of them is the larger."""
        tower = self.tower
        used = sorted(poly.used(f))
        alone = all(tower.generators[i].kind == "variable" for i in used)
        variables = used if alone else self._differing(f)
        if strict or len(variables) < 2:
            return None
        for (v, w), shares in itertools.product(itertools.combinations(variables, 2), (False, True)):
            names = [tower.generators[i].name for i in (v, w)]
            lows = {tower.generators[i].ends[0] for i in (v, w)}
            if any("-" in name or "/" in name for name in names) or shares and (len(lows) > 1 or None in lows):
                continue
            claims: list[Any] = []
            for large, small in ((v, w), (w, v)):
                free = Tower()
                images = (shared if shares else ordered)(tower, free, large, small)
                below = 0 if alone else depth - 1
                claims.append(None if images is None else self.search.claim(free, _ratio(f, [], images), below, strict=False))
                if images is not None and claims[-1] is None:
                    break
            else:
                return {"step": "order", "in": names, "claims": claims, **({"shares": True} if shares else {})}
        return None

    def _differing(self, f: Polynomial) -> list[int]:
        """Two variables whose difference is a factor of f."""
        for p, _ in factored(f)[1]:
            variables = sorted(poly.used(p))
            if len(variables) != 2 or any(self.tower.generators[i].kind != "variable" for i in variables):
                continue
            if poly.proportional(p, poly.minus(*map(poly.generator, variables))) is not None:
                return variables
        return []

    def _logarithm(self, f: Polynomial, depth: int, strict: bool) -> Document | None:
        """a·E^i − b·E^j ≥ 0 by the logarithms of both sides."""
        tower = self.tower
        for i, g in enumerate(tower.generators):
            if g.kind != "exp":
                continue
            groups = poly.coefficients_by(f, i)
            if len(groups) != 2:
                continue
            (j, a), (k, b) = groups.items()
            if tower.sign(a) == -1:
                (j, a), (k, b) = (k, b), (j, a)
            if tower.sign(a) != 1 or tower.sign(b) != -1:
                continue
            e = poly.generator(i)
            up, down = poly.times(a, poly.power(e, j)), poly.scaled(poly.times(b, poly.power(e, k)), -1)
            free = Tower()
            images = substitution(tower, free, {})
            logs = [free.free("log", poly.substituted(part, images)) for part in (up, down)]
            value = poly.sum_of([logs[0], (poly.scaled(logs[1][0], -1), logs[1][1])])
            claim = self.search.claim(free, value, depth - 1, strict=strict)
            if claim is not None:
                return {"step": "logarithm", "plus": poly.write(up), "minus": poly.write(down), "claim": claim}
        return None


def _is_homogeneous(p: Polynomial) -> bool:
    """Whether all terms have one degree above 0."""
    degrees = {sum(m) for m in p}
    return len(degrees) == 1 and 0 not in degrees


def _quotient_of(m: tuple[int, ...], own: tuple[int, ...]) -> tuple[int, ...] | None:
    """A monomial divided by another one that divides it."""
    powers = [a - b for a, b in itertools.zip_longest(m, own, fillvalue=0)]
    if min(powers, default=0) < 0:
        return None
    while powers and powers[-1] == 0:
        powers.pop()
    return tuple(powers)


def _ratio(f: Polynomial, scale: Any, images: Any) -> Quotient:
    (n, d), (m, e) = poly.substituted(f, images), poly.substituted(poly.product(scale), images)
    if not m:
        raise DescentRefused("division by 0")
    return (poly.times(n, e), poly.times(d, m)) if d != e else (n, m)


def find(
    prove: Callable[[DescentSearch, int], Document | None],
    seconds: float,
    deepest: int = 7,
    *,
    boxes: bool = False,
    briefly: bool = False,
) -> tuple[Document | None, int]:
    """Iterative deepening within processor seconds: the first certificate, and the depth.

    Args:
        prove: one search.
        seconds: of processor time.
        deepest: the last depth.
        boxes: whether there is one variable, of which a part of the range may be divided into boxes; there is some time for that.
        briefly: only a first look at each depth.
    """
    deadline = time.process_time() + seconds
    memory: dict[Any, Any] = {}
    # A quick look at each depth first: where shallow ones take long, a deeper one may be short. What they learn is kept.
    looks: list[tuple[float, int, dict[Any, Any], dict[str, Any]]] = [(_GLANCE, depth, memory, {}) for depth in range(1, deepest + 1)]
    if boxes and not briefly:
        divided: dict[Any, Any] = {}
        looks.append((_FEW_SHARE, _CHAINED, {}, {"levels": _LEVELS, "scales": _FEW}))
        looks += [(_DIVIDED, depth, divided, {"boxes": True}) for depth in _DIVIDED_DEPTHS]
    for share, depth, kept, options in looks:
        try:
            until = min(deadline, time.process_time() + share * seconds)
            found = prove(DescentSearch(until, depth, kept, **options), depth)
        except OutOfTime:
            continue
        if found is not None:
            return found, depth
    if _PROMISE in memory:
        try:
            until = min(deadline, time.process_time() + _PROMISE_SHARE * seconds)
            found = prove(DescentSearch(until, _PROMISE_DEPTH, memory), _PROMISE_DEPTH)
            if found is not None:
                return found, _PROMISE_DEPTH
        except OutOfTime:
            pass
    for depth in () if briefly else range(1, deepest + 1):
        if depth == _NARROW_AFTER:
            # A long chain of the cheapest slopes: what polynomials times exponentials need.
            try:
                until = min(deadline, time.process_time() + _NARROW_SHARE * seconds)
                found = prove(DescentSearch(until, _LONGEST_CHAIN, {}, width=1), _LONGEST_CHAIN)
                if found is not None:
                    return found, _LONGEST_CHAIN
            except OutOfTime:
                pass
        # Slopes of slopes branch much: they have a part of a long time, once.
        for levels in (1, _LEVELS) if depth == _CHAINED and seconds >= _PATIENT else (1,):
            try:
                until = deadline if levels == 1 else min(deadline, time.process_time() + _SHARE * seconds)
                found = prove(DescentSearch(until, depth, memory if levels == 1 else {}, levels), depth)
            except OutOfTime:
                if levels == 1:
                    return None, depth
                continue
            if found is not None:
                return found, depth
    return None, deepest


__all__ = ["DescentSearch", "building", "find"]
