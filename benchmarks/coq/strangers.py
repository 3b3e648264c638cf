"""Lemmas of the lists, as documents of the proof checker: found by the search of descents, written by the compiler."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

SECONDS = 2.0
"""For the search of one descent."""
STEPS = 120
"""Documents with more steps are left."""


def documents(folder: Path, wanted: Collection[str]) -> dict[str, str]:
    """The documents without integrals of the lemmas with these names, or of all, by name; each is kept in the folder."""
    from benchmarks.lemmas import LISTS, lemmas_of  # only here: the checker of stored documents needs none of it
    from dpbounds.claims.evidence.compiled import compiled
    from dpbounds.claims.evidence.descents import certificate_of
    from dpbounds.claims.evidence.ways import name_of

    out: dict[str, str] = {}
    for entry in LISTS[1:]:  # the first was written to be settled
        for lemma in lemmas_of(entry):
            name = name_of(lemma.true.id)
            if name in out or (wanted and name not in wanted):
                continue
            kept = folder / f"lemma-{name}.jsonl"
            if not kept.exists():
                found = certificate_of(lemma.true, SECONDS)
                kept.write_text("" if found is None else compiled(lemma.true, found).text)
            text = kept.read_text()
            if 0 < text.count("\n") <= STEPS and not any(word in text for word in ("line(", "integrable(")):
                out[name] = text
    return out
