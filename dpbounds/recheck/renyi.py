"""Rényi divergences D_α = log M(α − 1)/(α − 1), one law after another: composition adds. Docs: error-bounds.md, "Rényi divergences"."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from dpbounds.recheck.atoms import Atoms
from dpbounds.recheck.bromwich import Use
from dpbounds.recheck.numbers import Numbers, Real, Refused
from dpbounds.recheck.reading import entries, only


def renyi(uses: Sequence[Use], alpha: Fraction, own: Mapping[str, object], numbers: Numbers) -> Real:
    """Σ k·log M(α − 1)/(α − 1)."""
    only(own, "name", "bits", "moments")
    rules, total = entries(own, "moments"), numbers.number(0)
    if len(rules) != len(uses):
        raise Refused("one rule for each factor is needed")
    for (law, steps), rule in zip(uses, rules, strict=True):
        if law.lost:
            raise Refused("the divergence is infinite")
        whole = law.whole_moment(alpha - 1, numbers) if isinstance(law, Atoms) else law.moment(alpha - 1, rule, numbers)
        total = total + whole.log() * steps
    return (total / (alpha - 1)).positive_part()
