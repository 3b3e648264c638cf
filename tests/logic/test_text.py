"""The text of a term is read back as the same term; LaTeX and MathML are well formed and keep what was typed."""

import random
import xml.etree.ElementTree as ElementTree

import pytest

from dpbounds.logic.latex import latex
from dpbounds.logic.mathml import mathml
from dpbounds.logic.terms import Family, Function, Term, TermError, binder, node, number, variable
from dpbounds.logic.text import declarations, read, show

X, Y, Z = (variable(name) for name in "xyz")
K, N = variable("i", "Z"), variable("n", "Z")
P, F = Family("p"), Function("f")


def random_term(rng: random.Random, depth: int) -> Term:
    if depth == 0:
        return rng.choice([X, Y, Z, N, number(rng.randint(-3, 3)), number(rng.randint(-3, 3), 2)])

    def part() -> Term:
        return random_term(rng, rng.randrange(depth))

    return rng.choice(
        [
            lambda: part() + part(),
            lambda: part() - part(),
            lambda: part() * part(),
            lambda: part() / part(),
            lambda: part() ** part(),
            lambda: -part(),
            lambda: node("exp", part()),
            lambda: node("sqrt", part()) + node("Max", part(), part(), part()),
            lambda: P[part()] * F(part(), part()),
            lambda: binder("Sum", K, [number(1), N], part() * P[K] + part().subs(N, K)),
            lambda: binder("Integral", X, [number(0), part()], part()),
            lambda: binder("Supremum", X, [Y, node("oo")], part()),
            lambda: binder("HockeyStick", X, [-node("oo"), node("oo"), part()], part(), part()),
            lambda: node("Piecewise", part(), node("Or", part() <= part(), node("=", part(), part())), part(), node("true")),
            lambda: node("SampledGaussianRenyi", part(), part(), part(), data=("add",)),
        ]
    )()


@pytest.mark.parametrize("seed", range(60))
def test_random_terms_are_read_back(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(6):
        t = random_term(rng, 5)
        assert read(show(t), declarations([t])) == t, show(t)
        other = t.subs({X: number(-2), Y: number(1, 3)})
        assert read(show(other), declarations([other])) == other, show(other)
        ElementTree.fromstring(mathml(t))
        assert latex(t).count("{") == latex(t).count("}") and latex(t).count(r"\left") == latex(t).count(r"\right")


@pytest.mark.parametrize(
    "text",
    ["x**(-2)", "-x**2", "2**x", "1 - (-x)", "x/(y*z)", "x/y*z", "-x*y", "-(x*y)", "x*(1/2)", "1/2*x", "(-1/2)**x", "x - 1/2", "-1/2*x",
     "(x**y)**z", "x**(y**z)", "1/2/x", "x - (y - z)", "x*(y/z)", "Sum(p[i], (i, 1, n))", "ForAll(x, x > 0, f(x) <= 1)"],
)  # fmt: skip
def test_text_has_one_form(text: str) -> None:
    names = {"x": X, "y": Y, "z": Z, "n": N, "p": P, "f": F}
    assert show(read(text, names)) == text


@pytest.mark.parametrize(("text", "why"), [
    ("x +", "cannot be read"), ("w + 1", "not declared"), ("x < y < z", "not in the notation"), ("x if y else z", "not in the notation"),
    ("__import__('os')", "no function"), ("x.real", "not in the notation"), ("0.5*x", "not in the notation"),
    ("noise(x)", "no function"), ("exp()", "takes arguments"), ("exp(x, y)", "exp does not take"), ("p(x)", "is a family"),
    ("f[x]", "is a function"), ("p + 1", "stands for a family"), ("Sum(x, (y, 1))", "a range is"),
    ("Sum(x, (1, 1, 2))", "a bound variable is a name"), ("Piecewise(x)", "a case is"), ("SampledGaussianRenyi(x, y, z, 'up')", "words"),
    ("((" * 200 + "x" + "))" * 200, "cannot be read"), ("exp(" * 160 + "x" + ")" * 160, "too deeply"),
    ("-" * 5000 + "x", "too deeply|cannot be read"), ("9" * 4200, "cannot be read|3900 digits"), ("x" * 500_000, "too long"),
])  # fmt: skip
def test_hostile_text_is_refused(text: str, why: str) -> None:
    with pytest.raises(TermError, match=why):
        read(text, {"x": X, "y": Y, "z": Z, "p": P, "f": F})


def test_a_long_sum_is_read() -> None:
    t = sum(X / k for k in range(1, 500))
    assert read(show(t), {"x": X}) == t


def test_names_that_python_reserves_can_be_read() -> None:
    lam = variable("lambda")
    assert read("lambda*x <= 2", {"lambda": lam, "x": X}) == (lam * X <= 2)
    t = node("SampledGaussianRenyi", lam, X, Y, data=("remove",))
    assert read(show(t), {"lambda": lam, "x": X, "y": Y}) == t


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ((N + 1) / 2 - X, r"\frac{n + 1}{2} - x"),
        (X / (2 * Y) * Z, r"\frac{x z}{2 y}"),
        (-X / Y, r"- \frac{x}{y}"),
        (number(1, 2) * X, r"\frac{1}{2} x"),
        (X * number(2) ** Y, r"x \cdot 2^{y}"),
        (X >= 0, r"x \geq 0"),
        (node("exp", X) ** 2, r"\left(e^{x}\right)^{2}"),
        (node("sqrt", 2 * node("pi") * N), r"\sqrt{2 \pi n}"),
        (variable("eps") < variable("sigma_max"), r"\varepsilon < \sigma_{\mathrm{max}}"),
        (variable("x12"), "x_{12}"),
        (binder("ForAll", X, [], node("true"), X <= 1), r"\forall\, x \in \mathbb{R} :\; x \leq 1"),
        (binder("ForAll", X, [], X > 0, X <= 1), r"\forall\, x > 0 :\; x \leq 1"),
        (binder("Supremum", X, [number(0), node("oo")], X), r"\sup_{0 < x} x"),
        (
            node("GaussianDelta", variable("eps"), variable("sigma"), number(1)),
            r"\delta_{\varepsilon} \left(N \left(1,\; \sigma^{2}\right) \,\middle\|\, N \left(0,\; \sigma^{2}\right)\right)",
        ),
    ],
)
def test_latex_keeps_what_was_typed(typed: Term, shown: str) -> None:
    assert latex(typed) == shown.replace(r"\mathrm{max}", r"\max")


def test_a_notebook_shows_latex() -> None:
    assert (X <= 1)._repr_latex_() == r"$\displaystyle x \leq 1$"
