"""From a graph of facts to a proof document: every fact is derived again with the checker's rules.

Each fact becomes a step whose formula is the fact's statement, under its assumptions and what its symbols assume. What the rule of the
derivation did says where to look; what comes out is right because the checker's rules accept it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import reduce
from typing import Any

import sympy

from dpbounds.kernel.checker import Statement
from dpbounds.kernel.definedness import obligations
from dpbounds.kernel.terms import (
    ONE,
    ZERO,
    Function,
    Refused,
    Term,
    at_most,
    below,
    equal,
    exponent_of,
    implies,
    instantiate,
    minus,
    node,
    number,
    over,
    plus,
    power,
    substitute,
    times,
    variable,
)
from dpbounds.kernel.terms import value as value_of
from dpbounds.language.typed.bridge import name_from_sympy
from dpbounds.language.typed.checker_terms import NotRead
from dpbounds.language.typed.read_sympy import Statements
from dpbounds.prover.facts import Fact, ancestors
from dpbounds.prover.rewriting import extrema, integrals, pieces
from dpbounds.prover.rewriting.arithmetic import SHORT, ProofSearch, attempt, subterms
from dpbounds.prover.rewriting.bells import register_read
from dpbounds.prover.rewriting.building import StepWriter
from dpbounds.prover.rewriting.calculus import apply_function, convex_tangent, minimum, visible_sign
from dpbounds.prover.rewriting.congruence import same
from dpbounds.prover.rewriting.pruning import pruned
from dpbounds.prover.rewriting.roots import roots


class Stuck(Exception):
    """A fact that was not derived again: its rule, and why."""

    def __init__(self, rule: str, why: str) -> None:
        super().__init__(f"{rule}: {why}")
        self.rule = rule


class Emission:
    """Facts as steps of one document.

    Args:
        lemmas: what other documents prove, by the identity of the fact.
    """

    def __init__(self, lemmas: Mapping[int, Statement]) -> None:
        self.lemmas, self.read, self.write = lemmas, Statements(), StepWriter()
        self.search = ProofSearch(self.write)
        self.done: dict[int, int] = {}
        self.failed: dict[int, Stuck] = {}
        self.bells: list[tuple[int, int, Term]] = []
        self.registered: set[Any] = set()
        self.pointwise: dict[int, Term] = {}
        self.integrables: list[int] = []
        self.instances: list[tuple[dict[Term, Term], dict[tuple[str, str], Function]]] = []
        self.closed_forms: dict[object, tuple[Term, Term, tuple[int, ...]]] = {}
        self.visited: set[int] = set()
        self.search.line_sign = lambda goal, known: integrals.line_sign(self, goal, known)
        self.search.integrable = lambda goal, known: integrals.integrable(self, goal, known)

    # what may be used

    def signs_of(self, terms: Iterable[Term]) -> list[int]:
        """What the symbols in these formulas assume, as hypotheses."""
        free = frozenset[object]().union(*(t.free for t in terms))
        return self.write.hypotheses(f for f in self.read.signs() if f.free & free)

    def context(self, fact: Fact, *premises: int) -> list[int]:
        """Premises, assumptions, what the symbols in all of them assume, and what universal facts say where the statement needs them."""
        goal = self.read.conclusion(fact.statement)
        steps = [*premises, *self.assumptions(fact)]
        known = [*steps, *self.signs_of([*map(self.write.formula, steps), goal])]
        return list(dict.fromkeys([*known, *self.search.instances(goal, known)]))

    def assumptions(self, fact: Fact) -> list[int]:
        """The assumptions of a fact as hypotheses."""
        return self.write.hypotheses(self.read.formula(a) for a in sorted(fact.assumptions, key=str))

    # facts

    def step(self, fact: Fact) -> int:
        """The step that shows the fact.

        Raises:
            Stuck: none was found.
        """
        stack = [fact]
        while stack:
            top = stack[-1]
            waiting = [p for p in self.premises(top) if id(p) not in self.done and id(p) not in self.failed]
            if id(top) in self.done or id(top) in self.failed:
                stack.pop()
            elif waiting:
                stack += waiting
            else:
                self._one(stack.pop())
        if id(fact) in self.failed:
            raise self.failed[id(fact)]
        return self.done[id(fact)]

    def premises(self, fact: Fact) -> tuple[Fact, ...]:
        """The facts that a fact is derived from here: none where another document proves it."""
        return () if id(fact) in self.lemmas else fact.premises

    def _one(self, fact: Fact) -> None:
        for p in self.premises(fact):
            if id(p) in self.failed:
                self.failed[id(fact)] = self.failed[id(p)]
                return
        try:
            self.done[id(fact)] = self._derived(fact)
        except Stuck as why:
            self.failed[id(fact)] = why
        except (Refused, NotRead, RecursionError) as why:
            self.failed[id(fact)] = Stuck(fact.rule, f"{type(why).__name__}: {why}")

    def _lemma(self, fact: Fact, proved: Statement) -> int:
        """The fact from the document that proves it, whose names are those of a fresh reader."""
        goal, own = self.read.conclusion(fact.statement), Statements()
        stated = own.stated(fact.statement, fact.assumptions)
        if stated.claim != proved.claim or not set(proved.given) <= set(stated.given):
            raise Stuck("lemma", f"{proved.name} proves something else")
        self.context(fact)  # names all symbols
        free = stated.claim.free.union(*(g.free for g in stated.given))
        terms = {v: self.read.symbol(s) for s, v in own.symbols.items() if v in free}
        functions = {}
        for (base, arity), (name, signature) in own.typed.families.items():
            marks = tuple(variable(f"%p{k}", sort) for k, sort in enumerate(signature.partition(">")[0]))
            functions[name, signature] = marks, node("f", *marks, data=self.read.typed.family(base, arity))
        step = self.write("substitution", self.write.lemma(proved), terms=terms, functions=functions)
        if self.write.formula(step) != goal:
            raise Stuck("lemma", f"{proved.name} proves something else")
        return self.settled(step, fact)

    def _derived(self, fact: Fact) -> int:
        if id(fact) in self.lemmas:
            return self._lemma(fact, self.lemmas[id(fact)])
        goal = self.read.conclusion(fact.statement)
        premises = [self.done[id(p)] for p in fact.premises]
        handler = HANDLERS.get(fact.rule)
        step: int | None = None
        for light in (True, False):
            self.search.light = light
            for helpers in self._helpers(fact, goal, premises):
                if handler is not None and fact.arguments is not None:
                    step = handler(self, fact, fact.arguments, [*premises, *helpers], goal)
                if step is None and (handler is None or not light):
                    step = self.search.prove(goal, [*self.context(fact, *premises), *helpers])
                if step is not None:
                    break
            if step is not None:
                break
        self.search.light = False
        if step is None:  # an equation is read with the signs that stand before it
            signs_first = sorted(self.context(fact, *premises), key=lambda k: self.write.formula(k).tag == "=")
            step = attempt(self.write, "ring", *signs_first, formula=goal) if goal.tag == "=" else None
        if step is None:
            raise Stuck(fact.rule, f"{fact.statement}"[:300])
        if self.write.formula(step) != goal:
            used = premises[1:] if fact.rule == "instance" else premises  # what an instance is of speaks of other things
            step = self.restated(step, goal, self.context(fact, *used))
        if step is None:
            raise Stuck(fact.rule, f"another form of {fact.statement}"[:300])
        return self.settled(step, fact)

    def _helpers(self, fact: Fact, goal: Term, premises: list[int]) -> Iterator[list[int]]:
        """What may be used besides the premises: nothing, then what operations ask for, then facts behind the fact."""
        yield []
        known = self.context(fact, *premises)
        shown = [*self.coefficients(premises, known), *self.conditions([goal, *map(self.write.formula, premises)], known)]
        if shown:
            yield shown
        behind = self.behind(fact)
        if behind:
            yield behind
        if shown and behind:
            yield [*shown, *behind]

    def coefficients(self, premises: Sequence[int], known: Sequence[int]) -> list[int]:
        """C(n, k) = r/c from premises c·C(n, k) = r with c > 0: `ring` uses an equation for one atom; the last premise comes first."""
        found: list[int] = []
        for k in [k for k in premises[::-1] if self.write.formula(k).tag == "="]:
            left, right = self.write.formula(k).parts
            parts = integrals.factors(left)
            inner = [t for t in parts if t.tag == "binom"]
            if len(inner) != 1 or len(parts) == 1:
                continue
            factor = reduce(times, [t for t in parts if t not in inner])
            positive = self.search.prove(below(ZERO, factor), known)
            inverse = {"formula": equal(inner[0], over(right, factor)), "multipliers": [power(factor, -1)]}
            step = None if positive is None else attempt(self.write, "linear", k, positive, **inverse)
            found += [] if step is None else [step]
        return found

    def conditions(self, goals: Sequence[Term], known: Sequence[int]) -> list[int]:
        """What logarithms, powers and quotients ask for, where it can be shown: `ring` sees less than `sign`."""
        found: list[int] = []
        terms = [t for goal in goals for t in subterms(goal)]
        asked = [below(ZERO, t.parts[0]) for t in terms if t.tag in ("log", "pow") or (t.tag == "^" and exponent_of(t) < 0)]
        for wanted in [f for f in dict.fromkeys(asked) if f.parts[1].tag in ("+", "max")][:6]:
            step = self.search.prove(wanted, [*known, *found])
            found += [] if step is None else [step]
        found += [step for t in dict.fromkeys(terms) for step in roots(self.search, t)]
        for t in dict.fromkeys(t for t in terms if t.tag == "pow"):
            found += self._integer_powers(t, known)
        return found

    def _integer_powers(self, t: Term, known: Sequence[int]) -> list[int]:
        """a^{n+1} = a^n·a, …, up to the power a^{n+c}: `ring` adds no exponents of a base that may be 0."""
        base, exponent = t.parts
        c, n = sorted(exponent.parts, key=lambda part: part.tag != "q") if exponent.tag == "+" else (ZERO, exponent)
        count = value_of(c)
        start = self.search.prove(at_most(ZERO, n), known) if n.sort == "Z" and count in (1, 2, 3) else None
        if start is None:
            return []
        lows = [n] + [plus(n, number(j)) for j in range(1, int(count or 0))]
        signs = [start] + [self.write("sign", start, formula=at_most(ZERO, low)) for low in lows[1:]]
        return [self.write("integer_power", k, base=base) for k in signs]

    def behind(self, fact: Fact) -> list[int]:
        """Relations among the facts behind a fact that need no other assumptions."""
        allowed = {self.write.formula(k) for k in self.context(fact)}
        found = [self.done[id(a)] for a in ancestors(fact.premises) if id(a) in self.done]
        found = [k for k in dict.fromkeys(found) if self.write.steps[k].hypotheses <= allowed]
        free = self.read.conclusion(fact.statement).free
        return [k for k in found if self.write.formula(k).tag in ("=", "<=", "<") and self.write.formula(k).free & free][-12:]

    def restated(self, step: int, goal: Term, known: Sequence[int]) -> int | None:
        """The goal from a step that says the same in other words."""
        f = self.write.formula(step)
        if f == goal:
            return step
        if f.tag in ("=", "<=", "<") and goal.tag in ("=", "<=", "<"):
            known = [*known, *(step for t in subterms(f) for step in roots(self.search, t))]
            near = [k for k in known if self.write.formula(k).free & (goal.free | f.free)]
            for extra in ([], near):
                for m in [1, -1] if f.tag == "=" else [1]:
                    found = attempt(self.write, "linear", step, *extra, formula=goal, multipliers=[number(m)])
                    if found is not None:
                        return found
        return self.search.prove(goal, [step, *known]) or self._side_by_side(step, goal, known)

    def _side_by_side(self, step: int, goal: Term, known: Sequence[int]) -> int | None:
        """The goal where each of its sides is one of the step in other words, below sums and case distinctions too."""
        f = self.write.formula(step)
        if f.tag != goal.tag or f.tag not in ("=", "<=", "<"):
            return None
        sides = [same(self.search, a, b, known) for a, b in zip(goal.parts, f.parts, strict=True)]
        if None in sides:
            return None
        equations = [k for k in sides if k is not None]
        found = attempt(self.write, "linear", step, *equations, formula=goal, multipliers=[ONE, ONE, number(-1)])
        return self._rewritten(step, goal, known) if found is None else found

    def _rewritten(self, step: int, goal: Term, known: Sequence[int]) -> int | None:
        """The same by exchanging one side after the other: no normal form of the whole is needed."""
        for a, b in zip(self.write.formula(step).parts, goal.parts, strict=True):
            side = None if a == b else same(self.search, a, b, known)
            moved = step if side is None else attempt(self.write, "rewrite", step, side)
            if moved is None:
                return None
            step = moved
        return step if self.write.formula(step) == goal else None

    def settled(self, step: int, fact: Fact) -> int:
        """The step with hypotheses that are assumptions of the fact or of its symbols only; the others are shown."""
        allowed = {self.write.formula(k) for k in self.assumptions(fact)}
        allowed |= set(self.read.signs())
        return self.without(step, allowed)

    def without(self, step: int, allowed: set[Term]) -> int:
        """The step with the hypotheses that are not allowed shown from the allowed ones."""
        extra = [h for h in self.write.steps[step].hypotheses if h not in allowed]
        if not extra:
            return step
        proofs = []
        for h in sorted(extra, key=repr):
            relevant = [a for a in allowed if a.free & h.free]
            wider = [a for a in allowed if any(a.free & r.free for r in relevant)]
            proof = self.search.prove(h, self.write.hypotheses(sorted(relevant, key=repr)))
            if proof is None:
                proof = self.search.prove(h, self.write.hypotheses(sorted(wider, key=repr)))
            if proof is None:
                raise Stuck("hypotheses", f"{h!r} is not shown"[:300])
            proofs.append(proof)
        return self.write("cut", step, *proofs)


Handler = Callable[[Emission, Fact, dict[str, Any], list[int], Term], int | None]
HANDLERS: dict[str, Handler] = {}


def handles(*names: str) -> Callable[[Handler], Handler]:
    """Register how facts of these rules are derived again."""

    def register(function: Handler) -> Handler:
        for name in names:
            HANDLERS[name] = function
        return function

    return register


@handles("hypothesis")
def _hypothesis(e: Emission, fact: Fact, given: dict[str, Any], premises: list[int], goal: Term) -> int | None:
    if goal.tag == "and":
        return e.write("conjunction", *(e.write.hypothesis(part) for part in goal.parts))
    return e.write.hypothesis(goal)


@handles("conjunction")
def _conjunction(e: Emission, fact: Fact, given: dict[str, Any], premises: list[int], goal: Term) -> int | None:
    known = [n for k in premises for n in e.search.opened(k)]
    return e.search.prove(goal, known)


@handles("part", "discharge")
def _part(e: Emission, fact: Fact, given: dict[str, Any], premises: list[int], goal: Term) -> int | None:
    return e.search.prove(goal, [n for k in premises[:1] for n in e.search.opened(k)])


@handles("discharge")
def _discharge(e: Emission, fact: Fact, given: dict[str, Any], premises: list[int], goal: Term) -> int | None:
    first, *proved = premises[: len(fact.premises)]
    return _cut_with(e, first, [n for k in proved for n in e.search.opened(k)], fact)


def _cut_with(e: Emission, step: int, helpers: Sequence[int], fact: Fact) -> int:
    """The step with those hypotheses shown that follow from helpers; what the fact assumes may be used."""
    allowed = {e.write.formula(k) for k in e.assumptions(fact)}
    allowed |= set(e.read.signs())
    extra = [h for h in e.write.steps[step].hypotheses if h not in allowed]
    proofs = []
    for h in sorted(extra, key=repr):
        near = e.write.hypotheses(sorted((a for a in allowed if a.free & h.free), key=repr))
        proof = e.search.prove(h, [*helpers, *near]) or e.search.prove(h, near)
        proof = proof or e.search.prove(h, [*(k for k in helpers if e.write.formula(k).tag != "="), *near])  # `ring` takes t = f(t) for t
        proof = proof or next((p for k in helpers if (p := _universal(e, k, h, near)) is not None), None)
        if proof is None:
            raise Stuck(fact.rule, f"the condition {h!r}"[:300])
        proofs.append(proof)
    return e.write("cut", step, *proofs) if proofs else step


def _universal(e: Emission, step: int, goal: Term, known: Sequence[int]) -> int | None:
    """∀x (A → F) from ∀x (A → F′), where F and F′ are two forms of one statement."""
    if goal.tag != "all" or e.write.formula(step).tag != "all" or goal.data != e.write.formula(step).data:
        return None
    x = variable(e.search.fresh(), str(goal.data[0]))
    inside, body, conditions = e.write("specialize", step, at=x), instantiate(goal.parts[0], x), []
    while body.tag == "->":
        conditions.append(body.parts[0])
        body = body.parts[1]
    short = [k for k in known if e.write.formula(k).size <= SHORT]  # long premises are too much work below a sum
    here = [*short, *(n for c in conditions for n in e.search.opened(e.write.hypothesis(c)))]
    while e.write.formula(inside).tag == "->":
        met = e.search.prove(e.write.formula(inside).parts[0], here)
        if met is None:
            return None
        inside = e.write("detach", inside, met)
    found = e.restated(inside, body, here)
    if found is None:
        return None
    for c in conditions[::-1]:
        found = e.write("discharge", found, formula=c)
    return attempt(e.write, "generalize", found, variable=x)


@handles("definition")
def _definition(e: Emission, fact: Fact, given: dict[str, Any], premises: list[int], goal: Term) -> int | None:
    return same(e.search, goal.parts[0], goal.parts[1], e.context(fact, *premises))


@handles("scale")
def _scale(e: Emission, fact: Fact, given: dict[str, Any], premises: list[int], goal: Term) -> int | None:
    known = e.context(fact, *premises)
    factor = e.read.term(given["factor"])
    f = e.write.formula(premises[0])
    if f.tag == "=":
        return attempt(e.write, "linear", *premises[:1], *known, formula=goal, multipliers=[factor])
    for m in (factor, e.read.term(-given["factor"])):
        tag = f.tag
        extra = []
        for wanted in dict.fromkeys([tag, "<="]):
            sign = e.search.prove(node(wanted, ZERO, m), known)
            if sign is not None:
                extra.append(sign)
                break
        if not extra:
            continue
        for more in ([], known):
            step = attempt(e.write, "linear", premises[0], *extra, *more, formula=goal, multipliers=[m])
            if step is not None:
                return step
    return None


@handles("multiply")
def _multiply(e: Emission, fact: Fact, given: dict[str, Any], premises: list[int], goal: Term) -> int | None:
    known = e.context(fact, *premises)
    (a, b), (c, d) = (e.write.formula(k).parts for k in premises[:2])
    signs = [e.search.prove(at_most(ZERO, t), known) for t in (a, c)]
    if None in signs:
        return None if goal.tag != "=" else attempt(e.write, "linear", *premises[:2], *known, formula=goal, multipliers=[d, a])
    helpers = [s for s in signs if s is not None]
    above = e.search.prove(at_most(ZERO, d), [*helpers, *known])
    if above is None:
        return None
    return attempt(e.write, "linear", *premises[:2], *helpers, above, *known, formula=goal, multipliers=[d, a])


@handles("add", "chain", "restate", "equality")
def _combined(e: Emission, fact: Fact, given: dict[str, Any], premises: list[int], goal: Term) -> int | None:
    known = e.context(fact, *premises)
    if goal.tag == "and":
        return e.search.prove(goal, known)
    near = [k for k in known if e.write.formula(k).free & goal.free]
    count = {"add": len(fact.premises), "chain": len(given.get("facts", ())), "restate": 1, "equality": 0}[fact.rule]
    main = premises[:count]
    parts = [n for k in main for n in (e.search.opened(k) if fact.rule == "restate" else [k])]
    choices = [[k] for k in parts] if fact.rule == "restate" else [main]
    for chosen in choices:
        step = _with_signs(e, chosen, near, goal)
        if step is not None:
            return step
    for chosen in choices:
        bridges = _bridges(e, chosen, known, goal)
        step = _with_signs(e, [*chosen, *bridges], near, goal) if bridges else None
        if step is not None:
            return step
    singles = _single_terms(e, main)
    return _with_signs(e, [*main, *singles], near, goal) if singles else None


def _single_terms(e: Emission, main: Sequence[int]) -> list[int]:
    """What the sums of one term in these steps are."""
    sums = {t for k in main for t in subterms(e.write.formula(k)) if t.tag == "sum"}
    singles = [t for t in sorted(sums, key=repr) if attempt(e.write, "ring", formula=equal(t.parts[0], t.parts[1])) is not None]
    return [e.write("sum_single", total=node("sum", low, low, body)) for low, _, body in (t.parts for t in singles)]


def _bridges(e: Emission, main: Sequence[int], known: Sequence[int], goal: Term) -> list[int]:
    """Equations between sides that meet: those of neighbours, and those of the ends and the goal."""
    if goal.tag == "not" or not main or any(e.write.formula(k).tag not in ("=", "<=", "<") for k in main):
        return []
    sides = [e.write.formula(k).parts for k in main]
    pairs = [(goal.parts[0], [*sides[0]]), (goal.parts[1], [*sides[-1]])]
    pairs += [(a, [*second]) for first, second in zip(sides, sides[1:], strict=False) for a in first]
    found = []
    for a, others in pairs:
        if a in others:
            continue
        for b in others:
            step = e.search.prove(equal(a, b), known)
            if step is not None:
                found.append(step)
                break
    return found


def _with_signs(e: Emission, main: Sequence[int], known: Sequence[int], goal: Term) -> int | None:
    """The sum of the premises, equations in either direction."""
    if goal.tag == "not":
        return None
    equations = [k for k in main if e.write.formula(k).tag == "="]
    main = [k for k in main if e.write.formula(k).tag in ("=", "<=", "<")]
    for extra in ([], known):
        if goal.tag == "=" and (step := attempt(e.write, "ring", *main, *extra, formula=goal)) is not None:
            return step
        for mask in range(2 ** min(len(equations), 5)):
            turned = {k for n, k in enumerate(equations[:5]) if mask >> n & 1}
            multipliers = [number(-1 if k in turned else 1) for k in main]
            step = attempt(e.write, "linear", *main, *extra, formula=goal, multipliers=multipliers)
            if step is not None:
                return step
    return None


@handles("sign")
def _sign(e: Emission, fact: Fact, given: dict[str, Any], premises: list[int], goal: Term) -> int | None:
    known = e.context(fact, *premises)
    step = e.search.prove(goal, known)
    if step is None and not e.search.light and goal.tag == "<" and goal.parts[0] == ZERO and goal.parts[1].tag == "line":
        step = integrals.positive_integrand(e, goal, known)  # here, with all the effort that a goal may take
    if step is not None or e.search.light or goal.tag not in ("<=", "<"):
        return step
    small, large = fact.statement.args if isinstance(fact.statement, (sympy.Le, sympy.Lt)) else reversed(fact.statement.args)
    shown = visible_sign(e, minus(goal.parts[1], goal.parts[0]), [sympy.factor(large - small)], known, goal.tag)
    return None if shown is None else attempt(e.write, "linear", shown, *known, formula=goal, multipliers=[ONE])


@handles("instance")
def _instance(e: Emission, fact: Fact, given: dict[str, Any], premises: list[int], goal: Term) -> int | None:
    terms, functions = {}, {}
    for key, value in given["values"].items():
        if isinstance(key, sympy.IndexedBase):
            own = name_from_sympy(key)
            for arity in [n for base, n in list(e.read.typed.families) if base == own]:
                found = e.read.typed.families[own, arity]
                if isinstance(value, sympy.IndexedBase):
                    marks = tuple(variable(f"%p{k}", "Z") for k in range(arity))
                    functions[found] = marks, node("f", *marks, data=e.read.typed.family(name_from_sympy(value), arity))
                elif arity == len(value.variables):
                    marks = tuple(e.read.fresh(f"t{k}", "Z") for k in range(arity))
                    body = e.read.term(value.expr)
                    renamed = {e.read.symbol(v): m for v, m in zip(value.variables, marks, strict=True)}
                    functions[found] = marks, substitute(body, renamed)
        elif key in e.read.symbols:
            terms[e.read.symbol(key)] = e.read.term(value)
    step = e.write("substitution", premises[0], terms=terms, functions=functions)
    e.instances.append((terms, functions))
    helpers = [n for k in premises[1:] for n in e.search.opened(k)]
    return _cut_with(e, step, helpers, fact)


@handles("specialize")
def _specialize(e: Emission, fact: Fact, given: dict[str, Any], premises: list[int], goal: Term) -> int | None:
    step = e.write("specialize", premises[0], at=e.read.term(given["value"]))
    known = e.context(fact, *premises[1:])
    while e.write.formula(step).tag == "->" and e.write.formula(step) != goal:
        condition = e.search.prove(e.write.formula(step).parts[0], known)
        if condition is None:
            raise Stuck("specialize", f"the condition {e.write.formula(step).parts[0]!r}"[:300])
        step = e.write("detach", step, condition)
    return step


@handles("generalize")
def _generalize(e: Emission, fact: Fact, given: dict[str, Any], premises: list[int], goal: Term) -> int | None:
    x = e.read.symbol(given["variable"])
    body = instantiate(goal.parts[0], x)
    conditions = []
    target = e.write.formula(premises[0])
    while body != target and body.tag == "->":
        conditions.append(body.parts[0])
        body = body.parts[1]
    step = e.without(premises[0], _not_about(e, premises[0], x) | set(conditions))
    for c in reversed(conditions):
        step = e.write("discharge", step, formula=c)
    return e.write("generalize", step, variable=x)


def _not_about(e: Emission, step: int, x: Term) -> set[Term]:
    signs = set(e.read.signs())
    return {h for h in e.write.steps[step].hypotheses | signs if x not in h.free}


@handles("sum_termwise")
def _sum_termwise(e: Emission, fact: Fact, given: dict[str, Any], premises: list[int], goal: Term) -> int | None:
    index, low, high = given["over"]
    if high == sympy.oo:
        return _partial_sums(e, fact, premises[0], index, low, goal)
    i, first, last = e.read.symbol(index), e.read.term(low), e.read.term(high)
    here = {at_most(first, i), at_most(i, last)}
    step = e.without(premises[0], _not_about(e, premises[0], i) | here)
    f = e.write.formula(step)
    if f.tag == "<" and goal.tag == "<":
        nonempty = e.search.prove(at_most(first, last), e.context(fact))
        return None if nonempty is None else e.write("sum_termwise", step, nonempty, variable=i, low=first, high=last)
    if f.tag == "<":
        step = e.write("linear", step, formula=at_most(*f.parts), multipliers=[ONE])
    return e.write("sum_termwise", step, variable=i, low=first, high=last)


def _partial_sums(e: Emission, fact: Fact, step: int, index: Any, low: Any, goal: Term) -> int | None:
    """Nonnegative terms, and the inequality of all partial sums."""
    if goal.tag != "and":
        return None
    i, first, last = e.read.symbol(index), e.read.term(low), variable(e.search.fresh(), "Z")
    start = {at_most(first, i)}
    signs = [e.search.prove(part, e.context(fact)) for part in goal.parts[:-1]]
    summed = e.write("sum_termwise", e.without(step, _not_about(e, step, i) | start), variable=i, low=first, high=last)
    every = e.write("generalize", e.write("discharge", summed, formula=at_most(e.read.term(low - 1), last)), variable=last)
    return None if None in signs else e.write("conjunction", *[k for k in signs if k is not None], every)


@handles("sum_split")
def _sum_split(e: Emission, fact: Fact, given: dict[str, Any], premises: list[int], goal: Term) -> int | None:
    total, m = e.read.term(given["total"]), e.read.term(given["at"])
    low, high, _ = total.parts
    known = e.context(fact, *premises)
    ends = [e.search.prove(f, known) for f in (at_most(low, plus(m, ONE)), at_most(m, high))]
    return None if None in ends else e.write("sum_split", *[k for k in ends if k is not None], total=total)


@handles("first_term")
def _first_term(e: Emission, fact: Fact, given: dict[str, Any], premises: list[int], goal: Term) -> int | None:
    total = e.read.term(given["total"])
    low, high, body = total.parts
    known = e.context(fact, *premises)
    ends = [e.search.prove(f, known) for f in (at_most(low, plus(low, ONE)), at_most(low, high))]
    if None in ends:
        return None
    split = e.write("sum_split", *[k for k in ends if k is not None], total=total)
    single = e.write("sum_single", total=node("sum", low, low, body))
    small = _small_binomials(e, instantiate(body, low), known)
    for k in small:
        single = attempt(e.write, "rewrite", single, k) or single
    for near in ([], known):
        step = attempt(e.write, "linear", split, single, *near, formula=goal, multipliers=[ONE, ONE])
        if step is not None:
            return step
    return e.search.prove(goal, [split, single, *small, *known])


def _small_binomials(e: Emission, t: Term, known: Sequence[int]) -> list[int]:
    """C(n, 0) = 1 and C(n, 1) = n for the coefficients in a term."""
    found: list[int] = []
    for n, k in [part.parts for part in subterms(t) if part.tag == "binom" and part.parts[1] in (ZERO, ONE)]:
        top = n if k == ZERO else minus(n, ONE)
        start, zero = e.search.prove(at_most(ZERO, top), known), e.write("sign", formula=at_most(ZERO, ZERO))
        if start is None:
            continue
        found.append(e.search.opened(e.write("binomial_positive", zero, start))[1])
        ends = [e.search.prove(at_most(ONE, m), [start, *known]) for m in (n, k)] if k == ONE else [None]
        if None not in ends:
            product = e.write("absorption", *[m for m in ends if m is not None])
            step = attempt(e.write, "linear", product, found[-1], formula=equal(node("binom", n, k), n), multipliers=[ONE, n])
            found += [] if step is None else [step]
    return found


@handles("shift_index")
def _shift_index(e: Emission, fact: Fact, given: dict[str, Any], premises: list[int], goal: Term) -> int | None:
    return e.write("sum_shift", total=e.read.term(given["total"]), by=number(-int(given["by"])))


@handles("binomial_theorem")
def _binomial_theorem(e: Emission, fact: Fact, given: dict[str, Any], premises: list[int], goal: Term) -> int | None:
    n = e.read.term(given["n"])
    known = e.context(fact, *premises)
    start = e.search.prove(at_most(ZERO, n), known)
    if start is None:
        return None
    step = e.write("binomial_theorem", start, left=e.read.term(given["a"]), right=e.read.term(given["b"]))
    return e.search.prove(goal, [step, *known])


@handles("absorption")
def _absorption(e: Emission, fact: Fact, given: dict[str, Any], premises: list[int], goal: Term) -> int | None:
    known = e.context(fact, *premises)
    ends = [e.search.prove(at_most(ONE, e.read.term(given[x])), known) for x in ("n", "k")]
    return None if None in ends else e.write("absorption", *[k for k in ends if k is not None])


@handles("power_step")
def _power_step(e: Emission, fact: Fact, given: dict[str, Any], premises: list[int], goal: Term) -> int | None:
    start = e.search.prove(at_most(ZERO, e.read.term(given["exponent"])), e.context(fact))
    return None if start is None else e.write("integer_power", start, base=e.read.term(given["base"]))


@handles("cases")
def _cases(e: Emission, fact: Fact, given: dict[str, Any], premises: list[int], goal: Term) -> int | None:
    held, denied = e.read.formula(given["over"]), e.read.formula(given["over"].negated)
    branches = []
    for k, condition in zip(premises, (held, denied), strict=False):
        step = e.restated(k, goal, [k])
        if step is None:
            return None
        allowed = {e.write.formula(n) for n in e.assumptions(fact)} | {condition}
        allowed |= set(e.read.signs())
        branches.append(e.without(step, allowed))
    return e.write("cases", _alternatives(e, held, denied), *branches)


def _alternatives(e: Emission, held: Term, denied: Term) -> int:
    """⊢ A ∨ ¬A with the negation written as a relation."""
    if held.tag == "<=":
        return e.write("total_order", left=held.parts[0], right=held.parts[1])
    if held.tag == "<":
        start = e.write("total_order", left=held.parts[1], right=held.parts[0])
        goal = node("or", held, denied)
        parts = [e.write("alternative", e.write.hypothesis(f), formula=goal) for f in e.write.formula(start).parts]
        return e.write("cases", start, *parts)
    start = e.write("excluded_middle", formula=held if held.tag == "=" else denied)
    if held.tag == "=":
        return start
    goal = node("or", held, denied)
    parts = [e.write("alternative", e.write.hypothesis(f), formula=goal) for f in e.write.formula(start).parts]
    return e.write("cases", start, *parts)


@handles("induction")
def _induction(e: Emission, fact: Fact, given: dict[str, Any], premises: list[int], goal: Term) -> int | None:
    k = e.read.symbol(given["index"])
    start, statement = number(int(given["start"])), e.read.formula(given["statement"])
    known = e.context(fact)
    upto = None if given["upto"] is None else e.read.term(given["upto"])
    formula = statement if upto is None else implies([at_most(k, upto)], statement)
    base_goal = substitute(formula, {k: start})
    base = e.restated(premises[0], base_goal, [n for n in known if not any(k in h.free for h in e.write.steps[n].hypotheses)])
    step_goal = substitute(formula, {k: plus(k, ONE)})
    here = at_most(start, k)
    hypotheses = _not_about(e, premises[1], k) | {here, formula}
    inner = premises[1]
    if upto is not None:
        inner = _induction_within(e, inner, k, upto, statement, hypotheses, known)
    else:
        inner = e.without(inner, hypotheses | set(statement.parts if statement.tag == "and" else ()))
        if statement.tag == "and":
            inner = e.without(inner, hypotheses)
    stepped = _next_written(e, inner, given["index"], step_goal)
    stepped = e.restated(inner, step_goal, known) if stepped is None else stepped
    if base is None or stepped is None:
        return None
    base = e.without(base, _not_about(e, base, k))
    stepped = e.without(stepped, hypotheses)
    every = e.write("induction", base, stepped, variable=k, start=start, formula=formula)
    result = e.write("specialize", every, at=k)
    while e.write.formula(result).tag == "->" and e.write.formula(result) != goal:
        condition = e.search.prove(e.write.formula(result).parts[0], [*e.write.hypotheses([here]), *known])
        if condition is None:
            return None
        result = e.write("detach", result, condition)
    return result


def _next_written(e: Emission, step: int, index: Any, goal: Term) -> int | None:
    """F(k+1) where 1 + k is written the other way round: no search sees through functions of k."""
    if e.write.formula(step) == goal:
        return step
    equation = attempt(e.write, "ring", formula=equal(e.read.term(index + 1), plus(e.read.symbol(index), ONE)))
    moved = None if equation is None else attempt(e.write, "rewrite", step, equation)
    return moved if moved is not None and e.write.formula(moved) == goal else None


def _induction_within(e: Emission, step: int, k: Term, upto: Term, statement: Term, hypotheses: set[Term], known: Sequence[int]) -> int:
    """From P(k) ⊢ P(k+1) below the end: the same with P(k) where k is below the end."""
    reach = at_most(plus(k, ONE), upto)
    inner = e.without(step, hypotheses | {reach, statement})
    before = e.search.prove(at_most(k, upto), e.write.hypotheses([reach]))
    if before is None:
        raise Stuck("induction", "the range")
    held = e.write("detach", e.write.hypothesis(implies([at_most(k, upto)], statement)), before)
    inner = e.write("cut", inner, held)
    others = [n for n in known if at_most(k, upto) not in e.write.steps[n].hypotheses]
    shown = e.search.prove(substitute(statement, {k: plus(k, ONE)}), [inner, before, *others])
    return e.write("discharge", inner if shown is None else shown, formula=reach)


@handles("below_maximum")
def _below_maximum(e: Emission, fact: Fact, given: dict[str, Any], premises: list[int], goal: Term) -> int | None:
    def bounds(t: Term) -> list[int]:
        if t.tag != "max":
            return []
        found = e.search.opened(e.write("maximum", left=t.parts[0], right=t.parts[1]))
        return [*found, *bounds(t.parts[0]), *bounds(t.parts[1])]

    known = bounds(e.read.term(given["largest"]))
    return e.search.prove(goal, known)


@handles("maximum", "least")
def _extreme(e: Emission, fact: Fact, given: dict[str, Any], premises: list[int], goal: Term) -> int | None:
    tag, rule = ("max", "maximum_least") if fact.rule == "maximum" else ("min", "minimum_greatest")
    known = e.context(fact, *premises)
    whole, other = goal.parts if tag == "max" else tuple(reversed(goal.parts))

    def bound(t: Term) -> int | None:
        if t.tag == tag:
            sides = [bound(part) for part in t.parts]
            return None if None in sides else e.write(rule, *[k for k in sides if k is not None])
        return e.search.prove(at_most(t, other) if tag == "max" else at_most(other, t), known)

    return bound(whole)


@handles("triangle")
def _triangle(e: Emission, fact: Fact, given: dict[str, Any], premises: list[int], goal: Term) -> int | None:
    whole, right = goal.parts
    (inside,) = whole.parts
    bounds = [n for t in _absolutes(right) for n in e.write.absolute_bounds(t.parts[0])]
    up = e.search.combination(at_most(inside, right), bounds)
    down = e.search.combination(at_most(times(number(-1), inside), right), bounds)
    return None if up is None or down is None else e.write.absolute_least(up, down)


def _absolutes(t: Term) -> list[Term]:
    """The absolute values in a term."""
    return [t] if t.tag == "abs" else [a for part in t.parts for a in _absolutes(part)]


@handles("branch")
def _branch(e: Emission, fact: Fact, given: dict[str, Any], premises: list[int], goal: Term) -> int | None:
    known, t = e.context(fact, *premises), e.read.term(given["piecewise"])
    equations = []
    for _ in range(given["position"]):
        no = _negation(e, t.parts[0], known)
        if no is None:
            return None
        equations.append(e.write("branch", no, then=t.parts[1], other=t.parts[2]))
        t = t.parts[2]
    if t.tag == "ite" and given["position"] < len(given["piecewise"].args) - 1:
        yes = e.search.prove(t.parts[0], known)
        if yes is None:
            return None
        equations.append(e.write("branch", yes, then=t.parts[1], other=t.parts[2]))
    return e.search.prove(goal, [*equations, *known])


def _negation(e: Emission, f: Term, known: Sequence[int]) -> int | None:
    """¬F for a relation F, from the opposite relation."""
    if f.tag not in ("<", "<="):
        return e.search.prove(node("not", f), known)
    a, b = f.parts
    opposite = e.search.prove(at_most(b, a) if f.tag == "<" else below(b, a), known)
    if opposite is None:
        return None
    absurd = e.write("linear", opposite, e.write.hypothesis(f), formula=below(ZERO, ZERO), multipliers=[ONE, ONE])
    wrong = e.write("absurd", absurd, e.write("irreflexive", term=ZERO), formula=node("not", f))
    start = e.write("excluded_middle", formula=f)
    return e.write("cases", start, wrong, e.write.hypothesis(node("not", f)))


HANDLERS |= {
    "integral": integrals.integral,
    "integral_split": pieces.integral_split,
    "integrate_termwise": integrals.integrate_termwise,
    "integral_of_sum": integrals.integral_of_sum,
    "reflect_integral": integrals.reflect_integral,
    "rescale_integral": integrals.rescale_integral,
    "integrate_mirrored": integrals.integrate_mirrored,
}
HANDLERS |= {
    "supremum": extrema.extremum,
    "infimum": extrema.extremum,
    "bound_extremum": extrema.bound_extremum,
    "scale_extremum": extrema.scale_extremum,
    "exponential_extremum": extrema.exponential_extremum,
}


@handles("assume")
def _cited(e: Emission, fact: Fact, use: Mapping[str, Any], premises: list[int], goal: Term) -> int | None:
    """What is taken from the literature: cited under its own conditions, so that the citation stays on all that uses it."""
    assumed = e.assumptions(fact)
    formula = reduce(lambda f, k: implies([e.write.formula(k)], f), reversed(assumed), goal)
    step = e.write("cite", formula=formula, source=str(use["citation"]))
    for k in assumed:
        step = e.write("detach", step, k)
    return step


HANDLERS |= {"apply": apply_function, "convex_tangent": convex_tangent, "minimum": minimum}


def document(name: str, fact: Fact, lemmas: Mapping[int, Statement]) -> str:
    """The document that proves a fact.

    Args:
        name: of the document.
        fact: what it proves.
        lemmas: what other documents prove, by the identity of the fact.

    Raises:
        Stuck: a fact was not derived again, or something is not shown to be defined.
    """
    e = Emission(lemmas)
    try:
        stated = e.read.stated(fact.statement, fact.assumptions)
    except NotRead as why:
        raise Stuck("statement", str(why)) from None
    given, goal = stated.given, stated.claim
    _in_order(e, fact)
    end = e.step(fact)
    end = closed(e, end, given)
    known = e.write.hypotheses(given)
    positive = [k for k in e.done.values() if e.write.steps[k].hypotheses <= set(given)]
    signs = [k for k in positive if e.write.formula(k).tag in ("<", "<=") and e.write.formula(k).size <= SHORT]
    register_read(e, [*known, *dict.fromkeys(signs)])
    shown = [k for k in e.done.values() if e.write.formula(k).tag in ("<", "<=") and e.write.formula(k).parts[1].tag == "sum"]
    e.search.library = list(dict.fromkeys(shown))
    defined: list[int] = []
    for o in e.write.obligations(given, goal):
        e.search.light = False
        near = [k for k in positive if any(side in _integrals(o) for side in e.write.formula(k).parts)]
        step = extrema.finite(e, o, known)
        if step is None and o.tag in ("<", "<="):
            said = (attempt(e.write, "linear", k, formula=o, multipliers=[ONE]) for k in near if e.write.formula(k).tag in ("<", "<="))
            step = next((k for k in said if k is not None), None)
        others = [g for g in given if o not in obligations(g)]  # what a premise says does not show that it says something
        apart = [k for k in positive if e.write.steps[k].hypotheses <= set(others)]
        first = [] if len(others) == len(given) else [[*e.write.hypotheses(others), *apart]]
        for facts in [*first, [*known, *near], known, [*known, *positive, *defined]]:
            step = step or e.search.prove(o, facts)
        if step is None and o.tag == "integrable":
            step = integrals.integrable(e, o, [*known, *signs])  # with all the effort that a goal may take for each of its parts
        if step is None:
            raise Stuck("definedness", f"{o!r}"[:400])
        defined.append(step)
    return pruned(e.write.document(name, given, end, defined), {proved.name: proved for proved in lemmas.values()})


def _in_order(e: Emission, fact: Fact) -> None:
    """The facts behind one with integrals over parts of the line, as they were made: what is integrable is known from those before."""
    behind, todo = dict[int, Fact](), [fact]
    while todo:
        f = todo.pop()
        if id(f) not in behind:
            behind[id(f)] = f
            todo += e.premises(f)
    if any(f.rule == "integral_split" for f in behind.values()):
        for f in sorted(behind.values(), key=lambda f: f.number):
            with suppress(Stuck):
                e.step(f)


def _integrals(t: Term) -> set[Term]:
    """The sums and integrals in a formula."""
    found = {t} if t.tag in ("line", "sum") and not t.loose else set()
    return found.union(*map(_integrals, t.parts))


def closed(e: Emission, step: int, given: Sequence[Term]) -> int:
    """The step without hypotheses about variables that occur nowhere else: any number will do for them."""
    extra = [h for h in e.write.steps[step].hypotheses if h not in given]
    if not extra:
        return step
    claim = e.write.formula(step)
    bound = claim.free.union(*(g.free for g in given))
    stray = {v for h in extra for v in h.free if v not in bound and isinstance(v, Term)}
    symbols = {s for h in extra for s in h.free if isinstance(s, tuple) and s not in bound}
    terms = dict.fromkeys(stray, ONE)
    functions = {}
    for name, signature in symbols:
        marks = tuple(variable(f"%p{k}", sort) for k, sort in enumerate(str(signature).partition(">")[0]))
        functions[str(name), str(signature)] = marks, ONE
    moved = e.write("substitution", step, terms=terms, functions=functions)
    proofs = []
    for h in sorted(e.write.steps[moved].hypotheses, key=repr):
        if h not in given:
            proof = e.search.prove(h, e.write.hypotheses(given))
            if proof is None:
                raise Stuck("hypotheses", f"{h!r}"[:300])
            proofs.append(proof)
    return e.write("cut", moved, *proofs) if proofs else moved
