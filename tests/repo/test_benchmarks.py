"""The table of the README is the one that the benchmarks wrote."""

from pathlib import Path

OURS_AND_OTHERS = ("| accountant ", "| dpbounds ", "| dp_accounting ", "| prv_accountant ")


def table(page: Path) -> list[str]:
    return [line for line in page.read_text(encoding="utf-8").splitlines() if line.startswith(OURS_AND_OTHERS)]


def test_the_table_of_the_readme_was_measured(root):
    shown = table(root / "README.md")
    assert len(shown) >= 3
    assert set(shown) <= set(table(root / "benchmarks" / "RESULTS.md"))
