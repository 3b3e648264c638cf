"""Beside the privacy blanket of shuffled messages: the value for known data of the others, which bounds it from below."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dpbounds.mechanisms.results import PrivacyResult


def known_beside(result: PrivacyResult) -> tuple[dict[str, Any], str]:
    """What a blanket's document and text say besides; nothing for other results."""
    from dpbounds import accounting
    from dpbounds.shuffle.mechanism import ANY, Shuffled

    mechanism, ask = result.mechanism, {"delta": accounting.delta, "epsilon": accounting.epsilon}.get(result.quantity)
    if not isinstance(mechanism, Shuffled) or mechanism.others != ANY or mechanism.randomizer != "response" or ask is None:
        return {}, ""
    known = ask(Shuffled(mechanism.users, mechanism.parameter, mechanism.answers), result.argument[1], digits=result.digits)
    document = known.document()
    line = f"\n  {result.quantity} in [{known.lower}, {known.upper}] for {document['data']}"
    return {name: document[name] for name in (result.quantity, "data", "adjacency")}, line
