"""Sums over the lattice x = j·h: the trapezoid rule on the real line, with what it leaves out enclosed.

For f analytic in |Im x| ≤ a and N ≥ ∫|f(x ± ia)| dx on both edges, Poisson summation gives

    |h·Σ_j f(jh) − ∫ f| ≤ 2·N / (e^{2πa/h} − 1)

(Trefethen & Weideman, "The exponentially convergent trapezoidal rule", SIAM Review 56 (2014), Theorem 5.1).
"""

from __future__ import annotations

from flint import arb


def between_zero_and(bound: arb) -> arb:
    """A ball that contains [0, bound], for what is known to be ≥ 0 and at most `bound`.

    >>> between_zero_and(arb(3)).contains(arb(0)), between_zero_and(arb(3)).contains(arb(3))
    (True, True)
    """
    return arb(0).union(bound.abs_upper())


def aliasing(shift: arb, step: arb) -> arb:
    """2/(e^{2πa/h} − 1): what multiplies N in the error bound of the trapezoid rule.

    >>> aliasing(arb(1), arb("0.1")) < arb("1e-26")
    True
    """
    return 2 / (2 * arb.pi() * shift / step).expm1()
