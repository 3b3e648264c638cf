"""The rules of the checker in Coq: the table is complete, and what is printed of axioms is read."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from dpbounds.kernel import checker
from dpbounds.kernel.sequents import RULES

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "benchmarks" / "coq"))

import check as coq  # noqa: E402
import table  # noqa: E402

TEXTS = {path.stem: path.read_text() for path in sorted((ROOT / "proofs" / "coq").glob("*.v"))}


def test_each_rule_has_lemmas_or_a_reason() -> None:
    """No rule is in two tables, none in no table."""
    assert checker.FORMAT
    names = [*table.LEMMAS, *table.PROGRAMS, *table.UNPROVED]
    assert sorted(names) == sorted(RULES)
    assert all(table.UNPROVED.values())
    integrals = [n for n, why in table.UNPROVED.items() if "integral" in why]
    assert len(table.LEMMAS) + len(table.PROGRAMS) >= 0.9 * (len(RULES) - len(integrals))


def test_each_lemma_is_stated_and_its_axioms_are_printed() -> None:
    """Every name in the table is a lemma that is proved, and `Rules.v` prints what it rests on."""
    stated = set(re.findall(r"^Lemma (\w+)", "\n".join(TEXTS.values()), re.MULTILINE))
    printed = set(re.findall(r"@(\w+)", TEXTS["Rules"]))
    wanted = {n for names in (*table.LEMMAS.values(), *table.PROGRAMS.values(), *table.DERIVED.values()) for n in names}
    assert wanted <= stated
    assert wanted == printed
    assert "Print Assumptions everything." in TEXTS["Rules"]


def test_the_rules_have_no_axiom_and_no_gap() -> None:
    """No file of ours assumes anything."""
    for text in TEXTS.values():
        assert not re.search(r"\b(Axiom|Parameter|Admitted|admit|Hypothesis|Conjecture|give_up)\b", text)


def test_the_names_that_tactics_and_translations_use_are_stated() -> None:
    """A lemma that a tactic or a translated step names is in a file; Coq would say so only when it compiles them."""
    stated = set(re.findall(r"^(?:Lemma|Theorem|Definition|Fixpoint) (\w+)", "\n".join(TEXTS.values()), re.MULTILINE))
    used = set(re.findall(r"\b(?:r|law|sign|linear)_\w+[a-z]\b", "\n".join(TEXTS.values())))
    assert {n for n in used if n.startswith(("r_", "law_"))} <= stated
    for name in ("export", "replay"):
        text = (ROOT / "benchmarks" / "coq" / f"{name}.py").read_text()
        assert set(re.findall(r"\br_[a-z_]+[a-z](?=[ ;\"])", text)) <= stated


def test_axioms_are_read() -> None:
    """An axiom that is not Coq's own is seen, over one line or two; those of Coq's own are allowed."""
    own = "Axioms:\nClassicalDedekindReals.sig_forall_dec\n  : forall P : nat -> Prop, True\nclassic : forall P : Prop, P \\/ ~ P\n"
    assert coq.assumptions(own) == {"ClassicalDedekindReals.sig_forall_dec", "classic"}
    assert not coq.foreign(own + "PrimInt63.add : PrimInt63.int -> PrimInt63.int -> PrimInt63.int\n")
    assert coq.foreign(own + "gap : forall P : Prop, P\n") == {"gap"}
    assert coq.foreign("Axioms:\nOur.own_axiom\n  : forall x, x = x\n") == {"Our.own_axiom"}


def test_the_pages_name_the_share_that_is_recorded() -> None:
    """The documents that Coq accepts are stored ones, and the pages say how many they are."""
    accepted, stored = coq.ACCEPTED.read_text().split(), coq.stored()
    assert accepted == sorted(set(accepted)) and set(accepted) <= set(stored)
    share = f"{len(accepted)} of the {len(stored)} stored documents"
    assert share in (ROOT / "docs" / "coq.md").read_text() and share in (ROOT / "docs" / "trust.md").read_text()
    found = coq.ACCEPTED_LEMMAS.read_text().split()
    assert found == sorted(set(found))
    assert f"Coq also accepts {len(found)} documents" in (ROOT / "docs" / "coq.md").read_text()
    assert f"So are {len(found)} documents that the compiler wrote" in (ROOT / "docs" / "trust.md").read_text()
    lemmas = f"{len(table.LEMMAS) + len(table.PROGRAMS)}"
    assert f"Of the {len(RULES)} rules, {lemmas} have lemmas" in (ROOT / "docs" / "coq.md").read_text()
    assert f"{lemmas} of its {len(RULES)} rules have lemmas" in (ROOT / "docs" / "trust.md").read_text()


def command(*words: str) -> subprocess.CompletedProcess[str]:
    """What the command does."""
    return subprocess.run(
        [sys.executable, str(ROOT / "benchmarks" / "coq" / "check.py"), *words], capture_output=True, text=True, check=False
    )


@pytest.mark.slow
def test_coq_accepts_lemmas_of_other_people() -> None:
    """Two of the shortest, from the search over the compiler to Coq, which are in the list."""
    names = ("cauchy", "log-plus-one")
    assert {*names} <= {*coq.ACCEPTED_LEMMAS.read_text().split()}
    done = command("--lemmas", *names)
    assert done.returncode == 0, done.stdout[-2000:]
    assert "skipped" in done.stdout or "documents accepted without a gap: 2 of 2" in done.stdout


@pytest.mark.slow
def test_coq_accepts_the_rules() -> None:
    """The quick subset: all rules, delta, and the shortest documents. Where there is no coqc the command says how to install it."""
    done = command("--quick")
    assert done.returncode == 0, done.stdout[-2000:]
    assert "skipped" in done.stdout or all(f"{name}.v: accepted" in done.stdout for name in ("Rules", "Delta", "Gaussian", "Sampled"))
