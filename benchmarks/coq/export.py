"""Write documents of the proof checker as files for Coq: a lemma for each step, proved by the lemma of its rule or a tactic.

Nothing here is trusted: what Coq accepts is what the files say, and `Print Assumptions` says what it rests on.
A real function stands for each function symbol, a real number for each variable, with a premise `whole x` where it is an integer.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from replay import NONZERO, SIGNS, Replay, Root, Unreplayed

from dpbounds.kernel.checker import Document, Statement
from dpbounds.kernel.sequents import Sequent
from dpbounds.kernel.terms import (
    BINDERS,
    ZERO,
    Refused,
    Term,
    abstract,
    at_most,
    below,
    instantiate,
    minus,
    plus,
    power,
    substitute,
    variable,
)

SECONDS = 120
"""For one tactic, on the clock."""
RELATIONS = {"<=": "", "<": "_lt", "=": "_eq"}
BINARY = {"+": "+", "*": "*", "=": "=", "<=": "<=", "<": "<", "->": "->"}
CALLS = {
    "exp": "exp", "log": "klog", "abs": "Rabs", "max": "Rmax", "min": "Rmin", "pow": "kpow", "binom": "kbinom",
    "ite": "kite", "sum": "ksum", "sup": "ksup", "inf": "kinf", "sup_above": "ksup_above", "inf_above": "kinf_above",
}  # fmt: skip


class Unwritten(Exception):
    """The document speaks of something that has no translation."""


def name_of(name: object) -> str:
    """The name of a variable or a function symbol in Coq."""
    return "v_" + str(name).replace("%", "X_")


def written(t: Term, scope: frozenset[str], bound: tuple[str, ...] = ()) -> str:
    """A term or formula; names that are not in scope no longer matter and are 0."""
    if t.tag in BINDERS:
        x = f"b{len(bound)}"
        *before, body = [written(p, scope, bound) for p in t.parts[:-1]] + [written(t.parts[-1], scope, (x, *bound))]
        match t.tag:
            case "all":
                return f"(forall {x} : R, {f'whole {x} -> ' if t.data == ('Z',) else ''}{body})"
            case "deriv":
                return f"(is_derive (fun {x} : R => {body}) {before[0]} {before[1]})"
            case "line" | "integrable":
                raise Unwritten("an integral of Lebesgue")
        return f"({CALLS[t.tag]} (fun {x} : R => {body}) {' '.join(before)})"
    parts = [written(p, scope, bound) for p in t.parts]
    match t.tag:
        case "q":
            q: Any = t.data[0]
            return f"({q.numerator})" if q.denominator == 1 else f"({q.numerator} / {q.denominator})"
        case "v":
            return name_of(t.data[0]) if str(t.data[0]) in scope else "0"
        case "b":
            return bound[int(str(t.data[0]))]
        case "^":
            n = int(str(t.data[0]))
            return f"({parts[0]} ^ {n})" if n >= 0 else f"(/ {parts[0]})" if n == -1 else f"(/ ({parts[0]} ^ {-n}))"
        case "pi":
            return "PI"
        case "and" | "or":
            return "(" + (" /\\ " if t.tag == "and" else " \\/ ").join(parts) + ")"
        case "not":
            return f"(~ {parts[0]})"
        case "f":
            return f"({' '.join([name_of(t.data[0]) if str(t.data[0]) in scope else zero(t.data[1]), *parts])})"
    return f"({parts[0]} {BINARY[t.tag]} {parts[1]})" if t.tag in BINARY else f"({' '.join([CALLS[t.tag], *parts])})"


def zero(signature: object) -> str:
    """The function that is 0."""
    return f"(fun {'_ ' * str(signature).index('>')}=> 0)"


def declared(signature: str) -> str:
    """The type of a function symbol."""
    return "R -> " * signature.index(">") + "R"


def whole_function(name: str, signature: str) -> str:
    """That a function symbol has whole values."""
    wanted = signature.partition(">")[0]
    names = [f"a{k}" for k in range(len(wanted))]
    condition = "".join(f"whole {n} -> " for n, s in zip(names, wanted, strict=True) if s == "Z")
    return f"(forall {' '.join(names)} : R, {condition}whole ({' '.join([name, *names])}))"


@dataclass(frozen=True)
class Shape:
    """What a lemma binds, in order, and its formula."""

    functions: tuple[tuple[str, str], ...]
    variables: tuple[tuple[str, str], ...]
    hypotheses: tuple[Term, ...]
    formula: Term

    @property
    def scope(self) -> frozenset[str]:
        """All names."""
        return frozenset(n for n, _ in (*self.functions, *self.variables))


def shape(s: Sequent, order: Callable[[Term], int]) -> Shape:
    """The lemma of a sequent."""
    free = set[object]().union(s.formula.free, *(h.free for h in s.hypotheses))
    variables = sorted((str(v.data[0]), v.sort) for v in free if isinstance(v, Term))
    functions = sorted((str(f[0]), str(f[1])) for f in free if isinstance(f, tuple))
    return Shape(tuple(functions), tuple(variables), tuple(sorted(s.hypotheses, key=order)), s.formula)


class Writer:
    """Writes one document as a module of Coq."""

    def __init__(self, rows: list[dict[str, Any]], accepted: Mapping[str, Statement], seconds: int = SECONDS) -> None:
        self.rows, self.document, self.seconds = rows, Document(rows[0], accepted), seconds
        self.accepted = accepted
        self.names: dict[Term, str] = {}
        self.shapes: list[Shape] = []
        self.lines: list[str] = []
        self.rules: list[str] = []

    def hypothesis_name(self, f: Term) -> str:
        """The name under which a hypothesis is introduced."""
        return self.names.setdefault(f, f"h{len(self.names)}")

    def order(self, f: Term) -> int:
        """Hypotheses come in the order in which they were met."""
        return int(self.hypothesis_name(f)[1:])

    def statement(self, s: Shape) -> str:
        """∀ functions and variables, what is whole, hypotheses → formula."""
        binders = "".join(f"({name_of(n)} : {declared(g)}) " for n, g in s.functions)
        binders += "".join(f"({name_of(n)} : R) " for n, _ in s.variables)
        whole = [whole_function(name_of(n), g) for n, g in s.functions if g.endswith(">Z")]
        whole += [f"whole {name_of(n)}" for n, sort in s.variables if sort == "Z"]
        parts = [*whole, *(written(h, s.scope) for h in s.hypotheses), written(s.formula, s.scope)]
        return (f"forall {binders}, " if binders else "") + " -> ".join(parts)

    def introductions(self, s: Shape) -> list[str]:
        """Names for what the statement binds."""
        names = [name_of(n) for n, _ in (*s.functions, *s.variables)]
        names += [f"w_{n}" for n, g in s.functions if g.endswith(">Z")] + [f"w_{n}" for n, sort in s.variables if sort == "Z"]
        return names + [self.hypothesis_name(h) for h in s.hypotheses]

    def applied(self, lemma: str, s: Shape, scope: frozenset[str], terms: Mapping[str, str] = {}, proofs: Mapping[Term, str] = {}) -> str:
        """The lemma with its variables, unless `terms` has others for them, and hypotheses, unless `proofs` has proofs of them."""
        words = [lemma]
        words += [terms.get(n, name_of(n) if n in scope else zero(g)) for n, g in s.functions]
        words += [terms.get(n, name_of(n) if n in scope else "0") for n, _ in s.variables]
        words += ["ltac:(intros; kwhole)" for n, g in (*s.functions, *s.variables) if g.endswith("Z")]
        words += [proofs.get(h, self.hypothesis_name(h)) for h in s.hypotheses]
        return f"({' '.join(words)})"

    def write(self) -> str:
        """The module, with a lemma for each step."""
        row: dict[str, Any]
        for row in self.rows[1:-1]:
            if "let" in row:
                self.document.let(row["let"], row["be"])
                continue
            found = self.document.step(row["rule"], row.get("by", []), row.get("with", {}))
            s, k = shape(found, self.order), len(self.shapes)
            self.shapes.append(s)
            self.rules.append(row["rule"])
            tactic = Step(self, row["rule"], row.get("by", []), row.get("with", {}), s).tactic()
            self._lemma(f"s{k}", s, tactic, f'idtac "GAP {row["rule"]} {k}"; apply gap')
        end = self.document.end(self.rows[-1]["end"], self.rows[-1].get("defined", []))
        last = shape(end.sequent, self.order)
        step = self.rows[-1]["end"]
        self._lemma("claim", last, f"exact {self.applied(f's{step}', self.shapes[step], last.scope)}", "fail")
        return "\n".join(self.lines)

    def _lemma(self, name: str, s: Shape, tactic: str, otherwise: str) -> None:
        names = self.introductions(s)
        intro = f"intros {' '.join(names)}. " if names else ""
        self.lines.append(f"Lemma {name} : {self.statement(s)}.")
        self.lines.append(f"Proof. {intro}first [ timeout {self.seconds} (solve [ {tactic} ]) | {otherwise} ]. Qed.")


EXACT = {
    "antisymmetric": "r_antisymmetric _ _", "detach": "r_detach _ _", "absurd": "r_absurd _ _",
}  # fmt: skip
"""Rules whose lemma is applied to the premises."""
PLAIN = {
    "excluded_middle": "r_excluded_middle", "total_order": "r_total_order", "irreflexive": "r_irreflexive",
    "exp_above": "r_exp_above", "bounds_of_pi": "r_bounds_of_pi", "sum_exchange": "r_sum_exchange",
}  # fmt: skip
"""Rules without premises."""


class Step:
    """The tactic for one step."""

    def __init__(self, writer: Writer, rule: str, by: list[int], given: dict[str, Any], s: Shape) -> None:
        self.w, self.rule, self.by, self.s, self.scope = writer, rule, by, s, s.scope
        self.given = {} if rule == "lemma" else writer.document.arguments.of_rule(rule, given)
        self.raw = given
        self.premises = [writer.shapes[k] for k in by]

    def term(self, t: Term, *bound: Term) -> str:
        """A term, as a function of variables."""
        names = [f"b{k}" for k in range(len(bound))]
        for x in bound:
            t = abstract(t, x) if not t.loose else t
        body = written(t, self.scope, tuple(reversed(names)))
        return f"(fun {names[0]} : R => {body})" if bound else body

    def lambda_(self, body: Term) -> str:
        """The body of a binder as a function."""
        return f"(fun b0 : R => {written(body, self.scope, ('b0',))})"

    def use(self, k: int, proofs: Mapping[Term, str] = {}, more: tuple[str, ...] = ()) -> str:
        """A proof of premise number k."""
        return self.w.applied(f"s{self.by[k]}", self.premises[k], self.scope | set(more), {}, proofs)

    def under(self, k: int, x: Term, *conditions: Term, whole: bool = False) -> str:
        """Premise k for every x, under conditions."""
        names = [name_of(x.data[0]), *([f"w_{x.data[0]}"] if whole else []), *(self.w.hypothesis_name(c) for c in conditions)]
        return f"(fun {' '.join(names)} => {self.use(k, more=(str(x.data[0]),))})"

    def posed(self) -> str:
        """The premises as p0, p1, …, and nothing else."""
        names = [self.w.hypothesis_name(h) for h in self.s.hypotheses]
        poses = [f"pose proof {self.use(k)} as p{k}" for k in range(len(self.by))]
        return "; ".join([*poses, *([f"clear {' '.join(names)}"] if names else []), "cbv beta in *"])

    def tactic(self) -> str:
        """What proves the step."""
        if self.rule in EXACT:
            return f"exact ({EXACT[self.rule]} {' '.join(self.use(k) for k in range(len(self.by)))})"
        if self.rule in PLAIN:
            return f"apply {PLAIN[self.rule]}"
        if not hasattr(self, f"on_{self.rule}"):
            raise Unwritten(f"the rule {self.rule} has no lemma")
        return str(getattr(self, f"on_{self.rule}")())

    # logic

    def on_hypothesis(self) -> str:
        return f"exact {self.w.hypothesis_name(self.s.formula)}"

    def on_discharge(self) -> str:
        return f"exact (fun {self.w.hypothesis_name(self.given['formula'])} => {self.use(0)})"

    def on_generalize(self) -> str:
        x = self.given["variable"]
        return f"exact {self.under(0, x, whole=x.sort == 'Z')}"

    def on_specialize(self) -> str:
        whole = " ltac:(kwhole)" if self.premises[0].formula.data == ("Z",) else ""
        return f"exact ({self.use(0)} {self.term(self.given['at'])}{whole})"

    def on_substitution(self) -> str:
        terms, functions = self.given["terms"], self.given["functions"]
        values = {str(x.data[0]): self.term(t) for x, t in terms.items()}
        for (n, _), (parameters, body) in functions.items():
            inner = self.scope | {str(x.data[0]) for x in parameters}
            values[n] = f"(fun {' '.join(name_of(x.data[0]) for x in parameters)} => {written(body, inner)})"
        proofs = {h: self.w.hypothesis_name(substitute(h, terms, functions)) for h in self.premises[0].hypotheses}
        return f"exact {self.w.applied(f's{self.by[0]}', self.premises[0], self.scope, values, proofs)}"

    def on_lemma(self) -> str:
        name = str(self.raw["name"])
        return f"exact {self.w.applied(f'{module(name)}.claim', self.w_claim(name), self.scope)}"

    def w_claim(self, name: str) -> Shape:
        """The lemma of another document."""
        return CLAIMS[name] if name in CLAIMS else shape(self.w.accepted[name].sequent, self.w.order)

    def on_conjunction(self) -> str:
        return " ".join(
            [
                "exact",
                "".join(f"(conj {self.use(k)} " for k in range(len(self.by) - 1)) + self.use(len(self.by) - 1) + ")" * (len(self.by) - 1),
            ]
        )

    def on_part(self) -> str:
        n, k = len(self.premises[0].formula.parts), self.given["number"]
        proof = self.use(0)
        for _ in range(k):
            proof = f"(proj2 {proof})"
        return f"exact {proof if k == n - 1 else f'(proj1 {proof})'}"

    def on_alternative(self) -> str:
        parts = self.s.formula.parts
        k = parts.index(self.premises[0].formula)
        proof = self.use(0) if k == len(parts) - 1 else f"(or_introl {self.use(0)})"
        return f"exact {'(or_intror ' * k}{proof}{')' * k}"

    def on_cases(self) -> str:
        alternatives = self.premises[0].formula.parts
        branches = [f"(fun {self.w.hypothesis_name(a)} => {self.use(k + 1)})" for k, a in enumerate(alternatives)]
        proof = branches[-1]
        for branch in reversed(branches[:-1]):
            proof = f"(fun split => or_ind {branch} {proof} split)"
        return f"exact ({proof} {self.use(0)})"

    def _hole(self, t: Term, a: Term) -> str:
        from dpbounds.kernel.terms import transform

        hole = variable("%hole", a.sort)
        body = transform(t, lambda s, depth: hole if s == a else None)
        return f"(fun v_X_hole : R => {written(body, self.scope | {'%hole'})})"

    def on_rewrite(self) -> str:
        a, _ = self.premises[1].formula.parts
        return f"exact (r_rewrite {self._hole(self.premises[0].formula, a)} _ _ {self.use(0)} {self.use(1)})"

    def on_induction(self) -> str:
        x, start, f = self.given["variable"], self.given["start"], self.given["formula"]
        step = self.under(1, x, at_most(start, x), f, whole=True)
        return f"exact (r_induction {self.lambda_(abstract(f, x))} {self.term(start)} ltac:(kwhole) {self.use(0)} {step})"

    # order

    def _replayed(self, build: Callable[[Replay, Callable[[Term], Term], list[tuple[str, Term]]], str], used: int = 0) -> str:
        """What follows the normal forms of the checker, or nothing where that cannot be said."""
        found = self._replay(build, used, False)
        return self._replay(build, used, True) if found == "fail" else found

    def _replay(self, build: Callable[[Replay, Callable[[Term], Term], list[tuple[str, Term]]], str], used: int, own: bool) -> str:
        """With another variable for what has roots, or with `own` terms."""
        gone = {
            v: ZERO for p in self.premises for f in (p.formula,) for v in f.free if isinstance(v, Term) and str(v.data[0]) not in self.scope
        }
        functions = {f for p in self.premises for f in p.formula.free if isinstance(f, tuple) and f[0] not in self.scope}
        lambdas = {f: (tuple(variable(f"%z{k}", x) for k, x in enumerate(f[1].partition(">")[0])), ZERO) for f in functions}
        self.known = [(f"p{k}", substitute(p.formula, gone, lambdas)) for k, p in enumerate(self.premises)]
        scope = self.scope | {f"%{n}{k}" for n in ("open", "") for k in range(20)}
        names: dict[Term, int] = {}
        for _ in range(6):
            swap = {v: power(variable(f"%r{v.data[0]}", "R"), n) for v, n in names.items()}
            start = []
            for k, (v, n) in enumerate(names.items()):
                root, positive = name_of(f"%r{v.data[0]}"), f"root{k}"
                proof = f"(law_root {name_of(v.data[0])} {n} ltac:(first [ksigns | lra]) ltac:(lia))"
                start.append(f"destruct {proof} as ({root} & {positive} & same{k}); subst {name_of(v.data[0])}; cbv beta in *")
            known = [(n, substitute(f, swap)) for n, f in self.known]
            known += [(f"root{k}", below(ZERO, variable(f"%r{v.data[0]}", "R"))) for k, v in enumerate(names)]
            inner = scope | {f"%r{v.data[0]}" for v in names}
            divided: dict[Any, int] = {}
            try:
                for _ in range(2):
                    replay = Replay(known, known[:used], lambda t, inner=inner: written(t, inner), name_of, divided, own)
                    end = build(replay, lambda t, swap=swap: substitute(t, swap), known)
                return "; ".join([self.posed(), *start, *replay.script, end])
            except Root as why:
                if why.atom in names or not isinstance(why.atom, Term) or why.atom.tag != "v":
                    return "fail"
                names[why.atom] = why.power
            except (Unreplayed, Refused):
                return "fail"
        return "fail"

    def on_ring(self) -> str:
        if self.s.formula.tag != "=":
            return self._sign()
        return f"first [ {self._replayed(lambda r, moved, _: r.ring(moved(self.s.formula)))} | {self.posed()}; kring ]"

    def _sign(self) -> str:
        """What is 0 or has a sign: the right side of an order less its left side, or the difference of what differs."""
        f = self.s.formula
        kind, (large, small) = (NONZERO, f.parts[0].parts) if f.tag == "not" else (SIGNS[f.tag], f.parts[::-1])
        t = large if small == ZERO else minus(large, small)

        def build(replay: Replay, moved: Callable[[Term], Term], known: list[tuple[str, Term]]) -> str:
            replay.structure(moved(t), kind)
            return "first [ksigns | lra]"

        return f"first [ {self._replayed(build)} | {self.posed()}; ksign ]"

    def on_linear(self) -> str:
        multipliers = self.given["multipliers"]

        def build(replay: Replay, moved: Callable[[Term], Term], known: list[tuple[str, Term]]) -> str:
            return replay.linear(moved(self.s.formula), [(known[k][0], moved(m), known[k][1]) for k, m in enumerate(multipliers)])

        return f"first [ {self._replayed(build, len(multipliers))} | {self._searched()} ]"

    def _searched(self) -> str:
        """A combination by search."""
        total, asserts = ["0"], []
        for k, m in enumerate(self.given["multipliers"]):
            relation = self.premises[k].formula
            factor, low, high = self.term(m), *map(self.term, relation.parts)
            total.append(f"{factor} * ({high} - {low})")
            product = f"{factor} * ({high} - {low})"
            if relation.tag == "=":
                asserts.append(f"assert (q{k} : {product} = 0) by (exact (linear_eq _ _ _ p{k}))")
            else:
                weak = "linear_le" if relation.tag == "<=" else "linear_lt_le"
                proof = f"assert (q{k} : 0 <= {product}) by (apply ({weak} _ _ _); [ksign | exact p{k}])"
                strict = f"assert (q{k} : 0 < {product}) by (apply linear_lt; [ksign | exact p{k}])"
                asserts.append(f"first [{strict} | {proof}]" if relation.tag == "<" else proof)
        low, high = map(self.term, self.s.formula.parts)
        sums = " + ".join(total)
        goal = f"({high}) - ({low})"
        ways = ["lra", f"assert (e : {goal} = {sums}) by kring; lra"]
        if self.s.formula.tag != "=":
            ways += [f"assert (e : 0 <= {goal} - ({sums})) by krest; lra"]
            ways += [f"assert (e : 0 < {goal} - ({sums})) by krest; lra"] if self.s.formula.tag == "<" else []
        return "; ".join([self.posed(), *asserts, f"first [ {' | '.join(ways)} ]"])

    def on_next_integer(self) -> str:
        a, b = map(self.term, self.premises[0].formula.parts)
        return f"exact (r_next_integer {a} {b} ltac:(kwhole) ltac:(kwhole) {self.use(0)})"

    def on_branch(self) -> str:
        kind = "_not" if self.premises[0].formula.tag == "not" else ""
        return f"exact (r_branch{kind} _ _ _ {self.use(0)})"

    def on_power_monotone(self) -> str:
        return f"exact (r_power_monotone{RELATIONS[self.s.formula.tag]} _ _ _ {self.use(0)} {self.use(1)} {self.use(2)})"

    def on_integer_power(self) -> str:
        n = self.term(self.premises[0].formula.parts[1])
        return f"exact (r_integer_power {self.term(self.given['base'])} {n} ltac:(kwhole) {self.use(0)})"

    def on_absorption(self) -> str:
        n, k = (self.term(p.formula.parts[1]) for p in self.premises)
        return f"exact (r_absorption {n} {k} ltac:(kwhole) ltac:(kwhole) {self.use(0)} {self.use(1)})"

    def on_binomial_positive(self) -> str:
        return f"apply r_binomial_positive; [kwhole | kwhole | exact {self.use(0)} | exact {self.use(1)}]"

    # sums

    def on_sum_termwise(self) -> str:
        x, low, high = self.given["variable"], self.given["low"], self.given["high"]
        a, b = self.s.formula.parts
        words = [self.lambda_(a.parts[2]), self.lambda_(b.parts[2]), self.term(low), self.term(high), "ltac:(kwhole)", "ltac:(kwhole)"]
        words += [self.under(0, x, at_most(low, x), at_most(x, high), whole=True), *([self.use(1)] if len(self.by) > 1 else [])]
        return f"exact (r_sum_termwise{RELATIONS[self.s.formula.tag]} {' '.join(words)})"

    def on_sum_shift(self) -> str:
        """The checker writes l + s, h + s and i − s as short as it can: for s = −k it has i + k, where the lemma has i + (−1)(−k)."""
        total, shift = self.given["total"], self.term(self.given["by"])
        low, high, body = total.parts
        f, i = self.lambda_(body), variable("%i", "Z")
        ends = [(f"({self.term(end)} + {shift})", self.term(plus(end, self.given["by"]))) for end in (low, high)]
        index = written(abstract(minus(i, self.given["by"]), i), self.scope, ("i",))
        shorter = "; ".join(f"replace {long} with {short} by ring" for long, short in ends)
        inside = f"unfold ksum; apply nsum_eq; intros m _; generalize ({ends[0][1]} + INR m); intro i; cbv beta"
        return (
            f"transitivity (ksum (fun i => {f} (i + (-1) * {shift})) ({ends[0][0]}) ({ends[1][0]})); "
            f"[exact (r_sum_shift {f} {self.term(low)} {self.term(high)} {shift}) | "
            f"{shorter}; {inside}; try replace (i + (-1) * {shift}) with {index} by ring; reflexivity]"
        )

    def on_sum_split(self) -> str:
        wholes = " ltac:(kwhole)" * 3
        low, high, body = self.given["total"].parts
        middle = self.premises[1].formula.parts[0]
        ends = f"{self.term(low)} {self.term(middle)} {self.term(high)}"
        return f"exact (r_sum_split {self.lambda_(body)} {ends}{wholes} {self.use(0)} {self.use(1)})"

    def on_binomial_theorem(self) -> str:
        return f"apply r_binomial_theorem; [kwhole | exact {self.use(0)}]"

    # calculus

    def on_derivative(self) -> str:
        proof = self._table(self.given["function"], self.given["variable"], ())
        close = "first [reflexivity | ring | field; repeat split; ksign]"
        return f"{self.posed()}; refine (d_eq _ _ _ _ {proof} _); [try ksign .. |]; cbv beta; simpl INR; {close}"

    def _table(self, t: Term, x: Term, more: tuple[str, ...]) -> str:
        scope = self.scope | set(more)

        def function(part: Term) -> str:
            return f"(fun b0 : R => {written(abstract(part, x), scope, ('b0',))})"

        point = name_of(x.data[0])
        if t == x:
            return f"(d_id {point})"
        if x not in t.free:
            return f"(d_const {written(t, scope)} {point})"
        side = "ltac:(cbv beta; ksign)"
        inner = [self._table(p, x, more) for p in t.parts] if t.tag != "sum" else []
        f = [function(p) for p in t.parts] if t.tag != "sum" else []
        match t.tag:
            case "+" | "*":
                return f"(d_{'plus' if t.tag == '+' else 'mult'} {f[0]} {f[1]} {point} _ _ {inner[0]} {inner[1]})"
            case "^":
                n = int(str(t.data[0]))
                if n > 0:
                    return f"(d_pow {f[0]} {point} _ {n - 1} {inner[0]})"
                if n == -1:
                    return f"(d_inv_one {f[0]} {point} _ {inner[0]} {side})"
                return f"(d_inv {f[0]} {point} _ {-n} {inner[0]} {side})" if n else f"(d_const 1 {point})"
            case "exp":
                return f"(d_exp {f[0]} {point} _ {inner[0]})"
            case "log":
                return f"(d_log {f[0]} {point} _ {inner[0]} {side})"
            case "pow" if x not in t.parts[1].free:
                r = written(t.parts[1], scope)
                ways = [f"(d_power{way} {f[0]} {point} _ {r} {inner[0]} {side})" for way in ("_const", "_from_one")]
                return f"ltac:(first [exact {ways[0]} | exact {ways[1]}])"
            case "pow":
                return f"(d_power {f[0]} {f[1]} {point} _ _ {inner[0]} {inner[1]} {side})"
        if t.tag != "sum":
            raise Unwritten(f"the derivative of {t.tag} has no lemma")
        low, high, body = t.parts
        i = variable(f"%d{t.depth}", "Z")
        name = str(i.data[0])
        opened = instantiate(body, i)
        both = written(abstract(abstract(opened, x), i), scope, ("b1", "b0"))
        return (
            f"(d_sum_whole (fun b0 b1 : R => {both}) _ {point} {written(low, scope)} {written(high, scope)} ltac:(kwhole) "
            f"(fun {name_of(name)} w_{name_of(name)} => {self._table(opened, x, (*more, name))}))"
        )

    def _inside(self, k: int, strict: bool) -> str:
        x, low, high = self.given["variable"], self.given["low"], self.given["high"]
        return self.under(k, x, at_most(low, x), at_most(x, high), *([below(low, x), below(x, high)] if strict else []))

    def _slope(self, k: int) -> str:
        """The value of a derivative as a function of the variable."""
        return self.lambda_(abstract(self.premises[k].formula.parts[1], self.given["variable"]))

    def on_monotone(self) -> str:
        ends = f"{self.term(self.given['low'])} {self.term(self.given['high'])}"
        words = [
            self.lambda_(self.premises[0].formula.parts[2]),
            self._slope(0),
            ends,
            self._inside(0, False),
            self._inside(1, True),
            self.use(2),
        ]
        falls = "" if self.premises[1].formula.parts[0] == ZERO else "_falls"
        return f"exact (r_monotone{falls}{RELATIONS[self.s.formula.tag]} {' '.join(words)})"

    def on_tangent(self) -> str:
        points = " ".join(self.term(self.given[n]) for n in ("low", "high", "at", "to"))
        words = [self.lambda_(self.premises[0].formula.parts[2]), self._slope(0), self._slope(1), points]
        words += [self._inside(0, False), self._inside(1, True), self._inside(2, True), *(self.use(k) for k in range(3, 7))]
        return f"exact (r_tangent {' '.join(words)})"

    def _extremum(self, kind: str, value: Term, *points: str) -> str:
        x, ends = self.given["variable"], self.given["ends"]
        a, b = self.premises[0].formula.parts
        f, c = (a, b) if x in a.free else (b, a)
        inside = self.under(0, x, below(ends[0], x), *(below(x, e) for e in ends[1:]))
        words = [
            self.lambda_(abstract(f, x)),
            *map(self.term, ends),
            self.term(c),
            *points,
            inside,
            *(self.use(k) for k in range(1, len(self.by))),
        ]
        return f"exact (r_{value.tag}_{kind} {' '.join(words)})"

    def _value(self) -> Term:
        return next(p for p in self.s.formula.parts if p.tag in ("sup", "inf", "sup_above", "inf_above"))

    def on_extremum_bound(self) -> str:
        x = self.given["variable"]
        a, _ = self.premises[0].formula.parts
        return self._extremum("bound", self.s.formula.parts[0 if x in a.free else 1])

    def on_extremum_reached(self) -> str:
        x = self.given["variable"]
        a, _ = self.premises[0].formula.parts
        reached, points = self.s.formula.parts[1 if x in a.free else 0], [self.term(self.given["at"])]
        if self.premises[1].formula.tag == "deriv":
            return self._extremum("at_end", reached, *points, self.term(self.premises[1].formula.parts[1]))
        return self._extremum("reached", reached, *points)

    def on_extremum_multiple(self) -> str:
        total, factor = self.given["extremum"], self.given["factor"]
        words = [self.lambda_(total.parts[-1]), *map(self.term, total.parts[:-1]), self.term(factor), self.use(0)]
        return f"exact (r_{total.tag}_multiple {' '.join(words)})"


CLAIMS: dict[str, Shape] = {}
"""The lemmas of documents that were written, in their own order of hypotheses."""


def module(name: str) -> str:
    """The module of a document."""
    return "D_" + name.replace("-", "_")


def written_document(text: str, accepted: Mapping[str, Statement], seconds: int = SECONDS) -> tuple[str, Writer]:
    """A document as a module.

    Raises:
        Unwritten: it speaks of integrals.
    """
    writer = Writer([json.loads(line) for line in text.splitlines()], accepted, seconds)
    body = writer.write()
    name = str(writer.rows[0]["name"])
    CLAIMS[name] = shape(Sequent(frozenset(writer.document.given), writer.document.claim), writer.order)
    return f"Module {module(name)}.\n{body}\nEnd {module(name)}.\n", writer
