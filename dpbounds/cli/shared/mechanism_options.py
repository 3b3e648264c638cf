"""The MECHANISM part of the command line, shared by `delta`, `epsilon`, `rdp`, `tradeoff`, `pmf` and `plan`."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click

from dpbounds.errors import InputError
from dpbounds.files import read_text, write_output
from dpbounds.mechanisms.libraries import RELATION
from dpbounds.mechanisms.registry import readable_parameters
from dpbounds.mechanisms.training import OLDER_NAMES, run_in_steps

if TYPE_CHECKING:
    from dpbounds.mechanisms import Direction, Guarantee, Mechanism, Relation
    from dpbounds.mechanisms.results import PrivacyResult

Command = TypeVar("Command", bound=Callable[..., Any])


class Option(NamedTuple):
    """An option that takes a text: what `--help` says of it."""

    metavar: str
    help: str
    hidden: bool = False
    bare: str = ""


NOISE = {key: Option(given.metavar, given.help, bare=given.bare) for key, given in readable_parameters().items() if given.on_command_line}
RUN = {
    "sampling": Option(
        "SCHEME",
        "poisson (default where --q or --batch is given), truncated-poisson, without-replacement, with-replacement, random-allocation "
        "or none.",
    ),
    "records": Option("N", "Number of records, of which --batch are in a batch."),
    "batch": Option("B", "Records in a batch; the expected number of Poisson sampling, whose rate is B/N."),
    "q": Option("Q", "Sampling rate in [0, 1], instead of --records and --batch."),
    "epochs": Option("E", "Passes over the records, instead of --steps: E N/B steps. Random allocation: number of epochs; default 1."),
    "steps": Option("K", "Number of adaptive uses; default 1."),
    "rounding": Option("HOW", "Epochs to steps: ceil (default), floor, exact, floor-epoch or ceil-epoch."),
    "library": Option(
        "NAME",
        "opacus, tf-privacy or jax-privacy: sampling, neighbours and rounding of --records, --batch and --epochs as that library accounts "
        "for them.",
    ),
    "group": Option("G", "Poisson sampling: G records are added or removed at once, those of a user, say; default 1."),
    "batch-limit": Option("L", "Truncated Poisson sampling: a batch is cut to L of the --records at random (an upper bound)."),
    "bins": Option("T", "Random allocation: steps of an epoch, instead of --records and --batch; a record takes part in one of them."),
    "participations": Option("K", "Random allocation: a record takes part in K of the T steps (an upper bound); default 1."),
    **{name: Option("N", f"An earlier name of --{now}.", hidden=True) for name, now in OLDER_NAMES.items()},
}
"""How batches are drawn and how often: what `plan` shares."""
WHOLE = {
    "spec": Option(
        "FILE",
        "JSON list of such objects, one for each part of a composition: "
        '[{"sigma": "1.5", "q": "0.01", "steps": 500}, {"sigma": "4"}]; or the journal.jsonl of a noisy training.',
    ),
    "event": Option(
        "FILE",
        "Instead of options: a dp_accounting event (JSON, or as Python prints it), an Opacus history or state_dict, or "
        "JAX-Privacy's DpParams.",
    ),
}
QUERY = {
    "relation": Option("R", "add-or-remove or substitute; substitute is the default of the fixed-size schemes only."),
    "direction": Option("D", "add, remove or worst (default): remove = (with || without), add = (without || with)."),
    "guarantee": Option("G", "mechanism (default) or pair: the published pair, where it is no guarantee of the mechanism."),
    "digits": Option("D", "Certified significant digits; default 15, of `tradeoff` 6."),
}
SHUFFLED = {
    "shuffle": Option("N", "Shuffled randomized responses of N users; one user's input changes."),
    "local-epsilon": Option("E", "Their pure epsilon; with --epsilon and --delta, `plan` finds the fewest users."),
    "answers": Option("K", "Symbols of randomized response; default 2."),
}
"""What `plan` and `verify` share."""
MAX_DIGITS = 10_000


@dataclass(frozen=True)
class MechanismQuery:
    """What the options ask for, read and checked."""

    mechanism: Mechanism
    relation: Relation | None
    direction: Direction
    guarantee: Guarantee
    digits: int
    digits_asked: bool = True
    notes: tuple[str, ...] = ()

    @property
    def neighbours(self) -> dict[str, Any]:
        """Relation, direction and guarantee, as keyword arguments."""
        return {"relation": self.relation, "direction": self.direction, "guarantee": self.guarantee}


def text_options(*groups: Mapping[str, Option]) -> Callable[[Command], Command]:
    """Add options that take a text, in the order in which they are given; one without a metavar is a flag, and its text is "yes"."""

    def decorate(command: Command) -> Command:
        for name, option in reversed([item for group in groups for item in group.items()]):
            flag: dict[str, Any] = {} if option.metavar else {"is_flag": True, "flag_value": "yes", "default": None}
            flag |= {"is_flag": False, "flag_value": option.bare} if option.bare else {}
            metavar = option.metavar or None
            command = click.option(f"--{name}", metavar=metavar, help=option.help, hidden=option.hidden, **flag)(command)
        return command

    return decorate


def mechanism_options(command: Command) -> Command:
    """Add the options of MECHANISM, the query and `--json` to a click command.

    The command receives them as keyword arguments; pass all of them but `as_json` to `read_query`.
    """
    command = click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")(command)
    return text_options(NOISE, RUN, WHOLE, QUERY)(command)


def require_given(needed: Mapping[str, tuple[Any, str]], options: Mapping[str, Any] | None = None) -> None:
    """Name every option that is missing, at once.

    Args:
        needed: the option without its dashes, what was given for it, an example.
        options: those of `mechanism_options`, among which there must be a noise or a file that has one; None where there are none.

    Raises:
        InputError: options are missing.
    """
    missing = {f"--{name}": example for name, (value, example) in needed.items() if value is None}
    noises = [name.replace("-", "_") for name in (*NOISE, *WHOLE)]
    if options is not None and not any(options.get(name) is not None for name in noises):
        missing["--sigma (or another noise)"] = "--sigma 1.5"
    if missing:
        shown = " ".join(example if example.startswith("--") else f"{name} {example}" for name, example in missing.items())
        names = list(missing)
        text = " and ".join([", ".join(names[:-1]), names[-1]] if names[:-1] else names)
        verb, pronoun = ("is", "it") if len(names) == 1 else ("are", "them")
        raise InputError(f"{text} {verb} missing; give {pronoun}, such as {shown}")


def _in_a_folder(_: click.Context, __: click.Parameter, path: str | None) -> str | None:
    """The name of a file whose folder is there: asked before the work."""
    if path is not None and not Path(path).parent.is_dir():
        raise InputError(f"--certificate {path}: there is no folder {Path(path).parent}; make it first")
    return path


def certificate_option(command: Command) -> Command:
    """Add `--certificate` to a command that prints one number."""
    help_text = "Write a certificate; `dpbounds replay` checks it without the engine."
    return click.option("--certificate", metavar="FILE", callback=_in_a_folder, help=help_text)(command)


def read_query(**options: str | None) -> MechanismQuery:
    """Read the options of `mechanism_options`.

    Raises:
        InputError: the first rule that is broken, the value and the fix, in one line.
    """
    from dpbounds.mechanisms import Direction, Guarantee, Relation

    relation = options.pop("relation", None)
    direction = options.pop("direction", None) or "worst"
    guarantee = options.pop("guarantee", None) or "mechanism"
    digits = options.pop("digits", None)
    if relation is not None:
        _choice("--relation", relation, [member.value for member in Relation])
    _choice("--direction", direction, ["add", "remove", "worst"])
    _choice("--guarantee", guarantee, [member.value for member in Guarantee])
    mechanism, known, notes = read_described(**options)
    if known is not None and relation not in (None, known):
        what = "the journal is of batches for" if options.get("library") is None else f"{options['library']} accounts for"
        raise InputError(f"{what} --relation {known}, got {relation}; leave it out")
    relation = relation or known
    return MechanismQuery(
        mechanism=mechanism,
        relation=None if relation is None else Relation(relation),
        direction=Direction(direction),
        guarantee=Guarantee(guarantee),
        digits=read_digits(digits),
        digits_asked=digits is not None,
        notes=notes,
    )


def read_described(**options: str | None) -> tuple[Mechanism, str | None, tuple[str, ...]]:
    """The mechanism of the options or of an `--event` file, the relation that a journal or a library fixes, and notes."""
    event = options.pop("event", None)
    if event is None:
        return _read_parts(**options)
    if extra := next((name for name, value in options.items() if value is not None), None):
        raise InputError(f"--event describes the whole mechanism, so --{extra.replace('_', '-')} cannot be given with it")
    from dpbounds.mechanisms.foreign import text_to_description

    found = text_to_description(read_text(event, "the event file"))
    return found.mechanism, None, found.notes


def _read_parts(**options: str | None) -> tuple[Mechanism, str | None, tuple[str, ...]]:
    from dpbounds.mechanisms import specs

    given = {name.replace("_", "-"): value for name, value in options.items() if value is not None}
    path = given.pop("spec", None)
    if path is None:
        mechanism = specs.part_to_mechanism(given, "the mechanism", prefix="--")
        _, notes = run_in_steps(given, "the mechanism", prefix="--")
        return mechanism, RELATION if "library" in given else None, notes
    if given:
        raise InputError(f"--spec describes the whole mechanism, so --{next(iter(given))} cannot be given with it; put it in the file")
    text = read_text(path, "the specification")
    if text.lstrip().startswith("{"):
        spec, relation = specs.journal_to_spec(text)
        return specs.spec_to_mechanism(spec), relation, ()
    spec = specs.text_to_spec(text)
    return specs.spec_to_mechanism(spec), None, specs.notes_of(spec)


def read_digits(digits: str | None) -> int:
    """The `--digits` option: an integer from 1 to `MAX_DIGITS`, 15 when absent."""
    from dpbounds.numbers import exact

    if digits is None:
        return 15
    count = exact.integer(digits, "digits")
    if not 1 <= count <= MAX_DIGITS:
        raise InputError(f"digits must be between 1 and {MAX_DIGITS}, got {count}")
    return count


def with_notes(result: PrivacyResult, notes: tuple[str, ...]) -> PrivacyResult:
    """The result with what an event file adds."""
    return replace(result, notes=(*result.notes, *notes)) if notes else result


def show(result: PrivacyResult, as_json: bool, certificate: str | None = None) -> None:
    """Print a result on stdout, as one JSON document or as text, then write its certificate where one is asked for."""
    from dpbounds.cli.shared.shuffled import known_beside
    from dpbounds.mechanisms.mechanism import no_certificate

    if certificate is not None and (reason := no_certificate(result.mechanism)):
        raise InputError(f"no certificate: {reason}")
    beside, line = known_beside(result)
    click.echo(json.dumps(result.document() | beside, ensure_ascii=False) if as_json else result.text() + line)
    if certificate is not None:
        _write_certificate(result, certificate)


def _write_certificate(result: PrivacyResult, path: str) -> None:
    from dpbounds.certificates.number import certificate_of
    from dpbounds.cli.shared.patience import patience

    with patience("the certificate"):
        text = certificate_of(result)
    write_output(Path(path), text, "--certificate")


def _choice(option: str, value: str, allowed: list[str]) -> None:
    if value not in allowed:
        raise InputError(f"{option} must be one of {', '.join(allowed)}, got {value!r}")
