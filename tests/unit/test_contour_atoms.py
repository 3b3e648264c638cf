"""Few uses of noise with atoms: closed forms, lattice bounds, and a test that fails for each error term that is dropped."""

from dataclasses import replace
from fractions import Fraction

import pytest
from flint import arb

from dpbounds.accountants import delta_bounds
from dpbounds.balls import precision
from dpbounds.contour import atoms, delta
from dpbounds.contour.elements import LaplaceSource, elements_of
from dpbounds.contour.laplace import laplace_delta
from dpbounds.errors import PrecisionError
from dpbounds.mechanisms import (
    Composed,
    Direction,
    FiniteTable,
    Gaussian,
    Guarantee,
    Laplace,
    PoissonSampling,
    RandomizedResponse,
    Repeated,
    Sampled,
)
from dpbounds.pairs import dominating_pairs

RATE = Fraction(1, 10)


def elements(mechanism, direction="remove"):
    (product,) = dominating_pairs(mechanism, None, Direction(direction), Guarantee.MECHANISM)
    return elements_of(product)


def sampled(scale, rate=RATE):
    return Sampled(Laplace(scale), PoissonSampling(rate))


@pytest.mark.parametrize("direction", ["remove", "add"])
@pytest.mark.parametrize("epsilon", [Fraction(0), Fraction(1, 20), Fraction(13, 100)])
def test_one_use_is_all_sums(epsilon, direction):
    """For k = 1 nothing is left to integrate: the sums are the closed form, and R = 0."""
    with precision(200):
        parts = atoms.parts_of(elements(sampled(1), direction))
        sums = atoms.sums_over_atoms(parts, atoms.exact_ball(epsilon))
        closed = delta(sampled(1), epsilon, digits=30, direction=direction).enclosure
        assert sums.overlaps(closed.ball())
        contour = atoms._plan(parts, 0.01, 12.0)
        assert atoms.rest(parts, atoms.exact_ball(epsilon), contour).contains(0)


def test_equal_noise_listed_twice():
    """Three uses of plain Laplace noise, taken as two and one, against the finite sum."""
    found = atoms.integrate_beside_atoms(
        elements(Composed((Repeated(Laplace(2), 2), Laplace(Fraction("2.0000000000000001"))))), Fraction(1, 2), 7
    )
    with precision(200):
        exact = laplace_delta(arb(1) / 2, 3, arb(1) / 2)
        assert found.meets(7)
        assert (found.ball() + arb(0, 1e-14)).contains(exact)  # the scales differ in the 17th digit


@pytest.mark.parametrize("direction", ["remove", "add"])
@pytest.mark.parametrize(
    ("mechanism", "epsilon"),
    [
        (Repeated(sampled(1), 2), Fraction(1, 10)),
        (Repeated(sampled(3), 100), Fraction(1)),
        (Composed((sampled(2, Fraction(1, 2)), sampled(1), RandomizedResponse(1))), Fraction(1, 2)),
        (
            Composed(
                (Repeated(sampled(1, Fraction(1, 2)), 2), FiniteTable((Fraction(1, 3), Fraction(2, 3)), (Fraction(9, 10), Fraction(1, 10))))
            ),
            Fraction(1),
        ),
    ],
)
def test_lattice_bounds_agree(mechanism, epsilon, direction):
    found = delta(mechanism, epsilon, digits=5, direction=direction)
    bounds = delta_bounds(mechanism, epsilon, direction=direction)
    assert float(found.enclosure.upper) * (1 + 1e-12) >= bounds.lower
    assert float(found.enclosure.lower) * (1 - 1e-12) <= bounds.upper


def test_more_digits_than_the_contour_can_give_are_refused():
    with pytest.raises(PrecisionError, match="besides the sums over the atoms"):
        delta(Repeated(sampled(1), 30), 1, direction="remove")


@pytest.mark.parametrize("add", [False, True])
@pytest.mark.parametrize("rate", [Fraction(1), Fraction(1, 10)])
def test_the_density_decays_as_said(rate, add):
    with precision(100):
        part = atoms._laplace_part(LaplaceSource(Fraction(1), rate, add), 1)
        for c in (arb(1) / 2, arb(5)):
            for y in (arb(3), arb(50), arb(400)):
                whole = part.whole.line(c, y, 2, atoms.Need(30.0, lambda y: 0.0, float(y)))[1]
                density = whole - part.atomic.line(c, y, 2, atoms.Need(30.0, lambda y: 0.0, float(y)))[1]
                assert abs(density) * y <= part.density.decay(c)


def halved(contour):
    """A contour of half the height and half the period: its truncation and its aliases show."""
    return replace(contour, step=2 * contour.step, count=contour.count // 4)


@pytest.fixture(scope="module")
def case():
    with precision(128):
        parts = atoms.parts_of(elements(Repeated(sampled(1, Fraction(1, 2)), 2)))
        epsilon = arb(1) / 2
        return parts, epsilon, atoms._plan(parts, 0.5, 14.0), atoms.rest(parts, epsilon, atoms._plan(parts, 0.5, 18.0))


def test_a_short_contour_still_encloses(case):
    parts, epsilon, contour, truth = case
    with precision(128):
        for short in (replace(contour, count=contour.count // 8), halved(contour)):
            assert atoms.rest(parts, epsilon, short).overlaps(truth)


def test_the_truncation_is_needed(case, monkeypatch):
    parts, epsilon, contour, truth = case
    monkeypatch.setattr(atoms, "truncation", lambda *_: arb(0))
    with precision(128):
        assert not atoms.rest(parts, epsilon, replace(contour, count=contour.count // 8)).overlaps(truth)


def test_the_aliases_are_needed(case, monkeypatch):
    """A period far too short shows in the bounds; without either of them the enclosure would miss."""
    parts, epsilon, contour, truth = case
    short = replace(contour, step=8 * contour.step, count=contour.count // 8)
    with precision(128):
        assert atoms.rest(parts, epsilon, short).overlaps(truth)
        monkeypatch.setattr(atoms, "no_right_alias", lambda *_: arb(0))
        monkeypatch.setattr(atoms, "left_alias_bound", lambda *_: arb(0))
        assert not atoms.rest(parts, epsilon, short).overlaps(truth)


def test_the_left_aliases_alone_are_needed(case, monkeypatch):
    """Beyond the largest loss there are no right aliases, and the left ones still lift the sum."""
    parts, epsilon, contour, truth = case
    small = replace(contour, c=contour.c / 8, count=min(3 * contour.count, 6000))
    with precision(128):
        assert atoms.rest(parts, epsilon, small).overlaps(truth)
        monkeypatch.setattr(atoms, "left_alias_bound", lambda *_: arb(0))
        assert not atoms.rest(parts, epsilon, small).overlaps(truth)


def test_gaussian_noise_is_not_summed():
    assert not atoms.noise_with_atoms(elements(Composed((Laplace(1), Gaussian(1)))))
    assert not atoms.noise_with_atoms(elements(Repeated(RandomizedResponse(1), 3)))
