"""One statement from another that says the same in other words, by rules of the proof checker alone: nothing here is trusted.

A document proves a statement in the words of whoever wrote it, such as 2·(x + y) ≤ z. A claim says it as it was typed, such as
2·x + 2·y ≤ z. What is made here is a sequent of the checker, so it holds whatever this file does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial, reduce
from itertools import count
from typing import Any

from dpbounds.kernel.definedness import inside
from dpbounds.kernel.polynomials import Budget
from dpbounds.kernel.sequents import RULES, Sequent
from dpbounds.kernel.terms import (
    BINDERS,
    ONE,
    ZERO,
    Refused,
    Term,
    at_most,
    below,
    binder_sort,
    equal,
    instantiate,
    node,
    number,
    plus,
    power,
    times,
    unequal,
    variable,
)

WORK = 40_000
"""Work for one step."""
STEPS = 400
"""Rules of the normal form that one restatement may try."""
_MINUS = number(-1)
_DEEP = 6
"""Conditions and quantifiers inside one another that are followed."""
_NEAR = 8
"""Formulas of about the size of the wanted one that are looked at."""
_fresh = (f"%w{k}" for k in count())
"""No premise has such a name."""


def rule(name: str, *premises: Sequent, **given: Any) -> Sequent:
    """What a rule of the checker concludes.

    Raises:
        Refused: it does not apply.
    """
    extra = {"budget": Budget(WORK)} if "budget" in RULES[name].__annotations__ else {}
    return RULES[name](list(premises), **given, **extra)


def hypotheses(formulas: Iterable[Term]) -> list[Sequent]:
    """Formulas that are given, conjunctions in parts."""
    return opened(rule("hypothesis", formula=f) for f in formulas)


def opened(sequents: Iterable[Sequent]) -> list[Sequent]:
    """The parts of conjunctions apart."""
    found: list[Sequent] = []
    for s in sequents:
        if s.formula.tag != "and":
            found.append(s)
        else:
            found += opened(rule("part", s, number=k) for k in range(len(s.formula.parts)))
    return found


def without(s: Sequent, shown: Sequence[Sequent]) -> Sequent:
    """A sequent without the hypotheses that others show."""
    for other in shown:
        if other.formula in s.hypotheses:
            s = rule("detach", rule("discharge", s, formula=other.formula), other)
    return s


def _differences(a: Term, b: Term) -> Iterator[tuple[Term, Term]]:
    """Pairs of terms that stand at the same place in both."""
    if a.tag != b.tag or a.data != b.data or len(a.parts) != len(b.parts):
        return
    for x, y in zip(a.parts, b.parts, strict=True):
        if x != y and x.sort == "F":
            yield from _differences(x, y)
        elif x != y and not x.loose and not y.loose:
            yield x, y


def _product_not_zero(a: Sequent, b: Sequent) -> Sequent:
    """a·b ≠ 0 from a ≠ 0 and b ≠ 0: else a would be (a·b)/b = 0."""
    x, y = (s.formula.parts[0].parts[0] for s in (a, b))
    zero = equal(times(x, y), ZERO)
    first = rule("linear", rule("hypothesis", formula=zero), b, formula=equal(x, ZERO), multipliers=[power(y, -1)])
    never = rule("absurd", first, a, formula=node("not", zero))
    return rule("cases", rule("excluded_middle", formula=zero), never, rule("hypothesis", formula=node("not", zero)))


def simplified(s: Sequent, known: Sequence[Sequent]) -> Sequent:
    """What a document has shown, without conditions that are known, a variable that it does not speak of, and an alternative that fails."""
    while True:
        if s.formula.tag == "->" and (own := next((k for k in known if k.formula == s.formula.parts[0]), None)):
            s = rule("detach", s, own)
        elif s.formula.tag == "all" and not s.formula.parts[0].loose:
            s = rule("specialize", s, at=ZERO)
        elif s.formula.tag == "or" and len(s.formula.parts) == 2 and (never := _impossible(*s.formula.parts[::-1])):
            return rule("cases", s, rule("hypothesis", formula=s.formula.parts[0]), never)
        else:
            return s


def not_negative(s: Sequent) -> list[Sequent]:
    """0 ≤ a, from 0 < a or (0 ≤ a and …), which a root of a asks for."""
    if s.formula.tag != "or" or s.formula.parts[0].tag != "<" or s.formula.parts[0].parts[0] != ZERO or len(s.formula.parts) != 2:
        return []
    goal = at_most(*s.formula.parts[0].parts)
    first, *others = (hypotheses([way]) for way in s.formula.parts)
    if goal != others[0][0].formula:
        return []
    return [rule("cases", s, rule("linear", *first, formula=goal, multipliers=[ONE]), others[0][0])]


def _impossible(way: Term, goal: Term) -> Sequent | None:
    """Anything, from 0 < a or 0 ≤ a for a number a for which it is false.

    a > 0 or (a ≥ 0 and 0 < −1/2), which a^{−1/2} asks for, is a > 0.
    """
    for s in hypotheses([way]):
        if s.formula.tag in ("<=", "<") and not s.formula.free:
            with suppress(Refused):
                nothing = rule("linear", s, formula=below(ZERO, ZERO), multipliers=[ONE])
                return rule("absurd", nothing, rule("irreflexive", term=ZERO), formula=goal)
    return None


def _closed(t: Term) -> list[Term]:
    """The largest parts without loose variables that the normal form may take as they stand."""
    if t.tag in ("sum", "line", "abs", "max", "min", "exp", "log", "pow") and not t.loose:
        return [t]
    return [found for part in t.parts for found in _closed(part)] if t.tag in ("+", "*", "^") else []


def _of_products(t: Term) -> list[Term]:
    """The logarithms, powers and exponentials of logarithms in a term, inner ones first."""
    found = [x for part in t.parts for x in _of_products(part)]
    return [*found, t] if (t.tag in ("log", "pow") or t.tag == "exp" and t.parts[0].tag == "log") and not t.loose else found


def _factors(t: Term) -> list[tuple[Term, int]]:
    """The factors of a term as it is written, with their powers."""
    if t.tag == "*":
        return [factor for part in t.parts for factor in _factors(part)]
    return [(x, n * t.data[0]) for x, n in _factors(t.parts[0])] if t.tag == "^" and type(t.data[0]) is int else [(t, 1)]


def _with(same: Sequent, s: Sequent) -> Sequent:
    """A sequent with b for a, from a = b."""
    return rule("rewrite", s, same)


def _relevant(known: Iterable[Sequent], wanted: Term) -> list[Sequent]:
    """Relations and negations that speak of nothing else."""
    return [s for s in known if s.formula.tag in ("<=", "<", "=", "not") and s.formula.free <= wanted.free]


class Restating:
    """A search for restatements with a bound on its work.

    Args:
        steps: rules of the normal form that may be tried.
    """

    def __init__(self, steps: int = STEPS) -> None:
        self.steps = steps

    def attempt(self, name: str, *premises: Sequent, **given: Any) -> Sequent | None:
        """What a rule concludes, None where it does not apply or no work is left."""
        self.steps -= name in ("ring", "linear")
        try:
            return rule(name, *premises, **given) if self.steps >= 0 else None
        except Refused:
            return None

    def restated(self, s: Sequent, goal: Term, known: list[Sequent], deep: int = _DEEP) -> Sequent | None:
        """A formula from one that says the same, with what is known of signs."""
        if s.formula == goal:
            return s
        if goal.tag == "and":
            parts = [next(filter(None, (self.restated(o, part, known, deep) for o in opened([s]))), None) for part in goal.parts]
            return None if None in parts else rule("conjunction", *(part for part in parts if part is not None))
        if not deep:
            return None
        if goal.tag == "all":
            return self._for_all(s, goal, known, deep - 1)
        if goal.tag == "->":
            condition, then = goal.parts
            inner = self.restated(s, then, [*known, *hypotheses([condition])], deep)
            return None if inner is None else rule("discharge", inner, formula=condition)
        if s.formula.tag == "all" and not s.formula.parts[0].loose:
            return self.restated(rule("specialize", s, at=ZERO), goal, known, deep - 1)
        if s.formula.tag == "->":
            own = self.shown(s.formula.parts[0], known, deep - 1)
            return None if own is None else self.restated(rule("detach", s, own), goal, known, deep)
        if s.formula.tag == "or":
            same = self._rewritten(s, goal, known) if goal.tag == "or" else None
            return same or self._by_cases(s, goal, known, deep - 1)
        if s.formula.tag == "and":
            return next((found for part in opened([s]) if (found := self.restated(part, goal, known, deep - 1)) is not None), None)
        if goal.tag == "or":
            one = next((found for way in goal.parts if (found := self.restated(s, way, known, deep - 1)) is not None), None)
            return None if one is None else rule("alternative", one, formula=goal)
        facts = _relevant(known, goal)
        for sign in ("1", "-1") if s.formula.tag == "=" else ("1",) if s.formula.tag in ("<=", "<") else ():
            for more in ([], facts) if goal.tag in ("=", "<=", "<") else ():
                found = self.attempt("linear", s, *more, formula=goal, multipliers=[number(sign)])
                if found is not None:
                    return found
        if goal.tag in ("<=", "<", "not") and (found := self.attempt("ring", s, *facts, formula=goal)) is not None:
            return found
        if s.formula.tag != goal.tag:
            return None
        return self._integrable(s, goal, known) if goal.tag == "integrable" else self._rewritten(s, goal, known)

    def _for_all(self, s: Sequent, goal: Term, known: list[Sequent], deep: int) -> Sequent | None:
        x = variable(next(_fresh), binder_sort(goal))
        if s.formula.tag == "all":
            if binder_sort(s.formula) not in ("R", x.sort):
                return None
            s = rule("specialize", s, at=x)
        inner = self.restated(s, instantiate(goal.parts[0], x), known, deep)
        return None if inner is None else self.attempt("generalize", inner, variable=x)

    def _by_cases(self, s: Sequent, goal: Term, known: list[Sequent], deep: int) -> Sequent | None:
        """Of each alternative, or it fails."""
        ways = [_impossible(way, goal) or self.restated(rule("hypothesis", formula=way), goal, known, deep) for way in s.formula.parts]
        return None if None in ways else rule("cases", s, *(way for way in ways if way is not None))

    def _integrable(self, s: Sequent, goal: Term, known: list[Sequent]) -> Sequent | None:
        both = self._functions_equal(s.formula, goal, known)
        return None if both is None else rule("detach", rule("part", both, number=1), s)

    def _rewritten(self, s: Sequent, goal: Term, known: list[Sequent]) -> Sequent | None:
        """Parts that differ are exchanged, one after the other."""
        while s.formula != goal:
            pair = next(_differences(s.formula, goal), None)
            after = None if pair is None else self._exchanged(s, *pair, known)
            if after is None:
                return None
            s = after
        return s

    def _exchanged(self, s: Sequent, a: Term, b: Term, known: list[Sequent]) -> Sequent | None:
        found = self.equality(a, b, known)
        after = None if found is None else rule("rewrite", s, found)
        return None if after is None or after.formula == s.formula else after

    def equality(self, a: Term, b: Term, known: list[Sequent]) -> Sequent | None:
        """a = b: by the normal form, by the cases of |·|, max and min, or part by part."""
        if (found := self._plainly(a, b, known)) is not None:
            return found
        if (t := next((t for t in (*_closed(a), *_closed(b)) if t.tag in ("abs", "max", "min")), None)) is not None:
            split = rule("total_order", left=t.parts[-2] if len(t.parts) > 1 else ZERO, right=t.parts[-1])
            ways = [self._plainly(a, b, [*hypotheses([way]), *known]) for way in split.formula.parts]
            if None not in ways:
                return rule("cases", split, *(way for way in ways if way is not None))
        if a.tag != b.tag or a.data != b.data or len(a.parts) != len(b.parts) or not a.parts:
            return None
        if a.tag in BINDERS:
            return self._binders_equal(a, b, known)
        return (self._turned(a, b, known) if a.tag == "abs" else None) or self._parts_equal(a, b, known)

    def _plainly(self, a: Term, b: Term, known: list[Sequent]) -> Sequent | None:
        """a = b by the normal form, also with other words for what that takes as it stands."""
        goal = equal(a, b)
        for more in ([], _relevant(known, goal)):
            if (found := self.attempt("ring", *more, formula=goal)) is not None:
                return found
        found = self._aligned(a, b, known) if {a.tag, b.tag} & {"+", "*", "^"} else None
        return self._with_factors_apart(a, b, known) if found is None else found

    def _turned(self, a: Term, b: Term, known: list[Sequent]) -> Sequent | None:
        """|u| = |v| where u = −v."""
        (u,), (v,) = a.parts, b.parts
        opposite = self.equality(u, times(_MINUS, v), known)
        first = None if opposite is None else self._after(a, lambda s: rule("rewrite", s, opposite))
        if first is None:
            return None
        x = variable(next(_fresh), "R")
        sides = equal(node("abs", times(_MINUS, x)), node("abs", x))
        split = rule("total_order", left=ZERO, right=x)
        same = rule("cases", split, *(rule("ring", *hypotheses([way]), formula=sides) for way in split.formula.parts))
        second = rule("specialize", rule("generalize", same, variable=x), at=v)
        return self.attempt("linear", first, second, formula=equal(a, b), multipliers=[ONE, ONE])

    def _aligned(self, a: Term, b: Term, known: list[Sequent]) -> Sequent | None:
        """What the normal form takes as it stands, such as a sum, is exchanged first."""
        theirs, steps = _closed(b), []
        for x in _closed(a):
            if x not in theirs:
                found = next((e for y in theirs if y.tag == x.tag and (e := self.equality(x, y, known)) is not None), None)
                if found is None:
                    return None
                steps.append(found)
        s = self._after(a, lambda s: reduce(lambda now, e: rule("rewrite", now, e), steps, s)) if steps else None
        return None if s is None else self.attempt("linear", s, *_relevant(known, equal(a, b)), formula=equal(a, b), multipliers=[ONE])

    def _with_factors_apart(self, a: Term, b: Term, known: list[Sequent]) -> Sequent | None:
        """With log(xy/z) = log x + log y − log z and e^{log x} = x for x, y, z > 0, and (xy)^r = x^r·y^r for x, y ≥ 0.

        The normal form takes only single factors apart.
        """
        steps = [e for t in (a, b) for x in _of_products(t) if (e := self._of_product(x, known)) is not None]
        if not steps:
            return None
        both = [self._after(t, lambda s: reduce(lambda now, e: rule("rewrite", now, e), steps, s)) for t in (a, b)]
        return self.attempt("linear", *filter(None, both), *_relevant(known, equal(a, b)), formula=equal(a, b), multipliers=[ONE, _MINUS])

    def _of_product(self, t: Term, known: list[Sequent]) -> Sequent | None:
        if t.tag == "exp":
            (a,) = t.parts[0].parts
            least = self._known(below(ZERO, a), known)
            return None if least is None else self.attempt("ring", least, formula=equal(t, a))
        sign, join = (below, plus) if t.tag == "log" else (at_most, times)
        factors = _factors(t.parts[0])
        own = [s for f, _ in factors if (s := self._known(sign(ZERO, f), known)) is not None]
        if len(own) < max(2, len(factors)):
            return None
        names = [variable(next(_fresh), "R") for _ in factors]
        here = hypotheses(sign(ZERO, x) for x in names)
        counted = [(x, n) for x, (_, n) in zip(names, factors, strict=True)]
        powers = [power(x, n) for x, n in counted]
        logs = [times(number(n), node("log", x)) for x, n in counted]
        apart = reduce(join, logs if t.tag == "log" else (node("pow", x, t.parts[1]) for x in powers))
        s = self.attempt("ring", *here, formula=equal(node(t.tag, reduce(times, powers), *t.parts[1:]), apart))
        if s is None:
            return None
        for x, (f, _), shown in list(zip(names, factors, own, strict=True))[::-1]:
            every = rule("generalize", rule("discharge", s, formula=sign(ZERO, x)), variable=x)
            s = rule("detach", rule("specialize", every, at=f), shown)
        same = self.attempt("ring", formula=equal(t.parts[0], s.formula.parts[0].parts[0]))
        first = None if same is None else self._after(t, partial(_with, same))
        if first is None:
            return None
        return self.attempt("linear", first, s, formula=equal(t, s.formula.parts[1]), multipliers=[ONE, ONE])

    def _after(self, a: Term, change: Callable[[Sequent], Sequent | None]) -> Sequent | None:
        """a = b from a change of v = a to v = b, for every v."""
        v = variable(next(_fresh), "R")
        s = change(rule("hypothesis", formula=equal(v, a)))
        if s is None:
            return None
        every = rule("generalize", rule("discharge", s, formula=equal(v, a)), variable=v)
        return rule("detach", rule("specialize", every, at=a), rule("ring", formula=equal(a, a)))

    def _parts_equal(self, a: Term, b: Term, known: list[Sequent]) -> Sequent | None:
        def change(s: Sequent) -> Sequent | None:
            while (now := s.formula.parts[1]) != b:
                pair = next(_differences(now, b), None)
                after = None if pair is None else self._exchanged(s, *pair, known)
                if after is None:
                    return None
                s = after
            return s

        return self._after(a, change)

    def _binders_equal(self, a: Term, b: Term, known: list[Sequent]) -> Sequent | None:
        """Sums over one range, and integrals over the line."""
        if a.tag == "line":
            both = self._functions_equal(a, b, known)
            return None if both is None else rule("part", both, number=0)
        if a.parts[:-1] != b.parts[:-1]:
            return None
        if a.tag in ("inf", "inf_above", "sup", "sup_above"):
            return self._extrema_equal(a, b, known)
        if a.tag != "sum":
            return None
        x = variable(next(_fresh), "Z")
        low, high = a.parts[:2]
        here = [*known, *hypotheses([at_most(low, x), at_most(x, high)])]
        summands = [instantiate(t.parts[-1], x) for t in (a, b)]
        inner = self.equality(summands[0], summands[1], [*here, *self.instances(here, x)])
        return None if inner is None else self.attempt("sum_termwise", inner, variable=x, low=low, high=high)

    def _extrema_equal(self, a: Term, b: Term, known: list[Sequent]) -> Sequent | None:
        """inf f = inf g where f = g: inf f ≤ f(t) is known because inf f is defined. The same of suprema, with ≥."""
        x, low, ends = variable(next(_fresh), "R"), a.tag.startswith("inf"), list(a.parts[:-1])
        order = [s for s in known if len(ends) == 2 and s.formula == below(*ends)][:1]
        given, f, g = hypotheses(inside(ends, x)), *(instantiate(t.parts[-1], x) for t in (a, b))

        def bounds(m: Term, value: Term) -> Term:
            return at_most(m, value) if low else at_most(value, m)

        own = next((s for s in self.instances([*known, *given], x) if s.formula == bounds(a, f)), None)
        same = None if own is None else self.equality(f, g, [*known, *given])
        if own is None or same is None or len(order) < len(ends) - 1:
            return None
        sign = ONE if low else _MINUS
        first = rule("linear", own, same, formula=bounds(a, g), multipliers=[ONE, sign])
        reached = rule("extremum_reached", first, *given, variable=x, ends=ends, at=x)
        back = rule("linear", reached, same, formula=bounds(b, f), multipliers=[ONE, _MINUS if low else ONE])
        both = [rule("extremum_bound", s, *order, variable=x, ends=ends) for s in (first, back)]
        return rule("antisymmetric", *(both if low else both[::-1]))

    def _functions_equal(self, a: Term, b: Term, known: list[Sequent]) -> Sequent | None:
        x = variable(next(_fresh), "R")
        inner = self.equality(instantiate(a.parts[-1], x), instantiate(b.parts[-1], x), known)
        return None if inner is None else self.attempt("equal_functions", inner, variable=x)

    def instances(self, known: Iterable[Sequent], x: Term) -> list[Sequent]:
        """What is known of all, said of x; conditions are met where they are known."""
        known = list(known)
        found = []
        for s in known:
            if s.formula.tag == "all" and binder_sort(s.formula) in ("R", x.sort):
                at: Sequent | None = rule("specialize", s, at=x)
                while at is not None and at.formula.tag == "->":
                    own = self._known(at.formula.parts[0], known)
                    at = None if own is None else rule("detach", at, own)
                found += [] if at is None else [part for s in opened([at]) for part in (s, *not_negative(s))]
        return found

    def _known(self, wanted: Term, known: list[Sequent]) -> Sequent | None:
        """A formula that is known, or plain from what is known."""
        same = next((s for s in known if s.formula == wanted), None)
        if same is not None or wanted.tag not in ("<=", "<", "=", "not"):
            return same
        every, known = known, _relevant(known, wanted)
        found = self.attempt("ring", *known, formula=wanted)
        if found is None and wanted.tag == "not" and wanted.parts[0].tag == "=" and wanted.parts[0].parts[0].tag == "*":
            a, b = (self._known(unequal(factor, ZERO), known) for factor in wanted.parts[0].parts[0].parts)
            found = None if a is None or b is None else _product_not_zero(a, b)
        if found is None and wanted.tag in ("<=", "<") and wanted.parts[0] == ZERO:
            found = self._not_negative(wanted, every)
        for s in known if wanted.tag != "not" else ():
            if found is None and s.formula.tag in ("<=", "<", "="):
                found = self.attempt("linear", s, *known, formula=wanted, multipliers=[ONE])
        if found is None and wanted.tag == "not" and wanted.parts[0].tag == "=":
            left, right = wanted.parts[0].parts
            sides = (self._known(side, known) for side in (below(right, left), below(left, right)))
            order = next((s for s in sides if s is not None), None)
            found = None if order is None else self.attempt("ring", order, formula=wanted)
        return found

    def _not_negative(self, wanted: Term, known: list[Sequent]) -> Sequent | None:
        """0 ≤ a or 0 < a by the parts of a: of a sum or a product of two, of a sum over a range, or of numbers of a family."""
        a = wanted.parts[1]
        square = a.tag == "^" and a.data[0] == 2
        if a.tag in ("+", "*") or square:
            parts = [self._known(node(wanted.tag, ZERO, part), known) for part in (a.parts * 2 if square else a.parts)]
            if None in parts:
                return None
            one, other = (part for part in parts if part is not None)
            return self.attempt("linear", other, one, formula=wanted, multipliers=[ONE, ONE] if a.tag == "+" else [a.parts[0]])
        if a.tag == "sum":
            x = variable(next(_fresh), "Z")
            here = hypotheses([at_most(a.parts[0], x), at_most(x, a.parts[1])])
            inner = self._known(node(wanted.tag, ZERO, instantiate(a.parts[2], x)), [*known, *here])
            if inner is None:
                return None
            for condition in reversed(here):
                inner = rule("discharge", inner, formula=condition.formula)
            return self.attempt("ring", rule("generalize", inner, variable=x), *_relevant(known, wanted), formula=wanted)
        found = [self._of_family(s, a, known) for s in known if s.formula.tag == "all"] if a.tag == "f" else []
        own = next((s for s in found if s is not None), None)
        return None if own is None else own if own.formula == wanted else self.attempt("ring", own, formula=wanted)

    def _of_family(self, s: Sequent, a: Term, known: list[Sequent]) -> Sequent | None:
        """What is said of all numbers of a family, of one with its indices."""
        places = list(a.parts)
        while s.formula.tag == "->" or (s.formula.tag == "all" and places and binder_sort(s.formula) in ("R", places[0].sort)):
            own = self._known(s.formula.parts[0], known) if s.formula.tag == "->" else None
            if s.formula.tag == "->" and own is None:
                return None
            s = rule("specialize", s, at=places.pop(0)) if own is None else rule("detach", s, own)
        return s if not places and s.formula.tag in ("<=", "<") and s.formula.parts == (ZERO, a) else None

    def shown(self, wanted: Term, known: list[Sequent], deep: int = _DEEP) -> Sequent | None:
        """A formula from what is known, by its normal form or as something known in other words."""
        for s in known:
            if s.formula == wanted:
                return s
        if not deep:
            return None
        if wanted.tag in ("and", "or"):
            parts = (self.shown(part, known, deep) for part in wanted.parts)
            if wanted.tag == "and":
                found = [*parts]
                return None if None in found else rule("conjunction", *(s for s in found if s is not None))
            one = next((s for s in parts if s is not None), None)
            return self._in_other_words(wanted, known, deep) if one is None else rule("alternative", one, formula=wanted)
        if wanted.tag == "all":
            if (same := self._in_other_words(wanted, known, deep)) is not None:
                return same
            x = variable(next(_fresh), binder_sort(wanted))
            inner = self.shown(instantiate(wanted.parts[0], x), [*known, *self.instances(known, x)], deep - 1)
            return None if inner is None else self.attempt("generalize", inner, variable=x)
        if wanted.tag == "->":
            condition, then = wanted.parts
            if condition.tag == "all" and (plain := self.shown(then, known, deep)) is not None:
                return rule("discharge", plain, formula=condition)
            here = [*known, *hypotheses([condition])]
            places = {x for x in condition.free if isinstance(x, Term) and str(x.data[0]).startswith("%w")}
            inner = self.shown(then, [*here, *(s for x in places for s in self.instances(here, x))], deep)
            return None if inner is None else rule("discharge", inner, formula=condition)
        plain = self._known(wanted, known)
        return self._in_other_words(wanted, known, deep) if plain is None else plain

    def _in_other_words(self, wanted: Term, known: list[Sequent], deep: int) -> Sequent | None:
        near = sorted((s for s in known if s.formula.tag == wanted.tag), key=partial(_distance, wanted))
        return next((found for s in near[:_NEAR] if (found := self.restated(s, wanted, known, deep)) is not None), None)


def _distance(wanted: Term, s: Sequent) -> tuple[int, int]:
    """How much a formula speaks of other things, and how much longer or shorter it is."""
    return len(wanted.free ^ s.formula.free), abs(s.formula.size - wanted.size)
