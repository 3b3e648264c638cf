"""Lemmas as papers print them: each is read as the statement that it says, or refused for the reason that is listed."""

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from dpbounds.claims.catalogue import catalogue_folder
from dpbounds.claims.collect import claims_in, collect
from dpbounds.cli import main
from dpbounds.errors import InputError
from dpbounds.logic.terms import Family, Term, conjuncts, free_in, premises_of, variable
from dpbounds.logic.text import read
from dpbounds.reading import Lemma, read_lemma, read_lemmas
from dpbounds.reading.lemma import claim_file
from tests.logic.digest import _Writer, digest

ENTRIES: list[dict[str, Any]] = tomllib.loads((Path(__file__).parent / "formulas.toml").read_text())["formula"]


class Letters(dict[str, Any]):
    """Every name is a variable: an integer where the entry says so."""

    def __init__(self, entry: dict[str, Any]) -> None:
        super().__init__({name: variable(name, "Z") for name in entry.get("integers", ())})
        self.update({name: Family(name, "R", ("nonnegative",)) for name in entry.get("families", ())})

    def __contains__(self, name: object) -> bool:
        return name not in ("pi", "E", "oo", "exp", "log")

    def __missing__(self, name: str) -> Term:
        return variable(name)

    def get(self, name: str, default: Any = None) -> Any:
        return self[name] if dict.__contains__(self, name) else default


def written(given: list[Term], then: Term) -> tuple[list[str], list[str]]:
    """Premises and parts of the conclusion in one spelling each; names count, order of factors does not."""
    write = _Writer({x: f"{x.sort} {x.data[0]}" if isinstance(x, Term) else x.name for x in free_in([then, *given])})
    return sorted({write(part) for premise in given for part in conjuncts(premise)}), sorted(map(write, conjuncts(then)))


def expected(entry: dict[str, Any]) -> tuple[list[str], list[str]]:
    names = Letters(entry)
    return written([read(text, names) for text in entry["given"]], read(entry["then"], names))


def found_in(lemma: Lemma) -> tuple[list[str], list[str]]:
    return written(list(lemma.given), lemma.then)


@pytest.mark.parametrize("entry", ENTRIES, ids=[entry["id"] for entry in ENTRIES])
def test_a_printed_lemma(entry: dict[str, Any]) -> None:
    if "refused" in entry:
        with pytest.raises(InputError) as error:
            read_lemma(entry["text"])
        assert entry["refused"].replace(" ", "") in str(error.value).replace(" ", "")
    else:
        assert found_in(read_lemma(entry["text"])) == expected(entry)


READABLE = [entry for entry in ENTRIES if "refused" not in entry]


def test_the_list_is_long_and_half_of_it_is_older_than_the_reader() -> None:
    halves = [entry.get("half") for entry in ENTRIES]
    assert len(ENTRIES) >= 172 and 2 * halves.count(1) >= 120 and halves.count(3) >= 36


@pytest.mark.parametrize("entry", READABLE, ids=[entry["id"] for entry in READABLE])
def test_what_is_printed_again_reads_the_same(entry: dict[str, Any]) -> None:
    lemma = read_lemma(entry["text"])
    assert found_in(read_lemma(lemma.latex)) == found_in(lemma)


def test_claim_files_state_what_was_read(tmp_path: Path) -> None:
    lemmas = [read_lemma(entry["text"]) for entry in READABLE]
    file = tmp_path / "lemmas.py"
    file.write_text(claim_file(lemmas), encoding="utf-8")
    claims = claims_in(file)
    assert len(claims) == len(lemmas)
    for claim, lemma in zip(claims, lemmas, strict=True):
        assert claim.premises is not None and claim.conclusion is not None
        assert digest(claim.premises, claim.conclusion) == digest(lemma.given, lemma.then), lemma.echo


def test_the_catalogue_printed_in_latex_reads_the_same() -> None:
    """Each claim is read as it is, or refused: some lose a range or a specification where they are printed."""
    same = 0
    for entry in collect([catalogue_folder()]):
        claim = entry.claim
        assert claim.premises is not None and claim.conclusion is not None
        given = (*premises_of([claim.conclusion, *claim.premises]), *claim.premises)
        try:
            found = read_lemma(Lemma("", given, claim.conclusion).latex)
        except InputError:
            continue
        assert digest(given, claim.conclusion) == digest(found.given, found.then), claim.id
        same += 1
    assert same >= 230


@pytest.mark.parametrize(
    "text", ["$" + "(" * 4000 + "x" + ")" * 4000 + " > 0$", "$x_{$", "$x^$", r"$\frac{1}$", "Let", "", "$$", r"$\sum_{i=1}$"]
)
def test_hostile_text_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_lemma(text)


def test_the_echo_says_what_letters_are() -> None:
    found = read_lemma(r"For $x > 0$, $e^{-x} \le 1 + \delta$.")
    assert found.echo == (
        "I read: for all real δ and x with x > 0: exp(-x) <= 1 + δ. e is Euler's number; δ is free, any real number. Right?"
    )


def test_the_command_writes_a_claim_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, target = tmp_path / "paper.tex", tmp_path / "claims.py"
    source.write_text(r"\begin{lemma}[One] $e^x \ge 1 + x$. \end{lemma} \begin{lemma}[Two] $x/2y \ge 0$. \end{lemma}")
    assert main(["read", str(source), "-o", str(target)]) == 2
    out = capsys.readouterr()
    assert "below the line" in out.err and "Two: cannot be read" in out.err and "1 claim" in out.out
    (claim,) = claims_in(target)
    assert str(claim.conclusion) == "exp(x) >= 1 + x" and claim.id == "one"
    assert main(["read", str(source), "--json"]) == 2
    rows = json.loads(capsys.readouterr().out)["lemmas"]
    assert [("refused" in row, row["title"]) for row in rows] == [(False, "One"), (True, "Two")]


def test_markdown_with_headings() -> None:
    first, second = read_lemmas("**Lemma 1.** For $x > 0$, $x + 1/x \\ge 2$.\n\n**Lemma 2.** $x^2 \\ge 0$ for all real $x$.\n")
    assert (first.title, str(second.then)) == ("Lemma 1", "x**2 >= 0")
