"""Models trained with noise, each data set with each sampling, at one ε and δ: `python -m benchmarks.training`.

Writes training.json beside this file, which the notebook on DP-SGD reads, and the table in docs/noisy-sgd.md. The digits and the
breast-cancer data of scikit-learn stand for MNIST and Cancer of Yu et al. 2019; the model is softmax regression.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

import numpy as np

from dpbounds.budgets import schedules
from dpbounds.mechanisms import FixedSizeSampling, PoissonSampling, RandomAllocation
from dpbounds.planning.planner import smallest_sigma_of
from dpbounds.reference.reproduction.yu import RHO, TABLE_II
from dpbounds.sgd import (
    AllocatedBatches,
    Batches,
    ConcentratedBudget,
    Descent,
    FixedBatches,
    Learner,
    PoissonBatches,
    ReshuffledBatches,
    Target,
    Trained,
    gap_to_plain,
    softmax,
    train,
)

HERE = Path(__file__).parent
STORED, PAGE = HERE / "training.json", HERE.parent / "docs" / "noisy-sgd.md"
EPSILON, DELTA, EPOCHS, BATCHES, SEEDS = 2, "1e-5", 20, 4, 4
RATES = (0.5, 2.0, 6.0)


@dataclass(frozen=True)
class Data:
    """Private records for training, public ones for validation, others for the test."""

    name: str
    train: tuple[Any, Any]
    public: tuple[Any, Any]
    test: tuple[Any, Any]

    @property
    def start(self) -> Any:
        """Weights of 0."""
        return np.zeros((self.train[0].shape[1], int(self.train[1].max()) + 1))

    def learner(self, rate: float, part: str = "test") -> Learner:
        """Softmax regression with clipping norm 1, evaluated on a part that is not used in training."""
        rows = getattr(self, part)
        return Learner(softmax.gradients, Descent(rate), 1.0, evaluate=lambda weights: softmax.accuracy_of(weights, *rows))


def digits() -> Data:
    """1,797 digits of 8 × 8 pixels."""
    from sklearn.datasets import load_digits

    found = load_digits()
    return _parts("digits", found.data / 16, found.target, 1200, 1400)


def cancer() -> Data:
    """569 tumours with 30 measurements, each scaled by about its largest value, which is taken for public here."""
    from sklearn.datasets import load_breast_cancer

    found = load_breast_cancer()
    largest = np.array([float(f"{value:.1e}") for value in found.data.max(axis=0)])
    return _parts("breast cancer", found.data / largest, found.target, 400, 480)


def _parts(name: str, features: Any, labels: Any, first: int, second: int) -> Data:
    order = np.random.default_rng(0).permutation(len(labels))
    rows, targets = softmax.with_constant(features[order]), labels[order]
    parts = [(rows[part], targets[part]) for part in (slice(first), slice(first, second), slice(second, None))]
    return Data(name, *parts)


def schemes(records: int) -> Iterator[tuple[Batches, int, Any]]:
    """Each sampling with about `BATCHES` batches an epoch: batches, rounds, and what the planner calls it."""
    size = records // BATCHES
    yield PoissonBatches(Fraction(1, BATCHES), size), EPOCHS * BATCHES, PoissonSampling(Fraction(1, BATCHES))
    yield AllocatedBatches(BATCHES, size), EPOCHS, RandomAllocation(BATCHES)
    yield FixedBatches(records, size), EPOCHS * BATCHES, FixedSizeSampling(records, size)
    yield ReshuffledBatches(records, size), EPOCHS, None


def sampled(data: Data, seeds: int, rate: float) -> Iterator[dict[str, Any]]:
    """For each sampling: the least noise for the target, the account from the log, accuracy, and the gap to training without privacy."""
    for batches, rounds, sampling in schemes(len(data.train[0])):
        sigma = smallest_sigma_of(EPSILON, DELTA, sampling, rounds, digits=3, relation=batches.relation).sigma
        runs, gaps = [], []
        for seed in range(seeds):
            with tempfile.TemporaryDirectory() as folder:
                target = Target(EPSILON, DELTA)
                run = train(data.learner(rate), data.start, data.train, batches, sigma, target, rounds=rounds, seed=seed, folder=folder)
                runs.append(run)
                gaps.append(gap_to_plain(run, data.learner(rate), data.start, data.train, seed=seed))
                if seed == 0:
                    upper = epsilon_of_log(Path(folder) / "journal.jsonl")
        assert all(run.account.rounds == rounds for run in runs)
        values = [run.history[-1] for run in runs]
        yield {
            "data": data.name,
            "sampling": batches.name,
            "relation": batches.relation.value,
            "rounds": rounds,
            "sigma": f"{float(sigma):.4g}",
            "epsilon": upper,
            "accuracy": round(fmean(values), 4),
            "spread": round(stdev(values), 4),
            "gap": round(fmean(gaps), 4),
        }


def epsilon_of_log(log: Path) -> str:
    """The upper end of ε, from the journal alone, by the command line."""
    words = ["epsilon", "--spec", str(log), "--delta", DELTA, "--digits", "5", "--json"]
    done = subprocess.run([sys.executable, "-m", "dpbounds", *words], capture_output=True, text=True, check=True)
    return str(json.loads(done.stdout)["upper"])


def plans() -> dict[str, Any]:
    """The schedules of Yu et al.'s Table II, and uniform noise over as many epochs as each of them."""
    found: dict[str, Any] = {name.split(",")[0]: plan for name, plan, _ in TABLE_II}
    found["validation"] = lambda seen: schedules.ValidationDecay(10, "0.7", "0.01", 5, 10, tuple(seen))
    return found | {f"uniform, {epochs}": schedules.UniformBudget(RHO, epochs) for _, _, epochs in TABLE_II[1:]}


def trained(data: Data, plan: Any, rate: float, seed: int) -> tuple[Trained, float]:
    """One training under the paper's budget; the schedule may follow the public accuracy. The run and its accuracy on the test data."""
    batches = AllocatedBatches(BATCHES, len(data.train[0]) // BATCHES)
    run = train(data.learner(rate, "public"), data.start, data.train, batches, plan, ConcentratedBudget(RHO), seed=seed)
    return run, softmax.accuracy_of(run.parameters, *data.test)


def compared(data: Data, seeds: int) -> dict[str, dict[str, dict[str, list[float]]]]:
    """Schedule → learning rate → accuracies on the public and on the test data, one for each seed."""
    found: dict[str, dict[str, dict[str, list[float]]]] = {}
    for name, plan in plans().items():
        for rate in RATES:
            runs = [trained(data, plan, rate, seed) for seed in range(seeds)]
            found.setdefault(name, {})[f"{rate:g}"] = {
                "public": [round(run.history[-1], 4) for run, _ in runs],
                "test": [round(test, 4) for _, test in runs],
            }
    return found


def table(rows: list[Mapping[str, Any]]) -> str:
    """The rows as Markdown."""
    head = "| data | batches | neighbours | rounds | σ | ε from the log | accuracy | gap to no privacy |"
    lines = [head, "|---|---|---|---|---|---|---|---|"]
    for row in rows:
        accuracy = f"{100 * row['accuracy']:.1f} ± {100 * row['spread']:.1f} %"
        cells = (row["data"], row["sampling"], row["relation"], row["rounds"], row["sigma"], row["epsilon"], accuracy)
        lines.append("| " + " | ".join(map(str, cells)) + f" | {100 * row['gap']:.1f} points |")
    return "\n".join(lines)


def page_with(text: str, rows: list[Mapping[str, Any]]) -> str:
    """The page with this table in place of the one that is there."""
    start = text.index("| data | batches |")
    end = text.index("\n\n", start)
    return text[:start] + table(rows) + text[end:]


def main() -> None:
    """Train everything, store it, and write the table."""
    sets = (digits(), cancer())
    rows = [row for data in sets for row in sampled(data, SEEDS, 2.0)]
    stored = {"samplings": rows, "schedules": {data.name: compared(data, SEEDS) for data in sets}}
    STORED.write_text(json.dumps(stored, indent=1) + "\n", encoding="utf-8")
    PAGE.write_text(page_with(PAGE.read_text(encoding="utf-8"), rows), encoding="utf-8")


if __name__ == "__main__":
    main()
