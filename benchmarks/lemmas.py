"""Everyday lemmas: which are settled, and how fast, by the descent, by boxes and by a plain interval loop; whether the twin is refuted.

    python -m benchmarks.lemmas [--boxes SECONDS] [ID | LIST ...]

Nine held-out sets (`benchmarks.folklore`, `textbook`, `lectures`, `seminar`, `preprints`, `workshop`, `colloquium`, `symposium`, `survey`)
are put to `settle`, as a user puts a claim, with ten seconds for each statement.

Times are processor seconds of this process. The plain loop is what one writes in an afternoon: natural evaluation in balls and bisection of
the longest side, with infinite ends cut at ±30 (it then shows less than the lemma). Boxes are the engine's own cover.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Sequence

import sympy

from benchmarks import (
    colloquium,
    everyday,
    folklore,
    held_out,
    lectures,
    literature,
    preprints,
    seminar,
    survey,
    symposium,
    textbook,
    workshop,
)
from benchmarks.everyday import Lemma
from dpbounds import Claim, settle
from dpbounds.claims import Boxes
from dpbounds.claims.certify import cover
from dpbounds.claims.descents import certificate_of
from dpbounds.claims.domain import Domain
from dpbounds.claims.inequalities import check_claim
from dpbounds.claims.refute import Refutation
from dpbounds.claims.search import search
from dpbounds.errors import DPBoundsError
from dpbounds.language import enclose, functions
from dpbounds.numbers import balls

_CUT = 30
_SECONDS = 10.0


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.lemmas", description="Which lemmas are settled, and how fast.")
    parser.add_argument("ids", nargs="*", help="lemmas or lists (folklore, seminar, ...) to run (default: all)")
    parser.add_argument("--boxes", type=float, default=0.0, help="seconds for boxes and for the loop (default: neither)")
    options = parser.parse_args(arguments)
    for title, lemmas in (("Everyday lemmas", everyday.LEMMAS), ("Held out", held_out.LEMMAS), ("Literature", literature.LEMMAS)):
        chosen = [lemma for lemma in lemmas if not options.ids or {lemma.true.id, title.split()[0].lower()} & set(options.ids)]
        if chosen:
            table(title, chosen, options.boxes)
    for title, lemmas in (
        ("Folklore", folklore.LEMMAS),
        ("Textbook", textbook.LEMMAS),
        ("Lectures", lectures.LEMMAS),
        ("Seminar", seminar.LEMMAS),
        ("Preprints", preprints.LEMMAS),
        ("Workshop", workshop.LEMMAS),
        ("Colloquium", colloquium.LEMMAS),
        ("Symposium", symposium.LEMMAS),
        ("Survey", survey.LEMMAS),
    ):
        chosen = [lemma for lemma in lemmas if not options.ids or {lemma.true.id, title.split()[0].lower()} & set(options.ids)]
        if chosen:
            verdicts(title, chosen)


def table(title: str, lemmas: Sequence[Lemma], seconds: float) -> None:
    """One list of lemmas."""
    print(f"\n{title}\n{'lemma':34s} {'descent':>8s} {'s':>6s} {'check s':>8s} {'bytes':>6s} {'boxes':>6s} {'loop':>6s}  twin")
    times, refuted, wrong = [], 0, 0
    for lemma in lemmas:
        start = time.process_time()
        found = certificate_of(lemma.true, _SECONDS)
        spent = time.process_time() - start
        checking, size = 0.0, 0
        if found is not None:
            start = time.process_time()
            check_claim(lemma.true, found)
            checking, size = time.process_time() - start, len(json.dumps(found))
            times.append(spent)
        boxes = _word(_by_boxes(lemma.true, seconds)) if seconds else "-"
        loop = _word(_by_loop(lemma.true, seconds)) if seconds else "-"
        start = time.process_time()
        point = search(lemma.twin, deadline=time.monotonic() + 20)
        searching = time.process_time() - start
        settled_twin = not isinstance(point, Refutation) and certificate_of(lemma.twin, 2.0) is not None
        refuted += isinstance(point, Refutation)
        wrong += settled_twin
        twin = f"refuted {searching:.2f}" if isinstance(point, Refutation) else "SETTLED" if settled_twin else f"open {searching:.2f}"
        word = _word(found is not None)
        print(f"{lemma.true.id:34s} {word:>8s} {spent:6.2f} {checking:8.3f} {size:6d} {boxes:>6s} {loop:>6s}  {twin}", flush=True)
    print(
        f"{len(times)} of {len(lemmas)} settled, median {statistics.median(times or [0]):.3f} s, most {max(times or [0]):.2f} s; "
        f"{refuted} of {len(lemmas)} twins refuted, {wrong} settled"
    )


def verdicts(title: str, lemmas: Sequence[Lemma]) -> None:
    """What `settle` says of each lemma and of its twin, in ten seconds each."""
    print(f"\n{title:34s} {'verdict':>10s} {'s':>6s} {'twin':>10s} {'s':>6s}")
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
        refuted += found[1].verdict.holds is False
        wrong += found[0].verdict.holds is False or found[1].verdict.holds is True
        said = "" if found[0].verdict.holds and found[1].verdict.holds is False else f"  {found[0].detail[-100:]}"
        print(row + said.replace("\n", " "), flush=True)
    print(
        f"{len(times)} of {len(lemmas)} settled, median {statistics.median(times or [0]):.3f} s, most {max(times or [0]):.2f} s; "
        f"{refuted} of {len(lemmas)} twins refuted, {wrong} wrong"
    )


def _word(settled: bool) -> str:
    return "yes" if settled else "no"


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
    bounds = Domain.of(claim).bounds()
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
