"""Inequalities by a descent of derivatives: towers of functions, a search for certificates, and the checker that decides."""
