"""The catalogue as one page: every claim with its source, verdict and evidence, from the certificates of a run.

    dpbounds check proofs/ --certificates certificates
    python -m dpbounds.claims.page certificates > docs/catalogue.md

Nothing is typed in: verdicts come from the certificates, statements from the claims. Times are left out, so that the page is the same
everywhere.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from dpbounds.claims import undecided
from dpbounds.claims.bibliography import BIBLIOGRAPHY
from dpbounds.claims.catalogue import catalogue_folder
from dpbounds.claims.claim import Claim
from dpbounds.claims.collect import Located, collect
from dpbounds.claims.evidence import certificate
from dpbounds.claims.run import evidence_of
from dpbounds.claims.statement.typeset import domain_latex, latex
from dpbounds.claims.support import union, used_by
from dpbounds.claims.verdict import Verdict
from dpbounds.errors import CertificateError, DPBoundsError, InputError

_HEAD = """# The catalogue

Every claim of `proofs/`, as `dpbounds check proofs/` settles it. A command writes this page, from the certificates of a run:

```sh
dpbounds check proofs/ --certificates certificates
python -m dpbounds.claims.page certificates > docs/catalogue.md
```

PROVED: the claim follows from a derivation, whose document the proof checker accepts. CERTIFIED: the proof checker accepts a document of
the claim, or a checker accepts boxes that cover the whole stated domain. REFUTED: one exact point of the domain violates the statement.
ASSUMED: the statement itself is cited. The evidence lists methods and citations over everything that a claim uses. The formulas are made
from the statements that were settled; the words beside them are captions.
"""
_LONGEST = 2000
"""Characters of LaTeX; what is longer is left to the claim's file."""
_OPEN: Mapping[str, Any] = {"verdict": "UNDECIDED", "method": "", "evidence": {}}


def page_of(located: Sequence[Located], folder: Path) -> str:
    """The page of a catalogue, in Markdown.

    Args:
        located: the claims.
        folder: the certificates that a finished run left; a claim without one is UNDECIDED there.

    Raises:
        InputError: a folder that no finished run over these claims left.
        CertificateError: a certificate that was edited, or speaks of another statement.
    """
    parts_of_claims = [part for entry in located for part in entry.claim.with_twin]
    lacking = [part.id for part in parts_of_claims if certificate.find(folder, part.id) is None and not undecided.is_kept(part, folder)]
    if lacking:
        raise InputError(
            f"{folder} has no certificate of {len(lacking)} of the {len(parts_of_claims)} statements, such as {lacking[0]}: "
            "give the folder of a whole run, dpbounds check proofs/ --certificates certificates"
        )
    documents = {entry.claim.id: _certificate_of(entry.claim, folder) for entry in located}
    claims = {entry.claim.id: entry.claim for entry in located}
    mutants = [_certificate_of(twin, folder) for claim in claims.values() for twin in claim.with_twin[1:]]
    verdicts = [documents[identifier]["verdict"] for identifier in claims]
    counts = ", ".join(f"{verdicts.count(v)} {v}" for v in [verdict.value for verdict in Verdict] if v in verdicts)
    refuted = sum(document["verdict"] == "REFUTED" for document in mutants)
    parts = [_HEAD, f"\n{len(claims)} claims: {counts}; {refuted} of {len(mutants)} mutants REFUTED.\n"]
    source = ""
    for entry in sorted(located, key=lambda e: (e.file.parent.name, e.file.name)):
        if entry.file.parent.name != source:
            source = entry.file.parent.name
            parts.append(f"\n## {source}\n\n{_title(source)}\n")
        parts.append(entry_of(entry, documents, claims))
    return "".join(parts)


def entry_of(located: Located, documents: Mapping[str, Mapping[str, Any]], claims: Mapping[str, Claim]) -> str:
    """One claim: verdict, caption, premises and formula, what it rests on, its file."""
    claim = located.claim
    document = documents[claim.id]
    support = [documents[i] for i in used_by(claim, claims) if documents[i]["verdict"] not in ("REFUTED", "UNDECIDED")]
    evidence = union(replace(evidence_of(found), engine=0) for found in (document, *support) if found["verdict"] != "UNDECIDED")
    file = f"proofs/{located.file.parent.name}/{located.file.name}"
    facts = [f"Rests on: {_plain('; '.join(map(str, evidence)))}."] if evidence else []
    facts += [f"Uses {', '.join(f'`{used}`' for used in claim.uses)}."] if claim.uses else []
    facts += [f"Corrects `{claim.corrects}`."] if claim.corrects else []
    place = f"*{_plain(claim.source[1])}.* " if claim.source else ""
    words = _plain(claim.text[:1].upper() + claim.text[1:])
    lines = [f"### `{claim.id}` {document['verdict']}", place + words, _formula(claim), " ".join([*facts, f"[{file}](../{file})"])]
    return "\n" + "\n\n".join(line for line in lines if line) + "\n"


def _formula(claim: Claim) -> str:
    """The premises on a line, the conclusion below, as GitHub typesets them."""
    premises, conclusion = ",\\; ".join(domain_latex(claim)), latex(claim.then)
    if len(premises) + len(conclusion) > _LONGEST:
        return "The formula is in the file."
    domain = rf"\text{{for }} {premises}: \\" + "\n" if premises else ""
    return f"```math\n\\begin{{gathered}} {domain}{conclusion} \\end{{gathered}}\n```"


def _certificate_of(claim: Claim, folder: Path) -> Mapping[str, Any]:
    path = certificate.find(folder, claim.id)
    if path is None:
        return _OPEN
    document = certificate.read(path)
    if document["claim"] != claim.id or document["statement_hash"] != claim.statement_hash:
        raise CertificateError(f"{path}: the certificate is about another statement than the claim {claim.id}; run dpbounds check again")
    return document


def _title(source: str) -> str:
    found = re.search(r"title = \{(.*)\},", BIBLIOGRAPHY.get(source, ""))
    return re.sub(r"\\.|[{}]", "", found[1]) if found else source


def _plain(text: str) -> str:
    """Text that Markdown shows as it is."""
    return re.sub(r"([\\*_~$|])", r"\\\1", " ".join(text.split())).replace("<", "&lt;")


def main(words: Sequence[str]) -> int:
    """Write the page for the named folder of certificates to stdout."""
    if len(words) != 1:
        print("usage: python -m dpbounds.claims.page CERTIFICATES", file=sys.stderr)
        return 2
    try:
        sys.stdout.write(page_of(collect([catalogue_folder()]), Path(words[0])))
    except DPBoundsError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
