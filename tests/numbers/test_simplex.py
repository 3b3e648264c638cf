"""Linear programs in whole numbers against scipy's."""

import random
from fractions import Fraction

import pytest
from scipy.optimize import linprog

from dpbounds.numbers.simplex import least_combination

ENTRIES = (-3, -2, -1, 1, 2, Fraction(1, 3), Fraction(5, 2))


def program(rng):
    rows, columns = rng.randrange(1, 25), rng.randrange(1, 60)
    density = rng.choice((0.1, 0.3))
    vectors = [{i: rng.choice(ENTRIES) for i in range(rows) if rng.random() < density} for _ in range(columns)]
    costs = [rng.choice((1, 1, 1, 0, 2)) for _ in range(columns)]
    target = {i: rng.randrange(-3, 4) for i in range(rows) if rng.random() < 0.5}
    if rng.random() < 0.6:  # one with a solution
        target = {}
        for vector in vectors:
            share = rng.choice((0, 0, 0, 1, Fraction(1, 2), 3))
            target = {i: target.get(i, 0) + share * vector.get(i, 0) for i in {*target, *vector}}
    return rows, vectors, target, costs


@pytest.mark.parametrize("seed", range(4))
def test_it_finds_what_scipy_finds(seed):
    rng, solved = random.Random(seed), 0
    for _ in range(50):
        rows, vectors, target, costs = program(rng)
        found = least_combination(vectors, target, costs)
        matrix = [[float(vector.get(i, 0)) for vector in vectors] for i in range(rows)]
        there = linprog(costs, A_eq=matrix, b_eq=[float(target.get(i, 0)) for i in range(rows)], bounds=(0, None))
        assert (found is not None) == (there.status == 0)
        if found is not None:
            solved += 1
            assert min(found) >= 0
            assert all(sum(v.get(i, 0) * c for v, c in zip(vectors, found, strict=True)) == target.get(i, 0) for i in range(rows))
            assert abs(float(sum(c * own for c, own in zip(costs, found, strict=True))) - there.fun) <= 1e-6 * (1 + abs(there.fun))
    assert 10 <= solved <= 49


def test_nothing_is_rounded():
    tiny = Fraction(1, 10**40)
    assert least_combination([{"x": 1, "y": 1}], {"x": 1, "y": 1 + tiny}) is None
    assert least_combination([{"x": 3}], {"x": tiny}) == [tiny / 3]


def test_programs_without_columns_or_rows():
    assert least_combination([], {}) == [] and least_combination([{}], {}) == [0]
    assert least_combination([], {"x": 1}) is None and least_combination([{"x": 1}], {"x": -1}) is None
