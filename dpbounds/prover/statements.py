"""Statements of claims and derivations (sympy) as formulas of the checker: structural, node by node, without evaluation.

What a symbol assumes becomes a condition: `signs` gives 0 < x for a positive symbol, and ∀i (1 ≤ i → 0 ≤ p(i)) for a nonnegative family,
or ∀i (0 ≤ i → …) where an index of the statement may be 0.
The formula that comes out is the one that is shown, so a mistake here is visible and cannot make the checker accept a false formula.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Callable, Iterable
from functools import reduce
from typing import Any

import sympy
from sympy.core.function import AppliedUndef

from dpbounds.kernel.notation import RESERVED
from dpbounds.kernel.terms import (
    ONE,
    ZERO,
    Term,
    at_most,
    below,
    binder,
    equal,
    implies,
    minus,
    negative,
    node,
    number,
    over,
    plus,
    power,
    substitute,
    times,
    unequal,
    variable,
)
from dpbounds.language.functions import (
    Extremum,
    HockeyStick,
    Infimum,
    LossTail,
    NormalCDF,
    NormalQuantile,
    PrivacyQuantity,
    RenyiDivergence,
    RenyiMoment,
    Supremum,
)
from dpbounds.language.kinds import entry_for
from dpbounds.language.quantifiers import ForAll, assumes_more_than_a_start
from dpbounds.prover.gamma_function import axioms_of_gamma
from dpbounds.prover.terms import conjuncts


class NotConverted(Exception):
    """The statement uses something that the checker's language does not have."""


_FUNCTIONS = {sympy.exp: "exp", sympy.log: "log", sympy.Abs: "abs", sympy.binomial: "binom"}
_TRAITS = ("real", "integer", "positive", "nonnegative", "negative", "nonpositive", "nonzero")
"""What `signs` says of a symbol; zero would be two signs at once."""
_REAL = sympy.Symbol("x", real=True).assumptions0
"""What a function with real values assumes of them."""
_CHAINS = {sympy.Max: "max", sympy.Min: "min", Supremum: "sup", Infimum: "inf"}


class Statements:
    """One translation: every symbol and family has one name, whatever else is called alike."""

    def __init__(self) -> None:
        self.symbols: dict[Any, Term] = {}
        self.families: dict[Any, tuple[str, str]] = {}
        self.integrands: list[tuple[Any, Any]] = []
        self.from_zero: set[tuple[Any, int, int]] = set()
        self.quantiles: dict[Any, Term] = {}
        self.roundings: dict[Any, tuple[Term, list[Term]]] = {}
        self.gamma: tuple[str, str] | None = None
        self._bound: set[Any] = set()
        self._taken: set[str] = set()

    # names

    def _name(self, name: str) -> str:
        base = re.sub(r"[^A-Za-z0-9_]", "_", name).strip("_") or "x"
        base = "lam" if base in ("lambda", "lamda") else base
        base = base if base[0].isalpha() and not keyword.iskeyword(base) else f"v{base}"
        base, k = base if base not in RESERVED else f"{base}_", 1
        found = base
        while found in self._taken:
            found, k = f"{base}{k}" if not base[-1].isdigit() else f"{base}_{k}", k + 1
        self._taken.add(found)
        return found

    def fresh(self, name: str, sort: str) -> Term:
        """A variable that nothing else is called."""
        return variable(self._name(name), sort)

    def symbol(self, s: Any) -> Term:
        """The variable of a symbol."""
        if s not in self.symbols:
            if not s.is_real:
                raise NotConverted(f"{s} may be infinite" if s.is_extended_real else f"{s} is not known to be real")
            self.symbols[s] = self.fresh(s.name, "Z" if s.is_integer else "R")
        return self.symbols[s]

    def family(self, base: Any, arity: int) -> tuple[str, str]:
        """The function symbol of a family of numbers."""
        if (base, arity) not in self.families:
            if not base.assumptions0.get("real"):
                raise NotConverted(f"the numbers {base} are not known to be real")
            result = "Z" if base.assumptions0.get("integer") else "R"
            self.families[base, arity] = self._name(str(base.label)), "Z" * arity + f">{result}"
        return self.families[base, arity]

    def function(self, f: Any, arity: int) -> tuple[str, str]:
        """The function symbol of a family, or of an unknown function of real numbers."""
        if isinstance(f, sympy.IndexedBase):
            return self.family(f, arity)
        if (f, arity) not in self.families:
            if dict(f.default_assumptions) != _REAL:
                raise NotConverted(f"the unknown function {f} is not assumed to be real, or assumes more")
            self.families[f, arity] = self._name(str(f)), "R" * arity + ">R"
        return self.families[f, arity]

    def signs(self, thing: Any) -> list[Term]:
        """What a symbol, or a family of so many indices, assumes, as formulas."""
        if isinstance(thing, tuple):
            family, (name, signature) = thing, self.families[thing]
            thing = thing[0]
            if not isinstance(thing, sympy.IndexedBase):
                return []  # an unknown function assumes no sign
            indices = [variable(f"%s{k}", "Z") for k in range(signature.index(">"))]
            found = _signs(thing.assumptions0, node("f", *indices, data=(name, signature)))
            starts = [ZERO if (*family, k) in self.from_zero else ONE for k in range(len(indices))]
            ranges = list(zip(indices, starts, strict=True))[::-1]
            return [reduce(lambda f, of: binder("all", of[0], implies([at_most(of[1], of[0])], f)), ranges, f) for f in found]
        traits = thing.assumptions0
        plain = {trait: True for trait in _TRAITS if traits.get(trait)}
        if traits != sympy.Symbol(thing.name, **plain).assumptions0:
            raise NotConverted(f"{thing} assumes more than a sign")
        if traits.get("zero"):
            raise NotConverted(f"{thing} is 0 by assumption")
        return _signs(traits, self.symbol(thing))

    # formulas

    def conclusion(self, statement: Any) -> Term:
        """The formula of what is claimed: of an inequality between infinite sums more than that, see `_partial_sums`."""
        if isinstance(statement, sympy.And):
            return node("and", *map(self.conclusion, statement.args))
        if isinstance(statement, (sympy.Le, sympy.Ge)) and _endless(statement.lts) is not None:
            return self._partial_sums(statement.lts, statement.gts)
        return self.formula(statement)

    def _partial_sums(self, small: Any, large: Any) -> Term:
        """Of c·Σ_{i≥l} a ≤ c'·Σ_{i≥l} b, or ≤ b: 0 < c and all terms are ≥ 0, so sums have a value in [0, ∞], and ≤ of Σ_l^n for every n.

        Infinite sums are limits of these, and limits keep ≤. No premise may be read so, for the formula says more than the statement.
        """
        endless = [found for side in (small, large) if (found := _endless(side)) is not None]
        low = endless[0][1].limits[0][1]
        if any(total.limits[0][1] != low for _, total in endless) or not low.is_integer:
            raise NotConverted("infinite sums that do not start at one integer")
        n, signs, sums, rest = variable("%n", "Z"), list[Term](), list[Term](), [] if len(endless) > 1 else [self.term(large)]
        start, last = (low - 1, n) if low.is_Integer else (sympy.S.Zero, plus(self.term(low - 1), n))
        for factor, total in endless:
            i, body = self._ranging(total.limits[0][0], low), self.term(total.function)
            signs += [] if factor == 1 else [below(ZERO, self.term(factor))]
            own = at_most(ZERO, body if low.is_Integer else substitute(body, {i: plus(self.term(low), i)}))
            signs.append(binder("all", i, implies([at_most(self.term(low) if low.is_Integer else ZERO, i)], own)))
            partial = binder("sum", i, self.term(low), last, body)
            sums.append(partial if factor == 1 else times(self.term(factor), partial))
        return node("and", *signs, binder("all", n, implies([at_most(self.term(start), n)], at_most(*sums, *rest))))

    def formula(self, statement: Any) -> Term:
        """The formula of a Boolean."""
        if (translation := entry_for(_FORMULAS, statement)) is None:
            raise NotConverted(f"a statement of kind {type(statement).__name__}")
        return translation(self, statement)

    def _for_all(self, statement: Any) -> Term:
        x = statement.variable
        inside = self.symbol(x)
        self._bound.add(x)
        conditions = self.signs(x)
        conditions += [] if statement.condition == sympy.true else map(self.formula, conjuncts(statement.condition))
        return binder("all", inside, implies(conditions, self.formula(statement.body)))

    def _ranging(self, x: Any, low: Any) -> Term:
        """The variable that a term binds. A range says nothing of signs: what x assumes, and sympy has used, must hold on all of it."""
        inside = self.symbol(x)
        self._bound.add(x)
        self.signs(x)  # refuses what is more than a sign
        if assumes_more_than_a_start(x) or (x.is_nonnegative and not low.is_nonnegative):
            raise NotConverted(f"{x} runs over a range that its assumptions may exclude")
        if x.is_integer and x.is_positive and not low.is_positive:
            raise NotConverted(f"{x} starts at {low}, which its assumptions may exclude")
        return inside

    # terms

    def term(self, e: Any) -> Term:
        """The term of an expression."""
        e = sympy.sympify(e)
        if (translation := entry_for(_TERMS, e)) is None:
            raise NotConverted(f"{type(e).__name__} is not in the checker's language")
        return translation(self, e)

    def _indexed(self, e: Any) -> Term:
        zero = {(e.base, len(e.indices), k) for k, i in enumerate(e.indices) if i.is_nonnegative and not i.is_positive}
        self.from_zero |= zero
        return node("f", *map(self.term, e.indices), data=self.family(e.base, len(e.indices)))

    def _chain(self, e: Any) -> Term:
        """A maximum or minimum, of two at a time."""
        tag = _CHAINS[type(e)]
        return reduce(lambda a, b: node(tag, a, b), map(self.term, e.args))

    def _finite_sum(self, e: Any) -> Term:
        body = self.term(e.function)
        for index, low, high in e.limits:
            if (high - low + 1).is_negative:
                raise NotConverted("a sum that ends more than one below its start: conventions differ")
            body = binder("sum", self._ranging(index, low), self.term(low), self.term(high), body)
        return body

    def _integrals(self, e: Any) -> Term:
        if any(len(limit) != 3 for limit in e.limits):
            raise NotConverted("an integral without both ends")
        self.integrands.append((e.function, e.limits[0][0]))
        body = self.term(e.function)
        for limit in e.limits:
            body = self._integral(body, *limit)
        return body

    def _factorial(self, e: Any) -> Term:
        """n! = exp Σ_{k=1}^n log k, where n ≥ 0 must be shown, as for every sum."""
        k = variable("%k", "Z")
        return node("exp", binder("sum", k, ONE, self.term(e.args[0]), node("log", k)))

    def _quantile(self, e: Any) -> Term:
        """A number x; Φ(x) = p is a premise then, see `equations`."""
        if e not in self.quantiles:
            p = self.term(e.args[0])
            self.quantiles[e] = equal(node("Phi", self.fresh("quantile", "R")), p)
        return self.quantiles[e].parts[0].parts[0]

    def _rounding(self, e: Any) -> Term:
        """An integer x; x ≤ z < x + 1, or z ≤ x < z + 1, are premises then."""
        if e not in self.roundings:
            z = self.term(e.args[0])
            x = self.fresh("rounded", "Z")
            low, high = (x, z) if isinstance(e, sympy.floor) else (z, x)
            self.roundings[e] = x, [at_most(low, high), below(high, plus(low, ONE))]
        return self.roundings[e][0]

    def _gamma(self, e: Any) -> Term:
        """Γ(x) for x > 0, as a function that is all of Γ there, see `axioms_of_gamma`."""
        if not e.args[0].is_positive:
            raise NotConverted("the gamma function of what is not known to be positive")
        self.gamma = data = self.gamma or (self._name("Gamma"), "R>R")
        return node("f", self.term(e.args[0]), data=data)

    def equations(self) -> list[Term]:
        """Φ(x) = p of each Φ⁻¹(p) that was read. That p lies between 0 and 1, other premises must show."""
        if any(e.free_symbols & self._bound for e in (*self.quantiles, *self.roundings)):
            raise NotConverted("a quantile or a rounding of what is bound by a sum, an integral or a quantifier")
        return [*self.quantiles.values(), *(premise for _, said in self.roundings.values() for premise in said)]

    def _extremum(self, e: Any) -> Term:
        x, low, high = e.args[1]
        if low == -sympy.oo:
            raise NotConverted("an extremum over an interval without a lower end")
        tag, ends = _CHAINS[type(e)], [low, high]
        if high == sympy.oo:
            tag, ends = f"{tag}_above", [low]
        inside = self.symbol(x)  # what it assumes must hold on the range, which `judged` asks of documents
        self._bound.add(x)
        return binder(tag, inside, *map(self.term, (*ends, e.args[0])))

    def _normal(self, e: Any) -> Term:
        """erf x = 2Φ(√2·x) − 1, erfc x = 2Φ(−√2·x)."""
        t = times(node("pow", number(2), number("1/2")), self.term(e.args[0]))
        if type(e) is sympy.erfc:
            return times(number(2), node("Phi", negative(t)))
        return minus(times(number(2), node("Phi", t)), ONE)

    def _hyperbolic(self, e: Any) -> Term:
        """cosh x = (e^x + e^{−x})/2, sinh x = (e^x − e^{−x})/2, tanh x = (e^x − e^{−x})/(e^x + e^{−x})."""
        t = self.term(e.args[0])
        up, down = node("exp", t), node("exp", negative(t))
        if type(e) is sympy.tanh:
            return over(minus(up, down), plus(up, down))
        return times(number("1/2"), plus(up, down) if type(e) is sympy.cosh else minus(up, down))

    def _sum(self, parts: Iterable[Any]) -> Term:
        total: Term | None = None
        for part in sorted(parts, key=lambda part: part.could_extract_minus_sign()):
            if part.could_extract_minus_sign() and total is not None:
                total = minus(total, self.term(-part)) if isinstance(part, (sympy.Mul, sympy.Rational)) else plus(total, self.term(part))
            else:
                total = self.term(part) if total is None else plus(total, self.term(part))
        assert total is not None
        return total

    def _product(self, factors: Iterable[Any]) -> Term:
        top, bottom = [], []
        sign = False
        for factor in factors:
            if factor == -1:
                sign = not sign
            elif isinstance(factor, sympy.Pow) and factor.exp.is_Integer and factor.exp < 0:
                bottom.append(self._power(factor.base, -factor.exp))
            else:
                top.append(self.term(factor))
        whole = reduce(times, top) if top else ONE
        for b in bottom:
            whole = over(whole, b)
        return times(number(-1), whole) if sign else whole

    def _power(self, base: Any, exponent: Any) -> Term:
        if exponent.is_Integer and abs(int(exponent)) < 1000:
            n = int(exponent)
            return self.term(base) if n == 1 else power(self.term(base), n)
        return node("pow", self.term(base), self.term(exponent))

    def _piecewise(self, branches: tuple[Any, ...]) -> Term:
        *first, (last, condition) = branches
        if condition != True:  # noqa: E712
            raise NotConverted("a case distinction without a last case")
        value = self.term(last)
        for branch, when in reversed(first):
            value = node("ite", self.formula(when), self.term(branch), value)
        return value

    def _integral(self, body: Term, x: Any, low: Any, high: Any) -> Term:
        """Over a part of the line: of the function that is 0 elsewhere."""
        inside = self._ranging(x, low)
        part = self.part_of_line(x, low, high)
        return binder("line", inside, body if part is None else node("ite", part, body, ZERO))

    def part_of_line(self, x: Any, low: Any, high: Any) -> Term | None:
        """low < x ≤ high, or what of it is a condition."""
        low, high = sympy.sympify(low), sympy.sympify(high)
        if x in low.free_symbols | high.free_symbols:
            raise NotConverted(f"{x} is bound by an integral, and an end of it has another one of this name")
        inside = self.symbol(x)
        lower = None if low == -sympy.oo else below(self.term(low), inside)
        upper = None if high == sympy.oo else at_most(inside, self.term(high))
        return node("and", lower, upper) if lower is not None and upper is not None else lower if upper is None else upper

    def _quantity(self, e: Any) -> Term:
        """A quantity of the claim language, unfolded by its definition."""
        if isinstance(e, (RenyiDivergence, RenyiMoment, HockeyStick, LossTail)) and not e.is_table:
            order, p, q = map(self.term, e.args[:3])
            x, low, high = e.args[3]
            if x in e.args[0].free_symbols:
                raise NotConverted(f"{x} is bound in {type(e).__name__}, and its order has another one of this name")
            if not x.is_integer:
                self.integrands += [(e.args[1], x), (e.args[2], x), (e.args[1] ** e.args[0] * e.args[2] ** (1 - e.args[0]), x)]
            moment = times(node("pow", p, order), node("pow", q, minus(ONE, order)))
            integrand = {
                RenyiDivergence: moment,
                RenyiMoment: moment,
                HockeyStick: node("max", minus(p, times(node("exp", order), q)), ZERO),
                LossTail: node("ite", below(times(node("exp", order), q), p), p, ZERO),
            }[type(e)]
            if x.is_integer:
                total = binder("sum", self._ranging(x, low), self.term(low), self.term(high), integrand)
            else:
                total = self._integral(integrand, x, low, high)
            return over(node("log", total), minus(order, ONE)) if isinstance(e, RenyiDivergence) else total
        return self.term(e.definition())


def _junction(tag: str) -> Callable[[Statements, Any], Term]:
    return lambda read, statement: node(tag, *map(read.formula, statement.args))


def _order(tag: str, *, turned: bool) -> Callable[[Statements, Any], Term]:
    def translation(read: Statements, statement: Any) -> Term:
        sides = [read.term(side) for side in statement.args]
        return node(tag, *(reversed(sides) if turned else sides))

    return translation


_FORMULAS: dict[Any, Callable[[Statements, Any], Term]] = {
    sympy.And: _junction("and"),
    sympy.Or: _junction("or"),
    sympy.Not: _junction("not"),
    sympy.Implies: _junction("->"),
    ForAll: Statements._for_all,
    type(sympy.true): lambda read, statement: equal(ZERO, ZERO),
    sympy.Ne: lambda read, statement: unequal(*(read.term(side) for side in statement.args)),
    sympy.Le: _order("<=", turned=False),
    sympy.Lt: _order("<", turned=False),
    sympy.Ge: _order("<=", turned=True),
    sympy.Gt: _order("<", turned=True),
    sympy.Eq: _order("=", turned=False),
}
"""The formula of each kind of statement."""


def _called(read: Statements, e: Any) -> Term:
    return node(_FUNCTIONS[type(e)], *map(read.term, e.args))


_TERMS: dict[Any, Callable[[Statements, Any], Term]] = {
    sympy.Rational: lambda read, e: number(f"{e.p}/{e.q}"),
    type(sympy.S.Exp1): lambda read, e: node("exp", ONE),
    type(sympy.pi): lambda read, e: node("pi"),
    sympy.Symbol: Statements.symbol,
    sympy.Indexed: Statements._indexed,
    sympy.Add: lambda read, e: read._sum(e.args),
    sympy.Mul: lambda read, e: read._product(e.args),
    sympy.Pow: lambda read, e: read._power(e.base, e.exp),
    **dict.fromkeys(_FUNCTIONS, _called),
    **dict.fromkeys((sympy.Max, sympy.Min), Statements._chain),
    sympy.Piecewise: lambda read, e: read._piecewise(e.args),
    sympy.Sum: Statements._finite_sum,
    sympy.Integral: Statements._integrals,
    Extremum: Statements._extremum,
    NormalQuantile: Statements._quantile,
    **dict.fromkeys((sympy.floor, sympy.ceiling), Statements._rounding),
    sympy.factorial: Statements._factorial,
    sympy.gamma: Statements._gamma,
    NormalCDF: lambda read, e: node("Phi", read.term(e.args[0])),
    **dict.fromkeys((sympy.erf, sympy.erfc), Statements._normal),
    **dict.fromkeys((sympy.sinh, sympy.cosh, sympy.tanh), Statements._hyperbolic),
    PrivacyQuantity: Statements._quantity,
    AppliedUndef: lambda read, e: node("f", *map(read.term, e.args), data=read.function(e.func, len(e.args))),
}
"""The term of each kind of expression."""


def _endless(side: Any) -> tuple[Any, Any] | None:
    """c and Σ_{i≥l} of their product; None of anything else."""
    found = [e for e in sympy.Mul.make_args(side) if isinstance(e, sympy.Sum) and len(e.limits) == 1 and e.limits[0][2] == sympy.oo]
    others = [e for e in sympy.Mul.make_args(side) if e not in found]
    return (sympy.Mul(*others), found[0]) if len(found) == 1 and not any(e.has(sympy.oo) for e in others) else None


def _signs(traits: dict[str, bool], t: Term) -> list[Term]:
    whole = bool(traits.get("integer"))
    if traits.get("positive"):
        return [at_most(ONE, t) if whole else below(ZERO, t)]
    if traits.get("nonnegative"):
        return [at_most(ZERO, t)]
    if traits.get("negative"):
        return [below(t, ZERO)]
    if traits.get("nonpositive"):
        return [at_most(t, ZERO)]
    return [unequal(t, ZERO)] if traits.get("nonzero") else []


def sequent(read: Statements, statement: Any, assumptions: Iterable[Any]) -> tuple[list[Term], Term]:
    """What is given, signs of symbols included, and the claim; the same names whoever reads them first."""
    claim = read.conclusion(statement)
    given = list(dict.fromkeys(read.formula(part) for a in sorted(assumptions, key=str) for part in conjuncts(a)))
    given += [e for e in (*read.equations(), *axioms_of_gamma(read.gamma)) if e not in given]
    free = claim.free.union(*(g.free for g in given))
    things = [s for s, v in read.symbols.items() if v in free] + [b for b, f in read.families.items() if f in free]
    return list(dict.fromkeys([*(f for thing in things for f in read.signs(thing)), *given])), claim
