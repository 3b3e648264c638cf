"""A source of the bibliography as one line of text."""

from __future__ import annotations

import re
import unicodedata

from dpbounds.claims.bibliography import BIBLIOGRAPHY

_ACCENTS = {'"': "\u0308", "'": "\u0301", "`": "\u0300", "^": "\u0302", "~": "\u0303"}


def citation_of(key: str) -> str:
    """Authors (year), title, place.

    Args:
        key: of `BIBLIOGRAPHY`.

    >>> citation_of("koskela2020")
    'Koskela, Jälkö, Honkela (2020): Computing Tight Differential Privacy Guarantees Using FFT. AISTATS.'
    """
    fields = dict(re.findall(r"^\s*(\w+) = \{(.*)\},?$", BIBLIOGRAPHY[key], re.M))
    authors = [name.split(",")[0] for name in fields.get("author", "").split(" and ") if name]
    place = next((fields[name] for name in ("booktitle", "journal", "howpublished") if name in fields), "")
    who = f"{', '.join(authors)} ({fields.get('year', '')})" if authors else fields.get("year", "")
    return _plain(f"{who}: {fields.get('title', key)}." + (f" {place}." if place else ""))


def _plain(text: str) -> str:
    """LaTeX accents as letters, without braces."""
    accented = re.sub(r"\{?\\([\"'`^~])\{?(\w)\}?\}?", lambda found: found[2] + _ACCENTS[found[1]], text)
    return unicodedata.normalize("NFC", accented.replace("{", "").replace("}", ""))
