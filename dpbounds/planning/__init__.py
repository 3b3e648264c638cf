"""Which noise meets a target: plans, comparisons of noise, and noisy SGD."""
