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
        "_parts: never: [inner for part in claim.parts for inner in _parts(part)] if": "they hold too: the document shows the parts before",
    },
    "infinite_values": {
        "module: left only: frozenset(['Integral', *QUANTITIES]) - {'NormalCDF', 'Normal": "Φ may be infinite: more is asked",
        "module: without entry 0: {'NormalCDF', 'NormalQuantile'}": "Φ counts as what may be infinite: more must be shown",
        "module: without entry 1: {'NormalCDF', 'NormalQuantile'}": "Φ⁻¹ counts as what may be infinite: more must be shown",
        "finite_where: without part 1: part or ()": "None is found among the parts before, and the whole is None then",
        "_is_single: without part 0: side.tag in MAY_BE_INFINITE and all(map(_is_plain, side.part": "the other side is plain, this one not",
        "_nonempty: always: quantity.parts[:2] if quantity.tag in _EXTREMA else (number(": "of what is no extremum the ends are not used",
        "_nonempty: one more: 0 in number(0)": "of what is no extremum the ends are not used",
        "_nonempty: one more: 1 in number(1)": "of what is no extremum the ends are not used",
        "_nonempty: without part 1: high.tag == 'oo' or quantity.tag not in _EXTREMA": "of what is no extremum, 0 < 1 is asked for",
    },
    "infinite_divergences": {
        "_grown: always: if f.tag != '**':": "powers are not followed: less is assumed",
        "where_finite: always: (assumed, asked) if assumed else None": "nothing is assumed, and more is asked for",
        "_is_of_family: without part 1: t.tag in DIVIDING and t.hint is not None and (t.hint[1] == '": "ends in an error for tables",
        "_is_of_family: without part 2: t.tag in DIVIDING and t.hint is not None and (t.hint[1] == '": "no sum is over reals: refused",
    },
}
