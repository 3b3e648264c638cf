"""Programs that try to break the statements of docs/results.md, one file for each entry, from the words of the statement alone.

    python -m benchmarks.attacks [NAME ...] [--quick] [--seed N]

They use numpy, scipy and the standard library, and nothing of dpbounds. A file has the `HEADING` of its entry, the numbers of points
`QUICK` and `FULL`, and `margins(rng, many, false=False)`: arrays of what is left of each inequality, as a part of it, at points that it
draws; with `false=True` of a statement that is false. A margin below -`TOLERANCE` is a violation.
"""
