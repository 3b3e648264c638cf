"""What a claim file is written in: variables, functions and quantities as terms that evaluate nothing, sources and evidence.

from dpbounds.notation import *
"""

from __future__ import annotations

from functools import wraps
from typing import Any

from dpbounds.claims import (
    ASSUMED, FAILS, HOLDS, OPEN, Boxes, Citation, Claim, Counterexample, Identity, Mutant, OrderRange, Proof, Search, Source,
)  # fmt: skip
from dpbounds.claims import mechanism_delta as _mechanism_delta
from dpbounds.claims import mechanism_renyi as _mechanism_renyi
from dpbounds.claims.source import claim
from dpbounds.language.typed.bridge import from_sympy, to_sympy
from dpbounds.language.functions import argmax, argmin
from dpbounds.logic.gaussian_family import (
    contracted_mu, gaussian_dp_delta, gaussian_tradeoff, hidden_state_mu, permute_and_flip_delta, projected_mu, range_bounded_delta,
)  # fmt: skip
from dpbounds.logic.laws import laws
from dpbounds.logic.notation import (
    Abs, And, E, Eq, ForAll, Function, GaussianDelta, GaussianRenyi, Ge, Gt, HockeyStick, Implies, IndexedBase, Infimum, Integer,
    Integral, KLDivergence, Lambda, Le, LossTail, Lt, Max, Min, MomentConstant, Ne, NormalCDF, NormalQuantile, Not, Or, Piecewise,
    Rational, RenyiDivergence, RenyiMoment, S, SampledGaussianDelta, SampledGaussianMoment, SampledGaussianRenyi,
    SubstituteGaussianDelta, Sum, Supremum, Symbol, Tuple, bernoulli, binomial, ceiling, cosh, erf, erfc, exp, factorial, family, floor,
    for_each, gamma, index, integer, laplace_density, log, mixture, nonnegative, normal_density, oo, pi, positive, positive_integer,
    real, sinh, sqrt, sums_to_one, tanh, true,
)  # fmt: skip
from dpbounds.logic.terms import as_written, term
from dpbounds.prover import derive, rules


@wraps(_mechanism_delta)
def mechanism_delta(*given: Any, **part: Any) -> Any:
    """δ(ε) of a mechanism, as a term.

    >>> mechanism_delta(sigma=2, epsilon=1, steps=3)
    MechanismDelta(1, '[{"sigma": 2, "steps": 3}]', 'worst')
    """
    return term(_mechanism_delta(*given, **part))


@wraps(_mechanism_renyi)
def mechanism_renyi(*given: Any, **part: Any) -> Any:
    """D_α of a mechanism, as a term.

    >>> mechanism_renyi(sigma=2, alpha=3)
    MechanismRenyi(3, '[{"sigma": 2}]', 'worst')
    """
    return term(_mechanism_renyi(*given, **part))


def diff(expression: Any, *variables: Any) -> Any:
    """A derivative that sympy computes; what it gives is read back, and is what the claim states.

    >>> x = real("x")
    >>> diff(x**3, x)
    3*x**2
    """
    import sympy

    return from_sympy(sympy.diff(to_sympy(expression), *map(to_sympy, variables)))


__all__ = [name for name in dir() if not name.startswith("_") and name not in ("annotations", "Any", "term", "wraps")]
