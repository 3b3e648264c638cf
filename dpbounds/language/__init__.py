"""What a statement may contain: variables, functions, quantifiers, and how they are enclosed."""
