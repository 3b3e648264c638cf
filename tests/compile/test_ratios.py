"""0 ≤ h with fewer variables, as steps of the proof checker: ratios, chords, cases at 0, one term of a sum."""

import sympy

from dpbounds.compile.families.masses import below_total, bounds_of
from dpbounds.compile.one_term import OneTerm
from dpbounds.compile.ratios import value_at_zero
from dpbounds.compile.steps import Steps
from dpbounds.kernel.terms import ONE, ZERO, at_most, node, variable

p, q = sympy.symbols("p q", positive=True)
e = sympy.Symbol("e", nonnegative=True)
CLOSE = (sympy.Le(p, sympy.exp(e) * q, evaluate=False), sympy.Le(q, sympy.exp(e) * p, evaluate=False))


def prover(relations):
    steps = Steps("pqe")
    symbols = {s: variable(s.name, "R") for s in (p, q, e)}
    read = OneTerm(steps, symbols, ()).read
    signs = [sympy.Gt(p, 0, evaluate=False), sympy.Gt(q, 0, evaluate=False), sympy.Ge(e, 0, evaluate=False)]
    facts = [(r, steps.assume(read.formula(r))) for r in (*signs, *relations)]
    return OneTerm(steps, symbols, facts, entries=(p, q))


def gap(factor):
    """√(pq) less a multiple of the affinity of randomized response."""
    return sympy.sqrt(p) * sympy.sqrt(q) - factor * (p + q) / (sympy.exp(e / 2) + sympy.exp(-e / 2))


def test_a_chord_of_ratios():
    """√(pq) ≥ (p + q)/(2 cosh(ε/2)) where p and q are within e^ε of each other; the premises are needed."""
    one = prover(CLOSE)
    h = gap(1)
    shown = one.shown(h)
    assert shown is not None
    assert one.steps.formula(shown) == at_most(ZERO, one.term(h))
    assert one.steps.write.steps[shown].hypotheses <= {one.steps.formula(k) for _, k in one.facts}
    assert prover(CLOSE[:1]).shown(h) is None
    assert prover(CLOSE).shown(gap(sympy.Rational(11, 10))) is None


def test_one_term_of_a_sum():
    """f(i) ≤ Σ f where 0 ≤ f(i), for 1 ≤ i ≤ n and nothing else."""
    steps, at, n = Steps("n"), variable("i", "Z"), variable("n", "Z")
    t = node("exp", at)
    found = below_total(steps, t, steps.write("sign", formula=at_most(ZERO, t)), at, n)
    assert found is not None
    assert steps.write.steps[found].hypotheses == {at_most(ONE, at), at_most(at, n)}
    small, large = steps.formula(found).parts
    assert small == t
    assert large.tag == "sum"


def test_what_bounds_a_term():
    x = sympy.Symbol("x", real=True)
    assert list(bounds_of(sympy.Abs(x))) == [(2 * x, x + sympy.Abs(x)), (-2 * x, -x + sympy.Abs(x))]
    assert list(bounds_of(x)) == []


def test_values_at_zero():
    s = sympy.Symbol("s", nonnegative=True)
    assert value_at_zero(s * sympy.log(s) + 2, s) == 2
    assert value_at_zero(sympy.log(s) + 2, s) is None
    assert value_at_zero(1 / (sympy.exp(s) - 1), s) == 0


def test_one_of_two_terms_is_large_enough():
    """p + p^(−e) ≥ 1 for e ≥ 0: p ≥ 1, or p^(−e) ≥ 1."""
    one = prover(())
    assert one.shown(p + p ** (-e) - 1, descend=False) is not None
    assert prover(()).shown(p + p ** (-e) - sympy.Rational(11, 10), descend=False) is None


def test_a_chord_of_an_exponential():
    """2e^p ≤ 2 − 2p + 2p·e for 0 ≤ p ≤ 1, and no more."""
    inside = (sympy.Le(p, 1, evaluate=False),)
    assert prover(inside).shown(1 - p + p * sympy.exp(1) - sympy.exp(p)) is not None
    assert prover(inside).shown(1 - p + sympy.Rational(9, 10) * p * sympy.exp(1) - sympy.exp(p), descend=False) is None


def test_a_descent_with_a_range_of_one_number():
    """cosh v ≤ e^(v²/2), whose descent ends at v = 0 on both sides."""
    v, steps = sympy.Symbol("v", real=True), Steps("v")
    one = OneTerm(steps, {v: variable("v", "R")}, ())
    assert one.shown(sympy.exp(v**2 / 2) - sympy.exp(v) / 2 - sympy.exp(-v) / 2) is not None
