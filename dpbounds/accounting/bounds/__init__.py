"""Bounds of δ and ε where the digits are out of reach, or not needed."""
