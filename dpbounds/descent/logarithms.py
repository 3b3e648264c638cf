"""Statements with factorials in which they cancel, and binomial coefficients less than a whole row of them.

With R = large/small > 0 the statement is log R ≥ 0, in which factorials z! and (z + m)! are one and a few logarithms.
"""

from __future__ import annotations

from dpbounds.descent.problem import Problem
from dpbounds.descent.ratio import Start
from dpbounds.descent.refusal import need


def logarithm_of(problem: Problem) -> Start:
    """log R ≥ 0 on the whole domain: both sides are positive since their logarithms are defined.

    Raises:
        Refused: the statement has cases.
    """
    need(not problem.nodes, "a logarithm of cases")
    return Start(problem.large, problem.small, problem.strict, problem.box, problem.premises, problem.meanings)
