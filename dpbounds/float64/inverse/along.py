"""Bounds of δ along ε: what was composed for one ε serves others, and no lattice is made finer than the root asks for."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from dpbounds.float64.gaussian_mixture import GaussianMixture
from dpbounds.float64.laws import dropped_mass, loss_law
from dpbounds.float64.result import Bounds, ComposedLaw
from dpbounds.mechanisms import pairs

LATTICE_TOLERANCE = 1e-4
"""The relative width of δ that a lattice aims at, at best."""
_NARROW = 0.5
"""Relative width of δ beyond which what was composed serves no other ε."""
_AS_SHARP = 1.5
"""By which what was composed for one ε may be wider at another and still serve it."""
_SERVING = 3e-4
"""Relative width of ε, where it was composed, beyond which it does not."""
_FROM_LATTICE = 2e-4
"""Relative width of ε that is enough from a lattice."""
_ROUGH = 0.05
"""Relative width of δ that is enough from a lattice far from the target."""
_STRAIGHT = 20.0
"""Change of log δ up to which its slope tells it, about: where rare noise comes to rule, the slope falls at once."""
_COARSEST = 0.05
"""Relative width of δ that is enough where ε hardly depends on δ."""


@dataclass
class Along:
    """Bounds of δ of one product at one ε after another: what was composed for one serves others where it is as sharp there."""

    product: pairs.Product
    bounds: Callable[..., list[Bounds]]
    """Bounds of a product at some ε, as `front_door` has them."""
    tolerance: float
    method: str
    log_delta: float
    """The target: only near it are the bounds of a lattice to be as narrow as that."""

    def __post_init__(self) -> None:
        self.kept: list[ComposedLaw] = []
        self.limit = 0.0
        """The relative width to which what was composed last may serve."""
        self.smooth = all(isinstance(loss_law(factor), GaussianMixture) for factor in self.product.factors)
        """Whether δ falls smoothly: below the largest loss of other noise its slope has no bound and predicts nothing."""
        self.width = math.inf
        """The relative width of the last answer."""
        self.contour = True
        """Whether the lattice has not yet been the narrower one."""
        self.last: tuple[float, float] | None = None
        """ε and log δ, about, of the last answer."""

    def bounds_at(self, epsilon: float, slope: float) -> Bounds:
        """Bounds of δ(ε), where −d log δ/dε is about `slope`: a relative width of τ·slope·ε of δ is one of τ of the root ε."""
        found = self._found(epsilon, slope)
        self.width = found.relative_width
        if math.isfinite(found.log_lower):
            self.last = epsilon, found.log_middle
        return found

    @property
    def share(self) -> float:
        """The share of δ that the last lattice moved to infinity."""
        return getattr(self.kept[-1], "share", 0.0) if self.kept else 0.0

    def slope(self, epsilon: float) -> float | None:
        """About −d log δ/dε by what was composed last, if anything was and is narrow there."""
        return self.kept[-1].slope(epsilon) if self.kept and self.smooth and self.width <= 2 * _ROUGH else None

    def _found(self, epsilon: float, slope: float) -> Bounds:
        tolerance = max(self.tolerance, min(self.tolerance * slope * epsilon, _COARSEST))
        accept = max(LATTICE_TOLERANCE, min(_FROM_LATTICE * slope * epsilon, _COARSEST))
        if self.kept:
            found = self.kept[-1].bounds(epsilon).with_more(dropped_mass(self.product))
            if found.relative_width <= max(self.limit, tolerance):
                return found
        known = None
        if self.last and self.smooth and abs(change := slope * (epsilon - self.last[0])) <= _STRAIGHT:
            known = self.last[1] - change, slope, self.share
        self.kept.clear()
        best: Bounds | None = None
        settled = False
        for wide in (max(_ROUGH, accept), accept) if self.smooth else (accept,):
            composed: list[ComposedLaw] = []
            contour = self.contour and best is None
            (found,) = self.bounds(self.product, [epsilon], tolerance, self.method, composed, contour=contour, accept=wide, known=known)
            if best is None or found.relative_width < best.relative_width:
                best, self.kept = found, composed
            settled = wide == accept
            if best.relative_width <= max(accept, tolerance) or abs(best.log_middle - self.log_delta) > 2 * _ROUGH:
                break
            if epsilon == 0 and not best.log_lower <= self.log_delta <= best.log_upper:
                break
            self.width = best.relative_width
            known = (best.log_middle, self.slope(epsilon) or slope, self.share)
        assert best is not None
        found, self.contour = best, self.contour and best.method != "lattice"
        serves = found.relative_width < min(_SERVING * slope * epsilon, _COARSEST if self.smooth else 1.0)
        best_there_is = settled and accept < found.relative_width < _NARROW
        self.limit = _AS_SHARP * found.relative_width if serves or best_there_is else 0.0
        return found
