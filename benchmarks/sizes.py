"""How large each package is, in lines and statements: `python -m benchmarks.sizes [FOLDER]`."""

from __future__ import annotations

import argparse
import ast
from pathlib import Path

HERE = Path(__file__).parents[1] / "dpbounds"
DELTA = ("accounting", "laws", "numbers", "renyi")
"""What certified δ, ε and Rényi divergences of a mechanism are computed by."""


def size_of(file: Path) -> tuple[int, int]:
    """Lines and statements of a Python file; docstrings are lines, not statements."""
    text = file.read_text(encoding="utf-8")
    nodes = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.stmt)]
    docstrings = [node for node in nodes if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)]
    return len(text.splitlines()), len(nodes) - len(docstrings)


def sizes_of(package: Path) -> tuple[int, int, int]:
    """Files, lines and statements of a folder or a file."""
    files = sorted(package.rglob("*.py")) if package.is_dir() else [package]
    found = [size_of(file) for file in files]
    return len(files), sum(lines for lines, _ in found), sum(statements for _, statements in found)


def main() -> None:
    """Print one line for each package, then the sums."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=HERE)
    folder = parser.parse_args().folder
    packages = [path for path in sorted(folder.iterdir()) if path.is_dir() and any(path.rglob("*.py"))]
    rows = {path.name: sizes_of(path) for path in packages} | {"all": sizes_of(folder)}
    core = [rows[name] for name in DELTA if name in rows]
    if (search := folder / "descent" / "search").is_dir():
        rows["descent/search"] = sizes_of(search)
    rows["certified values"] = sum(r[0] for r in core), sum(r[1] for r in core), sum(r[2] for r in core)
    print(f"{'package':18}{'files':>6}{'lines':>8}{'statements':>12}")
    for name, (files, lines, statements) in rows.items():
        print(f"{name:18}{files:6}{lines:8}{statements:12}")


if __name__ == "__main__":
    main()
