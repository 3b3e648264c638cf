"""Divergences of noise distributions."""
