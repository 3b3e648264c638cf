"""What the commands say of shuffled messages: known data beside the blanket, plans, and verdicts on statements."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from dpbounds.errors import InputError

if TYPE_CHECKING:
    from dpbounds.mechanisms.results import PrivacyResult

_DIGITS = 12
_OPTIONS = (
    ("shuffle", "N", "Shuffled randomized responses of N users; one user's input changes."),
    ("local-epsilon", "E", "Their pure epsilon; with --epsilon and --delta, `plan` finds the fewest users."),
    ("answers", "K", "Symbols of randomized response; default 2."),
)


def known_beside(result: PrivacyResult) -> tuple[dict[str, Any], str]:
    """What is known beside a bound: its part of the document, and its line; nothing for other results."""
    from dpbounds import accounting
    from dpbounds.mechanisms import Noise
    from dpbounds.mechanisms.formula import Known

    ask = {"delta": accounting.delta, "epsilon": accounting.epsilon}.get(result.quantity)
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


def shuffle_options(command: Any) -> Any:
    """`--shuffle` and what goes with it, for `plan` and `verify`."""
    for name, metavar, text in reversed(_OPTIONS):
        command = click.option(f"--{name}", metavar=metavar, help=text)(command)
    return command


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


def shuffle_judgement(given: dict[str, str]) -> tuple[dict[str, Any], str, int]:
    """What `verify` says of shuffled randomized responses: document, text and exit code.

    HOLDS where the blanket is at most δ; REFUTED where some known data of the others have more; else UNDECIDED.

    Raises:
        InputError: what is missing, or belongs to another statement.
    """
    from dpbounds import accounting
    from dpbounds.numbers import exact
    from dpbounds.numbers.domains import delta_between
    from dpbounds.shuffle.mechanism import ANY, Shuffled
    from dpbounds.verify.verdict import StatementVerdict, exit_code_of

    extra = [name for name in given if name not in ("epsilon", "delta", "shuffle", "local-epsilon", "answers", "source")]
    if extra:
        raise InputError(f"--{extra[0]} has no meaning in a statement about shuffled messages; leave it out, or leave out --shuffle")
    missing = [f"--{name}" for name in ("shuffle", "local-epsilon", "epsilon", "delta") if name not in given]
    if missing:
        raise InputError(f"a statement about shuffled messages needs {', '.join(missing)}")
    who = (given["shuffle"], given["local-epsilon"], given.get("answers", 2))
    chance = exact.rational(delta_between(given["delta"]))
    known, bound = (accounting.delta(Shuffled(*who, *others), given["epsilon"], digits=_DIGITS) for others in ((), (ANY,)))
    verdict = StatementVerdict.UNDECIDED
    if bound.enclosure.upper <= chance:
        verdict = StatementVerdict.HOLDS
    elif known.enclosure.lower > chance:
        verdict = StatementVerdict.REFUTED
    found = known.document()
    claim = {name: exact.text(value) for name, value in (("epsilon", known.argument[1]), ("delta", chance))}
    document = {"schema": found["schema"], "verdict": verdict.value, "claim": claim, "bound": bound.document()["bound"]}
    document |= {name: found[name] for name in ("delta", "data", "adjacency")} | {"inputs": {"mechanism": found["inputs"]["mechanism"]}}
    text = (
        f"{verdict.value}  shuffled messages are ({claim['epsilon']}, {claim['delta']})-DP when one user's input changes",
        f"  delta in [{known.lower}, {known.upper}] for {document['data']}",
        f"  at most {bound.upper} for all data of the others: the privacy blanket",
    )
    return document, "\n".join(text), exit_code_of([verdict])
