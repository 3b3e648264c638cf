"""A sampled or composed quantity as the query of its number, with expressions for what moves; `recheck.leaves` says how it is read."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import sympy

from dpbounds.language import functions


def query_of(node: functions.PrivacyQuantity, text_of: Callable[[Any], str]) -> str | None:
    """The text of the query that a quantity asks for, or None where there is none.

    Args:
        node: the quantity.
        text_of: writes an expression in the notation of covers.
    """
    if isinstance(node, (functions.SampledGaussianDelta, functions.SubstituteGaussianDelta)):
        if not node.args[3].is_Integer:
            return None
        both = ("substitute", "symmetric") if isinstance(node, functions.SubstituteGaussianDelta) else ("", node.direction)
        return _query("delta", node.args[0], [_sampled(node, int(node.args[3]), text_of)], *both, "mechanism", text_of)
    if isinstance(node, (functions.SampledGaussianRenyi, functions.SampledGaussianMoment)):
        kind = "moment" if isinstance(node, functions.SampledGaussianMoment) else "rdp"
        return _query(kind, node.args[0], [_sampled(node, 1, text_of)], "", node.direction, "mechanism", text_of)
    if isinstance(node, (functions.MechanismDelta, functions.MechanismRenyi)):
        direction, relation, guarantee = node.reading
        kind = "delta" if isinstance(node, functions.MechanismDelta) else "rdp"
        parts = [{"steps": 1, "sampling": "poisson" if "q" in part else "none", **part} for part in node.parts]
        return _query(kind, node.args[0], parts, relation, "symmetric" if relation == "substitute" else direction, guarantee, text_of)
    return None


def _sampled(node: functions.PrivacyQuantity, steps: int, text_of: Callable[[Any], str]) -> dict[str, Any]:
    sigma, q = map(text_of, node.args[1:3])
    return {"sigma": f"@{sigma}", "sampling": "poisson", "q": f"@{q}", "steps": steps}


def _query(
    kind: str, order: Any, parts: list[dict[str, Any]], relation: str, direction: str, guarantee: str, text_of: Callable[[Any], str]
) -> str:
    name = "epsilon" if kind == "delta" else "alpha"
    written = [{key: _value(value, text_of) if isinstance(value, sympy.Expr) else value for key, value in part.items()} for part in parts]
    asked = {"quantity": kind, name: text_of(order), "mechanism": written}
    return json.dumps(asked | {"relation": relation or "add-or-remove", "direction": direction, "guarantee": guarantee})


def _value(value: sympy.Expr, text_of: Callable[[Any], str]) -> str | int:
    """A parameter: a number as it is, and what moves with its mark."""
    if value.is_Integer:
        return int(value)
    return str(value) if value.is_Rational else f"@{text_of(value)}"
