"""Proofs that a user writes, as the pages show them, have documents that the proof checker accepts."""

import re
from pathlib import Path

from dpbounds.claims.collect import collect
from dpbounds.claims.settling import settle
from dpbounds.claims.verdict import Verdict

PAGE = Path(__file__).resolve().parents[2] / "docs" / "write-a-proof.md"


def test_the_induction_of_the_page_is_proved(tmp_path: Path) -> None:
    """The last term is a sum of one term, which the document writes out."""
    (text,) = re.findall(r"```python\n(# my_sum\.py\n.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    (tmp_path / "my_sum.py").write_text(text, encoding="utf-8")
    (entry,) = collect([tmp_path / "my_sum.py"])
    outcome = settle(entry.claim)
    assert outcome.verdict is Verdict.PROVED, outcome.detail
