"""Statements between terms and sympy: `to_sympy` for what computes with them, `from_sympy` for those who have an expression.

sympy evaluates what it builds, by what its symbols assume. So a statement is a term (`dpbounds.logic`), and what is handed to sympy is
one reading of it: relations are never evaluated, everything else as sympy's own operators do. What a symbol assumes is what the variable
declares; for a bound variable that must follow from its range (`dpbounds.logic.ranges`), so that sympy may use it.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache, reduce, wraps
from types import GeneratorType
from typing import Any

import sympy
from sympy.core.function import AppliedUndef, UndefinedFunction

from dpbounds.errors import LanguageError
from dpbounds.language import functions, quantifiers, substitution
from dpbounds.language.losses import hides_conditions
from dpbounds.language.sizes import is_long, is_too_long
from dpbounds.language.symbols import facts_of as assumed_of
from dpbounds.logic import terms
from dpbounds.logic.ranges import for_all, is_declared
from dpbounds.logic.signatures import BINDERS, DIVERGENCES, MECHANISMS, QUANTITIES, WORDS
from dpbounds.logic.terms import FACTS, Family, Function, Named, Term, TermError, binder, conjuncts, node, number, opened, variable

_RELATIONS = {"<=": sympy.Le, "<": sympy.Lt, ">=": sympy.Ge, ">": sympy.Gt, "=": sympy.Eq, "!=": sympy.Ne}
_CONSTANTS = {"pi": sympy.pi, "E": sympy.E, "oo": sympy.oo, "true": sympy.true, "false": sympy.false}


def to_sympy(value: Any) -> Any:
    """A term as sympy's expression or condition; what is no term as it is, and tables, lists and points part by part.

    Relations come out unevaluated; a sum, a product, a power or a function as sympy evaluates it, unless nothing would be left to decide.

    Raises:
        TermError: sympy has no such function.
        LanguageError: a number in it would take long to compute, such as 2**(10**9).

    >>> x = variable("x", "R", ["positive"])
    >>> to_sympy(2 * x - x <= abs(x)), to_sympy(variable("y") > 0)
    (-x + 2*x <= Abs(x), y > 0)
    """
    if isinstance(value, Term):
        return _convert(value)
    if isinstance(value, Named):
        return named_to_sympy(value)
    if type(value) in (tuple, list):
        return type(value)(map(to_sympy, value))
    if type(value) is dict:
        return {to_sympy(key): to_sympy(entry) for key, entry in value.items()}
    return value


@lru_cache(maxsize=65536)
def _symbol(name: str, sort: str, facts: tuple[str, ...]) -> sympy.Symbol:
    signed = any(fact in FACTS[:4] for fact in facts)
    kind = {"integer": True} if sort == "Z" else {} if signed else {"real": True}
    return sympy.Symbol(name, **kind, **dict.fromkeys(facts, True))


@lru_cache(maxsize=4096)
def named_to_sympy(value: Named) -> Any:
    """A family or an unknown function."""
    kind = {"integer" if value.sort == "Z" else "real": True} | dict.fromkeys(value.facts, True)
    return sympy.IndexedBase(value.name, **kind) if isinstance(value, Family) else sympy.Function(value.name, **kind)


def _convert(t: Term) -> Any:
    if t.tag == "number":
        return sympy.Rational(t.data[0].numerator, t.data[0].denominator)
    if t.tag == "variable":
        return _symbol(*t.data)
    if t.hint is not None:
        return _bound(t)
    turned = {"*": "inv", "+": "neg"}.get(t.tag)
    parts = [_convert(part.parts[0] if k and part.tag == turned else part) for k, part in enumerate(t.parts)]
    if t.tag in _RELATIONS:
        parts = [_careful(p) if _hides(p, part) else part for p, part in zip(t.parts, parts, strict=True)]
        emptied = parts[0] == parts[1] and t.parts[0] != t.parts[1]  # nothing is left to decide, as of √x·√x ≤ x
        parts = [_kept(_convert, p) if emptied or _is_emptied(p, part) else part for p, part in zip(t.parts, parts, strict=True)]
    return _kept(_built, t, parts) if t.kept else _built(t, parts)


_PARTIAL = frozenset(["Sum", "Integral", "inv", "**", "sqrt", "log", "gamma", "factorial", "binomial", "Mod", "Piecewise", *QUANTITIES])
"""What has no value everywhere, or an infinite one."""


def _hides(t: Term, made: Any) -> bool:
    """Whether evaluation hides where a side of a relation has no value."""
    return any(part.tag in _PARTIAL for part in terms.walk(t)) and hides_conditions(_kept(_convert, t), made)


def _careful(t: Term) -> Any:
    """A side of a relation with each node evaluated only where that hides nothing."""
    if t.hint is not None or t.kept or not t.parts:
        return _kept(_convert, t)
    turned = {"*": "inv", "+": "neg"}.get(t.tag)
    parts = [_careful(part.parts[0] if k and part.tag == turned else part) for k, part in enumerate(t.parts)]
    whole, made = _kept(_built, t, parts), _built(t, parts)
    return whole if hides_conditions(whole, made) else made


def _is_emptied(t: Term, made: Any) -> bool:
    """Whether evaluation made a number of a term with variables, as of x/x, which has a value only under conditions."""
    return bool(made.is_number and not made.args and _varies(t))


def _varies(t: Term) -> bool:
    """Whether a term has a variable, free or bound."""
    return any(part.tag in ("variable", "apply") or part.hint is not None for part in terms.walk(t))


def _kept(make: Callable[..., Any], *given: Any) -> Any:
    """What is made without evaluation."""
    with sympy.evaluate(False):
        return make(*given)


def _built(t: Term, parts: list[Any]) -> Any:
    """A node of evaluated parts; a number that sympy would compute is no longer than one that may be typed."""
    made = None if is_too_long(t.tag, parts) else _evaluated_if_possible(t, parts)
    if made is None or is_long(made):
        raise LanguageError("the statement has a number that is too long to compute: take logarithms on both sides")
    return made


def _evaluated_if_possible(t: Term, parts: list[Any]) -> Any:
    """A node of evaluated parts; as it is typed where sympy samples, or raises, as of a maximum with Φ(−1) or of a part without a value.

    >>> to_sympy(node("floor", node("erf", number(30)))), to_sympy(node("floor", number(7, 2)))
    (floor(erf(30)), 3)
    """
    sampled = _SAMPLED.get(t.tag)
    if sampled and any(map(sampled, parts)):
        return _kept(_made, t, parts)
    try:
        return _made(t, parts)
    except (TermError, LanguageError):
        raise
    except (TypeError, ValueError, ArithmeticError):
        return _kept(_made, t, parts)


_SAMPLED: dict[str, Callable[[Any], bool]] = {
    **dict.fromkeys(("floor", "ceiling", "Max", "Min"), substitution.has_irrational),
    "Abs": substitution.has_sign_to_sample,
}
"""Which parts sympy would compare in floating point. Its quadrature misses peaks, and to 100 digits erf(30) is 1."""


def _made(t: Term, parts: list[Any]) -> Any:
    if t.tag in ("*", "+"):
        value, turned = parts[0], "inv" if t.tag == "*" else "neg"
        for part, other in zip(t.parts[1:], parts[1:], strict=True):
            value = _CHAINED[t.tag, part.tag == turned](value, other)
        return value
    if t.tag in _RELATIONS:
        return _RELATIONS[t.tag](*parts, evaluate=False)
    if t.tag in _BUILT:
        return _BUILT[t.tag](*parts)
    if t.tag in _CONSTANTS:
        return _CONSTANTS[t.tag]
    if t.tag == "apply":
        made = named_to_sympy(t.data[0])
        return made[tuple(parts) if len(parts) > 1 else parts[0]] if isinstance(t.data[0], Family) else made(*parts)
    if t.tag in MECHANISMS:
        return getattr(functions, t.tag)(parts[0], *t.data, *parts[1:])
    made = getattr(functions, t.tag, None) or getattr(sympy, t.tag, None)
    if made is None:
        raise TermError(f"sympy has no function {t.tag}")
    return made(*parts, *t.data)


def _cases(values: Sequence[Any], conditions: Sequence[Any]) -> Any:
    if any(condition.has(sympy.Piecewise) for condition in conditions):
        raise LanguageError("a condition of a Piecewise has another Piecewise in it: write its cases out")
    return sympy.Piecewise(*zip(values, conditions, strict=True), evaluate=False)


_CHAINED = {("*", False): operator.mul, ("*", True): operator.truediv, ("+", False): operator.add, ("+", True): operator.sub}
"""What a factor or a term of a chain does, and what one that is divided by or subtracted does."""
_BUILT: dict[str, Callable[..., Any]] = {
    "neg": lambda a: -a,
    "inv": lambda a: 1 / a,
    "**": lambda a, b: a**b,
    "And": lambda *parts: substitution.junction(sympy.And, parts),
    "Or": lambda *parts: substitution.junction(sympy.Or, parts),
    "Not": substitution.negation,
    "Implies": lambda a, b: sympy.Implies(
        a, b, evaluate=any(part in (sympy.true, sympy.false) for part in (a, b))
    ),  # of A → A it makes true
    "Piecewise": lambda *parts: _cases(parts[::2], parts[1::2]),
}


def _bound(t: Term) -> Any:
    x, inner = opened(t)
    symbol = _symbol(*x.data)
    outer = [_convert(part) for part in t.parts[: t.inner]]
    if t.tag == "ForAll":
        condition = [_convert(part) for part in conjuncts(inner[0]) if not is_declared(part, x)]  # the symbol assumes it
        return quantifiers.ForAll(symbol, substitution.junction(sympy.And, condition), _convert(inner[1]))
    parts = [_convert(part) for part in inner]
    parts = [_kept(_convert, p) if t.tag != "Lambda" and _is_emptied(p, part) else part for p, part in zip(inner, parts, strict=True)]
    if t.tag == "Lambda":
        body = parts[0]
        own, expression = (body.variables, body.expr) if isinstance(body, sympy.Lambda) else ((), body)
        return sympy.Lambda((symbol, *own), expression)
    over = (symbol, *outer[:2])
    if t.tag in DIVERGENCES:
        return getattr(functions, t.tag)(*outer[2:], *parts, over)
    made = getattr(functions if t.tag in ("Supremum", "Infimum") else sympy, t.tag)
    return _kept(made, *parts, over) if t.kept else made(*parts, over)


def takes_terms(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of sympy's expressions, for terms as well."""

    def plain(value: Any) -> Any:
        return to_sympy(list(value) if isinstance(value, GeneratorType) else value)

    @wraps(function)
    def apply(*given: Any, **named: Any) -> Any:
        return function(*map(plain, given), **{name: plain(value) for name, value in named.items()})

    return apply


# --- reading


def from_sympy(expression: Any, echo: Callable[[str], object] | None = None) -> Term:
    """What sympy holds as a term, with a − b and a/b put back where it has −1 for a factor or an exponent.

    Args:
        expression: an expression or condition of sympy.
        echo: is called with the text of what was read, such as `print`; what sympy had evaluated before shows in it.

    Raises:
        TermError: a part that the notation has no term for; a float.

    >>> x, y = sympy.symbols("x y", positive=True)
    >>> read = from_sympy(sympy.Le(abs(x) / y - 1, 2 * y), echo=print)
    x/y - 1 <= 2*y
    """
    found = _read(expression)
    if echo is not None:
        echo(str(found))
    return found


_TAGS = {
    "LessThan": "<=", "StrictLessThan": "<", "GreaterThan": ">=", "StrictGreaterThan": ">", "Equality": "=", "Unequality": "!=",
    "And": "And", "Or": "Or", "Not": "Not", "Implies": "Implies", "Max": "Max", "Min": "Min", "Tuple": "Tuple", "Mod": "Mod",
}  # fmt: skip


def _read(e: Any) -> Term:
    if not isinstance(e, sympy.Basic):
        return terms.term(e)
    for kind, read in _READERS.items():
        if isinstance(e, kind):
            return read(e)
    name = type(e).__name__
    if name in DIVERGENCES:
        return _read_divergence(name, e.args[1:] if name == "KLDivergence" else e.args)
    if name in WORDS:
        return node(name, *map(_read, e.args[:-1]), data=(str(e.args[-1]),))
    if name in MECHANISMS:
        return node(name, _read(e.args[0]), *map(_read, e.args[3:]), data=(str(e.args[1]), str(e.args[2])))
    ours = type(e).__module__.partition(".")[0] in ("sympy", "dpbounds")  # a class of a claim file may be called as one of sympy is
    if ours and (name in _TAGS or isinstance(e, (functions.PrivacyQuantity, sympy.Function))):
        return node(_TAGS.get(name, name), *map(_read, e.args))
    raise TermError(f"the notation has no {name}")


def variable_from(symbol: sympy.Symbol) -> Term:
    """A symbol as a variable: its sort and what it assumes.

    Raises:
        TermError: it assumes what no declaration says, such as prime.
    """
    found = variable(symbol.name, "Z" if symbol.is_integer else "R", _facts_from(symbol.assumptions0))
    said = _symbol(*found.data).assumptions0
    more = sorted(fact for fact, value in assumed_of(symbol) if said.get(fact) != value or value and fact not in _DECLARED)
    if more:
        raise TermError(f"{symbol} assumes {', '.join(more)}, which no declaration of the notation says")
    return found


_DECLARED = (*FACTS, "integer", "real", "extended_real", "finite", "commutative")


def _facts_from(assumptions: Mapping[str, Any]) -> list[str]:
    """What assumptions say, without what follows from it."""
    facts = [fact for fact in FACTS if assumptions.get(fact)]
    signed = "positive" in facts or "negative" in facts
    return [f for f in facts if not (signed and f in ("nonnegative", "nonpositive", "nonzero") or "odd" in facts and f == "nonzero")]


def _named_from(kind: type[Named], name: str, assumptions: Mapping[str, Any]) -> Any:
    return kind(name, "Z" if assumptions.get("integer") else "R", tuple(_facts_from(assumptions)))


def name_from_sympy(value: Any) -> Any:
    """A symbol, family or unknown function as what the notation has for it."""
    if isinstance(value, sympy.Symbol):
        return variable_from(value)
    if isinstance(value, sympy.IndexedBase):
        return _named_from(Family, str(value.label), value.assumptions0)
    return _named_from(Function, str(value), value._kwargs)


def _read_number(e: Any) -> Term:
    if isinstance(e, sympy.Float):
        return terms.term(float(e))
    return number(int(e.p), int(e.q))


def _read_power(e: Any) -> Term:
    if e.exp.is_Rational and e.exp.is_negative:
        return _product((e,))
    if e.exp == sympy.S.Half:
        return node("sqrt", _read(e.base))
    return node("**", _read(e.base), _read(e.exp))


def _read_product(e: Any) -> Term:
    if e.args[0] == -1 and len(e.args) > 1:
        return node("neg", _read(e.args[1]) if len(e.args) == 2 else _product(e.args[1:]))
    return _product(e.args)


def _product(factors: Iterable[Any]) -> Term:
    factors = tuple(factors)
    if factors[0].is_Rational and len(factors) > 2 and any(isinstance(factor, sympy.Add) for factor in factors):
        return node("*", _read(factors[0]), _product(factors[1:]))  # or sympy would multiply the number into a sum
    above, below = [], []
    for factor in factors:
        under = isinstance(factor, sympy.Pow) and factor.exp.is_Rational and factor.exp.is_negative
        if under:
            exponent = -factor.exp
            base = _read(factor.base)
            below.append(base if exponent == 1 else node("sqrt", base) if exponent == sympy.S.Half else node("**", base, _read(exponent)))
        else:
            above.append(_read(factor))
    return node("*", *(above or [number(1)]), *(node("inv", part) for part in below))


def _read_sum(e: Any) -> Term:
    return node("+", *(_negated(part) or _read(part) for part in e.as_ordered_terms()))


def _negated(part: Any) -> Term | None:
    """−c·a, of a number c > 0, as the negative of c·a."""
    if not isinstance(part, sympy.Mul) or not part.args[0].is_Rational or part.args[0] >= 0 or part.args[0] == -1:
        return None
    return node("neg", _product((-part.args[0], *part.args[1:])))


def _read_binder(e: Any) -> Term:
    body, *ranges = e.args
    found = _read(body)
    for over in ranges:
        if len(over) != 3:
            raise TermError(f"{type(e).__name__} without both ends")
        x, low, high = over
        found = binder(type(e).__name__, variable_from(x), [_read(low), _read(high)], found)
    return found


def _read_for_all(e: Any) -> Term:
    x = variable_from(e.variable)
    return for_all(x, _read(e.condition), _read(e.body))


def _read_divergence(name: str, parts: tuple[Any, ...]) -> Term:
    count = BINDERS[name][1][0] - 2
    if len(parts) == count + 2:
        return node(name, *map(_read, parts))
    x, low, high = parts[-1]
    return binder(name, variable_from(x), [_read(part) for part in (low, high, *parts[:count])], *map(_read, parts[count:-1]))


def _read_lambda(e: Any) -> Term:
    return reduce(lambda body, x: binder("Lambda", variable_from(x), (), body), reversed(e.variables), _read(e.expr))


def _constant(name: str) -> Callable[[Any], Term]:
    return lambda _: node(name)


_READERS: dict[Any, Callable[[Any], Term]] = {
    (sympy.Rational, sympy.Float): _read_number,
    sympy.Symbol: variable_from,
    type(sympy.pi): _constant("pi"),
    type(sympy.E): _constant("E"),
    type(sympy.oo): _constant("oo"),
    type(-sympy.oo): lambda _: node("neg", node("oo")),
    type(sympy.true): _constant("true"),
    type(sympy.false): _constant("false"),
    sympy.Add: _read_sum,
    sympy.Mul: _read_product,
    sympy.Pow: _read_power,
    (sympy.Sum, sympy.Integral, functions.Extremum): _read_binder,
    sympy.Piecewise: lambda e: node("Piecewise", *(_read(part) for case in e.args for part in case.args)),
    sympy.Indexed: lambda e: node("apply", *map(_read, e.indices), data=(name_from_sympy(e.base),)),
    AppliedUndef: lambda e: node("apply", *map(_read, e.args), data=(name_from_sympy(e.func),)),
    quantifiers.ForAll: _read_for_all,
    sympy.Lambda: _read_lambda,
}


def _of_sympy(value: Any) -> Any:
    if isinstance(value, (sympy.IndexedBase, UndefinedFunction)):
        return name_from_sympy(value)
    return _read(value) if isinstance(value, sympy.Basic) else None


terms.foreign.append(_of_sympy)
