"""Statements as terms: trees that evaluate nothing, their text, LaTeX and MathML, and the digest of a statement. Standard library only."""
