"""Claims settled on the spot, as a table: what a notebook ends with."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from dpbounds.claims import run
from dpbounds.claims.addresses import address_of, site_of
from dpbounds.claims.catalogue import catalogue_folder
from dpbounds.claims.claim import Claim
from dpbounds.claims.collect import collect
from dpbounds.claims.settling import settle
from dpbounds.claims.support import citations_of
from dpbounds.errors import InputError, did_you_mean


@dataclass(frozen=True)
class Settled:
    """Claims with what became of them. It prints their verdicts; a notebook shows a table with the evidence.

    Attributes:
        rows: one for each claim, in the order asked for, then the claims that these use.
    """

    rows: tuple[run.Row, ...]

    @property
    def as_expected(self) -> bool:
        """Whether every verdict is the expected one and every mutant came out REFUTED."""
        return all(row.exit_code == 0 for row in self.rows)

    def __getitem__(self, identifier: str) -> run.Row:
        for row in self.rows:
            if row.claim.id == identifier:
                return row
        raise InputError(f"there is no result for {identifier!r}; the results are for {', '.join(row.claim.id for row in self.rows)}")

    def __str__(self) -> str:
        width = max((len(row.claim.id) for row in self.rows), default=0)
        return "\n".join(f"{row.claim.id:<{width}}  {row.outcome.verdict.value}{_mutant(row, ', mutant ')}" for row in self.rows)

    def __repr__(self) -> str:
        return str(self)

    def _repr_markdown_(self) -> str:
        lines = ["| claim | says | verdict | evidence | mutant |", "|:--|:--|:--|:--|:--|"]
        site = site_of()
        for row in self.rows:
            words = [_cell(text) for text in (row.claim.text, row.outcome.verdict.value, row.findings, _mutant(row, ""))]
            address = address_of(row.claim.id, row.file, site)
            name = f"[`{row.claim.id}`]({address})" if address else f"`{row.claim.id}`"
            lines.append(f"| {name} | {words[0]} | **{words[1]}** | {words[2]} | {words[3]} |")
        cited = citations_of(entry for row in self.rows for entry in row.evidence)
        lines += ["", *(f"cited, not checked: {_cell(citation)}  " for citation in cited)] if cited else []
        return "\n".join(lines)


def settled(*claims: str | Claim, budget: float = 60.0) -> Settled:
    """Decide claims now: those of the catalogue by id, with everything that they use, and one's own as objects.

    Args:
        claims: ids of the catalogue, or `Claim` objects.
        budget: seconds for each claim that does not count boxes itself.

    Raises:
        InputError: an id that the catalogue does not have, or a claim object that uses other claims, whose verdicts count for its own.

    >>> settled("chen2019.claim-25").as_expected
    True
    """
    names = [claim for claim in claims if isinstance(claim, str)]
    rows: list[run.Row] = []
    if names:
        with tempfile.TemporaryDirectory() as scratch:
            options = run.Options(budget=budget, only=tuple(names), certificates=Path(scratch))
            rows += run.check(_places_of(names), options)
    for claim in claims:
        if isinstance(claim, Claim):
            if claim.uses:
                raise InputError(f"claim {claim.id} uses {', '.join(claim.uses)}; put them into one file and run `dpbounds check` on it")
            outcome = settle(claim, budget=budget)
            rows.append(run.Row(claim, Path(), outcome, outcome.evidence))
    asked = [claim if isinstance(claim, str) else claim.id for claim in claims]
    return Settled(tuple(sorted(rows, key=lambda row: asked.index(row.claim.id) if row.claim.id in asked else len(asked))))


def claim_called(identifier: str) -> Claim:
    """The claim of the catalogue with that id; a notebook shows its statement.

    Raises:
        InputError: no such claim.

    >>> claim_called("chen2019.claim-25").source
    ('chen2019', 'Claim 25')
    """
    for entry in collect(_places_of([identifier])):
        if entry.claim.id == identifier:
            return entry.claim
    known = [entry.claim.id for entry in collect([catalogue_folder()])]
    raise InputError(f"no claim is called {identifier!r}{did_you_mean(identifier, known)}; `dpbounds show` lists them")


def _places_of(names: Iterable[str]) -> list[Path]:
    """Files that name the claims asked for and those that they use, or folders of sources: reading the whole catalogue takes seconds."""
    catalogue, asked = catalogue_folder(), list(names)
    known: dict[str, Claim] = {}
    places: list[Path] = []
    for name in asked:  # grows by what each claim uses
        folder = catalogue / name.partition(".")[0]
        if not folder.is_dir():
            return [catalogue]
        holding = [file for file in sorted(folder.rglob("*.py")) if _names(name, file.read_text(encoding="utf-8"))]
        for place in [*holding, folder]:  # an id that is put together stands in no file
            if name not in known and place not in places:
                places.append(place)
                known |= {entry.claim.id: entry.claim for entry in collect([place])}
        asked += [used for used in (known[name].uses if name in known else ()) if used not in asked]
    return places


def _names(identifier: str, text: str) -> bool:
    """Whether a claim file assigns to a variable, or writes in quotes, what the id of a claim may end with."""
    parts = identifier.split(".")
    ends = [".".join(parts[k:]) for k in range(len(parts))]
    return any(f'"{end}"' in text or f"\n{end.replace('.', '__').replace('-', '_')} = " in text for end in ends)


def _mutant(row: run.Row, before: str) -> str:
    mutant = row.outcome.mutant
    return "" if mutant is None else before + mutant.verdict.value


def _cell(text: str) -> str:
    """Text inside a Markdown table, shown as it is."""
    return re.sub(r"([\\|*_~$<])", r"\\\1", text)
