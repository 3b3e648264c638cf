"""Certify D_α ≤ κ·αq²/σ² for the sampled Gaussian on a range of orders that grows with σ, for σ and 1/q without bound.

The statement is read as a `renyi.order_range.Range`. Its domain is covered by boxes of (1/σ, 1/L), L = log(1/(qσ)): in these variables
it is compact. Each box is settled by `renyi.order_range.method_for`, and the search tree is the certificate.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from dataclasses import dataclass, field

from dpbounds.claims import clock
from dpbounds.claims.boxes.journal import CoverJournal
from dpbounds.claims.boxes.judge import ONE_AT_A_TIME, abandon
from dpbounds.claims.boxes.tree import Node, due, preorder, resumed
from dpbounds.claims.claim import Claim
from dpbounds.claims.domain import Domain
from dpbounds.claims.plans import OrderRange
from dpbounds.claims.statement.orders import bound_on_orders
from dpbounds.errors import LanguageError
from dpbounds.numbers import balls
from dpbounds.renyi.order_range import Range, Side, method_for

TOKENS = {"integral": "i", "corner": "c"}
_CHUNK = 16
_SIGMA_WEIGHT = 5.0
"""How much more a step in log σ costs than one in L: only the shape of the boxes depends on it."""

Box = tuple[Side, Side]


@dataclass
class RangeCover:
    """The result: a tree in preorder, where 0 and 1 split a side and i, c are leaves settled by integral or corner."""

    wanted: Range
    root: Box
    complete: bool = False
    tree: str = ""
    methods: dict[str, int] = field(default_factory=dict)
    left: list[Box] = field(default_factory=list)
    reason: str = ""


def range_of(claim: Claim) -> Range:
    """A claim as a bound on a range of orders, in the form that `bound_on_orders` reads.

    Raises:
        LanguageError: another form.
    """
    try:
        return Range(**bound_on_orders(claim.then, Domain.of_claim(claim).constraints))
    except ValueError as error:
        raise LanguageError(str(error)) from error


def cover_range(
    claim: Claim,
    plan: OrderRange | None = None,
    *,
    deadline: float | None = None,
    progress: Callable[[int, int], None] | None = None,
    executor: Executor | None = None,
    journal: CoverJournal | None = None,
) -> RangeCover:
    """Cover the claim's domain.

    Args:
        claim: the claim, in the form that `range_of` reads.
        plan: budget and precision.
        deadline: `clock.now()` at which to give up.
        progress: called with (boxes examined, boxes waiting).
        executor: judges chunks of boxes; the cover is the same without it.
        journal: where the splits are written down, and read of a search that was interrupted.

    Raises:
        LanguageError: the claim has another form.
    """
    plan = plan or OrderRange()
    wanted = range_of(claim)
    result = RangeCover(wanted, wanted.root)
    top, later = resumed(journal.tree if journal is not None else "", result.root, halves)
    level, later = due([], later)
    examined = sum(map(str.isdigit, preorder(top)))
    with balls.precision(plan.bits):
        while level:
            following: list[Node] = []
            before = examined
            for node, method in _judged(level[: max(1, plan.budget - examined + 1)], wanted, plan.bits, executor):
                if examined >= plan.budget or (deadline is not None and clock.now() > deadline):
                    result.reason = (
                        f"{examined} boxes were examined, {len(level) - (examined - before) + len(following) + len(later)} are left"
                    )
                    break
                examined += 1
                if progress is not None and examined % 64 == 0:
                    progress(examined, len(level) - (examined - before) + len(following) + len(later))
                if method is not None:
                    node.token = TOKENS[method]
                    result.methods[method] = result.methods.get(method, 0) + 1
                    continue
                axis = _axis(node.box, top.box)
                first, second = halves(node.box, axis)
                node.token, node.children = str(axis), (Node(first, node.depth + 1), Node(second, node.depth + 1))
                following += node.children
            if result.reason:
                later = [*level[examined - before :], *following, *later]
                break
            level, later = due(following, later)
            if journal is not None:
                journal.record(preorder(top))
    result.left = [node.box for node in later]
    result.complete = not later
    result.tree = preorder(top) if result.complete else ""
    return result


def _judged(nodes: list[Node], wanted: Range, bits: int, executor: Executor | None) -> Iterator[tuple[Node, str | None]]:
    """Every node with the method that settles it, in order."""
    if executor is None or len(nodes) <= _CHUNK:
        for node in nodes:
            yield node, method_for(wanted, node.box)
        return
    chunks = [nodes[start : start + _CHUNK] for start in range(0, len(nodes), _CHUNK)]
    jobs = [executor.submit(_methods, wanted, bits, [node.box for node in chunk]) for chunk in chunks]
    try:
        for chunk, job in zip(chunks, jobs, strict=True):
            yield from zip(chunk, job.result(), strict=True)
    finally:
        abandon(jobs)


def _methods(wanted: Range, bits: int, boxes: list[Box]) -> list[str | None]:
    """Judge a chunk of boxes in a worker."""
    with ONE_AT_A_TIME, balls.precision(bits):
        return [method_for(wanted, box) for box in boxes]


def halves(box: Box, axis: int) -> tuple[Box, Box]:
    """Bisect a side. Replay uses the same rule."""
    low, high = box[axis]
    middle = (low + high) / 2
    if axis == 0:
        return ((low, middle), box[1]), ((middle, high), box[1])
    return (box[0], (low, middle)), (box[0], (middle, high))


def _axis(box: Box, root: Box) -> int:
    (s_low, s_high), (y_low, y_high) = box
    if s_low > 0 and y_low > 0:
        return 0 if _SIGMA_WEIGHT * math.log(s_high / s_low) >= float(1 / y_low - 1 / y_high) else 1
    relative = [(high - low) / (last - first) for (low, high), (first, last) in zip(box, root, strict=True)]
    return relative.index(max(relative))
