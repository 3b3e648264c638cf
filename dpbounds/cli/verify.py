"""`dpbounds verify`: is a printed privacy guarantee true?"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dpbounds.cli import EXIT_BAD_INPUT
from dpbounds.cli.shared.families import family_options, with_families
from dpbounds.cli.shared.mechanism_options import SHUFFLED, Option, text_options
from dpbounds.cli.shared.patience import patience
from dpbounds.errors import InputError
from dpbounds.mechanisms.registry import plain_noises

if TYPE_CHECKING:
    from dpbounds.verify.judge import Judgement
    from dpbounds.verify.reading import Unread
    from dpbounds.verify.statement import Statement

_NOISE = {
    "sigma": Option("S", "Gaussian noise: the noise multiplier, as printed."),
    "laplace-scale": Option("B", "Laplace noise of scale B."),
    "randomized-response": Option("E", "Randomized response with pure epsilon E."),
}
_PRINTED = {
    "pure-epsilon": Option("E", "Premise: each use is pure E-DP, nothing else is known."),
    "rho": Option("R", "Premise: R-zCDP."),
    "mu": Option("M", "Premise: M-GDP."),
    "group": Option("G", "Records of one user, all of which differ; default 1."),
    "records": Option("N", "Number of records."),
    "batch": Option("B", "Records in a batch, or their expected number."),
    "q": Option("Q", "Sampling rate, instead of --batch and --records."),
    "batch-limit": Option("B", "Records at which a truncated-poisson batch is cut."),
    "epochs": Option("E", "Passes over the data."),
    "steps": Option("K", "Number of steps, instead of --epochs."),
    "rounding": Option("HOW", "Epochs to steps: exact, floor, ceil, floor-epoch or ceil-epoch; without it, all of them."),
    "library": Option("NAME", "opacus, tf-privacy or jax-privacy: its sampling, relation and rounding."),
    "sampling": Option(
        "HOW",
        "Required without --library: poisson, without-replacement, with-replacement, random-allocation, shuffled, "
        "truncated-poisson, none; several with commas; or unstated.",
    ),
    "relation": Option("R", "Required without --library: add-or-remove, substitute or zero-out; several with commas; or unstated."),
    "epsilon": Option("E", "The claim: epsilon, with --delta; without it, a pure guarantee."),
    "delta": Option("D", "The claim: delta."),
    "claim-rho": Option("R", "The claim: R-zCDP."),
    "claim-mu": Option("M", "The claim: M-GDP."),
    "claim-power": Option("TPR", "The claim: no test has more true positives, at --false-positives."),
    "false-positives": Option("FPR", "The claim: the rate of false positives."),
    "source": Option("TEXT", "Where it is printed."),
    "unit": Option("TEXT", "The unit of privacy, printed back."),
}
_REQUIRED = {"the claim", "the sampling", "the relation"}
"""Without these there is no verdict; a noise or a number of steps that a text does not state is an answer: NOT EXPRESSIBLE."""
_FURTHER = {parameter.key: Option(parameter.metavar, parameter.help) for kind in plain_noises().values() for parameter in kind.parameters}


@click.command(
    "verify",
    epilog="Example: dpbounds verify --sigma 0.638 --records 60000 --batch 256 --epochs 70 --sampling poisson "
    "--relation add-or-remove --epsilon 8.68 --delta 1e-5",
)
@click.argument("statements", nargs=-1, type=click.Path(path_type=Path))
@click.option("--only", metavar="NAME", help="Judge the statement of this name alone.")
@text_options(_NOISE, _FURTHER, _PRINTED, SHUFFLED)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@with_families
def command(statements: tuple[Path, ...], only: str | None, as_json: bool, **options: str | None) -> int:
    """Decide printed privacy guarantees: HOLDS, REFUTED, DEPENDS, UNDECIDED or NOT EXPRESSIBLE.

    STATEMENT: TOML files or folders of them, or a CSV table with a row for each. Instead,
    options describe one statement. Without either, the statements that dpbounds carries.
    """
    from dpbounds.reference import carried
    from dpbounds.verify import text
    from dpbounds.verify.judge import judgement_of
    from dpbounds.verify.reading import Unread, read_each
    from dpbounds.verify.verdict import exit_code_of

    given = {name.replace("_", "-"): value for name, value in options.items() if value not in (None, False)}
    if statements and given:
        raise InputError(f"--{next(iter(given))} describes a statement, and a file was given too; use one of them")
    if not given:
        statements = statements or (carried.folder("statements"),)
        missing = [path for path in statements if not path.exists()]
        if missing:
            raise InputError(f"there is no file or folder {missing[0]}")
        found = tuple(read_each(statements))
    else:
        found = (_described(given),)
    if only is not None:
        found = tuple(statement for statement in found if statement.name == only)
        if not found:
            raise InputError(f"no statement is called {only!r}")
    if len(found) == 1 and isinstance(found[0], Unread):
        raise InputError(found[0].reason)
    judged: list[Judgement] = []
    unread: list[Unread] = []
    for statement in found:
        if isinstance(statement, Unread):
            unread.append(statement)
            click.echo(f"dpbounds: {' '.join(statement.reason.split())}", err=True)
            continue
        with patience(f"verify {statement.name}".strip()):
            judged.append(judgement_of(statement))
        if not as_json:
            click.echo(text.text_of(judged[-1]) + ("\n" if len(found) > 1 else ""))
    verdicts = [entry.verdict for entry in judged]
    if as_json:
        document: dict[str, Any] = {"schema": "dpbounds/1", "statements": [text.document_of(entry) for entry in judged]}
        if unread:
            document["unread"] = [vars(entry) for entry in unread]
        click.echo(json.dumps(document, ensure_ascii=False, indent=1))
    elif len(found) > 1:
        counts = [f"{verdicts.count(verdict)} {verdict}" for verdict in dict.fromkeys(verdicts)]
        counts += [f"{len(unread)} not read"] if unread else []
        click.echo(f"{len(found)} statements: {', '.join(counts)}")
    return EXIT_BAD_INPUT if unread else exit_code_of(verdicts)


def _described(given: dict[str, str]) -> Statement:
    """The statement that the options describe.

    Raises:
        InputError: what is missing, all of it.
    """
    from dpbounds.verify.formulas import Formula
    from dpbounds.verify.reading import read_statement
    from dpbounds.verify.statement import NOISES, PREMISES

    claim: dict[str, str] = {}
    for option in ("epsilon", "delta", "claim-rho", "claim-mu", "claim-power", "false-positives"):
        if option in given:
            claim[option.removeprefix("claim-")] = given.pop(option)
    wanted = {"the claim": (not claim, "--epsilon and --delta, --claim-rho, --claim-mu or --claim-power")}
    own = family_options(given)
    if not own and not set(PREMISES) & set(given):
        wanted["the noise"] = (not {*NOISES, *plain_noises()} & set(given), "--sigma")
        wanted["the sampling"] = (not {"sampling", "library"} & set(given), "--sampling, such as poisson or unstated")
        wanted["the relation"] = (not {"relation", "library"} & set(given), "--relation, such as add-or-remove or unstated")
        wanted["the batches"] = (given.get("sampling") != "none" and not {"q", "batch"} & set(given), "--records and --batch, or --q")
        wanted["the number of steps"] = (given.get("sampling") != "none" and not {"epochs", "steps"} & set(given), "--epochs or --steps")
    missing = {name: how for name, (is_missing, how) in wanted.items() if is_missing}
    if set(missing) & _REQUIRED:
        names = " and ".join([", ".join([*missing][:-1]), [*missing][-1]] if len(missing) > 1 else missing)
        raise InputError(f"{names} {'is' if len(missing) == 1 else 'are'} missing; give {'; '.join(missing.values())}")
    entry: dict[str, Any] = {**given, "claim": claim}
    for key in ("sampling", "relation"):
        if key in entry and "," in entry[key]:
            entry[key] = [word.strip() for word in entry[key].split(",")]
    return read_statement({key: value for key, value in entry.items() if key not in own}, formula=Formula.of_options(own) if own else None)
