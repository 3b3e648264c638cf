"""Start-up is light: the heavy libraries are imported by the commands that need them."""

import json
import os
import subprocess
import sys

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
        "import dpbounds.errors, dpbounds.mechanisms.pairs, dpbounds.numbers.exact as exact; exact.number('0.01')",
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
    plain = imported_by("from dpbounds.cli import main; assert main(['delta', '--sigma', '1', '--epsilon', '1']) == 0", root)
    assert len([name for name in plain if name.startswith("dpbounds")]) <= 65, sorted(plain)
    assert not modules & (HEAVY - {"flint"})


def test_a_law_is_imported_when_its_pair_is_asked_for(root):
    loaded = imported_by("from dpbounds import Gaussian, accounting; accounting.delta(Gaussian(1), 1)", root)
    assert "dpbounds.laws.gaussian" in loaded
    assert len([name for name in loaded if name.startswith("dpbounds")]) <= 40, sorted(loaded)
    assert not {"dpbounds.laws.shuffled", "dpbounds.laws.atoms", "dpbounds.laws.laplace", "dpbounds.shuffle.contour"} & loaded


@pytest.mark.parametrize(("words", "limit"), [(["--help"], 0.5), (["delta", *WORKLOAD, "--epsilon", "1"], 2)], ids=["help", "delta"])
def test_commands_are_quick(root, words, limit):
    """About 0.1 s and 0.3 s of processor time, which a busy machine hardly changes."""
    seconds = []
    for _ in range(3):
        before = os.times()
        subprocess.run([sys.executable, "-m", "dpbounds", *words], cwd=root, capture_output=True, check=True)
        after = os.times()
        seconds.append(after.children_user + after.children_system - before.children_user - before.children_system)
    assert 0 < min(seconds) < limit, seconds
