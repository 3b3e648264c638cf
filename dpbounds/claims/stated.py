"""The statement of a certificate, read back from its text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import sympy
from sympy.logic.boolalg import Boolean

from dpbounds.claims.claim import Claim
from dpbounds.claims.statement.assumptions import assumptions_of
from dpbounds.claims.statement.expression_text import read_statement
from dpbounds.errors import CertificateError, ClaimError


@dataclass(frozen=True)
class Stated:
    """A statement: conclusion, premises, variables and families by name."""

    then: Any
    given: tuple[Any, ...]
    names: Mapping[str, Any]
    families: Mapping[str, sympy.IndexedBase]

    @classmethod
    def read(cls, claim: str, text: Mapping[str, Any], statement_hash: str) -> Stated:
        """Read a statement.

        Raises:
            CertificateError: the text is none, or does not fit its hash.
        """
        then, given = read_statement(text)
        try:
            probe = Claim(id=claim.split("~")[0] + "~replayed", text="", then=then, given=given)
        except ClaimError as error:
            raise CertificateError(f"{claim}: {error}") from error
        if probe.statement != text or probe.statement_hash != statement_hash:
            raise CertificateError(f"{claim}: statement and statement hash do not fit")
        if probe.then in (sympy.true, sympy.false):
            raise CertificateError(f"{claim}: sympy evaluates the statement when it is written, so nothing can be checked")
        return cls(probe.then, probe.given, {str(v): v for v in probe.variables}, {str(f): f for f in probe.families})

    @property
    def constraints(self) -> tuple[Boolean, ...]:
        """Premises and assumptions of the symbols, read off the symbols anew."""
        return (*(condition for v in self.names.values() for condition in assumptions_of(v)), *self.given)
