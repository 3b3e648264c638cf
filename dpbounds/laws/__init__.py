"""The privacy loss of each dominating pair, in balls: one file for each law."""
