"""What needs PyTorch is tested where it is installed."""

from importlib.util import find_spec

collect_ignore = [] if find_spec("torch") else ["dpbounds/sgd/pytorch.py", "tests/sgd/test_pytorch.py"]
