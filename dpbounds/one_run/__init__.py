"""Audits by one run: a certified lower bound on ε from guesses about the inputs of one training."""
