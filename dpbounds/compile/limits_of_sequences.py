"""The limit of a sequence that falls, as a lemma: g(n + 1) ≤ g(n) and 1 − 1/n ≤ g(n) for n ≥ 1 give 1 ≤ g(n) for n ≥ 1.

That no number is above all integers is shown by a least upper bound: let f(t) be t where t is below some integer, and n elsewhere. If K
is above all integers, f ≤ K, so f has a least upper bound S; each integer is one of its values, so S − 1 is above all integers as well, and
then f ≤ S − 1.
"""

from __future__ import annotations

from dpbounds.compile.steps import NotWritten, Steps
from dpbounds.kernel.terms import MINUS, ONE, ZERO, Term, at_most, below, binder, implies, minus, node, over, plus, substitute, variable

SEQUENCE = ("sequence_", "Z>R")
"""The sequence of the lemma."""
INDEX = variable("n_i", "Z")
"""The n of the lemma."""
_M, _T = variable("m_i", "Z"), variable("t_", "R")


def _from(formula: Term, start: Term = INDEX) -> Term:
    """∀m (n ≤ m → F)."""
    return binder("all", _M, implies([at_most(start, _M)], formula))


def sum_of(steps: Steps, goal: Term, *by: int, facts: tuple[int, ...] = (), weights: tuple[Term, ...] = ()) -> int:
    """The goal as a sum of relations.

    Raises:
        NotWritten: it is none.
    """
    found = steps.sum_of(goal, list(by), list(facts), list(weights))
    if found is None:
        raise NotWritten("a step of the lemma")
    return found


def no_upper_bound(steps: Steps, bound: int, goal: Term) -> int:
    """Anything from a step ∀m (n ≤ m → m ≤ K)."""
    write, n = steps.write, INDEX
    over_all = _from(at_most(_M, _T))
    f = node("ite", over_all, n, _T)
    first = _below(steps, f, bound)
    least = binder("sup_above", _T, n, f)
    here, later = steps.assume(at_most(n, _M)), plus(_M, ONE)
    inside = sum_of(steps, below(n, later), here)
    reached = write("extremum_reached", first, inside, variable=_T, ends=[n], at=later)
    split = write("excluded_middle", formula=substitute(over_all, {_T: later}))
    yes, no = write.hypotheses(steps.formula(split).parts)
    order = at_most(_M, minus(least, ONE))
    after = plus(later, ONE)
    wrong = write("detach", write("specialize", yes, at=after), sum_of(steps, at_most(n, after), here))
    wrong = write("absurd", sum_of(steps, below(_M, _M), wrong), write("irreflexive", term=_M), formula=order)
    value = write("branch", no, then=n, other=later)
    right = sum_of(steps, order, reached, value, weights=(ONE, MINUS))
    every = write("cases", split, wrong, right)
    every = write("generalize", write("discharge", every, formula=at_most(n, _M)), variable=_M)
    smaller = write("extremum_bound", _below(steps, f, every), variable=_T, ends=[n])
    return write("absurd", sum_of(steps, below(least, least), smaller), write("irreflexive", term=least), formula=goal)


def _below(steps: Steps, f: Term, bound: int) -> int:
    """f(t) ≤ c from ∀m (n ≤ m → m ≤ c)."""
    write, n = steps.write, INDEX
    over_all = f.parts[0]
    start = write("detach", write("specialize", bound, at=n), sum_of(steps, at_most(n, n)))
    c = steps.formula(start).parts[1]
    split = write("excluded_middle", formula=over_all)
    yes, no = write.hypotheses(steps.formula(split).parts)
    first = sum_of(steps, at_most(f, c), write("branch", yes, then=n, other=_T), start)
    order = write("total_order", left=_T, right=c)
    under, above = write.hypotheses(steps.formula(order).parts)
    value = write("branch", no, then=n, other=_T)
    right = sum_of(steps, at_most(f, c), value, under)
    here = steps.assume(at_most(n, _M))
    each = sum_of(steps, at_most(_M, _T), write("detach", write("specialize", bound, at=_M), here), above)
    each = write("generalize", write("discharge", each, formula=at_most(n, _M)), variable=_M)
    return write("cases", split, first, write("cases", order, right, write("absurd", each, no, formula=at_most(f, c))))


def limit_lemma(steps: Steps) -> int:
    """1 ≤ n, ∀m (1 ≤ m → g(m + 1) ≤ g(m)) and ∀m (1 ≤ m → 1 − 1/m ≤ g(m)) give 1 ≤ g(n)."""
    write, n = steps.write, INDEX

    def g(t: Term) -> Term:
        return node("f", t, data=SEQUENCE)

    given = steps.assume(at_most(ONE, n))
    falls, near = (steps.assume(_from(f, ONE)) for f in (at_most(g(plus(_M, ONE)), g(_M)), at_most(minus(ONE, over(ONE, _M)), g(_M))))
    goal = at_most(ONE, g(n))
    split = write("total_order", left=ONE, right=g(n))
    done, small = write.hypotheses(steps.formula(split).parts)
    gap = minus(ONE, g(n))
    some = sum_of(steps, below(ZERO, gap), small)
    here, before = steps.assume(at_most(n, _M)), steps.assume(at_most(g(_M), g(n)))
    one = sum_of(steps, at_most(ONE, _M), given, here)
    grown = sum_of(steps, at_most(g(plus(_M, ONE)), g(n)), write("detach", write("specialize", falls, at=_M), one), before)
    rows = write("induction", sum_of(steps, at_most(g(n), g(n))), grown, variable=_M, start=n, formula=at_most(g(_M), g(n)))
    here_falls = write("detach", write("specialize", rows, at=_M), here)
    here_near = write("detach", write("specialize", near, at=_M), one)
    order = at_most(_M, over(ONE, gap))
    weight = over(_M, gap)
    each = sum_of(steps, order, here_near, here_falls, facts=(some, one), weights=(weight, weight))
    each = write("generalize", write("discharge", each, formula=at_most(n, _M)), variable=_M)
    return write("cases", split, done, no_upper_bound(steps, each, goal))
