"""Other claims that a claim follows from."""
