"""What is known at one place of a claim about families, and steps about symbols as steps about the entries and sums they stand for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import sympy

from dpbounds.compile.families.entries import entries_in, places_of
from dpbounds.compile.families.longer_sums import least_rest, without_rests
from dpbounds.compile.families.statement import FamilyStatement
from dpbounds.compile.one_term import OneTerm
from dpbounds.compile.steps import NotWritten
from dpbounds.compile.trials import vanishes
from dpbounds.kernel.terms import ONE, ZERO, Term, at_most, below, instantiate, node, substitute
from dpbounds.language.quantifiers import ForAll
from dpbounds.language.substitution import parts_of_and
from dpbounds.language.typed.checker_terms import NotRead


class AtPlace(FamilyStatement):
    """A claim about families with the facts at one place."""

    def facts(self) -> list[tuple[Any, int]]:
        """What is known of entries, sums and parameters, in symbols, each with a step."""
        steps = self.steps
        found: list[tuple[Any, Term | None]] = []
        for premise in self.premises:
            if isinstance(premise, ForAll):
                body = premise.body.xreplace({premise.variable: self.i})
                if (extra := self._extra(premise)) is not None:
                    self._imply(extra, body)
                    continue
                found += [(self.relation_at(r), None) for r in parts_of_and(body) if isinstance(r, sympy.core.relational.Relational)]
            elif isinstance(premise, sympy.core.relational.Relational) and not isinstance(premise, sympy.Eq):
                relation = self.relation_at(premise)
                if relation is not None and not vanishes(relation.gts - relation.lts - sympy.Add(*self._more)):
                    found.append((relation, None))
        for s, v in self.symbols.items():
            if v.sort == "Z" and s.is_positive:
                found.append((sympy.Ge(s, 1, evaluate=False), at_most(ONE, v)))
            elif s.is_positive or s.is_nonnegative:
                relation = sympy.Gt if s.is_positive else sympy.Ge
                found.append((relation(s, 0, evaluate=False), below(ZERO, v) if s.is_positive else at_most(ZERO, v)))
        reader = OneTerm(steps, self.symbols, ()).read
        result = []
        for relation, formula in found:
            if relation is None:
                continue
            try:
                own = steps.assume(reader.formula(relation) if formula is None else formula)
            except NotRead:
                continue
            result += [(relation, own), *self.sides_of_absolute(relation, own)]
        return [*result, *(f for relation, _ in result if (f := without_rests(self, relation)) is not None)]

    def _extra(self, premise: ForAll) -> Any:
        """What a premise at every place asks for besides the range."""
        parts = [c.xreplace({premise.variable: self.i}) for c in parts_of_and(premise.condition)]
        return next((c for c in parts if c.has(sympy.Indexed)), None)

    def _imply(self, condition: Any, body: Any) -> None:
        """0 < p → 0 < q at one place, for a branch in which a mass is positive."""
        left, right = self.relation_at(condition), self.relation_at(body)
        reader = OneTerm(self.steps, self.symbols, ()).read
        try:
            a, b = reader.formula(left), reader.formula(right)
        except NotRead:
            return
        entry = a, sympy.Lt(right.lts, right.gts, evaluate=False), node("->", a, b)
        if entry not in self.implied:
            self.implied.append(entry)

    def relation_at(self, r: Any) -> Any:
        """A relation in symbols; None where it is not read."""
        try:
            return type(r)(*map(self.in_symbols, r.args), evaluate=False)
        except (NotWritten, NotRead):
            return None

    def fact(self, relation: Any, step: int) -> tuple[Any, int]:
        """A relation between symbols, assumed; the step shows it for the entries and sums that they stand for."""
        formula = OneTerm(self.steps, self.symbols, ()).read.formula(relation)
        self.at_place[self.valued(formula)] = self.steps.weaker(self.valued(formula), step)
        return relation, self.steps.assume(formula)

    def facts_there(self) -> list[int]:
        """What was found for a place, in the claim's own parameters."""
        return [self.returned(k) for k in self.at_place.values()]

    def sides_of_absolute(self, relation: Any, step: int) -> Iterator[tuple[Any, int]]:
        """u ≤ c and −u ≤ c, where the step says |u| ≤ c."""
        if not isinstance(relation.lts, sympy.Abs):
            return
        reader, inside = OneTerm(self.steps, self.symbols, ()).read, relation.lts.args[0]
        bounds = self.steps.write.absolute_bounds(reader.term(relation.lts).parts[0])
        for side, bound in zip((inside, -inside), bounds, strict=True):
            weaker = sympy.Le(side, relation.gts, evaluate=False)
            found = self.steps.sum_of(reader.formula(weaker), [step, bound])
            if found is not None:
                yield weaker, found

    def anywhere(self, shown: int) -> int | None:
        """A step about symbols of sums and single places as one about what they stand for, under the premises alone."""
        within, self.within = self.within, []
        try:
            return self.in_values(shown)
        finally:
            self.within = within

    def in_values(self, shown: int) -> int | None:
        """A step about symbols as one about entries and sums, under the premises and the range of the place."""
        used = self.steps.write.steps[shown]
        free = used.formula.free.union(*(f.free for f in used.hypotheses))
        values = {v: t for v, t in self.values.items() if v in free}
        values = {v: substitute(t, self.values) for v, t in values.items()}
        step = self.steps.write("substitution", shown, terms=values, functions={})
        proofs = []
        for f in self.steps.write.steps[step].hypotheses:
            if f in self.given:
                continue
            found = self.hypothesis(f)
            if found is None:
                return None
            proofs.append(found)
        return self.steps.write("cut", step, *proofs) if proofs else step

    def hypothesis(self, f: Term) -> int | None:
        """A premise at one place, or the sign of a sum."""
        steps = self.steps
        if f in self.at_place:
            return self.at_place[f]
        for k in [*self.known, *self.within]:
            if steps.formula(k) == f:
                return k
        for k in self.known:
            if steps.formula(k).tag == "all" and (found := self._special(k, f)) is not None:
                return found
        found = steps.attempt("sign", *self.known, *self.within, formula=f) if f.tag in ("<=", "<") and f.parts[0] == ZERO else None
        found = found if found is not None else steps.attempt("linear", *self.known, formula=f, multipliers=[])
        if found is None:
            found = next(
                (
                    x
                    for k in self.known
                    if steps.formula(k).tag in ("=", "<=", "<") and (x := steps.sum_of(f, [k], self.splits)) is not None
                ),
                None,
            )
        return found if found is not None else self.nonnegative_sum(f)

    def _special(self, k: int, f: Term) -> int | None:
        """∀i (A → F) at the places that f speaks of."""
        steps = self.steps
        for t in places_of(f):
            step = steps.attempt("specialize", k, at=t)
            while step is not None and steps.formula(step).tag == "->" and steps.formula(step) != f:
                condition = self.short(steps.formula(step).parts[0])
                step = None if condition is None else steps.attempt("detach", step, condition)
            if step is None:
                continue
            for part in self.search.opened(step):
                if steps.formula(part) == f:
                    return part
                if steps.formula(part).tag in ("<=", "<") and (found := steps.sum_of(f, [part])) is not None:
                    return found
        return None

    def short(self, condition: Term, *, anywhere: bool = False) -> int | None:
        """A condition on a place, from the premises and, unless it holds anywhere, from the range of the place."""
        steps, known = self.steps, [*([] if anywhere else self.within), *self.known]
        for k in known:
            if steps.formula(k) == condition:
                return k
        for k in self.within if self.rests else []:
            if (found := steps.sum_of(condition, [k, self.order])) is not None:
                return found
        for by in ([], *([k] for k in known if steps.formula(k).tag in ("<=", "<"))):
            found = steps.attempt("linear", *by, *known, formula=condition, multipliers=[ONE] * len(by))
            if found is not None:
                return found
        return None

    def nonnegative(self, t: Term, kinks: Sequence[int] = ()) -> int | None:
        """0 ≤ t for a term at one place, by the signs of its entries and what is known of its kinks."""
        signs = [k for e in entries_in(t) if (k := self.hypothesis(at_most(ZERO, e))) is not None]
        return self.steps.attempt("sign", *signs, *kinks, *self.known, formula=at_most(ZERO, t))

    def nonnegative_sum(self, f: Term) -> int | None:
        """0 ≤ Σ t, from 0 ≤ t."""
        if f.tag != "<=" or f.parts[0] != ZERO or f.parts[1].tag != "sum":
            return None
        if self.rests and (found := least_rest(self, f)) is not None:
            return found
        steps, (low, high, body) = self.steps, f.parts[1].parts
        signs = [k for e in entries_in(instantiate(body, self.at)) if (k := self.hypothesis(at_most(ZERO, e))) is not None]
        least = steps.attempt("sign", *signs, *self.known, formula=at_most(ZERO, instantiate(body, self.at)))
        added = None if least is None else steps.attempt("sum_termwise", least, variable=self.at, low=low, high=high)
        return None if added is None else steps.sum_of(f, [added], self.known)

    def signs(self) -> list[int]:
        """The signs of the sums."""
        found = []
        for t in self.totals.values():
            for f in (below(ZERO, t.term), at_most(ZERO, t.term)):
                f = substitute(f, self.values)
                step = self.steps.attempt("sign", *self.known, formula=f)
                if (step := step if step is not None else self.nonnegative_sum(f)) is not None:
                    found.append(step)
                    break
        return found
