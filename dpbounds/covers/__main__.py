"""`python -m dpbounds.covers` is `python -m dpbounds.logic`, under its older name."""

import sys

from dpbounds.logic.__main__ import main

sys.exit(main(sys.argv[1:]))
