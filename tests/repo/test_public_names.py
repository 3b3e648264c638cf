"""The names that `dpbounds` offers, imported on first use."""

import ast
import importlib
import re
import subprocess
import sys
from pathlib import Path

import pytest

import dpbounds
from dpbounds import notation


def test_every_name_is_what_its_module_defines():
    for name in dpbounds.__all__:
        value = getattr(dpbounds, name)
        if name != "__version__":
            assert value is getattr(importlib.import_module(dpbounds._HOME_OF[name]), name)
    assert dir(dpbounds) == dpbounds.__all__ == sorted(set(dpbounds.__all__))


def test_type_checkers_see_the_same_names():
    """Without the imports for type checkers each name would be `Any` to them."""
    tree = ast.parse(Path(dpbounds.__file__).read_text(encoding="utf-8"))
    block = next(node for node in tree.body if isinstance(node, ast.If))
    seen = {(alias.name, alias.asname, node.module) for node in block.body for alias in node.names}
    assert seen == {(name, name, home) for name, home in dpbounds._HOME_OF.items()}


def test_modules_are_found_by_their_last_name():
    for name, path in dpbounds._MODULES.items():
        assert getattr(dpbounds, name) is importlib.import_module(path) and name not in dpbounds.__all__


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="module 'dpbounds' has no attribute 'nothing'"):
        _ = dpbounds.nothing


def test_the_module_runs_as_the_command():
    run = subprocess.run([sys.executable, "-m", "dpbounds", "--version"], capture_output=True, text=True, check=True)
    assert run.stdout == f"dpbounds {dpbounds.__version__}\n"


def test_a_claim_file_has_every_name_of_the_language(root):
    page = (root / "docs" / "claim-language.md").read_text(encoding="utf-8")
    section = page.split("## Expressions")[1].split("* A function of your own")[0]
    names = {name for code in re.findall(r"`([^`]+)`", section) for name in re.findall(r"^[A-Za-z]\w+|^[A-Z]$", code)}
    assert len(names) >= 25 and names - set(notation.__all__) == set()
