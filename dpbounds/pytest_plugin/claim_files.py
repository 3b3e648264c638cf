"""Claim files as tests: one test for each claim, which passes when `dpbounds check` would exit with 0 for it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dpbounds.claims import run, stored
from dpbounds.claims.claim import Claim
from dpbounds.claims.collect import claims_in, module_name
from dpbounds.errors import DPBoundsError
from dpbounds.pytest_plugin.properties import DETAIL, VERDICT


class ClaimFailed(Exception):
    """A claim that did not come out as expected; the message has the lines that are shown."""


class ClaimFile(pytest.File):
    """A file whose claims are tests."""

    def collect(self) -> Iterator[pytest.Item]:
        """The claims, with the marks of `pytestmark` in the file."""
        try:
            claims = claims_in(self.path)
        except DPBoundsError as error:
            raise self.CollectError(str(error)) from None
        marks = getattr(sys.modules[module_name(self.path)], "pytestmark", [])
        for mark in marks if isinstance(marks, list) else [marks]:
            self.add_marker(mark)
        for claim in claims:
            yield ClaimItem.from_parent(self, name=claim.id, claim=claim)


class ClaimItem(pytest.Item):
    """One claim."""

    def __init__(self, *, claim: Claim, **rest: Any) -> None:
        super().__init__(**rest)
        self.claim = claim

    def runtest(self) -> None:
        """Settle the claim; a certificate of an earlier run is accepted if it survives being checked again."""
        options = run.Options(
            budget=self.budget(), only=(self.claim.id,), certificates=self._folder(), replay=True, elsewhere=stored.certificate_of
        )
        try:
            rows = run.check([self.path], options)
        except DPBoundsError as error:
            raise ClaimFailed(str(error)) from None
        row = next(row for row in rows if row.claim.id == self.claim.id)
        self.user_properties += [(VERDICT, row.outcome.verdict.value), (DETAIL, row.findings)]
        if row.exit_code:
            raise ClaimFailed("\n".join(_lines(row)))

    def budget(self) -> float:
        """Processor seconds: of the option, else of the nearest marker, else of the configuration."""
        marker = self.get_closest_marker("claim_budget")
        named = self.config.getoption("claim_budget")
        if named is None:
            named = marker.args[0] if marker else self.config.getini("claim_budget")
        if not 0 < float(named) < float("inf"):
            raise ClaimFailed(f"claim_budget must be a number of seconds > 0, got {named}")
        return float(named)

    def _folder(self) -> Path:
        """Certificates are kept in the cache of pytest; `--cache-clear` forgets them."""
        cache = getattr(self.config, "cache", None)
        return Path(cache.mkdir("dpbounds")) if cache is not None else run.DEFAULT_CERTIFICATES

    def repr_failure(self, excinfo: Any, style: Any = None) -> Any:
        """The reasons, without a traceback."""
        return str(excinfo.value) if isinstance(excinfo.value, ClaimFailed) else super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, None, str]:
        """The file and the name of the claim."""
        return self.path, None, self.name


def _lines(row: run.Row) -> Iterator[str]:
    outcome, expect = row.outcome, row.claim.expect
    yield f"{row.claim.id} is {outcome.verdict.value}" + ("" if expect is None else f", and {expect.value} was expected")
    yield f"  {row.claim.text}"
    yield f"  {row.findings}"
    yield from (f"  {line}" for line in outcome.left)
    if outcome.next_step:
        yield f"  next: {outcome.next_step}"
    if outcome.mutant is not None and row.mutant_refuted is False:
        yield f"  its mutant should be REFUTED but is {outcome.mutant.verdict.value}: {outcome.mutant.detail}"
    if row.problem:
        yield f"  {row.problem}"
