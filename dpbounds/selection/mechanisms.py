"""δ of private selection by two-point tables with a free parameter.

**Range bounded by E** (the exponential mechanism e^{E·u/2Δ}, the same as the largest score with Gumbel noise of scale 2Δ/E): the
loss takes values in an interval of length E. The worst use is one of the tables

    loss t with P(t) = p, Q = e^{−t}p,    loss t − E with P = 1 − p,    p = (1 − e^{t−E})/(1 − e^{−E}),    0 ≤ t ≤ E,

and two candidates attain each of them. Of k uses that are fixed beforehand the worst have one t, and for "at most l uses with the
low loss"

    F_l(t) = Σ_{i≤l} C(k, i) p^{k−i} (1−p)^i (1 − e^{ε−kt+iE}),      δ(ε) = max_l F_l(t_l),   t_l = (ε + (l+1)E)/(k+1) cut to [0, E].

Derivation: d/dr P(Bin(k, r) ≤ l) = −k C(k−1, l) r^l (1−r)^{k−1−l}, and 1−p = r_Q e^{t−E}, p = q e^t. So the two terms of F_l′
have the quotient e^{(k+1)t − (l+1)E − ε}: F_l rises to t_l and falls from there. Source: Dong, Durfee & Rogers 2020 (arXiv
1909.13830), Theorem 3. Uses that are chosen after earlier answers can be worse for k ≥ 2.

**Permute-and-flip** (the largest score with exponential noise of scale 2Δ/E). On the way from one data set to its neighbour, all
scores moving at once, the probability f of an event obeys |f′| ≤ min(f, 1 − f) per unit of E, for the mechanism is pure at every
sensitivity. The fastest way up is the cdf of a Laplace variable, so P(S) − e^ε Q(S) ≤ sup_a F(a) − e^ε F(a − E) = 1 −
e^{(ε−E)/2}, that of Laplace noise. Two candidates have exactly these probabilities: F(a) for a gap of a. Uses compose as those of
Laplace noise at most; k uses with one gap are a lower bound.

**Above threshold** (the first query above the threshold, Laplace noise of scale 2Δ/E and 4Δ/E: Dwork & Roth 2014, Algorithm 1):
the same upper bound, for the same reason. The lower bound is that of one query that moves by Δ, which is far below: no exact
value is known here.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import Any

from dpbounds.errors import InputError
from dpbounds.numbers import exact
from dpbounds.numbers.balls import Ball, ball
from dpbounds.numbers.domains import at_least_one

MOST_USES = 400
EXPONENTIAL, NOISY_MAX, PERMUTE, ABOVE = "exponential-mechanism", "noisy-max", "permute-and-flip", "above-threshold"
KINDS = (EXPONENTIAL, NOISY_MAX, PERMUTE, ABOVE)


@dataclass(frozen=True)
class Selection:
    """Uses of a mechanism that selects.

    Args:
        kind: one of `KINDS`. epsilon: its pure E > 0, the length of the range of its loss for the first two.
        uses: k ≥ 1, fixed beforehand.

    >>> from dpbounds.numbers.to_digits import certified
    >>> certified(lambda: Selection("exponential-mechanism", 1).delta_ball(ball(0)), 5).lower_decimal(5)
    '0.24491'
    """

    kind: str
    epsilon: Fraction
    uses: int = 1

    def __init__(self, kind: str, epsilon: exact.Number, uses: exact.Number = 1) -> None:
        if kind not in KINDS:
            raise InputError(f"kind must be one of {', '.join(KINDS)}, got {kind!r}")
        value = exact.rational(epsilon, f"{kind} (its epsilon)")
        if value <= 0:
            raise InputError(f"{kind} needs an epsilon > 0, got {exact.text(value)}")
        count = at_least_one(uses, "steps")
        most = MOST_USES if kind in (EXPONENTIAL, NOISY_MAX) else 1
        if count > most:
            way = f"ask for at most {most}" if most > 1 else f"for an upper bound take --laplace-scale {exact.text(1 / value)}"
            raise InputError(f"{count} uses of {kind} have no exact value here; {way}")
        object.__setattr__(self, "kind", kind)
        object.__setattr__(self, "epsilon", value)
        object.__setattr__(self, "uses", count)

    @property
    def attained(self) -> bool:
        """Whether some scores have exactly this δ."""
        return self.kind != ABOVE

    @property
    def largest_loss(self) -> Fraction:
        """kE: there is no larger loss, and δ is 0 from there on."""
        return self.uses * self.epsilon

    @property
    def instead(self) -> str:
        """What has a certificate: the noise with the same loss for two of the kinds, an event of pure ε for the others."""
        if self.kind in (PERMUTE, ABOVE):
            return f"an upper bound that has one: --laplace-scale {exact.text(1 / self.epsilon)}"
        return f"an upper bound that has one: --epsilon-delta {exact.text(self.epsilon)} --steps {self.uses}"

    @property
    def assumes(self) -> str:
        """Of which uses the number speaks."""
        e = exact.text(self.epsilon)
        what = {
            EXPONENTIAL: f"exponential mechanism, range of the loss at most {e}",
            NOISY_MAX: f"noisy max with Gumbel noise (the exponential mechanism), range of the loss at most {e}",
            PERMUTE: f"permute-and-flip (noisy max with exponential noise), pure epsilon {e}",
            ABOVE: f"above threshold with Laplace noise, pure epsilon {e}; an upper bound",
        }[self.kind]
        return what if self.uses == 1 else f"{what}, {self.uses} uses fixed beforehand (adaptive ones can be worse)"

    def delta_ball(self, epsilon: Ball) -> Ball:
        """δ(ε) over all scores and neighbours, an upper bound where not `attained`; at the precision that is set."""
        if self.kind in (PERMUTE, ABOVE):
            return _laplace(ball(self.epsilon), epsilon)
        return range_bounded(ball(self.epsilon), self.uses, epsilon)

    def known_delta_ball(self, epsilon: Ball) -> Ball:
        """δ(ε) that some scores have."""
        return _one_query(ball(self.epsilon), epsilon) if self.kind == ABOVE else self.delta_ball(epsilon)

    def described(self, digits: int) -> dict[str, Any]:
        """What the JSON document says besides."""
        return {"attained": self.attained, "assumes": self.assumes}


def range_bounded(e: Ball, uses: int, epsilon: Ball) -> Ball:
    """max_l F_l(t_l)."""
    best = ball(0)
    for low in range(uses):
        t = ((epsilon + (low + 1) * e) / (uses + 1)).nonnegative_part()
        if t >= e:  # cut to E, where p = 0 and with it every term
            continue
        if not t < e:  # not told apart: every term is at most C(k, i)·p^{k−i}
            most = abs((e - t).expm1() / (-e).expm1()).upper()
            best = best.max(ball(0).union(sum((comb(uses, i) * most ** (uses - i) for i in range(low + 1)), ball(0))))
            continue
        p, r = -(t - e).expm1() / -(-e).expm1(), t.expm1() / e.expm1()
        total = ball(0)
        for i in range(low + 1):
            total += comb(uses, i) * p ** (uses - i) * r**i * -(epsilon - uses * t + i * e).expm1()
        best = best.max(total)
    return best


def _laplace(e: Ball, epsilon: Ball) -> Ball:
    return (-((epsilon - e) / 2).expm1()).nonnegative_part()


def _one_query(e: Ball, epsilon: Ball) -> Ball:
    """The best of some thresholds; each is a lower bound."""
    best = ball(0)
    for j in range(-16, 17):
        middle = e / 2 + j * (1 + e / 8) / 2
        best = best.max(noise_cdf(middle) - epsilon.exp() * noise_cdf(middle - e))
    return best


def noise_cdf(x: Ball) -> Ball:
    """P(L₂ + L₄ ≤ x) for Laplace variables of scale 2 and 4: 1 − (2e^{−x/4} − e^{−x/2}/2)/3 for x ≥ 0.

    Derivation: the characteristic function 1/((1 + 4s²)(1 + 16s²)) is (4/3)/(1 + 16s²) − (1/3)/(1 + 4s²).
    """
    tail = ((-abs(x) / 4).exp() * 2 - (-abs(x) / 2).exp() / 2) / 3
    return 1 - tail if x >= 0 else tail if x < 0 else tail.union(1 - tail)
