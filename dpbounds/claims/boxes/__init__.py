"""Branch and bound: whether a statement holds on every box of its domain."""
