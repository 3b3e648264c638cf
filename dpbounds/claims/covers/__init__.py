"""Covers: from the tree of a search to a document of the checker of covers, and its replay."""
