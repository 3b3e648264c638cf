"""Printed guarantees of mechanisms with a formula of their own, and of shuffled answers: two mechanisms whose δ bounds the truth.

| statement | from above | from below |
|---|---|---|
| `matrix` | Gaussian noise with μ = s/σ for the largest sensitivity s that is certified | the same for the smallest |
| `matrix` with `q` | each use of a record by the longest column | by the shortest column of some record |
| `hidden-state` | Gaussian noise with the least μ of the formulas; no bound with `q` | the same, or μ = s/σ of the last step |
| `exponential-mechanism`, … | the formula | the same, or what some scores have |
| `shuffle` | the privacy blanket, for all data of the others | the largest δ of known data of the others |

The last step alone shows μ = s/σ for each ε and for each rate of false positives with a loss chosen for it (`hidden_state.bounds`), so
this end refutes claims of (ε, δ), of μ and of a power. It refutes ρ < μ²/2 too: of the threshold at αμ, where P has the mass p and Q
the mass q, D_α ≥ α/(α − 1)·log p + log(1/q), which over α tends to μ²/2: log p is −(α − 1)²μ²/2 and log q is −α²μ²/2 but for O(log α).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dpbounds.errors import InputError, other_name
from dpbounds.matrix.mechanism import cyclic_poisson
from dpbounds.mechanisms import Gaussian, Guarantee, Mechanism, Noise, Relation
from dpbounds.mechanisms.formula import FormulaNoise
from dpbounds.mechanisms.specs import part_to_mechanism
from dpbounds.mechanisms.training import cyclic_groups
from dpbounds.numbers import exact
from dpbounds.numbers.to_digits import certified
from dpbounds.selection.mechanisms import KINDS as SELECTIONS

_DIGITS = 20
KINDS: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "matrix": (("source", "sigma"), ("steps", "min-sep", "participations", "q")),
    "hidden-state": (("contraction", "gradient-change", "sigma", "steps"), ("diameter", "step-size", "q")),
    "shuffle": (("users", "local-epsilon"), ("answers",)),
    **dict.fromkeys(SELECTIONS, (("epsilon",), ("steps",))),
}
"""Keys that each kind needs, and those that it takes."""
_HELD = {"matrix": "source", "shuffle": "users", **dict.fromkeys(SELECTIONS, "epsilon")}
"""The key of a table that a specification has under the name of the kind."""


@dataclass(frozen=True)
class FormulaEnds:
    """Mechanisms whose certified δ is at least, and at most, that of the statement.

    Args:
        upper, lower: the mechanisms; None where none is known.
        assumed: of what the number speaks.
        mu: certified ends of μ; None where no μ is known.
        relation: under which both are asked.
    """

    upper: Mechanism | None
    lower: Mechanism
    assumed: str
    mu: tuple[Fraction, Fraction] | None
    relation: Relation


@dataclass(frozen=True)
class Formula:
    """One mechanism as it is printed.

    Args:
        kind: one of `KINDS`.
        given: keys and values of its table.
    """

    kind: str
    given: tuple[tuple[str, str], ...]

    @classmethod
    def of_options(cls, given: Mapping[str, Any]) -> Formula:
        """From the keys of a specification, as the command line has them.

        Raises:
            InputError: what is missing or does not belong there.
        """
        mechanism = part_to_mechanism(given, "the mechanism", prefix="--")
        table = dict(given) if _is_cyclic(given) else _specified(mechanism)
        kind = next(kind for kind in KINDS if kind in table)
        held = {_HELD[kind]: table.pop(kind)} if kind in _HELD else {}
        keys = held | {key: table[key] for needed in KINDS[kind] for key in needed if key in table}
        return cls(kind, tuple((key, str(value)) for key, value in keys.items()))

    @property
    def mechanism(self) -> Mechanism:
        """What bounds it from above, or from below where nothing does."""
        given = dict(self.given)
        part: dict[str, Any] = {self.kind: given.pop(_HELD[self.kind]) if self.kind in _HELD else True}
        return part_to_mechanism(part | given | ({"blanket": True} if self.kind == "shuffle" else {}), self.kind)

    def ends(self) -> FormulaEnds:
        """The mechanisms that bound it.

        Raises:
            InputError: a value out of its range.

        >>> given = {"source": "toeplitz:1", "sigma": "2", "steps": "4", "participations": "1"}
        >>> read_formula("matrix", given).ends().upper.sigma == 2
        True
        """
        found = self.mechanism
        given: dict[str, Any] = {self.kind: True, **dict(self.given)}
        if _is_cyclic(given):
            run = given["source"], given["sigma"], given.get("steps"), given["q"], given.get("min-sep", 1)
            assumed = f"{cyclic_groups(given)[0]}, and is added or removed"
            return FormulaEnds(found, cyclic_poisson(*run, least=True), assumed, None, Relation.ADD_OR_REMOVE)
        assert isinstance(found, Noise)
        relation, beside = found.default_relation, found.beside or found
        if not isinstance(found, FormulaNoise):
            return FormulaEnds(found, beside, f"{found.adjacency}; each user answers once, by randomized response", None, relation)
        if not found.gaussian:
            return FormulaEnds(found if found.guarantee is Guarantee.MECHANISM else None, beside, found.assumes, None, relation)
        low = Fraction(certified(found.known_mu_ball, _DIGITS + 2).lower_decimal(_DIGITS))
        high = Fraction(certified(found.mu_ball, _DIGITS + 2).upper_decimal(_DIGITS))
        return FormulaEnds(Gaussian(1 / high), Gaussian(1 / low), found.assumes, (low, high), relation)

    def text(self) -> str:
        """A few words for readers."""
        return f"{self.kind}: " + ", ".join(f"{key} {value}" for key, value in self.given)


def read_formula(kind: str, given: object, where: str = "the statement") -> Formula:
    """Read the table of a formula.

    Args:
        kind: one of `KINDS`. given: its table. where: how error messages call it.

    Raises:
        InputError: no table, an unknown key, or one that is missing.

    >>> read_formula("shuffle", {"users": "100", "local-epsilon": "1"}).text()
    'shuffle: users 100, local-epsilon 1'
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


def _is_cyclic(given: Mapping[str, Any]) -> bool:
    return "matrix" in given and "q" in given


def _specified(mechanism: Mechanism) -> dict[str, Any]:
    if not isinstance(mechanism, Noise):
        raise InputError("this mechanism is judged alone; leave out what samples or repeats it")
    return mechanism.to_spec()
