"""Which lemmas are settled and how fast, and whether each false twin is refuted.

    python -m benchmarks.lemmas [--boxes SECONDS] [ID | LIST ...]

Each statement is put to `settle`, as a user puts a claim, with ten seconds. Times are processor seconds of this process.

With --boxes two other ways are tried beside it: the engine's own cover of boxes, and the plain loop that one writes in an afternoon,
natural evaluation in balls and bisection of the longest side, with infinite ends cut at ±30 (it then shows less than the lemma).
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Sequence

import sympy

from benchmarks.lemmas import FRESH, LISTS, OPEN, lemmas_of
from benchmarks.lemmas.lemma import Lemma
from dpbounds import Claim, settle
from dpbounds.claims import Boxes
from dpbounds.claims.boxes.certify import cover
from dpbounds.claims.domain import Domain
from dpbounds.errors import DPBoundsError
from dpbounds.language import enclose, functions
from dpbounds.numbers import balls

_CUT = 30
_SECONDS = 10.0


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.lemmas", description="Which lemmas are settled, and how fast.")
    parser.add_argument("ids", nargs="*", help=f"lemmas or lists to run (default: {', '.join(LISTS)}; also {', '.join(FRESH)})")
    parser.add_argument("--boxes", type=float, default=0.0, help="seconds for boxes and for the loop (default: neither)")
    options = parser.parse_args(arguments)
    for name in (*LISTS, *(name for name in FRESH if name in options.ids)):
        chosen = [lemma for lemma in lemmas_of(name) if not options.ids or {lemma.true.id, name} & set(options.ids)]
        if chosen:
            table(name, chosen, options.boxes)


def table(name: str, lemmas: Sequence[Lemma], seconds: float) -> None:
    """One list: what is said of each lemma and of its twin."""
    print(f"\n{name:34s} {'verdict':>10s} {'s':>6s} {'twin':>10s} {'s':>6s}" + (f" {'boxes':>6s} {'loop':>6s}" if seconds else ""))
    times, refuted, wrong = [], 0, 0
    for lemma in lemmas:
        row, found = f"{lemma.true.id:34s}", []
        for claim in (lemma.true, lemma.twin):
            start = time.process_time()
            found.append(settle(claim, budget=_SECONDS, contained=True))
            spent = time.process_time() - start
            row += f" {found[-1].verdict.name:>10s} {spent:6.2f}"
            if claim is lemma.true and found[-1].verdict.holds:
                times.append(spent)
        if seconds:
            row += "".join(f" {'yes' if settles(lemma.true, seconds) else 'no':>6s}" for settles in (_by_boxes, _by_loop))
        refuted += found[1].verdict.holds is False
        wrong += found[0].verdict.holds is False or found[1].verdict.holds is True
        expected = "" if found[0].verdict.holds or lemma.true.id in OPEN or name in FRESH else "  NOT AS EXPECTED"
        said = "" if found[0].verdict.holds and found[1].verdict.holds is False else f"  {found[0].detail[-100:]}"
        print(row + expected + said.replace("\n", " "), flush=True)
    print(
        f"{len(times)} of {len(lemmas)} settled, median {statistics.median(times or [0]):.3f} s, most {max(times or [0]):.2f} s; "
        f"{refuted} of {len(lemmas)} twins refuted, {wrong} wrong"
    )


def _by_boxes(claim: Claim, seconds: float) -> bool:
    """Whether the engine's own cover settles the claim."""
    try:
        found = cover(claim, Boxes(budget=3000), deadline=time.monotonic() + seconds)
    except DPBoundsError:
        return False
    return bool(found.complete and found.leaves)


def _by_loop(claim: Claim, seconds: float) -> bool:
    """Whether bisection with natural evaluation settles it."""
    relation = claim.then
    if not isinstance(relation, (sympy.Le, sympy.Lt, sympy.Ge, sympy.Gt)):
        return False
    large, small = (relation.rhs, relation.lhs) if isinstance(relation, (sympy.Le, sympy.Lt)) else (relation.lhs, relation.rhs)
    variables = claim.variables
    bounds = Domain.of_claim(claim).bounds()
    root = tuple((float(low) if low is not None else -_CUT, float(high) if high is not None else _CUT) for low, high in bounds.values())
    deadline = time.process_time() + seconds
    try:
        gap = enclose.compile_expression(functions.expand_quantities(large) - functions.expand_quantities(small), variables)
    except DPBoundsError:
        return False
    waiting = [root]
    with balls.precision(80):
        while waiting:
            if time.process_time() > deadline:
                return False
            box = waiting.pop()
            value = gap([balls.Ball((low + high) / 2, (high - low) / 2) for low, high in box])
            if value >= 0:
                continue
            axis = max(range(len(box)), key=lambda i: (box[i][1] - box[i][0]) / (root[i][1] - root[i][0]))
            low, high = box[axis]
            if high - low < 1e-9:
                return False
            middle = (low + high) / 2
            waiting += [(*box[:axis], side, *box[axis + 1 :]) for side in ((low, middle), (middle, high))]
    return True


if __name__ == "__main__":
    main()
