"""Find certificates of numbers for what rests on the engine of stored covers and points: `python -m dpbounds.claims.number_leaves`.

    python -m dpbounds.claims.number_leaves                          print how many leaves rest on what
    python -m dpbounds.claims.number_leaves --seconds 60 [CLAIM…]    look for certificates, so long for each claim, and store them
    … --anew                                                         … and also in place of those that are stored

What is found is checked by `recheck.leaves` before it is stored. A leaf whose numbers have no certificate, or whose statement does
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
from dpbounds.claims.cover_replay import NUMBERS, checked_cover
from dpbounds.claims.point_text import open_cover, point_of, point_to_document
from dpbounds.claims.stated import Stated
from dpbounds.claims.stored import folder
from dpbounds.covers.check import Leaf, check
from dpbounds.covers.cover import Cover
from dpbounds.covers.document import read
from dpbounds.covers.intervals import Undefined
from dpbounds.errors import DPBoundsError
from dpbounds.mechanisms.specs import spec_to_mechanism
from dpbounds.recheck.leaves import MOST_NUMBERS, MissingNumber, NumberLeaves, Question, key_of
from dpbounds.recheck.numbers import Refused
from dpbounds.renyi import renyi_divergence

_TRIALS = ((False, 2), (False, 4), (True, 6), (True, 14))
"""What is tried, one after the other: whether the least values are asked for too, and the digits. Few digits are checked soonest."""


def with_numbers(document: Mapping[str, Any], seconds: float) -> dict[str, Any]:
    """A certificate with as many of its leaves on certificates of numbers as are found in some seconds of processor time.

    Those that it has already are used where they will do.
    """
    stated = Stated.read(document["claim"], document["statement"], document["statement_hash"])
    asked = document["claim"], stated.names, stated.then, stated.constraints
    evidence = {key: value for key, value in document["evidence"].items() if key != NUMBERS}
    if "point" in evidence:
        point = point_of(stated, evidence["point"])
        opened = open_cover(document["claim"], stated, point)
        numbers = [] if opened is None else numbers_for(opened, seconds, document["evidence"].get(NUMBERS, ()))
        refuted = point_to_document(document["claim"], stated, point, numbers)
        evidence = {"point": evidence["point"]} | ({} if refuted is None else {"cover": refuted}) | ({NUMBERS: numbers} if numbers else {})
        if refuted is None:
            return dict(document)
    else:
        numbers = numbers_for(read(evidence["cover"]), seconds, document["evidence"].get(NUMBERS, ()))
        checked = checked_cover(*asked, evidence["cover"], numbers=numbers)
        evidence |= {"leaves": checked.parts, "engine": checked.by_engine} | ({NUMBERS: numbers} if numbers else {})
    body = {**document, "evidence": evidence}
    return {**body, "digest": certificate.digest_of(body)}


def numbers_for(cover: Cover, seconds: float, has: Sequence[Mapping[str, Any]] = ()) -> list[Mapping[str, Any]]:
    """Certificates of numbers that show as many leaves of a cover as are found in some seconds of processor time.

    Args:
        cover: the cover.
        seconds: of processor time.
        has: certificates that are used where they will do.
    """
    end, leaves = time.process_time() + seconds, list[Leaf]()

    def note(leaf: Leaf) -> bool:
        leaves.append(leaf)
        return True

    check(cover, note)
    known = {key_of(found["query"]): (0, found) for found in has}
    kept: dict[str, Any] = {}
    judge = NumberLeaves(cover)
    for leaf in leaves:
        for both, digits in ((True, 0), *_TRIALS):
            if digits and time.process_time() > end:
                break
            found = _numbers(judge, leaf, both, digits, known)
            if found is None:
                continue
            if len(kept | found) > MOST_NUMBERS:
                break
            try:
                if NumberLeaves(cover, list(found.values())).holds(leaf):
                    kept |= found
                    break
            except Refused:  # a specification that the checker of numbers reads in another way
                break
    return list(kept.values())


def _numbers(judge: NumberLeaves, leaf: Leaf, both: bool, digits: int, known: dict[str, tuple[int, Any]]) -> dict[str, Any] | None:
    """Certificates of the numbers that a leaf needs; None where one has none. Without digits, those that are known; others become so."""
    found = {}
    try:
        for corners in judge.corners(leaf):
            for question in (corners.least, corners.most) if both else (corners.most,):
                key = key_of(question)
                if digits and (key not in known or known[key][0] < digits):
                    known[key] = digits, certificate_for_question(question, digits)
                if key in known:
                    found[key] = known[key][1]
    except (MissingNumber, Undefined, DPBoundsError):
        return None
    return found or None


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


def _open_in(evidence: Mapping[str, Any]) -> int:
    """How many leaves only the engine settles; a point without a document is one."""
    return int("point" in evidence and "cover" not in evidence) or certificate.resting_on_engine(evidence)


def shares() -> str:
    """How many leaves of the stored covers are checked by what."""
    leaves = engine = numbers = covers = 0
    for path in sorted(folder().glob("*.json.gz")):
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
    for path in sorted(folder().glob("*.json.gz")) if options.seconds else ():
        document = certificate.read(path)
        if options.claims and document["claim"] not in options.claims:
            continue
        evidence = document["evidence"]
        if _open_in(evidence) or (options.anew and NUMBERS in evidence):
            old = {**document, "evidence": {key: value for key, value in evidence.items() if not (options.anew and key == NUMBERS)}}
            start, found = time.process_time(), with_numbers(old, options.seconds)
            before, after = (_open_in(each["evidence"]) for each in (document, found))
            if after <= before:
                certificate.pack(found, folder())
            print(f"{document['claim']}: {before} leaves rested on the engine, {after} do; {time.process_time() - start:.0f} s", flush=True)
    print(shares())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
