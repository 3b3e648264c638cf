"""Every mechanism, relation, direction and guarantee has the pair that the theory names, or is refused."""

from fractions import Fraction

import pytest
import sympy

from dpbounds.errors import InputError
from dpbounds.mechanisms import (
    Composed,
    DensityPair,
    Direction,
    FiniteTable,
    FixedSizeSampling,
    Gaussian,
    Guarantee,
    Laplace,
    PoissonSampling,
    RandomizedResponse,
    Relation,
    Repeated,
    Sampled,
    WithReplacementSampling,
)
from dpbounds.mechanisms.pairs import (
    ContinuousPair,
    Factor,
    FinitePair,
    GaussianPair,
    LaplacePair,
    PoissonPair,
    RandomizedResponsePair,
    SubstitutePair,
    WithReplacementPair,
    default_relation,
    dominating_pairs,
)

X = sympy.Symbol("x", real=True)
GAUSSIAN, LAPLACE, RESPONSE = Gaussian(2), Laplace(3), RandomizedResponse(1)
TABLE = FiniteTable(["2/3", "1/3"], ["1/4", "3/4"])
DENSITIES = DensityPair(sympy.exp(-X), 2 * sympy.exp(-2 * X), X, (0, sympy.oo))
BASES = {
    GAUSSIAN: GaussianPair(Fraction(2)),
    LAPLACE: LaplacePair(Fraction(3)),
    RESPONSE: RandomizedResponsePair(Fraction(1)),
    TABLE: FinitePair(TABLE.p, TABLE.q),
    DENSITIES: ContinuousPair(DENSITIES),
}
SUBSTITUTED = {GAUSSIAN: GaussianPair(Fraction(1)), LAPLACE: LaplacePair(Fraction(3, 2)), RESPONSE: RandomizedResponsePair(Fraction(1))}
ASYMMETRIC = (TABLE, DENSITIES)
Q = Fraction(1, 10)
names = pytest.mark.parametrize("base", BASES, ids=lambda base: type(base).__name__)
guarantees = pytest.mark.parametrize("guarantee", Guarantee)


def only(products):
    (product,) = products
    (factor,) = product.factors
    return product, factor


@names
@guarantees
@pytest.mark.parametrize("direction", [Direction.REMOVE, Direction.ADD])
def test_noise_under_add_or_remove(base, guarantee, direction):
    product, factor = only(dominating_pairs(base, Relation.ADD_OR_REMOVE, direction, guarantee))
    assert factor == Factor(BASES[base], 1, reversed=direction is Direction.ADD and base in ASYMMETRIC)
    assert (product.relation, product.direction, product.guarantee) == (Relation.ADD_OR_REMOVE, direction, guarantee)


@names
@guarantees
@pytest.mark.parametrize("direction", [Direction.REMOVE, Direction.ADD])
@pytest.mark.parametrize("q", [0, Q])
def test_poisson_sampling_under_add_or_remove(base, guarantee, direction, q):
    """P = q·P₀ + (1−q)·Q₀ against Q₀ for remove, swapped for add: never its own mirror image."""
    _, factor = only(dominating_pairs(Sampled(base, PoissonSampling(q)), Relation.ADD_OR_REMOVE, direction, guarantee))
    assert factor == Factor(PoissonPair(Fraction(q), BASES[base]), 1, reversed=direction is Direction.ADD)


@names
@guarantees
@pytest.mark.parametrize("relation", Relation)
def test_sampling_everything_is_no_sampling(base, guarantee, relation):
    if relation is Relation.SUBSTITUTE and base in ASYMMETRIC:
        with pytest.raises(InputError, match="under the substitute relation only"):
            dominating_pairs(Sampled(base, PoissonSampling(1)), relation, guarantee=guarantee)
        return
    plain = dominating_pairs(base, relation, guarantee=guarantee)
    assert dominating_pairs(Sampled(base, PoissonSampling(1)), relation, guarantee=guarantee) == plain
    if relation is Relation.SUBSTITUTE:
        assert dominating_pairs(Sampled(base, FixedSizeSampling(5, 5)), relation, guarantee=guarantee) == plain


@names
@guarantees
@pytest.mark.parametrize("direction", [Direction.WORST, Direction.SYMMETRIC])
def test_noise_under_substitution(base, guarantee, direction):
    """A substitution moves the query by up to 2, which is half the scale; randomized response keeps its ε."""
    if base in ASYMMETRIC:
        with pytest.raises(InputError, match="under the substitute relation only .* use --relation add-or-remove"):
            dominating_pairs(base, Relation.SUBSTITUTE, direction, guarantee)
        return
    product, factor = only(dominating_pairs(base, Relation.SUBSTITUTE, direction, guarantee))
    assert factor == Factor(SUBSTITUTED[base])
    assert (product.relation, product.direction, product.guarantee) == (Relation.SUBSTITUTE, Direction.SYMMETRIC, guarantee)


@names
@guarantees
@pytest.mark.parametrize("q", [0, Q])
def test_poisson_sampling_under_substitution_is_known_for_the_gaussian(base, guarantee, q):
    mechanism = Sampled(base, PoissonSampling(q))
    if base is not GAUSSIAN:
        with pytest.raises(InputError, match="^Poisson sampling under the substitute relation is known for Gaussian noise only; use --rel"):
            dominating_pairs(mechanism, Relation.SUBSTITUTE, guarantee=guarantee)
        return
    product, factor = only(dominating_pairs(mechanism, Relation.SUBSTITUTE, guarantee=guarantee))
    assert factor == Factor(SubstitutePair(Fraction(q), Fraction(2)))
    assert product.direction is Direction.SYMMETRIC


@names
@pytest.mark.parametrize("sampling", [FixedSizeSampling(10, 1), WithReplacementSampling(10, 3)], ids=lambda s: type(s).__name__)
def test_fixed_batch_sizes_under_add_or_remove_are_refused(base, sampling):
    with pytest.raises(InputError, match="sampling has a fixed batch size and is defined under --relation substitute only$"):
        dominating_pairs(Sampled(base, sampling), Relation.ADD_OR_REMOVE)


@names
@guarantees
@pytest.mark.parametrize("sampling", [FixedSizeSampling(10, 1), WithReplacementSampling(10, 3)], ids=lambda s: type(s).__name__)
def test_fixed_batch_sizes_know_the_gaussian_only(base, guarantee, sampling):
    if base is not GAUSSIAN:
        with pytest.raises(InputError, match=f"sampling is known for Gaussian noise only, got {type(base).__name__}$"):
            dominating_pairs(Sampled(base, sampling), guarantee=guarantee)
        return
    product = dominating_pairs(Sampled(GAUSSIAN, sampling), guarantee=Guarantee.PAIR)
    expected = SubstitutePair(Q, Fraction(2)) if isinstance(sampling, FixedSizeSampling) else WithReplacementPair(10, 3, Fraction(2))
    assert only(product)[1] == Factor(expected)
    assert only(product)[0].guarantee is Guarantee.PAIR


@pytest.mark.parametrize("sampling", [FixedSizeSampling(10, 1), WithReplacementSampling(10, 3), WithReplacementSampling(1, 1)])
def test_a_published_pair_is_no_guarantee_of_the_mechanism(sampling):
    with pytest.raises(InputError, match="only the published pair is known, and it is not a guarantee of the mechanism; pass"):
        dominating_pairs(Sampled(GAUSSIAN, sampling))
    with pytest.raises(InputError, match="only the published pair is known"):
        dominating_pairs(Composed([LAPLACE, Repeated(Sampled(GAUSSIAN, sampling), 2)]))


@pytest.mark.parametrize("mechanism", [GAUSSIAN, Sampled(GAUSSIAN, PoissonSampling(Q)), TABLE])
@pytest.mark.parametrize(
    ("relation", "direction", "message"),
    [
        ("substitute", "remove", "direction must be worst under the substitute relation (the pair is symmetric), got remove"),
        ("substitute", "add", "direction must be worst under the substitute relation (the pair is symmetric), got add"),
        ("add-or-remove", "symmetric", "direction must be remove, add or worst under the add-or-remove relation, got symmetric"),
        ("replace", "worst", "relation must be one of add-or-remove, substitute, got 'replace'"),
        ("substitute", "up", "direction must be one of remove, add, worst, symmetric, got 'up'"),
    ],
)
def test_directions_that_have_no_meaning_are_refused(mechanism, relation, direction, message):
    with pytest.raises(InputError) as caught:
        dominating_pairs(mechanism, relation, direction)
    assert str(caught.value) == message


def test_a_guarantee_that_does_not_exist_is_refused():
    with pytest.raises(InputError, match="^guarantee must be one of mechanism, pair, got 'both'$"):
        dominating_pairs(GAUSSIAN, guarantee="both")
    with pytest.raises(InputError, match="^no dominating pair is known for str$"):
        dominating_pairs("gaussian")


@names
def test_worst_is_both_directions_where_they_differ(base):
    both = dominating_pairs(Sampled(base, PoissonSampling(Q)))
    assert both == (
        *dominating_pairs(Sampled(base, PoissonSampling(Q)), direction="remove"),
        *dominating_pairs(Sampled(base, PoissonSampling(Q)), direction="add"),
    )
    assert len(dominating_pairs(base)) == (2 if base in ASYMMETRIC else 1)


@pytest.mark.parametrize(
    ("mechanism", "relation"),
    [
        (GAUSSIAN, Relation.ADD_OR_REMOVE),
        (Sampled(GAUSSIAN, PoissonSampling(Q)), Relation.ADD_OR_REMOVE),
        (Repeated(Sampled(GAUSSIAN, FixedSizeSampling(10, 1)), 3), Relation.SUBSTITUTE),
        (Sampled(GAUSSIAN, WithReplacementSampling(10, 1)), Relation.SUBSTITUTE),
        (Composed([GAUSSIAN, Repeated(Composed([LAPLACE, Sampled(GAUSSIAN, FixedSizeSampling(10, 1))]), 2)]), Relation.SUBSTITUTE),
    ],
)
def test_default_relation(mechanism, relation):
    assert default_relation(mechanism) is relation
    assert {product.relation for product in dominating_pairs(mechanism, guarantee="pair")} == {relation}


def test_a_composition_is_a_product():
    sampled = Sampled(GAUSSIAN, PoissonSampling(Q))
    mechanism = Composed([Repeated(sampled, 3), LAPLACE, Repeated(Composed([sampled, Repeated(LAPLACE, 5)]), 7)])
    removal, addition = dominating_pairs(mechanism)
    pair, laplace = PoissonPair(Q, GaussianPair(Fraction(2))), LaplacePair(Fraction(3))
    assert removal.factors == (Factor(pair, 10), Factor(laplace, 36))
    assert addition.factors == (Factor(pair, 10, reversed=True), Factor(laplace, 36))
