"""Laws and their divergences: D_α(P‖Q), δ_ε(P‖Q) and KL of distributions, coins, tables and normal laws."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from dpbounds.logic import notation
from dpbounds.logic.terms import Family, Term, node, number, variable
from dpbounds.reading.names import Names, refuse
from dpbounds.reading.tokens import DEPTHS, Token

Read = Callable[[Sequence[Token]], list[Term]]
"""Reads the terms between commas."""


@dataclass(frozen=True)
class Component:
    """A weight and a law: a normal law by mean and deviation, a table, or a family of masses with its last outcome; of some uses."""

    weight: Term
    kind: str
    data: tuple[Any, ...]
    steps: Term


def law_of(tokens: Sequence[Token], names: Names, read: Read) -> list[Component]:
    """A mixture of laws, as in `q N(1, \\sigma^2) + (1 - q) N(0, \\sigma^2)`, perhaps to a tensor power."""
    steps = number(1)
    powers = [k for k, token in enumerate(tokens) if token.text == r"\otimes"]
    if len(powers) == 1 and tokens[powers[0] - 1].text == "{" and tokens[powers[0] - 2].text == "^" and tokens[-1].text == "}":
        (steps,) = read(tokens[powers[0] + 1 : -1])
        tokens = tokens[: powers[0] - 2]
        if tokens[0].text == "(" and tokens[-1].text == ")":
            tokens = tokens[1:-1]
    parts, depth, began = [], 0, 0
    for k, token in enumerate([*tokens, Token("end", "+")]):
        depth += DEPTHS.get(token.text, 0)
        if token.text == "+" and not depth:
            parts.append(_part_of(tokens[began:k], names, steps, read))
            began = k + 1
    return parts


def _part_of(tokens: Sequence[Token], names: Names, steps: Term, read: Read) -> Component:
    shown = " ".join(token.source for token in tokens)
    if _is_table(tokens) and len(entries := read(tokens[1:-1])) > 1:
        return Component(number(1), "table", tuple(entries), steps)
    for k, token in enumerate(tokens):
        before = tokens[:k] if k and tokens[k - 1].text != "*" else tokens[: k - 1] if k else ()
        rest = [t.text for t in tokens[k + 1 :]]
        counted = rest[:2] == ["_", "{"] and len(rest) == 4  # p_i, as its masses are written
        if token.text in names.laws and (not rest or counted):
            return Component(_weight(before, read), "masses", (token.text, names.laws[token.text]), steps)
        if rest[:1] != ["("] or rest[-1] != ")" or token.text in names.declared:
            continue
        if token.text in ("mathcal N", "N") and len(data := read(tokens[k + 2 : -1])) == 2:
            return Component(_weight(before, read), "normal", (data[0], _deviation(data[1])), steps)
        if token.text in ("Ber", "Bern", "Bernoulli") and k == 0:
            (a,) = read(tokens[k + 2 : -1])
            return Component(_weight(before, read), "table", (a, 1 - a), steps)
    raise refuse(f"{shown} is no law that is known: say that it is a distribution on {{1, ..., n}}, or write N(0, \\sigma^2)")


def _is_table(tokens: Sequence[Token]) -> bool:
    """Whether one parenthesis holds all."""
    depths = list(accumulate(DEPTHS.get(token.text, 0) for token in tokens))
    return len(tokens) > 2 and tokens[0].text == "(" and depths.index(0) == len(tokens) - 1 if 0 in depths else False


def _weight(tokens: Sequence[Token], read: Read) -> Term:
    return read(tokens)[0] if tokens else number(1)


def _deviation(variance: Term) -> Term:
    if variance.tag == "**" and variance.parts[1] == 2:
        return variance.parts[0]
    if variance == 1:
        return variance
    raise refuse(f"N(mean, {variance}): the second number is the variance, a square such as \\sigma^2")


_GENERAL = {"KL": "KLDivergence", "D": "RenyiDivergence", "delta": "HockeyStick"}
_NORMAL = {"D": "Renyi", "delta": "Delta"}


def divergence(symbol: str, p: list[Component], q: list[Component], order: Term | None) -> Term:
    """The quantity of two laws that a symbol stands for: "KL", "D" or "delta"."""
    kinds = {part.kind for part in (*p, *q)}
    given = () if order is None else (order,)
    compare = getattr(notation, _GENERAL[symbol])
    alone = all(part.steps == 1 for part in (*p, *q))
    if kinds == {"table"} and alone and len(p) == len(q) == 1 and len(p[0].data) == len(q[0].data):
        return compare(*given, notation.Tuple(*p[0].data), notation.Tuple(*q[0].data))  # type: ignore[no-any-return]
    if kinds == {"masses"} and alone:
        ends = {part.data[1] for part in (*p, *q)}
        if len(ends) == 1:
            i, (last,) = variable("i", "Z"), ends
            mass = [_total([_weighted(part, Family(part.data[0], "R", ("nonnegative",))[i]) for part in law]) for law in (p, q)]
            return compare(*given, *mass, (i, 1, last))  # type: ignore[no-any-return]
    same = kinds == {"normal"} and len({(part.data[1], part.steps) for part in (*p, *q)}) == 1
    if same and symbol in _NORMAL and (found := _gaussian(_NORMAL[symbol], p, q, order)) is not None:
        return found
    raise refuse("a divergence of these two laws has no form here: write it as an integral or a sum")


def _gaussian(name: str, p: list[Component], q: list[Component], order: Term | None) -> Term | None:
    """A quantity of the Gaussian mechanism, sampled or not."""
    sigma, steps = p[0].data[1], p[0].steps
    if len(p) == len(q) == 1 and p[0].weight == q[0].weight == 1 and q[0].data[0] == 0 and steps == 1:
        return getattr(notation, f"Gaussian{name}")(order, sigma, p[0].data[0])  # type: ignore[no-any-return]
    if steps != 1 and name != "Delta":
        return None
    uses = (steps,) if name == "Delta" else ()
    shapes = [_shape(law) for law in (p, q)]
    for k, direction in enumerate(("remove", "add")):
        rate = shapes[k]
        if rate is not None and shapes[1 - k] == (0, 0) and rate[0] == 1:
            return getattr(notation, f"SampledGaussian{name}")(order, sigma, rate[1], *uses, direction)  # type: ignore[no-any-return]
    if name == "Delta" and shapes[0] and shapes[1] and [s[0] for s in shapes if s] == [1, -1] and shapes[0][1] == shapes[1][1]:
        return notation.SubstituteGaussianDelta(order, sigma, shapes[0][1], steps)
    return None


def _weighted(part: Component, mass: Term) -> Term:
    return mass if part.weight == 1 else part.weight * mass


def _total(terms: list[Term]) -> Term:
    return terms[0] if len(terms) == 1 else node("+", *terms)


def _shape(law: list[Component]) -> tuple[Term, Term] | None:
    """The mean m and the rate q of q N(m, σ²) + (1 − q) N(0, σ²); 0 and 0 of N(0, σ²)."""
    if len(law) == 1:
        return (number(0), number(0)) if law[0].weight == 1 and law[0].data[0] == 0 else None
    first, second = law[0], law[-1]
    rest = number(1 - first.weight.data[0]) if first.weight.tag == "number" else 1 - first.weight
    fits = len(law) == 2 and second.data[0] == 0 and second.weight == rest
    return (first.data[0], first.weight) if fits else None
