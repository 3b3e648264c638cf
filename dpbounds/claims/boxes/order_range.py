"""Certify D_α ≤ κ·αq²/σ² for the sampled Gaussian on a range of orders that grows with σ, for σ and 1/q without bound.

The statement is read as a `renyi.order_range.Range`. Its domain is covered by boxes of (1/σ, 1/L), L = log(1/(qσ)): in these variables
it is compact. Each box is settled by `renyi.order_range.method_for`, and the search tree is the certificate.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import sympy
from sympy.logic.boolalg import Boolean

from dpbounds.claims import clock
from dpbounds.claims.boxes.journal import CoverJournal
from dpbounds.claims.boxes.judge import ONE_AT_A_TIME, abandon
from dpbounds.claims.boxes.tree import Node, due, preorder, resumed
from dpbounds.claims.claim import Claim
from dpbounds.claims.domain import Domain
from dpbounds.claims.plans import OrderRange
from dpbounds.errors import LanguageError
from dpbounds.language.functions import SampledGaussianRenyi
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
    """Read a claim as a bound on a range of orders.

    The statement must be `SampledGaussianRenyi(α, σ, q, direction) <= κ·α·q²/σ²` in positive symbols α, σ and q, and the premises must
    contain `σ >= σ₀`, `q <= 1/(m·σ)`, `α > 1` and `α <= σ²·log(1/(qσ)) + c`. Further premises only make the domain smaller.

    Raises:
        LanguageError: another form.
    """
    small, large = _sides(claim.then) if isinstance(claim.then, (sympy.Le, sympy.Ge)) else (None, None)
    if not isinstance(small, SampledGaussianRenyi) or not all(isinstance(a, sympy.Symbol) and a.is_positive for a in small.args[:3]):
        raise LanguageError("a range of orders needs SampledGaussianRenyi(alpha, sigma, q) of three positive symbols on the small side")
    alpha, sigma, q = small.args[:3]
    constraints = Domain.of_claim(claim).constraints
    if sympy.Gt(alpha, 1) not in constraints and sympy.Lt(1, alpha) not in constraints:
        raise LanguageError(f"a range of orders needs the premise {alpha} > 1")
    uppers = {symbol: [high for low, high in _orders(constraints) if low == symbol] for symbol in (alpha, q)}
    floor = _first("sigma >= a number", (low for low, high in _orders(constraints) if high == sigma))
    inverse = _first("q <= 1/(m sigma)", (1 / (high * sigma) for high in uppers[q]))
    logs = sigma**2 * sympy.log(1 / (q * sigma))
    slack = _first("alpha <= sigma^2 log(1/(q sigma)) + c", (high - logs for high in uppers[alpha]))
    bound = _first("a bound kappa alpha q^2/sigma^2", [large * sigma**2 / (alpha * q**2)])
    try:
        return Range(bound, floor, inverse, slack, add=str(small.direction) == "add")
    except ValueError as error:
        raise LanguageError(str(error)) from error


def _sides(relation: Any) -> tuple[Any, Any]:
    if isinstance(relation, (sympy.Le, sympy.Lt)):
        return relation.lhs, relation.rhs
    if isinstance(relation, (sympy.Ge, sympy.Gt)):
        return relation.rhs, relation.lhs
    return None, None


def _orders(constraints: Iterable[Boolean]) -> list[tuple[Any, Any]]:
    return [_sides(c) for c in constraints if isinstance(c, (sympy.Le, sympy.Lt, sympy.Ge, sympy.Gt))]


def _first(what: str, candidates: Iterable[Any]) -> Fraction:
    """The first candidate that is a rational number once simplified."""
    for candidate in candidates:
        value = sympy.expand(sympy.expand_log(sympy.sympify(candidate)))
        if not value.is_Rational:
            value = sympy.cancel(value) if not value.has(sympy.log) else value
        if value.is_Rational and value != 0 or value == 0 and what.startswith("alpha"):
            return Fraction(int(value.p), int(value.q))
    raise LanguageError(f"a range of orders needs {what}")


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
