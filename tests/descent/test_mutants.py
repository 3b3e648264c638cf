"""Every condition that decides what a certificate of a descent shows matters: with one dropped, turned around or cut, some test fails.

Slow: `pytest -m slow`; `python -m tests.descent.test_mutants boxes` lists what survives.
"""

from __future__ import annotations

import pytest

from tests.descent.survivors import SURVIVORS
from tests.mutants import Trial, main

TRIALS = {
    "boxes": Trial("dpbounds.descent.boxes", ("tests.descent.test_boxes",)),
    "logarithms": Trial("dpbounds.descent.logarithms", ("tests.descent.test_logarithms",)),
    "point": Trial("dpbounds.descent.point", ("tests.descent.test_point",)),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", TRIALS)
def test_every_survivor_has_a_reason(name: str) -> None:
    assert not TRIALS[name].unexplained(SURVIVORS[name])


@pytest.mark.parametrize("name", TRIALS)
def test_what_has_a_reason_is_still_there(name: str) -> None:
    assert not TRIALS[name].gone(SURVIVORS[name])


def test_a_cut_outside_of_its_box_is_noticed() -> None:
    trial = TRIALS["boxes"]
    (changed,) = (changed for what, changed in trial.mutants.items() if what.startswith("check_boxes: turned around: c < high_end"))
    assert trial.killer(changed()) is not None


if __name__ == "__main__":
    main(TRIALS)
