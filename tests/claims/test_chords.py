"""A side that is concave in a bounded variable, and means of convex functions of bounded entries; false twins have a point."""

import time
from dataclasses import replace

from benchmarks.lemmas.lemma import lemma
from dpbounds.claims import clock
from dpbounds.claims.claim import Claim
from dpbounds.claims.evidence import ways
from dpbounds.claims.evidence.powers import InParts
from dpbounds.claims.evidence.reductions.chords import with_chords
from dpbounds.claims.signs import with_signs
from dpbounds.notation import *
from tests.lemmas import assert_only_the_true_one_has_a_document, for_pairs

r, a, b, y, z = real("r a b y z")
sigma, mu, s, w, epsilon = positive("sigma mu s w epsilon")
i, n = index("i"), positive_integer("n")
P, Q = laws("P Q", (i, 1, n))
x, f, g = family("x", "positive"), family("f", "positive"), family("g", "positive")
share = [r >= 0, r <= 1]
inside = [*share, y > 0, y < 1, z > 0, z < 1]
below_w = [P, for_each((i, 1, n), x[i] <= w)]
near = [for_each((i, 1, n), f[i] <= exp(epsilon) * g[i]), for_each((i, 1, n), g[i] <= exp(epsilon) * f[i])]


def total(term):
    return Sum(term, (i, 1, n))


def power(u):
    return NormalCDF(NormalQuantile(u) - mu)


def profile(u):
    return GaussianDelta(u, sigma, 1)


def stick(u):
    return HockeyStick(u, P, Q)


jeffreys, hellinger = total((f[i] - g[i]) * log(f[i] / g[i])), total((sqrt(f[i]) - sqrt(g[i])) ** 2)
mean, moment = total(P[i] * x[i]), total(P[i] * exp(s * x[i]))

LEMMAS = [
    lemma("power-of-a-test", inside, power(r * y + (1 - r) * z) <= r * power(y) + (1 - r) * power(z),
          power(r * y + (1 - r) * z) <= r * power(y) + Rational(9, 10) * (1 - r) * power(z)),
    lemma("profile", share, profile(log(r * exp(a) + (1 - r) * exp(b))) <= r * profile(a) + (1 - r) * profile(b),
          profile(r * a + (1 - r) * b) <= r * profile(a) + (1 - r) * profile(b)),
    lemma("hockey-stick", [P, Q, *share], stick(log(r * exp(a) + (1 - r) * exp(b))) <= r * stick(a) + (1 - r) * stick(b),
          stick(r * a + (1 - r) * b) <= r * stick(a) + Rational(1, 2) * (1 - r) * stick(b)),
    lemma("hoeffding", below_w, moment <= exp(s * mean + s**2 * w**2 / 8), moment <= exp(s * mean + s**2 * w**2 / 9)),
    lemma("jeffreys", near, jeffreys <= (4 + epsilon**2 / 12) * hellinger, jeffreys <= (4 + epsilon**2 / 13) * hellinger),
]  # fmt: skip


@for_pairs(LEMMAS, quick=("hockey-stick",))
def test_the_true_one_has_a_document_and_the_twin_has_none(pair):
    assert_only_the_true_one_has_a_document(pair, with_signs)


def plain(then, *given):
    return with_signs(Claim(id="a", given=[*share, *given], then=then))


def test_the_tangent_adds_up_to_the_chord():
    claim = plain(exp(r * a + (1 - r) * b) <= r * exp(a) + (1 - r) * exp(b))
    found = ways.in_parts(claim, None)
    assert found is not None and found.statement is not None


def test_a_side_on_the_wrong_side_of_its_chord_is_not_shown():
    for false in (
        exp(r * a + (1 - r) * b) >= r * exp(a) + (1 - r) * exp(b),
        exp(r * a + (1 - r) * b) <= r * exp(a) + (Rational(9, 10) - r) * exp(b),
    ):
        assert ways.in_parts(plain(false), clock.now() + 0.5) is None


def test_both_ends_are_needed():
    """With the part at one end alone, r = 1, e^(ra + (1−r)b) ≤ r·e^a + (1 − r)·e^b − (1 − r) does not follow."""
    false = plain(exp(r * a + (1 - r) * b) <= r * exp(a) + (1 - r) * (exp(b) - 1))
    way = next(with_chords(false))
    assert len(way.parts) == 3

    def one_end(claim):
        yield InParts(way.parts[:2], way.known, way.weights[:2])

    assert replace(ways.in_parts, reductions=one_end)(false, clock.now() + 0.5) is None


def test_the_chords_of_a_rounded_logarithm_are_found_soon():
    """sympy raised 2 to a power of sixteen digits there, which nothing interrupts."""
    start, epsilon = time.process_time(), real("epsilon")
    then = log((2 + exp(epsilon)) / 3) <= epsilon * log(Rational(4, 3)) / log(2)
    claim = Claim(id="a", given=[epsilon >= 0, epsilon <= log(2)], then=then)
    list(with_chords(claim))
    assert time.process_time() - start < 2
