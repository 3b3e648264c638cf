"""Blankets of few users on a lattice: against the hockey stick of one user, and against sums over two messages in floats."""

import math
from fractions import Fraction

import numpy
import pytest
from flint import arb

from dpbounds import accounting
from dpbounds.cli import main
from dpbounds.errors import PrecisionError
from dpbounds.numbers.balls import precision
from dpbounds.shuffle import lattice
from dpbounds.shuffle.hankel import BlanketIntegral, noise_delta
from dpbounds.shuffle.laplace import LaplaceSummand
from dpbounds.shuffle.mechanism import Shuffled

CASES = [("laplace", Fraction(1), 0.3), ("laplace", Fraction(5, 2), 0.0), ("gaussian", Fraction(1), 0.2), ("gaussian", Fraction(2), 0.05)]


@pytest.fixture(autouse=True)
def short(monkeypatch):
    monkeypatch.setattr(lattice, "_LENGTH", 2000)
    monkeypatch.setattr(lattice, "_CUT", 4)
    lattice.lattice_delta.cache_clear()


def ends(value: arb) -> tuple[float, float]:
    return float(value.lower()), float(value.upper())


def values_of(randomizer: str, parameter: float, epsilon: float) -> tuple[numpy.ndarray, numpy.ndarray]:
    """X and its mass: messages on a grid by midpoints, each with the losses of both inputs."""
    v = (numpy.arange(-12000, 18000) + 0.5) / 1000
    if randomizer == "laplace":
        p, q = (parameter / 2 * numpy.exp(-parameter * abs(v - x)) / 1000 for x in (0, 1))
    else:
        p, q = (numpy.exp(-(((v - x) / parameter) ** 2) / 2) / parameter / math.sqrt(2 * math.pi) / 1000 for x in (0, 1))
    common = numpy.minimum(p, q)
    return numpy.append((p - math.exp(epsilon) * q) / common, 0.0), numpy.append(common, 1 - common.sum())


@pytest.mark.parametrize(("randomizer", "parameter", "epsilon"), CASES)
def test_one_user_has_the_delta_of_the_noise(randomizer, parameter, epsilon):
    low, high = ends(lattice.lattice_delta(1, randomizer, parameter, epsilon))
    with precision(100):
        exact = float(noise_delta(1, randomizer, arb(parameter.numerator) / parameter.denominator, arb(epsilon)).mid())
    assert low <= exact <= high and high - low <= 2e-2 * exact


@pytest.mark.parametrize(("randomizer", "parameter", "epsilon"), CASES)
def test_two_users_by_sums_over_both_messages(randomizer, parameter, epsilon):
    low, high = ends(lattice.lattice_delta(2, randomizer, parameter, epsilon))
    x, w = values_of(randomizer, float(parameter), epsilon)
    order = numpy.argsort(x)
    x, w = x[order], w[order]
    mass, moment = (numpy.append(numpy.cumsum(part[::-1])[::-1], 0) for part in (w, w * x))
    first = numpy.searchsorted(x, -x)  # the other message is at least −x
    found = float((w * (x * mass[first] + moment[first])).sum()) / 2
    assert low * (1 - 1e-4) <= found <= high * (1 + 1e-4) and high - low <= 5e-2 * high


def test_ends_next_to_an_edge_leave_no_cell_with_a_negative_mass():
    """e^ε = 1 + 64h to within 2^-60, too near for floats: values begin next to the edge -64h; and so does the atom, at e^T - e^ε."""
    with precision(128):
        h = arb(2) ** -8
        for off in (-1, 1):
            level = 1 + 64 * h + off * arb(2) ** -60
            for end in (arb(1), (level + 300 * h + off * arb(2) ** -60).log()):
                law = LaplaceSummand(end, level)
                for half in (False, True):
                    found = lattice.cells(law, h, half)
                    for index, (mass, moment) in found.items():
                        assert not mass < 0
                        if not half:
                            upper = moment / h - index * mass
                            assert not upper < 0 and not upper > mass
                    assert sum((mass for mass, _ in found.values()), arb(0)).overlaps(arb(1))
                    assert abs(sum((moment for _, moment in found.values()), arb(0)) - (1 - level)) < arb(2) ** -59


def test_the_spread_alone_is_above_and_the_event_alone_below(monkeypatch):
    """Either end without the other half of the argument fails: cells with all their mass at the lower corner lie below."""
    low, high = ends(lattice.lattice_delta(2, "laplace", Fraction(1), 0.3))
    cells = lattice.cells
    monkeypatch.setattr(lattice, "cells", lambda law, h, half: {k: (w, k * h * w) for k, (w, _) in cells(law, h, half).items()})
    lattice.lattice_delta.cache_clear()
    wrong, _ = ends(lattice.lattice_delta(2, "laplace", Fraction(1), 0.3))
    assert low < high and wrong < low


def test_many_users_are_refused_and_a_command_has_few_digits(capsys, monkeypatch):
    with pytest.raises(PrecisionError, match="more users"):
        lattice.lattice_delta(5000, "gaussian", Fraction(1, 2), 0.1)
    monkeypatch.setattr(lattice, "_LENGTH", 6000)
    words = ["--shuffle", "5", "--randomizer", "laplace", "--local-epsilon", "1", "--epsilon", "0.1", "--digits", "2"]
    assert main(["delta", *words]) == 0
    assert "lattice" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("randomizer", "parameter", "alone"), [("gaussian", "3/2", "--sigma 1.5"), ("laplace", "4", "--laplace-scale 0.25")]
)
def test_the_refusal_names_what_holds_without_the_shuffler(randomizer, parameter, alone, monkeypatch):
    monkeypatch.setattr(BlanketIntegral, "most_panels", 2)
    ask, value = (accounting.epsilon, "1e-5") if randomizer == "gaussian" else (accounting.delta, 3)
    with pytest.raises(PrecisionError, match=f"more users, .* {alone} is an upper bound"):
        ask(Shuffled(40, parameter, others="any", randomizer=randomizer), value, digits=3)
