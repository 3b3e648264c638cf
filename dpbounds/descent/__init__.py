"""Inequalities by a descent of derivatives: towers and a search. It decides nothing; `dpbounds.compile` writes what it finds."""
