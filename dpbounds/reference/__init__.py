"""Reference tables: certified values of composed privacy loss, for the authors of accountants.

`load_table` reads the table that comes with the package;
`assert_upper_bound`, `assert_lower_bound` and `assert_side` hold an accountant against it.
"""

from dpbounds.reference.asserts import assert_lower_bound, assert_side, assert_upper_bound
from dpbounds.reference.table import TableRow, load_table, rows_where

__all__ = ["TableRow", "assert_lower_bound", "assert_side", "assert_upper_bound", "load_table", "rows_where"]
