"""Facts: what rules compute, and that a wrong step has no document. The rules decide nothing, so each of these facts is made."""

from collections.abc import Callable

import pytest
import sympy
from sympy import Eq, Integral, Lambda, Max, Ne, Rational, Sum, Symbol, exp, log, oo, sqrt

from dpbounds.errors import DerivationError
from dpbounds.language.functions import GaussianRenyi, RenyiDivergence, RenyiMoment, Supremum, normal_density
from dpbounds.language.quantifiers import ForAll
from dpbounds.language.symbols import family, index, nonnegative, positive, positive_integer, real
from dpbounds.prover import rules
from dpbounds.prover.choices import KnownFacts
from dpbounds.prover.facts import Fact
from dpbounds.prover.rewriting.documents import document
from dpbounds.prover.terms import applied, free, substitute
from tests.prover.wrong import without_document

x, y, s = positive("x y s")
a, b, u = real("a b u")
z = nonnegative("z")
n, m = positive_integer("n m")
i, j = index("i"), index("j")
p, q = family("p"), family("q", "positive")
k = Symbol("k", integer=True, nonnegative=True)
PEAK = Supremum(u * (1 - u), (u, 0, 1))
ENDLESS = Integral(x, (u, 0, oo))
DENSITY = normal_density(u, a, s)


def doubled_peak() -> Fact:
    """b·PEAK = 2b·PEAK under b = 0: true, and it says nothing about PEAK."""
    zero = rules.hypothesis(rules.eq(b, 0))
    return rules.chain(rules.scale(zero, PEAK), rules.restate(rules.eq(0, 2 * b * PEAK), rules.scale(zero, 2 * PEAK)))


WRONG: dict[str, Callable[[], Fact]] = {
    "a false sign": lambda: rules.sign(rules.le(x**2, x)),
    "a sign at zero": lambda: rules.positive(a**2),
    "a sign without a value": lambda: rules.nonnegative(exp(1 / a)),
    "a root of a square": lambda: rules.equality(sqrt(a**2), a),
    "a lost factor": lambda: rules.equality(x**s, x ** (s + 1)),
    "an undefined identity": lambda: rules.equality(a / a + log(b), 1 + log(b)),
    "a division by zero": lambda: rules.sign(rules.le(b, 5), [a**2 * b <= 5 * a**2]),
    "a cancelled factor": lambda: rules.equality((x - 1) ** 2 / (x - 1) + 1 / (x - 1), x - 1 + 1 / (x - 1)),
    "a sum": lambda: rules.sign(rules.le(Sum(p[i], (i, 1, n)), p[1])),
    "a weaker form that is stronger": lambda: rules.restate(rules.le(a, b - 1), rules.hypothesis(a <= b)),
    "sides that do not meet": lambda: rules.chain(rules.hypothesis(a <= b), rules.hypothesis(rules.le(b - 1, x))),
    "a factor without a sign": lambda: rules.scale(rules.hypothesis(a <= b), u),
    "a factor without a value": lambda: rules.scale(doubled_peak(), 1 / b),
    "a factor that is infinite": lambda: rules.scale(rules.hypothesis(rules.eq(ENDLESS, 2 * ENDLESS)), 1 / ENDLESS),
    "a product of negative sides": lambda: rules.multiply(rules.hypothesis(a <= b), rules.hypothesis(a <= b)),
    "a function that turns": lambda: rules.apply(Lambda(u, u**2), rules.hypothesis(a <= b)),
    "a function without a value": lambda: rules.apply(Lambda(u, log(u)), rules.hypothesis(Eq(a, b))),
    "a concave function": lambda: rules.convex_tangent(log(x), x, 1),
    "a domain with a hole": lambda: rules.convex_tangent(1 / u, u, 1, domain=[Ne(u, 0)]),
    "another place of the minimum": lambda: rules.minimum(x**2 - x, x, 2),
    "another antiderivative": lambda: rules.integral(DENSITY, (u, -oo, oo), sympy.erf((u - a) / s)),
    "a sum that runs backwards": lambda: rules.nonnegative(Sum(k**2, (k, 0, Symbol("w", integer=True)))),
    "a larger range": lambda: rules.sum_termwise(rules.hypothesis(rules.le(p[i], x * i)), (i, 1, n)),
    "an exponent below zero": lambda: rules.binomial_theorem(a, b, Symbol("w", integer=True), k),
    "a step that assumes more": lambda: rules.induction(
        rules.sign(rules.le(0, Rational(1))), rules.sign(rules.le(n + 1, 5), [n <= 4]), n, n <= 5, start=1
    ),
    "an extremum that is not attained": lambda: rules.supremum(
        PEAK, rules.hypothesis(rules.le(u * (1 - u), 1)), rules.equality(Rational(3, 2) * Rational(-1, 2), Rational(-3, 4)), Rational(3, 2)
    ),
    "a term out of range": lambda: rules.instance(rules.positive(x), {x: a}),
    "a family with another sign": lambda: rules.instance(rules.nonnegative(Sum(p[i], (i, 1, n))), {p: Lambda((j,), a * j)}),
    "a condition that is not shown": lambda: rules.specialize(rules.hypothesis(ForAll(u, u > 1, rules.le(u, b))), a),
    "conditions that are not shown": lambda: rules.generalize(rules.hypothesis(rules.le(u, b)), u, u > 1),
    "two cases of three": lambda: rules.cases(rules.sign(a > 0, [a > 0]), rules.sign(a > -1, [a <= 0]), over=a > 0),
    "infinity less infinity": lambda: rules.apply(Lambda(u, u - ENDLESS), rules.hypothesis(rules.eq(ENDLESS + x, ENDLESS))),
    "a condition of a divergence": lambda: rules.equality(
        GaussianRenyi(x, s, 1).definition(), x / s**2, using=[rules.definition(RenyiMoment(x, p[i], q[i], (i, 1, n)))]
    ),
    "a divergence that may be infinite": lambda: rules.chain(
        rules.definition(RenyiDivergence(x, p[i], q[i], (i, 1, oo)), [x > 1]), rules.hypothesis(rules.le(0, 1))
    ),
    "terms of a larger maximum": lambda: rules.maximum(rules.hypothesis(a <= b), rules.hypothesis(rules.le(u, b + 1))),
}


@pytest.mark.parametrize("build", WRONG.values(), ids=WRONG.keys())
def test_a_wrong_step_has_no_document(build):
    assert without_document(build())


def refused(build):
    with pytest.raises(DerivationError) as caught:
        build()
    assert "\n" not in str(caught.value)


def test_what_a_rule_cannot_read_is_refused_at_once():
    at_most, other = rules.hypothesis(a <= b), rules.hypothesis(Ne(a, b))
    for build in (
        lambda: rules.sign(a),
        lambda: rules.add(at_most, a <= b),
        lambda: rules.chain(at_most),
        lambda: rules.chain(at_most, other),
        lambda: rules.add(at_most, other),
        lambda: rules.scale(other, 2),
        lambda: rules.definition(a),
        lambda: rules.sum_split(a, 1),
        lambda: rules.first_term(Sum(p[i] * p[j], (i, 1, n), (j, 1, n))),
        lambda: rules.bound_extremum(a, at_most),
        lambda: rules.below_maximum(Max(a, b), 2),
        lambda: rules.specialize(at_most, b),
        lambda: rules.instance(rules.nonnegative(p[1]), {p: x}),
        lambda: rules.conjunct(rules.conjunction(at_most, at_most), b <= a),
        lambda: rules.cases(at_most, over=a <= b),
        lambda: rules.integral(x, (u, 0, oo), x * u),
        lambda: rules.assume(a <= b, " "),
    ):
        refused(build)


# --- what rules compute


def test_a_negative_factor_turns_a_relation():
    fact = rules.hypothesis(a <= b)
    assert rules.scale(fact, 2).statement == rules.le(2 * a, 2 * b)
    assert rules.scale(fact, 1 - x, [x > 1]).statement == rules.le((1 - x) * b, (1 - x) * a)
    assert rules.scale(rules.hypothesis(Eq(a, b)), u).statement == rules.eq(a * u, b * u)


def test_a_falling_function_turns_a_relation():
    fact = rules.hypothesis(x <= y)
    assert rules.apply(Lambda(u, exp(-u)), fact).statement == rules.le(exp(-y), exp(-x))
    assert rules.apply(Lambda(u, log(u)), fact).statement == rules.le(log(x), log(y))


def test_a_chain_puts_equations_the_way_they_meet():
    first, second = rules.hypothesis(Eq(b, a)), rules.hypothesis(b < x)
    assert rules.chain(first, second).statement == rules.lt(a, x)
    assert rules.chain(rules.equality(a * (a + 1), a**2 + a), rules.hypothesis(a**2 + a <= b)).statement == rules.le(a * (a + 1), b)


def test_what_is_seen_at_once_falls_away_from_an_instance():
    fact = rules.sign(rules.lt(0, (a - 1) * b), [a > 1, b > 0])
    assert rules.instance(fact, {a: 1 + x, b: u}).assumptions == {u > 0}
    assert rules.instance(fact, {a: u}, [u > 2]).assumptions == {u > 2, b > 0}


def test_assumptions_are_carried_and_discharged():
    fact = rules.sign(rules.lt(0, a * b), [a > 0, b > 0])
    assert rules.discharge(fact, rules.sign(a > 0, [a > 1])).assumptions == {a > 1, b > 0}
    assert rules.generalize(fact, a, a > 0).assumptions == {b > 0}
    assert rules.cases(*(rules.sign(rules.le(0, a**2), [on]) for on in (a > 0, a <= 0)), over=a > 0).assumptions == frozenset()
    assert rules.sum_termwise(rules.sign(rules.le(p[i], p[i] + x), [rules.le(i, n)]), (i, 1, n)).assumptions == frozenset()


def test_a_citation_stays_visible():
    fact = rules.add(rules.assume(a <= b, "a lemma"), rules.hypothesis(b <= x))
    assert [item.citation for item in fact.assumed] == ["a lemma"] and "a lemma" in document("cited", fact, {})


def test_a_fact_keeps_what_its_rule_was_given():
    helper = rules.nonnegative(a**2)
    fact = rules.scale(helper, x, given=iter([x > 1]))
    assert fact.arguments["fact"] is helper and fact.arguments["given"] == (x > 1,) and fact.number > helper.number


def test_what_is_known():
    known = KnownFacts([a > 2, ForAll(i, sympy.true, p[i] <= 1)])
    assert known.positive(a - 1) and known.holds(a * x > 2 * x) and known.equal(a * (a + 1), a**2 + a)
    assert not known.positive(b) and not known.holds(a > 3) and not known.equal(a, b)


# --- terms


def test_substitution_avoids_capture():
    moved = substitute(Sum(x * i, (i, 1, n)), {x: i})
    assert free(moved) == {i, n}
    assert moved.subs({i: 5, n: 2}).doit() == 15
    body = substitute(ForAll(y, y > 0, rules.le(x, y)), {x: y})
    assert free(body) == {y}
    assert i in free(applied(Lambda(x, Sum(x, (i, 1, n))), i))


def test_substitution_keeps_relations():
    assert substitute(rules.le(x, y), {y: x}) == rules.le(x, x)


def test_families_are_replaced_by_functions_of_their_index():
    moved = substitute(Sum(p[i], (i, 1, n)), {p: Lambda((j,), x * j)})
    assert moved == Sum(x * i, (i, 1, n))
