"""What a list of lemmas is made of: true statements, each with a false twin close to it, and how a list is written down."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import sympy

from dpbounds import notation
from dpbounds.notation import Claim


@dataclass(frozen=True)
class Lemma:
    """A true statement and a false one on the same domain.

    Attributes:
        true, twin: the claims.
    """

    true: Claim
    twin: Claim


def lemma(name: str, given: Iterable[Any], then: Any, twin: Any) -> Lemma:
    """A lemma from its premises, its conclusion and its false twin."""
    premises = tuple(given)
    return Lemma(Claim(id=name, text="", given=premises, then=then), Claim(id=f"{name}.twin", text="", given=premises, then=twin))


_RECORD = re.compile(r"([\w-]+):(.*?)=>(.*?)(?:;(.*?))?=/>(.*)", re.DOTALL)
_TEXT = re.compile(r'^ +"(.*)"$', re.MULTILINE)


def lemmas_in(names: Mapping[str, Any], text: str) -> tuple[Lemma, ...]:
    """The lemmas of a list, one a record.

    A record goes on while lines are indented, and a line goes on where eight blanks or more follow. `#` begins a remark.

        name: premises => lemma =/> twin
            "what the lemma says, and where it stands"
            "where the twin fails"

    Premises of the twin's own stand after a semicolon, before `=/>`. Both texts may be left out.

    Args:
        names: what the expressions mean besides the words of claim files.
        text: the list.
    """
    words = {**vars(notation), "R": notation.Rational, "density": density, **names}

    def read(expression: str) -> Any:
        return eval(expression.strip(), words)  # noqa: S307, the lists are files of this folder

    found = []
    whole = re.sub(r"\n {8,}", " ", re.sub(r"^#.*\n", "", text.strip(), flags=re.MULTILINE))
    for record in re.split(r"\n(?! )", whole):
        name, given, then, others, twin = _RECORD.fullmatch(_TEXT.sub("", record)).groups()
        said, fails = (*_TEXT.findall(record), "", "")[:2]
        premises = tuple(read(f"[{given}]"))
        own = premises if others is None else tuple(read(f"[{others}]"))
        true = Claim(id=name, text=said, given=premises, then=read(then))
        found.append(Lemma(true, Claim(id=f"{name}.twin", text=fails, given=own, then=read(twin))))
    return tuple(found)


def density(z: Any) -> Any:
    """The density of the standard normal distribution at a term, or at an expression of sympy in a list that is written with sympy."""
    words = sympy if isinstance(z, sympy.Basic) else notation
    return words.exp(-(z**2) / 2) / words.sqrt(2 * words.pi)
