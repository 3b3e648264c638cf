"""The words of a claim as HTML: Greek letters, exponents, ≤ and ≥ are set as mathematics, the rest stays as it is written."""

from __future__ import annotations

import re
from html import escape

_LETTERS = """α alpha β beta γ gamma δ delta ε epsilon ε eps ζ zeta η eta θ theta κ kappa λ lambda λ lamda λ lam μ mu ν nu ξ xi
π pi ρ rho σ sigma τ tau φ phi χ chi ψ psi ω omega Δ Delta Φ Phi"""
_GREEK = dict(zip(_LETTERS.split()[1::2], _LETTERS.split()[::2], strict=True))
_LETTER = re.compile(rf"(?<![A-Za-z0-9`._-])({'|'.join(_GREEK)})(?![A-Za-z`]|[.-][A-Za-z])")
_RAISED = re.compile(r"(?<=[\w)\]>'])\^(?:\{([^{}]{1,60})\}|\(([^()]{1,30})\)|([-−]?\w+))")
_LOWERED = re.compile(r"(?<![\w`.])([^\W\d_])_(?:\{([^{}]{1,30})\}|(\w+))(?![\w`])")


def words(text: str) -> str:
    """The text, escaped, with `sigma` as σ, `x^2` as x² and `<=` as ≤.

    >>> words("D_2 <= 2 q^2/sigma^2, (eps, delta)-DP")
    'D<sub>2</sub> ≤ 2 q<sup>2</sup>/σ<sup>2</sup>, (ε, δ)-DP'
    >>> words("at most eps + lam")
    'at most ε + λ'
    >>> words("the id yu2019.delta-two stays")
    'the id yu2019.delta-two stays'
    """
    letters = _LETTER.sub(lambda found: _GREEK[found[1]], text.replace("<=", "≤").replace(">=", "≥"))
    return with_indices(escape(letters))


def with_indices(text: str) -> str:
    """A text of HTML without tags, with `x^2`, `x^{a+b}` and `x_i` as exponents and indices.

    >>> with_indices("M_i^{k_i} e^(1+t)")
    'M<sub>i</sub><sup>k<sub>i</sub></sup> e<sup>1+t</sup>'
    """
    before, text = "", _LOWERED.sub(lambda found: f"{found[1]}<sub>{found[2] or found[3]}</sub>", text)
    while before != text:  # the inner braces first
        before, text = text, _RAISED.sub(lambda found: f"<sup>{found[1] or found[2] or found[3]}</sup>", text)
    return text
