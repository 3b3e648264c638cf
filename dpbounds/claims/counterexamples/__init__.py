"""Exact points at which a claim is false: the search for them, and their documents."""
