"""Settle one claim: run the decider that the claim names, or all of them, and its mutant.

A verdict comes from a decider alone. A claim whose domain shows no point is not settled in its favour: it may say nothing.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from typing import Any

import sympy
from sympy.core.function import AppliedUndef

from dpbounds.claims import certificate
from dpbounds.claims.certify import Cover, cover
from dpbounds.claims.claim import Claim
from dpbounds.claims.descents import certificate_of
from dpbounds.claims.domain import Domain
from dpbounds.claims.evidence import Boxes, Counterexample, OrderRange, Proof, Search, symbols_of
from dpbounds.claims.hints import HintedCover, cover_by_hints
from dpbounds.claims.journal import Journal
from dpbounds.claims.order_range import cover_range
from dpbounds.claims.prove import Proved, prove
from dpbounds.claims.refute import Refutation, refute_at
from dpbounds.claims.search import find_point, search
from dpbounds.claims.verdict import Grade, Verdict
from dpbounds.descent.solve import steps_of
from dpbounds.errors import ClaimError, EmptyDomainError, LanguageError
from dpbounds.quantifiers import ForAll
from dpbounds.substitution import substituted

Progress = Callable[[int, int], None]
_DESCENT = 5.0
"""Processor seconds for the descent: the lemmas that it settles take 0.02 s in the median, and 2 s at most."""
_BOXES_TO_INFINITY = 10_000
"""Without instructions: a cover of an unbounded domain succeeds soon or not at all."""


@dataclass(frozen=True)
class Outcome:
    """What became of a claim.

    Attributes:
        id: the claim.
        verdict: what the deciders established.
        grade: how strong the evidence is, by itself.
        method: which decider, in a word.
        detail: one line: the counterexample, the margin, or what is left.
        left: more lines for UNDECIDED: boxes, margin, suspects.
        seconds: time taken.
        assumed: citations that a proof rests on.
        certificate: the JSON document, None for UNDECIDED.
        mutant: outcome of the false twin, None without one.
    """

    id: str
    verdict: Verdict
    grade: Grade
    method: str
    detail: str
    left: tuple[str, ...] = ()
    seconds: float = 0.0
    assumed: tuple[str, ...] = ()
    certificate: dict[str, Any] | None = field(default=None, repr=False)
    mutant: Outcome | None = None


def settle(
    claim: Claim,
    *,
    budget: float | None = 60.0,
    progress: Progress | None = None,
    executor: Executor | None = None,
    journal: Journal | None = None,
) -> Outcome:
    """Decide a claim and its mutant.

    Args:
        claim: the claim.
        budget: seconds; a `Boxes(budget=…)` of the claim's own counts boxes instead, so that the verdict does not depend on speed.
        progress: called with (boxes examined, boxes waiting) during long covers.
        executor: any executor of `concurrent.futures`, or another with its interface: it is handed the boxes of long covers. Verdict and
            certificate are the same without it; processes make it faster, threads do not.
        journal: keeps the splits of a long cover, for a run that is interrupted.

    Raises:
        EmptyDomainError: the premises contradict each other.
        LanguageError: a statement outside the claim language.
    """
    start = time.monotonic()
    deadline = None if budget is None else start + budget
    outcome = _decide(claim, deadline, _Means(progress, executor, journal))
    if claim.mutant is not None:
        outcome = replace(outcome, mutant=settle(claim.twin(claim.mutant), budget=budget, executor=executor))
    return replace(outcome, seconds=time.monotonic() - start)


@dataclass(frozen=True)
class _Means:
    """Whom to tell, who helps, and where it is written down."""

    progress: Progress | None = None
    executor: Executor | None = None
    journal: Journal | None = None


def _decide(claim: Claim, deadline: float | None, means: _Means) -> Outcome:
    plan = claim.by
    if claim.then in (sympy.true, sympy.false):
        # sympy compares numbers in floating point and cancels what may be undefined: what it leaves is no statement to decide.
        value = str(claim.then).lower()
        return _undecided(claim, "evaluation", f"sympy evaluates the statement to {value} when it is written; write it with evaluate=False")
    if isinstance(plan, Counterexample):
        return _from_refutation(claim, refute_at(claim, plan.point))
    if isinstance(plan, Search):
        return _from_refutation(claim, search(claim, plan))
    _refuse_empty(claim)
    if isinstance(plan, Proof):
        return _guarded(claim, _from_proof(claim, prove(claim, plan)))
    if isinstance(plan, Boxes):
        return _guarded(claim, _from_cover(claim, plan, None, means))
    if isinstance(plan, OrderRange):
        return _guarded(claim, _from_range(claim, plan, means))
    return _guarded(claim, _by_all_means(claim, deadline, means))


def _by_all_means(claim: Claim, deadline: float | None, means: _Means) -> Outcome:
    """Without instructions: search briefly, descend, cover, search long."""
    quick = search(claim, Search(tries=600), deadline=_part(deadline, 0.25))
    if isinstance(quick, Refutation):
        return _from_refutation(claim, quick)
    descent = _from_descent(claim, deadline)
    if descent is not None:
        return descent
    try:
        outcome = _from_cover(claim, Boxes(budget=_BOXES_TO_INFINITY) if _is_unbounded(claim) else Boxes(), deadline, means)
    except LanguageError as error:
        outcome = _undecided(claim, "boxes", str(error))
    if outcome.verdict is not Verdict.UNDECIDED:
        return outcome
    late = deadline is not None and time.monotonic() > deadline
    longer = quick if late else search(claim, Search(tries=4000, seed=1), deadline=deadline)
    if isinstance(longer, Refutation):
        return _from_refutation(claim, longer)
    return replace(outcome, left=(*outcome.left, longer))


def _from_descent(claim: Claim, deadline: float | None) -> Outcome | None:
    """By a descent of derivatives, within seconds: what it settles it settles soon."""
    left = _DESCENT if deadline is None else min(_DESCENT, 0.4 * (deadline - time.monotonic()))
    found = certificate_of(claim, left) if left > 0 else None
    if found is None:
        return None
    parts = found["problems"]
    many = f"{len(parts)} inequalities" if len(parts) > 1 else "one inequality"
    detail = f"{many} by a descent of derivatives, accepted by its checker ({steps_of(found)} steps)"
    return Outcome(claim.id, Verdict.CERTIFIED, Grade.CERTIFIED, "descent", detail, certificate=certificate.of_descent(claim, found))


def _is_unbounded(claim: Claim) -> bool:
    return any(None in ends for ends in Domain.of(claim).bounds().values())


def _part(deadline: float | None, share: float) -> float | None:
    return None if deadline is None else time.monotonic() + share * max(0.0, deadline - time.monotonic())


def _refuse_empty(claim: Claim) -> None:
    """Raise when the premises surely contradict each other."""
    bounds = Domain.of(claim).bounds()
    for variable, (low, high) in bounds.items():
        if low is not None and high is not None and low > high:
            raise EmptyDomainError(f"claim {claim.id}: the domain is empty, {variable} would lie between {low} and {high}")
    if claim.families:
        return
    probe = replace(claim, then=sympy.false, mutant=None, by=None, witness={})
    if claim.example is None and find_point(claim) is None:
        try:
            attempt = cover(replace(probe, then=sympy.Lt(sympy.S.Zero, -1, evaluate=False)), Boxes(budget=2000))
        except LanguageError:  # a premise that boxes do not understand shows nothing
            return
        if attempt.complete and attempt.leaves == 0:
            raise EmptyDomainError(f"claim {claim.id}: the domain is empty (every box of it violates a premise)")


def _guarded(claim: Claim, outcome: Outcome) -> Outcome:
    """A claim without a known point of its domain is not settled in its favour."""
    if outcome.verdict.holds is not True:
        return outcome
    if claim.example is None and outcome.verdict is Verdict.PROVED and _beyond_points(claim):
        # The other premises still need a point: they may contradict each other.
        numbers = tuple(premise for premise in claim.given if not _has_objects(premise))
        finite = replace(claim, given=numbers, then=sympy.Lt(sympy.S.Zero, 1, evaluate=False), by=None, mutant=None, witness={})
        if find_point(finite) is None:
            return _undecided(claim, outcome.method, "no point satisfies the premises about numbers, so the claim may say nothing")
        return replace(outcome, detail=f"{outcome.detail}; a point was tried for its premises about numbers only")
    if claim.example is not None:
        membership = Domain.of(claim).contains(symbols_of(claim.example))
        inside = membership is True
        if membership is False:
            raise ClaimError(f"claim {claim.id}: its example does not lie in its domain")
    else:
        inside = find_point(claim) is not None
    if inside:
        return outcome
    return _undecided(
        claim, outcome.method, "no point of the domain was found, so the claim may say nothing: give example={symbol: value, …}"
    )


def _beyond_points(claim: Claim) -> bool:
    """Premises about functions, kernels or infinitely many integers: a theorem about them has no example among finite points."""
    return any(map(_has_objects, (claim.then, *claim.given)))


def _has_objects(part: Any) -> bool:
    kernels = any(len(entry.indices) > 1 for entry in part.atoms(sympy.Indexed))
    return bool(part.atoms(AppliedUndef)) or kernels or any(premise.variable.is_integer for premise in part.atoms(ForAll))


def _from_refutation(claim: Claim, found: Refutation | str) -> Outcome:
    if isinstance(found, str):
        return _undecided(claim, "refute", found)
    lines = "; ".join(found.sides)
    where = f"counterexample {found.as_text()}" if found.point else "false as it stands"
    detail = where + (f": {lines}" if lines else "")
    return Outcome(
        claim.id, Verdict.REFUTED, Grade.EXACT_COUNTEREXAMPLE, "counterexample", detail, certificate=certificate.of_refutation(claim, found)
    )


def _from_proof(claim: Claim, found: Proved | str) -> Outcome:
    if isinstance(found, str):
        return _undecided(claim, "derivation", found)
    steps = len(found.derivation.steps)
    cited = tuple(str(item.citation) for item in found.assumed)
    detail = f"{found.derivation.name}: {steps} steps" + (f", modulo [{'; '.join(cited)}]" if cited else "")
    grade = Grade.PROVED_MODULO if cited else Grade.PROVED
    return Outcome(claim.id, Verdict.PROVED, grade, "derivation", detail, assumed=cited, certificate=certificate.of_proof(claim, found))


def _from_cover(claim: Claim, plan: Boxes, deadline: float | None, means: _Means) -> Outcome:
    if not plan.hints:
        return _from_boxes(claim, plan, deadline, means)
    hinted = cover_by_hints(claim, plan, deadline=deadline, progress=means.progress, executor=means.executor)
    if isinstance(hinted, HintedCover):
        certified = certificate.of_hinted(claim, hinted, plan.bits)
        detail = "; ".join([_hinted_line(hinted), *(f"refused: {reason}" for reason in hinted.refused)])
        return Outcome(claim.id, Verdict.CERTIFIED, Grade.CERTIFIED, "boxes with hints", detail, certificate=certified)
    # A declaration that was refused changes nothing.
    outcome = _from_boxes(claim, replace(plan, hints=()), deadline, means)
    refused = [f"refused: {reason}" for reason in hinted]
    if outcome.verdict is Verdict.UNDECIDED:
        return replace(outcome, left=(*outcome.left, *refused))
    return replace(outcome, detail="; ".join([outcome.detail, *refused]))


def _hinted_line(found: HintedCover) -> str:
    ends = " and ".join(f"{found.hint.variable} = {at}" for at, _ in found.faces)
    boxes = sum(face.leaves for face in found.covers)
    inner = "".join(f"; {_hinted_line(face)}" for _, face in found.faces if isinstance(face, HintedCover))
    return f"{found.hint} ({found.slope.leaves} boxes), at {ends} {boxes} boxes{inner}"


def _from_boxes(claim: Claim, plan: Boxes, deadline: float | None, means: _Means) -> Outcome:
    found = cover(claim, plan, deadline=deadline, progress=means.progress, executor=means.executor, journal=means.journal)
    if found.complete and found.leaves:
        methods = ", ".join(f"{count} {name}" for name, count in sorted(found.methods.items()))
        margin = f", margin {found.margin}" if found.margin else ""
        detail = f"{found.leaves} boxes ({methods}), {found.outside} outside{margin}"
        return Outcome(
            claim.id, Verdict.CERTIFIED, Grade.CERTIFIED, "boxes", detail, certificate=certificate.of_cover(claim, found, plan.bits)
        )
    for suspect in found.suspects:
        point = {**suspect, **{s: substituted(value, suspect) for s, value in found.substitution.items()}}
        refuted = refute_at(claim, point)
        if isinstance(refuted, Refutation):
            better = search(claim, Search(tries=600))
            return _from_refutation(claim, better if isinstance(better, Refutation) else refuted)
    return replace(_undecided(claim, "boxes", found.reason or "no box of the domain was settled"), left=tuple(_leftover_lines(found)))


def _from_range(claim: Claim, plan: OrderRange, means: _Means) -> Outcome:
    found = cover_range(claim, plan, progress=means.progress, executor=means.executor, journal=means.journal)
    if not found.complete:
        shown = [
            f"  1/sigma in [{float(s[0]):.6g}, {float(s[1]):.6g}], 1/log(1/(q sigma)) in [{float(y[0]):.6g}, {float(y[1]):.6g}]"
            for s, y in found.left[:3]
        ]
        return replace(_undecided(claim, "order range", found.reason), left=tuple(shown))
    methods = ", ".join(f"{count} {name}" for name, count in sorted(found.methods.items()))
    detail = f"{sum(found.methods.values())} boxes ({methods})"
    return Outcome(
        claim.id, Verdict.CERTIFIED, Grade.CERTIFIED, "order range", detail, certificate=certificate.of_range(claim, found, plan.bits)
    )


def _leftover_lines(found: Cover) -> list[str]:
    if not found.variables or not found.leftovers:
        return []
    lines = [f"{found.leaves} boxes settled, {len(found.leftovers)} left; the hardest:"]
    for box in sorted(found.leftovers, key=lambda b: [high - low for low, high in b])[:3]:
        lines.append(
            "  " + ", ".join(f"{v} in [{float(low):.6g}, {float(high):.6g}]" for v, (low, high) in zip(found.variables, box, strict=True))
        )
    return lines


def _undecided(claim: Claim, method: str, reason: str) -> Outcome:
    return Outcome(claim.id, Verdict.UNDECIDED, Grade.UNDECIDED, method, reason)
