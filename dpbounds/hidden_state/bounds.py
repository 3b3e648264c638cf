"""μ of the last iterate of noisy gradient descent on convex losses, full batch.

The iterates are x ← Π(x − η(∇ + Z)), Z ~ N(0, σ²I). A neighbour moves a gradient by at most s, and the gradient step without
noise brings two points together by the factor c at least. Divide by η. A distance d between two runs becomes at most c·d + s in a
step, and the noise of the step pays for moving by a at the cost a²/σ² in μ². What is left after the last step must be 0. Start m
steps before the end at the distance D/η at most: the moves a_j have to make up Σ_j c^{m−1−j} a_j = c^m D/η + s Σ_{j<m} c^j, and
by Cauchy and Schwarz the cheapest cost

    μ(m) = (c^m D/η + s Σ_{j<m} c^j) / (σ √Σ_{j<m} c^{2j}).

From a common start the first term is absent, and m = t; then the linear loss attains it, where nothing is projected. Sources:
Altschuler & Talwar 2022; Bok, Su & Altschuler 2024 (arXiv 2403.00278), Theorems 4.1, 4.2 and 4.6.

The minimum over m is exact. With y = c^m, μ(m)² is a constant times (A + By)²/(1 − y²), A = s/(1 − c), B = D/η − A. Its
derivative in y has the sign of B + Ay: it falls to y* = −B/A = 1 − D(1 − c)/(ηs) and rises from there. For c = 1, μ(m)²σ² =
(D/η)²/m + 2sD/η + ms² is convex in m and least at D/(ηs). So an integer next to the real minimum is the minimum, or an end of 1 …
t.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from dpbounds.budgets.tradeoff import gaussian_delta
from dpbounds.errors import InputError, PrecisionError
from dpbounds.numbers import exact
from dpbounds.numbers.balls import Ball, Enclosure, ball
from dpbounds.numbers.domains import at_least_one
from dpbounds.numbers.to_digits import certified, exact_point

CLASS = "convex losses, full batch, the last iterate alone; each gradient step is a contraction by {c}"
COMMON, PROJECTED, COMPOSED = "common start", "projected", "composition"


@dataclass(frozen=True)
class HiddenState:
    """Noisy gradient descent of which the last iterate is released.

    Args:
        contraction: 0 ≤ c ≤ 1, by which a gradient step brings two points together; 1 for losses that are convex and smooth alone.
        gradient_change: s > 0, by which a neighbour moves the gradient of a step at most.
        sigma: σ > 0, the standard deviation of the noise in each coordinate of the gradient.
        steps: t ≥ 1.
        diameter: of the set onto which each iterate is projected; None without projection.
        step_size: η > 0; it counts where there is a diameter.

    >>> HiddenState("0.5", 1, 2, 1).mu(10).contains(Fraction(1, 2)), HiddenState(1, 1, 1, 4).mu(10).contains(2)
    (True, True)
    """

    contraction: Fraction
    gradient_change: Fraction
    sigma: Fraction
    steps: int
    diameter: Fraction | None = None
    step_size: Fraction | None = None
    largest_loss: ClassVar[None] = None

    def __init__(
        self,
        contraction: exact.Number,
        gradient_change: exact.Number,
        sigma: exact.Number,
        steps: exact.Number,
        diameter: exact.Number | None = None,
        step_size: exact.Number | None = None,
    ) -> None:
        c = exact.rational(contraction, "contraction")
        if not 0 <= c <= 1:
            raise InputError(f"contraction must lie in [0, 1]: the losses are convex; got {exact.text(c)}")
        object.__setattr__(self, "contraction", c)
        for name, given in (("gradient_change", gradient_change), ("sigma", sigma)):
            object.__setattr__(self, name, _positive(given, name.replace("_", "-")))
        object.__setattr__(self, "steps", at_least_one(steps, "steps"))
        for name, value in (("diameter", diameter), ("step_size", step_size)):
            object.__setattr__(self, name, None if value is None else _positive(value, name.replace("_", "-")))
        if diameter is not None and step_size is None:
            raise InputError("a diameter needs the step size, such as --step-size 0.1")

    @property
    def attained(self) -> bool:
        """Whether losses of the class have exactly this μ: without projection, and where a step forgets all that was before."""
        return self.diameter is None or self.contraction == 0 or self.steps == 1

    @property
    def instead(self) -> str:
        """What has a certificate: Gaussian noise with this μ, rounded up."""
        return f"Gaussian noise with this mu, rounded up, has one: --sigma {exact.text(1 / Fraction(self.mu(6).upper_decimal(6)))}"

    @property
    def assumes(self) -> str:
        """The class of runs of which the number speaks."""
        c = exact.text(self.contraction)
        where = "" if self.diameter is None else f", iterates are projected to diameter {exact.text(self.diameter)}"
        return f"{CLASS.format(c=c)}{where}; a neighbour moves a gradient by at most {exact.text(self.gradient_change)}"

    def mu(self, digits: int = 15) -> Enclosure:
        """The least μ of the formulas that apply; the class has no smaller one where `attained`.

        Raises:
            PrecisionError: the digits were not reached.
        """
        return certified(self.mu_ball, digits)

    def mu_ball(self) -> Ball:
        """The same at the precision that is set."""
        return min_ball([value for _, _, value in self.candidates()]) / ball(self.sigma)

    def known_mu(self) -> Fraction:
        """A μ that losses of the class have at least: s/σ.

        The loss of the last step is |x − a|²/2η, whose step leads to a from everywhere. So a step moves N(a, η²σ²) by ηs, and a can be
        chosen for each ε so that the best test is by a threshold within the set onto which is projected.
        """
        return self.gradient_change / self.sigma

    def delta_ball(self, epsilon: Ball) -> Ball:
        """δ(ε) of μ-GDP at the precision that is set."""
        return gaussian_delta(self.mu_ball(), epsilon)

    def known_delta_ball(self, epsilon: Ball) -> Ball:
        """δ(ε) that losses of the class have at least."""
        return self.delta_ball(epsilon) if self.attained else gaussian_delta(ball(self.known_mu()), epsilon)

    def formula(self) -> str:
        """Which formula is the least, and at which number of steps from the end."""
        name, m, _ = min(self.candidates(), key=lambda row: float(row[2].mid()))
        return f"{name}, m = {m}"

    def candidates(self) -> list[tuple[str, int, Ball]]:
        """Name, number m of steps from the end, and μσ of each formula; the least is the bound."""
        c, s, t = self.contraction, self.gradient_change, self.steps
        found = [(COMMON if c < 1 else COMPOSED, t, _cost(c, s, ball(0), t))]
        if self.diameter is not None and self.step_size is not None:
            distance = self.diameter / self.step_size
            found += [(PROJECTED, m, _cost(c, s, ball(distance), m)) for m in _best_starts(c, s, distance, t)]
        return found

    def described(self, digits: int) -> dict[str, Any]:
        """What the JSON document says besides: μ at both ends, and whether it is attained."""
        return {"mu": ends(self.mu(digits), digits), "attained": self.attained, "formula": self.formula(), "assumes": self.assumes}


def ends(value: Enclosure, digits: int) -> dict[str, str]:
    """Both ends as decimals, rounded outward."""
    return {"lower": value.lower_decimal(digits + 2), "upper": value.upper_decimal(digits + 2)}


def min_ball(values: list[Ball]) -> Ball:
    """A ball around the least of the numbers in the balls."""
    least = values[0]
    for value in values[1:]:
        least = least.min(value)
    return least


def _positive(value: exact.Number, name: str) -> Fraction:
    number = exact.rational(value, name)
    if number <= 0:
        raise InputError(f"{name} must be > 0, got {exact.text(number)}")
    return number


def _cost(c: Fraction, s: Fraction, distance: Ball, m: int) -> Ball:
    """(c^m D/η + s Σ_{j<m} c^j) / √Σ_{j<m} c^{2j}."""
    if c == 1:
        return (distance + m * ball(s)) / ball(m).sqrt()
    y = ball(c) ** m
    return (y * distance + ball(s) * (1 - y) / ball(1 - c)) / ((1 - y**2) / ball(1 - c**2)).sqrt()


def _best_starts(c: Fraction, s: Fraction, distance: Fraction, t: int) -> range:
    """Integers in 1 … t among which the best m is, for certain."""
    if c == 0:
        return range(1, 2)
    if c == 1:
        low = int(distance / s)
        return _clipped(low, low + 1, t)
    turn = 1 - distance * (1 - c) / s  # y*
    if turn <= 0:
        return range(t, t + 1)
    guess = (ball(turn).log() / ball(c).log()) if turn < 1 else ball(0)
    low = max(0, int(exact_point(guess)) - 1)
    high = low + 3
    if low > t:
        if ball(c) ** t > ball(turn):
            return range(t, t + 1)
    elif (low == 0 or ball(c) ** low > ball(turn)) and ball(c) ** high < ball(turn):
        return _clipped(low, high, t)
    raise PrecisionError("the best number of steps could not be found; change the diameter a little")


def _clipped(low: int, high: int, t: int) -> range:
    return range(min(max(1, low), t), min(max(1, high), t) + 1)
