"""Deciding identities: a normal form for rational, exponential, power and logarithm expressions.

Every power with a symbolic exponent is written exp(exponent·log base), logarithms are split over the factors of their
argument, exponents are expanded into monomials, and each exp(monomial) becomes a generator. What remains is a rational function of
generators, which cancels to zero exactly when the identity holds there. Sums and integrals are put in canonical form first (linear in
their summand, constants outside, bound names fixed); other functions are opaque. Splitting log(ab) and (ab)^s needs a and b
positive (or nonnegative under nonnegative exponents), proved by `Signs`; powers of an unproved base stay opaque.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import permutations
from math import lcm
from typing import Any

import sympy
from sympy import Add, Dummy, Indexed, Integral, Mul, Pow, S, Sum, Symbol, exp, log

from dpbounds.language.kinds import entry_for
from dpbounds.prover.polynomials import is_zero
from dpbounds.prover.signs import Signs
from dpbounds.prover.terms import binder, free, rebuild, rename_bound, substitute


def equal(left: Any, right: Any, signs: Signs, equations: Iterable[Any] = ()) -> bool:
    """True when left = right is proved wherever both are defined.

    Args:
        left, right: expressions.
        signs: what is known about signs.
        equations: equalities whose left side is, up to a factor, one opaque term (a sum, an integral, a quantity): it is replaced.

    >>> x, y, s = sympy.symbols("x y s", positive=True)
    >>> equal((x / y) ** s * y, x**s * y ** (1 - s), Signs([])), equal(x**s, x ** (s + 1), Signs([]))
    (True, False)
    """
    left, right = sympy.sympify(left), sympy.sympify(right)
    if left == right:
        return True
    form = _Form(signs)
    value = form.rational(left) - form.rational(right)
    if is_zero(form.rooted(value)):
        return True
    for equation in equations:
        value = form.replaced(value, equation)
    return is_zero(form.rooted(value))


def canonical(expression: Any, signs: Signs) -> Any:
    """The expression in normal form, written back in ordinary notation."""
    form = _Form(signs)
    return form.restore(_cancel(form.rational(expression)))


def _cancel(value: Any) -> Any:
    try:
        return sympy.cancel(sympy.together(value))
    except sympy.PolynomialError:
        return sympy.expand(value)


class _Form:
    """One run of the normal form: generators shared by everything that is compared."""

    def __init__(self, signs: Signs) -> None:
        self.signs = signs
        self.opaque: dict[Any, Dummy] = {}
        self.exponentials: dict[Any, Dummy] = {}
        self.meaning: dict[Dummy, Any] = {}
        self.roots: dict[Any, int] = {}

    def atom(self, expression: Any) -> Dummy:
        """A generator that stands for an opaque term."""
        if expression not in self.opaque:
            generator = Dummy(f"a{len(self.opaque)}", real=True)
            self.opaque[expression] = generator
            self.meaning[generator] = expression
        return self.opaque[expression]

    def exponential(self, monomial: Any) -> Dummy:
        """A generator that stands for exp(monomial)."""
        if monomial not in self.exponentials:
            generator = Dummy(f"e{len(self.exponentials)}", positive=True)
            self.exponentials[monomial] = generator
            self.meaning[generator] = exp(monomial)
        return self.exponentials[monomial]

    def restore(self, value: Any) -> Any:
        """Replace generators by what they stand for."""
        while hit := value.atoms(Dummy) & set(self.meaning):
            value = substitute(value, {generator: self.meaning[generator] for generator in hit})
        return value

    def rooted(self, value: Any) -> Any:
        """Write x as r^d where fractional powers x^(c/d) occur, so that the powers of one base are powers of one generator."""
        denominators: dict[Any, int] = {}
        for power in value.atoms(Pow):
            if power.exp.is_Rational and not power.exp.is_Integer and isinstance(power.base, Symbol):
                denominators[power.base] = lcm(denominators.get(power.base, 1), power.exp.q)
        roots = {base: Dummy(f"r_{base}", positive=True) for base in denominators}
        return value.xreplace({base: roots[base] ** d for base, d in denominators.items()})

    def replaced(self, value: Any, equation: Any) -> Any:
        """The value with one opaque term replaced by what an equation says it is."""
        known, meaning = self.rational(equation.lhs), self.rational(equation.rhs)
        for generator in sorted(known.atoms(Dummy) & set(self.opaque.values()), key=str):
            factor = _cancel(known / generator)
            if (
                generator not in factor.free_symbols
                and not isinstance(self.meaning[generator], Indexed)
                and self.signs.nonzero(self.restore(factor))
                and not self.signs.infinite(self.restore(factor))
            ):
                return value.xreplace({generator: meaning / factor})
        return value

    # expressions to rational functions of generators

    def rational(self, node: Any) -> Any:
        """The expression as a rational function (with rational powers) of generators."""
        read = entry_for(_RATIONAL, node)
        return self.atom(self._opaque(node)) if read is None else read(self, node)

    def _member(self, node: Indexed) -> Any:
        return self.atom(node.base[tuple(canonical(part, self.signs) for part in node.indices)])

    def _choice(self, node: Any) -> Any:
        decided = self._decided(node)
        return self.atom(self._opaque(node)) if decided is None else self.rational(decided)

    def _decided(self, node: Any) -> Any:
        """|u|, max and min where the signs are known."""
        if isinstance(node, sympy.Abs):
            u = node.args[0]
            return u if self.signs.nonnegative_where_defined(u) else (-u if self.signs.nonnegative_where_defined(-u) else None)
        sign = 1 if isinstance(node, sympy.Max) else -1
        for part in node.args:
            if all(self.signs.nonnegative_where_defined(sign * (part - other)) for other in node.args if other is not part):
                return part
        return None

    def power(self, base: Any, exponent: Any) -> Any:
        if exponent.is_Integer:
            return self.rational(base) ** exponent
        if base.is_Rational and base > 0 and exponent.is_Rational:
            return base**exponent
        if self.signs.nonnegative_where_defined(base):
            split = self._split_log(base)
            if split is not None:
                return self.exponentiated(exponent, split)
        return self.atom(Pow(canonical(base, self.signs), canonical(exponent, self.signs)))

    def exponentiated(self, exponent: Any, logs: list[tuple[Any, Any]] | None = None) -> Any:
        """exp(exponent · Σ weight·log base) as a product of generators; without logs, exp(exponent)."""
        result = S.One
        for weight, base in logs or [(S.One, None)]:
            for coefficient, monomial in self._monomials(exponent * weight):
                if base is None:
                    result *= self._exp_monomial(coefficient, monomial)
                elif monomial == 1:
                    result *= self.rational(base) ** coefficient
                else:
                    result *= self.exponential(monomial * log(base)) ** coefficient
        return result

    def _exp_monomial(self, coefficient: Any, monomial: Any) -> Any:
        """exp(coefficient·monomial); a factor log(b) of the monomial makes it a power of b."""
        logs = [factor for factor in Mul.make_args(monomial) if isinstance(factor, log)]
        if len(logs) == 1:
            split = self._split_log(logs[0].args[0])
            if split is not None:
                return self.exponentiated(coefficient * monomial / logs[0], split)
        return self.exponential(monomial) ** coefficient

    def _monomials(self, exponent: Any) -> list[tuple[Any, Any]]:
        """(rational coefficient, monomial) pairs that sum to the exponent, in a canonical form."""
        inner = _Form(self.signs)
        inner.opaque, inner.exponentials, inner.meaning = self.opaque, self.exponentials, self.meaning
        value = inner.rational(exponent)
        numerator, denominator = sympy.fraction(_cancel(value))
        content, denominator = denominator.as_content_primitive() if denominator.is_Add else denominator.as_coeff_Mul()
        pairs = []
        for term in Add.make_args(sympy.expand(numerator)):
            coefficient, monomial = (term / content).as_coeff_Mul()
            pairs.append((coefficient, self.restore(monomial / denominator)))
        return pairs

    def logarithm(self, argument: Any) -> Any:
        split = self._split_log(argument)
        if split is None:
            return self.atom(log(canonical(argument, self.signs)))
        total = S.Zero
        for weight, base in split:
            total += self.rational(weight) * (self.atom(log(base)) if base is not sympy.E else 1)
        return total

    def _split_log(self, argument: Any) -> list[tuple[Any, Any]] | None:
        """log(argument) = Σ weight·log(base) over factors proved nonnegative; None when some factor is not."""
        if argument.is_Rational and argument > 0:
            factors = sympy.factorrat(argument)
            return [(S(power), S(prime)) for prime, power in sorted(factors.items())] or [(S.Zero, S(2))]
        if isinstance(argument, exp):
            return [(argument.args[0], sympy.E)]
        if argument is sympy.E:
            return [(S.One, sympy.E)]
        if isinstance(argument, Pow) and self.signs.nonnegative_where_defined(argument.base):
            inner = self._split_log(argument.base)
            return None if inner is None else [(argument.exp * weight, base) for weight, base in inner]
        if isinstance(argument, Mul):
            parts: list[tuple[Any, Any]] = []
            for factor in argument.args:
                inner = self._split_log(factor)
                if inner is None:
                    return self._split_factored(argument)
                parts += inner
            return parts
        if isinstance(argument, (Symbol, Indexed)):
            return [(S.One, argument)] if self.signs.nonnegative_where_defined(argument) else None
        return self._split_factored(argument)

    def _split_factored(self, argument: Any) -> list[tuple[Any, Any]] | None:
        value = _cancel(self.rational(argument))
        factored = sympy.factor(value) if not value.has(Pow) or value.is_rational_function() else sympy.factor_terms(value)
        if isinstance(factored, (Mul, Pow)):
            restored = [
                (self.restore(factor.base), factor.exp)
                if isinstance(factor, Pow) and factor.exp.is_Integer
                else (self.restore(factor), S.One)
                for factor in Mul.make_args(_without_minus(factored))
            ]
            if len(restored) > 1 or restored[0][0] != argument:
                parts: list[tuple[Any, Any]] = []
                for base, power in restored:
                    inner = self._split_log(base) if base != argument else None
                    if inner is None:
                        parts = []
                        break
                    parts += [(power * weight, b) for weight, b in inner]
                if parts:
                    return parts
        whole = self.restore(factored)
        if self.signs.nonnegative_where_defined(whole) or self.signs.nonnegative_where_defined(argument):
            return [(S.One, whole)]
        return None

    def _opaque(self, node: Any) -> Any:
        """An opaque term with its parts in canonical form and its bound variables named by position."""
        if binder(node):
            return _named(node)
        if isinstance(node, sympy.Expr) and node.args and not node.has(Sum, Integral):
            try:
                return rebuild(node, (canonical(part, self.signs) if isinstance(part, sympy.Expr) else part for part in node.args))
            except (TypeError, ValueError):
                return node
        return node

    # sums and integrals

    def aggregate(self, node: Any) -> Any:
        """A sum or integral as Σ constant · canonical aggregate."""
        if isinstance(node, Integral):
            return self._integral(node)
        function, limits = node.function, tuple(node.limits)
        if len(limits) > 1:
            nested = Sum(Sum(function, limits[0]), *limits[1:])
            if not any(free(end) & {limits[0][0]} for limit in limits[1:] for end in limit[1:]):
                return self._sum(Sum(function, limits[0]), limits[1:])
            return self.atom(_named(nested))
        return self._sum(function, limits)

    def _sum(self, function: Any, limits: tuple[Any, ...]) -> Any:
        if len(limits) > 1:
            return self._sum(Sum(function, limits[0]), limits[1:])
        variable, low, high = limits[0]
        if (high - low).is_Integer:
            return Add(*(self.rational(substitute(function, {variable: low + k})) for k in range(int(high - low) + 1)))
        variable, function = _typed(variable, low, function, self.signs)
        inside = self.signs.under(Sum(function, (variable, low, high)))
        total = S.Zero
        for outside, inner, more in _split_terms(function, variable, inside):
            limits_here = [*more, (variable, low, high)]
            if inner == 1 and not more:
                total += self.rational(outside) * self._length(variable, low, high)
            else:
                total += self.rational(outside) * self.atom(_sorted_sum(inner, limits_here))
        return total

    def _length(self, variable: Symbol, low: Any, high: Any) -> Any:
        if self.signs.nonnegative_where_defined(high - low + 1):
            return self.rational(high - low + 1)
        return self.atom(_named(Sum(S.One, (variable, low, high))))

    def _integral(self, node: Integral) -> Any:
        if len(node.limits) != 1 or len(node.limits[0]) != 3:
            return self.atom(_named(node))
        variable, low, high = node.limits[0]
        split = _split_terms(node.function, variable, self.signs.under(node))
        if len(split) == 1 and not split[0][2]:
            outside, inner, _ = split[0]
        else:
            outside, inner = (
                S.One,
                Add(*(constant * dependent if not more else constant * Sum(dependent, *more) for constant, dependent, more in split)),
            )
        return self.rational(outside) * self.atom(_named(Integral(inner, (variable, low, high))))


def _unchanged(form: _Form, node: Any) -> Any:
    return node


_RATIONAL: dict[Any, Callable[[_Form, Any], Any]] = {
    **dict.fromkeys((Symbol, sympy.Rational), _unchanged),
    Indexed: _Form._member,
    **dict.fromkeys((Add, Mul), lambda form, node: node.func(*map(form.rational, node.args))),
    exp: lambda form, node: form.exponentiated(node.args[0]),
    log: lambda form, node: form.logarithm(node.args[0]),
    Pow: lambda form, node: form.power(node.base, node.exp),
    **dict.fromkeys((Sum, Integral), _Form.aggregate),
    **dict.fromkeys((sympy.Abs, sympy.Max, sympy.Min), _Form._choice),
}
"""The rational function of each kind of expression; what is none is opaque."""


def _typed(variable: Symbol, low: Any, function: Any, signs: Signs) -> tuple[Symbol, Any]:
    """The same summand in an index whose symbol assumptions are what the range says, no more."""
    facts = {"positive": True} if signs.positive(low) else ({"nonnegative": True} if signs.nonnegative(low) else {})
    fresh = Dummy(variable.name, integer=True, **facts)
    return fresh, substitute(function, {variable: fresh})


def _split_terms(function: Any, variable: Symbol, signs: Signs) -> list[tuple[Any, Any, list[Any]]]:
    """The summand as (constant, dependent part, further limits): linear, constants pulled out, inner sums merged."""
    form = _Form(signs)
    numerator, denominator = sympy.fraction(_cancel(form.rational(function)))
    below = [_signed(form.restore(base), -power) for base, power in _factors(sympy.factor(denominator))]
    result = []
    for term in Add.make_args(sympy.expand(numerator)):
        factors = [form.restore(Pow(base, power)) for base, power in _factors(term)]
        result.append(_split_factors([*factors, *(part for pair in below for part in pair)], variable))
    return result


def _signed(base: Any, power: Any) -> tuple[Any, Any]:
    """base^power, power an integer, as ±1 times the same power of base or −base: of the two, always the one that sympy calls positive."""
    if isinstance(base, Add) and base.could_extract_minus_sign():
        return S.NegativeOne**power, Pow(Add(*(-term for term in base.args)), power)
    return S.One, Pow(base, power)


def _split_factors(factors: list[Any], variable: Symbol) -> tuple[Any, Any, list[Any]]:
    more: list[Any] = []
    sums = [factor for factor in factors if isinstance(factor, Sum) and variable in free(factor)]
    if len(sums) == 1 and not any(free(end) & {variable} for limit in sums[0].limits for end in limit[1:]):
        inner = rename_bound(sums[0], {limit[0]: Dummy(limit[0].name, **_kept(limit[0])) for limit in sums[0].limits})
        factors = [factor for factor in factors if factor is not sums[0]] + list(Mul.make_args(inner.function))
        more = [tuple(limit) for limit in inner.limits]
    bound = {variable} | {limit[0] for limit in more}
    return Mul(*(f for f in factors if not (free(f) & bound))), Mul(*(f for f in factors if free(f) & bound)), more


def _without_minus(product: Any) -> Any:
    """The same product with a minus sign in front moved into one of its sums."""
    number, factors = product.as_coeff_mul()
    place = next((k for k, factor in enumerate(factors) if isinstance(factor, Add)), None)
    if place is None or not number.is_negative:
        return product
    return Mul(-number, *factors[:place], Add(*(-term for term in factors[place].args)), *factors[place + 1 :])


def _factors(product: Any) -> list[tuple[Any, Any]]:
    return [(f.base, f.exp) if isinstance(f, Pow) and f.exp.is_Integer else (f, S.One) for f in Mul.make_args(product)]


def _sorted_sum(inner: Any, limits: list[Any]) -> Any:
    """One canonical sum over several indices: the order of limits whose printed form comes first."""
    candidates = [_named(Sum(inner, *order)) for order in permutations(limits)] if len(limits) <= 3 else [_named(Sum(inner, *limits))]
    return min(candidates, key=sympy.srepr)


def _named(node: Any) -> Any:
    """The binder with bound variables named by position."""
    variables = [limit[0] for limit in node.limits] if isinstance(node, (Sum, Integral)) else list(node.bound_symbols)
    names = {variable: Symbol(f"_{k}", **_kept(variable)) for k, variable in enumerate(variables)}
    return rename_bound(node, names)


def _kept(variable: Symbol) -> dict[str, bool]:
    return {name: True for name in ("integer", "positive", "nonnegative", "real") if getattr(variable, f"is_{name}")}
