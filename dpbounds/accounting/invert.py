"""Certified ε(δ): the smallest ε ≥ 0 with δ(ε) ≤ δ, trapped between two certified values of δ(ε).

δ(ε) is convex and decreases in ε, so lower(δ(a)) > δ gives ε(δ) > a and upper(δ(b)) ≤ δ gives ε(δ) ≤ b. The points a, b lie on both
sides of the root of log δ(ε) − log δ, which a safeguarded secant iteration (Newton with the slope of the last two points;
Koskela et al. 2020 §5.4) finds with few evaluations: digits grow with the iteration. The start is the saddle-point estimate, with slope −c.

δ is convex in u = e^ε, as the largest of P(A) − uQ(A) over all events A. So a chord between two of the points lies above it, and beyond
them the line through both lies below it: with the certified ends of δ there, these lines bound ε(δ) too, without another evaluation.
Where a law has tangents, which lie below everywhere, two points on both sides of the root are enough.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from flint import arb

from dpbounds.accounting.bromwich import Nearby
from dpbounds.accounting.bromwich_planning import Model, cut_to, is_cut
from dpbounds.accounting.irrational import evaluate_between, is_rational, rational_ends
from dpbounds.accounting.solve import (
    beyond_largest_loss,
    bound_notes,
    evaluate,
    read_relation,
    reported_direction,
)
from dpbounds.accounting.upper_bounds import largest_epsilon, surely_below_at_saddle
from dpbounds.errors import InputError, PrecisionError
from dpbounds.laws.convolve import exact_total_variation
from dpbounds.laws.normal_form import Elements, elements_of
from dpbounds.mechanisms import Direction, Guarantee, Mechanism, Relation
from dpbounds.mechanisms.pairs import Product, dominating_pairs
from dpbounds.mechanisms.results import PrivacyResult, read_digits, require_digits
from dpbounds.numbers import exact
from dpbounds.numbers.balls import Enclosure, ball, bits_for, precision
from dpbounds.numbers.domains import between
from dpbounds.numbers.exact import Exact
from dpbounds.numbers.refine import refine

_FORCED_DIGITS = 6
_FEW = 1000  # uses whose product of fractions is compared exactly
_ROUNDS = 80
_CLOSER = 2.0**-10
"""How much nearer to the largest loss the search goes while nothing below the target is known."""
_NEAR_TOP = 40
"""Digits of a point that are kept besides those asked for, so that its distance from the largest loss has some."""
_GUARD = 20
"""Digits to start with where more than 19 agree; doubled as ever."""
_UNREAD = 10_000
"""More digits than any question has: of an exact value."""
AT_MOST_AT_ZERO = "exact: delta(0) is at most delta"
_FAR_BELOW = 100.0
_FIRST = 5
"""Digits of the first comparison."""
_SHARP = 10
"""The same where it is near to the root as a rule."""
_START_STEPS, _AT_GOAL = 120, 1e-4
_TRIES = 3
"""Points below the start that are tried before 0."""
_NEAR = 0.1
"""Relative distance from the root at which a contour for all digits is planned."""
_CLOSE = 0.1
"""|log δ − log target| up to which a step by a tangent goes a little beyond the root, to have points on both sides."""
_COMPARED = (5, 12)
"""Digits with which another product is compared; a contour of the last ones serves many δ."""
_VAGUE = Fraction(1, 1000)
"""Half of that distance, relative to ε, from which on the search is better off without them."""
_NEARLY, _CERTAIN = Fraction(1, 25), 3
"""Half of the distance of two points that settle ε, in units of its last digit, and the digits of δ there beyond those of ε."""
_SURE = 6
"""Digits that the estimate of the error of a secant step has more than are asked for before it is trusted; the trap checks."""
_FLOATS = 1e-13
"""Slopes are floats: no step is better than this, relative to its length."""
_TRAP = 4
"""Digits beyond those asked for with which the target is trapped."""
_SLOPE = 3
"""The same where log δ falls by 1 from 0 to ε, and a long contour is needed."""
_RARE = Fraction(1, 20)
"""Mean number of uses with the record up to which they are few."""
_HALVINGS = 16
_PATIENT = 6
"""Steps after which a search that has met no δ below the target doubles ε."""
_NOISE = 8.0
"""Two values of log δ say how fast it falls where they differ by so many times the error of one."""


def _full(digits: int) -> int:
    """Digits of the last steps of the search: a contour may lose one between where it is planned and the root, and more of many."""
    return digits + _TRAP + 1 + digits // 50


def epsilon(
    mechanism: Mechanism,
    delta: exact.Number,
    *,
    digits: int = 15,
    relation: Relation | str | None = None,
    direction: Direction | str = Direction.WORST,
    guarantee: Guarantee | str = Guarantee.MECHANISM,
) -> PrivacyResult:
    """Certified ε(δ): the smallest ε for which the mechanism's dominating pair is (ε, δ)-private.

    Args:
        mechanism: what is run, compositions included.
        delta: 0 < δ < 1, exact; it may be a closed irrational number, such as `"exp(-12)"`.
        digits: certified digits D: upper − lower ≤ 10^{1−D}·upper.
        relation, direction, guarantee: as for `dpbounds.accounting.solve`.

    Returns:
        A bracket: δ(lower) ≥ δ ≥ δ(upper), both certified. 0 where δ(0) ≤ δ; infinite where no ε is enough.

    Raises:
        InputError: δ outside (0, 1), or a mechanism without a known dominating pair or evaluator.
        PrecisionError: the digits cannot be had; the message says what was reached.

    Source: Koskela, Jälkö & Honkela 2020, §5.4, for the iteration.

    >>> from dpbounds.mechanisms import Gaussian
    >>> epsilon(Gaussian(1), "1e-5", digits=12).lower
    '4.3771780956812'
    """
    return epsilon_at(mechanism, [delta], digits=digits, relation=relation, direction=direction, guarantee=guarantee)[0]


def epsilon_at(
    mechanism: Mechanism,
    deltas: Sequence[exact.Number],
    *,
    digits: int = 15,
    relation: Relation | str | None = None,
    direction: Direction | str = Direction.WORST,
    guarantee: Guarantee | str = Guarantee.MECHANISM,
    near: Sequence[tuple[float, float] | None] | None = None,
) -> list[PrivacyResult]:
    """Certified ε(δ) at many δ: a contour that was made for one of them serves its neighbours as long as it has the digits there.

    Args:
        deltas: values of δ in (0, 1); the others as for `epsilon`.
        near: for each δ two points between which ε(δ) is thought to lie, or None. Wrong ones cost time; no bracket rests on them.

    Returns:
        One bracket for each δ, in the order given, each as certified as that of `epsilon`.

    Raises:
        InputError, PrecisionError: as `epsilon` does, for the first δ that has no answer.

    >>> from dpbounds.mechanisms import Gaussian
    >>> [result.lower for result in epsilon_at(Gaussian(1), ["1e-5", "1e-6"], digits=6)]
    ['4.377178', '4.8865541']
    """
    targets, digits = [read_delta(delta) for delta in deltas], read_digits(digits)
    products = dominating_pairs(mechanism, read_relation(relation), direction, guarantee, upper_bounds=True)
    hints = [None] * len(targets) if near is None else near
    hoped = _full(digits + (1 if None in hints else 2))
    kept = [Nearby(hoped=hoped) for _ in products]
    compared = [Nearby(hoped=_COMPARED[-1]) if len(targets) > 1 else None for _ in products]
    found: dict[int, PrivacyResult] = {}
    for place in sorted(range(len(targets)), key=targets.__getitem__, reverse=True):
        target = targets[place]
        enclosure, method = bracket(products[0], target, digits + 1, kept[0], hints[place])
        for product, nearby, other_line in zip(products[1:], kept[1:], compared[1:], strict=True):
            line = other_line if nearby.line is None else nearby
            if not _surely_below(product, enclosure, rational_ends(target, bits_for(digits))[0], line):
                other, how = bracket(product, target, digits + 1, nearby)
                enclosure, method = enclosure.maximum(other), method if how == method else f"{method}; {how}"
        found[place] = PrivacyResult(
            quantity="epsilon",
            enclosure=require_digits(enclosure, digits, "epsilon"),
            mechanism=mechanism,
            argument=("delta", target),
            relation=products[0].relation,
            direction=reported_direction(products[0], Direction(direction)),
            guarantee=products[0].guarantee,
            method=method,
            notes=bound_notes(products, lambda product, target=target: bracket(product, target, _FORCED_DIGITS + 1)[0]),  # type: ignore[misc]
            digits=digits,
        )
    return [found[place] for place in range(len(targets))]


def epsilon_of(product: Product, delta: exact.Number, digits: int = 15) -> Enclosure:
    """Certified ε(δ) = min{ε ≥ 0 : δ(ε) ≤ δ} of one product of dominating pairs.

    Args:
        product: the pairs with their numbers of uses, as `dominating_pairs` returns them; one direction, where `epsilon` takes the worse.
        delta: 0 < δ < 1.
        digits: significant decimal digits.

    Returns:
        An enclosure of the true value, in nats; infinite where δ lies below P(L = ∞).

    Raises:
        InputError: δ outside of (0, 1).
        PrecisionError: the digits cannot be reached; the message says how many were.

    >>> from dpbounds.mechanisms import Direction, Gaussian
    >>> from dpbounds.mechanisms.pairs import dominating_pairs
    >>> (product,) = dominating_pairs(Gaussian(1), direction=Direction.REMOVE)
    >>> epsilon_of(product, "1e-5", digits=5).lower_decimal(5)
    '4.3771'
    """
    return require_digits(bracket(product, read_delta(delta), digits + 1)[0], digits, "epsilon")


def bracket(
    product: Product, target: Exact, digits: int, nearby: Nearby | None = None, near: tuple[float, float] | None = None
) -> tuple[Enclosure, str]:
    """The bracket of ε(target) with the digits, and how δ was evaluated; `nearby` is a contour of the same product.

    `near`: points between which ε(target) is thought to lie; they are tried first, and what is certified there is all that counts.
    """
    if not (isinstance(target, Fraction) and is_rational(product)):
        return evaluate_between(bracket, product, target, digits)
    search = _Search(product, target, nearby=nearby or Nearby(hoped=_full(digits)))
    try:
        return _searched(search, digits, near)
    except PrecisionError as error:
        raise search.refused(error) from error


def _searched(search: _Search, digits: int, near: tuple[float, float] | None) -> tuple[Enclosure, str]:
    """The same by a search, which keeps what it has certified."""
    product, target = search.product, search.target
    elements = elements_of(product)
    if never_reached(elements, target):
        return Enclosure.between(arb.pos_inf(), arb.pos_inf()), "exact: outcomes that only one side shows"
    if beyond_largest_loss(elements, Fraction(0)) or _surely_zero(elements, target):
        return Enclosure.exactly(0), AT_MOST_AT_ZERO
    if (largest := _largest_loss_reached(elements, target, digits)) is not None:
        if not _above_at_zero(search, elements):
            return Enclosure.exactly(0), AT_MOST_AT_ZERO
        return largest, "exact: delta is the mass of infinite loss, so epsilon is the largest finite one"
    search.bound_by_largest_loss(elements, digits)
    if near is not None:
        _try_ends(search, near, digits)
    if search.points and search.low > 0:
        root = _solve(search, 1.0, digits + 1)  # the contour that is there has one more
        low, high = _trap(search, root, digits + 1)
        return _enclosed(low, high, digits), f"secant iteration on certified delta ({search.method})"
    known = None
    if elements.in_epochs:
        from dpbounds.accounting.allocation_delta import approx_epsilon

        guess, slope = approx_epsilon(elements, target)
    elif (known := elements.approx_epsilon(target)) is not None:
        guess, slope = Fraction(known[0]), known[1]
    else:
        guess, slope = _start(elements, target)
        guess = _rare_start(product, target, guess)
    search.slope = slope
    start = _rounded(_inside(search, guess), digits + _kept_digits(search))
    first = _FIRST if known is None else min(_SHARP, digits + 2)
    if not (search.above(start, first) or _above_below(search, start, slope) or _above_at_zero(search, elements)):
        return Enclosure.exactly(0), AT_MOST_AT_ZERO
    root = _solve(search, slope, digits)
    low, high = _trap(search, root, digits)
    return _enclosed(low, high, digits), f"secant iteration on certified delta ({search.method})"


def _enclosed(low: Fraction, high: Fraction, digits: int) -> Enclosure:
    with precision(max(bits_for(digits, 40), 53)):
        return Enclosure.between(ball(low), ball(high))


def _try_ends(search: _Search, near: tuple[float, float], digits: int) -> None:
    """Compare δ with the target at two points, moved apart to nearly the width asked for; their contour serves the rest of the search."""
    if not 0 < near[0] <= near[1] < math.inf:
        return
    middle, half = (Fraction(near[0]) + Fraction(near[1])) / 2, (Fraction(near[1]) - Fraction(near[0])) / 2
    if half > middle * _VAGUE:
        return
    least = middle * _NEARLY / 10**digits
    if half > least:
        wanted = _full(digits)
    else:  # the last bits of what was given do not matter
        wanted, middle, half = digits + _CERTAIN, _rounded(middle, digits + 2), least
    for point in (middle - half, middle + half):
        if point > search.low and (search.high is None or point < search.high):
            search.above(_rounded(point, digits + _kept_digits(search)), wanted, near=digits)


def _surely_zero(elements: Elements, target: Fraction) -> bool:
    """Whether ε = 0 is enough because δ(0), the total variation, is at most the sum of those of all uses; False where one is not known."""
    with precision(128):
        total = arb(0)
        for law, steps in elements.uses.items():
            if law.atoms is not None and (use := law.listed(1)) is not None:
                own = (
                    use.law.lost
                    + use.law.dropped
                    + sum(((p - q).nonnegative_part() for p, q in zip(use.law.p, use.law.q, strict=True)), arb(0))
                )
            elif (form := law.closed_form({law: 1})) is not None and not form.long:
                own = form.value(arb(0))
            else:
                return False
            total += steps * own
            if not total <= ball(target):
                return False
        return True


def _largest_loss_reached(elements: Elements, target: Fraction, digits: int) -> Enclosure | None:
    """ε where δ is exactly the mass of infinite loss: below the largest finite loss δ(ε) is more. None where δ is another number."""
    if elements.atoms.total() > _FEW or elements.exact_certain_loss() != target:
        return None
    with precision(64):
        if elements.largest_loss() is None:
            return Enclosure.between(arb.pos_inf(), arb.pos_inf())

    def value() -> arb:
        largest = elements.largest_loss()
        assert largest is not None
        return (ball(largest) if isinstance(largest, Fraction) else largest).nonnegative_part()

    return refine(value, digits)


def never_reached(elements: Elements, target: Fraction) -> bool:
    """True when P has more than δ of mass where Q has none, so that δ(ε) > δ for every ε."""
    for bits in (64, 500, 4000):
        with precision(bits):
            certain, allowed = elements.certain_loss(), ball(target)
            if certain > allowed:
                return True
            if certain <= allowed:
                return False
    lost = None if elements.atoms.total() > _FEW else elements.exact_certain_loss()
    if lost is None:
        raise PrecisionError("epsilon: the mass of infinite loss agrees with delta to all the digits tried; change delta by a little")
    return lost > target


@dataclass
class _Search:
    """Certified comparisons of δ(ε) with the target, and the bracket they give.

    Below the largest loss, `top`, δ(ε) − δ(top) is about a power of top − ε, so its logarithm is followed in the coordinate −log(top − ε),
    in which it is nearly straight there and as straight as in ε elsewhere.
    """

    product: Product
    target: Fraction
    low: Fraction = Fraction(0)
    high: Fraction | None = None
    method: str = ""
    steps: int = 0
    points: list[tuple[Fraction, float, float]] = field(default_factory=list)
    """ε with log δ(ε) − log target and how far that may be off."""
    top: Fraction | None = None
    nearby: Nearby = field(default_factory=Nearby)
    slope: float = 1.0
    """How fast log δ falls, by an estimate."""
    guard: int = 0
    """Digits in which the target agrees with the mass of infinite loss."""
    lost: arb = field(default_factory=arb)
    known: list[tuple[Fraction, Enclosure]] = field(default_factory=list)
    """ε with δ(ε)."""
    falls: dict[Fraction, float] = field(default_factory=dict)
    """−d log δ/dε where the law has a tangent."""

    def above(self, epsilon: Fraction, digits: int = 6, near: int | None = None) -> bool:
        """Whether δ(ε) > target, certified; more digits are taken until it is decided.

        Args:
            near: digits of ε for which a point that agrees with the root need not be decided, or None.
        """
        digits += self.guard
        for wanted in (digits, 2 * digits, 4 * digits + 20):
            found, self.method = evaluate(self.product, epsilon, wanted, nearby=self.nearby)
            self.steps += 1
            lower, upper = found.lower, found.upper
            if lower > self.target or upper <= self.target:
                self._record(epsilon, found, lower > self.target)
                self.bound_by_convexity(epsilon, found, wanted)
                return lower > self.target
            if near is not None and found.meets(wanted) and self.is_root(epsilon, int(found.digits()) - self.guard, near):
                self._follow(epsilon, found)
                return False
        raise PrecisionError(
            f"epsilon: delta({float(epsilon):.6g}) agrees with {float(self.target):.6g} to all the digits that were tried; "
            "change delta by a little"
        )

    def refused(self, error: PrecisionError) -> PrecisionError:
        """The refusal with the certified ends of ε that are known all the same."""
        known = []
        with precision(64):
            if self.low > 0:
                known.append(f"at least {Enclosure.of_ball(ball(self.low)).lower_decimal(5)}")
            high = largest_epsilon(self.product, self.target, self.slope)
            high = high if self.high is None else ball(self.high) if high is None else high.min(ball(self.high))
            if high is not None:
                known.append(f"at most {Enclosure.of_ball(high).upper_decimal(5)}")
        way = self.product.direction.value
        return PrecisionError(f"{error}; in direction {way} epsilon is {' and '.join(known)}") if known else error

    def bound_by_convexity(self, here: Fraction, found: Enclosure, digits: int) -> None:
        """Bounds on the root by the lines through this point and each other one, in v = e^{ε−here}, in which δ is convex.

        The line through two points is the target t at v = 1 + (δ(here) − t)/s, s how fast it falls. Between them it lies above δ, so
        with the root between them that is an upper bound; beyond them it lies below, so with the root beyond them it is a lower one.
        A tangent is a lower one too: v = 1 + (its height − t)/(how fast it falls).
        """
        with precision(bits_for(2 * digits, 64)):
            value, target = found.ball(), ball(self.target)
            if self.nearby.below is not None:
                height, fall = self.nearby.below[0], self.nearby.below[1] * ball(here).exp()
                self.falls[here] = float((fall / value).mid())
                if fall > 0 and (crossing := 1 + (height - target) / fall) > 0:
                    self.low = max(self.low, Fraction(Enclosure.of_ball(ball(here) + crossing.log()).lower))
            for other, its in self.known:
                fall = (its.ball() - value) / (1 - ball(other - here).exp())
                crossing = 1 + (value - target) / fall
                if not (fall > 0 and crossing > 0):
                    continue
                root = Enclosure.of_ball(ball(here) + crossing.log())
                if (its.lower > self.target) is (found.lower > self.target):
                    self.low = max(self.low, Fraction(root.lower))
                else:
                    self.high = Fraction(root.upper) if self.high is None else min(self.high, Fraction(root.upper))
        self.known.append((here, found))

    def is_narrow(self, digits: int) -> bool:
        """Whether the bracket has the digits, and one to spare."""
        return self.high is not None and self.high - self.low <= self.high * Fraction(1, 10**digits)

    def steepness(self, here: Fraction, value: float) -> int:
        """Digits that δ needs fewer than ε: of ε·|d log δ/dε|, if that was measured."""
        rate = self.measured(here, value) if here != self.top else None
        if rate is None:
            return 0
        size = rate * float(here if self.top is None else here / (self.top - here))
        return max(0, math.floor(math.log10(size))) if size > 1 else 0

    def is_root(self, here: Fraction, known: int, digits: int) -> bool:
        """Whether δ(here), equal to the target in the first `known` digits, leaves no doubt about so many digits of ε, and two more."""
        size = self.rate(here, 0.0, self.slope) * float(here if self.top is None else here / (self.top - here)) if here != self.top else 0.0
        return size > 0 and known + math.floor(math.log10(size)) >= digits + 3

    def wanted(self, here: Fraction, digits: int) -> int:
        """Digits of δ that settle ε: `_full`, or where a long contour is needed no more than the slope asks for."""
        value = next((value for point, value, _ in self.points if point == here), None)
        if not self.nearby.costly or value is None or not math.isfinite(value) or here in (0, self.top):
            return _full(digits)
        size = self.rate(here, value, self.slope) * float(here if self.top is None else here / (self.top - here))
        return min(_full(digits), max(_FIRST, digits + _SLOPE - math.floor(math.log10(max(size, 1e-6)))))

    def bound_by_largest_loss(self, elements: Elements, digits: int) -> None:
        """Where the finite losses end at some top, δ(top) is the mass of infinite loss, which is at most the target."""
        with precision(64):
            lost = elements.certain_loss()
            if lost > 0:
                near = (ball(self.target) - lost).abs_lower() / ball(self.target)
                self.guard = max(0, math.ceil(-float(near.log().mid()) / math.log(10))) if near > 0 else _GUARD
        with precision(bits_for(digits + self.guard, 80)):
            largest = elements.largest_loss()
            if largest is not None:
                top = largest if isinstance(largest, Fraction) else Enclosure.of_ball(largest).upper
                self.top = top if isinstance(top, Fraction) else None
                self.high = self.top
            self.lost = elements.certain_loss()

    def moved(self, point: Fraction, by: float) -> Fraction:
        """The point `by` further in the coordinate −log(top − ε), or ε itself where there is no top."""
        return point + Fraction(by) if self.top is None else point - (self.top - point) * Fraction(math.expm1(-min(by, 600.0)))

    def rate(self, here: Fraction, value: float, slope: float) -> float:
        """How fast log δ falls in that coordinate: measured, else from its slope in ε."""
        return self.measured(here, value) or (slope if self.top is None else slope * float(self.top - here))

    def measured(self, here: Fraction, value: float) -> float | None:
        """The same from the tangent, or the nearest other point that is known well enough; None where there is none that says so."""
        if here in self.falls:
            return self.falls[here] * float(1 if self.top is None else self.top - here)
        usable = [
            (abs(other - here), (other_value - value) / self.distance(other, here))
            for other, other_value, error in self.points
            if math.isfinite(other_value) and other != here and abs(other_value - value) > _NOISE * error
        ]
        return found if usable and (found := min(usable)[1]) > 0 else None

    def distance(self, start: Fraction, end: Fraction) -> float:
        """From one point to another in that coordinate."""
        return float(end - start) if self.top is None else math.log1p(float((end - start) / (self.top - end)))

    def between(self) -> Fraction:
        """A point between both ends of the bracket, the middle in that coordinate."""
        assert self.high is not None
        if self.top is None or self.high - self.low < (self.top - self.high) * Fraction(_CLOSER):  # both middles are the same then
            return (self.low + self.high) / 2
        ratio = float((self.top - self.high) / (self.top - self.low))
        return self.top - (self.top - self.low) * Fraction(math.sqrt(ratio) if ratio > 0 else _CLOSER)

    def _record(self, epsilon: Fraction, found: Enclosure, above: bool) -> None:
        if above:
            self.low = max(self.low, epsilon)
        else:
            self.high = epsilon if self.high is None else min(self.high, epsilon)
        self._follow(epsilon, found)

    def _follow(self, epsilon: Fraction, found: Enclosure) -> None:
        """log δ(ε) − log target."""
        digits = found.digits()
        with precision(bits_for(int(digits), 64) if digits < _UNREAD else 200):
            ratio = (found.ball() - self.lost) / (ball(self.target) - self.lost)
            value = ratio.log() if ratio > 0 else arb.neg_inf()
            self.points.append((epsilon, float(value.mid()), float(value.rad())))


def _above_below(search: _Search, start: Fraction, slope: float) -> bool:
    """Whether δ > target is certified some way below the start, where it is cheaper than at 0 as a rule.

    Twice as far as the slope says, but at most half way to 0.
    """
    for _ in range(_TRIES):
        log_ratio = search.points[-1][1]
        if not -_FAR_BELOW < log_ratio < 0:
            return False
        below = _rounded(search.moved(start, 2 * log_ratio / search.rate(start, log_ratio, slope)), _FIRST)
        far = not below > start / 2
        below = start / 2 if far else below
        if search.above(below, _FIRST):
            return True
        if far:
            return False
        start = below
    return False


def _above_at_zero(search: _Search, elements: Elements) -> bool:
    """Whether δ(0) > target; a tie is settled in exact arithmetic where the masses are rational."""
    try:
        return search.above(Fraction(0))
    except PrecisionError:
        exactly = (
            exact_total_variation([(law.atoms, steps) for law, steps in elements.uses.items() if law.atoms]) if not elements.noise else None
        )
        if exactly is None:
            raise
        search.points.append((Fraction(0), 0.0, 0.0))
        return exactly > search.target


def _start(elements: Elements, target: Fraction) -> tuple[Fraction, float]:
    """Saddle-point estimate of ε(δ), from ε = K′(c) − 1/c − 1/(c+1) at the c where Laplace's estimate of δ is the target."""
    try:
        goal = math.log(target.numerator) - math.log(target.denominator)
        with precision(max(128, 64 - math.ceil(2 * goal))):  # laws with tails leave out what is small at the precision
            most = max(1e-300, 1e-3 * math.exp(goal) / elements.steps)
            model = Model(cut_to(elements.factors(most), goal), 0.0)
            limit = min(1e12, *(factor.largest_tilt / 2 for factor in model.factors if not is_cut(factor)), 1e12)
            low, high, middle = 1e-12, limit, min(1.0, limit)
            for _ in range(_START_STEPS):
                value, first, second = model.log_moments(middle)
                tilt = first - 1 / middle - 1 / (middle + 1)
                curvature = second + 1 / middle**2 + 1 / (middle + 1) ** 2
                log_delta = value - tilt * middle - math.log(middle) - math.log1p(middle) - 0.5 * math.log(2 * math.pi * curvature)
                low, high = (middle, high) if log_delta > goal or tilt < 0 else (low, middle)
                if high <= low * 1.0001 or (tilt >= 0 and abs(log_delta - goal) < _AT_GOAL):
                    high = middle if tilt >= 0 else high
                    break
                # log δ falls by about c·K″ for one of c
                step = middle * math.exp(min(max((log_delta - goal) / (middle**2 * curvature), -2.0), 2.0)) if tilt >= 0 else 2 * middle
                middle = step if low < step < high else math.sqrt(low * high)
            guess = model.log_moments(high)[1] - 1 / high - 1 / (high + 1)
            return Fraction(max(guess, 1e-9)), max(high, 0.5 / max(1.0, guess))
    except (OverflowError, ValueError, InputError):
        return Fraction(1), 1.0


def _rare_start(product: Product, target: Fraction, high: Fraction) -> Fraction:
    """About ε(δ), below `high`, where few of the uses have the record, so that δ adds up over them; else `high`.

    Where P is without the record, one use has no large loss.
    """
    factor, *others = product.factors
    if others or factor.reversed or not factor.steps * factor.pair.unsampled()[1] < _RARE:
        return high
    one, low = replace(product, factors=(replace(factor, steps=1),)), Fraction(0)
    for _ in range(_HALVINGS):
        middle = _rounded((low + high) / 2, _FIRST)
        low, high = (middle, high) if factor.steps * evaluate(one, middle, _FIRST)[0].lower > target else (low, middle)
    return high


def _kept_digits(search: _Search) -> int:
    """Digits of a point that are kept besides those asked for."""
    return 8 if search.top is None else _NEAR_TOP


def _solve(search: _Search, slope: float, digits: int) -> Fraction:
    """A point within about 10^{−digits−1}·ε of the root, from those at which δ was compared."""
    positive = [entry for entry in search.points if entry[0] > 0]
    point, wanted, before = min(positive, key=lambda entry: abs(entry[1]))[0], _FIRST, 1.0
    for attempt in range(_ROUNDS):
        if attempt:
            point = _rounded(_inside(search, point), digits + _kept_digits(search))
            search.above(point, wanted, near=digits)
            wanted = min(wanted, _full(digits))
        if search.is_narrow(digits):
            break
        here, value, error = next(entry for entry in reversed(search.points) if entry[0] == point)
        if not math.isfinite(value):
            point = search.between() if search.high is not None else (search.low + here) / 2
            continue
        step = value / search.rate(here, value, slope)
        point = search.moved(here, step)
        if here in search.falls and 0 < abs(value) < _CLOSE:
            point = search.moved(here, step * (1 + float(abs(point / here - 1)) + 2 * error / abs(value)))
        if search.high is None and attempt >= _PATIENT:
            point = max(point, 2 * here)  # δ is so near to 1 that its logarithm has no slope
        move = abs(point - here)
        measured = search.measured(here, value) is not None
        if move <= here * Fraction(1, 10 ** (digits + 2)) and (measured or abs(value) < 1):
            break  # far from the target a slope that was not measured may be far too steep
        relative = max(1e-300, float(move / here))
        if measured and relative * max(before, _FLOATS) <= 10.0 ** -(digits + _SURE):
            break  # the error of the secant is about the product of the last two
        before = relative
        if search.nearby.line is not None and relative < _NEAR:
            wanted = search.wanted(here, digits)  # the contour that is planned here serves all that follows
        else:
            certain = 2 if measured else 1  # a step by a slope that was not measured is good to few digits
            most = digits + 2 if search.nearby.line is None else search.wanted(here, digits)
            wanted = min(most, max(wanted, int(-certain * math.log10(relative)) + 6)) - search.steepness(here, value)
    return point


def _inside(search: _Search, point: Fraction) -> Fraction:
    """The proposed point, or a safe one inside the bracket."""
    if search.high is None:
        return point if point > search.low else max(2 * search.low, Fraction(1, 10**6))
    if search.low < point < search.high:
        return point
    return search.between()


def _trap(search: _Search, root: Fraction, digits: int) -> tuple[Fraction, Fraction]:
    """Two points around the root, 4·10^{−digits−1}·ε apart if all goes well, where δ is certified above and below the target."""
    width = root * Fraction(2, 10 ** (digits + 1))
    nearest = min((entry[0] for entry in search.points if entry[0] > 0), key=lambda point: abs(point - root), default=root)
    wanted = min(digits + _TRAP, search.wanted(nearest, digits))
    if search.high is not None and search.is_narrow(digits):
        return search.low, search.high
    for _ in range(6):
        low, high = _rounded(root - width, digits + 8), _rounded(root + width, digits + 8)
        below_root = search.low if search.low >= low else low
        if low <= 0 or search.low >= low or search.above(low, wanted):
            if search.high is not None and search.high <= high:
                return max(below_root, search.low), search.high
            if not search.above(high, wanted):
                return max(below_root, search.low), high
        width *= 30
    if search.high is None:
        raise PrecisionError(f"epsilon is above {float(search.low):.6g}, and no point above it was found; no digit was reached")
    return search.low, search.high


def _rounded(value: Fraction, digits: int) -> Fraction:
    """A nearby binary fraction with about `digits` digits, so that numbers stay short."""
    if value <= 0:
        return Fraction(0)
    scale = bits_for(digits) - (value.numerator.bit_length() - value.denominator.bit_length())
    factor = Fraction(2) ** scale
    return Fraction(round(value * factor)) / factor


def _surely_below(product: Product, found: Enclosure, target: Fraction, nearby: Nearby | None) -> bool:
    """True when δ of this product is certified at most `target` already at the lower end found, so its ε cannot be larger."""
    lower = found.lower
    if not isinstance(lower, Fraction):
        return True
    if (nearby is None or nearby.line is None) and surely_below_at_saddle(product, lower, ball(target)):
        return True
    for digits in _COMPARED:
        enclosure, _ = evaluate(product, lower, digits, nearby=nearby)
        if enclosure.upper <= target:
            return True
        if enclosure.lower > target:
            return False
    return False


def read_delta(delta: exact.Number) -> Exact:
    """δ as an exact number strictly between 0 and 1.

    >>> read_delta("1e-5")
    Fraction(1, 100000)
    """
    return between(delta, 0, 1, "delta")
