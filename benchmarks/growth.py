"""How the time of the two bounding accountants grows with k, with δ and with the accuracy asked for: one figure of three panels."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from benchmarks.measure import Measured, ours
from benchmarks.workloads import Workload
from dpbounds.float64 import approx_epsilon

METHODS = {"contour": 1e-8, "lattice": 1e-4}
COLOURS = {"contour": "#0072B2", "lattice": "#D55E00"}
STEPS = (10**2, 10**3, 10**4, 10**5, 10**6)
DIGITS_OF_DELTA = (3, 6, 12, 24, 48, 96)
TOLERANCES = {"contour": (1e-2, 1e-4, 1e-6, 1e-8), "lattice": (1e-1, 1e-2, 1e-3, 1e-4, 1e-5)}


@dataclass(frozen=True)
class Curve:
    """Milliseconds of CPU time of one method along one axis."""

    method: str
    x: tuple[float, ...]
    milliseconds: tuple[float, ...]


def workload_at(steps: int, digits: int) -> Workload:
    """q = 0.01, σ = 1.5, k steps, at an ε where δ is about 10^−digits."""
    product = Workload("1.5", "0.01", steps, "0").product
    return Workload("1.5", "0.01", steps, f"{approx_epsilon(product, Fraction(1, 10**digits), tolerance=1e-3):.4f}")


def curves(repeats: int) -> dict[str, list[Curve]]:
    """Measure the three families of curves."""
    by_steps = {k: workload_at(k, 5) for k in STEPS}
    by_delta = {digits: workload_at(10_000, digits) for digits in DIGITS_OF_DELTA}
    example = Workload("1.5", "0.01", 10_000, "1")
    found: dict[str, list[Curve]] = {"steps k (δ = 1e-5)": [], "−log10 δ (k = 1e4)": [], "relative width asked for": []}
    for method, tolerance in METHODS.items():

        def time_of(workload: Workload, width: float, name: str = method) -> Measured | None:
            return ours(workload, width, 0.0, repeats, method=name, accept=100 * width)

        along_steps = [(float(k), time_of(workload, tolerance)) for k, workload in by_steps.items()]
        along_delta = [(float(digits), time_of(workload, tolerance)) for digits, workload in by_delta.items()]
        along_width = [(width, time_of(example, width)) for width in TOLERANCES[method]]
        for axis, points in zip(found, (along_steps, along_delta, along_width), strict=True):
            kept = [(x, measured.cpu * 1e3) for x, measured in points if measured is not None]
            if kept:
                found[axis].append(Curve(method, tuple(x for x, _ in kept), tuple(y for _, y in kept)))
    return found


def draw(found: dict[str, list[Curve]], target: Path) -> None:
    """Save the figure."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, len(found), figsize=(11, 3.4), constrained_layout=True)
    for axis, (label, lines) in zip(axes, found.items(), strict=True):
        for line in lines:
            axis.plot(
                line.x, line.milliseconds, marker="o", color=COLOURS[line.method], label=f"{line.method}, width {METHODS[line.method]:g}"
            )
        axis.set_yscale("log")
        axis.set_xscale("log")
        axis.set_xlabel(label)
        axis.set_ylabel("milliseconds (CPU)")
        axis.grid(True, which="both", alpha=0.3)
    axes[0].legend()
    axes[2].invert_xaxis()
    figure.savefig(target, dpi=110)
