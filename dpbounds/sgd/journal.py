"""The files of a training that can go on: a journal of every round, written before it runs, and the last checkpoint.

A round that was begun is charged, whether it came to its end or not, and its noise is never drawn again. Both files hold
released values only; they hold no seed and no state of a generator. `dpbounds delta --spec journal.jsonl` recomputes the account.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from dpbounds.errors import InputError
from dpbounds.mechanisms.specs import mechanism_to_spec
from dpbounds.numbers import exact
from dpbounds.sgd.account import Account
from dpbounds.sgd.batches import Batches

Array = Any
SCHEMA = "dpbounds/noisy-sgd/2"


@dataclass(frozen=True, eq=False)
class Checkpoint:
    """What the next round starts from.

    Args:
        parameters: the model.
        state: of the optimiser.
        steps: how many steps of the optimiser were taken.
        history: what `evaluate` gave after each round.
    """

    parameters: Array
    state: Mapping[str, Array] = field(default_factory=dict)
    steps: int = 0
    history: tuple[float, ...] = ()


@dataclass(frozen=True)
class Journal:
    """A folder with `journal.jsonl` and `checkpoint.npz`.

    Args:
        folder: made if it is not there. One process at a time.
        batches, clip: what every round has in common; a training with others is refused.
        adaptive: whether the noise follows the outputs; then the composition of the rounds is no guarantee, and the header says so.
    """

    folder: Path
    batches: Batches
    clip: float
    adaptive: bool = False

    @property
    def _rounds(self) -> Path:
        return self.folder / "journal.jsonl"

    @property
    def _checkpoint(self) -> Path:
        return self.folder / "checkpoint.npz"

    def _header(self) -> str:
        named = {"batches": repr(self.batches), "clip": repr(self.clip), "relation": self.batches.relation.value}
        return json.dumps({"schema": SCHEMA, "adaptive": self.adaptive} | named, sort_keys=True)

    def open(self) -> Account:
        """The account of every round that was begun; starts the journal if there is none.

        Raises:
            InputError: a journal of another training, or one that was changed.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        text = self._rounds.read_text(encoding="utf-8") if self._rounds.exists() else ""
        whole = text[: text.rfind("\n") + 1]  # the line of a round is on disk before the round begins: a torn one never ran
        lines = whole.splitlines()
        if not lines:
            if self._checkpoint.exists():
                raise InputError(f"{self.folder} has a checkpoint and no journal; its account is lost: use another folder")
            self._append(self._header() + "\n", fresh=True)
            return Account(self.batches)
        if lines[0] != self._header():
            raise InputError(f"{self._rounds} belongs to a training with other batches, clipping norm or kind of noise; use another folder")
        account = Account(self.batches)
        for number, line in enumerate(lines[1:]):
            account = account.after(self._sigma_of(line, number))
        if whole != text:
            self._append(whole, fresh=True)
        return account

    def _sigma_of(self, line: str, number: int) -> Any:
        try:
            row = json.loads(line)
            sigma = exact.rational(row["sigma"], "sigma (the noise multiplier)")
            expected = self._row(number, sigma)
        except (ValueError, KeyError, TypeError, InputError):
            row, expected = None, {}
        if row != expected:
            raise InputError(f"{self._rounds}, line {number + 2}: not the round {number} of this training; the file was changed")
        return sigma

    def _row(self, number: int, sigma: Any) -> dict[str, Any]:
        (part,) = mechanism_to_spec(self.batches.round_of(sigma))
        return {"round": number} | part

    def begin(self, number: int, sigma: Any) -> None:
        """Charge a round: the line is on disk when this returns."""
        self._append(json.dumps(self._row(number, sigma)) + "\n", fresh=False)

    def _append(self, text: str, *, fresh: bool) -> None:
        with self._rounds.open("w" if fresh else "a", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())

    def save(self, checkpoint: Checkpoint) -> None:
        """Replace the checkpoint, all at once."""
        temporary = self._checkpoint.with_suffix(".partial")
        arrays = {f"state.{name}": value for name, value in checkpoint.state.items()}
        with temporary.open("wb") as file:
            np.savez(
                file, parameters=checkpoint.parameters, steps=checkpoint.steps, history=np.array(checkpoint.history, dtype=float), **arrays
            )
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(self._checkpoint)

    def last(self) -> Checkpoint | None:
        """The last checkpoint, None before the first."""
        if not self._checkpoint.exists():
            return None
        with np.load(self._checkpoint, allow_pickle=False) as found:
            state = {name.removeprefix("state."): found[name] for name in found.files if name.startswith("state.")}
            return Checkpoint(found["parameters"], state, int(found["steps"]), tuple(map(float, found["history"])))
