"""Claims as documents: the statement as proof documents read it, and steps from the certificate of a descent."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import reduce
from itertools import combinations
from typing import Any

import sympy

from dpbounds.compile.closed_values import ClosedValues
from dpbounds.compile.extrema import ExtremaOfClaim
from dpbounds.compile.factorials.binomial_ratios import by_rising_ratio
from dpbounds.compile.inductions import by_induction
from dpbounds.compile.integrals.antiderivatives import ClosedIntegral
from dpbounds.compile.integrals.gaussian_deltas import GaussianDeltas
from dpbounds.compile.integrals.gaussian_moments import GaussianMoments
from dpbounds.compile.integrals.moving_ends import below_by_slope
from dpbounds.compile.integrals.whole_lines import Whole, closed_integral, summed, whole_of
from dpbounds.compile.parts import at_ends, at_values
from dpbounds.compile.quantiles import Quantiles
from dpbounds.compile.steps import NotWritten, Steps, sign_of, sum_of_terms
from dpbounds.compile.sums import closed_sum
from dpbounds.compile.towers.changes import inverse_of
from dpbounds.compile.towers.descents import Descents
from dpbounds.compile.towers.places import Variable, WritingPlace
from dpbounds.compile.towers.problems import Problems, StatedProblem, mark_of, subterms
from dpbounds.compile.written_out import binomials_of, pieces_of, sums_in
from dpbounds.descent.changes import changed
from dpbounds.descent.integrals.closed import check_closed
from dpbounds.descent.integrals.moving_ends import moving_end
from dpbounds.descent.integrals.sums import nodes_of
from dpbounds.descent.logarithms import logarithm_of
from dpbounds.descent.moments import gaussian_delta_of, moment_bound
from dpbounds.descent.parts import parts_at_ends
from dpbounds.descent.problem import Problem
from dpbounds.descent.refusal import DescentRefused
from dpbounds.descent.subterms import least_value, named, part_of
from dpbounds.descent.written import expression_of
from dpbounds.kernel.terms import (
    ONE,
    ZERO,
    Refused,
    Term,
    at_most,
    below,
    binder_sort,
    equal,
    instantiate,
    minus,
    negative,
    node,
    number,
    substitute,
    times,
    value,
    variable,
)
from dpbounds.language.definedness import conditions_of_quantities
from dpbounds.language.typed.checker_terms import NotRead
from dpbounds.language.typed.read_sympy import Statements
from dpbounds.prover.rewriting.derived import maximum


def document_of(name: str, then: Any, given: Sequence[Any], problems: Sequence[Problem], certificate: Mapping[str, Any]) -> str:
    """The document of a claim that a descent settles.

    Args:
        name: of the document.
        then, given: the claim.
        problems: the inequalities on boxes that are the claim.
        certificate: of the descent, one part for each problem.

    Raises:
        NotWritten: a part of the certificate has no steps yet.
    """
    try:
        return StatementCompiler(then, given).document(name, problems, certificate)
    except NotWritten:
        raise
    except NotRead as why:
        raise NotWritten("the statement is not read", str(why)) from why
    except DescentRefused as why:
        raise NotWritten("the certificate is not redone", str(why)) from why
    except Refused as why:
        raise NotWritten("a step is refused", str(why)[:80]) from why
    except RecursionError as why:
        raise NotWritten("a quantity that is its own definition, or a deep search") from why


_LONGER = 10
"""A sum of twenty terms takes more work than what stands there otherwise."""


class StatementCompiler:
    """The steps of one claim.

    Args:
        then, given: the claim.
    """

    def __init__(self, then: Any, given: Sequence[Any]) -> None:
        self.read, self.then, self.claimed = Statements(), then, given
        self.equations: list[int] = []
        self.whole = self.read.stated(then, given)
        self.stated = self.whole.given, self.whole.claim
        self.goal, self.conditions = self.stated[1], list[Term]()
        while self.goal.tag == "->":  # A → F is shown as F from A
            self.conditions.append(self.goal.parts[0])
            self.goal = self.goal.parts[1]
        self.given = [*self.stated[0], *self.conditions]
        spoken = self.goal.free.union(*(g.free for g in self.given))
        self.steps = Steps({str(v.data[0]) for v in spoken if isinstance(v, Term)} | {str(v.data[0]) for v in self.read.symbols.values()})
        self.c = Descents(self.steps)
        self.problems = Problems(self.c, self.read)
        self.wholes, self.areas, self.extrema = list[Whole](), list[int](), ExtremaOfClaim(self.steps, self._follows)
        self.closed = ClosedValues(self.steps, self.c.bounds, self.read, self._follows)
        self.known = [k for g in self.given for k in self.c.search.opened(self.steps.assume(g))]
        sums = dict.fromkeys(t for f in (*self.given, self.goal) for t in sums_in(f))
        self.steps.write.work *= _LONGER if sums else 1
        self.pieces = [k for t in sums if (k := pieces_of(self.steps, t)) is not None]
        self.known = [*map(self._in_pieces, self.known), *binomials_of(self.steps, (*self.given, self.goal))]
        self.names = {s.name: v for s, v in self.read.symbols.items() if v in spoken}
        self.quantiles = Quantiles(self.c.library, self.read.named("NormalQuantile"))
        self.names |= self.quantiles.names()
        self.roundings = self.read.named("floor", "ceiling")
        if len(self.roundings) == 1:
            self.names["rounded_0"] = next(iter(self.roundings.values()))[0]
        self.known += self.quantiles.facts if self.quantiles.places else []

    def document(self, name: str, problems: Sequence[Problem], certificate: Mapping[str, Any]) -> str:
        """The document of the claim, from a certificate of its problems."""
        done, failures = self._shown(problems, certificate["problems"])
        done += [k for step in done if self.quantiles.places and (k := self.quantiles.inner(step, self.known)) is not None]
        done += [self._from_given(k) for step in done for k in self.extrema.bounds(step, self.goal, self.names.values())]
        self.equations = self.quantiles.mirrored() + self.closed.equations((self.then, *self.claimed), done, self.known)
        self.pieces += self.closed.of_laplace_noise(self.c, (self.then, *self.claimed), self.known)
        goal = self.steps.formula(self._in_pieces(self.steps.assume(self.goal)))
        try:
            end = self._formula(goal, done)
        except NotWritten as why:
            raise (failures or [why])[0] from why
        for k in reversed(self.pieces):
            whole, pieces = self.steps.formula(k).parts
            back = self.steps.write("linear", k, formula=equal(pieces, whole), multipliers=[number(-1)])
            end = self.steps.write("rewrite", end, back)
        end = self._discharged(end, self.conditions)
        defined = [self._defined_under(o) for o in self.steps.write.obligations(*self.stated)]
        return self.steps.write.document(name, self.stated[0], end, self._with_conditions(defined))

    def _shown(self, problems: Sequence[Problem], documents: Sequence[Mapping[str, Any]]) -> tuple[list[int], list[NotWritten | Refused]]:
        """The steps of the problems that are written, and why others are not: the claim may follow without them."""
        done: list[int] = []
        failures: list[NotWritten | Refused] = []
        for problem, document in zip(problems, documents, strict=True):
            try:
                found = self._problem(problem, document)
            except (NotWritten, Refused) as why:
                failures.append(why)
            else:
                done += [] if found is None else [found]
        return done, failures

    def _with_conditions(self, defined: list[int]) -> list[int]:
        """What is shown to be defined, and what is asked for besides where it follows."""
        wanted = (self._follows(self.read.formula(part)) for part in dict.fromkeys(conditions_of_quantities(self.then)))
        found = [*defined, *(k for k in wanted if k is not None and k not in defined)]
        for asked in self.whole.asked:
            with suppress(NotWritten, Refused):
                found.append(self._defined(asked))
        return found

    def _discharged(self, step: int, conditions: Sequence[Term]) -> int:
        """A → F for each condition A of the claim, the last one inside."""
        return reduce(lambda found, a: self.steps.write("discharge", found, formula=a), reversed(conditions), step)

    def _defined_under(self, o: Term) -> int:
        """What must be shown to be defined, where conditions of the claim hold."""
        conditions = list[Term]()
        while o.tag == "->" and o.parts[0] in self.conditions:
            conditions.append(o.parts[0])
            o = o.parts[1]
        return self._discharged(self._defined(o), conditions)

    def _in_pieces(self, step: int) -> int:
        """A step with the pieces of sums between numbers in their places."""
        return reduce(lambda found, k: self.steps.write("rewrite", found, k), self.pieces, step)

    # --- one problem

    def _problem(self, problem: Problem, document: Mapping[str, Any]) -> int | None:
        """small ≤ large or small < large under what is given and the premises of a case; None where both sides are one."""
        if problem.large == problem.small and not problem.strict:
            return None
        if "induction" in document:
            return self._induction(problem, document)
        if "closed" in document:
            return self._closed(problem, document)
        if "point" in document:
            return self.extrema.at_point(self.problems, problem, document, (self.names, self.known), (self._assuming, self._problem))
        if "subterm" in document:
            return self._by_name(problem, document)
        if "factor" in document:
            return self._by_a_moving_end(problem, document)
        if "moment" in document:
            return self._by_moment(problem, document["moment"], document["then"])
        if "ends" in document:
            with suppress(NotWritten, Refused, DescentRefused):
                return self._by_a_moving_end(parts_at_ends(problem, document["ends"])[0], document["parts"][0], problem)
            return self._from_given(at_ends(self.steps, self.closed, self.names, self._assuming, problem, document))
        if "values" in document:
            return self._from_given(at_values(self.steps, self.names, self._assuming, problem, document))
        if "way" in document:
            return self._from_given(by_rising_ratio(self.problems, problem, document, self.names))
        if set(document) != {"logarithm"} and set(document) - {"before", "parts"}:
            raise NotWritten(f"the rule {next(k for k in document if k not in ('before', 'parts', 'then'))}")
        twins = {n: (v if v.tag == "v" and v.sort == "R" else self.steps.fresh(n)) for n, v in self.names.items()}
        names = {n: twins[n] if n in twins else self.steps.fresh(n) for n in problem.box}
        whole = StatedProblem(problem, ZERO, names)
        large, small, _ = self.problems._plain((problem.large, problem.small, problem.strict), whole)
        high, low = self.problems.term(large, names), self.problems.term(small, names)
        goal = node("<" if problem.strict else "<=", low, high)
        if "logarithm" in document:
            order = self._by_logarithms(problem, document["logarithm"], names, goal)
        else:
            step = self.problems.shown(StatedProblem(problem, minus(high, low), names), document)
            order = self.steps.sum_of(goal, [step])
        if order is None:
            raise NotWritten("a relation in other words")
        back = {names[n]: self.names[n] for n in names if n in self.names and names[n] != self.names[n]}
        stated = {t.parts[0] for t in subterms(goal) if t.tag == "log"}
        self.c.arguments = [k for k in self.c.arguments if self.steps.formula(k).parts[1] in stated]
        if back:
            order, *self.c.arguments = (self.steps.write("substitution", k, terms=back, functions={}) for k in (order, *self.c.arguments))
        return self._from_given(order)

    def _assuming(self, problem: Problem, document: Mapping[str, Any], more: list[int], names: Mapping[str, Term] | None = None) -> int:
        """A problem under further hypotheses, which stay, and with further names."""
        before, self.known, self.names = (self.known, self.names), [*more, *self.known], {**self.names, **(names or {})}
        try:
            found = self._problem(problem, document)
        finally:
            self.known, self.names = before
        if found is None:
            raise NotWritten("a part with equal sides")
        return found

    def _by_logarithms(self, problem: Problem, document: Mapping[str, Any], names: Mapping[str, Term], goal: Term) -> int | None:
        """small ≤ large from log small ≤ log large, each the sum of the logarithms of factors."""
        steps, start = self.steps, logarithm_of(problem)
        bases: dict[Term, None] = {}
        low, high = (self._log_of(side, names, bases) for side in (start.small, start.large))
        stated = StatedProblem(start, minus(high, low), names)
        order = steps.sum_of(node(goal.tag, low, high), [self.problems.shown(stated, document)])
        if order is None:
            return None
        place = self.problems.place(stated)
        signs = [self.problems.relation(below(ZERO, t), place) for t in bases]
        return steps.sum_of(goal, [steps.write("exp_monotone", order)], [*signs, *place.known])

    def _log_of(self, e: Any, names: Mapping[str, Term], bases: dict[Term, None]) -> Term:
        """log e, as `dpbounds.descent.ratio.LogReader` reads it."""
        if isinstance(e, sympy.Mul):
            return sum_of_terms(self._log_of(part, names, bases) for part in e.args)
        if isinstance(e, sympy.exp):
            return self.problems.term(e.args[0], names)
        if isinstance(e, sympy.Pow):
            inner = ONE if e.args[0] is sympy.E else self._log_of(e.args[0], names, bases)
            return times(self.problems.term(e.args[1], names), inner)
        base = self.problems.term(e, names)
        bases[base] = None
        return node("log", base)

    def _closed(self, problem: Problem, document: Mapping[str, Any]) -> int:
        """small ≤ large with the closed forms of sums in their places."""
        steps, integers = self.steps, frozenset(n for n, v in self.names.items() if v.sort == "Z")
        before, names, first = len(self.areas), self.names, problem
        for change in document.get("before", []):
            new = changed(problem, change, before=True)
            if set(new.box) - set(problem.box):
                bound = self.problems.bound(StatedProblem(problem, ZERO, self.names), change)
                self.names = {**self.names, **inverse_of(change, self.names[change[1]], self.names, bound)}
            problem = new
        for sum_, row in zip(nodes_of(problem), document["closed"], strict=True):
            if row is not None and row["by"] == "antiderivative":
                self._add(closed_integral(self.problems, problem, sum_, row, self.names, self._place()))
            elif row is not None and row["by"] == "pieces":
                self.wholes.append(self._in_parts(problem, sum_, row))
            elif row is not None:
                every = closed_sum(self.problems, problem, sum_, row, self.names, self.known)
                start = self._follows(steps.formula(every).parts[0])
                if start is None:
                    raise NotWritten("a sum that may be empty")
                self.areas.append(steps.write("detach", every, start))
        order = self._problem(check_closed(problem, document["closed"], integers), document["then"])
        self._add_up()
        problem, self.names = first, names
        high, low = (self.problems.term(side, self.names) for side in (problem.large, problem.small))
        goal = node("<" if problem.strict else "<=", low, high)
        found = steps.sum_of(goal, [] if order is None else [order], [*self.areas, *self.known])
        del self.areas[before:]
        if found is None:
            raise NotWritten("a relation in other words")
        return found

    def _by_name(self, problem: Problem, document: Mapping[str, Any]) -> int:
        """small ≤ large from the same with a variable in the place of a part, which has at least the values of that variable."""
        row = document["subterm"]
        part, then = part_of(problem, row), named(problem, row)
        (name,) = set(then.box) - set(problem.box)
        least, t = self._problem(least_value(problem, part, row), row["shown"]), self.steps.fresh(name)
        step = self._assuming(then, document["then"], [], {name: t})
        moved = self.steps.write("substitution", step, terms={t: self.problems.term(part, self.names)}, functions={})
        known, self.known = self.known, [*([] if least is None else [least]), *self.known]
        try:
            return self._from_given(moved)
        finally:
            self.known = known

    def _by_a_moving_end(self, problem: Problem, document: Mapping[str, Any], whole: Problem | None = None) -> int:
        """small ≤ large by the derivative of an integral in its end, also where the range of that end is closed."""
        moving = moving_end(problem)
        if whole is not None and moving.side == 1:
            rows = dict(zip(map(mark_of, moving.slope().faces()), document["slope"]["parts"], strict=True))
            moving = replace(moving, problem=replace(moving.problem, box=whole.box))
            document = {**document, "slope": {**document["slope"], "parts": [rows.get(mark_of(f), {}) for f in moving.slope().faces()]}}

        def given(step: int, more: Sequence[int]) -> int:
            known, self.known = self.known, [*more, *self.known]
            try:
                return self._from_given(step)
            finally:
                self.known = known

        found = below_by_slope(self.problems, moving, document, self.names, self._place(), given)
        self.closed.integrals.append(self._from_given(found.integrable))
        factor, low, high = (self.problems.term(e, self.names) for e in (moving.factor, problem.small, problem.large))
        signs = [self.problems.relation(below(ZERO, factor), self._place())] if factor.free else []
        step = self.steps.sum_of(at_most(low, high), [found.equation], [*signs, *self.known], [factor])
        if step is None:
            raise NotWritten("a relation in other words")
        return self._from_given(step)

    def _in_parts(self, problem: Problem, integral: Any, row: Mapping[str, Any]) -> Whole:
        """An integral in pieces, which `_add_up` adds up."""
        x, name = self.steps.fresh("x"), integral.args[1][0].name

        def shown(part: Problem, proof: Mapping[str, Any], here: Sequence[Term]) -> int:
            names, own = {**self.names, name: x}, [self.steps.assume(h) for h in here]
            goal = node("<=", *(self.problems.term(side, names) for side in (part.small, part.large)))
            at_sight = self.steps.sum_of(goal, own[-1:], [*own, *self.known]) or self.c.search.prove(goal, [*own, *self.known])
            return self._assuming(part, proof, own, names) if at_sight is None else self._from_given(at_sight)

        return whole_of(self.problems, problem, integral, row, {**self.names, name: x}, shown, self._extreme)

    def _add_up(self) -> None:
        """The integrals in pieces whose pieces have values now."""
        while self.wholes:
            found = summed(self.problems, self.wholes[-1], lambda o: self.closed.integrable(o, self.known), self.known)
            if found is None:
                return
            self.wholes.pop()
            self._add(found)

    def _add(self, found: ClosedIntegral) -> None:
        """An integral has a value, and exists."""
        self.closed.integrals.append(self._from_given(found.integrable))
        self.areas.append(self._from_given(found.equation))

    def _by_moment(self, problem: Problem, row: Mapping[str, Any], then: Mapping[str, Any]) -> int:
        """small ≤ large with a moment in the place of a Gaussian delta that is the smaller side, or a multiple of it."""
        steps, delta = self.steps, gaussian_delta_of(problem)
        if delta is None:
            raise NotWritten("no delta of a Gaussian for a smaller side")
        weight, order = problem.small.as_coeff_Mul()[0], expression_of(row["order"], problem.box)
        bound = moment_bound(weight, delta, order, sharp=row["sharp"])
        rest = self._problem(replace(problem, small=bound), then)
        alpha, epsilon, s, d = (self.problems.term(e, self.names) for e in (order, *delta.args))
        signs = [self._follows(f) for f in (below(ZERO, s), below(ZERO, d), node("<" if row["sharp"] else "<=", ONE, alpha))]
        if None in signs or rest is None:
            raise NotWritten("a moment of an order below 1")
        shown = [k for k in signs if k is not None]
        moment = GaussianMoments(GaussianDeltas(self.c.bounds)).instance(alpha, epsilon, s, d, *shown, sharp=row["sharp"])
        high, low = (self.problems.term(side, self.names) for side in (problem.large, problem.small))
        goal = node("<" if problem.strict else "<=", low, high)
        found = steps.sum_of(goal, [rest, moment], [*shown, *self.known], [ONE, self.read.term(weight)])
        if found is None:
            raise NotWritten("a relation in other words")
        return found

    def _induction(self, problem: Problem, document: Mapping[str, Any]) -> int:
        """small ≤ large for all integers n, by induction."""
        n = self.names[document["in"]]
        names = {m: (self.names[m] if m in self.names and self.names[m].sort == "R" else self.steps.fresh(m)) for m in problem.box}
        step = by_induction(self.problems, problem, document, names, n)
        back = {names[m]: self.names[m] for m in names if m in self.names and names[m] != self.names[m] and m != document["in"]}
        if back:
            step = self.steps.write("substitution", step, terms=back, functions={})
        whole = {**{m: self.names.get(m, t) for m, t in names.items()}, document["in"]: n}
        high, low = self.problems.term(problem.large, whole), self.problems.term(problem.small, whole)
        order = self.steps.sum_of(node("<" if problem.strict else "<=", low, high), [step])
        if order is None:
            raise NotWritten("a relation in other words")
        return self._from_given(order)

    def _from_given(self, step: int) -> int:
        """Hypotheses about ranges from what is given, as far as they follow; premises of cases stay."""
        missing = [h for h in self.steps.write.steps[step].hypotheses if h not in self.given]
        shown = []
        for h in missing:
            found = self._follows(h)
            if found is not None:
                shown.append(found)
        return self.steps.write("cut", step, *shown) if shown else step

    def _follows(self, h: Term, extra: Sequence[int] = ()) -> int | None:
        known = [*self.known, *extra]
        for k in known:
            if self.steps.formula(k) == h:
                return k
        for by in ([], *([k] for k in known)):
            found = self.steps.attempt("linear", *by, *known, formula=h, multipliers=[ONE] * len(by))
            if found is not None:
                return found
        if self.quantiles.places and (found := self.quantiles.sign(h, known)) is not None:
            return found
        if (found := self._least_rounded(h)) is not None:
            return found
        for k in known:
            f = self.steps.formula(k)
            if f.tag == "<" and f.parts[0].sort == f.parts[1].sort == "Z":
                next_ = self.steps.attempt("next_integer", k)
                found = None if next_ is None else self.steps.attempt("linear", next_, formula=h, multipliers=[ONE])
                if found is not None:
                    return found
        try:
            place = self._place(extra)
            if len(h.parts) == 2 and h.tag in ("<=", "<"):
                goal = h if h.parts[0] == ZERO else sign_of(minus(h.parts[1], h.parts[0]), strict=h.tag == "<")
                return self.steps.weaker(h, self.problems.relation(goal, place))
        except (NotWritten, Refused):
            pass
        found = self._by_a_bound(h, known)
        return self.c.search.prove(h, known) if found is None else found

    def _least_rounded(self, h: Term) -> int | None:
        """c ≤ x for a whole number c and a rounding x of z, where c ≤ z: c − 1 < x then."""
        steps = self.steps
        for e, (x, said) in self.roundings.items() if h.tag == "<=" and value(h.parts[0]) is not None else ():
            if h.parts[1] != x:
                continue
            with suppress(NotWritten, Refused):
                least = self.problems.relation(at_most(ZERO, minus(self.read.term(e.args[0]), h.parts[0])), self._place())
                order = steps.sum_of(below(minus(h.parts[0], ONE), x), [least, steps.assume(said[isinstance(e, sympy.floor)])])
                return None if order is None else steps.weaker(h, steps.write("next_integer", order))
        return None

    def _by_a_bound(self, h: Term, known: Sequence[int]) -> int | None:
        """a ≤ c from a premise a ≤ b, where b ≤ c by the ranges of variables; also where c ≤ a."""
        steps, place = self.steps, self._place()
        for k in known if h.tag in ("<=", "<") else ():
            f = steps.formula(k)
            if f.tag not in ("<=", "<") or value(f.parts[0]) is not None or value(f.parts[1]) is not None:
                continue
            for side in (0, 1):
                if f.parts[side] == h.parts[side]:
                    gap = minus(h.parts[1], f.parts[1]) if side == 0 else minus(f.parts[0], h.parts[0])
                    try:
                        return steps.sum_of(h, [k, self.problems.relation(sign_of(gap, strict=h.tag == "<"), place)])
                    except (NotWritten, Refused):
                        continue
        return None

    def _place(self, extra: Sequence[int] = ()) -> WritingPlace:
        """What is given about the ends of variables."""
        found: dict[str, Variable] = {}
        for name, v in self.names.items():
            own = Variable(v)
            for k in (*self.known, *extra):
                f = self.steps.formula(k)
                if f.tag not in ("<=", "<"):
                    continue
                a, b = f.parts
                if b == v and (q := value(a)) is not None and (own.low is None or q > own.low or q == own.low and f.tag == "<"):
                    own = Variable(v, q, own.high, k, own.below_high)
                if a == v and (q := value(b)) is not None and (own.high is None or q < own.high or q == own.high and f.tag == "<"):
                    own = Variable(v, own.low, q, own.above_low, k)
            found[name] = own
        return WritingPlace(found, facts=(*self.known, *extra))

    # --- the claim

    def _formula(self, goal: Term, shown: Sequence[int], extra: Sequence[int] = ()) -> int:
        """The claim from what was shown of its cases."""
        if goal.tag == "and":
            return self.steps.write("conjunction", *(self._formula(part, shown, extra) for part in goal.parts))
        if goal.tag == "=":
            a, b = goal.parts
            up, down = (self._formula(at_most(*pair), shown, extra) for pair in ((a, b), (b, a)))
            return self.steps.write("antisymmetric", up, down)
        if goal.tag not in ("<=", "<"):
            raise NotWritten("a statement of another kind", goal.tag)
        try:
            return self._by_cases(goal, shown, list(extra), list(self.equations))
        except NotWritten:
            found = self._below_a_maximum(goal, shown)
            if found is None:
                raise
            return found

    def _below_a_maximum(self, goal: Term, shown: Sequence[int]) -> int | None:
        """s ≤ max(a, b) from s ≤ a where 0 ≤ d, and s ≤ b where 0 ≤ −d."""
        steps, (small, high) = self.steps, goal.parts
        if high.tag != "max" or goal.tag != "<=":
            return None
        bounds = maximum(steps.write, *high.parts)
        sides = {a: steps.write("part", bounds, number=k) for k, a in enumerate(high.parts)}
        cases = [(k, b) for k in shown for a, b in sides.items() if steps.formula(k) == at_most(small, a)]
        own = [(steps.write("linear", k, b, formula=goal, multipliers=[ONE, ONE]), k) for k, b in cases]
        for (first, k), (second, j) in combinations(own, 2):
            (f, *_), (g, *_) = ([h for h in steps.write.steps[i].hypotheses if h not in self.given] or [goal] for i in (k, j))
            split = steps.write("total_order", left=f.parts[0], right=f.parts[1])
            under = steps.attempt("linear", steps.assume(steps.formula(split).parts[1]), formula=g, multipliers=[ONE])
            if under is not None:
                return self._from_given(steps.write("cases", split, first, steps.write("cut", second, under)))
        return None

    def _by_cases(
        self, goal: Term, shown: Sequence[int], extra: list[int], equations: list[int], among: Container[Term] | None = None
    ) -> int:
        if not shown:
            plain = self.steps.attempt("linear", *self.known, *extra, formula=goal, multipliers=[])
            if plain is not None:
                return plain
        for k in shown:
            found = self._from_case(goal, k, extra, equations)
            if found is not None:
                return found
        decided = {self.steps.formula(e).parts[0] for e in equations}
        t = next((s for s in _inner(goal) if s not in decided and (among is None or s in among)), None)
        if t is None:
            return self._at_sight(goal, extra, equations)
        steps = self.steps
        if t.tag == "abs":
            pair = (ZERO, t.parts[0])
        elif t.tag in ("max", "min"):
            pair = t.parts  # type: ignore[assignment]
        else:
            return self._by_branch(goal, t, shown, extra, equations)
        split = steps.write("total_order", left=pair[0], right=pair[1])
        branches = []
        for f in steps.formula(split).parts:
            here = steps.assume(f)
            weak = here if f.tag == "<=" else steps.sum_of(at_most(*f.parts), [here])
            assert weak is not None
            more = [self._extreme(t, weak)]
            branch = self._by_cases(goal, shown, [*extra, here, weak], [*equations, *more], among)
            branches.append(self._without(branch, steps.formula(weak), weak))
        return steps.write("cases", split, *branches)

    def _at_sight(self, goal: Term, extra: Sequence[int], equations: Sequence[int]) -> int:
        """A case that needs no descent."""
        try:
            return self.c.prove(goal, [*equations, *self.known, *extra])
        except (NotWritten, Refused) as why:
            raise NotWritten("a case that is not there") from why

    def _without(self, step: int, formula: Term, by: int) -> int:
        """A step with a hypothesis shown from others."""
        if formula in self.steps.write.steps[step].hypotheses and self.steps.write.steps[by].hypotheses != {formula}:
            return self.steps.write("cut", step, by)
        return step

    def _extreme(self, t: Term, order: int) -> int:
        """What |a|, max(a, b) or min(a, b) is under an order."""
        steps = self.steps
        if t.tag == "abs":
            a = t.parts[0]
            if steps.formula(order) == at_most(ZERO, a):
                return steps.write("part", steps.write("absolute", order), number=0)
            turned = steps.sum_of(at_most(ZERO, times_minus(a)), [order])
            assert turned is not None
            both = steps.write("absolute", turned)
            goal = node("=", t, times_minus(a))
            for k in (1, 0):
                part = steps.write("part", both, number=k)
                found = steps.attempt("ring", part, formula=goal) or steps.attempt("ring", part, order, formula=goal)
                if found is not None:
                    return found
            raise NotWritten("an absolute value")
        both = steps.write("larger", order)
        goal_side = None
        for k in range(4):
            part = steps.write("part", both, number=k)
            if steps.formula(part).parts[0] == t:
                goal_side = part
        if goal_side is None:
            raise NotWritten("a maximum")
        return goal_side

    def _by_branch(self, goal: Term, t: Term, shown: Sequence[int], extra: list[int], equations: list[int]) -> int:
        """By the condition of a case distinction."""
        steps = self.steps
        condition, then, other = t.parts
        split = steps.write("excluded_middle", formula=condition)
        branches = []
        for f in steps.formula(split).parts:
            here = steps.assume(f)
            equation = steps.write("branch", here, then=then, other=other)
            more = [here]
            if f.tag == "not" and f.parts[0].tag in ("<=", "<"):
                more.append(self._opposite(f, here))
            elif f.tag == "and":
                more = self.c.search.opened(here)
            branch = self._by_cases(goal, shown, [*extra, *more], [*equations, equation])
            for k in more:
                branch = self._without(branch, steps.formula(k), k)
            branches.append(branch)
        return steps.write("cases", split, *branches)

    def _opposite(self, f: Term, here: int) -> int:
        """b < a from ¬ a ≤ b, and b ≤ a from ¬ a < b."""
        steps = self.steps
        a, b = f.parts[0].parts
        strict = f.parts[0].tag == "<"
        goal = at_most(b, a) if strict else below(b, a)
        split = steps.write("total_order", left=b, right=a) if strict else steps.write("total_order", left=a, right=b)
        own, wrong = steps.formula(split).parts if strict else steps.formula(split).parts[::-1]
        bad = steps.write("absurd", steps.assume(wrong), here, formula=goal)
        good = steps.assume(own)
        order = [good, bad] if strict else [bad, good]
        return steps.write("cases", split, *order)

    def _from_case(self, goal: Term, step: int, extra: Sequence[int], equations: Sequence[int]) -> int | None:
        """The claim from one case, where its premises hold."""
        steps = self.steps
        f = steps.formula(step)
        if f.tag == "<=" and goal.tag == "<":
            return None
        if f == goal:
            found: int | None = step
        elif not equations and not extra:
            found = steps.sum_of(goal, [step], self.known)
        else:
            found = steps.attempt("linear", step, *equations, formula=goal, multipliers=[ONE])
            for facts in ((*equations, *self.known, *extra), (*self.known, *extra, *equations)):
                found = steps.attempt("linear", step, *facts, formula=goal, multipliers=[ONE]) if found is None else found
        if found is None:
            return None
        left = [h for h in steps.write.steps[found].hypotheses if h not in self.given and h not in {steps.formula(k) for k in extra}]
        shown = []
        for h in left:
            by = self._follows(h, [*extra, *equations])
            if by is None:
                return None
            shown.append(by)
        return steps.write("cut", found, *shown) if shown else found

    # --- definedness

    def _positive(self, t: Term, place: WritingPlace) -> int:
        """0 < a for a product or a power, factor by factor: the rules of arithmetic may see 0 < b, but not that 1/b is positive then."""
        if t.tag not in ("*", "^"):
            return self.problems.relation(below(ZERO, t), place)
        names = [variable(f"{n}_", "R") for n in "uv"[: len(t.parts)]]
        lemma = self.steps.write(
            "sign", *(self.steps.assume(below(ZERO, u)) for u in names), formula=below(ZERO, node(t.tag, *names, data=t.data))
        )
        shown = [self._positive(part, place) for part in t.parts]
        return self.c.library.instance(lemma, dict(zip(names, t.parts, strict=True)), *shown)

    def _defined(self, o: Term) -> int:
        """What must be shown to be defined."""
        place = self._place()
        place = place.holding(*map(self._from_given, self.problems.shown_signs))
        if o.tag == "not" and o.parts[0].tag == "=" and o.parts[0].parts[1] == ZERO:
            a = o.parts[0].parts[0]
            for side in (a, times_minus(a)):
                try:
                    shown = self.problems.relation(below(ZERO, side), place)
                except (NotWritten, Refused):
                    continue
                found = self.steps.attempt("sign", shown, formula=o)
                if found is not None:
                    return found
        elif o.tag == "or" and o.parts[0].tag == "<":
            for part in o.parts:
                if part.tag == "and":
                    try:
                        both = [self._by_tangents(p) or self.problems.relation(p, place) for p in part.parts]
                        return self.steps.write("alternative", self.steps.write("conjunction", *both), formula=o)
                    except (NotWritten, Refused):
                        continue
                try:
                    return self.steps.write("alternative", self.problems.relation(part, place), formula=o)
                except (NotWritten, Refused):
                    continue
        elif o.tag == "all" and (x := variable(str(self.steps.fresh("x").data[0]), binder_sort(o))):
            return self.steps.write("generalize", self._defined(instantiate(o.parts[0], x)), variable=x)
        elif o.tag == "integrable":
            if (found := self.closed.integrable(o, self.known)) is not None:
                return self._from_given(found)
        elif o.tag in ("<=", "<"):
            with suppress(NotWritten, Refused):
                return self.problems.relation(o, place)
            found = self.steps.attempt("linear", *self.known, *self.equations, formula=o, multipliers=[])
            if found is None and o.parts[0] == ZERO and o.parts[1].tag == "*":
                with suppress(NotWritten, Refused):
                    found = self.steps.weaker(o, self._positive(o.parts[1], place))
            if found is not None:
                return self._from_given(found)
        reached = self.extrema.reached(o)
        found = self.c.search.prove(o, self.known) if reached is None else self._from_given(reached)
        if found is None and o.tag == "->":  # a later part of a conjunction, under those before
            found = self._discharged(self._defined(o.parts[1]), [o.parts[0]])
        if found is None:
            raise NotWritten("what must be defined", o.tag)
        return found

    def _by_tangents(self, o: Term) -> int | None:
        """0 ≤ Σ p·log(p/q) for masses p and q with one sum, by −p·log(p/q) ≤ q − p."""
        quotients = list(dict.fromkeys(t.parts[0] for t in subterms(o) if t.tag == "log" and t.parts[0].tag == "*"))
        rows = [self.steps.write("exp_above", term=negative(node("log", t))) for t in quotients]
        found = self.steps.attempt("linear", *rows, *self.known, formula=o, multipliers=[t.parts[0] for t in quotients]) if rows else None
        return None if found is None else self._from_given(found)


def times_minus(a: Term) -> Term:
    """−a."""
    return node("*", number(-1), a)


def _inner(t: Term) -> list[Term]:
    """Absolute values, extrema of two numbers and case distinctions, the inner ones first."""
    found = [s for part in t.parts for s in _inner(part)]
    return list(dict.fromkeys([*found, t] if t.tag in ("abs", "max", "min", "ite") and not t.loose else found))


__all__ = ["variable", "substitute"]
