"""Inequalities by a descent of derivatives: towers of functions and a search. Nothing of it decides; `dpbounds.compile` writes what it finds."""
