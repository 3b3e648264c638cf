"""Few uses: hyperbolas and rays of steepest descent in place of a line."""
