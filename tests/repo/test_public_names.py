"""The names that `dpbounds` offers, imported on first use."""

import importlib
import subprocess
import sys

import pytest

import dpbounds


def test_every_name_is_what_its_module_defines():
    for name in dpbounds.__all__:
        value = getattr(dpbounds, name)
        if name != "__version__":
            assert value is getattr(importlib.import_module(dpbounds._HOME_OF[name]), name)
    assert dir(dpbounds) == dpbounds.__all__ == sorted(set(dpbounds.__all__))


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="module 'dpbounds' has no attribute 'nothing'"):
        _ = dpbounds.nothing


def test_the_module_runs_as_the_command():
    run = subprocess.run([sys.executable, "-m", "dpbounds", "--version"], capture_output=True, text=True, check=True)
    assert run.stdout == f"dpbounds {dpbounds.__version__}\n"
