"""Claims in which a root, a place of a family or a table is put apart: true ones have documents, false twins have points and none."""

import random
from dataclasses import replace
from fractions import Fraction

import pytest
import sympy

from benchmarks.lemmas.places import LEMMAS
from dpbounds.claims.claim import Claim
from dpbounds.claims.counterexamples.recursive_points import recursive_points
from dpbounds.claims.counterexamples.refute import Refutation
from dpbounds.claims.counterexamples.search import search
from dpbounds.claims.domain import Domain
from dpbounds.claims.evidence.reductions.laws_of_tables import laws_of_tables
from dpbounds.claims.evidence.reductions.quadratic_roots import quadratic_roots
from dpbounds.claims.evidence.reductions.without_place import without_place
from dpbounds.claims.evidence.ways import texts_of
from dpbounds.claims.plans import Search
from dpbounds.compile.families.without_place import place_document
from dpbounds.compile.joining.laws_of_tables import laws_document
from dpbounds.compile.joining.quadratic_roots import quadratic_document
from dpbounds.compile.steps import NotWritten
from dpbounds.notation import E, NormalCDF, Rational, Sum, exp, family, for_each, index, log, positive, positive_integer, real, sqrt
from tests.lemmas import assert_only_the_true_one_has_a_document, for_pairs

n, i, v, u = positive_integer("n"), index("i"), family("v"), family("u")
x, epsilon = real("x"), positive("epsilon")
QUICK = ("gap-to-the-best", "variation-triangle", "regret-against-one")
BY_NAME = {pair.true.id: pair for pair in LEMMAS}
WAYS = {
    "pollak-for-erfc": (quadratic_roots, quadratic_document),
    "regret-against-one": (without_place, place_document),
    "variation-triangle": (laws_of_tables, laws_document),
}


@for_pairs(LEMMAS, quick=QUICK[:2])
def test_only_the_true_one_has_a_document(pair):
    assert_only_the_true_one_has_a_document(pair)


@pytest.mark.parametrize("name", [pytest.param(name, marks=[pytest.mark.slow] * (name not in QUICK)) for name in WAYS])
def test_the_parts_of_a_true_claim_do_not_say_its_false_twin(name):
    """A document of what is left joins to the claim that it was made of, and to no other."""
    reductions, document = WAYS[name]
    pair = BY_NAME[name]
    (way,) = reductions(pair.true)
    texts = texts_of([way.claim], None)
    assert document("a", (pair.true.then, pair.true.given), way, texts)
    with pytest.raises(NotWritten):
        document("a", (pair.twin.then, pair.true.given), way, texts)


def test_the_range_of_a_root_is_shown_from_the_range_of_its_variable():
    """Where x is not above the end from which the new variable is bounded, the document is not joined."""
    claim = Claim(id="a", text="", given=[x > -1], then=(x + sqrt(x**2 + 8)) * NormalCDF(x) >= 2 * NormalCDF(x))
    (way,) = quadratic_roots(claim)
    texts = texts_of([way.claim], None)
    assert quadratic_document("a", (claim.then, claim.given), way, texts)
    for lower in ([x > Rational(-11, 10)], []):
        with pytest.raises(NotWritten):
            quadratic_document("a", (claim.then, replace(claim, given=lower).given), way, texts)


def test_a_place_outside_of_the_family_is_none_of_its_places():
    """Without m ≤ n the other entries are not those of the family."""
    m = positive_integer("m")
    then = Sum((u[m] - u[i]) * exp(epsilon * u[i]), (i, 1, n)) <= (n - 1) / (E * epsilon) * exp(epsilon * u[m])
    claim = Claim(id="a", text="", given=[m <= n], then=then)
    (way,) = without_place(claim)
    texts = texts_of([way.claim], None)
    assert place_document("a", (claim.then, claim.given), way, texts)
    with pytest.raises(NotWritten):
        place_document("a", (claim.then, ()), way, texts)


def test_entries_that_go_as_far_as_a_premise_lets_them():
    """v_1 = 1 and v_{k+1} = v_k·k/(k + 1) + 1/(k + 1)² give n·v_n = 1 + 1/2 + … + 1/n, more than 1 + (3/4)·log n for n = 3."""
    step = v[i + 1] <= (1 - 1 / (i + 1)) * v[i] + 1 / (i + 1) ** 2
    claim = Claim(id="a", text="", given=[v[1] <= 1, for_each((i, 1, n - 1), step)], then=v[n] <= (1 + log(n)) / n)
    domain = Domain.of_claim(claim)
    (size,), (entries,) = domain.variables, domain.families
    points = list(recursive_points(domain, lambda _: Fraction(1), random.Random(0)))
    assert {point[entries][:3] for point in points if point[size] >= 3} == {(1, sympy.Rational(3, 4), sympy.Rational(11, 18))}
    assert all(domain.contains(point) for point in points)
    assert isinstance(search(replace(claim, then=v[n] <= (1 + Rational(3, 4) * log(n)) / n), Search(tries=100)), Refutation)
