"""A finished page, kept beside its certificates: it is written again as it is while nothing that it was made from has changed.

`dpbounds check --certificates DIR` keeps the page of its run, `dpbounds report --certificates DIR` the one that it made.

The page depends on the claim files, on all code that was loaded, on the certificates and on what was asked for. Their contents are hashed.
What a claim file reads by itself, such as a table of numbers, is not seen; `--replay` always makes the page anew.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from dpbounds.claims import run
from dpbounds.claims.collect import claim_files
from dpbounds.files import write_whole
from dpbounds.report.entries import Entry, entries_of_rows
from dpbounds.report.page import page_of
from dpbounds.verify import Judgement

_NAME = "_page.json"


@dataclass(frozen=True)
class Page:
    """What `dpbounds report` answers.

    Attributes:
        text: the page.
        document: the verdicts, as `check --json` prints them.
        exit_code: that of `check`.
    """

    text: str
    document: dict[str, Any]
    exit_code: int

    @classmethod
    def of_entries(cls, entries: Sequence[Entry], judgements: Sequence[Judgement] = (), site: str = "") -> Page:
        """The page of claims and printed guarantees."""
        rows = [entry.row for entry in entries]
        return cls(page_of(entries, judgements, site=site), run.document_of(rows), run.exit_code_of(rows))


@dataclass(frozen=True)
class Request:
    """What was asked for.

    Attributes:
        paths: claim files and folders.
        statements: files and folders of printed guarantees.
        budget: seconds for each claim.
        certificates: the folder in which the page is kept.
        site: the address of the site that the page links to.
    """

    paths: Sequence[str | Path]
    statements: Sequence[Path]
    budget: float
    certificates: Path
    site: str = ""

    def recall(self) -> Page | None:
        """The page of an earlier run, None if there is none or anything that it was made from has changed."""
        try:
            kept = json.loads((self.certificates / _NAME).read_text(encoding="utf-8"))
            return Page(**kept["page"]) if kept["key"] == self._key(kept["code"]) else None
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def keep(self, page: Page) -> None:
        """Keep a page. A folder that cannot be written to keeps none."""
        files = {str(file) for module in list(sys.modules.values()) if (file := getattr(module, "__file__", None))}
        code = sorted(file for file in files if Path(file).is_file())  # a module from an archive, or whose file is gone, has none
        with suppress(OSError):
            write_whole(self.certificates / _NAME, json.dumps({"key": self._key(code), "code": code, "page": asdict(page)}))

    def keep_run(self, rows: Sequence[run.Row]) -> None:
        """Keep the page of a run that has just ended."""
        self.keep(Page.of_entries(entries_of_rows(rows, self.certificates), site=self.site))

    def _key(self, code: Iterable[str]) -> str:
        asked = [[str(Path(path).resolve()) for path in group] for group in (self.paths, self.statements)]
        digest = hashlib.sha256(json.dumps([asked, self.budget, self.site, sys.version]).encode())
        data = [path for folder in self.statements for path in (folder, *folder.rglob("*")) if path.is_file()]
        certificates = [path for path in self.certificates.iterdir() if not path.name.startswith("_")]
        for path in sorted({*map(Path, code), *claim_files(self.paths), *data, *certificates}):
            digest.update(f"\0{path}\0{hashlib.sha256(path.read_bytes()).hexdigest()}".encode())
        return digest.hexdigest()
