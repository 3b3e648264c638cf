"""Mechanisms with a formula of their own: Gaussian losses with their μ, or a δ(ε) without a moment function."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction

from flint import arb

from dpbounds.errors import InputError
from dpbounds.laws.closed_forms import gaussian_delta
from dpbounds.laws.contour_factor import ContourFactor, GaussianFactor
from dpbounds.laws.gaussian import total_variance
from dpbounds.laws.law import ClosedForm, Law, Uses, only_use, registered_law
from dpbounds.mechanisms.formula import FormulaNoise, FormulaPair
from dpbounds.numbers.balls import ball, precision

_REACH, _HALVINGS, _SEARCH_BITS = 130.0, 24, 300
"""Of the search for ε in floats: powers of e that are looked at, how often they are halved, and at which precision."""


@dataclass(frozen=True)
class FormulaLaw(Law):
    """The loss of the pair."""

    mechanism: FormulaNoise
    backwards: bool

    @property
    def decays(self) -> bool:  # type: ignore[override]
        """Gaussian losses do."""
        return self.mechanism.gaussian

    def variance(self) -> arb | None:
        """μ²."""
        return self.mechanism.mu_ball() ** 2 if self.mechanism.gaussian else None

    def factor(self, steps: int, most: float = 0.0) -> ContourFactor:
        """Of Gaussian losses."""
        own = self.variance()
        if own is None:
            raise InputError(f"{self.mechanism.assumes} has no certified bound as a part of a composition; ask for it alone")
        return GaussianFactor(steps * own)

    def swapped(self) -> Law:
        """P and Q exchanged."""
        return replace(self, backwards=not self.backwards) if self.mechanism.one_sided else self

    def largest_loss(self) -> Fraction | None:
        """That of the formula."""
        return self.mechanism.largest_loss

    def approx_epsilon(self, log_target: float) -> tuple[float | Fraction, float] | None:
        """By bisection of the distance from the largest loss, or of ε where there is none, on a scale of powers."""
        if self.mechanism.gaussian:
            return None
        top, delta = self.largest_loss(), self.mechanism.delta_in(self.backwards)

        def log_delta(power: float) -> float:
            moved = Fraction(math.exp(power))
            with precision(_SEARCH_BITS):
                found = delta(ball(moved if top is None else top - moved))
            return float(found.log().mid()) if found > 0 else -math.inf

        low, high = (-_REACH / 4, _REACH / 4) if top is None else (-_REACH, math.log(top))
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            low, high = (middle, high) if (log_delta(middle) > log_target) == (top is None) else (low, middle)
        if top is None:
            return math.exp(high), 1.0
        return top - Fraction(math.exp(low)), 2.0 / math.exp(low)

    def closed_form(self, uses: Uses) -> ClosedForm | None:
        """The formula; Gaussians add their variances."""
        if self.mechanism.gaussian:
            if any(law.variance() is None for law in uses):
                return None
            return ClosedForm(lambda epsilon: gaussian_delta(total_variance(uses), epsilon))
        if not only_use(uses):
            raise InputError(f"{self.mechanism.assumes} has no certified bound as a part of a composition; ask for it alone")
        return ClosedForm(self.mechanism.delta_in(self.backwards))


@registered_law.register(FormulaPair)
def _(pair: FormulaPair, reversed: bool) -> Law | None:
    return FormulaLaw(pair.mechanism, (pair.backwards != reversed) and pair.mechanism.one_sided)
