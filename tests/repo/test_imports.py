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


WORKLOAD = ["--sigma", "1.5", "--q", "0.01", "--steps", "10000"]


def test_values_of_privacy_loss_need_neither_sympy_nor_numpy(root):
    modules = imported_by(f"from dpbounds.cli import main; assert main({['delta', *WORKLOAD, '--epsilon', '1']}) == 0", root)
    assert "flint" in modules
    assert not modules & (HEAVY - {"flint"})


@pytest.mark.parametrize(("words", "limit"), [(["--help"], 1), (["delta", *WORKLOAD, "--epsilon", "1"], 3)], ids=["help", "delta"])
def test_commands_are_quick(root, words, limit):
    """About 0.1 s and 0.5 s on an idle machine; the bounds leave room for a busy one."""
    seconds = []
    for _ in range(3):
        start = time.perf_counter()
        subprocess.run([sys.executable, "-m", "dpbounds", *words], cwd=root, capture_output=True, check=True)
        seconds.append(time.perf_counter() - start)
    assert min(seconds) < limit, seconds
