"""The digest passes over names and order, and over nothing else."""

import random

import pytest

from dpbounds.logic.terms import Family, Term, binder, free_in, node, number, renamed, variable
from tests.logic.digest import digest
from tests.logic.test_text import F, N, P, X, Y, Z, random_term


def shuffled(t: Term, rng: random.Random) -> Term:
    """The same statement with terms, factors and parts of conditions in another order."""
    if not t.parts:
        return t
    parts = [shuffled(part, rng) for part in t.parts]
    if t.tag in ("And", "Or", "Max", "Min"):
        rng.shuffle(parts)
    if t.hint is not None:
        return Term(t.tag, t.data, tuple(parts), t.sort, (f"b{rng.randrange(10**6)}", *t.hint[1:]), t.inner)
    return node(t.tag, *parts, data=t.data)


@pytest.mark.parametrize("seed", range(40))
def test_random_renaming_and_order_keep_the_digest(seed: int) -> None:
    rng = random.Random(seed)
    given = [random_term(rng, 3) <= random_term(rng, 3) for _ in range(3)]
    then = random_term(rng, 4) <= random_term(rng, 4)
    names = free_in([then, *given])
    fresh = [f"w{k}" for k in range(len(names))]
    rng.shuffle(fresh)
    new = {
        x: variable(name, x.sort, x.data[2]) if isinstance(x, Term) else type(x)(name, x.sort, x.facts)
        for x, name in zip(names, fresh, strict=True)
    }
    moved = [shuffled(renamed(t, new), rng) for t in given]
    rng.shuffle(moved)
    assert digest(moved, shuffled(renamed(then, new), rng)) == digest(given, then)


POSITIVE = variable("x", "R", ["positive"])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (X - Y <= Z, Z >= -Y + X),
        (X / Y <= Z, 1 / Y * X <= Z),
        (-X * Y <= Z, -(X * Y) <= Z),
        (X + Y + Z <= 1, Z + Y + X <= 1),
        (number(-1, 2) * X <= 1, -X / 2 <= 1),
        (node("sqrt", X) <= 1, X ** number(1, 2) <= 1),
        (node("=", X, Y), node("=", Y, X)),
    ],
)
def test_spellings_of_one_statement(one: Term, other: Term) -> None:
    assert digest([], one) == digest([], other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (X <= Y * 2, X * 2 <= Y),
        (X <= Y, X < Y),
        (X - Y <= X, Y - X <= Y * Y),
        (X / Y <= Z, X * Y <= Z),
        (X <= 1, POSITIVE <= 1),
        (X <= 1, variable("x", "Z") <= 1),
        (X + X <= 1, 2 * X <= 1),
        (node("log", node("exp", X)) <= 1, X <= 1),
        (P[N] <= 1, F(N) <= 1),
        (P[N] <= 1, Family("p", "R", ("positive",))[N] <= 1),
        (binder("ForAll", X, [], node("true"), X <= Y), binder("ForAll", N, [], node("true"), N <= Y)),
        (binder("Supremum", X, [number(0), Y], X) <= 1, binder("Infimum", X, [number(0), Y], X) <= 1),
    ],
)
def test_other_statements(one: Term, other: Term) -> None:
    assert digest([], one) != digest([], other)


def test_a_declared_sign_is_a_premise() -> None:
    assert digest([], POSITIVE**2 <= 1) == digest([X > 0], X**2 <= 1) == digest([X > 0, X > 0], X**2 <= 1)
