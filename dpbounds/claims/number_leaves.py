"""Find certificates of numbers for the leaves of stored covers that rest on the engine: `python -m dpbounds.claims.number_leaves`.

    python -m dpbounds.claims.number_leaves                          print how many leaves rest on what
    python -m dpbounds.claims.number_leaves --seconds 60 [CLAIM…]    look for certificates, so long for each claim, and store them

What is found is checked by `claims.cover_replay` before it is stored. A leaf whose numbers have no certificate, or whose statement does
not follow from them, rests on the engine as before.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Mapping, Sequence
from typing import Any

from dpbounds import accounting
from dpbounds.certificates.number import certificate_for
from dpbounds.claims import certificate
from dpbounds.claims.cover_numbers import MOST_NUMBERS, MissingNumber, NumberLeaves, Question, key_of
from dpbounds.claims.cover_replay import NUMBERS, checked_cover
from dpbounds.claims.cover_text import statements_of
from dpbounds.claims.stated import Stated
from dpbounds.claims.stored import folder
from dpbounds.covers.check import Leaf, check
from dpbounds.covers.document import read
from dpbounds.covers.intervals import Undefined
from dpbounds.errors import CertificateError, DPBoundsError
from dpbounds.mechanisms.specs import spec_to_mechanism
from dpbounds.renyi import renyi_divergence

_DIGITS = (6, 14)
"""Digits of the numbers that are tried, one after the other."""


def with_numbers(document: Mapping[str, Any], seconds: float) -> dict[str, Any]:
    """A certificate with as many of its leaves on certificates of numbers as are found in some seconds of processor time.

    Those that it has already are kept.
    """
    stated = Stated.read(document["claim"], document["statement"], document["statement_hash"])
    asked = document["claim"], stated.names, stated.then, stated.constraints
    evidence = {key: value for key, value in document["evidence"].items() if key != NUMBERS}
    cover, end = read(evidence["cover"]), time.process_time() + seconds
    writer = next(w for w, statement in statements_of(*asked) if statement.then == cover.statement.then)
    leaves: list[Leaf] = []

    def note(leaf: Leaf) -> bool:
        leaves.append(leaf)
        return True

    check(cover, note)
    kept = {key_of(found["query"]): found for found in document["evidence"].get(NUMBERS, ())}
    judge = NumberLeaves(writer, cover)
    for leaf in leaves:
        for digits in _DIGITS:
            if time.process_time() > end:
                break
            found = _numbers(judge, leaf, digits, kept)
            if found is None or len(kept | found) > MOST_NUMBERS:
                break
            try:
                if NumberLeaves(writer, cover, list(found.values())).holds(leaf):
                    kept |= found
                    break
            except CertificateError:  # a specification that the checker of numbers reads in another way
                break
    if kept:
        evidence[NUMBERS] = list(kept.values())
    checked = checked_cover(*asked, evidence["cover"], numbers=evidence.get(NUMBERS, ()))
    body = {**document, "evidence": {**evidence, "leaves": checked.parts, "engine": checked.by_engine}}
    return {**body, "digest": certificate.digest_of(body)}


def _numbers(judge: NumberLeaves, leaf: Leaf, digits: int, kept: Mapping[str, Any]) -> dict[str, Any] | None:
    """Certificates of all numbers that a leaf needs; None where one has none."""
    found = {}
    try:
        for question in judge.questions(leaf):
            key = key_of(question)
            found[key] = kept[key] if key in kept else certificate_for_question(question, digits)
    except (MissingNumber, Undefined, DPBoundsError):
        return None
    return found


def certificate_for_question(question: Question, digits: int) -> dict[str, Any]:
    """A certificate of a number that a leaf needs."""
    mechanism = spec_to_mechanism(list(question["mechanism"]))
    more = {key: question[key] for key in ("relation", "direction", "guarantee")}
    if question["quantity"] == "delta":
        result = accounting.delta(mechanism, question["epsilon"], digits=digits, **more)
    else:
        result = renyi_divergence(mechanism, question["alpha"], digits=digits, **more)
    found: dict[str, Any] = json.loads(certificate_for(dict(question), result.lower, result.upper, result.digits))
    return found


def shares() -> str:
    """How many leaves of the stored covers are checked by what."""
    leaves = engine = numbers = covers = 0
    for path in sorted(folder().glob("*.json.gz")):
        evidence = certificate.read(path)["evidence"]
        if "cover" in evidence:
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
    options = parser.parse_args(words)
    for path in sorted(folder().glob("*.json.gz")) if options.seconds else ():
        document = certificate.read(path)
        if options.claims and document["claim"] not in options.claims:
            continue
        if certificate.resting_on_engine(document["evidence"]) and "cover" in document["evidence"]:
            start, found = time.process_time(), with_numbers(document, options.seconds)
            certificate.pack(found, folder())
            before, after = (certificate.resting_on_engine(each["evidence"]) for each in (document, found))
            print(f"{document['claim']}: {before} leaves rested on the engine, {after} do; {time.process_time() - start:.0f} s", flush=True)
    print(shares())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
