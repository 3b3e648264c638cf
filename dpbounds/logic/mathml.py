"""Terms as MathML, which browsers set by themselves.

>>> from dpbounds.logic.terms import variable
>>> mathml(variable("x") <= 1)
'<math xmlns=...aria-label="x &lt;= 1"><mrow><mi>x</mi><mo>≤</mo><mn>1</mn></mrow></math>'
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from dpbounds.logic.layout import GREEK, typeset
from dpbounds.logic.terms import Term

_SPACE = "http://www.w3.org/1998/Math/MathML"
_SIGNS = {
    "-": "−", "+": "+", "*": "·", "<=": "≤", ">=": "≥", "<": "&lt;", ">": "&gt;", "=": "=", "!=": "≠", "And": "∧", "Or": "∨",
    "Implies": "⇒", "Not": "¬", "ForAll": "∀", ":": ":", ",": ",", "||": "∥", "!": "!", "d": "d", "in": "∈", "maps": "↦", "tensor": "⊗",
}  # fmt: skip
_SYMBOLS = {"oo": "∞", "Z": "ℤ", "R": "ℝ"}
_FENCES = {"(": ("(", ")"), "|": ("|", "|"), "floor": ("⌊", "⌋"), "ceil": ("⌈", "⌉")}
_LARGE = {"sum": "∑", "int": "∫"}


def mathml(t: Term, *, block: bool = False) -> str:
    """The MathML of a term, with its text as a label.

    Args:
        t: a term.
        block: on a line of its own.

    >>> from dpbounds.logic.terms import variable
    >>> mathml(variable("x") >= 1)[:5]
    '<math'
    """
    return element(typeset(t, _MathML()), str(t), block=block)


def element(inside: str, label: str, *, block: bool = False) -> str:
    """A formula as one element."""
    place = "block" if block else "inline"
    return f'<math xmlns="{_SPACE}" display="{place}" aria-label="{escape(label, quote=True)}">{inside}</math>'


class _MathML:
    """The style of MathML."""

    def numeral(self, digits: str) -> str:
        return f"<mn>{digits}</mn>"

    def letter(self, name: str) -> str:
        return f"<mi>{escape(GREEK.get(name, name))}</mi>"

    def word(self, name: str) -> str:
        return f'<mi mathvariant="normal">{escape(name)}</mi>'

    def sign(self, name: str) -> str:
        return f"<mi>{_SYMBOLS[name]}</mi>" if name in _SYMBOLS else f"<mo>{_SIGNS[name]}</mo>"

    def row(self, *items: str) -> str:
        return items[0] if len(items) == 1 else f"<mrow>{''.join(items)}</mrow>"

    def fraction(self, above: str, below: str) -> str:
        return f"<mfrac>{above}{below}</mfrac>"

    def power(self, base: str, exponent: str) -> str:
        return f"<msup>{base}{exponent}</msup>"

    def index(self, base: str, below: str) -> str:
        return f"<msub>{base}{below}</msub>"

    def root(self, inside: str) -> str:
        return f"<msqrt>{inside}</msqrt>"

    def fenced(self, opening: str, inside: str, closing: str) -> str:
        left, right = _FENCES[opening]
        return f'<mrow><mo fence="true">{left}</mo>{inside}<mo fence="true">{right}</mo></mrow>'

    def choose(self, above: str, below: str) -> str:
        return self.fenced("(", f'<mfrac linethickness="0">{above}{below}</mfrac>', ")")

    def large(self, name: str, below: str, above: str) -> str:
        symbol = f'<mo largeop="true">{_LARGE[name]}</mo>' if name in _LARGE else f"<mo>{name}</mo>"
        kind = "sub" if name == "int" else "under"
        if not above:
            return f"<m{kind}>{symbol}{below}</m{kind}>"
        kind = "subsup" if name == "int" else "underover"
        return f"<m{kind}>{symbol}{below}{above}</m{kind}>"

    def cases(self, rows: Sequence[tuple[str, str]]) -> str:
        inside = "".join(f"<mtr><mtd>{value}</mtd><mtd>{condition}</mtd></mtr>" for value, condition in rows)
        return f'<mrow><mo fence="true">{{</mo><mtable columnalign="left">{inside}</mtable></mrow>'
