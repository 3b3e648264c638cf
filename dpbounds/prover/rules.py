"""Every rule, in one place to import from; each takes terms where it takes sympy's expressions, and its fact keeps what it was given.

`le`, `lt` and `eq` of terms are terms.
"""

import inspect
from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from typing import Any

from dpbounds.errors import DerivationError
from dpbounds.language.typed.bridge import takes_terms
from dpbounds.logic.notation import Eq, Le, Lt
from dpbounds.logic.terms import Term
from dpbounds.prover.facts import Fact
from dpbounds.prover.rules_algebra import branch, definition, equality, power_step, restate
from dpbounds.prover.rules_calculus import convex_tangent, integral, integral_of_sum, integral_split, integrate_termwise, minimum
from dpbounds.prover.rules_integrals import integrate_mirrored, reflect_integral, rescale_integral
from dpbounds.prover.rules_logic import assume, cases, conjunct, conjunction, discharge, generalize, hypothesis, instance, specialize
from dpbounds.prover.rules_order import (
    add,
    apply,
    below_maximum,
    chain,
    eq,
    le,
    least,
    lt,
    maximum,
    multiply,
    nonnegative,
    positive,
    scale,
    sign,
    triangle,
)
from dpbounds.prover.rules_sums import (
    absorption,
    binomial_theorem,
    bound_extremum,
    exponential_extremum,
    first_term,
    induction,
    infimum,
    rewrite_extremum,
    scale_extremum,
    shift_index,
    sum_split,
    sum_termwise,
    supremum,
)

__all__ = [
    "absorption",
    "add",
    "apply",
    "assume",
    "below_maximum",
    "binomial_theorem",
    "bound_extremum",
    "branch",
    "cases",
    "chain",
    "conjunction",
    "convex_tangent",
    "definition",
    "discharge",
    "eq",
    "equality",
    "exponential_extremum",
    "first_term",
    "generalize",
    "hypothesis",
    "induction",
    "infimum",
    "instance",
    "integral",
    "integral_of_sum",
    "integral_split",
    "integrate_mirrored",
    "integrate_termwise",
    "le",
    "least",
    "lt",
    "maximum",
    "minimum",
    "multiply",
    "nonnegative",
    "conjunct",
    "positive",
    "power_step",
    "reflect_integral",
    "rescale_integral",
    "restate",
    "rewrite_extremum",
    "scale",
    "scale_extremum",
    "shift_index",
    "sign",
    "specialize",
    "sum_split",
    "sum_termwise",
    "supremum",
    "triangle",
]


def _relation(typed: Callable[..., Any], plain: Callable[..., Any]) -> Callable[..., Any]:
    """A relation of terms as a term, of sympy's expressions as sympy's."""

    @wraps(plain)
    def relate(left: Any, right: Any) -> Any:
        return typed(left, right) if isinstance(left, Term) or isinstance(right, Term) else plain(left, right)

    return relate


def _keeping(function: Callable[..., Any]) -> Callable[..., Any]:
    """A rule whose facts keep what it was given, for whoever writes their document."""
    signature = inspect.signature(function)

    @wraps(function)
    def call(*positional: Any, **named: Any) -> Any:
        bound = signature.bind(*positional, **named)
        bound.apply_defaults()
        for key, part in signature.parameters.items():
            facts = bound.arguments[key] if part.kind is part.VAR_POSITIONAL else (bound.arguments[key],)
            if part.annotation == "Fact" and not all(isinstance(fact, Fact) for fact in facts):
                raise DerivationError(f"{function.__name__}: a premise is no fact")
        for key in ("given", "using", "domain"):  # iterators are used up by the rule
            if key in bound.arguments:
                bound.arguments[key] = tuple(bound.arguments[key])
        made = function(*bound.args, **bound.kwargs)
        return replace(made, arguments=bound.arguments) if isinstance(made, Fact) else made

    return call


for _name in __all__:
    globals()[_name] = takes_terms(_keeping(globals()[_name]))
le, lt, eq = (_relation(*pair) for pair in ((Le, le), (Lt, lt), (Eq, eq)))
