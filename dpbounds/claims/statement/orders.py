"""Statements that bound the divergence of the sampled Gaussian on a range of orders."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

import sympy

from dpbounds.errors import LanguageError
from dpbounds.language.functions import SampledGaussianRenyi


def bound_on_orders(then: Any, constraints: Sequence[Any]) -> dict[str, Any]:
    """Read a statement as a bound on a range of orders: `bound`, `least_sigma`, `least_inverse`, `slack`, and whether a record is added.

    The statement must be `SampledGaussianRenyi(α, σ, q, direction) <= κ·α·q²/σ²` in positive symbols α, σ and q, and the premises must
    contain `σ >= σ₀`, `q <= 1/(m·σ)`, `α > 1` and `α <= σ²·log(1/(qσ)) + c`. Further premises only make the domain smaller.

    Raises:
        LanguageError: another form.
    """
    small, large = (then.lts, then.gts) if isinstance(then, (sympy.Le, sympy.Ge)) else (None, None)
    if not isinstance(small, SampledGaussianRenyi) or not all(isinstance(a, sympy.Symbol) and a.is_positive for a in small.args[:3]):
        raise LanguageError("a range of orders needs SampledGaussianRenyi(alpha, sigma, q) of three positive symbols on the small side")
    alpha, sigma, q = small.args[:3]
    if sympy.Gt(alpha, 1) not in constraints and sympy.Lt(1, alpha) not in constraints:
        raise LanguageError(f"a range of orders needs the premise {alpha} > 1")
    orders = [(c.lts, c.gts) for c in constraints if isinstance(c, (sympy.Le, sympy.Lt, sympy.Ge, sympy.Gt))]
    uppers = {symbol: [high for low, high in orders if low == symbol] for symbol in (alpha, q)}
    logs = sigma**2 * sympy.log(1 / (q * sigma))
    return {
        "bound": _first("a bound kappa alpha q^2/sigma^2", [large * sigma**2 / (alpha * q**2)]),
        "least_sigma": _first("sigma >= a number", (low for low, high in orders if high == sigma)),
        "least_inverse": _first("q <= 1/(m sigma)", (1 / (high * sigma) for high in uppers[q])),
        "slack": _first("alpha <= sigma^2 log(1/(q sigma)) + c", (high - logs for high in uppers[alpha])),
        "add": str(small.direction) == "add",
    }


def _first(what: str, candidates: Iterable[Any]) -> Fraction:
    """The first candidate that is a rational number once simplified."""
    for candidate in candidates:
        value = sympy.expand(sympy.expand_log(sympy.sympify(candidate)))
        if not value.is_Rational:
            value = sympy.cancel(value) if not value.has(sympy.log) else value
        if value.is_Rational and value != 0 or value == 0 and what.startswith("alpha"):
            return Fraction(int(value.p), int(value.q))
    raise LanguageError(f"a range of orders needs {what}")
