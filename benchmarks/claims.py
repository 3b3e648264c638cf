"""Boxes per second and total time of the claim engine against a plain interval loop, on the same claims in one run.

    python -m benchmarks.claims

The plain loop is what one writes in an afternoon: mpmath intervals, natural evaluation, bisection of the longest side. Times are CPU
seconds of this process.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

import sympy
from mpmath import iv
from sympy import Rational, exp, log

from dpbounds import Claim
from dpbounds.claims import Boxes
from dpbounds.claims.boxes.certify import cover
from dpbounds.language.symbols import nonnegative, positive

gamma, epsilon = nonnegative("gamma epsilon")
sigma = positive("sigma")
_MOST_BOXES = 20_000

Sides = tuple[tuple[float, float], ...]


def amplification(slack: Rational) -> tuple[Claim, Sides, Callable[..., Any]]:
    """Sampling at rate γ leaves at most 2γε, for ε ≤ 1; `slack` is added to the bound."""
    then = log(1 + gamma * (exp(epsilon) - 1)) <= 2 * gamma * epsilon + slack
    claim = Claim(id="amplification", text="", given=[gamma <= 1, epsilon <= 1], then=then)
    room = iv.mpf(int(slack.p)) / int(slack.q)
    return claim, ((0.0, 1.0), (0.0, 1.0)), lambda e, g: 2 * g * e + room - iv.log(1 + g * (iv.exp(e) - 1))


def sampled_gaussian(slack: Rational) -> tuple[Claim, Sides, Callable[..., Any]]:
    """The moment of order 2 of the sampled Gaussian is at most e^{2q²/σ²}; `slack` is added to the exponent's bound."""
    then = log(1 + gamma**2 * (exp(1 / sigma**2) - 1)) <= 2 * gamma**2 / sigma**2 + slack
    claim = Claim(id="sampled-gaussian", text="", given=[sigma >= 1, sigma <= 3, gamma <= Rational(1, 2)], then=then)
    room = iv.mpf(int(slack.p)) / int(slack.q)
    return claim, ((0.0, 0.5), (1.0, 3.0)), lambda q, s: 2 * q**2 / s**2 + room - iv.log(1 + q**2 * (iv.exp(1 / s**2) - 1))


def plain_loop(gap: Callable[..., Any], root: Sides, most: int = _MOST_BOXES) -> tuple[bool, int]:
    """(settled, boxes examined) of bisection with natural evaluation."""
    waiting, examined = [root], 0
    while waiting and examined < most:
        box = waiting.pop(0)
        examined += 1
        if gap(*(iv.mpf(side) for side in box)).a >= 0:
            continue
        axis = max(range(len(box)), key=lambda i: (box[i][1] - box[i][0]) / (root[i][1] - root[i][0]))
        low, high = box[axis]
        middle = (low + high) / 2
        waiting += [(*box[:axis], side, *box[axis + 1 :]) for side in ((low, middle), (middle, high))]
    return not waiting, examined


def timed(run: Callable[[], Any]) -> tuple[Any, float]:
    """The result of a call and its CPU seconds."""
    start = time.process_time()
    result = run()
    return result, time.process_time() - start


def rows() -> list[str]:
    """One line for each claim, slack and program."""
    iv.prec = 80
    lines = []
    for name, build in (("amplification", amplification), ("sampled Gaussian", sampled_gaussian)):
        for slack in (Rational(1, 20), Rational(1, 1000), sympy.S.Zero):
            claim, root, gap = build(slack)
            found, seconds = timed(lambda claim=claim: cover(claim, Boxes(budget=_MOST_BOXES)))  # type: ignore[misc]
            boxes = 2 * (found.leaves + found.outside) - 1
            lines.append(_line(name, slack, "dpbounds", found.complete, boxes, seconds))
            (settled, examined), seconds = timed(lambda gap=gap, root=root: plain_loop(gap, root))  # type: ignore[misc]
            lines.append(_line(name, slack, "plain loop", settled, examined, seconds))
    return lines


def _line(name: str, slack: Any, program: str, settled: bool, boxes: int, seconds: float) -> str:
    verdict = "settled" if settled else "gave up"
    speed = boxes / max(seconds, 1e-9)
    return f"{name:18} slack {str(slack):7} {program:11} {verdict:8} {boxes:6} boxes {seconds:8.2f} s {speed:8.0f} boxes/s"


if __name__ == "__main__":
    sys.stdout.write("\n".join(rows()) + "\n")
