"""How numbers come in exactly and go out as certified intervals."""
