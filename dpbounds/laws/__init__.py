"""The privacy loss of each pair, in balls."""
