"""Sentences of a lemma: what is given and what is claimed. A word that is not known is refused, since it may change the meaning."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from dpbounds.errors import InputError
from dpbounds.logic.terms import Family, Term, TermError, binder, conjuncts, facts_of, node, number, transform, variable
from dpbounds.reading.formulas import Reader
from dpbounds.reading.names import Names, refuse
from dpbounds.reading.ranges import members
from dpbounds.reading.tokens import DEPTHS, RELATIONS, Token, tokens_of

_MATH = re.compile(
    r"\$\$(?P<a>.*?)\$\$|\\\[(?P<b>.*?)\\\]|\\begin\{(?P<env>equation|align|gather|multline|displaymath|eqnarray|flalign)\*?\}(?P<c>.*?)"
    r"\\end\{(?P=env)\*?\}|\\\((?P<d>.*?)\\\)|(?<!\\)\$(?P<e>.*?)(?<!\\)\$",
    re.DOTALL,
)
_SKIPPED = re.compile(
    r"\\(?:label|cite[pt]?|ref|eqref)\{[^{}]*\}|\\(?:noindent|medskip|smallskip|bigskip|emph|textit|textbf|itshape|begin\{aligned\}|end\{aligned\}"
    r"|begin\{split\}|end\{split\})(?![A-Za-z])|[{}*~]|^#+.*$",
    re.MULTILINE,
)
_LABEL = re.compile(r"\s*(?:lemma|theorem|proposition|corollary|claim|fact)\s*[\d.]*\s*(?:\([^)]*\))?\s*[.:]?", re.IGNORECASE)
_GIVEN = (
    "for all", "for every", "for any", "for each", "for", "let", "suppose that", "suppose", "assume that", "assume", "fix", "if", "given",
    "where", "with", "such that", "provided that", "provided", "when", "whenever", "as long as", "assuming that", "assuming", "satisfying",
    "and let", "and for all", "and for every", "and for any", "and where", "and suppose that", "and assume that", "subject to",
)  # fmt: skip
_ASSUMING = ("let", "suppose that", "suppose", "assume that", "assume", "fix", "and let", "and suppose that", "and assume that")
_QUANTIFIERS = ("for all", "for every", "for any", "for each", "for", "and for all", "and for every", "and for any")
_CONDITIONAL = ("if", "provided that", "provided", "when", "whenever", "as long as")
_THEN = (
    "then", "we have that", "we have", "it holds that", "it holds", "one has", "there holds", "it follows that", "the inequality",
    "the bound", "the identity", "the following holds", "the following inequality holds", "then we have", "then it holds that",
    "moreover", "furthermore", "in addition", "in particular", "hence", "therefore", "thus", "consequently",
    "then we have that", "then the following holds", "then the following inequality holds",
)  # fmt: skip
_CLOSING = ("holds", "hold", "is true", "is satisfied")
_BE = ("be", "is", "are", "denote")
_SIGNS = {"positive": "positive", "nonnegative": "nonnegative", "non-negative": "nonnegative", "negative": "negative"}
_EMPTY = ("arbitrary", "fixed", "given", "any", "every", "each", "all", "two", "three", "finite")
_NOUNS = {
    "integer": ("Z", True), "integers": ("Z", False), "real": ("R", True), "reals": ("R", False), "number": ("", True),
    "numbers": ("", False), "variables": ("", False), "parameters": ("", False), "constants": ("", False),
}  # fmt: skip
_FAMILIES = ("family", "families")
_LAWS = ("distributions", "distribution", "pmfs", "pmf")

_EXISTS = "`there exists`: leave the constant C free in the claim, and `dpbounds tighten` looks for the best one"
_OUTSIDE = {
    "there exists": _EXISTS,
    "there is": _EXISTS,
    "there are": _EXISTS,
    "if and only if": "`if and only if` is two implications: state both",
    "iff": "`iff` is two implications: state both",
    "or": "`or` between formulas: write \\vee inside of one formula",
    "unless": "`unless`: write what is given, with `if`",
    "for some": _EXISTS,
    "sufficiently large": "how large is `sufficiently large`? Write the bound",
}


@dataclass
class Item:
    """A word, a mark, or a formula of a sentence."""

    kind: str
    text: str = ""
    tokens: Sequence[Token] = ()
    display: bool = False
    group: int = 0


@dataclass
class Said:
    """What the sentences say."""

    given: list[Term] = field(default_factory=list)
    then: list[Term] = field(default_factory=list)
    names: Names = field(default_factory=Names)


def items_of(text: str) -> list[Item]:
    """Words, marks and formulas in order.

    >>> len(items_of("For all $x > 0$, $x + 1 > x$."))
    6
    """
    found: list[Item] = []
    place = 0
    for k, match in enumerate([*_MATH.finditer(text), None]):
        found += _words(text[place : match.start() if match else len(text)])
        if match is not None:
            name = next(name for name in "abcde" if match[name] is not None)
            found += _pieces(tokens_of(match[name]), name in "abc", k)
            place = match.end()
    return found


def _words(text: str) -> Iterator[Item]:
    text = _SKIPPED.sub(" ", text)
    for match in re.finditer(r"[A-Za-z][A-Za-z-]*|[.,;:]|\S", text):
        word = match.group()
        yield Item("word" if word[0].isalpha() else "mark", word.lower() if len(word) > 1 or word in "AI" else word)


def _pieces(tokens: Sequence[Token], display: bool, group: int) -> Iterator[Item]:
    """A displayed or inline formula, cut at commas, words and quantifiers that stand outside of all parentheses."""
    depth, piece = 0, []
    last = [*tokens, Token("end", ",")]
    for k, token in enumerate(last):
        depth += DEPTHS.get(token.text, 0) * (token.kind == "sign")
        ends = token.kind == "sign" and token.text in (",", ";", ":", ".", r"\forall", "gap")
        spoken = token.kind == "word" and (" " in token.text.strip() or token.text.strip().lower() in _SPOKEN)
        if depth or not (ends or spoken or token.kind == "end"):
            piece.append(token)
            continue
        if piece:
            yield Item("formula", " ".join(t.source for t in piece), piece, display, group)
            piece = []
        if spoken:
            yield from _words(token.text)
        elif token.text == r"\forall":
            yield from _words("for all")
        elif token.kind != "end" and token.text != "gap":
            yield Item("mark", token.text)
        elif token.text == "gap" and k + 1 < len(tokens):
            yield Item("mark", ";")


_SPOKEN = {"if", "and", "for", "where", "with", "when", "whenever", "provided", "then", "let", "or", "given", "all"}


class Sentences:
    """Reads the items of one lemma."""

    def __init__(self, items: Sequence[Item]) -> None:
        self.items, self.place = list(items), 0
        self.said = Said()
        self.fresh: set[str] = set()
        self.pending = False  # whether a word such as `then` waits for its claim
        self.marked = any(self._phrase(_THEN, k) for k in range(len(self.items)))

    # --- phrases

    def _phrase(self, phrases: Sequence[str], place: int | None = None) -> str:
        """The longest phrase that begins here."""
        place = self.place if place is None else place
        for phrase in sorted(phrases, key=len, reverse=True):
            words = phrase.split()
            here = self.items[place : place + len(words)]
            if [i.text for i in here] == words and all(i.kind == "word" for i in here):
                return phrase
        return ""

    def _take(self, phrases: Sequence[str]) -> str:
        found = self._phrase(phrases)
        self.place += len(found.split())
        return found

    def _at(self, kind: str, *texts: str) -> bool:
        item = self.items[self.place] if self.place < len(self.items) else Item("end")
        return item.kind == kind and (not texts or item.text in texts)

    # --- the lemma

    def read(self) -> Said:
        """The statement.

        Raises:
            InputError: a word that is not known, or a formula that is neither given nor claimed for sure.
        """
        while self.place < len(self.items):
            self._sentence()
        if not self.said.then:
            raise refuse("nothing is claimed: begin the claim with `Then` or `we have`")
        self.said.names.check()
        return self.said

    def _sentence(self) -> None:
        mode, opener, after = "", "", False
        before = len(self.said.then), len(self.said.given)
        while self.place < len(self.items) and not self._at("mark", "."):
            if self._phrase(tuple(_OUTSIDE)):
                raise self._unknown()
            if found := self._take(_THEN):
                mode, opener, self.pending = "then", found, True
                if self._at("mark", ",", ":"):
                    self.place += 1
            elif found := self._take(_GIVEN):
                if opener in _CONDITIONAL and found in _CONDITIONAL and after:
                    raise refuse(f"`{found}` after `{opener}`: which condition belongs to which claim? State two lemmas")
                mode, opener = "given", found
            elif self._take(_CLOSING):
                mode = "closed"
            elif self._at("mark", ",", ":", ";") or self._at("word", "and", "all"):
                self.place += 1
            elif mode in ("", "then"):
                self._claims(mode)
                after, mode = True, mode or "then"
            elif mode == "closed":
                raise refuse(f"`{self.items[self.place].text}` after the claim")
            elif self._is_claim(after, opener):
                self._claims("")
                mode, after = "then", True
            else:
                self._list(opener, after)
        if 0 < before[0] < len(self.said.then) and before[1] < len(self.said.given):
            raise refuse("a second claim under other premises: write two lemmas")
        self.place += 1

    def _is_claim(self, after: bool, opener: str) -> bool:
        """Whether the formula here is claimed, where no word says which one is: it introduces nothing, or is the last of all."""
        if (self.marked and not self.pending) or after or self.said.then or not self._at("formula") or opener in _ASSUMING:
            return False
        here, before, rest = self.items[self.place], self.items[self.place - 1], self.items[self.place + 1 :]
        rest = [i for i in rest if i.kind != "mark" or i.text != "."]
        if not (before.kind == "mark" or (before.kind == "formula" and here.display)):
            return False
        others = [i for i in rest if i.kind == "formula"]
        if self._introduces(here):
            return not rest
        if not others or self._phrase(_CONDITIONAL, self.place + 1):
            return True
        return rest[0].text == "and" and not any(map(self._introduces, others)) and len(rest) == 2 * len(others)

    def _introduces(self, item: Item) -> bool:
        """Whether a formula introduces a variable: a new letter alone, or on one side of a relation."""
        known = self.said.names.declared
        side: list[Token] = []
        sides, depth = [], 0
        for token in [*item.tokens, Token("sign", "<")]:
            depth += DEPTHS.get(token.text, 0)
            if token.kind == "sign" and token.text in RELATIONS and not depth:
                sides.append(side)
                side = []
            else:
                side.append(token)
        names = [Reader(part, Names()).whole() for part in sides if part and part[0].kind in ("letter", "word") and self._is_name(part)]
        return any(x.tag == "variable" and x.data[0] not in known for x in names)

    def _is_name(self, part: Sequence[Token]) -> bool:
        return len(part) == 1 or part[1].text == "_"

    def _claims(self, mode: str) -> None:
        """One formula that is claimed, or several with `and` between them."""
        self.pending = False
        if not self._at("formula"):
            raise self._unknown()
        if self.said.then and self.items[self.place - 1].text != "and" and mode == "":
            raise refuse(f"`{self.items[self.place].text}` is a second claim: write `and` between two claims, or two lemmas")
        while True:
            item = self.items[self.place]
            found = self._formula(item)
            if found.sort != "F":
                raise refuse(f"`{item.text}` claims nothing: a relation is missing")
            self.said.then.append(found)
            self.place += 1
            joined = (
                self.place + 1 < len(self.items) and self.items[self.place].text in (",", ";") and self.items[self.place + 1].text == "and"
            )
            self.place += joined
            if not self._at("word", "and") or self._phrase(_GIVEN):
                break
            self.place += 1
            if not self._at("formula"):
                break
        if self._at("mark", ",", ";") and self.place + 1 < len(self.items) and self.items[self.place + 1].kind == "formula":
            raise refuse(f"`{self.items[self.place + 1].text}` behind a comma: is it claimed or given? Write `and`, or `for`")

    def _unknown(self) -> InputError:
        if found := self._phrase(tuple(_OUTSIDE)):
            return refuse(_OUTSIDE[found])
        return refuse(f"`{self.items[self.place].text}` is not known here: leave it out, or say it in formulas")

    # --- what is given

    def _list(self, opener: str, after: bool) -> None:
        """Formulas that are given, with the words before and behind them."""
        said = self._kind()
        group: list[tuple[Item, list[Term]]] = []
        while self._at("formula"):
            if group and self._is_claim(after, opener):
                break
            item = self.items[self.place]
            if opener in _QUANTIFIERS and (self.pending or not self.marked) and not self.said.then and not self._introduces(item):
                raise refuse(f"is `{item.text}` given or claimed? Write `we have` before the claim")
            group.append((item, self._given(item)))
            self.place += 1
            begin = self.place
            comma = self._at("mark", ",", ";")
            self.place += comma
            conjoined = self._at("word", "and")
            if comma and conjoined and opener in _CONDITIONAL and after:
                raise refuse("`and` behind a comma after a condition: is it claimed or given?")
            self.place += conjoined
            if not (comma or conjoined) or not self._at("formula") or self._phrase(_GIVEN) or (comma and not self._goes_on(after, opener)):
                self.place = begin
                break
        if not group:
            raise self._unknown()
        kind, law = said, None
        if self._take(_BE):
            if said[0] or said[2]:
                raise refuse("what the variables are is said twice")
            kind = self._kind()
            law = self._law() if kind[3] else None
        self._apply(kind, law, group)

    def _goes_on(self, after: bool, opener: str) -> bool:
        return not self._is_claim(after, opener)

    def _kind(self) -> tuple[str, bool, str, bool]:
        """Sort, whether of one variable, sign, whether a law: `a positive integer`, `real numbers`."""
        sort, singular, sign, law = "", False, "", False
        while self._at("word"):
            word = self.items[self.place].text
            if word in ("a", "an"):
                singular = True
            elif word in _SIGNS:
                sign = _SIGNS[word]
            elif word == "natural":
                raise refuse("natural numbers begin with 0 for some and with 1 for others: write `integers` with their least value")
            elif word in _NOUNS:
                own, one = _NOUNS[word]
                sort, singular = sort if sort == "F" else own or sort or "R", singular or one
            elif word in _LAWS:
                law = True
            elif word in _FAMILIES:
                sort, singular = "F", word == "family"
            elif word not in (*_EMPTY, "the", "probability", "of"):
                break
            self.place += 1
        return sort, singular, sign, law

    def _law(self) -> Term:
        """The last outcome, of `on {1, ..., n}`."""
        if not self._at("word", "on", "over") or self.items[self.place + 1].kind != "formula":
            raise refuse("distributions on which outcomes? Write `distributions on $\\{1, \\dots, n\\}$`")
        item = self.items[self.place + 1]
        self.place += 2
        probe = variable("i")
        parts = Reader([Token("sign", r"\in"), *item.tokens], Names())
        parts.place = 1
        found = members(parts, probe)
        if len(found) != 2 or found[0] != (probe >= 1):
            raise refuse(f"distributions on {item.text}: outcomes are numbered from 1 to n, as in \\{{1, \\dots, n\\}}")
        return found[1].parts[1]

    def _apply(self, kind: tuple[str, bool, str, bool], law: Term | None, group: list[tuple[Item, list[Term]]]) -> None:
        sort, singular, sign, _ = kind
        names = self.said.names
        if law is not None:
            i = variable("i", "Z")
            for item, _found in group:
                name = item.tokens[0].text
                if len(item.tokens) != 1:
                    raise refuse(f"{item.text} is said to be a distribution")
                names.laws[name] = law
                names.declared.add(name)
                total = binder("Sum", i, [number(1), law], Family(name, "R", ("nonnegative",))[i])
                self.said.given.append(node("=", total, number(1)))
            return
        if sort == "F":
            for item, _found in group:
                if len(item.tokens) != 1:
                    raise refuse(f"{item.text} is said to be a family")
                names.families[item.tokens[0].text] = (sign,) if sign else ()
            return
        whole = group
        if singular and len(group) > 1 and (sort == "Z" or sign):
            article = self.items[self.place - 1].kind == "word"  # the words stand behind the formulas
            if not article:
                raise refuse(f"is {group[1][0].text} of the same kind? Say `integers`, or what it is")
            whole = group[-1:]
        if sign and any(len(item.tokens) > 1 for item, _ in whole) and len(whole) > 1:
            raise refuse(f"which of them are {sign}? Write the signs as relations")
        for _item, found in group:
            self.said.given += [part for part in found if part.tag != "variable"]
        for _item, found in whole:
            for x in {x for part in found for x in part.free if isinstance(x, Term)} if sort == "Z" or sign else ():
                if sort == "Z":
                    names.integers.add(x.data[0])
                if sign == "positive" and sort == "Z":
                    self.said.given.append(variable(x.data[0]) >= 1)
                elif sign:
                    self.said.given += facts_of(x, [sign])

    def _given(self, item: Item) -> list[Term]:
        """What a formula says that is given; a variable alone is introduced."""
        found = self._formula(item)
        if found.sort != "F":
            if found.tag != "variable":
                raise refuse(f"`{item.text}` is given, but says nothing: a relation is missing")
            self._introduce(found)
            return [*self._shared(item, found), found]
        parts = list(conjuncts(found))
        for x in _subjects(item, parts):
            self._introduce(x)
        return parts

    def _introduce(self, x: Term) -> None:
        self.said.names.declared.add(x.data[0])

    def _shared(self, item: Item, x: Term) -> list[Term]:
        """Of `x, y > 0` in one formula: what is said of y is said of x."""
        k = self.place
        after = self.items[k + 1 : k + 3]
        if len(after) < 2 or after[0].text not in (",", "and") or after[1].kind != "formula":
            return []
        other = after[1]
        if other.group != item.group:
            if (
                len(other.tokens) > 1
                and other.tokens[0].kind == "letter"
                and other.tokens[1].text in RELATIONS
                and not self._is_last(other)
            ):
                raise refuse(f"{item.text}, {other.text}: is it said of {item.text} as well? Write a relation for each")
            return []
        place, known = self.place, set(self.said.names.declared)
        self.place = k + 2
        found = self._given(other)
        self.place, self.said.names.declared = place, known
        relations = [part for part in found if part.tag != "variable"]
        end = next((k for k, t in enumerate(other.tokens) if t.text in RELATIONS and t.kind == "sign"), len(other.tokens))
        subject = Reader(other.tokens[:end], Names()).whole() if other.tokens[0].kind == "letter" and end else x
        if subject.tag != "variable" or subject == x:
            return []
        if subject.data[0] in self.said.names.integers:
            self.said.names.integers.add(x.data[0])
        return [part.subs(subject, x) for part in relations if subject in part.free]

    def _is_last(self, item: Item) -> bool:
        return not any(other.kind == "formula" for other in self.items[self.items.index(item) + 1 :])

    def _formula(self, item: Item) -> Term:
        self._check_shared_bounds(item)
        constants = [t.text for t in item.tokens[:1] if t.text in ("e", "pi") and t.kind == "letter"]
        if constants and (len(item.tokens) == 1 or (len(item.tokens) > 1 and item.tokens[1].text in RELATIONS and not self.said.then)):
            word = {"e": "Euler's number", "pi": "the number pi"}[constants[0]]
            raise refuse(f"{constants[0]} is {word}, and is introduced as a variable: give the variable another letter")
        try:
            return Reader(item.tokens, self.said.names).whole()
        except TermError as error:
            raise refuse(f"{error} in `{item.text}`") from error
        except RecursionError:
            raise refuse("a formula is nested too deeply") from None

    def _check_shared_bounds(self, item: Item) -> None:
        """`0 < x, y < 1` is meant of both."""
        k = next(k for k, other in enumerate(self.items) if other is item)
        after = self.items[k + 1 : k + 3]
        if len(after) < 2 or after[0].text != "," or after[1].kind != "formula" or after[1].group != item.group:
            return
        left, right = item.tokens, after[1].tokens
        signs = [[t.text for t in side if t.text in RELATIONS and t.kind == "sign"] for side in (left, right)]
        if (
            len(signs[0]) == len(signs[1]) == 1
            and signs[0][0][0] == signs[1][0][0]
            and signs[0][0][0] in "<>"
            and left[-2].text == signs[0][0]
        ):
            raise refuse(f"{item.text}, {after[1].text}: both bounds of both? Write them for each")


def _subjects(item: Item, parts: Sequence[Term]) -> Iterator[Term]:
    """The variables that a given formula introduces: those that stand alone on a side."""
    member = next((k for k, t in enumerate(item.tokens) if t.text == r"\in"), 0)
    if member:
        sides: Sequence[Term] = [Reader(item.tokens[:member], Names()).whole()]
    else:
        sides = [side for part in parts if part.hint is None for side in part.parts]
    yield from (side for side in sides if side.tag == "variable")


def integers_put(t: Term, integers: set[str], families: dict[str, tuple[str, ...]]) -> Term:
    """The term with integers where the words say so, and with members of families where a family has an index."""

    def change(s: Term, _depth: int) -> Term | None:
        if s.tag == "apply":
            name = s.data[0].name
            parts = [integers_put(part, integers, families) for part in s.parts]
            return node("apply", *parts, data=(Family(name, "R", families.get(name, ())),))
        if s.tag != "variable":
            return None
        head, _, below = s.data[0].partition("_")
        if head in families and below:
            place = number(int(below)) if below.isdigit() else variable(below, "Z" if below in integers else "R")
            return node("apply", place, data=(Family(head, "R", families[head]),))
        return variable(s.data[0], "Z") if s.data[0] in integers else None

    return transform(t, change)
