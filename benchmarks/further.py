"""Certified values of shuffled messages, hidden states, matrices, selection and one-run audits beside what other packages answer.

    python -m benchmarks.further

A package that is not installed is left out with a word. `pip install opendp jax-privacy dp-accounting` has them all. An answer is on the
wrong side, by a part of the truth, where a claim of privacy is below the certified lower end, or a lower bound of an audit above the
certified upper end.
"""

from __future__ import annotations

import importlib
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from dpbounds import HiddenState, Selection, Shuffled, accounting, read_matrix, renyi_divergence, sensitivity_of
from dpbounds.numbers.balls import Enclosure
from dpbounds.one_run.guesses import Guesses
from dpbounds.shuffle.published import published_epsilons

SEVERAL = "1,0,3/4,1/4,0,2/3"


@dataclass(frozen=True)
class Row:
    """A question, the certified answer, and how another package answers; `lower`: the answer is a lower bound on ε."""

    question: str
    certified: Enclosure
    peer: str
    answer: Callable[[], float]
    lower: bool = False

    def text(self) -> str:
        """One line of the table."""
        ends = f"[{self.certified.lower_decimal(9)}, {self.certified.upper_decimal(9)}]"
        try:
            found = self.answer()
        except ImportError as error:
            return f"| {self.question} | {ends} | {self.peer} | not installed ({error.name}) | |"
        low, high = self.certified.lower_float, self.certified.upper_float
        off = found / high - 1 if self.lower else 1 - found / low
        return f"| {self.question} | {ends} | {self.peer} | {found:.9g} | {f'wrong side by {off:.1g}' if off > 1e-12 else ''} |"


def rows() -> Iterator[Row]:
    """Every question."""
    yield from shuffled()
    yield from matrices()
    yield from selection()
    state = HiddenState("0.99", 1, 5, 1000, 2, "0.1")
    question, mu = "hidden state, D = 2, C = 0.99: ε at δ = 1e-5", state.mu(15).upper_float
    yield Row(question, accounting.epsilon(state, "1e-5").enclosure, "dp_accounting PLD at this μ", lambda: gaussian_pld(1 / mu, 1e-5))
    yield Row(
        "one run, 75 of 100 guesses right, 200 examples, δ = 1e-5: ε at least",
        Guesses(100, 75, "1e-5", 200).lower_epsilon("0.95"),
        "jax_privacy auditing",
        one_run,
        lower=True,
    )


def shuffled() -> Iterator[Row]:
    """The blanket of randomized response beside closed forms for it."""
    for users in (1000, 10_000, 1_000_000):
        bound = accounting.epsilon(Shuffled(users, 2, 10, "any"), "1e-6", digits=10)
        printed = published_epsilons(users, bound.mechanism.parameter, bound.argument[1])  # type: ignore[union-attr]
        question = f"{users} shuffled answers, k = 10, ε₀ = 2: ε at δ = 1e-6"
        for form in printed:
            yield Row(question, bound.enclosure, form["source"], partial(float, form["epsilon"]))


def matrices() -> Iterator[Row]:
    """Sensitivity under patterns of participation."""
    for first, steps, apart, uses in ((SEVERAL, 8, 2, 4), ("1,1/2,1/4", 12, 3, 4), ("1,-1/2,1/3", 6, 1, 3)):
        found = sensitivity_of(read_matrix(first, steps), apart, uses)

        def banded(first: str = first, steps: int = steps, apart: int = apart, uses: int = uses) -> float:
            numpy = importlib.import_module("jax.numpy")
            module = importlib.import_module("jax_privacy.matrix_factorization.sensitivity")
            column = read_matrix(first, steps).coefficients
            dense = [[float(column[i - j]) if i >= j else 0.0 for j in range(steps)] for i in range(steps)]
            return float(module.get_min_sep_sensitivity_upper_bound(numpy.array(dense), min_sep=apart, max_participations=uses))

        yield Row(f"sensitivity of {first}, {steps} steps, {uses} uses {apart} apart", found.value(12), "jax_privacy, upper bound", banded)


def selection() -> Iterator[Row]:
    """What OpenDP declares of noisy max: ε with exponential noise, ρ with Gumbel noise."""
    pure = accounting.epsilon(Selection("permute-and-flip", 1), "1e-9").enclosure
    yield Row("permute-and-flip, E = 1: ε at δ = 1e-9", pure, "OpenDP noisy max", lambda: noisy_max("max_divergence"))
    tight = renyi_divergence(Selection("noisy-max", 1), "1.01").enclosure
    rate = Enclosure.between(tight.low * 100 / 101, tight.high * 100 / 101)
    question, measure = "noisy max with Gumbel noise, E = 1: D_α/α at α = 1.01", "zero_concentrated_divergence"
    yield Row(question, rate, "OpenDP noisy max, ρ", lambda: noisy_max(measure))


def noisy_max(measure: str) -> float:
    """The privacy map of OpenDP at a change of 1 in each score; the scale at which the loss has a range of 1."""
    dp = importlib.import_module("opendp.prelude")
    dp.enable_features("contrib")
    space = dp.vector_domain(dp.atom_domain(T=float, nan=False)), dp.linf_distance(T=float)
    return float(dp.m.make_noisy_max(*space, getattr(dp, measure)(), scale=2.0).map(1.0))


def gaussian_pld(sigma: float, delta: float) -> float:
    """ε of plain Gaussian noise, the pessimistic estimate."""
    module = importlib.import_module("dp_accounting.pld.privacy_loss_distribution")
    return float(module.from_gaussian_mechanism(sigma).get_epsilon_for_delta(delta))


def one_run() -> float:
    """Scores that lead to the same guesses: 100 above the threshold, 75 of them of examples that were in."""
    auditing = importlib.import_module("jax_privacy.auditing")
    auditor = auditing.CanaryScoreAuditor([1.0] * 75 + [0.0] * 25, [1.0] * 25 + [0.0] * 75)
    found = auditor.epsilon_one_run(0.05, 1e-5, threshold_strategy=auditing.Explicit(0.5))
    return found if math.isfinite(found) else 0.0


def main() -> None:
    """Print the table."""
    print("| question | certified | other answer | its value | |\n|---|---|---|---|---|")
    for row in rows():
        print(row.text(), flush=True)


if __name__ == "__main__":
    main()
