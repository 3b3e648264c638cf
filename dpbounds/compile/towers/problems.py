"""Problems of a certificate (an inequality on a box), as steps: faces, closed ends, changes of variables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import sympy

from dpbounds.compile.steps import NotWritten, multiple, product_of, sign_of, sum_of_terms
from dpbounds.compile.towers import crossings, orders, pointwise, slopes
from dpbounds.compile.towers.at_sight import at_sight, subterms
from dpbounds.compile.towers.changes import inverse_of
from dpbounds.compile.towers.descents import Descents
from dpbounds.compile.towers.places import Variable, WritingPlace
from dpbounds.compile.towers.slopes import derivative_of
from dpbounds.descent.changes import changed
from dpbounds.descent.problem import Problem
from dpbounds.kernel.terms import ONE, ZERO, Refused, Term, at_most, below, equal, minus, negative, node, number, power, substitute, value
from dpbounds.language.typed.read_sympy import Statements

_ = crossings, orders, pointwise, slopes


@dataclass(frozen=True)
class StatedProblem:
    """A problem with its terms.

    Attributes:
        problem: as the certificate has it.
        gap: the term of the larger side less the smaller one.
        names: the variables of the box, as terms.
    """

    problem: Problem
    gap: Term
    names: Mapping[str, Term]


class Problems:
    """Compiles problems.

    Args:
        c: what compiles their claims.
        read: the reader of the claim's statement.
    """

    def __init__(self, c: Descents, read: Statements) -> None:
        self.c, self.read = c, read
        self.shown_signs: list[int] = []

    # --- what holds on a box

    def term(self, expression: Any, names: Mapping[str, Term]) -> Term:
        """The term of an expression in variables by name."""
        own = Statements()
        own.typed.named |= self.read.typed.named
        for s in expression.free_symbols:
            if s.name not in names:
                raise NotWritten("a variable that is not there", s.name)
            own.symbols[s] = names[s.name]
        return own.term(expression.rewrite([sympy.cosh, sympy.sinh, sympy.tanh], sympy.exp))

    def ends(self, stated: StatedProblem, name: str) -> tuple[list[Term], list[Term]]:
        """low < v (or ≤) and v < high, as formulas."""
        own, v = stated.problem.box[name], stated.names[name]
        low = [] if own.low is None else [(at_most if own.low_closed else below)(number(own.low), v)]
        high = [] if own.high is None else [(at_most if own.high_closed else below)(v, number(own.high))]
        return low, high

    def premises(self, stated: StatedProblem) -> list[Term]:
        """The premises as formulas, each with 0 on the left."""
        return [
            sign_of(minus(self.term(large, stated.names), self.term(small, stated.names)), strict=differ)
            for large, small, differ in (self._plain(p, stated) for p in stated.problem.premises)
        ]

    def _plain(self, premise: tuple[Any, Any, bool], stated: StatedProblem) -> tuple[Any, Any, bool]:
        """A premise in the variables of the box."""
        from dpbounds.language.functions import with_replaced

        problem = stated.problem
        large, small, differ = premise
        values = dict(problem.nodes)
        for _ in range(8):
            symbols = {s for e in (large, small) for s in e.free_symbols if s.name in problem.meanings and s.name not in stated.names}
            more = {**values, **{s: problem.meanings[s.name] for s in symbols}}
            if not symbols and not any(e.has(*values) for e in (large, small) if values):
                break
            large, small = with_replaced(large, more), with_replaced(small, more)
        return large, small, differ

    def formulas(self, stated: StatedProblem) -> list[Term]:
        """What the problem assumes."""
        found = [f for name in stated.problem.box for part in self.ends(stated, name) for f in part]
        return [*found, *self.premises(stated)]

    # --- proofs

    def shown(self, stated: StatedProblem, document: Mapping[str, Any]) -> int:
        """0 ≤ gap or 0 < gap, under what the problem assumes.

        Raises:
            NotWritten: a part of the certificate has no steps yet.
        """
        before = list(document.get("before", []))
        if before:
            return self._changed(stated, before[0], {**document, "before": before[1:]}, before=True)
        faces = list(stated.problem.faces())
        return self.faces(stated, {}, dict(zip(map(mark_of, faces), document["parts"], strict=True)))

    def faces(self, stated: StatedProblem, fixed: dict[str, Fraction], parts: Mapping[Any, Any]) -> int:
        """The problem with some variables fixed: on the open box of the others, then with their closed ends."""
        problem = stated.problem
        waiting = [n for n, i in sorted(problem.box.items()) if n not in fixed]
        single = next((n for n in waiting if problem.box[n].low is not None and problem.box[n].low == problem.box[n].high), None)
        if single is not None:
            low = problem.box[single].low
            assert low is not None
            step = self.faces(stated, {**fixed, single: low}, parts)
            return self._placed(stated, fixed, single, low, step)
        step = self._open(stated, fixed, parts[mark_of(fixed)])
        done: list[str] = []
        for name in waiting:
            own = problem.box[name]
            ends = [(e, low) for e, closed, low in ((own.low, own.low_closed, True), (own.high, own.high_closed, False)) if closed]
            if ends:
                step = self._closed(stated, fixed, name, ends, step, parts, done)
            done.append(name)
        return step

    def _gap(self, stated: StatedProblem, fixed: Mapping[str, Fraction]) -> Term:
        return substitute(stated.gap, {stated.names[n]: number(v) for n, v in fixed.items()})

    def _closed(
        self,
        stated: StatedProblem,
        fixed: dict[str, Fraction],
        name: str,
        ends: Sequence[tuple[Any, bool]],
        step: int,
        parts: Mapping[Any, Any],
        done: Sequence[str],
    ) -> int:
        """With the closed ends of one variable; what is done already has its own."""
        steps, x = self.c.steps, stated.names[name]
        for end, low in ends:
            edge = number(end)
            here = {**fixed, name: end}
            own = self._face(stated, fixed, here, name, low, step, parts, done)
            placed = self._placed(stated, fixed, name, end, own)
            # low ≤ x is x ≤ low or low < x
            left, right = (x, edge) if low else (edge, x)
            split = steps.write("total_order", left=left, right=right)
            known = steps.assume(at_most(right, left))
            opposite = steps.assume(at_most(left, right))
            at_end = steps.write("cut", placed, known, opposite) if {known, opposite} else placed
            step = steps.write("cases", split, at_end, step)
        return step

    def _placed(self, stated: StatedProblem, fixed: Mapping[str, Fraction], name: str, end: Fraction, step: int) -> int:
        """0 ≤ gap under x ≤ e and e ≤ x, from 0 ≤ gap at x = e."""
        steps, x, edge = self.c.steps, stated.names[name], number(end)
        same = steps.write("antisymmetric", steps.assume(at_most(x, edge)), steps.assume(at_most(edge, x)))
        goal = sign_of(self._gap(stated, fixed), strict=stated.problem.strict)
        found = steps.sum_of(goal, [step], [same])
        if found is None:
            turned = steps.write("antisymmetric", steps.assume(at_most(edge, x)), steps.assume(at_most(x, edge)))
            found = steps.attempt("rewrite", step, turned)
            if found is None or steps.formula(found) != goal:
                raise NotWritten("a value at an end")
        # premises at the end are those of x
        said = self.formulas(stated)
        extra = [h for h in steps.write.steps[found].hypotheses if h not in {*said, at_most(x, edge), at_most(edge, x)}]
        ways = ((steps.sum_of(h, [steps.assume(f)], [same]) for f in said) for h in extra)
        shown = [k for found_of_one in ways if (k := next(filter(None, found_of_one), None)) is not None]
        return steps.write("cut", found, *shown) if shown else found

    def _face(
        self,
        stated: StatedProblem,
        fixed: dict[str, Fraction],
        here: dict[str, Fraction],
        name: str,
        low: bool,
        step: int,
        parts: Mapping[Any, Any],
        done: Sequence[str],
    ) -> int:
        """0 ≤ gap at a closed end: by its own claim, at sight, or because the gap has a derivative there and is ≥ 0 beside it."""
        problem = stated.problem
        part = parts.get(mark_of(here), {})
        if "by" in part or problem.strict or problem.premises:
            return self.faces(stated, here, parts)
        goal = sign_of(self._gap(stated, here), strict=False)
        known = [self.c.steps.assume(f) for n in problem.box if n not in here for part_ in self.ends(stated, n) for f in part_]
        try:
            return at_sight(self.c.steps, goal, known)
        except (NotWritten, Refused):
            pass
        return self._by_continuity(stated, fixed, name, low, step, known, goal)

    def _by_continuity(
        self, stated: StatedProblem, fixed: Mapping[str, Fraction], name: str, low: bool, step: int, known: Sequence[int], goal: Term
    ) -> int:
        steps, x = self.c.steps, stated.names[name]
        own = stated.problem.box[name]
        edge = own.low if low else own.high
        assert edge is not None
        a = own.low if own.low is not None else edge - 1
        b = own.high if own.high is not None else edge + 1
        ends = [number(a), number(b)]
        f = self._gap(stated, fixed)
        here = WritingPlace({n: self._variable(stated, n) for n in stated.names if n not in fixed and n != name})
        order = steps.write("linear", formula=below(*ends), multipliers=[])
        derivative = self._derivative_at(f, x, number(edge), here)
        at = number(edge)
        inside = [
            steps.write("linear", formula=at_most(ends[0], at), multipliers=[]),
            steps.write("linear", formula=at_most(at, ends[1]), multipliers=[]),
        ]
        weak = steps.weaker(sign_of(f, strict=False), step)
        # the step may say x ≤ b or a ≤ x where the interval has < already
        strict_here = [steps.assume(below(ends[0], x)), steps.assume(below(x, ends[1]))]
        weaker = []
        for h in steps.write.steps[weak].hypotheses:
            if x in h.free and h not in (below(ends[0], x), below(x, ends[1])):
                weaker.append(self.c.prove(h, strict_here))
        weak = steps.write("cut", weak, *weaker) if weaker else weak
        bound = steps.write("extremum_bound", weak, order, variable=x, ends=ends)
        reached = steps.write("extremum_reached", weak, derivative, *inside, order, variable=x, ends=ends, at=at)
        found = steps.sum_of(goal, [bound, reached])
        if found is None:
            raise NotWritten("a relation in other words")
        return found

    def place(self, stated: StatedProblem) -> WritingPlace:
        """Where a problem is: the ends of its variables, and its premises as facts."""
        found = WritingPlace({n: self._variable(stated, n) for n in stated.names})
        return found.holding(*(self.c.steps.assume(f) for f in self.premises(stated)))

    def _variable(self, stated: StatedProblem, name: str) -> Variable:
        if name not in stated.problem.box:
            return Variable(stated.names[name])
        own, (low, high) = stated.problem.box[name], self.ends(stated, name)
        assume = self.c.steps.assume
        return Variable(stated.names[name], own.low, own.high, assume(low[0]) if low else None, assume(high[0]) if high else None)

    def _derivative_at(self, f: Term, x: Term, at: Term, here: WritingPlace) -> int:
        """The derivative of f at a number."""
        steps = self.c.steps
        needed: dict[Term, int] = {}
        for t in dict.fromkeys(subterms(f)):
            if x in t.free and (t.tag in ("log", "pow") or t.tag == "^" and int(t.data[0]) < 0):  # type: ignore[call-overload]
                a, *power = t.parts
                if x in a.free or power and x in power[0].free:
                    try:
                        needed[below(ZERO, a)] = self.relation(substitute(below(ZERO, a), {x: at}), here)
                    except (NotWritten, Refused):  # a^r has a derivative where a is 0, for r ≥ 1
                        if not power or x in power[0].free:
                            raise
                        needed[at_most(ONE, power[0])] = self.relation(at_most(ONE, power[0]), here)
        general = steps.write("derivative", *map(steps.assume, needed), function=f, variable=x)
        moved = steps.write("substitution", general, terms={x: at}, functions={})
        return steps.write("cut", moved, *needed.values()) if needed else moved

    def relation(self, goal: Term, place: WritingPlace) -> int:
        """0 < a from what is known of the variables of a place.

        Raises:
            NotWritten: it is not found.
        """
        known = list(place.known)
        try:
            return self.c.prove(goal, known)
        except (NotWritten, Refused):
            pass
        for way in (self._argument, self._by_sign, self._of_logarithm):
            try:
                return way(goal, place)
            except (NotWritten, Refused):
                continue
        return self._at_ends(goal, place)

    def _argument(self, goal: Term, place: WritingPlace) -> int:
        """0 < a for the argument of a logarithm in a claim that was shown."""
        steps = self.c.steps
        found = next((k for k in self.c.arguments if steps.formula(k) == goal), None)
        if found is None:
            raise NotWritten("no argument of a logarithm")
        return steps.write("cut", found, *(self.c.prove(h, list(place.known)) for h in steps.write.steps[found].hypotheses))

    def _of_logarithm(self, goal: Term, place: WritingPlace) -> int:
        """0 < Σ k·log a − b from e^b < Π a^k for whole numbers k."""
        steps, (rows, others) = self.c.steps, _logarithms_in(goal.parts[1])
        if goal.parts[0] != ZERO or not rows:
            raise NotWritten("no logarithm and something else")
        product, rest = product_of(rows), negative(sum_of_terms(others)) if others else ZERO
        at = next((t for t in subterms(goal.parts[1]) if steps.attempt("ring", formula=equal(t, rest)) is not None), rest)
        e = node("exp", at) if others else ONE
        order = steps.weaker(node(goal.tag, e, product), self._by_sign(sign_of(minus(product, e), strict=goal.tag == "<"), place))
        found = steps.sum_of(goal, [steps.write("log_monotone", order, steps.write("sign", formula=below(ZERO, e)))], place.known)
        if found is None:
            raise NotWritten("no logarithm and something else")
        return found

    def _at_ends(self, goal: Term, place: WritingPlace) -> int:
        """By cases: a variable is at its closed end, or beyond it."""
        steps = self.c.steps
        for name, v in place.variables.items():
            for low, end, by in ((True, v.low, v.above_low), (False, v.high, v.below_high)):
                if end is None or by is None or v.term not in goal.free or steps.formula(by).tag != "<=":
                    continue
                edge = number(end)
                pair = (v.term, edge) if low else (edge, v.term)
                split = steps.write("total_order", left=pair[0], right=pair[1])
                at, beyond = steps.write.hypotheses(steps.formula(split).parts)
                same = steps.write("antisymmetric", *((at, by) if low else (by, at)))
                others = place.without(name)
                others = replace(others, facts=tuple(k for k in others.facts if v.term not in steps.formula(k).free))
                there = self.relation(substitute(goal, {v.term: edge}), others)
                first = steps.sum_of(goal, [there], [same])
                own = replace(v, above_low=beyond) if low else replace(v, below_high=beyond)
                second = self.relation(goal, replace(place, variables={**place.variables, name: own}))
                if first is not None:
                    return steps.write("cases", split, first, second)
        raise NotWritten("a sign that is not shown", "at an end")

    def _by_sign(self, goal: Term, place: WritingPlace) -> int:
        """By the signs of factors."""
        from dpbounds.compile.towers.reading import place_of

        here = place_of(self.c, place, goal)
        n, d = here.read(minus(goal.parts[1], goal.parts[0])) if goal.parts[0] != ZERO else here.read(goal.parts[1])
        found = self.c.product(here, n, d, {}, strict=goal.tag == "<")
        if found.ratio < 0:
            raise NotWritten("a relation of the other sign")
        return self.c.multiple(goal, [found.step], [number(found.ratio)], here, found.signs)

    # --- open boxes

    def _open(self, stated: StatedProblem, fixed: Mapping[str, Fraction], part: Mapping[str, Any]) -> int:
        """On the open box, some variables fixed, in other variables where the certificate says so."""
        problem = stated.problem.with_fixed(fixed)
        values = {stated.names[n]: number(v) for n, v in fixed.items()}
        names = {n: t for n, t in stated.names.items() if n not in fixed}
        here = StatedProblem(problem, substitute(stated.gap, values), names)
        return self._claim(here, list(part.get("changes", [])), part)

    def _claim(self, stated: StatedProblem, rows: list[Any], part: Mapping[str, Any]) -> int:
        if rows:
            return self._changed(stated, rows[0], part, before=False, rest=rows[1:])
        problem = stated.problem
        tower, gap, _ = problem.free()
        steps = self.c.steps
        place = WritingPlace({n: self._variable(stated, n) for n in stated.names})
        place = replace(place, premises=tuple(steps.assume(f) for f in self.premises(stated)))
        return self.c.claim(stated.gap, tower, gap, part, place, strict=problem.strict)

    # --- changes of variables

    def _changed(self, stated: StatedProblem, row: Any, document: Mapping[str, Any], *, before: bool, rest: list[Any] | None = None) -> int:
        """The problem from itself in other variables."""
        steps, problem = self.c.steps, stated.problem
        new = changed(problem, row, before=before)
        if row[0] == "squared":
            return self._squared(stated, new, document)
        fresh = {n: steps.fresh(n) for n in new.box if n not in stated.names}
        names = {**{n: t for n, t in stated.names.items() if n in new.box or n not in problem.box}, **fresh}
        moved = {n: new.meanings[n] for n in stated.names if n not in new.box and n in new.meanings}
        inner = {stated.names[n]: self.term(e, names) for n, e in moved.items()}
        then = StatedProblem(new, substitute(stated.gap, inner), names)
        step = self.shown(then, document) if before else self._claim(then, rest or [], document)
        if not fresh and not moved:
            return self._under(step, stated)
        v = stated.names[row[1]]
        bound = self.bound(stated, row)
        if row[0] == "middle":
            u = stated.names[row[2]]
            back = _middle(row, v, u, line=problem.box[row[1]].low is None)
        else:
            back = inverse_of(row, v, stated.names, bound)
        terms = {fresh[n]: t for n, t in back.items()}
        placed = steps.write("substitution", step, terms=terms, functions={})
        own = self._under(placed, stated)
        known = [steps.assume(f) for f in self.formulas(stated)]
        goal = sign_of(stated.gap, strict=problem.strict)
        found = steps.sum_of(goal, [own], known)
        if found is None:
            facts = [*known, *self._positive_parts(stated, terms, inner)]
            found = steps.sum_of(goal, [own], facts)
        if found is None:
            found = self._by_equations(stated, own, goal, inner, terms, known)
        return found

    def _squared(self, stated: StatedProblem, new: Problem, document: Mapping[str, Any]) -> int:
        """a ≤ c·√B from a² ≤ c²·B."""
        steps, strict = self.c.steps, stated.problem.strict
        large, small, _ = self._plain((stated.problem.large, stated.problem.small, strict), stated)
        square, _, _ = self._plain((new.large, new.small, strict), stated)
        a, v = self.term(small, stated.names), self.term(square, stated.names)
        step = self.shown(StatedProblem(new, minus(v, power(a, 2)), stated.names), document)
        order = steps.weaker(node("<" if strict else "<=", power(a, 2), v), step)
        bound = self.c.library.below_root(a, v, order, strict=strict)
        least = steps.sum_of(at_most(ZERO, v), [order, steps.write.square(a)])
        known = [steps.assume(f) for f in self.formulas(stated)]
        found = None if least is None else steps.sum_of(sign_of(stated.gap, strict=strict), [bound], [least, *known])
        if found is None or least is None:
            raise NotWritten("a root of a square")
        self.shown_signs.append(least)
        return found

    def _by_equations(
        self, stated: StatedProblem, own: int, goal: Term, inner: Mapping[Term, Term], terms: Mapping[Term, Term], known: list[int]
    ) -> int:
        """The gap at the old variables, through v = g(w) with its new value put in."""
        steps = self.c.steps
        now = own
        for v, meaning in inner.items():
            value = substitute(meaning, dict(terms))
            same = steps.attempt("ring", *known, *self._positive_parts(stated, terms, inner), formula=equal(value, v))
            if same is None:
                raise NotWritten("a change that is not undone", "")
            rewritten = steps.attempt("rewrite", now, same)
            if rewritten is not None:
                now = rewritten
        found = steps.sum_of(goal, [now], known)
        if found is None:
            raise NotWritten("a change that is not undone")
        return found

    def _positive_parts(self, stated: StatedProblem, terms: Mapping[Term, Term], inner: Mapping[Term, Term]) -> list[int]:
        """That the arguments of the roots and logarithms in a change are positive."""
        found = []
        place = self.place(stated)
        for t in terms.values():
            for part in subterms(t):
                if part.tag in ("log", "pow", "^"):
                    try:
                        found.append(self.relation(below(ZERO, part.parts[0]), place))
                    except (NotWritten, Refused):
                        continue
        return found

    def bound(self, stated: StatedProblem, row: Any) -> Term | None:
        """b of a change that follows a premise."""
        kind = row[0]
        if kind in ("above", "below"):
            large, small, _ = self._plain(stated.problem.premises[int(row[2])], stated)
            return self.term(small if kind == "above" else large, stated.names)
        if kind in ("within", "over", "under"):
            from dpbounds.descent.written import expression_of

            text = row[4] if kind == "within" else row[5]
            return self.term(expression_of(text, stated.problem.box), stated.names)
        return None

    def _under(self, step: int, stated: StatedProblem) -> int:
        """A step under what a problem assumes: its other hypotheses are shown from that."""
        steps = self.c.steps
        wanted = self.formulas(stated)
        missing = [h for h in steps.write.steps[step].hypotheses if h not in wanted]
        if not missing:
            return step
        place = self.place(stated)
        shown = [self.hypothesis(h, place) for h in missing]
        return steps.write("cut", step, *shown)

    def hypothesis(self, h: Term, place: WritingPlace) -> int:
        """A condition on new variables, from what holds of the old ones."""
        steps = self.c.steps
        known = place.known
        for by in ([], *([k] for k in known), *([k, j] for k in known for j in known if k < j)):
            found = steps.attempt("linear", *by, *known, formula=h, multipliers=[ONE] * len(by))
            if found is not None:
                return found
        found = self._divided(h, place)
        if found is not None:
            return found
        a, b = h.parts
        for side, other, up in ((b, a, False), (a, b, True)):
            if side.tag == "pow" and side.parts[1].tag == "q":
                return self._of_root(h, side, other, up, place)
            if side.tag == "exp":
                inner = node(h.tag, *((ZERO, side.parts[0]) if not up else (side.parts[0], ZERO)))
                if other == ONE:
                    grown = steps.write("exp_monotone", self.relation(inner, place))
                    return steps.weaker(h, grown)
            if side.tag == "log" and other == ZERO:
                pair = (ONE, side.parts[0]) if not up else (side.parts[0], ONE)
                order = self.hypothesis(node(h.tag, *pair), place)
                least = self.relation(below(ZERO, pair[0]), place)
                return steps.weaker(h, steps.write("log_monotone", order, least))
        return self.relation(h if a == ZERO else sign_of(minus(b, a), strict=h.tag == "<"), place) if a == ZERO else self._gap_of(h, place)

    def _divided(self, h: Term, place: WritingPlace) -> int | None:
        """A relation from a fact divided by what the relation divides by."""
        for t in subterms(h):
            if t.tag != "^" or t.data[0] != -1:
                continue
            try:
                least = self.relation(below(ZERO, t.parts[0]), place)
            except (NotWritten, Refused):
                continue
            for k in place.known:
                found = self.c.steps.attempt("linear", k, least, *place.known, formula=h, multipliers=[t])
                if found is not None:
                    return found
        return None

    def _gap_of(self, h: Term, place: WritingPlace) -> int:
        a, b = h.parts
        return self.c.steps.weaker(h, self.relation(sign_of(minus(b, a), strict=h.tag == "<"), place))

    def _of_root(self, h: Term, side: Term, other: Term, up: bool, place: WritingPlace) -> int:
        """c < a^{1/k} from c^k < a."""
        steps, c = self.c.steps, self.c
        exponent = side.parts[1]
        k = Fraction(str(exponent.data[0])).denominator
        a = side.parts[0]
        q = Fraction(str(other.data[0])) if other.tag == "q" else None
        if q is None or q < 0:
            raise NotWritten("a bound of a new variable")
        if q == 0 and not up:
            inner = self.relation(below(ZERO, a) if h.tag == "<" else at_most(ZERO, a), place)
            found = steps.attempt("sign", inner, formula=h)
            if found is None:
                raise NotWritten("a bound of a new variable")
            return found
        pair = (number(q**k), a) if not up else (a, number(q**k))
        order = self.hypothesis(node(h.tag, *pair), place)
        least = self.c.prove(at_most(ZERO, pair[0]), place.known) if not up else self.relation(at_most(ZERO, a), place)
        half = steps.write("sign", formula=sign_of(exponent, strict=h.tag == "<"))
        grown = steps.write("power_monotone", least, order, half)
        _ = c
        return steps.weaker(h, grown)


def _middle(row: Any, v: Term, u: Term, *, line: bool) -> dict[str, Term]:
    from dpbounds.kernel.terms import over, plus, times

    half = number("1/2")
    if line:
        return {row[3]: times(half, plus(u, v)), row[4]: times(half, minus(v, u))}
    return {row[3]: times(half, plus(u, v)), row[4]: over(minus(v, u), plus(u, v))}


def _logarithms_in(t: Term, factor: int = 1) -> tuple[list[tuple[Term, int]], list[Term]]:
    """(a, k) for the summands k·log a of a term with whole numbers k, and the other summands."""
    if t.tag == "+":
        (first, others), (second, more) = (_logarithms_in(part, factor) for part in t.parts)
        return [*first, *second], [*others, *more]
    if t.tag == "*" and (k := value(t.parts[0])) is not None and k.denominator == 1:
        return _logarithms_in(t.parts[1], int(k) * factor)
    return ([(t.parts[0], factor)], []) if t.tag == "log" else ([], [multiple(factor, t)])


def mark_of(fixed: Mapping[str, Fraction]) -> tuple[tuple[str, Fraction], ...]:
    """Which variables are fixed, as a key."""
    return tuple(sorted(fixed.items()))


__all__ = ["Problems", "StatedProblem", "derivative_of", "subterms"]
