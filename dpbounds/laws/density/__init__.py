"""Two densities of the user's: their law, moments and divergences."""
