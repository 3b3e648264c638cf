"""Limits by expansion, without a rule for limits: −K·w ≤ H(v(w)) ≤ H(x) for all small w > 0 gives 0 ≤ H(x).

H is monotone on the way from v(w), near the end of the range, to x. The bound −K·w comes from `expansions`, and what vanishes with w
is a lemma of `bounds`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from dpbounds.compile.steps import NotWritten, positive
from dpbounds.compile.towers.descents import Descents, Document, scale_of
from dpbounds.compile.towers.expansions import EndExpansion
from dpbounds.compile.towers.places import Way, WritingPlace
from dpbounds.compile.towers.rates import HALF
from dpbounds.compile.towers.series import UNIT, Series, SmallMonomial, product, scaled, total
from dpbounds.descent.limits import lower_limit
from dpbounds.descent.polynomials import Polynomial
from dpbounds.kernel.terms import ONE, ZERO, Refused, Term, at_most, below, equal, minus, negative, number, plus, power, substitute, times

if TYPE_CHECKING:
    from dpbounds.compile.towers.slopes import SlopeStep

_ROOTS = (1, 2, 4)


def from_far(c: Descents, place: WritingPlace, s: SlopeStep, f: Polynomial, side: int, limit: Document, rise: Callable[[Way], int]) -> int:
    """0 ≤ H at x, where H is least at an end of the range of a variable and has there a limes inferior ≥ 0.

    Args:
        c: the document.
        place: of x.
        s, f: H = f/scale.
        side: 1 where H is least at the low end, −1 at the high end.
        limit: what the certificate says of it.
        rise: of the way between a point v near the end and x: the step H(v) ≤ H(x).

    Raises:
        NotWritten: no bound near the end is found.
    """
    reason = NotWritten("a limit by expansion")
    below_1 = (v.term for n, v in place.variables.items() if n != s.name and v.low is not None and v.low >= 0 and v.high == 1)
    roots: list[int | Term] = [*_ROOTS, *below_1]
    for root in roots:
        try:
            return _Limit(c, place, s, f, side, limit, root).shown(rise)
        except NotWritten as why:
            reason = why
        except Refused as why:
            reason = NotWritten("a limit with a refused step", str(why))
    raise reason


class Near:
    """What is shown for all small w, and what follows for no w.

    Args:
        c: the document.
        x: the expansion that it is about.
        known: facts about the other variables.
    """

    def __init__(self, c: Descents, x: EndExpansion, known: Sequence[int]) -> None:
        self.c, self.x, self.facts = c, x, tuple(known)

    def finish(self, parts: Sequence[int], h: Term, bound: Term) -> int:
        """0 ≤ h, where steps about w add up to −K·w ≤ h.

        Raises:
            NotWritten: they do not.
        """
        x, steps = self.x, self.c.steps
        k, needs = self.least(bound), list(x.needs.items())
        a = plus(ONE, *(t for t, _ in needs))
        enough = steps.assume(at_most(times(a, x.w), ONE))
        signs = [self.least(t) for t, _ in needs]
        shown = []
        for i, (_, own) in enumerate(needs):
            rows = [(enough, ONE), *((g, x.w) for j, g in enumerate(signs) if j != i)]
            shown.append(x.sum(steps.formula(own), rows, x.least))
        whole = x.sum(positive(a), [(g, ONE) for g in signs], *x.constants)
        size, least = (self._without_names(p) for p in (k, whole))
        final = [self._without_names(self._cut(p, shown, [own for _, own in needs])) for p in parts]
        a, k_ = self._resolved(a), self._resolved(bound)
        found = steps.sum_of(at_most(times(negative(k_), x.w), h), final, [x.least, *self.facts])
        if found is None:
            raise NotWritten("a limit in other words")
        inner = steps.write("discharge", found, formula=at_most(times(a, x.w), ONE))
        every = steps.write("generalize", steps.write("discharge", inner, formula=positive(x.w)), variable=x.w)
        return self.c.bounds.vanishing(h, a, k_, every, least, size)

    def _cut(self, step: int, shown: Sequence[int], needs: Sequence[int]) -> int:
        """With what is needed shown from one bound of w."""
        wanted = self.c.steps.write.steps[step].hypotheses
        used = [by for by, own in zip(shown, needs, strict=True) if self.c.steps.formula(own) in wanted]
        return self.c.steps.write("cut", step, *used) if used else step

    def least(self, t: Term) -> int:
        """0 ≤ t for a term of positive parts."""
        goal = at_most(ZERO, t)
        known = [*self.x.constants, *self.facts]
        found = self.c.steps.attempt("sign", *known, formula=goal)
        found = self.c.steps.attempt("linear", *known, formula=goal, multipliers=[]) if found is None else found
        if found is None:  # −t/c for a name c of what is below 0; an equation would write it out
            below_0 = [(v, own[1]) for v, own in self.x.signs.items() if own is not None and own[0] == -1 and v in t.free]
            plain = [k for k in known if self.c.steps.formula(k).tag != "="]
            ways = ((own, times(t, power(negative(v), -1))) for v, own in below_0)
            tried = (self.c.steps.attempt("linear", own, *plain, formula=goal, multipliers=[m]) for own, m in ways)
            found = next((k for k in tried if k is not None), None)
        if found is None:
            raise NotWritten("a limit with a bound of no sign")
        return found

    def _meanings(self) -> dict[Term, Term]:
        found: dict[Term, Term] = {}
        for v, meaning in self.x.meanings:
            found[v] = substitute(meaning, found)
        return found

    def _resolved(self, t: Term) -> Term:
        return substitute(t, self._meanings())

    def _without_names(self, step: int) -> int:
        """A step with the new variables replaced by what they are."""
        steps, found = self.c.steps, self._meanings()
        moved = steps.write("substitution", step, terms=found, functions={})
        same = [equal(m, m) for m in found.values()]
        left = [h for h in dict.fromkeys(same) if h in steps.write.steps[moved].hypotheses]
        return steps.write("cut", moved, *(steps.write("reflexive", term=h.parts[0]) for h in left)) if left else moved


class _Limit(Near):
    def __init__(self, c: Descents, place: WritingPlace, s: SlopeStep, f: Polynomial, side: int, limit: Document, root: int | Term) -> None:
        self.place, self.s, self.f, self.side, self.limit = place, s, f, side, limit
        self.end = place.tower.generators[s.index].ends[0 if side == 1 else 1]
        v = place.variables[s.name].term
        facts = tuple(
            k for k in place.facts if v not in c.steps.formula(k).free and all(v not in h.free for h in c.steps.write.steps[k].hypotheses)
        )
        self.others = replace(place.without(s.name), facts=facts, premises=())
        self.to = side if self.end is not None else -side
        x = EndExpansion(c, place, self.others, s.name, self.end, self.to, int(limit.get("order", 2)), root)
        super().__init__(c, x, place.known)

    def shown(self, rise: Callable[[Way], int]) -> int:
        """0 ≤ H at x."""
        low, bound = self._lower_bound()
        return self.finish([low, rise(self._way())], self.s.body, bound)

    # --- the way

    def _way(self) -> Way:
        x, steps, side = self.x, self.c.steps, self.side
        v = self.place.variables[self.s.name]
        near = x.text(x.variable)
        m = abs(x.at.power)
        known = v.above_low if side == 1 else v.below_high
        x.need(ONE)
        facts = [*self.place.known]
        if self.end is not None:
            if known is None or steps.formula(known).tag != "<":
                raise NotWritten("a limit at a closed end")
            gap = minus(v.term, number(self.end)) if side == 1 else minus(number(self.end), v.term)
            small = x.need(power(gap, -1))
            rows = [(small, gap)]
            if m > 1:
                rows.append((x._power_bound(m - 1).high, x.w))
            elif not m:
                rows.append((x._power_of_small(x.at.exponent, 1).high, x.w))
            order = x.sum(at_most(near, v.term) if side == 1 else at_most(v.term, near), rows, *facts, x.least)
            beyond = x.sum(below(number(self.end), near) if side == 1 else below(near, number(self.end)), [], x.least)
        else:
            low = v.low is not None and v.low >= 0 and side == -1
            t = v.term if low else plus(ONE, power(v.term, 2))
            small = x.need(t)
            rows = [(small, power(x.w, -1))]
            if not low:
                rows.append((steps.write.square(plus(v.term, times(number(side), HALF))), ONE))
            if m > 1:
                rows.append((x._power_bound(m - 1).high, power(x.w, -m)))
            elif not m:
                rows.append((x._power_of_small(frozenset((e, -c) for e, c in x.at.exponent), 1).high, x.text({x.at: Fraction(1)})))
            order = x.sum(at_most(near, v.term) if side == 1 else at_most(v.term, near), rows, x.least)
            beyond = None
        if side == 1:
            return Way(near, v.term, order, beyond, v.below_high)
        return Way(v.term, near, order, v.above_low, beyond)

    # --- the bound

    def _lower_bound(self) -> tuple[int, Term]:
        """The step −K·w ≤ H(v), and K."""
        x, s = self.x, self.s
        n = x.polynomial(self.f)
        divisor: Series = {UNIT: Fraction(1)}
        for p, k in s.scale:
            one = x.polynomial(p)
            m, c, small = x.split(one)
            if small:
                x.half(small)
            x._divisor(x.far.term(p), m, c, small)
            for _ in range(k):
                divisor = product(divisor, one)
        body = times(x.far.term(self.f), scale_of(x.far, s.scale)) if s.scale else x.far.term(self.f)
        m, c, small = x.split(divisor)
        low, bound = self._numerator(scaled(n, 1 / c, m, -1))
        if not small:
            goal = at_most(negative(times(bound, x.w)), body)
            return x.sum(goal, [(low, ONE)]), bound
        half, _ = x.half(small)
        over = power(plus(ONE, x.text(small)), -1)
        twice = times(number(2), bound)
        least = self.least(bound)
        x.facts.append(least)
        rows = [(low, over), (half, times(times(twice, x.w), over))]
        return x.sum(at_most(negative(times(twice, x.w)), body), rows), twice

    def _numerator(self, n: Series) -> tuple[int, Term]:
        """−K·w ≤ n."""
        x = self.x
        t = x.text(n)
        groups = x.grouped(n)
        growths = {scale: x.growth(scale) for scale in groups}
        if any(g == 1 for g in growths.values()):
            return self._growing(n)
        fixed: Series = {}
        for scale, part in groups.items():
            if growths[scale] == 0:
                if scale != UNIT:
                    raise NotWritten("a limit in which a remainder does not vanish")
                fixed = part
        rest = total([n, {m: -c for m, c in fixed.items()}])
        rows = []
        if fixed:
            rows.append((self._fixed(fixed), ONE))
        if not rest:
            return x.sum(at_most(negative(times(ZERO, x.w)), t), rows), ZERO
        b = x.bounded(scaled(rest, 1, SmallMonomial(-1)))
        return x.sum(at_most(negative(times(b.bound, x.w)), t), [*rows, (b.low, x.w)]), b.bound

    def _growing(self, n: Series) -> tuple[int, Term]:
        x = self.x
        lead, head = x.dominant(n)
        if x.growth(lead) != 1 or x.sign_of(head) != 1:
            raise NotWritten("a limit in which what grows may be negative")
        low, share = x.below_of(n, lead)
        least = x.sum(positive(share), [])
        goal = at_most(negative(times(ZERO, x.w)), x.text(n))
        weight = x.text({lead: Fraction(1)})
        return x.sum(goal, [(low, weight), (least, weight)]), ZERO

    def _fixed(self, fixed: Series) -> int:
        """0 ≤ the limit."""
        x, c = self.x, self.c
        goal = at_most(ZERO, x.text(fixed))
        found = c.steps.attempt("sign", *x.facts, formula=goal)
        if found is None:
            found = c.steps.attempt("linear", *x.facts, formula=goal, multipliers=[])
        if found is not None:
            return found
        try:
            if x.sign_of(fixed) == 1:
                return x.sum(goal, [])
        except NotWritten:
            pass
        s = self.s
        if "claim" not in self.limit or "order" not in self.limit:
            raise NotWritten("a limit that is not seen to be positive")
        free, value = lower_limit(self.place.tower, self.f, s.whole, s.index, self.end, self.to, int(self.limit["order"]))
        if value is None:
            raise NotWritten("a limit that is not seen to be positive")
        t = self.others.with_tower(free).quotient(value)
        shown = c.claim(t, free, value, self.limit["claim"], self.others, strict=False)
        return x.sum(goal, [(shown, ONE)], *self.others.known)
