"""One claim as a card: words, statement, verdict, evidence, certificate."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from html import escape
from typing import Any

import sympy

from dpbounds.claims.addresses import address_of, command_of
from dpbounds.claims.statement.expression_text import read_expression
from dpbounds.claims.verdict import Verdict
from dpbounds.errors import DPBoundsError
from dpbounds.report.entries import Entry
from dpbounds.report.statement import math, quantified
from dpbounds.report.words import words

_SHOWN_WHOLE = 6_000
"""Certificates up to this many characters are shown whole."""


def link_to(identifier: str, known: Collection[str] | None = None) -> str:
    """A link to the card of a claim, or just its id when the page has no such card."""
    name = escape(identifier, quote=True)
    return f'<a href="#{name}"><code>{name}</code></a>' if known is None or identifier in known else f"<code>{name}</code>"


def card_of(entry: Entry, known: Collection[str], corrected_by: str | None, used_by: Sequence[str], site: str = "") -> str:
    """One claim as HTML.

    Args:
        entry: the claim with its verdict.
        known: the ids that have cards.
        corrected_by: the claim that repairs this one.
        used_by: the claims that rest on this one.
        site: the address of the site, for a link to the same question; "" for none.
    """
    claim, verdict = entry.row.claim, entry.row.outcome.verdict
    name = escape(claim.id, quote=True)
    statement = _listed("for all", quantified(claim)) + _listed("with", [math(premise) for premise in claim.premises or claim.given])
    conclusion = claim.then if claim.conclusion is None else claim.conclusion
    statement += f'<div class="then">{math(conclusion, block=True)}</div>'
    facts = [*_facts(entry, known, corrected_by, used_by), ("ask again", _asked_again(entry, site))]
    rows = "".join(f"<dt>{term}</dt><dd>{text}</dd>" for term, text in facts)
    return f"""<article id="{name}" class="{verdict.value.lower()}" data-verdict="{verdict.value}">
<header><h4><a href="#{name}">{name}</a></h4><span class="verdict">{verdict.value}</span></header>
<p>{words(claim.text)}</p>
<div class="statement" tabindex="0" role="group" aria-label="Statement">{statement}</div>
<dl>{rows}</dl>
{_certificate(entry)}
</article>"""


def _listed(word: str, items: Sequence[str]) -> str:
    if not items:
        return ""
    inside = "".join(f'<span role="listitem">{item}</span> ' for item in items)
    return f'<p><span class="soft">{word}</span> <span role="list" class="premises">{inside}</span></p>'


def _facts(entry: Entry, known: Collection[str], corrected_by: str | None, used_by: Sequence[str]) -> list[tuple[str, str]]:
    claim, outcome = entry.row.claim, entry.row.outcome
    facts = []
    if claim.source:
        key, place = (escape(part, quote=True) for part in claim.source)
        facts.append(("source", f'{place} of <a href="#source-{key}">{key}</a>'))
    facts += [("counterexample", point)] if (point := _point(entry)) else []
    detail = outcome.detail.partition(": not ")[2] if point and ": not " in outcome.detail else outcome.detail
    facts.append(("both sides" if detail is not outcome.detail else "found", _both_sides(detail, detail is not outcome.detail)))
    facts += [("left open", escape(line)) for line in outcome.left]
    facts += [("rests on", escape(str(part))) for part in entry.row.evidence]
    if entry.row.unsettled:
        facts.append(("unsettled", ", ".join(link_to(identifier, known) for identifier in entry.row.unsettled)))
    if outcome.mutant is not None:
        facts.append(("mutant", f"{outcome.mutant.verdict.value}: {words(outcome.mutant.detail)}"))
    if claim.uses:
        facts.append(("uses", ", ".join(link_to(identifier, known) for identifier in claim.uses)))
    if used_by:
        facts.append(("used by", ", ".join(link_to(identifier, known) for identifier in used_by)))
    if claim.corrects:
        facts.append(("repairs", link_to(claim.corrects, known)))
    if corrected_by:
        facts.append(("repaired by", link_to(corrected_by, known)))
    if claim.witness:
        facts.append(("constants", ", ".join(f"{math(s)} = {math(sympy.sympify(v))}" for s, v in claim.witness.items())))
    if claim.note:
        facts.append(("note", words(claim.note)))
    if claim.expect is not None and not entry.row.as_expected:
        facts.append(("expected", f"<strong>{claim.expect.value}: not as expected</strong>"))
    if entry.row.problem:
        facts.append(("certificate", f"<strong>{escape(entry.row.problem)}</strong>"))
    facts.append(("file", f"<code>{escape(entry.row.file.as_posix())}</code>"))
    facts.append(("how", escape(entry.origin.value)))
    return facts


def _asked_again(entry: Entry, site: str) -> str:
    """The command, and where there is a site the page that asks the same."""
    identifier, file = entry.row.claim.id, entry.row.file
    address = address_of(identifier, file, site)
    link = f'<a href="{escape(address, quote=True)}">in a web page</a>, or ' if address else ""
    return f"{link}<code>{escape(command_of(identifier, file))}</code>"


def _both_sides(detail: str, violated: bool) -> str:
    return f"<samp>{escape(detail)}</samp> is false" if violated else escape(detail)


def _point(entry: Entry) -> str:
    """The coordinates of a counterexample, typeset."""
    document = entry.certificate
    if entry.row.outcome.verdict is not Verdict.REFUTED or document is None:
        return ""
    shown = []
    for name, value in document["evidence"]["point"].items():
        values = value if isinstance(value, list) else [value]
        try:
            typeset = [math(read_expression(text)) for text in values]
        except DPBoundsError:
            typeset = [f"<code>{escape(text)}</code>" for text in values]
        joined = ", ".join(typeset)
        symbol = math(sympy.Symbol(name))
        shown.append(f"{symbol} = ({joined})" if isinstance(value, list) else f"{symbol} = {joined}")
    return "; ".join(shown)


def _certificate(entry: Entry) -> str:
    document = entry.certificate
    if document is None:
        return ""
    text = json.dumps(document, indent=1, sort_keys=True, ensure_ascii=False)
    parts = [
        f"<p>Method: {escape(document['method'])}; SHA-256 of the statement <code>{escape(document['statement_hash'])}</code>, "
        f"of the certificate <code>{escape(document['digest'])}</code>.</p>",
        _evidence_of(document["evidence"]),
    ]
    if len(text) <= _SHOWN_WHOLE:
        parts.append(f"<pre>{escape(text)}</pre>")
    else:
        parts.append(f"<p>{len(text):,} characters, in <code>{escape(document['claim'])}.json</code> of the folder of certificates.</p>")
    name = f"{escape(document['claim'], quote=True)}.json"
    evidence = document["evidence"]
    if "text" in evidence:
        parts.append(f"<p>Check it with Python alone, no package installed: <code>python -S -m dpbounds.logic {name}</code></p>")
    parts.append(f"<p>Check it, and that it is of this claim: <code>dpbounds replay {name}</code></p>")
    return f"<details><summary>Certificate</summary>{''.join(parts)}</details>"


def _evidence_of(evidence: Mapping[str, Any]) -> str:
    """The named steps of a proof, the size of a cover."""
    if "steps" in evidence:
        steps = [step for step in evidence["steps"] if step["name"]]
        items = "".join(f'<li>{escape(step["name"])} <span class="soft">({escape(step["rule"])})</span></li>' for step in steps)
        return f"<p>The named steps of {len(evidence['steps'])}, by rule:</p><ol>{items}</ol>"
    if "leaves" in evidence:
        return f"<p>{evidence['leaves']:,} boxes cover the domain.</p>"
    return ""
