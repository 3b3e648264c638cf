"""One class name, one thing: a reader who meets a name knows which class is meant."""

import ast
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parents[2] / "dpbounds"
INDEPENDENT = ("kernel", "covers", "recheck", "audit/adapters")
"""Programs that import nothing of the rest name what they check by the field's words once more; an adapter is called like what it wraps."""


def public_classes():
    found = defaultdict(list)
    for file in ROOT.rglob("*.py"):
        place = file.relative_to(ROOT).as_posix()
        if not place.startswith(INDEPENDENT):
            for node in ast.parse(file.read_text(encoding="utf-8")).body:
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    found[node.name].append(place)
    return found


def test_no_two_classes_share_a_name():
    found = public_classes()
    assert len(found) >= 300
    assert not {name: places for name, places in found.items() if len(places) > 1}
