"""One file a noise: its parameters, its pair, and what is known of that; the registry finds every file here (docs/add-a-noise.md)."""
