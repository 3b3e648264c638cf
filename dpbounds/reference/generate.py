"""Compute the reference table: `python -m dpbounds.reference.generate [OUT] [--cache FILE] [--seconds S]`.

Values go to a cache of JSON lines as they are found, so that a run can be stopped and taken up again. A question whose digits
cannot be had is left out and reported.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from dpbounds import accounting, renyi
from dpbounds.errors import DPBoundsError
from dpbounds.mechanisms.specs import spec_to_mechanism
from dpbounds.numbers import exact
from dpbounds.reference.grid import Question, is_binary, questions
from dpbounds.reference.table import Row, read_row, save_table

DIGITS = 22


def answer(question: Question, near: Fraction | None = None) -> Row:
    """The certified row of a question; `near` is ε(question.near) if it is known already.

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
        found_near = near if near is not None else Fraction(accounting.epsilon(mechanism, question.near, **options).lower)
        argument = short(found_near)
    evaluate = {"delta": accounting.delta, "epsilon": accounting.epsilon, "rdp": renyi.renyi_divergence}[question.quantity]
    found = evaluate(mechanism, argument, **options)  # type: ignore[operator]
    return Row(
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


def short(value: Fraction) -> str:
    """A nearby number with at most eight binary digits, exactly a float64."""
    if value <= 0:
        return "0"
    scale = Fraction(2) ** (8 - (value.numerator.bit_length() - value.denominator.bit_length()))
    return exact.text(Fraction(round(value * scale)) / scale)


def _near(question: Question, known: dict[str, list[str] | None]) -> Fraction | None:
    """ε(question.near) from the answers so far."""
    cells = known.get(replace(question, quantity="epsilon", argument=question.near, near="").key)
    return Fraction(cells[6]) if cells else None


def main(arguments: list[str] | None = None) -> int:
    """Answer all questions, cached ones first, and write the table."""
    parser = argparse.ArgumentParser(prog="python -m dpbounds.reference.generate", description="Compute the reference table.")
    parser.add_argument("out", nargs="?", default=str(Path(__file__).parent / "data" / "table.csv.gz"), help="where the table goes")
    parser.add_argument("--cache", default="reference-cache.jsonl", help="values found so far; taken up by the next run")
    parser.add_argument("--seconds", type=float, default=None, help="stop computing after so many seconds and write what is there")
    options = parser.parse_args(arguments)
    cache = Path(options.cache)
    known: dict[str, list[str] | None] = {}
    if cache.exists():
        for line in cache.read_text(encoding="utf-8").splitlines():
            entry = json.loads(line)
            known[entry["question"]] = entry["row"]
    start, left_out = time.monotonic(), 0
    rows: dict[tuple[str, ...], Row] = {}
    asked = list(dict.fromkeys(questions()))
    with cache.open("a", encoding="utf-8") as log:
        for count, question in enumerate(asked, start=1):
            if question.key not in known:
                if options.seconds is not None and time.monotonic() - start > options.seconds:
                    continue
                try:
                    known[question.key] = list(answer(question, _near(question, known)).cells())
                except DPBoundsError as error:
                    print(f"left out: {question.key}: {error}", file=sys.stderr)
                    known[question.key] = None
                log.write(json.dumps({"question": question.key, "row": known[question.key]}, ensure_ascii=False) + "\n")
                log.flush()
            cells = known[question.key]
            if cells is None:
                left_out += 1
                continue
            row = read_row(cells)
            rows.setdefault(row.key, row)
            if count % 100 == 0:
                print(f"{count} of {len(asked)} questions", file=sys.stderr)
    save_table(rows.values(), Path(options.out))
    binary = sum(row.binary for row in rows.values())
    print(f"{len(rows)} rows, {binary} of them with exactly binary inputs, {left_out} questions left out", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
