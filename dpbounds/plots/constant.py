"""The constant of Claim 26: the moment along r = c₁/σ, λ = c₂σ², its limit, and its supremum C(c₁, c₂)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dpbounds.budgets.routes import constant_limit_of, constant_of, subsampled_moment_of
from dpbounds.numbers import exact
from dpbounds.plots.style import looks, styled_figure


def moment_along_path(settings: Sequence[tuple[exact.Number, exact.Number]], sigmas: Sequence[exact.Number]) -> Any:
    """G at rate c₁/σ and the integer order ⌊c₂σ²⌋ over σ, with the limit exp(c₁²c₂²/2) as a dotted line; certified values.

    Args:
        settings: (c₁, c₂), with c₁ below every σ.
        sigmas: σ.

    >>> len(moment_along_path([(1, 1)], [2, 4]).axes[0].get_lines())
    2
    """
    with styled_figure("The moment along r = c₁/σ, λ = c₂σ²", "σ", "moment") as (figure, axes):
        x = [float(exact.rational(sigma)) for sigma in sigmas]
        for (first, second), look in zip(settings, looks(), strict=False):
            noises = [exact.rational(sigma) for sigma in sigmas]
            orders = [max(1, int(exact.rational(second) * noise**2)) for noise in noises]
            share = exact.rational(first)
            values = [subsampled_moment_of(n, noise, share / noise, 6).upper_float for n, noise in zip(orders, noises, strict=True)]
            axes.plot(x, values, label=f"c₁ = {first}, c₂ = {second}", **look)
            axes.axhline(constant_limit_of(first, second, 6).upper_float, color=look["color"], linestyle=":")
        axes.set_xscale("log")
        axes.set_yscale("log")
    return figure


def constants(firsts: Sequence[exact.Number], seconds: Sequence[exact.Number], *, digits: int = 3) -> Any:
    """C(c₁, c₂) over c₂, one curve for each c₁, certified; the limit exp(c₁²c₂²/2) of the moment is dotted.

    Args:
        firsts: c₁.
        seconds: c₂.
        digits: certified digits of C.

    >>> constants([1], ["1/2", 1]).axes[0].get_yscale()
    'log'
    """
    with styled_figure("C(c₁, c₂) and the limit of the moment", "c₂", "C(c₁, c₂)") as (figure, axes):
        x = [float(exact.rational(second)) for second in seconds]
        for first, look in zip(firsts, looks(), strict=False):
            found = [constant_of(first, second, digits) for second in seconds]
            axes.plot(x, [value.value.upper_float for value in found], marker="o", markersize=4, label=f"c₁ = {first}", **look)
            axes.plot(x, [value.limit.upper_float for value in found], color=look["color"], linestyle=":")
        axes.set_yscale("log")
    return figure
