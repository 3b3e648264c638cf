"""From Rényi divergence and bounded losses to (ε, δ)."""
