"""Training with noisy sums of clipped gradients, and the same training without privacy as a yardstick."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any, Union

import numpy as np

from dpbounds.budgets.schedules.schedule import Schedule
from dpbounds.errors import InputError
from dpbounds.numbers import exact
from dpbounds.numbers.balls import Enclosure
from dpbounds.sgd.account import Account
from dpbounds.sgd.batches import Batches
from dpbounds.sgd.budgets import Budget, Noise, planned, schedule_of, sigma_of
from dpbounds.sgd.clipping import MOST_RECORDS, MOST_ROWS, clipped_sum
from dpbounds.sgd.journal import Checkpoint, Journal
from dpbounds.sgd.noise import NoisySum
from dpbounds.sgd.optimisers import Optimiser
from dpbounds.sgd.progress import bar

Array = Any
Seed = Union[int, Callable[[int], np.random.Generator], None]
"""A number for experiments, a function from the round to a generator, or None: the operating system's entropy, each round."""

_COMPARED = 3
"""So many records of the first batch are computed again alone."""


@dataclass(frozen=True)
class Learner:
    """What is learned and how: everything but the data, the batches and the noise.

    Args:
        gradient: (parameters, *rows) → one gradient for each record, records × the shape of the parameters. The gradient of a
            record must depend on that record and the parameters only: no normalisation over the batch, no running averages.
        step: an optimiser: `Descent`, `Momentum`, `Adam`, or a function (parameters, gradient, state, number) to new parameters and state.
        clip: C > 0, the norm that no gradient of one record exceeds.
        evaluate: parameters → a number, after each round, from public data: it is shown, kept, and given to noise that
            follows it. A number from private data is a release that no account here covers.
        alone: call `gradient` with one record at a time. Then it cannot depend on others, not even in the last bits.
        chunk: records in one call otherwise.
    """

    gradient: Callable[..., Array]
    step: Optimiser
    clip: float
    evaluate: Callable[[Array], float] | None = None
    alone: bool = False
    chunk: int = 1024

    def __post_init__(self) -> None:
        if isinstance(self.step, type) or not callable(self.step):
            shown = self.step.__name__ if isinstance(self.step, type) else type(self.step).__name__
            raise InputError(
                f"step must be an optimiser such as sgd.Adam(0.01), got {'the class ' if isinstance(self.step, type) else ''}{shown}; "
                "torch optimisers go to dpbounds.sgd.pytorch.learner_of"
            )
        if not 2.0**-500 < self.clip < 2.0**500:
            raise InputError(f"the clipping norm must be positive and finite, got {self.clip!r}")
        if not 1 <= self.chunk <= MOST_ROWS:
            raise InputError(f"a chunk must have from 1 to {MOST_ROWS} records, got {self.chunk}")


@dataclass(frozen=True, eq=False)
class Trained:
    """What came out of a training.

    Attributes:
        parameters: the model.
        history: what `evaluate` gave after each round.
        account: the rounds that were executed, those lost in a crash included.
        budget: what was not exceeded.
        adaptive: whether the noise followed earlier outputs; then the guarantee is the budget's.
    """

    parameters: Array
    history: tuple[float, ...]
    account: Account
    budget: Budget
    adaptive: bool

    def epsilon_at(self, delta: exact.Number, digits: int = 6) -> Enclosure:
        """Certified ε at δ: of the executed rounds, or of the budget where the noise was adaptive. Its upper end holds.

        If you stopped the training early because of what it showed, use `budget.epsilon_at`.

        Raises:
            InputError: no ε is finite at this δ.
        """
        if self.adaptive:
            return Enclosure.exactly(self.budget.epsilon_at(delta))
        found = self.account.epsilon_at(delta, digits).enclosure
        if not isinstance(found.upper, Fraction):
            raise InputError("the executed rounds have no finite epsilon at this delta")
        return found


def train(
    learner: Learner,
    parameters: Array,
    data: Sequence[Array],
    batches: Batches,
    noise: exact.Number | Noise,
    budget: Budget,
    *,
    rounds: int | None = None,
    seed: Seed = None,
    folder: str | os.PathLike[str] | None = None,
    progress: bool | None = None,
) -> Trained:
    """Train until the next round would exceed the budget, or `rounds` rounds were begun.

    Args:
        learner: gradients, optimiser, clipping norm.
        parameters: to start from, one float64 array; several are put into one by the user.
        data: arrays with one row for each record; a gradient gets the rows of its batch of each.
        batches: how records come into batches.
        noise: σ, a schedule over the rounds, or a function of `evaluate`'s values to a schedule.
        budget: what may be spent.
        rounds: at most so many in total, those of an earlier part included.
        seed: for experiments. With a number, everything repeats, also over an interruption between two rounds.
        folder: for the journal and the checkpoint; a training that is there goes on.
        progress: a bar on standard error; None means on a terminal only.

    Returns:
        The model with its account. Rounds under way in a crash are charged and not repeated.

    Raises:
        InputError: gradients of a wrong shape or that depend on other records, data or a folder that do not fit, a budget
            that does not last one round, parameters that are not finite any more.

    Source: Abadi et al. 2016, Algorithm 1; Yu et al. 2019, Algorithm 1.

    >>> from dpbounds.sgd import Descent, PoissonBatches, Target
    >>> points = np.linspace(0, 1, 200)
    >>> learner = Learner(lambda mean, rows: mean - rows, Descent(0.2), clip=1.0)
    >>> found = train(learner, np.array(0.0), [points], PoissonBatches("0.1", 20), 2, Target(1, "1e-5"), seed=1)
    >>> found.account.uses, found.epsilon_at("1e-5")  # doctest: +ELLIPSIS
    ((NoiseRounds(sigma=Fraction(2, 1), rounds=16),), [0.974395..., 0.974395...])
    """
    plan, adaptive = schedule_of(noise), not isinstance(schedule_of(noise), Schedule)
    start = Checkpoint(_parameters(parameters))
    records = _records(data)
    batches.check(records)
    guard = budget.guard(batches, plan, rounds)
    account, journal = Account(batches), None
    if folder is not None:
        journal = Journal(Path(folder), batches, learner.clip, adaptive)
        account = journal.open()
        start = _resumed(journal.last(), start)
    now, checked = start, False
    with bar(_total(batches, plan, budget, rounds), progress) as tell:
        while rounds is None or account.rounds < rounds:
            number = account.rounds
            release = NoisySum(sigma_of(plan if isinstance(plan, Schedule) else plan(now.history), number))
            if not guard.admits(account, release.exact_sigma):
                break
            if journal is not None:
                journal.begin(number, release.exact_sigma)
            account = account.after(release.exact_sigma)
            generator = _generator(seed, number)
            for chosen in batches.draw(records, generator):
                if len(chosen) and not (checked or learner.alone):
                    _check_alone(learner, now.parameters, data, chosen)
                    checked = True
                total = _sum_of(learner, now.parameters, data, chosen)
                now = _stepped(learner, now, release.release(total, learner.clip, generator) / batches.divisor)
            now = _evaluated(learner, now)
            if journal is not None:
                journal.save(now)
            tell(account.rounds, f"sigma {release.sigma:.4g}")
    if not account.uses:
        raise InputError("the budget does not last one round; use more noise or a larger budget")
    return Trained(now.parameters, now.history, account, budget, adaptive)


def train_plainly(
    learner: Learner, parameters: Array, data: Sequence[Array], batches: Batches, rounds: int, *, seed: Seed = None
) -> tuple[Array, tuple[float, ...]]:
    """The same training without clipping and noise: no privacy at all, a yardstick for experiments on public data.

    Returns:
        The parameters, and what `evaluate` gave after each round.
    """
    now, records = Checkpoint(_parameters(parameters)), _records(data)
    batches.check(records)
    for number in range(rounds):
        for chosen in batches.draw(records, _generator(seed, number)):
            rows = learner.gradient(now.parameters, *(array[chosen] for array in data))
            now = _stepped(learner, now, np.asarray(rows, dtype=float).sum(axis=0) / batches.divisor)
        now = _evaluated(learner, now)
    return now.parameters, now.history


def gap_to_plain(trained: Trained, learner: Learner, parameters: Array, data: Sequence[Array], *, seed: Seed = None) -> float:
    """How much `evaluate` loses to privacy: its last value in `train_plainly` over as many rounds, less the private one.

    Yu et al. 2019, VI, judge private training by this distance.

    Raises:
        InputError: a learner without `evaluate`.
    """
    if learner.evaluate is None:
        raise InputError("the gap compares two accuracies, and this learner has no evaluate; give the learner an evaluate function")
    _, history = train_plainly(learner, parameters, data, trained.account.batches, trained.account.rounds, seed=seed)
    return history[-1] - float(learner.evaluate(trained.parameters))


def _sum_of(learner: Learner, parameters: Array, data: Sequence[Array], chosen: Array) -> Array:
    """The clipped sum of a batch. Integers add in any order, so chunks change nothing."""
    total, size = np.zeros(parameters.shape, dtype=np.int64), 1 if learner.alone else learner.chunk
    for first in range(0, len(chosen), size):
        rows = chosen[first : first + size]
        total += clipped_sum(_gradients(learner, parameters, data, rows), parameters.shape, learner.clip)
    return total


def _gradients(learner: Learner, parameters: Array, data: Sequence[Array], rows: Array) -> Array:
    """What the user's function gives for these records: one row for each."""
    gradients = np.asarray(learner.gradient(parameters, *(array[rows] for array in data)))
    if gradients.shape != (len(rows), *parameters.shape):
        raise InputError(f"gradients must be of shape {(len(rows), *parameters.shape)}, one row for each record, got {gradients.shape}")
    return gradients


def _check_alone(learner: Learner, parameters: Array, data: Sequence[Array], chosen: Array) -> None:
    """Refuse gradients that change when other records of the batch are left out; a check of a few, no proof."""
    rows = chosen[: learner.chunk]
    together = _gradients(learner, parameters, data, rows)
    for place in range(min(_COMPARED, len(rows))):
        single = _gradients(learner, parameters, data, rows[place : place + 1])
        scale = np.abs(together[place]).max(initial=0.0)
        if not np.allclose(together[place], single[0], rtol=1e-4, atol=1e-5 * scale if np.isfinite(scale) else 0.0, equal_nan=True):
            raise InputError("the gradient of a record changes with the other records of its batch; clipping would not bound it")


def _stepped(learner: Learner, now: Checkpoint, gradient: Array) -> Checkpoint:
    parameters, state = learner.step(now.parameters, gradient, now.state, now.steps)
    parameters = np.array(parameters, dtype=np.float64)
    if parameters.shape != now.parameters.shape:
        raise InputError(f"the optimiser changed the shape of the parameters from {now.parameters.shape} to {parameters.shape}")
    return replace(now, parameters=_parameters(parameters), state=state, steps=now.steps + 1)


def _evaluated(learner: Learner, now: Checkpoint) -> Checkpoint:
    if learner.evaluate is None:
        return now
    return replace(now, history=(*now.history, float(learner.evaluate(now.parameters))))


def _parameters(values: Array) -> Array:
    """A copy that the user's functions cannot change."""
    parameters = np.array(values, dtype=np.float64)
    if not np.isfinite(parameters).all():
        raise InputError("the parameters are not finite; lower the learning rate")
    parameters.flags.writeable = False
    return parameters


def _records(data: Sequence[Array]) -> int:
    if hasattr(data, "dataset"):
        raise InputError("data must be arrays with one row for each record; dpbounds.sgd.pytorch.records_of makes them of a DataLoader")
    sizes = {len(array) for array in data}
    if len(sizes) != 1:
        raise InputError(f"the data must be arrays with one row for each record, got {sorted(sizes)} rows")
    records = sizes.pop()
    if records > MOST_RECORDS:
        raise InputError(f"at most {MOST_RECORDS} records, got {records}")
    return records


def _generator(seed: Seed, number: int) -> np.random.Generator:
    """A generator for one round: its noise is never drawn for another."""
    if callable(seed):
        return seed(number)
    return np.random.default_rng() if seed is None else np.random.default_rng([seed, number])


def _resumed(last: Checkpoint | None, start: Checkpoint) -> Checkpoint:
    if last is None:
        return start
    if last.parameters.shape != start.parameters.shape:
        raise InputError(f"the checkpoint has parameters of shape {last.parameters.shape}, not {start.parameters.shape}")
    return replace(last, parameters=_parameters(last.parameters))


def _total(batches: Batches, plan: Noise, budget: Budget, rounds: int | None) -> int | None:
    """How many rounds the bar counts to, where a schedule tells."""
    return planned(batches, plan, budget, rounds).rounds if isinstance(plan, Schedule) else rounds
