"""Functions of a tower near one end of a variable, as sums of `series` with steps: an equation and bounds for each function.

The variable is end ± w^m or ±w^−m, with a new variable w > 0. Every function is a new variable g; a hypothesis says what it is, and a
step that it is its expansion. What is left out of a series is w^k·b with a further variable b, and steps say −K ≤ b ≤ K.
`dpbounds.descent.limits` expands in the same way, without steps.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from dpbounds.compile.bounds import Bounded, function_near
from dpbounds.compile.steps import NotWritten, positive
from dpbounds.compile.towers.descents import Descents
from dpbounds.compile.towers.places import WritingPlace
from dpbounds.compile.towers.rates import HALF, SmallTerms
from dpbounds.compile.towers.series import UNIT, Series, SmallMonomial, constant, of_atom, of_monomial, product, raised, scaled, total
from dpbounds.descent import polynomials as poly
from dpbounds.descent.polynomials import ONE as UNITY
from dpbounds.descent.polynomials import Polynomial, Quotient
from dpbounds.kernel.terms import MINUS, ONE, ZERO, Term, at_most, equal, negative, node, number, plus, power, times

Rows = list[tuple[int, Term]]
"""Steps with their multipliers."""


class EndExpansion(SmallTerms):
    """The functions of a place near one end of a variable.

    Args:
        c: the document.
        place: where the variable runs.
        others: the place of the other variables.
        name: the variable.
        end: where it goes; None is infinite.
        side: 1 down to a finite end or to +∞, −1 up to an end or to −∞.
        order: how many terms of each series are written out.
        root: m, or a variable s ≤ 1 for m = 1/s.
    """

    def __init__(
        self,
        c: Descents,
        place: WritingPlace,
        others: WritingPlace,
        name: str,
        end: Fraction | None,
        side: int,
        order: int,
        root: int | Term,
    ) -> None:
        super().__init__(c, others)
        self.tower, self.order = place.tower, order
        self.images: dict[int, Series] = {}
        self.halves: dict[Term, tuple[int, int]] = {}
        self.expanded: dict[tuple[str, Term], tuple[Series, int]] = {}
        self.at, turn = UNIT, -1 if end is None else 1
        if isinstance(root, int):
            self.at = SmallMonomial(turn * root)
        else:
            self.log_meaning()
            inner = SmallMonomial(atoms=frozenset([(self.log, Fraction(1)), (root, Fraction(-1))]))
            self.at = SmallMonomial(exponent=frozenset([(inner, Fraction(-turn))]))
        small = of_monomial(self.at, side)
        self.variable = small if end is None else total([constant(end), small])
        self.far = replace(place, terms=place.terms, facts=(), premises=())
        index = place.tower.index_of(name)
        self._expand(index)

    # --- functions near a point

    def half(self, s: Series) -> tuple[int, int]:
        """−1/2 ≤ s and s ≤ 1/2 for s → 0; that 1 + s > 0 is known from then on."""
        t = self.text(s)
        if t not in self.halves:
            whole = self.bounded(scaled(s, 1, SmallMonomial(-1)))
            small = self.need(times(number(2), whole.bound))
            low = self.sum(at_most(number("-1/2"), t), [(whole.low, self.w), (small, HALF)])
            self.halves[t] = low, self.sum(at_most(t, HALF), [(whole.high, self.w), (small, HALF)])
            self.facts.append(self.sum(positive(plus(ONE, t)), [(low, ONE)]))
        return self.halves[t]

    def near(self, kind: str, s: Series) -> tuple[Series, int | None]:
        """f(s) for s → 0 and the step f(s) = its expansion; None where s = 0."""
        if not s:
            return constant(0 if kind == "log" else 1), None
        if (kind, t := self.text(s)) in self.expanded:
            return self.expanded[kind, t]
        scale = self._common(s)
        p = self.bounded(scaled(s, 1, scale, -1))
        m = self.text(of_monomial(scale))
        shown = [self.sum(equal(t, times(m, p.term)), []), *self.half(s), self.sum(positive(m), [])]
        found = self.bounds.near(kind, self.order, t, m, p, *shown)
        b, meaning = self.named("b", found.term)
        self.known[b] = self._renamed(b, found, meaning)
        image = total([*self._first(kind, s), scaled(of_atom(b), 1, scale, self.order)])
        goal = equal(function_near(kind, t), self.text(image))
        self.expanded[kind, t] = image, self.sum(goal, [(meaning, negative(power(m, self.order)))])
        return self.expanded[kind, t]

    def _renamed(self, b: Term, found: Bounded, meaning: int) -> Bounded:
        low = self.sum(at_most(negative(found.bound), b), [(found.low, ONE), (meaning, MINUS)])
        high = self.sum(at_most(b, found.bound), [(found.high, ONE), (meaning, ONE)])
        return Bounded(b, found.bound, low, high)

    def _first(self, kind: str, s: Series) -> list[Series]:
        head = [] if kind == "log" else [constant(1)]
        return head if self.order == 1 else [*head, scaled(s, -1 if kind == "inverse" else 1)]

    def _common(self, s: Series) -> SmallMonomial:
        """A scale ≤ 1 such that s divided by it is bounded."""
        scales = [self.scale_of(m) for m in s]
        exponents = {m.exponent for m in scales}
        powers = [m.power - int(self._logs(m)) for m in scales if len(exponents) == 1 or not m.exponent]
        least = min(powers) if powers else 1
        shared = exponents.pop() if len(exponents) == 1 else frozenset()
        if not shared and least < 1:
            raise NotWritten("a limit in which a remainder does not vanish")
        return SmallMonomial(least, frozenset(), shared)

    # --- generators

    def polynomial(self, p: Polynomial) -> Series:
        """A polynomial in the generators."""
        parts = []
        for monomial, coefficient in sorted(p.items()):
            term = constant(Fraction(coefficient))
            for i, k in enumerate(monomial):
                if k:
                    term = product(term, raised(self.image(i), k))
            parts.append(term)
        return total(parts)

    def image(self, index: int) -> Series:
        """A generator."""
        if index not in self.images:
            self._expand(index)
        return self.images[index]

    def _put(self, index: int, image: Series, term: Term) -> None:
        self.images[index] = image
        self.far = replace(self.far, terms=tuple(term if i == index else t for i, t in enumerate(self.far.terms)))

    def _expand(self, index: int) -> None:
        g = self.tower.generators[index]
        if g.kind == "variable" and index not in self.images and not self.images:
            self._put(index, self.variable, self.text(self.variable))
            return
        own = next(i for i in self.images)
        if not self.tower.varies_with(index, own):
            self._put(index, self._constant(index), self.far.terms[index])
            return
        for part in g.inner:
            for i in sorted(poly.used(part)):
                self.image(i)
        v, meaning = self.named("g", self.far.function(g))
        inner, same = self.quotient(g.inner)
        ways: dict[str, Callable[[], tuple[Series, Rows]]] = {
            "exp": lambda: self._exponential(inner, same),
            "log": lambda: self._logarithm(inner, same),
            "root": lambda: self._root(inner, same, g.order, self.steps.formula(meaning).parts[1]),
            "phi": lambda: self._normal(inner, same),
        }
        if g.kind not in ways:
            raise NotWritten(f"a limit of a {g.kind}")
        image, rows = ways[g.kind]()
        self.facts.append(self.sum(equal(v, self.text(image)), [(meaning, ONE), *rows]))
        self._put(index, image, v)

    def _constant(self, index: int) -> Series:
        """A generator without the variable."""
        g, t = self.tower.generators[index], self.far.terms[index]
        if g.kind in ("exp", "log", "root") and not (g.kind == "root" and g.inner[1] != UNITY):
            n, d = (self.polynomial(part) for part in g.inner)
            if len(d) == 1:
                ((m, c),) = d.items()
                inner = scaled(n, 1 / c, m, -1)
                if g.kind == "exp" and not any(k.exponent for k in inner):
                    return of_monomial(SmallMonomial(exponent=frozenset(inner.items())))
                if g.kind == "log" and len(inner) == 1:
                    return self._log_of(*next(iter(inner.items())))
        return self.atom(t)

    def _log_of(self, m: SmallMonomial, c: Fraction) -> Series:
        """log of c·m, a product of positive factors."""
        parts = [dict(m.exponent)]
        if m.power:
            self.log_meaning()
            parts.append(scaled(of_atom(self.log), -m.power))
        if c < 0 or any((found := self.sign(a)) is None or found[0] != 1 for a, _ in m.atoms):
            raise NotWritten("a limit with a logarithm of no sign")
        parts += [scaled(self.atom(node("log", a)), p) for a, p in m.atoms]
        for whole, side in ((c.numerator, 1), (c.denominator, -1)):
            for prime in (2, 3, 5, 7, 11, 13):
                while whole % prime == 0:
                    whole //= prime
                    parts.append(scaled(self.atom(node("log", number(prime))), side))
            if whole > 1:
                parts.append(scaled(self.atom(node("log", number(whole))), side))
        return total(parts)

    def quotient(self, q: Quotient) -> tuple[Series, int]:
        """A quotient in the generators, and the step that says that its term is its expansion."""
        n = self.polynomial(q[0])
        t = self.far.quotient(q)
        if q[1] == UNITY:
            return n, self.sum(equal(t, self.text(n)), [])
        m, c, small = self.split(self.polynomial(q[1]))
        image, step = self.near("inverse", small)
        found = scaled(product(n, image), 1 / c, m, -1)
        self._divisor(self.far.term(q[1]), m, c, small)
        rows = [] if step is None else [(step, self.text(scaled(n, 1 / c, m, -1)))]
        return found, self.sum(equal(t, self.text(found)), rows)

    def _divisor(self, t: Term, m: SmallMonomial, c: Fraction, small: Series) -> None:
        """The sign of a divisor."""
        whole = times(self.text(of_monomial(m, c)), plus(ONE, self.text(small)))
        sign = self.sign_of({m.times(self.scale_of(m), -1): c})
        side = whole if sign == 1 else negative(whole)
        least = self.steps.attempt("sign", *self.facts, formula=positive(side))
        least = self.sum(positive(side), []) if least is None else least
        self.facts.append(self.sum(positive(t if sign == 1 else negative(t)), [(least, ONE)]))

    def _parts(self, s: Series) -> tuple[Series, Series, Series]:
        """What tends to infinity, what is constant, what vanishes."""
        large: Series = {}
        fixed: Series = {}
        small: Series = {}
        for m, c in s.items():
            scale = self.scale_of(m)
            growth = self.growth(scale)
            if growth == 0 and any(self._is_local(a) for a, _ in scale.atoms):
                raise NotWritten("a limit in which a remainder does not vanish")
            (large if growth == 1 else small if growth == -1 else fixed)[m] = c
        return large, fixed, small

    def exponential(self, s: Series) -> tuple[Series, Rows]:
        """e^s, and the steps that its expansion takes."""
        large, fixed, small = self._parts(s)
        whole = 0
        alone = SmallMonomial(atoms=frozenset([(self.log, Fraction(1))]))
        kept = {**large, **fixed}
        if alone in large and large[alone].denominator == 1:
            whole = int(kept.pop(alone))
        if any(m.exponent or any(a in self.known for a, _ in m.atoms) for m in kept):
            raise NotWritten("a limit with an exponential of an exponential")
        head = SmallMonomial(-whole, exponent=frozenset(kept.items()))
        image, step = self.near("exp", small)
        rows = [] if step is None else [(step, self.text(of_monomial(head)))]
        if whole:
            self.log_meaning()
        return scaled(image, 1, head), rows

    def _exponential(self, inner: Series, same: int) -> tuple[Series, Rows]:
        image, rows = self.exponential(inner)
        grown = self.steps.write("exp_monotone", same)
        return image, [(grown, ONE), *rows]

    def _product_of(self, inner: Series, same: int) -> tuple[SmallMonomial, Fraction, Series, int, int]:
        """inner = c·m·(1 + small) > 0: the parts, the step that says so, and that of the sign."""
        m, c, small = self.split(inner)
        if self.sign_of({m.times(self.scale_of(m), -1): c}) != 1:
            raise NotWritten("a limit with a logarithm of no sign")
        if small:
            self.half(small)
        whole = times(self.text(of_monomial(m, c)), plus(ONE, self.text(small))) if small else self.text(of_monomial(m, c))
        least = self.steps.attempt("sign", *self.facts, formula=positive(whole))
        least = self.sum(positive(whole), []) if least is None else least
        t = self.steps.formula(same).parts[0]
        return m, c, small, self.sum(equal(whole, t), [(same, MINUS)]), least

    def _logarithm(self, inner: Series, same: int) -> tuple[Series, Rows]:
        m, c, small, order, least = self._product_of(inner, same)
        image, step = self.near("log", small)
        grown = self.steps.write("log_monotone", order, least)
        head = self._log_of(m, c)
        return total([head, image]), [(grown, MINUS), *([] if step is None else [(step, ONE)])]

    def _root(self, inner: Series, same: int, order: int, root: Term) -> tuple[Series, Rows]:
        m, c, small, equation, _ = self._product_of(inner, same)
        share = Fraction(1, order)
        if c != 1:
            m = m.times(SmallMonomial(atoms=frozenset([(number(c), Fraction(1))])))
            self.sign(number(c))
        head = UNIT.times(m, share)
        whole = self.steps.formula(equation).parts[0]
        moved = self.steps.write("congruence", equation, term=node("pow", whole, root.parts[1]))
        if not small:
            return of_monomial(head), [(moved, MINUS)]
        logs, step = self.near("log", small)
        assert step is not None
        near, own = self.near("exp", scaled(logs, share))
        assert own is not None
        t = self.text(scaled(logs, share))
        log = function_near("log", self.text(small))
        grown = self.steps.write("exp_monotone", self.sum(equal(times(number(share), log), t), [(step, number(share))]))
        weight = self.text(of_monomial(head))
        return scaled(near, 1, head), [(moved, MINUS), (own, weight), (grown, weight)]

    def _normal(self, inner: Series, same: int) -> tuple[Series, Rows]:
        """Φ(−t) = b·e^{−t²/2} with 0 ≤ b ≤ 1 for t → ∞, Φ(t) = 1 − Φ(−t); Φ(c + s) = Φ(c) + s·b."""
        large, fixed, small = self._parts(inner)
        y = self.text(inner)
        moved = self.steps.write("congruence", same, term=node("Phi", self.steps.formula(same).parts[0]))
        if not large:
            return self._normal_near(fixed, small, moved)
        m, c, rest = self.split(inner)
        sign = self.sign_of({m.times(self.scale_of(m), -1): c})
        t = y if sign == 1 else negative(y)
        if rest:
            self.half(rest)
        whole = times(self.text(of_monomial(m, c)), plus(ONE, self.text(rest)))
        whole = whole if sign == 1 else negative(whole)
        least = self.steps.attempt("sign", *self.facts, formula=positive(whole))
        least = self.sum(positive(whole), []) if least is None else least
        tail = self.bounds.library.normal_tail(t, self.sum(at_most(ZERO, t), [(least, ONE)]))
        e = times(number("-1/2"), power(y, 2))
        phi = node("Phi", y if sign == -1 else negative(y))
        b, meaning = self.named("b", times(phi, node("exp", times(HALF, power(y, 2)))))
        low = self.sum(at_most(negative(ONE), b), [(meaning, MINUS)])
        high = self.sum(at_most(b, ONE), [(tail, node("exp", times(HALF, power(y, 2)))), (meaning, ONE)])
        self.known[b] = Bounded(b, ONE, low, high)
        image, rows = self.exponential(scaled(product(inner, inner), Fraction(-1, 2)))
        # Φ = b·e^{−y²/2}
        density = node("exp", e)
        found = product(of_atom(b), image)
        weight = b if sign == -1 else negative(b)
        own = [(meaning, density if sign == 1 else negative(density)), *((k, times(weight, x)) for k, x in rows), (moved, ONE)]
        if sign == -1:
            return found, own
        both = self.steps.write("normal_symmetry", term=y)
        return total([constant(1), scaled(found, -1)]), [*own, (both, ONE)]

    def _normal_near(self, fixed: Series, small: Series, moved: int) -> tuple[Series, Rows]:
        t = self.text(fixed)
        at = constant(Fraction(1, 2)) if not fixed else self.atom(node("Phi", t))
        rows: Rows = [(moved, ONE)]
        if not fixed:
            rows.append((self.steps.write("normal_symmetry", term=ZERO), HALF))
        if not small:
            return at, rows
        scale = self._common(small)
        p = self.bounded(scaled(small, 1, scale, -1))
        m, s = self.text(of_monomial(scale)), self.text(small)
        shown = [self.sum(equal(s, times(m, p.term)), []), self.sum(positive(m), [])]
        found = self.bounds.normal_near(t, s, m, p, *shown)
        b, meaning = self.named("b", found.term)
        self.known[b] = self._renamed(b, found, meaning)
        tail = scaled(of_atom(b), 1, scale)
        return total([at, tail]), [*rows, (meaning, negative(m))]
