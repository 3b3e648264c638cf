"""Composition and budgets."""
