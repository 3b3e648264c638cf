"""Claims about families with a multiplier that is found: those of Cauchy and Schwarz, slopes beside kinks, chords with a plain end."""

import random

from benchmarks.lemmas.lemma import lemma
from dpbounds.claims.claim import Claim
from dpbounds.claims.evidence import documents
from dpbounds.claims.evidence.finite_divergences import in_finite_terms
from dpbounds.compile.families.discriminants import _lemma
from dpbounds.compile.steps import Steps
from dpbounds.kernel.checker import Statement
from dpbounds.kernel.terms import ZERO, equal
from dpbounds.language.typed.checker_terms import TypedReading, reading
from dpbounds.notation import *
from tests.lemmas import assert_the_true_one_has_a_document_and_the_twin_a_point, for_pairs

n, i, r = positive_integer("n"), index("i"), real("r")
over = (i, 1, n)
P, Q, S = laws("P Q S", over)
W = laws("W", over, "positive")
p, q, x, t = family("p", "positive"), family("q", "positive"), family("x", "real"), family("t")
epsilon, delta = nonnegative("epsilon delta")


def total(term):
    """Σ over the places."""
    return Sum(term, over)


one = [sums_to_one(p, over), sums_to_one(q, over)]
near = [*one, for_each(over, p[i] <= exp(epsilon) * q[i]), for_each(over, q[i] <= exp(epsilon) * p[i])]
chi = total(p[i] ** 2 / q[i]) - 1
shift = total(p[i] * x[i]) - total(q[i] * x[i])
variance = total(q[i] * x[i] ** 2) - total(q[i] * x[i]) ** 2
apart = total(Abs(p[i] - q[i]))
kl = total(p[i] * log(p[i] / q[i]))

LEMMAS = [
    lemma("two-moments", one, shift**2 <= chi * variance, shift**2 <= chi * variance / 2),
    lemma("roots", one, shift <= sqrt(chi) * sqrt(total(q[i] * x[i] ** 2)), shift <= chi * sqrt(total(q[i] * x[i] ** 2))),
    lemma("chi-square-above-variation", one, apart**2 <= chi, apart**2 <= chi / 2),
    lemma("divergence-of-near-laws", near, kl <= epsilon * apart, kl <= epsilon * apart / 4),
    lemma("variation-of-approximate-pairs", [P, Q, HockeyStick(epsilon, P, Q) <= delta, HockeyStick(epsilon, Q, P) <= delta],
          total(Abs(P[i] - Q[i])) / 2 <= (exp(epsilon) - 1 + 2 * delta) / (exp(epsilon) + 1),
          total(Abs(P[i] - Q[i])) / 2 <= (exp(epsilon) - 1 + delta) / (exp(epsilon) + 1)),
    lemma("sampled-pairs", [P, Q, S, r >= 0, r <= 1],
          HockeyStick(epsilon, r * P + (1 - r) * S, r * Q + (1 - r) * S) <= r * HockeyStick(epsilon, P, Q),
          HockeyStick(epsilon, r * P + (1 - r) * S, r * Q + (1 - r) * S) <= r**2 * HockeyStick(epsilon, P, Q)),
]  # fmt: skip


@for_pairs(LEMMAS, slow=("two-moments", "divergence-of-near-laws"))
def test_the_true_one_has_a_document_and_the_twin_has_none(pair):
    assert_the_true_one_has_a_document_and_the_twin_a_point(pair)


def test_the_lemma_holds_at_numbers():
    """b² ≤ a·c wherever its two instances hold and c ≥ 0; each instance is needed."""
    steps = Steps()
    lemma_, _ = _lemma(steps)
    assert len(steps.write.steps[lemma_].hypotheses) == 3
    rng = random.Random(5)
    for _ in range(300):
        a, b, c = (rng.choice((-1.0, 0.0, 0.5, 2.0)) * rng.random() for _ in range(3))
        ratio, beyond = (b / c if c else 0.0), ((a + 1) / (2 * b) if b else 0.0)
        if c >= 0 and all(2 * k * b <= a + k * k * c for k in (ratio, beyond)):
            assert b * b <= a * c + 1e-12


def test_the_sign_of_a_parameter_may_be_a_premise():
    """Mixtures are masses where r > 0 and r < 1 are premises; not without them."""
    mixed = KLDivergence(r * P + (1 - r) * S, r * W + (1 - r) * S) <= r * KLDivergence(P, W)
    said = Claim(id="mixed", text="", given=(P, W, S, r > 0, r < 1), then=mixed)
    unsaid = Claim(id="unsaid", text="", given=(P, W, S, r < 1), then=mixed)
    assert in_finite_terms(said) is not said
    nothing = Statement("", (), equal(ZERO, ZERO), frozenset(), 0)
    for claim in (said, unsaid):
        read = reading(TypedReading(absent=True), *claim.terms)
        assert documents._all_follow(read.wanted, read.given, nothing) is (claim is said)
