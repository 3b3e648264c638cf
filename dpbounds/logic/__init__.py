"""Statements as terms: trees that evaluate nothing, their text, LaTeX and MathML. Standard library only.

`python -S -m dpbounds.logic FILE…` hands evidence to the checkers.
"""

from dpbounds.logic import latex, text  # noqa: F401  they say how a term is written
