"""Build the rules in Coq, write the stored documents as Coq, and count what Coq accepts.

python benchmarks/coq/check.py            all files and documents
python benchmarks/coq/check.py --quick    the rules, delta, and the shortest documents: under three minutes
python benchmarks/coq/check.py NAME…      these documents
python benchmarks/coq/check.py --lemmas   the lemmas of the lists that are in accepted_lemmas.txt, from search to Coq; --record tries all
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path[:0] = [str(HERE), str(ROOT)]
RULES = ROOT / "proofs" / "coq"

import export  # noqa: E402
import strangers  # noqa: E402

from dpbounds.kernel import checker  # noqa: E402
from dpbounds.kernel.terms import DEPTH  # noqa: E402

BASE = ("Definitions", "Order", "Logic", "Sums", "Calculus", "Laws", "Pi")
"""What documents rest on, in the order in which they are compiled."""
FILES = (*BASE, "Normal", "Wider", "Rules", "Delta", "Gaussian", "Sampled")
"""All files."""
ACCEPTED, ACCEPTED_LEMMAS = HERE / "accepted.txt", HERE / "accepted_lemmas.txt"
"""Names of the stored documents that Coq accepted without a gap when they were last tried, and of the documents of lemmas."""
DOCUMENTS = ROOT / "proofs" / "documents"
ALLOWED = re.compile(
    r"ClassicalDedekindReals\.sig_forall_dec|ClassicalDedekindReals\.sig_not_dec|sig_forall_dec|sig_not_dec|"
    r"(FunctionalExtensionality\.)?functional_extensionality_dep|(Classical_Prop\.)?classic|"
    r"((Uint63|PrimInt63|PrimFloat|FloatOps|FloatAxioms|FloatClass|SpecFloat|Int63)\.)[A-Za-z0-9_]+"
)
"""Axioms of Coq's own library: its real numbers, classical logic, and, for interval arithmetic, primitive integers and floats."""
HEADER = "Require Import Laws.\nAxiom gap : forall P : Prop, P.\n"
MEMORY = 6_000_000
"""Kilobytes that one coqc may use: a few documents of strangers would take ten gigabytes each."""
QUICK, LARGE = 12, 100
"""Steps of the documents of a quick run, and steps of the documents that share a file."""


def compiled(folder: Path, name: str, seconds: int) -> tuple[int, str]:
    """Exit code and output of coqc, which may use `MEMORY`; the code is −1 when time ran out."""
    command = ["coqc", "-w", "none", "-Q", ".", "", f"{name}.v"]
    bounded = ["sh", "-c", f'ulimit -v {MEMORY}; exec "$@"', "sh", *command]
    try:
        done = subprocess.run(bounded, cwd=folder, capture_output=True, text=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired as late:
        return -1, (late.stdout or b"").decode() if isinstance(late.stdout, bytes) else str(late.stdout or "")
    return done.returncode, done.stdout + done.stderr


def assumptions(output: str) -> set[str]:
    """The axioms that `Print Assumptions` names."""
    return set(re.findall(r"^([A-Za-z_][\w.]*)(?= :|\n  :)", output, re.MULTILINE)) - {"File", "Error", "Axioms"}


def foreign(output: str) -> set[str]:
    """Axioms that are not Coq's own."""
    return {a for a in assumptions(output) if not ALLOWED.fullmatch(a)}


def stored() -> dict[str, str]:
    """The text of each stored document, by name."""
    texts = [path.read_text() for path in sorted(DOCUMENTS.glob("*.jsonl"))]
    return {json.loads(text.splitlines()[0])["name"]: text for text in texts}


def needed(name: str, texts: Mapping[str, str]) -> list[str]:
    """The documents that a document rests on, each after those that it rests on, itself last."""
    found: list[str] = []
    for other in sorted(checker.lemmas([json.loads(line) for line in texts[name].splitlines()])):
        found += [n for n in needed(other, texts) if n not in found]
    return [*found, name]


def groups(names: Iterable[str], texts: Mapping[str, str], large: int = LARGE) -> list[list[str]]:
    """Documents that share a file: one that others rest on has its own, after what it rests on; short ones share, up to so many."""
    below = list(dict.fromkeys(other for name in names for other in needed(name, texts)[:-1]))
    out = [[name] for name in below]
    for name in sorted({*names} - {*below}, key=lambda n: (texts[n].count("\n"), n)):
        if len(out) > len(below) and sum(texts[n].count("\n") for n in (*out[-1], name)) <= large:
            out[-1].append(name)
        else:
            out.append([name])
    return out


def file_of(text: str) -> str:
    """The name of a file with this text, other for each state of the rules."""
    return "D" + hashlib.sha256("".join([text, *((RULES / f"{name}.v").read_text() for name in BASE)]).encode()).hexdigest()[:16]


def cached(folder: Path, text: str, seconds: int, before: Iterable[Future[tuple[int, str]]] = ()) -> tuple[int, str]:
    """What coqc says of a file, when the files before it are done; once for each text and each state of the rules."""
    name = file_of(text)
    found = folder / f"{name}.out"
    if found.exists() and found.with_suffix(".vo").exists():
        first, _, output = found.read_text().partition("\n")
        return int(first), output
    if any(job.result()[0] for job in before):
        return 1, "a file before it is refused"
    (folder / f"{name}.v").write_text(text)
    code, output = compiled(folder, name, seconds)
    if code == 0:
        found.write_text(f"{code}\n{output}")
    return code, output


def source(
    group: Iterable[str], texts: Mapping[str, str], accepted: Mapping[str, checker.Statement], seconds: int, files: Mapping[str, str]
) -> tuple[str, dict[str, list[str]], dict[str, str]]:
    """A file for a group of documents, the rules of the steps of each, and why others are not written.

    Args:
        group: the documents.
        texts, accepted: all documents, and what they prove.
        seconds: for one tactic.
        files: where the documents are that have their own file.
    """
    parts, steps, absent, before = [HEADER], dict[str, list[str]](), dict[str, str](), dict[str, None]()
    for name in group:
        try:
            rests = needed(name, texts)[:-1]
            if {*rests} - {*files}:
                raise export.Unwritten(f"rests on {', '.join(sorted({*rests} - {*files}))}")
            body, writer = export.written_document(texts[name], accepted, seconds)
        except (export.Unwritten, KeyError, RecursionError) as why:
            absent[name] = str(why)
            continue
        steps[name] = writer.rules
        before |= dict.fromkeys(files[n] for n in rests)
        pi = "From Coq Require Import Reals. Require Import Pi.\n" if "bounds_of_pi" in writer.rules else ""
        parts.append(f'{pi}Goal True. idtac "DOCUMENT {name}". Abort.\n{body}')
    parts.append(f'Goal True. idtac "ALL". Abort.\nDefinition all := ({", ".join(f"@{export.module(n)}.claim" for n in steps)}).\n')
    parts.append("Print Assumptions all.\n")
    return "".join([*(f"Require Import {name}.\n" for name in before), *parts]), steps, absent


def documents(folder: Path, names: Iterable[str], texts: Mapping[str, str], given: argparse.Namespace, out: Counter[str]) -> list[str]:
    """Write the documents, compile them, and count; a line for each. The names of those that are accepted."""
    names = list(names)
    wanted = {n: texts[n] for name in names for n in needed(name, texts)}
    accepted = {s.name: s for s in checker.check_all(wanted).values() if isinstance(s, checker.Statement)}
    good, files, jobs = list[str](), dict[str, str](), dict[str, Future[tuple[int, str]]]()
    with ThreadPoolExecutor(given.jobs) as pool:
        running = []
        for group in groups(names, texts, 0 if given.lemmas else LARGE):  # a lemma's file does not depend on the others
            text, steps, absent = source(group, texts, accepted, given.seconds, files)
            for name, why in absent.items():
                print(f"  {name}: not written: {why}", flush=True)
            out["documents"] += len(absent)
            out["not written"] += len(absent)
            if steps:
                before = [jobs[name] for name in re.findall(r"^Require Import (D\w{16})\.", text, re.MULTILINE)]
                job = pool.submit(cached, folder, text, 60 + 6 * given.seconds * len(group), before)
                running.append((steps, job))
                files |= dict.fromkeys(steps, file_of(text))
                jobs[file_of(text)] = job
        for steps, job in running:
            counted(steps, *job.result(), texts, good, out)
    return good


def counted(steps: Mapping[str, list[str]], code: int, output: str, texts: Mapping[str, str], good: list[str], out: Counter[str]) -> None:
    """Count what coqc says of the documents of one file, and add those that it accepts."""
    output, _, axioms = output.partition("\nALL\n")
    strange = {a for a in foreign(axioms) if a.rpartition(".")[2] != "gap"}  # a step that rests on `gap` says so
    pieces = re.split(r"^DOCUMENT (.*)$", output, flags=re.MULTILINE)
    results = dict(zip(pieces[1::2], pieces[2::2], strict=True))
    for k, (name, rules) in enumerate(steps.items()):
        text = results.get(name, "")
        gaps = re.findall(r"^GAP (\w+) (\d+)", text, re.MULTILINE)
        finished = code == 0 or bool(list(steps)[k + 1 : k + 2] and list(steps)[k + 1] in results)
        whole = code == 0 and not gaps and not strange and set(needed(name, texts)) <= {*good, name}
        out["documents"] += 1
        out["accepted"] += whole
        good += [name] * whole
        if finished:
            out["steps"] += len(rules)
            out["steps accepted"] += len(rules) - len(gaps)
            for rule, _ in gaps:
                out[f"gap {rule}"] += 1
        problem = "" if finished else text[-400:].replace("\n", " ") or f"not reached (exit {code}): {output[-300:]}"
        shown = " ".join(f"{rule}@{step}" for rule, step in gaps[:8])
        print(f"  {name}: {'accepted' if whole else f'{len(gaps)} gaps: {shown} {problem}'} ({len(rules)} steps)", flush=True)


def files(folder: Path) -> tuple[int, bool]:
    """Compile the rules and the theorems: the exit code, and whether documents have what they rest on."""
    code = 0
    for name in FILES:
        text, target = (RULES / f"{name}.v").read_text(), folder / f"{name}.v"
        if target.exists() and target.read_text() == text and target.with_suffix(".vo").exists():
            print(f"{name}.v: accepted before", flush=True)
            continue
        target.write_text(text)
        failed, output = compiled(folder, name, 600)
        (folder / f"{name}.out").write_text(output)
        bad = foreign(output) if not failed else set()
        why = f"refused: {output[-500:]}" if failed else f"rests on {', '.join(sorted(bad))}" if bad else "accepted"
        print(f"{name}.v: {why}", flush=True)
        code = code or int(bool(failed or bad))
        if failed and name in BASE:
            return 1, False
    return code, True


def main(words: list[str]) -> int:
    """Build and count; the exit code is 1 when a file of rules is refused or rests on an axiom that is not Coq's."""
    parser = argparse.ArgumentParser(prog="make.py coq", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("names", nargs="*", help="documents to check; all if none is named")
    parser.add_argument("--quick", action="store_true", help="the rules, delta, and the shortest documents only")
    parser.add_argument("--seconds", type=int, default=export.SECONDS, help="for one tactic, on the clock")
    parser.add_argument("--lemmas", action="store_true", help="the lemmas of the lists instead of the stored documents")
    parser.add_argument("--jobs", type=int, default=2, help="files that are compiled at once")
    parser.add_argument("--folder", type=Path, help="keep the written files here")
    parser.add_argument("--record", action="store_true", help="write down which documents are accepted")
    given = parser.parse_args(words)
    if os.environ.get("PYTHONHASHSEED") != "0":  # so that the same files are written each time, and what is compiled is found again
        return subprocess.run([sys.executable, __file__, *words], env={**os.environ, "PYTHONHASHSEED": "0"}, check=False).returncode
    if not shutil.which("coqc"):
        print("skipped: there is no coqc here; on Debian and Ubuntu: apt install coq libcoq-interval libcoq-coquelicot")
        return 0
    sys.setrecursionlimit(20 * DEPTH)  # long documents have deep terms
    folder = given.folder or Path(tempfile.mkdtemp(prefix="coq-"))
    folder.mkdir(parents=True, exist_ok=True)
    code, ready = files(folder)
    if not ready:
        return 1
    known = ACCEPTED_LEMMAS if given.lemmas else ACCEPTED
    kept, out = {*known.read_text().split()}, Counter[str]()
    texts = strangers.documents(folder, given.names or ([] if given.record else kept)) if given.lemmas else stored()
    unknown = [n for n in given.names if n not in texts]
    if unknown:
        print(f"there is no document {', '.join(unknown)}; without names all are checked")
        return 2
    names = given.names or [n for n, text in texts.items() if not given.quick or text.count("\n") <= QUICK + 2]
    names = [n for n in names if not given.quick or not any(word in texts[n] for word in ("line(", "integrable("))]
    good = documents(folder, names, texts, given, out)
    if given.record:
        kept = {*kept, *good} - ({*names} - {*good})
        known.write_text("".join(f"{name}\n" for name in sorted(kept if given.lemmas else kept & {*texts})))
    print(f"documents accepted without a gap: {out['accepted']} of {out['documents']}")
    if not given.lemmas:
        print(f"of all {len(texts)} stored documents, by accepted.txt: {len(known.read_text().split())}")
    print(f"steps accepted: {out['steps accepted']} of {out['steps']}")
    print("gaps: " + (", ".join(f"{k[4:]} {v}" for k, v in out.most_common() if k.startswith("gap ")) or "none"))
    spent = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    total = sum(u.ru_utime + u.ru_stime for u in spent)
    print(f"processor time: {total:.0f} s, which is {total / 120:.1f} min on each of two cores")
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
