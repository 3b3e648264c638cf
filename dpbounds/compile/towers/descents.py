"""Claims of a certificate, towers and products of factors, as steps of the checker.

What the search found is written here as steps, and the numbers that they need (ratios, signs) are computed on the way.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from typing import Any

from dpbounds.compile.bounds import BoundLemmas
from dpbounds.compile.constants import Constants
from dpbounds.compile.library import Library
from dpbounds.compile.steps import NotWritten, Steps, multiple, positive, product_of, sign_of, sum_of_terms
from dpbounds.compile.towers.at_sight import subterms
from dpbounds.compile.towers.places import WritingPlace
from dpbounds.compile.towers.signs import SignWriter
from dpbounds.descent import polynomials as poly
from dpbounds.descent.images import through
from dpbounds.descent.polynomials import ONE as UNIT
from dpbounds.descent.polynomials import Polynomial, Quotient
from dpbounds.descent.refusal import DescentRefused
from dpbounds.descent.tower import Tower, constant_of
from dpbounds.kernel.notation import show
from dpbounds.kernel.terms import MINUS, ONE, ZERO, Refused, Term, equal, exponent_of, negative, node, number, power, times, value
from dpbounds.prover.rewriting.arithmetic import ProofSearch

Document = Mapping[str, Any]
Rows = list[tuple[str, Polynomial, int, Any, bool]]
"""Factors: above or below the line, the polynomial, its power, its proof, and whether it must not be 0."""
Step = Callable[["Descents", WritingPlace, Polynomial, Document, bool], int]
_FEW = 9
"""Facts of which pairs are tried."""
_LONGER = 12
"""Times the work of an attempt, for an identity that is seen in no other way."""
_LONG = 60
"""Parts of the terms of a product of which the sign is shown with variables in the places of its factors."""
STEPS: dict[str, Step] = {}
"""The kinds of steps; each file registers its own."""


@dataclass(frozen=True)
class FactorProduct:
    """A step that says 0 ≤ P or 0 < P, and the number c with value = c·P.

    Attributes:
        step: of the sign.
        term: P.
        ratio: c; its sign is that of the value.
        signs: steps about the factors.
    """

    step: int
    term: Term
    ratio: Fraction
    signs: tuple[int, ...]


class Descents:
    """Compiles the claims of certificates.

    Args:
        steps: the document.
    """

    def __init__(self, steps: Steps) -> None:
        self.steps, self.write = steps, steps.write
        self.constants = Constants(steps)
        self.library = Library(steps)
        self.bounds = BoundLemmas(self.library)
        self.search = ProofSearch(steps.write)
        self.search.light = True
        self.arguments: list[int] = []
        self._signs: dict[int, tuple[WritingPlace, SignWriter]] = {}

    def signs(self, place: WritingPlace) -> SignWriter:
        """The signs at a place; what was found is kept."""
        if id(place) not in self._signs:
            self._signs[id(place)] = place, SignWriter(self.steps, self.constants, place, self.library)
        return self._signs[id(place)][1]

    # --- what is shown without a certificate

    def prove(self, goal: Term, known: Sequence[int]) -> int:
        """A relation from facts, by the rules of arithmetic and a short search.

        Raises:
            NotWritten: nothing is found.
        """
        steps = self.steps
        for k in known:
            if steps.formula(k) == goal:
                return k
        if goal.tag in ("<=", "<") and goal.parts[0] == ZERO or goal.tag == "not":
            found = steps.attempt("sign", *known, formula=goal)
            if found is not None:
                return found
        if goal.tag in ("<=", "<", "="):
            pairs = [[k, j] for k in known for j in known if k < j] if len(known) <= _FEW else []
            for by in ([], *([k] for k in known), *pairs):
                found = steps.attempt("linear", *by, *known, formula=goal, multipliers=[ONE] * len(by))
                if found is not None:
                    return found
        if goal.tag in ("<=", "<") and not goal.free:
            try:
                return self._of_numbers(goal)
            except NotWritten:
                pass
        found = self.search.prove(goal, known)
        if found is None:
            raise NotWritten("a relation that is not found", goal.tag)
        return found

    def _of_numbers(self, goal: Term) -> int:
        """A relation between closed terms, by their brackets."""
        a, b = goal.parts
        gap = node("+", b, negative(a))
        for digits in (5, 9):
            found = self.constants.bracket(gap, digits)
            if found.low > 0:
                step = self.steps.sum_of(goal, [] if found.above_low is None else [found.above_low])
                if step is not None:
                    return step
        raise NotWritten("numbers that are close")

    def multiple(self, goal: Term, by: Sequence[int], weights: Sequence[Term], place: WritingPlace, more: Sequence[int] = ()) -> int:
        """A relation as a sum of others times positive terms, with what is known of signs and of the functions at a place.

        Raises:
            NotWritten: it is not that sum.
        """
        own = list(place.facts)
        for facts in ((), tuple(more), (*more, *own), (*more, *place.known)):
            found = self.steps.attempt("linear", *by, *facts, formula=goal, multipliers=list(weights))
            if found is not None:
                return found
        with self.steps.longer(_LONGER):
            found = self.steps.attempt("linear", *by, *place.known, *more, formula=goal, multipliers=list(weights))
        found = self._with_factors(goal, by, weights, (*place.known, *more)) if found is None else found
        if found is not None:
            return found
        raise NotWritten(
            "an identity that is not seen",
            f"{show(goal)[:300]} FROM {[show(self.steps.formula(k))[:300] for k in by]} {[show(w) for w in weights]}",
        )

    def _with_factors(self, goal: Term, by: Sequence[int], weights: Sequence[Term], facts: Sequence[int]) -> int | None:
        """The same with a divisor as a product of two that the others have: normal forms multiply divisors out."""
        steps = self.steps
        others = [d for k in by for d in _divisors(steps.formula(k))]
        for whole in _divisors(goal):
            for a, b in combinations(others, 2):
                for product in (times(a, b), times(times(MINUS, a), b)):
                    same = steps.attempt("ring", formula=equal(product, whole)) if whole.tag == "+" else None
                    if same is not None:
                        turned = steps.write("ring", formula=equal(whole, product))
                        inside = steps.formula(steps.write("rewrite", steps.assume(goal), turned))
                        found = steps.attempt("linear", *by, *facts, formula=inside, multipliers=list(weights))
                        return None if found is None else steps.attempt("rewrite", found, same)
        return None

    # --- claims and towers

    def claim(self, term: Term, free: Tower, value: Quotient, document: Document, place: WritingPlace, *, strict: bool) -> int:
        """0 ≤ t or 0 < t, where t is the value, a quotient over a free tower."""
        tower, images = document["made"]
        here = self.towered(place, tower, document["tower"])
        n, d = through(value, images)
        now, equations, here = self._in_images(term, DescentReading(here, free, images, document["images"]), here)
        goal = sign_of(now, strict=strict)
        try:
            step = self._of_value(goal, here, (tower.reduced(n), d), document, strict=strict)
        except NotWritten:
            seen = self.steps.attempt("sign", *here.known, formula=goal)
            if seen is None:
                raise
            step = seen
        if not equations:
            return step
        own = self.steps.sum_of(sign_of(term, strict=strict), [step, *equations], (), [ONE, *[MINUS] * len(equations)])
        if own is None:
            raise NotWritten("a value in other words")
        return own

    def _of_value(self, goal: Term, here: WritingPlace, value: Quotient, document: Document, *, strict: bool) -> int:
        """0 ≤ t or 0 < t from the sign of a quotient over the tower of the certificate."""
        if not value[0]:
            if strict:
                raise NotWritten("a value of 0 that is to be positive")
            return self.multiple(goal, [], [], here)
        found = self.product(here, *value, document.get("by", {}), strict=strict)
        if found.ratio < 0:
            raise NotWritten("a product of the other sign")
        return self.multiple(goal, [found.step], [number(found.ratio)], here, found.signs)

    def towered(self, place: WritingPlace, tower: Tower, proofs: Mapping[int, Document], *, spared: bool = False) -> WritingPlace:
        """The terms of a tower, and the facts that the arguments of its logarithms and roots are positive.

        spared: what is not shown to be positive is left out; it may be 0 at an end, and matters only where its function is used.
        """
        here = replace(place, terms=(), proofs=proofs)
        before = Tower()  # of what comes before a generator: a proof that its argument is positive speaks of no other
        for k, g in enumerate(tower.generators):
            here = replace(here, tower=before)
            if g.kind in ("log", "root"):
                argument = here.quotient(g.inner)
                term = here.function(g)
                try:
                    facts = [fact := self._positive(here, argument, g.inner, proofs.get(k, {}))]
                except NotWritten:
                    if not spared:
                        raise
                    facts = []
                else:
                    if g.kind == "root":
                        facts.append(self.steps.write("sign", fact, formula=positive(term)))
                here = here.holding(*facts)
            else:
                term = here.function(g)
            before.add(g)
            here = replace(here, terms=(*here.terms, term))
        return replace(here, tower=tower)

    def _positive(self, place: WritingPlace, term: Term, inner: Quotient, proof: Document) -> int:
        """0 < a for the argument of a logarithm or a root."""
        found = self.product(place, *inner, proof, strict=True)
        if found.ratio < 0:
            raise NotWritten("a product of the other sign")
        return self.multiple(positive(term), [found.step], [number(found.ratio)], place, found.signs)

    def _in_images(self, term: Term, reader: DescentReading, here: WritingPlace) -> tuple[Term, list[int], WritingPlace]:
        """A term with functions replaced that the rules of arithmetic do not see as their images.

        Returns the new term, the steps t = t′, t′ = t″, …, and the place with what is known of divisors in the term.
        """
        parts = list(dict.fromkeys(functions_in(term)))
        for t in parts:
            if t.tag in ("^", "pow", "log"):
                here = self._divisor(t.parts[0], reader, here)
        found: list[int] = []
        for t in sorted(parts, key=lambda t: t.size, reverse=True):  # the outer ones first: what stands in them is gone with them
            now = self.steps.formula(found[-1]).parts[1] if found else term
            equation = self._replaced(t, reader, here)
            if equation is None:
                continue
            step = self.steps.write("congruence", equation, term=now)
            if self.steps.formula(step).parts[1] != now:
                found.append(step)
        return self.steps.formula(found[-1]).parts[1] if found else term, found, here

    def _replaced(self, t: Term, reader: DescentReading, here: WritingPlace) -> int | None:
        """t = its image, where the rules of arithmetic do not see it; of a nested divisor the equation of what is divided by."""
        if t.tag == "^" and t.parts[0].tag == "pow" and (found := self._without_root(t, here)) is not None:
            return found
        t = t.parts[0] if t.tag == "^" else t
        image = reader.quotient_of(t)
        if image is None or reader.quotient_of(t) is None:
            return None
        other = here.quotient((here.tower.reduced(image[0]), here.tower.reduced(image[1])))
        same = t == other or self.steps.attempt("ring", *here.known, formula=equal(t, other))
        if t.tag not in _KINDS:
            nested = any(s.tag == "^" for s in functions_in(t))
            return same if nested and same is not True and same is not None else None
        if same is not None:  # what stands in a root may be written otherwise later, and not be seen then
            return same if t.tag == "pow" and same is not True else None
        try:
            return self._equation(t, other, here, image, reader)
        except (NotWritten, Refused):
            return None

    def _without_root(self, t: Term, here: WritingPlace) -> int | None:
        """(a^{1/k})^n = a^{n/k} for a whole number n/k."""
        a, r = t.parts[0].parts
        k = (value(r) or Fraction(1, 2)) * exponent_of(t)
        return self.steps.attempt("ring", *here.known, formula=equal(t, a if k == 1 else power(a, int(k)))) if k.denominator == 1 else None

    def _divisor(self, a: Term, reader: DescentReading, here: WritingPlace) -> WritingPlace:
        """The place with the sign of what a term divides by or has the logarithm of, where that is not plain to see."""
        plain = self.steps.attempt("sign", *here.known, formula=positive(a))
        if plain is not None:
            self.arguments.append(plain)
            return here.holding(plain)
        read = reader.quotient_of(a)
        if read is None:
            return here
        try:
            found = self.product(here, *read, {}, strict=True)
            side = a if found.ratio > 0 else negative(a)
            fact = self.multiple(positive(side), [found.step], [number(abs(found.ratio))], here, found.signs)
        except (NotWritten, Refused):
            return here
        self.arguments.append(fact)
        return here.holding(fact)

    def _equation(self, t: Term, image: Term, here: WritingPlace, quotient: Quotient, reader: DescentReading) -> int:
        """log a = s from e^s = a; a^r = s from s^{1/r} = a and 0 < s; e^a = e^b from a = b, a sum of logarithms."""
        a = t.parts[0]
        if t.tag == "log":
            with suppress(NotWritten):
                return self.library.logarithm(image, a, self._same(node("exp", image), a, here, reader))
            total = reader.exponents[t]
            own = self.library.logarithm(total, a, self._same(node("exp", total), a, here, reader))
            return self.multiple(equal(t, image), [own], [ONE], here)
        if t in reader.exponents:  # of an exponential or a power
            total = reader.exponents[t]
            same = self._same(a if t.tag == "exp" else times(t.parts[1], node("log", a)), total, here, reader)
            grown = self.steps.write("exp_monotone", same)
            found = self.steps.sum_of(equal(t, image), [grown], here.known)
            if found is None:
                raise NotWritten("an exponential in other words")
            return found
        if t.tag == "Phi":
            return self._reflected(t, image, here, reader)
        r = value(t.parts[1])
        assert r is not None
        same = self._same(power(image, r.denominator), power(a, r.numerator), here, reader)
        n, d = (self.signs(here).wanted(p, 1) if p != UNIT else same for p in quotient)
        if n is None or d is None:
            raise NotWritten("a root in other words")
        least = self.prove(positive(image), [n, d])
        return self.library.root(image, a, r, same, least, self._known_positive(a, here, reader))

    def _reflected(self, t: Term, image: Term, here: WritingPlace, reader: DescentReading) -> int:
        """Φ(a) = 1 − Φ(w) where a = −w, and Φ(a) = Φ(w) where a = w."""
        if value(image) is not None:
            found = self.steps.attempt("linear", self.steps.write("normal_symmetry", term=t.parts[0]), *here.known,
                                       formula=equal(t, image), multipliers=[image])  # fmt: skip
            if found is None:
                raise NotWritten("a normal distribution function in other words")
            return found
        inner = next(s for s in functions_in(image) if s.tag == "Phi").parts[0]
        turned = image != node("Phi", inner)
        same = self._same(t.parts[0], negative(inner) if turned else inner, here, reader)
        moved = self.steps.write("congruence", same, term=t)
        if not turned:
            return moved
        both = self.steps.write("normal_symmetry", term=inner)
        found = self.steps.sum_of(equal(t, image), [moved, both], (), [ONE, ONE])
        if found is None:
            raise NotWritten("a normal distribution function in other words")
        return found

    def _same(self, a: Term, b: Term, here: WritingPlace, reader: DescentReading) -> int:
        """a = b, with the functions in both replaced by their images."""
        goal = equal(a, b)
        found = self.steps.attempt("ring", *here.known, formula=goal)
        if found is not None:
            return found
        now, steps, there = self._in_images(b, reader, here)
        left, more, there = self._in_images(a, reader, there)
        found = self.steps.attempt("ring", *there.known, formula=equal(left, now))
        if found is None:
            raise NotWritten("a function in other words")
        weights = [ONE] * (1 + len(more)) + [MINUS] * len(steps)
        whole = self.steps.attempt("linear", found, *more, *steps, formula=goal, multipliers=weights)
        if whole is None:
            raise NotWritten("a function in other words")
        return whole

    def _known_positive(self, a: Term, here: WritingPlace, reader: DescentReading) -> int:
        """0 < a for what a root is of."""
        found = self.steps.attempt("sign", *here.known, formula=positive(a))
        if found is not None:
            return found
        read = reader.quotient_of(a)
        if read is None:
            raise NotWritten("a root of what is not read")
        own = self.product(here, *read, {}, strict=True)
        return self.multiple(positive(a), [own.step], [number(own.ratio)], here, own.signs)

    # --- signs

    def product(self, place: WritingPlace, n: Polynomial, d: Polynomial, document: Document, *, strict: bool) -> FactorProduct:
        """n/d as a number times a product of factors whose signs are shown."""
        ratio = Fraction(1)
        rows: Rows = []
        for key, p, sure in (("num", n, strict), ("den", d, True)):
            p = place.tower.reduced(p)
            given = document.get(key)
            factors = [(p, 1, None)] if given is None else [(r[0], int(r[1]), r[2]) for r in given]
            c = poly.proportional(p, place.tower.reduced(poly.product((f, k) for f, k, _ in factors)))
            if c is None:
                raise NotWritten("factors of something else")
            ratio = ratio * c if key == "num" else ratio / c
            rows += [(key, f, k, proof, sure) for f, k, proof in factors]
        return self._signed(place, rows, ratio)

    def _signed(self, place: WritingPlace, rows: Rows, ratio: Fraction) -> FactorProduct:
        factors: list[tuple[Term, int]] = []
        steps: list[int | None] = []
        wanted = next((strict for key, *_, strict in rows if key == "num"), False)
        for key, f, k, proof, strict in _merged(rows):
            sign, step = self._factor(place, f, k, proof, strict)
            t = place.term(f)
            factors.append((t if sign == 1 else negative(t), k if key == "num" else -k))
            ratio = ratio * sign**k
            steps.append(step)
        total, known = product_of((t, k) for t, k in factors if k), tuple(k for k in steps if k is not None)
        sure = len(known) == len(steps) and all(self.steps.formula(k).tag == "<" for k in known)
        for strict in ((True, False) if sure else (False,)) if not wanted else (True,):
            shown = self._sign_of_product(factors, steps, total, strict=strict)
            if shown is not None:
                return FactorProduct(shown, total, ratio, known)
        raise NotWritten("a product whose sign is not seen")

    def _sign_of_product(
        self, factors: Sequence[tuple[Term, int]], shown: Sequence[int | None], total: Term, *, strict: bool
    ) -> int | None:
        """The sign of a product of factors, of long ones for any numbers in their places."""
        known = tuple(k for k in shown if k is not None)
        if sum(t.size for t, _ in factors) < _LONG:
            return self.steps.attempt("sign", *known, formula=sign_of(total, strict=strict))
        names = [self.steps.fresh("v") for _ in factors]
        signs = [None if k is None else sign_of(v, strict=self.steps.formula(k).tag == "<") for v, k in zip(names, shown, strict=True)]
        goal = sign_of(product_of((v, k) for v, (_, k) in zip(names, factors, strict=True) if k), strict=strict)
        lemma = self.steps.attempt("sign", *(self.steps.assume(f) for f in signs if f is not None), formula=goal)
        return None if lemma is None else self.library.instance(lemma, {v: t for v, (t, _) in zip(names, factors, strict=True)}, *known)

    def _factor(self, place: WritingPlace, f: Polynomial, k: int, proof: Any, strict: bool) -> tuple[int, int | None]:
        """The sign of a factor and its step; an even power needs none, unless its sign must be strict."""
        if k % 2 == 0 and not strict:
            return 1, None
        if proof is not None:
            return 1, self.step(place, f, proof, strict=strict)
        found = self.signs(place).positive(f, strict=strict)
        if found is None:
            raise NotWritten("a sign that is not shown", show(place.term(f))[:300])
        return found

    def proportion(
        self, place: WritingPlace, n: Polynomial, d: Polynomial, document: Document, factor: Polynomial, *, strict: bool
    ) -> tuple[Rows, Fraction]:
        """Rows of factors and the number c with n/(d·factor) = c·Π num/Π den."""
        read = {key: [(r[0], int(r[1]), r[2]) for r in document.get(key, [])] for key in ("num", "den")}
        tower = place.tower
        left = tower.reduced(poly.times(n, poly.product((f, k) for f, k, _ in read["den"])))
        right = tower.reduced(poly.times(poly.times(d, factor), poly.product((f, k) for f, k, _ in read["num"])))
        ratio = poly.proportional(left, right)
        if ratio is None:
            raise NotWritten("a slope of something else")
        return [(key, f, k, proof, strict or key == "den") for key in ("num", "den") for f, k, proof in read[key]], ratio

    def step(self, place: WritingPlace, f: Polynomial, document: Document, *, strict: bool) -> int:
        """0 ≤ f or 0 < f by the step that a certificate names."""
        kind = document["step"]
        if kind not in STEPS:
            raise NotWritten(f"the step {kind}")
        return STEPS[kind](self, place, f, document, strict)


_KINDS = {"log": "log", "exp": "exp", "pow": "root", "Phi": "phi"}
_FIXED: dict[tuple[str, object], Fraction] = {
    ("exp", 0): Fraction(1), ("Phi", 0): Fraction(1, 2), ("log", 1): Fraction(0), ("pow", 0): Fraction(0), ("pow", 1): Fraction(1),
}  # fmt: skip
"""Values of functions at numbers."""


class DescentReading:
    """Terms read as quotients over the tower of a certificate, by the images of functions.

    Args:
        here: the place of the tower.
        free: the free tower of the claim.
        images: of its generators.
        hints: what the certificate says of them.
    """

    def __init__(self, here: WritingPlace, free: Tower, images: Mapping[int, Quotient], hints: Sequence[Any]) -> None:
        self.here, self.images, self.hints = here, images, hints
        self.inner = [(g.kind, g.order, through(g.inner, images)) for g in free.generators]
        self.exponents: dict[Term, Term] = {}
        self._known: dict[Term, Quotient | None] = {}

    def quotient_of(self, t: Term) -> Quotient | None:
        """The quotient of a term; None of what is not read."""
        if t not in self._known:
            try:
                self._known[t] = self._read(t)
            except (NotWritten, DescentRefused):
                self._known[t] = None
        return self._known[t]

    def _read(self, t: Term) -> Quotient:
        here = self.here
        if t in here.terms:
            return poly.generator(here.terms.index(t)), UNIT
        if t.tag in _KINDS:
            return self._function(t)
        parts = [self.quotient_of(part) for part in t.parts]
        if None in parts:
            raise NotWritten("a term that is no quotient", t.tag)
        found = [part for part in parts if part is not None]
        q = value(t)
        if q is not None:
            return poly.constant(q), UNIT
        if t.tag == "+":
            return poly.sum_of(found)
        if t.tag == "*":
            (n, d), (m, e) = found
            return poly.times(n, m), poly.times(d, e)
        if t.tag == "^":
            k = exponent_of(t)
            n, d = found[0] if k >= 0 else found[0][::-1]
            return poly.power(n, abs(k)), poly.power(d, abs(k))
        raise NotWritten("a term that is no quotient", t.tag)

    def _function(self, t: Term) -> Quotient:
        inner, tower = self.quotient_of(t.parts[0]), self.here.tower
        if inner is None:
            raise NotWritten("a term that is no quotient", t.tag)
        order = value(t.parts[1]) if t.tag == "pow" else Fraction(1)
        if order is None:
            return self._power(t, inner)
        if (own := _FIXED.get((t.tag, constant_of(inner)))) is not None:
            return poly.constant(own), UNIT
        for i, (kind, root, argument) in enumerate(self.inner):
            if kind != _KINDS[t.tag] or t.tag == "pow" and root != order.denominator:
                continue
            if not tower.equal(inner, argument):
                continue
            if kind in ("exp", "log"):
                self.exponents[t] = self._exponent(i)
            n, d = self.images[i] if order > 0 else self.images[i][::-1]
            return poly.power(n, abs(order.numerator)), poly.power(d, abs(order.numerator))
        raise NotWritten("a term that is no quotient", t.tag)

    def _power(self, t: Term, base: Quotient) -> Quotient:
        """a^r = e^{r log a}."""
        tower, exponent = self.here.tower, self.quotient_of(t.parts[1])
        log = next((self.images[i] for i, (kind, _, own) in enumerate(self.inner) if kind == "log" and tower.equal(base, own)), None)
        if exponent is None or log is None:
            raise NotWritten("a term that is no quotient", t.tag)
        product = poly.times(exponent[0], log[0]), poly.times(exponent[1], log[1])
        for i, (kind, _, own) in enumerate(self.inner):
            if kind == "exp" and tower.equal(product, own):
                self.exponents[t] = self._exponent(i)
                return self.images[i]
        raise NotWritten("a term that is no quotient", t.tag)

    def _exponent(self, index: int) -> Term:
        """Σ k·w + Σ k·log a for an exponential that is Π exp(w)^k · Π a^k, or the logarithm of that product."""
        tower, terms = self.here.tower, self.here.terms
        rows = [(int(i), int(k)) for i, k in self.hints[index][1]]
        return sum_of_terms(multiple(k, terms[i] if tower.generators[i].kind == "log" else terms[i].parts[0]) for i, k in rows)


def _merged(rows: Rows) -> Rows:
    """Rows of factors in which one without a proof of its own stands once, with all its powers; those that are 1 are left out."""
    found: dict[object, tuple[str, Polynomial, int, Any, bool]] = {}
    for key, f, k, proof, strict in rows:
        power_ = k if key == "num" else -k
        mark = frozenset(f.items()) if proof is None else len(found)
        if mark in found:
            own, _, before, _, sure = found[mark]
            power_, strict = power_ + (before if own == "num" else -before), strict or sure
        if f != UNIT:
            found[mark] = "num" if power_ >= 0 else "den", f, abs(power_), proof, strict
    return list(found.values())


def _divisors(t: Term) -> list[Term]:
    """What a term divides by."""
    return list(dict.fromkeys(s.parts[0] for s in subterms(t) if s.tag == "^" and exponent_of(s) < 0))


def functions_in(t: Term) -> list[Term]:
    """The functions and divisors in a term, the inner ones first."""
    found = [s for part in t.parts for s in functions_in(part)]
    own = t.tag in _KINDS
    divisor = t.tag == "^" and (exponent_of(t) < 0 and t.parts[0].tag not in ("v", "q") or t.parts[0].tag == "pow")
    return [*found, t] if own or divisor else found


def scale_of(place: WritingPlace, rows: Sequence[tuple[Polynomial, int]]) -> Term:
    """1/Π s^k as a product of negative powers."""
    return product_of((place.term(s), -k) for s, k in rows)


def scaled_rows(document: Document) -> list[tuple[Polynomial, int]]:
    """The scale of a step."""
    return [(s, int(k)) for s, k in document["scale"]]


__all__ = ["STEPS", "Descents", "Document", "FactorProduct", "Rows", "Step", "scale_of", "scaled_rows", "times"]
