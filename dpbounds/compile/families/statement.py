"""A claim about families while its document is written: its symbols for sums and entries, what is known of them, and the steps so far."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import sympy
from sympy import Sum, Symbol

from dpbounds.compile.families.longer_sums import rest_of_sum
from dpbounds.compile.one_term import OneTerm
from dpbounds.compile.steps import NotWritten, Steps
from dpbounds.compile.towers.descents import Descents
from dpbounds.kernel.terms import ONE, ZERO, Term, at_most, below, binder, minus, node, substitute, variable
from dpbounds.language import functions
from dpbounds.language.substitution import parts_of_and
from dpbounds.language.typed.read_sympy import Statements

_PLACE = Symbol("place_of_a_term", integer=True)


@dataclass(frozen=True)
class Total:
    """A sum of the claim: the symbol that stands for it, its term in symbols of entries, and the sum itself in the checker's language."""

    symbol: Symbol
    body: Any
    term: Term


class FamilyStatement:
    """A claim about families in symbols for its sums and entries.

    Args:
        then, given: the claim.
    """

    def __init__(self, then: Any, given: Sequence[Any]) -> None:
        self.read = Statements()
        stated = self.read.stated(then, given)
        self.given, self.goal = stated.given, stated.claim
        self.steps = Steps(str(v.data[0]) for v in self.read.symbols.values())
        self.search = Descents(self.steps).search
        signed = self._signed(given)
        then, given = then.xreplace(signed), [g.xreplace(signed) for g in given]
        self.levels = sorted({d.args[0] for d in then.atoms(functions.HockeyStick)}, key=str)
        self.parts = [r.xreplace(_definitions(r)) for r in parts_of_and(then)]
        self.premises = [part.xreplace(_definitions(part)) for g in given for part in parts_of_and(g)]
        self.i, self.length, self.longest = self._range(self.parts)
        self.at = variable("i_", "Z")
        self.entries: dict[Any, Symbol] = {}
        self.fixed: dict[Any, Symbol] = {}
        self.values: dict[Term, Term] = {}
        self.totals: dict[Any, Total] = {}
        self.rests: dict[Symbol, Symbol] = {}
        self.splits: list[int] = []
        self.symbols: dict[Symbol, Term] = {}
        self.auxiliary: list[int] = []
        self.at_place: dict[Term, int] = {}
        self._more: list[Symbol] = []
        self.implied: list[tuple[Term, Any, Term]] = []
        self.images: dict[Term, Term] = {}
        self.back: dict[Term, Term] = {}
        self.moved = self._moved()
        self.stated, self.claimed = self.given, self.goal
        signs = [below(ZERO, self.symbols[m]) if m.is_positive else at_most(ZERO, self.symbols[m]) for m in self._more]
        self.given = [*signs, *(substitute(g, self.images) for g in self.given)]
        self.goal = substitute(self.goal, self.images)
        self.known = [k for g in self.given for k in self.search.opened(self.steps.assume(g))]
        self.within = [self.steps.assume(at_most(ONE, self.at)), self.steps.assume(at_most(self.at, self.read.term(self.length)))]

    def parameter(self, name: str) -> tuple[Symbol, Term]:
        """A real number of which nothing is known, the same one for a name."""
        found = next((s for s in self.symbols if s.name == name), None)
        if found is None:
            found = Symbol(name, real=True)
            self.symbols[found] = self.read.symbols[found] = self.steps.fresh(name)
        return found, self.symbols[found]

    def moved_back(self, end: int) -> int:
        """The claim in its own parameters."""
        if not self.back:
            return end
        steps, end = self.steps, self.returned(end)
        parts = self.claimed.parts if self.claimed.tag == "and" else (self.claimed,)
        own = [end] if self.claimed.tag != "and" else [steps.write("part", end, number=k) for k in range(len(parts))]
        ends = [steps.weaker(f, k) for f, k in zip(parts, own, strict=True)]
        return ends[0] if len(ends) == 1 else steps.write("conjunction", *ends)

    def returned(self, end: int) -> int:
        """A step in the claim's own parameters."""
        if not self.back:
            return end
        steps = self.steps
        end = steps.write("substitution", end, terms=self.back, functions={})
        for v, image in self.images.items():
            end = steps.write("rewrite", end, steps.write("ring", formula=node("=", substitute(image, self.back), v)))
        given = [k for g in self.stated for k in self.search.opened(steps.assume(g))]
        shown = []
        for f in steps.write.steps[end].hypotheses:
            if f not in self.stated:
                found = next(
                    (x for k in given if steps.formula(k).tag in ("<=", "<", "=") and (x := steps.sum_of(f, [k])) is not None), None
                )
                found = found if found is not None else steps.attempt("linear", *given, formula=f, multipliers=[])
                if found is None:
                    raise NotWritten("a premise in other words")
                shown.append(found)
        return steps.write("cut", end, *shown) if shown else end

    def _range(self, parts: Sequence[Any]) -> tuple[Symbol, Any, Any]:
        """The index, the length, and the longest length: that, or the larger one of two by a premise."""
        sums = [s for r in (*parts, *self.premises) for s in r.atoms(Sum)]
        highs = {s.limits[0][2] for s in sums}
        if not highs or len(highs) > 2 or any(len(s.limits) != 1 for s in sums):
            raise NotWritten("sums over one range")
        if any(s.limits[0][1] != 1 for s in sums) or not all(high.is_Symbol for high in highs):
            raise NotWritten("sums from 1 to a length")
        orders = [(p.lts, p.gts) for p in self.premises if isinstance(p, (sympy.Le, sympy.Ge)) and {p.lts, p.gts} == highs]
        if len(highs) == 2 and not orders:
            raise NotWritten("sums over one range")
        length, longest = orders[0] if len(highs) == 2 else (*highs, *highs)
        if length != longest:
            self.order = self.steps.assume(at_most(self.read.term(length), self.read.term(longest)))
        return sums[0].limits[0][0], length, longest

    def _signed(self, given: Sequence[Any]) -> dict[Symbol, Any]:
        """Parameters that a premise says to be positive, or not negative, as symbols of which sympy knows it."""
        found: dict[Symbol, Any] = {}
        for premise in (part for g in given for part in parts_of_and(g)):
            if isinstance(premise, (sympy.Le, sympy.Lt, sympy.Ge, sympy.Gt)) and premise.lts == 0 and premise.gts.is_Symbol:
                s, strict = premise.gts, isinstance(premise, (sympy.Lt, sympy.Gt))
                if not s.is_integer and s.is_nonnegative is None:
                    found[s] = Symbol(s.name, **{"positive" if strict else "nonnegative": True})
                    self.read.symbols[found[s]] = self.read.symbol(s)
        return found

    def _moved(self) -> dict[Symbol, Any]:
        """Parameters above a bound that a premise states, as that bound and what is more: sympy knows the signs of these."""
        found: dict[Symbol, Any] = {}
        bounds = [p for p in self.premises if isinstance(p, (sympy.Le, sympy.Lt, sympy.Ge, sympy.Gt))]
        for premise in sorted(bounds, key=lambda p: len(p.lts.free_symbols)):
            s, low = premise.gts, premise.lts.xreplace(found)
            plain = s.is_Symbol and not s.is_integer and s not in found and low != 0 and not low.has(sympy.Indexed, Sum)
            if not plain or low.free_symbols & {s, self.length} or any(s in image.free_symbols for image in found.values()):
                continue
            strict = isinstance(premise, (sympy.Lt, sympy.Gt))
            more = Symbol(f"{s.name}_more", **{"positive" if strict else "nonnegative": True})
            v = self.read.symbol(s)
            if any(v in g.free for g in self.given if g.tag == "all"):
                continue
            self.symbols[more] = self.read.symbols[more] = self.steps.fresh(f"{s.name}more")
            self._more.append(more)
            self.images[v] = self.read.term(low + more)
            self.back[self.symbols[more]] = minus(v, self.read.term(premise.lts))
            found[s] = low + more
        return found

    def new_symbol(self, name: str, like: Any, term: Term) -> Symbol:
        """A symbol with the sign of another expression, which stands for a term."""
        sign = {"positive": True} if like.is_positive else {"nonnegative": True} if like.is_nonnegative else {"real": True}
        s = Symbol(name, **sign)
        v = self.steps.fresh(name)
        self.symbols[s] = v
        self.values[v] = term
        return s

    def in_symbols(self, e: Any) -> Any:
        """An expression with symbols for sums and entries."""
        e = sympy.sympify(e)
        sums = sorted((s for s in e.atoms(Sum) if not s.function.has(Sum)), key=str)
        while sums:
            e = e.xreplace({s: self._whole(s) for s in sums})
            sums = sorted((s for s in e.atoms(Sum) if not s.function.has(Sum)), key=str)
        found = {}
        for entry in sorted(e.atoms(sympy.Indexed), key=str):
            single = not entry.indices[0].has(self.i)
            symbols = self.fixed if single else self.entries
            if entry not in symbols:
                inner = self._as_term(entry.xreplace({self.i: _PLACE}))
                name = f"{entry.base.label}at{entry.indices[0]}" if single else f"{entry.base.label}entry"
                symbols[entry] = self.new_symbol(name, entry, inner)
            found[entry] = symbols[entry]
        e = e.xreplace(found)
        e = e.xreplace(self.moved)
        for s in e.free_symbols - set(self.symbols):
            if s == self.i:
                raise NotWritten("a term that speaks of its place")
            self.symbols[s] = self.read.symbol(s)
        return e

    def _whole(self, s: Any) -> Any:
        """The symbol of a sum, with another one for what is beyond the length."""
        total = self.total(s)
        return total.symbol if s.limits[0][2] == self.length else total.symbol + rest_of_sum(self, total)

    def body_of(self, total: Total) -> Term:
        """The term of a sum at the place."""
        return self.valued(OneTerm(self.steps, self.symbols, ()).term(total.body))

    def _as_term(self, e: Any) -> Term:
        self.read.symbols.setdefault(_PLACE, self.at)
        return self.read.term(e)

    def total(self, s: Any) -> Total:
        """A sum to the length, with its symbol."""
        index = s.limits[0][0]
        body = s.function.xreplace({index: self.i}) if index != self.i else s.function
        mark = Sum(body, (self.i, 1, self.length))
        if mark not in self.totals:
            inside = self.in_symbols(body)
            term = OneTerm(self.steps, self.symbols, ()).term(inside)
            whole = binder("sum", self.at, ONE, self.read.term(self.length), self.valued(term))
            signed = (
                Symbol("s", positive=True)
                if inside.is_positive
                else Symbol("s", nonnegative=True)
                if inside.is_nonnegative
                else Symbol("s", real=True)
            )
            symbol = self.new_symbol(f"total{'abcdefghijklmnopqrstuvwxyz'[len(self.totals)]}", signed, whole)
            self.totals[mark] = Total(symbol, inside, self.values[self.symbols[symbol]])
        return self.totals[mark]

    def valued(self, t: Term) -> Term:
        """A term with entries and sums in the place of their symbols."""
        return substitute(t, {v: substitute(value, self.values) for v, value in self.values.items()})

    def units(self) -> list[tuple[Any, Any]]:
        """(u, c) with Σ u = c: laws, and the number of places."""
        found: list[tuple[Any, Any]] = []
        for premise in self.premises:
            if isinstance(premise, sympy.Eq):
                for side, other in (premise.args, premise.args[::-1]):
                    if isinstance(side, Sum) and side.limits[0][2] == self.length and not other.has(sympy.Indexed):
                        found.append((self.total(side).body, self.in_symbols(other)))
        self.symbols.setdefault(self.length, self.read.symbol(self.length))
        return [*found, (sympy.S.One, self.length)]


def _definitions(e: Any) -> dict[Any, Any]:
    return {d: d.definition() for d in e.atoms(functions.Divergence) if not d.is_table}
