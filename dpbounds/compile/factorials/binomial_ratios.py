"""Products with factorials and binomial coefficients, for all integers from one on: the logarithm of the ratio of both sides does not fall.

From C(a, b) to C(a + i, b + j) lead (b + 1)·C(a + 1, b + 1) = (a + 1)·C(a, b) and (a + 1 − b)·C(a + 1, b) = (a + 1)·C(a, b), so the
logarithm grows by those of numbers that are linear in n. The logarithm of a! is
Σ_{k=1}^a log k, and grows by those of a + 1, a + 2, … What the certificate says of this growth is shown for real n.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sympy

from dpbounds.compile.recursions import pascal
from dpbounds.compile.steps import NotWritten, positive, sign_of, sum_of_terms
from dpbounds.compile.towers.places import Variable, WritingPlace
from dpbounds.compile.towers.problems import Problems, StatedProblem, mark_of
from dpbounds.descent.changes import changed
from dpbounds.descent.problem import Problem
from dpbounds.descent.ratio import parts_of
from dpbounds.kernel.notation import show
from dpbounds.kernel.terms import ONE, ZERO, Term, at_most, binder, equal, minus, negative, node, number, plus, substitute, times, variable

_MOST_FACTORS = 12
"""Steps from one binomial coefficient to the next one that is spoken of."""


@dataclass(frozen=True)
class LogarithmParts:
    """The logarithm of a product: terms, and multiples of logarithms of binomial coefficients C(a, b).

    Attributes:
        terms: summands without binomial coefficients.
        bases: of the logarithms among them.
        rows: (c, a, b) for each c·log C(a, b).
        factorials: (c, a) for each c·log a!.
    """

    terms: tuple[Any, ...] = ()
    bases: tuple[Any, ...] = ()
    rows: tuple[tuple[Fraction, Any, Any], ...] = ()
    factorials: tuple[tuple[Fraction, Any], ...] = ()

    def plus(self, other: LogarithmParts) -> LogarithmParts:
        """The logarithm of a product."""
        both = (self.terms + other.terms, self.bases + other.bases, self.rows + other.rows, self.factorials + other.factorials)
        return LogarithmParts(*both)

    def times(self, factor: Any) -> LogarithmParts:
        """The logarithm of a power."""
        terms = tuple(factor * t for t in self.terms)
        if not self.rows and not self.factorials:
            return LogarithmParts(terms, self.bases)
        if not factor.is_Rational:
            raise NotWritten("a binomial coefficient to a power that moves")
        by = Fraction(int(factor.p), int(factor.q))
        rows = tuple((c * by, a, b) for c, a, b in self.rows)
        return LogarithmParts(terms, self.bases, rows, tuple((c * by, a) for c, a in self.factorials))


def parts_of_logarithm(e: Any) -> LogarithmParts:
    """log e, as `dpbounds.descent.ratio.LogReader` reads it.

    >>> n = sympy.Symbol("n", integer=True, positive=True)
    >>> parts_of_logarithm(sympy.binomial(2 * n, n) / sympy.exp(n)).rows
    ((Fraction(1, 1), 2*n, n),)
    """
    if isinstance(e, sympy.Mul):
        found = LogarithmParts()
        for part in e.args:
            found = found.plus(parts_of_logarithm(part))
        return found
    if isinstance(e, sympy.exp):
        return LogarithmParts((e.args[0],))
    if isinstance(e, sympy.Pow):
        return LogarithmParts((e.exp,)) if e.base is sympy.E else parts_of_logarithm(e.base).times(e.exp)
    if isinstance(e, sympy.binomial):
        return LogarithmParts(rows=((Fraction(1), *e.args),))
    if isinstance(e, sympy.factorial):
        return LogarithmParts(factorials=((Fraction(1), e.args[0]),))
    if e.has(sympy.factorial, sympy.gamma, sympy.binomial):
        raise NotWritten("a factorial")
    return LogarithmParts((sympy.log(e, evaluate=False),), (e,))


def by_rising_ratio(problems: Problems, problem: Problem, document: Mapping[str, Any], names: Mapping[str, Term]) -> int:
    """small ≤ large or small < large, where the logarithm of large/small does not fall from n to n + 1.

    Args:
        problems: compiles the start and the step.
        problem: the statement.
        document: its certificate.
        names: the variables of the statement as terms; integers are integers.

    Raises:
        NotWritten: there is a factorial.
    """
    steps, here = problems.c.steps, problem
    for row in document.get("before", []):
        here = changed(here, row, before=True)
    found = _Rising(problems, here, document["in"], names).shown(document)
    back = {}
    for own, new in ((n, row[3]) for n, row in ((row[1], row) for row in document.get("before", []))):
        rest = here.meanings[own].xreplace({s: 0 for s in here.meanings[own].free_symbols if s.name == new})
        back[found.names[new]] = minus(names[own], problems.term(rest, names))
    step = steps.write("substitution", found.step, terms=back, functions={}) if back else found.step
    high, low = (problems.term(side, names) for side in (problem.large, problem.small))
    facts = [steps.assume(h) for h in sorted(steps.write.steps[step].hypotheses, key=show)]
    order = steps.sum_of(node("<" if problem.strict else "<=", low, high), [step], facts)
    if order is None:
        raise NotWritten("a relation in other words")
    return order


@dataclass(frozen=True)
class RisingStep:
    """A step small ≤ large, and the terms of the variables that it speaks of."""

    step: int
    names: Mapping[str, Term]


class _Rising:
    def __init__(self, problems: Problems, problem: Problem, name: str, names: Mapping[str, Term]) -> None:
        self.problems, self.steps, self.problem, self.name = problems, problems.c.steps, problem, name
        self.names = {m: names[m] if m in names else self._integer(m) for m in problem.box}
        self.real = {m: t if t.sort == "R" else self.steps.fresh(m) for m, t in self.names.items()}
        low, high = (parts_of_logarithm(side.xreplace(self._meanings(side))) for side in (problem.small, problem.large))
        self.sides = low, high
        self.gap = high.plus(low.times(sympy.S.NegativeOne))
        own = problem.box[name].low
        assert own is not None
        self.least = int(own)
        self.place = WritingPlace({m: self._variable(m) for m in problem.box})

    def _meanings(self, side: Any) -> dict[Any, Any]:
        return {s: self.problem.meanings[s.name] for s in side.free_symbols if s.name in self.problem.meanings}

    def _integer(self, name: str) -> Term:
        return variable(str(self.steps.fresh(name).data[0]), "Z")

    def _variable(self, name: str) -> Variable:
        own, v, assume = self.problem.box[name], self.names[name], self.steps.assume
        low = None if own.low is None else assume(node("<=" if own.low_closed else "<", number(own.low), v))
        high = None if own.high is None else assume(node("<=" if own.high_closed else "<", v, number(own.high)))
        return Variable(v, own.low, own.high, low, high)

    # --- terms

    def _term(self, e: Any, names: Mapping[str, Term]) -> Term:
        return self.problems.term(e, names)

    def _logs(self, parts: LogarithmParts, names: Mapping[str, Term]) -> list[Term]:
        """The summands without binomial coefficients."""
        return [self._term(t, names) for t in parts.terms]

    def _whole(self, parts: LogarithmParts) -> Term:
        """The logarithm as a term, for integers."""
        rows = [times(number(c), node("log", self._binomial(a, b))) for c, a, b in parts.rows]
        rows += [times(number(c), self._log_factorial(self._term(a, self.names))) for c, a in parts.factorials]
        return sum_of_terms([*self._logs(parts, self.names), *rows])

    def _log_factorial(self, a: Term) -> Term:
        """Σ_{k=1}^a log k"""
        k = self._integer("k")
        return binder("sum", k, ONE, a, node("log", k))

    def _binomial(self, a: Any, b: Any) -> Term:
        return node("binom", self._term(a, self.names), self._term(b, self.names))

    def _moved(self, e: Any, by: int) -> Any:
        """An expression at n + by."""
        return e.xreplace({s: s + by for s in e.free_symbols if s.name == self.name})

    def _shift(self, e: Any) -> int:
        found = sympy.expand(self._moved(e, 1) - e)
        if not found.is_Integer or found < 0:
            raise NotWritten("a binomial coefficient that moves otherwise")
        return int(found)

    # --- factorials and binomial coefficients

    def _steps_up(self, a: Term, count: int, place: WritingPlace) -> list[int]:
        """log (a + 1)! = log a! + log(a + 1), and so on up to a + count, for a ≥ 0."""
        write, found = self.steps.write, []
        for k in range(count):
            now, then = plus(a, number(k)), plus(a, number(k + 1))
            low, high = self._log_factorial(now), self._log_factorial(then)
            split = write("sum_split", self._between(ONE, plus(now, ONE), place), self._between(now, then, place), total=high)
            last = write("sum_single", total=node("sum", then, then, high.parts[2]))
            same = self.steps.sum_of(equal(high, plus(low, node("log", then))), [split, last])
            if same is None:
                raise NotWritten("a factorial in other words")
            found.append(same)
        return found

    def _positive(self, t: Term, place: WritingPlace) -> int:
        return self.problems.relation(positive(t), place)

    def _between(self, a: Term, b: Term, place: WritingPlace) -> int:
        return self.problems.c.prove(at_most(a, b), place.known)

    def _path(self, a: Term, b: Term, up: int, across: int, place: WritingPlace) -> tuple[list[int], list[int]]:
        """Steps log(x·C′) = log(y·C) on the way from C(a, b) to C(a + up + across, b + up), and the signs of all that is in them."""
        write, equations, signs = self.steps.write, [], [self._coefficient(a, b, place)]
        if up + across > _MOST_FACTORS:
            raise NotWritten("a binomial coefficient that is far")
        for k in range(up + across):
            a, before = plus(a, ONE), b
            b = plus(b, ONE) if k < up else b
            whole = self._between(ONE, a, place)
            if k < up:
                equation, x = write("absorption", whole, self._between(ONE, b, place)), b
            else:
                every = write("detach", write("specialize", self._pascal(), at=b), self._between(ZERO, b, place))
                equation = write("detach", write("specialize", every, at=a), self._between(plus(b, ONE), a, place))
                x = minus(a, b)
            same = self.steps.sum_of(equal(times(x, node("binom", a, b)), times(a, node("binom", minus(a, ONE), before))), [equation])
            signs += [self._coefficient(a, b, place), self._positive(x, place), self._positive(a, place)]
            if same is None:
                raise NotWritten("a binomial coefficient in other words")
            least = write("sign", *signs, formula=positive(self.steps.formula(same).parts[0]))
            equations.append(write("log_monotone", same, least))
        return equations, signs

    def _pascal(self) -> int:
        n, k = self._integer("n"), self._integer("k")
        return pascal(self.steps, n, k)

    def _coefficient(self, a: Term, b: Term, place: WritingPlace) -> int:
        """0 < C(a, b)"""
        both = self.steps.write("binomial_positive", self._between(ZERO, b, place), self._between(b, a, place))
        return self.steps.write("part", both, number=0)

    def _growth(self, names: Mapping[str, Term]) -> list[Term]:
        """What the logarithms of the binomial coefficients grow by."""
        found = []
        for c, a, b in self.gap.rows:
            i, j = self._shift(a), self._shift(b)
            found += [times(number(c * s), node("log", self._term(e + k, names))) for s, e, count in
                      ((1, a, i), (-1, b, j), (-1, a - b, i - j)) for k in range(1, count + 1)]  # fmt: skip
        for c, a in self.gap.factorials:
            found += [times(number(c), node("log", self._term(a + k, names))) for k in range(1, self._shift(a) + 1)]
        return found

    # --- start and step

    def _start(self, a: Any, b: Any, place: WritingPlace) -> tuple[list[Term], list[int], list[int]]:
        """log C(a, b) at the least n as logarithms, steps log(x·C′) = log(y·C) that say so, and what these rest on."""
        low = {s: sympy.Integer(self.least) for s in (a + b).free_symbols if s.name == self.name}
        a, b = a.xreplace(low), b.xreplace(low)
        gap = sympy.expand(a - b)
        count, one = (b, (gap, sympy.S.Zero)) if b.is_Integer else (gap, (b, b))
        if not count.is_Integer or not 0 <= count <= _MOST_FACTORS:
            raise NotWritten("a binomial coefficient at the start")
        count = int(count)
        if a.is_Integer:
            terms = [node("log", number(math.factorial(int(k)))) for k in (a, b, gap)]
            terms = [terms[0], *map(negative, terms[1:])]
        else:
            terms = [node("log", self._term(one[0] + k, self.real)) for k in range(1, count + 1)]
            terms.append(negative(node("log", number(math.factorial(count)))))
        first = [self._term(e, self.names) for e in one]
        ends = self.steps.write("binomial_positive", self._between(ZERO, first[1], place), self._between(first[1], first[0], place))
        unit = self.steps.write("part", ends, number=1 if b.is_Integer else 2)
        equations, signs = self._path(first[0], first[1], *((count, 0) if b.is_Integer else (0, count)), place)
        return terms, equations, [unit, *signs]

    def _at_start(self, a: Any) -> int:
        """A number, at the least n."""
        found = a.xreplace({s: sympy.Integer(self.least) for s in a.free_symbols if s.name == self.name})
        if not found.is_Integer or not 0 <= found <= _MOST_FACTORS:
            raise NotWritten("a factorial at the start")
        return int(found)

    def shown(self, document: Mapping[str, Any]) -> RisingStep:
        """small ≤ large or small < large for the integers."""
        steps, name = self.steps, self.name
        n, least = self.names[name], number(self.least)
        growth, start = parts_of(self.problem, name)
        formula = sign_of(self._whole(self.gap), strict=self.problem.strict)
        grown = self._grown(growth, document["step"], formula)
        base = self._base(start, document["start"], formula)
        every = steps.write("induction", base, grown, variable=n, start=least, formula=formula)
        found = steps.write("detach", steps.write("specialize", every, at=n), steps.assume(at_most(least, n)))
        tag = "<" if self.problem.strict else "<="
        low, high = map(self._whole, self.sides)
        order = steps.weaker(node(tag, low, high), found)
        signs = [self._positive(self._term(e, self.names), self.place) for e in dict.fromkeys(self.gap.bases)]
        terms = [(self._term(a, self.names), self._term(b, self.names)) for _, a, b in self.gap.rows]
        signs += [self._coefficient(a, b, self.place) for a, b in terms]
        sides = [self._term(side.xreplace(self._meanings(side)), self.names) for side in (self.problem.small, self.problem.large)]
        end = steps.sum_of(node(tag, *sides), [steps.write("exp_monotone", order)], [*signs, *self.place.known])
        if end is None:
            raise NotWritten("a ratio in other words")
        return RisingStep(end, self.names)

    def _grown(self, growth: Problem, document: Mapping[str, Any], formula: Term) -> int:
        """What holds for n holds for n + 1."""
        steps, n = self.steps, self.names[self.name]
        moved = {**self.real, self.name: plus(self.real[self.name], ONE)}
        later, now = self._logs(self.gap, moved), self._logs(self.gap, self.real)
        gap = sum_of_terms([*later, *map(negative, now), *self._growth(self.real)])
        shown = self.problems.shown(StatedProblem(growth, gap, self.real), document)
        back = {t: self.names[m] for m, t in self.real.items() if t != self.names[m]}
        shown = steps.write("substitution", shown, terms=back, functions={})
        facts, rows, weights = list[int](), [steps.assume(formula), shown], [ONE, ONE]
        for c, a, b in self.gap.rows:
            i, j = self._shift(a), self._shift(b)
            equations, signs = self._path(self._term(a, self.names), self._term(b, self.names), j, i - j, self.place)
            facts += signs
            rows += equations
            weights += [number(-c)] * len(equations)
        for c, a in self.gap.factorials:
            equations = self._steps_up(self._term(a, self.names), self._shift(a), self.place)
            rows += equations
            weights += [number(-c)] * len(equations)
        goal = substitute(formula, {n: plus(n, ONE)})
        found = steps.sum_of(goal, rows, [*facts, *self.place.known], weights)
        if found is None:
            raise NotWritten("the growth of a ratio in other words")
        return found

    def _base(self, start: Problem, document: Mapping[str, Any], formula: Term) -> int:
        """What holds for the least n."""
        steps, others = self.steps, self.place.without(self.name)
        rows = [(c, *self._start(a, b, others)) for c, a, b in self.gap.rows]
        terms = [times(number(c), sum_of_terms(own)) for c, own, _, _ in rows]
        terms += [times(number(c), node("log", number(math.factorial(self._at_start(a))))) for c, a in self.gap.factorials]
        gap = sum_of_terms([*self._logs(self.gap, self.real), *terms])
        if document.get("before"):
            raise NotWritten("a start in other variables")
        stated = StatedProblem(start, gap, self.real)
        parts = dict(zip(map(mark_of, start.faces()), document["parts"], strict=True))
        shown = self.problems.faces(stated, {self.name: Fraction(self.least)}, parts)
        back = {t: self.names[m] for m, t in self.real.items() if t != self.names[m]}
        shown = steps.write("substitution", shown, terms=back, functions={})
        goal = substitute(formula, {self.names[self.name]: number(self.least)})
        equations, weights = [k for _, _, own, _ in rows for k in own], [number(-c) for c, _, own, _ in rows for _ in own]
        found = steps.sum_of(goal, [shown, *equations], [*(k for *_, facts in rows for k in facts), *others.known], [ONE, *weights])
        if found is None:
            raise NotWritten("the start of a ratio in other words")
        return found
