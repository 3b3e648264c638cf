"""Closed forms of integrals by an antiderivative G: G(b) − G(a), and −G(a) to infinity, where G rises to 0."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from dpbounds.compile.steps import NotWritten
from dpbounds.compile.towers.descents import Descents
from dpbounds.compile.towers.expansions import EndExpansion
from dpbounds.compile.towers.limits import Near
from dpbounds.compile.towers.places import Variable, WritingPlace
from dpbounds.compile.towers.problems import Problems, subterms
from dpbounds.compile.towers.rates import HALF
from dpbounds.compile.towers.reading import place_of
from dpbounds.compile.towers.series import SmallMonomial, scaled
from dpbounds.compile.towers.slopes import derivative_of
from dpbounds.descent.problem import Problem
from dpbounds.descent.written import expression_of
from dpbounds.kernel.terms import (
    MINUS,
    ONE,
    ZERO,
    Refused,
    Term,
    at_most,
    below,
    equal,
    instantiate,
    minus,
    negative,
    node,
    number,
    plus,
    power,
    substitute,
    times,
    value,
)


@dataclass(frozen=True)
class ClosedIntegral:
    """A step ∫ = its closed form, and the step that it exists."""

    equation: int
    integrable: int


def one_sided_integral(
    problems: Problems, problem: Problem, integral: Any, row: Mapping[str, Any], names: Mapping[str, Term], place: WritingPlace
) -> ClosedIntegral:
    """An integral by the antiderivative that a certificate names.

    Args:
        problems: compiles the terms.
        problem: what the integral stands in.
        integral: the integral.
        row: what the certificate says of it.
        names: the variables of the claim as terms.
        place: what is given of them.

    Raises:
        NotWritten: an integral from −∞, an integrand of both signs, or a step that is not seen.
    """
    steps, x = problems.c.steps, problems.c.steps.fresh("x")
    total = problems.term(integral, names)
    cut = instantiate(total.parts[0], x)
    if cut.tag != "ite":
        raise NotWritten("an integral over the line")
    ends = cut.parts[0].parts if cut.parts[0].tag == "and" else (cut.parts[0],)
    if ends[0].tag != "<":
        raise NotWritten("an integral from minus infinity")
    low, high = ends[0].parts[0], ends[1].parts[1] if len(ends) == 2 else None
    name = integral.args[1][0].name
    primitive = problems.term(expression_of(row["of"], (*problem.box, name)), {**names, name: x})
    made = _Primitive(problems, place, name, x, (low, high), primitive, cut.parts[1])
    own = made.up_to(high) if high is not None else made.to_infinity(int(row.get("order", 1)))
    theorem, at_end = own
    turned = made.pointwise(cut, steps.formula(steps.write("part", theorem, number=0)).parts[0])
    integrable, area = (steps.write("part", theorem, number=k) for k in (0, 1))
    moved = steps.write("integral_congruence", turned, variable=x)
    top = ZERO if high is None else substitute(primitive, {x: high})
    goal = equal(total, minus(top, substitute(primitive, {x: low})))
    rows = [moved, area, *at_end]
    weights = [ONE, MINUS, MINUS] if made.side == 1 else [MINUS, ONE, ONE]
    found = steps.attempt("linear", *rows, formula=goal, multipliers=[negative(w) for w in weights[: len(rows)]])
    if found is None:
        raise NotWritten("an integral in other words")
    exists = steps.write("integrable_congruence", turned, integrable, variable=x)
    if made.side == -1:
        both = steps.write("integrable_multiple", exists, factor=MINUS)
        plain = steps.write("ring", formula=equal(times(MINUS, times(MINUS, cut)), cut))
        exists = steps.write("integrable_congruence", plain, both, variable=x)
    return ClosedIntegral(found, exists)


class BothSigns(NotWritten):
    """What is integrated has no sign that is seen."""


class _Primitive:
    """G or −G, which rises, on a ≤ x, and x ≤ b where b is finite: its derivative, and the sign of that."""

    def __init__(
        self, problems: Problems, others: WritingPlace, name: str, x: Term, ends: tuple[Term, Term | None], g: Term, f: Term
    ) -> None:
        self.problems, self.c, self.steps = problems, problems.c, problems.c.steps
        self.others, self.name, self.x, self.low = others, name, x, ends[0]
        self.start = self.steps.assume(at_most(self.low, x))
        self.high = [] if ends[1] is None else [self.steps.assume(at_most(x, ends[1]))]
        self.place = self._place()
        self.side, least = self._sign(f)
        self.g, f = (g, f) if self.side == 1 else (negative(g), negative(f))
        self.slope = self._derivative()
        d = self.steps.formula(self.slope).parts[1]
        self.same = self._same(equal(d, f))
        self.sign = self.steps.write("linear", least, self.same, formula=at_most(ZERO, d), multipliers=[ONE, MINUS])

    def _sign(self, f: Term) -> tuple[int, int]:
        """0 ≤ f, or 0 ≤ −f."""
        for side, value_ in ((1, f), (-1, negative(f))):
            goal = at_most(ZERO, value_)
            for attempt in (lambda: self.c.prove(goal, self.place.known), lambda: self.problems.relation(goal, self.place)):  # noqa: B023
                try:
                    return side, attempt()
                except (NotWritten, Refused):
                    continue
        raise BothSigns("an integrand of both signs")

    def _same(self, goal: Term) -> int:
        """The derivative is what is integrated; also at the low end and inside apart."""
        steps, known = self.steps, self.place.known
        found = steps.attempt("ring", *known, formula=goal) or self._by_powers(goal)
        if found is not None:
            return found
        split = steps.write("total_order", left=self.x, right=self.low)
        edge, inside = steps.write.hypotheses(steps.formula(split).parts)
        same = steps.write("antisymmetric", edge, self.start)
        branches = [steps.attempt("ring", k, *known, formula=goal) for k in (same, inside)]
        if None in branches:
            raise NotWritten("an antiderivative that is not seen")
        return steps.write("cases", split, *(k for k in branches if k is not None))

    def _by_powers(self, goal: Term) -> int | None:
        """With a and 1/a in the places of e^{log a} and e^{−log a}."""
        steps, f, v = self.steps, goal.parts[1], self.steps.fresh("v")
        logs = dict.fromkeys(t.parts[0] for t in subterms(f) if t.tag == "log" and self.x not in t.free)
        signs = [self.problems.relation(below(ZERO, a), self.others) for a in logs]
        now = steps.assume(equal(v, f))
        for t in dict.fromkeys(t for t in subterms(f) if t.tag == "exp" and self.x not in t.free):
            powers = (steps.attempt("ring", *self.place.known, *signs, formula=equal(t, power(a, n))) for a in logs for n in (1, -1))
            same = next((k for k in powers if k is not None), None)
            now = now if same is None else steps.write("rewrite", now, same)
        moved = steps.write("substitution", steps.write("discharge", now, formula=equal(v, f)), terms={v: f}, functions={})
        moved = steps.write("detach", moved, steps.write("ring", formula=equal(f, f)))
        return steps.sum_of(goal, [moved], [*self.place.known, *signs], [MINUS])

    def _place(self) -> WritingPlace:
        c, low, x = self.c, value(self.low), self.x
        end, step = low, self.start
        if low is None:
            try:
                least = self.problems.relation(at_most(ZERO, self.low), self.others)
                end = value(ZERO)
                step = c.steps.write("linear", least, self.start, formula=at_most(ZERO, x), multipliers=[ONE, ONE])
            except (NotWritten, Refused):
                end = None
        own = Variable(x, end, None, None if end is None else step)
        return replace(self.others.holding(self.start, *self.high), variables={**self.others.variables, self.name: own})

    def _derivative(self) -> int:
        powers = [at_most(ONE, t.parts[1]) for t in subterms(self.g) if t.tag == "pow" and self.x in t.parts[0].free - t.parts[1].free]
        least = [k for f in dict.fromkeys(powers) if (k := self.steps.sum_of(f, [], self.place.known)) is not None]
        found = self.steps.attempt("derivative", *least, function=self.g, variable=self.x)
        return derivative_of(self.c, place_of(self.c, self.place, self.g), self.g, self.x) if found is None else found

    def pointwise(self, cut: Term, other: Term) -> int:
        """G' where a < x ≤ b, else 0, is ±f there, else 0, for every x."""
        steps, x = self.steps, self.x
        condition, value_ = cut.parts[0], instantiate(other, x)
        goal = equal(value_, cut if self.side == 1 else times(MINUS, cut))
        split = steps.write("excluded_middle", formula=condition)
        yes, no = steps.write.hypotheses(steps.formula(split).parts)
        inside = self.c.search.opened(yes)
        weak = [steps.write("linear", inside[0], formula=at_most(self.low, x), multipliers=[ONE]), *inside[1:]]
        same = steps.write("cut", self.same, *weak)
        branches = []
        for here, rows in ((yes, [same]), (no, [])):
            pair = [steps.write("branch", here, then=side.parts[1], other=ZERO) for side in (value_, cut)]
            weights = [ONE] * len(rows) + [ONE, number(-self.side)]
            branches.append(steps.write("linear", *rows, *pair, formula=goal, multipliers=weights))
        return steps.write("cases", split, *branches)

    def up_to(self, high: Term) -> tuple[int, list[int]]:
        """To a finite end."""
        order = self.problems.relation(at_most(self.low, high), self.others)
        return self.steps.write("fundamental_theorem", self.slope, self.sign, order, variable=self.x, low=self.low, high=high), []

    def to_infinity(self, order: int) -> tuple[int, list[int]]:
        """To infinity; the second step says that G has the least upper bound 0."""
        steps = self.steps
        for root in (1, 2, 4):
            try:
                top = _AtInfinity(self, order, root).top()
                open_ = steps.write("linear", steps.assume(below(self.low, self.x)), formula=at_most(self.low, self.x), multipliers=[ONE])
                inside = steps.write("cut", top, open_)
                least = _AtInfinity(self, order, root).supremum(inside)
                break
            except NotWritten:
                if root == 4:
                    raise
        theorem = steps.write("fundamental_theorem_above", self.slope, self.sign, top, variable=self.x, low=self.low)
        most = steps.write("extremum_bound", inside, variable=self.x, ends=[self.low])
        return theorem, [steps.write("antisymmetric", most, least)]


class _AtInfinity(Near):
    """−K·w ≤ G(v) ≤ K·w at v = w^−m."""

    def __init__(self, p: _Primitive, order: int, root: int) -> None:
        c: Descents = p.c
        self.p, place = p, place_of(c, p.place, p.g)
        self.root = root
        x = EndExpansion(c, place, p.others, p.name, None, 1, order, root)
        super().__init__(c, x, p.others.known)
        q = place.read(p.g)
        image, same = x.quotient(q)
        b = x.bounded(scaled(image, 1, SmallMonomial(-1)))
        far, self.bound = c.steps.formula(same).parts[0], b.bound
        k = times(negative(b.bound), x.w)
        self.low = x.sum(at_most(k, far), [(b.low, x.w), (same, MINUS)])
        self.high = x.sum(at_most(k, negative(far)), [(b.high, x.w), (same, ONE)])
        self.far = x.text(x.variable)

    def _beyond(self, t: Term, tag: str) -> int:
        """t ≤ v, or <."""
        x, steps = self.x, self.p.steps
        need = plus(number(2), power(t, 2))
        x.need(ONE)
        small = x.need(need)
        rows = [(small, power(x.w, -1)), (steps.write.square(minus(t, HALF)), ONE)]
        if self.root > 1:
            rows.append((x._power_bound(self.root - 1).high, power(x.w, -self.root)))
        return x.sum(node(tag, t, self.far), rows, x.least)

    def top(self) -> int:
        """G ≤ 0 for a ≤ x."""
        p, steps = self.p, self.p.steps
        x, y = p.x, steps.fresh("y")
        order = self._beyond(x, "<=")
        ends = [steps.assume(at_most(x, y)), steps.assume(at_most(y, self.far))]
        later = steps.write("linear", p.start, ends[0], formula=at_most(p.low, y), multipliers=[ONE, ONE])
        slope, sign = (
            steps.write("cut", moved, later) if at_most(p.low, y) in steps.write.steps[moved].hypotheses else moved
            for moved in (steps.write("substitution", k, terms={x: y}, functions={}) for k in (p.slope, p.sign))
        )
        rise = steps.write("monotone", slope, sign, order, variable=y, low=x, high=self.far)
        zero = self.finish([self.high, rise], negative(p.g), self.bound)
        return steps.write("linear", zero, formula=at_most(p.g, ZERO), multipliers=[ONE])

    def supremum(self, top: int) -> int:
        """0 ≤ sup G."""
        p = self.p
        inside = self._beyond(p.low, "<")
        reached = p.steps.write("extremum_reached", top, inside, variable=p.x, ends=[p.low], at=self.far)
        return self.finish([self.low, reached], p.steps.formula(reached).parts[1], self.bound)
