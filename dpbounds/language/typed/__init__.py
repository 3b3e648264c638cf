"""Statements as terms: from sympy and back, and what a document must prove of them."""
