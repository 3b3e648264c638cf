"""A lemma as papers print it: what was read, an echo for its author, and the claim file.

>>> found = read_lemma(r"For all $x > -1$, $\\log(1 + x) \\le x$.")
>>> found.given, found.then
((x > -1,), log(1 + x) <= x)
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from dpbounds.logic import notation
from dpbounds.logic.latex import latex
from dpbounds.logic.layout import GREEK
from dpbounds.logic.terms import Family, Function, Term, conjuncts, free_in, fresh, name_of, node, renamed, transform, variable, walk
from dpbounds.reading.names import refuse
from dpbounds.reading.sentences import _LABEL, Sentences, integers_put, items_of

_ENVIRONMENT = re.compile(
    r"\\begin\{(lemma|theorem|proposition|corollary|claim|fact|conjecture)\*?\}\s*(?:\[([^\]]*)\])?(.*?)\\end\{\1\*?\}", re.DOTALL
)
_HEADING = re.compile(r"^\s*\*\*((?:Lemma|Theorem|Proposition|Corollary|Claim|Fact)[^*\n]*)\*\*", re.MULTILINE)


@dataclass(frozen=True)
class Lemma:
    """What was read.

    Attributes:
        title: what the source calls it, "" where it has no name.
        given: the premises; what the words say of signs is among them.
        then: the conclusion.
        free: variables that the words do not introduce.
    """

    title: str
    given: tuple[Term, ...]
    then: Term
    free: tuple[str, ...] = ()

    @cached_property
    def _named(self) -> list[Any]:
        return free_in([self.then, *self.given])

    @property
    def echo(self) -> str:
        r"""What was understood, for the author.

        >>> print(read_lemma(r"For $x > 0$, $e^{-x} \le 1 + c$.").echo)
        I read: for all real c and x with x > 0: exp(-x) <= 1 + c. e is Euler's number; c is free, any real number. Right?
        """
        who = [
            f"all {word} {_listed(names)}"
            for word, names in (
                ("real", [_letter(x.data[0]) for x in self._named if isinstance(x, Term) and x.sort == "R"]),
                ("integers", [_letter(x.data[0]) for x in self._named if isinstance(x, Term) and x.sort == "Z"]),
                ("families", [_letter(x.name) for x in self._named if not isinstance(x, Term)]),
            )
            if names
        ]
        shown = {x: variable(_letter(x.data[0]), x.sort) for x in self._named if isinstance(x, Term)}
        given, then = ", ".join(str(renamed(part, shown)) for part in self.given), renamed(self.then, shown)
        domain = f" with {given}" if given else ""
        for_whom = f"for {_listed(who)}{domain}: " if who else ""
        tags = {s.tag for t in (self.then, *self.given) for s in walk(t)}
        notes = [text for text, marks in _NOTES.items() if tags & marks]
        notes += [
            f"{_letter(name)} is free, any {'integer' if variable(name, 'Z') in self._named else 'real number'}" for name in self.free
        ]
        return f"I read: {for_whom}{then}." + (f" {'; '.join(notes)}." if notes else "") + " Right?"

    @property
    def latex(self) -> str:
        """The lemma in LaTeX, from what was read: reading it gives the same statement."""
        words: list[str] = []
        laws = {name: last for part in self.given for name, last in _laws_in(part)}
        given = [part for part in self.given if not any(_laws_in(part))]
        kinds = [("R", "a real number", "real numbers"), ("Z", "an integer", "integers")]
        shown = [(f"${latex(x)}$", *next(k[1:] for k in kinds if k[0] == x.sort)) for x in self._named if isinstance(x, Term)]
        for x in self._named:
            if not isinstance(x, Term) and x.name not in laws:
                sign = f"{x.facts[0]} " if x.facts else ""
                shown.append((f"${latex(variable(x.name))}$", f"a family of {sign}numbers", f"families of {sign}numbers"))
        for last in dict.fromkeys(laws.values()):
            on = rf"on $\{{1, \dots, {latex(last)}\}}$"
            shown += [
                (f"${latex(variable(name))}$", f"a distribution {on}", f"distributions {on}") for name, n in laws.items() if n == last
            ]
        for one, several in dict.fromkeys((row[1], row[2]) for row in shown):
            names = [row[0] for row in shown if row[1] == one]
            words.append(f"Let {_listed(names)} be {one if len(names) == 1 else several}.")
        if given:
            words.append(f"Suppose that {' and '.join(f'${_fenced(part)}$' for part in given)}.")
        return " ".join([*words, f"Then {' and '.join(f'${_fenced(part)}$' for part in conjuncts(self.then) or (self.then,))}."])

    def as_dict(self) -> dict[str, Any]:
        """What was read, for a JSON document."""
        return {
            "echo": self.echo,
            "latex": self.latex,
            "given": list(map(str, self.given)),
            "then": str(self.then),
            "integers": [x.data[0] for x in self._named if isinstance(x, Term) and x.sort == "Z"],
            "free": list(self.free),
            "claim": self.claim_text(),
        }

    @property
    def name(self) -> str:
        """A name for a claim file."""
        own = re.sub(r"[^a-z0-9]+", "_", self.title.lower()).strip("_")
        return own if own.isidentifier() and not keyword.iskeyword(own) else f"lemma_{own}" if own else "lemma"

    def claim_text(self, name: str = "") -> str:
        """The lines of a claim file, without the import of the notation; the echo stands above as a comment."""
        names = {x: _python_name(name_of(x)) for x in self._named}
        other = {x: variable(n, x.sort, x.data[2]) if isinstance(x, Term) else type(x)(n, x.sort, x.facts) for x, n in names.items()}
        lines = [f"# {self.echo}"]
        for x, own in names.items():
            made = f'family("{x.name}", "{(x.facts or ("real",))[0]}")' if isinstance(x, Family) else f'{_WORDS[x.sort]}("{x.data[0]}")'
            lines.append(f"{own} = {made}")
        bound = {s.hint[:2] for t in (self.then, *self.given) for s in walk(t) if s.hint}
        lines += [f'{own} = {_WORDS[sort]}("{own}")' for own, sort in sorted(bound) if own not in names.values()]
        given = ", ".join(_python(renamed(part, other)) for part in self.given)
        lines += [f"{name or self.name} = claim(", f"    {(self.title or 'As printed').rstrip('.') + '.'!r},"]
        lines += [f"    [{given}],"] if given else []
        return "\n".join([*lines, f"    {_python(renamed(self.then, other))},", ")"]) + "\n"


_WORDS = {"R": "real", "Z": "integer"}
_NOTES = {
    "e is Euler's number": {"exp", "E"},
    "log is the natural logarithm": {"log"},
    "Φ is the distribution function of N(0, 1)": {"NormalCDF", "NormalQuantile"},
    "N(m, s²) has variance s²": {"GaussianRenyi", "SampledGaussianRenyi"},
}


def read_lemma(text: str) -> Lemma:
    """One lemma, as LaTeX or Markdown.

    Args:
        text: sentences with formulas between dollars or in displays.

    Raises:
        InputError: something has no reading, or two; the message names it.

    >>> read_lemma(r"For all $x > 0$, $\\log(1 + x) \\le x$.").echo
    'I read: for all real x with x > 0: log(1 + x) <= x. log is the natural logarithm. Right?'
    """
    found = read_lemmas(text)
    if len(found) != 1:
        raise refuse(f"{len(found)} lemmas where one is wanted")
    return found[0]


def read_lemmas(text: str) -> list[Lemma]:
    """All lemmas of a text: its lemma environments or headings; without any, the whole text is one.

    Raises:
        InputError: the first one that cannot be read.

    >>> len(read_lemmas(r"For all $x > 0$, $\\log(1 + x) \\le x$."))
    1
    """
    return [read_part(title, body) for title, body in parts_of(text)]


def parts_of(text: str) -> list[tuple[str, str]]:
    """Titles and texts of the lemmas of a document.

    >>> parts_of("**Lemma 1.** For $x > 0$, $x + 1 > x$.")
    [('Lemma 1', ' For $x > 0$, $x + 1 > x$.')]
    """
    text = re.sub(r"(?<!\\)%.*", "", text)
    if found := [(m[2] or "", m[3]) for m in _ENVIRONMENT.finditer(text)]:
        return found
    headings = list(_HEADING.finditer(text))
    if not headings:
        return [("", text)]
    ends = [*(h.start() for h in headings[1:]), len(text)]
    return [(h[1].strip(" .:"), text[h.end() : end]) for h, end in zip(headings, ends, strict=True)]


def claim_file(lemmas: Iterable[Lemma]) -> str:
    """A claim file of lemmas, each under a name of its own.

    >>> "x + 1 > x" in claim_file([read_part("one", "For all $x > 0$: $x + 1 > x$.")])
    True
    """
    parts: list[str] = ["from dpbounds.notation import *\n"]
    taken: set[str] = set()
    for lemma in lemmas:
        name = fresh(lemma.name, taken)
        taken.add(name)
        parts.append(lemma.claim_text(name))
    return "\n".join(parts)


def read_part(title: str, text: str) -> Lemma:
    """The lemma of a part of a document.

    >>> read_part("one", "For all $x > 0$: $x + 1 > x$.").title
    'one'
    """
    label = _LABEL.match(text)
    said = Sentences(items_of(text[label.end() :] if label else text)).read()
    names = said.names
    facts = names.families | dict.fromkeys(names.laws, ("nonnegative",))
    terms = [integers_put(t, names.integers, facts) for t in (*said.given, node("And", *said.then) if len(said.then) > 1 else said.then[0])]
    given, then = tuple(dict.fromkeys(terms[:-1])), terms[-1]
    letters = [x for x in free_in(terms) if isinstance(x, Term)]
    if taken := {x.data[0] for x in letters} & set(facts):
        raise refuse(f"{taken.pop()} is a number and a family")
    return Lemma(title, given, then, tuple(x.data[0] for x in letters if x.data[0] not in names.declared))


def _laws_in(t: Term) -> Iterator[tuple[str, Term]]:
    """The family and its last place, of a premise that nonnegative numbers sum to one."""
    if t.tag == "=" and t.parts[1] == 1 and t.parts[0].tag == "Sum" and t.parts[0].parts[0] == 1:
        mass = t.parts[0].parts[2]
        if mass.tag == "apply" and mass.parts[0].tag == "bound" and mass.data[0].facts == ("nonnegative",):
            yield mass.data[0].name, t.parts[0].parts[1]


def _fenced(t: Term) -> str:
    return rf"\left({latex(t)}\right)" if t.tag in ("ForAll", "And", "Or", "Implies", "Not") else latex(t)


def _listed(items: Iterable[str]) -> str:
    items = list(items)
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}"


def _letter(name: str) -> str:
    head, _, tail = name.partition("_")
    return GREEK.get({"lam": "lambda", "eps": "epsilon"}.get(head, head), head) + (f"_{tail}" if tail else "")


def _python_name(name: str) -> str:
    return f"{name}_" if keyword.iskeyword(name) or hasattr(notation, name) else name


def _python(t: Term) -> str:
    """The term as Python computes it: numbers that are no integers, and integers among themselves, are made exact."""
    rational, integer = Function("Rational"), Function("Integer")

    def change(s: Term, _depth: int) -> Term | None:
        if s.tag == "number" and s.sort == "R":
            return rational(s.data[0].numerator, s.data[0].denominator)
        if s.tag in _ARITHMETIC and s.tag != "inv" and not s.data and all(part.tag in (*_ARITHMETIC, "number") for part in walk(s)):
            return transform(s, lambda n, _: (integer(n) if n.sort == "Z" else change(n, 0)) if n.tag == "number" else None)
        return None

    return str(transform(t, change)).replace("inv(", "1/(")


_ARITHMETIC = ("+", "*", "**", "neg", "inv", "<=", "<", ">=", ">")
