"""Statements and values in certificates: the text of terms, in the notation of claim files.

A certificate may come from anywhere, so its text is never evaluated: `dpbounds.logic.text` reads it, and builds terms only.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from contextlib import nullcontext
from typing import Any

from dpbounds.errors import CertificateError, LanguageError
from dpbounds.language.typed.bridge import from_sympy, to_sympy
from dpbounds.logic.terms import (
    FACTS,
    Family,
    Function,
    Named,
    Term,
    TermError,
    as_written,
    free_in,
    fresh,
    name_of,
    renamed,
    variable,
    walk,
)
from dpbounds.logic.text import read, show

_KINDS = {"real": "R", "integer": "Z"}
_NAMED: Mapping[str, type[Named]] = {"family": Family, "function": Function}
_CALLED = "called"
"""Precedes the name that a variable has in its claim, where the text has another one."""
AS_TYPED = "as typed"
"""Stands with the names of a statement that sympy shall read as it is written."""


def write_expression(value: Any) -> str:
    """A number or another closed expression as text that `read_expression` reads back.

    Raises:
        CertificateError: the notation has no term for it.
    """
    try:
        return show(from_sympy(value))
    except TermError as error:
        raise CertificateError(f"no certificate can hold {str(value)[:80]}: {error}") from error


def read_expression(text: str) -> Any:
    """The expression of a text without variables, as sympy has it.

    Raises:
        CertificateError: anything but numbers and functions of the notation, or a number that is too long to compute.

    >>> read_expression("log(2)/3")
    log(2)/3
    """
    try:
        return to_sympy(_read(text, {}))
    except LanguageError as error:
        raise CertificateError(str(error)) from error


def write_statement(then: Term, given: Iterable[Term]) -> dict[str, Any]:
    """Conclusion and premises as text, and what their names stand for: what `read_statement` reads back.

    A name that no text can hold, such as one with a space, has another one there.

    >>> from dpbounds.logic.notation import positive
    >>> write_statement(positive("x") >= 1, [])
    {'given': [], 'then': 'x >= 1', 'names': {'x': ['real', 'positive']}}
    """
    parts = [then, *given]
    free = {name_of(x): x for x in free_in(parts)}
    new: dict[str, str] = {}
    for name in free:
        if not _is_readable(name):
            new[name] = fresh("x", {*free, *new.values()})
    then, *given = (
        _with_readable_binders(renamed(part, {free[name]: _called(free[name], alias) for name, alias in new.items()})) for part in parts
    )
    names = {new.get(name, name): _declaration_of(x) + ([_CALLED, name] if name in new else []) for name, x in free.items()}
    for node in (node for part in (then, *given) for node in walk(part)):
        if node.hint is not None:
            names.setdefault(node.hint[0], _said(*node.hint[1:]))
    if any(node.kept for part in parts for node in walk(part)):
        names[AS_TYPED] = []
    return {"given": sorted(map(show, given)), "then": show(then), "names": dict(sorted(names.items()))}


def read_statement(text: Mapping[str, Any]) -> tuple[Term, tuple[Term, ...]]:
    """Conclusion and premises of a statement that was written.

    Raises:
        CertificateError: it is not in the notation.
    """
    names = {name: _declared(name, words) for name, words in text["names"].items() if name != AS_TYPED}
    with as_written() if AS_TYPED in text["names"] else nullcontext():
        return _read(text["then"], names), tuple(_read(premise, names) for premise in text["given"])


def _is_readable(name: str) -> bool:
    """Whether Python, which splits the text, takes a name for one and leaves it as it is."""
    return name.isidentifier() and unicodedata.normalize("NFKC", name) == name


def _with_readable_binders(t: Term) -> Term:
    """The term with other names of bound variables where no text can hold theirs; it is equal."""
    parts = tuple(map(_with_readable_binders, t.parts))
    hint = t.hint if t.hint is None or _is_readable(t.hint[0]) else ("x", *t.hint[1:])
    same = hint == t.hint and all(a is b for a, b in zip(parts, t.parts, strict=True))
    return t if same else Term(t.tag, t.data, parts, t.sort, hint, t.inner, t.kept)


def _read(text: str, names: Mapping[str, Any]) -> Term:
    try:
        return read(text, names)
    except TermError as error:
        raise CertificateError(f"unreadable expression in a certificate: {str(text)[:80]!r}: {error}") from error


def _called(x: Any, name: str) -> Any:
    return variable(name, x.sort, x.data[2]) if isinstance(x, Term) else type(x)(name, x.sort, x.facts)


def _declaration_of(x: Any) -> list[str]:
    """A kind, and what is declared."""
    return _said(x.sort, x.data[2]) if isinstance(x, Term) else [x.kind, *_said(x.sort, x.facts)]


def _said(sort: str, facts: Iterable[str]) -> list[str]:
    return [next(word for word, kind in _KINDS.items() if kind == sort), *facts]


def _declared(name: str, words: list[str]) -> Any:
    """What a name stands for.

    Raises:
        CertificateError: no declaration of the notation says this.
    """
    called, said = (words[-1], words[:-2]) if words[-2:-1] == [_CALLED] else (name, words)
    kind, (word, *facts) = (said[0], said[1:]) if said[:1] and said[0] in _NAMED else ("", said)
    if word not in _KINDS or not set(facts) <= set(FACTS):
        raise CertificateError(f"no declaration says {words} of {name}")
    return _NAMED[kind](called, _KINDS[word], tuple(facts)) if kind else variable(called, _KINDS[word], facts)
