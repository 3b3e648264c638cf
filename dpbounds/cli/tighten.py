"""`dpbounds tighten`: the best constant of a claim."""

from __future__ import annotations

import json
import sys
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dpbounds.cli.shared.claim_progress import claim_progress
from dpbounds.errors import InputError, did_you_mean

if TYPE_CHECKING:
    from dpbounds.claims.brackets import Bracket, Probe
    from dpbounds.claims.claim import Claim

EXIT_CODES = """\b
Exit codes:
  0  a bracket with evidence on both ends, to the digits that were asked for
  2  bad input
  3  an end is missing, or the bracket is wider; what was found is printed"""


@click.command(name="tighten", epilog=EXIT_CODES)
@click.argument("path", metavar="PATH")
@click.option("--constant", metavar="C", help="The constant: a real variable of the claim; needed if the claim has several.")
@click.option("--only", metavar="ID", help="The claim; needed if several claims of the file have the constant.")
@click.option("--digits", type=click.IntRange(1, 12), default=3, show_default=True, help="Significant digits of the bracket.")
@click.option("--budget", type=float, default=20.0, show_default=True, metavar="S", help="Processor seconds for each constant tried.")
@click.option(
    "--least", "side", flag_value="least", help="A larger constant makes the claim weaker; without both flags, tighten finds out."
)
@click.option("--greatest", "side", flag_value="greatest", help="A smaller constant makes the claim weaker.")
@click.option(
    "--certificates",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path(".dpbounds/certificates"),
    metavar="DIR",
    help="Where the certificates of both ends go; default .dpbounds/certificates.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def command(
    path: str, constant: str | None, only: str | None, digits: int, budget: float, side: str | None, certificates: Path, as_json: bool
) -> int:
    """Find the best constant C of a claim: a value with which the claim is settled, and one close to it with which it is refuted.

    PATH: a claim file, in which a claim has the constant as a variable, such as left <= C*right. It is Python and is executed.
    """
    if not budget > 0 or budget == float("inf"):
        raise InputError(f"--budget must be a number of seconds > 0, got {budget:g}")
    from dpbounds.claims.brackets import tighten
    from dpbounds.claims.evidence import certificate
    from dpbounds.claims.workers import AtWork

    constant, claim = _chosen(path, constant, only)
    at_work, label = AtWork(1), claim.id
    with claim_progress(at_work):
        slot = at_work.begin(label)

        def told(value: Fraction, outcome: Any) -> None:
            nonlocal label
            at_work.end(label)
            label = f"{claim.id}, last {constant} = {_text(value)} {outcome.verdict.value},"
            at_work.begin(label)

        bracket = tighten(claim, constant, digits=digits, budget=budget, side=side, told=told, progress=at_work.counter(slot))
    for document in bracket.certificates:
        try:
            certificate.write(document, certificates)
        except OSError as error:
            raise InputError(f"cannot write certificates to {certificates}: {error.strerror}; choose another folder") from error
    click.echo(json.dumps(_document(bracket, digits), indent=1) if as_json else "\n".join(_lines(bracket, certificates)))
    if not as_json and not _is_narrow(bracket, digits):
        print(f"dpbounds: {_what_to_try(bracket)}", file=sys.stderr)
    return 0 if _is_narrow(bracket, digits) else 3


def _chosen(path: str, constant: str | None, only: str | None) -> tuple[str, Claim]:
    """The constant and its claim."""
    from dpbounds.claims.brackets import constants_of
    from dpbounds.claims.collect import collect

    claims = {entry.claim.id: entry.claim for entry in collect([path])}
    if only is not None:
        if only not in claims:
            raise InputError(f"no claim is called {only!r}{did_you_mean(only, claims)}")
        claims = {only: claims[only]}
    if constant is None:
        found = [(name, claim) for claim in claims.values() for name in constants_of(claim)]
        if len(found) != 1:
            which = ", ".join(f"{name} of {claim.id}" for name, claim in found) or "no claim is linear in a variable without premises"
            raise InputError(f"which constant? Say --constant C, and --only ID where several claims have it: {which}")
        return found[0]
    if only is not None:
        return constant, claims[only]
    having = [claim for claim in claims.values() if any(v.name == constant for v in claim.variables)]
    if len(having) != 1:
        names = {v.name for claim in claims.values() for v in claim.variables}
        which = f"choose one with --only: {', '.join(claim.id for claim in having)}" if having else "it must be a variable of the claim"
        raise InputError(f"{len(having)} claims of {path} have the constant {constant!r}{did_you_mean(constant, names)}; {which}")
    return constant, having[0]


def _is_narrow(bracket: Bracket, digits: int) -> bool:
    from dpbounds.claims.brackets import unit_of

    low, high = bracket.ends
    return low is not None and high is not None and high - low <= unit_of(max(abs(low), abs(high)), digits)


def _what_to_try(bracket: Bracket) -> str:
    """By which end is missing: where every constant that was tried came out alike, more time finds no other."""
    name, none_open = bracket.constant.name, not bracket.undecided
    if none_open and bracket.holds is None and bracket.fails is not None:
        return f"every {name} that was tried is refuted, and perhaps none is enough: add a premise, or another function beside {name}"
    if none_open and bracket.fails is None and bracket.holds is not None:
        return f"every {name} that was tried holds, and perhaps all do: then the statement needs no {name}"
    return "the digits were not reached; a larger --budget, or fewer --digits"


def _lines(bracket: Bracket, folder: Path) -> list[str]:
    name, (low, high) = bracket.constant.name, bracket.ends
    head = f"{bracket.claim.id}: the {bracket.side} {name} "
    if low is not None and high is not None:
        lines = [f"{head}lies in [{_text(low)}, {_text(high)}]"]
    else:
        known = bracket.fails if bracket.holds is None else bracket.holds
        what = "no end was found" if known is None else f"{known.outcome.verdict.value} at {_text(known.value)}, no other end was found"
        lines = [f"{head}is not bracketed: {what}"]
    for probe in (bracket.holds, bracket.fails):
        if probe is not None:
            lines.append(f"  {name} = {_text(probe.value)}  {probe.outcome.verdict.value}  {probe.outcome.detail}")
    if bracket.monotone is not None:
        other = "larger" if bracket.side == "least" else "smaller"
        lines.append(f"  a {other} {name} is weaker  {bracket.monotone.verdict.value}  {bracket.monotone.detail}")
    else:
        lines.append(f"  monotone in {name} by declaration, not shown: the two ends stand, what lies beyond them need not")
    if bracket.undecided:
        lines.append(f"  UNDECIDED at {', '.join(_text(value) for value in sorted(bracket.undecided))}")
    return [*lines, f"{bracket.probes} constants tried, {bracket.seconds:.1f} s; certificates in {folder}"]


def _text(value: Fraction) -> str:
    """A decimal where it is short, else the fraction."""
    shown = f"{float(value):.12g}"
    return shown if Fraction(shown) == value else str(value)


def _probe(probe: Probe | None) -> dict[str, Any] | None:
    if probe is None:
        return None
    outcome = probe.outcome
    evidence = [entry.to_json() for entry in outcome.evidence]
    return {
        "value": _text(probe.value),
        "claim": probe.claim.id,
        "verdict": outcome.verdict.value,
        "method": outcome.method,
        "detail": outcome.detail,
        "evidence": evidence,
        "statement_hash": probe.claim.statement_hash,
    }


def _document(bracket: Bracket, digits: int) -> dict[str, Any]:
    monotone = None if bracket.monotone is None else {"verdict": bracket.monotone.verdict.value, "detail": bracket.monotone.detail}
    return {
        "schema": "dpbounds/1",
        "claim": bracket.claim.id,
        "constant": bracket.constant.name,
        "side": bracket.side,
        "ends": [None if end is None else _text(end) for end in bracket.ends],
        "complete": _is_narrow(bracket, digits),
        "holds": _probe(bracket.holds),
        "fails": _probe(bracket.fails),
        "monotone": monotone,
        "undecided": [_text(value) for value in sorted(bracket.undecided)],
        "tried": bracket.probes,
        "seconds": f"{bracket.seconds:.3f}",
    }
