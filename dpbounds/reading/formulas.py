"""Formulas of papers as terms, by operator precedence: what mathematicians would read in two ways is refused by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction

from dpbounds.errors import InputError
from dpbounds.logic.terms import Family, Term, TermError, free_in, node, number, variable
from dpbounds.reading.laws import divergence, law_of
from dpbounds.reading.names import Names, refuse
from dpbounds.reading.ranges import bound_by, for_all, members
from dpbounds.reading.tokens import DEPTHS, RELATIONS, Token

_NAMES = {"varepsilon": "epsilon", "varphi": "phi", "lambda": "lam"}
_FUNCTIONS = {
    **{f"\\{name}": name for name in ("exp", "log", "cosh", "sinh", "tanh")},
    **{name: name for name in ("erf", "erfc", "exp", "log", "cosh", "sinh", "tanh")},
    "ln": "log",
    "Phi": "NormalCDF",
    "Gamma": "gamma",
}
_EXTREMES = {r"\max": "Max", r"\min": "Min", "max": "Max", "min": "Min"}
_OPENING = {"(": ")", "[": "]", r"\{": r"\}"}
_FENCES = {"(|": ("|)", "Abs"), "(floor": ("floor)", "floor"), "(ceil": ("ceil)", "ceiling")}
_STARTS = (*_OPENING, *_FENCES, "{", r"\frac", r"\binom", r"\sqrt", r"\infty", r"\sum", r"\int", r"\sup", r"\inf", *_FUNCTIONS, *_EXTREMES)
_CALLERS = (*_FUNCTIONS, "}")
_OUTSIDE = {
    "||": "a norm: bars of a number are single, and vectors have no form; write the norm of numbers out, as in \\sqrt{x^2 + y^2}",
    r"\prod": "products have no form: write \\exp of a sum of logarithms",
    r"\Pr": "probabilities have no form: write the sum or the integral",
    r"\pm": "\\pm is two statements: write both",
    r"\approx": "\\approx says no inequality: write the bound",
    r"\partial": "derivatives have no form: write what it is",
    "...": "dots in a formula: write the sum with its range",
    **dict.fromkeys((r"\cos", r"\sin", r"\tan", r"\arctan"), "trigonometric functions have no form"),
    **dict.fromkeys((r"\sim", r"\lesssim", r"\gtrsim", r"\ll", r"\gg", r"\propto", r"\simeq"), "it says no inequality: write the bound"),
    **dict.fromkeys((r"\iff", r"\Leftrightarrow"), "two implications: state both"),
    r"\equiv": "\\equiv has several meanings: write =",
    r"\lim": "limits have no form: state the bound for every value",
    "gap": "a wide space stands between two factors: write \\cdot or a comma",
    "set mathbb E": "expectations have no form: write the sum or the integral",
}
_END = Token("end", "the end")


class Reader:
    """Reads one formula."""

    def __init__(self, tokens: Sequence[Token], names: Names) -> None:
        self.tokens, self.names, self.place = list(tokens), names, 0
        self.scope: dict[str, str] = {}
        self.bars = self.integrals = 0

    # --- tokens

    @property
    def now(self) -> Token:
        """The token here."""
        return self.tokens[self.place] if self.place < len(self.tokens) else _END

    def ahead(self, by: int = 1) -> Token:
        """The token further on."""
        return self.tokens[self.place + by] if self.place + by < len(self.tokens) else _END

    def is_next(self, *texts: str) -> bool:
        """Whether one of these signs stands here."""
        return self.now.text in texts and self.now.kind in ("sign", "word")

    def take(self) -> Token:
        """The token here, passed over."""
        self.place += 1
        return self.tokens[self.place - 1] if self.place <= len(self.tokens) else _END

    def expect(self, text: str) -> None:
        """Pass over a sign that must stand here."""
        if not self.is_next(text):
            raise refuse(f"{text} is missing {self.where()}")
        self.place += 1

    def where(self) -> str:
        """The place, as words."""
        near = " ".join(token.source for token in self.tokens[max(0, self.place - 4) : self.place + 3])
        return f"near `{near}`"

    def unknown(self, token: Token) -> InputError:
        """The error of a token that has no place here."""
        key = f"set {token.text}" if token.kind == "set" else token.text
        return refuse(f"{_OUTSIDE.get(key, f'{token.source or token.text} is not expected')} ({self.where()})")

    @contextmanager
    def inside(self) -> Iterator[None]:
        """In a group, in which bars and differentials are its own."""
        kept, self.bars = self.bars, 0
        yield
        self.bars = kept

    @contextmanager
    def bound(self, name: str, sort: str) -> Iterator[None]:
        """Where a letter is bound."""
        before, self.scope = self.scope, {**self.scope, name: sort}
        yield
        self.scope = before

    # --- formulas

    def whole(self) -> Term:
        """The whole formula."""
        found = self.formula()
        if self.now.kind != "end":
            raise self.unknown(self.now)
        return found

    def formula(self) -> Term:
        """Implications of alternatives of conjunctions of relations."""
        left = self._several(r"\vee", "Or", lambda: self._several(r"\wedge", "And", self._denied))
        if self.is_next(r"\Rightarrow"):
            self.take()
            return self.node("Implies", left, self.formula())
        return left

    def _several(self, sign: str, tag: str, part: Callable[[], Term]) -> Term:
        parts = [part()]
        while self.is_next(sign):
            self.take()
            parts.append(part())
        return parts[0] if len(parts) == 1 else self.node(tag, *parts)

    def _denied(self) -> Term:
        if self.is_next(r"\neg"):
            self.take()
            return self.node("Not", self.primary())
        if self.is_next(r"\forall"):
            return for_all(self)
        return self.chain()

    def chain(self) -> Term:
        """Relations in a chain: a < b < c is a < b and b < c."""
        sides, found = [self.sum()], []
        while self.now.text in RELATIONS and self.now.kind == "sign":
            sign = self.take().text
            if sign == r"\in":
                found += members(self, sides[-1])
                break
            sides.append(self.sum())
            found.append(self.node(sign, *sides[-2:]))
        if not found:
            return sides[0] if self.tokens[self.place - 1].text != r"\in" else node("true")
        found = [part for part in found if part.tag != "true"] or [node("true")]
        return found[0] if len(found) == 1 else node("And", *found)

    # --- numbers

    def sum(self) -> Term:
        """Sums and differences."""
        found = self.signed()
        while self.is_next("+", "-"):
            bound = {t.hint[0] for t in (found.parts if found.tag == "+" else (found,)) for t in _heads(t) if t.hint}
            minus = self.take().text == "-"
            if self.is_next("-", "+"):
                raise refuse(f"two signs in a row {self.where()}")
            part = self.product()
            hidden = {piece for x in free_in([part]) if isinstance(x, Term) for piece in x.data[0].split("_")} & bound
            if hidden:
                raise refuse(f"{hidden.pop()} stands behind the sum that it counts: put what is summed into parentheses")
            found = self.node("+", found, node("neg", part) if minus else part)
        return found

    def signed(self) -> Term:
        """A product with a sign before it."""
        if self.is_next("-"):
            self.take()
            return self.node("neg", self.product())
        if self.is_next("+"):
            self.take()
        return self.product()

    def product(self) -> Term:
        """Products and quotients; after a slash, what stands beside a factor may be above or below the line."""
        began, slash, bars = self.place, False, self.is_next("|")
        found = self.power()
        while True:
            sign = self.now.text if self.now.kind == "sign" else ""
            if sign in ("*", "/"):
                if slash:
                    raise refuse(f"{self._since(began)}: what is below the line? Write \\frac or parentheses")
                self.take()
                slash = sign == "/"
                factor = self.power()
                found = self.node("*", found, node("inv", factor) if slash else factor)
                continue
            if not self._begins_factor():
                return found
            if slash:
                self.take()
                raise refuse(f"{self._since(began)}: what is below the line? Write \\frac or parentheses")
            if self.now.kind == "number":
                raise refuse(f"a number behind a factor {self.where()}: write \\cdot, or put it first")
            if sign == "|" and bars:
                raise refuse(f"bars in a row {self.where()}: write \\lvert and \\rvert")
            bars = bars or sign == "|"
            found = self.node("*", found, self.power())

    def _since(self, place: int) -> str:
        return "".join(token.source for token in self.tokens[place : self.place])

    def _begins_factor(self) -> bool:
        token = self.now
        if self.integrals and self.is_differential():
            return False
        if token.kind in ("number", "letter", "word"):
            return token.kind != "word" or token.text not in ("mod",)
        return token.kind == "sign" and (
            token.text in _STARTS or (token.text == "|" and not self.bars) or token.text in ("gap", "||", r"\prod")
        )

    def is_differential(self) -> bool:
        """Whether an integral ends here, with dx."""
        return self.now.text == "d" and self.now.kind in ("letter", "word") and self.ahead().kind == "letter"

    def power(self) -> Term:
        """A factor with what stands above it."""
        token = self.now
        if token.text == "e" and token.kind in ("letter", "word") and self.ahead().text != "_":
            self.take()
            if not self.is_next("^"):
                return node("E")
            self.take()
            return self._raised(node("exp", self.script()))
        base = self.primary()
        while self.is_next("!"):
            self.take()
            if self.is_next("!"):
                raise refuse("two exclamation marks: a double factorial, or the factorial of a factorial?")
            base = self.node("factorial", base)
        if self.is_next("_") and token.text in _OPENING:
            self.take()
            if self.take().text != "+":
                raise refuse(f"an index of a parenthesis {self.where()}")
            base = self.node("Max", base, number(0))
        if self.is_next("^"):
            self.take()
            return self._raised(self.node("**", base, self.script()))
        return base

    def _raised(self, found: Term) -> Term:
        if self.is_next("^", "_"):
            raise refuse(f"a power of a power without braces {self.where()}")
        return self.node("factorial", found) if self.is_next("!") and self.take() else found

    def script(self) -> Term:
        """What stands above or below: one sign, or what is in braces."""
        if self.is_next("{"):
            return self.braced()
        token = self.now
        if token.kind == "number":
            if len(token.text) > 1:
                raise refuse(f"^{token.text} raises {token.text[0]} alone: write ^{{{token.text}}}")
            self.take()
            return number(int(token.text))
        if token.kind == "letter":
            if token.joined:
                raise refuse(f"only the first letter of `{token.source}` is above the line: write braces")
            self.take()
            return node("E") if token.text == "e" else self._variable(self.letter_name(token), token)
        if token.text in (r"\frac", r"\sqrt", r"\infty"):
            return self.primary()
        if token.text in ("*", "+", r"\star", r"\dagger", r"\top"):
            raise refuse(f"^{token.source} has several meanings")
        raise self.unknown(token)

    def braced(self) -> Term:
        """A term in braces."""
        self.expect("{")
        with self.inside():
            found = self.formula()
        self.expect("}")
        return found

    def primary(self) -> Term:
        """A factor without powers."""
        token = self.now
        if token.kind == "number":
            self.take()
            return number(Fraction(token.text))
        if token.text in _EXTREMES and token.kind in ("sign", "word"):
            return self._extreme()
        if (token.text in _FUNCTIONS and token.kind in ("sign", "word")) or (token.kind == "letter" and self._is_function(token)):
            return self._called()
        if token.kind in ("letter", "word"):
            return self._named()
        if token.kind == "set" or token.text not in (*_STARTS, "|"):
            raise self.unknown(token)
        return self._fenced(token)

    def _is_function(self, token: Token) -> bool:
        """Φ and Γ before an argument."""
        return token.text in ("Phi", "Gamma") and token.text not in self.names.declared and self.ahead().text in ("(", "^", "[", r"\{")

    def _fenced(self, token: Token) -> Term:
        before = self.tokens[self.place - 1].text if self.place else ""
        text = self.take().text
        if text in _OPENING:
            with self.inside():
                found = self.formula()
            if text != "(" and found.tag == "variable" and self.tokens[self.place - 2].text == text and before not in _CALLERS:
                raise refuse(f"{text}{found}{_OPENING[text]} may be a whole or a fractional part: write parentheses, or \\lfloor")
            if self.is_next(","):
                raise refuse(f"no function with several arguments is read, except \\max and the like: write out the formula {self.where()}")
            if not self.is_next(_OPENING[text]):
                raise refuse(f"{text} is not closed by {_OPENING[text]} {self.where()}")
            self.take()
            return found
        if text in _FENCES or text == "|":
            closing, tag = _FENCES.get(text, ("|", "Abs"))
            self.bars += text == "|"
            kept, self.bars = self.bars, self.bars if text == "|" else 0
            found = self.sum()
            self.bars = kept - (text == "|")
            self.expect(closing)
            return self.node(tag, found)
        if text == "{":
            with self.inside():
                found = self.sum() if self._chooses() else self.power()
                if self.is_next(r"\choose"):
                    self.take()
                    found = self.node("binomial", found, self.sum())
            self.expect("}")
            return found
        if text == r"\infty":
            return node("oo")
        if text == r"\frac":
            above = self.script_of_fraction()
            return self.node("*", above, node("inv", self.script_of_fraction()))
        if text == r"\binom":
            return self.node("binomial", self.braced(), self.braced())
        if text == r"\sqrt":
            return self._root()
        return bound_by(self, text)

    def _chooses(self) -> bool:
        """Whether these braces hold `n \\choose k`."""
        depth = 1
        for token in self.tokens[self.place :]:
            depth += {"{": 1, "}": -1}.get(token.text, 0)
            if not depth:
                return False
            if depth == 1 and token.text == r"\choose":
                return True
        return False

    def script_of_fraction(self) -> Term:
        """A part of a fraction: in braces, or one digit or letter."""
        token = self.now
        if token.kind == "number" and "." not in token.text and len(token.text) > 1:  # \frac12 is one half
            self.tokens[self.place : self.place + 1] = [Token("number", digit, source=digit) for digit in token.text]
        return self.script()

    def _root(self) -> Term:
        if not self.is_next("["):
            return self.node("sqrt", self.script())
        self.take()
        order = self.sum()
        self.expect("]")
        return self.node("**", self.script(), node("*", number(1), node("inv", order)))

    # --- names

    def letter_name(self, token: Token) -> str:
        """The name of a letter in the notation, seen under one spelling."""
        name = _NAMES.get(token.text, token.text)
        before = self.names.spelled.setdefault(name, token.text)
        if before != token.text:
            raise refuse(f"\\{before} and \\{token.text} both stand there: are they one letter? Write one of them")
        return name

    def _named(self) -> Term:
        """A letter or a word with what stands below it."""
        token = self.take()
        name = token.text if token.kind == "word" else self.letter_name(token)
        if token.kind == "word" and not name.isalnum():
            raise refuse(f"words inside of a formula: `{name}`")
        if token.text in ("Phi", "Gamma") and not self.is_next("_", "^") and token.text not in self.names.declared:
            raise refuse(f"\\{token.text} without parentheses around its argument {self.where()}")
        if token.text == "pi" and token.kind == "letter" and not self.is_next("_"):
            return node("pi")
        place: list[Term] = []
        if self.is_next("^") and self._has_index_above():
            raise refuse(f"{name} has an index above and below {self.where()}: write the index first")
        if self.is_next("_"):
            self.take()
            below, place = self._index()
            name = name if place else f"{name}_{below}"
        if self._is_divergence():
            return self._divergence(name, place)
        if place:
            self.names.families.setdefault(name, ())
            return node("apply", *place, data=(Family(name),))
        return self._variable(name, token)

    def _has_index_above(self) -> bool:
        k = self.place + 1
        if self.ahead().text == "{":
            while k < len(self.tokens) and self.tokens[k].text != "}":
                k += 1
        return k + 1 < len(self.tokens) and self.tokens[k + 1].text == "_"

    def _end_of_braces(self) -> int:
        depth = 0
        for k in range(self.place, len(self.tokens)):
            depth += {"{": 1, "}": -1}.get(self.tokens[k].text, 0)
            if not depth:
                return k
        raise refuse(f"braces are not closed {self.where()}")

    def _index(self) -> tuple[str, list[Term]]:
        """What stands below a letter: a part of its name, or the place in a family."""
        if not self.is_next("{"):
            parts = [self.take()]
            if len(parts[0].text) > 1 and parts[0].kind == "number":
                raise refuse(f"_{parts[0].text} lowers {parts[0].text[0]} alone: write _{{{parts[0].text}}}")
            if parts[0].joined:
                raise refuse(f"only the first letter of `{parts[0].source}` is below the line: write braces")
        else:
            end = self._end_of_braces()
            parts = self.tokens[self.place + 1 : end]
            self.place = end + 1
        words = [_NAMES.get(t.text, t.text).lstrip("\\") for t in parts if t.text != ","]
        if counted := set(words) & set(self.scope):
            self.names.integers |= {word for word in counted if self.scope[word] == "R"}
        if counted or not all(word.isalnum() for word in words):
            return "", self._list_of(parts)
        if all(t.kind == "letter" and t.joined for t in parts):
            words = ["".join(words)]
        return "_".join(words), []

    def _variable(self, name: str, token: Token) -> Term:
        if self.is_next("("):
            self.names.applied.add(name)
        elif token.joined:
            self.names.joined.setdefault(name, token.source)
        else:
            self.names.alone.add(name)
        return variable(name, self.scope.get(name, "R"))

    # --- functions

    def _called(self) -> Term:
        token = self.take()
        name, power = _FUNCTIONS[token.text], None
        if self.is_next("_"):
            raise refuse(f"{token.source}_{self.ahead().source}: a logarithm to a base is a quotient, write \\frac{{\\log x}}{{\\log 2}}")
        if self.is_next("^"):
            self.take()
            power = self.script()
            if name == "NormalCDF" and power == -1:
                name, power = "NormalQuantile", None
            elif not (power.tag == "number" and power.data[0].denominator == 1 and power.data[0] >= 2):
                raise refuse(f"{token.source}^{power} has several meanings: put the power behind the argument in parentheses")
        fenced = self.now.text in _OPENING  # braces are not seen
        argument = self._fenced(self.now) if fenced else self._bare(token)
        if fenced and self.is_next("^", "!"):
            raise refuse(f"{token.source}(...){self.now.text}: of the function or of its argument? Put parentheses around one of them")
        value = self.node(name, argument)
        return value if power is None else self.node("**", value, power)

    def _bare(self, token: Token) -> Term:
        """An argument without parentheses: one factor, behind which nothing may be a part of it."""
        argument = self.power()
        if self.is_next("*", "/") or (self._begins_factor() and not self.is_next(*_FUNCTIONS)):
            self.take()
            raise refuse(f"where does the argument of {token.source} end {self.where()}? Put it into parentheses")
        return argument

    def _extreme(self) -> Term:
        token = self.take()
        if self.now.text not in _OPENING:
            raise refuse(f"{token.source} takes its numbers in braces or parentheses {self.where()}; over a range it is \\sup or \\inf")
        closing, parts = _OPENING[self.take().text], []
        with self.inside():
            parts.append(self.sum())
            while self.is_next(","):
                self.take()
                parts.append(self.sum())
        self.expect(closing)
        return self.node(_EXTREMES[token.text], *parts)

    # --- divergences

    def _is_divergence(self) -> bool:
        """Whether an opening parenthesis holds two laws with bars between them."""
        return self.now.text in _OPENING and self._bars_at() is not None

    def _bars_at(self) -> int | None:
        depth = 0
        for k in range(self.place, len(self.tokens)):
            depth += DEPTHS.get(self.tokens[k].text, 0)
            if depth == 1 and self.tokens[k].text == "||":
                return k
            if not depth:
                return None
        return None

    def _divergence(self, name: str, place: list[Term]) -> Term:
        head, _, below = name.partition("_")
        if head not in ("D", "KL", "kl", "delta") or (head in ("D", "delta") and not below and not place):
            raise refuse(f"{name}(P||Q) is no divergence with one meaning: write D_\\alpha(P \\| Q), or D_{{\\mathrm{{KL}}}}(P \\| Q)")
        middle = self._bars_at()
        self.take()
        assert middle is not None
        end = self._closing()
        p, q = (law_of(self.tokens[a:b], self.names, self._list_of) for a, b in ((self.place, middle), (middle + 1, end)))
        self.place = end + 1
        if head in ("KL", "kl") or (head == "D" and below in ("KL", "kl", "1")):
            return divergence("KL", p, q, None)
        order = place[0] if place else number(int(below)) if below.isdigit() else self._variable(below, Token("letter", below))
        return divergence(head, p, q, order)

    def _list_of(self, tokens: Sequence[Token]) -> list[Term]:
        """The terms between the commas of some tokens, in this scope."""
        inner = Reader(tokens, self.names)
        inner.scope = self.scope
        found = [inner.sum()]
        while inner.is_next(","):
            inner.take()
            found.append(inner.sum())
        if inner.now.kind != "end":
            raise inner.unknown(inner.now)
        return found

    def _closing(self) -> int:
        depth, k = 1, self.place
        while depth and k < len(self.tokens):
            depth += DEPTHS.get(self.tokens[k].text, 0)
            k += 1
        return k - 1

    def node(self, tag: str, *parts: Term) -> Term:
        """A node, or an error that says where."""
        try:
            return node(tag, *parts)
        except TermError as error:
            raise refuse(f"{error} {self.where()}") from error


def _heads(t: Term) -> Iterator[Term]:
    """The sums and extrema at the ends of a term, behind which more may seem to belong to them."""
    yield t
    if t.tag in ("neg", "*"):
        yield from _heads(t.parts[-1])
