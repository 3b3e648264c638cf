"""The best constant of a claim as a bracket: one end for which the claim is settled, one for which it is refuted.

Both ends are claims with certificates. Points and estimates only choose which constants are tried.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import sympy

from dpbounds.claims import clock
from dpbounds.claims.boxes.certify import Progress
from dpbounds.claims.claim import Claim, Mutant
from dpbounds.claims.counterexamples.refute import Refutation, refute_at
from dpbounds.claims.counterexamples.search import corner_points, simple_points, simplified
from dpbounds.claims.domain import Domain
from dpbounds.claims.evidence import certificate
from dpbounds.claims.outcome import Outcome
from dpbounds.claims.settling import outcome_of_refutation, settle
from dpbounds.claims.statement import instance
from dpbounds.errors import DPBoundsError, InputError, did_you_mean
from dpbounds.language import enclose
from dpbounds.language.substitution import junction, parts_of_and, substituted
from dpbounds.numbers import balls, exact

LEAST, GREATEST = "least", "greatest"
_BITS = 100
_POINTS = 400
_BEST = 4
"""Points from which a better one is sought nearby."""
_ROUNDS = 40
_LARGEST, _DOUBLINGS = 10**6, 21
"""Constants beyond 10⁶, about 2²⁰, are not tried: a bound that needs one fails for every constant, or says nothing."""
_LOOSER = 4
"""Ten times more room each time that a constant stays UNDECIDED."""
_SHARE = Fraction(1, 4)
_JUMPS = (sympy.floor, sympy.ceiling, sympy.frac, sympy.Mod, sympy.sign, sympy.Piecewise, sympy.Sum, sympy.Integral)
"""A slope says nothing across a jump; what has a slope everywhere else but a pole has none there, and its sign is not certified."""


@dataclass(frozen=True)
class Probe:
    """The claim at one value of the constant.

    Attributes:
        value: the constant.
        claim: the claim at it.
        outcome: what was established.
    """

    value: Fraction
    claim: Claim
    outcome: Outcome


@dataclass(frozen=True)
class Bracket:
    """What is known of the best constant.

    Attributes:
        claim: the claim in which it stands.
        constant: its symbol.
        side: "least" where a larger constant makes the claim weaker, "greatest" where a smaller one does.
        holds: the best constant for which the claim is PROVED or CERTIFIED; None when none was found.
        fails: the best constant for which it is REFUTED; None when none was found.
        monotone: the claim that the statement only becomes weaker on that side; None where the side was declared.
        undecided: constants that were tried and stay UNDECIDED.
        probes: how many constants were tried.
        seconds: of processor time.
    """

    claim: Claim
    constant: sympy.Symbol
    side: str
    holds: Probe | None
    fails: Probe | None
    monotone: Outcome | None
    undecided: tuple[Fraction, ...]
    probes: int
    seconds: float

    @property
    def ends(self) -> tuple[Fraction | None, Fraction | None]:
        """(low, high), None where an end is missing: the best constant lies between them, both ends included."""
        holds, fails = (None if probe is None else probe.value for probe in (self.holds, self.fails))
        return (fails, holds) if self.side == LEAST else (holds, fails)

    @property
    def as_claim(self) -> Claim:
        """The claim at the constant that holds, with the one that fails as its mutant: what a claim file keeps.

        Raises:
            InputError: an end of the bracket is missing.
        """
        if self.holds is None or self.fails is None:
            raise InputError(f"{self.claim.id}: only one end of the bracket was found; a larger budget may find the second end")
        return with_constant(self.claim, self.constant, self.holds.value, self.fails.value)

    @property
    def certificates(self) -> tuple[dict[str, Any], ...]:
        """The certificates of both ends: of `as_claim` and of its mutant."""
        return tuple(p.outcome.certificate for p in (self.holds, self.fails) if p is not None and p.outcome.certificate is not None)


def tighten(
    claim: Claim,
    constant: sympy.Symbol | str,
    *,
    digits: int = 3,
    budget: float = 20.0,
    side: str | None = None,
    told: Callable[[Fraction, Outcome], None] | None = None,
    progress: Progress | None = None,
) -> Bracket:
    """The best constant for which a claim holds, as a bracket with evidence on both ends.

    Args:
        claim: a claim in which the constant is a variable, such as `then=left <= C*right`.
        constant: its symbol, or its name.
        digits: significant digits of the bracket: its ends differ by one unit of the last, where that is reached.
        budget: processor seconds for each constant that is tried.
        side: "least" or "greatest"; None finds out from the derivative of the statement in the constant.
        told: called with each constant that was tried and what became of it.
        progress: called with (boxes examined, boxes waiting).

    Returns:
        The bracket. Where an end is missing, or the digits are not reached, it says so by what it holds.

    Raises:
        InputError: the claim has no such constant, it is declared as an integer or has a witness, or its side has to be given.

    >>> from dpbounds.language.symbols import positive, real
    >>> x, c = positive("x"), real("c")
    >>> bracket = tighten(Claim(id="parabola", text="", then=x - x**2 <= c), c)
    >>> bracket.ends
    (Fraction(249, 1000), Fraction(1, 4))
    """
    began = clock.now()
    symbol = _symbol_of(claim, constant)
    if digits < 1 or digits > 12:
        raise InputError(f"digits must lie between 1 and 12, got {digits}")
    if side not in (None, LEAST, GREATEST):
        raise InputError(f'side must be "least" or "greatest", got {side!r}')
    plain = replace(claim, mutant=None, expect=None, uses=(), corrects=None, example=None)
    monotone = None
    if side is None:
        side, monotone = _side_of(plain, symbol, budget)
    hunt = _Hunt(plain, symbol, side, budget, told, progress)
    holds, fails = hunt.run(digits)
    return Bracket(claim, symbol, side, holds, fails, monotone, tuple(hunt.undecided), hunt.probes, clock.now() - began)


def with_constant(claim: Claim, constant: sympy.Symbol, holds: exact.Number, fails: exact.Number) -> Claim:
    """The claim at one value of its constant, with another value as its mutant; its id is `ID.tight`.

    Args:
        claim: a claim in which the constant is a variable.
        constant: its symbol.
        holds: the value of the claim.
        fails: the value of the mutant.

    >>> from dpbounds.language.symbols import positive, real
    >>> x, c = positive("x"), real("c")
    >>> with_constant(Claim(id="a", text="", then=x - x**2 <= c), c, "1/4", "0.249").mutant.then
    -x**2 + x <= 249/1000
    """
    good, far = (_at(claim, constant, exact.rational(value, constant.name)) for value in (holds, fails))
    return replace(good, mutant=Mutant(far.then, far.given))


def _at(claim: Claim, constant: sympy.Symbol, value: Fraction) -> Claim:
    """The claim with a number in place of its constant."""
    number = {constant: exact.to_sympy(value)}
    given = [substituted(premise, number) for premise in claim.given]
    return replace(
        claim, id=f"{claim.id}.tight", then=substituted(claim.then, number), given=tuple(p for p in given if p is not sympy.true)
    )


def _symbol_of(claim: Claim, constant: sympy.Symbol | str) -> sympy.Symbol:
    names = {symbol.name: symbol for symbol in claim.variables}
    name = str(constant)
    if name not in names:
        raise InputError(f"claim {claim.id} has no constant {name!r}{did_you_mean(name, names)}; its variables are {', '.join(names)}")
    symbol = names[name]
    if symbol.is_integer:
        raise InputError(f"claim {claim.id}: {name} is an integer; a bracket is for real constants, declare it by real or positive")
    return symbol


def constants_of(claim: Claim) -> list[str]:
    """The variables that look like constants: real, in no premise, and in the conclusion linear.

    >>> from dpbounds.language.symbols import positive, real
    >>> x, c = positive("x"), real("c")
    >>> constants_of(Claim(id="parabola", text="", then=x - x**2 <= c))
    ['c']
    """
    premised = set().union(*(premise.free_symbols for premise in claim.given), set())
    gaps = _gaps(claim.then)
    return [
        v.name
        for v in claim.variables
        if not v.is_integer and v not in premised and gaps and all(v not in sympy.diff(gap, v).free_symbols for gap in gaps)
    ]


# --- which side is easier ------------------------------------------------------------------------------------------


def _gaps(statement: Any) -> list[Any]:
    """large − small of each relation of a conjunction; empty for another statement."""
    parts = parts_of_and(statement)
    if not all(isinstance(part, (sympy.Le, sympy.Lt, sympy.Ge, sympy.Gt)) for part in parts):
        return []
    return [part.gts - part.lts for part in parts]


def _side_of(claim: Claim, symbol: sympy.Symbol, budget: float) -> tuple[str, Outcome]:
    """The side on which the statement is weaker, and the claim that shows it: the slope of large − small in the constant has one sign."""
    gaps = [] if any(symbol in premise.free_symbols for premise in claim.given) else _gaps(claim.then)
    jumps = any(symbol in node.free_symbols for gap in gaps for node in gap.atoms(*_JUMPS))
    slopes = [] if jumps else [slope for gap in gaps if (slope := sympy.diff(gap, symbol)) != 0]
    if slopes and not any(slope.has(sympy.Derivative) for slope in slopes):
        for side, relation in _likely(claim, slopes):
            signs = [relation(slope, 0, evaluate=False) for slope in slopes]
            probe = replace(claim, id=f"{claim.id}.monotone", then=junction(sympy.And, signs), by=None)
            outcome = settle(probe, budget=budget, contained=True)
            if outcome.verdict.holds:
                return side, outcome
    raise InputError(
        f"claim {claim.id}: it is not clear whether a larger or a smaller {symbol} makes the statement weaker; "
        'say side="least" or side="greatest" (on the command line --least or --greatest)'
    )


def _likely(claim: Claim, slopes: Sequence[Any]) -> list[tuple[str, Any]]:
    """Both sides, the one that a sample speaks for first."""
    order: list[tuple[str, Any]] = [(LEAST, sympy.Ge), (GREATEST, sympy.Le)]
    for point in itertools.islice(_points(claim), 20):
        try:
            sign = instance.truth_at(sympy.Gt(slopes[0], 0, evaluate=False), point)
        except DPBoundsError:
            continue
        if sign is not None:
            return order if sign else order[::-1]
    return order


def _points(claim: Claim) -> Iterator[dict[Any, Any]]:
    domain, rng = Domain.of_claim(claim), random.Random(0)
    yield from itertools.islice(simple_points(domain, rng), _POINTS)
    yield from corner_points(domain, rng)


# --- the hunt ------------------------------------------------------------------------------------------------------


class _Hunt:
    """Tries constants: first where points say that the best one lies, then by bisection of what is left."""

    def __init__(
        self,
        claim: Claim,
        symbol: sympy.Symbol,
        side: str,
        budget: float,
        told: Callable[[Fraction, Outcome], None] | None,
        progress: Progress | None,
    ) -> None:
        self.claim, self.symbol, self.budget, self.told, self.progress = claim, symbol, budget, told, progress
        self.sign = 1 if side == LEAST else -1
        self.probes = 0
        self.undecided: list[Fraction] = []
        self.holds: Probe | None = None
        self.fails: Probe | None = None
        self.points: list[dict[Any, Any]] = []
        self._estimate = _Estimate(claim, symbol, self.sign)

    def run(self, digits: int) -> tuple[Probe | None, Probe | None]:
        """Both ends, as near to each other as the digits ask for and the budget allows."""
        found = self._estimate.best()
        if found is not None:
            needed, self.points = found
            self._near(needed, digits)
        else:
            self._spread()
        self._bisect(digits)
        return self.holds, self.fails

    def _near(self, needed: Fraction, digits: int) -> None:
        """The constant that a point needs: just below it the claim fails; just above it, or a little further, it holds."""
        unit = unit_of(needed, digits)
        at = math.ceil(needed * self.sign / unit) * unit  # in the direction of the side that holds
        below = math.ceil(needed * self.sign / unit - 1) * unit
        self._probe(self.sign * below)
        for step in range(_LOOSER):
            value = at + unit * (10**step - 1)
            if self._probe(self.sign * value).verdict.holds is True:
                break
        if self.holds is None:
            self._spread()

    def _spread(self) -> None:
        """Without an estimate: 0, then growing constants of both signs, until both ends are known."""
        start = Fraction(0) if self.fails is None else self.fails.value
        powers = [Fraction(2) ** k for k in range(-1, _DOUBLINGS, 3)]
        for value in (Fraction(0), *(sign * power for power in powers for sign in (self.sign, -self.sign))):
            wanted = self.holds if value * self.sign > 0 else self.fails
            if wanted is None:
                self._probe(start + value)

    def _bisect(self, digits: int) -> None:
        """Halve what is between the ends, to whole units of the last digit; around what is UNDECIDED, both sides are tried."""
        for _ in range(_ROUNDS):
            if self.holds is None or self.fails is None:
                return
            low, high = sorted((self.holds.value, self.fails.value))
            unit = unit_of(max(abs(low), abs(high)), digits)
            if high - low <= unit:
                return
            stuck = [value for value in self.undecided if low < value < high]
            gaps = [(low, high)] if not stuck else [(low, min(stuck)), (max(stuck), high)]
            tried = [value for gap in gaps if (value := _between(*gap, unit)) is not None]
            if not tried or (stuck and len(self.undecided) > 2 * _LOOSER):
                return
            for value in tried:
                self._probe(value)

    def _probe(self, value: Fraction) -> Outcome:
        """What becomes of the claim at a constant; points that refuted it before are tried first."""
        claim = _at(self.claim, self.symbol, value)
        outcome = self._at_known_points(claim) or settle(claim, budget=self.budget, progress=self.progress, contained=True)
        if outcome.bad_input and self.symbol not in set().union(*(premise.free_symbols for premise in self.claim.given)):
            raise InputError(f"claim {self.claim.id} at {self.symbol} = {exact.text(value)}: {outcome.detail}")
        self.probes += 1
        if outcome.verdict.holds is True and (self.holds is None or self.sign * (value - self.holds.value) < 0):
            self.holds = Probe(value, claim, outcome)
        elif outcome.verdict.holds is False and (self.fails is None or self.sign * (value - self.fails.value) > 0):
            twin = replace(claim, id=f"{claim.id}~mutant")
            self.fails = Probe(value, twin, replace(outcome, id=twin.id, certificate=_renamed(outcome, twin)))
        elif outcome.verdict.holds is None:
            self.undecided.append(value)
        if self.told is not None:
            self.told(value, outcome)
        return outcome

    def _at_known_points(self, claim: Claim) -> Outcome | None:
        if claim.then in (sympy.true, sympy.false):
            return None
        for point in self.points[:_BEST]:
            try:
                found = refute_at(claim, point)
            except DPBoundsError:
                continue
            if isinstance(found, Refutation):
                return outcome_of_refutation(claim, simplified(claim, found))
        return None


def _renamed(outcome: Outcome, claim: Claim) -> dict[str, Any] | None:
    """The certificate of a refutation under the name that the statement has as a mutant."""
    if outcome.certificate is None:
        return None
    evidence = dict(outcome.certificate["evidence"])
    if "cover" in evidence:
        evidence["cover"] = {**evidence["cover"], "claim": claim.id}
    document = {**outcome.certificate, "claim": claim.id, "evidence": evidence}
    return {**document, "digest": certificate.digest_of(document)}


def unit_of(value: Fraction, digits: int) -> Fraction:
    """One unit of the last of so many significant digits of a number; of so many decimals, for 0.

    >>> unit_of(Fraction(1718, 1000), 3)
    Fraction(1, 100)
    """
    if value == 0:
        return Fraction(1, 10**digits)
    magnitude = math.floor(math.log10(abs(float(value)))) if abs(float(value)) > 0 else -digits
    return Fraction(10) ** (magnitude + 1 - digits)


def _between(low: Fraction, high: Fraction, unit: Fraction) -> Fraction | None:
    """A whole number of units in the middle of an open range; None where there is none."""
    value = round((low + high) / 2 / unit) * unit
    return value if low < value < high else None


class _Estimate:
    """The constant that a point needs, where the statement is linear in it: the root of large − small. Nothing here decides."""

    def __init__(self, claim: Claim, symbol: sympy.Symbol, sign: int) -> None:
        self.claim, self.sign = _at(claim, symbol, Fraction(1)) if not _gaps(claim.then) else claim, sign
        self.domain = Domain.of_claim(replace(claim, then=sympy.Lt(sympy.S.Zero, 1, evaluate=False)))
        self.variables = tuple(v for v in self.domain.variables if v != symbol)
        self.programs: list[enclose.Program] = []
        try:
            if not any(symbol in premise.free_symbols for premise in claim.given):
                self.programs = [
                    enclose.compile_expression(instance.elementary(gap), (*self.variables, symbol)) for gap in _gaps(claim.then)
                ]
        except DPBoundsError:
            self.programs = []

    def best(self) -> tuple[Fraction, list[dict[Any, Any]]] | None:
        """The largest constant that some point needs (in the direction of the side), and the points that need most."""
        if not self.programs or self.domain.families:
            return None
        claim = replace(self.claim, then=sympy.And(*(sympy.Le(v, v, evaluate=False) for v in self.variables), evaluate=False))
        scored: list[tuple[Fraction, dict[Any, Any]]] = []
        for point in _points(claim) if self.variables else [{}]:
            needed = self._needed(point)
            if needed is not None:
                scored.append((needed, point))
        scored.sort(key=lambda row: row[0], reverse=True)
        top = [self._climbed(*row) for row in scored[:_BEST]]
        top.sort(key=lambda row: row[0], reverse=True)
        if not top or abs(top[0][0]) > _LARGEST:
            return None
        return self.sign * top[0][0], [point for _, point in top]

    def _needed(self, point: dict[Any, Any]) -> Fraction | None:
        """sign·C for the constant at which the sides meet; None outside of the domain, and where the statement is not linear there."""
        try:
            if self.domain.contains({**point, **self._free(point)}) is not True:
                return None
            with balls.precision(_BITS):
                values = [enclose.ball_of(exact.number(point[v]), _BITS) for v in self.variables]
                roots = [root for program in self.programs if (root := self._root(program, values)) is not None]
        except (DPBoundsError, ArithmeticError, ValueError):
            return None
        return max(roots) if roots else None

    def _free(self, point: dict[Any, Any]) -> dict[Any, Any]:
        return {v: sympy.S.One for v in self.domain.variables if v not in point}

    def _root(self, program: enclose.Program, values: list[balls.Ball]) -> Fraction | None:
        first, second, third = (program([*values, balls.Ball(k)]) for k in (0, 1, 2))
        slope = second - first
        if not slope.is_finite() or slope.contains(0) or not (third - second - slope).contains(0):
            return None
        root = balls.Enclosure.of_ball(-first / slope)
        low, high = root.lower, root.upper
        # The end that the point surely needs: far from rounding, as close as one likes.
        return min(self.sign * low, self.sign * high) if isinstance(low, Fraction) and isinstance(high, Fraction) else None

    def _climbed(self, needed: Fraction, point: dict[Any, Any]) -> tuple[Fraction, dict[Any, Any]]:
        """A better point nearby: coordinate by coordinate, with steps that shrink."""
        steps = {v: _SHARE * max(abs(Fraction(str(point[v]))), Fraction(1, 64)) for v in self.variables}
        for _ in range(_ROUNDS):
            moved = False
            for v, k in itertools.product(self.variables, (-1, 1)):
                step = Fraction(1) if v.is_integer else steps[v]
                other = {**point, v: exact.to_sympy((Fraction(str(point[v])) + k * step).limit_denominator(10**12))}
                value = self._needed(other)
                if value is not None and value > needed:
                    needed, point, moved = value, other, True
            if not moved:
                steps = {v: step / 3 for v, step in steps.items()}
        return needed, point
