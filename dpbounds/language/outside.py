"""What statements may not contain, and the way round it: the end of the message that refuses it."""

from __future__ import annotations

from typing import Any

import sympy
from sympy.core.function import AppliedUndef

_WAYS: tuple[tuple[tuple[Any, ...], str], ...] = (
    ((AppliedUndef,), "a function of your own is a Python function, def f(x): return ...; without a formula it takes a Proof(...)"),
    ((sympy.erfinv,), "write NormalQuantile((1 + z)/2)/sqrt(2); NormalQuantile is the inverse of NormalCDF"),
    ((sympy.erfcinv,), "write NormalQuantile(1 - z/2)/sqrt(2); NormalQuantile is the inverse of NormalCDF"),
    ((sympy.LambertW,), "put a variable w in its place, with the premise Eq(w*exp(w), x) and its range"),
    ((sympy.digamma, sympy.polygamma), "put a variable in its place, with a bound of it among the premises"),
    (
        (sympy.besseli,),
        "write Sum((x/2)**(2*k + n)/(factorial(k)*factorial(k + n)), (k, 0, oo)); a Skellam mass is exp(-a - b)*(a/b)**(n/2) times it at "
        "x = 2*sqrt(a*b)",
    ),
    (
        (sympy.sin, sympy.cos, sympy.tan, sympy.asin, sympy.acos, sympy.atan),
        "put a variable in its place, with its range among the premises",
    ),
    ((sympy.sec, sympy.csc, sympy.cot, sympy.asinh, sympy.acosh, sympy.atanh), "write it with exp, log and sqrt"),
    ((sympy.sech, sympy.csch, sympy.coth), "write it with cosh, sinh and tanh"),
    ((sympy.Derivative, sympy.Limit, sympy.Subs), "write out its value, as .doit() gives it"),
    ((sympy.Product,), "write exp(Sum(log(...), ...)), or a product of fixed length"),
    ((sympy.Heaviside, sympy.sign), "write Piecewise((value, condition), (other, True))"),
    ((sympy.loggamma,), "write log(gamma(x))"),
    ((sympy.lowergamma, sympy.uppergamma, sympy.beta, sympy.expint, sympy.Ei, sympy.li), "write it as an Integral"),
    ((sympy.zeta, sympy.harmonic), "write it as a Sum"),
    ((sympy.MatrixBase, sympy.MatrixExpr), "state it for the entries"),
    ((sympy.Sum,), "put a number, or a variable with its range, in its place"),
    ((sympy.Piecewise,), "split the integral where the branches meet"),
    ((type(sympy.I),), "statements are about real numbers"),
)


def way_round(node: Any) -> str:
    """What to write instead of a construct that is refused; empty where nothing is known.

    >>> way_round(sympy.loggamma(sympy.Symbol("p")))
    '; write log(gamma(x))'
    """
    return next((f"; {way}" for kinds, way in _WAYS if isinstance(node, kinds)), "")


_MEANT = {
    **dict.fromkeys(("inf", "infinity", "Infinity"), "oo"),
    "ln": "log",
    "Phi": "NormalCDF",
    **dict.fromkeys(("diff", "limit"), ""),
    **dict.fromkeys(("betainc", "binomial_tail", "binom_sf"), "Sum(binomial(n, k)*p**k*(1 - p)**(n - k), (k, m, n))"),
    **dict.fromkeys(("poisson_tail", "gammaincc"), "1 - Sum(exp(-a)*a**k/factorial(k), (k, 0, n)), or the sum itself"),
    "log1p": "log(1 + x)",
    "expm1": "exp(x) - 1",
    "log2": "log(x)/log(2)",
    "logit": "log(p/(1 - p))",
    "sigmoid": "1/(1 + exp(-x))",
}
"""Names that people write, and the notation for them; a derivative and a limit have none."""


def way_round_name(name: str) -> str:
    """What to write instead of a name that the notation does not have; empty where nothing is known.

    >>> way_round_name("infinity"), way_round_name("sin")
    ('; write oo', '; it is not part of the claim language: put a variable in its place, with its range among the premises')
    """
    if instead := _MEANT.get(name):
        return f"; write {instead}"
    thing = sympy.Derivative if name in _MEANT else getattr(sympy, name, None)
    if not isinstance(thing, type):
        return ""
    return next((f"; it is not part of the claim language: {way}" for kinds, way in _WAYS if issubclass(thing, kinds)), "")
