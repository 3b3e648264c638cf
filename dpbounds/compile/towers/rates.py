"""What vanishes, stays or grows for a small w > 0, and bounds of it, as steps.

All steps assume 0 < w, and some t·w ≤ 1: w is small enough. A sum of `series` is bounded term by term; e^P with P → −∞ is at most a
multiple of any power of w, and w·log(1/w) is at most 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from dpbounds.compile.bounds import Bounded
from dpbounds.compile.steps import NotWritten, positive
from dpbounds.compile.towers.descents import Descents
from dpbounds.compile.towers.places import WritingPlace
from dpbounds.compile.towers.reading import sign_at
from dpbounds.compile.towers.series import UNIT, Series, SmallMonomial, of_atom, scaled, total, written
from dpbounds.kernel.terms import MINUS, ONE, ZERO, Refused, Term, at_most, equal, negative, node, number, plus, power, times, value
from dpbounds.prover.rewriting.roots import HALF


class SmallTerms:
    """Terms near w = 0.

    Args:
        c: the document.
        others: the place of the variables besides w.
    """

    def __init__(self, c: Descents, others: WritingPlace) -> None:
        self.c, self.steps, self.others, self.bounds = c, c.steps, others, c.bounds
        self.w, self.log = c.steps.fresh("w"), c.steps.fresh("l")
        self.least = c.steps.assume(positive(self.w))
        self.needs: dict[Term, int] = {}
        self.signs: dict[Term, tuple[int, int] | None] = {}
        self.known: dict[Term, Bounded] = {}
        self.meanings: list[tuple[Term, Term]] = []
        self.constants: list[int] = []
        self.facts: list[int] = [self.least]

    # --- what is known

    def text(self, s: Series) -> Term:
        """Its term."""
        return written(s, self.w)

    def need(self, t: Term) -> int:
        """t·w ≤ 1, which is assumed: w is that small."""
        if t not in self.needs:
            self.needs[t] = self.steps.assume(at_most(times(t, self.w), ONE))
        return self.needs[t]

    def sum(self, goal: Term, rows: Sequence[tuple[int, Term]], *more: int) -> int:
        """A relation as a sum of others, with all that is known.

        Raises:
            NotWritten: it is not that sum.
        """
        signs = [k for k in self.facts if self.steps.formula(k).tag != "="]  # an equation would write out a name in a logarithm
        for facts in (tuple(more), (*more, *self.facts), (*more, *signs)):
            found = self.steps.attempt("linear", *(k for k, _ in rows), *facts, formula=goal, multipliers=[t for _, t in rows])
            if found is not None:
                return found
        raise NotWritten("a limit whose bounds are not seen")

    def sign(self, t: Term) -> tuple[int, int] | None:
        """(1, the step 0 < t) or (−1, the step 0 < −t) for a term without w."""
        if t not in self.signs:
            self.signs[t] = None
            q = value(t)
            try:
                if q:
                    sign = 1 if q > 0 else -1
                    self.signs[t] = sign, self.steps.write("sign", formula=positive(t if sign == 1 else negative(t)))
                elif q is None:
                    self.signs[t] = sign_at(self.c, self.others, t)
            except (NotWritten, Refused):
                pass
            found = self.signs[t]
            if found is not None:
                self.constants.append(found[1])
                self.facts.append(found[1])
        return self.signs[t]

    def sign_of(self, s: Series) -> int:
        """1 or −1 of what is constant, 0 where its sign is not known."""
        if len(s) == 1:
            ((m, c),) = s.items()
            sign = 1 if c > 0 else -1
            for a, p in m.atoms:
                found = self.sign(a)
                if found is None:
                    return 0
                sign *= found[0] if p.denominator != 1 or p.numerator % 2 else 1
            return sign
        found = self.sign(self.text(s)) if s else None
        return found[0] if found else 0

    def atom(self, a: Term, k: int | Fraction = 1) -> Series:
        """A term without w, with its sign."""
        self.sign(a)
        return of_atom(a, k)

    def named(self, name: str, meaning: Term) -> tuple[Term, int]:
        """A new variable that is a term, and the step that says so."""
        v = self.steps.fresh(name)
        self.meanings.append((v, meaning))
        return v, self.steps.assume(equal(v, meaning))

    # --- growth

    def _is_local(self, a: Term) -> bool:
        return a in self.known or a == self.log

    def scale_of(self, m: SmallMonomial) -> SmallMonomial:
        """What a monomial is besides its coefficient."""
        large = frozenset((n, c) for n, c in m.exponent if self._tends(n))
        return SmallMonomial(m.power, frozenset((a, p) for a, p in m.atoms if self._is_local(a)), large)

    def _tends(self, m: SmallMonomial) -> bool:
        return m.power != 0 or any(self._is_local(a) for a, _ in m.atoms)

    def grouped(self, s: Series) -> dict[SmallMonomial, Series]:
        """Coefficients by scales."""
        found: dict[SmallMonomial, Series] = {}
        for m, c in s.items():
            scale = self.scale_of(m)
            found.setdefault(scale, {})[m.times(scale, -1)] = c
        return found

    def _logs(self, m: SmallMonomial) -> Fraction:
        return dict(m.atoms).get(self.log, Fraction(0))

    def growth(self, m: SmallMonomial) -> int:
        """1 where a scale tends to infinity, −1 where it tends to 0, 0 where it is bounded.

        Raises:
            NotWritten: it is not known.
        """
        lead = self._lead_of_exponent(m)
        if lead is not None:
            sign = self.sign_of(lead[1])
            if not sign:
                raise NotWritten("a limit with a growth of no sign")
            return sign
        if m.power:
            return 1 if m.power < 0 else -1
        logs = self._logs(m)
        return (logs > 0) - (logs < 0)

    def _lead_of_exponent(self, m: SmallMonomial) -> tuple[SmallMonomial, Series] | None:
        rows = [(n, c) for n, c in self.grouped(dict(m.exponent)).items() if self._tends(n)]
        return min(rows, key=lambda row: (row[0].power, -self._logs(row[0]))) if rows else None

    def dominant(self, s: Series) -> tuple[SmallMonomial, Series]:
        """The scale against which all others vanish, and its coefficient."""
        best: SmallMonomial | None = None
        groups = self.grouped(s)
        for scale in groups:
            if best is None or self.growth(scale.times(best, -1)) == 1:
                best = scale
        if best is None or any(a in self.known for a, _ in best.atoms):
            raise NotWritten("a limit in which a remainder leads")
        if any(self.growth(scale.times(best, -1)) != -1 for scale in groups if scale != best):
            raise NotWritten("a limit in which no term leads")
        return best, groups[best]

    def split(self, s: Series) -> tuple[SmallMonomial, Fraction, Series]:
        """s = c·m·(1 + small): the monomial m with a coefficient of one atom or of known factors, c, and small."""
        lead, head = self.dominant(s)
        if not self.sign_of(head):
            raise NotWritten("a limit with a coefficient of no sign")
        if len(head) > 1:
            v, meaning = self.named("c", self.text(head))
            found = self.signs[self.text(head)]
            assert found is not None
            sign, step = found
            own = self.sum(positive(v if sign == 1 else negative(v)), [(step, ONE), (meaning, MINUS if sign == 1 else ONE)])
            self.signs[v] = sign, own
            self.constants += [own, meaning]
            self.facts += [own, meaning]
            head = of_atom(v)
        ((m, c),) = head.items()
        m = lead.times(m)
        rest = total([s, {n.times(lead): -d for n, d in self.grouped(s)[lead].items()}])
        return m, c, scaled(rest, 1 / c, m, -1)

    # --- bounds

    def bounded(self, s: Series) -> Bounded:
        """A bound of a sum of what is bounded.

        Raises:
            NotWritten: a term tends to infinity, or its bound is not seen.
        """
        rows = [(c, self._bounded(m)) for m, c in s.items()]
        t = self.text(s)
        bound = plus(*(times(number(abs(c)), b.bound) for c, b in rows)) if rows else ZERO
        ends = [
            self.sum(goal, [((b.low if (c > 0) == down else b.high), number(abs(c))) for c, b in rows])
            for down, goal in ((True, at_most(negative(bound), t)), (False, at_most(t, bound)))
        ]
        return Bounded(t, bound, *ends)

    def _bounded(self, m: SmallMonomial) -> Bounded:
        logs = self._logs(m)
        if logs.denominator != 1 or logs < 0:
            raise NotWritten("a limit with a root of a logarithm")
        left = m.power - int(logs)
        factors = [self._log_bound()] * int(logs)
        coefficient = SmallMonomial(0, frozenset((a, p) for a, p in m.atoms if not self._is_local(a)))
        for a, p in m.atoms:
            if a in self.known:
                factors += [self.known[a]] * int(p)
        if self._lead_of_exponent(m) is not None:
            decay, gained = self._decay(m.exponent, max(0, -left))
            factors.append(decay)
            left += gained
        else:
            coefficient = coefficient._replace(exponent=m.exponent)
        if left < 0:
            raise NotWritten("a limit in which a remainder does not vanish")
        if left:
            factors.append(self._power_bound(left))
        if coefficient != UNIT:
            factors.append(self._constant_bound(coefficient))
        if not factors:
            return Bounded(ONE, ONE, *(self.sum(f, []) for f in (at_most(negative(ONE), ONE), at_most(ONE, ONE))))
        found = factors[0]
        for f in factors[1:]:
            found = self.bounds.product(found, f)
        return found

    def _power_bound(self, k: int) -> Bounded:
        """0 < w^k ≤ 1."""
        one = self.need(ONE)
        t = power(self.w, k)
        high = self.sum(at_most(self.w, ONE), [(one, ONE)])
        for j in range(2, k + 1):
            high = self.sum(at_most(power(self.w, j), ONE), [(high, self.w), (one, ONE)])
        return Bounded(t, ONE, self.sum(at_most(negative(ONE), t), []), high if k > 1 else self.sum(at_most(t, ONE), [(high, ONE)]))

    def log_meaning(self) -> int:
        """l = −log w."""
        meaning = negative(node("log", self.w))
        same = self.steps.assume(equal(self.log, meaning))
        if same not in self.facts:
            self.meanings.insert(0, (self.log, meaning))
            self.facts.append(same)
        return same

    def _log_bound(self) -> Bounded:
        """0 ≤ w·l ≤ 1 for l = log 1/w."""
        one, same = self.need(ONE), self.log_meaning()
        rise = self.steps.write("log_monotone", self.sum(at_most(self.w, ONE), [(one, ONE)]), self.least)
        t = times(self.w, self.log)
        low = self.sum(at_most(negative(ONE), t), [(rise, self.w), (same, self.w)])
        high = self.sum(at_most(t, ONE), [(self.steps.write("exp_above", term=self.log), self.w), (same, MINUS)], same)
        return Bounded(t, ONE, low, high)

    def _constant_bound(self, m: SmallMonomial) -> Bounded:
        t = self.text({m: Fraction(1)})
        sign = self.sign_of({m: Fraction(1)})
        if sign:
            size = t if sign == 1 else negative(t)
            least = self.steps.attempt("sign", *self.facts, formula=at_most(ZERO, size))
            least = self.sum(at_most(ZERO, size), []) if least is None else least
            return Bounded(
                t,
                size,
                *(self.sum(f, [(least, number(1 + s * sign))]) for s, f in ((1, at_most(negative(size), t)), (-1, at_most(t, size)))),
            )
        size = plus(ONE, power(t, 2))
        ends = []
        for s, f in ((1, at_most(negative(size), t)), (-1, at_most(t, size))):
            square = self.steps.write.square(plus(t, number(Fraction(s, 2))))
            ends.append(self.sum(f, [(square, ONE)]))
        return Bounded(t, size, *ends)

    def _decay(self, exponent: frozenset[tuple[SmallMonomial, Fraction]], k: int) -> tuple[Bounded, int]:
        """e^P·w^−k for P → −∞."""
        m = SmallMonomial(exponent=exponent)
        lead = self._lead_of_exponent(m)
        assert lead is not None
        scale, head = lead
        if self.sign_of(head) != -1:
            raise NotWritten("a limit with a power of what vanishes")
        if self._logs(scale):
            fixed = frozenset((m, c) for m, c in exponent if not any(a == self.log for a, _ in m.atoms))
            found = self._power_of_small(exponent - fixed, max(k, 1))
            return self.bounds.product(self._constant_bound(SmallMonomial(exponent=fixed)), found) if fixed else found, max(k, 1)
        lower, share = self.below_of(scaled(dict(exponent), -1), scale)
        r = -scale.power
        x = self.text(scaled(dict(exponent), -1))
        fall = self.sum(at_most(power(self.w, r - 1), ONE), [(self._power_bound(r - 1).high, ONE)]) if r > 1 else None
        u = times(share, power(self.w, -1))
        rows = [(lower, power(self.w, -r)), *([] if fall is None else [(fall, times(share, power(self.w, -r)))])]
        order = self.sum(at_most(u, x), rows)
        least = self.sum(positive(u), [])
        e = node("exp", self.text(dict(exponent)))
        n = max(k, 1)
        falls = self.bounds.exponential(n, x, u, order, least)
        term = times(e, power(self.w, -n))
        bound = times(number(n**n), power(share, -n))
        high = self.sum(at_most(term, bound), [(falls, power(self.w, -n))])
        size = self.steps.attempt("sign", least, self.least, formula=at_most(ZERO, bound))
        low = self.sum(at_most(negative(bound), term), [] if size is None else [(size, ONE)])
        return Bounded(term, bound, low, high), n

    def _power_of_small(self, exponent: frozenset[tuple[SmallMonomial, Fraction]], n: int) -> Bounded:
        """w^c·w^−n for c ≥ n, where w^c = e^{−c·l}."""
        shift = scaled(of_atom(self.log), n)
        low = at_most(ZERO, negative(self.text(total([dict(exponent), shift]))))
        one, same = self.need(ONE), self.log_meaning()
        rise = self.steps.write("log_monotone", self.sum(at_most(self.w, ONE), [(one, ONE)]), self.least)
        large = self.sum(at_most(ZERO, self.log), [(rise, ONE), (same, MINUS)])
        gaps = {m.times(SmallMonomial(atoms=frozenset([(self.log, Fraction(1))])), -1): -c for m, c in dict(exponent).items()}
        gap = self.text(total([gaps, {UNIT: Fraction(-n)}]))
        weights = [ONE, *(power(a, -1) for m in gaps for a, k in m.atoms if k < 0)]
        ways = (self.steps.sum_of(at_most(ZERO, gap), [j], self.facts, [w]) for j in self.others.known for w in weights)
        enough = next((found for found in ways if found is not None), None)
        if enough is None:
            raise NotWritten("a limit with a power of what vanishes")
        fall = self.sum(low, [(enough, self.log)], large)
        grown = self.steps.write("exp_monotone", self.sum(at_most(negative(low.parts[1]), ZERO), [(fall, ONE)]))
        term = times(node("exp", self.text(dict(exponent))), power(self.w, -n))
        return Bounded(term, ONE, self.sum(at_most(negative(ONE), term), []), self.sum(at_most(term, ONE), [(grown, ONE)], same))

    def below_of(self, s: Series, scale: SmallMonomial) -> tuple[int, Term]:
        """(the step q ≤ s/scale, q), with q > 0 free of w, for a sum that a scale with a positive coefficient leads."""
        head = self.grouped(s)[scale]
        c = self.text(head)
        self.sign_of(head)
        rest = scaled(total([s, {m.times(scale): -d for m, d in head.items()}]), 1, scale, -1)
        t = self.text(scaled(s, 1, scale, -1))
        if not rest:
            self._least(c)
            return self.sum(at_most(c, t), []), c
        b = self.bounded(scaled(rest, 1, SmallMonomial(-1)))
        self._least(c)
        share = times(HALF, c)
        small = self.need(times(times(number(2), b.bound), power(c, -1)))
        return self.sum(at_most(share, t), [(b.low, self.w), (small, share)]), share

    def _least(self, t: Term) -> int:
        """0 < t for a constant."""
        found = self.steps.attempt("sign", *self.constants, formula=positive(t))
        if found is None:
            own = self.sign(t)
            if own is None or own[0] != 1:
                raise NotWritten("a limit with a coefficient of no sign")
            found = own[1]
        if found not in self.facts:
            self.constants.append(found)
            self.facts.append(found)
        return found
