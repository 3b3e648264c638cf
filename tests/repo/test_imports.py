"""Start-up is light: the heavy libraries are imported by the commands that need them."""

import json
import subprocess
import sys
import time

import pytest

HEAVY = {"sympy", "mpmath", "numpy", "scipy", "flint", "matplotlib", "rich"}


def imported_by(code: str, root) -> set[str]:
    script = f"import sys, json\n{code}\nprint('\\n' + json.dumps(sorted(sys.modules)))"
    run = subprocess.run([sys.executable, "-c", script], cwd=root, capture_output=True, text=True, check=True)
    return set(json.loads(run.stdout.splitlines()[-1]))


@pytest.mark.parametrize(
    "code",
    [
        "import dpbounds",
        "from dpbounds.cli import main; main(['--help'])",
        "from dpbounds.cli import main; main(['--version'])",
        "from dpbounds.cli import main; main(['no-such-command'])",
        "import dpbounds.errors, dpbounds.exact, dpbounds.mechanisms, dpbounds.pairs; dpbounds.exact.number('0.01')",
    ],
)
def test_nothing_heavy_is_imported(root, code):
    modules = imported_by(code, root)
    assert "dpbounds" in modules
    assert not modules & HEAVY


def test_help_is_quick(root):
    """About 0.1 s on an idle machine; the bound leaves room for a busy one."""
    seconds = []
    for _ in range(3):
        start = time.perf_counter()
        subprocess.run([sys.executable, "-m", "dpbounds", "--help"], cwd=root, capture_output=True, check=True)
        seconds.append(time.perf_counter() - start)
    assert min(seconds) < 1, seconds
