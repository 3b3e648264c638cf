"""Find certificates of numbers for the leaves of stored covers that rest on the engine: `python -m dpbounds.claims.number_leaves`.

    python -m dpbounds.claims.number_leaves                          print how many leaves rest on what
    python -m dpbounds.claims.number_leaves --seconds 60 [CLAIM…]    look for certificates, so long for each claim, and store them
    … --anew                                                         … and also in place of those that are stored

What is found is checked by `recheck.leaves` before it is stored. A leaf whose numbers have no certificate, or whose statement does
not follow from them, rests on the engine as before.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Mapping, Sequence
from typing import Any

from dpbounds.claims.catalogue import certificates_folder
from dpbounds.claims.covers.cover_replay import NUMBERS, checked_cover
from dpbounds.claims.covers.number_search import numbers_for
from dpbounds.claims.evidence import certificate
from dpbounds.claims.stated import Stated
from dpbounds.covers.document import read


def with_numbers(document: Mapping[str, Any], seconds: float) -> dict[str, Any]:
    """A certificate with as many of its leaves on certificates of numbers as are found in some seconds of processor time.

    Those that it has already are used where they will do.
    """
    stated = Stated.read(document["claim"], document["statement"], document["statement_hash"])
    asked = document["claim"], stated.names, stated.then, stated.constraints
    evidence = {key: value for key, value in document["evidence"].items() if key != NUMBERS}
    numbers = numbers_for(read(evidence["cover"]), seconds, document["evidence"].get(NUMBERS, ()))
    checked = checked_cover(*asked, evidence["cover"], numbers=numbers)
    evidence |= {"leaves": checked.parts, "engine": checked.by_engine} | ({NUMBERS: numbers} if numbers else {})
    body = {**document, "evidence": evidence}
    return {**body, "digest": certificate.digest_of(body)}


def shares() -> str:
    """How many leaves of the stored covers are checked by what."""
    leaves = engine = numbers = covers = 0
    for path in sorted(certificates_folder().glob("*.json.gz")):
        evidence = certificate.read(path)["evidence"]
        if "leaves" in evidence and "cover" in evidence:
            covers, leaves, engine = covers + 1, leaves + evidence["leaves"], engine + evidence["engine"]
            tokens = evidence["cover"].get("tree", "")
            numbers += tokens.count("?") + tokens.count("!") - evidence["engine"] if NUMBERS in evidence else 0
    return (
        f"{covers} covers: {leaves - engine - numbers} of {leaves} leaves checked by the checker of covers, {numbers} by the checker of "
        f"numbers as well, {engine} rest on the engine"
    )


def main(words: Sequence[str]) -> int:
    """Look for certificates, or print the share."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("claims", nargs="*")
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--anew", action="store_true")
    options = parser.parse_args(words)
    for path in sorted(certificates_folder().glob("*.json.gz")) if options.seconds else ():
        document = certificate.read(path)
        if options.claims and document["claim"] not in options.claims:
            continue
        evidence = document["evidence"]
        if "leaves" in evidence and (certificate.resting_on_engine(evidence) or (options.anew and NUMBERS in evidence)):
            old = {**document, "evidence": {key: value for key, value in evidence.items() if not (options.anew and key == NUMBERS)}}
            start, found = time.process_time(), with_numbers(old, options.seconds)
            before, after = (certificate.resting_on_engine(each["evidence"]) for each in (document, found))
            if after <= before:
                certificate.pack(found, certificates_folder())
            print(f"{document['claim']}: {before} leaves rested on the engine, {after} do; {time.process_time() - start:.0f} s", flush=True)
    print(shares())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
