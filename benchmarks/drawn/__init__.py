"""Random statements of every kind, each verdict against values at points: `python -m benchmarks.drawn`."""
