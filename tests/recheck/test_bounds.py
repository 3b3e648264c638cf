"""Every enclosure of the checker contains the truth, with parameters so coarse that each error term matters in turn."""

import pytest

from tests.recheck.probes import PROBES, holds


@pytest.mark.parametrize("name", PROBES)
def test_the_truth_lies_inside(name):
    assert holds(name)
