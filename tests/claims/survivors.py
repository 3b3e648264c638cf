"""Changes of what decides which document proves a claim, unnoticed by tests, each with the reason why no false claim is taken with it."""

SURVIVORS: dict[str, dict[str, str]] = {
    "documents": {
        "_known: one more: 16 in maxsize=16": "how many folders are remembered",
        "_visit: left only: checker.lemmas(rows) - found.keys()": "a document that is known is checked once more",
        "accepted: always: if name not in found:": "a document that is known is checked once more",
        "accepted: left only: 20 * DEPTH": "how deep Python may recurse: less ends in a refusal",
        "accepted: one more: 20 in 20 * DEPTH": "how deep Python may recurse",
        "accepted: right only: 20 * DEPTH": "how deep Python may recurse: less ends in a refusal",
        "accepted: without part 0: file.is_file() and file.parent == where.resolve()": "`_visit` asks for the file again",
        "document_of: never: None if name is None else accepted(name, folder() if where i": "there is no document of the name None",
        "document_of: without entry 1: (Refused, OSError, ValueError, RecursionError)": "ends in an error",
        "document_of: without entry 2: (Refused, OSError, ValueError, RecursionError)": "ends in an error",
        "document_of: without entry 3: (Refused, OSError, ValueError, RecursionError)": "ends in an error",
        "document_of: without part 0: found is not None and (not found.citations) and proves(found": "ends in an error",
        "name_of: never: if not isinstance(claim.by, Proof):": "ends in an error: other evidence names no derivation",
        "_parts: never: [inner for part in claim.parts for inner in _parts(part)] if": "they hold too",
    }
}
