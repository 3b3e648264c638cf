"""Documents from derivations: what is derived again by other rules ends in a document that the checker accepts."""

import json
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import mpmath
import pytest
import sympy
from sympy import Lambda, Rational, S, Sum, Symbol, binomial, oo, sqrt

from dpbounds.kernel import checker
from dpbounds.kernel.notation import Reader, show
from dpbounds.kernel.terms import ZERO, Refused, at_most, below, node, number, value, variable
from dpbounds.language.functions import Supremum
from dpbounds.language.symbols import nonnegative, positive, real
from dpbounds.prover import rules
from dpbounds.prover.facts import Fact
from dpbounds.prover.rewriting import half_lines
from dpbounds.prover.rewriting.arithmetic import ProofSearch
from dpbounds.prover.rewriting.building import StepWriter
from dpbounds.prover.rewriting.documents import Emission, Stuck, document
from dpbounds.prover.rewriting.pruning import pruned
from dpbounds.prover.rewriting.roots import roots

a, t = positive("a"), positive("t")
u, x = real("u x")
n = Symbol("n", integer=True, positive=True)
k = Symbol("k", integer=True, nonnegative=True)
q = nonnegative("q")


def written(build: Callable[[], Fact], lemmas: dict[int, checker.Statement] | None = None) -> tuple[str, Fact]:
    """The document of what a function derives."""
    fact = build()
    return document("test", fact, lemmas or {}), fact


def proved(text: str) -> checker.Statement:
    """What the checker accepts it for."""
    return checker.check(checker.parse(text), {})


def root_of_a_square() -> Fact:
    """|u − 1| ≤ |x| from (u − 1)² ≤ x²."""
    z = Symbol("z", nonnegative=True)
    return rules.apply(Lambda(z, sqrt(z)), rules.hypothesis(rules.le((u - 1) ** 2, x**2)))


def small_coefficients() -> Fact:
    """Σ_{k=0}^n C(n,k) x^k = 1 + n x + Σ_{k=2}^n C(n,k) x^k."""
    first = rules.first_term(Sum(binomial(n, k) * x**k, (k, 0, n)))
    second = rules.first_term(Sum(binomial(n, k) * x**k, (k, 1, n)))
    return rules.chain(first, rules.equality(first.rhs, 1 + second.rhs, using=[second]))


def powers_of_what_may_be_zero() -> Fact:
    """q^{k+2} = q²·q^k for q ≥ 0."""
    return rules.equality(q ** (k + 2), q**2 * q**k)


def exponentials_of_numbers() -> Fact:
    """e² ≤ 7.981 e^{−1/13}: the best constant is 7.9799 to four digits."""
    return rules.sign(rules.le(sympy.exp(2), Rational("7.981") * sympy.exp(-Rational(1, 13))))


def terms_of_a_sum_over_the_line() -> Fact:
    """∫ (1 + a + a e^u)² e^{−u²/2} du: three Gaussians, with factors of several terms."""
    weights = (1 + a) ** 2, 2 * (1 + a) * a * sympy.exp(S.Half), a**2 * sympy.exp(2)
    masses = [sqrt(2 * sympy.pi) * sympy.erf((u - j) / sqrt(2)) / 2 for j in range(3)]
    whole = (1 + a + a * sympy.exp(u)) ** 2 * sympy.exp(-(u**2) / 2)
    return rules.integral(whole, (u, -oo, oo), sum(w * mass for w, mass in zip(weights, masses, strict=True)))


def partial_sums() -> Fact:
    """Σ_{i≥1} a/i² ≤ Σ_{i≥1} 2a/i²."""
    i = Symbol("i", integer=True, positive=True)
    return rules.sum_termwise(rules.sign(rules.le(a / i**2, 2 * a / i**2)), (i, 1, oo))


def absorbed() -> Fact:
    """(k+1)(k+2)C(n,k+2) = n(n−1)C(n−2,k)."""
    given = (sympy.Ge(n, 2),)
    both = [rules.absorption(n, k + 2, given), rules.absorption(n - 1, k + 1, given)]
    left = (k + 1) * (k + 2) * binomial(n, k + 2)
    return rules.equality(left, n * (n - 1) * binomial(n - 2, k), (*given, sympy.Le(k, n - 2)), using=both)


def falls_like_a_square() -> Fact:
    """∫_2^∞ a/u² du = a/2: the antiderivative is a function of 1/u."""
    return rules.integral(a / u**2, (u, 2, oo), -a / u)


def half_of_a_logistic_law() -> Fact:
    """∫_0^∞ e^{−u}/(1+e^{−u})² du = 1/2: the antiderivative is a function of e^{−u}."""
    return rules.integral(sympy.exp(-u) / (1 + sympy.exp(-u)) ** 2, (u, 0, oo), 1 / (1 + sympy.exp(-u)))


def half_of_a_logistic_law_below() -> Fact:
    """∫_{−∞}^0 e^{−u}/(1+e^{−u})² du = 1/2: the antiderivative is a function of e^{u}."""
    return rules.integral(sympy.exp(-u) / (1 + sympy.exp(-u)) ** 2, (u, -oo, 0), sympy.exp(u) / (1 + sympy.exp(u)))


def below_what_is_integrable() -> Fact:
    """∫_{−∞}^{−2} 1/(u² + a) du ≤ 1/2, for what lies below 1/u² is integrable as that is."""
    small, large, here = 1 / (u**2 + a), 1 / u**2, [u <= -2]
    less = rules.restate(rules.le(small, large), rules.scale(rules.sign(rules.le(u**2, u**2 + a)), small / u**2, here), here)
    area = rules.integral(large, (u, -oo, -2), -1 / u)
    return rules.chain(rules.integrate_termwise(less, (u, -oo, -2)), area)


def another_scale() -> Fact:
    """∫ e^{−u²/2} du = ∫ a·e^{−(au)²/2} du."""
    return rules.rescale_integral(sympy.exp(-(u**2) / 2), u, a)


BUILDS = [root_of_a_square, small_coefficients, powers_of_what_may_be_zero, absorbed, exponentials_of_numbers]
BUILDS += [terms_of_a_sum_over_the_line, partial_sums, falls_like_a_square, half_of_a_logistic_law]
BUILDS += [half_of_a_logistic_law_below, below_what_is_integrable, another_scale]


@pytest.mark.parametrize("build", BUILDS, ids=lambda f: f.__name__)
def test_a_document_is_written_and_accepted(build: Callable[[], Fact]) -> None:
    text, fact = written(build)
    assert not proved(text).citations
    assert proved(text).steps > 1
    assert len(fact.assumptions) <= 2


def test_an_exponential_of_a_supremum() -> None:
    fact = rules.exponential_extremum(Supremum(x * t - a * t**2, (t, 0, oo)))
    unbounded = rules.exponential_extremum(Supremum(x * t + a * t**2, (t, 0, oo)))
    emission = Emission({})
    step = emission.step(fact)
    assert emission.write.formula(step) == emission.read.formula(fact.statement)
    assert [show(h) for h in emission.write.steps[step].hypotheses] == ["0 < a"]
    with pytest.raises(Stuck, match="exponential_extremum"):
        emission.step(unbounded)


def test_roots_of_products_of_squares() -> None:
    write = StepWriter()
    search = ProofSearch(write)
    read = Reader({name: variable(name, "R") for name in "uv"}, {})
    said = [show(write.formula(step)) for step in roots(search, read("((u - 1)**2 * v**2)**(1/2)"))]
    assert said[0] == "((u - 1)**2 * v**2)**(1/2) == abs(u - 1) * abs(v)"
    assert not any(write.steps[step].hypotheses for step in roots(search, read("((u - 1)**2)**(1/2)")))
    for other in ("((u - 1)**3)**(1/2)", "(u**2 + v**2)**(1/2)", "(u**2)**(1/3)", "u"):
        assert roots(search, read(other)) == []


def test_a_document_rests_on_another() -> None:
    known = rules.restate(rules.le(2 * u, u**2 + 1), rules.nonnegative((u - 1) ** 2))
    more = rules.sign(rules.le(x**2 + 1, x**2 + 1 + a))
    fact = rules.restate(rules.le(2 * x, x**2 + 1 + a), rules.chain(rules.instance(known, {u: x}), more))
    lemma = checker.check(checker.parse(document("known", known, {})), {})
    text = document("test", fact, {id(known): lemma})
    assert '"lemma"' in text
    assert checker.check(checker.parse(text), {"known": lemma}).claim != lemma.claim
    with pytest.raises(Refused, match="no such document"):
        proved(text)
    with pytest.raises(Stuck, match="something else"):  # a document is used for the fact that it proves
        document("test", fact, {id(fact): lemma})
    assert '"lemma"' not in document("test", fact, {})


def test_a_lemma_may_use_a_name_for_another_sort() -> None:
    other = Symbol("n", real=True)
    known = rules.restate(rules.le(2 * other, other**2 + 1), rules.nonnegative((other - 1) ** 2))
    fact = rules.instance(known, {other: n})
    lemma = checker.check(checker.parse(document("known", known, {})), {})
    text = document("test", fact, {id(known): lemma})
    assert '"lemma"' in text
    assert show(checker.check(checker.parse(text), {"known": lemma}).claim) == show(lemma.claim)


def steps_of(text: str) -> list[dict[str, Any]]:
    """The steps of a document."""
    return [row for row in checker.parse(text) if "rule" in row]


def test_premises_that_a_step_does_not_need_are_dropped() -> None:
    write = StepWriter()
    read = Reader({name: variable(name, "R") for name in "uvw"}, {})
    known = write.hypotheses(map(read, ["0 < u", "0 < v", "0 < w", "1 + v < (w + v)**3", "w == 3 + v"]))
    end = write("linear", *known, formula=read("0 <= u*v"), multipliers=[])
    text = write.document("test", [write.formula(j) for j in known], end, [])
    assert len(steps_of(text)) == 6
    short = pruned(text, {})
    assert [row["rule"] for row in steps_of(short)] == ["hypothesis", "hypothesis", "linear"]
    assert show(proved(short).claim) == "0 <= u * v"
    assert proved(short).given == proved(text).given
    assert pruned(short, {}) == short


def test_a_step_that_says_what_an_earlier_one_says_is_that_one() -> None:
    header = {"format": checker.FORMAT, "name": "test", "real": ["u", "v"], "integer": [], "functions": {}, "given": ["0 < u"]}
    rows = [
        header | {"claim": "0 <= u and 0 <= u * u"},
        {"let": "w", "be": "u * u"},
        {"rule": "hypothesis", "with": {"formula": "0 < u"}},
        {"rule": "hypothesis", "with": {"formula": "0 < v"}},
        {"rule": "linear", "by": [0], "with": {"formula": "0 <= u", "multipliers": ["1"]}},
        {"rule": "ring", "by": [0, 1], "with": {"formula": "0 <= u"}},
        {"rule": "linear", "by": [1, 1, 0], "with": {"formula": "0 <= w + v", "multipliers": ["1"]}},
        {"rule": "ring", "by": [0, 1], "with": {"formula": "0 <= w"}},
        {"rule": "conjunction", "by": [3, 5]},
        {"rule": "discharge", "by": [6], "with": {"formula": "0 < v"}},
        {"rule": "detach", "by": [7, 1]},
        {"end": 8},
    ]
    text = "".join(json.dumps(row) + "\n" for row in rows)
    with pytest.raises(Refused, match="under more than is given"):
        proved(text)
    short = pruned(text, {})
    assert [row["rule"] for row in steps_of(short)] == ["hypothesis", "linear", "ring", "conjunction"]
    assert checker.parse(short)[0]["real"] == ["u"]
    assert show(proved(short).claim) == "0 <= u and 0 <= u * u"


def test_what_is_added_up_says_nothing_of_signs_unless_it_is_named_again() -> None:
    write = StepWriter()
    read = Reader({"u": variable("u", "R")}, {})
    known = write.hypothesis(read("0 < u"))
    square = write("linear", known, formula=read("0 < u * u"), multipliers=[variable("u", "R")])
    assert write.rows[square]["by"] == [known, known]


def test_exponentials_and_halves_of_gaussians_on_half_lines():
    """What is shown once for all rates and ends, in words; each step has been taken by a rule of the checker."""
    emission = Emission({})
    rate, end = variable("k", "R"), variable("m", "R")
    positive = emission.write.hypothesis(below(ZERO, rate))
    shown = {
        half_lines.exponential: ["line(_0, ite(m < _0, exp(-(k * _0)), 0)) == exp(-(k * m)) / k"],
        half_lines.exponential_below: ["line(_0, ite(_0 <= m, exp(k * _0), 0)) == exp(k * m) / k"],
        half_lines.half_bell: [
            f"line(_0, ite({part}, exp(-((_0 - m)**2 / (2 * k**2))), 0)) == 1/2 * (k * (2 * pi())**(1/2))" for part in ("m < _0", "_0 <= m")
        ],
    }
    for make, wanted in shown.items():
        found = [emission.write.steps[step] for step in make(emission, positive, end)]
        assert [show(s.formula) for s in found if s.formula.tag == "="] == wanted
        assert [s.formula.tag for s in found] == ["integrable", "="] * len(wanted)
        assert all(s.hypotheses <= {below(ZERO, rate)} and not s.citations for s in found)


@pytest.mark.parametrize("q", [Fraction(2), Fraction(-7, 2), Fraction(1, 16), Fraction(-1007, 1116)])
def test_bounds_of_exponentials_of_numbers(q: Fraction) -> None:
    """Both bounds are right, and apart by less than a part in two thousand."""
    write = StepWriter()
    search = ProofSearch(write)
    low, high = write.formula(search._exponential_above(q)).parts[0], write.formula(search._exponential_below(q)).parts[1]
    least, most = value(low), value(high.parts[0])
    assert least is not None and most is not None
    with mpmath.workdps(30):
        exact = mpmath.exp(mpmath.mpf(q.numerator) / q.denominator)
        assert mpmath.mpf(least.numerator) / least.denominator <= exact <= mpmath.mpf(most.denominator) / most.numerator
    assert 1 - least * most <= Fraction(1, 2000)
    text = show(at_most(node("exp", number(q)), number(least * Fraction(999, 1000))))
    assert search.prove(Reader({}, {})(text), []) is None  # which is false
