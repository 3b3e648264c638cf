"""A derivation: named facts that end in a conclusion, with the closed form it gives.

`@recipe(name, title)` turns a function that builds facts into an entry of the catalogue. Nothing here is believed: a derivation counts
once the proof checker accepts its document.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import sympy
from sympy import Expr, Symbol

from dpbounds.errors import DerivationError, InputError
from dpbounds.language.substitution import parts_of_and
from dpbounds.language.symbols import canonical_text
from dpbounds.numbers import exact
from dpbounds.prover.facts import Assumed, Fact, ancestors
from dpbounds.prover.terms import dummies_named
from dpbounds.prover.textbook import TextbookPrinter, words_of

_LONG_LINE = 300  # characters of LaTeX


@dataclass(frozen=True)
class Step:
    """One named fact of a derivation.

    Attributes:
        name: what the step does, in a few words.
        fact: what it establishes.
    """

    name: str
    fact: Fact


@dataclass(frozen=True, repr=False)
class Derivation:
    """A chain of facts.

    Attributes:
        name: how it is called on the command line.
        title: one line.
        source: where the result is stated.
        steps: the named facts, in order.
        result: the last fact.
        closed_form: the formula it ends in, or None for a pure inequality.
        variables: the arguments of the closed form, in order.
        builder: the function that builds it again.
    """

    name: str
    title: str
    source: str
    steps: tuple[Step, ...]
    result: Fact
    closed_form: Expr | None
    variables: tuple[Symbol, ...]
    builder: Callable[[ProofSteps], Fact] = field(repr=False, compare=False)

    @property
    def conclusion(self) -> Any:
        """The statement that was derived."""
        return self.result.statement

    @property
    def assumptions(self) -> frozenset[Any]:
        """The Booleans under which it holds, beyond the assumptions of the symbols."""
        return self.result.assumptions

    @property
    def assumed(self) -> tuple[Assumed, ...]:
        """The unchecked steps that it rests on, with their citations."""
        return self.result.assumed

    def rebuild(self) -> Derivation:
        """Run every rule again.

        Raises:
            DerivationError: the steps came out differently.
        """
        again = _build(self.name, self.title, self.source, self.builder)
        if again.to_json() != self.to_json():
            raise DerivationError(f"{self.name}: rebuilding gave other steps")
        return again

    def facts(self) -> list[Fact]:
        """All facts that the steps and the conclusion rest on, premises first."""
        return ancestors((*(step.fact for step in self.steps), self.result))

    def to_json(self) -> dict[str, Any]:
        """The derivation as plain data, for certificates: every fact with its rule, statement, assumptions and premises."""
        facts = self.facts()
        numbers = {id(fact): position for position, fact in enumerate(facts)}
        labels = {id(step.fact): step.name for step in self.steps}
        steps = [
            {
                "name": labels.get(id(fact), ""),
                "rule": fact.rule,
                "statement": _text(fact.statement),
                "assumptions": sorted(_text(assumption) for assumption in fact.assumptions),
                "premises": [numbers[id(premise)] for premise in fact.premises],
            }
            for fact in facts
        ]
        return {
            "derivation": self.name,
            "conclusion": _text(self.conclusion),
            "assumptions": sorted(_text(assumption) for assumption in self.assumptions),
            "assumed": [str(entry) for entry in self.assumed],
            "steps": steps,
            "digest": hashlib.sha256(json.dumps(steps, sort_keys=True).encode()).hexdigest(),
        }

    # reading it

    def latex(self) -> str:
        """The steps as a LaTeX list, each with its name and rule."""
        lines = [rf"\textbf{{{_escape(self.title)}}}", r"\begin{enumerate}"]
        lines += [
            rf"\item {_escape(step.name)} (\emph{{{_escape(step.fact.rule)}}}): $\displaystyle {_latex(step.fact.statement)}$"
            for step in self.steps
        ]
        lines.append(r"\end{enumerate}")
        if self.assumptions:
            lines.append(rf"Assumptions: ${', '.join(sorted(_latex(a) for a in self.assumptions))}$.")
        lines += [rf"Taken from the literature: {_escape(str(entry))}." for entry in self.assumed]
        return "\n".join(lines)

    def _repr_latex_(self) -> str:
        rows = r" \\ ".join(rf"\text{{{_escape(step.name)}}} &: {_latex(step.fact.statement)}" for step in self.steps)
        return rf"$\displaystyle \begin{{aligned}} {rows} \end{{aligned}}$"

    def _repr_markdown_(self) -> str:
        lines = [f"**{_markdown(self.title)}**", ""]
        for k, step in enumerate(self.steps, 1):
            formula = display_latex(step.fact.statement)
            place = "<br>" if len(formula) > _LONG_LINE // 2 else " "
            lines.append(f"{k}. *{_markdown(step.name)}* ({words_of(step.fact.rule)}):{place}$\\displaystyle {formula}$")
        if self.assumptions:
            lines += ["", "Assumptions: " + ", ".join(f"${_latex(a)}$" for a in sorted(self.assumptions, key=str))]
        lines += [f"\nTaken from the literature: {_markdown(str(entry))}" for entry in self.assumed]
        return "\n".join([*lines, *self._algebra()])

    def _algebra(self) -> list[str]:
        """What lies between the steps, to be unfolded; the longest formulas stay in `facts()`."""
        shown, rows = {id(step.fact) for step in self.steps}, []
        for k, step in enumerate(self.steps, 1):
            for fact in ancestors((step.fact,)):
                formula = _latex(fact.statement)
                if id(fact) not in shown and len(formula) <= _LONG_LINE:
                    rows.append(f"* for step {k}, {words_of(fact.rule)}: ${formula}$")
                shown.add(id(fact))
        return ["", "<details><summary>The algebra between the steps</summary>", "", *rows, "", "</details>"] if rows else []

    def __repr__(self) -> str:
        return f"<Derivation {self.name}: {len(self.steps)} steps>"

    def __str__(self) -> str:
        lines = [self.title, ""]
        lines += [f"{k:3d}. {step.name} ({step.fact.rule})\n     {step.fact.statement}" for k, step in enumerate(self.steps, 1)]
        if self.assumptions:
            lines += ["", "assumptions: " + ", ".join(sorted(map(str, self.assumptions)))]
        lines += [f"taken from the literature: {entry}" for entry in self.assumed]
        if self.closed_form is not None:
            lines += ["", f"closed form: {self.closed_form}"]
        return "\n".join(lines)

    # evaluating it

    def _formula(self) -> Expr:
        if self.closed_form is None:
            raise InputError(f"the derivation {self.name} ends in an inequality and has no closed form")
        return self.closed_form

    def numpy(self) -> Callable[..., Any]:
        """The closed form as a float64 function of `variables` (no error bound)."""
        return sympy.lambdify(self.variables, self._formula(), modules=["scipy", "numpy"])

    def mpmath(self, digits: int = 30) -> Callable[..., Any]:
        """The closed form as a function of exact numbers, evaluated by mpmath to about `digits` digits (no error bound)."""
        import mpmath

        formula = self._formula()

        def evaluate(*values: exact.Number) -> Any:
            number = self._at(formula, values)
            with mpmath.workdps(digits + 15):
                return mpmath.mpf(sympy.lambdify((), number, modules="mpmath")())

        return evaluate

    def ball(self, bits: int = 128) -> Callable[..., Any]:
        """The closed form as a function of exact numbers that returns a certified `Enclosure`."""
        from dpbounds.language import enclose

        formula = self._formula()

        def evaluate(*values: exact.Number) -> Any:
            return enclose.enclose(self._at(formula, values), {}, bits)

        return evaluate

    def _at(self, formula: Expr, values: Sequence[exact.Number]) -> Any:
        if len(values) != len(self.variables):
            names = ", ".join(map(str, self.variables))
            raise InputError(f"the closed form of {self.name} takes {names}, got {len(values)} values")
        point: Mapping[Symbol, Any] = {s: exact.to_sympy(exact.number(v, str(s))) for s, v in zip(self.variables, values, strict=True)}
        for symbol, value in point.items():
            signed = (symbol.is_positive and not value > 0) or (symbol.is_nonnegative and not value >= 0)
            if signed or (symbol.is_integer and not value.is_integer):
                kind = "positive" if symbol.is_positive else "nonnegative" if symbol.is_nonnegative else "real"
                raise InputError(f"{symbol} must be {kind}{' and an integer' if symbol.is_integer else ''}, got {value}")
        for assumption in self.assumptions:
            if assumption.subs(point) == False:  # noqa: E712
                raise InputError(f"the closed form of {self.name} needs {assumption}")
        return formula.subs(point).doit()


class ProofSteps:
    """Collects the named steps while a derivation is built."""

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self.closed_form: Expr | None = None
        self.variables: tuple[Symbol, ...] = ()

    def __call__(self, name: str, fact: Fact) -> Fact:
        """Record a fact under a name and return it."""
        if not isinstance(fact, Fact):
            raise DerivationError(f"step {name!r} is not a fact")
        self.steps.append(Step(name, fact))
        return fact

    def formula(self, expression: Expr, *variables: Symbol) -> None:
        """Set the closed form: it must be one side of the last recorded fact's relations."""
        self.closed_form, self.variables = expression, variables


@dataclass(frozen=True)
class Recipe:
    """An entry of the catalogue: how to build a derivation."""

    name: str
    title: str
    source: str
    builder: Callable[[ProofSteps], Fact]

    def __call__(self) -> Derivation:
        """Build it, once per process."""
        if self.name not in _BUILT:
            _BUILT[self.name] = _build(self.name, self.title, self.source, self.builder)
        return _BUILT[self.name]


_RECIPES: dict[str, Recipe] = {}
_BUILT: dict[str, Derivation] = {}


def recipe(name: str, title: str, source: str = "") -> Callable[[Callable[[ProofSteps], Fact]], Recipe]:
    """Register a builder under a name.

    Args:
        name: lower case with dashes.
        title: one line.
        source: paper and theorem.
    """

    def register(builder: Callable[[ProofSteps], Fact]) -> Recipe:
        recipe = Recipe(name, title, source, builder)
        _RECIPES[name] = recipe
        return recipe

    return register


def derive(name: str, title: str, builder: Callable[[ProofSteps], Fact], source: str = "") -> Derivation:
    """Build a derivation of one's own, outside the catalogue.

    >>> from dpbounds.prover import rules
    >>> x = sympy.Symbol("x", real=True)
    >>> derive("square", "A square is nonnegative", lambda proof: proof("sign", rules.nonnegative(x**2))).conclusion
    0 <= x**2
    """
    return _build(name, title, source, builder)


def _build(name: str, title: str, source: str, builder: Callable[[ProofSteps], Fact]) -> Derivation:
    proof = ProofSteps()
    result = builder(proof)
    if not isinstance(result, Fact):
        raise DerivationError(f"{name}: a derivation ends in a fact")
    if proof.closed_form is not None and not _shows(result, proof.closed_form):
        raise DerivationError(f"{name}: the closed form is not a side of the conclusion")
    return Derivation(name, title, source, tuple(proof.steps), result, proof.closed_form, proof.variables, builder)


def _shows(result: Fact, formula: Expr) -> bool:
    parts = parts_of_and(result.statement)
    return any(formula in (part.lhs, part.rhs) for part in parts if isinstance(part, sympy.core.relational.Relational))


def registered() -> dict[str, Recipe]:
    """Every derivation that was registered so far, by name, in the order of registration."""
    return dict(_RECIPES)


def built() -> dict[str, Derivation]:
    """Every derivation of the catalogue that was built so far, by name."""
    return dict(_BUILT)


def _text(statement: Any) -> str:
    return canonical_text(dummies_named(statement))


def display_latex(statement: Any) -> str:
    r"""LaTeX for a line of its own: each part of a conjunction, and the right side of a long relation, on a line below.

    >>> x = sympy.Symbol("x")
    >>> print(display_latex(sympy.And(x > 1, x < 2)))
    \begin{aligned} & x < 2 \\ & x > 1 \end{aligned}
    """
    lines = [line for part in sorted(parts_of_and(statement), key=_latex) for line in _lines_of(part)]
    if len(lines) == 1:
        return lines[0]
    return r"\begin{aligned} & " + r" \\ & ".join(lines) + r" \end{aligned}"


def _lines_of(statement: Any) -> list[str]:
    whole = _latex(statement)
    if len(whole) < _LONG_LINE or not isinstance(statement, sympy.core.relational.Relational):
        return [whole]
    sides = [_latex(side) for side in (statement.lhs, statement.rhs)]
    between = whole.removeprefix(sides[0]).removesuffix(sides[1])
    return [sides[0], rf"\quad {between.strip()} {sides[1]}"]


def _latex(statement: Any) -> str:
    return TextbookPrinter().doprint(statement)


def _markdown(text: str) -> str:
    return re.sub(r"([*_\\`])", r"\\\1", text)


def _escape(text: str) -> str:
    return text.replace("&", r"\&").replace("_", r"\_").replace("%", r"\%").replace("#", r"\#")
