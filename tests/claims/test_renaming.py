"""A theorem proves a claim under other names, and nothing else."""

import pytest
from sympy import Eq, Function, IndexedBase, Integer, Le, Rational, Sum, Symbol, exp

from dpbounds import Claim, Proof
from dpbounds.claims.evidence.prove import Proved, prove
from dpbounds.claims.evidence.renaming import in_names_of
from dpbounds.language.functions import GaussianRenyi, RenyiDivergence, RenyiMoment
from dpbounds.language.quantifiers import ForAll
from dpbounds.language.symbols import family, index, integer, positive, positive_integer, real, sums_to_one
from dpbounds.logic.terms import variable
from dpbounds.prover import derive, rules

order, noise, sensitivity, budget = positive("a s d_0 r")
j, size = index("j"), positive_integer("size")
first, second, over = family("first"), family("second", "positive"), (j, 1, size)
LAWS = [sums_to_one(law, over) for law in (first, second)]


def proved(then, given, name):
    return prove(Claim(id="a", then=then, given=given, by=Proof(name)), Proof(name))


DIVERGENCE = RenyiDivergence(order, first[j], second[j], over) <= order * budget
MOMENT = RenyiMoment(order, first[j], second[j], over) <= exp(order * budget * (order - 1))


def test_a_theorem_proves_a_claim_in_other_names():
    found = proved(GaussianRenyi(order, sensitivity * noise, sensitivity) <= order / (2 * noise**2), [order > 1], "proposition-2")
    assert isinstance(found, Proved) and found.document == "proposition-2"


def test_families_bound_symbols_and_premises_are_renamed_too():
    found = proved(DIVERGENCE, [order > 1, *LAWS, MOMENT], "zcdp-divergence")
    assert isinstance(found, Proved) and found.document == "zcdp-divergence"


@pytest.mark.parametrize(
    ("then", "given", "name"),
    [
        (GaussianRenyi(order, sensitivity * noise, sensitivity) <= order / (2 * noise**2), [], "proposition-2"),
        (GaussianRenyi(order, sensitivity * noise, sensitivity) <= order / (3 * noise**2), [order > 1], "proposition-2"),
        (GaussianRenyi(order, noise * noise, noise) <= order / (2 * noise**2), [order > 1], "proposition-2"),  # an instance, not a renaming
        (DIVERGENCE, [*LAWS, MOMENT], "zcdp-divergence"),
        (DIVERGENCE, [order > 1, *LAWS, MOMENT.subs(budget, 2 * budget)], "zcdp-divergence"),
        (DIVERGENCE.subs(order, real("m")), [real("m") > 1, *LAWS, MOMENT], "zcdp-divergence"),
    ],
    ids=[
        "a premise less",
        "another constant",
        "one variable for two",
        "no premise on the order",
        "another budget",
        "a premise of another order",
    ],
)
def test_what_the_theorem_does_not_say_is_not_proved(then, given, name):
    assert isinstance(proved(then, given, name), str)


x, y, z = real("x y z")


def test_two_variables_never_get_one_name():
    theorem = derive("t", "t", lambda proof: proof("as given", rules.hypothesis(x <= y)))
    claim = Claim(id="a", then=z <= x, given=[y >= 0, z <= x])
    assert list(in_names_of(claim, theorem.conclusion, theorem.assumptions)) == []  # z, x would be x, y, and y is taken


def test_no_name_is_caught_by_a_quantifier():
    claim = Claim(id="a", then=z**2 <= 1, given=[ForAll(x, x > 0, z <= x)])
    assert list(in_names_of(claim, x**2 <= 1, [])) == []


def test_variables_that_look_alike_are_tried_in_every_order():
    claim = Claim(id="a", then=Eq(x * y, 1), given=[x > 0])
    assert [other.given for other in in_names_of(claim, Eq(x * y, 1), [y > 0])] in ([(x > 0,), (y > 0,)], [(y > 0,), (x > 0,)])


def test_bound_symbols_are_those_of_the_theorem():
    i, n = index("i"), positive_integer("n")
    (other,) = in_names_of(Claim(id="a", then=Sum(exp(-j), (j, 1, size)) <= Rational(2)), Sum(exp(-i), (i, 1, n)) <= 2, [])
    assert other.then == (Sum(exp(-i), (i, 1, n)) <= 2)


def accepted(claim, derivation):
    return isinstance(prove(claim, Proof(lambda: derivation)), Proved)


def above_zero(term, premise):
    """0 < y from 0 < term and term <= y."""
    return derive("t", "t", lambda proof: proof("end", rules.chain(rules.positive(term), rules.hypothesis(premise))))


FALSE = {
    "a positive function for a real one": (
        Claim(id="a", then=y > 0, given=[Function("f", real=True)(x) <= y]),
        above_zero(Function("f", positive=True)(x), Function("f", positive=True)(x) <= y),
    ),
    "any function called exp": (Claim(id="a", then=y > 0, given=[Function("exp", real=True)(x) <= y]), above_zero(exp(x), exp(x) <= y)),
    "a family that assumes more than its label": (
        Claim(id="a", then=y > 0, given=[IndexedBase(Symbol("p", real=True), real=True)[1] <= y]),
        above_zero(*(lambda mass: (mass, mass <= y))(IndexedBase(Symbol("p", real=True), positive=True)[1])),
    ),
    "a premise that is a sign only under the theorem's assumptions": (
        Claim(id="a", then=x + x**3 > 0, given=[abs(x) > 0]),
        derive("t", "t", lambda proof: proof("end", rules.positive(order + order**3))),
    ),
    "a bound odd number for any integer": (
        Claim(id="a", then=x <= 2 * y, given=[ForAll(k := Symbol("k", odd=True), k > 0, x <= k * y)]),
        derive(
            "t",
            "t",
            lambda proof: proof("end", rules.specialize(rules.hypothesis(ForAll(i := integer("k"), i > 0, x <= i * y)), Integer(2))),
        ),
    ),
    "a bound symbol with the name of a variable": (
        Claim(id="a", then=2 * noise / (1 + z**2) > 1, given=[ForAll(Z := positive("z"), Z > 0, noise + Z > 1)]),  # false at s = 1, z = 10
        derive(
            "t",
            "t",
            lambda proof: proof(
                "end",
                rules.specialize(
                    rules.hypothesis(ForAll(order, order > 0, 2 * order > 1)), Z / (1 + x**2), using=[rules.positive(Z / (1 + x**2))]
                ),
            ),
        ),
    ),
}
"""Claims that are false, or do not follow, beside theorems that hold."""


@pytest.mark.parametrize("name", FALSE)
def test_no_false_claim_is_taken_for_a_theorem(name):
    assert not accepted(*FALSE[name])


def test_a_quantifier_keeps_its_range():
    theorem = derive("t", "t", lambda proof: proof("end", rules.positive(order + order**3)))
    claim = Claim(id="a", then=x + x**3 > 0, given=[x > 0, ForAll(x, True, x**2 > -1)])
    assert list(in_names_of(claim, theorem.conclusion, [])) == []  # "for all real x" would be "for all positive a"


def test_the_claim_in_other_names_is_the_statement_that_was_typed():
    """sympy renames it: what sympy makes of its conclusion or of its premises proves nothing."""
    theorem = derive("t", "t", lambda proof: proof("as given", rules.nonnegative(x**2)))
    made = Le(0, y**2, evaluate=False)
    for least, found in ((0, True), (1, False)):
        claim = Claim(id="a", then=least <= variable("y") ** 2)
        claim.__dict__["sympy then"] = made
        assert accepted(claim, theorem) is found
    theorem = derive("t", "t", lambda proof: proof("as given", rules.hypothesis(x >= 1)))
    for least, found in ((1, True), (0, False)):
        claim = Claim(id="a", then=variable("y") >= 1, given=[variable("y") >= least])
        claim.__dict__["sympy given"] = (y >= 1,)
        assert accepted(claim, theorem) is found
