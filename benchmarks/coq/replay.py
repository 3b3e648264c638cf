"""Normal forms with proofs for Coq: each equation between a term and its normal form as a tactic that follows what `ring` did.

Nothing here is trusted: a tactic that is wrong is refused by Coq.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable
from fractions import Fraction
from typing import Any

from dpbounds.kernel.polynomials import (
    UNIT,
    Atom,
    Budget,
    Monomial,
    Polynomial,
    add,
    atom,
    constant,
    key,
    multiply,
    ordered,
    power,
    quotient,
    smallest,
)
from dpbounds.kernel.ring import NONNEGATIVE, NONZERO, POSITIVE, SIGNS, WRITTEN, Ring, logarithm_of, mentions, single
from dpbounds.kernel.terms import BINDERS, ZERO, Term, binder_sort, exponent_of, instantiate, minus, node, number, times, variable

SHOWN = {POSITIVE: "0 < {}", NONNEGATIVE: "0 <= {}", NONZERO: "{} <> 0"}
CALLS = {"max": "Rmax", "min": "Rmin", "abs": "Rabs", "binom": "kbinom"}
EXTREME = {"sum": "ksum", "sup": "ksup", "inf": "kinf", "sup_above": "ksup_above", "inf_above": "kinf_above"}


class Unreplayed(Exception):
    """The normal form has no proof here."""


class Root(Unreplayed):
    """A root of an atom has to be a variable first."""

    def __init__(self, atom: Atom, power: int) -> None:
        super().__init__("a root")
        self.atom, self.power = atom, power


def rational(q: Fraction | int) -> str:
    """A number."""
    q = Fraction(q)
    return f"({q.numerator})" if q.denominator == 1 else f"({q.numerator} / {q.denominator})"


class Replay(Ring):
    """A ring that writes, for each normal form that it is asked for, why the term equals it.

    Args:
        premises: names of hypotheses in Coq, and their formulas.
        combined: those of them that a linear combination uses, and that say nothing here.
        written: a term as it stands in the file.
        name_of: names of variables there.
        roots: by which number exponents of e^m are to be divided, from a first pass.
        own: roots of π and of integers are terms, where no other variable can stand for them.
    """

    def __init__(
        self,
        premises: Iterable[tuple[str, Term]],
        combined: Iterable[tuple[str, Term]],
        written: Callable[[Term], str],
        name_of: Callable[[object], str],
        roots: dict[Hashable, int],
        own: bool = False,
    ) -> None:
        super().__init__([], Budget())
        self.written, self.name_of, self.roots, self.own = written, name_of, roots, own
        self.script: list[str] = []
        self.count = 0
        self.proved: dict[Term, tuple[str, Polynomial]] = {}
        self.sources: list[dict[tuple[str, Hashable], tuple[str, Polynomial]]] = [{}]
        self.facts: list[dict[tuple[str, str], str]] = [{}]
        self.every: list[tuple[str, Term]] = []
        self.opened: list[Term] = []
        used = list(combined)
        flat = [pair for name, f in premises if (name, f) not in used for pair in self._flat(name, f)]
        for _, f in flat:
            if f.tag != "=":
                self._learn(f)
        self._forget()
        for name, f in flat:
            if f.tag == "=":
                self._equation(name, f)
        for _, f in flat:
            if f.tag != "=":
                self._learn(f)
        self._forget()
        for again in (False, True):
            for name, f in flat:
                self._source(name, f, again)
        late = sorted(flat, key=lambda pair: pair[1].parts[0].size if pair[1].tag in SIGNS else 0)
        while late:  # what lies above a variable comes after what says that the variable is not negative
            now = [pair for pair in late if not self._waits(pair[1])] or late
            late = [pair for pair in late if pair not in now]
            for name, f in now:
                self._above(name, f)

    def _waits(self, f: Term) -> bool:
        """Whether nothing that is written says yet what the ring knows of the lower side, a variable."""
        low = f.parts[0] if f.tag in SIGNS else ZERO
        signs = (POSITIVE, NONNEGATIVE)
        known = [(which, self._mark(atom(low))) in self.sources[-1] for which in signs]
        return low.tag == "v" and self.value(low) == atom(low) and self.sign(low, NONNEGATIVE) and not any(known)

    def _forget(self) -> None:
        self._values, self._seen = {}, {}

    def _flat(self, name: str, f: Term) -> list[tuple[str, Term]]:
        """The parts of conjunctions."""
        if f.tag != "and":
            return [(name, f)]
        names = [f"{name}_{k}" for k in range(len(f.parts))]
        pattern = names[-1]
        for n in reversed(names[:-1]):
            pattern = f"[{n} {pattern}]"
        self.script.append(f"destruct {name} as {pattern}")
        return [pair for n, part in zip(names, f.parts, strict=True) for pair in self._flat(n, part)]

    def fresh(self, kind: str) -> str:
        """A new name."""
        self.count += 1
        return f"{kind}{self.count}"

    # texts of normal forms

    def text(self, p: Polynomial) -> str:
        """A polynomial."""
        return " + ".join(sorted(self.term_text(m, c) for m, c in p.items())) if p else "0"

    def term_text(self, m: Monomial, c: Fraction | int) -> str:
        """c·m"""
        factors = sorted(self.factor_text(a, Fraction(e)) for a, e in m)
        return " * ".join(([rational(c)] if c != 1 or not factors else []) + factors)

    def factor_text(self, a: Atom, e: Fraction) -> str:
        """a^e"""
        if isinstance(a, tuple) and a[0] == "exp":
            d = self.roots.get(a[1], 1)
            if (e * d).denominator != 1:
                self.roots[a[1]] = d * (e * d).denominator
                d = self.roots[a[1]]
            base, e = self.root(a[1], d) if d > 1 else f"(exp ({self.term_text(a[1], 1)}))", e * d
        else:
            base = self.atom_text(a)
        if e.denominator != 1 and self.own and is_its_own(a):
            m: Monomial = frozenset([(("log", key(atom(a))), 1)])
            d = self.roots[m] = math.lcm(self.roots.get(m, 1), e.denominator)
            base, e = self.root(m, d), e * d
        if e.denominator != 1:
            raise Root(a, e.denominator)
        n = abs(e.numerator)
        whole = base if n == 1 else f"({base} ^ {n})"
        return whole if e > 0 else f"(/ {whole})"

    def atom_text(self, a: Atom) -> str:
        """An atom."""
        if isinstance(a, Term):
            return "PI" if a.tag == "pi" else self.name_of(a.data[0])
        if not isinstance(a, tuple):
            raise Unreplayed("an atom")
        kind: Any = a[0]
        texts = lambda keys: [f"({self.text(dict(k))})" for k in keys]  # noqa: E731
        if kind in ("over", "inverse"):
            return f"(/ {texts(a[1:])[0]})"
        if kind in ("log", "log of"):
            return f"(klog {texts(a[1:])[0]})"
        if kind == "power":
            base = f"({self.text(dict(a[1]))})" if isinstance(a[1], frozenset) else self.atom_text(a[1])
            return f"(kpow {base} {texts(a[2:])[0]})"
        if kind == "pow":
            return f"(kpow {' '.join(texts(a[1:]))})"
        if kind in ("max", "min", "abs"):
            found = sorted(texts(a[1]))
            return f"({' '.join([CALLS[kind], *(found * 2 if kind != 'abs' and len(found) == 1 else found)])})"
        if kind == "f":
            return f"({' '.join([self.name_of(a[1][0]), *texts(a[2:])])})"
        if kind in CALLS:
            return f"({' '.join([CALLS[kind], *texts(a[2:])])})"
        if kind in EXTREME:
            y, body = a[2]
            return f"({EXTREME[kind]} (fun {self.name_of(y.data[0])} : R => {self.text(dict(body))}) {' '.join(texts(a[1]))})"
        if kind == "term":
            return self.written(a[1])
        raise Unreplayed(str(kind))

    # equations

    def special(self, t: Term) -> bool:
        """Whether an equation is wanted for the term, and not the laws of a field alone."""
        if t.tag == "^" and exponent_of(t) < 0:
            p = self.value(t.parts[0])
            return not self.certain(p, NONZERO) or (t.parts[0].tag == "+" and len(p) == 1)
        return t.tag not in ("q", "+", "*", "^") and (t.tag not in ("v", "pi") or t in self.equations)

    def tops(self, t: Term) -> list[Term]:
        """The largest special parts."""
        if self.special(t):
            return [t]
        return list(dict.fromkeys(s for part in t.parts for s in self.tops(part)))

    def say(self, statement: str, tactic: str, kind: str = "e") -> str:
        """Assert something; its name."""
        tactic = self.closing(tactic)  # which may say what it rests on
        name = self.fresh(kind)
        self.script.append(f"assert ({name} : {statement}) by ({tactic})")
        return name

    def closing(self, tactic: str) -> str:
        """The tactic with what is known of roots wherever it closes an equation."""
        known = [name for (_, kind), name in self.facts[-1].items() if kind == "root"]
        laws = f"[{' '.join(known)}]"
        return tactic.replace("kclose", f"(first [kclose | ring {laws} | field {laws}; repeat split; ksigns])") if known else tactic

    def root(self, m: Monomial, d: int) -> str:
        """The text of e^{m/d}, and for m = log a that its d-th power is a."""
        inner, text = logarithm_of(m), f"(exp (({self.term_text(m, 1)}) * (1 / {d})))"
        if inner is not None and (text, "root") not in self.facts[-1]:
            self.facts[-1][text, "root"] = ""
            self.fact(inner, POSITIVE)
            base = f"({self.text(inner)})"
            moved = f"rewrite <- (law_exp_up (klog {base} * (1 / {d})) {d} {d}) by (simpl INR; lra); f_equal; field"
            last = f"apply (law_exp_log_up {base} 1); [ksigns | simpl INR; lra]"
            proof = f"transitivity (exp (1 * klog {base})); [{moved} | transitivity ({base} ^ 1); [{last} | ring]]"
            del self.facts[-1][text, "root"]
            self.facts[-1][text, "root"] = self.say(f"{text} ^ {d} = {base}", proof, "root")
        return text

    def equation(self, t: Term) -> tuple[str, Polynomial]:
        """The name of a hypothesis t = normal form, and that form."""
        if t not in self.proved:
            p = self.value(t)
            self.nonzero(p)
            self.invertible(t)
            tactic = self._special(t, p) if self.special(t) else f"{self.rewriting(self.tops(t))}kclose"
            self.proved[t] = self.say(f"{self.written(t)} = {self.text(p)}", tactic), p
        return self.proved[t]

    def invertible(self, t: Term) -> None:
        """Say of what is inverted in a term that it is not 0, as it is written."""
        for base in denominators(t):
            p, shown = self.value(base), self.written(base)
            if self.certain(p, NONZERO) and (shown, "written") not in self.facts[-1]:
                self.facts[-1][shown, "written"] = ""
                self.fact(p, NONZERO) if len(p) == 1 else self.signed(base, NONZERO)

    def rewriting(self, terms: Iterable[Term]) -> str:
        """Rewrite terms to their normal forms."""
        found = [self.equation(s) for s in sorted(terms, key=lambda s: -s.size)]
        return "".join(f"try rewrite {name}; " for name, _ in found)

    def nonzero(self, p: Polynomial) -> None:
        """Say what in a polynomial is not 0, for `field`."""
        for m in p:
            for a, e in m:
                if isinstance(a, tuple) and a[0] == "over":
                    self.fact(dict(a[1]), NONZERO)
                elif e < 0 and not (isinstance(a, tuple) and a[0] == "exp"):
                    self.fact(atom(a), NONZERO)

    def _special(self, t: Term, p: Polynomial) -> str:
        match t.tag:
            case "v":
                return f"exact {self.solved[t]}"
            case "^":
                return self._inverse(t)
            case "exp":
                name, u = self.equation(t.parts[0])
                return f"try rewrite {name}; {self.exponential(u, p)}"
            case "log" if self.certain(self.value(t.parts[0]), POSITIVE):
                name, u = self.equation(t.parts[0])
                return f"try rewrite {name}; {self.logarithm(p, u)}"
            case "pow":
                return self._power(t, p)
            case "max" | "min" | "abs":
                return self._extreme(t, p)
            case "f" | "binom" | "log":
                names = [self.equation(part)[0] for part in t.parts]
                return "".join(f"try rewrite {n}; " for n in names) + self.end(t)
        if t.tag in EXTREME:
            return self._bound(t, p)
        if t.tag == "ite":
            return self.end(t)
        raise Unreplayed(t.tag)

    def _inverse(self, t: Term) -> str:
        """1/t, where t may be 0."""
        steps = ""
        for leaf in dict.fromkeys(factors_of(t.parts[0])):
            name, u = self.equation(leaf)
            new, least = self.inverted(u), smallest(u)
            self.nonzero(new)
            halves = f"({rational(least)} * ({self.text(add({}, u, quotient(1, least)))}))"
            scaled = "" if len(u) < 2 or least == 1 else f"replace ({self.text(u)}) with {halves} by kclose; "
            proof = f"try rewrite {name}; {scaled}rewrite ?Rinv_mult, ?Rinv_inv; kclose"
            steps += f"try replace (/ {self.written(leaf)}) with ({self.text(new)}) by ({proof}); "
        split = "rewrite ?Rinv_mult, <- ?pow_inv; " * 2 if t.parts[0].tag in ("*", "^") else ""
        return f"{split}{steps}{self.end(t)}"

    def end(self, t: Term) -> str:
        """After congruence: nothing, or what an equation says."""
        named = "".join(f"try rewrite {n}; " for n in dict.fromkeys(self.solved.values()))
        return f"first [kclose | {named}kclose]" if named else "kclose"

    def exponential(self, u: Polynomial, p: Polynomial) -> str:
        """exp u = p for the texts of both."""
        u = self.lowered(self._folded(u))
        parts, steps = [], []
        for m, c in u.items():
            c = Fraction(c)
            inner = logarithm_of(m)
            if inner is not None and c.denominator != 1:
                if single(inner) is not None and not (self.own and is_its_own(single(inner))):
                    raise Root(single(inner), c.denominator)
                right, proof = self._rooted(m, inner, c)
            elif inner is not None:
                self.fact(inner, POSITIVE)
                base, n = f"({self.text(inner)})", c.numerator
                right = f"{base} ^ {n}" if n >= 0 else f"(/ {base}) ^ {-n}"
                law = f"apply (law_exp_log_{'up' if n >= 0 else 'down'} {base} {abs(n)}); [ksigns | simpl INR; lra]"
                proof = f"transitivity (exp ({rational(n)} * klog {base})); [f_equal; kclose | {law}]"
            else:
                right = self.factor_text(("exp", m), c)
                d = self.roots.get(m, 1)
                n = (c * d).numerator
                base = f"({self.term_text(m, 1)})" + (f" * (1 / {d})" if d > 1 else "")
                law = "up" if n >= 0 else "down"
                law = f"rewrite (law_exp_{law} ({base}) {rational(n)} {abs(n)}) by (simpl INR; lra); kclose"
                proof = f"transitivity (exp ({rational(n)} * ({base}))); [f_equal; kclose | {law}]"
            parts.append(self.term_text(m, c))
            steps.append(f"replace (exp ({parts[-1]})) with ({right}) by (symmetry; {proof})")
        if not parts:
            return f"(first [rewrite exp_0 | replace ({self.text(u)}) with 0 by kclose; rewrite exp_0]; kclose)"
        total = " + ".join(f"({x})" for x in parts)
        return f"(transitivity (exp ({total})); [f_equal; kclose | rewrite ?exp_plus; {'; '.join(steps)}; kclose])"

    def _rooted(self, m: Monomial, inner: Polynomial, c: Fraction) -> tuple[str, str]:
        """a^c for m = log a, where a is no atom: the whole part of c is a power of a, and the rest one of a root; and the proof."""
        self.fact(inner, POSITIVE)
        base, whole = f"({self.text(inner)})", c.numerator // c.denominator
        right = self.factor_text(("exp", m), c - whole)
        d = self.roots.get(m, 1)
        n, root = int((c - whole) * d), f"klog {base} * (1 / {d})"
        power = f"{base} ^ {whole}" if whole >= 0 else f"(/ {base}) ^ {-whole}"
        parts = f"exp ({rational(whole)} * klog {base}) * exp ({n} * ({root}))"
        law = f"apply (law_exp_log_{'up' if whole >= 0 else 'down'} {base} {abs(whole)}); [ksigns | simpl INR; lra]"
        last = f"rewrite (law_exp_up ({root}) {n} {n}) by (simpl INR; lra); kclose"
        proof = f"transitivity ({parts}); [rewrite <- exp_plus; f_equal; field | f_equal; [{law} | {last}]]"
        return f"({power}) * ({right})", proof

    def logarithm(self, p: Polynomial, u: Polynomial) -> str:
        """klog u = p for the texts of both."""
        return f"(transitivity (klog (exp ({self.text(p)}))); [f_equal; symmetry; {self.exponential(p, u)} | apply law_log_exp])"

    def _power(self, t: Term, p: Polynomial) -> str:
        base, exponent = t.parts
        (e_base, a), (e_exponent, b) = self.equation(base), self.equation(exponent)
        start = f"try rewrite {e_base}; try rewrite {e_exponent}; "
        if not b or (set(b) == {UNIT} and Fraction(b[UNIT]).denominator == 1):
            n = int(b.get(UNIT, 0))
            law = f"law_pow_up _ _ {n}" if n >= 0 else f"law_pow_down _ _ {-n}"
            return f"{start}rewrite ({law}) by (simpl INR; lra); kclose"
        if self.certain(a, POSITIVE):
            self.fact(a, POSITIVE)
            logarithm = self.log(a)
            product = self._product(b, logarithm)
            return (
                f"{start}rewrite law_pow_exp by ksigns; transitivity (exp (({self.text(b)}) * ({self.text(logarithm)}))); "
                f"[do 2 f_equal; {self.logarithm(logarithm, a)} | ]; transitivity (exp ({self.text(product)})); "
                f"[f_equal; kclose | {self.exponential(product, p)}]"
            )
        common, (rest,) = self.content(a)
        for x in {x for m in a for x, _ in m if self._atom_is(x, 1, NONNEGATIVE)}:
            self.fact(atom(x), NONNEGATIVE)
        for m in common:
            for x, _ in m:
                self.fact(atom(x), POSITIVE)
        if not self.certain(rest, NONNEGATIVE):
            return f"{start}{self.end(t)}"
        bt, parts, steps = f"({self.text(b)})", [f"({self.text(rest)})"], []
        ((m, _),) = rest.items() if len(rest) == 1 else [(UNIT, 0)]
        if len(rest) == 1:
            parts = [f"(({self.atom_text(x)}) ^ {e})" for x, e in m]
            for x, e in m:
                moved = f"kpow ({self.atom_text(x)}) ({self.text(add({}, b, e))})"
                proof = "rewrite law_pow_whole by first [ksigns | lia]; f_equal; simpl INR; kclose"
                if set(b) == {UNIT} and b[UNIT] * e > 0 and (n := Fraction(b[UNIT] * e)).denominator == 1:
                    proof = f"transitivity ({moved}); [{proof} | rewrite (law_pow_up _ _ {n}) by (simpl INR; lra); reflexivity]"
                    moved = f"({self.atom_text(x)}) ^ {n}"
                steps.append(f"replace (kpow (({self.atom_text(x)}) ^ {e}) {bt}) with ({moved}) by (symmetry; {proof})")
        else:
            self.fact(rest, NONNEGATIVE)
        if common != {UNIT: 1}:
            parts.append(f"({self.text(common)})")
            logarithm = self.log(common)
            product = self._product(b, logarithm)
            new = self.exp(product)
            proof = f"rewrite law_pow_exp by ksigns; transitivity (exp (({self.text(b)}) * ({self.text(logarithm)}))); "
            proof += f"[do 2 f_equal; {self.logarithm(logarithm, common)} | ]; transitivity (exp ({self.text(product)})); "
            proof += f"[f_equal; kclose | {self.exponential(product, new)}]"
            steps.append(f"replace (kpow {parts[-1]} {bt}) with ({self.text(new)}) by (symmetry; {proof})")
        split = "".join(
            f"rewrite (law_pow_mult ({' * '.join(parts[:k])}) {parts[k]} {bt}) by ksigns; " for k in range(len(parts) - 1, 0, -1)
        )
        return f"{start}transitivity (kpow ({' * '.join(parts)}) {bt}); [f_equal; kclose | ]; {split}{'; '.join([*steps, self.end(t)])}"

    def _extreme(self, t: Term, p: Polynomial) -> str:
        found = [self.equation(part) for part in t.parts]
        start = "".join(f"try rewrite {name}; " for name, _ in found)
        u, *others = [q for _, q in found]
        v = others[0] if others else add({}, u, -1)
        for low, high in ((u, v), (v, u)):
            difference = add(high, low, -1)
            if self.certain(self.cleared(difference, POSITIVE), NONNEGATIVE):
                name = self.say(f"0 <= {self.text(difference)}", self.sign_of(difference, NONNEGATIVE), "s")
                return f"{start}pose proof {name}; unfold Rmax, Rmin, Rabs; repeat first [destruct Rle_dec | destruct Rcase_abs]; lra"
        common, rest = self.content(u, *others)
        factor = self.text(common)
        for a, e in next(iter(common)):
            self.fact(atom(a), POSITIVE)
            assert e
        for r in rest:
            self.nonzero(r)
        changes = f"transitivity ({CALLS[t.tag]} {' '.join(f'(({factor}) * ({self.text(r)}))' for r in rest)}); [f_equal; kclose | ]; "
        law = {"max": "law_max_multiple", "min": "law_min_multiple", "abs": "law_abs_multiple"}[t.tag]
        turn = {"max": "Rmax_comm", "min": "Rmin_comm"}.get(t.tag)
        words = " ".join(f"({self.text(r)})" for r in rest)
        start = start if common == {UNIT: 1} else f"{start}{changes}rewrite ({law} ({factor}) {words}) by ksigns; "
        swapped = f" | rewrite ({turn} {words}); {self.end(t)}" if turn else ""
        return f"{start}first [{self.end(t)}{swapped}]"

    def _bound(self, t: Term, p: Polynomial) -> str:
        *before, body = t.parts
        if t.tag == "sum" and all(set(self.value(end)) <= {UNIT} for end in before):
            low, high = (int(self.value(end).get(UNIT, 0)) for end in before)
            if high - low < WRITTEN:
                ends = [self.equation(end)[0] for end in before]
                terms = [instantiate(body, number(i)) for i in range(low, high + 1)]
                start = "".join(f"try rewrite {n}; " for n in ends)
                return f"{start}kunroll; cbv beta; {self.rewriting(s for x in terms for s in self.tops(x))}kclose"
        ends = [self.equation(end) for end in before]
        same = "".join(f"try rewrite {n}; " for n, _ in ends)
        bounds = " ".join(f"({self.text(q)})" for _, q in ends)
        x = variable(f"%open{len(self.open)}", binder_sort(t))
        opened = instantiate(body, x)
        original = f"(fun {self.name_of(x.data[0])} : R => {self.written(opened)})"
        saved = {which: set(found) for which, found in self.known.items()}, dict(self.equations), list(self.universal)
        values, seen, script, proved, solved = self._values, self._seen, self.script, dict(self.proved), self.solved
        self._values, self._seen, self.script = {}, {}, []
        self.sources.append(dict(self.sources[-1]))
        self.facts.append(dict(self.facts[-1]))
        self.open.append(x)
        names = [self.name_of(x.data[0]), *(["w" + self.fresh("x")] if t.tag == "sum" else []), *(self.fresh("r") for _ in before)]
        if before:
            self._enter(x, t)
            self.equations = dict(saved[1])  # those that hold in the range are said below
            self._forget()
            again = t in self.opened  # the sign of its own end is looked for: what lies above that end is not needed
            self.opened.append(t)
            for name, f in zip(names[-len(before) :], self._within(t, x), strict=True):
                self._source(name, f)
                if not again:
                    self._above(name, f)
            self.opened.pop()
        self._instances(x)
        form = self.value(opened)
        inner = {m: frozenset((a, e) for a, e in m if mentions(a, x)) for m in form}
        alone = t.tag != "sum"
        pieces = [(1, form)] if alone else [(({m - inner[m]: c}), {inner[m]: 1}) for m, c in form.items()]
        self.nonzero(form)
        self.invertible(opened)
        new = self.text(form) if alone else " + ".join(f"({self.text(c)}) * ({self.text(i)})" for c, i in pieces) or "0"
        tactic = self.rewriting(self.tops(opened))
        nested = "; ".join([*self.script, self.closing(f"{tactic}kclose")])
        self.known, self.equations, self.universal = saved
        self._values, self._seen, self.script, self.proved, self.solved = values, seen, script, proved, solved
        self.sources.pop()
        self.facts.pop()
        self.open.pop()
        changed = f"(fun {self.name_of(x.data[0])} : R => {new})"
        law = "r_sum_termwise_eq" if t.tag == "sum" else f"law_{t.tag}_same"
        ranges = " ".join(self.written(end) for end in before)
        proof = f"first [solve [kwhole] | intros {' '.join(names)}; cbv beta; {nested}]"
        start = f"try rewrite ({law} {original} {changed} {ranges}) by {proof}; {same}"
        if alone:
            return f"{start}{self.end(t)}"
        for k in range(len(pieces) - 1):
            parts = [f"({self.text(c)}) * ({self.text(i)})" for c, i in pieces]
            first, rest = parts[len(parts) - 1 - k], " + ".join(parts[: len(parts) - 1 - k])
            y = self.name_of(x.data[0])
            start += f"rewrite (law_sum_plus (fun {y} : R => {rest}) (fun {y} : R => {first}) {bounds}); "
        for c, i in pieces:
            y = self.name_of(x.data[0])
            start += f"rewrite (law_sum_left ({self.text(c)}) (fun {y} : R => {self.text(i)}) {bounds}); "
        start += "" if pieces else f"rewrite (law_sum_zero {bounds}); "
        return f"{start}try (rewrite law_sum_const by first [solve [kwhole] | lra]); {self.end(t)}"

    def _within(self, t: Term, x: Term) -> list[Term]:
        relation = "<=" if t.tag == "sum" else "<"
        low, *high = t.parts[:-1]
        return [node(relation, low, x), *(node(relation, x, h) for h in high)]

    def _instances(self, x: Term) -> None:
        """What premises ∀x say of an open variable."""
        for name, f in self.every:
            if f.data != ("R",) and x.sort != "Z":
                continue
            body, proof = instantiate(f.parts[0], x), f"apply {name}"
            while body.tag == "->" and self.holds(body.parts[0]):
                body = body.parts[1]
            if body.tag in (*SIGNS, "not", "="):
                new = self.say(self.written(body), f"{proof}; first [solve [kwhole] | assumption | lra | ksign]", "u")
                if body.tag == "=":
                    self._equation(new, body)
                    continue
                self.learn(body)
                self._source(new, body)
                self._above(new, body)

    # what is known

    solved: dict[Hashable, str] = {}

    def _equation(self, name: str, f: Term) -> None:
        """Use an equation, as the ring does, and say so."""
        left, right = map(self.value, f.parts)
        for k, (one, other) in enumerate(((left, right), (right, left))):
            found = self._solved(one)
            if found is None or mentions(key(other), found[0]):
                continue
            a, c = found
            (e_left, _), (e_right, _) = self.equation(f.parts[0]), self.equation(f.parts[1])
            new = self._product(other, self.inverted(c))
            moved = self.fresh("h")
            self.script.append(f"pose proof {name} as {moved}; try rewrite {e_left} in {moved}; try rewrite {e_right} in {moved}")
            self.nonzero(new)
            self.nonzero(c)
            for m in c:
                for x, _ in m:
                    self.fact(atom(x), NONZERO)
            proof = f"apply (Rmult_eq_reg_r ({self.text(c)})); [transitivity ({self.text(one)}); [kclose | "
            proof += f"{'' if k == 0 else 'symmetry in ' + moved + '; '}rewrite {moved}; kclose] | ksigns]"
            self.solved = {**self.solved, a: self.say(f"{self.text(atom(a))} = {self.text(new)}", f"first [lra | {proof}]", "q")}
            self.equations[a] = new
            self._forget()
            self.proved = {}
            return

    def _source(self, name: str, f: Term, factors: bool = True) -> None:
        """A hypothesis that says the sign of a polynomial."""
        if f.tag == "all":
            self.every += [(name, f)] * ((name, f) not in self.every)
            return
        kind = SIGNS.get(f.tag, NONZERO)
        if f.tag == "not" and f.parts[0].tag == "=":
            low, high = f.parts[0].parts
        elif f.tag in SIGNS:
            low, high = f.parts
        else:
            return
        difference = self.value(minus(high, low))
        p = self.cleared(difference, POSITIVE)
        if p:
            self.known[kind].add(self._mark(p))
            for a, e in next(iter(p)) if len(p) == 1 and factors else ():
                if (POSITIVE, self._mark(atom(a))) in self.sources[-1]:
                    continue
                for which in (POSITIVE, NONNEGATIVE):
                    if e == 1 and which in (kind, NONNEGATIVE) and kind != NONZERO and self._atom_is(a, 1, which):
                        self.sources[-1].setdefault((which, self._mark(atom(a))), (name, minus(high, low)))  # type: ignore[arg-type]
                if kind != NONNEGATIVE:
                    self.sources[-1].setdefault((NONZERO, self._mark(atom(a))), (name, minus(high, low)))  # type: ignore[arg-type]
            self.sources[-1].setdefault((kind, self._mark(p)), (name, minus(high, low)))  # type: ignore[arg-type]

    def _above(self, name: str, f: Term) -> None:
        """What lies above a number that is not negative."""
        if f.tag not in SIGNS or f.parts[0] == ZERO:
            return
        low, high = f.parts
        if self.sign(low, NONNEGATIVE):
            above = POSITIVE if f.tag == "<" or self.sign(low, POSITIVE) else NONNEGATIVE
            sign = self.signed(low, POSITIVE if self.sign(low, POSITIVE) else NONNEGATIVE)
            new = self.say(SHOWN[above].format(f"({self.written(high)})"), f"clear - {sign} {name}; lra", "a")
            self._source(new, node("<" if above == POSITIVE else "<=", ZERO, high))

    def cleared_by(self, p: Polynomial, which: str) -> tuple[Polynomial, str]:
        """`cleared`, and the product of denominators that it multiplies by."""
        factors = list[str]()
        while True:
            p = self._folded(p)
            found = {a for m in p for a, _ in m if isinstance(a, tuple) and a[0] == "over" and self.certain(dict(a[1]), which)}
            found -= {a for m in p for a, e in m if Fraction(e).denominator != 1}
            if not found:
                return p, " * ".join(factors) or "(1)"
            least = min(len(a[1]) for a in found)  # type: ignore[index]
            a: Any = ordered((a for a in found if len(a[1]) == least), self.budget)[0]  # type: ignore[index]
            most = int(max(dict(m).get(a, 0) for m in p))
            self.fact(dict(a[1]), which)
            factors.append(f"({self.text(dict(a[1]))}) ^ {most}")
            out: Polynomial = {}
            for m, c in p.items():
                rest: Polynomial = {frozenset((b, k) for b, k in m if b != a): c}
                out = add(out, self._product(rest, power(dict(a[1]), most - int(dict(m).get(a, 0)), self.budget)))
            p = out

    def fact(self, p: Polynomial, kind: str) -> None:
        """Say the sign of a polynomial once."""
        text = self.text(p)
        if (text, kind) in self.facts[-1] or set(p) <= {UNIT}:
            return
        self.facts[-1][text, kind] = ""
        self.say(SHOWN[kind].format(f"({text})"), self.sign_of(p, kind), "f")

    def sign_of(self, p: Polynomial, kind: str) -> str:
        """A tactic for the sign of the text of a polynomial."""
        q, factor = self.cleared_by(p, POSITIVE)
        if q != p:
            inner = self.sign_of(q, kind)
            law = {POSITIVE: "kpos_by", NONNEGATIVE: "knonneg_by", NONZERO: "kne_by"}[kind]
            self.nonzero(p)
            product = f"replace (({factor}) * ({self.text(p)})) with ({self.text(q)}) by kclose"
            return f"apply ({law} ({factor})); [ksigns | {product}; {inner}]"
        if not p:
            return "apply Rle_refl"
        if set(p) <= {frozenset([(a, e)]) for m in p for a, e in m if isinstance(a, tuple) and a[0] == "exp"} and min(p.values()) > 0:
            return "ksigns"
        for strong in dict.fromkeys([POSITIVE, kind]):
            found = self.sources[-1].get((strong, self._mark(p)))
            if found:
                return self._by_source(p, kind, strong, *found)  # type: ignore[arg-type]
        if kind == NONZERO and len(p) > 1:
            for side, words in ((p, "apply Rgt_not_eq; unfold Rgt"), (add({}, p, -1), "")):
                if self.certain(side, POSITIVE):
                    if words:
                        return f"{words}; {self.sign_of(side, POSITIVE)}"
                    name = self.say(f"0 < {self.text(side)}", self.sign_of(side, POSITIVE), "s")
                    return f"pose proof {name}; lra"
        if kind != NONZERO and len(p) == 2 and not all(self._term_is(m, c, NONNEGATIVE) for m, c in p.items()):
            return self._compared(p, kind)
        wanted = NONZERO if kind == NONZERO else NONNEGATIVE
        below = set[Atom]()
        only = next(iter(next(iter(p))))[0] if len(p) == 1 and len(next(iter(p))) == 1 else None
        for m in p:
            for a, e in m:
                if a == only and (e == 1 or isinstance(only, tuple)):
                    continue
                for which in (POSITIVE, wanted):
                    if self._atom_is(a, 1, which):
                        self.fact(atom(a), which)
                        break
                    if kind != NONZERO and self._opposite_is(a, which):
                        self.fact(add({}, atom(a), -1), which)
                        below.add(a)
                        break
        alone = self._alone(p, only, kind) if isinstance(only, tuple) else ""
        if alone:
            return alone
        if below:
            turned = " + ".join(self._turned(m, c, below) for m, c in p.items())
            return f"first [lra | replace ({self.text(p)}) with ({turned}) by first [ring | kclose]; ksigns | nra]"
        return "first [ksigns | lra | nra]"

    def _alone(self, p: Polynomial, only: Any, kind: str) -> str:
        """A multiple of one atom that is no variable."""
        if only[0] in ("over", "inverse") and self.certain(dict(only[1]), kind):
            self.fact(dict(only[1]), kind)
        if only[0] == "sum" and kind != NONZERO:
            return self._sum_sign(p, only, kind)
        return self._log_sign(dict(only[1]), next(iter(p.values())) > 0, kind) if only[0] == "log" else ""

    def _log_sign(self, inner: Polynomial, above: bool, kind: str) -> str:
        """A multiple of a logarithm, or of its opposite."""
        if above or kind == NONZERO:
            rest = add(inner, constant(1), -1)
            if self.certain(rest, kind):
                self.fact(rest, kind)
            return "first [ksigns | rewrite <- law_log_one; first [apply r_log_monotone_lt; lra | apply r_log_monotone; lra]]"
        self.fact(inner, POSITIVE)
        self.fact(add(constant(1), inner, -1), kind)
        way = "_lt" if kind == POSITIVE else ""
        return f"pose proof (r_log_monotone{way} ({self.text(inner)}) 1 ltac:(lra) ltac:(lra)) as z; rewrite law_log_one in z; lra"

    def _turned(self, m: Monomial, c: Fraction | int, below: set[Atom]) -> str:
        """c·m with −a in place of each atom a that is negative."""
        found = [(a, Fraction(e)) for a, e in m]
        odd = sum(e.numerator for a, e in found if a in below) % 2
        opposite = {a: f"(((-1) * {self.atom_text(a)}) ^ {abs(e.numerator)})" for a, e in found if a in below}
        texts = [(opposite[a] if e > 0 else f"(/ {opposite[a]})") if a in below else self.factor_text(a, e) for a, e in found]
        return " * ".join([rational(-c if odd else c), *texts])

    def _sum_sign(self, p: Polynomial, a: Any, kind: str) -> str:
        """A sum of terms that have a sign."""
        _, (low, high), (y, body) = a
        saved = {which: set(found) for which, found in self.known.items()}, dict(self.equations), list(self.universal)
        values, seen, script, proved, solved = self._values, self._seen, self.script, dict(self.proved), self.solved
        self._values, self._seen, self.script = {}, {}, []
        self.sources.append(dict(self.sources[-1]))
        self.facts.append(dict(self.facts[-1]))
        self.open.append(y)
        for edge in (add(atom(y), dict(low), -1), add(dict(high), atom(y), -1)):
            if edge:
                self.known[NONNEGATIVE].add(self._mark(edge))
        self._instances(y)
        inner = self.sign_of(dict(body), kind)
        nested = "; ".join([*self.script, inner])
        self.known, self.equations, self.universal = saved
        self._values, self._seen, self.script, self.proved, self.solved = values, seen, script, proved, solved
        self.sources.pop()
        self.facts.pop()
        self.open.pop()
        law = "law_sum_pos" if kind == POSITIVE else "law_sum_nonneg"
        names = f"{self.name_of(y.data[0])} {self.fresh('wx')} {self.fresh('r')} {self.fresh('r')}"
        last = ""
        if kind == POSITIVE:
            length = add(dict(high), dict(low), -1)
            last = f" | assert (0 <= {self.text(length)}) by ({self.sign_of(length, NONNEGATIVE)}); lra"
        ((_, c),) = p.items()
        first = "" if c == 1 else f"apply {'Rmult_lt_0_compat' if kind == POSITIVE else 'Rmult_le_pos'}; [lra | ]; "
        return f"{first}apply {law}; [kwhole | kwhole | intros {names}; cbv beta; {nested}{last}]"

    def _compared(self, p: Polynomial, kind: str) -> str:
        """a − b for products a, b of positive factors, by their logarithms."""
        (m, c), (n, d) = sorted(p.items(), key=lambda term: -term[1])
        for a, _ in (*m, *n):
            self.fact(atom(a), POSITIVE)
        high, low = self.log({m: c}), self.log({n: -d})
        gap = add(high, low, -1)
        self.say(SHOWN[kind].format(f"({self.text(gap)})"), self.sign_of(gap, kind), "s")
        words = f"({self.term_text(m, c)}) ({self.term_text(n, -d)}) ({self.text(high)}) ({self.text(low)})"
        law = "klarger_lt" if kind == POSITIVE else "klarger"
        return f"apply ({law} {words}); [{self.exponential(high, {m: c})} | {self.exponential(low, {n: -d})} | lra | kclose]"

    def _by_source(self, p: Polynomial, kind: str, strong: str, name: str, difference: Term) -> str:
        e, whole = self.equation(difference)
        q, factor = self.cleared_by(whole, POSITIVE)
        ratio = self._ratio(q, p)
        if ratio is None and kind == NONZERO and len(q) == 1 and len(p) == 1:
            return f"intro zero; assert ({self.written(difference)} <> 0) as ne by first [lra | intro; apply {name}; lra]; apply ne; " + (
                f"try rewrite {e}; rewrite ?zero, ?Rinv_0, ?pow_ne_zero by lia; ring"
            )
        if ratio is None:
            raise Unreplayed("a premise of another shape")
        for a, _ in next(iter(ratio)):
            self.fact(atom(a), POSITIVE)
        self.nonzero(ratio)
        self.nonzero(whole)
        law = {POSITIVE: "kpos_by", NONNEGATIVE: "knonneg_by", NONZERO: "kne_by"}[kind]
        scale = f"({self.text(ratio)}) * / ({factor})"
        return (
            f"apply ({law} ({scale})); [ksigns | replace ({scale} * ({self.text(p)})) with ({self.written(difference)}) "
            f"by (try rewrite {e}; kclose); first [lra | intro; apply {name}; lra]]"
        )

    def _ratio(self, q: Polynomial, p: Polynomial) -> Polynomial | None:
        """A positive monomial c with q = c·p."""
        for m, c in q.items():
            for n, d in p.items():
                powers: dict[Atom, Any] = {}
                for a, e in m:
                    powers[a] = powers.get(a, 0) + e
                for a, e in n:
                    powers[a] = powers.get(a, 0) - e
                ratio: Polynomial = {frozenset((a, e) for a, e in powers.items() if e): quotient(c, d)}
                if quotient(c, d) > 0 and multiply(ratio, p, self.budget) == q:
                    return ratio
            break
        return None

    # what is asked for

    def ring(self, f: Term) -> str:
        """A tactic for an equation."""
        left, right = f.parts
        (a, p), (b, q) = self.equation(left), self.equation(right)
        if p == q:
            return f"transitivity ({self.text(p)}); [exact {a} | symmetry; exact {b}]"
        name, rest = self.equation(minus(left, right))
        self.cleared_by(rest, NONZERO)
        self.nonzero(rest)
        zero = self.say(f"{self.text(rest)} = 0", "kclose", "z")
        return f"rewrite {zero} in {name}; lra"

    def signed(self, t: Term, kind: str) -> str:
        """A hypothesis that says the sign of a term."""
        name, p = self.equation(t)
        return self.say(SHOWN[kind].format(f"({self.written(t)})"), f"try rewrite {name}; {self.sign_of(p, kind)}", "k")

    def structure(self, t: Term, kind: str) -> None:
        """The signs of the parts that the ring knows."""
        if self.sign(t, kind):
            self.signed(t, kind)
            return
        for part in t.parts:
            if part.sort != "F" and not part.loose:
                for which in dict.fromkeys([POSITIVE, kind, NONNEGATIVE, NONZERO]):
                    if self.sign(part, which):
                        self.signed(part, which)
                        break
                else:
                    self.structure(part, kind)

    def linear(self, f: Term, terms: list[tuple[str, Term, Term]]) -> str:
        """A tactic for a relation that is a combination of others."""
        a, b = f.parts
        rest = minus(b, a)
        for name, m, relation in terms:
            low, high = relation.parts
            product = f"{self.written(m)} * ({self.written(high)} - {self.written(low)})"
            if relation.tag == "=":
                self.say(f"{product} = 0", f"exact (linear_eq _ _ _ {name})", "l")
            else:
                strict = relation.tag == "<" and self.sign(m, POSITIVE)
                sign = self.signed(m, POSITIVE if strict else NONNEGATIVE)
                law = "linear_lt" if strict else "linear_lt_le" if relation.tag == "<" else "linear_le"
                self.say(f"0 {'<' if strict else '<='} {product}", f"exact ({law} _ _ _ {sign} {name})", "l")
            rest = minus(rest, times(m, minus(high, low)))
        name, p = self.equation(rest)
        if not self.cleared(p, NONZERO):
            self.nonzero(p)
            self.say(f"{self.written(rest)} = 0", f"try rewrite {name}; kclose", "z")
        elif f.tag == "<" and self.sign(rest, POSITIVE):
            self.signed(rest, POSITIVE)
        else:
            self.signed(rest, NONNEGATIVE)
        return "lra"


def is_its_own(a: Atom) -> bool:
    """Whether an atom is π or a variable for integers: no power of another variable stands for it."""
    return isinstance(a, Term) and (a.sort == "Z" or a.tag == "pi")


def denominators(t: Term) -> list[Term]:
    """What is inverted in a term, outside of binders."""
    if t.tag in BINDERS:
        return []
    return [b for part in t.parts for b in denominators(part)] + ([t.parts[0]] if t.tag == "^" and exponent_of(t) < 0 else [])


def factors_of(t: Term) -> list[Term]:
    """What a product of powers is made of."""
    if t.tag == "*":
        return [leaf for part in t.parts for leaf in factors_of(part)]
    return factors_of(t.parts[0]) if t.tag == "^" else [t]
