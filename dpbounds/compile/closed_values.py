"""Closed forms of the Gaussian quantities of a claim as equations, and that integrals with a closed form exist."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations
from typing import Any

from dpbounds.compile.bounds import BoundLemmas
from dpbounds.compile.integrals.antiderivatives import ClosedIntegral
from dpbounds.compile.integrals.gaussian_deltas import GaussianDeltas
from dpbounds.compile.integrals.gaussian_moments import closed_moment
from dpbounds.compile.integrals.laplace_laws import LaplaceLaws
from dpbounds.compile.steps import Steps
from dpbounds.compile.towers.descents import Descents
from dpbounds.compile.towers.problems import subterms
from dpbounds.kernel.notation import show
from dpbounds.kernel.terms import ONE, ZERO, Term, at_most, below, equal, instantiate, minus, negative, number
from dpbounds.language.density_pairs import laplace_scale
from dpbounds.language.functions import GaussianDelta, GaussianRenyi, HockeyStick, MechanismDelta, MechanismRenyi
from dpbounds.language.typed.read_sympy import Statements

Follows = Callable[[Term], int | None]
"""A step that says a formula, from what is given; None where none is found."""


class ClosedValues:
    """Closed forms in one document.

    Args:
        steps: the document.
        bounds: its lemmas.
        read: the reader of the claim.
        follows: what follows from what is given.
    """

    def __init__(self, steps: Steps, bounds: BoundLemmas, read: Statements, follows: Follows) -> None:
        self.steps, self.bounds, self.read, self.follows = steps, bounds, read, follows
        self.integrals: list[int] = []

    def equations(self, statement: Sequence[Any], shown: Sequence[int], known: list[int]) -> list[int]:
        """Equations for the Gaussian quantities of a statement, and for Φ at the same place written in two ways.

        Args:
            statement: the claim and its premises.
            shown: steps in which Φ may be written otherwise.
            known: what is given; what the closed forms need besides is added.
        """
        deltas, moments = self._deltas(statement), self._moments(statement, known)
        own = sorted({t for k in deltas for t in subterms(self.steps.formula(k).parts[1]) if t.tag == "Phi"}, key=show)
        known += self._bases_of(own)
        found = [*self._turned(own, known), *deltas, *moments]  # an equation is read with those before it
        others = {t for k in shown for t in subterms(self.steps.formula(k)) if t.tag == "Phi"} if own else set()
        for t in sorted(others - set(own), key=show):
            same = (self.steps.attempt("ring", *known, formula=equal(t.parts[0], u.parts[0])) for u in own)
            found += [self.steps.write("congruence", k, term=t) for k in [next((k for k in same if k is not None), None)] if k is not None]
        return found

    def of_laplace_noise(self, c: Descents, statement: Sequence[Any], known: list[int]) -> list[int]:
        """Equations for δ and D_α of Laplace noise, and δ of two such densities; that a moment is positive is added to what is known."""
        found = []
        for quantity in sorted(set().union(*(e.atoms(MechanismDelta, MechanismRenyi, HockeyStick) for e in statement)), key=str):
            laws = quantity.args[1:] if isinstance(quantity, HockeyStick) else quantity.laws()
            scale = None if laws is None or len(laws) != 3 else laplace_scale(*laws)
            sign = None if scale is None else self.follows(below(ZERO, self.read.term(scale)))
            closed = None if sign is None else self._of_laplace(c, quantity, scale, sign, known)
            if closed is not None:
                self.integrals.append(closed.integrable)
                found.append(closed.equation)
        return found

    def _of_laplace(self, c: Descents, quantity: Any, scale: Any, sign: int, known: list[int]) -> ClosedIntegral | None:
        made, order = LaplaceLaws(c, self.read, self.read.term(scale), sign, known), self.read.term(quantity.args[0])
        total = next(t for t in subterms(self.read.term(quantity)) if t.tag == "line")
        if isinstance(quantity, (MechanismDelta, HockeyStick)):
            least = self.follows(at_most(ZERO, order))
            return None if least is None else made.delta(total, order, least)
        if order == ONE:
            return made.divergence(total)
        above = self.follows(below(ONE, order))
        if above is None:
            return None
        closed, positive = made.moment(total, order, above)
        known.append(positive)
        return closed

    def _deltas(self, statement: Sequence[Any]) -> list[int]:
        made, found = GaussianDeltas(self.bounds), []
        for delta in sorted(set().union(*(e.atoms(GaussianDelta) for e in statement)), key=str):
            terms = [self.read.term(part) for part in delta.args]
            signs = [k for t in terms[1:] if (k := self.follows(below(ZERO, t))) is not None]
            if len(signs) == 2:
                closed = made.instance(terms[0], terms[1], terms[2], *signs)
                self.integrals.append(closed.integrable)
                found.append(closed.equation)
        return found

    def _moments(self, statement: Sequence[Any], known: list[int]) -> list[int]:
        found = []
        for divergence in sorted(set().union(*(e.atoms(GaussianRenyi) for e in statement)), key=str):
            order, s, d = (self.read.term(part) for part in divergence.args)
            sign, above = self.follows(below(ZERO, s)), self.follows(below(ONE, order)) if order.free else None
            total = next(t for t in subterms(self.read.term(divergence)) if t.tag == "line")
            if sign is not None:
                moment = closed_moment(self.steps, total, order, s, d, known, sign)
                self.integrals.append(moment.integrable)
                found.append(moment.equation)
                known += [] if above is None else [above]
        return found

    def _turned(self, own: Sequence[Term], known: Sequence[int]) -> list[int]:
        """Φ(0) = 1/2, and Φ(a) = 1 − Φ(−a), where the second one stands there too."""
        steps, found, half = self.steps, [], number("1/2")
        for u in own:
            middle = steps.attempt("ring", *known, formula=equal(u.parts[0], ZERO))
            if middle is not None:
                moved, both = steps.write("congruence", middle, term=u), steps.write("normal_symmetry", term=ZERO)
                found.append(steps.write("linear", moved, both, formula=equal(u, half), multipliers=[ONE, half]))
        for u, v in combinations(own, 2):
            same = steps.attempt("ring", *known, formula=equal(u.parts[0], negative(v.parts[0])))
            if same is not None:
                moved, both = steps.write("congruence", same, term=u), steps.write("normal_symmetry", term=v.parts[0])
                found.append(steps.write("linear", both, moved, formula=equal(u, minus(ONE, v)), multipliers=[ONE]))
        return found

    def _bases_of(self, terms: Iterable[Term]) -> list[int]:
        """That bases of powers in terms are positive, as far as that follows."""
        bases = dict.fromkeys(t.parts[0] for whole in terms for t in subterms(whole) if t.tag == "pow")
        shown = (self.follows(below(ZERO, base)) for base in bases if base.free)
        return [k for k in shown if k is not None]

    def join(self, start: int, split: int) -> None:
        """An integral that exists in both cases of a step exists; the cases are what was found from a place on, the second one first."""
        found: dict[Term, list[int]] = {}
        for k in self.integrals[start:]:
            found.setdefault(self.steps.formula(k), []).append(k)
        both = [self.steps.attempt("cases", split, *reversed(pair)) for pair in found.values() if len(pair) == 2]
        self.integrals[start:start] = [k for k in both if k is not None]

    def integrable(self, o: Term, known: Sequence[int]) -> int | None:
        """That an integral with a closed form exists, or a multiple of it by a variable."""
        steps, x = self.steps, self.steps.fresh("x")
        for c in (ONE, *sorted((v for v in o.free if isinstance(v, Term) and v.sort == "R"), key=show)):
            for own in self.integrals:
                if steps.formula(own) == o:
                    return own
                every = own if c == ONE else steps.write("integrable_multiple", own, factor=c)
                (body,) = steps.formula(every).parts
                same = steps.attempt("ring", *known, formula=equal(instantiate(body, x), instantiate(o.parts[0], x)))
                if same is not None:
                    return steps.write("integrable_congruence", same, every, variable=x)
        return None
