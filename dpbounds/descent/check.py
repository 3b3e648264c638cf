"""The checker: whether a certificate shows that a function is not negative (or is positive) on a box. It decides; nothing else does.

A certificate is data: towers, polynomials as text, and for each step what is to be verified. Every identity is an identity of polynomials
with rational coefficients, every sign is a sign test of `tower`, every limit is taken anew by `limits`. Nothing here searches, and
nothing of the search is imported.

Each step says F ≥ 0 on an open box (F > 0 when `strict`); the method's docstring has the statement, the conditions and the reason.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from dpbounds.descent import polynomials as poly
from dpbounds.descent.boxes import check_boxes
from dpbounds.descent.interval import end_of, number_of
from dpbounds.descent.limits import lower_limit
from dpbounds.descent.polynomials import ONE, Polynomial, Quotient
from dpbounds.descent.refusal import need
from dpbounds.descent.tower import Generator, Range, Tower

Document = Mapping[str, Any]
Premises = tuple[Polynomial, ...]
_DEEPEST = 40
"""Steps inside steps; searches stop at a tenth of it."""


class Checker:
    """Checks one claim after another.

    Args:
        differing: which premises of the claim say > 0; no other claim of a certificate has premises.
    """

    def __init__(self, differing: frozenset[int] = frozenset()) -> None:
        self.depth = 0
        self.differing = differing

    # --- claims

    def claim(self, free: Tower, value: Quotient, document: Document, *, strict: bool, premises: tuple[Quotient, ...] = ()) -> None:
        """value ≥ 0 on the box of `free`, and every operation in `free` is defined there.

        The document names a tower and, for each generator of `free`, its image there. An image is verified from the image of the
        argument, so it is the same function; the domain of the other tower may be wider. Then the sign of the quotient is a product.
        """
        tower, images = self.translated(free, document)
        n, d = through(value, images)
        tower_premises = []
        for premise in premises:
            a, b = through(premise, images)
            need(tower.sign(b) == 1, "a premise whose denominator is not positive")
            tower_premises.append(a)
        sign = self.product(tower, n, d, document.get("by", {}), strict=strict, premises=tuple(tower_premises))
        need(sign == 1 or sign == 0 and not strict, "the sign is the other one")

    def translated(self, free: Tower, document: Document) -> tuple[Tower, dict[int, Quotient]]:
        """The tower of a document, and the image in it of each generator of `free`: all of them are defined on the box.

        So is every division of the expression that was read: 1/(1 + 1/x) is x/(1 + x), and still has no value at 0.
        """
        tower = self.tower(document["tower"], free.box)
        hints = document["images"]
        need(len(hints) == len(free.generators), "one image for each generator")
        images: dict[int, Quotient] = {}
        for i, (g, hint) in enumerate(zip(free.generators, hints, strict=True)):
            images[i] = self.image(tower, g, through(g.inner, images), hint)
            need(tower.sign(images[i][1]) == 1, "an image whose denominator is not positive")
        proofs = document.get("divisors") or [{}] * len(free.divisors)
        for divisor, proof in zip(free.divisors, proofs, strict=True):
            n, d = through((divisor, ONE), images)
            need(self.product(tower, n, d, proof, strict=True), "division by 0")
        return tower, images

    def tower(self, rows: Any, box: Mapping[str, Range]) -> Tower:
        """A tower whose generators are all defined, over a box that contains the one given."""
        tower = Tower()
        for row in rows:
            kind = row[0]
            if kind == "variable":
                low, high = end_of(row[2]), end_of(row[3])
                least, most = box.get(row[1], (None, None))
                need(row[1] in box, "a variable that the claim does not have")
                need(low is None or least is not None and low <= least, "the box of the proof is smaller than the domain")
                need(high is None or most is not None and high >= most, "the box of the proof is smaller than the domain")
                tower.variable(row[1], (low, high))
                continue
            if kind == "pi":
                tower.add(Generator("pi"))
                continue
            order = row[3] if kind == "root" else 0
            inner = poly.read(row[1]), poly.read(row[2])
            need(all(poly.used(part) <= set(range(len(tower.generators))) for part in inner), "a generator speaks of later ones")
            density = None
            if kind in ("log", "root", "factorial"):
                proof = row[4] if len(row) > 4 else {}
                need(self.product(tower, *inner, proof, strict=True) == 1, f"the argument of a {kind} is not positive")
            else:
                need(tower.sign(inner[1]), f"the argument of {kind} has a pole")
            if kind == "root":
                need(isinstance(order, int) and 2 <= order <= 60 and inner[1] == ONE, "a root of a polynomial")
            if kind == "phi":
                density = self.density(tower, inner, row[3])
            tower.add(Generator(kind, inner, order=order, density=density))
        return tower

    def density(self, tower: Tower, w: Quotient, row: Any) -> tuple[tuple[tuple[int, int], ...], int, int]:
        """exp(−w²/2) as a product of exponentials of the tower, √2 and √π: needed for the derivative of Φ(w)."""
        factors, two, circle = tuple((int(i), int(k)) for i, k in row[0]), row[1], row[2]
        total = poly.sum_of(_times(tower.logarithm_of_base(i), k) for i, k in factors)
        square = poly.scaled(poly.times(w[0], w[0]), Fraction(-1, 2)), poly.times(w[1], w[1])
        need(tower.equal(total, square), "not the density at that argument")
        for index, inside in ((two, poly.constant(2)), (circle, None)):
            g = tower.generators[index]
            of_pi = inside is None and any(
                tower.generators[i].kind == "pi" and g.inner == (poly.generator(i), ONE) for i in poly.used(g.inner[0])
            )
            need(g.kind == "root" and g.order == 2 and (of_pi or g.inner == (inside, ONE)), "√(2π) is the root of 2 times the root of π")
        return factors, two, circle

    def image(self, tower: Tower, g: Generator, inner: Quotient, hint: Any) -> Quotient:
        """A function of `inner`, in a tower.

        exp: inner = Σ k·w over exponentials exp(w), plus Σ k·log a over logarithms, gives Π exp(w)^k · Π a^k.
        log: inner = Π exp(w)^k · Π a^k gives Σ k·w + Σ k·log a; then inner > 0 since every factor is. With a root ("of" k), the same of
        inner^k, where inner > 0 is checked. root: the image is ≥ 0 and its power is inner. Φ(−w) = 1 − Φ(w).
        """
        if g.kind == "variable":
            return poly.generator(tower.index_of(g.name)), ONE
        if g.kind == "pi":
            return poly.generator(next(i for i, h in enumerate(tower.generators) if h.kind == "pi")), ONE
        need(tower.sign(inner[1]), "an argument with a pole")
        if g.kind in ("exp", "log"):
            of, rows = int(hint[0]), [(int(i), int(k)) for i, k in hint[1]]
            need(1 <= of <= 60, "a root of that order")
            total = poly.sum_of(_times(tower.logarithm_of_base(i), k) for i, k in rows)
            product = tower.power_product(rows)
            if g.kind == "exp":
                need(of == 1 and tower.equal(inner, total), "not that exponential")
                return product
            value = (poly.power(inner[0], of), poly.power(inner[1], of)) if of > 1 else inner
            need(tower.equal(value, product), "not that logarithm")
            need(of % 2 == 1 or (tower.sign(inner[0]) or 0) * (tower.sign(inner[1]) or 0) == 1, "log of what may be negative")
            return poly.scaled(total[0], Fraction(1, of)), total[1]
        if g.kind == "root":
            n, d = poly.read(hint[0]), poly.read(hint[1])
            need(tower.sign(d) == 1, "a root with a pole")
            need(tower.equal((poly.power(n, g.order), poly.power(d, g.order)), inner), "not that root")
            need(not n or tower.weak_sign(n) == 1, "a root that may be negative")
            return n, d
        index, sign = int(hint[0]), int(hint[1])
        other = tower.generators[index]
        need(other.kind == g.kind and g.kind in ("phi", "factorial") and sign in ((1, -1) if g.kind == "phi" else (1,)), "another function")
        need(tower.equal(inner, _times(other.inner, sign)), "not that argument")
        own = poly.generator(index)
        return (own, ONE) if sign == 1 else (poly.minus(ONE, own), ONE)

    # --- signs

    def product(self, tower: Tower, n: Polynomial, d: Polynomial, document: Document, *, strict: bool, premises: Premises = ()) -> int:
        """The sign of n/d: 1 (≥ 0, or > 0 when strict), −1, or 0 of the polynomial 0. d has no zero in the box.

        Numerator and denominator are numbers times the factors of the document. An even power needs no sign, unless the sign is to be
        strict; a factor below the fraction bar always has a strict sign.
        """
        below = self._factored(tower, tower.reduced(d), document.get("den"), strict=True)
        need(below, "a denominator that is 0")
        above = self._factored(tower, tower.reduced(n), document.get("num"), strict=strict, premises=premises)
        return above * below

    def _factored(self, tower: Tower, p: Polynomial, rows: Any, *, strict: bool, premises: Premises = ()) -> int:
        if not p:
            return 0
        factors = [(p, 1, None)] if rows is None else [(poly.read(row[0]), int(row[1]), row[2]) for row in rows]
        ratio = poly.proportional(p, tower.reduced(poly.product((f, k) for f, k, _ in factors)))
        need(ratio is not None and all(k >= 1 for _, k, _ in factors), "not these factors")
        assert ratio is not None
        total = 1 if ratio > 0 else -1
        for factor, exponent, proof in factors:
            total *= self._sign_of_power(tower, factor, exponent, proof, strict=strict, premises=premises)
        return total

    def _sign_of_power(self, tower: Tower, p: Polynomial, exponent: int, proof: Any, *, strict: bool, premises: Premises = ()) -> int:
        if exponent % 2 == 0 and not strict:
            return 1
        if proof is not None:
            self.step(tower, p, proof, strict=strict, premises=premises)
            return 1
        sign, surely = tower.signs(p)
        need(sign and (surely or not strict), "a factor without a sign")
        return sign or 0 if exponent % 2 else 1

    # --- steps

    def step(self, tower: Tower, f: Polynomial, document: Document, *, strict: bool, premises: Premises = ()) -> None:
        """f ≥ 0 on the box (f > 0 when strict), by the step that the document names."""
        self.depth += 1
        need(self.depth <= _DEEPEST, "a deep certificate")
        if document["step"] in POINTWISE:
            POINTWISE[document["step"]](self, tower, f, document, strict, premises)
        else:
            need(document["step"] in STEPS, f"no step is called {document['step']!r}")
            STEPS[document["step"]](self, tower, f, document, strict)
        self.depth -= 1

    def monotone(self, tower: Tower, f: Polynomial, document: Document, strict: bool) -> None:
        """H = f/scale is monotone in v, and its limes inferior at the end where it is least is ≥ 0; so H ≥ 0, and f = H·scale ≥ 0.

        The scale is strictly positive on the box: a zero would be a pole of H. Strict: the slope is strictly of one sign, so H is
        strictly monotone and larger than its limit.
        """
        v, slope, bottom, scale = self._slope(tower, f, document)
        sign = self._proportion(tower, slope, bottom, document["slope"], ONE, strict=strict)
        need(sign, "a slope that is 0 everywhere proves nothing")
        self.limit(tower, f, scale, v, sign, document["limit"])

    def curve(self, tower: Tower, f: Polynomial, document: Document, strict: bool) -> None:
        """The slope of H = f/scale in v is (v − h) times something ≥ 0, with h free of v and in the closure of the range of v: H is least
        at v = h, for all values of the other variables. Then f ≥ 0 when f/scale ≥ 0 at v = h (strict: > 0 there).

        The claim at v = h shows that everything in f/scale is defined there, so H is continuous up to the end when h is an end.

        With "powers", two products P and Q of powers of exponentials: P − Q stands for v − h, where log P − log Q is v − h times something
        > 0. It has the same sign, as exp grows: so the curve on which two densities are equal is where an error is least.
        """
        v, slope, bottom, scale = self._slope(tower, f, document)
        a, b = self._place(tower, v, document["at"])
        factor = poly.minus(poly.times(poly.generator(v), b), a)
        if "powers" in document:
            factor = self._difference_of_powers(tower, factor, document)
        need(self._proportion(tower, slope, bottom, document["slope"], factor, strict=False) == 1, "least elsewhere")
        free = Tower()
        images = substitution(tower, free, {v: (a, b)})
        self.claim(free, ratio_of(f, scale, images), document["claim"], strict=strict)

    def _difference_of_powers(self, tower: Tower, line: Polynomial, document: Document) -> Polynomial:
        """The numerator of P − Q over a denominator > 0; its sign is that of a line: log P − log Q is the line times something > 0."""
        rows = [[(int(i), int(k)) for i, k in part] for part in document["powers"]]
        need(len(rows) == 2 and all(tower.generators[i].kind == "exp" for part in rows for i, _ in part), "no exponentials")
        logs = [poly.sum_of(_times(tower.logarithm_of_base(i), k) for i, k in part) for part in rows]
        n, d = poly.sum_of([logs[0], _times(logs[1], -1)])
        need(self._proportion(tower, n, d, document["exponent"], line, strict=True) == 1, "another sign")
        (p, below), (q, under) = (tower.power_product(part) for part in rows)
        return poly.minus(poly.times(p, under), poly.times(q, below))

    def valley(self, tower: Tower, f: Polynomial, document: Document, strict: bool) -> None:
        """The slope of H = f/scale in v is m times something > 0, m/scale2 does not fall in v, and it is 0 at v = h, with h free of v and
        in the closure of the range of v: H falls before h and rises after it, so it is least at v = h, whatever the others are.
        Then f ≥ 0 when f/scale ≥ 0 at v = h (strict: > 0 there).

        Both claims at v = h show that m/scale2 and f/scale are defined there, so they are continuous up to the end when h is an end.

        Or h is another variable w with the range of v, and m/scale2 does not rise in w. It is 0 at w = v, so m ≥ 0 where w < v, and m ≤ 0
        where w > v: again H falls up to v = w and rises from there on.
        """
        v, slope, bottom, scale = self._slope(tower, f, document)
        m = poly.read(document["factor"])
        need(self._proportion(tower, slope, bottom, document["slope"], m, strict=True) == 1, "the slope is not a multiple")
        w, slope2, bottom2, scale2 = self._slope(tower, m, document["second"])
        a, b = self._place(tower, v, document["at"])
        if w != v:
            need((a, b) == (poly.generator(w), ONE) and tower.generators[w].ends == tower.generators[v].ends, "two variables")
        way = 1 if w == v else -1
        need(
            self._proportion(tower, slope2, bottom2, document["second"]["slope"], ONE, strict=False) == way,
            "the slope may turn",
        )
        for sign, part in zip((1, -1), document["zero"], strict=True):
            free = Tower()
            images = substitution(tower, free, {v: (a, b)})
            self.claim(free, _times(ratio_of(m, scale2, images), sign), part, strict=False)
        free = Tower()
        images = substitution(tower, free, {v: (a, b)})
        self.claim(free, ratio_of(f, scale, images), document["claim"], strict=strict)

    def _place(self, tower: Tower, v: int, row: Any) -> Quotient:
        """A quotient without v, in the closure of the range of v."""
        a, b = (poly.read(text) for text in row)
        need(not any(tower.varies_with(i, v) for part in (a, b) for i in poly.used(part)), "the curve speaks of its own variable")
        need(tower.sign(b) == 1, "the curve has a pole")
        low, high = tower.generators[v].ends
        need(low is None or tower.weak_sign(poly.minus(a, poly.scaled(b, low))) in (0, 1), "the curve leaves the box")
        need(high is None or tower.weak_sign(poly.minus(poly.scaled(b, high), a)) in (0, 1), "the curve leaves the box")
        return a, b

    def chord(self, tower: Tower, f: Polynomial, document: Document, strict: bool) -> None:
        """The slope of H = f/scale in v is m times something > 0, and m is first ≥ 0 and then ≤ 0: H rises and then falls, so it is nowhere
        less than the smaller of its limits at both ends, which are ≥ 0. Strict: m/scale2 falls strictly, so the slope is 0 at most once."""
        v, slope, bottom, scale = self._slope(tower, f, document)
        m = poly.read(document["factor"])
        need(self._proportion(tower, slope, bottom, document["slope"], m, strict=True) == 1, "the slope is not a multiple")
        self.crossing(tower, m, v, document["second"], strict=strict)
        for side, limit in zip((1, -1), document["limits"], strict=True):
            self.limit(tower, f, scale, v, side, limit)

    def crossing(self, tower: Tower, m: Polynomial, v: int, document: Document, *, strict: bool) -> None:
        """m is ≥ 0 up to some place in the closed range of v and ≤ 0 beyond it; the place may depend on the other variables.

        So it is where m/scale falls (strict: strictly, and nothing else will do). Otherwise the slope of m/scale is side·m2 times something
        > 0, where m2 is first ≥ 0 and then ≤ 0, which is shown in the same way.
        Side 1: m/scale has a limes inferior ≥ 0 at the low end. It rises first and is ≥ 0 there; then it falls, and stays ≤ 0 once it is.
        Side −1: m/scale has a limes superior ≤ 0 at the high end. It falls first, and is ≤ 0 where it rises again to that limit.
        """
        self.depth += 1
        need(self.depth <= _DEEPEST, "a deep certificate")
        w, slope, bottom, scale = self._slope(tower, m, document)
        need(w == v, "two variables")
        if "then" not in document:
            need(self._proportion(tower, slope, bottom, document["slope"], ONE, strict=strict) == -1, "the slope does not fall")
        else:
            need(not strict, "a strict goal where the slope may be 0 along the way")
            second, side = poly.read(document["factor"]), document["side"]
            need(side in (1, -1), "no such side")
            need(self._proportion(tower, slope, bottom, document["slope"], second, strict=True) == side, "the slope is not a multiple")
            self.limit(tower, poly.scaled(m, side), scale, v, side, document["limit"])
            self.crossing(tower, second, v, document["then"], strict=False)
        self.depth -= 1

    def boxes(self, tower: Tower, f: Polynomial, document: Document, strict: bool) -> None:
        """f ≥ 0 on each of some closed boxes that cover the box (strict: > 0), by enclosures in interval arithmetic."""
        check_boxes(tower, f, document["tree"], strict=strict)

    def split(self, tower: Tower, f: Polynomial, document: Document, strict: bool) -> None:
        """v < c and v > c by themselves; v = c by continuity, or as a claim of its own when strict."""
        v, c = tower.index_of(document["in"]), number_of(document["at"])
        low, high = tower.generators[v].ends
        need((low is None or low < c) and (high is None or c < high), "the cut lies outside")
        for ends, part in zip(((low, c), (c, high)), document["claims"][:2], strict=True):
            free = Tower()
            images = substitution(tower, free, {}, {v: ends})
            self.claim(free, ratio_of(f, ONE, images), part, strict=strict)
        if strict:
            free = Tower()
            images = substitution(tower, free, {v: (poly.constant(c), ONE)})
            self.claim(free, ratio_of(f, ONE, images), document["claims"][2], strict=True)

    def order(self, tower: Tower, f: Polynomial, document: Document, strict: bool) -> None:
        """v > w and w > v by themselves, with the larger one = the smaller one + u and u > 0; v = w by continuity, so not for >.

        The smaller one lies above its own low end and below both high ends; u is at most the high end of the larger one less the low
        end of the smaller one. A side whose box is empty says nothing. With "shares", where both have the low end l, the smaller one is
        l + (the larger one − l)·s with 0 < s < 1 instead, and the larger one keeps its range.
        """
        need(not strict, "a strict goal where two variables are equal")
        v, w = (tower.index_of(name) for name in document["in"])
        need(v != w, "one variable")
        for (large, small), part in zip(((v, w), (w, v)), document["claims"], strict=True):
            free = Tower()
            images = (shared if document.get("shares") else ordered)(tower, free, large, small)
            if images is not None:
                self.claim(free, ratio_of(f, ONE, images), part, strict=False)

    def logarithm(self, tower: Tower, f: Polynomial, document: Document, strict: bool) -> None:
        """f = a − b with a, b > 0: f ≥ 0 when log a − log b ≥ 0."""
        a, b = poly.read(document["plus"]), poly.read(document["minus"])
        need(not tower.reduced(poly.minus(f, poly.minus(a, b))), "not that difference")
        need(tower.sign(a) == 1 and tower.sign(b) == 1, "log of what is not positive")
        free = Tower()
        images = substitution(tower, free, {})
        logs = [free.free("log", poly.substituted(part, images)) for part in (a, b)]
        self.claim(free, poly.sum_of([logs[0], _times(logs[1], -1)]), document["claim"], strict=strict)

    def total(self, tower: Tower, f: Polynomial, document: Document, strict: bool, premises: Premises) -> None:
        """f is a sum of parts that are ≥ 0 each (strict: the first is > 0, so there is one)."""
        need(document["parts"] or not strict, "a sum of nothing is not positive")
        rest = f
        for i, (text, proof) in enumerate(document["parts"]):
            part = poly.read(text)
            rest = poly.minus(rest, part)
            need(
                self._sign_of_power(tower, part, 1, proof, strict=strict and i == 0, premises=premises) == 1,
                "a part of a sum may be negative",
            )
        need(not tower.reduced(rest), "not that sum")

    def tangent(self, tower: Tower, f: Polynomial, document: Document, strict: bool, premises: Premises) -> None:
        """f = Σ a·(x − 1 − log x) + rest with a ≥ 0, x > 0 and rest ≥ 0 (strict: rest > 0), since log x ≤ x − 1.

        Each x is a product of powers of exponentials and of arguments of logarithms, which are positive; log x is a sum of logarithms.
        """
        total: list[Quotient] = [(f, ONE)]
        for text, rows, proof in document["parts"]:
            weight, powers = poly.read(text), [(int(i), int(k)) for i, k in rows]
            need(self._sign_of_power(tower, weight, 1, proof, strict=False, premises=premises) == 1, "a weight that may be negative")
            x = tower.power_product(powers)
            log = poly.sum_of(_times(tower.logarithm_of_base(i), k) for i, k in powers)
            part = poly.sum_of([x, (poly.constant(-1), ONE), _times(log, -1)])
            total.append((poly.scaled(poly.times(weight, part[0]), -1), part[1]))
        n, d = poly.sum_of(total)
        sign = self._proportion(tower, n, d, document["rest"], ONE, strict=strict, premises=premises)
        need(sign == 1 or sign == 0 and not strict, "the rest may be negative")

    def factors(self, tower: Tower, f: Polynomial, document: Document, strict: bool, premises: Premises) -> None:
        """f is a product whose signs are known."""
        need(self.product(tower, f, ONE, document, strict=strict, premises=premises) == 1, "the sign is the other one")

    def conjugate(self, tower: Tower, f: Polynomial, document: Document, strict: bool, premises: Premises) -> None:
        """f·g = p with g > 0: f has the sign of p. With f = a − b√h and g = a + b√h, p = a² − b²h has no root."""
        g, p = poly.read(document["times"]), poly.read(document["gives"])
        need(tower.sign(g) == 1, "a factor that may not be positive")
        need(not tower.reduced(poly.minus(poly.times(f, g), p)), "not that product")
        need(self._sign_of_power(tower, p, 1, document["proof"], strict=strict, premises=premises) == 1, "the product may be negative")

    def given(self, tower: Tower, f: Polynomial, document: Document, strict: bool, premises: Premises) -> None:
        """f = Σ λ·h + rest, with λ ≥ 0 and rest ≥ 0; g·h is a premise, which is ≥ 0 on the domain, with g > 0.

        Strict: rest > 0, or one premise is > 0 and its λ too.
        """
        rest = f
        for text, index, *divided in document["multipliers"]:
            factor = poly.read(text)
            need(tower.weak_sign(factor) in (0, 1) and 0 <= index < len(premises), "a premise times what may be negative")
            premise = premises[index]
            if divided:
                g, h = (poly.read(part) for part in divided)
                need(tower.sign(g) == 1, "a premise divided by what may not be positive")
                need(not tower.reduced(poly.minus(premise, poly.times(g, h))), "not that premise")
                premise = h
            rest = poly.minus(rest, poly.times(factor, premise))
            strict = strict and not (index in self.differing and tower.sign(factor) == 1)
        rest = tower.reduced(rest)
        if rest or strict:
            need(self._sign_of_power(tower, rest, 1, document.get("rest"), strict=strict) == 1, "the rest may be negative")

    # --- parts of steps

    def _slope(self, tower: Tower, f: Polynomial, document: Document) -> tuple[int, Polynomial, Polynomial, Polynomial]:
        """The variable, scale·(f/scale)' as a quotient, and the scale Π s^k, each s > 0: (f' s^k − f k s' s^{k−1})/s^k."""
        v = tower.index_of(document["in"])
        rows = [(poly.read(text), int(k)) for text, k in document["scale"]]
        parts = [tower.slope_of_polynomial(f, v)]
        for s, k in rows:
            need(tower.sign(s) == 1 and k >= 1, "a scale that may be 0")
            n, d = tower.slope_of_polynomial(s, v)
            if n:
                parts.append((poly.scaled(poly.times(f, n), -k), poly.times(s, d)))
        n, d = poly.sum_of(parts)
        return v, n, d, poly.product(rows)

    def _proportion(
        self, tower: Tower, n: Polynomial, d: Polynomial, document: Document, factor: Polynomial, *, strict: bool, premises: Premises = ()
    ) -> int:
        """The sign of n/(d·factor), given as Π num/Π den up to a number: n·Π den = c·d·factor·Π num. 0 when n is 0.

        d has no zero in the box: it is made of what stands below in a tower, of scales, and of arguments of logarithms.
        """
        if not tower.reduced(n):
            return 0
        rows = {key: [(poly.read(r[0]), int(r[1]), r[2]) for r in document.get(key, [])] for key in ("num", "den")}
        need(all(k >= 1 for part in rows.values() for _, k, _ in part), "not these factors")
        left = tower.reduced(poly.times(n, poly.product((f, k) for f, k, _ in rows["den"])))
        right = tower.reduced(poly.times(poly.times(d, factor), poly.product((f, k) for f, k, _ in rows["num"])))
        ratio = poly.proportional(left, right)
        need(ratio is not None, "not that slope")
        assert ratio is not None
        sign = 1 if ratio > 0 else -1
        for key in ("num", "den"):
            for f, k, proof in rows[key]:
                sign *= self._sign_of_power(tower, f, k, proof, strict=strict or key == "den", premises=premises)
        return sign

    def limit(self, tower: Tower, f: Polynomial, scale: Polynomial, v: int, side: int, document: Document) -> None:
        """The limes inferior of f/scale is ≥ 0 as v comes down to its low end (side 1) or up to its high end (side −1).

        At a finite end where everything in f/scale is defined and the scale is not 0: the value there, by continuity. Otherwise by an
        expansion, with everything that its value speaks of defined again.
        """
        end = tower.generators[v].ends[0 if side == 1 else 1]
        if document.get("continuous"):
            need(end is not None, "no value at infinity")
            assert end is not None
            free = Tower()
            images = substitution(tower, free, {v: (poly.constant(end), ONE)})
            self.claim(free, ratio_of(f, scale, images), document["claim"], strict=False)
            return
        way = side if end is not None else -side
        free, value = lower_limit(tower, f, scale, v, end, way, int(document["order"]))
        if value is not None and value[0]:
            self.claim(free, value, document["claim"], strict=False)


STEPS: dict[str, Callable[[Checker, Tower, Polynomial, Document, bool], None]] = {
    "monotone": Checker.monotone,
    "curve": Checker.curve,
    "chord": Checker.chord,
    "valley": Checker.valley,
    "split": Checker.split,
    "boxes": Checker.boxes,
    "order": Checker.order,
    "logarithm": Checker.logarithm,
}
POINTWISE: dict[str, Callable[[Checker, Tower, Polynomial, Document, bool, Premises], None]] = {
    "given": Checker.given,
    "sum": Checker.total,
    "tangent": Checker.tangent,
    "factors": Checker.factors,
    "conjugate": Checker.conjugate,
}
"""What is said of one point at a time may use the premises that hold there; a slope is needed on the whole box, where they may fail."""


def substitution(
    tower: Tower,
    free: Tower,
    values: Mapping[int, Quotient],
    ranges: Mapping[int, Range] | None = None,
    known: Mapping[int, Quotient] | None = None,
) -> dict[int, Quotient]:
    """The images of all generators in a free tower, some variables replaced by quotients in the others, or given other ranges.

    Args:
        tower: the tower.
        free: the free tower.
        values: quotients in the tower for variables.
        ranges: other ranges of variables.
        known: images of variables in the free tower.
    """
    images: dict[int, Quotient] = dict(known or {})

    def image(index: int) -> Quotient:
        if index not in images:
            g = tower.generators[index]
            if index in values:
                images[index] = through(values[index], _Lazy(image))
            elif g.kind == "variable":
                images[index] = free.variable(g.name, (ranges or {}).get(index, g.ends))
            else:
                inner = (ONE, ONE) if g.kind == "pi" else through(g.inner, _Lazy(image))
                images[index] = free.free(g.kind, inner, g.order)
        return images[index]

    for index in range(len(tower.generators)):
        image(index)
    return images


def ordered(tower: Tower, free: Tower, large: int, small: int) -> dict[int, Quotient] | None:
    """The images of all generators where one variable is another one plus something positive; None where that never happens."""
    (_, high), (least, most) = tower.generators[large].ends, tower.generators[small].ends
    tops = [end for end in (high, most) if end is not None]
    top = min(tops) if tops else None
    if least is not None and top is not None and least >= top:
        return None
    room = None if high is None or least is None else high - least
    name = f"{tower.generators[large].name}-{tower.generators[small].name}"
    need(name not in tower.box, "the same order twice")
    first, _ = free.variable(tower.generators[small].name, (least, top))
    more, _ = free.variable(name, (Fraction(0), room))
    return substitution(tower, free, {}, {small: (least, top)}, {large: (poly.plus(first, more), ONE)})


def shared(tower: Tower, free: Tower, large: int, small: int) -> dict[int, Quotient]:
    """The images of all generators where one variable is a share of another one, counted from the low end of both."""
    low = tower.generators[large].ends[0]
    need(low is not None and low == tower.generators[small].ends[0], "two low ends")
    assert low is not None
    name = f"{tower.generators[small].name}/{tower.generators[large].name}"
    need(name not in tower.box, "the same order twice")
    whole, _ = free.variable(tower.generators[large].name, tower.generators[large].ends)
    share, _ = free.variable(name, (Fraction(0), Fraction(1)))
    start = poly.constant(low)
    value = poly.plus(start, poly.times(poly.minus(whole, start), share)), ONE
    return substitution(tower, free, {}, {}, {large: (whole, ONE), small: value})


class _Lazy(dict[int, Quotient]):
    """Images made when they are asked for."""

    def __init__(self, make: Callable[[int], Quotient]) -> None:
        super().__init__()
        self.make = make

    def __missing__(self, index: int) -> Quotient:
        return self.make(index)


def through(value: Quotient, images: Mapping[int, Quotient]) -> Quotient:
    """A quotient with its generators replaced."""
    (n, d), (m, e) = (poly.substituted(part, images) for part in value)
    need(m, "division by 0")
    return (poly.times(n, e), poly.times(d, m)) if d != e else (n, m)


def ratio_of(f: Polynomial, scale: Polynomial, images: Mapping[int, Quotient]) -> Quotient:
    """f/scale, through the images of generators."""
    return through((f, scale), images)


def _times(value: Quotient, factor: int) -> Quotient:
    return poly.scaled(value[0], factor), value[1]
