"""Each condition of each step of the checker: a certificate that only this condition refuses, about something false.

The statements are about polynomials in one or two generators, so that they are false at sight.
"""

from fractions import Fraction
from typing import Any

import pytest

from dpbounds.descent import polynomials as poly
from dpbounds.descent.check import Checker
from dpbounds.descent.polynomials import ONE, read
from dpbounds.descent.refusal import DescentRefused
from dpbounds.descent.tower import Generator, Tower

LINE, HALF, UNIT = (None, None), (Fraction(0), None), (Fraction(0), Fraction(1))
ABOUT_0 = (Fraction(-1), Fraction(1))


def tower_of(*ranges: Any) -> Tower:
    """Variables x, y, … with these ranges."""
    tower = Tower()
    for name, ends in zip("xyz", ranges, strict=False):
        tower.variable(name, ends)
    return tower


def step(tower: Tower, f: str, document: dict[str, Any], *, strict: bool = False, premises: tuple[str, ...] = ()) -> None:
    """Check one step."""
    Checker().step(tower, read(f), document, strict=strict, premises=tuple(read(p) for p in premises))


def refused(why: str, tower: Tower, f: str, document: dict[str, Any], **more: Any) -> None:
    """One step is refused, for this reason."""
    with pytest.raises(DescentRefused, match=why):
        step(tower, f, document, **more)


def claim_of(*ranges: Any, by: Any = None, images: Any = None, more: Any = ()) -> dict[str, Any]:
    """A claim about variables only."""
    rows = [
        ["variable", n, "-oo" if e[0] is None else str(e[0]), "oo" if e[1] is None else str(e[1])]
        for n, e in zip("xyz", ranges, strict=False)
    ]
    return {"tower": [*rows, *more], "images": images if images is not None else [None] * len(ranges), "by": by or {}}


NUMBER = {"tower": [], "images": [], "by": {}}
"""A claim about a number, decided by the sign test."""


# --- monotone


def test_a_scale_has_no_zero() -> None:
    """−1 over x is increasing on both sides of its pole, and 1 at the low end; still −1 is negative."""
    slope = {"num": [], "den": []}
    document = {"step": "monotone", "in": "x", "scale": [["1*g0", 1]], "slope": slope, "limit": {"continuous": True, "claim": NUMBER}}
    refused("a scale that may be 0", tower_of(ABOUT_0), "-1", document)
    step(tower_of((Fraction(1), Fraction(2))), "1*g0 + -1", {**document, "scale": [], "slope": slope})


def test_the_limit_is_not_negative() -> None:
    """x grows on (−1, 1) from −1."""
    document = {"step": "monotone", "in": "x", "scale": [], "slope": {}, "limit": {"continuous": True, "claim": NUMBER}}
    refused("the sign is the other one", tower_of(ABOUT_0), "1*g0", document)
    refused("no value at infinity", tower_of(LINE), "1*g0", document)


def test_a_factor_of_the_slope_has_a_sign() -> None:
    """x² − 1/2 on (−1, 1) has the slope 2x."""
    document = {
        "step": "monotone",
        "in": "x",
        "scale": [],
        "slope": {"num": [["1*g0", 1, None]]},
        "limit": {"continuous": True, "claim": NUMBER},
    }
    refused("a factor without a sign", tower_of(ABOUT_0), "-1/2 + 1*g0^2", document)


def test_the_slope_is_the_slope() -> None:
    document = {"step": "monotone", "in": "x", "scale": [], "slope": {"num": []}, "limit": {"continuous": True, "claim": NUMBER}}
    refused("not that slope", tower_of(UNIT), "1*g0^2 + -1*g0", document)


def test_a_slope_that_is_0_proves_nothing() -> None:
    document = {"step": "monotone", "in": "x", "scale": [], "slope": {}, "limit": {"continuous": True, "claim": claim_of(ABOUT_0)}}
    refused("0 everywhere", tower_of(UNIT, ABOUT_0), "1*g1", document)


def test_a_strict_goal_needs_a_strict_slope() -> None:
    """x²y² falls to 0 at x = 0 and is 0 where y is."""
    slope = {"num": [["1*g0", 1, None], ["1*g1", 2, None]]}
    document = {"step": "monotone", "in": "x", "scale": [], "slope": slope, "limit": {"continuous": True, "claim": claim_of()}}
    tower = tower_of(UNIT, LINE)
    document["limit"]["claim"] = {"tower": [["variable", "y", "-oo", "oo"]], "images": [None], "by": {}}
    step(tower, "1*g0^2*g1^2", document)
    refused("a factor without a sign", tower, "1*g0^2*g1^2", document, strict=True)


# --- curve


def curve(at: list[str], slope: Any, claim: Any) -> dict[str, Any]:
    return {"step": "curve", "in": "x", "scale": [], "slope": slope, "at": at, "claim": claim}


def test_the_least_value_decides() -> None:
    """(x − 1/2)² + c."""
    tower = tower_of(UNIT)
    step(tower, "1/4 + -1*g0 + 1*g0^2", curve(["1/2", "1"], {}, NUMBER))
    refused("the sign is the other one", tower, "1/5 + -1*g0 + 1*g0^2", curve(["1/2", "1"], {}, NUMBER))


def test_the_curve_stays_in_the_box() -> None:
    """On (0, 1) the function (x − 2)² − 1/2 is least at its end; at x = 2, where its slope is 0, nothing is said of the box."""
    with pytest.raises(DescentRefused, match="the curve leaves the box"):
        step(tower_of((Fraction(0), Fraction(1))), "7/2 + -4*g0 + 1*g0^2", curve(["2", "1"], {}, NUMBER))
    with pytest.raises(DescentRefused, match="the curve leaves the box"):
        step(tower_of((Fraction(3), Fraction(4))), "7/2 + -4*g0 + 1*g0^2", curve(["2", "1"], {}, NUMBER))


def test_the_slope_changes_from_minus_to_plus() -> None:
    """1/8 − (x − 1/2)² is greatest at x = 1/2, and negative at the ends."""
    refused("least elsewhere", tower_of(UNIT), "-1/8 + 1*g0 + -1*g0^2", curve(["1/2", "1"], {}, NUMBER))


def test_the_curve_speaks_of_other_variables() -> None:
    refused("its own variable", tower_of(UNIT), "-1 + 1*g0^2", curve(["1*g0", "1"], {}, NUMBER))


def test_the_curve_has_no_pole() -> None:
    """x²y − 2x + 1/y ... its least value lies at x = 1/y, for y > 0 only."""
    refused("the curve has a pole", tower_of(LINE, ABOUT_0), "1 + -2*g0 + 1*g0^2*g1", curve(["1", "1*g1"], {}, claim_of()))


def test_a_strict_goal_needs_a_positive_least_value() -> None:
    with pytest.raises(DescentRefused):
        step(tower_of(UNIT), "1/4 + -1*g0 + 1*g0^2", curve(["1/2", "1"], {}, NUMBER), strict=True)


# --- chord


def chord(limits: list[Any], factor: str = "1 + -2*g0", slope: Any = None, second: Any = None) -> dict[str, Any]:
    inner = {"in": "x", "scale": [], "slope": second or {}}
    return {"step": "chord", "in": "x", "scale": [], "slope": slope or {}, "factor": factor, "second": inner, "limits": limits}


HERE = {"continuous": True, "claim": NUMBER}


def test_both_ends_of_a_chord_count() -> None:
    """x − x² − c on (0, 1)."""
    step(tower_of(UNIT), "1*g0 + -1*g0^2", chord([HERE, HERE]))
    refused("the sign is the other one", tower_of(UNIT), "-1/8 + 1*g0 + -1*g0^2", chord([HERE, HERE]))
    refused("the sign is the other one", tower_of((Fraction(0), Fraction(2))), "1*g0 + -1*g0^2", chord([HERE, HERE]))
    with pytest.raises(ValueError, match="zip"):
        step(tower_of((Fraction(0), Fraction(2))), "1*g0 + -1*g0^2", chord([HERE]))


def test_the_slope_of_a_chord_falls() -> None:
    """x² − x is 0 at both ends and negative between."""
    refused("the slope does not fall", tower_of(UNIT), "-1*g0 + 1*g0^2", chord([HERE, HERE], "-1 + 2*g0"))


def test_the_slope_of_a_chord_is_a_positive_multiple() -> None:
    refused("not a multiple", tower_of(UNIT), "-1*g0 + 1*g0^2", chord([HERE, HERE], "1 + -2*g0"))


def test_a_strict_chord_falls_strictly() -> None:
    """The constant 0 in x, as y − y: a slope that is 0 has no sign."""
    step(tower_of(UNIT), "1*g0 + -1*g0^2", chord([HERE, HERE]), strict=True)
    with pytest.raises(DescentRefused):
        step(tower_of(UNIT, UNIT), "0", chord([HERE, HERE], "0"), strict=True)


def test_a_chord_is_about_one_variable() -> None:
    document = chord([HERE, HERE])
    document["second"]["in"] = "y"
    refused("two variables", tower_of(UNIT, UNIT), "1*g0 + -1*g0^2", document)


# --- valley


def valley(at: list[str], claim: Any = NUMBER, factor: str = "-1 + 2*g0", slope: Any = None, scale: Any = ()) -> dict[str, Any]:
    inner = {"in": "x", "scale": list(scale), "slope": slope or {}}
    return {
        "step": "valley",
        "in": "x",
        "scale": [],
        "slope": {},
        "factor": factor,
        "second": inner,
        "at": at,
        "zero": [NUMBER, NUMBER],
        "claim": claim,
    }


def test_the_value_at_the_bottom_decides() -> None:
    """x² − x + c on (0, 1), least at 1/2."""
    step(tower_of(UNIT), "1/4 + -1*g0 + 1*g0^2", valley(["1", "2"]))
    step(tower_of(UNIT), "1/3 + -1*g0 + 1*g0^2", valley(["1", "2"]), strict=True)
    refused("the sign is the other one", tower_of(UNIT), "1/5 + -1*g0 + 1*g0^2", valley(["1", "2"]))
    refused("the sign is the other one", tower_of(UNIT), "1/4 + -1*g0 + 1*g0^2", valley(["1", "2"]), strict=True)


@pytest.mark.parametrize("at", [["0", "1"], ["1", "1"], ["1", "3"]])
def test_the_slope_is_0_at_the_bottom(at: list[str]) -> None:
    """1/5 − x + x² is positive at 0, at 1 and not at 1/2; each other place has a slope above or below 0."""
    refused("the sign is the other one", tower_of(UNIT), "2/9 + -1*g0 + 1*g0^2", valley(at))


def test_the_slope_does_not_fall() -> None:
    """x − x² − 1/5 is largest at 1/2."""
    refused("the slope may turn", tower_of(UNIT), "-1/5 + 1*g0 + -1*g0^2", valley(["1", "2"], factor="1 + -2*g0"))
    refused("the slope is not a multiple", tower_of(UNIT), "-1/5 + 1*g0 + -1*g0^2", valley(["1", "2"]))


def test_the_bottom_lies_in_the_box_and_speaks_of_other_variables() -> None:
    """(x − 2)² − 2 is positive at 0; x·(x − 2y) + … with the bottom at x itself."""
    wide = valley(["2", "1"], factor="-4 + 2*g0")
    refused("leaves the box", tower_of(UNIT), "4 + -4*g0 + 1*g0^2", wide)
    refused("speaks of its own variable", tower_of(UNIT), "1/5 + -1*g0 + 1*g0^2", valley(["1*g0", "1"]))
    refused("has a pole", tower_of(UNIT, ABOUT_0), "1/5 + -1*g0 + 1*g0^2", valley(["1", "1*g1"]))


def test_the_slope_is_positive_on_one_side_only_where_its_scale_is() -> None:
    """x³ − x on (−1, 1): the slope 3x² − 1 over the scale x would rise, but x is negative on one side; at x = 1/2 the value is −3/8."""
    with pytest.raises(DescentRefused, match="a scale that may be 0"):
        step(tower_of(ABOUT_0), "-1*g0 + 1*g0^3", valley(["0", "1"], factor="-1 + 3*g0^2", scale=[["1*g0", 1]]))


def test_a_valley_is_about_one_variable() -> None:
    document = valley(["1", "2"], claim=claim_of(UNIT))
    document["second"]["in"] = "y"
    refused("two variables", tower_of(UNIT, UNIT), "1/4 + -1*g0 + 1*g0^2", document)


def test_a_valley_may_be_seen_from_the_other_variable() -> None:
    """x² − 2xy + y² + … is least in x at x = y, where its slope 2x − 2y is 0; the slope falls in y."""

    def across(claim: Any, **changes: Any) -> dict[str, Any]:
        document = valley(["1*g1", "1"], factor="2*g0 + -2*g1", claim=claim)
        document["second"]["in"] = "y"
        empty = {"tower": [["variable", "y", "0", "1"]], "images": [None], "by": {}}
        return {**document, "zero": [empty, empty], **changes}

    def value(c: str) -> dict[str, Any]:
        return {"tower": [["variable", "y", "0", "1"]], "images": [None], "by": {"num": [[c, 1, None]]}}

    square = "1*g0^2 + -2*g0*g1 + 1*g1^2"
    step(tower_of(UNIT, UNIT), f"{square} + 1*g1", across(value("1*g0")), strict=True)
    refused("the sign is the other one", tower_of(UNIT, UNIT), f"{square} + -1*g1", across(value("1*g0")))
    # The slope 2y − 2x rises in y: y² + 2xy − x² … is largest in x at x = y.
    with pytest.raises(DescentRefused, match="the slope may turn"):
        step(tower_of(UNIT, UNIT), "1/10 + -1*g0^2 + 2*g0*g1 + -1*g1^2", across(value("1"), factor="-2*g0 + 2*g1"))
    # The same range: with y in (0, 1/2) and x in (0, 1) it may be that no y is x; with another place the slope is not 0 there.
    refused("two variables", tower_of(UNIT, (Fraction(0), Fraction(1, 2))), f"{square} + 1*g1", across(value("1*g0")))
    refused("two variables", tower_of(UNIT, UNIT), f"{square} + 1*g1", across(value("1*g0"), at=["1/2*g1", "1"]))
    # The slope 2x − 2y − 1/10 is not 0 at x = y: x² − 2xy − x/10 + y² + 1/500 is negative at x = y + 1/20.
    with pytest.raises(DescentRefused, match="the sign is the other one"):
        step(tower_of(UNIT, UNIT), f"1/500 + -1/10*g0 + 1/10*g1 + {square}", across(value("1/500"), factor="-1/10 + 2*g0 + -2*g1"))


# --- split, logarithm, sum, product, conjugate, premises


def test_both_sides_of_a_cut_count() -> None:
    low, high = claim_of((Fraction(-1), Fraction(0))), claim_of(UNIT)
    document = {"step": "split", "in": "x", "at": "0", "claims": [low, high]}
    step(tower_of(ABOUT_0), "1*g0^2", document)
    for f in ("1*g0", "-1*g0"):
        refused("the sign is the other one", tower_of(ABOUT_0), f, document)
    refused("the cut lies outside", tower_of(ABOUT_0), "1*g0", {**document, "at": "-2"})


def test_a_strict_cut_has_a_claim_of_its_own() -> None:
    low, high = claim_of((Fraction(-1), Fraction(0))), claim_of(UNIT)
    with pytest.raises(DescentRefused):
        step(tower_of(ABOUT_0), "1*g0^2", {"step": "split", "in": "x", "at": "0", "claims": [low, high, NUMBER]}, strict=True)


def test_both_orders_of_two_variables_count() -> None:
    """(x − y)² + c on the quadrant, and x − y, which is negative on one side."""

    def side(large: str, small: str) -> dict[str, Any]:
        rows = [["variable", small, "0", "oo"], ["variable", f"{large}-{small}", "0", "oo"]]
        return {"tower": rows, "images": [None, None]}

    document = {"step": "order", "in": ["x", "y"], "claims": [side("x", "y"), side("y", "x")]}
    step(tower_of(HALF, HALF), "1*g0^2 + -2*g0*g1 + 1*g1^2", document)
    for f in ("1*g0 + -1*g1", "-1*g0 + 1*g1"):
        refused("the sign is the other one", tower_of(HALF, HALF), f, document)
    refused("two variables are equal", tower_of(HALF, HALF), "1*g0^2 + -2*g0*g1 + 1*g1^2", document, strict=True)
    refused("one variable", tower_of(HALF, HALF), "-1*g0", {**document, "in": ["x", "x"]})


def test_an_order_keeps_the_whole_box() -> None:
    """On x, y in (0, 1): y = x + u, with x below 1 and u below 1."""

    def side(large: str, small: str, top: str, room: str) -> dict[str, Any]:
        rows = [["variable", small, "0", top], ["variable", f"{large}-{small}", "0", room]]
        return {"tower": rows, "images": [None, None]}

    for top, room in (("1/2", "1"), ("1", "1/2")):
        document = {"step": "order", "in": ["x", "y"], "claims": [side("x", "y", top, room), side("y", "x", top, room)]}
        refused("smaller than the domain", tower_of(UNIT, UNIT), "1*g0^2 + -2*g0*g1 + 1*g1^2", document)


def test_an_order_by_shares_keeps_the_whole_box() -> None:
    """On x, y in (0, 1): y = x·s with s below 1. The low ends are the same, and both sides count."""

    def side(large: str, small: str, top: str = "1", share: str = "1") -> dict[str, Any]:
        rows = [["variable", large, "0", top], ["variable", f"{small}/{large}", "0", share]]
        return {"tower": rows, "images": [None, None]}

    document = {"step": "order", "shares": True, "in": ["x", "y"], "claims": [side("x", "y"), side("y", "x")]}
    step(tower_of(UNIT, UNIT), "1*g0^2 + -2*g0*g1 + 1*g1^2", document)
    for f in ("1*g0 + -1*g1", "-1*g0 + 1*g1"):
        refused("the sign is the other one", tower_of(UNIT, UNIT), f, document)
    for top, share in (("1/2", "1"), ("1", "1/2")):
        less = {**document, "claims": [side("x", "y", top, share), side("y", "x", top, share)]}
        refused("smaller than the domain", tower_of(UNIT, UNIT), "1*g0^2 + -2*g0*g1 + 1*g1^2", less)
    for ranges in ((UNIT, ABOUT_0), (LINE, LINE)):
        refused("two low ends", tower_of(*ranges), "1*g0^2 + -2*g0*g1 + 1*g1^2", document)


def test_logarithms_are_of_positive_functions() -> None:
    """−1 = x − (1 + x); both logarithms would be needed."""
    document = {"step": "logarithm", "plus": "1*g0", "minus": "1 + 1*g0", "claim": claim_of(ABOUT_0)}
    refused("log of what is not positive", tower_of(ABOUT_0), "-1", document)
    refused("not that difference", tower_of(HALF), "-2", document)


def test_the_parts_of_a_sum_are_not_negative_and_are_the_sum() -> None:
    tower = tower_of(LINE)
    step(tower, "1 + 1*g0^2", {"step": "sum", "parts": [["1", None], ["1*g0^2", None]]})
    refused("without a sign", tower, "1*g0", {"step": "sum", "parts": [["1*g0", None]]})
    refused("may be negative", tower, "-1", {"step": "sum", "parts": [["-1", None]]})
    refused("not that sum", tower, "-1", {"step": "sum", "parts": [["1", None]]})
    with pytest.raises(DescentRefused):
        step(tower, "1*g0^2", {"step": "sum", "parts": [["1*g0^2", None]]}, strict=True)


def test_even_powers_are_not_strictly_positive() -> None:
    document = {"step": "factors", "num": [["1*g0", 2, None]]}
    step(tower_of(ABOUT_0), "1*g0^2", document)
    refused("a factor without a sign", tower_of(ABOUT_0), "1*g0^2", document, strict=True)
    refused("not these factors", tower_of(ABOUT_0), "1*g0^3", document)
    refused("the sign is the other one", tower_of(ABOUT_0), "-1*g0^2", document)
    refused("the exponent -1", tower_of(ABOUT_0), "1*g0", {"step": "factors", "num": [["1*g0", 2, None], ["1*g0", -1, None]]})
    refused("not these factors", tower_of(ABOUT_0), "1*g0", {"step": "factors", "num": [["1*g0", 0, None], ["1*g0", 1, None]]})


def test_a_conjugate_is_positive() -> None:
    """x·x = x²: x would have the sign of its square."""
    square = {"step": "factors", "num": [["1*g0", 2, None]]}
    with pytest.raises(DescentRefused, match="a factor that may not be positive"):
        step(tower_of(ABOUT_0), "1*g0", {"step": "conjugate", "times": "1*g0", "gives": "1*g0^2", "proof": square})
    with pytest.raises(DescentRefused, match="not that product"):
        step(tower_of(ABOUT_0), "1*g0", {"step": "conjugate", "times": "1", "gives": "1*g0^2", "proof": square})
    with pytest.raises(DescentRefused, match="the product may be negative"):
        step(tower_of(ABOUT_0), "-1", {"step": "conjugate", "times": "1", "gives": "-1", "proof": None})


def test_multipliers_of_premises_are_not_negative() -> None:
    tower = tower_of(LINE)
    step(tower, "2*g0", {"step": "given", "multipliers": [["2", 0]]}, premises=("1*g0",))
    refused("what may be negative", tower, "-2*g0", {"step": "given", "multipliers": [["-2", 0]]}, premises=("1*g0",))
    refused("what may be negative", tower, "1*g0", {"step": "given", "multipliers": [["1", -1]]}, premises=("1", "1*g0")[:1])
    refused("the rest may be negative", tower, "-1 + 2*g0", {"step": "given", "multipliers": [["2", 0]]}, premises=("1*g0",))
    with pytest.raises(DescentRefused):
        step(tower, "2*g0", {"step": "given", "multipliers": [["2", 0]]}, premises=("1*g0",), strict=True)


def test_the_denominator_of_a_premise_is_positive() -> None:
    """x/y ≥ 0 with y < 0 says x ≤ 0."""
    by = {"num": [["1*g0", 1, {"step": "given", "multipliers": [["1", 0]]}]]}
    free = tower_of(LINE, (None, Fraction(0)))
    document = {"tower": [["variable", "x", "-oo", "oo"], ["variable", "y", "-oo", "0"]], "images": [None, None], "by": by}
    with pytest.raises(DescentRefused, match="a premise whose denominator"):
        Checker().claim(free, (poly.generator(0), ONE), document, strict=False, premises=((poly.generator(0), poly.generator(1)),))


def test_a_premise_of_one_claim_is_none_of_another() -> None:
    refused("what may be negative", tower_of(LINE), "1*g0", {"step": "given", "multipliers": [["1", 0]]})


# --- chord by a chain of slopes


def chain(factor: str, second: str, side: int, limit: Any = None, then: Any = None, limits: Any = None) -> dict[str, Any]:
    """A chord whose slope is `factor`, whose own slope is side times `second`."""
    inner = {
        "in": "x",
        "scale": [],
        "slope": {},
        "side": side,
        "factor": second,
        "limit": limit or HERE,
        "then": then or {"in": "x", "scale": [], "slope": {}},
    }
    return {"step": "chord", "in": "x", "scale": [], "slope": {}, "factor": factor, "second": inner, "limits": limits or [HERE, HERE]}


RISING_FIRST = chain("3/4*g0 + -1*g0^2", "3/4 + -2*g0", 1)
"""3x²/8 − x³/3: its slope 3x/4 − x² rises from 0 and then falls."""
FALLING_FIRST = chain("1/2 + -3/2*g0 + 1*g0^2", "3/2 + -2*g0", -1)
"""x/2 − 3x²/4 + x³/3: its slope (1 − x)(1/2 − x) falls and then rises to 0."""


def test_a_slope_of_a_chord_may_change_its_own_direction() -> None:
    step(tower_of(UNIT), "3/8*g0^2 + -1/3*g0^3", RISING_FIRST)
    step(tower_of(UNIT), "1/2*g0 + -3/4*g0^2 + 1/3*g0^3", FALLING_FIRST)
    refused("a strict goal", tower_of(UNIT), "3/8*g0^2 + -1/3*g0^3", RISING_FIRST, strict=True)


def test_both_ends_of_a_chain_count() -> None:
    """3x²/8 − x³/3 − 1/100 is negative near 0, and 3x²/8 − x³/3 at 2."""
    refused("the sign is the other one", tower_of(UNIT), "-1/100 + 3/8*g0^2 + -1/3*g0^3", RISING_FIRST)
    refused("the sign is the other one", tower_of((Fraction(0), Fraction(2))), "3/8*g0^2 + -1/3*g0^3", RISING_FIRST)


def test_a_slope_that_rises_begins_at_0_or_above() -> None:
    """−x/8 + x²/2 − x³/3 is 0 at 0, negative near it, and 1/24 at 1: its slope −1/8 + x − x² rises from −1/8."""
    document = chain("-1/8 + 1*g0 + -1*g0^2", "1 + -2*g0", 1)
    refused("the sign is the other one", tower_of(UNIT), "-1/8*g0 + 1/2*g0^2 + -1/3*g0^3", document)


def test_a_slope_that_falls_first_ends_at_0_or_below() -> None:
    """x³/3 − x²/4 is 0 at 0, negative near it, and 1/12 at 1: its slope x² − x/2 falls, and rises to 1/2."""
    document = chain("-1/2*g0 + 1*g0^2", "1/2 + -2*g0", -1)
    refused("the sign is the other one", tower_of(UNIT), "-1/4*g0^2 + 1/3*g0^3", document)


def test_a_chain_ends_with_a_slope_that_falls() -> None:
    """x² − x is negative between 0 and 1; its slope 2x − 1 has a slope that is positive."""
    with pytest.raises(DescentRefused, match="the slope does not fall"):
        step(tower_of(UNIT), "-1*g0 + 1*g0^2", chord([HERE, HERE], "-1 + 2*g0", None, {"num": [], "den": []}))
    refused("the slope does not fall", tower_of(UNIT), "-1/2*g0^2 + 1/3*g0^3", chain("-1*g0 + 1*g0^2", "-1 + 2*g0", 1))


def test_each_link_of_a_chain_is_a_slope() -> None:
    wrong = chain("3/4*g0 + -1*g0^2", "1 + -2*g0", 1)
    refused("not that slope", tower_of(UNIT), "3/8*g0^2 + -1/3*g0^3", wrong)
    refused("not a multiple", tower_of(UNIT), "3/8*g0^2 + -1/3*g0^3", chain("3/4*g0 + -1*g0^2", "-3/4 + 2*g0", 1))
    refused("no such side", tower_of(UNIT), "3/8*g0^2 + -1/3*g0^3", chain("3/4*g0 + -1*g0^2", "3/4 + -2*g0", 0))
    at_0 = {"continuous": True, "claim": {"tower": [["variable", "y", "0", "1"]], "images": [None], "by": {}}}
    other = chain("3/4*g0 + -1*g0^2", "3/4 + -2*g0", 1, limit=at_0, then={"in": "y", "scale": [], "slope": {}})
    refused("two variables", tower_of(UNIT, UNIT), "3/8*g0^2 + -1/3*g0^3", other)


# --- tangent


def log_tower(ends: Any = HALF) -> Tower:
    """x and log x."""
    tower = tower_of(ends)
    tower.free("log", (read("1*g0"), ONE))
    return tower


def tangent(weight: str, rows: Any, rest: Any = None) -> dict[str, Any]:
    return {"step": "tangent", "parts": [[weight, rows, None]], "rest": rest or {}}


def test_a_logarithm_lies_below_its_tangent() -> None:
    step(log_tower(), "-1 + 1*g0 + -1*g1", tangent("1", [[1, 1]]))
    step(log_tower(), "1 + -1*g0 + 1*g0*g1", tangent("1*g0", [[1, -1]]))
    refused("the rest may be negative", log_tower(), "-2 + 1*g0 + -1*g1", tangent("1", [[1, 1]]))
    refused("the rest may be negative", log_tower(), "-1 + 1*g0 + -1*g1", tangent("1", [[1, 1]]), strict=True)


def test_a_weight_of_a_tangent_is_not_negative() -> None:
    """1 − x + log x is negative."""
    refused("a weight that may be negative", log_tower(), "1 + -1*g0 + 1*g1", tangent("-1", [[1, 1]]))
    refused("a factor without a sign", log_tower(), "-1*g1 + 1*g1*g0 + -1*g1^2", tangent("1*g1", [[1, 1]]))


def test_a_tangent_is_that_of_a_logarithm() -> None:
    refused("neither exp nor log", log_tower(), "-1 + 1*g0 + -1*g1", tangent("1", [[0, 1]]))


# --- premises


def test_what_is_said_of_one_point_may_use_premises() -> None:
    """log x ≥ 0 where x ≥ 1."""
    known = {"step": "given", "multipliers": [["1", 0]]}
    document = tangent("1", [[1, -1]], {"num": [["-1 + 1*g0", 1, known]], "den": [["1*g0", 1, None]]})
    step(log_tower(), "1*g1", document, premises=("-1 + 1*g0",))
    refused("what may be negative", log_tower(), "1*g1", document)


def test_a_slope_uses_no_premise() -> None:
    """x² − 1/2 on (−1, 1) where x ≥ 0: the slope 2x is negative on the way from −1, where the value is 1/2."""
    known = {"step": "given", "multipliers": [["1", 0]]}
    document = {
        "step": "monotone",
        "in": "x",
        "scale": [],
        "slope": {"num": [["1*g0", 1, known]]},
        "limit": {"continuous": True, "claim": NUMBER},
    }
    refused("what may be negative", tower_of(ABOUT_0), "-1/2 + 1*g0^2", document, premises=("1*g0",))


def test_a_premise_is_divided_by_what_is_positive() -> None:
    """xy ≥ 0 says x ≥ 0 where y > 0, and nothing of x where y has both signs."""
    divided = {"step": "given", "multipliers": [["1", 0, "1*g1", "1*g0"]]}
    step(tower_of(LINE, HALF), "1*g0", divided, premises=("1*g0*g1",))
    refused("divided by what may not be positive", tower_of(LINE, ABOUT_0), "1*g0", divided, premises=("1*g0*g1",))
    with pytest.raises(DescentRefused, match="not that premise"):
        step(tower_of(LINE, HALF), "-1 + 1*g0", {"step": "given", "multipliers": [["1", 0, "1*g1", "-1 + 1*g0"]]}, premises=("1*g0*g1",))


# --- claims: towers and images


def free_tower(kind: str, inner: str, ends: Any, order: int = 0) -> tuple[Tower, Any]:
    """The value of a function of x over a free tower."""
    tower = tower_of(ends)
    return tower, tower.free(kind, (read(inner), ONE), order)


def refuse(free: Tower, value: Any, document: Any, match: str, *, strict: bool = False) -> None:
    with pytest.raises(DescentRefused, match=match):
        Checker().claim(free, value, document, strict=strict)


def test_the_box_of_a_proof_contains_the_domain() -> None:
    free = tower_of(ABOUT_0)
    value = poly.generator(0), ONE
    for low, high in (("0", "1"), ("0", "oo")):
        refuse(free, value, {"tower": [["variable", "x", low, high]], "images": [None]}, "smaller than the domain")
    below = poly.scaled(poly.generator(0), -1), ONE
    refuse(free, below, {"tower": [["variable", "x", "-oo", "0"]], "images": [None]}, "smaller than the domain")
    whole = tower_of(LINE)
    refuse(whole, value, {"tower": [["variable", "x", "0", "oo"]], "images": [None]}, "smaller than the domain")
    refuse(whole, below, {"tower": [["variable", "x", "-oo", "0"]], "images": [None]}, "smaller than the domain")


def test_an_exponential_is_that_exponential() -> None:
    free, value = free_tower("exp", "1*g0", LINE)
    less = poly.plus(value[0], poly.constant(-1)), ONE
    rows = [["variable", "x", "-oo", "oo"], ["exp", "1*g0^2", "1"]]
    refuse(free, less, {"tower": rows, "images": [None, [1, [[1, 1]]]]}, "not that exponential")


def test_a_logarithm_is_that_logarithm_of_something_positive() -> None:
    free, value = free_tower("log", "1*g0", HALF)
    rows = [["variable", "x", "0", "oo"], ["log", "1 + 1*g0", "1"]]
    refuse(free, value, {"tower": rows, "images": [None, [1, [[1, 1]]]]}, "not that logarithm")
    # log of x² is twice log x where x > 0, but log x is not half of log x² where x < 0.
    free, value = free_tower("log", "1*g0", (None, Fraction(0)))
    rows = [["variable", "x", "-oo", "0"], ["log", "1*g0^2", "1"]]
    refuse(free, (value[0], ONE), {"tower": rows, "images": [None, [2, [[1, 1]]]]}, "log of what may be negative")


def test_the_argument_of_a_logarithm_is_positive() -> None:
    free, value = free_tower("log", "1*g0", ABOUT_0)
    rows = [["variable", "x", "-1", "1"], ["log", "1*g0", "1"]]
    refuse(free, value, {"tower": rows, "images": [None, [1, [[1, 1]]]]}, "a factor without a sign")
    rows = [["variable", "x", "0", "oo"], ["log", "-1*g0", "1"]]
    free, value = free_tower("log", "-1*g0", HALF)
    refuse(free, value, {"tower": rows, "images": [None, [1, [[1, 1]]]]}, "is not positive")


def test_a_root_is_the_root_that_is_not_negative() -> None:
    """The root of x² is not x where x < 0."""
    free, value = free_tower("root", "1*g0^2", (None, Fraction(0)), 2)
    negative = poly.scaled(value[0], -1), ONE
    rows = [["variable", "x", "-oo", "0"]]
    refuse(free, negative, {"tower": rows, "images": [None, ["1*g0", "1"]]}, "a root that may be negative")
    refuse(free, negative, {"tower": rows, "images": [None, ["1", "1"]]}, "not that root")
    Checker().claim(free, value, {"tower": rows, "images": [None, ["-1*g0", "1"]]}, strict=True)


def test_a_division_has_no_pole() -> None:
    free = tower_of(ABOUT_0)
    squared = poly.generator(0), poly.generator(0)
    refuse(free, squared, {"tower": [["variable", "x", "-1", "1"]], "images": [None]}, "a factor without a sign")
    free = tower_of(ABOUT_0)
    value = free.free("exp", (ONE, poly.generator(0)))
    rows = [["variable", "x", "-1", "1"], ["exp", "1", "1*g0"]]
    refuse(free, value, {"tower": rows, "images": [None, [1, [[1, 1]]]]}, "has a pole")
    rows = [["variable", "x", "-1", "1"], ["exp", "0", "1"]]
    zero = free_tower("exp", "0", ABOUT_0)
    assert zero[1] == (ONE, ONE)


def test_an_argument_of_the_free_tower_has_no_pole() -> None:
    """exp(x/x) looks like e, and is undefined at 0."""
    free = tower_of(ABOUT_0)
    value = free.free("exp", (poly.generator(0), poly.generator(0)))
    rows = [["variable", "x", "-1", "1"], ["exp", "1", "1"]]
    refuse(free, value, {"tower": rows, "images": [None, [1, [[1, 1]]]]}, "an argument with a pole")


def test_generators_speak_of_earlier_ones() -> None:
    free = tower_of(LINE)
    rows = [["variable", "x", "-oo", "oo"], ["exp", "1*g1", "1"]]
    refuse(free, (ONE, ONE), {"tower": rows, "images": [None]}, "speaks of later ones")


NORMAL = [
    ["variable", "x", "0", "oo"],
    ["exp", "1/2*g0^2", "1"],
    ["root", "2", "1", 2],
    ["pi"],
    ["root", "1*g3", "1", 2],
]


def test_the_density_is_the_density() -> None:
    free, value = free_tower("phi", "-1*g0", HALF)
    good = [*NORMAL, ["phi", "-1*g0", "1", [[[1, -1]], 2, 4]]]
    Checker().claim(free, value, {"tower": good, "images": [None, [5, 1]]}, strict=True)
    for row, match in (
        ([[[1, 1]], 2, 4], "not the density"),
        ([[[1, -1]], 4, 4], "root of 2"),
        ([[[1, -1]], 2, 2], "root of 2"),
    ):
        refuse(free, value, {"tower": [*NORMAL, ["phi", "-1*g0", "1", row]], "images": [None, [5, 1]]}, match)


def test_the_roots_of_a_density_are_square_roots() -> None:
    free, value = free_tower("phi", "-1*g0", HALF)
    for row in (["log", "2", "1"], ["root", "2", "1", 3]):
        rows = [*NORMAL[:2], row, *NORMAL[3:], ["phi", "-1*g0", "1", [[[1, -1]], 2, 4]]]
        refuse(free, value, {"tower": rows, "images": [None, [5, 1]]}, "root of 2")


def test_the_other_side_of_the_normal_distribution() -> None:
    free, value = free_tower("phi", "1*g0", HALF)
    rows = [*NORMAL, ["phi", "-1*g0", "1", [[[1, -1]], 2, 4]]]
    above = poly.minus(value[0], poly.constant(Fraction(1, 2))), ONE
    Checker().claim(free, above, {"tower": rows, "images": [None, [5, -1]]}, strict=True)
    refuse(free, above, {"tower": rows, "images": [None, [5, 1]]}, "not that argument")
    refuse(free, above, {"tower": rows, "images": [None, [5, 2]]}, "another function")


def test_a_claim_needs_its_sign() -> None:
    refuse(tower_of(HALF), (poly.scaled(poly.generator(0), -1), ONE), claim_of(HALF), "the sign is the other one")
    refuse(tower_of(HALF), ({}, ONE), claim_of(HALF), "the sign is the other one", strict=True)


# --- signs


def test_signs_on_open_ranges() -> None:
    tower = tower_of(UNIT, LINE)
    x, y = poly.generator(0), poly.generator(1)
    assert tower.sign(x) == tower.sign(poly.minus(ONE, x)) == 1
    assert tower.signs(poly.times(y, y)) == (1, False)
    assert tower.signs(poly.plus(poly.times(y, y), x)) == (1, True)
    assert tower.sign(y) is None
    assert tower.sign(poly.times(poly.times(y, y), x)) is None
    assert tower.weak_sign(poly.times(poly.times(y, y), poly.scaled(x, -1))) == -1


@pytest.mark.parametrize(
    ("text", "ends", "sign"),
    [
        ("1 + -3*g0 + 3*g0^2", UNIT, 1),
        ("1 + -3*g0 + 2*g0^2", UNIT, None),
        ("1/4 + -1*g0 + 1*g0^2", UNIT, None),
        ("-1 + 3*g0 + -3*g0^2", HALF, -1),
        ("6 + -5*g0 + 1*g0^2", HALF, None),
        ("6 + -5*g0 + 1*g0^2", (None, Fraction(2)), 1),
        ("2*g0 + -3*g0^2 + 2*g0^3", HALF, 1),
    ],
)
def test_signs_by_sturm(text: str, ends: Any, sign: int | None) -> None:
    assert tower_of(ends).sign(read(text)) == sign


def test_a_logarithm_may_be_anything() -> None:
    tower = tower_of(HALF)
    tower.add(Generator("log", (poly.generator(0), ONE)))
    assert tower.weak_sign(poly.generator(1)) is None
    tower.add(Generator("log", (poly.plus(ONE, poly.generator(0)), ONE)))
    assert tower.sign(poly.generator(2)) == 1


# --- documents that anyone may have written


def test_a_sum_of_nothing_is_not_positive() -> None:
    """x² + 0 with 0 "positive" as the sum of no parts would be x² > 0 at 0; a premise and no rest would be strict."""
    nothing = {"step": "sum", "parts": []}
    square = ["1*g0^2", {"step": "factors", "num": [["1*g0", 2, None]]}]
    step(tower_of(ABOUT_0), "1*g0^2", {"step": "sum", "parts": [["0", nothing], square]})
    refused("a sum of nothing", tower_of(ABOUT_0), "1*g0^2", {"step": "sum", "parts": [["0", nothing], square]}, strict=True)
    given = {"step": "given", "multipliers": [["1", 0]], "rest": nothing}
    step(tower_of(LINE), "1*g0", given, premises=("1*g0",))
    refused("a sum of nothing", tower_of(LINE), "1*g0", given, strict=True, premises=("1*g0",))


def test_generators_are_not_counted_from_the_end() -> None:
    """exp(x) is not generator −1: as a position it is the last one, as a polynomial it was the first, so x ≥ 0 stood for exp(x) ≥ 0."""
    free = Tower()
    free.free("exp", free.variable("x", LINE))
    tower = [["variable", "x", "-oo", "oo"], ["exp", "1*g0", "1"]]
    by = {"num": [["1*g1", 1, None]]}
    document = {"tower": tower, "images": [None, [1, [[1, 1]]]], "by": by}
    Checker().claim(free, (poly.generator(1), ONE), document, strict=True)
    with pytest.raises(DescentRefused, match="negative number"):
        Checker().claim(free, (poly.generator(1), ONE), {**document, "images": [None, [1, [[-1, 1]]]]}, strict=True)


def test_numbers_have_no_powers_of_ten() -> None:
    """A split at 1e999999999 would take all the memory."""
    document = {"step": "split", "in": "x", "at": "1e999999999", "claims": []}
    refused("text of a rational number", tower_of(LINE), "1*g0", document)


def test_coefficients_do_not_grow_without_end() -> None:
    """The text of (1 + 99…9·x)^400 is short; its coefficients have up to 80,000 digits, and products of them would take minutes."""
    long = "1 + " + "9" * 200 + "*g0"
    refused("long coefficients", tower_of(HALF), "1*g0", {"step": "factors", "num": [[long, 400, None]]})
    refused("long coefficients", tower_of(HALF), "1*g0", {"step": "factors", "num": [["9" * 4000 + "/7*g0", 400, None]]})
    number = read("9" * 100)
    assert poly.times(number, number) == poly.constant(int("9" * 100) ** 2)


def test_a_product_has_no_more_factors_than_a_tower_has_generators() -> None:
    tower = tower_of(HALF)
    with pytest.raises(DescentRefused, match="too many factors"):
        tower.power_product([(0, 1)] * 121)


def test_a_tower_of_constants_takes_no_exponential_time() -> None:
    """Each generator speaks of the two before it; walking down all ways would take 2^60 steps."""
    rows: list[Any] = [["exp", "-1", "1"], ["exp", "-1/2", "1"]]
    rows += [["exp", f"-1/8*g{i} + -1/8*g{i + 1}", "1"] for i in range(80)]
    tower = Checker().tower(rows, {})
    assert tower.ranges[-1][1] is not None
    assert not tower.varies_with(81, 0)


def test_a_generator_beyond_all_towers() -> None:
    """A monomial takes room for all generators up to its last one."""
    with pytest.raises(DescentRefused, match="beyond"):
        read("1*g9999")
    assert read("1*g2 + -1*g2 + 1/2 + 1/2") == ONE
