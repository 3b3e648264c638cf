"""Which rows the reference table has: mechanism × sampling × direction × parameters × what is asked."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from dpbounds.numbers import exact

BINARY_SIGMAS = ("0.5", "0.75", "1", "2", "4")
BINARY_RATES = ("0.5", "0.125", "0.03125", "0.0078125", "0.0009765625")
DECIMAL_SIGMAS = ("0.6", "0.8", "1.1", "2.5", "5.1")
DECIMAL_RATES = ("0.3", "0.1", "0.05", "0.01", "0.001")
STEPS = (1, 30, 1000, 10_000, 100_000)
BINARY_DELTAS = (f"1/{2**10}", f"1/{2**17}", f"1/{2**34}", f"1/{2**67}")
DECIMAL_DELTAS = ("1e-3", "1e-5", "1e-10", "1e-20")
FRACTIONAL_ORDERS = ("1.25", "1.5", "2.75", "7.5", "32.5")
INTEGER_ORDERS = ("2", "3", "8", "32")


@dataclass(frozen=True)
class RowQuestion:
    """One row without its value; `near` asks for δ at a short ε close to ε(near)."""

    quantity: str
    spec: str
    argument: str
    relation: str
    direction: str
    guarantee: str
    regime: str
    near: str = ""

    @property
    def key(self) -> str:
        """A line that identifies the question."""
        return "|".join((self.quantity, self.spec, self.argument, self.relation, self.direction, self.guarantee, self.near))


def questions() -> Iterator[RowQuestion]:
    """Gaussian noise, sampled or not, and randomized response: most telling first.

    >>> next(questions()).quantity
    'epsilon'
    """
    yield from _failures()
    yield from _plain(("1.5", "3"), BINARY_DELTAS)
    for sigmas, rates, deltas in ((BINARY_SIGMAS, BINARY_RATES, BINARY_DELTAS), (DECIMAL_SIGMAS, DECIMAL_RATES, DECIMAL_DELTAS)):
        yield from _sampled(sigmas, rates, deltas)
        yield from _plain(sigmas, deltas)
        yield from _orders(sigmas, rates)


_WORDS = ("sampling", "table", "others", "randomizer", "hidden-state", "tree")
"""Keys whose values are no numbers, and a value that is none."""


def is_binary(question: RowQuestion, argument: str) -> bool:
    """True when every number of the question is exactly a float64."""
    values = [argument]
    for part in json.loads(question.spec):
        for key, value in part.items():
            if key not in _WORDS and value not in _WORDS:
                values += value if isinstance(value, list) else value.split(",") if key == "matrix" else [value]
    return all(_is_float(exact.rational(value)) for value in values)


def _is_float(value: Fraction) -> bool:
    return Fraction(float(value)) == value


def specification(**part: object) -> str:
    """The specification of one part; keys with underscores for hyphens, without those that are None.

    >>> specification(sigma="1", batch_size=5, q=None)
    '[{"sigma": "1", "batch-size": 5}]'
    """
    return composition(part)


def composition(*parts: Mapping[str, object]) -> str:
    """The specification of several parts.

    >>> composition({"sigma": "1"}, {"sigma": "2"})
    '[{"sigma": "1"}, {"sigma": "2"}]'
    """
    return json.dumps([{key.replace("_", "-"): value for key, value in part.items() if value is not None} for part in parts])


def both_quantities(
    spec: str,
    deltas: tuple[str, ...],
    regime: str,
    directions: tuple[str, ...] = ("worst",),
    relation: str = "add-or-remove",
    guarantee: str = "mechanism",
) -> Iterator[RowQuestion]:
    """ε at each δ, and δ at a short ε close to it."""
    for direction in directions:
        for delta in deltas:
            yield RowQuestion("epsilon", spec, delta, relation, direction, guarantee, regime)
            yield RowQuestion("delta", spec, "", relation, direction, guarantee, regime, near=delta)


def asked(
    quantity: str,
    spec: str,
    arguments: tuple[str, ...],
    regime: str,
    directions: tuple[str, ...] = ("worst",),
    relation: str = "add-or-remove",
    guarantee: str = "mechanism",
) -> Iterator[RowQuestion]:
    """ε at each δ, δ at each ε or D_α at each α."""
    for direction in directions:
        for argument in arguments:
            yield RowQuestion(quantity, spec, argument, relation, direction, guarantee, regime)


def _sampled(sigmas: tuple[str, ...], rates: tuple[str, ...], deltas: tuple[str, ...]) -> Iterator[RowQuestion]:
    for index, sigma in enumerate(sigmas):
        for place, q in enumerate(rates):
            for steps in STEPS:
                if steps > 1 and steps * Fraction(q) < 5:
                    continue  # a few sampled steps in all: slow, and decided by one step
                if (index + place) % 2 and steps not in (1, 1000):
                    continue
                spec = specification(sigma=sigma, sampling="poisson", q=q, steps=steps)
                chosen = deltas if (index + place) % 2 == 0 else deltas[1:3]
                yield from both_quantities(spec, chosen, "poisson-sampled gaussian", ("remove", "add"))
                if place % 2 == 0:
                    yield from both_quantities(spec, deltas[1:2], "poisson-sampled gaussian")
                    yield from both_quantities(spec, deltas[1:2], "poisson-sampled gaussian, substitution", relation="substitute")


def _plain(sigmas: tuple[str, ...], deltas: tuple[str, ...]) -> Iterator[RowQuestion]:
    for sigma in sigmas:
        for steps in (1, 7, 64, 1000):
            scaled = exact.text(Fraction(sigma) * (1 if steps == 1 else 8))
            yield from both_quantities(specification(sigma=scaled, steps=steps), deltas, "gaussian")
    for level in ("0.125", "0.5", "1") if "0.5" in sigmas else ("0.1", "0.3", "1.1"):
        for steps in (1, 5, 30, 100):
            yield from both_quantities(specification(randomized_response=level, steps=steps), deltas[:3], "randomized response")


def _orders(sigmas: tuple[str, ...], rates: tuple[str, ...]) -> Iterator[RowQuestion]:
    for index, sigma in enumerate(sigmas):
        for place, q in enumerate(rates):
            for alpha in INTEGER_ORDERS if (index + place) % 2 else FRACTIONAL_ORDERS:
                spec = specification(sigma=sigma, sampling="poisson", q=q, steps=1)
                yield from asked("rdp", spec, (alpha,), "rényi divergence", ("remove", "add"))


def _failures() -> Iterator[RowQuestion]:
    """Where accountants are known to err."""
    regime = "where accountants err"
    cases = (
        (specification(sigma="50", sampling="poisson", q="0.5", steps=10_000), ("1e-11",)),
        (specification(sigma="2", sampling="poisson", q="0.01", steps=20_000), ("1e-12",)),
        (specification(sigma="2", sampling="poisson", q="0.01", steps=1000), ("1e-71",)),
        (specification(sigma="0.5", sampling="poisson", q="0.01", steps=1), ("1e-5",)),
        (specification(sigma="1", sampling="poisson", q="0.02", steps=4096), ("1e-6", "1e-18")),
        (specification(sigma="1.5", sampling="poisson", q="0.01", steps=10_000), ("1e-6", "1e-15")),
    )
    for spec, deltas in cases:
        yield from both_quantities(spec, deltas, regime, ("remove", "add", "worst"))
    yield from both_quantities(specification(randomized_response="1", steps=100), ("1e-6",), regime)
    for sigma, steps in (("100", 10_000), ("316.25", 100_000), ("1000", 1_000_000)):
        yield from asked("delta", specification(sigma=sigma, steps=steps), ("0.5", "1", "4", "7.5"), regime)
    for epsilon in ("0.5", "1", "2"):
        spec = specification(sigma="1.5", sampling="poisson", q="0.01", steps=10_000)
        yield from asked("delta", spec, (epsilon,), "koskela tables", ("remove", "add"))
    for spec, alpha in (
        (specification(sigma="2.5", sampling="poisson", q="0.01", steps=50), "1.5"),
        (specification(sigma="20", sampling="poisson", q="0.4", steps=1), "60.5"),
    ):
        yield from asked("rdp", spec, (alpha,), regime, ("remove", "add"))
