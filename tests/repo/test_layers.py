"""The layers of ARCHITECTURE.md hold, and pyproject.toml enforces the layers that ARCHITECTURE.md describes."""

import re
import subprocess
import sys
import tomllib


def test_import_contracts(root):
    lint = subprocess.run(
        [sys.executable, "-c", "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports(no_cache=True))"],
        cwd=root,
        capture_output=True,
        text=True,
    )
    assert lint.returncode == 0, lint.stdout + lint.stderr


def test_the_map_and_the_contract_are_the_same(root):
    page = (root / "ARCHITECTURE.md").read_text(encoding="utf-8")
    table = page[page.index("| layer | packages | the question it answers |") :].split("\n\n")[0].splitlines()[2:]
    described = [set(re.findall(r"`(\w+)`", row.split("|")[2])) for row in table]
    config = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    contract = next(row for row in config["tool"]["importlinter"]["contracts"] if row["id"] == "layers")
    enforced = [set(re.findall(r"\w+", layer)) for layer in contract["layers"]]
    assert described == enforced
