"""The words of statements: variables, functions, relations, binders and quantities. Each builds a term, and evaluates nothing.

>>> x, y = real("x y")
>>> Eq(Sum(x**2, (index("i"), 1, 3)), log(exp(y)))
Eq(Sum(x**2, (i, 1, 3)), log(exp(y)))
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from dpbounds.logic import signatures
from dpbounds.logic.laws import Masses, range_of
from dpbounds.logic.ranges import for_all
from dpbounds.logic.terms import FACTS, Family, Term, TermError, binder, fresh, need, node, number, term, variable, variable_like
from dpbounds.logic.terms import Function as _Function

# --- variables


def _variables(names: str, sort: str, *facts: str) -> Any:
    return _each(names, lambda name: variable(name, sort, facts))


def _each(names: str, make: Callable[[str], Any]) -> Any:
    """What is made of one name, or of each of several."""
    made = tuple(map(make, names.replace(",", " ").split()))
    return made[0] if len(made) == 1 else made


def real(names: str) -> Any:
    """One real variable, or several: `real("x y")`.

    >>> x, y = real("x y")
    >>> x**2 + y >= 0
    x**2 + y >= 0
    """
    return _variables(names, "R")


def positive(names: str) -> Any:
    """One or several real variables > 0: a premise of every statement in which they are free.

    >>> sigma, q = positive("sigma q")
    >>> sigma / abs(sigma)
    sigma/Abs(sigma)
    """
    return _variables(names, "R", "positive")


def nonnegative(names: str) -> Any:
    """One or several real variables >= 0.

    >>> nonnegative("q") ** 2 <= 1
    q**2 <= 1
    """
    return _variables(names, "R", "nonnegative")


def integer(names: str) -> Any:
    """One or several integer variables.

    >>> integer("n") ** 2 >= 0
    n**2 >= 0
    """
    return _variables(names, "Z")


def positive_integer(names: str) -> Any:
    """One or several integer variables >= 1.

    >>> 2 ** positive_integer("n") >= 2
    2**n >= 2
    """
    return _variables(names, "Z", "positive")


def index(names: str, start: int = 1) -> Any:
    """A summation index, or several: `index("i j")`.

    Args:
        names: its name, or theirs.
        start: 1 or 0, the least value that it takes; the range of a sum must not begin lower.

    Raises:
        TermError: another start.

    >>> k = index("k", start=0)
    >>> Sum(k, (k, 0, 5))
    Sum(k, (k, 0, 5))
    """
    need(start in (0, 1), f"index({names!r}, start=...): a summation index starts at 0 or 1, got {start!r}; shift the terms of the sum")
    return _variables(names, "Z", "positive" if start else "nonnegative")


def _declared(facts: dict[str, bool]) -> tuple[str, tuple[str, ...]]:
    """The sort and the facts of keywords such as integer=True, positive=True."""
    unknown = [fact for fact, value in facts.items() if fact not in (*FACTS, "real", "integer") or value is not True]
    need(not unknown, f"a variable is declared by real, integer, {', '.join(FACTS)}, each =True; got {', '.join(unknown)}")
    return "Z" if "integer" in facts else "R", tuple(fact for fact in FACTS if fact in facts)


def Symbol(name: str, **facts: bool) -> Term:
    """A variable with what is declared of it, such as `Symbol("n", integer=True, even=True)`.

    >>> Symbol("n", integer=True, even=True) + 1
    n + 1
    """
    sort, known = _declared(facts)
    return variable(name, sort, known)


def IndexedBase(name: str, **facts: bool) -> Family:
    """A family of numbers with what is declared of them.

    >>> IndexedBase("w", real=True)[1] >= 0
    w[1] >= 0
    """
    return Family(name, *_declared(facts))


def family(names: str, sign: str = "nonnegative") -> Any:
    """A family of reals p[1], p[2], … of one sign, "real", "nonnegative" or "positive", or several: `family("p q")`.

    >>> p = family("p")
    >>> p[1] + p[2] <= 1
    p[1] + p[2] <= 1
    """
    return _each(names, lambda name: IndexedBase(name, **{"real": True, sign: True}))


def Function(name: str, **facts: bool) -> _Function:
    """An unknown function of real numbers.

    >>> f = Function("f")
    >>> f(2) >= f(1)
    f(2) >= f(1)
    """
    return _Function(name, *_declared(facts))


# --- numbers


def Rational(numerator: Any, denominator: Any = 1) -> Term:
    """A rational number: `Rational(1, 3)`, `Rational("0.05")`.

    >>> Rational("0.05"), Rational(2, 6)
    (1/20, 1/3)
    """
    parts = [part.data[0] if isinstance(part, Term) and part.tag == "number" else part for part in (numerator, denominator)]
    if any(isinstance(part, Term) for part in parts):
        return term(parts[0]) / term(parts[1])
    exact = [term(part).data[0] if not isinstance(part, str) else part for part in parts]
    try:
        return number(*exact)
    except (ValueError, ZeroDivisionError) as error:
        raise TermError(f"no rational number: {numerator!r}, {denominator!r}") from error


def Integer(value: Any) -> Term:
    """An integer.

    >>> Integer("12") + real("x")
    12 + x
    """
    made = Rational(value)
    need(made.sort == "Z", f"{value} is no integer")
    return made


pi, E, oo, true, false = (node(name) for name in ("pi", "E", "oo", "true", "false"))


class S:
    """Numbers under the names that sympy has for them."""

    Zero, One, NegativeOne, Half = number(0), number(1), number(-1), number(1, 2)
    Infinity, NegativeInfinity, true, false = oo, -oo, true, false


# --- functions and relations


def _function(name: str) -> Callable[..., Term]:
    count = signatures.FUNCTIONS.get(name)
    defaults, word = signatures.DEFAULTS.get(name, ()), signatures.WORDS.get(name)

    def apply(*arguments: Any) -> Term:
        given: list[Any] = list(arguments)
        data: tuple[str, ...] = ()
        if word is not None:
            said = given.pop() if given and isinstance(given[-1], str) else word
            need(said in signatures.DIRECTIONS, f"direction must be one of {', '.join(signatures.DIRECTIONS)}, got {said!r}")
            data = (said,)
        missing = (count or 0) - len(given)
        if 0 < missing <= len(defaults):
            given += defaults[len(defaults) - missing :]
        need(count is None or len(given) == count, f"{name} takes {count} argument{'s' * (count != 1)}, got {len(arguments)}")
        return node(name, *map(term, given), data=data)

    apply.__name__ = apply.__qualname__ = name
    apply.__doc__ = f"{name}(…), as a term."
    return apply


exp, log, sqrt, Abs, floor, ceiling, factorial, gamma, binomial, Mod = map(
    _function, ["exp", "log", "sqrt", "Abs", "floor", "ceiling", "factorial", "gamma", "binomial", "Mod"]
)
cosh, sinh, tanh, erf, erfc, NormalCDF, NormalQuantile = map(
    _function, ["cosh", "sinh", "tanh", "erf", "erfc", "NormalCDF", "NormalQuantile"]
)
GaussianDelta, GaussianRenyi, SubstituteGaussianDelta, MomentConstant = map(
    _function, ["GaussianDelta", "GaussianRenyi", "SubstituteGaussianDelta", "MomentConstant"]
)
SampledGaussianMoment, SampledGaussianRenyi, SampledGaussianDelta = map(
    _function, ["SampledGaussianMoment", "SampledGaussianRenyi", "SampledGaussianDelta"]
)
Max, Min, And, Or, Not, Implies = map(_function, ["Max", "Min", "And", "Or", "Not", "Implies"])


def _relation(tag: str) -> Callable[..., Term]:
    def relate(left: Any, right: Any, *, evaluate: bool = False) -> Term:
        return node(tag, term(left), term(right))

    relate.__doc__ = f"left {tag} right, as a term; nothing is decided, whatever `evaluate` says."
    return relate


Eq, Ne, Le, Lt, Ge, Gt = map(_relation, ["=", "!=", "<=", "<", ">=", ">"])


def Tuple(*entries: Any) -> Term:
    """A finite table.

    >>> Tuple(Rational(1, 2), Rational(1, 2))
    Tuple(1/2, 1/2)
    """
    return node("Tuple", *map(term, entries))


def Piecewise(*cases: Any) -> Term:
    """Values with conditions, of which the first that holds counts: `Piecewise((x, x > 0), (0, True))`.

    >>> x = real("x")
    >>> Piecewise((x, x > 0), (0, True))
    Piecewise((x, x > 0), (0, True))
    """
    need(cases and all(isinstance(case, (tuple, Term)) and len(case) == 2 for case in cases), "a case is (value, condition)")
    return node("Piecewise", *(term(part) for case in cases for part in case))


# --- binders


def _binder(name: str) -> Callable[..., Term]:
    def bind(body: Any, *ranges: Any) -> Term:
        need(ranges, f"{name} takes a range (variable, low, high)")
        found = term(body)
        for over in ranges:
            x, low, high = range_of(over)
            found = binder(name, x, [low, high], found)
        return found

    bind.__name__ = bind.__qualname__ = name
    bind.__doc__ = f"{name}(body, (variable, low, high)), as a term; of several ranges the first is the innermost."
    return bind


_sum, Integral, Supremum, Infimum = map(_binder, ["Sum", "Integral", "Supremum", "Infimum"])


def Sum(body: Any, *ranges: Any) -> Term:
    """Sum(body, (variable, low, high)), as a term; of several ranges the first is the innermost.

    From -oo to b it is the sum from -b to oo of what stands at -k; from -n to n, or from -oo to oo, the sum from 0 on and that of what
    is below 0, which has a value where both have one.

    >>> k = integer("k")
    >>> Sum(exp(-Abs(k)), (k, -oo, oo))
    Sum(exp(-Abs(k)), (k, 0, oo)) + Sum(exp(-Abs(-k)), (k, 1, oo))
    """
    need(ranges, "Sum takes a range (variable, low, high)")
    found = term(body)
    for over in ranges:
        x, low, high = range_of(over)
        if x.sort == "Z" and not x.data[2] and low == -high and high.tag != "number":
            others = {other.data[0] for other in (found.free | high.free) - {x} if isinstance(other, Term)}
            name = fresh(x.data[0], others)  # another variable of this name would be bound too
            up, down = (variable(name, "Z", [sign]) for sign in ("nonnegative", "positive"))
            found = _sum(found.subs({x: up}), (up, 0, high)) + _sum(found.subs({x: -down}), (down, 1, high))
        elif x.sort == "Z" and not x.data[2] and low == -oo:
            found = _sum(found.subs({x: -x}), (x, -high, oo))
        else:
            found = _sum(found, over)
    return found


def ForAll(x: Any, condition: Any, body: Any) -> Term:
    """For every x that satisfies the condition, the body holds; what x is declared to be becomes part of the condition.

    >>> ForAll(positive("t"), true, real("x") <= 1)
    ForAll(t, t > 0, x <= 1)
    """
    return for_all(term(x), term(condition), term(body))


def for_each(over: Any, body: Any) -> Term:
    """The premise that the body holds for every variable of a range, ends included.

    >>> i, p = index("i"), family("p")
    >>> for_each((i, 1, 3), p[i] <= 1)
    ForAll(i, And(i >= 1, i <= 3), p[i] <= 1)
    """
    x, low, high = range_of(over)
    return ForAll(x, node("And", node(">=", x, low), node("<=", x, high)), body)


def Lambda(variables: Any, body: Any) -> Term:
    """A function of one or several variables.

    >>> x = real("x")
    >>> Lambda(x, x**2)
    Lambda(x, x**2)
    """
    found = term(body)
    for x in reversed(variables if isinstance(variables, (tuple, list)) else [variables]):
        found = binder("Lambda", term(x), [], found)
    return found


# --- quantities of two laws


def _divergence(name: str) -> Callable[..., Term]:
    count = signatures.DIVERGENCES[name]

    def apply(*arguments: Any, over: Any = None) -> Term:
        numbers, parts = [term(a) for a in arguments[:count]], list(arguments[count:])
        need(len(parts) == 2 or (len(parts) == 3 and over is None), f"{name} takes two laws, or two densities and a range")
        over = parts.pop() if len(parts) == 3 else over
        p, q = parts
        if isinstance(p, Masses) or isinstance(q, Masses):
            fits = isinstance(p, Masses) and isinstance(q, Masses) and p.over == q.over and over is None
            need(fits, f"a divergence of laws needs two laws with the same outcomes and no range of its own, got {p} and {q}")
            p, q, over = p.mass, q.mass, p.over
        p, q = term(p), term(q)
        if over is None:
            tables = p.tag == q.tag == "Tuple" and len(p) == len(q) > 0
            need(tables, f"{name} needs two tables of one length, or densities with over=(variable, low, high), got {p} and {q}")
            return node(name, *numbers, p, q)
        x, low, high = range_of(over)
        return binder(name, x, [low, high, *numbers], p, q)

    apply.__name__ = apply.__qualname__ = name
    apply.__doc__ = f"{name}, of two tables, of two laws, or of two densities and a range; as a term."
    return apply


HockeyStick, LossTail, RenyiDivergence, RenyiMoment, KLDivergence = map(
    _divergence, ["HockeyStick", "LossTail", "RenyiDivergence", "RenyiMoment", "KLDivergence"]
)


# --- laws and densities


def sums_to_one(weights: Any, over: Any) -> Term:
    """The premise that a family is a probability distribution.

    >>> i, p = index("i"), family("p")
    >>> sums_to_one(p, (i, 1, 3))
    Eq(Sum(p[i], (i, 1, 3)), 1)
    """
    x, low, high = range_of(over)
    masses = weights.base if isinstance(weights, Masses) else variable_like(weights)
    if not isinstance(masses, Family):
        raise TermError(f"the masses are those of a family, got {weights!r}")
    return Eq(Sum(masses[x], (x, low, high)), 1)


def bernoulli(probability: Any) -> Term:
    """The distribution (a, 1 - a) on two points.

    >>> bernoulli(Rational(1, 3))
    Tuple(1/3, 1 - 1/3)
    """
    a = term(probability)
    return Tuple(a, 1 - a)


def mixture(weights: Sequence[Any], distributions: Sequence[Any]) -> Term:
    """The weighted average of finite distributions on the same points.

    >>> mixture([Rational(1, 2), Rational(1, 2)], [Tuple(1, 0), Tuple(0, 1)])
    Tuple(1/2*1 + 1/2*0, 1/2*0 + 1/2*1)
    """
    rows = [term(row) for row in distributions]
    sizes = sorted({len(row) for row in rows})
    fits = len(sizes) == 1 and len(weights) == len(rows)
    need(fits, f"a mixture needs one weight for each row and rows of one length, got lengths {sizes}")
    return Tuple(*(sum(term(w) * row[k] for w, row in zip(weights, rows, strict=True)) for k in range(sizes[0])))


def normal_density(x: Any, mean: Any = 0, sigma: Any = 1) -> Term:
    """The density of N(mean, sigma²) at x.

    >>> normal_density(real("x"), 1)
    exp(-(x - 1)**2/(2*1**2))/(sqrt(2*pi)*1)
    """
    x, sigma = term(x), term(sigma)
    return exp(-(_from(x, mean) ** 2) / (2 * sigma**2)) / (sqrt(2 * pi) * sigma)


def laplace_density(x: Any, mean: Any = 0, scale: Any = 1) -> Term:
    """The density of Laplace(mean, scale) at x.

    >>> laplace_density(real("x"))
    exp(-Abs(x)/1)/(2*1)
    """
    x, scale = term(x), term(scale)
    return exp(-abs(_from(x, mean)) / scale) / (2 * scale)


def _from(x: Term, mean: Any) -> Term:
    return x if mean == 0 else x - mean
