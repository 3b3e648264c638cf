"""Facts derived again with the proof checker's rules, as documents."""
