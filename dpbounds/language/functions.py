"""Privacy quantities as sympy expressions: what claims and derivations speak about.

Each quantity knows its `definition()`: the same thing in terms of sums, integrals and elementary functions. Divergences take two
finite tables (`sympy.Tuple`), or two densities or families with `over=(variable, low, high)`: a sum when the variable is an
integer, an integral otherwise. Values lie in [0, ∞]; 0·log(0/q) = 0; p > 0 = q gives ∞.

No evaluator is imported here: modules above register theirs with `dpbounds.language.enclose.register`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import sympy
from sympy import Expr, Integral, Max, Rational, S, Sum, Symbol, Tuple, binomial, exp, log, oo, pi, sqrt
from sympy.core.symbol import Str
from sympy.functions.elementary.piecewise import ExprCondPair
from sympy.printing.precedence import PRECEDENCE

from dpbounds.errors import LanguageError
from dpbounds.language import closed_forms, density_pairs, mechanism_laws, substitution
from dpbounds.language.binders import conditions_of_range
from dpbounds.language.density_pairs import laplace_density as laplace_density
from dpbounds.language.density_pairs import normal_density, phi
from dpbounds.language.sizes import power_takes_long
from dpbounds.language.substitution import is_positive, relation

DIRECTIONS = ("remove", "add")


class PrivacyQuantity(Expr):
    """A named quantity whose meaning is its `definition()`."""

    is_commutative = True
    is_extended_real = True

    def definition(self) -> Expr:
        """The quantity in terms of sums, integrals and elementary functions."""
        raise TypeError(f"{type(self).__name__} must define its meaning")

    def conditions(self) -> list[sympy.Basic]:
        """What must hold for the quantity to be defined."""
        return []

    def elementary(self) -> Expr | None:
        """The quantity without integrals and sums of symbolic length, or None when it has no such form."""
        meaning = self.definition()
        return None if meaning.has(Integral, Sum) else meaning

    def _output(self) -> Symbol:
        """A real symbol for the output of the mechanism that occurs in no argument."""
        taken = {symbol.name for part in self.args for symbol in part.atoms(Symbol)}
        return next(Symbol(name, real=True) for name in ("y", *(f"y_{k}" for k in range(1, len(taken) + 2))) if name not in taken)

    def _eval_simplify(self, **_: Any) -> Expr:
        return self

    def _eval_derivative(self, symbol: Symbol) -> Expr:
        return sympy.Derivative(self, symbol, evaluate=False)


def _order_conditions(alpha: Expr) -> list[sympy.Basic]:
    """α > 1 and finite: the divergence of order ∞ is a limit that these formulas do not take."""
    return [S.false if alpha.is_infinite else relation(sympy.Gt, alpha, 1)]


def _entries(law: Any) -> Any:
    """A table as a `Tuple`, lists included; a density as it is."""
    return Tuple(*law) if isinstance(law, (list, tuple)) else sympy.sympify(law)


class Divergence(PrivacyQuantity):
    """Shared shape: (order, p, q) for finite tables, (order, p, q, (variable, low, high)) otherwise."""

    def __new__(cls, order: Any, p: Any, q: Any, over: Any = None) -> Divergence:
        order, p, q = sympy.sympify(order), _entries(p), _entries(q)
        if over is None:
            if not (isinstance(p, Tuple) and isinstance(q, Tuple)) or len(p) != len(q) or not len(p):
                raise ValueError(
                    f"{cls.__name__} needs two tables of one length, or densities with over=(variable, low, high), got {p} and {q}"
                )
            return Expr.__new__(cls, order, p, q)
        if isinstance(p, Tuple) or isinstance(q, Tuple) or len(over) != 3:
            raise ValueError(f"{cls.__name__} takes over=(variable, low, high) with two densities or families, got {p}, {q}, over={over}")
        return Expr.__new__(cls, order, p, q, Tuple(*over))

    @property
    def is_table(self) -> bool:
        """True for two finite tables."""
        return len(self.args) == 3

    @property
    def terms(self) -> list[tuple[Expr, Expr]]:
        """The (p, q) pairs of two finite tables."""
        return list(zip(self.args[1].args, self.args[2].args, strict=True))

    @property
    def bound_symbols(self) -> list[Symbol]:
        """The variable of the densities or families."""
        return [] if self.is_table else [self.args[3][0]]

    @property
    def free_symbols(self) -> set[Symbol]:
        """All symbols but that variable."""
        if self.is_table:
            return super().free_symbols
        over = self.args[3]
        inner = (self.args[1].free_symbols | self.args[2].free_symbols) - {over[0]}
        return inner | self.args[0].free_symbols | over[1].free_symbols | over[2].free_symbols

    def _eval_subs(self, old: Expr, new: Expr) -> Expr | None:
        if old in self.bound_symbols:
            return self
        return None

    def _absolute_continuity(self) -> list[sympy.Basic]:
        """q > 0 where a table says neither p = 0 nor q = 0 in so many words: at q = 0 the conventions hold and the formula does not."""
        return (
            [relation(sympy.Gt, q, 0) for p, q in self.terms if not _is_zero(p) and not (_is_zero(q) and is_positive(p))]
            if self.is_table
            else []
        )

    divides = False
    """Whether the definition divides by q: then q must not be 0 where a density says so in other ways, for sympy cancels in p^α q^{1−α}."""

    def conditions(self) -> list[sympy.Basic]:
        """No entry of a table is negative; a density is nowhere negative on a finite range, and an interval runs forward.

        The variable is what its symbol assumes all over the range.
        """
        if self.is_table:
            return [relation(sympy.Ge, part, 0) for pair in self.terms for part in pair]
        variable, low, high = self.args[3]
        ranging = conditions_of_range("sum" if variable.is_integer else "integral", variable, low, high)
        masses = self.args[1].has(sympy.Indexed) or self.args[2].has(sympy.Indexed)
        if masses or low.is_finite is False or high.is_finite is False:
            return ranging
        support = relation(sympy.Gt if self.divides else sympy.Ge, self.args[2], 0)
        forward = [] if variable.is_integer else [relation(sympy.Le, low, high)]
        return [*ranging, *forward, relation(sympy.Ge, self.args[1], 0), support]

    def _total(self, term: Any) -> Expr:
        if self.is_table:
            return sympy.Add(*(term(p, q) for p, q in self.terms))
        over = self.args[3]
        combine = Sum if over[0].is_integer else Integral
        return combine(term(self.args[1], self.args[2]), tuple(over))

    def _latex(self, printer: Any) -> str:
        order, p, q = (printer._print(part) for part in self.args[:3])
        return rf"{self.symbol}_{{{order}}}\left({p} \,\middle\|\, {q}\right)"


def _is_zero(value: Expr) -> bool:
    """True when symbols and rational numbers show it."""
    return bool(not substitution.has_sign_to_sample(value) and value.is_zero)


def _power_term(order: Expr, p: Expr, q: Expr) -> Expr:
    """p^α q^{1−α} with the conventions p = 0 → 0 and p > 0 = q → ∞."""
    if _is_zero(p):
        return S.Zero
    if _is_zero(q):
        return oo if is_positive(p) else p**order * q ** (1 - order)
    if power_takes_long(order, p, q):
        return S.NaN  # what has no value decides nothing
    return p**order * q ** (1 - order)


class RenyiMoment(Divergence):
    """G_α(p‖q) = ∫ p^α q^{1−α} for α > 1 (blog, before Example 1).

    >>> RenyiMoment(2, Tuple(Rational(1, 2), Rational(1, 2)), Tuple(Rational(1, 4), Rational(3, 4))).definition()
    4/3
    """

    symbol = "G"
    divides = True

    def definition(self) -> Expr:
        return self._total(lambda p, q: _power_term(self.args[0], p, q))

    def conditions(self) -> list[sympy.Basic]:
        return [*_order_conditions(self.args[0]), *super().conditions(), *self._absolute_continuity()]


class RenyiDivergence(Divergence):
    """D_α(p‖q) = log G_α(p‖q) / (α−1) for α > 1 (Rényi 1961; van Erven & Harremoës 2014).

    >>> half = Tuple(Rational(1, 2), Rational(1, 2))
    >>> RenyiDivergence(3, Tuple(1, 0), half).definition()
    log(4)/2
    """

    symbol = "D"
    divides = True

    def definition(self) -> Expr:
        moment = self._total(lambda p, q: _power_term(self.args[0], p, q))
        return log(moment) / (self.args[0] - 1)

    def conditions(self) -> list[sympy.Basic]:
        return [*_order_conditions(self.args[0]), *super().conditions(), *self._absolute_continuity()]


class KLDivergence(Divergence):
    """D_1(p‖q) = ∫ p log(p/q): the Kullback–Leibler divergence, of two finite tables, or of densities or families with a range.

    An entry of a table that is not written as 0 must be positive.

    >>> KLDivergence(Tuple(1, 0), Tuple(Rational(1, 2), Rational(1, 2))).definition()
    log(2)
    """

    symbol = "D"

    def __new__(cls, *parts: Any, over: Any = None) -> KLDivergence:
        """(p, q[, over]); with the order 1 before them when sympy builds the node again."""
        parts = parts if over is None else (*parts, over)
        tables = len(parts) == 3 and all(isinstance(part, (Tuple, list, tuple)) for part in parts[1:])
        whole = parts if len(parts) == 4 or (tables and parts[0] == 1) else (S.One, *parts)
        if not 3 <= len(whole) <= 4 or whole[0] != 1:
            raise ValueError(f"KLDivergence takes two tables, or two densities and over=(variable, low, high), got {parts}")
        return super().__new__(cls, *whole)

    def definition(self) -> Expr:
        return self._total(_log_term if self.is_table else lambda p, q: p * (_log_of_factors(p) - _log_of_factors(q)))

    def conditions(self) -> list[sympy.Basic]:
        present = [relation(sympy.Gt, p, 0) for p, _ in self.terms if not _is_zero(p)] if self.is_table else []
        return [*present, *super().conditions(), *self._absolute_continuity()]


def _log_of_factors(density: Expr) -> Expr:
    """log of a density, with log e^u = u and the logarithms of positive factors apart, so that common factors of two densities cancel."""
    total, rest = [], []
    for factor in sympy.Mul.make_args(density):
        base, exponent = factor.as_base_exp()
        if isinstance(factor, exp) and factor.args[0].is_real:
            total.append(factor.args[0])
        elif is_positive(base) and exponent.is_real:
            total.append(exponent * _log(base))
        else:
            rest.append(factor)
    return sympy.Add(*total, _log(sympy.Mul(*rest)) if rest else S.Zero)


def _log_term(p: Expr, q: Expr) -> Expr:
    """p log(p/q) with 0·log(0/q) = 0 and p > 0 = q → ∞."""
    if _is_zero(p):
        return S.Zero
    return oo if _is_zero(q) and is_positive(p) else p * _log(p / q)


def _positive_part(value: Expr) -> Expr:
    return Max(value, 0, evaluate=not substitution.has_irrational(value))


class HockeyStick(Divergence):
    """δ(ε) = ∫ max(p − e^ε q, 0): the hockey-stick divergence of order e^ε.

    >>> HockeyStick(0, Tuple(Rational(2, 3), Rational(1, 3)), Tuple(Rational(1, 3), Rational(2, 3))).definition()
    1/3
    """

    symbol = r"\delta"

    def definition(self) -> Expr:
        return self._total(lambda p, q: _positive_part(p - exp(self.args[0]) * q))

    def elementary(self) -> Expr | None:
        form = None if self.is_table else density_pairs.hockey_stick(*self.args)
        return super().elementary() if form is None else form


class LossTail(Divergence):
    """Pr(L > ε) under p, for L = log(p/q): the tail of the privacy loss.

    >>> LossTail(0, Tuple(Rational(2, 3), Rational(1, 3)), Tuple(Rational(1, 3), Rational(2, 3))).definition()
    2/3
    """

    symbol = r"\Pr"

    def definition(self) -> Expr:
        return self._total(lambda p, q: sympy.Piecewise((p, relation(sympy.Gt, p, exp(self.args[0]) * q)), (0, True), evaluate=False))

    def elementary(self) -> Expr | None:
        form = None if self.is_table else density_pairs.loss_tail(*self.args)
        return super().elementary() if form is None else form

    def _latex(self, printer: Any) -> str:
        order, p, q = (printer._print(part) for part in self.args[:3])
        return rf"\Pr_{{{p}}}\left(\log\frac{{{p}}}{{{q}}} > {order}\right)"


_MAX_BINOMIAL_ORDER = 512
"""Integer orders up to this one are written out as binomial sums; beyond, an evaluator is asked."""


class GaussianRenyi(PrivacyQuantity):
    """D_α(N(Δ, σ²) ‖ N(0, σ²)): the Rényi divergence of the Gaussian mechanism with sensitivity Δ.

    Its closed form αΔ²/(2σ²) is derived from the integral in `dpbounds.prover`.
    """

    def __new__(cls, alpha: Any, sigma: Any, sensitivity: Any = 1) -> GaussianRenyi:
        return Expr.__new__(cls, *map(sympy.sympify, (alpha, sigma, sensitivity)))

    def definition(self) -> Expr:
        alpha, sigma, sensitivity = self.args
        output = self._output()
        densities = normal_density(output, sensitivity, sigma), normal_density(output, 0, sigma)
        return RenyiDivergence(alpha, *densities, (output, -oo, oo)).definition()

    def elementary(self) -> Expr:
        """αΔ²/(2σ²), derived from the integral in `dpbounds.prover`."""
        alpha, sigma, sensitivity = self.args
        return alpha * sensitivity**2 / (2 * sigma**2)

    def conditions(self) -> list[sympy.Basic]:
        return [*_order_conditions(self.args[0]), relation(sympy.Gt, self.args[1], 0)]

    def _latex(self, printer: Any) -> str:
        alpha, sigma, sensitivity = self.args
        return _divergence_latex(printer, "D", alpha, _normal_latex(printer, sensitivity, sigma), _normal_latex(printer, 0, sigma))


class _SampledGaussian(PrivacyQuantity):
    """Shared shape: (alpha, sigma, q, direction)."""

    def __new__(cls, alpha: Any, sigma: Any, q: Any, direction: Any = "remove") -> _SampledGaussian:
        name = direction if isinstance(direction, str) else str(direction)
        if name not in DIRECTIONS:
            raise ValueError(f"direction must be one of {', '.join(DIRECTIONS)}, got {name!r}")
        return Expr.__new__(cls, *map(sympy.sympify, (alpha, sigma, q)), Symbol(name))

    @property
    def direction(self) -> str:
        """ "remove" = (with ‖ without), "add" = (without ‖ with)."""
        return str(self.args[3])

    @property
    def free_symbols(self) -> set[Symbol]:
        return set().union(*(part.free_symbols for part in self.args[:3]))

    def _moment(self) -> Expr:
        alpha, sigma, q = self.args[:3]
        output = self._output()
        without = normal_density(output, 0, sigma)
        with_record = q * normal_density(output, 1, sigma) + (1 - q) * without
        upper, lower = (with_record, without) if self.direction == "remove" else (without, with_record)
        return RenyiMoment(alpha, upper, lower, (output, -oo, oo)).definition()

    def binomial_excess(self) -> Expr | None:
        """G − 1 as a finite sum of nonnegative terms, at integer order under removal: Claim 27 and (9.5) with Σ binom = 1 subtracted."""
        alpha, sigma, q = self.args[:3]
        if self.direction != "remove" or not (alpha.is_Integer and 2 <= alpha <= _MAX_BINOMIAL_ORDER):
            return None
        n = int(alpha)
        return sympy.Add(
            *(binomial(n, j) * q**j * (1 - q) ** (n - j) * (exp(Rational(j * (j - 1), 2) / sigma**2) - 1) for j in range(2, n + 1))
        )

    def conditions(self) -> list[sympy.Basic]:
        alpha, sigma, q = self.args[:3]
        return [*_order_conditions(alpha), relation(sympy.Gt, sigma, 0), relation(sympy.Ge, q, 0), relation(sympy.Le, q, 1)]

    def _latex(self, printer: Any) -> str:
        alpha, sigma, q = self.args[:3]
        mixed, base = _mixture_latex(printer, q, 1, sigma), _normal_latex(printer, 0, sigma)
        upper, lower = (mixed, base) if self.direction == "remove" else (base, mixed)
        return _divergence_latex(printer, self.symbol, alpha, upper, lower)


class SampledGaussianMoment(_SampledGaussian):
    """G_α of the Poisson-sampled Gaussian: ∫ P^α Q^{1−α} with P = qN(1,σ²)+(1−q)N(0,σ²), Q = N(0,σ²), or swapped.

    >>> SampledGaussianMoment(2, 1, Rational(1, 10)).definition()
    E/100 + 99/100
    """

    symbol = "G"

    def definition(self) -> Expr:
        excess = self.binomial_excess()
        return self._moment() if excess is None else 1 + excess


class SampledGaussianRenyi(_SampledGaussian):
    """D_α of the Poisson-sampled Gaussian: log G_α / (α−1).

    >>> SampledGaussianRenyi(2, 1, Rational(1, 10)).definition()
    log(E/100 + 99/100)
    """

    symbol = "D"

    def definition(self) -> Expr:
        excess = self.binomial_excess()
        moment = self._moment() if excess is None else 1 + excess
        return log(moment) / (self.args[0] - 1)


class GaussianDelta(PrivacyQuantity):
    """δ(ε) of the Gaussian mechanism with sensitivity Δ: Φ(Δ/2σ − εσ/Δ) − e^ε Φ(−Δ/2σ − εσ/Δ) (Balle & Wang 2018, Theorem 8).

    >>> GaussianDelta(0, 1).elementary()
    1 - erfc(sqrt(2)/4)
    """

    def __new__(cls, epsilon: Any, sigma: Any, sensitivity: Any = 1) -> GaussianDelta:
        return Expr.__new__(cls, *map(sympy.sympify, (epsilon, sigma, sensitivity)))

    def definition(self) -> Expr:
        epsilon, sigma, sensitivity = self.args
        output = self._output()
        densities = normal_density(output, sensitivity, sigma), normal_density(output, 0, sigma)
        return HockeyStick(epsilon, *densities, (output, -oo, oo)).definition()

    def elementary(self) -> Expr:
        epsilon, sigma, sensitivity = self.args
        return density_pairs.gaussian_delta(epsilon, sigma, sensitivity)

    def conditions(self) -> list[sympy.Basic]:
        return [relation(sympy.Gt, self.args[1], 0), relation(sympy.Gt, self.args[2], 0)]

    def _latex(self, printer: Any) -> str:
        epsilon, sigma, sensitivity = self.args
        pair = _normal_latex(printer, sensitivity, sigma), _normal_latex(printer, 0, sigma)
        return _divergence_latex(printer, r"\delta", epsilon, *pair)


class _ComposedDelta(PrivacyQuantity):
    """Shared shape: (epsilon, sigma, q, steps), and a direction where the pair is not symmetric."""

    @property
    def free_symbols(self) -> set[Symbol]:
        """The symbols of ε, σ, q and the number of steps."""
        return set().union(*(part.free_symbols for part in self.args[:4]))

    def _densities(self) -> tuple[Expr, Expr]:
        raise TypeError(f"{type(self).__name__} must name its pair of densities")

    def _pair_latex(self, printer: Any) -> tuple[str, str]:
        raise TypeError(f"{type(self).__name__} must name its pair of distributions")

    def _latex(self, printer: Any) -> str:
        steps = self.args[3]
        pair = self._pair_latex(printer)
        if steps != 1:
            upper, lower = (rf"\left({part}\right)^{{\otimes {printer._print(steps)}}}" for part in pair)
            pair = upper, lower
        return _divergence_latex(printer, r"\delta", self.args[0], *pair)

    def definition(self) -> Expr:
        if self.args[3] != 1:
            raise TypeError("the δ of a composition is an integral over all steps; it has no finite definition here")
        return HockeyStick(self.args[0], *self._densities(), (self._output(), -oo, oo)).definition()

    def conditions(self) -> list[sympy.Basic]:
        epsilon, sigma, q, steps = self.args[:4]
        whole = relation(sympy.Eq, steps, sympy.floor(steps, evaluate=not substitution.has_irrational(steps)))
        positive = [relation(sympy.Gt, part, 0) for part in (sigma, q)]
        return [relation(sympy.Ge, epsilon, 0), *positive, relation(sympy.Le, q, 1), relation(sympy.Ge, steps, 1), whole]


class SampledGaussianDelta(_ComposedDelta):
    """δ(ε) of `steps` adaptive uses of the Poisson-sampled Gaussian mechanism, in one direction.

    >>> float(SampledGaussianDelta(1, 1, Rational(1, 100)).elementary())
    2.732...e-09
    """

    def __new__(cls, epsilon: Any, sigma: Any, q: Any, steps: Any = 1, direction: Any = "remove") -> SampledGaussianDelta:
        name = direction if isinstance(direction, str) else str(direction)
        if name not in DIRECTIONS:
            raise ValueError(f"direction must be one of {', '.join(DIRECTIONS)}, got {name!r}")
        return Expr.__new__(cls, *map(sympy.sympify, (epsilon, sigma, q, steps)), Symbol(name))

    @property
    def direction(self) -> str:
        """ "remove" = (with ‖ without), "add" = (without ‖ with)."""
        return str(self.args[4])

    def _densities(self) -> tuple[Expr, Expr]:
        sigma, q = self.args[1:3]
        output = self._output()
        without = normal_density(output, 0, sigma)
        with_record = q * normal_density(output, 1, sigma) + (1 - q) * without
        return (with_record, without) if self.direction == "remove" else (without, with_record)

    def _pair_latex(self, printer: Any) -> tuple[str, str]:
        sigma, q = self.args[1:3]
        mixed, base = _mixture_latex(printer, q, 1, sigma), _normal_latex(printer, 0, sigma)
        return (mixed, base) if self.direction == "remove" else (base, mixed)

    def elementary(self) -> Expr | None:
        """One step in closed form: the loss is monotone, so the hockey stick is an integral beyond one threshold."""
        epsilon, sigma, q, steps = self.args[:4]
        if steps != 1:
            return None
        if self.direction == "remove":
            threshold = sigma**2 * _log((exp(epsilon) - 1 + q) / q) + Rational(1, 2)
            return q * phi((1 - threshold) / sigma) + (1 - q - exp(epsilon)) * phi(-threshold / sigma)
        threshold = sigma**2 * _log((exp(-epsilon) - 1 + q) / q) + Rational(1, 2)
        inside = phi(threshold / sigma) - exp(epsilon) * (q * phi((threshold - 1) / sigma) + (1 - q) * phi(threshold / sigma))
        return sympy.Piecewise((inside, relation(sympy.Gt, exp(-epsilon), 1 - q)), (0, True), evaluate=False)


class SubstituteGaussianDelta(_ComposedDelta):
    """δ(ε) of `steps` uses of the pair qN(±1,σ²)+(1−q)N(0,σ²) (Koskela et al. 2020 §6.2; Poisson sampling under substitution)."""

    def __new__(cls, epsilon: Any, sigma: Any, q: Any, steps: Any = 1) -> SubstituteGaussianDelta:
        return Expr.__new__(cls, *map(sympy.sympify, (epsilon, sigma, q, steps)))

    def _densities(self) -> tuple[Expr, Expr]:
        sigma, q = self.args[1:3]
        output = self._output()
        upper, lower = (q * normal_density(output, place, sigma) + (1 - q) * normal_density(output, 0, sigma) for place in (1, -1))
        return upper, lower

    def _pair_latex(self, printer: Any) -> tuple[str, str]:
        sigma, q = self.args[1:3]
        return _mixture_latex(printer, q, 1, sigma), _mixture_latex(printer, q, -1, sigma)

    def elementary(self) -> Expr | None:
        """One step in closed form: beyond t* = σ² log x*, x* the positive root of c x² + (1−q)(1−e^ε) x = c e^ε, c = q e^{−1/2σ²}."""
        epsilon, sigma, q, steps = self.args
        if steps != 1:
            return None
        c, linear = q * exp(-1 / (2 * sigma**2)), (1 - q) * (exp(epsilon) - 1)
        threshold = sigma**2 * log((linear + sqrt(linear**2 + 4 * c**2 * exp(epsilon))) / (2 * c))
        upper = q * phi((1 - threshold) / sigma) + (1 - q) * phi(-threshold / sigma)
        lower = q * phi((-1 - threshold) / sigma) + (1 - q) * phi(-threshold / sigma)
        return upper - exp(epsilon) * lower


class _OfMechanism(PrivacyQuantity):
    """A quantity of one mechanism, carried as its JSON specification: (order, specification, reading, parameters).

    "@0", "@1", … in the specification stand for the parameters, which are expressions. The reading is the direction, or direction,
    relation and guarantee with "/" between them.
    """

    def __new__(cls, order: Any, specification: Any, reading: Any = "worst", *parameters: Any) -> _OfMechanism:
        text, name = (value if isinstance(value, str) else str(value) for value in (specification, reading))
        return Expr.__new__(cls, sympy.sympify(order), Str(text), Str(name), *map(sympy.sympify, parameters))

    @property
    def free_symbols(self) -> set[Symbol]:
        """The symbols of the order and of the parameters."""
        return set().union(*(part.free_symbols for part in (self.args[0], *self.args[3:])))

    @property
    def parts(self) -> list[dict[str, Any]]:
        """The objects of the specification, with the parameters in their places."""
        rows = json.loads(str(self.args[1]))
        places = {f"@{k}": parameter for k, parameter in enumerate(self.args[3:])}
        return [{key: places.get(value, value) if isinstance(value, str) else value for key, value in row.items()} for row in rows]

    @property
    def reading(self) -> tuple[str, str, str]:
        """Direction, relation (empty for the default) and guarantee."""
        direction, relation, guarantee = ([*str(self.args[2]).split("/"), "", ""])[:3]
        return direction, relation, guarantee or "mechanism"

    def laws(self) -> tuple[Any, ...] | None:
        """What stands after the order in the divergence that the quantity is; None where no pair is written."""
        return mechanism_laws.laws_of(self.parts, self.reading, self._output()) if self.args[3:] else None

    def _parameter_conditions(self) -> list[sympy.Basic]:
        """Rates lie in [0, 1], numbers of steps are whole and at least 1, all other parameters are positive."""
        found: list[sympy.Basic] = []
        for key, value in (item for part in self.parts for item in part.items()):
            if not isinstance(value, Expr):
                continue
            if key == "q":
                found += [relation(sympy.Ge, value, 0), relation(sympy.Le, value, 1)]
            elif key in ("steps", "epochs"):
                evaluated = not (value.is_integer or substitution.has_irrational(value))  # sympy may take a fraction for whole
                whole = sympy.Eq(value, sympy.floor(value, evaluate=evaluated), evaluate=evaluated)
                found += [relation(sympy.Ge, value, 1), *([] if value.is_integer else [whole])]
            else:
                found.append(relation(sympy.Gt, value, 0))
        return found

    def _latex(self, printer: Any) -> str:
        named = ", ".join(rf"\text{{{key}}}={printer._print(sympy.sympify(value))}" for part in self.parts for key, value in part.items())
        body = named if self.args[3:] else rf"\text{{{self.args[1]}}}"
        return rf"{self.symbol}_{{{printer._print(self.args[0])}}}\left({body}\right)"


class MechanismDelta(_OfMechanism):
    """δ(ε) of a mechanism, compositions included; made by `dpbounds.mechanism_delta`."""

    symbol = r"\delta"

    def definition(self) -> Expr:
        laws = self.laws()
        return self if laws is None else HockeyStick(self.args[0], *laws).definition()

    def elementary(self) -> Expr | None:
        return closed_forms.delta(self.args[0], self.parts, self.reading) if self.args[3:] else None

    def conditions(self) -> list[sympy.Basic]:
        return [relation(sympy.Ge, self.args[0], 0), *self._parameter_conditions()]


class MechanismRenyi(_OfMechanism):
    """D_α of a mechanism, compositions included, with the Kullback–Leibler divergence at α = 1; made by `dpbounds.mechanism_renyi`."""

    symbol = "D"

    def definition(self) -> Expr:
        laws = self.laws()
        if laws is None:
            return self
        return KLDivergence(*laws).definition() if self.args[0] == 1 else RenyiDivergence(self.args[0], *laws).definition()

    def elementary(self) -> Expr | None:
        return closed_forms.renyi(self.args[0], self.parts, self.reading) if self.args[3:] else None

    def conditions(self) -> list[sympy.Basic]:
        order = [] if self.args[0] == 1 else _order_conditions(self.args[0])
        return [*order, *self._parameter_conditions()]


class MomentConstant(PrivacyQuantity):
    """C(c₁, c₂): the supremum of G_λ of the sampled Gaussian over σ ≥ c₁, r = c₁/σ and integers 1 ≤ λ ≤ c₂σ² (Yuchen 2019, Claim 26)."""

    def __new__(cls, first: Any, second: Any) -> MomentConstant:
        return Expr.__new__(cls, *map(sympy.sympify, (first, second)))

    def definition(self) -> Expr:
        return self

    def elementary(self) -> Expr | None:
        return None

    def conditions(self) -> list[sympy.Basic]:
        return [relation(sympy.Gt, part, 0) for part in self.args]


def _log(x: Expr) -> Expr:
    """log(x); where x is a number, sympy may not write the logarithm of a negative one, in a branch that does not apply, with i."""
    return log(x, evaluate=not substitution.has_sign_to_sample(x))


class NormalCDF(PrivacyQuantity):
    """Φ(x), the distribution function of the standard normal."""

    def __new__(cls, x: Any) -> NormalCDF:
        return Expr.__new__(cls, sympy.sympify(x))

    def _eval_is_positive(self) -> bool | None:
        return True if self.args[0].is_real else None

    def definition(self) -> Expr:
        return sympy.erfc(-self.args[0] / sqrt(2)) / 2

    def _eval_derivative(self, symbol: Symbol) -> Expr:
        return normal_density(self.args[0], 0, 1) * self.args[0].diff(symbol)

    def _latex(self, printer: Any) -> str:
        return rf"\Phi\left({printer._print(self.args[0])}\right)"


class NormalQuantile(PrivacyQuantity):
    """Φ⁻¹(p), the quantile of the standard normal distribution, for 0 < p < 1."""

    def __new__(cls, p: Any) -> NormalQuantile:
        return Expr.__new__(cls, sympy.sympify(p))

    def definition(self) -> Expr:
        return self

    def elementary(self) -> Expr | None:
        return None

    def conditions(self) -> list[sympy.Basic]:
        return [relation(sympy.Gt, self.args[0], 0), relation(sympy.Lt, self.args[0], 1)]

    def _eval_derivative(self, symbol: Symbol) -> Expr:
        return sqrt(2 * pi) * exp(self**2 / 2) * self.args[0].diff(symbol)

    def _latex(self, printer: Any) -> str:
        return rf"\Phi^{{-1}}\left({printer._print(self.args[0])}\right)"


class Extremum(PrivacyQuantity):
    """Shared shape of `Infimum` and `Supremum`: (expression, (variable, low, high))."""

    def __new__(cls, expression: Any, over: Any) -> Extremum:
        return Expr.__new__(cls, sympy.sympify(expression), Tuple(*over))

    @property
    def bound_symbols(self) -> list[Symbol]:
        """The variable of the extremum."""
        return [self.args[1][0]]

    @property
    def free_symbols(self) -> set[Symbol]:
        """All other symbols."""
        over = self.args[1]
        return (self.args[0].free_symbols - {over[0]}) | over[1].free_symbols | over[2].free_symbols

    def definition(self) -> Expr:
        return self

    def elementary(self) -> Expr | None:
        return None

    def conditions(self) -> list[sympy.Basic]:
        """The variable is what its symbol assumes all over the range."""
        return list(conditions_of_range("extremum", *self.args[1]))

    def _latex(self, printer: Any) -> str:
        variable, low, high = (printer._print(part) for part in self.args[1])
        where = rf"{low} < {variable}" + ("" if self.args[1][2] is oo else rf" < {high}")
        return rf"{self.symbol}_{{{where}}} \left({printer._print(self.args[0])}\right)"


class Infimum(Extremum):
    """inf of an expression over a variable in an interval."""

    symbol = r"\inf"


class Supremum(Extremum):
    """sup of an expression over a variable in an interval."""

    symbol = r"\sup"


def argmin(expression: Any = None, over: Any = None) -> Any:
    """Refused: least points may be none or many, so they are no number.

    Raises:
        LanguageError: always, with what to write instead.
    """
    raise LanguageError(_NO_ARGUMENT.format(name="argmin", relation="<="))


def argmax(expression: Any = None, over: Any = None) -> Any:
    """Refused as `argmin` is.

    Raises:
        LanguageError: always, with what to write instead.
    """
    raise LanguageError(_NO_ARGUMENT.format(name="argmax", relation=">="))


_NO_ARGUMENT = (
    "{name} is not part of the claim language: there may be no such point, or many; that t is one is the statement f(t) {relation} f(s) "
    "with s as another variable of the range, and a claim about it has what t satisfies, such as f'(t) = 0, among its premises"
)


# LaTeX that several quantities share


def _divergence_latex(printer: Any, symbol: str, order: Any, upper: str, lower: str) -> str:
    return rf"{symbol}_{{{printer._print(order)}}}\left({upper} \,\middle\|\, {lower}\right)"


def _normal_latex(printer: Any, mean: Any, sigma: Any) -> str:
    return rf"N\left({printer._print(sympy.sympify(mean))}, {printer._print(sigma**2)}\right)"


def _mixture_latex(printer: Any, q: Any, mean: Any, sigma: Any) -> str:
    rate, rest = (printer.parenthesize(weight, PRECEDENCE["Mul"], strict=True) for weight in (q, 1 - q))
    return rf"{rate}\,{_normal_latex(printer, mean, sigma)} + {rest}\,{_normal_latex(printer, 0, sigma)}"


def expand_quantities(expression: Expr) -> Expr:
    """Replace every quantity that has an elementary definition (no integral, no symbolic-length sum) by that definition.

    What stands around it is as it was: nothing cancels that may have no value.

    >>> expand_quantities(SampledGaussianRenyi(2, 1, Rational(1, 2)) + 1)
    log(E/4 + 3/4) + 1
    """

    if not expression.has(PrivacyQuantity):
        return expression
    parts = [expand_quantities(part) for part in expression.args]
    node = _with_parts(expression, parts)
    meaning = node.elementary() if isinstance(node, PrivacyQuantity) else None
    return node if meaning is None else meaning


def with_replaced(expression: Any, values: Mapping[Any, Any]) -> Any:
    """Parts put in the place of others, the larger first. sympy evaluates nothing: in z/|z| nothing cancels where |z| is z.

    >>> x = Symbol("x")
    >>> with_replaced(x / sympy.Abs(x), {sympy.Abs(x): x})
    x/x
    """
    if expression in values:
        return values[expression]
    return _with_parts(expression, [with_replaced(part, values) for part in expression.args])


def _with_parts(expression: Any, parts: list[Any]) -> Any:
    """A node with other parts, not evaluated."""
    if parts == list(expression.args):
        return expression
    if isinstance(expression, (Sum, Integral)):
        return unevaluated(type(expression), *parts)
    if isinstance(expression, (sympy.And, sympy.Or, sympy.Not)):
        return substitution.rebuilt(expression, parts)
    plain = isinstance(expression, (PrivacyQuantity, ExprCondPair))
    return expression.func(*parts) if plain else expression.func(*parts, evaluate=False)


def unevaluated(kind: Any, term: Expr, *limits: Any) -> Any:
    """A sum or an integral of a term as it is: sympy would write a term with a `Piecewise` anew, and evaluate it.

    >>> x, y = Symbol("x"), Symbol("y")
    >>> zero = sympy.Add(y, -y, evaluate=False)
    >>> unevaluated(Integral, zero, (x, 0, 1)).args[0] == zero
    True
    """
    made = Expr.__new__(kind, term, *(Tuple(*limit) for limit in limits))
    made.is_commutative = True
    return made
