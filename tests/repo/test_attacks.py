"""The attacks on the new results: they find nothing at the statements, and something at false ones."""

import re

import pytest

from benchmarks.attacks.__main__ import attacks, run

KNOWN = attacks()


@pytest.mark.parametrize("name", KNOWN)
def test_an_attack_breaks_a_false_statement_and_not_the_true_one(name):
    found = run(KNOWN[name], KNOWN[name].QUICK)
    assert found.tried >= 10 and found.violated == 0
    assert run(KNOWN[name], KNOWN[name].QUICK, false=True).violated


def test_every_entry_of_the_page_that_names_an_attack_has_it(root):
    entries = re.split(r"^## ", (root / "docs/results.md").read_text(encoding="utf-8"), flags=re.M)[1:]
    named = {name: entry for entry in entries for name in re.findall(r"benchmarks/attacks/(\w+)\.py", entry)}
    assert set(named) == set(KNOWN)
    assert [name for name, attack in KNOWN.items() if not named[name].startswith(attack.HEADING)] == []
