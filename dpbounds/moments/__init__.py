"""Certified Rényi divergence: the moment function M(t) = E_P[e^{tL}] on the real line."""
