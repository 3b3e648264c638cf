"""What large runs cost: processor seconds of certified rows and of boxes, and how they grow: `python -m benchmarks.cost`.

Rows are a spread of the questions of the reference table, at 22 digits. Boxes are those of one cover in two or three variables, whose right
side comes closer and closer to the truth, so that it needs more and more of them. `--workers N` also judges the largest cover with N
processes, and compares the processor time of one process with that of the search and the busiest worker, and the elapsed times, which
say something on an idle machine only. The search waits for no worker while others judge, so its time counts in part.
"""

from __future__ import annotations

import argparse
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

from sympy import Rational

from dpbounds import Boxes, Claim
from dpbounds.claims.boxes.certify import cover
from dpbounds.language.symbols import real
from dpbounds.reference.generate import cells_of, text_of
from dpbounds.reference.grid import questions


def rows_cost(count: int) -> str:
    """Processor seconds of `count` rows, spread over the table."""
    asked = [text_of(question) for question in questions()]
    times = []
    for text in asked[:: max(1, len(asked) // count)][:count]:
        start = time.process_time()
        cells_of(text)
        times.append(time.process_time() - start)
    times.sort()
    mean = sum(times) / len(times)
    share = f"median {times[len(times) // 2]:.3f} s, longest {times[-1]:.2f} s"
    return f"rows: {len(times)}, mean {mean:.3f} s, {share}; a million in {mean * 1e6 / 3600:.0f} processor hours"


def near_claim(parts: int, dimension: int = 2) -> Claim:
    """xr/50 − r² ≤ 1/parts with r = |(x, y, …)|² − 1 on a cube; the left side is at most about 1/9900."""
    points = real("x y z")[:dimension]
    ring = sum(point**2 for point in points) - 1
    cube = tuple(side for point in points for side in (point >= -2, point <= 2))
    gap = points[0] * ring / 50 - ring**2
    return Claim(id=f"near-{parts}", text="", given=cube, then=gap <= Rational(1, parts), by=Boxes(budget=10**6))


def boxes_cost(claim: Claim) -> tuple[int, float, float]:
    """Boxes examined, processor seconds and elapsed seconds of one cover."""
    start, begun = time.process_time(), time.monotonic()
    found = cover(claim, claim.by)
    assert found.complete, found.reason
    return 2 * found.leaves - 1, time.process_time() - start, time.monotonic() - begun


class Counting:
    """An executor that adds up the processor seconds of its workers."""

    def __init__(self, executor: Any) -> None:
        self.executor, self.seconds = executor, {}  # type: ignore[var-annotated]

    def submit(self, work: Any, /, *words: Any) -> Any:
        """Hand a job on and note what it took."""
        job = self.executor.submit(work, *words)
        job.add_done_callback(self._note)
        return job

    def _note(self, job: Any) -> None:
        found = job.result()
        self.seconds[found.process] = self.seconds.get(found.process, 0.0) + found.seconds


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=40)
    parser.add_argument("--parts", type=int, nargs="+", default=[1000, 4000, 8000])
    parser.add_argument("--variables", type=int, choices=(2, 3), default=2)
    parser.add_argument("--workers", type=int, default=0)
    options = parser.parse_args()
    if options.rows:
        print(rows_cost(options.rows), flush=True)
    for parts in options.parts:
        boxes, seconds, elapsed = boxes_cost(near_claim(parts, options.variables))
        print(f"boxes: {boxes}, {seconds:.1f} s, {1000 * seconds / boxes:.2f} ms each", flush=True)
    if options.workers:
        with ProcessPoolExecutor(options.workers, mp_context=get_context("spawn")) as pool:
            pool.submit(time.monotonic).result()  # the first job starts the workers
            counting, start, begun = Counting(pool), time.process_time(), time.monotonic()
            cover(near_claim(parts, options.variables), Boxes(budget=10**6), executor=counting)
            own, together = time.process_time() - start, time.monotonic() - begun
        busier = max(counting.seconds.values())
        print(
            f"{options.workers} workers: {busier:.1f} s for the busiest, {own:.1f} s for the search; ratio {seconds / (own + busier):.2f}; "
            f"elapsed {elapsed:.1f} s and {together:.1f} s, ratio {elapsed / together:.2f}"
        )


if __name__ == "__main__":
    main()
