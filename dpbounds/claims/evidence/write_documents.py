"""Write the proof documents of the derivations into `proofs/documents`, and say which have none, and why.

The derivations are those of the catalogue and those that stand in claim files; the document of the latter has the name of the claim.

    python -m dpbounds.claims.evidence.write_documents [--missing] [--seconds S] [--workers N] [NAME...]
    python -m dpbounds.claims.evidence.write_documents --list     only check those that are there, and count them

Each derivation is built and written in a process of its own, with a fixed order of hashing, so that it gives the same bytes again.
A document that cannot be written again stays while the proof checker accepts it and it says what the derivation does; a document of
a derivation that is no more is removed.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from dpbounds.claims import clock
from dpbounds.claims.catalogue import catalogue_folder
from dpbounds.claims.claim import Claim
from dpbounds.claims.collect import collect
from dpbounds.claims.evidence.documents import SUFFIX, accepted, document_of, folder, name_of, says
from dpbounds.claims.evidence.prove import SECONDS, Proved, prove
from dpbounds.claims.evidence.writing import document_text
from dpbounds.claims.plans import Proof
from dpbounds.claims.verdict import Verdict
from dpbounds.errors import DerivationError, InputError
from dpbounds.files import write_whole
from dpbounds.kernel.terms import Refused
from dpbounds.theory import get, recipes


@dataclass(frozen=True)
class Written:
    """What became of the document of one derivation.

    Attributes:
        name: the derivation.
        state: "written", "unchanged", "kept" (not written again, but still accepted) or "none".
        why: why it was not written.
    """

    name: str
    state: str
    why: str = ""

    def __str__(self) -> str:
        return f"{self.name}: {self.state}" + (f" ({self.why})" if self.why else "")


def claims_with_documents() -> dict[str, Claim]:
    """The claims whose derivation stands in their file, by the name of its document."""
    return _own(catalogue_folder())


def _own(folder: Path) -> dict[str, Claim]:
    claims = (entry.claim for entry in collect([folder]))
    return {str(name_of(claim)): claim for claim in claims if isinstance(claim.by, Proof) and claim.by.name is None}


def derivation_called(name: str) -> Any:
    """The derivation whose document has this name, built now.

    Raises:
        InputError: there is none.
    """
    if name in {entry.name for entry in recipes()}:
        return get(name)
    source = catalogue_folder() / name.partition("-")[0]
    claim = _own(source).get(name) if source.is_dir() else None
    if claim is None or not isinstance(claim.by, Proof):
        raise InputError(f"no derivation is called {name!r}; `dpbounds derive` lists the names")
    return claim.by.build()


def text_of(name: str) -> str:
    """The document of a derivation, built and written now, and accepted by the checker.

    Raises:
        DerivationError: a fact was not derived again with the checker's rules, or the checker refuses the document.
    """
    return document_text(name, derivation_called(name))


def write(names: Sequence[str], where: Path, seconds: float = SECONDS, workers: int = 1) -> Iterator[Written]:
    """Write the documents of these derivations, in the order in which they are done.

    Args:
        names: of documents.
        where: the folder.
        seconds: processor time for each.
        workers: how many at once.
    """
    with ThreadPoolExecutor(workers) as pool:
        for done in as_completed([pool.submit(_write_one, name, where, seconds) for name in names]):
            yield done.result()


def _write_one(name: str, where: Path, seconds: float) -> Written:
    target = where / f"{name}{SUFFIX}"
    run = subprocess.run(
        [sys.executable, "-m", "dpbounds.claims.evidence.write_documents", "--print", "--seconds", str(seconds), name],
        capture_output=True,
        encoding="utf-8",
        env=os.environ | {"PYTHONHASHSEED": "0"},
    )
    text, why = run.stdout if run.returncode == 0 else "", (run.stderr.strip().splitlines() or ["no reason given"])[-1]
    if text:
        same = target.is_file() and target.read_text(encoding="utf-8") == text
        if not same:
            write_whole(target, text)
        return Written(name, "unchanged" if same else "written")
    if not target.is_file():
        return Written(name, "none", why)
    try:
        if says(accepted(name, where), derivation_called(name)):
            return Written(name, "kept", why)
    except Refused as refused:
        why = f"{why}; the one that was there: {refused}"
    target.unlink()
    return Written(name, "none", why)


def main(words: Sequence[str]) -> int:
    """Write what is asked for; 0 if every document that is wanted is there."""
    parser = argparse.ArgumentParser(prog="python -m dpbounds.claims.evidence.write_documents", description="Write proof documents.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="derivations (default: all)")
    parser.add_argument("--missing", action="store_true", help="only those without a document")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="processor time for each derivation")
    parser.add_argument("--workers", type=int, default=1, help="how many at once")
    parser.add_argument("--print", action="store_true", dest="only_print", help="print the document of one derivation instead")
    parser.add_argument(
        "--list", action="store_true", help="write nothing: check what is there, and say which derivations have no document"
    )
    asked = parser.parse_args(words)
    if asked.list:
        return _list()
    try:
        if asked.only_print:
            for name in asked.names:
                sys.stdout.write(clock.within(clock.now() + asked.seconds, partial(text_of, name)))
            return 0
        return _write_all(asked)
    except (DerivationError, InputError) as why:
        print(why, file=sys.stderr)
        return 2
    except clock.TimeIsUp:
        print(f"more than {asked.seconds:g} seconds of processor time", file=sys.stderr)
        return 2


def _list() -> int:
    """Print how many derivations have a document that the proof checker accepts, how many claims follow from one, and the others."""
    names, without = [entry.name for entry in recipes()], []
    for name in names:
        try:
            accepted(name, folder())
        except Refused as why:
            without.append(f"  {name}: {why}")
    print(f"{len(names) - len(without)} of {len(names)} derivations have a document that the proof checker accepts")
    print("\n".join(["none for", *without] if without else []))
    claims = [entry.claim for entry in collect([catalogue_folder()]) if isinstance(entry.claim.by, Proof)]
    others = [claim for claim in claims if document_of(claim) is None]
    cited = [claim for claim in others if is_only_cited(claim)]
    others = [claim for claim in others if claim not in cited]
    count = len(claims) - len(cited)
    print(f"{count - len(others)} of {count} claims that a derivation proves follow from such a document")
    print("\n".join(["not from one", *(f"  {claim.id}" for claim in others)] if others else []))
    return 0


def is_only_cited(claim: Claim) -> bool:
    """True of a claim that is taken from the literature as a whole: there is nothing that a document could prove."""
    found = prove(claim, claim.by) if isinstance(claim.by, Proof) else None
    return isinstance(found, Proved) and found.verdict is Verdict.ASSUMED


def _write_all(asked: argparse.Namespace) -> int:
    derivations, where = [entry.name for entry in recipes()], folder()
    known = [*derivations, *claims_with_documents()]
    if unknown := [name for name in asked.names if name not in known]:
        raise InputError(f"no derivation is called {unknown[0]!r}; `dpbounds derive` lists the names")
    where.mkdir(exist_ok=True)
    for file in where.glob(f"*{SUFFIX}"):
        if file.stem not in known:
            file.unlink()
    names = [n for n in asked.names or known if not (asked.missing and (where / f"{n}{SUFFIX}").is_file())]
    found: list[Written] = []
    for done in write(names, where, asked.seconds, asked.workers):
        found.append(done)
        print(f"{len(found)}/{len(names)}  {done}", file=sys.stderr, flush=True)
    without = [w for w in found if w.state == "none"]
    have = [name for name in known if (where / f"{name}{SUFFIX}").is_file()]
    size = sum((where / f"{name}{SUFFIX}").stat().st_size for name in have)
    own = len(set(have) - set(derivations))
    print(f"{len(have) - own} of {len(derivations)} derivations of the catalogue have a document, and {own} of claim files;")
    print(f"{size // 1000} kB, in {where}")
    for entry in sorted(without, key=lambda w: w.name):
        print(f"  none for {entry.name}: {entry.why}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
