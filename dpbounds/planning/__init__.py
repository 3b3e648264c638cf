"""Which noise meets a target: plans, and comparisons of noise."""
