"""What needs dask is collected where it is installed."""

import importlib.util

collect_ignore = [] if importlib.util.find_spec("distributed") else ["test_dask.py"]
