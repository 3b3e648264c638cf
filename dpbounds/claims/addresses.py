"""Where the site has the page of a claim, for links from reports and notebooks; and the command that asks the same without it.

The site is a folder that anyone may serve, so its address is an option (`report --site`) or the variable DPBOUNDS_SITE_URL of the
environment. Without either there are no links.
"""

from __future__ import annotations

import os
from pathlib import Path
from shlex import quote
from urllib.parse import quote as percent

from dpbounds.claims.catalogue import catalogue_folder
from dpbounds.errors import InputError

VARIABLE = "DPBOUNDS_SITE_URL"
LONGEST = 20_000
"""Characters of the longest claim file that goes into an address."""


def site_of(given: str | None = None) -> str:
    """The address of the site with a slash at its end; "" where none is known.

    Args:
        given: the address; without it, what the environment says.

    Raises:
        InputError: something else than an address of the web.

    >>> site_of("https://example.org/dp")
    'https://example.org/dp/'
    """
    base = os.environ.get(VARIABLE, "") if given is None else given
    if base and not base.startswith(("https://", "http://")):
        raise InputError(f"the address of the site must begin with https:// or http://, got {base!r}")
    return base if not base or base.endswith("/") else f"{base}/"


def address_of(identifier: str, file: Path, site: str) -> str:
    """The page of a claim: that of the catalogue, or the editor with its claim file; "" where there is neither.

    Args:
        identifier: of the claim.
        file: where it is stated.
        site: from `site_of`.
    """
    if not site or not file.is_file():
        return ""
    if file.resolve().is_relative_to(catalogue_folder().resolve()):
        return f"{site}catalogue/{percent(identifier)}.html"
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return ""
    return address_of_text(text, site)


def address_of_text(text: str, site: str) -> str:
    """The editor with a claim file; "" where there is no site, or where the file is too long for an address.

    Args:
        text: of the claim file.
        site: from `site_of`.

    >>> address_of_text("x = real('x')", "https://example.org/")
    'https://example.org/#lemma?text=x%20%3D%20real%28%27x%27%29'
    """
    return f"{site}#lemma?text={percent(text, safe='')}" if site and 0 < len(text) <= LONGEST else ""


def command_of(identifier: str, file: Path) -> str:
    """The command that settles a claim."""
    return f"dpbounds check {quote(file.as_posix())} --only {quote(identifier)}"
