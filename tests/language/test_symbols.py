"""Variables of claims: what each constructor assumes."""

import pytest
from sympy import Eq, IndexedBase, Integer, Rational, Sum, Tuple

from dpbounds.language import symbols


@pytest.mark.parametrize(
    ("make", "holds", "open_"),
    [
        (symbols.real, ["real", "finite"], ["integer", "positive", "nonnegative"]),
        (symbols.positive, ["real", "positive", "nonzero"], ["integer"]),
        (symbols.nonnegative, ["real", "nonnegative"], ["positive", "zero", "integer"]),
        (symbols.integer, ["real", "integer"], ["positive", "nonnegative", "even"]),
        (symbols.positive_integer, ["integer", "positive"], ["even", "prime"]),
    ],
)
def test_assumptions(make, holds, open_):
    first, second = make("a b")
    assert str(first), str(second) == ("a", "b")
    for name in holds:
        assert getattr(first, f"is_{name}") is True
    for name in open_:
        assert getattr(first, f"is_{name}") is None


def test_families_have_a_sign():
    for sign in ("real", "nonnegative", "positive"):
        entry = symbols.family("p", sign)[1]
        assert isinstance(entry.base, IndexedBase) and getattr(entry, f"is_{sign}") is True
    assert symbols.family("p")[3].is_positive is None


def test_indices_start_where_they_say():
    assert symbols.index("i").is_positive and symbols.index("i").is_integer
    assert symbols.index("i", start=0).is_nonnegative and symbols.index("i", start=0).is_positive is None


def test_a_distribution_sums_to_one():
    i, n, p = symbols.index("i"), symbols.positive_integer("n"), symbols.family("p")
    assert symbols.sums_to_one(p, (i, 1, n)) == Eq(Sum(p[i], (i, 1, n)), 1, evaluate=False)


def test_bernoulli_and_mixtures():
    third = Rational(1, 3)
    assert symbols.bernoulli(third) == Tuple(third, 1 - third)
    mixed = symbols.mixture([third, 1 - third], [symbols.bernoulli(1), symbols.bernoulli(0)])
    assert mixed == Tuple(third, 1 - third)
    with pytest.raises(ValueError, match="one length"):
        symbols.mixture([1], [symbols.bernoulli(0), symbols.bernoulli(1)])
    with pytest.raises(ValueError, match="one length"):
        symbols.mixture([third, third], [Tuple(Integer(1)), symbols.bernoulli(1)])
