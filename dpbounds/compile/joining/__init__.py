"""Claims as documents from those of other claims, and from lemmas."""
