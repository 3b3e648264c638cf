"""More and more digits of one δ, and what each costs: seconds of processor time.

    python -m benchmarks.digits [--limit SECONDS]

σ = 1.5, q = 0.01, 10,000 steps, ε = 1, direction remove. It stops after a question that took longer than the limit.
"""

from __future__ import annotations

import argparse
import json
import time

from dpbounds import accounting
from dpbounds.mechanisms import Gaussian, PoissonSampling, Repeated, Sampled

DIGITS = (8, 15, 30, 50, 100, 200, 500, 1000)


def main() -> None:
    """Print one line of JSON for each number of digits."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--limit", type=float, default=30.0)
    limit = parser.parse_args().limit
    run = Repeated(Sampled(Gaussian("1.5"), PoissonSampling("0.01")), 10_000)
    accounting.delta(run, "2", digits=5)
    for digits in DIGITS:
        start = time.process_time()
        found = accounting.delta(run, "1", digits=digits, direction="remove")
        seconds = time.process_time() - start
        print(json.dumps({"digits": digits, "seconds": round(seconds, 4), "method": found.method}))
        if seconds > limit:
            break


if __name__ == "__main__":
    main()
