"""Moments along paths in the complex plane: nodes, transforms, and what is left out."""
