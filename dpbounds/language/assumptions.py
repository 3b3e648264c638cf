"""What sympy concludes from signs and parities, where its own rules are wrong.

sympy evaluates by what it concludes: |u| is u where u.is_nonnegative, and floor(u) is u where u.is_integer. A wrong conclusion becomes a
wrong statement, so each rule that was found to be wrong is replaced here, for all of sympy, by one that says less.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import sympy
from sympy.core import exprtools

from dpbounds.language.large_powers import is_large
from dpbounds.language.sizes import power_takes_long


def _is_nonnegative_binomial(e: Any) -> bool | None:
    """The sign of C(n, k) for integers, where it is known; sympy takes C(n, 3) for negative as soon as n may be: C(3, 3) = 1.

    >>> n, m = sympy.Symbol("n", integer=True), sympy.Symbol("m", integer=True, nonnegative=True)
    >>> [sympy.binomial(*row).is_nonnegative for row in ((n, 3), (n, 4), (m, 3), (-m - 1, 3))]
    [None, True, True, False]
    """
    n, k = e.args
    if not (n.is_integer and k.is_integer):
        return None
    if n.is_nonnegative or k.is_negative or k.is_even:
        return True
    return False if n.is_negative and k.is_positive and k.is_odd else None


def _is_integer_product(e: Any) -> bool | None:
    """Whether (p/q)·n·m·… is whole, for integers n, m, … and p/q in lowest terms; sympy takes e/6 for whole and e/3 for no integer, e even.

    It is where q = 2^k and k factors 2 are in n·m·…; it is not where q is even and all of n, m, … are odd.

    >>> e, o = sympy.Symbol("e", even=True), sympy.Symbol("o", odd=True)
    >>> [value.is_integer for value in (e / 2, e**2 / 4, 3 * e, o / 2, e / 6, e / 3, e / 4, o / 3)]
    [True, True, True, False, None, None, None, None]
    """
    scale = math.prod((Fraction(int(part.p), int(part.q)) for part in e.args if part.is_Rational), start=Fraction(1))
    factors = [part for part in e.args if not part.is_Rational]
    if not all(part.is_integer for part in factors):
        return False if e._eval_is_rational() is False else None
    if scale.denominator == 1:
        return True
    if scale.denominator % 2 == 0 and all(part.is_odd for part in factors):
        return False
    twos = sum(int(part.exp) if part.is_Pow and part.exp.is_Integer and part.base.is_even else 1 for part in factors if part.is_even)
    return True if 2**twos % scale.denominator == 0 else None


def _is_integer_power(e: Any) -> bool | None:
    """Whether b^x is whole; sympy says no for b = 3/2 and any x > 0, and (3/2)^x = 2 has a root; and no of a root that it does not take.

    >>> p, n = sympy.Symbol("p", positive=True), sympy.Symbol("n", integer=True, positive=True)
    >>> [(sympy.Rational(3, 2) ** x).is_integer for x in (p, n)]
    [None, False]
    """
    b, x = e.args
    unknown = power_takes_long(x, b) or (b.is_integer is False and not x.is_rational)
    return None if unknown else _SYMPY[sympy.Pow, "integer"](e)


def _is_positive_gamma(e: Any) -> bool | None:
    """The sign of Γ(x): + for x > 0, and below 0 it changes at each pole; sympy asks for ⌊x⌋ alone, and takes Γ(3 + 1/2) for negative.

    >>> o = sympy.Symbol("o", odd=True)
    >>> [sympy.gamma(o * k + sympy.S.Half).is_positive for k in (1, o)]
    [None, True]
    """
    x = e.args[0]
    if x.is_positive:
        return True
    return sympy.floor(x).is_even if x.is_noninteger and x.is_negative else None


def _is_imaginary_power(e: Any) -> bool | None:
    """Whether b^x is imaginary; sympy says so of b < 0 where 2x is whole and x may be, as in (−2)^{n(n+1)/2}.

    >>> n = sympy.Symbol("n", integer=True)
    >>> ((-2) ** (n / 2)).is_imaginary, ((-2) ** (n + sympy.S.Half)).is_imaginary
    (None, True)
    """
    b, x = e.args
    return None if b.is_extended_real and x.is_integer is None else _SYMPY[sympy.Pow, "imaginary"](e)


def _never_denied(kind: Any, fact: str) -> Callable[[Any], bool | None]:
    """sympy's rule without its "no": C(x, 3/2) = 1 has a root, ∫ may be 0 where its integrand jumps from −1 to 1, and so may be rational
    what sympy finds irrational because no rule took its root.

    >>> x, m = sympy.Symbol("x", real=True), sympy.Symbol("m", integer=True)
    >>> sympy.binomial(x, m + sympy.S.Half).is_integer
    >>> sympy.Integral(2 * sympy.floor(x) + 1, (x, -1, 1)).is_zero
    """
    return lambda e: _SYMPY[kind, fact](e) or None


def _is_unknown(e: Any) -> None:
    """Nothing: that a product is even follows from others; sympy's own rule takes 0·n, as it was typed, for odd."""


def _sign_of_number(e: Any, positive: bool) -> bool | None:
    """Whether a number is positive (or negative); unknown with a sum or an integral in it, of which sympy's quadrature may miss a peak.

    Nothing is known either of a sum with a power of numbers that is not taken: sympy says that (10^20000)^(1/20) − 10^1000 is positive.

    >>> x, long = sympy.Symbol("x"), sympy.Pow(sympy.Integer(10) ** 20_000, sympy.Rational(1, 20))
    >>> (long - sympy.Integer(10) ** 1_000).is_positive, long.is_positive
    (None, True)
    >>> [sympy.Integral(sympy.exp(-x), (x, 0, 1)).is_positive, (sympy.sqrt(2) - 1).is_positive]
    [None, True]
    """
    if e.has(*_BY_QUADRATURE) or (e.is_Add and any(power_takes_long(power.exp, power.base) for power in e.atoms(sympy.Pow))):
        return None
    try:
        return _SYMPY_SIGN_OF_NUMBER(e, positive)
    except sympy.PolynomialError:  # the polynomial of which a long root is one is too large
        return None


def _power_of_power(e: Any, exponent: Any) -> Any:
    """(b^x)^y as one power, where y is whole or nothing is sampled; sympy takes √(b²) for b as quadrature finds the angle of b.

    >>> t = sympy.Symbol("t")
    >>> sympy.sqrt(sympy.Integral(sympy.exp(-t), (t, 0, 1)) ** 2)
    sqrt(Integral(exp(-t), (t, 0, 1))**2)
    """
    return None if e.has(*_BY_QUADRATURE) and not exponent.is_Integer else _SYMPY_POWER_OF_POWER(e, exponent)


def _least_value(e: Any) -> Any:
    """What is closest to 0 of the values of e; unknown of large powers, and of quotients and the like in several variables.

    sympy takes 7/2 for 7/(n + m).

    >>> n, m = sympy.symbols("n m", integer=True, positive=True)
    >>> (7 / (n + m) - 1).is_positive, (1 - 1 / (n * m)).is_negative, (n - 1).is_nonnegative
    (None, None, True)
    """
    if len(e.free_symbols) > 1 and not e.as_coeff_Add()[1].is_polynomial() and (e.is_Add or not e.as_numer_denom()[1].is_number):
        return None
    return None if any(map(is_large, e.atoms(sympy.Pow))) else _SYMPY_LEAST_VALUE(e)


_RULES: dict[tuple[Any, str], Callable[[Any], bool | None]] = {
    (sympy.binomial, "nonnegative"): _is_nonnegative_binomial,
    (sympy.Mul, "integer"): _is_integer_product,
    (sympy.Mul, "even"): _is_unknown,
    (sympy.Pow, "integer"): _is_integer_power,
    (sympy.Pow, "imaginary"): _is_imaginary_power,
    (sympy.gamma, "positive"): _is_positive_gamma,
    **{key: _never_denied(*key) for key in ((sympy.binomial, "integer"), (sympy.Integral, "zero"), (sympy.Pow, "rational"))},
}
_SYMPY: dict[tuple[Any, str], Callable[[Any], bool | None]] = {key: getattr(key[0], f"_eval_is_{key[1]}") for key in _RULES}
for (_kind, _fact), _rule in _RULES.items():
    setattr(_kind, f"_eval_is_{_fact}", _rule)
    _kind._prop_handler[_fact] = _rule
_BY_QUADRATURE = (sympy.Integral, sympy.Sum)
_SYMPY_POWER_OF_POWER = sympy.Pow._eval_power
sympy.Pow._eval_power = _power_of_power
_SYMPY_SIGN_OF_NUMBER = sympy.Expr._eval_is_extended_positive_negative
sympy.Expr._eval_is_extended_positive_negative = _sign_of_number
_SYMPY_LEAST_VALUE = exprtools._monotonic_sign
exprtools._monotonic_sign = _least_value
