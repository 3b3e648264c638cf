"""Laplace blankets of few users: mpmath over both messages, lattices from both sides, and what each term of the enclosure is for."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from types import SimpleNamespace

import mpmath
import numpy as np
import pytest
from flint import acb, arb, arb_poly

from dpbounds import Shuffled, accounting
from dpbounds.numbers.balls import precision
from dpbounds.numbers.binomial import bernstein
from dpbounds.numbers.gauss_legendre import ALONG, Panel, panel_error
from dpbounds.shuffle import laplace
from dpbounds.shuffle.blanket import Plan
from dpbounds.shuffle.laplace import LaplaceSummand, SplitMessages
from dpbounds.shuffle.noise import noise_delta
from dpbounds.shuffle.positive_part import approx_saddle


def over_two_messages(local, epsilon):
    """E(X₁ + X₂)₊/2 with u = e^t of density (γ/4)u^{−3/2} on each side: over one message in closed form, over the other by quadrature."""
    g, level = mpmath.exp(mpmath.mpf(local)), mpmath.exp(mpmath.mpf(epsilon))
    share, atom = 1 / mpmath.sqrt(g), 1 / (2 * g)

    def positive(x):
        a, b = min(g, max(1, level - x)), min(g, max(1, (1 + x) / level))
        ahead = 2 * (mpmath.sqrt(g) - mpmath.sqrt(a)) + (x - level) * 2 * (1 / mpmath.sqrt(a) - 1 / mpmath.sqrt(g))
        behind = (1 + x) * 2 * (1 - 1 / mpmath.sqrt(b)) - level * 2 * (mpmath.sqrt(b) - 1)
        ends = (value for value in (x + g - level, x + 1 - level * g, 0) if value > 0)
        return share / 4 * (ahead + behind) + atom * mpmath.fsum(ends) + (1 - share) * max(x, 0)

    total = atom * (positive(g - level) + positive(1 - level * g)) + (1 - share) * positive(mpmath.mpf(0))
    turns = [value for x in (level - 1, level - g, level * g - 1, mpmath.mpf(0)) for value in (x + level, (1 - x) / level)]
    cuts = [mpmath.mpf(1), *sorted(u for u in turns if 1 < u < g), g]
    for side in (lambda u: u - level, lambda u: 1 - level * u):
        total += mpmath.quad(lambda u, side=side: share / 4 * u ** mpmath.mpf("-1.5") * positive(side(u)), cuts)
    return total / 2


@pytest.mark.parametrize(("local", "epsilon"), [("1", "0.1"), ("1", "0"), ("2.5", "1.2"), ("0.2", "0.15"), ("8", "2")])
def test_two_users_over_both_messages(local, epsilon):
    with mpmath.workdps(30):
        truth = Fraction(mpmath.nstr(over_two_messages(local, epsilon), 24))
    found = accounting.delta(Shuffled(2, local, others="any", randomizer="laplace"), epsilon, digits=15)
    assert Fraction(found.lower) <= truth <= Fraction(found.upper)


def on_a_lattice(users, local, epsilon, spacing):
    """E(S)₊/n in floats from above: mass moves to both neighbours on the lattice with its mean kept."""
    level, t = math.exp(epsilon), np.append(np.arange(20_000) + 0.5, 20_000.0) * local / 20_000
    mass = np.append(math.exp(-local / 2) / 4 * np.exp(-t[:-1] / 2) * local / 20_000, math.exp(-local) / 2)
    x = np.concatenate([np.exp(t) - level, 1 - level * np.exp(t), [0.0]]) / spacing
    w = np.concatenate([mass, mass, [1 - math.exp(-local / 2)]])
    low = int(np.floor(x.min()))
    cells, part = np.floor(x).astype(int) - low, x - np.floor(x)
    law = np.bincount(cells, w * (1 - part), cells.max() + 2) + np.bincount(cells + 1, w * part, cells.max() + 2)
    length = users * len(law)
    sums = np.fft.irfft(np.fft.rfft(law, length) ** users, length)
    values = (np.arange(length) + users * low) * spacing
    return float((np.maximum(values, 0) * sums).sum()) / users


@pytest.mark.parametrize(("users", "local", "epsilon"), [(5, 1.0, 0.1), (20, 1.0, 0.1), (90, 1.0, 0.05), (40, 3.0, 0.5), (30, 0.3, 0.02)])
def test_lattices_come_near_as_the_square_of_their_spacing(users, local, epsilon):
    coarse, fine = (on_a_lattice(users, local, epsilon, local * spacing) for spacing in (2**-7, 2**-8))
    with precision(110):
        found = noise_delta(users, "laplace", arb(local), arb(epsilon))
        assert found.rel_accuracy_bits() > 50
        truth = float(found.mid())
    assert truth < fine < coarse < truth * 1.001 and abs(fine - (coarse - fine) / 3 - truth) < 0.3 * (coarse - fine)


@pytest.mark.parametrize("epsilon", ["0", "0.1", "0.95"])
def test_any_height_has_the_same_value(epsilon, monkeypatch):
    found = []
    for least in (8.0, 20.0):
        monkeypatch.setattr(laplace, "_LEAST", least)
        with precision(118):
            found.append(noise_delta(9, "laplace", arb(1), arb(epsilon)))
    assert all(value.rel_accuracy_bits() > 50 and value.overlaps(found[0]) for value in found)


def path(positive, users=9, local="1", epsilon="0.1", top=4.0):
    law = LaplaceSummand(arb(local), arb(epsilon).exp())
    rate, curvature, size = approx_saddle(law.approx_values(), users)
    return SplitMessages(law, users, Plan(math.log(rate), 1 / math.sqrt(curvature), size), 40.0, top, positive)


@pytest.mark.parametrize("z", [(0.3, 2), (-40, 3), (30, 0.5), (1000, 900), (-2000, 1500), (0.001, 0.2)])
def test_ends_add_up_and_stay_below_their_bounds(z):
    with precision(140):
        law, z = LaplaceSummand(arb("1.3"), arb("0.2").exp()), acb(*z)
        found, most = law.ends(z), law.largest_ends(z.real, abs(z))
        assert all(abs(value) <= bound for value, bound in zip(found, most, strict=True))
        if abs(z.real) < 50:
            assert abs(sum(found, acb(0)) - law.side(z)) <= sum(map(abs, found), arb(0)) * arb("1e-20")


@pytest.mark.parametrize("less", [0, 1])
def test_the_bound_of_the_ends_is_that_of_the_edges_of_the_cut(less):
    """|wJ(w)| at w = −x ± 0i, in balls: below the bound, which hardly exceeds it; before 0.4 and beyond 40 it is small. And less xJ(x)."""
    bound, cells, tried = laplace._BOUND, [(0.4, 40.0)], 0

    def size(x, less=less):
        root = x.sqrt()
        falls, rises = (2 * arb.pi().sqrt() * root * (way * x).exp() for way in (-1, 1))
        return x * abs(acb(falls * root.erfi() - 2 - less * (2 - rises * root.erfc()), falls))

    with precision(80):
        while cells and tried < 20_000:
            low, high = cells.pop()
            tried += 1
            if not size(arb(low).union(arb(high))) < bound:
                cells += [(low, (low + high) / 2), ((low + high) / 2, high)]
        assert not cells and size(arb("2.72"), 0) > arb("0.995") * bound
        least = 0.4 * abs(acb(2, 2 * (arb.pi() * arb("0.4")).sqrt()))  # 2 − falls·erfi is between −2 and 2
        assert float(least) + less * 0.4 * float(mpmath.hyperu(1, 0.5, 0.4)) < 1.8, "xJ(x) rises"
        assert less + 1.5 / 40 * (1 + 2.5 * 0.875) < bound, "by parts, |wJ − 1| is at most 1.5/|w| as often; xJ is between 0 and 1"
        twice = 1 + arb("1.5") / 40 * (1 + arb("2.5") * arb("0.875"))  # by parts twice, v = ∓is: ∫(1 + s²)^{−7/4}ds < 0.875
        assert twice < bound and mpmath.quad(lambda s: (1 + s * s) ** -1.75, [0, mpmath.inf]) < 0.875
    for angle in (3.1415, -3.1415, 2.5, 1.6, 0):
        w = mpmath.rect(2.72, angle)
        assert abs(w * mpmath.hyperu(1, 0.5, w)) < float(bound)
    assert abs(abs(w * mpmath.hyperu(1, 0.5, w)) - 1) < 0.4


def test_what_is_left_above_is_nearly_met():
    """One term that does not turn, a²/z² where i = j = 1 and x = 0 at ε = 0: the bound is at most 1.2 times the integral."""
    with precision(118):
        line = path(False, 2, epsilon="0", top=30.0)
        line.__dict__["terms"] = [(2, 1, [(1, 0, arb_poly([1]), arb_poly([1]))])]
        corner, found = line.corner, arb(0)
        for x, weight in Panel(0.0, 1.0, 20, arb(0), arb(0)).nodes():  # s = 1/z goes straight to 0
            p, q, _ = line.law.ends(corner / x)
            found += weight * (p * q / corner).imag
        left = line.left(0.0)
        assert abs(found) < left < arb("1.2") * abs(found)


@pytest.mark.parametrize("positive", [True, False])
def test_all_terms_are_on_one_path_or_the_other(positive):
    """Their sum is Mⁿ − (1 − γ)ⁿ."""
    with precision(140):
        one, other = path(positive), path(not positive)
        z = acb("0.4", "3")
        ends = one.law.ends(z)
        whole = (one.law.side(z) + one.law.none) ** 9 - one.law.none**9
        assert abs(one.added(ends) + other.added(ends) - whole) < arb("1e-20")


def test_a_term_is_good_on_either_path(monkeypatch):
    """Ties, x = 0, go to the other path."""
    with precision(118):
        truth, seen = noise_delta(6, "laplace", arb(1), arb(0)), path(True, 6, epsilon="0").terms
        monkeypatch.setattr(laplace, "math", SimpleNamespace(**{**vars(math), "floor": lambda x: math.floor(x - 1e-9)}))
        assert [step[0] for _, _, steps in path(True, 6, epsilon="0").terms for step in steps] != [
            step[0] for _, _, steps in seen for step in steps
        ]
        assert noise_delta(6, "laplace", arb(1), arb(0)).overlaps(truth)


def test_what_windows_leave_out_is_needed(monkeypatch):
    """Windows that are too short by far, with their bound and without it."""
    with precision(118):
        far = path(True, 60)
        truth = far.total()
        monkeypatch.setattr(laplace, "bernstein", lambda count, share, reach: bernstein(count, share, 1.5))
        short = path(True, 60)
        alone = short.integral(0.0, 2 * short.top / 3, None, short.left)
        assert far.windows[3] < 1e-15 and not alone.overlaps(truth) and short.total().overlaps(truth)


def test_what_is_left_above_is_needed(monkeypatch):
    with precision(118):
        truth, left, seen = path(True).total(), SplitMessages.left, []

        def stop(self, start):
            seen.append(left(self, start))
            return arb(0) if len(seen) > 2 else arb.pos_inf()

        monkeypatch.setattr(SplitMessages, "left", stop)
        short = path(True).total()
    assert not short.overlaps(truth) and (short + arb(0, seen[-1].upper())).overlaps(truth)


def test_the_errors_of_panels_are_needed():
    with precision(118):
        line = path(False)
        panel, (bound, value) = Panel(0.0, 2.0, 40, arb(0), arb(0)), line.around(0.0, 2.0)
        few, all_of_them = (sum((w * value(x) for x, w in replace(panel, order=order).nodes()), arb(0)) for order in (2, 40))
        assert 1e-12 < abs(few - all_of_them) < panel_error(panel.half, bound, 2)
        for place in (-1, 0, 1):
            z = line.corner + line.direction * (1 + ALONG * place)
            assert abs(line.added(line.law.ends(z)) / (z * z)) <= bound
