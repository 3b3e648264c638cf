"""The reference of the public names is written from their docstrings."""

import importlib
import importlib.util
import warnings
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
def test_every_public_name_has_its_place(tmp_path):
    spec = importlib.util.spec_from_file_location("api", ROOT / "docs/api.py")
    api = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(api)
    with warnings.catch_warnings():
        warnings.filterwarnings("error", message="Found .* does not resolve")
        packages = api.write_reference(tmp_path)
    assert {"dpbounds", "dpbounds.mechanisms", "dpbounds.accounting", "dpbounds.claims", "dpbounds.audit"} <= set(packages)
    for package in packages:
        page = (tmp_path / f"{package.replace('.', '/')}.html").read_text(encoding="utf-8")
        assert [name for name in importlib.import_module(package).__all__ if f'id="{name}"' not in page] == [], package
        assert "cdn" not in page.lower()
