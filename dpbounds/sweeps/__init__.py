"""Many questions at once: a table of rows in, the same table with certified or float64 bounds out."""

from dpbounds.sweeps.run import Sweep as Sweep
from dpbounds.sweeps.run import sweep as sweep

__all__ = ["Sweep", "sweep"]
