"""Factorials and central binomial coefficients: their bounds, and ratios that the bounds come from."""
