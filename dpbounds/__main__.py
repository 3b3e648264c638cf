"""`python -m dpbounds`: the same as the `dpbounds` command."""

import sys

from dpbounds.cli import main

if __name__ == "__main__":
    sys.exit(main())
