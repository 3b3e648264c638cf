"""Closed forms of δ(ε) and D_α of one use of a mechanism with symbols for parameters; None where none is written here.

δ of Laplace noise: max(0, 1 − e^{(ε − 1/b)/2}); of randomized response among n answers: max(0, (e^{ε₀} − e^ε)/(n − 1 + e^{ε₀})).
Under Poisson sampling, with H_x the hockey stick of order x ≥ 1,

    H_x(qP + (1−q)Q ‖ Q) = q·H_y(P ‖ Q),                 y = (x − 1 + q)/q,
    H_x(Q ‖ qP + (1−q)Q) = (1 − x(1−q))·H_z(Q ‖ P),      z = xq/(1 − x(1−q)) where x(1−q) < 1, else 0:

take max(·, 0) of the difference of the densities and divide. Both bases are their own mirror images.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import sympy
from sympy import Expr, Max, exp, log, sqrt

from dpbounds.language.density_pairs import gaussian_delta
from dpbounds.language.substitution import relation
from dpbounds.numbers import exact

Reading = tuple[str, str, str]
_DEFAULT = ("", "mechanism")
_OF_STEPS = {"sigma", "laplace-scale", "randomized-response", "answers", "q", "steps"}
"""Keys of a specification that are understood here; with any other one nothing is said."""


def delta(epsilon: Expr, parts: Sequence[Mapping[str, Any]], reading: Reading) -> Expr | None:
    """δ(ε) of one use of Laplace noise or randomized response, Poisson-sampled or not, or of any number of uses of Gaussian noise.

    n uses of noise σ have the privacy loss of one with σ/√n.
    """
    part = single(parts, reading)
    if part is None:
        return None
    if "sigma" in part and "q" not in part:
        return gaussian_delta(epsilon, expression_in(part["sigma"]) / sqrt(expression_in(part.get("steps", 1))))
    if part.get("steps", 1) != 1:
        return None
    base, direction = _base_delta(part), reading[0]
    if base is None:
        return None
    if "q" not in part:
        return base(exp(epsilon))
    q, x = expression_in(part["q"]), exp(epsilon)
    removed = q * base((x - 1 + q) / q)
    rest = 1 - x * (1 - q)
    added = sympy.Piecewise((rest * base(x * q / rest), relation(sympy.Gt, rest, 0)), (0, True), evaluate=False)
    return removed if direction == "remove" else added if direction == "add" else Max(removed, added, evaluate=False)


def renyi(alpha: Expr, parts: Sequence[Mapping[str, Any]], reading: Reading) -> Expr | None:
    """D_α of any number of uses of Gaussian or Laplace noise or randomized response without sampling; α = 1 for the limit."""
    part = single(parts, reading)
    if part is None or "q" in part:
        return None
    steps = expression_in(part.get("steps", 1))
    if "sigma" in part:
        return steps * alpha / (2 * expression_in(part["sigma"]) ** 2)
    if "laplace-scale" in part:
        pure = 1 / expression_in(part["laplace-scale"])
        if alpha == 1:
            return steps * (pure - 1 + exp(-pure))
        moment = alpha / (2 * alpha - 1) * exp((alpha - 1) * pure) + (alpha - 1) / (2 * alpha - 1) * exp(-alpha * pure)
        return steps * log(moment) / (alpha - 1)
    if "randomized-response" in part:
        pure, others = expression_in(part["randomized-response"]), expression_in(part.get("answers", 2)) - 1
        total = exp(pure) + others
        if alpha == 1:
            return steps * pure * (exp(pure) - 1) / total
        return steps * log((exp(alpha * pure) + exp((1 - alpha) * pure) + others - 1) / total) / (alpha - 1)
    return None


def single(parts: Sequence[Mapping[str, Any]], reading: Reading) -> Mapping[str, Any] | None:
    """The one object of a specification, where everything in it is understood here."""
    return parts[0] if len(parts) == 1 and reading[1:] == _DEFAULT and set(parts[0]) <= _OF_STEPS else None


def _base_delta(part: Mapping[str, Any]) -> Callable[[Expr], Expr] | None:
    """x → H_x(P ‖ Q) of the noise, for x = e^ε ≥ 1."""
    if "laplace-scale" in part:
        scale = expression_in(part["laplace-scale"])
        return lambda x: Max(0, 1 - sqrt(x) * exp(-1 / (2 * scale)), evaluate=False)
    if "randomized-response" in part:
        likely, others = exp(expression_in(part["randomized-response"])), expression_in(part.get("answers", 2)) - 1
        return lambda x: Max(0, (likely - x) / (others + likely), evaluate=False)
    return None


def expression_in(value: Any) -> Expr:
    """An entry of a specification: an expression, or the text of a number."""
    if isinstance(value, Expr):
        return value
    return exact.to_sympy(exact.number(value))
