"""The record of a claim: nothing that a user writes is lost or mangled on the way to the domain."""

import pytest
import sympy
from sympy import And, Dummy, Eq, IndexedBase, Integral, Ne, Or, Rational, Sum, Symbol, Wild, exp, sqrt

from dpbounds import FAILS, HOLDS, Claim, Mutant
from dpbounds.claims.statement.assumptions import assumptions_of, unmodelled
from dpbounds.errors import ClaimError, EmptyDomainError
from dpbounds.language.functions import SampledGaussianRenyi
from dpbounds.language.symbols import family, index, integer, nonnegative, positive, real

x, y = real("x y")
q = positive("q")


def claim(**fields):
    return Claim(**{"id": "c", "text": "", "then": x >= 0, **fields})


def test_a_premise_that_the_symbol_implies_stays_as_an_assumption():
    made = claim(then=q < 2, given=[q > 0, q <= 1])
    assert made.given == (q <= 1,)
    assert made.statement["names"] == {"q": ["real", "positive"]}


@pytest.mark.parametrize("value", [True, False, x == y, x != y, (x + 1) ** 2 == x**2 + 2 * x + 1])
@pytest.mark.parametrize("place", ["then", "given"])
def test_python_truth_values_are_refused(value, place):
    with pytest.raises(ClaimError, match="Eq"):
        claim(**{place: value if place == "then" else [value]})


def test_a_single_premise_needs_no_list():
    assert claim(given=x <= 1).given == (x <= 1,)


def test_conjunctions_of_premises_are_split():
    assert set(claim(given=[And(x <= 1, y >= 0)]).given) == {x <= 1, y >= 0}
    assert claim(given=[Or(x <= 1, y >= 0)]).given == (Or(x <= 1, y >= 0),)


def test_a_false_premise_is_an_empty_domain():
    with pytest.raises(EmptyDomainError):
        claim(given=[q < 0])


@pytest.mark.parametrize("bad", ["", "A", "a b", "a/b", "../a", "ü", 3, None, "~a", "-a"])
def test_bad_ids_are_refused(bad):
    with pytest.raises(ClaimError, match="id"):
        claim(id=bad)


@pytest.mark.parametrize("bad", [x, x + 1, "x >= 0", None, 1, Symbol("b")])
def test_what_is_no_relation_is_refused(bad):
    with pytest.raises(ClaimError, match="relation"):
        claim(then=bad)


def test_expectations_are_an_enumeration():
    assert claim(expect=HOLDS).expect is HOLDS
    with pytest.raises(ClaimError, match="expect"):
        claim(expect="HOLDS")


# --- symbols -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "assumption",
    ["prime", "composite", "rational", "irrational", "complex", "imaginary", "extended_real", "infinite", "algebraic", "noninteger"],
)
def test_assumptions_that_no_condition_expresses_are_named(assumption):
    odd = Symbol("v", **{assumption: True})
    assert assumption in unmodelled(odd)
    with pytest.raises(ClaimError, match=f"v assumes .*{assumption}"):
        claim(then=Eq(odd, sympy.pi * x, evaluate=False))
    with pytest.raises(ClaimError, match=assumption):
        claim(given=[Eq(odd, sympy.pi * x, evaluate=False)])


@pytest.mark.parametrize("negated", [{"integer": False, "real": True}, {"commutative": False}, {"finite": False, "extended_real": True}])
def test_negated_assumptions_are_named(negated):
    assert any(name.endswith("=False") for name in unmodelled(Symbol("v", **negated)))


@pytest.mark.parametrize(
    ("assumptions", "conditions"),
    [
        ({}, []),
        ({"real": True}, []),
        ({"positive": True}, ["v > 0"]),
        ({"nonnegative": True}, ["v >= 0"]),
        ({"negative": True}, ["v < 0"]),
        ({"nonpositive": True}, ["v <= 0"]),
        ({"nonzero": True}, ["Ne(v, 0)"]),
        ({"real": True, "zero": False}, ["Ne(v, 0)"]),
        ({"real": True, "positive": False}, ["v <= 0"]),
        ({"integer": True}, []),
        ({"even": True}, ["Eq(Mod(v, 2), 0)"]),
        ({"even": True, "positive": True}, ["v > 0", "Eq(Mod(v, 2), 0)"]),
        ({"odd": True, "negative": True}, ["v < 0", "Eq(Mod(v, 2), 1)"]),
    ],
)
def test_assumptions_become_conditions(assumptions, conditions):
    v = Symbol("v", **assumptions)
    assert unmodelled(v) == []
    assert [str(condition) for condition in assumptions_of(v)] == conditions


@pytest.mark.parametrize("nameless", [Dummy("d", real=True), Wild("w")])
def test_symbols_that_a_certificate_cannot_name_are_refused(nameless):
    with pytest.raises(ClaimError, match="Dummy and Wild"):
        claim(then=nameless**2 + exp(nameless) >= x)


i, k, p = index("i"), integer("k"), family("p")


@pytest.mark.parametrize(
    ("why", "then", "given"),
    [
        (r"the conclusion contains the float 0.01; .* write Rational\(1, 100\)", x >= 0.01, []),
        (r"a premise contains the float 1.5; .* write Rational\(3, 2\)", x >= 0, [SampledGaussianRenyi(2, 1.5, q) <= 1]),
        ("the conclusion contains a number of more than 3900 digits; round it", x * Rational(10**5000 + 1, 10**5000) <= 2, []),
        ("both called x", x <= 2, [Symbol("x", positive=True) <= 1]),
        ("both called x", x <= 2, [family("x")[1] <= 1]),
        ("direction", SampledGaussianRenyi(2, 1, Symbol("add")) >= 0, []),
        ("both a variable and bound", Sum(1 / k**2, (k, 1, 3)) <= k, []),
        ("both a variable and bound", Integral(x, (x, 0, 1)) <= y, [x <= 1]),
        ("runs to 0", Sum(p[i], (i, 0, 3)) <= 1, []),
        ("runs to -1", Integral(sqrt(q), (q, -1, 1)) <= x, []),
        ("one index", IndexedBase("p", real=True)[1, 2] >= 0, []),
        ("rational", IndexedBase("p", rational=True)[1] >= x, []),
    ],
)
def test_what_is_no_statement_is_refused(why, then, given):
    with pytest.raises(ClaimError, match=why):
        claim(then=then, given=given)


def test_an_index_that_fits_its_range_is_no_variable():
    assert claim(then=Integral(sqrt(q), (q, 0, 1)) <= x).variables == (x,)


# --- witnesses -----------------------------------------------------------------------------------------------------

C = real("C")


def test_a_witness_enters_premises_and_conclusion():
    made = claim(given=[x <= C, x >= 0], then=x <= 2 * C, witness={C: 1})
    assert made.variables == (x,)
    assert set(made.given) == {x <= 1, x >= 0}
    assert made.then == (x <= 2)


@pytest.mark.parametrize("value", [x**2, sympy.oo, sympy.nan, "one", sympy.I])
def test_a_witness_is_a_number_that_depends_on_nothing(value):
    with pytest.raises(ClaimError, match="witness"):
        claim(then=x**2 <= C, witness={C: value})


def test_a_witness_keeps_to_its_symbol():
    count, rate = integer("n"), positive("r")
    assert claim(then=x <= count, witness={count: 3}).then == (x <= 3)
    for symbol, value in ((count, "1/2"), (rate, 0), (rate, -1)):
        with pytest.raises(ClaimError, match="breaks what the symbol"):
            claim(then=x <= symbol, witness={symbol: value})


# --- hash and twin -------------------------------------------------------------------------------------------------


def test_the_hash_sees_premises_conclusion_and_assumptions():
    base = claim(then=q <= x, given=[x >= 1])
    others = [
        claim(then=q < x, given=[x >= 1]),
        claim(then=q <= x, given=[x > 1]),
        claim(then=q <= x),
        claim(then=nonnegative("q") <= x, given=[x >= 1]),
        claim(then=q <= real("z"), given=[real("z") >= 2]),
    ]
    assert len({c.statement_hash for c in [base, *others]}) == 6
    assert base.statement_hash == claim(id="d", text="other words", then=q <= x, given=[x >= 1], expect=HOLDS).statement_hash


def test_the_twin_carries_premises_and_expects_to_fail():
    made = claim(given=[x <= 1], mutant=Mutant(x >= Rational(1, 2)), uses=["a"], expect=HOLDS)
    twin = made.twin(made.mutant)
    assert (twin.id, twin.given, twin.expect, twin.uses, twin.mutant) == ("c~mutant", (x <= 1,), FAILS, (), None)
    narrowed = claim(mutant=Mutant(x >= 1, given=[Ne(x, 0), Eq(y, 1)]))
    assert narrowed.twin(narrowed.mutant).given == (Ne(x, 0), Eq(y, 1))
