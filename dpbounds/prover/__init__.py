"""From derivations to proof documents. Nothing here is trusted: what a document proves is what the checker reads in it."""
