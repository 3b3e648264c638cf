"""Sums and integrals in statements: closed forms, comparison, moving ends."""
