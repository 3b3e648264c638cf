"""What sympy computes of powers, no larger than a search can use.

sympy computes 2^(10^9), writes (1 + x)^(10^6) out and takes roots whose parts have as many digits, each in one step that no clock
interrupts and that may fill the memory. Its simplifiers, limits and solvers all come to the few functions that are replaced here, for all
of sympy: a power that is too large stays a power, and in polynomials it is a variable of its own.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from typing import Any

import sympy
from sympy.core import evalf
from sympy.polys import polytools, polyutils

from dpbounds.errors import LanguageError
from dpbounds.language.sizes import bits_of, power_takes_long

_MOST_TERMS, _LARGEST_DEGREE, _MOST_FACTORS = 3_000, 2_000, 30_000
"""Terms of a power of a sum that is written out, the largest exponent of a variable in a polynomial, and factors of n! and C(n, k)."""
_MOST_BITS, _MOST_FACTORED_BITS = 100_000, 2_000
"""Of a number that sympy evaluates, and of one in a polynomial that it factors."""


class LongNumber(LanguageError, OverflowError):
    """A number that has too many digits to be computed."""

    def __init__(self, why: str = "a number is too long to compute: take logarithms on both sides") -> None:
        super().__init__(why)


def is_large(power: Any) -> bool:
    """Whether a power is not written out, or not taken for a power of a variable in a polynomial.

    >>> x, y = sympy.symbols("x y")
    >>> is_large((x + y) ** 300), is_large((x + y) ** 10_000), is_large(x**300), is_large(x**10_000)
    (False, True, False, True)
    """
    b, n = power.args
    if not n.is_Rational or abs(n) < 2:
        return False
    n = abs(int(n))
    return n > _LARGEST_DEGREE or (b.is_Add and math.comb(n + len(b.args) - 1, n) > _MOST_TERMS)


def _computed(compute: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """A power of a number; a root that takes long stays as it is, another power that does has no value.

    Of a root of 1/n that takes long it is one of n over a whole power of n: products of sympy turn (1/n)^x and n^{−x} into each other
    without end.

    >>> sympy.Integer(24) ** sympy.Rational(10**16 + 1, 10**16)
    24**(10000000000000001/10000000000000000)
    >>> sympy.Integer(2) ** (10**12)
    Traceback (most recent call last):
    dpbounds.language.large_powers.LongNumber: a number is too long to compute: take logarithms on both sides
    """

    def computed(b: Any, x: Any) -> Any:
        if x.is_Rational and x.is_positive and power_takes_long(x, b):
            if x.is_Integer:  # sympy's sums and products would try it again and again
                raise LongNumber
            whole = math.ceil(x)
            return None if b.p != 1 else sympy.Pow(b.q, whole - x) / sympy.Pow(b.q, whole)
        return compute(b, x)

    return computed


def _counted(compute: Any, size: Callable[..., Any]) -> Any:
    """A factorial or a binomial coefficient as it is, where it has very many factors.

    >>> sympy.factorial(10**7), sympy.binomial(10**9, 10**8), sympy.binomial(10**9, 2)
    (factorial(10000000), binomial(1000000000, 100000000), 499999999500000000)
    """
    return classmethod(lambda kind, *given: None if size(*given) > _MOST_FACTORS else compute.__func__(kind, *given))


def _bounded(evaluate: Callable[[Any, int, Any], Any]) -> Callable[[Any, int, Any], Any]:
    """The digits of an expression, up to a bound: for those of an exponential of x, sympy asks for those of e and of all of x.

    >>> sympy.floor(sympy.exp(20 * sympy.exp(15)))
    floor(exp(20*exp(15)))
    """

    def bounded(expression: Any, bits: int, options: Any) -> Any:
        if bits > _MOST_BITS:
            raise evalf.PrecisionExhausted
        return evaluate(expression, bits, options)

    return bounded


def _expanded(expand: Callable[..., Any]) -> Callable[..., Any]:
    """A power of a sum, written out where it is not large.

    >>> x = sympy.Symbol("x")
    >>> sympy.expand((1 + x) ** 2), sympy.expand((1 + x) ** 10_000)
    (x**2 + 2*x + 1, (x + 1)**10000)
    """
    return lambda power, **hints: power if is_large(power) else expand(power, **hints)


def _read(read: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """An expression, or several, as polynomials in which large powers are variables.

    >>> x = sympy.Symbol("x")
    >>> sympy.cancel((x**2 - 1) * (1 + x) ** 10_000 / (x - 1)), sympy.factor(x**10_001 - 2 * x**10_001)
    (x*(x + 1)**10000 + (x + 1)**10000, -x**10001)
    """

    def readers(given: Any, options: Any) -> Any:
        large = {
            power for e in (given if isinstance(given, (tuple, list)) else (given,)) for power in e.atoms(sympy.Pow) if is_large(power)
        }
        if not large:
            return read(given, options)
        if options.gens and any(power.has_free(*options.gens) for power in large):
            raise sympy.PolynomialError("a power is too large for a polynomial")
        names = {power: sympy.Dummy() for power in large}
        back = {name: power for power, name in names.items()}
        hidden = given.xreplace(names) if not isinstance(given, (tuple, list)) else [e.xreplace(names) for e in given]
        rows, chosen = read(hidden, options)
        if options.gens:
            seen = [{degrees: c.xreplace(back) for degrees, c in row.items()} for row in (rows if isinstance(rows, list) else [rows])]
            return seen if isinstance(rows, list) else seen[0], chosen
        return rows, chosen.clone({"gens": tuple(g.xreplace(back) for g in chosen.gens)})

    return readers


def _size(n: Any) -> Any:
    return n if n.is_Integer else 0


def _factored(factor: Callable[..., Any]) -> Callable[..., Any]:
    """A polynomial in factors; as it is where it has a long number, of which sympy would look for primes.

    >>> x = sympy.Symbol("x")
    >>> sympy.factor(x**2 - 1), sympy.factor(2**3000 * x**2 - 2**3000) == 2**3000 * x**2 - 2**3000
    ((x - 1)*(x + 1), True)
    """

    def factored(expression: Any, *how: Any, **named: Any) -> Any:
        given = sympy.sympify(expression)
        numbers = given.atoms(sympy.Rational)
        return given if numbers and bits_of(numbers) > _MOST_FACTORED_BITS else factor(expression, *how, **named)

    return factored


for _kind in (sympy.Integer, sympy.Rational):
    _kind._eval_power = _computed(_kind._eval_power)
sympy.Pow._eval_expand_multinomial = _expanded(sympy.Pow._eval_expand_multinomial)
sympy.factorial.eval = _counted(sympy.factorial.eval, lambda n: _size(sympy.sympify(n)))
sympy.binomial._eval = _counted(sympy.binomial._eval, lambda n, k: min(abs(_size(k)), abs(_size(n - k)) if n.is_Integer else sympy.oo))
for _name, _sympy, _own in (
    ("evalf", evalf.evalf, _bounded),
    ("_generic_factor", polytools._generic_factor, _factored),
    ("_dict_from_expr", polyutils._dict_from_expr, _read),
    ("_parallel_dict_from_expr", polyutils._parallel_dict_from_expr, _read),
):
    for _module in [module for name, module in sys.modules.items() if name.startswith("sympy.") and vars(module).get(_name) is _sympy]:
        setattr(_module, _name, _own(_sympy))
