"""Printed guarantees with their verdicts, as a section of the page."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from dpbounds.verify import Judgement
from dpbounds.verify.text import document_of, lines_of


def section_of(judgements: Sequence[Judgement]) -> str:
    """One table: what is printed where, the verdict, the certified number that decides, and what was assumed.

    Args:
        judgements: of `dpbounds.verify`.
    """
    if not judgements:
        return ""
    rows = "".join(_row(judgement) for judgement in judgements)
    head = "".join(f'<th scope="col">{word}</th>' for word in ("statement", "verdict", "what decides"))
    table = f'<table class="guarantees"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>'
    return f'<h2 id="guarantees">Printed guarantees</h2>\n<div class="scroll">{table}</div>'


def _row(judgement: Judgement) -> str:
    document = document_of(judgement)
    source = escape(document["source"] or "the statement")
    link = document["link"]
    where = f'<a href="{escape(link, quote=True)}">{source}</a>' if link.startswith("https://") else source
    lines = "".join(f"<br>{escape(line)}" for line in lines_of(judgement))
    verdict = document["verdict"]
    return (
        f"<tr><td>{where}<br><code>{escape(document['name'])}</code></td>"
        f'<td class="verdict {verdict.lower().replace(" ", "-")}">{verdict}</td><td>{escape(document["says"])}{lines}</td></tr>'
    )
