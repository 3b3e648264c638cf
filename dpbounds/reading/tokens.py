"""LaTeX of formulas as tokens: spaces and sizes of fences are dropped, words and sets become one token each."""

from __future__ import annotations

import re
from dataclasses import dataclass

from dpbounds.errors import InputError
from dpbounds.logic.layout import GREEK

_TOKEN = re.compile(
    r"""(?P<space>\s+|\\[,;:!>\ /]|~|\\(?:displaystyle|textstyle|limits|nolimits|nonumber|notag)(?![A-Za-z])
        |\\(?:middle|left|right|[bB]igg?[lrm]?)(?![A-Za-z])
        |\\(?:tag|label)\{[^{}]*\}|&)
    |(?P<gap>\\q?quad(?![A-Za-z]))
    |(?P<line>\\\\(?:\[[^\]]*\])?)
    |(?P<word>\\(?:mathrm|operatorname|mathsf|mathit|text|textrm|textsf|textnormal|mbox|rm)\*?\s*\{(?P<inside>[^{}]*)\})
    |(?P<set>\\(?:mathbb|mathcal|mathbf|boldsymbol)\s*\{?\s*(?P<letter>[A-Za-z0-9])\s*\}?)
    |(?P<command>\\[A-Za-z]+|\\[{}|])
    |(?P<number>\d+(?:\.\d+)?|\.\d+)
    |(?P<letters>[A-Za-z]+)
    |(?P<sign>\|\||.)""",
    re.VERBOSE | re.DOTALL,
)
SAME = {
    r"\le": "<=", r"\leq": "<=", r"\leqslant": "<=", r"\ge": ">=", r"\geq": ">=", r"\geqslant": ">=", "<": "<", ">": ">", "=": "=",
    r"\lt": "<", r"\gt": ">", r"\ne": "!=", r"\neq": "!=", r"\coloneqq": "=", r"\triangleq": "=", r"\cdot": "*", r"\times": "*",
    r"\ast": "*", r"\dots": "...", r"\ldots": "...", r"\cdots": "...", r"\lvert": "(|", r"\rvert": "|)", r"\vert": "|", r"\mid": "|",
    r"\lfloor": "(floor", r"\rfloor": "floor)", r"\lceil": "(ceil", r"\rceil": "ceil)", r"\|": "||", r"\Vert": "||", r"\lbrace": r"\{",
    r"\rbrace": r"\}", r"\lbrack": "[", r"\rbrack": "]", r"\colon": ":", r"\land": r"\wedge", r"\lor": r"\vee", r"\lnot": r"\neg",
    r"\implies": r"\Rightarrow", r"\dfrac": r"\frac", r"\tfrac": r"\frac", r"\nicefrac": r"\frac", r"\sfrac": r"\frac",
    r"\dbinom": r"\binom", r"\tbinom": r"\binom", r"\ln": r"\log", r"\mod": r"\bmod",
}  # fmt: skip
"""Commands that mean the same."""
_UNICODE = {letter: f"\\{name} " for name, letter in GREEK.items() if name != "epsilon"} | {
    "ε": r"\varepsilon ", "ϵ": r"\epsilon ", "≤": r"\le ", "≥": r"\ge ", "≠": r"\ne ", "∞": r"\infty ", "∈": r"\in ", "·": r"\cdot ",
    "×": r"\times ", "−": "-", "‖": r"\| ", "∀": r"\forall ", "√": r"\sqrt ", "…": r"\ldots ",
}  # fmt: skip
RELATIONS = ("<=", ">=", "<", ">", "=", "!=", r"\in")
DEPTHS = {"(": 1, "[": 1, r"\{": 1, "{": 1, ")": -1, "]": -1, r"\}": -1, "}": -1}
_INFIX = (*RELATIONS, "+", "-", "*", "/", ",", ";", ":", r"\wedge", r"\vee", r"\Rightarrow", "\n")
_SPELLED = re.compile("exp|log|ln|min|max|sup|inf|erfc?|sqrt|cosh?|sinh?|tanh|sum|int|" + "|".join(GREEK))


@dataclass(frozen=True)
class Token:
    """One sign.

    Attributes:
        kind: "number", "letter", "word", "set", "sign" (also of commands) or "end".
        text: the number, the letter, or the sign under its first name.
        joined: whether a letter stands in a row of letters.
        source: as it was typed.
    """

    kind: str
    text: str
    joined: bool = False
    source: str = ""


def tokens_of(text: str) -> list[Token]:
    """The tokens of a formula.

    Raises:
        InputError: a function or a letter that is spelled without its backslash, a prime, or a line that may go on with a sign.

    >>> [token.text for token in tokens_of("x^2 + 1")]
    ['x', '^', '2', '+', '1']
    """
    text = re.sub(r"\\left\s*\|", r"\\lvert ", re.sub(r"\\right\s*\|", r"\\rvert ", text))
    for sign, command in _UNICODE.items():
        text = text.replace(sign, command)
    found: list[Token] = []
    for match in _TOKEN.finditer(text):
        kind, source = match.lastgroup or "", match.group()
        kind = {"inside": "word", "letter": "set"}.get(kind, kind)
        if kind == "space":
            continue
        if kind == "letters":
            if _SPELLED.fullmatch(source):
                raise InputError(f"`{source}` is a product of letters in LaTeX; write \\{source}")
            found += [Token("letter", letter, len(source) > 1, source) for letter in source]
        elif kind == "word":
            found.append(Token("word", match["inside"], source=source))
        elif kind == "set":
            found.append(Token("set", f"{re.split(r'[^A-Za-z]', source[1:])[0]} {match['letter']}", source=source))
        elif kind in ("gap", "line"):
            found.append(Token("sign", {"gap": "gap", "line": "\n"}[kind], source=source))
        elif source[0] == "\\" and source[1:] in GREEK or source in (r"\varepsilon", r"\varphi"):
            found.append(Token("letter", source[1:], source=source))
        elif source == "'" or source == r"\prime":
            raise InputError("a prime may mean a derivative or another variable; give the variable a letter of its own")
        else:
            found.append(Token("number" if kind == "number" else "sign", SAME.get(source, source), source=source))
    return _without_gaps(_without_definitions(found))


def _without_definitions(found: list[Token]) -> list[Token]:
    """`:=` is `=`."""
    pairs = list(zip(found, [*found[1:], Token("end", "")], strict=False))
    return [token for token, after in pairs if not (token.text == ":" and after.text == "=")]


def _without_gaps(found: list[Token]) -> list[Token]:
    """Wide spaces and ends of lines count only between two things that would else be multiplied."""
    kept: list[Token] = []
    for k, token in enumerate(found):
        if token.text not in ("gap", "\n"):
            kept.append(token)
            continue
        after = next((t for t in found[k + 1 :] if t.text != "gap"), Token("end", ""))
        before = kept[-1] if kept else Token("end", "")
        if token.text == "\n" and after.text == "-" and before.text not in _INFIX:
            raise InputError(
                "a line begins with a minus sign, which may continue a difference or begin a formula; put the formula on one line"
            )
        infix = [t.text in _INFIX or t.kind in ("end", "word") or t.text == r"\forall" for t in (before, after)]
        if not any(infix):
            kept.append(Token("sign", ";" if token.text == "\n" else "gap", source=token.source))
    return kept
