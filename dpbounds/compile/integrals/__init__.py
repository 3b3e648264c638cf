"""Integrals in documents: antiderivatives, pieces of the line, ends that move, moments and δ of Gaussian noise."""
