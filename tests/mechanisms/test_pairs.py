"""Every mechanism, relation, direction and guarantee has the pair that the theory names, or is refused."""

from fractions import Fraction

import pytest
import sympy

from dpbounds import mechanisms as m
from dpbounds.errors import InputError
from dpbounds.mechanisms import pairs

X = sympy.Symbol("x", real=True)
GAUSSIAN, LAPLACE, RESPONSE = m.Gaussian(2), m.Laplace(3), m.RandomizedResponse(1)
TABLE = m.FiniteTable(["2/3", "1/3"], ["1/4", "3/4"])
DENSITIES = m.DensityPair(sympy.exp(-X), 2 * sympy.exp(-2 * X), X, (0, sympy.oo))
BASES = {
    GAUSSIAN: pairs.GaussianPair(Fraction(2)),
    LAPLACE: pairs.LaplacePair(Fraction(3)),
    RESPONSE: pairs.RandomizedResponsePair(Fraction(1)),
    TABLE: pairs.FinitePair(TABLE.p, TABLE.q),
    DENSITIES: pairs.ContinuousPair(DENSITIES),
}
SUBSTITUTED = {
    GAUSSIAN: pairs.GaussianPair(Fraction(1)),
    LAPLACE: pairs.LaplacePair(Fraction(3, 2)),
    RESPONSE: pairs.RandomizedResponsePair(Fraction(1)),
}
ASYMMETRIC = (TABLE, DENSITIES)
Q = Fraction(1, 10)
names = pytest.mark.parametrize("base", BASES, ids=lambda base: type(base).__name__)
guarantees = pytest.mark.parametrize("guarantee", m.Guarantee)


def only(products):
    (product,) = products
    (factor,) = product.factors
    return product, factor


@names
@guarantees
@pytest.mark.parametrize("direction", [m.Direction.REMOVE, m.Direction.ADD])
def test_noise_under_add_or_remove(base, guarantee, direction):
    product, factor = only(pairs.dominating_pairs(base, m.Relation.ADD_OR_REMOVE, direction, guarantee))
    assert factor == pairs.Factor(BASES[base], 1, reversed=direction is m.Direction.ADD and base in ASYMMETRIC)
    assert (product.relation, product.direction, product.guarantee) == (m.Relation.ADD_OR_REMOVE, direction, guarantee)


@names
@guarantees
@pytest.mark.parametrize("direction", [m.Direction.REMOVE, m.Direction.ADD])
@pytest.mark.parametrize("q", [0, Q])
def test_poisson_sampling_under_add_or_remove(base, guarantee, direction, q):
    """P = q·P₀ + (1−q)·Q₀ against Q₀ for remove, swapped for add: never its own mirror image."""
    _, factor = only(pairs.dominating_pairs(m.Sampled(base, m.PoissonSampling(q)), m.Relation.ADD_OR_REMOVE, direction, guarantee))
    assert factor == pairs.Factor(pairs.PoissonPair(Fraction(q), BASES[base]), 1, reversed=direction is m.Direction.ADD)


@names
@guarantees
@pytest.mark.parametrize("relation", m.Relation)
def test_sampling_everything_is_no_sampling(base, guarantee, relation):
    if relation is m.Relation.SUBSTITUTE and base in ASYMMETRIC:
        with pytest.raises(InputError, match="under the substitute relation only"):
            pairs.dominating_pairs(m.Sampled(base, m.PoissonSampling(1)), relation, guarantee=guarantee)
        return
    plain = pairs.dominating_pairs(base, relation, guarantee=guarantee)
    assert pairs.dominating_pairs(m.Sampled(base, m.PoissonSampling(1)), relation, guarantee=guarantee) == plain
    if relation is m.Relation.SUBSTITUTE:
        assert pairs.dominating_pairs(m.Sampled(base, m.FixedSizeSampling(5, 5)), relation, guarantee=guarantee) == plain


@names
@guarantees
@pytest.mark.parametrize("direction", [m.Direction.WORST, m.Direction.SYMMETRIC])
def test_noise_under_substitution(base, guarantee, direction):
    """A substitution moves the query by up to 2, which is half the scale; randomized response keeps its ε."""
    if base in ASYMMETRIC:
        with pytest.raises(InputError, match="under the substitute relation only .* use --relation add-or-remove"):
            pairs.dominating_pairs(base, m.Relation.SUBSTITUTE, direction, guarantee)
        return
    product, factor = only(pairs.dominating_pairs(base, m.Relation.SUBSTITUTE, direction, guarantee))
    assert factor == pairs.Factor(SUBSTITUTED[base])
    assert (product.relation, product.direction, product.guarantee) == (m.Relation.SUBSTITUTE, m.Direction.SYMMETRIC, guarantee)


@names
@guarantees
@pytest.mark.parametrize("q", [0, Q])
def test_poisson_sampling_under_substitution_is_known_for_the_gaussian(base, guarantee, q):
    mechanism = m.Sampled(base, m.PoissonSampling(q))
    if base is not GAUSSIAN:
        with pytest.raises(InputError, match="^Poisson sampling under the substitute relation is known for Gaussian noise only; use --rel"):
            pairs.dominating_pairs(mechanism, m.Relation.SUBSTITUTE, guarantee=guarantee)
        return
    product, factor = only(pairs.dominating_pairs(mechanism, m.Relation.SUBSTITUTE, guarantee=guarantee))
    assert factor == pairs.Factor(pairs.SubstitutePair(Fraction(q), Fraction(2)))
    assert product.direction is m.Direction.SYMMETRIC


@names
@pytest.mark.parametrize("sampling", [m.FixedSizeSampling(10, 1), m.WithReplacementSampling(10, 3)], ids=lambda s: type(s).__name__)
def test_fixed_batch_sizes_under_add_or_remove_are_refused(base, sampling):
    with pytest.raises(InputError, match="sampling has a fixed batch size and is defined under --relation substitute only$"):
        pairs.dominating_pairs(m.Sampled(base, sampling), m.Relation.ADD_OR_REMOVE)


@names
@guarantees
@pytest.mark.parametrize("sampling", [m.FixedSizeSampling(10, 1), m.WithReplacementSampling(10, 3)], ids=lambda s: type(s).__name__)
def test_fixed_batch_sizes_know_the_gaussian_only(base, guarantee, sampling):
    if base is not GAUSSIAN:
        with pytest.raises(InputError, match=f"sampling is known for Gaussian noise only, got {type(base).__name__}$"):
            pairs.dominating_pairs(m.Sampled(base, sampling), guarantee=guarantee)
        return
    product = pairs.dominating_pairs(m.Sampled(GAUSSIAN, sampling), guarantee=m.Guarantee.PAIR)
    expected = (
        pairs.SubstitutePair(Q, Fraction(2)) if isinstance(sampling, m.FixedSizeSampling) else pairs.WithReplacementPair(10, 3, Fraction(2))
    )
    assert only(product)[1] == pairs.Factor(expected)
    assert only(product)[0].guarantee is m.Guarantee.PAIR


@pytest.mark.parametrize("sampling", [m.FixedSizeSampling(10, 1), m.WithReplacementSampling(10, 3), m.WithReplacementSampling(1, 1)])
def test_a_published_pair_is_no_guarantee_of_the_mechanism(sampling):
    with pytest.raises(InputError, match="only the published pair is known, and it is not a guarantee of the mechanism; pass"):
        pairs.dominating_pairs(m.Sampled(GAUSSIAN, sampling))
    with pytest.raises(InputError, match="only the published pair is known"):
        pairs.dominating_pairs(m.Composed([LAPLACE, m.Repeated(m.Sampled(GAUSSIAN, sampling), 2)]))


@pytest.mark.parametrize("mechanism", [GAUSSIAN, m.Sampled(GAUSSIAN, m.PoissonSampling(Q)), TABLE])
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
        pairs.dominating_pairs(mechanism, relation, direction)
    assert str(caught.value) == message


def test_a_guarantee_that_does_not_exist_is_refused():
    with pytest.raises(InputError, match="^guarantee must be one of mechanism, pair, got 'both'$"):
        pairs.dominating_pairs(GAUSSIAN, guarantee="both")
    with pytest.raises(InputError, match="^no dominating pair is known for str$"):
        pairs.dominating_pairs("gaussian")


@names
def test_worst_is_both_directions_where_they_differ(base):
    both = pairs.dominating_pairs(m.Sampled(base, m.PoissonSampling(Q)))
    assert both == (
        *pairs.dominating_pairs(m.Sampled(base, m.PoissonSampling(Q)), direction="remove"),
        *pairs.dominating_pairs(m.Sampled(base, m.PoissonSampling(Q)), direction="add"),
    )
    assert len(pairs.dominating_pairs(base)) == (2 if base in ASYMMETRIC else 1)


@pytest.mark.parametrize(
    ("mechanism", "relation"),
    [
        (GAUSSIAN, m.Relation.ADD_OR_REMOVE),
        (m.Sampled(GAUSSIAN, m.PoissonSampling(Q)), m.Relation.ADD_OR_REMOVE),
        (m.Repeated(m.Sampled(GAUSSIAN, m.FixedSizeSampling(10, 1)), 3), m.Relation.SUBSTITUTE),
        (m.Sampled(GAUSSIAN, m.WithReplacementSampling(10, 1)), m.Relation.SUBSTITUTE),
        (
            m.Composed([GAUSSIAN, m.Repeated(m.Composed([LAPLACE, m.Sampled(GAUSSIAN, m.FixedSizeSampling(10, 1))]), 2)]),
            m.Relation.SUBSTITUTE,
        ),
    ],
)
def test_default_relation(mechanism, relation):
    assert pairs.default_relation(mechanism) is relation
    assert {product.relation for product in pairs.dominating_pairs(mechanism, guarantee="pair")} == {relation}


def test_a_composition_is_a_product():
    sampled = m.Sampled(GAUSSIAN, m.PoissonSampling(Q))
    mechanism = m.Composed([m.Repeated(sampled, 3), LAPLACE, m.Repeated(m.Composed([sampled, m.Repeated(LAPLACE, 5)]), 7)])
    removal, addition = pairs.dominating_pairs(mechanism)
    pair, laplace = pairs.PoissonPair(Q, pairs.GaussianPair(Fraction(2))), pairs.LaplacePair(Fraction(3))
    assert removal.factors == (pairs.Factor(pair, 10), pairs.Factor(laplace, 36))
    assert addition.factors == (pairs.Factor(pair, 10, reversed=True), pairs.Factor(laplace, 36))
