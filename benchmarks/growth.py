"""How the time of the two bounding accountants grows with k, with δ and with the accuracy asked for: one figure of three panels."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from benchmarks.measure import ours
from benchmarks.workloads import Workload

METHODS = {"contour": 1e-8, "lattice": 1e-4}
COLOURS = {"contour": "#0072B2", "lattice": "#D55E00"}
STEPS = (10**2, 10**3, 10**4, 10**5, 10**6)
EPSILONS = ("0.5", "1", "2", "3", "4", "5")
TOLERANCES = {"contour": (1e-2, 1e-4, 1e-6, 1e-8), "lattice": (1e-1, 1e-2, 1e-3, 1e-4, 1e-5)}


@dataclass(frozen=True)
class Curve:
    """Milliseconds of one method along one axis."""

    method: str
    x: tuple[float, ...]
    milliseconds: tuple[float, ...]


def curves(repeats: int) -> dict[str, list[Curve]]:
    """Measure the three families of curves."""
    found: dict[str, list[Curve]] = {"steps k": [], "epsilon (δ falls)": [], "relative width asked for": []}
    for method, tolerance in METHODS.items():
        by_steps = [(float(k), ours(Workload("1.5", "0.001", k, "1"), tolerance, 0.0, repeats, method=method)) for k in STEPS]
        by_epsilon = [(float(e), ours(Workload("2", "0.01", 1000, e), tolerance, 0.0, repeats, method=method)) for e in EPSILONS]
        by_width = [(t, ours(Workload("1.5", "0.01", 10_000, "1"), t, 0.0, repeats, method=method)) for t in TOLERANCES[method]]
        for axis, points in zip(found, (by_steps, by_epsilon, by_width), strict=True):
            kept = [(x, measured.seconds * 1e3) for x, measured in points if measured is not None]
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
        if "epsilon" not in label:
            axis.set_xscale("log")
        axis.set_xlabel(label)
        axis.set_ylabel("milliseconds")
        axis.grid(True, which="both", alpha=0.3)
    axes[0].legend()
    axes[2].invert_xaxis()
    figure.savefig(target, dpi=110)
