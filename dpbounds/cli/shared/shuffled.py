"""What the commands say of shuffled messages: known data beside the blanket, and plans."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dpbounds.errors import InputError

if TYPE_CHECKING:
    from dpbounds.mechanisms.results import PrivacyResult


def known_beside(result: PrivacyResult) -> tuple[dict[str, Any], str]:
    """What is known beside a bound: its part of the document, and its line; nothing for other results."""
    from dpbounds import accounting
    from dpbounds.mechanisms import Noise
    from dpbounds.mechanisms.formula import Known

    ask = getattr(accounting, result.quantity) if result.quantity in ("delta", "epsilon") else None
    mechanism = result.mechanism.beside if isinstance(result.mechanism, Noise) and ask is not None else None
    if mechanism is None or ask is None:
        return {}, ""
    known = ask(mechanism, result.argument[1], digits=result.digits)
    if isinstance(mechanism, Known):
        line = f"\n  {result.quantity} at least {known.lower} in {mechanism.assumes}"
        return {"known": {"lower": known.lower, "upper": known.upper}}, line
    document = known.document()
    line = f"\n  {result.quantity} in [{known.lower}, {known.upper}] for {document['data']}"
    return {name: document[name] for name in (result.quantity, "data", "adjacency")}, line


def shuffle_plan(given: dict[str, Any]) -> tuple[dict[str, Any], str]:
    """The fewest users where `--local-epsilon` is given, the largest ε₀ where `--shuffle` is.

    Raises:
        InputError: both or what belongs to another plan.
    """
    from dpbounds.planning.shuffled import fewest_users, largest_local_epsilon

    extra = [name for name in given if name not in ("epsilon", "delta", "digits", "shuffle", "local_epsilon", "answers", "others")]
    if extra:
        name = f"--{extra[0].replace('_', '-')}"
        raise InputError(f"{name} has no meaning in a plan for shuffled messages; leave it out, or leave out --shuffle and --local-epsilon")
    if "epsilon" not in given or "delta" not in given:
        raise InputError("a plan for shuffled messages needs --epsilon and --delta, such as --epsilon 0.5 --delta 1e-6")
    if "shuffle" in given and "local_epsilon" in given:
        raise InputError("give --local-epsilon to find the users, or --shuffle to find the local epsilon; got both")
    target = (given["epsilon"], given["delta"], given.get("answers", 2), given.get("others", "any"))
    if "local_epsilon" in given:
        if "digits" in given:
            raise InputError("--digits has no meaning for a number of users; drop it")
        plan = fewest_users(given["local_epsilon"], *target)
    else:
        plan = largest_local_epsilon(given["shuffle"], *target, given.get("digits", 4))
    return plan.document(), plan.text()
