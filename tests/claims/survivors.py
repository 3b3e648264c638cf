"""Changes of what decides which document proves a claim, unnoticed by tests, each with the reason why no false claim is taken with it."""

from __future__ import annotations

SURVIVORS: dict[str, dict[str, str]] = {
    "documents": {
        "_is_single: without part 0: isinstance(side, (PrivacyQuantity, sympy.Integral)) and all(": "one side has a quantity",
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
        "says: without entry 1: (NotConverted, Refused)": "ends in an error",
        "would_prove: one more: 0 in Statement('', tuple(assumed), concluded, frozenset(), 0": "how many steps it has is not looked at",
        "would_prove: without entry 0: (Refused, NotConverted, ValueError, TypeError, RecursionErro": "ends in an error",
        "would_prove: without entry 1: (Refused, NotConverted, ValueError, TypeError, RecursionErro": "ends in an error",
        "would_prove: without entry 2: (Refused, NotConverted, ValueError, TypeError, RecursionErro": "ends in an error",
        "would_prove: without entry 3: (Refused, NotConverted, ValueError, TypeError, RecursionErro": "ends in an error",
        "would_prove: without entry 4: (Refused, NotConverted, ValueError, TypeError, RecursionErro": "ends in an error",
    },
    "checker_terms": {},
}
