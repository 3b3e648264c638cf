"""Statements for all n ≥ n0 with factorials: the logarithm of the ratio of both sides rises from n to n + 1.

With R(n) = large/small > 0: when R(n + 1) ≥ R(n) for all integers n ≥ n0 and R(n0) ≥ 1, then R ≥ 1. In the step the factorials cancel, so
it is a problem about a real n ≥ n0.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import sympy

from dpbounds.descent import polynomials as poly
from dpbounds.descent.interval import Interval
from dpbounds.descent.polynomials import ONE, Quotient
from dpbounds.descent.problem import Problem, gap_of
from dpbounds.descent.reading import TowerReader
from dpbounds.descent.refusal import need
from dpbounds.descent.tower import Tower, constant_of, difference_of
from dpbounds.language.kinds import entry_for

COUNTED = (sympy.factorial, sympy.binomial, sympy.gamma)
_MOST_STEPS = 64
"""How far the argument of a factorial may move when n grows by 1."""
_LARGEST_FACTORIAL = 500


class LogReader(TowerReader):
    """Reads the logarithm of a product of factorials, powers and sums; each factor must be positive."""

    def log(self, node: sympy.Basic) -> Quotient:
        """log of an expression."""
        log = entry_for(_LOGARITHMS, node)
        return self.tower.free("log", self.read(node)) if log is None else log(self, node)

    def _log_of_power(self, node: sympy.Pow) -> Quotient:
        exponent = self.read(node.args[1])
        n, d = self.log(node.args[0]) if node.args[0] is not sympy.E else (ONE, ONE)
        return poly.times(exponent[0], n), poly.times(exponent[1], d)

    def _log_of_gamma(self, node: sympy.gamma) -> Quotient:
        z = self.read(node.args[0])  # Γ(z) = z!/z for z > 0, which log z needs
        return poly.sum_of([self.log_factorial(z), _negative(self.tower.free("log", z))])

    def _log_of_binomial(self, node: sympy.binomial) -> Quotient:
        a, b = (self.read(part) for part in node.args)
        rest = poly.sum_of([a, (poly.scaled(b[0], -1), b[1])])
        parts = [self.log_factorial(a), *(_negative(self.log_factorial(part)) for part in (b, rest))]
        return poly.sum_of(parts)

    def _read(self, node: sympy.Basic) -> Quotient:
        """log of a product with factorials stands for itself where it is not the side, as in log n! + n."""
        is_log = isinstance(node, sympy.log) and len(node.args) == 1
        return self.log(node.args[0]) if is_log and node.has(*COUNTED) else super()._read(node)

    def log_factorial(self, z: Quotient) -> Quotient:
        """log z! by a generator log (z ± m)! that is there already, or by a number.

        log z! = log (z + m)! − log(z + 1) − … − log(z + m) for z > −1, which is shown as log(z + 1) is defined.
        """
        value = constant_of(z)
        if value is not None and value.denominator == 1:
            need(0 <= value <= _LARGEST_FACTORIAL, "a factorial of no such number")
            return self.tower.free("log", (poly.constant(math.factorial(int(value))), ONE))
        for i, g in enumerate(self.tower.generators):
            if g.kind == "factorial":
                moved = difference_of(z, g.inner)
                if moved is not None and moved.denominator == 1 and abs(moved) <= _MOST_STEPS:
                    lower = g.inner if moved > 0 else z
                    logs = [self.tower.free("log", _plus(lower, j + 1)) for j in range(abs(int(moved)))]
                    return poly.sum_of([(poly.generator(i), ONE), *(log if moved > 0 else _negative(log) for log in logs)])
        return self.tower.free("factorial", z)


def _plus(z: Quotient, number: int) -> Quotient:
    return poly.plus(z[0], poly.scaled(z[1], number)), z[1]


def _negative(z: Quotient) -> Quotient:
    return poly.scaled(z[0], -1), z[1]


@dataclass(frozen=True)
class RatioStep(Problem):
    """log R(n + 1) − log R(n) ≥ 0 for real n ≥ n0.

    Attributes:
        variable: n.
        moving: meanings that speak of n and are others at n + 1, as m = n + u is. A later change of variables only renames a point: what it
            makes of other variables stays where it is while n becomes n + 1.
    """

    compares: ClassVar[bool] = False
    variable: str = ""
    moving: Mapping[str, sympy.Expr] = field(default_factory=dict)

    def free(self) -> tuple[Tower, Quotient, tuple[Quotient, ...]]:
        """The difference over a free tower; what was log z! at n is log z! at n + 1 too, plus logarithms."""
        tower = Tower()
        here = LogReader(tower, self.ranges, self.meanings)
        later = _Later(here, self.variable, self.moving)
        parts = [poly.sum_of([reader.log(self.large), _negative(reader.log(self.small))]) for reader in (here, later)]
        return tower, poly.sum_of([parts[1], _negative(parts[0])]), ()


_LOGARITHMS: dict[Any, Callable[[LogReader, Any], Quotient]] = {
    sympy.Mul: lambda reader, node: poly.sum_of(reader.log(part) for part in node.args),
    sympy.exp: lambda reader, node: reader.read(node.args[0]),
    sympy.Pow: LogReader._log_of_power,
    sympy.factorial: lambda reader, node: reader.log_factorial(reader.read(node.args[0])),
    sympy.gamma: LogReader._log_of_gamma,
    sympy.binomial: LogReader._log_of_binomial,
}
"""The logarithm of each kind of factor; of any other, a generator."""


class _Later(LogReader):
    """Reads an expression at n + 1."""

    def __init__(self, here: LogReader, variable: str, moving: Mapping[str, sympy.Expr]) -> None:
        super().__init__(here.tower, here.box, here.meanings)
        self.here, self.variable, self.moving = here, variable, moving

    def _read(self, node: sympy.Basic) -> Quotient:
        if isinstance(node, sympy.Symbol):
            if node.name == self.variable:
                return _plus(self.here.read(node), 1)
            return self.read(self.moving[node.name]) if node.name in self.moving else self.here.read(node)
        return super()._read(node)


@dataclass(frozen=True)
class Start(Problem):
    """log R ≥ 0, over the box as it is: at n0 when the range of n is a point."""

    compares: ClassVar[bool] = False

    def free(self) -> tuple[Tower, Quotient, tuple[Quotient, ...]]:
        """The logarithm of the ratio, and the premises, over a free tower."""
        tower = Tower()
        reader = LogReader(tower, self.ranges, self.meanings)
        premises = tuple(gap_of(reader, *premise[:2]) for premise in self.premises)
        return tower, poly.sum_of([reader.log(self.large), _negative(reader.log(self.small))]), premises


def parts_of(problem: Problem, variable: str) -> tuple[RatioStep, Start]:
    """The step from n to n + 1, and log R at n0: R rises from R(n0) ≥ 1.

    Premises are left out, so the domain is a box, and the values of the other variables that are possible at n0 are those that are possible
    at every n.

    Args:
        problem: the problem.
        variable: n.

    Raises:
        Refused: n does not run through all integers from an n0 on.
    """
    need(not problem.nodes and not any(" " in name for name in problem.box), "a ratio of cases, or a name with a blank")
    interval = problem.box.get(variable)
    need(interval is not None and interval.low is not None and interval.high is None, "n runs to infinity")
    assert interval is not None and interval.low is not None
    low = interval.low
    need(interval.low_closed and low.denominator == 1, "n runs from an integer to infinity")
    moving = dict(problem.meanings)
    step = RatioStep(problem.large, problem.small, False, problem.box, (), moving, variable=variable, moving=moving)
    box = {**problem.box, variable: Interval(low, low, True, True)}
    return step, Start(problem.large, problem.small, problem.strict, box, (), problem.meanings)


def counted(problem: Problem) -> bool:
    """Whether a side has factorials outside of sums and integrals."""
    waiting = [problem.large, problem.small]
    while waiting:
        node = waiting.pop()
        if isinstance(node, COUNTED):
            return True
        waiting += () if isinstance(node, (sympy.Sum, sympy.Integral)) else node.args
    return False
