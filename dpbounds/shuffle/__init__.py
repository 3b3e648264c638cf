"""The shuffle model: n users randomize their own inputs, and a shuffler permutes the messages."""
