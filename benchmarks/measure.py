"""Measurements: median wall and CPU time, and the two-sided relative error against the certified value."""

from __future__ import annotations

import contextlib
import math
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from benchmarks.workloads import Workload
from dpbounds import accounting
from dpbounds.errors import PrecisionError
from dpbounds.float64 import contour as fast_contour
from dpbounds.float64 import grid as lattice
from dpbounds.float64.result import Bounds

TRUTH_DIGITS = 15
LONG = 10.0
"""Seconds after which a measurement is not repeated."""


@dataclass(frozen=True)
class Measured:
    """One accountant on one workload: median wall and CPU seconds, distance of each side from log δ, and whether the truth is inside."""

    seconds: float
    cpu: float
    log_below: float
    log_above: float

    @property
    def error(self) -> float:
        """max(upper/δ − 1, 1 − lower/δ), absolute values; inf where a side says nothing."""
        return max(abs(math.expm1(min(self.log_above, 700.0))), abs(math.expm1(-min(self.log_below, 700.0))))

    @property
    def sound(self) -> bool:
        """Lower ≤ δ ≤ upper, up to the digits of the truth."""
        return self.log_below >= -1e-13 and self.log_above >= -1e-13


def log_truth(workload: Workload) -> float:
    """log of the certified δ(ε) (its 15 digits)."""
    value = _certified(workload)
    assert isinstance(value, Fraction)
    return math.log(value.numerator) - math.log(value.denominator)


def _certified(workload: Workload) -> Fraction | float:
    """The lower end at the first number of digits that the engine reaches."""
    for digits in (TRUTH_DIGITS, TRUTH_DIGITS + 10):
        with contextlib.suppress(PrecisionError):
            return accounting.delta_of(workload.product, workload.epsilon, digits).lower
    raise PrecisionError(f"no certified value for {workload.name}")


def timed(call: Callable[[], object], repeats: int) -> tuple[object, tuple[float, float]]:
    """The result of a call, and the medians of its wall time and of the CPU time of the process; calls of many seconds are not repeated."""
    wall, cpu, result = [], [], None
    while len(wall) < repeats and sum(wall) < LONG:
        start, start_cpu = time.perf_counter(), time.process_time()
        result = call()
        cpu.append(time.process_time() - start_cpu)
        wall.append(time.perf_counter() - start)
    return result, (statistics.median(wall), statistics.median(cpu))


def of_interval(interval: tuple[float, float], seconds: tuple[float, float], truth: float) -> Measured:
    """Measured from plain floats; a lower end ≤ 0 says nothing."""
    lower, upper = interval
    below = truth - math.log(lower) if lower > 0 else math.inf
    above = math.log(upper) - truth if upper > 0 else -math.inf
    return Measured(*seconds, below, above)


def ours(workload: Workload, tolerance: float, truth: float, repeats: int, *, method: str, accept: float | None = None) -> Measured | None:
    """One of the two bounding accountants at a tolerance, or None where it declines or misses `accept` (by default the tolerance)."""
    epsilon = workload.floats[3]
    product = workload.product
    try:
        if method == "contour":
            found, seconds = timed(lambda: fast_contour.bounds_at(product, [epsilon], None, tolerance, accept)[0], repeats)
        else:
            found, seconds = timed(lambda: lattice.delta_bounds(product, epsilon, tolerance), repeats)
    except PrecisionError:
        return None
    assert isinstance(found, Bounds)
    measured = Measured(*seconds, truth - found.log_lower, found.log_upper - truth)
    return measured if found.relative_width <= (accept or tolerance) else None


def fastest(workload: Workload, tolerance: float, truth: float, repeats: int) -> tuple[str, Measured] | None:
    """The faster of ours at a tolerance."""
    found = {method: ours(workload, tolerance, truth, repeats, method=method) for method in ("contour", "lattice")}
    kept = [(method, measured) for method, measured in found.items() if measured is not None]
    return min(kept, key=lambda pair: pair[1].cpu) if kept else None
