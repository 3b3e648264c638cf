"""Terms as LaTeX.

>>> from dpbounds.logic.terms import variable
>>> x, sigma = variable("x"), variable("sigma")
>>> print(latex(x / (2 * sigma**2) - 1 <= x**2))
\\frac{x}{2 \\sigma^{2}} - 1 \\leq x^{2}
"""

from __future__ import annotations

from collections.abc import Sequence

from dpbounds.logic.layout import GREEK, typeset
from dpbounds.logic.signatures import RELATIONS
from dpbounds.logic.terms import WRITERS, Term, conjuncts

_SIGNS = {
    "-": "-", "+": "+", "*": r"\cdot", "<=": r"\leq", ">=": r"\geq", "<": "<", ">": ">", "=": "=", "!=": r"\neq", "And": r"\wedge",
    "Or": r"\vee", "Implies": r"\Rightarrow", "Not": r"\neg", "ForAll": r"\forall\,", ":": r":\;", ",": ",\\;", "||": r"\,\middle\|\,",
    "oo": r"\infty", "!": "!", "d": r"\, d", "in": r"\in", "Z": r"\mathbb{Z}", "R": r"\mathbb{R}", "maps": r"\mapsto",
    "tensor": r"\otimes",
}  # fmt: skip
_WORDS = ("log", "max", "min", "cosh", "sinh", "tanh", "Pr")
_FENCES = {
    "(": (r"\left(", r"\right)"),
    "|": (r"\left|", r"\right|"),
    "floor": (r"\left\lfloor ", r"\right\rfloor"),
    "ceil": (r"\left\lceil ", r"\right\rceil"),
}


def latex(t: Term) -> str:
    """The LaTeX of a term, for a line of its own.

    >>> from dpbounds.logic.terms import variable
    >>> latex(variable("x") ** 2 + 1)
    'x^{2} + 1'
    """
    return typeset(t, _Latex())


_LONG = 300
"""Characters of LaTeX from which a relation takes two lines."""


def display(t: Term) -> str:
    """The LaTeX of a term for a display: each part of a conjunction, and the right side of a long relation, on a line below.

    >>> from dpbounds.logic.terms import node, variable
    >>> x = variable("x")
    >>> print(display(node("And", x > 1, x < 2)))
    \\begin{aligned} & x > 1 \\\\ & x < 2 \\end{aligned}
    """
    lines = [line for part in conjuncts(t) or (t,) for line in _lines(part)]
    return lines[0] if len(lines) == 1 else r"\begin{aligned} & " + r" \\ & ".join(lines) + r" \end{aligned}"


def _lines(t: Term) -> list[str]:
    whole = latex(t)
    if len(whole) < _LONG or t.tag not in RELATIONS:
        return [whole]
    left, right = map(latex, t.parts)
    return [left, rf"\quad {_SIGNS[t.tag]} {right}"]


class _Latex:
    """The style of LaTeX."""

    def numeral(self, digits: str) -> str:
        return digits

    def letter(self, name: str) -> str:
        return r"\varepsilon" if name == "epsilon" else f"\\{name}" if name in GREEK else name

    def word(self, name: str) -> str:
        shown = name.replace("_", r"\_").replace("%", r"\%").replace("&", r"\&").replace("#", r"\#")
        if name in _WORDS:
            return f"\\{name}"
        return rf"\mathrm{{{shown}}}" if name.isalnum() else rf"\text{{{shown}}}"

    def sign(self, name: str) -> str:
        return _SIGNS[name]

    def row(self, *items: str) -> str:
        return " ".join(item for item in items if item).replace(" ,", ",")

    def fraction(self, above: str, below: str) -> str:
        return rf"\frac{{{above}}}{{{below}}}"

    def power(self, base: str, exponent: str) -> str:
        return f"{base}^{{{exponent}}}"

    def index(self, base: str, below: str) -> str:
        return f"{base}_{{{below}}}"

    def root(self, inside: str) -> str:
        return rf"\sqrt{{{inside}}}"

    def fenced(self, opening: str, inside: str, closing: str) -> str:
        left, right = _FENCES[opening]
        return f"{left}{inside}{right}"

    def choose(self, above: str, below: str) -> str:
        return rf"\binom{{{above}}}{{{below}}}"

    def large(self, name: str, below: str, above: str) -> str:
        return rf"\{name}_{{{below}}}" + (f"^{{{above}}}" if above else "")

    def cases(self, rows: Sequence[tuple[str, str]]) -> str:
        return r"\begin{cases} " + r" \\ ".join(rf"{value} & {condition}" for value, condition in rows) + r" \end{cases}"


WRITERS["latex"] = latex
