"""Which question comes next: the quantity that has cost least so far, and of it the kind that has, so that nothing slow keeps the rest from
being asked."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from dpbounds.audit.adapter import Description
from dpbounds.audit.grids import ALLOCATION, NESTED, own_noises, questions_of
from dpbounds.audit.question import Question

_DRAWS = 300
"""So many draws show every kind of a grid: the rarest comes up about once in 50."""
_ENOUGH = 200
"""Questions of a kind; more of them find little."""
_MISSES = 30
"""So many questions of a kind in a row that nobody supports or answers close that kind."""


@dataclass
class Kind:
    """The questions of one grid, quantity and family of mechanisms.

    Args:
        quantity: what its questions ask for.
        stream: index of its grid.
        waiting: drawn and not yet asked.
        cost: what its questions have cost.
        asked: how many were asked.
        missed: how many in a row had no answer.
    """

    quantity: str
    stream: int
    waiting: deque[Question] = field(default_factory=deque)
    cost: float = 0.0
    asked: int = 0
    missed: int = 0


class QuestionSchedule:
    """Questions of several grids, cheapest quantity and kind first. The questions of each kind and their order depend on the seed alone.

    Args:
        grids: names of grids.
        seed: of the draws.
        quantities: what is asked.
        adapter: says what it nests, allocates, calibrates and which noises it knows; nothing else is asked.
    """

    def __init__(self, grids: Sequence[str], seed: int, quantities: Sequence[str], adapter: Description) -> None:
        self._grids = tuple(grids)
        self._streams: list[Iterator[Question]] = [questions_of(name, seed) for name in grids]
        self._quantities, self._calibrates = frozenset(quantities), frozenset(adapter.calibrates)
        self._unasked = {family for family, known in ((NESTED, adapter.nests), (ALLOCATION, adapter.allocates)) if not known}
        self._others = set(own_noises()) - set(adapter.noises)
        self._kinds: dict[tuple[int, str, str], Kind] = {}
        for index in range(len(self._streams)):
            self._draw(index)
        for kind in self._kinds.values():  # the easiest question comes first, so that every kind gets an answer before the time is gone
            easiest = min(kind.waiting, key=lambda question: question.releases)
            kind.waiting.remove(easiest)
            kind.waiting.appendleft(easiest)

    def next(self) -> tuple[Kind, Question] | None:
        """A question and its kind, or None when all have been asked or nobody answers."""
        while open_kinds := [kind for kind in self._kinds.values() if kind.missed < _MISSES and kind.asked < _ENOUGH]:
            spent: dict[str, float] = {}
            for one in self._kinds.values():
                spent[one.quantity] = spent.get(one.quantity, 0.0) + one.cost
            kind = min(open_kinds, key=lambda one: (spent[one.quantity], one.cost, one.asked))
            if not kind.waiting:
                self._draw(kind.stream)
            if kind.waiting:
                kind.asked += 1
                return kind, kind.waiting.popleft()
            kind.missed = _MISSES
        return None

    def _draw(self, index: int) -> None:
        unasked = self._unasked | (self._others if self._grids[index] == "noises" else set())
        for _, question in zip(range(_DRAWS), self._streams[index], strict=False):
            if question.quantity == "sigma" and question.spec[0].get("unknown", "sigma") not in self._calibrates:
                continue
            if question.quantity in self._quantities and question.family not in unasked:
                self._kinds.setdefault((index, question.quantity, question.family), Kind(question.quantity, index)).waiting.append(question)
