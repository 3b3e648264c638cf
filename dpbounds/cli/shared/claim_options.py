"""What `check` and `report` share: which claims, by how many processes, within which budget, and how progress is shown."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dpbounds.errors import InputError

if TYPE_CHECKING:
    from dpbounds.claims.run import Options


def claim_options(certificates: str, replay: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Add PATH, --workers, --budget, --certificates and --replay to a command; the last two with a help text of its own."""
    options = [
        click.argument("paths", nargs=-1, metavar="[PATH]..."),
        click.option("--workers", type=click.IntRange(min=1), default=None, metavar="N", help="Processes (default: one for each core)."),
        click.option(
            "--budget",
            type=float,
            default=60.0,
            show_default=True,
            metavar="S",
            help="Seconds of processor time for each claim without evidence, and for its mutant.",
        ),
        click.option("--certificates", type=click.Path(file_okay=False, path_type=Path), default=None, metavar="DIR", help=certificates),
        click.option("--replay", is_flag=True, help=replay),
    ]

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        for option in reversed(options):
            function = option(function)
        return function

    return decorate


def chosen_paths(paths: tuple[str, ...]) -> list[str]:
    """The paths that were given; without any, the catalogue: `proofs/` here, or the one that dpbounds carries."""
    from dpbounds.claims.catalogue import catalogue_folder

    return list(paths) or [str(Path("proofs") if Path("proofs").is_dir() else catalogue_folder())]


def run_options(workers: int | None, budget: float, certificates: Path | None, replay: bool, only: tuple[str, ...] = ()) -> Options:
    """How a run is made.

    Raises:
        InputError: a budget that is no positive number of seconds.
    """
    if not budget > 0 or budget == float("inf"):
        raise InputError(f"--budget must be a number of seconds > 0, got {budget:g}")
    from dpbounds.claims import run, stored

    return run.Options(
        workers=usable_workers(workers),
        budget=budget,
        only=only,
        certificates=certificates or run.DEFAULT_CERTIFICATES,
        replay=replay,
        elsewhere=stored.certificate_of,
    )


def usable_workers(wanted: int | None) -> int:
    """How many processes there will be; one line says where that is fewer than was asked for."""
    from dpbounds.claims.workers import usable

    many = usable(wanted or os.cpu_count() or 1)
    if wanted is not None and many < wanted:
        click.echo("dpbounds: no work is shared between processes here; one worker does all of it", err=True)
    return many
