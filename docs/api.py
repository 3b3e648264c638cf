"""Write the reference of all public names, from their docstrings, as HTML that needs no network.

    .venv/bin/python docs/api.py [FOLDER [--short]]      default: .dpbounds/api; --short leaves sources and search out

A public name is one in the `__all__` of a package.
"""

from __future__ import annotations

import ast
import importlib
import sys
from pathlib import Path

import pdoc

ROOT = Path(__file__).parents[1]


def public_packages() -> list[str]:
    """The packages of dpbounds that list public names."""
    found = []
    for path in sorted((ROOT / "dpbounds").rglob("__init__.py")):
        assigned = [node for node in ast.parse(path.read_text(encoding="utf-8")).body if isinstance(node, ast.Assign)]
        if any(isinstance(target, ast.Name) and target.id == "__all__" for node in assigned for target in node.targets):
            found.append(".".join(path.parent.relative_to(ROOT).parts))
    return found


def write_reference(folder: Path, whole: bool = True) -> list[str]:
    """Write one page for each public package; returns the packages.

    Args:
        folder: where the pages go.
        whole: with the sources and the search, which take three quarters of the space.
    """
    packages = public_packages()
    for package in map(importlib.import_module, packages):
        for name in package.__all__:
            getattr(package, name)  # what is imported on first use must be there before pdoc looks
    pdoc.render.configure(docformat="google", footer_text="dpbounds", show_source=whole, search=whole)
    pdoc.pdoc(*packages, output_directory=folder)
    return packages


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / ".dpbounds/api"
    print(f"{len(write_reference(target, '--short' not in sys.argv))} pages in {target}")
