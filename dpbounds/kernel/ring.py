"""Identities: a normal form of terms as polynomials in atoms, with what premises say about signs.

Specification. `Ring(premises).value(t)` is a polynomial that equals t wherever the premises hold. An atom stands for the number:

    a variable, π                    itself
    ("over", p)                      1/p, where p is certainly not 0
    ("inverse", p)                   1/p, which is 0 where p = 0
    ("exp", m)                       e^m for a monomial m
    ("log", p)                       log p, where p is certainly positive
    ("power", a, p)                  a^p, where the atom a is certainly ≥ 0; in the place of a, the key of a polynomial that is
    (tag, sign or symbol, p, …)      that function of p, …, whatever they are
    (tag, ends, (x, body))           that sum, integral, sup or inf
    ("term", t)                      t as it is written

"Certainly" means: by a premise, or by the structure of a polynomial all of whose atoms are certain (`certain`). Sums and integrals of terms
that are ≥ 0 in the range are ≥ 0, and a sum of positive terms over a range that is not empty is positive. Laws that are used:
e^a, n! and Φ are positive; those of a field, 1/(ab) = (1/a)(1/b) and 1/(1/a) = a (which hold for 0 too);
e^{a+b} = e^a e^b; log Π aᵢ^{kᵢ} = Σ kᵢ log aᵢ
where each aᵢ > 0 (a product's sign says nothing of its factors); a^b = e^{b log a} where a > 0; 0^b = 0 where b > 0;
(Π aᵢ^{kᵢ})^b = Π aᵢ^{kᵢ b} where each aᵢ ≥ 0 and kᵢ > 0 (the power itself for a
whole kᵢ b > 0), and (ca)^b = c^b a^b where c > 0 and a ≥ 0
(exponents of bases that may be 0 are never added); |ca| = c|a| and max(ca, cb) = c·max(a, b) where c > 0; max(a, b) = b where a ≤ b;
Σ(ca + b) = cΣa + Σb and ∫ca = c∫a for c without the bound variable; Σ_l^h 1 = h + 1 − l where l ≤ h + 1.
Within a sum or an integral a premise ∀x (A → F) is used where A follows from the range of x.

Nothing is claimed about terms that `value` tells apart.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from functools import reduce

from dpbounds.kernel.polynomials import (
    UNIT,
    Atom,
    Budget,
    Monomial,
    Number,
    Polynomial,
    add,
    atom,
    constant,
    divided,
    factors,
    key,
    multiply,
    ordered,
    power,
    quotient,
    scaled,
    smallest,
    without,
)
from dpbounds.kernel.terms import (
    BINDERS,
    EXTREMA,
    ONE,
    Term,
    at_most,
    binder_sort,
    exponent_of,
    instantiate,
    minus,
    need,
    number,
    substitute,
    variable,
)
from dpbounds.kernel.terms import value as number_of

LEVELS = 3
"""Logarithms of logarithms that are compared."""
WRITTEN = 16
"""Terms of a sum between numbers that are written out."""
POSITIVE, NONNEGATIVE, NONZERO = "positive", "nonnegative", "nonzero"
SIGNS = {"<": POSITIVE, "<=": NONNEGATIVE}
"""What a relation says of its right side less its left side."""


class Ring:
    """Normal forms under premises.

    Args:
        premises: formulas that hold: =, ≤, <, ≠, and these under ∧ and ∀x (A → …).
        budget: what may be spent.
    """

    def __init__(self, premises: Iterable[Term], budget: Budget) -> None:
        self.budget = budget
        self.known: dict[str, set[Hashable]] = {POSITIVE: set(), NONNEGATIVE: set(), NONZERO: set()}
        self.equations: dict[Atom, Polynomial] = {}
        self.universal: list[Term] = []
        self.open: list[Term] = []
        self._used: list[Term] = []
        self._values: dict[Term, Polynomial] = {}
        self._level = 0
        self._seen: dict[Atom, bool] = {}
        premises = list(premises)
        for f in premises:  # signs first: equations are read with them
            if f.tag != "=":
                self._learn(f)
        self._values, self._seen = {}, {}
        for f in premises:
            self.learn(f)

    # what is asked

    def zero(self, t: Term) -> bool:
        """True only if t = 0 wherever the premises hold."""
        return not self.cleared(self.value(t), NONZERO)

    def sign(self, t: Term, which: str) -> bool:
        """True only if t > 0, t ≥ 0 or t ≠ 0 wherever the premises hold."""
        return self.certain(self.cleared(self.value(t), POSITIVE), which)

    def holds(self, f: Term) -> bool:
        """True only if the relation f holds wherever the premises do."""
        if f.tag == "and":
            return all(map(self.holds, f.parts))
        if f.tag == "=":
            return self.zero(minus(*f.parts))
        if f.tag in SIGNS:
            low, high = f.parts
            return self.sign(minus(high, low), SIGNS[f.tag])
        return f.tag == "not" and f.parts[0].tag == "=" and self.sign(minus(*f.parts[0].parts), NONZERO)

    # what is known

    def learn(self, f: Term) -> None:
        """Use a formula that holds; one of another shape says nothing here."""
        before = self._amount()
        self._learn(f)
        if self._amount() > before:
            self._values, self._seen = {}, {}

    def _amount(self) -> int:
        """How much is known."""
        return len(self.universal) + len(self.equations) + sum(map(len, self.known.values()))

    def _learn(self, f: Term) -> None:
        if f.tag == "and":
            for part in f.parts:
                self._learn(part)
        elif f.tag == "all":
            self.universal += [f] * (f not in self.universal)
            for x in self.open:
                self._use(f, x)
        elif f.tag in SIGNS:
            low, high = f.parts
            self._learn_sign(minus(high, low), SIGNS[f.tag])
            if self.sign(low, NONNEGATIVE):  # what lies above a number that is not negative
                self._learn_sign(high, POSITIVE if f.tag == "<" or self.sign(low, POSITIVE) else NONNEGATIVE)
        elif f.tag == "not" and f.parts[0].tag == "=":
            self._learn_sign(minus(*f.parts[0].parts), NONZERO)
        elif f.tag == "=":
            left, right = map(self.value, f.parts)
            for one, other in ((left, right), (right, left)):
                found = self._solved(one)
                if found is not None and self._is_about_here(found[0]) and not mentions(key(other), found[0]):
                    self.equations[found[0]] = self._product(other, self.inverted(found[1]))
                    break

    def _solved(self, p: Polynomial) -> tuple[Atom, Polynomial] | None:
        """(a, c) with p = a·c and c certainly not 0, where a is the only atom or the only sum or integral; None if there is none."""
        ((m, c),) = p.items() if len(p) == 1 else [(UNIT, 0)]
        found = [a for a, e in m if e == 1 and (len(m) == 1 or (isinstance(a, tuple) and a[0] in BINDERS))]
        if len(found) != 1 or not all(self._atom_is(a, e, NONZERO) for a, e in m if a != found[0]):
            return None
        return found[0], {frozenset((a, e) for a, e in m if a != found[0]): c}

    def _learn_sign(self, t: Term, which: str) -> None:
        p = self.cleared(self.value(t), POSITIVE)
        if not p or not self._is_about_here(self._mark(p)):
            return
        self.known[which].add(self._mark(p))
        if len(p) == 1 and which != NONNEGATIVE:  # no factor of a product that is not 0 is 0
            for a, _ in next(iter(p)):
                if self._is_about_here(a):
                    self.known[NONZERO].add(scaled(atom(a)))

    def certain(self, p: Polynomial, which: str) -> bool:
        """True only if p is > 0, ≥ 0 or ≠ 0: by a premise up to a positive factor, or all its monomials are ≥ 0."""
        if not p:
            return which == NONNEGATIVE
        mark = self._mark(p)
        if mark in self.known[which] or mark in self.known[POSITIVE]:
            return True
        if which == NONZERO:
            opposite = add({}, p, -1)
            if len(p) == 1:
                return all(self._atom_is(a, e, NONZERO) for a, e in next(iter(p)))
            return self._mark(opposite) in self.known[NONZERO] or any(self.certain(side, POSITIVE) for side in (p, opposite))
        if not all(self._term_is(m, c, NONNEGATIVE) for m, c in p.items()):
            return len(p) == 2 and self._larger(p, which)
        return which == NONNEGATIVE or any(self._term_is(m, c, POSITIVE) for m, c in p.items())

    def _larger(self, p: Polynomial, which: str) -> bool:
        """a − b > 0 or ≥ 0 for products a, b of positive factors: log a − log b is."""
        (m, c), (n, d) = sorted(p.items(), key=lambda term: -term[1])
        if self._level >= LEVELS or not c > 0 > d or not all(self._positive(a) for a, _ in (*m, *n)):
            return False
        self._level += 1
        found = self.certain(add(self.log({m: c}), self.log({n: -d}), -1), which)
        self._level -= 1
        return found

    def _mark(self, p: Polynomial) -> Hashable:
        """A key of p up to a positive factor."""
        return scaled(self.content(p)[1][0] if len(p) > 1 or len(next(iter(p))) > 1 else p)

    def _term_is(self, m: Monomial, c: Number, which: str) -> bool:
        """c·m is > 0 or ≥ 0: each atom has a sign, and the signs and that of c give +."""
        for a, e in m:
            if not self._atom_is(a, e, which):
                if e.denominator != 1 or not self._opposite_is(a, which):
                    return False
                c = -c if e.numerator % 2 else c
        return c > 0

    def _opposite_is(self, a: Atom, which: str) -> bool:
        """−a is > 0 or ≥ 0: by a premise, or a = log p with p < 1 or p ≤ 1."""
        opposite = key(add({}, atom(a), -1))
        if opposite in self.known[which] or opposite in self.known[POSITIVE]:
            return True
        return isinstance(a, tuple) and a[0] == "log" and self.certain(add(constant(1), dict(a[1]), -1), which)

    def _atom_is(self, a: Atom, e: Number, which: str) -> bool:
        """The same for a^e, which may stand in a monomial; log p is > 0, ≥ 0 or ≠ 0 where p > 1, p ≥ 1 or p ≠ 1."""
        self.budget.spend(1)
        kind = a[0] if isinstance(a, tuple) else a.tag if isinstance(a, Term) else ""
        one = key(atom(a))
        if kind in ("exp", "pi", "Phi") or one in self.known[POSITIVE]:
            return True
        if kind == "over" and isinstance(a, tuple) and self.certain(dict(a[1]), which):
            return True
        if kind == "log" and isinstance(a, tuple) and self.certain(add(dict(a[1]), constant(1), -1), which):
            return True
        if which == NONNEGATIVE:
            return one in self.known[NONNEGATIVE] or kind in ("abs", "binom", "power") or e % 2 == 0
        return one in self.known[NONZERO] and (which == NONZERO or e % 2 == 0)

    # normal forms

    def value(self, t: Term) -> Polynomial:
        """The normal form of a term of sort R or Z without loose indices; remembered until something more is known."""
        if t not in self._values:
            found = self._value(t)
            self._values[t] = found
        return self._values[t]

    def _value(self, t: Term) -> Polynomial:
        self.budget.spend(1)
        need(t.sort in "RZ" and not t.loose, "ring is about real numbers")
        match t.tag:
            case "q":
                return constant(number_of(t) or 0)
            case "+":
                return add(self.value(t.parts[0]), self.value(t.parts[1]))
            case "*":
                return self._product(self.value(t.parts[0]), self.value(t.parts[1]))
            case "^":
                n = exponent_of(t)
                return power(self.value(t.parts[0]) if n >= 0 else self.inverse(t.parts[0]), abs(n), self.budget)
            case "exp":
                return self.exp(self.value(t.parts[0]))
            case "log":
                p = self.value(t.parts[0])
                return self.log(p) if self.certain(p, POSITIVE) else self.named(("log of", key(p)))
            case "pow":
                return self.pow(*t.parts)
            case "v" | "pi":
                return self.named(t)
            case "abs" | "max" | "min":
                return self.extreme(t)
            case "f" | "binom" | "Phi":
                return self.named((t.tag, t.data, *(key(self.value(part)) for part in t.parts)))
        return self.bound(t) if t.tag in BINDERS else self.named(("term", t))

    def named(self, a: Atom) -> Polynomial:
        """An atom, or what an equation says that it is."""
        return self.equations.get(a, atom(a))

    def _product(self, p: Polynomial, r: Polynomial) -> Polynomial:
        return multiply(p, r, self.budget)

    def inverse(self, t: Term) -> Polynomial:
        """1/t."""
        if t.tag == "*":
            return self._product(self.inverse(t.parts[0]), self.inverse(t.parts[1]))
        if t.tag == "^":
            n = exponent_of(t)
            return power(self.value(t.parts[0]) if n < 0 else self.inverse(t.parts[0]), abs(n), self.budget)
        return self.inverted(self.value(t))

    def inverted(self, p: Polynomial) -> Polynomial:
        """1/p, where 1/0 = 0."""
        if not p:
            return {}
        if len(p) > 1:
            least = smallest(p)
            one = add({}, p, quotient(1, least))
            name = "over" if self.certain(one, NONZERO) else "inverse"
            return add({}, self.named((name, key(one))), quotient(1, least))
        ((m, c),) = p.items()
        out = constant(quotient(1, c))
        for a, e in m:
            if self._atom_is(a, 1, NONZERO):
                out = self._product(out, atom(a, -e))
            elif isinstance(a, tuple) and a[0] == "inverse":
                out = self._product(out, power(dict(a[1]), int(e), self.budget))
            else:
                need(e > 0 and e.denominator == 1, "a power of what may be 0 is not inverted")
                out = self._product(out, power(self.named(("inverse", key(atom(a)))), int(e), self.budget))
        return out

    def exp(self, p: Polynomial) -> Polynomial:
        """e^p: e^{Σ c·m} = Π (e^m)^c, and e^{c·log a} = a^c."""
        out = constant(1)
        for m, c in self.lowered(self._folded(p)).items():
            inner = logarithm_of(m)
            a = None if inner is None else single(inner)
            if inner is None:
                out = self._product(out, atom(("exp", m), c))
            elif a is not None:
                out = self._product(out, atom(a, c))
            else:
                out = self._product(out, self._whole_power(m, inner, c))
        return out

    def _whole_power(self, m: Monomial, inner: Polynomial, c: Number) -> Polynomial:
        """inner^c for inner = e^m > 0, a sum or a number: the whole part of c multiplied out."""
        whole = c.numerator // c.denominator
        if abs(whole) > 64:
            return atom(("exp", m), c)
        base = inner if whole >= 0 else self.inverted(inner)
        return self._product(power(base, abs(whole), self.budget), atom(("exp", m), c - whole))

    def content(self, *ps: Polynomial) -> tuple[Polynomial, list[Polynomial]]:
        """A positive monomial c and polynomials r with p = c·r: numbers and positive atoms that all terms have in common, or below."""
        powers, least = [dict(m) for p in ps for m in p], smallest(*ps)
        self.budget.spend(len(powers))
        lowest = {a: min(m.get(a, 0) for m in powers) for a in {a for m in powers for a in m}}
        shared = frozenset((a, e) for a, e in lowest.items() if e and self._positive(a))
        if least == 1 and not shared:
            return {UNIT: 1}, list(ps)
        return {shared: least}, [without(add({}, p, quotient(1, least)), shared) for p in ps]

    def log(self, p: Polynomial) -> Polynomial:
        """log p for p > 0: its content leaves, and only that."""
        common, (rest,) = self.content(p)
        ((shared, least),) = common.items()
        out: Polynomial = {}
        for n, side in ((least.numerator, 1), (least.denominator, -1)):
            for prime, count in factors(n):
                out = add(out, atom(("log", key(constant(prime)))), count * side)
        for a, e in shared:
            out = add(out, self._log_of_atom(a), e)
        return out if rest == constant(1) else add(out, self.named(("log", key(rest))))

    def _log_of_atom(self, a: Atom) -> Polynomial:
        kind = a[0] if isinstance(a, tuple) else ""
        if kind == "over" and isinstance(a, tuple):
            return add({}, self.log(dict(a[1])), -1)
        return {a[1]: 1} if kind == "exp" and isinstance(a, tuple) else self.named(("log", key(atom(a))))

    def _positive(self, a: Atom) -> bool:
        if a not in self._seen:
            self._seen[a] = self._atom_is(a, 1, POSITIVE)
        return self._seen[a]

    def pow(self, base: Term, exponent: Term) -> Polynomial:
        """a^b: a power for a whole number b, e^{b log a} for a > 0, Π aᵢ^{kᵢ b} for a product of aᵢ ≥ 0."""
        b, p = self.value(exponent), self.value(base)
        if not b or (set(b) == {UNIT} and b[UNIT].denominator == 1 and -1000 < b[UNIT] < 1000):
            n = int(b.get(UNIT, 0))
            return power(p if n >= 0 else self.inverse(base), abs(n), self.budget)
        if not p and self.sign(exponent, POSITIVE):
            return {}
        if self.certain(p, POSITIVE):
            return self.exp(self._product(b, self.log(p)))
        common, (rest,) = self.content(p)
        if self.certain(rest, NONNEGATIVE):
            out = self.exp(self._product(b, self.log(common)))
            ((m, _),) = rest.items() if len(rest) == 1 else [(UNIT, 0)]
            if len(rest) == 1 and all(e > 0 and self._atom_is(a, 1, NONNEGATIVE) for a, e in m):
                for a, e in m:
                    whole = set(b) == {UNIT} and b[UNIT] * e > 0 and (b[UNIT] * e).denominator == 1
                    out = self._product(out, atom(a, b[UNIT] * e) if whole else self.named(("power", a, key(add({}, b, e)))))
                return out
            return self._product(out, self.named(("power", key(rest), key(b))))
        return self.named(("pow", key(p), key(b)))

    def extreme(self, t: Term) -> Polynomial:
        """max, min or |·|: what is positive and common leaves, and so does the operation where the order of its arguments is certain."""
        p, *others = map(self.value, t.parts)
        other = others[0] if others else add({}, p, -1)  # |a| = max(a, −a)
        for low, high in ((p, other), (other, p)):
            if self.certain(self.cleared(add(high, low, -1), POSITIVE), NONNEGATIVE):
                return low if t.tag == "min" else high
        common, rest = self.content(p, *others)
        return self._product(common, self.named((t.tag, frozenset(map(key, rest)))))

    # bound variables

    def bound(self, t: Term) -> Polynomial:
        """A sum, an integral, a sup or an inf; what does not depend on the bound variable leaves sums and integrals."""
        limits = [self.value(end) for end in t.parts[:-1]]
        if t.tag == "sum" and all(set(p) <= {UNIT} for p in limits):
            low, high = (int(p.get(UNIT, 0)) for p in limits)
            if high - low < WRITTEN:
                return reduce(add, (self.value(instantiate(t.parts[2], number(i))) for i in range(low, high + 1)), {})
        ends = tuple(map(key, limits))
        x = variable(f"%open{len(self.open)}", binder_sort(t))
        saved = {which: set(found) for which, found in self.known.items()}, dict(self.equations), list(self.universal)
        values, seen = self._values, self._seen
        self._values, self._seen = {}, {}  # what is found within the range counts only there
        self.open.append(x)
        self._enter(x, t)
        body = self.value(instantiate(t.parts[-1], x))
        inner = {m: frozenset((a, e) for a, e in m if mentions(a, x)) for m in body}
        signs = {m: [k for k in (POSITIVE, NONNEGATIVE) if self.certain({inner[m]: 1}, k)] for m in body}
        self.known, self.equations, self.universal = saved
        self._values, self._seen = values, seen
        self.open.pop()
        if t.tag in EXTREMA or (t.tag != "sum" and len(body) > 1):
            return self.named((t.tag, ends, closed(key(body), x)))
        nonempty = t.tag == "sum" and self.sign(minus(t.parts[1], t.parts[0]), NONNEGATIVE)
        terms = add(self.value(minus(t.parts[1], t.parts[0])), constant(1)) if t.tag == "sum" else {}
        counted = self.certain(self.cleared(terms, POSITIVE), NONNEGATIVE)
        out: Polynomial = {}
        for m, c in body.items():
            self.budget.spend(10 + 10 * len(_parts(inner[m], {})))
            if t.tag == "sum" and inner[m] == UNIT and counted:
                out = add(out, self._product({m: c}, terms))
                continue
            a = (t.tag, ends, closed(key({inner[m]: 1}), x))
            # a sum of positive terms is positive if it has a term, and an integral of such is not negative
            if signs[m] and self._is_about_here(a):
                self.known[POSITIVE if nonempty and signs[m][0] == POSITIVE else NONNEGATIVE].add(scaled(atom(a)))
            out = add(out, self._product({m - inner[m]: c}, self.named(a)))
        return out

    def _is_about_here(self, a: Hashable) -> bool:
        """Whether a mentions the innermost open variable: what a range says about other things holds only if it is not empty.

        So what is certain in a range about an atom without its variable is certain outside too, and the atom may leave a sum.
        """
        return all(mentions(a, x) for x in self.open[-1:])

    def _enter(self, x: Term, t: Term) -> None:
        """What is known about the bound variable x, and about everything in its range."""
        if len(t.parts) > 1:
            low = t.parts[0]
            least = number_of(low)
            if least is not None and least > 1:
                self.learn(at_most(ONE, x))
            self.learn(at_most(low, x))
            for high in t.parts[1:-1]:
                self.learn(at_most(x, high))
        for f in list(self.universal):
            self._use(f, x)

    def _use(self, f: Term, x: Term) -> None:
        """Learn what ∀x (A → F) says of x, where A is known."""
        if (f.data != ("R",) and x.sort != "Z") or f in self._used:
            return  # what is used already is not used for the sums in it, which have no end
        self._used.append(f)
        body = instantiate(f.parts[0], x)
        while body.tag == "->" and self.holds(body.parts[0]):
            body = body.parts[1]
        self.learn(body)
        self._used.pop()

    # denominators

    def cleared(self, p: Polynomial, which: str) -> Polynomial:
        """p times a product of denominators that are certainly positive (or not 0), roots of numbers and sums folded."""
        while True:
            p = self._folded(p)
            found = {a for m in p for a, _ in m if isinstance(a, tuple) and a[0] == "over" and self.certain(dict(a[1]), which)}
            found -= {a for m in p for a, e in m if e.denominator != 1}
            if not found:
                return p
            least = min(len(a[1]) for a in found)  # type: ignore[index]
            a = ordered((a for a in found if len(a[1]) == least), self.budget)[0]  # type: ignore[index]
            most = max(dict(m).get(a, 0) for m in p)
            out: Polynomial = {}
            for m, c in p.items():
                e = dict(m).get(a, 0)
                rest = {frozenset((b, k) for b, k in m if b != a): c}
                below = power(dict(a[1]), int(most - e), self.budget)  # type: ignore[index]
                out = add(out, self._product(rest, below))
            p = out

    def lowered(self, p: Polynomial) -> Polynomial:
        """p with d·r/d written r for the denominators d in it, which are certainly not 0."""
        for a in ordered({a for m in p for a, _ in m if isinstance(a, tuple) and a[0] == "over"}, self.budget):
            while most := max((e for m in p for b, e in m if b == a and e > 0), default=0):
                top = {m: c for m, c in p.items() if dict(m).get(a) == most}
                inner = divided(without(top, frozenset([(a, most)])), dict(a[1]), self.budget)  # type: ignore[index]
                if inner is None:
                    break
                p = add(add(p, top, -1), self._product(inner, atom(a, most - 1)))
        return p

    def _folded(self, p: Polynomial) -> Polynomial:
        """p with s^{3/2} written s·s^{1/2} for numbers and sums s."""
        out: Polynomial = {}
        for m, c in p.items():
            roots = [(a, e) for a, e in m if isinstance(a, tuple) and a[0] == "exp" and not 0 < e < 1 and logarithm_of(a[1])]
            term: Polynomial = {m - frozenset(roots): c}
            for a, e in roots:
                term = self._product(term, self._whole_power(a[1], logarithm_of(a[1]) or {}, e))
            out = add(out, term)
        return out


def single(p: Polynomial) -> Atom | None:
    """The atom that p is, if it is one."""
    ((m, c),) = p.items() if len(p) == 1 else [(UNIT, 0)]
    ((a, e),) = m if len(m) == 1 else [(None, 0)]
    return a if c == 1 and e == 1 else None


def logarithm_of(m: Monomial) -> Polynomial | None:
    """p when the monomial is log p."""
    ((a, e),) = m if len(m) == 1 else [(None, 0)]
    return dict(a[1]) if e == 1 and isinstance(a, tuple) and a[0] == "log" else None


def mentions(a: object, x: object) -> bool:
    """True if x occurs in an atom, a monomial or a key."""
    seen: set[int] = set()  # equations make atoms with shared parts, which have too many paths to follow each

    def found(part: object) -> bool:
        if part == x:
            return True
        if isinstance(part, Term):
            return x in part.free
        if not isinstance(part, (tuple, frozenset)) or id(part) in seen:
            return False
        seen.add(id(part))
        return any(map(found, part))

    return found(a)


def _parts(a: object, found: dict[int, object]) -> dict[int, object]:
    """Every part of an atom, once."""
    if id(a) not in found:
        found[id(a)] = a
        if isinstance(a, (tuple, frozenset)):
            for part in a:
                _parts(part, found)
    return found


def closed(a: Hashable, x: Term) -> Hashable:
    """A body with its variable renamed %1, %2, … by the number of binders inside, so that names do not matter, after that variable.

    Without the variable, sup_x inf_y f(x) and sup_x inf_y f(y) would be one atom.
    """
    y = variable(f"%{1 + _height(a)}", x.sort)
    return y, _renamed(a, x, y, {})


def _height(a: object) -> int:
    terms = [part for part in _parts(a, {}).values() if isinstance(part, Term)]
    names = [str(v.data[0]) for t in terms for v in t.free if isinstance(v, Term)]
    return max((int(name[1:]) for name in names if name[0] == "%" and name[1:].isdigit()), default=0)


def _renamed(a: Hashable, x: Term, y: Term, done: dict[int, Hashable]) -> Hashable:
    if isinstance(a, Term):
        return substitute(a, {x: y})
    if not isinstance(a, (tuple, frozenset)):
        return a
    if id(a) not in done:
        done[id(a)] = type(a)(_renamed(part, x, y, done) for part in a)
    return done[id(a)]
