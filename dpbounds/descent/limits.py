"""Limits of tower functions at an end of a variable's range, the other variables fixed.

With v = end ± 1/x or v = ±x, x → ∞, every generator is written as a finite sum of terms c·x^a·(log x)^l·e^{P(x)}·B: c speaks of the other
variables, P of powers of x and log x that tend to infinity, and B is a product of bounded functions that stand for remainders. Then a
quotient is taken term by term. The answer is a lower bound of the limes inferior, for every value of the other variables.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from math import factorial

from dpbounds.descent import polynomials as poly
from dpbounds.descent.polynomials import ONE, Number, Polynomial, Quotient
from dpbounds.descent.refusal import DescentRefused, need
from dpbounds.descent.tower import Tower, constant_of

_MOST_TERMS = 300
_MOST_WORK = 30_000
"""Products of terms in one expansion; the lemmas that were measured need at most some thousands."""
Powers = tuple[tuple[int, Number], ...]


@dataclass(frozen=True)
class Scale:
    """x^power · (log x)^logs · Π exp(P_i)^exponentials · Π bounded functions."""

    power: Number = 0
    logs: Number = 0
    exponentials: Powers = ()
    bounded: Powers = ()

    def times(self, other: Scale, exponent: Number = 1) -> Scale:
        """self · other^exponent."""
        return Scale(
            poly.whole(self.power + exponent * other.power),
            poly.whole(self.logs + exponent * other.logs),
            _merged(self.exponentials, other.exponentials, exponent) if other.exponentials else self.exponentials,
            _merged(self.bounded, other.bounded, exponent) if other.bounded else self.bounded,
        )


_UNIT = Scale()


def _merged(a: Powers, b: Powers, exponent: Number) -> Powers:
    found = dict(a)
    for i, k in b:
        found[i] = poly.whole(found.get(i, 0) + exponent * k)
    return tuple(sorted((i, k) for i, k in found.items() if k))


@dataclass(frozen=True)
class Series:
    """A sum of coefficients times scales, over one polynomial of the other variables."""

    terms: dict[Scale, Polynomial]
    below: Polynomial = field(default_factory=lambda: ONE)


@dataclass
class Expansion:
    """The generators of a tower near one end of a variable.

    Args:
        tower: the tower.
        variable: the index of the variable.
        end: where it goes; None is infinite.
        side: 1 when it comes down to a finite end or goes to +∞, −1 when it goes up to the end or to −∞.
        target: a tower that takes the coefficients.
        order: how many terms of each series are written out.
        look: called now and then; a search stops by it when its time is up.
    """

    tower: Tower
    variable: int
    end: Fraction | None
    side: int
    target: Tower
    order: int
    look: Callable[[], object] = lambda: None
    infinite: dict[int, dict[tuple[Number, Number], Quotient]] = field(default_factory=dict)
    positive: list[bool] = field(default_factory=list)
    images: dict[int, Series] = field(default_factory=dict)
    work: int = 0

    # --- growth

    def growth(self, scale: Scale) -> int | None:
        """1 where the scale tends to infinity, −1 where it tends to 0, 0 where it is constant, for every value of the other variables.

        Its logarithm is a sum of c·x^r (log x)^l, and l·log log x; the term with the largest (r, l) decides, then l.
        """
        total: dict[tuple[Number, Number], Quotient] = {}
        for i, k in scale.exponentials:
            for at, (n, d) in self.infinite[i].items():
                total[at] = poly.sum_of([total.get(at, ({}, ONE)), (poly.scaled(n, k), d)])
        log = 0, 1
        if scale.power:
            total[log] = poly.sum_of([total.get(log, ({}, ONE)), (poly.constant(scale.power), ONE)])
        for at in sorted(total, reverse=True):
            n, d = total[at]
            if n:
                sign, other = self.target.sign(n), self.target.sign(d)
                return None if sign is None or other is None else sign * other
        return (scale.logs > 0) - (scale.logs < 0)

    def dominant(self, series: Series) -> Scale:
        """The term against which all others vanish; its coefficient has a sign."""
        best = None
        for scale in series.terms:
            if best is None or self.growth(scale.times(best, -1)) == 1:
                best = scale
        need(best is not None, "no leading term of 0")
        assert best is not None
        need(not best.bounded, "a remainder leads")
        others = (scale.times(best, -1) for scale in series.terms if scale != best)
        need(all(self.growth(scale) == -1 for scale in others), "no term leads")
        need(self.target.sign(series.terms[best]), "the leading coefficient has no sign")
        return best

    # --- arithmetic

    def plus(self, a: Series, b: Series) -> Series:
        """a + b."""
        if a.below == b.below:
            below, left, right = a.below, ONE, ONE
        else:
            below, left, right = poly.times(a.below, b.below), b.below, a.below
        terms = {scale: poly.times(c, left) for scale, c in a.terms.items()}
        for scale, c in b.terms.items():
            terms[scale] = poly.plus(terms.get(scale, {}), poly.times(c, right))
        return Series({scale: c for scale, c in terms.items() if c}, below)

    def times(self, a: Series, b: Series) -> Series:
        """a · b."""
        self.work += sum(len(c) for c in a.terms.values()) * sum(len(c) for c in b.terms.values())
        need(self.work <= _MOST_WORK, "a long expansion")
        self.look()
        terms: dict[Scale, Polynomial] = {}
        for s, c in a.terms.items():
            for t, d in b.terms.items():
                product = s.times(t)
                terms[product] = poly.plus(terms.get(product, {}), poly.times(c, d))
        need(len(terms) <= _MOST_TERMS, "a long series")
        return Series({scale: c for scale, c in terms.items() if c}, poly.times(a.below, b.below))

    def constant(self, quotient: Quotient) -> Series:
        """A function of the other variables."""
        n, d = quotient
        need(self.target.sign(d), "a denominator without a sign")
        return Series({_UNIT: n} if n else {}, d)

    def of_scale(self, scale: Scale, factor: Number = 1) -> Series:
        """A number times a scale."""
        return Series({scale: poly.constant(factor)})

    def remainder(self, small: Series, exponent: int, *, positive: bool = False) -> Series:
        """small^exponent · B with a new bounded function B."""
        self.positive.append(positive)
        bounded = Scale(bounded=((len(self.positive) - 1, 1),))
        return self.times(self.power(small, exponent), self.of_scale(bounded))

    def power(self, a: Series, exponent: int) -> Series:
        """a to a whole exponent ≥ 0."""
        total = self.of_scale(_UNIT)
        for _ in range(exponent):
            total = self.times(total, a)
        return total

    def _analytic(self, small: Series, coefficients: Iterable[Fraction]) -> Series:
        """f(small) for f analytic at 0 and small → 0: the terms of f given, and small^n·B with B bounded."""
        total: Series = Series({})
        n, step = 0, self.of_scale(_UNIT)
        for coefficient in coefficients:
            total = self.plus(total, self.times(step, self.of_scale(_UNIT, coefficient)) if coefficient else Series({}))
            step = self.times(step, small)
            n += 1
            if not small.terms:
                return total
        return self.plus(total, self.remainder(small, n))

    def _split(self, a: Series) -> tuple[Scale, Quotient, Series]:
        """a = c·scale·(1 + small) with small → 0."""
        lead = self.dominant(a)
        c = a.terms[lead]
        rest = {s.times(lead, -1): d for s, d in a.terms.items() if s != lead}
        return lead, (c, a.below), Series(rest, c)

    def inverse(self, a: Series) -> Series:
        """1/a by the geometric series."""
        lead, (c, below), small = self._split(a)
        head = Series({_UNIT.times(lead, -1): below}, c)
        return self.times(head, self._analytic(small, [Fraction((-1) ** i) for i in range(self.order)]))

    # --- generators

    def of_polynomial(self, p: Polynomial) -> Series:
        """A polynomial in the generators, in the order of its text: the generators of the limit are numbered as they come up."""
        total: Series = Series({})
        for monomial, coefficient in sorted(p.items()):
            term = self.of_scale(_UNIT, coefficient)
            for i, exponent in enumerate(monomial):
                if exponent:
                    term = self.times(term, self.power(self.image(i), exponent))
            total = self.plus(total, term)
        need(len(total.terms) <= _MOST_TERMS, "a long series")
        return total

    def of_quotient(self, quotient: Quotient) -> Series:
        """A quotient in the generators."""
        n = self.of_polynomial(quotient[0])
        return n if quotient[1] == ONE else self.times(n, self.inverse(self.of_polynomial(quotient[1])))

    def image(self, index: int) -> Series:
        """A generator, expanded at its first use."""
        if index not in self.images:
            self.images[index] = self._image(index)
        return self.images[index]

    def _image(self, index: int) -> Series:
        g = self.tower.generators[index]
        if index == self.variable:
            if self.end is None:
                return self.of_scale(Scale(1), self.side)
            return self.plus(self.constant((poly.constant(self.end), ONE)), self.of_scale(Scale(-1), self.side))
        if g.kind == "variable":
            return self.constant(self.target.variable(g.name, g.ends))
        if g.kind == "pi":
            return self.constant(self.target.free("pi", (ONE, ONE)))
        inner = self.of_quotient(g.inner)
        if g.kind == "exp":
            return self._exponential(inner, index)
        if g.kind == "log":
            return self._logarithm(inner)
        if g.kind == "root":
            return self._root(inner, g.order)
        if g.kind == "phi":
            return self._normal(inner, index)
        need(g.kind == "factorial", f"no limits of {g.kind}")
        return self._log_factorial(inner)

    def _parts(self, a: Series) -> tuple[dict[Scale, Polynomial], Quotient, Series]:
        """What tends to infinity, what is constant, and what tends to 0."""
        large: dict[Scale, Polynomial] = {}
        small: dict[Scale, Polynomial] = {}
        fixed: Polynomial = {}
        for scale, c in a.terms.items():
            growth = self.growth(scale)
            need(growth is not None, "a term whose growth is not known")
            if growth == -1:
                small[scale] = c
            elif growth == 0:
                need(not scale.bounded, "a remainder does not vanish")
                fixed = poly.plus(fixed, c)
            else:
                large[scale] = c
        return large, (fixed, a.below), Series(small, a.below)

    def _exponential(self, inner: Series, index: int) -> Series:
        """exp(P + c + small) = exp(P)·exp(c)·(1 + small + …); exp(k log x) = x^k."""
        large, fixed, small = self._parts(inner)
        result = self.constant(self.target.free("exp", fixed))
        power: Number = 0
        kept = {}
        for scale, c in large.items():
            need(not scale.bounded and not scale.exponentials, "exp of an exponential")
            number = constant_of((c, inner.below))
            if (scale.power, scale.logs) == (0, 1) and number is not None:
                power = poly.whole(number)
            else:
                kept[scale.power, scale.logs] = (c, inner.below)
        head = Scale(power)
        if kept:
            self.infinite[index] = kept
            head = Scale(power, exponentials=((index, 1),))
        result = self.times(result, self.of_scale(head))
        return self.times(result, self._analytic(small, [Fraction(1, factorial(i)) for i in range(self.order)]))

    def _logarithm(self, inner: Series) -> Series:
        """log(c·x^a·e^P·(1 + small)) = log c + a log x + P + small − …"""
        lead, (c, below), small = self._split(inner)
        need(not lead.logs, "log of a logarithm that leads")
        need((self.target.sign(c) or 0) * (self.target.sign(below) or 0) == 1, "log of what is not positive in the limit")
        result = self._log_of(c)
        if below != ONE:
            result = self.plus(result, self.times(self._log_of(below), self.of_scale(_UNIT, -1)))
        if lead.power:
            result = self.plus(result, self.of_scale(Scale(logs=1), lead.power))
        for i, k in lead.exponentials:
            for (r, logs), (n, d) in self.infinite[i].items():
                result = self.plus(result, Series({Scale(r, logs): poly.scaled(n, k)}, d))
        tail = [Fraction(0), *(Fraction((-1) ** (i + 1), i) for i in range(1, self.order))]
        return self.plus(result, self._analytic(small, tail))

    def _log_of(self, c: Polynomial) -> Series:
        """log |c| for c with a sign: of a single term, whose generators are positive, the sum of the logarithms."""
        if self.target.sign(c) == -1:
            c = poly.scaled(c, -1)
        factors = []
        if len(c) == 1:
            ((monomial, number),) = c.items()
            factors = [(poly.generator(i), e) for i, e in enumerate(monomial) if e]
            if all(self.target.sign(g) == 1 for g, _ in factors):
                factors += [(poly.constant(prime), e) for prime, e in _powers(number)]
            else:
                factors = []
        total: Series = Series({})
        for g, e in factors or ([(c, 1)] if c != ONE else []):
            total = self.plus(total, self.times(self.constant(self.target.free("log", (g, ONE))), self.of_scale(_UNIT, e)))
        return total

    def _root(self, inner: Series, order: int) -> Series:
        """(c·scale·(1 + small))^{1/k} by the binomial series."""
        lead, (c, below), small = self._split(inner)
        need((self.target.sign(c) or 0) * (self.target.sign(below) or 0) == 1, "a root of what is not positive in the limit")
        head = self.times(self.constant(self.target.free("root", (c, below), order)), self.of_scale(_UNIT.times(lead, Fraction(1, order))))
        coefficients = [Fraction(1)]
        for i in range(1, self.order):
            coefficients.append(coefficients[-1] * (Fraction(1, order) - i + 1) / i)
        return self.times(head, self._analytic(small, coefficients))

    def _normal(self, w: Series, index: int) -> Series:
        """Φ near a number is Φ(c) + small·B; Φ(−z) = φ(z)/z·(1 − B/z²) with 0 ≤ B ≤ 1 as z → ∞ (Mills); Φ(z) = 1 − Φ(−z)."""
        large, fixed, small = self._parts(w)
        if not large:
            value = self.constant(self.target.free("phi", fixed))
            return self.plus(value, self.remainder(small, 1)) if small.terms else value
        lead, (c, below), _ = self._split(w)
        sign = (self.target.sign(c) or 0) * (self.target.sign(below) or 0)
        need(self.growth(lead) == 1 and sign, "the argument of Φ goes nowhere")
        z = self.times(w, self.of_scale(_UNIT, sign))
        density = self.tower.generators[index].density
        need(density is not None, "Φ without its density")
        assert density is not None
        factors, two, circle = density
        one_over = self.inverse(z)
        value = self.times(one_over, self.inverse(self.times(self.image(two), self.image(circle))))
        for i, k in factors:
            part = self.of_quotient(self.tower.base(i))
            value = self.times(value, self.power(part if k > 0 else self.inverse(part), abs(k)))
        mills = self.remainder(self.power(one_over, 2), 1, positive=True)
        value = self.times(value, self.plus(self.of_scale(_UNIT), self.times(mills, self.of_scale(_UNIT, -1))))
        return value if sign < 0 else self.plus(self.of_scale(_UNIT), self.times(value, self.of_scale(_UNIT, -1)))

    def _log_factorial(self, z: Series) -> Series:
        """log z! = z log z − z + log(2πz)/2 + B/(12z) with 0 < B < 1 (Stirling; Robbins 1955)."""
        lead, (c, below), _ = self._split(z)
        sign = (self.target.sign(c) or 0) * (self.target.sign(below) or 0)
        need(self.growth(lead) == 1 and sign == 1, "a factorial of what does not grow")
        log = self._logarithm(z)
        circle, _ = self.target.free("pi", (ONE, ONE))
        half = self.of_scale(_UNIT, Fraction(1, 2))
        turn = self._log_of(poly.scaled(circle, 2))
        total = self.plus(self.times(z, log), self.times(z, self.of_scale(_UNIT, -1)))
        total = self.plus(total, self.times(half, self.plus(log, turn)))
        rest = self.remainder(self.inverse(z), 1, positive=True)
        return self.plus(total, self.times(rest, self.of_scale(_UNIT, Fraction(1, 12))))

    # --- the limit

    def lower_limit(self, above: Polynomial, below: Polynomial) -> Quotient | None:
        """A lower bound of the limes inferior of above/below, below > 0: a quotient over the target tower; None is +∞.

        A term that vanishes against the leading term of the denominator drops out; one that stays adds its coefficient; one that grows
        must not be negative, and then only makes the quotient larger, or one of them leads and is positive: then the limit is +∞.
        """
        n, d = self.of_polynomial(above), self.of_polynomial(below)
        if not n.terms:
            return {}, ONE
        lead = self.dominant(d)
        sign = (self.target.sign(d.terms[lead]) or 0) * (self.target.sign(d.below) or 0) * (self.target.sign(n.below) or 0)
        need(sign, "a denominator without a sign")
        total: Polynomial = {}
        grows = False
        negative = False
        for scale, c in n.terms.items():
            growth = self.growth(scale.times(lead, -1))
            need(growth is not None, "a term whose growth is not known")
            if growth == -1:
                continue
            if growth == 0 and not scale.bounded:
                total = poly.plus(total, c)
                continue
            kept = all(self.positive[i] and k > 0 for i, k in scale.bounded)
            if kept and self.target.weak_sign(c) == sign:
                grows = grows or (growth == 1 and not scale.bounded and self.target.sign(c) == sign)
            else:
                negative = True
        if negative:
            first = self.dominant(n)
            need(
                self.growth(first.times(lead, -1)) == 1 and self.target.sign(n.terms[first]) == sign,
                "a term that grows and may be negative",
            )
            return None
        if grows:
            return None
        return poly.times(total, d.below), poly.times(n.below, d.terms[lead])


def _powers(number: Number) -> list[tuple[Fraction, int]]:
    """A positive number as a product of powers of small primes and what is left."""
    found = []
    for part, way in ((number.numerator, 1), (number.denominator, -1)):
        for prime in (2, 3, 5, 7, 11, 13):
            e = 0
            while part % prime == 0:
                part, e = part // prime, e + 1
            if e:
                found.append((Fraction(prime), way * e))
        if part > 1:
            found.append((Fraction(part), way))
    return found


def lower_limit(
    tower: Tower,
    above: Polynomial,
    below: Polynomial,
    variable: int,
    end: Fraction | None,
    side: int,
    order: int,
    look: Callable[[], object] = lambda: None,
) -> tuple[Tower, Quotient | None]:
    """A lower bound of the limes inferior of above/below (below > 0 on the box), over a new tower without the variable; None is +∞."""
    need(1 <= order <= 8, "the order of an expansion lies in 1 … 8")
    target = Tower()
    expansion = Expansion(tower, variable, end, side, target, order, look)
    try:
        return target, expansion.lower_limit(above, below)
    except RecursionError as error:
        raise DescentRefused("a deep tower") from error
