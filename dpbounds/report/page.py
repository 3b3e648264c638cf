"""The page: verdicts at a glance, the list of claims, one card for each claim, the sources.

Nothing is fetched: style, script, formulas and figures are part of the page, and its content security policy forbids the rest.
Whatever comes from a claim file is escaped.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from importlib.resources import files
from itertools import groupby

from dpbounds import __version__
from dpbounds.claims.bibliography import BIBLIOGRAPHY
from dpbounds.claims.run import counts_of
from dpbounds.claims.support import citations_of
from dpbounds.claims.verdict import Verdict
from dpbounds.report.card import card_of, link_to
from dpbounds.report.entries import Entry, Origin
from dpbounds.report.guarantees import section_of
from dpbounds.report.reference import citation_of
from dpbounds.report.words import words
from dpbounds.verify import Judgement

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"


def page_of(
    entries: Sequence[Entry],
    judgements: Sequence[Judgement] = (),
    *,
    title: str = "Claims about differential privacy, settled",
    site: str = "",
) -> str:
    """The whole page as HTML.

    Args:
        entries: the claims, in the order of their files.
        judgements: printed guarantees with their verdicts.
        title: of the page.
        site: the address of the site, for links to the same questions; "" for none.
    """
    parts = [f"<h1>{escape(title)}</h1>", f"<p>{_summary(entries)}</p>", _counts(entries), _attention(entries), _origins(entries)]
    main = [_promises(), section_of(judgements), '<h2 id="statements">Statements and evidence</h2>', _filter()]
    corrected = {entry.row.claim.corrects: entry.row.claim.id for entry in entries if entry.row.claim.corrects}
    used_by = {identifier: [e.row.claim.id for e in entries if identifier in e.row.claim.uses] for identifier in _ids(entries)}
    sources = [(key, list(group)) for key, group in groupby(_by_source(entries), key=_source)]
    for key, group in sources:
        cards = [card_of(entry, _ids(entries), corrected.get(entry.row.claim.id), used_by[entry.row.claim.id], site) for entry in group]
        title_of_source = escape(citation_of(key) if key in BIBLIOGRAPHY else key)
        main.append(
            f'<details class="source"{" open" if len(sources) == 1 else ""}><summary><h3>{title_of_source}</h3>{_tally(group)}</summary>'
        )
        main += [_contents(group), *cards, "</details>"]
    main.append(_sources(entries))
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{_POLICY}">
<title>{escape(title)}</title>
<style>
{_text("page.css")}</style>
</head>
<body>
<a class="skip" href="#statements">Skip to the statements</a>
<header class="top">
{_lines(parts)}
</header>
<main>
{_lines(main)}
</main>
<footer><p>Written by dpbounds {escape(__version__)}. <code>dpbounds check</code> settles the claims, <code>dpbounds replay</code> checks
their certificates again, <code>dpbounds show</code> shows one claim.</p></footer>
<script>
{_text("page.js")}</script>
</body>
</html>
"""


def _lines(parts: Sequence[str]) -> str:
    return "\n".join(part for part in parts if part)


def _text(name: str) -> str:
    return files("dpbounds.report").joinpath(name).read_text(encoding="utf-8")


def _ids(entries: Sequence[Entry]) -> frozenset[str]:
    return frozenset(entry.row.claim.id for entry in entries)


def _source(entry: Entry) -> str:
    return entry.row.claim.source[0] if entry.row.claim.source else "Claims without a source"


def _by_source(entries: Sequence[Entry]) -> list[Entry]:
    return sorted(entries, key=lambda entry: (entry.row.claim.source is None, _source(entry)))


def _summary(entries: Sequence[Entry]) -> str:
    counts = counts_of([entry.row for entry in entries])
    noun = "statement" if counts["total"] == 1 else "statements"
    words = [f"{counts['total']} {noun}, each for all values of its variables. No verdict was typed in: a machine established them."]
    if counts["citing"]:
        words.append(f"{counts['citing']} of the verdicts rest on cited theorems, which are named.")
    if counts["mutants"]:
        words.append(f"Mutants are false statements close to a true one: {counts['mutants_refuted']} of {counts['mutants']} refuted.")
    return escape(" ".join(words))


def _counts(entries: Sequence[Entry]) -> str:
    counts = counts_of([entry.row for entry in entries])
    items = [f'<li class="{v.value.lower()}"><b>{counts[v.value]}</b>{v.value}</li>' for v in Verdict]
    return f'<ul class="counts" aria-label="How many claims came out how">{"".join(items)}</ul>'


def _attention(entries: Sequence[Entry]) -> str:
    """What is not as its authors expected comes first."""
    bad = [entry for entry in entries if entry.row.exit_code != 0]
    if not bad:
        return ""
    items = "".join(f"<li>{link_to(entry.row.claim.id)}: {entry.row.outcome.verdict.value}</li>" for entry in bad)
    return f'<div class="alarm" role="status"><p><strong>{len(bad)} not as expected, or not settled:</strong></p><ul>{items}</ul></div>'


def _origins(entries: Sequence[Entry]) -> str:
    counts = {origin: sum(entry.origin is origin for entry in entries) for origin in Origin}
    if counts[Origin.SETTLED] == len(entries):
        return '<p class="soft">All verdicts were settled for this page.</p>'
    parts = [f"{count}: {origin.value}" for origin, count in counts.items() if count]
    return f'<p class="soft">How the verdicts came about. {escape("; ".join(parts))}.</p>'


def _promises() -> str:
    rows = "".join(
        f'<tr><td class="verdict {v.value.lower()}">{v.value}</td><td>{escape(v.promise[:1].upper() + v.promise[1:])}.</td></tr>'
        for v in Verdict
    )
    head = '<tr><th scope="col">verdict</th><th scope="col">promise</th></tr>'
    return f'<h2>What the verdicts promise</h2>\n<div class="scroll"><table><thead>{head}</thead><tbody>{rows}</tbody></table></div>'


def _tally(entries: Sequence[Entry]) -> str:
    """How many claims came out how, in words."""
    counts = counts_of([entry.row for entry in entries])
    parts = [f'<span class="verdict {v.value.lower()}">{counts[v.value]} {v.value}</span>' for v in Verdict if counts[v.value]]
    return f'<span class="tally">{" ".join(parts)}</span>'


def _contents(entries: Sequence[Entry]) -> str:
    rows = []
    for entry in entries:
        claim, verdict = entry.row.claim, entry.row.outcome.verdict
        shown = f'<td class="verdict {verdict.value.lower()}">{verdict.value}{"*" if _cites(entry) else ""}</td>'
        rows.append(f'<tr data-verdict="{verdict.value}"><td>{link_to(claim.id)}</td>{shown}<td>{words(claim.text)}</td></tr>')
    head = '<tr><th scope="col">claim</th><th scope="col">verdict</th><th scope="col">in words</th></tr>'
    table = f'<table class="claims"><thead>{head}</thead><tbody>{"".join(rows)}</tbody></table>'
    note = '<p class="soft">* rests on cited theorems, named on its card</p>' if any(map(_cites, entries)) else ""
    return f'<div class="scroll">{table}</div>{note}'


def _cites(entry: Entry) -> bool:
    return bool(citations_of(entry.row.evidence))


def _filter() -> str:
    options = "".join(f"<option>{verdict.value}</option>" for verdict in Verdict)
    return (
        '<form class="filter" hidden onsubmit="return false"><label>Search <input type="search" autocomplete="off"></label>'
        f'<label>Verdict <select><option value="">all</option>{options}</select></label><output aria-live="polite"></output></form>'
    )


def _sources(entries: Sequence[Entry]) -> str:
    keys = sorted({entry.row.claim.source[0] for entry in entries if entry.row.claim.source})
    items = [
        f'<li id="source-{escape(key, quote=True)}">{escape(citation_of(key))}'
        f"<details><summary>BibTeX</summary><pre>{escape(BIBLIOGRAPHY[key])}</pre></details></li>"
        for key in keys
        if key in BIBLIOGRAPHY
    ]
    return f'<h2 id="sources">Sources</h2>\n<ul>{"".join(items)}</ul>' if items else ""
