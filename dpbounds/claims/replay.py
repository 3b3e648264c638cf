"""Re-check a certificate without the code that found it.

Boxes and points are checked with mpmath intervals (`intervals`) and exact rationals; proofs by running their steps again, and they are
marked as such. Where a statement needs a quantity that the small checker cannot evaluate, the ball engine recomputes it and
the report says so. The digest catches careless edits; every field that carries meaning is checked besides.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sympy
from sympy.logic.boolalg import Boolean

from dpbounds import balls, functions
from dpbounds.claims import certificate, instance
from dpbounds.claims.certify import LeafTests
from dpbounds.claims.claim import Claim
from dpbounds.claims.definedness import conditions_of
from dpbounds.claims.domain import Domain
from dpbounds.claims.expression_text import read_expression
from dpbounds.claims.intervals import Intervals, Undefined, Unsupported
from dpbounds.claims.prove import Proved, prove
from dpbounds.claims.verdict import Verdict
from dpbounds.errors import CertificateError
from dpbounds.quantifiers import ForAll

Sides = tuple[tuple[Fraction, Fraction], ...]
_EXTRA_DEPTH = 10


@dataclass(frozen=True)
class Replayed:
    """A certificate that survived.

    Attributes:
        claim: the claim's id.
        verdict: what the certificate establishes.
        checked_by: "intervals and rationals", "steps run again", or "ball engine" where the small checker does not reach.
    """

    claim: str
    verdict: Verdict
    checked_by: str


def replay(document: Mapping[str, Any], claim: Claim | None = None) -> Replayed:
    """Check a certificate again.

    Args:
        document: the certificate, as `certificate.read` returns it.
        claim: the claim it should be about; needed for proofs, and compared with the certificate's statement when given.

    Raises:
        CertificateError: the certificate does not establish its verdict.
    """
    try:
        statement = _Statement.read(document)
        if claim is not None and (claim.statement != document["statement"] or claim.statement_hash != document["statement_hash"]):
            raise CertificateError(f"{document['claim']}: the certificate is about another statement than the claim")
        method, verdict = document["method"], document["verdict"]
        if (method, verdict) == ("counterexample", "REFUTED"):
            return Replayed(document["claim"], Verdict.REFUTED, _check_point(statement, document["evidence"]))
        if (method, verdict) == ("boxes", "CERTIFIED"):
            return Replayed(document["claim"], Verdict.CERTIFIED, _check_boxes(statement, document["evidence"]))
        if (method, verdict) == ("evaluation", "PROVED"):
            if document["evidence"] or statement.then is not sympy.true:
                raise CertificateError(f"{document['claim']}: the statement does not evaluate to true")
            return Replayed(document["claim"], Verdict.PROVED, "steps run again")
        if (method, verdict) == ("derivation", "PROVED"):
            return _check_proof(document, claim)
        raise CertificateError(f"{document['claim']}: no method {method!r} establishes {verdict!r}")
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise CertificateError(f"malformed certificate: {error.__class__.__name__}: {error}") from error


@dataclass(frozen=True)
class _Statement:
    then: Any
    given: tuple[Any, ...]
    names: Mapping[str, Any]
    families: Mapping[str, sympy.IndexedBase]

    @classmethod
    def read(cls, document: Mapping[str, Any]) -> _Statement:
        text = document["statement"]
        then, given = read_expression(text["then"]), tuple(read_expression(premise) for premise in text["given"])
        probe = Claim(id=document["claim"].split("~")[0] + "~replayed", text="", then=then, given=given)
        if probe.statement != text or probe.statement_hash != document["statement_hash"]:
            raise CertificateError(f"{document['claim']}: statement and statement hash do not fit")
        names = {str(v): v for v in probe.variables}
        return cls(then, given, names, {str(f): f for f in probe.families})

    @property
    def constraints(self) -> list[Boolean]:
        """Premises and sign assumptions, read off the symbols anew."""
        signs: list[Boolean] = []
        for v in self.names.values():
            if v.is_positive:
                signs.append(sympy.Gt(v, 0, evaluate=False))
            elif v.is_nonnegative:
                signs.append(sympy.Ge(v, 0, evaluate=False))
            if v.is_negative:
                signs.append(sympy.Lt(v, 0, evaluate=False))
            elif v.is_nonpositive:
                signs.append(sympy.Le(v, 0, evaluate=False))
        return [*signs, *self.given]


# --- points --------------------------------------------------------------------------------------------------------


def _check_point(statement: _Statement, evidence: Mapping[str, Any]) -> str:
    if set(evidence) != {"point"} or set(evidence["point"]) != {*statement.names, *statement.families}:
        raise CertificateError("the point does not name exactly the variables of the statement")
    point: dict[Any, Any] = {}
    for name, value in evidence["point"].items():
        if name in statement.families:
            point[statement.families[name]] = tuple(read_expression(entry) for entry in value)
        else:
            point[statement.names[name]] = read_expression(value)
    _check_kinds(point)
    by = "intervals and rationals"
    for condition, wanted in [*((c, True) for c in statement.constraints), (statement.then, False)]:
        truth, needed_balls = _truth_at(condition, point)
        by = "ball engine" if needed_balls else by
        if truth is not wanted:
            raise CertificateError(f"the point does not {'satisfy' if wanted else 'violate'} {condition}")
    return by


def _check_kinds(point: Mapping[Any, Any]) -> None:
    for key, value in point.items():
        symbol = key[1] if isinstance(key, sympy.IndexedBase) else key
        for entry in value if isinstance(value, tuple) else (value,):
            wrong = (
                not (entry.is_number and entry.is_finite and entry.is_real)
                or (symbol.is_integer and not entry.is_Integer)
                or (symbol.is_positive and not entry.is_positive)
                or (symbol.is_nonnegative and not entry.is_nonnegative)
                or (symbol.is_even and entry % 2 != 0)
                or (symbol.is_odd and entry % 2 != 1)
                or (symbol.is_nonzero and entry == 0)
            )
            if wrong:
                raise CertificateError(f"{entry} is not a value of {key}")


def _truth_at(condition: Any, point: Mapping[Any, Any]) -> tuple[bool | None, bool]:
    """(truth, whether the ball engine was needed)."""
    if condition in (sympy.true, sympy.false):
        return bool(condition), False
    if isinstance(condition, ForAll):
        return instance.truth_at(condition, point), True
    if isinstance(condition, (sympy.And, sympy.Or, sympy.Not, sympy.Implies)):
        parts = [_truth_at(part, point) for part in condition.args]
        needed = any(part[1] for part in parts)
        truths = [part[0] for part in parts]
        if isinstance(condition, sympy.Not):
            return (None if truths[0] is None else not truths[0]), needed
        if isinstance(condition, sympy.Implies):
            truths = [None if truths[0] is None else not truths[0], truths[1]]
        decisive = not isinstance(condition, sympy.And)
        if decisive in truths:
            return decisive, needed
        return (None if None in truths else not decisive), needed
    sides = [functions.expand_quantities(instance.instantiate(side, point)) for side in condition.args]
    if all(side.is_Rational or side is sympy.oo for side in sides):
        return bool(type(condition)(*sides)), False
    try:
        for bits in (80, 200, 600):
            intervals = Intervals(bits)
            truth = intervals.truth(type(condition)(*sides, evaluate=False), {})
            if truth is not None:
                return truth, False
    except (Unsupported, Undefined):
        return instance.decide(type(condition), *sides), True
    if not instance.exactly_equal(*sides):
        return None, False
    return isinstance(condition, (sympy.Le, sympy.Ge, sympy.Eq)), False


# --- boxes ---------------------------------------------------------------------------------------------------------


def _check_boxes(statement: _Statement, evidence: Mapping[str, Any]) -> str:
    expected = {"variables", "root", "tree", "leaves", "outside", "bits", "substitution"}
    if set(evidence) != expected:
        raise CertificateError("a certificate of boxes needs " + ", ".join(sorted(expected)))
    substitution = {statement.names[name]: read_expression(text) for name, text in evidence["substitution"].items()}
    then, constraints = _substituted(statement, substitution)
    variables = [statement.names[name] for name in evidence["variables"]]
    if sorted(map(str, variables)) != sorted(str(v) for v in statement.names.values() if v not in substitution):
        raise CertificateError("the boxes do not cover exactly the variables of the statement")
    root: Sides = tuple((Fraction(low), Fraction(high)) for low, high in evidence["root"])
    if len(root) != len(variables) or not isinstance(evidence["bits"], int) or not 20 <= evidence["bits"] <= 10_000:
        raise CertificateError("the root box does not fit the variables")
    intervals = Intervals(evidence["bits"] + 20)
    _check_root(intervals, variables, root, constraints)
    by = "intervals and rationals"
    try:
        leaves, outside = _walk(evidence["tree"], root, variables, _LeafChecker(intervals, variables, root, then, constraints))
    except Unsupported:
        by = "ball engine"
        leaves, outside = _walk(evidence["tree"], root, variables, _BallChecker(variables, root, then, constraints, evidence["bits"]))
    if (leaves, outside) != (evidence["leaves"], evidence["outside"]):
        raise CertificateError("the numbers of leaves do not fit the tree")
    return by


def _substituted(statement: _Statement, substitution: Mapping[Any, Any]) -> tuple[Any, list[Boolean]]:
    constraints: list[Boolean] = []
    for constraint in statement.constraints:
        replaced = constraint.subs(substitution) if substitution else constraint
        if replaced is not sympy.true:
            constraints.append(replaced)
    used = {
        s
        for c in statement.given
        if isinstance(c, sympy.Eq)
        for s in c.free_symbols
        if sympy.expand((c.lhs - c.rhs).subs(substitution)) == 0
    }
    if not set(substitution) <= used:
        raise CertificateError("a substitution does not follow from an equality premise")
    return (statement.then.subs(substitution) if substitution else statement.then), constraints


def _check_root(intervals: Intervals, variables: list[Any], root: Sides, constraints: list[Boolean]) -> None:
    """Every side of the root must follow from a premise whose other variables are bounded already: no circular bounds."""
    position = {v: i for i, v in enumerate(variables)}
    done: set[tuple[int, int]] = set()
    for _ in range(2 * len(variables) + 1):
        for constraint in constraints:
            for v, end, bound in _bounds_in(constraint):
                if (
                    v in position
                    and (position[v], end) not in done
                    and _implied(intervals, bound, end, root[position[v]][end], position, root, done, bool(v.is_integer))
                ):
                    done.add((position[v], end))
    missing = [str(v) for v, i in position.items() for end in (0, 1) if (i, end) not in done]
    if missing:
        raise CertificateError(f"the premises do not bound {', '.join(dict.fromkeys(missing))} as the root box says")


def _bounds_in(constraint: Any) -> list[tuple[Any, int, Any]]:
    if isinstance(constraint, (sympy.Le, sympy.Lt)):
        small, large = constraint.args
    elif isinstance(constraint, (sympy.Ge, sympy.Gt)):
        large, small = constraint.args
    elif isinstance(constraint, sympy.Eq):
        left, right = constraint.args
        return _bounds_in(sympy.Le(left, right, evaluate=False)) + _bounds_in(sympy.Le(right, left, evaluate=False))
    else:
        return []
    rest_of, found = sympy.expand(large - small), []
    for symbol in rest_of.free_symbols:
        slope = rest_of.coeff(symbol)
        rest = sympy.expand(rest_of - slope * symbol)
        if slope.is_number and not slope.is_zero and not rest.has(symbol):
            found.append((symbol, 0 if slope > 0 else 1, -rest / slope))
    return found


def _implied(
    intervals: Intervals,
    bound: Any,
    end: int,
    claimed: Fraction,
    position: Mapping[Any, int],
    root: Sides,
    done: set[tuple[int, int]],
    whole: bool,
) -> bool:
    box = {}
    for symbol in bound.free_symbols:
        if symbol not in position:
            return False
        i = position[symbol]
        if (i, 0) in done and (i, 1) in done:
            box[symbol] = intervals.side(*root[i])
        elif (i, 0) in done and root[i][0] > 0 and _is_decreasing_monomial(bound, symbol):
            box[symbol] = intervals.side(root[i][0], root[i][0])  # the largest value is at the smallest x
        else:
            return False
    corner = {
        symbol: sympy.Rational(*root[position[symbol]][0].as_integer_ratio())
        for symbol in box
        if intervals.low(box[symbol]) == intervals.high(box[symbol])
    }
    exact = bound.xreplace(corner)
    if exact.is_Rational:
        low = high = Fraction(int(exact.p), int(exact.q))
    else:
        try:
            value = intervals.value(bound, box)
        except (Undefined, Unsupported):
            return False
        low, high = intervals.low(value), intervals.high(value)
    # An integer variable below a bound is below its floor.
    return high <= claimed or (whole and high < claimed + 1) if end else low >= claimed or (whole and low > claimed - 1)


def _is_decreasing_monomial(bound: Any, symbol: Any) -> bool:
    """c·x^(−n)·(other negative powers) with c > 0: largest at the smallest x."""
    coefficient, factors = bound.as_coeff_mul()
    pairs = [factor.as_base_exp() for factor in factors]
    return bool(coefficient.is_positive) and all(base.is_Symbol and exponent.is_Integer and exponent < 0 for base, exponent in pairs)


def _walk(tree: str, root: Sides, variables: list[Any], checker: _LeafChecker | _BallChecker) -> tuple[int, int]:
    stack, leaves, outside, position = [root], 0, 0, 0
    while stack:
        if position >= len(tree):
            raise CertificateError("the tree ends early")
        box, token = stack.pop(), tree[position]
        position += 1
        if token == "+":
            if not checker.holds(box):
                raise CertificateError(f"a leaf does not hold: {_shown(box, variables)}")
            leaves += 1
        elif token == "-":
            if not checker.outside(box):
                raise CertificateError(f"a leaf is not outside the domain: {_shown(box, variables)}")
            outside += 1
        elif token.isdigit() and int(token) < len(root):
            first, second = _bisect(box, int(token), bool(variables[int(token)].is_integer))
            stack += [second, first]
        else:
            raise CertificateError(f"unknown token {token!r} in the tree")
    if position != len(tree):
        raise CertificateError("the tree goes on after its last leaf")
    return leaves, outside


def _bisect(box: Sides, axis: int, whole: bool) -> tuple[Sides, Sides]:
    low, high = box[axis]
    if low == high:
        raise CertificateError("a side of length 0 cannot be split")
    middle = (low + high) / 2
    ends = ((low, Fraction(middle.__floor__())), (Fraction(middle.__floor__() + 1), high)) if whole else ((low, middle), (middle, high))
    first, second = ((*box[:axis], side, *box[axis + 1 :]) for side in ends)
    return first, second


def _shown(box: Sides, variables: list[Any]) -> str:
    return ", ".join(f"{v} in [{low}, {high}]" for v, (low, high) in zip(variables, box, strict=True))


class _BallChecker:
    """Decides single boxes with the engine of `certify`, for statements that the small checker cannot evaluate."""

    def __init__(self, variables: list[Any], root: Sides, then: Any, constraints: list[Boolean], bits: int) -> None:
        self._leaves = LeafTests(Domain(tuple(variables), (), tuple(constraints)), then, root)
        self._bits = bits

    def outside(self, box: Sides) -> bool:
        """True when some premise surely fails on the whole box."""
        with balls.precision(self._bits):
            return self._leaves.outside(box)

    def holds(self, box: Sides) -> bool:
        """True when the statement surely holds, and is surely defined, on the whole box."""
        with balls.precision(self._bits):
            return self._leaves.bound(box, touching=True).truth is True and self._leaves.defined(box)


class _LeafChecker:
    """Decides single boxes: natural intervals, then slopes, then Taylor at a face where the gap vanishes, then a few splits more."""

    def __init__(self, intervals: Intervals, variables: list[Any], root: Sides, then: Any, constraints: list[Boolean]) -> None:
        self.intervals, self.variables, self.root, self.then, self.constraints = intervals, variables, root, then, constraints
        self._cache: dict[Any, Any] = {}

    def outside(self, box: Sides) -> bool:
        """True when some premise surely fails on the whole box."""
        sides = self._sides(box)
        return any(self.intervals.truth(c, sides) is False for c in self.constraints if not c.has(sympy.Mod))

    def holds(self, box: Sides, depth: int = 0) -> bool:
        """True when the statement surely holds, and is surely defined, on the whole box."""
        if self._statement(self.then, box) and self._defined(box):
            return True
        if depth >= _EXTRA_DEPTH:
            return False
        widths = [
            (high - low) / (last - first) if last > first else Fraction(0)
            for (low, high), (first, last) in zip(box, self.root, strict=True)
        ]
        axis = widths.index(max(widths))
        if widths[axis] == 0:
            return False
        return all(self.outside(half) or self.holds(half, depth + 1) for half in _bisect(box, axis, bool(self.variables[axis].is_integer)))

    def _sides(self, box: Sides) -> dict[Any, Any]:
        return {v: self.intervals.side(low, high) for v, (low, high) in zip(self.variables, box, strict=True)}

    def _defined(self, box: Sides) -> bool:
        if "conditions" not in self._cache:
            # A condition that is a premise itself holds on the domain, though not on the closed box.
            premises = {part for c in self.constraints if (part := _positive_part(c)) is not None}
            needed = [c for c in conditions_of(self.then) + conditions_of(_elementary(self.then)) if not _follows(c, premises)]
            self._cache["conditions"] = list(dict.fromkeys(needed))
        sides = self._sides(box)
        return all(self.intervals.truth(c, sides) is True for c in self._cache["conditions"])

    def _statement(self, then: Any, box: Sides) -> bool:
        if then is sympy.true:
            return True
        if isinstance(then, sympy.And):
            return all(self._statement(part, box) for part in then.args)
        if isinstance(then, sympy.Or):
            return any(self._statement(part, box) for part in then.args)
        if isinstance(then, sympy.Implies):
            return self._statement(sympy.Or(sympy.Not(then.args[0]), then.args[1]), box)
        if not isinstance(then, (sympy.Le, sympy.Lt, sympy.Ge, sympy.Gt)):
            return False
        return self._gap_holds(then, box)

    def _gap_holds(self, relation: Any, box: Sides) -> bool:
        large, small = (relation.rhs, relation.lhs) if isinstance(relation, (sympy.Le, sympy.Lt)) else (relation.lhs, relation.rhs)
        strict = isinstance(relation, (sympy.Lt, sympy.Gt))
        gap = self._derivative(relation, lambda: self._cleared(functions.expand_quantities(large) - functions.expand_quantities(small)))
        return (
            self._natural(gap, box, strict)
            or self._sloped(relation, gap, box, strict)
            or (not strict and self._at_face(relation, gap, box))
        )

    def _cleared(self, gap: Any) -> Any:
        """The gap times those denominators that the premises make positive on the domain: the same sign."""
        premises = {part for c in self.constraints if (part := _positive_part(c)) is not None}
        factor = sympy.S.One
        for power in gap.atoms(sympy.Pow):
            if power.exp.is_Integer and power.exp < 0 and power.base.is_Add and _follows(sympy.Gt(power.base, 0, evaluate=False), premises):
                factor = sympy.lcm(factor, power.base**-power.exp)
        return sympy.Add(*(sympy.cancel(factor * term) for term in sympy.Add.make_args(gap))) if factor != 1 else gap

    def _natural(self, gap: Any, box: Sides, strict: bool) -> bool:
        try:
            value = self.intervals.value(gap, self._sides(box))
        except Undefined:
            return False
        return bool(value.a > 0 if strict else value.a >= 0)

    def _derivative(self, key: Any, build: Any) -> Any:
        if key not in self._cache:
            self._cache[key] = build()
        return self._cache[key]

    def _sloped(self, relation: Any, gap: Any, box: Sides, strict: bool) -> bool:
        if gap.has(sympy.Piecewise, sympy.Abs, sympy.Max, sympy.Min, sympy.floor, sympy.ceiling, sympy.Sum, functions.PrivacyQuantity):
            return False
        sides = self._sides(box)
        try:
            slopes = [self.intervals.value(self._derivative((relation, v), lambda v=v: sympy.diff(gap, v)), sides) for v in self.variables]
            corner, rest = dict(sides), self.intervals.context.mpf(0)
            for v, slope, (low, high) in zip(self.variables, slopes, box, strict=True):
                if slope.a >= 0 or slope.b <= 0:
                    end = low if slope.a >= 0 else high
                    corner[v] = self.intervals.side(end, end)
                else:
                    middle = (low + high) / 2
                    corner[v] = self.intervals.side(middle, middle)
                    rest = rest + slope * (sides[v] - corner[v])
            value = self.intervals.value(gap, corner) + rest
        except Undefined:
            return False
        return bool(value.a > 0 if strict else value.a >= 0)

    def _at_face(self, relation: Any, gap: Any, box: Sides) -> bool:
        if gap.has(sympy.Piecewise, sympy.Abs, sympy.Max, sympy.Min, sympy.Sum, functions.PrivacyQuantity):
            return False
        for position, (v, whole) in enumerate(zip(self.variables, self.root, strict=True)):
            for end, low in ((0, True), (1, False)):
                face = sympy.Rational(whole[end].numerator, whole[end].denominator)
                order, derivative = self._derivative((relation, v, face), lambda v=v, face=face: _first_nonvanishing(gap, v, face))
                if order:
                    side = (whole[0], box[position][1]) if low else (box[position][0], whole[1])
                    try:
                        value = self.intervals.value(derivative, self._sides((*box[:position], side, *box[position + 1 :])))
                    except Undefined:
                        continue
                    if value.a >= 0 if low or order % 2 == 0 else value.b <= 0:
                        return True
        return False


def _first_nonvanishing(gap: Any, v: Any, face: Any) -> tuple[int, Any]:
    """(order, derivative) of the first derivative that does not vanish on the face; order 0 when the gap itself does not."""
    derivative = gap
    for order in range(5):
        on_face = derivative.subs(v, face)
        if on_face.has(sympy.nan, sympy.zoo, sympy.oo) or not (on_face == 0 or sympy.simplify(on_face) == 0):
            return order, derivative
        derivative = sympy.diff(derivative, v)
    return 0, derivative


def _elementary(condition: Any) -> Any:
    if isinstance(condition, sympy.core.relational.Relational):
        return condition.func(*(functions.expand_quantities(side) for side in condition.args))
    return condition.func(*(_elementary(part) for part in condition.args)) if condition.args else condition


def _positive_part(constraint: Any) -> tuple[Any, bool] | None:
    if isinstance(constraint, (sympy.Gt, sympy.Ge)):
        return sympy.expand(constraint.lhs - constraint.rhs), isinstance(constraint, sympy.Gt)
    if isinstance(constraint, (sympy.Lt, sympy.Le)):
        return sympy.expand(constraint.rhs - constraint.lhs), isinstance(constraint, sympy.Lt)
    return None


def _follows(condition: Any, premises: set[tuple[Any, bool]]) -> bool:
    """condition `e > 0`, `e >= 0` or `e != 0` follows from a premise `f > 0` or `f >= 0` with e − f a number of the right sign."""
    if isinstance(condition, sympy.Ne):
        e = sympy.expand(condition.lhs - condition.rhs)
        return any(_follows(sympy.Gt(s, 0, evaluate=False), premises) for s in (e, -e))
    part = _positive_part(condition)
    if part is None:
        return False
    for expression, strict in premises:
        excess = sympy.expand(part[0] - expression)
        if excess.is_number and (excess.is_positive or (excess.is_zero and (strict or not part[1]))):
            return True
        ratio = sympy.cancel(part[0] / expression) if expression != 0 else sympy.S.Zero
        if ratio.is_number and ratio.is_positive and (strict or not part[1]):
            return True
    return False


# --- proofs --------------------------------------------------------------------------------------------------------


def _check_proof(document: Mapping[str, Any], claim: Claim | None) -> Replayed:
    from dpbounds.claims.evidence import Proof

    if claim is None or not isinstance(claim.by, Proof):
        raise CertificateError(f"{document['claim']}: a proof is replayed by running its steps, so the claim's own file is needed")
    outcome = prove(claim, claim.by)
    if not isinstance(outcome, Proved):
        raise CertificateError(f"{document['claim']}: {outcome}")
    if certificate.of_proof(claim, outcome)["evidence"] != document["evidence"]:
        raise CertificateError(f"{document['claim']}: the steps of the derivation are not those of the certificate")
    return Replayed(document["claim"], Verdict.PROVED, "steps run again")
