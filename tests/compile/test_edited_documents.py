"""Documents edited at random: what the checker still accepts holds at exact points, and so does every step on the way."""

import copy
import json
import random
import re
from collections.abc import Iterator
from typing import Any

import mpmath
import pytest
from sympy import exp, log, sqrt

from dpbounds import Claim
from dpbounds.claims.evidence.compiled import compiled
from dpbounds.claims.evidence.descents import certificate_of
from dpbounds.kernel.checker import Document, parse
from dpbounds.kernel.sequents import RULES, Sequent
from dpbounds.kernel.terms import ONE, Refused, Term, at_most, plus, variable
from dpbounds.language.symbols import nonnegative, positive

x, y, p = nonnegative("x"), positive("y"), positive("p")
LEMMAS: dict[str, tuple[list[Any], Any]] = {
    "logarithm": ([], log(1 + x) <= x),
    "tangent": ([], y * log(y) >= y - 1),
    "means": ([], sqrt(x * y) <= (x + y) / 2),
    "chord": ([p < 1], log(1 + p * (exp(y) - 1)) <= p * y + y**2 / 8),
    "two": ([], exp(-x) + exp(-y) <= 1 + exp(-x - y)),
}
VALUES = [mpmath.mpf(v) for v in ("-3", "-1", "-0.3", "0", "0.001", "0.2", "0.5", "1", "1.25", "2", "7")]
NUMBER = re.compile(r"(?<![A-Za-z_0-9])\d+(?![A-Za-z_0-9])")
CLOSE = mpmath.mpf(10) ** -12
EDITS = [(NUMBER, "0123"), (re.compile("<=|==|<"), ("<", "<=", "==")), (re.compile(r"[-+]"), "+-"), (re.compile(r"\b[xyp]\b"), "xyp")]


def amount(t: Term, at: dict[Term, Any]) -> Any:
    """The value of a total term; KeyError for what is not evaluated here."""
    if t.tag == "v":
        return at[t]
    a, *b = [amount(part, at) for part in t.parts] or [None]
    match t.tag:
        case "q":
            return mpmath.mpf(t.data[0].numerator) / t.data[0].denominator  # type: ignore[attr-defined]
        case "+":
            return a + b[0]
        case "*":
            return a * b[0]
        case "^":
            n = int(t.data[0])  # type: ignore[call-overload]
            return mpmath.mpf(0) if a == 0 and n < 0 else a**n
        case "exp" if abs(a) < 1000:
            return mpmath.exp(a)
        case "log":
            return mpmath.log(abs(a)) if a else mpmath.mpf(0)
        case "pow" if a > 0:
            return a ** b[0]
        case "pow" if a == 0:
            return mpmath.mpf(b[0] == 0)
        case "abs":
            return abs(a)
        case "max" | "min":
            return max(a, *b) if t.tag == "max" else min(a, *b)
    raise KeyError(t.tag)


def holds(f: Term, at: dict[Term, Any], slack: Any = 0) -> bool:
    """Whether a formula holds at a point, up to rounding where there is slack."""
    if f.tag in ("and", "or"):
        return (all if f.tag == "and" else any)(holds(part, at, slack) for part in f.parts)
    if f.tag == "not":
        return not holds(f.parts[0], at)
    if f.tag == "->":
        return not holds(f.parts[0], at) or holds(f.parts[1], at, slack)
    a, b = (amount(part, at) for part in f.parts) if f.tag in ("=", "<=", "<") else amount(f, at)
    gap = slack * (1 + abs(a) + abs(b))
    return bool(abs(a - b) <= gap + CLOSE**2 if f.tag == "=" else a <= b + gap if f.tag == "<=" or slack else a < b)


def is_false_somewhere(s: Sequent, rng: random.Random) -> bool:
    """Whether a point refutes a sequent."""
    names = {v for f in (s.formula, *s.hypotheses) for v in f.free if isinstance(v, Term)}
    for _ in range(25):
        at = {v: mpmath.floor(c) if v.sort == "Z" else c for v in sorted(names, key=repr) for c in [rng.choice(VALUES)]}
        try:
            if all(holds(h, at) for h in s.hypotheses) and not holds(s.formula, at, CLOSE):
                return True
        except (KeyError, TypeError, OverflowError):
            continue
    return False


def texts_of(part: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where a row has texts."""
    if isinstance(part, str):
        yield path
    for key, inner in part.items() if isinstance(part, dict) else enumerate(part) if isinstance(part, list) else ():
        if path or key in ("given", "claim", "with"):
            yield from texts_of(inner, (*path, key))


def edited_text(text: str, rng: random.Random) -> str:
    """A text with another number, relation, sign or variable."""
    pattern, others = rng.choice(EDITS)
    found = list(pattern.finditer(text))
    if not found:
        return text
    at = rng.choice(found)
    return text[: at.start()] + rng.choice(others) + text[at.end() :]


def edited(rows: list[dict[str, Any]], pool: list[dict[str, Any]], rng: random.Random) -> list[dict[str, Any]]:
    """Rows with one edit: a text here or everywhere, a premise, a rule, an order, a step of another document."""
    rows = copy.deepcopy(rows)
    row = rng.choice(rows[:-1])
    match rng.randrange(7):
        case 0 | 1:
            if paths := list(texts_of(row)):
                *path, last = rng.choice(paths)
                inner = row
                for key in path:
                    inner = inner[key]
                inner[last] = edited_text(inner[last], rng)
        case 2:
            number, other = (str(rng.randrange(4)) for _ in range(2))
            whole = re.sub(rf"(?<![A-Za-z_0-9]){number}(?![A-Za-z_0-9\],])", other, json.dumps([r.get("with", r) for r in rows[:-1]]))
            for r, new in zip(rows, json.loads(whole), strict=False):
                r.update({"with": new} if "with" in r else {} if "rule" in r else {k: new[k] for k in ("given", "claim")})
        case 3 if row.get("by"):
            row["by"][rng.randrange(len(row["by"]))] = rng.randrange(len(rows) - 2)
        case 4 if "rule" in row:
            same = [n for n, r in RULES.items() if n != "cite" and len(r.__annotations__) == len(RULES[row["rule"]].__annotations__)]
            row["rule"] = rng.choice(same)
        case 5:
            rows[0]["given"] = rows[0]["given"][1:]
        case 6:
            k = rng.randrange(1, len(rows) - 1)
            rows[k] = copy.deepcopy(rng.choice(pool))
    return rows


def attack(names: list[str], count: int, seed: int) -> tuple[int, int]:
    """How many edited documents of some lemmas are accepted, and how many steps were compared with numbers."""
    rng, documents = random.Random(seed), []
    for name in names:
        given, then = LEMMAS[name]
        claim = Claim(id=name, text="", given=tuple(given), then=then)
        certificate = certificate_of(claim, 10.0)
        assert certificate is not None
        documents.append(parse(compiled(claim, certificate, None).text))
    pool = [row for rows in documents for row in rows if "rule" in row]
    accepted, seen = 0, set[tuple[frozenset[Term], Term]]()
    for _ in range(count):
        rows = edited(rng.choice(documents), pool, rng)
        try:
            document = Document(rows[0], {})
        except Refused:
            continue
        try:
            for row in rows[1:-1]:
                document.step(row["rule"], row.get("by", []), row.get("with", {}))
            document.end(rows[-1]["end"], rows[-1].get("defined", []))
            accepted += 1
        except Refused:
            pass
        for s in document.steps:
            if (s.hypotheses, s.formula) not in seen:
                seen.add((s.hypotheses, s.formula))
                assert not is_false_somewhere(s, rng), (s, rows)
    return accepted, len(seen)


def test_a_few_edits() -> None:
    accepted, steps = attack(["logarithm"], 15, 0)
    assert accepted < 15 and steps > 5


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_edited_documents_say_what_is_true(seed: int) -> None:
    accepted, steps = attack(list(LEMMAS), 500, seed)
    assert accepted < 300 and steps > 200


def test_a_wrong_step_is_seen() -> None:
    """2 + t ≤ e^t is false at a point, 1 + t ≤ e^t at none."""
    right = RULES["exp_above"]([], variable("x", "R"))
    low, high = right.formula.parts
    assert is_false_somewhere(Sequent(frozenset(), at_most(plus(ONE, low), high)), random.Random(0))
    assert not is_false_somewhere(right, random.Random(0))
