"""The law of random allocation."""
