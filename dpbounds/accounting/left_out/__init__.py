"""What a sum over a line leaves out: aliases, and the nodes beyond the last one."""
