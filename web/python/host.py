"""What the page asks of dpbounds: every function takes and returns values that JSON has.

It runs in the worker of the page, and in CPython for the tests. The numbers and verdicts are those of the command line.
"""

from __future__ import annotations

import contextlib
import io
import itertools
import json
import re
import signal
import tempfile
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

Say = Callable[[str], object]
_HOME = Path(tempfile.mkdtemp(prefix="dpbounds-"))
_FOLDERS = itertools.count(1)
_KEPT: list[Any] = []
"""The statement that was judged last."""
BUG = 70


class _Heard(io.StringIO):
    """Text that is also passed on, piece by piece."""

    def __init__(self, say: Say | None) -> None:
        super().__init__()
        self._say = say

    def write(self, text: str) -> int:
        """Keep the text and pass it on."""
        if self._say is not None and text:
            self._say(text)
        return super().write(text)


def answer(name: str, arguments: str, say: Say | None = None) -> str:
    """Call a function of this module by its name; JSON in, JSON out.

    Args:
        name: of the function.
        arguments: a JSON list.
        say: called with what is printed on the way.
    """
    from dpbounds.errors import DPBoundsError

    begun = time.perf_counter()
    try:
        found: dict[str, Any] = ASKED[name](*json.loads(arguments), **({"say": say} if name == "run" else {}))
    except DPBoundsError as error:
        found = {"refused": str(error)}
    except Exception:  # what is no refusal is a bug, and the page shows where
        found = {"refused": f"a bug in dpbounds: {traceback.format_exc(limit=-3)}"}
    return json.dumps(found | {"ms": round(1000 * (time.perf_counter() - begun))}, ensure_ascii=False)


def run(words: Sequence[str], files: Mapping[str, str] | None = None, say: Say | None = None) -> dict[str, Any]:
    """One command line, in a folder of its own.

    Args:
        words: the words after `dpbounds`.
        files: texts that the command finds in its folder.
        say: called with what is printed on the way.

    Returns:
        What was printed, the exit code, and the files that were written.
    """
    from dpbounds.cli import main

    folder = _HOME / str(next(_FOLDERS))
    folder.mkdir()
    for name, text in (files or {}).items():
        (folder / Path(name).name).write_text(text, encoding="utf-8")
    out, err = _Heard(say), _Heard(say)
    with contextlib.chdir(folder), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = main(list(words))
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else BUG
    given = set(files or {})
    written = {
        path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8")
        for path in sorted(folder.rglob("*.json"))
        if path.name not in given and not path.name.startswith("_")
    }
    return {"out": out.getvalue(), "err": err.getvalue(), "code": code, "files": written}


def python_of(
    parts: Sequence[Mapping[str, str]], quantity: str, argument: str, digits: int, options: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """The same question in Python.

    Args:
        parts: one specification for each mechanism.
        quantity: "delta", "epsilon" or "rdp".
        argument: ε, δ or the order.
        digits: certified digits.
        options: of the question, such as `relation`.
    """
    from dpbounds.mechanisms import specs

    mechanism = specs.spec_to_mechanism([dict(part) for part in parts])
    text = re.sub(r"\b(?:mechanism|base|sampling|parts)=", "", repr(mechanism))
    text = re.sub(r"Fraction\((-?\d+), (\d+)\)", lambda found: found[1] if found[2] == "1" else f'"{found[1]}/{found[2]}"', text)
    if re.search(r"[<]|\bFraction\b", text):  # a part that has no short form in Python
        text = f"spec_to_mechanism({json.dumps([dict(part) for part in parts])})"
    used = sorted(set(re.findall(r"\b[A-Za-z]\w*(?=\()", text)) - {"spec_to_mechanism"})
    lines = [f"from dpbounds import {', '.join(used)}"] if used else []
    lines += ["from dpbounds.mechanisms.specs import spec_to_mechanism"] if not used else []
    package, ask = ("renyi", "renyi_divergence") if quantity == "rdp" else ("accounting", quantity)
    more = "".join(f", {name}={value!r}" for name, value in (options or {}).items())
    lines += [f"from dpbounds.{package} import {ask}", "", f"mechanism = {text}"]
    lines += [f'print({ask}(mechanism, "{argument}", digits={digits}{more}).text())']
    return {"text": "\n".join(lines) + "\n"}


def judge(entry: dict[str, Any]) -> dict[str, Any]:
    """Judge a printed guarantee.

    Args:
        entry: the table of a statement file.

    Returns:
        The verdict with its readings, as `dpbounds verify --json` prints them, and as text.
    """
    from dpbounds.verify.judge import judgement_of
    from dpbounds.verify.reading import read_statement
    from dpbounds.verify.text import document_of, text_of

    statement = read_statement(entry)
    judgement = judgement_of(statement)
    _KEPT[:] = [statement, judgement]
    promise = statement.promise
    return {
        "document": document_of(judgement),
        "text": text_of(judgement),
        "point": [float(promise.value), float(promise.delta)] if promise.kind == "epsilon" else None,
        "curves": [bool(_decisive(position)) for position in range(len(judgement.readings))],
    }


def _decisive(position: int) -> Any:
    """The mechanism whose δ decides a reading of the last statement, with its relation; None where there is no one mechanism."""
    from dpbounds.verify.sides import Missing, sides_of

    statement, judgement = _KEPT
    reading = judgement.readings[position]
    if statement.promise.kind != "epsilon" or statement.is_premise:
        return None
    try:
        sides = [sides_of(statement, reading.sampling, reading.relation, worst=worst) for worst in (True, False)]
    except Missing:
        return None
    return sides[1].lower or sides[1].upper if reading.verdict.value == "REFUTED" else sides[0].upper or sides[1].lower


def curve_point(position: int, epsilon: str) -> dict[str, Any]:
    """Certified δ of a reading of the last statement at one ε, as two decimals.

    Args:
        position: of the reading.
        epsilon: where.
    """
    from dpbounds import accounting

    bound = _decisive(position)
    found = accounting.delta(bound.mechanism, epsilon, digits=4, relation=bound.relation)
    return {"lower": found.enclosure.lower_decimal(5), "upper": found.enclosure.upper_decimal(5)}


def reading_certificate(position: int) -> dict[str, Any]:
    """The certificate of the δ that decides a reading of the last statement at the printed ε.

    Args:
        position: of the reading.
    """
    from dpbounds import accounting
    from dpbounds.certificates.number import certificate_of

    bound = _decisive(position)
    found = accounting.delta(bound.mechanism, _KEPT[0].promise.value, digits=6, relation=bound.relation)
    return {"text": certificate_of(found), "says": found.text()}


def echo(text: str) -> dict[str, Any]:
    """The claims of a claim file, typeset.

    Args:
        text: the file.
    """
    from dpbounds.report.statement import math, quantified
    from dpbounds.report.words import words

    return {
        "claims": [
            {
                "id": claim.id,
                "words": words(claim.text),
                "quantified": quantified(claim),
                "given": [math(premise) for premise in claim.premises or claim.given],
                "then": math(claim.then if claim.conclusion is None else claim.conclusion, block=True),
            }
            for claim in _claims_of(text)
        ]
    }


def _claims_of(text: str) -> list[Any]:
    from dpbounds.claims.collect import collect

    folder = _HOME / str(next(_FOLDERS))
    folder.mkdir()
    (folder / "my_claim.py").write_text(text, encoding="utf-8")
    with contextlib.chdir(folder):
        return [entry.claim for entry in collect(["my_claim.py"])]


def sides(text: str, identifier: str, point: Mapping[str, str], places: int = 41) -> dict[str, Any]:
    """Both sides of a refuted inequality around its counterexample: a picture, which decides nothing.

    Args:
        text: the claim file.
        identifier: of the claim.
        point: the counterexample, as its certificate has it.
        places: how many points are computed.

    Returns:
        The name of the variable along which the picture runs, its value at the point, and (place, left, right) for each place where
        both sides have values.
    """
    import sympy

    from dpbounds.claims.statement.expression_text import read_expression
    from dpbounds.language.enclose import enclose
    from dpbounds.logic.layout import GREEK

    (claim,) = (claim for claim in _claims_of(text) if claim.id == identifier)
    values = {symbol: read_expression(point[str(symbol)]) for symbol in claim.variables}
    if not isinstance(claim.then, sympy.core.relational.Relational) or not values or claim.families:
        return {"rows": []}
    along = next((symbol for symbol in claim.variables if not symbol.is_integer), claim.variables[0])
    centre = values[along]
    width = sympy.Max(abs(centre), 1)
    rows: list[list[float]] = []
    for step in range(places):
        shift = width * sympy.Rational(2 * step - (places - 1), places - 1)
        place = sympy.Integer(round(float(centre + shift))) if along.is_integer else centre + shift
        here = values | {along: place}
        if any(claim_premise.subs(here) != sympy.true for claim_premise in claim.given):
            continue
        if any(getattr(place, f"is_{sign}") is False for sign in ("positive", "nonnegative") if getattr(along, f"is_{sign}")):
            continue
        with contextlib.suppress(Exception):  # a side without a value there is left out of the picture
            ends = [enclose(side, here, 60) for side in (claim.then.lhs, claim.then.rhs)]
            rows.append([float(place), *((end.lower_float + end.upper_float) / 2 for end in ends)])
    return {"variable": GREEK.get(str(along), str(along)), "at": float(centre), "rows": rows}


def watch() -> None:
    """Let budgets end long steps: the host interrupts, and the clock looks. It imports what claims need, so numbers do without it."""
    from dpbounds.claims import clock

    clock.use_no_threads()
    signal.signal(signal.SIGINT, clock.look)


ASKED: Mapping[str, Callable[..., dict[str, Any]]] = {
    "run": run,
    "python_of": python_of,
    "judge": judge,
    "curve_point": curve_point,
    "reading_certificate": reading_certificate,
    "echo": echo,
    "sides": sides,
}
