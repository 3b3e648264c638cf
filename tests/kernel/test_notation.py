"""read(show(t)) = t, and what the reader refuses."""

import random

import pytest

from dpbounds.kernel.notation import Reader, show
from dpbounds.kernel.terms import Refused, Term, abstract, binder, bound, instantiate, node, number, power, substitute, variable

NAMES = {n: variable(n, "R") for n in ["a", "x", "y"]} | {n: variable(n, "Z") for n in ["i", "n"]}
READ = Reader(NAMES, {"f": "R>R", "w": "ZZ>R"})


def term(rng: random.Random, depth: int, scope: tuple[Term, ...]) -> Term:
    """A random term; bound variables are opened as %0, %1, …"""
    if depth == 0 or rng.random() < 0.1:
        leaves = [number(rng.choice([0, 1, -1, 2, -3])), number(f"{rng.choice([-2, 2])}/3"), *NAMES.values(), *scope]
        return rng.choice(leaves)

    def sub() -> Term:
        return term(rng, depth - 1, scope)

    tag = rng.choice(["+", "*", "*-", "+-", "^", "pow", "exp", "max", "f", "ite", "sum", "line", "sup", "/", "binom"])
    if tag in ("+", "*", "max", "pow"):
        return node(tag, sub(), sub())
    if tag == "*-":
        return node("*", number(-1), sub())
    if tag == "+-":
        return node("+", sub(), node("*", number(-1), sub()))
    if tag == "/":
        return node("*", sub(), power(sub(), -1))
    if tag == "^":
        return power(sub(), rng.choice([-2, -1, 0, 1, 3]))
    if tag == "exp":
        return node("exp", sub())
    if tag == "f":
        return node("f", sub(), data=("f", "R>R"))
    if tag == "ite":
        return node("ite", formula(rng, depth - 1, scope), sub(), sub())
    if tag == "binom":
        return node("binom", NAMES["n"], NAMES["i"])
    x = variable(f"%{len(scope)}", "Z" if tag == "sum" else "R")
    body = term(rng, depth - 1, (*scope, x))
    ends = [NAMES["i"], NAMES["n"]] if tag == "sum" else [sub(), sub()] if tag != "line" else []
    return binder(tag, x, *ends, body)


def formula(rng: random.Random, depth: int, scope: tuple[Term, ...] = ()) -> Term:
    """A random formula."""
    tag = rng.choice(["=", "<=", "<", "not", "and", "or", "->", "all"]) if depth > 0 else rng.choice(["=", "<=", "<"])
    if tag in ("=", "<=", "<"):
        return node(tag, term(rng, depth - 1 if depth else 0, scope), term(rng, max(depth - 1, 0), scope))
    if tag == "not":
        return node("not", formula(rng, depth - 1, scope))
    if tag == "all":
        x = variable(f"%{len(scope)}", rng.choice("RZ"))
        return binder("all", x, formula(rng, depth - 1, (*scope, x)))
    return node(tag, formula(rng, depth - 1, scope), formula(rng, depth - 1, scope))


@pytest.mark.parametrize("seed", range(300))
def test_reading_what_is_shown(seed: int) -> None:
    f = formula(random.Random(seed), 4)
    assert READ(show(f)) == f


def test_nothing_is_captured() -> None:
    x, y = NAMES["x"], NAMES["y"]
    body = READ("line(_0, _0 * x)")
    assert show(substitute(body, {x: y})) == "line(_0, _0 * y)"
    assert show(instantiate(READ("allR(_0, line(_1, _1 + _0) <= 1)").parts[0], y)) == "line(_0, _0 + y) <= 1"
    nested = READ("allR(_0, allR(_1, _0 <= _1))").parts[0]
    assert show(binder("all", x, instantiate(nested, x))) == "allR(_0, allR(_1, _0 <= _1))"
    lifted = substitute(READ("sum(_0, 1, n, f(_0))"), {}, {("f", "R>R"): ((variable("%p0", "R"),), READ("line(_0, _0 + x)"))})
    assert show(lifted) == "sum(_0, 1, n, line(_1, _1 + x))"
    swapped = substitute(READ("x + y"), {x: y, y: x})
    assert show(swapped) == "y + x"
    inner = substitute(
        READ("line(_0, f(_0 + x))"), {}, {("f", "R>R"): ((variable("%p0", "R"),), READ("line(_0, _0 * 1)").parts[0].parts[1])}
    )
    assert show(inner) == "line(_0, 1)"
    parameter = variable("%p0", "R")
    deep = substitute(READ("line(_0, f(_0 + x))"), {}, {("f", "R>R"): ((parameter,), binder("line", x, node("+", x, parameter)))})
    assert show(deep) == "line(_0, line(_1, _1 + (_0 + x)))"
    argument = substitute(
        READ("line(_0, f(line(_1, _1 + _0)))"), {}, {("f", "R>R"): ((parameter,), binder("line", x, node("*", x, parameter)))}
    )
    assert show(argument) == "line(_0, line(_1, _1 * line(_2, _2 + _0)))"
    assert abstract(x, y) == x and abstract(x, x) == bound(0, "R")
    assert instantiate(node("+", bound(0, "R"), bound(1, "R")), y) == node("+", y, bound(0, "R"))
    with pytest.raises(Refused):
        abstract(x, node("+", x, y))


def test_a_binder_of_what_is_not_there_has_no_loose_index() -> None:
    assert READ("line(_0, 1)").loose == READ("allR(_0, 0 < 1)").loose == READ("sum(_0, 0, n, 1)").loose == 0
    assert node("+", bound(0, "R"), bound(1, "R")).loose == 2


@pytest.mark.parametrize("text", [
    "x +", "x if y else a", "x.real", "__import__('os')", "x[0]", "'text'", "1.5", "True", "x and y", "not x", "unknown", "f()",
    "f(x, y)", "f(x, y=1)", "exp(*x)", "sum(i, 1, n, i)", "sum(_0, 1, x, _0)", "sum(_0, 1, n)", "line(_0 + 1, _0)", "line(x, x)",
    "line(_0, line(_0, _0))", "w(x, 1)", "binom(x, 1)", "fact(n)", "x < y < a", "x is y", "x // y", "x % y", "x << 2", "lambda t: t",
    "x**1000", "9" * 3000, "(" * 300 + "x" + ")" * 300, "-" * 500 + "x", "x" + "+x" * 500, "x" + " " * 100_000, "x < y + (a < x)", "π",
    "ﬁ(x)", "_0", "all(_0, x < _0)", "f", 5, None, ["x"],
])  # fmt: skip
def test_unreadable(text: object) -> None:
    with pytest.raises(Refused):
        READ(text)


def test_limits_of_a_term() -> None:
    t = NAMES["x"]
    with pytest.raises(Refused):
        for _ in range(30):
            t = node("+", t, t)
    t = NAMES["x"]
    with pytest.raises(Refused):
        for _ in range(200):
            t = node("exp", t)


def test_integers_are_kept_apart_from_reals() -> None:
    with pytest.raises(Refused):
        instantiate(READ("allZ(_0, w(_0, 1) <= x)").parts[0], NAMES["x"])
    with pytest.raises(Refused):
        instantiate(READ("allZ(_0, _0 <= x)").parts[0], NAMES["x"])
    with pytest.raises(Refused):
        binder("sum", NAMES["x"], NAMES["i"], NAMES["n"], NAMES["x"])


X, N, F = NAMES["x"], NAMES["n"], READ("x < a")
BAD = [
    ("+", (X,), ()), ("+", (X, F), ()), ("*", (X, X, X), ()), ("^", (X,), ()), ("^", (X,), (True,)), ("^", (X,), (1000,)),
    ("^", (X,), (1, 2)), ("^", (X, X), (2,)), ("^", (F,), (2,)), ("<=", (X,), ()), ("<=", (F, F), ()), ("<=", (X, X, X), ()),
    ("and", (F,), ()), ("and", (F, X), ()), ("->", (F, F, F), ()), ("not", (F, F), ()), ("not", (X,), ()), ("ite", (F, X), ()),
    ("ite", (X, X, X), ()), ("ite", (F, X, F), ()), ("ite", (F, X, X, X), ()), ("all", (X,), ("R",)), ("all", (F,), ("F",)),
    ("all", (F,), ()), ("exp", (), ()), ("exp", (X, X), ()), ("exp", (F,), ()), ("binom", (N, X), ()), ("sum", (N, X, X), ()),
    ("sum", (X, N, X), ()), ("sum", (N, N), ()), ("f", (X, X), ("f", "R>R")), ("f", (X,), ("p", "Z>R")), ("unknown", (X,), ()),
]  # fmt: skip


@pytest.mark.parametrize(("tag", "parts", "data"), BAD)
def test_what_is_not_well_formed(tag: str, parts: tuple[Term, ...], data: tuple[object, ...]) -> None:
    with pytest.raises(Refused):
        node(tag, *parts, data=data)


def test_equal_terms_are_equal_where_they_are_two_objects() -> None:
    """Terms are remembered, but not for ever."""
    twin = Term("v", ("x", "R"), (), "R")
    assert twin is not X
    assert twin == X and hash(twin) == hash(X) and Term("exp", (), (twin,), "R") == node("exp", X)
    other = Term("v", ("y", "R"), (), "R")
    other.code = X.code  # two terms may have one hash
    assert hash(other) == hash(X) and other != X
    assert X not in (N, number(1), "x") and Term("exp", (), (twin,), "R") != node("log", X)


def test_what_is_said_of_a_node_that_is_not_well_formed() -> None:
    with pytest.raises(Refused, match="exp does not take parts of sorts none"):
        node("exp")
    with pytest.raises(Refused, match="exp does not take parts of sorts R, F"):
        node("exp", X, F)
    assert repr(node("+", X, number(1))) == "+[v('x', 'R'), q(Fraction(1, 1),)]"


@pytest.mark.parametrize(("text", "sort"), [
    ("n + 1", "Z"), ("n + x", "R"), ("n * n", "Z"), ("n**2", "Z"), ("n**0", "Z"), ("n**(-1)", "R"), ("x**2", "R"), ("n / 2", "R"),
    ("max(n, 1)", "Z"), ("max(n, x)", "R"), ("abs(n)", "Z"), ("exp(n)", "R"), ("n**n", "R"), ("ite(x < a, n, 1)", "Z"),
    ("ite(x < a, n, x)", "R"), ("sum(_0, 1, n, _0)", "Z"), ("sum(_0, 1, n, x)", "R"), ("binom(n, i)", "Z"), ("1/2", "R"),
    ("integrable(_0, _0)", "F"),
])  # fmt: skip
def test_sorts(text: str, sort: str) -> None:
    assert READ(text).sort == sort


def test_long_numbers_are_refused() -> None:
    assert number(2**4095)
    with pytest.raises(Refused):
        number(2**4096)
