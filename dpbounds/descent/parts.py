"""Which rule a certificate of one inequality follows: closed forms, integers one by one, from n to n + 1, or the descent itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dpbounds.descent.closed import check_closed
from dpbounds.descent.induction import check_induction, check_values
from dpbounds.descent.problem import Problem, check
from dpbounds.descent.ratio import check_ratio


def check_part(problem: Problem, document: Mapping[str, Any], integers: frozenset[str]) -> None:
    """Check a certificate of an inequality in which some variables are integers.

    With closed forms in the place of its sums and integrals it is another inequality, which is shown in one of the other ways, or with
    closed forms again.

    Raises:
        Refused: the certificate does not show it.
    """
    while "closed" in document:
        problem, document = check_closed(problem, document["closed"], integers), document["then"]
    if "way" in document:
        check_ratio(problem, document, integers)
    elif "values" in document:
        check_values(problem, document, integers)
    elif "induction" in document:
        check_induction(problem, document, integers)
    else:
        check(problem, document)
