"""Many rows of DP-SGD: rows a second of one core, float64 and certified, and the peers where they are installed.

    python -m benchmarks.sweep [--rows N] [--certified N] [--peers N] [--seed S]

Rows: σ in 0.6–4, q in 1e-4–0.1, steps in 100–100,000, the last two in equal logarithms; ε at δ = 1e-6, the worse direction. Processor
time of this process, all of its threads. dp_accounting has an upper bound only, from its own discretisation.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from dpbounds.sweeps import sweep

DELTA = "1e-6"


def rows(count: int, seed: int) -> list[dict[str, Any]]:
    """The questions, the same for every seed."""
    draw = random.Random(seed)
    return [
        {
            "sigma": f"{draw.uniform(0.6, 4):.4f}",
            "q": f"{10 ** draw.uniform(-4, -1):.4g}",
            "steps": round(10 ** draw.uniform(2, 5)),
            "delta": DELTA,
        }
        for _ in range(count)
    ]


def measured(name: str, count: int, work: Callable[[], Any]) -> tuple[dict[str, Any], Any]:
    """What it took, and what came out."""
    start = time.process_time()
    found = work()
    seconds = time.process_time() - start
    return {"who": name, "rows": count, "seconds": round(seconds, 2), "rows a second": round(count / seconds, 1)}, found


def contained(left: Any, right: Any) -> int:
    """How many pairs of bounds of the same rows overlap."""
    pairs = [(a, b) for a, b in zip(left.answers, right.answers, strict=False) if not a["error"] and not b["error"]]
    return sum(Fraction(a["lower"]) <= Fraction(b["upper"]) and Fraction(b["lower"]) <= Fraction(a["upper"]) for a, b in pairs) - len(pairs)


def dp_accounting(questions: list[dict[str, Any]]) -> Any:
    """The PLD accountant of Google's library, optimistic side left out."""
    from dp_accounting import dp_event
    from dp_accounting.pld import pld_privacy_accountant

    def one(row: dict[str, Any]) -> float:
        accountant = pld_privacy_accountant.PLDAccountant()
        event = dp_event.PoissonSampledDpEvent(float(row["q"]), dp_event.GaussianDpEvent(float(row["sigma"])))
        accountant.compose(event, row["steps"])
        return float(accountant.get_epsilon(float(DELTA)))

    return [one(row) for row in questions]


def opacus(questions: list[dict[str, Any]]) -> Any:
    """The Rényi accountant of Opacus: an upper bound, and a loose one."""
    from opacus.accountants.analysis import rdp

    orders = [1 + x / 10.0 for x in range(1, 100)] + list(range(12, 64))

    def one(row: dict[str, Any]) -> float:
        values = rdp.compute_rdp(q=float(row["q"]), noise_multiplier=float(row["sigma"]), steps=row["steps"], orders=orders)
        return float(rdp.get_privacy_spent(orders=orders, rdp=values, delta=float(DELTA))[0])

    return [one(row) for row in questions]


def main() -> None:
    """Run and print one line of JSON for each accountant."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=10_000)
    parser.add_argument("--certified", type=int, default=300)
    parser.add_argument("--peers", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    questions = rows(given.rows, given.seed)
    sweep(questions[:64], digits=6)  # imports
    line, fast = measured(
        "dpbounds float64, then certified where it is too wide for 6 digits", given.rows, lambda: sweep(questions, digits=6)
    )
    print(json.dumps(line | {"routes": Counter(answer["route"] for answer in fast.answers)}))
    exact = sweep([])
    if given.certified:
        few = questions[: given.certified]
        line, exact = measured("dpbounds certified, 8 digits", len(few), lambda: sweep(few, method="certified", digits=8))
        print(json.dumps(line | {"pairs of bounds apart": -contained(fast, exact)}))
    for peer in (dp_accounting, opacus):
        few = questions[: given.peers]
        try:
            print(json.dumps(measured(peer.__name__, len(few), lambda peer=peer, few=few: peer(few))[0]))
        except ImportError:
            print(json.dumps({"who": peer.__name__, "error": "not installed"}))


if __name__ == "__main__":
    main()
