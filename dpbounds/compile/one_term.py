"""0 ≤ h for one real expression under premises, as steps: signs, factors, tangents of log and exp, means of powers, squares, cases.

It closes what families leave of a claim: one inequality between the entries at one place, with sums as parameters.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial, reduce
from operator import mul
from typing import Any

import sympy
from sympy import Symbol

from dpbounds.compile import ratios, roots
from dpbounds.compile.comparisons import by_comparison
from dpbounds.compile.joining import kinks
from dpbounds.compile.joining.included import included
from dpbounds.compile.joining.kinks import KINKS
from dpbounds.compile.library import Library
from dpbounds.compile.logarithmic_ranges import by_logarithmic_range
from dpbounds.compile.patience import Patience
from dpbounds.compile.ratios import value_at_zero, vanishing
from dpbounds.compile.statements import document_of
from dpbounds.compile.steps import NotWritten, Steps
from dpbounds.compile.trials import fails, gap_of
from dpbounds.descent.interval import Interval
from dpbounds.descent.problem import Problem
from dpbounds.descent.search.solve import certificates_of
from dpbounds.kernel.terms import ONE, ZERO, Refused, Term, at_most, below, minus, node, plus, times
from dpbounds.language.typed.checker_terms import NotRead
from dpbounds.language.typed.read_sympy import Statements
from dpbounds.numbers.simplex import least_combination

_DEEPEST = 5
_MOST_MONOMIALS, _MOST_PRODUCTS = 24, 120


class OneTerm:
    """Inequalities under the same premises.

    Args:
        steps: the document.
        symbols: the variables as terms.
        facts: relations of sympy, each with the step that says so.
        patience: how long to look; a search that it interrupts goes on from where it was, for what was shown and what failed is kept.
        implied: (A, r, A → B), where the relation r is what B says.
        entries: the variables that stand for masses at one place.
    """

    def __init__(
        self,
        steps: Steps,
        symbols: Mapping[Symbol, Term],
        facts: Sequence[tuple[Any, int]],
        patience: Patience | None = None,
        implied: Sequence[tuple[Term, Any, Term]] = (),
        entries: Sequence[Symbol] = (),
    ) -> None:
        self.steps, self.symbols, self.implied, self.entries = steps, symbols, implied, entries
        self.patience = Patience() if patience is None else patience
        self.equations: list[int] = []
        self.facts = list(facts)
        self.read = Statements()
        self.read.symbols = dict(symbols)
        self.signs: dict[Any, int | None] = {}
        self._failed: dict[Any, tuple[int, float]] = {}
        self._done: dict[Any, int] = {}
        self._refuted: dict[Any, bool] = {}
        self._inner: dict[Any, Any] = {}

    @property
    def known(self) -> list[int]:
        """The steps of the premises."""
        return [*(step for _, step in self.facts), *self.equations]

    def term(self, e: Any) -> Term:
        """The term of an expression."""
        return self.read.term(e)

    def shown(self, h: Any, depth: int = 0, *, descend: bool = True) -> int | None:
        """A step 0 ≤ h, None where none is found.

        Raises:
            TurnIsOver: by its patience.
        """
        h = sympy.sympify(h)
        if h in self._done:
            return self._done[h]
        self.patience.look()
        allowed = self.patience.descent if descend else 0.0
        before, looked = self._failed.get(h, (depth + 1, 0.0))
        if before <= depth and looked >= allowed or depth > _DEEPEST or h.has(sympy.nan, sympy.zoo, sympy.I):
            return None
        try:
            goal = at_most(ZERO, self.term(h))
        except (NotRead, Refused):
            return None
        found = self.steps.attempt("linear", *self.known, formula=goal, multipliers=[])
        if found is None and self.refuted(h):
            self._failed[h] = 0, math.inf
            return None
        smooth = [
            self._by_factors,
            self._by_either,
            self._by_products,
            self._by_logarithms,
            self._by_exponentials,
            self._by_means,
            self._by_square,
            partial(roots.by_root, self),
        ]
        by_ratio, by_chord, by_vanishing = (partial(way, self) for way in (ratios.by_ratio, ratios.by_chord, ratios.by_vanishing))
        kinked = [partial(way, self) for way in (kinks.by_bounds, kinks.by_cases)]
        ways: list[Any] = [self._by_premise, partial(by_comparison, self), by_ratio]
        ways += (
            kinked if h.has(*KINKS) else [self._by_common_factor, self._by_terms, by_chord, partial(by_logarithmic_range, self), *smooth]
        )
        if not h.has(*KINKS) and vanishing(h):
            ways = [self._by_products, by_vanishing]
        for way in ways if found is None else []:
            try:
                found = way(h, goal, depth)
            except (NotRead, Refused, NotWritten, sympy.PolynomialError, ZeroDivisionError, RuntimeError):
                found = None
            if found is not None:
                break
        if found is None and descend and not h.has(*KINKS):
            found = self._by_descent(h, goal)
        if found is None:
            self._failed[h] = depth, allowed
        else:
            self._done[h] = found
        return found

    def _with(self, facts: Sequence[tuple[Any, int]]) -> OneTerm:
        """A prover under other facts."""
        inner = OneTerm(self.steps, self.symbols, facts, self.patience)
        inner.equations = list(self.equations)
        return inner

    def total(self, goal: Term, steps: Sequence[int], weights: Sequence[Any], facts: Sequence[int] = ()) -> int | None:
        """The goal from steps with these weights, and from facts that are known."""
        return self.steps.sum_of(goal, list(steps), [*facts, *self.known], [self.term(w) for w in weights])

    def positive(self, e: Any) -> int | None:
        """0 < e by its form."""
        return self.steps.attempt("sign", *self.known, formula=below(ZERO, self.term(e)))

    def combined(self, goal: Term, e: Any) -> int | None:
        """A relation between 0 and e that is a sum of what premises say, with numbers ≥ 0 that a linear program finds."""
        rows = [(g, step) for r, step in self.facts if (g := gap_of(r)) is not None and g.free_symbols & e.free_symbols]
        found = least_combination([_monomials(g) for g, _ in rows], _monomials(e)) if rows else None
        chosen = [] if found is None else [(c, step) for c, (_, step) in zip(found, rows, strict=True) if c]
        weights = [sympy.Rational(c) for c, _ in chosen]
        return self.total(goal, [step for _, step in chosen], weights) if chosen else None

    def strictly_positive(self, e: Any) -> int | None:
        """0 < e by its form, by a tangent of an exponential, or by a descent."""
        found = self.positive(e)
        if found is not None:
            return found
        goal = below(ZERO, self.term(e))
        signs = [k for part in sympy.Add.make_args(sympy.expand(e)) if not part.is_number and (k := self.positive(part)) is not None]
        if signs and (found := self.steps.sum_of(goal, signs, self.known)) is not None:
            return found
        grown = [self.steps.write("exp_above", term=self.term(c * a.args[0])) for a in e.atoms(sympy.exp) for c in (1, -1)]
        found = self.steps.attempt("linear", *self.known, formula=goal, multipliers=[])
        for step in (*(k for r, k in self.facts if r.free_symbols == e.free_symbols), *grown):
            found = found if found is not None else self.steps.sum_of(goal, [step], self.known)
        found = found if found is not None else self._positive_mean(e, goal)
        return found if found is not None else self._by_descent(e, goal)

    def _positive_mean(self, e: Any, goal: Term) -> int | None:
        """0 < e for a mean of two positive values, by which of them is smaller."""
        steps = self.steps
        for x in (s for s in sorted(e.free_symbols, key=str) if e.is_polynomial(s) and sympy.degree(e, s) == 1):
            lows, highs = (ends[:1] for ends in ratios.ends_of(self.facts, x))
            values = [sympy.expand(e.subs(x, end)) for end in (*lows, *highs)]
            signs = [self.positive(value) for value in values]
            if len(values) < 2 or None in signs or not (width := highs[0] - lows[0]).is_positive:
                continue
            split = steps.write("total_order", left=self.term(values[0]), right=self.term(values[1]))
            shares = (x - lows[0]) / width, (highs[0] - x) / width
            rows = zip(signs, steps.formula(split).parts, shares, strict=True)
            ends = [self.total(goal, [k, steps.assume(f)], [1, share]) for k, f, share in rows if k is not None]
            if None not in ends:
                return steps.write("cases", split, *(k for k in ends if k is not None))
        return None

    def refuted(self, h: Any) -> bool:
        """Whether h is below 0 at one of some points where the premises hold."""
        if h not in self._refuted:
            self._refuted[h] = fails(h, self.symbols, self.facts)
        return self._refuted[h]

    def inner(self, mark: Any, make: Callable[[], Any]) -> Any:
        """What is made once for a mark, as a prover under more premises: it is there again when a search goes on."""
        if mark not in self._inner:
            self._inner[mark] = make()
        return self._inner[mark]

    # --- ways

    def _by_premise(self, h: Any, goal: Term, depth: int) -> int | None:
        """h is a positive multiple of what a premise says."""
        for relation, step in self.facts:
            gap = gap_of(relation)
            if gap is None or gap == 0 or not gap.free_symbols & h.free_symbols:
                continue
            ratio = sympy.cancel(sympy.together(h / gap)) if not h.has(*KINKS) else h / gap
            if ratio.free_symbols >= h.free_symbols and ratio.count_ops() >= h.count_ops():
                continue
            found = self.total(goal, [step], [ratio])
            if found is not None:
                return found
        return None

    def _by_terms(self, h: Any, goal: Term, depth: int) -> int | None:
        """h is a sum of what is ≥ 0, as it is written."""
        if not h.is_Add or len(h.args) > 4 or any(self.refuted(part) for part in h.args):
            return None
        steps = [self.shown(part, depth + 1, descend=False) for part in h.args]
        return None if None in steps else self.total(goal, [k for k in steps if k is not None], [1] * len(steps))

    def _by_common_factor(self, h: Any, goal: Term, depth: int) -> int | None:
        """h is a positive variable, or a power of one, times what is ≥ 0."""
        parts = sympy.Add.make_args(sympy.expand(h))
        shared = set.intersection(*({f for f in sympy.Mul.make_args(part) if f.as_base_exp()[0].is_Symbol} for part in parts))
        common = sorted((f for f in shared if f.is_positive), key=str)
        if len(parts) < 2 or not common or None in (signs := [self.positive(s) for s in common]):
            return None
        factor = sympy.Mul(*common)
        shown = self.shown(sympy.Add(*(part / factor for part in parts)), depth)
        return None if shown is None else self.total(goal, [shown], [factor], [k for k in signs if k is not None])

    def _by_factors(self, h: Any, goal: Term, depth: int) -> int | None:
        """h is a product of what has a sign."""
        whole = sympy.factor(h)
        parts = whole.as_powers_dict() if whole.is_Mul or whole.is_Pow else {}
        if len(parts) < 1 or whole.is_Pow and not whole.exp.is_Integer:
            return None
        sign, steps, factors = 1, [], []
        for base, exponent in parts.items():
            if base.is_Number:
                if not (base.is_Rational and exponent.is_Integer):
                    return None
                value = base**exponent
                sign = sign * (1 if value > 0 else -1)
                factors.append(abs(value))
                continue
            if exponent.is_Integer and exponent % 2 == 0:
                factors.append(base**exponent)
                continue
            for s in (1, -1):
                side = s * base
                least = self.positive(side) if exponent.is_negative else None
                if exponent.is_negative and least is None:
                    continue
                shown = least if least is not None else self.shown(side, depth + 1, descend=len(parts) > 1)
                if shown is not None:
                    steps.append(shown)
                    sign *= s
                    factors.append(side**exponent)
                    break
            else:
                return None
        if sign < 0:
            return None
        product = reduce(mul, factors, sympy.S.One) if not factors else sympy.Mul(*factors, evaluate=False)
        shown_ = self.steps.attempt("sign", *steps, *self.known, formula=at_most(ZERO, self.term(product)))
        if shown_ is None:
            return None
        return self.total(goal, [shown_], [1], steps)

    def _by_either(self, h: Any, goal: Term, depth: int) -> int | None:
        """a + b − c with positive a, b and c, where b ≥ c if a ≤ c: by which of a and c is larger."""
        parts = sympy.Add.make_args(sympy.expand(h))
        rows = [part for part in parts if part.is_positive]
        if len(parts) != 3 or len(rows) != 2:
            return None
        c = sympy.expand(sympy.Add(*rows) - h)
        for a, b in (rows, rows[::-1]):
            relation = sympy.Le(a, c, evaluate=False)
            if not c.is_positive or fails(b - c, self.symbols, [*self.facts, (relation, 0)]):
                continue
            split = self.steps.write("total_order", left=self.term(a), right=self.term(c))
            less, more = (self.steps.assume(f) for f in self.steps.formula(split).parts)
            inner = self.inner(relation, partial(self._with, [(relation, less), *self.facts]))
            shown, signs = inner.shown(sympy.factor(b - c), depth + 2, descend=False), [self.positive(a), self.positive(b)]
            if shown is None or signs[0] is None or signs[1] is None:
                continue
            ends = [inner.total(goal, [shown, signs[0]], [1, 1]), self.total(goal, [more, signs[1]], [1, 1])]
            if None not in ends:
                return self.steps.write("cases", split, *(k for k in ends if k is not None))
        return None

    def _by_products(self, h: Any, goal: Term, depth: int) -> int | None:
        """h is a sum of products of what premises say, with numbers ≥ 0 that a linear program finds."""
        if h.has(sympy.log) and not any(r.has(sympy.log) for r, _ in self.facts):
            return None
        target = _monomials(h)
        if len(target) > _MOST_MONOMIALS:
            return None
        rows: list[tuple[Any, int | None, Any]] = []
        gaps = [
            (g, step) for r, step in self.facts if (g := gap_of(r)) is not None and g.free_symbols & h.free_symbols and not g.has(*KINKS)
        ]
        for g, step in gaps:
            own = _monomials(g)
            factors = [sympy.S.One, *(other for other, _ in gaps)]
            factors += [t / m for t in target for m in own if m.free_symbols or len(own) == 1 or t.free_symbols]
            rows += [(f, step, g) for f in dict.fromkeys(map(sympy.powsimp, factors)) if f.is_nonnegative or f in [o for o, _ in gaps]]
        rows += [(t, None, sympy.S.One) for t in {*target, *(m for f, _, g in rows for m in _monomials(f * g))} if t.is_nonnegative]
        rows = rows[:_MOST_PRODUCTS]
        found = least_combination([_monomials(f * g) for f, _, g in rows], target)
        if found is None:
            return None
        chosen = [(sympy.Rational(c) * f, step) for c, (f, step, _) in zip(found, rows, strict=True) if c and step is not None]
        return self.total(goal, [step for _, step in chosen if step is not None], [f for f, _ in chosen])

    def in_branch(self, h: Any, relation: Any, strict: int, equations: list[int], goal: Term, depth: int) -> int | None:
        """The goal where a relation holds, by which a mass is 0 or positive, from 0 ≤ h."""
        steps, symbols, facts = self.steps, dict(self.symbols), [(relation, strict), *self.facts]
        images: dict[Any, Any] = {}
        # Conditions stay as they are: the checker does not put 0 into them, and another name may turn their parts round.
        kept = {s for part in h.atoms(sympy.Piecewise) for _, condition in part.args for s in condition.free_symbols}
        if isinstance(relation, sympy.Le):
            s = relation.lhs if relation.rhs == 0 else relation.lts - relation.gts
            least = self._lower(s)
            least = least if least is not None or s.is_Symbol else self.strictly_positive(s)
            if least is not None and s.is_Symbol and steps.formula(least).tag == "<=":
                equations.append(steps.write("antisymmetric", strict, least))
                if s not in kept:
                    images[s] = sympy.S.Zero
            elif least is not None and steps.formula(least).tag == "<":
                return self._absurd(strict, least, goal)
        if isinstance(relation, sympy.Lt) and relation.lhs == 0:
            positive = [relation.rhs]
            for condition, then, implication in self.implied:
                if steps.formula(strict) == condition:
                    facts.append((then, steps.write("detach", steps.assume(implication), strict)))
                    positive.append(then.gts)
            for s in positive:
                if s.is_Symbol and not s.is_positive and s not in kept:
                    images[s] = Symbol(f"{s.name}_some", positive=True)
                    symbols[images[s]] = symbols[s]
        if isinstance(relation, sympy.Lt) and relation.lhs == 0 and not kept:
            self._positive_above(relation, strict, images, symbols, facts)
        facts = [(moved, k) for r, k in facts if (moved := _moved(r, images)) is not None]
        if sympy.S.Zero in images.values():
            self._without_mass(facts, images, equations)
            for s in [s for s, image in images.items() if image == 0]:
                equations += [
                    k for r in ratios.exponents(h, s) if (least := self.positive(r)) and (k := steps.attempt("power_of_zero", least))
                ]
                h = value_at_zero(h, s)
                if h is None:
                    return None

        def make() -> OneTerm:
            entries = [images.get(s, s) for s in self.entries if images.get(s) != 0]
            inner = OneTerm(steps, symbols, facts, self.patience, self.implied, entries)
            inner.equations, inner.signs = [*self.equations, *equations], dict(self.signs)
            return inner

        inner = self.inner((relation, tuple(facts), tuple(equations)), make)
        shown = inner.shown(h.xreplace(images), depth)
        if shown is None:
            return None
        branch = steps.attempt("linear", shown, *equations, formula=goal, multipliers=[ONE])
        return branch or steps.attempt("linear", shown, *equations, *self.known, strict, formula=goal, multipliers=[ONE])

    def _positive_above(self, relation: Any, strict: int, images: dict[Any, Any], symbols: dict[Any, Term], facts: list[Any]) -> None:
        """What lies above something positive is positive: 0 < p and p ≤ c·q."""
        steps = self.steps
        for fact, step in self.facts:
            gap = gap_of(fact)
            if gap is None or not relation.rhs.is_Symbol or fact.lts != relation.rhs:
                continue
            factor, above = fact.gts.as_independent(*self.entries)
            if not above.is_Symbol or above.is_positive or above in images or self.positive(factor) is None:
                continue
            whole = steps.sum_of(below(ZERO, self.term(fact.gts)), [step, strict], self.known)
            if whole is None:
                continue
            least = steps.attempt("linear", whole, *self.known, formula=below(ZERO, self.term(above)), multipliers=[self.term(1 / factor)])
            if least is not None:
                images[above] = Symbol(f"{above.name}_some", positive=True)
                symbols[images[above]] = symbols[above]
                facts.append((sympy.Lt(0, above, evaluate=False), least))

    def _without_mass(self, facts: list[Any], images: dict[Any, Any], equations: list[int]) -> None:
        """What lies below 0 is 0: q ≤ c·p, or 0 ≤ p − q, where p = 0."""
        steps = self.steps
        for fact, step in facts:
            parts = sympy.Mul.make_args(sympy.S.Zero if (gap := gap_of(fact)) is None else sympy.expand(-gap))
            s = next((e for e in parts if e in self.entries and not e.is_positive), None)
            factor = sympy.Mul(*(e for e in parts if e != s))
            if s is None or not factor.is_positive or not s.is_nonnegative or s in images:
                continue
            weight = self.term(1 / factor)
            most = steps.attempt("linear", step, *equations, *self.known, formula=at_most(self.term(s), ZERO), multipliers=[weight])
            least = self._lower(s)
            if most is not None and least is not None and steps.formula(least).tag == "<=":
                equations.append(steps.write("antisymmetric", most, least))
                images[s] = sympy.S.Zero
        facts[:] = [(moved, k) for r, k in facts if (moved := _moved(r, images)) is not None]

    def _lower(self, e: Any) -> int | None:
        """0 < e or 0 ≤ e by its form."""
        found = self.positive(e)
        wanted = at_most(ZERO, self.term(e))
        exact = next((k for k in self.known if self.steps.formula(k) == wanted), None)
        return found if found is not None else exact if exact is not None else self.steps.attempt("sign", *self.known, formula=wanted)

    def _absurd(self, low: int, high: int, goal: Term) -> int | None:
        """Anything, from e ≤ 0 and 0 < e."""
        steps = self.steps
        none = steps.attempt("linear", low, high, formula=below(ZERO, ZERO), multipliers=[ONE, ONE])
        return None if none is None else steps.write("absurd", none, steps.write("irreflexive", term=ZERO), formula=goal)

    def plain_order(self, formula: Term, here: int) -> int:
        """b < a from ¬ a ≤ b."""
        if formula.tag != "not":
            return here
        steps, (a, b) = self.steps, formula.parts[0].parts
        strict = formula.parts[0].tag == "<"
        split = steps.write("total_order", left=b, right=a) if strict else steps.write("total_order", left=a, right=b)
        first, second = steps.formula(split).parts
        wrong, own = (second, first) if strict else (first, second)
        bad = steps.write("absurd", steps.assume(wrong), here, formula=own)
        order = [steps.assume(own), bad] if strict else [bad, steps.assume(own)]
        return steps.write("cases", split, *order)

    def _by_logarithms(self, h: Any, goal: Term, depth: int) -> int | None:
        """1 − 1/x ≤ log x for products x, each with the weight that it has in h."""
        plain = sympy.expand(sympy.expand_log(sympy.expand(h), force=True))
        logs = sorted(plain.atoms(sympy.log), key=str)
        if not logs:
            return None
        vectors: dict[Any, dict[Any, Any]] = {}
        rest = plain
        for node_ in logs:
            weight = plain.coeff(node_)
            if weight.has(sympy.log):
                return None
            rest -= weight * node_
            for part in sympy.Add.make_args(sympy.expand(weight)):
                k, w = part.as_coeff_Mul()
                vectors.setdefault(w, {})[node_.args[0]] = k
        rest = sympy.expand(rest)
        if rest.has(sympy.log):
            return None
        groups: dict[tuple[Any, ...], Any] = {}
        for w, entries in vectors.items():
            row = sorted(entries.items(), key=lambda item: str(item[0]))
            lead = row[0][1]
            mark = tuple((g, k / lead) for g, k in row)
            groups[mark] = groups.get(mark, 0) + lead * w
        for own in (*_merged(groups), *_to_one_mean(plain, logs)):
            found = self._weights(own, depth)
            step = None if found is None else self._by_tangents(found, rest, goal, depth, sharp=len(logs) == 1)
            if step is not None:
                return step
        return None

    def _weights(self, groups: Mapping[Any, Any], depth: int) -> list[tuple[Any, Any, int]] | None:
        """Logarithms with weights ≥ 0, each with a step that says so."""
        found = []
        for mark, weight in groups.items():
            weight = sympy.factor(weight)
            for s in (1, -1):
                shown = self.shown(s * weight, depth + 1, descend=False)
                if shown is not None:
                    found.append((s * weight, [(g, s * k) for g, k in mark], shown))
                    break
            else:
                return None
        return found

    def _by_tangents(self, found: list[tuple[Any, Any, int]], rest: Any, goal: Term, depth: int, *, sharp: bool) -> int | None:
        for moved in self._shifts(found, rest):
            if len(found) == 1 and (step := self._by_sharp_logarithm(found[0], rest, moved[0], goal, depth)) is not None:
                return step
            steps, weights, left = [], [], rest
            for (weight, mark, _), extra in zip(found, moved, strict=True):
                exponent = -sympy.Add(*(k * sympy.log(g) for g, k in mark)) - extra
                inverse = sympy.Mul(*(g ** (-k) for g, k in mark)) * sympy.exp(-extra)
                steps.append(self.steps.write("exp_above", term=self.term(exponent)))
                weights.append(weight)
                left = left - weight * extra + weight * (1 - inverse)
            left = sympy.powsimp(sympy.expand(left))
            last = self.shown(left, depth + 1, descend=sharp)
            if last is None:
                continue
            signs = [shown for *_, shown in found]
            if (step := self.total(goal, [*steps, last], [*weights, 1], signs)) is not None:
                return step
        return None

    def _by_sharp_logarithm(self, group: tuple[Any, Any, int], rest: Any, extra: Any, goal: Term, depth: int) -> int | None:
        """log x ≥ 1 − 1/x + 3(x − 1)²/(2x(x + 2)), where its tangent is too little."""
        weight, mark, least = group
        x = sympy.powsimp(sympy.Mul(*(g**k for g, k in mark)) * sympy.exp(extra))
        bound = 1 - 1 / x + 3 * (x - 1) ** 2 / (2 * x * (x + 2))
        left = sympy.expand(rest - weight * extra) + weight * bound
        if fails(left, self.symbols, self.facts) or (positive := self.positive(x)) is None:
            return None
        last = self.shown(left, depth + 1, descend=False)
        if last is None:
            return None
        sharp = Library(self.steps).logarithm_above(self.term(x), positive)
        return self.total(goal, [sharp, last], [weight, 1], [least, positive])

    def _shifts(self, found: Sequence[tuple[Any, Any, int]], rest: Any) -> Iterator[tuple[Any, ...]]:
        """What else goes into the logarithms: log x + c = log(x·e^c), with c that stands in an exponent, or with all that is left."""
        yield tuple(sympy.S.Zero for _ in found)
        exponents = {s for e in rest.atoms(sympy.exp) for s in e.args[0].free_symbols}
        taken = []
        for weight, *_ in found:
            parts = [
                p
                for p in sympy.Add.make_args(sympy.expand(rest / weight))
                if exponents and p.free_symbols <= exponents and p.is_polynomial()
            ]
            taken.append(sympy.Add(*parts))
        moving = tuple(part - part.as_coeff_Add()[0] for part in taken)
        if any(moving) and moving != tuple(taken):
            yield moving
        if any(taken):
            yield tuple(taken)
        if len(found) == 1:
            whole = sympy.expand(rest / found[0][0])
            if not whole.has(sympy.log) and whole.is_polynomial():  # no search ends well with quotients in exponents
                yield (whole,)

    def _by_exponentials(self, h: Any, goal: Term, depth: int) -> int | None:
        """e^a ≥ e^b·(1 + a − b) for each exponential with a positive weight, at one b."""
        plain = sympy.expand(h)
        terms = sympy.Add.make_args(plain)
        exps = {part.args[0] for part in plain.atoms(sympy.exp)}
        if not exps or plain.has(sympy.log):
            return None
        whole: dict[Any, Any] = {}
        for part in terms:
            inner = [f for f in sympy.Mul.make_args(part) if isinstance(f, sympy.exp)]
            if len(inner) == 1:
                whole[inner[0].args[0]] = whole.get(inner[0].args[0], 0) + part / inner[0]
        for b in [sympy.S.Zero, *sorted(exps, key=str)]:
            up = {a: w for a, w in whole.items() if a != b}
            steps, weights, signs, left = [], [], [], plain
            for a, w in up.items():
                shown = self.shown(sympy.factor(w), depth + 1, descend=False)
                if shown is None:
                    continue
                steps.append(self.steps.write("exp_above", term=self.term(a - b)))
                weights.append(w * sympy.exp(b))
                signs.append(shown)
                left = left - w * sympy.exp(a) + w * sympy.exp(b) * (1 + a - b)
            if not steps:
                continue
            last = self.shown(sympy.expand(left), depth + 3, descend=False)
            if last is not None and (step := self.total(goal, [*steps, last], [*weights, 1], signs)) is not None:
                return step
        return None

    def _by_means(self, h: Any, goal: Term, depth: int) -> int | None:
        """a + b − c with c = (a/θ)^θ (b/(1 − θ))^{1 − θ}: the geometric mean is at most the arithmetic one."""
        plain = sympy.powsimp(sympy.expand(h))
        terms = sympy.Add.make_args(plain)
        if len(terms) < 3 or len(terms) > 6:
            terms = sympy.Add.make_args(sympy.collect(plain, list(plain.atoms(sympy.Pow))))
        rows = _gathered(terms)
        if len(rows) != 3:
            return None
        for c, (a, b) in (((k, rows[:i] + rows[i + 1 :])) for i, k in enumerate(rows)):
            theta = _share(a[1], b[1], c[1])
            if theta is None:
                continue
            if theta in (0, 1) or theta.has(sympy.nan, sympy.zoo):
                continue
            first, second = (sympy.factor(row[0] / share) * row[2] for row, share in ((a, theta), (b, 1 - theta)))
            facts = [self.positive(first), self.positive(second)]
            least = self.shown(theta, depth + 1, descend=False), self.shown(sympy.factor(1 - theta), depth + 1, descend=False)
            if None in facts or least[0] is None or least[1] is None:
                continue
            third = -c[0] * c[2]
            values = [self.term(e) for e in (first, second, third, theta)]
            facts.append(self.positive(third))
            most = self.total(at_most(ZERO, minus(ONE, values[3])), [least[1]], [1], [k for k in facts if k is not None])
            logs = [node("log", t) for t in values[:3]]
            same = node("=", plus(times(values[3], logs[0]), times(minus(ONE, values[3]), logs[1])), logs[2])
            equation = self.steps.attempt("ring", *[k for k in facts if k is not None], *self.known, formula=same)
            if None in (most, equation, facts[-1]):
                continue
            mean = Library(self.steps).mean(*values, *facts, least[0], most, equation)  # type: ignore[arg-type, list-item]
            found = self.total(goal, [mean], [1], [k for k in (*facts, *least) if k is not None])
            if found is not None:
                return found
        return None

    def _by_square(self, h: Any, goal: Term, depth: int) -> int | None:
        """a·x² + b·x + c = a·(x + b/(2a))² + c − b²/(4a), roots of variables included."""
        plain = sympy.expand(h)
        roots = {a for a in plain.atoms(sympy.Pow) if a.exp.is_Rational and a.exp.q == 2 and a.base.is_Symbol}
        images = {a.base: Symbol(f"{a.base.name}_root", nonnegative=True) ** 2 for a in roots if a.base.is_nonnegative}
        back = {image.base: sympy.sqrt(base) for base, image in images.items()}
        plain = sympy.expand(sympy.powdenest(plain.subs(images), force=True))
        for x in sorted(plain.free_symbols, key=str):
            if not plain.is_polynomial(x) or sympy.degree(plain, x) != 2:
                continue
            a, b, c = (plain.coeff(x, k) for k in (2, 1, 0))
            root = (x + sympy.factor(b / (2 * a))).xreplace(back)
            a, left = sympy.factor(a.xreplace(back)), sympy.factor(c - b**2 / (4 * a)).xreplace(back)
            lead = self.positive(a)
            if lead is None or any(fails(gap, self.symbols, self.facts) for gap in [left]):
                continue
            last = self.shown(left, depth + 1, descend=False)
            if last is None:
                continue
            square = self.steps.write.square(self.term(root))
            if (found := self.total(goal, [square, last], [a, 1], [lead])) is not None:
                return found
        return None

    def _by_descent(self, h: Any, goal: Term) -> int | None:
        """By a descent of derivatives, where its document can be written."""
        free = sorted(h.free_symbols, key=str)
        near = [(r, k) for r, k in self.facts if gap_of(r) is not None and r.free_symbols <= set(free) and not r.has(*KINKS)]
        if len(free) > 4:
            return None
        box = {s.name: Interval(Fraction(0) if s.is_nonnegative else None, None, s.is_nonnegative and not s.is_positive) for s in free}
        for s in free:
            if s.is_integer and s.is_positive:
                box[s.name] = Interval(Fraction(1), None, True, False)
        premises, given = [], []
        for relation in (_in_plain_words(r) for r, _ in near):
            large, small, strict = _sides(relation)
            if large.is_Symbol and small.is_Rational:
                own = box[large.name]
                low = Fraction(int(small.p), int(small.q))
                if own.low is None or low > own.low or (low == own.low and strict):
                    box[large.name] = Interval(low, own.high, not strict, own.high_closed)
            elif small.is_Symbol and large.is_Rational:
                own = box[small.name]
                high = Fraction(int(large.p), int(large.q))
                if own.high is None or high < own.high:
                    box[small.name] = Interval(own.low, high, own.low_closed, not strict)
            else:
                premises.append((large, small, strict))
            given.append(relation)
        problem = Problem(h, sympy.S.Zero, False, box, tuple(premises))
        try:
            certificate = certificates_of([problem], self.patience.descent)
            if certificate is None:
                return None
            text = document_of("inner", sympy.Le(0, h, evaluate=False), given, [problem], certificate)
        except Exception:  # a search that decides nothing may fail in ways that cannot be listed
            return None
        names = {s.name: self.symbols[s] for s in free}
        step = included(self.steps, text, names)
        return None if step is None else self._from_facts(step, goal)

    def _from_facts(self, step: int, goal: Term) -> int | None:
        """The goal from a step under hypotheses that follow."""
        shown = []
        for f in self.steps.write.steps[step].hypotheses:
            at = next((k for k in self.known if self.steps.formula(k) == f), None)
            at = at if at is not None else self.steps.attempt("linear", *self.known, formula=f, multipliers=[])
            if at is None:
                at = next((x for k in self.known if (x := self.steps.sum_of(f, [k])) is not None), None)
            if at is None:
                return None
            shown.append(at)
        whole = self.steps.write("cut", step, *shown) if shown else step
        return whole if self.steps.formula(whole) == goal else self.total(goal, [whole], [1])


def _moved(relation: Any, images: Mapping[Any, Any]) -> Any:
    """A relation at values of some variables; None where one of them makes no sense there."""
    if relation in (sympy.true, sympy.false):
        return relation
    sides = []
    for side in relation.args:
        for s, image in images.items():
            side = value_at_zero(side, s) if image == 0 else side.xreplace({s: image})
            if side is None:
                return None
        sides.append(side)
    return type(relation)(*sides, evaluate=False)


def _sides(relation: Any) -> tuple[Any, Any, bool]:
    strict = isinstance(relation, (sympy.Lt, sympy.Gt))
    return relation.gts, relation.lts, strict


def _in_plain_words(relation: Any) -> Any:
    """A relation that is linear in its only variable, with rational numbers, as one between the variable and a number."""
    large, small, strict = _sides(relation)
    gap = large - small
    (s, *more) = sorted(gap.free_symbols, key=str) or [None]
    if s is None or more or not gap.is_polynomial(s) or sympy.degree(gap, s) != 1:
        return relation
    slope, rest = gap.expand().coeff(s, 1), gap.expand().coeff(s, 0)
    if not (slope.is_Rational and rest.is_Rational):
        return relation
    kind = (sympy.Gt if strict else sympy.Ge) if slope > 0 else (sympy.Lt if strict else sympy.Le)
    return kind(s, -rest / slope, evaluate=False)


def _monomials(e: Any) -> dict[Any, Fraction]:
    """The monomials of a sum with rational numbers beside them; an irrational one belongs to its monomial."""
    found: dict[Any, Fraction] = {}
    for part in sympy.Add.make_args(sympy.powsimp(sympy.expand(e))):
        c, m = part.as_coeff_Mul()
        if not c.is_Rational:
            c, m = sympy.S.One, part
        found[m] = found.get(m, Fraction(0)) + Fraction(int(c.p), int(c.q))
    return {m: c for m, c in found.items() if c}


def _merged(groups: Mapping[Any, Any]) -> Iterator[Mapping[Any, Any]]:
    """The groups, and with one logarithm for those whose weights differ by a factor of parameters alone."""
    yield groups
    marks = list(groups)
    for a, b in itertools.permutations(marks, 2):
        ratio = sympy.factor(groups[b] / groups[a])
        if ratio.is_Rational or ratio.free_symbols & {s for g, _ in (*a, *b) for s in g.free_symbols}:
            continue
        powers = dict(a)
        for g, k in b:
            powers[g] = powers.get(g, 0) + ratio * k
        merged = {tuple(sorted(powers.items(), key=lambda item: str(item[0]))): groups[a]}
        yield {**{m: groups[m] for m in marks if m not in (a, b)}, **merged}


def _to_one_mean(plain: Any, logs: Sequence[Any]) -> Iterator[Mapping[Any, Any]]:
    """Σ w_k·log(m/x_k) for one logarithm with the sum of the weights of the others, as Jensen's inequality has it."""
    weights = {node_.args[0]: sympy.factor(plain.coeff(node_)) for node_ in logs}
    for m in weights if len(logs) > 2 and sympy.simplify(sympy.Add(*weights.values())) == 0 else ():
        yield {((m, sympy.S.One), (x, sympy.S.NegativeOne)): -w for x, w in weights.items() if x != m}


def _gathered(terms: Sequence[Any]) -> list[tuple[Any, dict[Any, Any], Any]]:
    """(coefficient, exponents, product of powers) of each term, terms with the same powers added up."""
    found: dict[Any, list[Any]] = {}
    moving = {s for t in terms for p in t.atoms(sympy.Pow, sympy.exp) for s in p.exp.free_symbols}
    for t in terms:
        coefficient: list[Any] = []
        powers: dict[Any, Any] = {}
        apart = [part for f in sympy.Mul.make_args(t) for part in sympy.Mul.make_args(sympy.factor(f) if f.is_Pow and f.base.is_Add else f)]
        for f in apart:
            base, e = f.as_base_exp()
            if isinstance(f, sympy.exp):
                base, e = sympy.E, f.args[0]
            if base.is_Symbol and base.is_positive and base not in moving or base is sympy.E:
                powers[base] = powers.get(base, 0) + e
            else:
                coefficient.append(f)
        mark = tuple(sorted(((b, sympy.expand(e)) for b, e in powers.items() if sympy.expand(e) != 0), key=str))
        found.setdefault(mark, []).append(sympy.Mul(*coefficient))
    return [(sympy.factor(sympy.Add(*c)), dict(mark), sympy.Mul(*(b**e for b, e in mark))) for mark, c in found.items()]


def _share(a: Mapping[Any, Any], b: Mapping[Any, Any], c: Mapping[Any, Any]) -> Any:
    """θ with exponents c = θ·a + (1 − θ)·b; None if there is none."""
    bases = set(a) | set(b) | set(c)
    for base in sorted(bases, key=str):
        x, y, z = (row.get(base, sympy.S.Zero) for row in (a, b, c))
        if sympy.simplify(x - y) != 0:
            theta = sympy.simplify((z - y) / (x - y))
            rest = (theta * a.get(o, 0) + (1 - theta) * b.get(o, 0) - c.get(o, 0) for o in bases)
            return theta if all(sympy.simplify(r) == 0 for r in rest) else None
    return None


__all__ = ["OneTerm"]
