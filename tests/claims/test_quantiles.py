"""Factorials and quantiles as the proof checker reads them: what they ask for is shown without what they say of themselves."""

import itertools
from typing import Any

import pytest
from sympy import Integer, Le, Symbol, binomial, exp, factorial

from dpbounds import notation
from dpbounds.claims.claim import Claim
from dpbounds.claims.evidence.documents import establishes, proves
from dpbounds.claims.evidence.judged import judged
from dpbounds.claims.settling import settle
from dpbounds.claims.verdict import Verdict
from dpbounds.compile.library import Library
from dpbounds.compile.steps import Steps
from dpbounds.kernel import checker
from dpbounds.kernel.definedness import obligations
from dpbounds.kernel.notation import show
from dpbounds.kernel.polynomials import Budget
from dpbounds.kernel.ring import Ring
from dpbounds.kernel.terms import ONE, ZERO, Refused, Term, at_most, below, equal, negative, node, number
from dpbounds.language.functions import NormalCDF, NormalQuantile, Supremum
from dpbounds.language.quantifiers import ForAll
from dpbounds.language.symbols import index, nonnegative, positive, positive_integer, real
from dpbounds.language.typed.bridge import to_sympy
from dpbounds.language.typed.read_sympy import NotRead, Statements

p, y, t, u, n, k = positive("p"), nonnegative("y"), real("t"), real("u"), positive_integer("n"), index("k")
m = Symbol("m", integer=True)


def below_one(claim: Claim) -> str:
    """A document of a claim Φ(u) ≤ 1, or of x < −5 with the quantile x of a p > 1, which there is not."""
    stated_ = Statements().stated(claim.then, claim.given)
    given, goal = stated_.given, stated_.claim
    steps = Steps()
    if goal.tag == "<=":  # the equations are not needed, so nothing asks whether their sides are defined
        given = [g for g in given if g.tag != "="]
        u = goal.parts[0].parts[0]
        rest = steps.write("ring", formula=below(number(0), node("Phi", negative(u))))
        end = steps.write("linear", steps.write("normal_symmetry", term=u), rest, formula=goal, multipliers=[ONE, ONE])
    else:
        equation, beyond = steps.assume(given[-1]), steps.assume(next(g for g in given if g.tag == "<" and g.parts[0] == ONE))
        x = given[-1].parts[0].parts[0]
        rest = steps.write("ring", formula=below(number(0), node("Phi", negative(x))))
        both = steps.write("normal_symmetry", term=x)
        wrong = steps.write("linear", equation, both, beyond, rest, formula=below(ONE, ONE), multipliers=[number(-1), ONE, ONE, ONE])
        end = steps.write("absurd", wrong, steps.write("irreflexive", term=ONE), formula=goal)
    return steps.write.document("test", given, end, [])


def claim(then: Any, *given: Any) -> Claim:
    return Claim(id="test", text="", then=then, given=given)


def test_a_quantile_does_not_show_that_it_exists() -> None:
    """With Φ(x) = p and 1 < p anything follows, and the checker accepts that; it is no claim about a quantile of p."""
    stated = claim(NormalQuantile(p) < -5, p > 1)
    text = below_one(stated)
    found = checker.check(checker.parse(text), {})
    assert any(show(g) == "Phi(quantile) == p" for g in found.given)
    assert not proves(found, stated)
    with pytest.raises(Refused, match="quantities"):
        judged(stated, text)


@pytest.mark.parametrize(
    ("share", "given", "holds"),
    [
        (p, [p < 1], True),
        (p, [p <= 1], False),
        (t, [t < 1], False),
        (t, [t > 0, t < 1], True),
        (t, [t > 0], False),
        (p, [], False),
        (1 - p, [p < 1], True),
        (1 / (1 + exp(1 / y)), [y > 0], True),
        (1 / (1 + exp(1 / y)), [], False),  # 1/0 is 0 for the checker, and 1/2 has a quantile
        (p, [p < 1, NormalQuantile(p / 2) > 0], True),
        (p, [p * (1 + NormalQuantile(p) ** 2) < 1 + NormalQuantile(p) ** 2], False),  # what speaks of a quantile shows none
    ],
)
def test_what_a_quantile_asks_for_follows_from_what_speaks_of_none(share: Any, given: list[Any], holds: bool) -> None:
    stated = claim(NormalCDF(NormalQuantile(share)) <= 1, *given)
    found = checker.check(checker.parse(below_one(stated)), {})
    assert proves(found, stated) is holds


def test_a_quantile_shows_nothing_that_it_asks_for() -> None:
    """p < 1 follows from Φ(x) = p; that the document shows it so is not enough."""
    conclusions = (NormalCDF(NormalQuantile(p)) <= 1, []), (NormalCDF(t) <= 1, [NormalQuantile(p) > 0])
    for (then, premises), (more, holds) in itertools.product(conclusions, ((y >= 0, False), (p < 1, True))):
        stated = claim(then, more, *premises)
        stated_ = Statements().stated(stated.then, stated.given)
        given, goal = stated_.given, stated_.claim
        steps, x = Steps(), given[-1].parts[0].parts[0]
        rows = [steps.write("normal_symmetry", term=x), steps.write("ring", formula=below(number(0), node("Phi", negative(x))))]
        end_of = goal.parts[0].parts[0]
        own = [steps.write("normal_symmetry", term=end_of), steps.write("ring", formula=below(ZERO, node("Phi", negative(end_of))))]
        end = steps.write("linear", *own, formula=goal, multipliers=[ONE, ONE])
        below_ = below(given[-1].parts[1], ONE)
        shown = steps.write("linear", *rows, steps.assume(given[-1]), formula=below_, multipliers=[ONE, ONE, number(-1)])
        found = checker.check(checker.parse(steps.write.document("test", given, end, [shown])), {})
        assert [s.formula for s in found.defined] == [below_]
        assert proves(found, stated) is holds


def test_a_quantile_and_a_premise_do_not_show_each_other_to_exist() -> None:
    """C(m, j) ≤ −1 is false for the checker, and so shows 0 < m < 1; Φ(x) = m shows 0 ≤ m, where C(m, j) means what it says."""
    stated = claim(NormalQuantile(m) <= -5, Le(binomial(m, index("j", start=0)), -1, evaluate=False))
    stated_ = Statements().stated(stated.then, stated.given)
    given, goal = stated_.given, stated_.claim
    unclear, equation = given[-2:]
    steps, (phi, share) = Steps(), equation.parts
    least = steps.write("ring", formula=at_most(ZERO, unclear.parts[0]))
    wrong = steps.write("linear", steps.assume(unclear), least, formula=below(ONE, ONE), multipliers=[ONE, ONE])
    known = steps.write("ring", formula=below(ZERO, phi))
    shown = [steps.write("linear", known, steps.assume(equation), formula=at_most(ZERO, share), multipliers=[ONE, ONE])]
    absurd = (wrong, steps.write("irreflexive", term=ONE))
    shown += [steps.write("absurd", *absurd, formula=formula) for formula in (below(ZERO, share), below(share, ONE))]
    text = steps.write.document("test", given, steps.write("absurd", *absurd, formula=goal), shown)
    found = checker.check(checker.parse(text), {})
    assert establishes(found, given, goal) and not proves(found, stated)


def test_the_sign_of_a_binomial_coefficient_is_not_that_of_sympy() -> None:
    """sympy took C(n, 3) for negative where n may be: |C(n, 3)| was −C(n, 3), and at most −1 for n ≥ 3."""
    n, whole = notation.integer("n"), notation.binomial(notation.integer("n"), 3)
    for size in (notation.Abs(whole), notation.sqrt(whole**2)):
        assert settle(notation.claim("w.", [n >= 3], size <= -1), budget=5).verdict is Verdict.REFUTED
    assert to_sympy(whole).is_nonnegative is None and not to_sympy(notation.Abs(whole)).has(-1)


def test_a_quantile_of_a_premise_exists_by_the_others() -> None:
    cases = (p, [], False), (p, [p < 1], True), (u, [u < 1], False), (u, [u > 0, u < 1], True)
    for share, more, holds in cases:
        stated = claim(NormalCDF(t) <= 1, NormalQuantile(share) > 0, *more)
        assert proves(checker.check(checker.parse(below_one(stated)), {}), stated) is holds


@pytest.mark.parametrize(
    "statement",
    [
        Supremum(NormalQuantile(t), (t, Integer(0), Integer(1))) <= 1,
        ForAll(t, t > 0, NormalQuantile(t) <= 1),
        (t >= 0) & ForAll(t, t > 0, NormalQuantile(t) <= 1),
    ],
)
def test_a_quantile_of_what_is_bound_is_not_read(statement: Any) -> None:
    with pytest.raises(NotRead, match="bound"):
        Statements().stated(statement, [])


def test_each_quantile_is_one_number_with_an_equation() -> None:
    x = positive("quantile")
    stated_ = Statements().stated(NormalQuantile(p) + NormalQuantile(p) ** 2 <= x * NormalQuantile(1 - p), [p < 1])
    given, goal = stated_.given, stated_.claim
    equations = {show(g).split(" == ")[1] for g in given if g.tag == "="}
    assert equations == {"p", "1 - p"}
    assert len({v for v in goal.free if isinstance(v, Term)}) == 3


def test_a_factorial_is_a_product_of_integers() -> None:
    read = Statements()
    ring = Ring([], Budget(40_000))
    for value in range(9):
        term = read.term(factorial(m))
        at = node(term.tag, node("sum", ONE, number(value), term.parts[0].parts[2]))
        assert ring.holds(equal(at, number(int(factorial(value)))))
        assert not ring.holds(equal(at, number(int(factorial(value)) + 1)))
    assert show(read.term(factorial(m))) == "exp(sum(_0, 1, m, log(_0)))"
    assert [show(o) for o in obligations(read.formula(factorial(m) >= 1)) if "all" not in show(o)] == ["1 <= m + 1"]
    with pytest.raises(Refused):
        read.term(factorial(p))


def test_a_rising_function_is_undone() -> None:
    steps = Steps()
    u, v = (steps.fresh(name) for name in "uv")
    for strict, tag in ((True, "<"), (False, "<=")):
        order = steps.assume(node(tag, node("Phi", u), node("Phi", v)))
        step = Library(steps).normal_order(u, v, order, strict=strict)
        assert steps.formula(step) == node(tag, u, v) and steps.write.steps[step].hypotheses == {steps.formula(order)}
