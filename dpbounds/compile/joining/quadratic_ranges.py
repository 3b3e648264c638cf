"""The range that a quadratic premise says, as documents: r − x = ((r² − x²) + (x − r)²)/(2r)."""

from __future__ import annotations

from typing import Any

import sympy

from dpbounds.compile.steps import NotWritten, Steps
from dpbounds.kernel.terms import number
from dpbounds.language.typed.read_sympy import Statements


def range_document(then: Any, premise: Any) -> str:
    """The document of an end of x from a·(w² − (x − m)²) ≥ 0 with a > 0: x ≤ m + r or m − r ≤ x for a rational r ≥ w.

    Args:
        then: the end.
        premise: quadratic in x, with rational coefficients.

    Raises:
        NotWritten: the end does not follow so.
    """
    gap = sympy.expand(premise.gts - premise.lts)
    (x,) = then.free_symbols
    a, b = -gap.coeff(x, 2), gap.coeff(x, 1)
    end = then.gts if then.lts == x else then.lts
    width = abs(end - b / (2 * a))
    if not (width.is_Rational and a.is_Rational and width > 0 and a > 0):
        raise NotWritten("a range: another premise")
    read = Statements()
    stated = read.stated(then, [premise])
    given, goal = stated.given, stated.claim
    steps = Steps(str(v.data[0]) for v in read.symbols.values())
    by = [steps.assume(given[0]), steps.write.square(read.term(x - end))]
    found = steps.sum_of(goal, by, (), [number(str(factor)) for factor in (1 / (2 * a * width), 1 / (2 * width))])
    if found is None:
        raise NotWritten("a range: an end that does not follow")
    return steps.write.document("range", given, found, [])
