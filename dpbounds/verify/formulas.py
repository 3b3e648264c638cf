"""Printed guarantees of matrix mechanisms, last iterates and shuffled answers: two mechanisms whose δ bounds the truth from both sides.

| statement | from above | from below |
|---|---|---|
| `matrix` | Gaussian noise with μ = s/σ for the largest sensitivity s that is certified | the same for the smallest |
| `hidden-state` | Gaussian noise with the least μ of the formulas | the same where attained, else μ = s/σ of the last step |
| `shuffle` | the privacy blanket, for all data of the others | the largest δ of known data of the others |

The last step alone shows μ = s/σ for each ε and for each rate of false positives with a loss chosen for it (`hidden_state.bounds`),
so this end refutes claims of (ε, δ), of μ and of a power, and no claim of zCDP.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from dpbounds.errors import InputError, other_name
from dpbounds.hidden_state.bounds import HiddenState
from dpbounds.matrix.read import read_matrix
from dpbounds.matrix.sensitivity import sensitivity_of
from dpbounds.mechanisms import Gaussian, Mechanism, Relation
from dpbounds.numbers import exact
from dpbounds.numbers.balls import Enclosure
from dpbounds.numbers.domains import at_least_one
from dpbounds.shuffle.mechanism import ANY, WORST_KNOWN, Shuffled

_DIGITS = 20


@dataclass(frozen=True)
class FormulaEnds:
    """Mechanisms whose certified δ is at least, and at most, that of the statement.

    Args:
        upper, lower: the mechanisms.
        assumed: of what the number speaks.
        mu: certified ends of μ; None where no μ is known.
        relation: under which both are asked.
    """

    upper: Mechanism
    lower: Mechanism
    assumed: str
    mu: tuple[Fraction, Fraction] | None = None
    relation: Relation = Relation.ADD_OR_REMOVE


@dataclass(frozen=True)
class Formula:
    """One mechanism as it is printed.

    Args:
        kind: one of `KINDS`.
        given: its keys and values.
    """

    kind: str
    given: tuple[tuple[str, str], ...]

    def ends(self) -> FormulaEnds:
        """The mechanisms that bound it.

        Raises:
            InputError: a value out of its range.

        >>> given = {"source": "toeplitz:1", "sigma": "2", "steps": "4", "participations": "1"}
        >>> read_formula("matrix", given).ends().upper.sigma == 2
        True
        """
        return _ENDS[self.kind](dict(self.given))

    def text(self) -> str:
        """A few words for readers."""
        return f"{self.kind}: " + ", ".join(f"{key} {value}" for key, value in self.given)


def read_formula(kind: str, given: object, where: str = "the statement") -> Formula:
    """Read the table of a formula.

    Args:
        kind: one of `KINDS`. given: its table. where: how error messages call it.

    Raises:
        InputError: no table, an unknown key, or one that is missing.
    """
    needed, optional = KINDS[kind]
    if not isinstance(given, Mapping):
        raise InputError(f"{where}: {kind} must be a table with the keys {', '.join(needed)}")
    unknown = sorted(set(given) - {*needed, *optional})
    missing = [key for key in needed if key not in given]
    if unknown:
        keys = ", ".join((*needed, *optional))
        raise InputError(f"{where}: unknown key {unknown[0]!r} of {kind}{other_name(unknown[0])}; the keys are {keys}")
    if missing:
        raise InputError(f"{where}: {kind} needs {' and '.join(missing)}")
    formula = Formula(kind, tuple((key, str(exact.without_thousands(value))) for key, value in given.items()))
    formula.ends()
    return formula


def _of_mu(low: Fraction, high: Fraction, assumed: str) -> FormulaEnds:
    return FormulaEnds(Gaussian(1 / high), Gaussian(1 / low), assumed, (low, high))


def _rounded(value: Enclosure) -> tuple[Fraction, Fraction]:
    return Fraction(value.lower_decimal(_DIGITS)), Fraction(value.upper_decimal(_DIGITS))


def _matrix(given: Mapping[str, str]) -> FormulaEnds:
    steps = None if "steps" not in given else at_least_one(given["steps"], "steps")
    found = sensitivity_of(read_matrix(given["source"], steps), given.get("min-sep", "1"), given.get("participations"))
    uses = f"at most {found.participations} of {found.steps} steps, {found.min_sep} or more apart"
    return _of_mu(
        *_rounded(found.mu(given["sigma"], _DIGITS + 2)), f"a record takes part in {uses}, with norm 1 at most; nothing is sampled"
    )


def _hidden(given: Mapping[str, str]) -> FormulaEnds:
    run = HiddenState(
        given["contraction"],
        given["gradient-change"],
        given["sigma"],
        given["steps"],
        given.get("diameter"),
        given.get("step-size"),
    )
    low, high = _rounded(run.mu(_DIGITS + 2))
    return _of_mu(low if run.attained else min(run.known_mu(), low), high, run.assumes)


def _shuffled(given: Mapping[str, str]) -> FormulaEnds:
    upper, lower = (Shuffled(given["users"], given["local-epsilon"], given.get("answers", "2"), others) for others in (ANY, WORST_KNOWN))
    assumed = "one user's input changes; each user answers once, by randomized response"
    return FormulaEnds(upper, lower, assumed, relation=Relation.SUBSTITUTE)


KINDS: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "matrix": (("source", "sigma"), ("steps", "min-sep", "participations")),
    "hidden-state": (("contraction", "gradient-change", "sigma", "steps"), ("diameter", "step-size")),
    "shuffle": (("users", "local-epsilon"), ("answers",)),
}
"""Keys that each kind needs, and those that it takes."""
_ENDS: Mapping[str, Callable[[Mapping[str, str]], FormulaEnds]] = {"matrix": _matrix, "hidden-state": _hidden, "shuffle": _shuffled}
