"""Curves of one mechanism: many ε, δ, step counts and orders at once, in milliseconds of processor time.

python -m benchmarks.curves [--sigma S] [--q Q] [--steps K]
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from typing import Any

from dpbounds import accounting
from dpbounds.float64 import delta_bounds_at, delta_bounds_over_steps
from dpbounds.mechanisms import Gaussian, PoissonSampling, Repeated, Sampled
from dpbounds.renyi.solve import renyi_divergence
from dpbounds.sweeps import sweep


def milliseconds(work: Callable[[], Any]) -> float:
    """Processor time, all threads."""
    start = time.process_time()
    work()
    return round(1000 * (time.process_time() - start), 1)


def main() -> None:
    """Print one line of JSON for each curve."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sigma", default="1")
    parser.add_argument("--q", default="0.01")
    parser.add_argument("--steps", type=int, default=1000)
    given = parser.parse_args()
    step = Sampled(Gaussian(given.sigma), PoissonSampling(given.q))
    run = Repeated(step, given.steps)
    row = {"sigma": given.sigma, "q": given.q, "steps": given.steps}
    many = [f"{n / 250:.3f}" for n in range(1, 1001)]
    rare = [f"{10 ** (-n / 100 - 1):.4e}" for n in range(1000)]
    delta_bounds_at(run, ["1"])
    accounting.delta(run, "1")
    curves: dict[str, Callable[[], Any]] = {
        "float64, 1000 epsilons": lambda: delta_bounds_at(run, many),
        "float64, 1000 step counts": lambda: delta_bounds_over_steps(step, "1", range(10, 10_010, 10)),
        "float64, 1000 deltas": lambda: sweep([row | {"delta": delta} for delta in rare], method="auto", digits=5),
        "certified, 100 epsilons, 15 digits": lambda: accounting.delta_at(run, many[::10]),
        "certified, 100 deltas, 15 digits": lambda: accounting.epsilon_at(run, rare[::10]),
        "certified, 100 Rényi orders, 15 digits, one by one": lambda: [renyi_divergence(step, f"{1 + n / 4}") for n in range(1, 101)],
    }
    for name, work in curves.items():
        print(json.dumps({"curve": name, "milliseconds": milliseconds(work)}, ensure_ascii=False))


if __name__ == "__main__":
    main()
