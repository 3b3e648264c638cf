"""The MECHANISM part of the command line, shared by `delta`, `epsilon` and `rdp`."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from dpbounds.errors import InputError
from dpbounds.mechanisms.registry import readable_parameters

if TYPE_CHECKING:
    from dpbounds.mechanisms import Direction, Guarantee, Mechanism, Relation
    from dpbounds.mechanisms.results import PrivacyResult

Command = TypeVar("Command", bound=Callable[..., Any])

_MECHANISM_OPTIONS: tuple[tuple[str, str, str], ...] = (
    *((f"--{key}", given.metavar, given.help) for key, given in readable_parameters().items() if given.on_command_line),
    (
        "--sampling",
        "SCHEME",
        "none, poisson, truncated-poisson, without-replacement, with-replacement or random-allocation; poisson when --q is given.",
    ),
    ("--q", "Q", "Sampling rate in [0, 1]."),
    ("--group", "G", "Poisson sampling: G records are added or removed at once, those of a user, say; default 1."),
    ("--population", "N", "Number of records (schemes with a fixed batch size)."),
    ("--batch-size", "M", "Records in a batch (schemes with a fixed batch size)."),
    ("--batch-limit", "B", "Truncated Poisson sampling: a batch is cut to B of the --population at random (an upper bound)."),
    ("--steps", "K", "Number of adaptive uses; default 1."),
    ("--bins", "T", "Random allocation: steps of an epoch; every record takes part in one of them."),
    ("--epochs", "E", "Random allocation: number of epochs; default 1."),
    ("--participations", "K", "Random allocation: a record takes part in K of the T steps (an upper bound); default 1."),
    (
        "--spec",
        "FILE",
        "JSON list of such objects, one for each part of a composition: "
        '[{"sigma": "1.5", "q": "0.01", "steps": 500}, {"sigma": "4"}]; or the journal.jsonl of a noisy training.',
    ),
)
_EVENT = (
    "--event",
    "FILE",
    "Instead: a dp_accounting event (JSON, or as Python prints it), an Opacus history or state_dict, or JAX-Privacy's DpParams.",
)
_QUERY_OPTIONS: tuple[tuple[str, str, str], ...] = (
    ("--relation", "R", "add-or-remove or substitute; substitute is the default of the fixed-size schemes only."),
    ("--direction", "D", "add, remove or worst (default): remove = (with || without), add = (without || with)."),
    ("--guarantee", "G", "mechanism (default) or pair: the published pair, where it is no guarantee of the mechanism."),
    ("--digits", "D", "Certified significant digits; default 15, of `tradeoff` 6."),
)
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


def mechanism_options(command: Command) -> Command:
    """Add the options of MECHANISM, the query and `--json` to a click command.

    The command receives them as keyword arguments; pass all of them but `as_json` to `read_query`.
    """
    command = click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")(command)
    for name, metavar, text in reversed((*_MECHANISM_OPTIONS, _EVENT, *_QUERY_OPTIONS)):
        flag: dict[str, Any] = {} if metavar else {"is_flag": True, "flag_value": "yes", "default": None}
        command = click.option(name, metavar=metavar or None, help=text, **flag)(command)
    return command


def certificate_option(command: Command) -> Command:
    """Add `--certificate` to a command that prints one number."""
    return click.option("--certificate", metavar="FILE", help="Write a certificate; `dpbounds replay` checks it without the engine.")(
        command
    )


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
        raise InputError(f"the journal is of batches for --relation {known}, got {relation}; leave it out")
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
    """The mechanism of the options or of an `--event` file, the relation that a journal knows, and what must be said beside values."""
    event = options.pop("event", None)
    if event is None:
        return *_mechanism_and_relation(**options), ()
    if extra := next((name for name, value in options.items() if value is not None), None):
        raise InputError(f"--event describes the whole mechanism, so --{extra.replace('_', '-')} cannot be given with it")
    from dpbounds.mechanisms.foreign import text_to_description

    found = text_to_description(_read_text(event, "event file"))
    return found.mechanism, None, found.notes


def read_mechanism(**options: str | None) -> Mechanism:
    """The mechanism of the options: one noise with its sampling, or what a `--spec` file has."""
    return _mechanism_and_relation(**options)[0]


def _mechanism_and_relation(**options: str | None) -> tuple[Mechanism, str | None]:
    from dpbounds.mechanisms import specs

    given = {name.replace("_", "-"): value for name, value in options.items() if value is not None}
    path = given.pop("spec", None)
    if path is None:
        return specs.part_to_mechanism(given, "the mechanism", prefix="--"), None
    if given:
        raise InputError(f"--spec describes the whole mechanism, so --{next(iter(given))} cannot be given with it; put it in the file")
    text = _read_text(path, "specification")
    if text.lstrip().startswith("{"):
        spec, relation = specs.journal_to_spec(text)
        return specs.spec_to_mechanism(spec), relation
    return specs.spec_to_mechanism(specs.text_to_spec(text)), None


def _read_text(path: str, what: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else "not UTF-8 text"
        raise InputError(f"cannot read the {what} {path}: {reason}") from None


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
    from dpbounds.cli.shuffled import known_beside

    beside, line = known_beside(result)
    click.echo(json.dumps(result.document() | beside, ensure_ascii=False) if as_json else result.text() + line)
    if certificate is not None:
        _write_certificate(result, certificate)


def _write_certificate(result: PrivacyResult, path: str) -> None:
    from dpbounds.certificates.number import certificate_of
    from dpbounds.cli.patience import patience

    with patience("the certificate"):
        text = certificate_of(result)
    try:
        Path(path).write_text(text, encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot write the certificate {path}: {error.strerror}") from None


def _choice(option: str, value: str, allowed: list[str]) -> None:
    if value not in allowed:
        raise InputError(f"{option} must be one of {', '.join(allowed)}, got {value!r}")
