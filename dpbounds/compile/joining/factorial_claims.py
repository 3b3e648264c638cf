"""Claims about products of factorials and binomial coefficients, by Stirling's formula with 1/(15n) ≤ ρ(n) ≤ 1/(12n).

A coefficient is e^{log n! − log k! − log (n − k)!}, by k·C(n, k) = n·C(n − 1, k − 1). Nothing here is believed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import sympy

from dpbounds.compile.factorials.stirling import log_factorial, next_factorial, stirling_bound
from dpbounds.compile.joining.gammas import LogCompiler
from dpbounds.compile.limits_of_sequences import INDEX, sum_of
from dpbounds.compile.steps import NotWritten, Steps
from dpbounds.kernel.terms import ONE, ZERO, at_most, below, binder, equal, implies, minus, node, number, plus, substitute, variable

_WORK = 20
_N, _K = variable("l_i", "Z"), variable("k_i", "Z")


def factorial_document(name: str, then: Any, given: Sequence[Any]) -> str:
    """The document of a claim about factorials and binomial coefficients.

    Args:
        name: of the document.
        then, given: the claim.

    Raises:
        NotWritten: another claim, or a step that is not seen.
    """
    if not isinstance(then, (sympy.Le, sympy.Ge)) or then.has(sympy.Sum, sympy.Integral):
        raise NotWritten("no products of factorials")
    return _Factorials(then, given).document_of_factorials(name)


class _Factorials(LogCompiler):
    def document_of_factorials(self, name: str) -> str:
        """As `factorial_document`."""
        self.steps.write.work *= _WORK
        steps, (small, large) = self.steps, (self.then.lts, self.then.gts)
        shares, by, weights = dict[Any, Any](), list[int](), list[Any]()
        for side, sign in ((small, -1), (large, 1)):
            for base, k in _factors(side):
                if isinstance(base, sympy.factorial):
                    shares[base.args[0]] = shares.get(base.args[0], 0) + sign * k
                elif isinstance(base, sympy.binomial):
                    n, m = base.args
                    for a, c in ((n, 1), (m, -1), (sympy.expand(n - m), -1)):
                        shares[a] = shares.get(a, 0) + c * sign * k
                    by.append(self._coefficient(n, m))
                    weights.append(number(int(-sign * k)))
        for a, c in shares.items():
            if c == 0:
                continue
            t, upper = self.read.term(a), bool(c < 0)
            bound = steps.write("substitution", stirling_bound(steps, upper=upper), terms={INDEX: t}, functions={})
            by.append(steps.write("cut", bound, self.order(ONE, t)))
            weights.append(number(int(abs(c))))
        logs = at_most(self.log_of(small), self.log_of(large))
        found = steps.sum_of(logs, by, self.known, weights)
        if found is None:
            raise NotWritten("factorials: more than Stirling's formula says")
        return self.ended(name, self.without_logs(found))

    def _coefficient(self, n: Any, m: Any) -> int:
        """log C(n, m) by factorials; that it is positive is known from now on."""
        steps, a, b = self.steps, self.read.term(n), self.read.term(m)
        start, end = self.order(ZERO, b), self.order(b, a)
        self.known = [steps.write("part", steps.write("binomial_positive", start, end), number=0), *self.known]
        every = steps.write("detach", steps.write("specialize", log_binomial(steps), at=b), start)
        return steps.write("detach", steps.write("specialize", every, at=a), end)


def _factors(e: Any) -> Iterator[tuple[Any, Any]]:
    """The factors of a product that are powers of factorials or of binomial coefficients."""
    for factor in sympy.Mul.make_args(sympy.powsimp(e)):
        base, k = factor.as_base_exp()
        if base.has(sympy.factorial, sympy.binomial):
            if not k.is_Integer or not isinstance(base, (sympy.factorial, sympy.binomial)):
                raise NotWritten("no products of factorials")
            yield base, k
        elif k.has(sympy.factorial, sympy.binomial):
            raise NotWritten("no products of factorials")


def log_binomial(steps: Steps) -> int:
    """∀k (0 ≤ k → ∀n (k ≤ n → log C(n, k) = log n! − log k! − log (n − k)!)), by induction over k."""
    write, n, k, later = steps.write, _N, _K, plus(_K, ONE)
    value = minus(minus(log_factorial(n), log_factorial(k)), log_factorial(minus(n, k)))
    same = equal(node("log", node("binom", n, k)), value)
    formula = binder("all", n, implies([at_most(k, n)], same))

    def closed(step: int, at: Any) -> int:
        return write("generalize", write("discharge", step, formula=at_most(at, n)), variable=n)

    zero = sum_of(steps, at_most(ZERO, ZERO))
    both = write("binomial_positive", zero, steps.assume(at_most(ZERO, n)))
    none = write("log_monotone", write("part", both, number=1), write("part", both, number=0))
    base = closed(sum_of(steps, substitute(same, {k: ZERO}), none), ZERO)
    least, here, order = steps.assume(at_most(ZERO, k)), steps.assume(formula), steps.assume(at_most(later, n))
    before = minus(n, ONE)
    inside = sum_of(steps, at_most(k, before), order)
    smaller = write("detach", write("specialize", here, at=before), inside)
    first, one = sum_of(steps, at_most(ONE, later), least), sum_of(steps, at_most(ONE, n), least, order)
    up = write("absorption", one, first)
    signs = [write("binomial_positive", least, inside), write("binomial_positive", sum_of(steps, at_most(ZERO, later), least), order)]
    signs = [write("part", s, number=0) for s in signs]
    positive = write("sign", *signs, first, formula=below(ZERO, steps.formula(up).parts[0]))
    by = [write("log_monotone", up, positive), smaller]
    by += next_factorial(steps, before, sum_of(steps, at_most(ZERO, before), one)) + next_factorial(steps, k, least)
    grown = sum_of(steps, substitute(same, {k: later}), *by, facts=(*signs, first, one), weights=(ONE, ONE, number(-1), ONE))
    return write("induction", base, closed(grown, later), variable=k, start=ZERO, formula=formula)
