"""`python -m benchmarks`: measure everything in one run, write RESULTS.md and growth.png beside this file."""

from __future__ import annotations

import argparse
import os
import platform
import statistics
import sys
from pathlib import Path

import numpy
import scipy

from benchmarks.failures import FAILURES
from benchmarks.growth import curves, draw
from benchmarks.measure import Measured, fastest, log_truth, of_interval, ours, timed
from benchmarks.peers import PEERS, quiet
from benchmarks.workloads import WORKLOADS, Workload

HERE = Path(__file__).parent
FEW = 10**4
Found = dict[str, list[tuple[Workload, Measured]]]
CONTOUR_WIDTH, LATTICE_WIDTH = 1e-8, 1e-4


def main() -> None:
    """Parse the options, measure, write."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--repeats", type=int, default=7, help="runs of each fast measurement; medians are reported")
    parser.add_argument("--peer-repeats", type=int, default=3, help="runs of each measurement of another package")
    parser.add_argument("--output", type=Path, default=HERE, help="directory for RESULTS.md and growth.png")
    parser.add_argument("--workloads", type=int, default=len(WORKLOADS), help="how many of the workloads to run")
    options = parser.parse_args()
    quiet()
    workloads = WORKLOADS[: options.workloads]
    measured: Found = {}
    tables = [own_table(workloads, options.repeats, measured)]
    tables += [peer_table(peer, workloads, options, measured) for peer in PEERS]
    tables = [summary_table(measured), *tables, failures_table()]
    draw(curves(options.repeats), options.output / "growth.png")
    (options.output / "RESULTS.md").write_text(document(tables), encoding="utf-8")
    print(f"wrote {options.output / 'RESULTS.md'}", file=sys.stderr)


def document(tables: list[str]) -> str:
    """The whole page."""
    head = f"""# Benchmarks of the float64 accountants

Written by `python -m benchmarks`. One machine, one run: Python {platform.python_version()}, numpy {numpy.__version__},
scipy {scipy.__version__}, {os.cpu_count()} cores with a load average of {os.getloadavg()[0]:.1f}, BLAS on one thread. Times are
medians of wall time, medians of the CPU time of the process in parentheses: other work on the same cores lengthens the former.
Ratios are ratios of CPU times. The truth is the certified δ of `dpbounds.accounting` (15 digits); the error of an accountant is the
larger of |upper/δ − 1| and |1 − lower/δ|; "sound" means lower ≤ δ ≤ upper. All workloads: Poisson sampling, remove direction.

![growth of the times](growth.png)
"""
    return "\n".join([head, *tables]).rstrip() + "\n"


def summary_table(measured: Found) -> str:
    """One line for each accountant, over the workloads of at most 10⁴ steps."""
    lines = ["| accountant | CPU time, median | two-sided error, median | wrong side of the truth |", "|---|---|---|---|"]
    for name, found in measured.items():
        few = [row for workload, row in found if workload.steps <= FEW]
        error = statistics.median(row.error for row in few)
        unsound = sum(not row.sound for row in few)
        lines.append(f"| {name} | {statistics.median(row.cpu for row in few) * 1e3:.1f} ms | {error:.0e} | {unsound} of {len(few)} |")
    return "\n".join([*lines, ""])


def own_table(workloads: tuple[Workload, ...], repeats: int, measured: Found) -> str:
    """Contour and lattice at their standard widths."""
    lines = [
        "## dpbounds",
        "",
        f"Contour asked for a relative width of {CONTOUR_WIDTH:g}, lattice for {LATTICE_WIDTH:g}; either may miss it by up to 100.",
        "",
    ]
    lines += ["| workload | log₁₀ δ | contour ms | error | sound | lattice ms | error | sound |", "|---|---|---|---|---|---|---|---|"]
    times: dict[str, list[tuple[int, float, float]]] = {"contour": [], "lattice": []}
    for workload in workloads:
        progress(f"dpbounds: {workload.name}")
        truth = log_truth(workload)
        cells = []
        for method, width in (("contour", CONTOUR_WIDTH), ("lattice", LATTICE_WIDTH)):
            found = ours(workload, width, truth, repeats, method=method, accept=100 * width)
            cells.append("declined | | " if found is None else described(found))
            if found is not None:
                times[method].append((workload.steps, found.seconds, found.cpu))
                measured.setdefault(f"dpbounds {method}", []).append((workload, found))
        lines.append(f"| {workload.name} | {truth / 2.302585092994046:.2f} | {cells[0]} | {cells[1]} |")
    lines.append("")
    for label, least, most in (("k ≤ 10⁴", 0, FEW), ("k > 10⁴", FEW + 1, 10**9)):
        medians = []
        for method, values in times.items():
            kept = [(wall, cpu) for steps, wall, cpu in values if least <= steps <= most]
            if kept:
                wall, cpu = (statistics.median(column) * 1e3 for column in zip(*kept, strict=True))
                medians.append(f"{method} {wall:.2f} ({cpu:.2f}) ms")
        lines += [f"Medians over the workloads with {label}: {', '.join(medians)}.", ""] if medians else []
    return "\n".join(lines)


def peer_table(peer: object, workloads: tuple[Workload, ...], options: argparse.Namespace, measured: Found) -> str:
    """One peer, and ours at the accuracy that the peer reaches itself."""
    name, version = peer.name, peer.version  # type: ignore[attr-defined]
    if version is None:
        return f"## {name}\n\nNot installed, not measured.\n"
    lines = [
        f"## {name} {version}",
        "",
        "Ours: the faster of contour and lattice at the two-sided error that the peer reached (at most 0.5).",
        "",
    ]
    lines += ["| workload | peer ms | error | sound | ours ms | method | ratio |", "|---|---|---|---|---|---|---|"]
    ratios = []
    for workload in workloads:
        if workload.steps > peer.most_steps:  # type: ignore[attr-defined]
            lines.append(f"| {workload.name} | left out: minutes | | | | | |")
            continue
        progress(f"{name}: {workload.name}")
        truth = log_truth(workload)
        try:
            interval, seconds = timed(lambda: peer.interval(workload), options.peer_repeats)  # type: ignore[attr-defined]  # noqa: B023
        except Exception as error:  # another package may fail in any way; the table says how
            lines.append(f"| {workload.name} | failed: {type(error).__name__} | | | | | |")
            continue
        found = of_interval(interval, seconds, truth)  # type: ignore[arg-type]
        measured.setdefault(f"{name} {version}", []).append((workload, found))
        best = fastest(workload, min(0.5, max(found.error, 1e-12)), truth, options.repeats)
        if best is None:
            lines.append(f"| {workload.name} | {described(found)} | declined | | |")
            continue
        ratios.append(found.cpu / best[1].cpu)
        lines.append(f"| {workload.name} | {described(found)} | {milliseconds(best[1])} | {best[0]} | {ratios[-1]:.0f} |")
    if ratios:
        lines += ["", f"Ratio of CPU times: median {statistics.median(ratios):.0f}, smallest {min(ratios):.0f}."]
    return "\n".join([*lines, ""])


def failures_table() -> str:
    """Where other accountants fail: what they return, the float64 interval, the certified one."""
    lines = ["## Where other accountants fail", "", "| case | accountant | returned | ours | certified |", "|---|---|---|---|---|"]
    for failure in FAILURES:
        progress(f"failure: {failure.name}")
        lines.append(f"| {failure.name} | {failure.peer} | {failure.returned()} | {failure.ours()} | {failure.certified()} |")
    return "\n".join([*lines, ""])


def described(found: Measured) -> str:
    """Three cells: milliseconds, error, soundness."""
    error = f"{found.error:.1e}" if found.error < 1e3 else "no two-sided value"
    return f"{milliseconds(found)} | {error} | {'yes' if found.sound else '**no**'}"


def milliseconds(found: Measured) -> str:
    """Median wall time, and median CPU time in parentheses."""
    return f"{found.seconds * 1e3:.2f} ({found.cpu * 1e3:.2f})"


def progress(text: str) -> None:
    """A line on stderr."""
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
