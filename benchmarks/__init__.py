"""Benchmarks of the float64 accountants against other accountants: `python -m benchmarks` writes RESULTS.md and growth.png."""

import os

for _name in ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ.setdefault(_name, "1")
