"""Private selection: the exponential mechanism, noisy max, permute-and-flip and above threshold, by two-point tables."""
