"""Which rule made a fact, with which arguments: recorded while derivations are built, for whoever writes documents from them."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from dpbounds.language.bridge import to_sympy
from dpbounds.prover import rules
from dpbounds.prover.facts import Fact


@dataclass(frozen=True)
class RuleUse:
    """One use of a rule."""

    rule: str
    arguments: dict[str, Any]
    fact: Fact


FROM_FILES: dict[int, RuleUse] = {}
"""The uses of rules while claim files were read, for documents of the derivations that stand in them."""


@contextmanager
def recorded(uses: dict[int, RuleUse]) -> Iterator[None]:
    """Record every use of a rule in `uses`, by the identity of the fact that it made."""
    originals = {name: getattr(rules, name) for name in rules.__all__}

    def wrap(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        signature = inspect.signature(function)

        @functools.wraps(function)
        def call(*positional: Any, **named: Any) -> Any:
            bound = signature.bind(*positional, **named)
            bound.apply_defaults()
            for key in ("given", "using", "domain"):  # iterators are used up by the rule
                if key in bound.arguments:
                    bound.arguments[key] = tuple(bound.arguments[key])
            made = function(*bound.args, **bound.kwargs)
            if isinstance(made, Fact):
                uses[id(made)] = RuleUse(name, {key: to_sympy(value) for key, value in bound.arguments.items()}, made)
            return made

        return call

    for name, function in originals.items():
        setattr(rules, name, wrap(name, function))
    try:
        yield
    finally:
        for name, function in originals.items():
            setattr(rules, name, function)
