"""Settle one claim: run the decider that the claim names, or all of them, and its mutant.

A verdict comes from a decider alone. A claim whose domain shows no point is not settled in its favour: it may say nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import sympy
from sympy import Symbol
from sympy.core.function import AppliedUndef
from sympy.core.relational import Relational

from dpbounds.claims import clock
from dpbounds.claims.boxes import advice
from dpbounds.claims.boxes.certify import cover
from dpbounds.claims.boxes.journal import CoverJournal
from dpbounds.claims.boxes.order_range import cover_range
from dpbounds.claims.claim import Claim
from dpbounds.claims.counterexamples.refute import Refutation, refute_at
from dpbounds.claims.counterexamples.search import find_point, search
from dpbounds.claims.covers.cover_export import NotConfirmed
from dpbounds.claims.domain import Domain
from dpbounds.claims.evidence import certificate, descents, sealing
from dpbounds.claims.evidence.compiled import Documents, compiled
from dpbounds.claims.evidence.prove import Proved, prove
from dpbounds.claims.evidence.ways import Compiled
from dpbounds.claims.outcome import Outcome
from dpbounds.claims.plans import Boxes, Counterexample, OrderRange, Proof, Search, symbols_of
from dpbounds.claims.signs import with_signs
from dpbounds.claims.statement import failures
from dpbounds.claims.support import Evidence
from dpbounds.claims.verdict import Verdict
from dpbounds.errors import CertificateError, ClaimError, EmptyDomainError, ForeignError, LanguageError
from dpbounds.kernel.terms import Refused
from dpbounds.language import enclose
from dpbounds.language.definedness import conditions_of_quantities
from dpbounds.language.functions import Extremum, SampledGaussianMoment, SampledGaussianRenyi
from dpbounds.language.quantifiers import ForAll
from dpbounds.language.substitution import substituted

Progress = Callable[[int, int], None]
_PATIENCE, _GRACE = 1.3, 0.5
"""A step that asks no clock is interrupted after so many budgets and seconds: what stops by itself says what is left."""
_DESCENT, _LONG_DESCENT = 5.0, 40.0
"""Processor seconds that a search for a descent plans with, at first and after boxes have failed.

It looks at each way for a share of them. So a search that plans with many seconds and is stopped early looks longer at the first ways,
and finds what no share of a few seconds suffices for.
"""
_GLANCE = 0.3
"""Processor seconds for the first points: where each takes long, a descent comes before the others."""
_FIRST_SHARE, _FIRST_BOXES, _LONG_SHARE = 0.45, 0.05, 0.4
"""The shares of what is left of a budget: for a first search for a descent, for boxes, for a long search. Boxes get the rest."""
_SAMPLED_SHARE = 0.7
"""The share for a first search where a moment of the sampled Gaussian is asked for: little else settles such a claim."""
_FAMILY_POINTS = 0.25
"""The share of what is left of a budget for points of a claim about families."""
_DOCUMENT = 6.0
"""Processor seconds for a document that no descent of the claim itself is behind: most are written in less than one."""
_LONG_DOCUMENT = 0.85
"""The share of what is left of a budget for a second, longer search for one, where there are ways that were not tried yet."""
_BOXES_TO_INFINITY = 10_000
"""Without instructions: a cover of an unbounded domain succeeds soon or not at all."""


def settle(
    claim: Claim,
    *,
    budget: float | None = 60.0,
    progress: Progress | None = None,
    executor: Executor | None = None,
    journal: CoverJournal | None = None,
    contained: bool = False,
) -> Outcome:
    """Decide a claim and its mutant.

    Args:
        claim: the claim.
        budget: seconds of processor time for a claim without instructions, and as many for its mutant; a claim with `by=` has a budget
            of its own, which counts boxes or points, so that the verdict does not depend on speed.
        progress: called with (boxes examined, boxes waiting) during long covers.
        executor: any executor of `concurrent.futures`, or another with its interface: it is handed the boxes of long covers. Verdict and
            certificate are the same without it; processes make it faster, threads do not.
        journal: keeps the splits of a long cover, for a run that is interrupted.
        contained: whatever goes wrong is the UNDECIDED of this claim, not an exception.

    Raises:
        EmptyDomainError: the premises contradict each other.
        LanguageError: a statement outside the claim language.
    """
    start = clock.now()
    outcome = _in_time(claim, budget, _Means(progress, executor, journal), contained)
    if claim.mutant is not None:
        twin = claim.twin(claim.mutant)
        outcome = replace(outcome, mutant=settle(twin, budget=budget, progress=progress, executor=executor, contained=contained))
    return replace(outcome, seconds=clock.now() - start)


def _in_time(claim: Claim, budget: float | None, means: _Means, contained: bool) -> Outcome:
    """Decide a claim; a single step that does not end is interrupted, an error is the claim's where it is contained."""
    began = clock.now()
    deadline = None if budget is None else began + budget
    # Loops stop at the deadline and say what is left; what does not stop by itself is interrupted later.
    last = None if budget is None or claim.by is not None else began + _PATIENCE * budget + _GRACE
    try:
        outcome = clock.within(last, lambda: _decide(claim, deadline, means))
    except clock.TimeIsUp:
        outcome = _undecided(claim, "budget", f"time is up: one step of the decision did not end within {budget:g} s of processor time")
    except BrokenExecutor:
        raise  # not the claim's doing, as far as anybody knows here
    except Exception as error:
        if (stop := clock.cause_in(error, KeyboardInterrupt)) is not None:
            raise type(stop) from error  # a new one: the old one may be a cause of this error, and a circle of causes has no end
        if not contained:
            raise
        reason = failures.reason_of(error, claim.id)
        outcome = replace(_undecided(claim, "error", reason), bad_input=failures.is_bad_input(error))
    if outcome.verdict is Verdict.REFUTED and claim.by is None:
        return replace(outcome, next_step=advice.forgotten(claim))
    return advice.advised(claim, outcome) if outcome.verdict is Verdict.UNDECIDED and not outcome.bad_input else outcome


@dataclass(frozen=True)
class _Means:
    """Whom to tell, who helps, and where it is written down."""

    progress: Progress | None = None
    executor: Executor | None = None
    journal: CoverJournal | None = None


def _decide(claim: Claim, deadline: float | None, means: _Means) -> Outcome:
    plan = claim.by
    if claim.then in (sympy.true, sympy.false):
        # sympy compares numbers in floating point and cancels what may be undefined: what it leaves is no statement to decide.
        value = str(claim.then).lower()
        reason = (
            f"sympy made {value} of the statement while it was written, so nothing is left to decide: it computes with floats such as 0.5, "
            "cancels terms, and puts values in the place of functions such as binomial(n, -1); write numbers as Rational(1, 2); where no "
            "float is in it, build the relation and such functions with evaluate=False, as in Le(a, b, evaluate=False)"
        )
        return _undecided(claim, "evaluation", reason)
    if isinstance(plan, Counterexample):
        return outcome_of_refutation(claim, refute_at(claim, plan.point))
    if isinstance(plan, Search):
        return outcome_of_refutation(claim, search(claim, plan))
    _refuse_empty(claim)
    if isinstance(plan, Proof):
        return _guarded(claim, _from_proof(claim, prove(claim, plan)))
    if isinstance(plan, Boxes):
        return _guarded(claim, _from_boxes(claim, plan, None, means))
    if isinstance(plan, OrderRange):
        return _guarded(claim, _from_range(claim, plan, means))
    return _guarded(claim, _by_all_means(with_signs(claim), deadline, means))


def _by_all_means(claim: Claim, deadline: float | None, means: _Means) -> Outcome:
    """Without instructions: search briefly, descend, cover, descend and search longer."""
    glance = None if deadline is None else min(clock.now() + _GLANCE, deadline)
    quick = search(claim, Search(tries=600), deadline=glance)
    if isinstance(quick, Refutation):
        return outcome_of_refutation(claim, quick)
    if (missing := _without_value(claim, deadline)) is not None:
        longer = quick if missing.bad_input else search(claim, Search(tries=4000, seed=1), deadline=_part(deadline, 0.5))
        return outcome_of_refutation(claim, longer) if isinstance(longer, Refutation) else missing
    # A power of a mixture is compared with what has a closed form, and this takes several searches.
    sampled = claim.then.has(SampledGaussianMoment, SampledGaussianRenyi)
    plan = (_LONG_DESCENT, _SAMPLED_SHARE) if sampled else (_DESCENT, _FIRST_SHARE)
    documents = Documents(claim)
    patient = claim.families or claim.then.has(sympy.binomial) or documents.has_fewer_variables
    first = _DOCUMENT if patient else _DOCUMENT / 2
    if (found := _from_document(documents, deadline, first, briefly=True)) is not None:
        return found
    descent = "" if claim.families else _from_descent(claim, deadline, *plan)
    if isinstance(descent, Outcome):
        return descent
    if glance is not None and quick.endswith("(time is up)"):
        quick = search(claim, Search(tries=600), deadline=_part(deadline, 0.25))
        if isinstance(quick, Refutation):
            return outcome_of_refutation(claim, quick)
    outcome = _from_default_boxes(claim, _part(deadline, _FIRST_BOXES), means)
    if outcome.verdict is not Verdict.UNDECIDED:
        return outcome
    if claim.families:  # no box bounds it, and what more points could show they show soon
        few = search(claim, Search(tries=600, seed=1), deadline=_part(deadline, _FAMILY_POINTS))
        if isinstance(few, Refutation):
            return outcome_of_refutation(claim, few)
        outcome = replace(outcome, left=(*outcome.left, few))
    if (found := _from_document(documents, deadline, 2 * _DOCUMENT, _LONG_DOCUMENT if documents.has_longer_ways else 0.5)) is not None:
        return found
    if claim.families:
        return outcome
    longer_descent = _from_descent(claim, deadline, _LONG_DESCENT, _LONG_SHARE)
    if isinstance(longer_descent, Outcome):
        return longer_descent
    if deadline is not None and not outcome.spent:  # its share of the time ended, not its boxes
        outcome = _from_default_boxes(claim, deadline, means)
        if outcome.verdict is not Verdict.UNDECIDED:
            return outcome
    late = deadline is not None and clock.now() > deadline
    longer = quick if late else search(claim, Search(tries=4000, seed=1), deadline=deadline)
    if isinstance(longer, Refutation):
        return outcome_of_refutation(claim, longer)
    if why := descent or longer_descent:
        return replace(_undecided(claim, "descent", why), left=(outcome.detail, *outcome.left, longer), next_step=outcome.next_step)
    return replace(outcome, left=(*outcome.left, longer))


def _from_default_boxes(claim: Claim, deadline: float | None, means: _Means) -> Outcome:
    """By boxes, without instructions."""
    try:
        return _from_boxes(claim, Boxes(budget=_BOXES_TO_INFINITY) if _is_unbounded(claim) else Boxes(), deadline, means)
    except LanguageError as error:
        if (foreign := _foreign(claim)) is not None:
            raise foreign from error
        return _undecided(claim, "boxes", str(error))


def _without_value(claim: Claim, deadline: float | None) -> Outcome | None:
    """What is said of a claim with a quantity that has no value anywhere, or none at some point of the domain: nothing certifies it.

    What is undefined refutes nothing; a counterexample at another point still does.
    """
    variables = set(claim.variables)
    for condition in dict.fromkeys(conditions_of_quantities(claim.then)):
        if condition is sympy.false:
            if any(node.args[1][0].is_integer for node in claim.then.atoms(Extremum)) and (foreign := _foreign(claim)) is not None:
                raise foreign
            return replace(_undecided(claim, "definedness", f"no value: {advice.needed_text(claim.then, 'False')}"), bad_input=True)
        if not claim.families and isinstance(condition, Relational) and condition.free_symbols <= variables:
            asked = replace(claim, then=condition, mutant=None, by=None, witness={})
            found = search(asked, Search(tries=60), deadline=_part(deadline, 0.1))
            if isinstance(found, Refutation):
                needed = advice.needed_text(claim.then, str(condition))
                return _undecided(claim, "definedness", f"the statement has no value at {found.as_text()}: {needed}")
    return None


def _foreign(claim: Claim) -> ForeignError | None:
    """What the claim, as it is written, has that no decider knows; what a decider made of it does not count."""
    try:
        for part, variables in _parts(claim):
            enclose.compile_expression(part, variables)
    except ForeignError as error:
        return error
    except LanguageError:
        pass
    return None


def _parts(claim: Claim) -> Iterator[tuple[Any, tuple[Symbol, ...]]]:
    """Conclusion and premises with their variables; a conclusion about an extremum over real numbers is read as one about its function."""
    sides = claim.then.args if isinstance(claim.then, Relational) else ()
    whole = [side for side in sides if isinstance(side, Extremum) and not side.args[1][0].is_integer]
    for part in sides if whole else (claim.then,):
        yield (part.args[0], (*claim.variables, part.args[1][0])) if part in whole else (part, claim.variables)
    yield from ((premise, claim.variables) for premise in claim.given if not premise.has(sympy.Mod))


def _from_document(
    documents: Documents, deadline: float | None, longest: float, share: float = 0.5, *, briefly: bool = False
) -> Outcome | None:
    """Of a claim about families, or with sums between numbers or a condition, by a document that the proof checker accepts."""
    left = longest if deadline is None else min(longest, share * (deadline - clock.now()))
    if left <= 0:
        return None
    found = documents.written(left, briefly=briefly)
    return None if found.statement is None else _of_document(documents.claim, found)


def _from_descent(claim: Claim, deadline: float | None, planned: float, share: float) -> Outcome | str:
    """By the document of a descent, from a search that plans with so many seconds and is stopped when its share of the budget is over.

    Where a descent is found and no document of it is written, the reason; empty where none is found.
    """
    until = _part(deadline, share)
    if until is not None and until <= clock.now():
        return ""
    try:
        found = clock.within(until, partial(descents.certificate_of, claim, planned))
    except clock.TimeIsUp:
        return ""
    if found is None:
        return ""
    own = compiled(claim, found)
    if own.statement is None:
        return f"a descent was found, but no proof document of it: {own.reason}"
    return _of_document(claim, own)


def _of_document(claim: Claim, found: Compiled) -> Outcome:
    """CERTIFIED by a document that the proof checker accepts."""
    assert found.statement is not None
    detail = f"a document of {found.statement.steps} steps, accepted by the kernel"
    return _settled(claim, Verdict.CERTIFIED, Evidence("document"), detail, sealing.of_document(claim, found.text))


def _is_unbounded(claim: Claim) -> bool:
    return any(None in ends for ends in Domain.of_claim(claim).bounds().values())


def _part(deadline: float | None, share: float) -> float | None:
    return None if deadline is None else clock.now() + share * max(0.0, deadline - clock.now())


def _refuse_empty(claim: Claim) -> None:
    """Raise when the premises surely contradict each other."""
    bounds = Domain.of_claim(claim).bounds()
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
        membership = Domain.of_claim(claim).contains(symbols_of(claim.example))
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


def outcome_of_refutation(claim: Claim, found: Refutation | str) -> Outcome:
    """REFUTED at a point that was decided, UNDECIDED with the reason where there is none."""
    if isinstance(found, str):
        return _undecided(claim, "refute", found)
    lines = "; ".join(found.sides)
    where = f"counterexample {found.as_text()}" if found.point else "false as it stands"
    detail = where + (f": {lines}" if lines else "")
    return _settled(claim, Verdict.REFUTED, Evidence("counterexample"), detail, sealing.of_refutation(claim, found))


def _from_proof(claim: Claim, found: Proved | str) -> Outcome:
    if isinstance(found, str):
        return _undecided(claim, "derivation", found)
    detail = f"{found.name}: {f'{found.count} steps' if found.verdict is Verdict.PROVED else 'cited, not checked'}"
    cited = Evidence(found.method, tuple(str(item.citation) for item in found.assumed))
    return _settled(claim, found.verdict, cited, detail, sealing.of_proof(claim, found))


def _from_boxes(claim: Claim, plan: Boxes, deadline: float | None, means: _Means) -> Outcome:
    found = cover(claim, plan, deadline=deadline, progress=means.progress, executor=means.executor, journal=means.journal)
    if found.complete and found.leaves:
        methods = ", ".join(f"{count} {name}" for name, count in sorted(found.methods.items()))
        margin = f", margin {found.margin}" if found.margin else ""
        detail = f"{found.leaves} boxes ({methods}), {found.outside} outside{margin}"
        return _confirmed(claim, "boxes", lambda: sealing.of_cover(claim, found, plan.bits), [detail], deadline)
    for suspect in found.suspects:
        if deadline is not None and clock.now() > deadline:
            break
        point = {**suspect, **{s: substituted(value, suspect) for s, value in found.substitution.items()}}
        refuted = refute_at(claim, point)
        if isinstance(refuted, Refutation):
            better = search(claim, Search(tries=600))
            return outcome_of_refutation(claim, better if isinstance(better, Refutation) else refuted)
    why, next_step = advice.diagnosis(claim, found)
    left = (*advice.lines_of(found), *([f"  {why}"] if why else []))
    undecided = _undecided(claim, "boxes", found.reason or "no box of the domain was settled")
    return replace(undecided, left=left, next_step=next_step, spent=found.spent)


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
    return _confirmed(claim, "order range", lambda: sealing.of_range(claim, found), [detail])


def _confirmed(
    claim: Claim, method: str, certificate_of: Callable[[], dict[str, Any]], details: list[str], deadline: float | None = None
) -> Outcome:
    """CERTIFIED when a checker accepts, before the deadline, a document of what the search found; it shares no code with the search."""
    try:
        certified = clock.within(deadline, certificate_of)
    except clock.TimeIsUp:
        reason = "covered, but time was up before the cover was written down and checked: give a larger budget"
        return replace(_undecided(claim, method, reason), left=tuple(f"  {line}" for line in details))
    except (NotConfirmed, CertificateError, Refused) as reason:
        return replace(_undecided(claim, method, f"covered, but not confirmed: {reason}"), left=tuple(f"  {line}" for line in details))
    leaves, engine = (count(certified["evidence"]) for count in (certificate.leaves_of, certificate.resting_on_engine))
    details.append(f"{leaves - engine} of {leaves} leaves checked" + (f"; {engine} rest on the engine" if engine else ""))
    evidence = Evidence(method, checked=leaves - engine, engine=engine)
    return _settled(claim, Verdict.CERTIFIED, evidence, "; ".join(details), certified)


def _settled(claim: Claim, verdict: Verdict, evidence: Evidence, detail: str, certified: dict[str, Any]) -> Outcome:
    return Outcome(claim.id, verdict, evidence.method, detail, evidence=(evidence,), certificate=certified)


def _undecided(claim: Claim, method: str, reason: str) -> Outcome:
    return Outcome(claim.id, Verdict.UNDECIDED, method, reason)
