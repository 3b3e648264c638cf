"""Compute the reference table: `python -m dpbounds.reference.generate [OUT] [--answers DIR] [--shard I/N] [--seconds S] [--add]`.

Each value is a file of its own as soon as it is found, so that a run can be stopped and taken up again. To share the work out,
run the shards 1/N to N/N in any order, anywhere, with one folder of answers; then run the command without --shard. A question whose
digits cannot be had, or whose value is infinite, is left out and reported. With --add the rows of OUT stay, and what they answer is
not asked again, except δ at an ε that is yet to be found.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from fractions import Fraction
from pathlib import Path
from typing import Any

from dpbounds import __version__, accounting, renyi
from dpbounds.errors import DPBoundsError, InputError, PrecisionError
from dpbounds.mechanisms import Direction, Guarantee, Relation
from dpbounds.mechanisms.formula import FormulaNoise
from dpbounds.mechanisms.results import PrivacyResult, require_digits
from dpbounds.mechanisms.specs import spec_to_mechanism
from dpbounds.numbers import exact
from dpbounds.numbers.balls import Enclosure, precision
from dpbounds.numbers.precise import as_ball
from dpbounds.reference.grid import RowQuestion, is_binary, questions
from dpbounds.reference.grid_of_laws import questions_of_laws
from dpbounds.reference.sweep import Answers, Shard, sweep
from dpbounds.reference.table import TableRow, load_table, read_row, save_table

DIGITS = 22
NEAR_DIGITS = 6
"""Of an ε that is rounded to eight binary digits."""


def all_questions() -> Iterator[RowQuestion]:
    """Every row of the table, in its order.

    >>> next(all_questions()).quantity
    'epsilon'
    """
    yield from questions()
    yield from questions_of_laws()


def without(rows: Sequence[TableRow]) -> Iterator[RowQuestion]:
    """The questions that no row answers; a row calls the direction of a pair that is its own mirror image symmetric."""
    known = {row.key for row in rows}
    for question in all_questions():
        start = (question.quantity, question.spec, question.argument, question.relation)
        if known.isdisjoint((*start, direction, question.guarantee) for direction in (question.direction, "symmetric")):
            yield question


def answer(question: RowQuestion) -> TableRow:
    """The certified row of a question.

    Raises:
        DPBoundsError: the digits cannot be had.
    """
    mechanism = spec_to_mechanism(json.loads(question.spec))
    options: dict[str, Any] = {
        "relation": question.relation,
        "direction": question.direction,
        "guarantee": question.guarantee,
        "digits": DIGITS,
    }
    argument = question.argument
    if question.near:
        argument = short(Fraction(accounting.epsilon(mechanism, question.near, **options | {"digits": NEAR_DIGITS}).lower))
    evaluate = {"delta": accounting.delta, "epsilon": accounting.epsilon, "rdp": renyi.renyi_divergence, "rho": least_rho}[
        question.quantity
    ]
    found = evaluate(mechanism, argument, **options)  # type: ignore[operator]
    if not math.isfinite(found.enclosure.upper_float):
        raise PrecisionError("the value is not known to be finite")
    return TableRow(
        quantity=question.quantity,
        spec=question.spec,
        argument=argument,
        relation=found.relation.value,
        direction=found.direction.value,
        guarantee=found.guarantee.value,
        lower=found.lower,
        upper=found.upper,
        binary=is_binary(question, argument),
        regime=question.regime,
    )


def least_rho(mechanism: FormulaNoise, order: str, *, digits: int, **asked: Any) -> PrivacyResult:
    """The least ρ with D_α ≤ αρ for all α > `order` = 1, of a mechanism that knows it by a formula.

    Raises:
        PrecisionError: its digits are not known.

    >>> from dpbounds import Selection
    >>> least_rho(Selection("permute-and-flip", 1), "1", digits=22).lower
    '0.329659968339763856401243'
    """
    with precision(128):
        found = Enclosure.between(*(as_ball(end) for end in mechanism.rho_ends() or (Fraction(0), Fraction(1))))
    named = ("alpha", exact.number(order)), Relation.ADD_OR_REMOVE, Direction.SYMMETRIC, Guarantee.MECHANISM
    return PrivacyResult("rho", require_digits(found, digits, "rho"), mechanism, *named, "formula", digits)


def short(value: Fraction) -> str:
    """A nearby number with at most eight binary digits, exactly a float64.

    >>> short(Fraction(1, 3))
    '0.333984375'
    """
    if value <= 0:
        return "0"
    scale = Fraction(2) ** (8 - (value.numerator.bit_length() - value.denominator.bit_length()))
    return exact.text(Fraction(round(value * scale)) / scale)


def cells_of(asked: str) -> list[str] | None:
    """The answer to a question in its text form, as the cells of a row; None where the digits cannot be had.

    Args:
        asked: as `text_of` writes it.
    """
    try:
        return list(answer(RowQuestion(**json.loads(asked)["question"])).cells())
    except DPBoundsError as error:
        print(f"left out: {asked}: {error}", file=sys.stderr)
        return None


def text_of(question: RowQuestion) -> str:
    """All that an answer depends on, as one line."""
    return json.dumps({"dpbounds": __version__, "digits": DIGITS, "question": asdict(question)}, sort_keys=True, ensure_ascii=False)


def main(arguments: list[str] | None = None) -> int:
    """Answer all questions, or those of one shard; without a shard, write the table."""
    parser = argparse.ArgumentParser(prog="python -m dpbounds.reference.generate", description="Compute the reference table.")
    parser.add_argument("out", nargs="?", default=str(Path(__file__).parent / "data" / "table.csv.gz"), help="where the table goes")
    parser.add_argument("--answers", default="reference-answers", metavar="DIR", help="values found so far; the next run goes on from them")
    parser.add_argument("--shard", default="", metavar="I/N", help="answer the I-th of N parts and write no table")
    parser.add_argument("--seconds", type=float, default=None, help="stop computing after so many seconds and write what is there")
    parser.add_argument("--add", action="store_true", help="keep the rows of OUT and ask for the others")
    options = parser.parse_args(arguments)
    out = Path(options.out)
    kept = load_table(out) if options.add and out.exists() else ()
    try:
        shard = Shard.read(options.shard or "1/1")
    except InputError as error:
        parser.error(f"--shard: {error}")
    answers, start = Answers(Path(options.answers)), time.monotonic()
    asked = [text for text in dict.fromkeys(map(text_of, without(kept))) if shard.has(text)]
    found: dict[str, list[str] | None] = {}
    for count, text in enumerate(asked, start=1):
        if options.seconds is not None and time.monotonic() - start > options.seconds and not answers.known(text)[0]:
            continue
        found |= sweep([text], cells_of, answers)
        if count % 100 == 0:
            print(f"{count} of {len(asked)} questions", file=sys.stderr)
    if options.shard:
        print(f"{len(found)} of {len(asked)} questions of shard {options.shard} are answered", file=sys.stderr)
        return 0
    rows: dict[tuple[str, ...], TableRow] = {row.key: row for row in kept}
    for row in (read_row(cells) for cells in found.values() if cells is not None):
        rows.setdefault(row.key, row)
    save_table(rows.values(), out)
    made = {"date": time.strftime("%Y-%m-%d"), "version": __version__}
    (out.parent / "about.json").write_text(json.dumps(made) + "\n", encoding="utf-8")
    binary, left_out = sum(row.binary for row in rows.values()), sum(cells is None for cells in found.values())
    print(f"{len(rows)} rows, {binary} of them with exactly binary inputs, {left_out} questions left out", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
