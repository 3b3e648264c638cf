"""The catalogue: a page for each claim, from the claims and from docs/catalogue.md, which holds the verdicts of a run.

A test compares docs/catalogue.md with the claims and the stored certificates, so nothing is settled here.
"""

from __future__ import annotations

import gzip
import json
import re
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

from pages import filter_form, markdown, page

from dpbounds.claims.bibliography import BIBLIOGRAPHY
from dpbounds.claims.claim import Claim
from dpbounds.claims.collect import collect
from dpbounds.claims.evidence import documents
from dpbounds.kernel.checker import lemmas, parse
from dpbounds.report.reference import citation_of
from dpbounds.report.statement import math, quantified
from dpbounds.report.words import words

VERDICTS = ("PROVED", "CERTIFIED", "REFUTED", "ASSUMED", "UNDECIDED")
_ENTRY = re.compile(r"^### `(?P<id>[^`]+)` (?P<verdict>[A-Z]+)$(?P<rest>.*?)(?=^##|\Z)", re.M | re.S)


@dataclass(frozen=True)
class Row:
    """A claim with its verdict.

    Args:
        claim: the claim.
        file: of the clone.
        verdict: of the run that docs/catalogue.md shows.
        rests_on: methods and citations, as that page prints them.
    """

    claim: Claim
    file: Path
    verdict: str
    rests_on: str


def rows_of(root: Path) -> list[Row]:
    """The claims of the catalogue with their verdicts."""
    shown = {found["id"]: found for found in _ENTRY.finditer((root / "docs/catalogue.md").read_text(encoding="utf-8"))}
    rows = []
    for entry in collect([root / "proofs"]):
        found = shown[entry.claim.id]
        rests = re.search(r"^Rests on: (.*?)\.(?= Uses| Corrects| \[)", found["rest"], re.M)
        rows.append(Row(entry.claim, entry.file, found["verdict"], rests[1] if rests else ""))
    return rows


class Catalogue:
    """Writes the catalogue of a clone into a site.

    Args:
        root: the clone.
        out: the site.
        rows: the claims.
    """

    def __init__(self, root: Path, out: Path, rows: Sequence[Row]) -> None:
        self.root, self.out, self.rows = root, out / "catalogue", rows
        self.known = {row.claim.id for row in rows}
        self.corrected = {row.claim.corrects: row.claim.id for row in rows if row.claim.corrects}

    def write(self) -> None:
        """Write the list, a page for each claim and each file, and what can be checked again."""
        for folder in ("files", "certificates", "documents"):
            (self.out / folder).mkdir(parents=True, exist_ok=True)
        for path in sorted((self.root / "proofs/certificates").glob("*.json.gz")):
            shutil.copy(path, self.out / "certificates" / path.name)
        for path in sorted((self.root / "proofs/documents").glob("*.jsonl")):
            (self.out / "documents" / f"{path.name}.gz").write_bytes(gzip.compress(path.read_bytes(), mtime=0))
        for row in self.rows:
            (self.out / f"{row.claim.id}.html").write_text(self._page(row), encoding="utf-8")
        for path in {row.file for row in self.rows}:
            name = f"{path.parent.name}/{path.name}"
            body = f"<h1><code>{name}</code></h1><pre>{escape(path.read_text(encoding='utf-8'))}</pre>"
            (self.out / "files" / f"{_file(path)}.html").write_text(page(name, body, up="../../", here="catalogue"), encoding="utf-8")
        (self.out / "index.html").write_text(self._list(), encoding="utf-8")

    def _list(self) -> str:
        counts = ", ".join(f"{sum(row.verdict == verdict for row in self.rows)} {verdict}" for verdict in VERDICTS[:4])
        mutants = sum(row.claim.mutant is not None for row in self.rows)
        parts = [
            "<h1>The catalogue</h1>",
            f'<p class="lead">{len(self.rows)} statements from the literature, each for all values of its variables: {counts}. '
            f"{mutants} claims have a mutant, a false statement close to the true one, and each of these was refuted.</p>",
            filter_form(list(VERDICTS[:4])),
        ]
        sources: dict[str, list[Row]] = {}
        for row in self.rows:
            sources.setdefault(row.file.parent.name, []).append(row)
        for source, rows in sorted(sources.items()):
            items = "".join(
                f'<li data-search data-verdict="{row.verdict}">{_badge(row.verdict)}'
                f"{self._link(row.claim.id)}<br>{words(row.claim.text)}</li>"
                for row in rows
            )
            title = escape(citation_of(source)) if source in BIBLIOGRAPHY else escape(source)
            parts.append(f'<section class="group"><h2 id="{source}">{title}</h2><ul class="claims">{items}</ul></section>')
        return page("The catalogue", "\n".join(parts), here="catalogue", script="filter.js")

    def _page(self, row: Row) -> str:
        claim = row.claim
        facts = [(name, text) for name, text in self._facts(row) if text]
        listed = "".join(f"<dt>{name}</dt><dd>{text}</dd>" for name, text in facts)
        statement = _statement(quantified(claim), [math(part) for part in claim.premises or claim.given], math(_then(claim), block=True))
        body = f"""<h1><code>{claim.id}</code></h1>
<p>{_badge(row.verdict)} {words(claim.text)}</p>
<article class="{row.verdict.lower()} statement">{statement}</article>
<dl>{listed}</dl>
{self._mutant(claim)}
<h2>Check it again</h2>
{self._check(claim)}"""
        return page(claim.id, body, here="catalogue")

    def _facts(self, row: Row) -> list[tuple[str, str]]:
        claim = row.claim
        used_by = [other.claim.id for other in self.rows if claim.id in other.claim.uses]
        source = ""
        if claim.source:
            key, place = claim.source
            source = f"{escape(place)} of {escape(citation_of(key) if key in BIBLIOGRAPHY else key)}"
        return [
            ("source", source),
            ("rests on", markdown(row.rests_on).removeprefix("<p>").removesuffix("</p>\n")),
            ("uses", ", ".join(map(self._link, claim.uses))),
            ("used by", ", ".join(map(self._link, used_by))),
            ("repairs", self._link(claim.corrects) if claim.corrects else ""),
            ("repaired by", self._link(self.corrected[claim.id]) if claim.id in self.corrected else ""),
            ("note", words(claim.note or "")),
            ("file", f'<a href="files/{_file(row.file)}.html"><code>proofs/{row.file.parent.name}/{row.file.name}</code></a>'),
        ]

    def _link(self, identifier: str) -> str:
        name = f"<code>{escape(identifier)}</code>"
        return f'<a href="{escape(identifier)}.html">{name}</a>' if identifier in self.known else name

    def _mutant(self, claim: Claim) -> str:
        if claim.mutant is None:
            return ""
        statement = _statement([], [math(part) for part in claim.mutant.given or ()], math(claim.mutant.then, block=True))
        said = f'<article class="refuted statement">{statement}</article>{self._certificate(f"{claim.id}~mutant")}'
        return f"<h2>Its mutant</h2><p>A false statement close to it, which was refuted.</p>{said}"

    def _check(self, claim: Claim) -> str:
        parts = [self._certificate(claim.id)]
        name = documents.name_of(claim)
        if name is not None and (self.root / f"proofs/documents/{name}.jsonl").exists():
            files = ",".join(f"catalogue/documents/{other}.jsonl.gz" for other in self._with_lemmas(name))
            parts.append(
                f'<p>The proof file, for the proof checker: <a href="../index.html#certificate?file={files}">check it here</a>, or '
                f'<a href="documents/{name}.jsonl.gz" download>download it</a>.</p>'
            )
        parts.append(f"<p>In a terminal: <code>dpbounds check proofs/ --only {escape(claim.id)}</code></p>")
        return "\n".join(parts)

    def _certificate(self, identifier: str) -> str:
        path = f"certificates/{identifier}.json.gz"
        if not (self.out / path).exists():
            return ""
        point = json.loads(gzip.decompress((self.out / path).read_bytes()))["evidence"].get("point")
        shown = f"<p>The counterexample: {_point(point)}.</p>" if point else ""
        link = f"../index.html#certificate?file=catalogue/{path}"
        return f'{shown}<p>The certificate: <a href="{link}">check it here</a>, or <a href="{path}" download>download it</a>.</p>'

    def _with_lemmas(self, name: str) -> list[str]:
        """The proof file and those that it rests on, each after its own."""
        rows = parse((self.root / f"proofs/documents/{name}.jsonl").read_text(encoding="utf-8"))
        before = [other for lemma in sorted(lemmas(rows)) for other in self._with_lemmas(lemma)]
        return list(dict.fromkeys([*before, name]))


def _then(claim: Claim) -> object:
    """What is claimed, as it was typed where that is known."""
    return claim.then if claim.conclusion is None else claim.conclusion


def _statement(quantifiers: Sequence[str], given: Sequence[str], then: str) -> str:
    listed = [("for all", quantifiers), ("with", given)]
    shown = [(word, " ".join(f'<span class="premise">{item}</span>' for item in items)) for word, items in listed if items]
    rows = "".join(f'<p><span class="soft">{word}</span> {items}</p>' for word, items in shown)
    return f'{rows}<div class="then">{then}</div>'


def _point(point: Mapping[str, object]) -> str:
    """The coordinates of a counterexample, with numbers as people write them."""
    plain = {
        name: re.sub(r"(?:Integer|Rational)\(([^()]*)\)", lambda found: found[1].replace(", ", "/"), str(point[name])) for name in point
    }
    return ", ".join(f"<code>{escape(name)} = {escape(value)}</code>" for name, value in plain.items())


def _badge(verdict: str) -> str:
    return f'<strong class="verdict {verdict.lower()}">{verdict}</strong>'


def _file(path: Path) -> str:
    return f"{path.parent.name}-{path.stem}"
