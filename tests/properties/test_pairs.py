"""Composition of mechanisms is multiplication of pairs, in any grouping and order."""

from hypothesis import given, settings
from hypothesis import strategies as st

from dpbounds.mechanisms import Composed, FiniteTable, Gaussian, Laplace, PoissonSampling, RandomizedResponse, Relation, Repeated, Sampled
from dpbounds.mechanisms.pairs import dominating_pairs

LAW = settings(derandomize=True, deadline=None, max_examples=100)
positive = st.fractions(min_value="1/100", max_value=100, max_denominator=100)
rate = st.fractions(min_value=0, max_value=1, max_denominator=20)


@st.composite
def tables(draw):
    size = draw(st.integers(1, 4))
    rows = [draw(st.lists(st.integers(1, 9), min_size=size, max_size=size)) for _ in range(2)]
    return FiniteTable(*([f"{part}/{sum(row)}" for part in row] for row in rows))


noises = st.one_of(positive.map(Gaussian), positive.map(Laplace), positive.map(RandomizedResponse), tables())
steps = st.one_of(noises, st.builds(Sampled, noises, rate.map(PoissonSampling)))
mechanisms = st.recursive(
    steps,
    lambda inner: st.one_of(st.builds(Repeated, inner, st.integers(1, 5)), st.lists(inner, min_size=1, max_size=3).map(Composed)),
    max_leaves=5,
)


def counts(product):
    return {(factor.pair, factor.reversed): factor.steps for factor in product.factors}


def products(mechanism, direction):
    (product,) = dominating_pairs(mechanism, Relation.ADD_OR_REMOVE, direction)
    return counts(product)


@LAW
@given(mechanisms, st.sampled_from(["remove", "add"]), st.integers(1, 6))
def test_repetition_multiplies_the_steps(mechanism, direction, count):
    once, often = products(mechanism, direction), products(Repeated(mechanism, count), direction)
    assert often == {pair: count * steps for pair, steps in once.items()}
    assert often == products(Composed([mechanism] * count), direction)


@LAW
@given(mechanisms, mechanisms, mechanisms, st.sampled_from(["remove", "add"]))
def test_composition_adds_in_any_order_and_grouping(first, second, third, direction):
    whole = products(Composed([first, second, third]), direction)
    assert whole == products(Composed([Composed([third, first]), second]), direction)
    parts = [products(part, direction) for part in (first, second, third)]
    assert whole == {pair: sum(part.get(pair, 0) for part in parts) for pair in whole}


@LAW
@given(mechanisms)
def test_the_directions_mirror_each_other(mechanism):
    removal, addition = products(mechanism, "remove"), products(mechanism, "add")
    assert addition == {(pair, not pair.symmetric): steps for (pair, _), steps in removal.items()}
    assert not any(swapped for _, swapped in removal)
    both = dominating_pairs(mechanism, Relation.ADD_OR_REMOVE)
    assert [counts(product) for product in both] == ([removal] if removal == addition else [removal, addition])


@LAW
@given(mechanisms)
def test_every_step_is_counted(mechanism):
    def total(part):
        if isinstance(part, Composed):
            return sum(map(total, part.parts))
        return part.steps * total(part.mechanism) if isinstance(part, Repeated) else 1

    assert sum(products(mechanism, "remove").values()) == total(mechanism)
