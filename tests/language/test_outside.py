"""What to write instead of what the notation lacks: each answer is true, against mpmath."""

import mpmath
import pytest

from dpbounds.cli import main
from dpbounds.language.outside import way_round_name
from dpbounds.language.typed.bridge import to_sympy
from dpbounds.logic.terms import number, variable
from dpbounds.logic.text import read

VALUES = {"x": 0.7, "z": 0.3, "n": 5, "m": 2, "p": 0.4, "a": 1.3}
TRUTH = {
    "erfinv": lambda: mpmath.erfinv(0.3),
    "erfcinv": lambda: mpmath.erfinv(1 - mpmath.mpf("0.3")),
    "besseli": lambda: mpmath.besseli(5, 0.7),
    "betainc": lambda: mpmath.betainc(2, 4, 0, 0.4, regularized=True),
    "poisson_tail": lambda: mpmath.gammainc(6, 0, 1.3, regularized=True),
    "log1p": lambda: mpmath.log1p(0.7),
    "expm1": lambda: mpmath.expm1(0.7),
    "log2": lambda: mpmath.log(0.7, 2),
    "logit": lambda: mpmath.log(mpmath.mpf("0.4") / mpmath.mpf("0.6")),
    "sigmoid": lambda: 1 / (1 + mpmath.exp(-0.7)),
}


def value_of(text: str) -> float:
    """The formula of an answer at the values, by mpmath alone."""
    words = {
        "log": mpmath.log, "exp": mpmath.exp, "sqrt": mpmath.sqrt, "factorial": mpmath.factorial, "binomial": mpmath.binomial,
        "NormalQuantile": lambda p: mpmath.sqrt(2) * mpmath.erfinv(2 * p - 1), "oo": 60,
    }  # fmt: skip
    if "Sum(" not in text:
        return eval(text, words | VALUES)  # noqa: S307, answers of the tree
    head, _, rest = text.partition("Sum(")
    body, _, limits = rest.partition(", (k, ")
    low, high = (int(eval(end, words | VALUES)) for end in limits.rstrip(")").split(", "))  # noqa: S307
    total = sum(eval(body, words | VALUES | {"k": k}) for k in range(low, high + 1))  # noqa: S307
    return 1 - total if head == "1 - " else total


@pytest.mark.parametrize("name", TRUTH)
def test_what_is_written_instead_is_the_same_number(name: str) -> None:
    said = way_round_name(name)
    formula = said.partition("write ")[2].split("; ")[0].split(", or ")[0]
    assert abs(value_of(formula) - TRUTH[name]()) < 1e-12
    names = {letter: variable(letter, "Z" if letter in "nmk" else "R") for letter in "xznmpak"}
    term = read(formula, names)
    assert to_sympy(term.subs({v: number(1) for v in term.free})) is not None


def test_define_says_what_to_write(capsys: pytest.CaptureFixture[str]) -> None:
    for name, words in (("erfinv", "NormalQuantile((1 + z)/2)/sqrt(2)"), ("LambertW", "Eq(w*exp(w), x)"), ("betainc", "Sum(binomial")):
        assert main(["define", name]) == 2
        assert words in capsys.readouterr().err
