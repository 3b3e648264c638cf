"""Averages of mechanisms and of pairs."""
