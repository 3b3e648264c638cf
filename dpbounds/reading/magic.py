"""`%%lemma`: a cell of a notebook that holds a lemma, in LaTeX or in the claim language, and is settled when it runs."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from dpbounds import notation
from dpbounds.claims import Claim
from dpbounds.claims.addresses import address_of_text, site_of
from dpbounds.claims.collect import claims_in_names
from dpbounds.claims.evidence import certificate
from dpbounds.claims.settled import Settled, settled
from dpbounds.claims.statement.typeset import markdown_of
from dpbounds.errors import InputError
from dpbounds.logic.terms import Named, Term, premises_of
from dpbounds.reading.lemma import Lemma, read_lemmas

_MARKS = ("$", r"\[", r"\(", r"\begin{")
_LAST = "_last_line"
FOLDER = Path(".dpbounds/certificates")


@dataclass(frozen=True)
class SettledCell:
    """What a cell is answered: the echo of what was read, the statement, its verdict, and its certificate.

    Attributes:
        lemmas: what was read; none in a cell of the claim language.
        verdicts: of the claims.
        files: their certificates.
    """

    lemmas: tuple[Lemma, ...]
    verdicts: Settled
    files: tuple[Path, ...]

    def __repr__(self) -> str:
        rows = [f"{row.claim.id}: {row.outcome.verdict.value}, {row.outcome.detail}" for row in self.verdicts.rows]
        return "\n".join([*(lemma.echo for lemma in self.lemmas), *rows])

    def _repr_markdown_(self) -> str:
        shown = [lemma.echo.replace("*", r"\*").replace("_", r"\_") for lemma in self.lemmas]
        shown += [markdown_of(row.claim) for row in self.verdicts.rows]
        shown.append(self.verdicts._repr_markdown_())
        if links := ", ".join(f"[{file.name}]({file.as_posix()})" for file in self.files):
            shown.append(f"certificates: {links}")
        if address := address_of_text(self.claim_file(), site_of()):
            shown.append(f"[the same question in a web page]({address})")
        return "\n\n".join(shown)

    def claim_file(self) -> str:
        """The claims as a file of their own; "" where a statement has no text in the notation."""
        claims = [row.claim for row in self.verdicts.rows]
        read = [(claim, claim.premises, claim.conclusion) for claim in claims]
        parts = [
            Lemma(claim.text, (*premises_of([then, *given]), *given), then).claim_text(claim.id.replace("-", "_"))
            for claim, given, then in read
            if given is not None and then is not None
        ]
        return "\n".join(["from dpbounds.notation import *\n", *parts]) if len(parts) == len(claims) else ""


def _answer_of(cell: str, names: Mapping[str, Any], name: str = "", budget: float = 20.0) -> SettledCell:
    """Settle what a cell states.

    Args:
        cell: lemmas in LaTeX, or lines of a claim file; the last line may be a relation alone.
        names: variables of the notebook, which the claim language may use.
        name: of the claim, where there is one.
        budget: seconds for each claim.

    Raises:
        InputError: it has no reading, or two; or it states no claim.
    """
    lemmas = tuple(read_lemmas(cell)) if any(mark in cell for mark in _MARKS) else ()
    claims = [_of_lemma(lemma, name, k) for k, lemma in enumerate(lemmas, 1)] if lemmas else list(_of_cell(cell, names, name))
    if not claims:
        raise InputError("the cell states no claim: end it with a relation, such as log(1 + x) <= x, or with claim([x > 0], ...)")
    verdicts = settled(*claims, budget=budget)
    found = [row.outcome.certificate for row in verdicts.rows if row.outcome.certificate is not None]
    return SettledCell(lemmas, verdicts, tuple(certificate.write(document, FOLDER) for document in found))


def _of_lemma(lemma: Lemma, name: str, place: int) -> Claim:
    own = name or lemma.name.replace("_", "-")
    return Claim(id=own if place == 1 else f"{own}-{place}", text=lemma.title, given=list(lemma.given), then=lemma.then)


def _of_cell(cell: str, names: Mapping[str, Any], name: str) -> Iterator[Claim]:
    """The claims that a cell names, and the one that its last line is."""
    known = {key: getattr(notation, key) for key in notation.__all__}
    known |= {key: value for key, value in names.items() if isinstance(value, (Term, Named))}
    tree = ast.parse(cell)
    if tree.body and isinstance(last := tree.body[-1], ast.Expr):
        tree.body[-1] = ast.copy_location(ast.Assign([ast.Name(_LAST, ast.Store())], last.value), last)
        ast.fix_missing_locations(tree)
    before = dict(known)
    exec(compile(tree, "<lemma>", "exec"), known)  # noqa: S102, a cell is run as any other cell of the notebook
    value = known.pop(_LAST, None)
    yield from claims_in_names({key: made for key, made in known.items() if before.get(key) is not made and key != "__builtins__"})
    if isinstance(value, Term) and value.sort == "F":
        yield Claim(id=name or "lemma", then=value)
    elif isinstance(value, Claim):
        yield replace(value, id=name or "lemma") if value.id.endswith("unnamed") else value


def load_ipython_extension(shell: Any) -> None:
    """What `%load_ext dpbounds` calls: it adds `%%lemma`."""

    def lemma(line: str, cell: str) -> SettledCell | None:
        """%%lemma [NAME] [SECONDS]: settle the lemma of this cell."""
        words = line.split()
        seconds = [float(word) for word in words if word.replace(".", "", 1).isdigit()]
        own = [word for word in words if not word.replace(".", "", 1).isdigit()]
        try:
            return _answer_of(cell, shell.user_ns, own[0] if own else "", seconds[0] if seconds else 20.0)
        except InputError as error:
            print(f"dpbounds: {error}")
            return None

    shell.register_magic_function(lemma, "cell", "lemma")
