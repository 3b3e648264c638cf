"""Noisy gradient descent whose last iterate alone is released: certified Gaussian differential privacy."""
