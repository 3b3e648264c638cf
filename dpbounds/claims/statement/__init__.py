"""What a statement is: its text and its hash, numbers put in for its variables, and what is identically zero."""
