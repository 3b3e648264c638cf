"""The properties of a report that say what became of a claim, and on what evidence."""

VERDICT, DETAIL = "dpbounds verdict", "dpbounds evidence"
