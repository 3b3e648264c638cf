"""The core installs without numpy: an optional part that is missing is named in one line."""

import subprocess
import sys

import pytest

BLOCKED = """
import sys

class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {names}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
        return None

import importlib.util
found = importlib.util.find_spec
importlib.util.find_spec = lambda name, package=None: None if name.partition(".")[0] in {names} else found(name, package)
sys.meta_path.insert(0, Absent())
from dpbounds.cli import main
sys.exit(main({words}))
"""
OPTIONAL = {"numpy", "scipy", "matplotlib", "torch"}


def run(root, *words: str) -> subprocess.CompletedProcess[str]:
    code = BLOCKED.format(names=sorted(OPTIONAL), words=list(words))
    return subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, timeout=100)


@pytest.mark.parametrize(
    "words",
    [
        ["delta", "--sigma", "1.5", "--q", "0.01", "--steps", "100", "--epsilon", "1"],
        ["rdp", "--sigma", "1.5", "--alpha", "2"],
        ["derive", "proposition-2"],
        ["check", "proofs/", "--only", "trustworthy2022.gaussian-rdp", "--workers", "1"],
    ],
    ids=lambda words: words[0],
)
def test_the_core_needs_no_extra(root, words):
    done = run(root, *words)
    assert done.returncode == 0, done.stderr


def test_a_missing_extra_is_named_in_one_line(root, tmp_path):
    done = run(root, "tradeoff", "--sigma", "1.5", "--plot", str(tmp_path / "curve.svg"))
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].endswith("pip install 'dpbounds[plots]' adds it")


@pytest.mark.parametrize(("module", "extra"), [("float64", "float64"), ("plots", "plots"), ("sgd", "float64")])
def test_importing_an_optional_part_names_its_extra(root, module, extra):
    code = BLOCKED.format(names=sorted(OPTIONAL), words=[]).split("from dpbounds.cli")[0] + f"import dpbounds.{module}"
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True)
    assert done.stderr.splitlines()[-1].endswith(f"pip install 'dpbounds[{extra}]' adds it")
