"""ε in float64: the search, and what it keeps along the way."""
