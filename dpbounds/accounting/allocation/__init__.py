"""Random allocation of a record to steps."""
