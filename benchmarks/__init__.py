"""Benchmarks of the float64 accountants against other accountants: `python -m benchmarks` writes RESULTS.md and growth.png."""
