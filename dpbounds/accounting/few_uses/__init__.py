"""Few uses of laws with atoms."""
