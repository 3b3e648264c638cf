"""ε of one product of dominating pairs: brackets, first points and the search between them."""
