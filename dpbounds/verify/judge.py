"""The verdict on a statement: certified δ at the printed ε against the printed δ, for every reading of the text."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, replace
from fractions import Fraction

from dpbounds import accounting
from dpbounds.errors import DPBoundsError
from dpbounds.mechanisms import Gaussian
from dpbounds.numbers.balls import Enclosure
from dpbounds.renyi.conversions import whole_curve
from dpbounds.renyi.curves import LinearCurve
from dpbounds.verify.concentrated import rho_ends
from dpbounds.verify.sides import Missing, SideBound, Sides, sides_of
from dpbounds.verify.span import last_place, rounded_up, rounds_to
from dpbounds.verify.statement import PrintedPromise, Statement
from dpbounds.verify.verdict import StatementVerdict, combined

_DIGITS, _NEXT_TO, _MOST_DIGITS = 6, 24, 12
"""Digits of a value, of one next to what is claimed, and the most for one minus a power."""


@dataclass(frozen=True)
class Reading:
    """The verdict on one reading of a statement.

    Args:
        sampling, relation: the reading; empty for a premise.
        verdict: what is known.
        assumed: what the reading takes for granted.
        reason: what is missing, or why nothing was decided.
        quantity: what is compared with the claim: "delta", "rho" or "mu".
        lower, upper: certified bounds on that quantity as decimals, rounded outward; None where there is none.
        needed_lower, needed_upper: certified bounds on the ε that would hold at the printed δ.
        rounds_to_printed: the truth is above the printed number and rounds to it.
        print_instead: the truth, rounded up to the printed places.
    """

    sampling: str
    relation: str
    verdict: StatementVerdict
    assumed: str = ""
    reason: str = ""
    quantity: str = "delta"
    lower: str | None = None
    upper: str | None = None
    needed_lower: str | None = None
    needed_upper: str | None = None
    rounds_to_printed: bool = False
    print_instead: str | None = None


@dataclass(frozen=True)
class Judgement:
    """The verdict on a statement, with its readings."""

    statement: Statement
    readings: tuple[Reading, ...]

    @property
    def verdict(self) -> StatementVerdict:
        """The common verdict of the readings, or DEPENDS."""
        return combined(reading.verdict for reading in self.readings)


def judgement_of(statement: Statement) -> Judgement:
    """Judge a statement.

        HOLDS    certified δ(ε_printed) ≤ δ_printed, at the worse ends of what is printed
        REFUTED  certified δ(ε_printed) > δ_printed, at the better ends

    Args:
        statement: what is printed; every sampling and relation that the text allows is judged.

    Returns:
        A verdict for each reading. What the engine declines is UNDECIDED, never anything else.

    >>> from dpbounds.verify.reading import read_statement
    >>> claim = {"claim": {"epsilon": "4.37", "delta": "1e-5"}, "sampling": "none", "relation": "add-or-remove"}
    >>> judgement_of(read_statement({"sigma": 1} | claim)).readings[0].print_instead
    '4.38'
    """
    if statement.is_premise and any(part.noise == "rho" for part in statement.parts):
        return Judgement(statement, (_from_rho(statement),))
    pairs = [("", "")] if statement.is_premise else [(s, r) for s in statement.samplings for r in statement.relations]
    return Judgement(statement, tuple(_reading(statement, sampling, relation) for sampling, relation in pairs))


def _reading(statement: Statement, sampling: str, relation: str) -> Reading:
    promise = statement.promise
    try:
        if promise.kind in ("rho", "mu"):
            return _concentrated(statement, sampling, relation)
        worst, best = (sides_of(statement, sampling, relation, worst=end) for end in (True, False))
    except Missing as missing:
        return Reading(sampling, relation, StatementVerdict.NOT_EXPRESSIBLE, reason=f"missing: {missing}")
    if promise.kind == "power":
        return _power(Reading(sampling, relation, StatementVerdict.UNDECIDED, worst.assumed, quantity="power"), worst, best, promise)
    upper, declined = _delta(worst.upper, promise.value, promise.delta)
    if best.lower is not None and best.lower == worst.upper:
        lower = upper
    else:
        lower, also = _least(best, promise.value, promise.delta)
        declined = declined or also
    verdict = _verdict(lower, upper, promise.delta)
    if verdict is StatementVerdict.UNDECIDED and worst.exact and best.exact and worst != best:
        verdict = _over_ends(worst, best, promise)
    reason = "" if verdict in (StatementVerdict.HOLDS, StatementVerdict.REFUTED) else declined or _gap(lower, upper, verdict)
    reading = Reading(sampling, relation, verdict, worst.assumed, reason, "delta", *_decimals(lower, upper))
    return _with_needed(reading, worst, best, promise, statement.formula is not None)


def _decimals(lower: Enclosure | None, upper: Enclosure | None, digits: int = _DIGITS) -> tuple[str | None, str | None]:
    """The ends as decimals, rounded outward."""
    return None if lower is None else lower.lower_decimal(digits), None if upper is None else upper.upper_decimal(digits)


def _verdict(lower: Enclosure | None, upper: Enclosure | None, claimed: Fraction) -> StatementVerdict:
    if upper is not None and upper.upper <= claimed:
        return StatementVerdict.HOLDS
    if lower is not None and lower.lower > claimed:
        return StatementVerdict.REFUTED
    return StatementVerdict.UNDECIDED


def _over_ends(worst: Sides, best: Sides, promise: PrintedPromise) -> StatementVerdict:
    """DEPENDS when the claim is refuted at the worse ends of what is printed and holds at the better ones."""
    high, _ = _delta(worst.upper, promise.value)
    low, _ = _delta(best.upper, promise.value)
    refuted, holds = _verdict(high, None, promise.delta), _verdict(None, low, promise.delta)
    return (
        StatementVerdict.DEPENDS if (refuted, holds) == (StatementVerdict.REFUTED, StatementVerdict.HOLDS) else StatementVerdict.UNDECIDED
    )


def _gap(lower: Enclosure | None, upper: Enclosure | None, verdict: StatementVerdict) -> str:
    if verdict is StatementVerdict.DEPENDS:
        return "the printed numbers leave room: it holds at one end of what they may mean and fails at the other"
    if upper is None:
        return "no certified upper bound is known for this reading"
    if lower is None:
        return "no certified lower bound is known for this reading"
    return "the printed delta lies between the certified bounds"


def _least(sides: Sides, epsilon: Fraction, claimed: Fraction) -> tuple[Enclosure | None, str]:
    """The largest certified δ of the lower bounds; of several numbers of batches the smallest, as any of them may be meant."""
    found, declined = _delta(sides.lower, epsilon, claimed)
    counts: dict[int, Enclosure | None] = {}
    for coins in sides.coins:
        test, reason = _delta(coins.bound(epsilon), epsilon)
        counts[coins.batches] = _larger(counts.get(coins.batches), test)
        declined = declined or reason
    known = [enclosure for enclosure in counts.values() if enclosure is not None]
    if known and len(known) == len(counts):
        found = _larger(found, min(known, key=lambda enclosure: enclosure.lower))
    return found, declined


def _larger(left: Enclosure | None, right: Enclosure | None) -> Enclosure | None:
    return left.maximum(right) if left is not None and right is not None else left or right


def _delta(bound: SideBound | None, epsilon: Fraction, claimed: Fraction | None = None) -> tuple[Enclosure | None, str]:
    """Certified δ of a bound, with more digits where it is next to what is claimed; or why there is none."""
    if bound is None:
        return None, ""
    try:
        found = bound.delta(epsilon, _DIGITS)
        if claimed is not None and found.lower <= claimed < found.upper:
            with contextlib.suppress(DPBoundsError):
                found = bound.delta(epsilon, _NEXT_TO)
        return found, ""
    except DPBoundsError as error:
        return None, f"the certified engine declined: {error}"


def _power(reading: Reading, worst: Sides, best: Sides, promise: PrintedPromise) -> Reading:
    """The largest rate of true positives of a test, between those of two mechanisms."""
    low, high, declined = None, None, ""
    try:
        high = None if worst.upper is None else 1 - Fraction(_missed(worst.upper, promise.delta).lower)
        low = high if best == worst and worst.exact else None
        low = 1 - Fraction(_missed(best.lower, promise.delta).upper) if best.lower is not None else low
    except DPBoundsError as error:
        declined = f"the certified engine declined: {error}"
    verdict = StatementVerdict.UNDECIDED
    if high is not None and high <= promise.value:
        verdict = StatementVerdict.HOLDS
    elif low is not None and low > promise.value:
        verdict = StatementVerdict.REFUTED
    reason = declined or ("the printed power lies between the certified ones" if verdict is StatementVerdict.UNDECIDED else "")
    least, most = (None if end is None else Enclosure.exactly(end) for end in (low, high))
    lower, upper = _decimals(least, most)
    return replace(reading, verdict=verdict, reason=reason, lower=lower, upper=upper)


def _missed(bound: SideBound, rate: Fraction) -> Enclosure:
    """1 − power, with as many more digits as a small power loses in the difference, which is at least the rate."""
    digits = min(_DIGITS + len(str(int(1 / rate))), _MOST_DIGITS)
    return accounting.trade_off(bound.mechanism, rate, digits=digits, relation=bound.relation).enclosure


def _with_needed(reading: Reading, worst: Sides, best: Sides, promise: PrintedPromise, two: bool) -> Reading:
    """Add the ε that would hold at the printed δ, for readers, where it is one number or has two sides; the verdict stands without it."""
    if not two and not (worst.exact and best.exact) or promise.delta == 0:
        return reading
    high = _epsilon(worst.upper, promise.delta)
    low = high if worst == best and not two else _epsilon(best.lower if two else best.upper, promise.delta)
    if high is None or low is None:
        return reading
    least, enough = _decimals(low, high, _DIGITS + 1)
    found, most = replace(reading, needed_lower=least, needed_upper=enough), high.upper
    if reading.verdict is StatementVerdict.HOLDS or not isinstance(most, Fraction) or "/" in promise.printed or "(" in promise.printed:
        return found
    place = last_place(promise.printed)
    return replace(found, rounds_to_printed=rounds_to(most, promise.value, place), print_instead=rounded_up(most, place))


def _epsilon(bound: SideBound | None, delta: Fraction) -> Enclosure | None:
    if bound is None:
        return None
    try:
        return bound.epsilon(delta, _DIGITS)
    except DPBoundsError:
        return None


def _from_rho(statement: Statement) -> Reading:
    """Does ρ-zCDP, of any mechanism whatever, imply what is claimed?"""
    promise = statement.promise
    if any(part.noise != "rho" for part in statement.parts):
        return Reading("", "", StatementVerdict.NOT_EXPRESSIBLE, reason="missing: a composition of rho-zCDP with other parts")
    if promise.kind == "mu":
        return Reading("", "", StatementVerdict.NOT_EXPRESSIBLE, reason="missing: the mechanism; rho-zCDP alone gives no mu-GDP")
    if promise.kind == "rho":
        return _concentrated(statement, "", "")
    (low, _), (_, high) = (rho_ends(statement, "none", "", worst=worst) for worst in (False, True))
    assert high is not None
    assumed = "nothing is known but rho: the best conversion bounds from above, Gaussian noise with that rho from below"
    curve, noise = LinearCurve(high), _gaussian(low)
    try:
        upper = whole_curve.delta_of(curve, promise.value, _DIGITS)
        lower = accounting.delta(noise, promise.value, digits=_DIGITS).enclosure
        most = whole_curve.epsilon_of(curve, promise.delta, _DIGITS) if promise.delta else None
        least = accounting.epsilon(noise, promise.delta, digits=_DIGITS).enclosure if promise.delta else None
        verdict, reason = _verdict(lower, upper, promise.delta), ""
        if verdict is StatementVerdict.UNDECIDED:
            reason = "Gaussian noise with that rho keeps the promise; no conversion known here gives it to every mechanism"
            worse = lower if low == high else accounting.delta(_gaussian(high), promise.value, digits=_DIGITS).enclosure
            if worse.lower > promise.delta:
                better = whole_curve.delta_of(LinearCurve(low), promise.value, _DIGITS)
                verdict = StatementVerdict.DEPENDS if better.upper <= promise.delta else verdict
                reason = _gap(lower, upper, verdict)
    except DPBoundsError as error:
        return Reading("", "", StatementVerdict.UNDECIDED, assumed, f"the certified engine declined: {error}")
    ends = *_decimals(lower, upper), *_decimals(least, most, _DIGITS + 1)
    return Reading("", "", verdict, assumed, reason, "delta", *ends)


def _gaussian(rho: Fraction) -> Gaussian:
    """The Gaussian noise that is exactly ρ-zCDP."""
    return Gaussian(f"1/sqrt({2 * rho})")


def _concentrated(statement: Statement, sampling: str, relation: str) -> Reading:
    """A claim of ρ-zCDP or μ-GDP, both decided by ρ; ρ refutes μ for any noise, and shows it for Gaussian noise alone."""
    promise = statement.promise
    (low, least), (most, high) = (rho_ends(statement, sampling, relation, worst=worst) for worst in (False, True))
    claimed = promise.value if promise.kind == "rho" else promise.value**2 / 2
    if low > claimed:
        verdict, reason = StatementVerdict.REFUTED, ""
    elif promise.kind == "mu" and any(part.noise not in ("sigma", "mu") for part in statement.parts):
        raise Missing("a certified mu of noise that is not Gaussian; rho-zCDP does not give one")
    elif high is not None and high <= claimed:
        verdict, reason = StatementVerdict.HOLDS, ""
    elif least is not None and least <= claimed < most:
        verdict, reason = StatementVerdict.DEPENDS, _gap(None, None, StatementVerdict.DEPENDS)
    else:
        verdict = StatementVerdict.UNDECIDED
        reason = "the printed bound lies between the certified ones" if high is not None else _gap(None, None, verdict)
    said = "rho-zCDP has no amplification by sampling" if statement.formula is None else statement.formula.ends().assumed
    assumed = said + (", and mu-GDP implies rho = mu^2/2" if promise.kind == "mu" else "")
    ends = _decimals(Enclosure.exactly(low), None if high is None else Enclosure.exactly(high))
    return Reading(sampling, relation, verdict, assumed, reason, "rho", *ends)
