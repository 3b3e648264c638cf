"""`dpbounds replay`: check certificates and proof documents again without the code that found them."""

from __future__ import annotations

from pathlib import Path

import click

from dpbounds.cli.shared.claim_options import chosen_paths, usable_workers
from dpbounds.errors import InputError


@click.command(name="replay")
@click.argument("certificates", nargs=-1, required=True, metavar="CERTIFICATE...")
@click.option(
    "--path",
    "paths",
    multiple=True,
    metavar="PATH",
    help="Claim files or folders that state the claims (default: proofs/, or the catalogue).",
)
@click.option("--workers", type=click.IntRange(min=1), default=None, metavar="N", help="Processes (default: one for each core).")
def command(certificates: tuple[str, ...], paths: tuple[str, ...], workers: int | None) -> int:
    """Check certificates again, without the search: points and boxes with separate interval arithmetic, proofs step by step.

    CERTIFICATE: files or folders. Proof documents (.jsonl) go to the proof checker. Certificates of numbers, from delta, epsilon and rdp,
    are checked by `dpbounds.recheck`, which shares no code with the engine.
    """
    files = _files(certificates)
    numbers = [file for file in files if _is_number(file)]
    failed = sum(not _replay_number(file) for file in numbers)
    claims = [file for file in files if file not in numbers]
    if claims:
        from dpbounds.claims.evidence.replay_files import replay_files

        for _, line, survived in replay_files(claims, chosen_paths(paths), usable_workers(workers)):
            failed += not survived
            click.echo(line)
    return 1 if failed else 0


def _is_number(file: Path) -> bool:
    """Whether a file holds the certificate of a number."""
    from dpbounds.recheck.check import SCHEMA

    return file.suffix == ".json" and f'"{SCHEMA}"' in file.read_text(encoding="utf-8", errors="replace")[:200]


def _replay_number(file: Path) -> bool:
    """Print what the certificate of a number shows; whether it shows it."""
    from dpbounds.recheck.check import check
    from dpbounds.recheck.numbers import Refused
    from dpbounds.recheck.sentence import sentence

    try:
        click.echo(f"{file}: {sentence(check(file.read_text(encoding='utf-8')))}")
    except (Refused, UnicodeDecodeError) as reason:
        click.echo(f"{file}: FAILED: {reason}")
        return False
    return True


def _files(arguments: tuple[str, ...]) -> list[Path]:
    from dpbounds.claims.evidence import certificate, documents

    suffixes = (*certificate.SUFFIXES, documents.SUFFIX)
    files: list[Path] = []
    for path in map(Path, arguments):
        if path.is_dir():
            files += sorted(p for p in path.iterdir() if p.name.endswith(suffixes) and not p.name.startswith("_"))
        elif path.is_file() and not path.name.endswith(suffixes):
            instead = f"; dpbounds check {path} settles its claims" if path.suffix == ".py" else ""
            raise InputError(f"{path} is no certificate, whose name ends in {', '.join(suffixes)}{instead}")
        elif path.is_file():
            files.append(path)
        else:
            raise InputError(f"{path}: no such file or folder")
    if not files:
        raise InputError(f"no certificates in {', '.join(arguments)}")
    return files
