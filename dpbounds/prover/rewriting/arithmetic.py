"""Searches for proofs of relations: identities, signs by structure, and linear combinations found by a linear program."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement
from typing import Any

from dpbounds.kernel.polynomials import Budget, Monomial, Polynomial
from dpbounds.kernel.ring import NONNEGATIVE, POSITIVE, Ring
from dpbounds.kernel.terms import (
    ONE,
    ZERO,
    Refused,
    Term,
    at_most,
    below,
    binder,
    equal,
    instantiate,
    minus,
    node,
    number,
    plus,
    power,
    times,
    value,
    variable,
)
from dpbounds.numbers.simplex import least_combination
from dpbounds.prover.rewriting.building import WORK, StepWriter
from dpbounds.prover.rewriting.congruence import same

_ORDERS = ("<=", "<")
DEPTH = 10
"""How deep goals lie below goals; deeper searches have found nothing."""
EFFORT = 60
"""Goals below one goal."""
DOUBLINGS, GRID = 14, 2**48
"""How often 1 + t is squared for a bound on an exponential, and the denominator of what is squared."""
SHORT = 20
"""Size of a short relation: signs and the like."""
_STRICT = "strict"
"""The row of a linear program that adds up what is strict; the others are monomials."""


def attempt(write: StepWriter, rule: str, *by: int, **given: object) -> int | None:
    """A step, or None where the rule refuses."""
    try:
        return write(rule, *by, **given)
    except Refused:
        return None


class ProofSearch:
    """Proofs of formulas from known steps.

    Args:
        write: the document.
    """

    def __init__(self, write: StepWriter) -> None:
        self.write = write
        self._fresh = 0
        self.depth = 0
        self._left = 0
        self.light = False
        self.library: list[int] = []
        self.line_sign: Callable[[Term, Sequence[int]], int | None] = lambda goal, known: None
        self.integrable: Callable[[Term, Sequence[int]], int | None] = lambda goal, known: None
        self._failed: dict[tuple[Term, frozenset[int], bool], int] = {}

    def attempt(self, rule: str, *by: int, **given: object) -> int | None:
        """A step, or None where the rule refuses."""
        return attempt(self.write, rule, *by, **given)

    def fresh(self) -> str:
        """The name of a variable that stands nowhere else."""
        self._fresh += 1
        return f"w{self._fresh}"

    def prove(self, goal: Term, known: Sequence[int]) -> int | None:
        """A step that shows the goal under hypotheses of the known steps, or None."""
        known = list(dict.fromkeys(known))
        for k in known:
            if self.write.formula(k) == goal:
                return k
        if self.depth == 0:
            self._left = EFFORT
        mark = goal, frozenset(known), self.light
        if self.depth > DEPTH or self._left <= 0 or self._failed.get(mark, DEPTH + 1) <= self.depth:
            return None
        self._left -= 1
        self.depth += 1
        try:
            found = self._prove(goal, known)
        finally:
            self.depth -= 1
        if found is None:
            self._failed[mark] = self.depth
        return found

    def _prove(self, goal: Term, known: list[int]) -> int | None:
        match goal.tag:
            case "and":
                steps: list[int] = []
                for part in goal.parts:
                    step = self.prove(part, [*known, *steps])
                    if step is None:
                        return None
                    steps.append(step)
                return self.write("conjunction", *steps)
            case "or":
                return self._alternative(goal, known)
            case "all":
                x = variable(self.fresh(), str(goal.data[0]))
                step = self.prove(instantiate(goal.parts[0], x), known)
                return None if step is None else attempt(self.write, "generalize", step, variable=x)
            case "->":
                extra = self.opened(self.write.hypothesis(goal.parts[0]))
                step = self.prove(goal.parts[1], [*known, *extra])
                return None if step is None else self.write("discharge", step, formula=goal.parts[0])
            case "integrable":
                return self.integrable(goal, known)
            case "=" | "<=" | "<" | "not":
                return self.relation(goal, known)
        return None

    def _alternative(self, goal: Term, known: list[int]) -> int | None:
        """One of the parts of A ∨ B: all of them quickly, then all of them."""
        facts = [*known, *self.instances(goal, known)]
        for part in goal.parts:
            if (step := self._simple(part, facts)) is not None:
                return self.write("alternative", step, formula=goal)
        before = self.light
        for self.light in (True,) if before else (True, False):
            for part in goal.parts:
                if (step := self.prove(part, known)) is not None:
                    self.light = before
                    return self.write("alternative", step, formula=goal)
        self.light = before
        return None

    def opened(self, step: int) -> list[int]:
        """The parts of a conjunction as steps of their own."""
        f = self.write.formula(step)
        if f.tag != "and":
            return [step]
        return [n for k in range(len(f.parts)) for n in self.opened(self.write("part", step, number=k))]

    # relations

    def relation(self, goal: Term, known: list[int]) -> int | None:
        """A proof of a relation: with few facts first."""
        known = list(dict.fromkeys(n for k in known for n in self.opened(k)))
        near = [k for k in known if self._about(k, goal)]
        known = [*known, *self.instances(goal, known)]
        if (step := next((k for k in known if self.write.formula(k) == goal), None)) is not None:
            return step
        for facts in [*self._short(known), *([near] if len(near) < len(known) else []), known]:
            if (step := self._direct(goal, facts)) is not None:
                return step
        if goal.tag in _ORDERS and goal.parts[0] == ZERO and (step := self.by_parts(goal, known)) is not None:
            return step
        if goal.tag == "=" and (step := self.last_terms(goal, known)) is not None:
            return step
        if goal.tag == "=" and (step := self.exchanged(goal, known) or same(self, goal.parts[0], goal.parts[1], known)) is not None:
            return step
        if goal.tag in ("<=", "<", "="):
            step = None if goal.free or self.depth > 1 else self.by_squares(goal) or self.by_doubling(goal)
            step = step or self.combination(goal, known, products=self.depth <= 2 and not self.light)
            if step is None and self.depth <= 1 and not self.light and goal.tag in _ORDERS and (more := self.auxiliary(goal, known)):
                step = self._direct(goal, [*known, *more]) or self.combination(goal, [*more, *known])
            return step
        return self._unequal(goal, known)

    def _short(self, known: list[int]) -> list[list[int]]:
        """The short relations among facts that are long: a normal form of long ones may be more work than is allowed."""
        relations = [k for k in known if self.write.formula(k).tag in (*_ORDERS, "not") and self.write.formula(k).size <= SHORT]
        return [relations] if any(self.write.formula(k).size > 2 * SHORT for k in known) else []

    def by_squares(self, goal: Term) -> int | None:
        """a ≤ b or a < b between nonnegative constants, from a² and b²."""
        if goal.tag not in _ORDERS:
            return None
        pi = self.opened(self.write("bounds_of_pi"))
        inverse = power(node("pi"), -1)
        pi.append(self.write("linear", pi[0], formula=below(times(number(3), inverse), ONE), multipliers=[inverse]))
        squares = self.combination(node(goal.tag, *(power(side, 2) for side in goal.parts)), pi, products=False)
        half = attempt(self.write, "sign", formula=node(goal.tag, ZERO, number("1/2")))
        least = attempt(self.write, "sign", formula=at_most(ZERO, power(goal.parts[0], 2)))
        if squares is None or half is None or least is None:
            return None
        return attempt(self.write, "linear", self.write("power_monotone", least, squares, half), formula=goal, multipliers=[ONE])

    def by_doubling(self, goal: Term) -> int | None:
        """A relation between numbers, from bounds on e^q for the rational q in it."""
        exponents = dict.fromkeys(q for t in subterms(goal) if t.tag == "exp" and (q := value(t.parts[0])))
        found = [step for q in exponents for step in (self._exponential_above(q), self._exponential_below(q))]
        return self.combination(goal, found, products=False) if found else None

    def _exponential_above(self, q: Fraction) -> int:
        """a ≤ e^q for a number a: 1 + t ≤ e^t for t = q/2^k, squared k times and rounded down."""
        k = DOUBLINGS + max(0, abs(q.numerator // q.denominator).bit_length())
        t = q / 2**k
        a = Fraction(int((1 + t) * GRID), GRID)
        start = self.write("exp_above", term=number(t))
        step = self.write("linear", start, formula=at_most(number(a), node("exp", number(t))), multipliers=[ONE])
        for _ in range(k):
            factor = plus(number(a), node("exp", number(t)))  # e^2t − a² = (e^t + a)(e^t − a)
            sign = self.write("sign", formula=at_most(ZERO, factor))
            a, t = Fraction(int(a**2 * GRID), GRID), 2 * t
            step = self.write("linear", step, sign, formula=at_most(number(a), node("exp", number(t))), multipliers=[factor])
        return step

    def _exponential_below(self, q: Fraction) -> int:
        """e^q ≤ 1/a for a number a ≤ e^−q."""
        below_ = self._exponential_above(-q)
        a = self.write.formula(below_).parts[0]
        factor = times(power(a, -1), node("exp", number(q)))
        return self.write("linear", below_, formula=at_most(node("exp", number(q)), power(a, -1)), multipliers=[factor])

    def last_terms(self, goal: Term, known: Sequence[int]) -> int | None:
        """An equation in which one sum has a term more than another, by splitting off its last term."""
        sums = [t for t in subterms(goal) if t.tag == "sum"]
        found = [self.write("sum_single", total=t) for t in sums if t.parts[0] == t.parts[1]]
        for long in sums:
            for short in sums:
                low, last, body = long.parts
                before = short.parts[1]
                one_more = plus(before, ONE)
                if low != short.parts[0] or last == before or body.size != short.parts[2].size:
                    continue
                if attempt(self.write, "ring", formula=equal(one_more, last)) is None:
                    continue
                ends = [self.prove(at_most(low, one_more), known), self.prove(at_most(before, last), known)]
                single = attempt(self.write, "sum_single", total=node("sum", last, last, body))
                if None in ends or single is None:
                    continue
                split = attempt(self.write, "sum_split", *[k for k in ends if k is not None], total=long)
                found += [] if split is None else [single, split]  # `ring` reads the second with the first
        step = attempt(self.write, "ring", *found, *known, formula=goal) if found else None
        return self.combination(goal, [*found, *known], products=False) if found and step is None else step

    def exchanged(self, goal: Term, known: Sequence[int]) -> int | None:
        """An equation between double sums, by exchanging one of them."""
        for t in reversed(subterms(goal)):
            if t.tag != "sum" or (double := self._double(t)) is None:
                continue
            same = attempt(self.write, "ring", *known, formula=equal(t, double))
            swapped = attempt(self.write, "sum_exchange", total=double)
            if same is None or swapped is None:
                continue
            other = equal(t, self.write.formula(swapped).parts[1])
            linked = attempt(self.write, "linear", same, swapped, formula=other, multipliers=[ONE, ONE])
            if linked is None:
                continue
            step = attempt(self.write, "linear", linked, *known, formula=goal, multipliers=[ONE])
            step = step or attempt(self.write, "linear", linked, *known, formula=goal, multipliers=[number(-1)])
            step = step or attempt(self.write, "ring", linked, *known, formula=goal)
            if step is not None:
                return step
            rewritten = attempt(self.write, "congruence", linked, term=goal.parts[0])
            step = None if rewritten is None else self._both(rewritten, goal, known)
            if step is not None:
                return step
        return None

    def _both(self, left: int, goal: Term, known: Sequence[int]) -> int | None:
        return attempt(self.write, "linear", left, *known, formula=goal, multipliers=[ONE])

    def _double(self, t: Term) -> Term | None:
        """Σ_i Σ_k c·b for Σ_i c·Σ_k b."""
        i, k = variable(self.fresh(), "Z"), variable(self.fresh(), "Z")
        low, high, body = t.parts
        opened = instantiate(body, i)
        inner = _inner_sum(opened)
        if inner is None or i in inner.parts[0].free | inner.parts[1].free:
            return None
        whole = _replaced(opened, inner, instantiate(inner.parts[2], k))
        return binder("sum", i, low, high, binder("sum", k, inner.parts[0], inner.parts[1], whole))

    def _unequal(self, goal: Term, known: list[int]) -> int | None:
        """a ≠ 0 by the sign of a or −a."""
        if goal.parts[0].tag != "=" or goal.parts[0].parts[1] != ZERO:
            return None
        t = goal.parts[0].parts[0]
        for side in (below(ZERO, t), below(t, ZERO)):
            step = self.prove(side, known)
            if step is not None:
                return attempt(self.write, "sign", step, formula=goal)
        return None

    def by_parts(self, goal: Term, known: list[int]) -> int | None:
        """0 ≤ t or 0 < t from the signs of the parts of t."""
        t, tag = goal.parts[1], goal.tag
        if t.tag == "sum":
            step = None if self.light else self._instance_of_library(goal, known)
            return self._sum_sign(goal, known) if step is None else step
        if t.tag == "log":
            return self._log_sign(goal, known)
        if t.tag == "line":
            return self.line_sign(goal, known)
        if t.tag not in ("*", "^", "pow", "+", "max", "min", "ite"):
            return None
        parts = t.parts[:1] if t.tag in ("^", "pow") else t.parts[1:] if t.tag == "ite" else t.parts
        steps = []
        for part in parts:
            if part.tag == "q":
                continue
            step = self.prove(node(tag, ZERO, part), known)
            if step is None and t.tag == "+" and tag == "<":
                step = self.prove(at_most(ZERO, part), known)
            if step is None and t.tag in ("+", "*"):
                return self._two_negative(goal, known) if t.tag == "*" else self._by_exponentials(goal, known)
            steps += [] if step is None else [step]
        step = attempt(self.write, "sign", *steps, formula=goal) if steps else None  # long facts may be too much work
        step = attempt(self.write, "sign", *steps, *known, formula=goal) if steps and step is None else step
        return step if step is not None or t.tag != "+" or tag == "<=" or self.light else self._split(goal, known)

    def _by_exponentials(self, goal: Term, known: list[int]) -> int | None:
        """0 ≤ e^u − 1 and the like, from 1 + u ≤ e^u and 0 ≤ u."""
        found: list[int] = []
        for t in [t for t in subterms(goal) if t.tag == "exp"][:3]:
            step = self.prove(node(goal.tag, ZERO, t.parts[0]), known)
            found += [] if step is None else [self.write("exp_above", term=t.parts[0]), step]
        return self.combination(goal, [*found, *known], products=False) if found else None

    def _split(self, goal: Term, known: list[int]) -> int | None:
        """0 < t for terms that are not 0 together: x ≤ 0 or 0 < x for a variable in it."""
        for x in [v for v in subterms(goal) if v.tag == "v" and v.sort == "R"][:3]:
            start = self.write("total_order", left=x, right=ZERO)
            branches = [attempt(self.write, "sign", *self._positive_parts(goal, [*known, h]), formula=goal) for h in self._sides(start)]
            if None not in branches:
                return self.write("cases", start, *[k for k in branches if k is not None])
        return None

    def _sides(self, start: int) -> list[int]:
        return self.write.hypotheses(self.write.formula(start).parts)

    def _positive_parts(self, goal: Term, known: list[int]) -> list[int]:
        """What is known, and the signs of the terms of a sum as far as they are seen."""
        found = list(known)
        for part in goal.parts[1].parts:
            for tag in _ORDERS[::-1]:
                if (step := self.prove(node(tag, ZERO, part), known)) is not None:
                    found.append(step)
                    break
        return found

    def _two_negative(self, goal: Term, known: list[int]) -> int | None:
        """0 ≤ ab from 0 ≤ −a and 0 ≤ −b."""
        a, b = goal.parts[1].parts
        if a.tag == "q" or b.tag == "q":
            return None
        steps = [self.prove(node(goal.tag, ZERO, times(number(-1), part)), known) for part in (a, b)]
        if None in steps:
            return None
        (u, v) = (self.write.formula(k).parts[1] for k in steps if k is not None)
        product = attempt(self.write, "sign", *[k for k in steps if k is not None], formula=node(goal.tag, ZERO, times(u, v)))
        return None if product is None else attempt(self.write, "linear", product, *known, formula=goal, multipliers=[ONE])

    def _instance_of_library(self, goal: Term, known: list[int]) -> int | None:
        """0 < Σ from an instance of c ≤ Σ or c < Σ that was shown before."""
        for k in self.library:
            terms = matched(self.write.formula(k).parts[1], goal.parts[1], {})
            if terms is None:
                continue
            step = self.write("substitution", k, terms=terms, functions={})
            proofs = [self.prove(h, known) for h in sorted(self.write.steps[step].hypotheses, key=repr)]
            if None in proofs:
                continue
            step = self.write("cut", step, *[p for p in proofs if p is not None]) if proofs else step
            for extra in ([], known):
                if (shown := attempt(self.write, "linear", step, *extra, formula=goal, multipliers=[ONE])) is not None:
                    return shown
        return None

    def _sum_sign(self, goal: Term, known: list[int]) -> int | None:
        low, high, body = goal.parts[1].parts
        i = variable(self.fresh(), "Z")
        here = self.write.hypotheses([at_most(low, i), at_most(i, high)])
        inside = instantiate(body, i)
        step = self.prove(node(goal.tag, ZERO, inside), [*known, *here])
        if step is None:
            return None
        ends = [] if goal.tag == "<=" else [self.prove(at_most(low, high), known)]
        if None in ends:
            return None
        total = attempt(self.write, "sum_termwise", step, *[k for k in ends if k is not None], variable=i, low=low, high=high)
        return None if total is None else attempt(self.write, "linear", total, formula=goal, multipliers=[ONE])

    def _log_sign(self, goal: Term, known: list[int]) -> int | None:
        """0 ≤ log a from 1 ≤ a."""
        (a,) = goal.parts[1].parts
        step = self.prove(node(goal.tag, ONE, a), known)
        one = attempt(self.write, "sign", formula=below(ZERO, ONE))
        if step is None or one is None:
            return None
        logs = attempt(self.write, "log_monotone", step, one)
        return None if logs is None else attempt(self.write, "linear", logs, formula=goal, multipliers=[ONE])

    def auxiliary(self, goal: Term, known: Sequence[int]) -> list[int]:
        """What is known of the exponentials, inverses, extremes and powers in the goal."""
        found: list[int] = []
        for t in subterms(goal)[:30]:
            if t.tag == "exp":
                found.append(self.write("exp_above", term=t.parts[0]))
            elif t.tag in ("max", "min"):
                found += self.opened(self.write("maximum", left=t.parts[0], right=t.parts[1]))
            elif t.tag == "abs":
                found += self.write.absolute_bounds(t.parts[0])
            elif t.tag in ("^", "pow", "sum", "log"):
                for tag in ("<", "<="):
                    step = self.prove(node(tag, ZERO, t), known)
                    if step is not None:
                        found.append(step)
                        break
        return list(dict.fromkeys(found))

    def _about(self, k: int, goal: Term) -> bool:
        return bool(self.write.formula(k).free & goal.free)

    def _connected(self, goal: Term, known: Sequence[int]) -> list[int]:
        """Facts about what the goal is about, and about what these facts are about."""
        near = frozenset(goal.free).union(*(self.write.formula(k).free for k in known if self._about(k, goal)))
        return [k for k in known if self.write.formula(k).free & near or not self.write.formula(k).free]

    def instances(self, goal: Term, known: Sequence[int]) -> list[int]:
        """∀i … at the indices that occur in the goal, where the conditions can be shown."""
        found: list[int] = []
        for k in known:
            if self.write.formula(k).tag == "all":
                found += [n for n in self._instances(k, goal, known) if n != k]
        return found

    def _instances(self, k: int, goal: Term, known: Sequence[int]) -> list[int]:
        f = self.write.formula(k)
        if f.tag == "->":
            plain = [n for n in known if self.write.formula(n).tag != "all"]
            step = self._simple(f.parts[0], plain)
            return [] if step is None else self._instances(self.write("detach", k, step), goal, known)
        if f.tag != "all":
            return self.opened(k)
        symbols: set[object] = {s for s in f.free if isinstance(s, tuple)}
        arguments = {a for a in _arguments(goal, symbols) if f.data == ("R",) or a.sort == "Z"}
        found = [k]
        for a in sorted(arguments, key=repr)[:4]:
            found += self._instances(self.write("specialize", k, at=a), goal, known)
        return found

    def _simple(self, goal: Term, known: Sequence[int]) -> int | None:
        if goal.tag == "and":
            steps = [self._simple(part, known) for part in goal.parts]
            return None if None in steps else self.write("conjunction", *[s for s in steps if s is not None])
        for k in known:
            if self.write.formula(k) == goal:
                return k
        near = self._connected(goal, known)
        if goal.tag not in (*_ORDERS, "=", "not"):
            return None
        step = self._direct(goal, near)
        return step if step is not None or goal.tag not in _ORDERS else self.combination(goal, near, products=False)

    def _direct(self, goal: Term, facts: Sequence[int]) -> int | None:
        """By one use of ring, sign or linear."""
        if goal.tag == "=":
            return attempt(self.write, "ring", *facts, formula=goal)
        if goal.tag == "not":
            if goal.parts[0].tag != "=":
                return None
            a, b = goal.parts[0].parts
            return attempt(self.write, "sign", *facts, formula=goal) if b == ZERO else None
        a, b = goal.parts
        if a == ZERO and (step := attempt(self.write, "sign", *facts, formula=goal)) is not None:
            return step
        return attempt(self.write, "linear", *facts, formula=goal, multipliers=[])

    def combination(self, goal: Term, known: Sequence[int], products: bool = True) -> int | None:
        """A linear combination of the known relations, and of products of two of them."""
        known = self._connected(goal, known)
        relations = [k for k in known if self.write.formula(k).tag in ("=", *_ORDERS)][:30]
        certificates = [k for k in known if k not in relations]
        small = [k for short in self._short(list(known)) for k in short if self.write.formula(k).tag in _ORDERS]
        step = self._program(goal, small[:30], []) if small else None
        step = step or self._program(goal, relations, certificates)
        if step is not None or not products or goal.tag == "=":
            return step
        near = [k for k in relations if self._about(k, goal) and self.write.formula(k).tag in _ORDERS][:8]
        more = []
        for i, j in combinations_with_replacement(near, 2):
            more += [k for k in [self.product(i, j)] if k is not None]
        return self._program(goal, [*relations, *more], certificates)

    def nonnegative(self, k: int) -> int | None:
        """From a ≤ b the step 0 ≤ b − a."""
        f = self.write.formula(k)
        a, b = f.parts
        if a == ZERO:
            return k
        return attempt(self.write, "linear", k, formula=node(f.tag, ZERO, minus(b, a)), multipliers=[ONE])

    def product(self, i: int, j: int) -> int | None:
        """From a ≤ b and c ≤ d the step 0 ≤ (b − a)(d − c)."""
        u, v = self.nonnegative(i), self.nonnegative(j)
        if u is None or v is None:
            return None
        (f, g) = self.write.formula(u), self.write.formula(v)
        tag = "<" if f.tag == g.tag == "<" else "<="
        return attempt(self.write, "sign", u, v, formula=node(tag, ZERO, times(f.parts[1], g.parts[1])))

    def _program(self, goal: Term, relations: Sequence[int], certificates: Sequence[int]) -> int | None:
        try:
            ring = Ring([self.write.formula(k) for k in (*relations, *certificates)], Budget(5 * WORK))
            target = ring.cleared(ring.value(minus(goal.parts[1], goal.parts[0])), POSITIVE)
            columns = [ring.value(minus(f.parts[1], f.parts[0])) for f in map(self.write.formula, relations)]
        except Refused:
            return None
        used = [j for j, c in enumerate(columns) if c]
        solution = solve(target, [columns[j] for j in used], [self.write.formula(relations[j]) for j in used], goal.tag, ring)
        if solution is None:
            return None
        chosen = [(relations[used[j]], m) for j, m in solution]
        rest = [k for k in (*relations, *certificates) if k not in [c for c, _ in chosen]]
        steps = [k for k, _ in chosen]
        multipliers = [number(m) for _, m in chosen]
        for extra in ([], rest):
            step = attempt(self.write, "linear", *steps, *extra, formula=goal, multipliers=multipliers)
            if step is not None:
                return step
        return None


def solve(
    target: Polynomial, columns: Sequence[Polynomial], relations: Sequence[Term], tag: str, ring: Ring
) -> list[tuple[int, Fraction]] | None:
    """Multipliers of the relations such that the target minus their combination has nonnegative terms only."""
    monomials: dict[Monomial, None] = dict.fromkeys(m for p in (target, *columns) for m in p)
    signs = {m: ring.certain({m: Fraction(1)}, NONNEGATIVE) for m in monomials} if tag != "=" else {}
    slack = [m for m, yes in signs.items() if yes]
    if not columns and not slack or len(monomials) > 400:
        return None
    usable = [(j, p) for j, p in enumerate(columns) if tag != "=" or relations[j].tag == "="]
    signed = [(j, s, p) for j, p in usable for s in ((1, -1) if relations[j].tag == "=" else (1,))]
    strict = [relations[j].tag == "<" for j, _, _ in signed]
    strict += [tag == "<" and ring.certain({m: Fraction(1)}, POSITIVE) for m in slack]
    for least in [Fraction(1), Fraction(1, 1000)] if tag == "<" else [Fraction(0)]:
        # Where a strict relation is wanted, the strict ones have at least this sum: a row of its own, and a column for what is more.
        vectors: list[dict[Any, Fraction | int]] = [{m: s * c for m, c in p.items()} for _, s, p in signed]
        vectors += [{m: 1} for m in slack]
        wanted: dict[Any, Fraction | int] = dict(target)
        costs = [1] * len(vectors)
        if tag == "<":
            vectors = [{**v, _STRICT: 1} if own else v for v, own in zip(vectors, strict, strict=True)]
            vectors, costs, wanted = [*vectors, {_STRICT: -1}], [*costs, 0], {**wanted, _STRICT: least}
        found = least_combination(vectors, wanted, costs)
        if found is not None:
            totals: dict[int, Fraction] = {}
            for (j, s, _), x in zip(signed, found, strict=False):
                totals[j] = totals.get(j, Fraction(0)) + s * x
            return [(j, x) for j, x in totals.items() if x]
    return None


def _arguments(t: Term, symbols: set[object]) -> set[Term]:
    """The arguments of the function symbols in a term, where they are closed."""
    found = {part for part in t.parts if not part.loose} if t.tag == "f" and t.data in symbols else set()
    return found.union(*(_arguments(part, symbols) for part in t.parts))


def _inner_sum(t: Term) -> Term | None:
    """The first sum among the factors of a product."""
    if t.tag == "sum":
        return t
    return next((s for part in t.parts if (s := _inner_sum(part)) is not None), None) if t.tag == "*" else None


def _replaced(t: Term, old: Term, new: Term) -> Term:
    if t == old:
        return new
    return node("*", *(_replaced(part, old, new) for part in t.parts)) if t.tag == "*" and old in _factors(t) else t


def _factors(t: Term) -> list[Term]:
    return [f for part in t.parts for f in _factors(part)] if t.tag == "*" else [t]


def matched(pattern: Term, t: Term, found: dict[Term, Term]) -> dict[Term, Term] | None:
    """Terms for the variables of a pattern that make it t."""
    if pattern.tag == "v":
        fits = not t.loose and (pattern.sort == t.sort or (pattern.sort == "R" and t.sort == "Z")) and found.get(pattern, t) == t
        return found | {pattern: t} if fits else None
    if pattern.tag != t.tag or pattern.data != t.data or len(pattern.parts) != len(t.parts):
        return None
    for a, b in zip(pattern.parts, t.parts, strict=True):
        inner = matched(a, b, found)
        if inner is None:
            return None
        found = inner
    return found


def subterms(t: Term) -> list[Term]:
    """The closed terms in a term or formula, the small ones first."""
    found: dict[Term, None] = {}

    def visit(part: Term) -> None:
        if part not in found:
            for inner in part.parts:
                visit(inner)
            if not part.loose and part.sort in "RZ":
                found[part] = None

    visit(t)
    return sorted(found, key=lambda part: part.size)
