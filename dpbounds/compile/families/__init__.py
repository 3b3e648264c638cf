"""Claims about families of any length, as documents."""
