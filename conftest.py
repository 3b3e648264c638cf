"""What needs PyTorch is tested where it is installed."""

from importlib.util import find_spec
from pathlib import Path

import pytest

collect_ignore = [] if find_spec("torch") else ["dpbounds/sgd/pytorch.py", "tests/sgd/test_pytorch.py"]

SLOW = frozenset((Path(__file__).parent / "tests" / "slow.txt").read_text(encoding="utf-8").splitlines())
"""Files, tests and cases that take more than about 0.6 s of processor time; `make.py test --all` runs them."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark them as slow."""
    for item in items:
        if item.nodeid in SLOW or item.nodeid.partition("::")[0] in SLOW:
            item.add_marker(pytest.mark.slow)
