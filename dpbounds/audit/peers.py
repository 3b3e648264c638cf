"""The page of audited packages, written from the stored documents of audits; every reproduction is run again before it is shown.

    python -m dpbounds.audit.peers AUDITS-FOLDER PAGE [NEW-DOCUMENT.json ...] [PACKAGE=INTERPRETER ...]

New documents, from `dpbounds audit --json` of one package or of `--all`, take the place of the stored ones of the same version. A finding
of an earlier run stays where the new one found nothing of its accountant and quantity: another draw of questions does not make a version
sound.
The reproductions of a package are run in the interpreter that is named for it, without dpbounds, and what they print is stored beside what
the audit saw; rows of sound answers are counted and left out. A finding whose reproduction does not print the same value is left out of
the page.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from dpbounds.audit.again import is_reproduced, printed_by
from dpbounds.audit.severity import severity_in, unused_delta
from dpbounds.reference import carried

_LIMIT = 300.0
_KEPT = 20
"""Rows of each quantity and outcome that a stored document keeps."""


def load(folder: Path) -> dict[Path, dict[str, Any]]:
    """The stored documents, by file."""
    return {path: json.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.json"))}


def stored() -> list[dict[str, Any]]:
    """The documents of audits that dpbounds carries, in the order of their packages.

    >>> any(accountant["name"] == "opacus.gdp" for document in stored() for accountant in document["accountants"])
    True
    """
    return list(load(carried.folder("audits")).values())


def again(document: Mapping[str, Any], interpreters: Mapping[str, str]) -> None:
    """Run the reproductions of a document in the interpreters of their packages and store what they print."""
    for accountant in document["accountants"]:
        interpreter = interpreters.get(accountant["package"])
        for finding in accountant["findings"] if interpreter else ():
            finding["printed"] = printed_by(finding["reproduction"], interpreter, _LIMIT)


def added(documents: dict[Path, dict[str, Any]], folder: Path, new: Mapping[str, Any]) -> None:
    """Put a new document among the stored ones, a file for each package, with the findings of earlier runs that it did not repeat."""
    packages: dict[Path, list[Mapping[str, Any]]] = {}
    for accountant in new["accountants"]:
        path = folder / f"{accountant['package'].replace('-', '_').lower()}-{accountant['version']}.json"
        packages.setdefault(path, []).append(accountant)
    for path, found in packages.items():
        earlier = {one["name"]: one for one in documents.get(path, {"accountants": []})["accountants"]}
        accountants = [_with_earlier(accountant, earlier.pop(accountant["name"], None)) for accountant in found]
        documents[path] = {**new, "accountants": accountants + list(earlier.values())}


def _with_earlier(accountant: Mapping[str, Any], earlier: Mapping[str, Any] | None) -> dict[str, Any]:
    found = {finding["quantity"] for finding in accountant["findings"]}
    kept = [finding | {"earlier": True} for finding in (earlier or {"findings": []})["findings"] if finding["quantity"] not in found]
    return {**accountant, "findings": accountant["findings"] + kept}


def pruned(document: dict[str, Any]) -> dict[str, Any]:
    """The document without the rows of sound answers, which are counted, and with a few of the others of each quantity and outcome."""
    accountants = []
    for accountant in document["accountants"]:
        kept: list[dict[str, Any]] = []
        for row in accountant["rows"]:
            alike = sum((row["quantity"], row["outcome"]) == (other["quantity"], other["outcome"]) for other in kept)
            if row["outcome"] not in ("SOUND", "LOOSE", "LISTED") and alike < _KEPT:
                kept.append(row)
        accountants.append(accountant | {"rows": kept})
    return document | {"accountants": accountants}


def page_of(documents: Sequence[Mapping[str, Any]]) -> str:
    """The page: one row for each quantity of each accountant, then every finding that was reproduced."""
    accountants = [accountant | {"date": document["date"]} for document in documents for accountant in document["accountants"]]
    lines = [
        "# Audited packages",
        "",
        "`dpbounds audit` asked these released versions for privacy parameters and compared each answer with a certified value.",
        "[The page for authors](audit.md#read-the-outcomes) says what the outcomes mean. `dpbounds.audit.peers` writes this page",
        "from the documents in [audits](../audits).",
        "",
        "* UNSOUND: one call of one version returned a value on the wrong side of a certified value. We ran every call with",
        "  lines below again, in an environment without dpbounds. It returned the same value. The text names the worst answer",
        "  of its kind beside a small one; only the audit asked for the worst answer.",
        "* UNSOUND begins at a relative error of 10⁻⁹, whatever the cause. A smaller error is ROUNDING. Words say how large an",
        "  error is: lost digits (below 10⁻⁶), slightly wrong (below 1 %), clearly wrong (below a factor of 2), wrong by a factor",
        "  (below 1000), wrong by orders of magnitude. So cancellation does not look like a wrong formula.",
        "* SOUND: every judged answer was on the promised side. LOOSE: the answer was more than 1.25 times the truth.",
        "* NO ANSWER: an exception, a limit of time or memory, or NaN. It says nothing against the soundness of a package.",
        "* No finding is no proof of soundness. The numbers are those of one run with one seed and a small budget. Findings of",
        "  earlier runs of a version stay.",
        "",
        "The packages do not fit into one environment, and none of them needs dpbounds. We ran opacus with torch 2.13.0.",
        "tensorflow-privacy needs numpy below 2 and an older dp-accounting, diffprivlib scikit-learn below 1.7, tmlt-core sympy",
        "below 1.13. opake does not import in Python 3.11.7, so we ran it in 3.13. `0.6.0+1e2abd4` of dp-accounting is the head",
        "of its repository on 6 August 2026. Each quantity of a version has its own row.",
        "",
        "A run has at most 100 processor seconds for each accountant, and that of random_allocation.combined 400; we made its",
        "counterexample small by hand. Each section says when it was run and how many seconds it took.",
        "",
        "We did not audit four things. The Monte Carlo accounts of opake hold with a confidence only. Its random allocation takes",
        "5 seconds for two batches of an epoch, 20 for ten and more than a minute for a hundred; four answers that we asked by hand",
        "were sound. No question asks about truncated batches and permute-and-flip. DiPApprox decides programs and has no accountant.",
        "",
        *_praise(accountants),
        "| accountant | version | quantity | promise | outcomes |",
        "|---|---|---|---|---|",
    ]
    for accountant in accountants:
        lines += _rows(accountant)
    for accountant in accountants:
        shown = [finding for finding in accountant["findings"] if is_reproduced(finding)]
        if shown:
            lines += ["", f"## {accountant['name']} {accountant['version']}", ""]
            made = {"Audited on": "date", "Python": "python", "numpy": "numpy", "seed": "seed", "grid": "grid"}
            where = ", ".join(f"{word} {accountant[key]}" for word, key in made.items() if accountant[key])
            took = sum(accountant.get("seconds", {}).values())
            lines += [f"Relation: {accountant['relation']}. {where}" + (f", {took:.0f} processor seconds." if took else ".")]
            lines += [f"Reported upstream: {'; '.join(accountant['threads']) or 'not reported'}."]
            for finding in shown:
                lines += _finding(finding, accountant["source"].get(finding["quantity"], ""))
    silent = [(accountant, one) for accountant in accountants for one in accountant.get("silences", ()) if one["detail"].startswith("time")]
    if silent:
        lines += ["", "## No answer in time", "", "Calls that ended at the limit of one question, the simplest of each quantity."]
    for accountant, one in silent:
        who, reason = f"{accountant['name']} {accountant['version']}", one["detail"].removeprefix("time: ")
        lines += ["", f"**{who}**, {one['quantity']} at {one['argument']}: {reason}."]
        lines += ["", "```py", one["reproduction"], "```"]
    return "\n".join(lines) + "\n"


def _praise(accountants: Sequence[Mapping[str, Any]]) -> list[str]:
    """The accountants of which every judged answer was sound, with the number of answers."""
    sound = []
    for accountant in accountants:
        counts = [entry for entry in accountant["counts"].values() if accountant["selftest"] == "passed"]
        judged = sum(entry.get(word, 0) for entry in counts for word in ("SOUND", "LOOSE", "ROUNDING"))
        if judged and not any(entry.get("UNSOUND") for entry in counts) and not accountant["findings"]:
            sound.append(f"{accountant['name']} {accountant['version']} ({judged})")
    return [f"Sound in every judged answer, with their number: {', '.join(sound)}.", ""] if sound else []


def _rows(accountant: Mapping[str, Any]) -> list[str]:
    head = f"| {accountant['name']} | {accountant['version']} |"
    if accountant["selftest"] != "passed":
        return [f"{head} | | no verdict: a selftest failed |"]
    return [
        f"{head} {quantity} | {accountant['guarantee'][quantity]} | {', '.join(f'{n} {outcome}' for outcome, n in counts.items())} |"
        for quantity, counts in accountant["counts"].items()
    ]


def _finding(finding: Mapping[str, Any], sentence: str) -> list[str]:
    sizes = severity_in(finding["side"]), unused_delta(finding["quantity"], finding["answer"], finding["certified"])
    run = "".join(f", {words}" for words in ("found in an earlier run" if finding.get("earlier") else "", *sizes) if words)
    question = f"{finding['quantity']} of `{json.dumps(finding['spec'])}` at {finding['argument']}"
    return [
        "",
        f"**{question}**{run}: returned {finding['answer']}; certified {finding['certified']} ({finding['side']}).",
        *_worst(finding),
        *(f"Hint: {hint}." for hint in finding.get("hints", ())),
        "",
        f"Promised: {sentence}",
        "",
        "```py",
        finding["reproduction"],
        "```",
    ]


def _worst(finding: Mapping[str, Any]) -> list[str]:
    """The worst answer of the kind, where it is another one."""
    worst = finding.get("worst")
    if not worst or (worst["spec"], worst["argument"]) == (finding["spec"], finding["argument"]):
        return []
    return [f"The worst of its kind: `{json.dumps(worst['spec'])}` at {worst['argument']}, returned {worst['answer']} ({worst['side']})."]


def main(words: Sequence[str]) -> int:
    """Write the page, after running reproductions where asked."""
    if len(words) < 2:
        print(__doc__, file=sys.stderr)
        return 2
    folder, page = Path(words[0]), Path(words[1])
    interpreters = dict(word.split("=", 1) for word in words[2:] if "=" in word)
    documents = load(folder)
    for word in words[2:]:
        if "=" not in word:
            added(documents, folder, json.loads(Path(word).read_text(encoding="utf-8")))
    for path, document in documents.items():
        again(document, interpreters)
        documents[path] = pruned(document)
        path.write_text(json.dumps(documents[path], ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    page.write_text(page_of([documents[path] for path in sorted(documents)]), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
