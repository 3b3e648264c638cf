"""How descents are found."""
