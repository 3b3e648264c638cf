"""Gaussian differential privacy of a certified trade-off curve: μ, regret, multiplicative advantage."""
