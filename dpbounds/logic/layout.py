"""How a formula is set, for any language of formulas: LaTeX (`logic.latex`) and MathML (`logic.mathml`) are two styles of it.

What was typed is set in its order. Factors that are divided by stand under one line, whatever stands between them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Protocol

from dpbounds.logic.terms import Term, conjuncts, node, number, opened
from dpbounds.logic.text import subtracted

_ALPHA = "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau upsilon phi chi psi omega"
_CAPITALS = "Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega ell"
GREEK = {**dict(zip(_ALPHA.split(), "αβγδεζηθικλμνξπρστυφχψω", strict=True)), **dict(zip(_CAPITALS.split(), "ΓΔΘΛΞΠΣΥΦΨΩℓ", strict=True))}
"""Names of letters."""
_SHORT = {"lam": "lambda", "lamda": "lambda", "eps": "epsilon"}
"""Names that Python reserves, and usual abbreviations."""
_OR, _AND, _NOT, _COMPARE, _SUM, _SIGN, _PRODUCT, _POWER, _ATOM = range(9)
_BIG = {"Sum": "sum", "Integral": "int", "Supremum": "sup", "Infimum": "inf"}
_PLAIN = {"cosh": "cosh", "sinh": "sinh", "tanh": "tanh", "log": "log", "Max": "max", "Min": "min", "erf": "erf", "erfc": "erfc"}

_CALLED = (*_PLAIN, "gamma", "NormalCDF", "NormalQuantile", "Mod")
"""What has a power or a factorial of its argument behind it, unless it stands in parentheses."""


class _Style(Protocol):
    """What a language of formulas can set."""

    def numeral(self, digits: str) -> str: ...
    def letter(self, name: str) -> str: ...
    def word(self, name: str) -> str: ...
    def sign(self, name: str) -> str: ...
    def row(self, *items: str) -> str: ...
    def fraction(self, above: str, below: str) -> str: ...
    def power(self, base: str, exponent: str) -> str: ...
    def index(self, base: str, below: str) -> str: ...
    def root(self, inside: str) -> str: ...
    def fenced(self, opening: str, inside: str, closing: str) -> str: ...
    def choose(self, above: str, below: str) -> str: ...
    def large(self, name: str, below: str, above: str) -> str: ...
    def cases(self, rows: Sequence[tuple[str, str]]) -> str: ...


def typeset(t: Term, style: _Style) -> str:
    """A term in a style."""
    return Layout(style).term(t)


class Layout:
    """Sets terms in one style."""

    def __init__(self, style: _Style) -> None:
        self.style = style

    def term(self, t: Term, level: int = _OR) -> str:
        """A term where everything looser than a level needs parentheses."""
        text, own = self._plain(t)
        return text if own >= level else self.style.fenced("(", text, ")")

    def name(self, name: str, *more: str) -> str:
        """A name: its first part is a letter or a word, the others are below it, and what more is given."""
        head, *tail = re.sub(r"(?<=[A-Za-z])(\d+)$", r"_\1", name).split("_")
        head = _SHORT.get(head, head)
        base = self.style.letter(head) if len(head) == 1 or head in GREEK else self.style.word(head)
        below = [self.style.numeral(x) if x.isdigit() else self.style.letter(x) if len(x) == 1 or x in GREEK else self.style.word(x)
                 for x in tail if x]  # fmt: skip
        return self.style.index(base, self._list([*below, *more])) if below or more else base

    def _list(self, items: Sequence[str]) -> str:
        out: list[str] = []
        for k, item in enumerate(items):
            out += [self.style.sign(","), item] if k else [item]
        return self.style.row(*out)

    def _numeral(self, q: Fraction) -> tuple[str, int]:
        s = self.style
        size = s.numeral(str(abs(q.numerator)))
        if q.denominator != 1:
            size = s.fraction(size, s.numeral(str(q.denominator)))
        if q < 0:
            return s.row(s.sign("-"), size), _SIGN
        return size, _PRODUCT if q.denominator != 1 else _ATOM

    def _plain(self, t: Term) -> tuple[str, int]:
        s, parts = self.style, t.parts
        match t.tag:
            case "number":
                return self._numeral(t.data[0])
            case "variable":
                return self.name(t.data[0]), _ATOM
            case "+":
                shown = [self.term(parts[0], _SUM)]
                for part in parts[1:]:
                    minus = subtracted(part)
                    shown += [s.sign("+"), self.term(part, _SIGN)] if minus is None else [s.sign("-"), self.term(minus, _PRODUCT)]
                return s.row(*shown), _SUM
            case "neg":
                return s.row(s.sign("-"), self.term(parts[0], _PRODUCT)), _SIGN
            case "*":
                return self._product(parts)
            case "**":
                if parts[1].tag == "number" and parts[1].data[0] == Fraction(1, 2):
                    return s.root(self.term(parts[0])), _ATOM
                return s.power(self.term(parts[0], _ATOM), self.term(parts[1])), _POWER
            case "exp":
                return s.power(s.letter("e"), self.term(parts[0])), _POWER
            case "<=" | "<" | ">=" | ">" | "=" | "!=":
                return s.row(self.term(parts[0], _SUM), s.sign(t.tag), self.term(parts[1], _SUM)), _COMPARE
            case "And" | "Or" | "Implies":
                own = {"Implies": _OR, "Or": _OR, "And": _AND}[t.tag]
                shown = [self.term(parts[0], own + 1)]
                for part in parts[1:]:
                    shown += [s.sign(t.tag), self.term(part, own + 1)]
                return s.row(*shown), own
            case "Not":
                return s.row(s.sign("Not"), self.term(parts[0], _ATOM)), _NOT
            case "apply":
                return self._applied(t), _ATOM
        if t.hint is not None:
            return self._bound(t)
        return self._function(t), _POWER if t.tag in _CALLED else _ATOM

    def _product(self, factors: Sequence[Term]) -> tuple[str, int]:
        s = self.style
        first, rest = factors[0], list(factors[1:])
        above = [] if first == 1 and rest and rest[0].tag == "inv" else [first]
        above += [f for f in rest if f.tag != "inv"]
        below = [f.parts[0] for f in rest if f.tag == "inv"]
        if below and above and above[0].tag == "neg":
            inside, _ = self._quotient([above[0].parts[0], *above[1:]], below)
            return s.row(s.sign("-"), inside), _SIGN
        return self._quotient(above, below)

    def _quotient(self, above: Sequence[Term], below: Sequence[Term]) -> tuple[str, int]:
        if not below:
            return self._row_of(above)
        top = self._row_of(above)[0] if len(above) > 1 else self.term(above[0]) if above else self.style.numeral("1")
        return self.style.fraction(top, self._row_of(below)[0] if len(below) > 1 else self.term(below[0])), _PRODUCT

    def _row_of(self, factors: Sequence[Term]) -> tuple[str, int]:
        shown, leading = [], factors[0].tag == "neg" or (factors[0].tag == "number" and factors[0].data[0] < 0)
        for k, factor in enumerate(factors):
            text = self.term(factor, _SIGN if leading and k == 0 else _PRODUCT if k == 0 else _POWER)
            shown += [self.style.sign("*"), text] if k and _begins_with_digit(factor) else [text]
        return self.style.row(*shown), _SIGN if leading else _PRODUCT

    def _applied(self, t: Term) -> str:
        named, parts = t.data[0], [self.term(part) for part in t.parts]
        if named.kind == "family":
            return self.name(named.name, *parts)
        return self.style.row(self.name(named.name), self.style.fenced("(", self._list(parts), ")"))

    def _bound(self, t: Term) -> tuple[str, int]:
        s = self.style
        x, inner = opened(t)
        if t.tag == "ForAll":
            kind = [s.row(self.term(x), s.sign("in"), s.sign("Z" if x.sort == "Z" else "R"))] if inner[0].tag == "true" else []
            where = self._list([*kind, *(self.term(c) for c in conjuncts(inner[0]))])
            return s.row(s.sign("ForAll"), where, s.sign(":"), self.term(inner[1])), _OR
        if t.tag == "Lambda":
            return s.row(self.term(x), s.sign("maps"), self.term(inner[0])), _OR
        low, high = (self.term(end) for end in t.parts[:2])
        if t.tag == "Integral":
            return s.row(s.large("int", low, high), self.term(inner[0], _SIGN), s.sign("d"), self.term(x)), _PRODUCT
        if t.tag == "Sum":
            return s.row(s.large("sum", s.row(self.term(x), s.sign("="), low), high), self.term(inner[0], _SIGN)), _SUM + 1
        if t.tag in ("Supremum", "Infimum"):
            below = [] if _is_infinite(t.parts[0]) else [low, s.sign("<")]
            above = [] if _is_infinite(t.parts[1]) else [s.sign("<"), high]
            where = s.row(*below, self.term(x), *above)
            return s.row(s.large(_BIG[t.tag], where, ""), self.term(inner[0], _PRODUCT)), _SUM + 1
        order = t.parts[2] if len(t.parts) == 5 else number(1)
        return self._divergence(t.tag, order, self.term(inner[0]), self.term(inner[1])), _ATOM

    def _divergence(self, tag: str, order: Term, p: str, q: str) -> str:
        s = self.style
        if tag == "LossTail":
            ratio = s.row(s.word("log"), s.fraction(p, q), s.sign(">"), self.term(order))
            return s.row(s.index(s.word("Pr"), p), s.fenced("(", ratio, ")"))
        symbol = s.letter("delta") if tag == "HockeyStick" else s.letter("G" if tag == "RenyiMoment" else "D")
        return s.row(s.index(symbol, self.term(order)), s.fenced("(", s.row(p, s.sign("||"), q), ")"))

    def _function(self, t: Term) -> str:
        s, parts = self.style, t.parts
        if t.tag in _SETTERS:
            return _SETTERS[t.tag](self, t)
        shown = [self.term(part) for part in parts]
        if t.tag in ("pi", "E", "oo", "true", "false"):
            return {"pi": s.letter("pi"), "E": s.letter("e"), "oo": s.sign("oo")}.get(t.tag) or s.word(t.tag)
        if t.tag == "Tuple":
            return s.fenced("(", self._list(shown), ")")
        if t.tag in ("RenyiDivergence", "RenyiMoment", "KLDivergence", "HockeyStick", "LossTail"):
            return self._divergence(t.tag, parts[0] if len(parts) == 3 else number(1), *shown[-2:])
        return s.row(s.word(_PLAIN.get(t.tag, t.tag)), s.fenced("(", self._list(shown), ")"))

    # Gaussian quantities

    def _normal(self, mean: Term, sigma: Term) -> str:
        inside = self._list([self.term(mean), self.term(node("**", sigma, number(2)))])
        return self.style.row(self.style.letter("N"), self.style.fenced("(", inside, ")"))

    def _mixture(self, q: Term, mean: Term, sigma: Term) -> str:
        rest = number(1 - q.data[0]) if q.tag == "number" else node("+", number(1), node("neg", q))
        parts = (self.style.row(self.term(w, _PRODUCT), self._normal(m, sigma)) for w, m in ((q, mean), (rest, number(0))))
        first, second = parts
        return self.style.row(first, self.style.sign("+"), second)

    def _composed(self, text: str, steps: Term) -> str:
        if steps == 1:
            return text
        return self.style.power(self.style.fenced("(", text, ")"), self.style.row(self.style.sign("tensor"), self.term(steps)))

    def _gaussian(self, t: Term) -> str:
        order, sigma, *rest = t.parts
        steps, one = number(1), number(1)
        if t.tag in ("GaussianDelta", "GaussianRenyi"):
            p, q = self._normal(rest[0], sigma), self._normal(number(0), sigma)
        elif t.tag == "SubstituteGaussianDelta":
            p, q = self._mixture(rest[0], one, sigma), self._mixture(rest[0], number(-1), sigma)
            steps = rest[1]
        else:
            p, q = self._mixture(rest[0], one, sigma), self._normal(number(0), sigma)
            p, q = (p, q) if t.data == ("remove",) else (q, p)
            steps = rest[1] if len(rest) == 2 else steps
        tag = "HockeyStick" if t.tag.endswith("Delta") else "RenyiMoment" if t.tag.endswith("Moment") else "RenyiDivergence"
        return self._divergence(tag, order, self._composed(p, steps), self._composed(q, steps))

    def _mechanism(self, t: Term) -> str:
        s = self.style
        rows = []
        for part in json.loads(t.data[0]):
            for key, value in part.items():
                place = re.fullmatch(r"@(\d+)", value) if isinstance(value, str) else None
                rows.append(s.row(s.word(key), s.sign("="), self.term(t.parts[1 + int(place[1])]) if place else s.word(str(value))))
        symbol = s.letter("delta" if t.tag == "MechanismDelta" else "D")
        return s.row(s.index(symbol, self.term(t.parts[0])), s.fenced("(", self._list(rows), ")"))

    def _cases(self, t: Term) -> str:
        pairs = zip(t.parts[::2], t.parts[1::2], strict=True)
        return self.style.cases([(self.term(v), self.style.word("otherwise") if c.tag == "true" else self.term(c)) for v, c in pairs])

    def _fences(self, t: Term) -> str:
        opening, closing = {"Abs": ("|", "|"), "floor": ("floor", "floor"), "ceiling": ("ceil", "ceil")}[t.tag]
        return self.style.fenced(opening, self.term(t.parts[0]), closing)


def _begins_with_digit(t: Term) -> bool:
    """Whether what is set begins with a digit, so that it would read as a part of the number before it."""
    if t.tag in ("**", "*"):
        return _begins_with_digit(t.parts[0])
    return t.tag == "number"


def _is_infinite(t: Term) -> bool:
    return t.tag == "oo" or (t.tag == "neg" and t.parts[0].tag == "oo")


_GAUSSIAN = (
    *("GaussianDelta", "GaussianRenyi", "SampledGaussianMoment", "SampledGaussianRenyi"),
    *("SampledGaussianDelta", "SubstituteGaussianDelta"),
)
_SETTERS: dict[str, Callable[[Layout, Term], str]] = {
    "sqrt": lambda self, t: self.style.root(self.term(t.parts[0])),
    "Abs": Layout._fences,
    "floor": Layout._fences,
    "ceiling": Layout._fences,
    "binomial": lambda self, t: self.style.choose(self.term(t.parts[0]), self.term(t.parts[1])),
    "factorial": lambda self, t: self.style.row(self.term(t.parts[0], _ATOM), self.style.sign("!")),
    "gamma": lambda self, t: self.style.row(self.style.letter("Gamma"), self.style.fenced("(", self.term(t.parts[0]), ")")),
    "Mod": lambda self, t: self.style.row(self.term(t.parts[0], _POWER), self.style.word("mod"), self.term(t.parts[1], _POWER)),
    "NormalCDF": lambda self, t: self.style.row(self.style.letter("Phi"), self.style.fenced("(", self.term(t.parts[0]), ")")),
    "NormalQuantile": lambda self, t: self.style.row(
        self.style.power(self.style.letter("Phi"), self.style.row(self.style.sign("-"), self.style.numeral("1"))),
        self.style.fenced("(", self.term(t.parts[0]), ")"),
    ),
    "MomentConstant": lambda self, t: self.style.row(
        self.style.letter("C"), self.style.fenced("(", self._list([self.term(part) for part in t.parts]), ")")
    ),
    "Piecewise": Layout._cases,
    "inv": lambda self, t: self.style.fraction(self.style.numeral("1"), self.term(t.parts[0])),
    **dict.fromkeys(_GAUSSIAN, Layout._gaussian),
    "MechanismDelta": Layout._mechanism,
    "MechanismRenyi": Layout._mechanism,
}
