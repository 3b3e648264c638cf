"""A search for the document of a claim about families that may be interrupted, and goes on when it is asked again."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from typing import Any

from dpbounds.compile.families.search import Families
from dpbounds.compile.patience import TurnIsOver
from dpbounds.compile.steps import NotWritten
from dpbounds.kernel.terms import Refused
from dpbounds.language.typed.checker_terms import NotRead


class FamilySearch:
    """A search for the document of a claim about families, which goes on when it is asked again.

    Args:
        name: of the document.
        then, given: the claim.
        asked: what its quantities ask for, which the document shows too where it can.
    """

    def __init__(self, name: str, then: Any, given: Sequence[Any], asked: Sequence[Any] = ()) -> None:
        self._begin = partial(Families, then, given)
        self._name, self._asked = name, asked
        self._families: Families | None = None
        self._failure: NotWritten | None = None

    def document(self, until: float = math.inf) -> str:
        """The document, when it is found before a processor time.

        Raises:
            NotWritten: it is not; with more time it may be where time was up.
        """
        if self._failure is not None:
            raise self._failure
        families, self._families = self._families, None  # what is interrupted from outside is not gone on with
        try:
            families = self._begin() if families is None else families
            text = families.document(self._name, self._asked, until)
        except TurnIsOver:
            self._families = families
            raise NotWritten("time is up") from None
        except NotWritten as why:
            self._failure = why
            raise
        except NotRead as why:
            raise NotWritten("the statement is not read", str(why)) from why
        except Refused as why:
            raise NotWritten("a step is refused", str(why)[:80]) from why
        return text
