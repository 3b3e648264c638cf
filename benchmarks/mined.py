"""`dpbounds mine` over the whole catalogue: what is true beside its claims, and which of that the catalogue has.

    python -m benchmarks.mined [--folder DIR] [--output FILE] [--budget S] [--each S] [--stop S] [--page]

Mined are the claims that are expected to hold and whose conclusion is one inequality, those with few variables first. A claim that is
not settled within `--each` without its own evidence is given up. Each claim is one line of JSON; a file that has lines already is
continued.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

from dpbounds.claims.claim import Claim
from dpbounds.claims.collect import collect
from dpbounds.claims.mine import Mined, mine
from dpbounds.claims.verdict import Expectation
from dpbounds.logic.signatures import RELATIONS

HEAD = """# What mining finds sharper

`python -m benchmarks.mined --page` writes this page from `benchmarks/mined.jsonl`.
Without `--page` the same command mines the claims that have no line yet.

All {mined} claims of the catalogue that hold and say one inequality were mined, with few processor seconds each.
A test says that none is missing.
{settled} of them were settled without their own evidence, and for {sharp} something sharper than the claim was found.
The reasons are those of `benchmarks/mined_reasons.json`.

The deciders settled each line; `dpbounds mine FILE --only CLAIM` has the certificates.
Best constants, ranges and whole numbers that say something of interest went into the catalogue as claims:
`zhuwang2019.amplification.range`, `yu2019.appendix-g.order-2.range`, and wider ranges of `opendp2026.permute-and-flip.never`,
`bunsteinke2016.worst-mechanism.range`, `trustworthy2022.less-noise-in-high-dimension`, `tran2026.filters` and `yu2019.budget.corrected`.
The others are below. A claim there is what a source states, or the inequality that a proof uses.
A best factor far below 1 says that the claim has slack; one just below 1 may only say where the search stopped.

| claim | what also holds | why it is not in the catalogue |
|---|---|---|"""


def catalogue(folder: Path) -> dict[str, Claim]:
    """Every claim, by its id."""
    return {entry.claim.id: entry.claim for entry in collect([folder])}


def mined_claims(claims: dict[str, Claim]) -> list[Claim]:
    """Those that are mined, the small ones first."""

    def size(claim: Claim) -> tuple[int, int]:
        return 0 if claim.conclusion is None else len(claim.conclusion.free), len(str(claim.conclusion))

    def suits(claim: Claim) -> bool:
        then = claim.conclusion
        return claim.expect is Expectation.HOLDS and then is not None and then.tag in RELATIONS and then.tag != "=" and bool(then.free)

    return sorted(filter(suits, claims.values()), key=size)


def findings(claim: Claim, budget: float, each: float) -> Iterator[Mined]:
    """What mining finds, and nothing more of a claim that is not settled."""
    for found in mine(claim, budget=budget, each=each):
        yield found
        if found.kind == "claim" and found.holds is None:
            return


def row(claim: Claim, budget: float, each: float, known: dict[str, str]) -> dict[str, Any]:
    """The line of a claim; `known` are the ids of the catalogue's statements."""
    start = time.process_time()
    found = [
        f.as_dict() | {"known": f.holds and known.get(f.holds.claim.statement_hash), "statement": f.holds and str(f.holds.claim.conclusion)}
        for f in findings(claim, budget, each)
    ]
    return {"claim": claim.id, "findings": found, "seconds": round(time.process_time() - start, 1)}


def sharper(found: dict[str, Any]) -> bool:
    """Whether a finding says more than its claim, and is not in the catalogue.

    >>> sharper({"kind": "constant", "words": "the best C with x <= C*(y) lies in [1/2, 3/5]", "known": None, "holds": {}})
    True
    """
    if found["holds"] is None or found["known"]:
        return False
    if found["kind"] == "constant":
        return Fraction(found["words"].rsplit(" ", 1)[1].rstrip("]")) < 1
    return found["kind"] in ("premise", "range") or found["kind"] == "sharper" and not found["words"].startswith("min(b, 1)")


def reason_of(name: str) -> str:
    """Why the sharper forms of a claim are not in the catalogue: the words for the longest beginning of its id."""
    reasons = json.loads((Path(__file__).parent / "mined_reasons.json").read_text(encoding="utf-8"))
    return reasons[max(filter(name.startswith, reasons), key=len)]


def page_of(rows: list[dict[str, Any]]) -> str:
    """The page: what is sharper, claim by claim."""
    told = {row["claim"]: [f["words"] for f in row["findings"] if sharper(f)] for row in rows}
    settled = sum(any(f["kind"] == "claim" and f["holds"] for f in row["findings"]) for row in rows)
    table = [f"| `{name}` | {'; '.join(words).replace('|', '∣')} | {reason_of(name)} |" for name, words in sorted(told.items()) if words]
    return "\n".join([HEAD.format(mined=len(rows), settled=settled, sharp=len(table)), *table, ""])


def main() -> None:
    """Mine what has no line yet."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.mined", description=__doc__)
    parser.add_argument("--folder", type=Path, default=Path("proofs"), help="the claims")
    parser.add_argument(
        "--output", type=Path, default=Path(__file__).parent / "mined.jsonl", help="file of JSON lines, continued where it ends"
    )
    parser.add_argument("--budget", type=float, default=8.0, help="processor seconds for one claim and all that is tried")
    parser.add_argument("--each", type=float, default=1.5, help="processor seconds for each claim that is tried")
    parser.add_argument("--stop", type=float, default=float("inf"), help="elapsed seconds after which no other claim is begun")
    parser.add_argument("--page", action="store_true", help="write docs/mined.md from the lines, and mine nothing")
    options = parser.parse_args()
    claims = catalogue(options.folder)
    known = {claim.statement_hash: name for name, claim in claims.items()}
    kept = options.output.read_text(encoding="utf-8").splitlines() if options.output.exists() else []
    rows = [json.loads(line) for line in kept]
    if options.page:
        Path("docs/mined.md").write_text(page_of(rows), encoding="utf-8")
        return
    done = {row["claim"] for row in rows}
    begun = time.monotonic()
    for claim in mined_claims(claims):
        if claim.id in done:
            continue
        if time.monotonic() - begun > options.stop:
            break
        with options.output.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row(claim, options.budget, options.each, known), ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
