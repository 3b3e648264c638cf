"""Closed forms by clones: against their pairs, and the pairs against brute force from their definition."""

from fractions import Fraction

import mpmath
import pytest
from flint import arb

from dpbounds.numbers.balls import precision
from dpbounds.shuffle.published import CLOSED_FORMS, clone_delta, published_epsilons
from tests.shuffle.test_positive_part import response_delta


def pair_by_counts(users, local, epsilon, clone):
    """C ~ Bin(n−1, clone), A ~ Bin(C, 1/2), Δ ~ Bernoulli(e^{ε₀}/(e^{ε₀}+1)): (A + Δ, C − A + 1 − Δ) against its mirror image."""
    likely = mpmath.exp(local) / (mpmath.exp(local) + 1)
    p = {}
    for c in range(users):
        weight = mpmath.binomial(users - 1, c) * clone**c * (1 - clone) ** (users - 1 - c)
        for a in range(c + 1):
            mass = weight * mpmath.binomial(c, a) / mpmath.mpf(2) ** c
            for first, share in (((a + 1, c - a), likely), ((a, c - a + 1), 1 - likely)):
                p[first] = p.get(first, 0) + mass * share
    return mpmath.fsum(max(0, value - mpmath.exp(epsilon) * p[seen[1], seen[0]]) for seen, value in p.items())


@pytest.mark.parametrize(("users", "local", "epsilon"), [(1, "1", "0.3"), (6, "1", "0.1"), (40, "2", "0.5")])
@pytest.mark.parametrize("stronger", [False, True])
def test_the_pair_of_clones_by_counts(users, local, epsilon, stronger):
    with mpmath.workdps(40):
        grown = mpmath.exp(mpmath.mpf(local))
        truth = pair_by_counts(users, mpmath.mpf(local), mpmath.mpf(epsilon), 2 / (grown + 1) if stronger else 1 / grown)
        with precision(120):
            found = clone_delta(users, arb(local), arb(epsilon), stronger=stronger)
            assert abs(found - arb(mpmath.nstr(truth, 35))) < arb("1e-18")


def closed_forms(users, local, delta):
    """Both forms in mpmath, written apart from the code: None where the condition fails."""
    n, e, d = mpmath.mpf(users), mpmath.exp(mpmath.mpf(local)), mpmath.mpf(delta)
    first = second = None
    if mpmath.mpf(local) <= mpmath.log(n / (16 * mpmath.log(2 / d))):
        first = mpmath.log1p((e - 1) / (e + 1) * (8 * mpmath.sqrt(e * mpmath.log(4 / d)) / mpmath.sqrt(n) + 8 * e / n))
    if n / (8 * mpmath.log(2 / d)) > 1 and mpmath.mpf(local) <= mpmath.log(n / (8 * mpmath.log(2 / d)) - 1):
        second = mpmath.log1p((e - 1) * (4 * mpmath.sqrt(2 * mpmath.log(4 / d)) / mpmath.sqrt((e + 1) * n) + 4 / n))
    return first, second


GRID = [(n, local, delta) for n in (500, 10_000, 1_000_000) for local in ("0.1", "1", "3") for delta in ("1e-3", "1e-6", "1e-12")]


@pytest.mark.parametrize(("users", "local", "delta"), GRID)
def test_closed_forms_are_as_printed_and_above_their_pairs(users, local, delta):
    with precision(100), mpmath.workdps(30):
        for bound, stronger, printed in zip(CLOSED_FORMS, (False, True), closed_forms(users, local, delta), strict=True):
            assert bound.holds(users, arb(local).exp(), arb(delta)) is (printed is not None)
            if printed is not None:
                epsilon = bound.value(users, arb(local).exp(), arb(delta))
                assert abs(epsilon - arb(mpmath.nstr(printed, 25))) < arb("1e-20")
                assert epsilon < arb(local) and clone_delta(users, arb(local), epsilon, stronger=stronger) <= arb(delta)


@pytest.mark.parametrize("answers", [2, 3, 10])
def test_the_stronger_pair_dominates_every_blanket_of_randomized_response(answers):
    """As erasing messages shows; equal for two answers. Without the erasure's proof this would be a coincidence of the grid."""
    with precision(120):
        for users, local, epsilon in [(20, "1", "0.2"), (300, "2", "0.4"), (300, "3", "0.1")]:
            pair = clone_delta(users, arb(local), arb(epsilon), stronger=True)
            blanket = response_delta(users, answers, arb(local), arb(epsilon), "any")
            assert pair.overlaps(blanket) if answers == 2 else blanket < pair


@pytest.mark.parametrize("answers", [3, 7])
def test_erasing_makes_k_answers_of_two(answers):
    """The channel of the proof, message by message, in fractions of e^{ε₀} = 5."""
    grown = mpmath.mpf(5)
    erased, rare = (answers - 2) / (grown + answers - 1), 1 / (grown + answers - 1)
    kept = 1 - erased
    assert mpmath.almosteq(kept * grown / (grown + 1), grown * rare) and mpmath.almosteq(kept / (grown + 1), rare)
    clone = 2 / (grown + 1)
    assert mpmath.almosteq(kept * clone / 2, rare) and mpmath.almosteq(erased, (answers - 2) * rare)
    assert mpmath.almosteq(kept * (1 - clone), (grown - 1) * rare)


def test_the_erratum_is_heeded():
    """The 2023 form is no bound for every private randomizer: only the 2021 one is listed for Laplace noise."""
    assert [found["source"][-11:] for found in published_epsilons(10_000, 1, Fraction(1, 10**6), "laplace")] == ["Theorem 3.1"]
    assert len(published_epsilons(10_000, 1, Fraction(1, 10**6))) == 2
