"""δ(ε) and D_α of mechanisms inside statements, with symbols for the parameters in which privacy is monotone.

A pair names its real parameters and says for each whether a larger value is more private (`mechanisms.registry`; the proofs stand in
`accounting.irrational` and docs/monotonicity.md). So on a box the quantity lies between its values at two corners: all parameters at their
most private ends, and all at their least private ones. A new mechanism needs nothing here.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from fractions import Fraction
from functools import lru_cache
from typing import Any

import sympy

from dpbounds.errors import InputError, PrecisionError, did_you_mean
from dpbounds.language import functions
from dpbounds.language.enclose import from_zero
from dpbounds.language.typed.bridge import from_sympy, to_sympy
from dpbounds.logic.terms import Term, node, term
from dpbounds.mechanisms import Direction, Guarantee, Mechanism, Relation
from dpbounds.mechanisms.pairs import dominating_pairs
from dpbounds.mechanisms.registry import readable_parameters
from dpbounds.mechanisms.specs import keys, mechanism_to_spec, spec_to_mechanism
from dpbounds.numbers import balls, exact
from dpbounds.numbers.balls import Ball, Enclosure

_LARGEST_DIGITS, _FEWEST_DIGITS = 60, 5
_SAMPLES = (Fraction(1, 4), Fraction(1, 2))
"""Values in the range of every real parameter, for which pairs are compared to learn what a parameter is of a pair."""
_WHOLE = ("steps", "epochs")
_RATE = "q"
_SAMPLING = (_RATE, "sampling", "population", "batch-size", "steps", "bins", "epochs", "participations")
_RUN = ("records", "batch", "rounding", "library")

Ends = Sequence[Enclosure]


def mechanism_delta(
    epsilon: Any,
    mechanism: Mechanism | Sequence[Mapping[str, Any]] | None = None,
    direction: str = "worst",
    *,
    relation: str | None = None,
    guarantee: str = "mechanism",
    **part: Any,
) -> Any:
    """δ(ε) of a mechanism as a quantity of a statement.

    Args:
        epsilon: ε ≥ 0, an expression.
        mechanism: a mechanism, or a specification whose values may be expressions; not needed where `part` gives the parameters.
        direction: "remove", "add" or "worst".
        relation: neighbouring relation; None for the mechanism's default.
        guarantee: "pair" for a published pair that is no guarantee of the mechanism.
        **part: one object of a specification by keywords, such as `laplace_scale=b, q=q, steps=10`; values may be expressions.

    Raises:
        InputError: no mechanism, or an expression for a parameter in which privacy is not known to be monotone.

    >>> from dpbounds.language.symbols import positive
    >>> from dpbounds.mechanisms import Gaussian
    >>> mechanism_delta(1, Gaussian(2)).args[1]
    [{"sigma": "2"}]
    >>> mechanism_delta(1, laplace_scale=positive("b"), q="0.01").args[1:]
    ([{"laplace-scale": "@0", "q": "0.01"}], worst, b)
    """
    return _quantity("MechanismDelta", epsilon, mechanism, part, direction, relation, guarantee)


def mechanism_renyi(
    alpha: Any,
    mechanism: Mechanism | Sequence[Mapping[str, Any]] | None = None,
    direction: str = "worst",
    *,
    relation: str | None = None,
    guarantee: str = "mechanism",
    **part: Any,
) -> Any:
    """D_α of a mechanism as a quantity of a statement; α = 1 is Kullback–Leibler. Arguments as in `mechanism_delta`.

    >>> from dpbounds.language.symbols import positive
    >>> mechanism_renyi(2, sigma=positive("sigma"), steps=3).elementary()
    3/sigma**2
    """
    return _quantity("MechanismRenyi", alpha, mechanism, part, direction, relation, guarantee)


# --- writing -------------------------------------------------------------------------------------------------------


def _quantity(name: str, order: Any, mechanism: Any, part: Mapping[str, Any], *asked: Any) -> Any:
    """The quantity: a term where the order or a parameter is one, else sympy's."""
    typed: dict[Any, Term] = {}

    def plain(row: Mapping[str, Any]) -> dict[str, Any]:
        typed.update({to_sympy(value): value for value in row.values() if isinstance(value, Term)})
        return {key: to_sympy(value) for key, value in row.items()}

    parts = [plain(row) for row in mechanism] if isinstance(mechanism, (list, tuple)) else mechanism
    specification, reading, *parameters = _arguments(parts, plain(part), *asked)
    if typed or isinstance(order, Term):
        return node(name, term(order), *(typed.get(p) or from_sympy(p) for p in parameters), data=(specification, reading))
    return getattr(functions, name)(order, specification, reading, *parameters)


def _arguments(
    mechanism: Mechanism | Sequence[Mapping[str, Any]] | None, part: Mapping[str, Any], direction: str, relation: str | None, guarantee: str
) -> tuple[Any, ...]:
    """Specification, reading and parameters of a quantity."""
    if (mechanism is None) == (not part):
        raise InputError("give a mechanism, or its parameters by name, such as laplace_scale=b, q=q; not both")
    reading = Direction(direction).value
    if relation is not None or Guarantee(guarantee) is not Guarantee.MECHANISM:
        reading = "/".join([reading, "" if relation is None else Relation(relation).value, Guarantee(guarantee).value])
    specification, parameters = _written(mechanism if mechanism is not None else [part])
    sample = [{key: _plain(key, value) for key, value in row.items()} for row in json.loads(specification)]
    try:
        dominating_pairs(spec_to_mechanism(sample), *_asked(reading))  # what has no dominating pair is refused here, by name
    except InputError as error:
        raise InputError(re.sub(r"--(\w+) ([\w-]+)", r'\1="\2"', str(error))) from error
    return specification, reading, *parameters


def _written(mechanism: Any) -> tuple[str, tuple[sympy.Expr, ...]]:
    """The JSON text of a mechanism, with "@0", "@1", … for what is no number, and those expressions."""
    parts = mechanism if isinstance(mechanism, (list, tuple)) else mechanism_to_spec(mechanism)
    parameters: dict[sympy.Expr, str] = {}
    rows = []
    for part in parts:
        row: dict[str, Any] = {}
        run = [key for key in _RUN if key in part]
        if run or ("epochs" in part and part.get("sampling") != "random-allocation"):
            # steps would depend on q through a rounding, which the corners of a box do not follow
            got = (run or ["epochs"])[0]
            raise InputError(f"a claim takes q and steps, or bins and epochs of random allocation, got {got}; work them out")
        for name, value in part.items():
            key = name.replace("_", "-")
            if isinstance(value, sympy.Expr) and value.free_symbols:
                _require_monotone(key, part)
                row[key] = parameters.setdefault(value, f"@{len(parameters)}")
            elif isinstance(value, str) and value.startswith("@"):
                raise InputError(f"{key} must be a number or an expression, got {value!r}")
            elif (key, value) != ("steps", 1):
                row[key] = exact.text(exact.number(value, key)) if isinstance(value, (sympy.Expr, Fraction)) else value
        rows.append(row)
    return json.dumps(rows, default=str), tuple(parameters)


def _require_monotone(key: str, part: Mapping[str, Any]) -> None:
    if key in _WHOLE or key == _RATE:
        return
    if key not in readable_parameters():
        if key not in keys():
            raise InputError(f"no mechanism has a parameter {key}{did_you_mean(key, keys()) or '; the names are ' + ', '.join(keys())}")
        raise InputError(f"{key} cannot be an expression here; the real parameters of a noise, {_RATE} and steps can")
    _is_more_private(json.dumps([{name.replace("_", "-"): _sample(value) for name, value in part.items() if name not in _WHOLE}]), key)


def _sample(value: Any) -> str:
    return str(_SAMPLES[0]) if isinstance(value, sympy.Expr) and value.free_symbols else str(value)


@lru_cache(maxsize=256)
def _is_more_private(specification: str, key: str) -> bool:
    """Whether a larger value of a parameter is more private, read off the pair of two mechanisms that differ in it alone.

    Raises:
        InputError: the pair does not say so.
    """
    part = {name: value for name, value in json.loads(specification)[0].items() if name not in _SAMPLING}
    pairs = [spec_to_mechanism([{**part, key: str(value)}]) for value in _SAMPLES]
    low, high = (dominating_pairs(mechanism)[0].factors[0].pair for mechanism in pairs)
    changed = [field.name for field in fields(low) if getattr(low, field.name) != getattr(high, field.name)]
    if len(changed) == 1 and changed[0] in low.parameters:
        rises = getattr(low, changed[0]) < getattr(high, changed[0])
        return bool(low.parameters[changed[0]] == rises)
    raise InputError(f"{key} must be a number: it is not known that the privacy of {type(low).__name__} is monotone in it")


# --- reading -------------------------------------------------------------------------------------------------------


def _pairs(specification: str, reading: str, ends: Ends, *, private: bool) -> tuple[Any, ...]:
    """The products at the corner where all parameters are most private, or all least; empty where nothing is released there."""
    rows = []
    for part in json.loads(specification):
        row = dict(part)
        for key, value in part.items():
            if isinstance(value, str) and value.startswith("@"):
                row[key] = _end(part, key, ends[int(value[1:])], private=private)
        if row.get(_RATE) != "0" and row.get("steps") != 0:
            rows.append(row)
    if not rows:
        return ()
    return dominating_pairs(spec_to_mechanism(rows), *_asked(reading))


def _asked(reading: str) -> tuple[str | None, str, str]:
    """Relation, direction and guarantee."""
    direction, relation, guarantee = ([*reading.split("/"), "", ""])[:3]
    return relation or None, direction, guarantee or Guarantee.MECHANISM.value


def _end(part: Mapping[str, Any], key: str, ends: Enclosure, *, private: bool) -> Any:
    """The end of a range at which a parameter is more private, or less, cut to the range that the parameter can have."""
    low, high = ends.lower, ends.upper
    if key in _WHOLE:
        # The number is whole, so that the whole numbers of the range are all that counts.
        first, last = (math.ceil(low) if isinstance(low, Fraction) else 0), (math.floor(high) if isinstance(high, Fraction) else None)
        if last is None or first > last:
            raise PrecisionError(f"{key} has no end")
        return max(0, first) if private else last
    larger = key != _RATE and _is_more_private(json.dumps([{name: _plain(name, value) for name, value in part.items()}]), key)
    value = high if private == larger else low
    if not isinstance(value, Fraction):
        raise PrecisionError(f"{key} has no end")
    return exact.text(min(max(value, Fraction(0)), Fraction(1)) if key == _RATE else value)


def _plain(key: str, value: Any) -> Any:
    """A value for which a mechanism can be built."""
    if not (isinstance(value, str) and value.startswith("@")):
        return value
    return 1 if key in _WHOLE else str(_SAMPLES[0])


def enclose_delta(epsilon: Ball, specification: Any, reading: Any, *parameters: Ball) -> Ball:
    """δ on a box: it does not increase in ε (docs/monotonicity.md, Lemma 5), nor in what makes the mechanism more private."""
    own, ends = Enclosure.of_ball(epsilon), [Enclosure.of_ball(value) for value in parameters]
    if not own.lower >= 0 or not isinstance(own.upper, Fraction):
        return Ball.nan()
    digits = _digits([own, *ends])

    def value_at(value: Any, *, private: bool) -> Enclosure:
        return _delta(_pairs(str(specification), str(reading), ends, private=private), value, digits)

    return _between(value_at, own.upper, own.lower, [own, *ends], most=Ball(1))


def enclose_renyi(alpha: Ball, specification: Any, reading: Any, *parameters: Ball) -> Ball:
    """D_α on a box: it does not decrease in α (docs/monotonicity.md, Lemma 1), nor in what makes the mechanism less private."""
    own, ends = Enclosure.of_ball(alpha), [Enclosure.of_ball(value) for value in parameters]
    if not own.lower >= 1 or not isinstance(own.upper, Fraction):
        return Ball.nan()
    digits = _digits([own, *ends])

    def value_at(value: Any, *, private: bool) -> Enclosure:
        return _renyi(_pairs(str(specification), str(reading), ends, private=private), value, digits)

    return _between(value_at, own.lower, own.upper, [own, *ends], most=None)


def _between(value_at: Callable[..., Enclosure], private: Any, leaky: Any, ends: Ends, *, most: Ball | None) -> Ball:
    """From the most private corner to the least private one; a corner without a value leaves 0, or the largest value there is."""
    if all(end.is_exact for end in ends):
        try:
            return value_at(private, private=True).ball()
        except (PrecisionError, InputError):
            return Ball.nan()
    try:
        low = value_at(private, private=True).low.max(Ball(0))
    except (PrecisionError, InputError):
        low = Ball(0)
    try:
        high = value_at(leaky, private=False).high
    except (PrecisionError, InputError):
        if most is None:
            return Ball.nan()
        high = most
    high = high if most is None else high.min(most)
    whole = low.union(high)
    return whole if whole >= 0 else from_zero(high)  # radii are rounded up


@lru_cache(maxsize=4096)
def _delta(products: tuple[Any, ...], epsilon: Fraction, digits: int) -> Enclosure:
    from dpbounds.accounting.evaluate import evaluate

    found = [evaluate(product, epsilon, digits + 1)[0] for product in products]
    return _largest(found)


@lru_cache(maxsize=4096)
def _renyi(products: tuple[Any, ...], alpha: Fraction, digits: int) -> Enclosure:
    from dpbounds.renyi.solve import divergence

    bits = balls.bits_for(digits + 1, 10)
    found = []
    for product in products:
        with balls.precision(bits + 64):
            parts = (factor.steps * divergence(factor.pair, alpha - 1, bits, reversed=factor.reversed) for factor in product.factors)
            found.append(Enclosure.of_ball(sum(parts, Ball(0))))
    return _largest(found)


def _largest(found: Sequence[Enclosure]) -> Enclosure:
    """The larger of the directions; 0 where nothing is released."""
    best = Enclosure.of_ball(Ball(0))
    for value in found:
        best = best.maximum(value)
    return best


def _digits(ends: Ends) -> int:
    """As many as the working precision holds; on a box no more than its width lets anybody see."""
    most = min(_LARGEST_DIGITS, int(balls.working_bits() / balls.BITS_PER_DIGIT) - 5)
    widths = [float(end.upper - end.lower) / max(abs(float(end.upper)), 1e-6) for end in ends if not end.is_exact]
    seen = int(2 - math.log10(max(widths))) if widths and max(widths) > 0 else most
    return max(_FEWEST_DIGITS, min(most, seen))
