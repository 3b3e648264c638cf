"""The errors that dpbounds raises: a small tree under `DPBoundsError`.

Each message is one line: the rule, the value that broke it, and what to do.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from importlib.util import find_spec


class DPBoundsError(Exception):
    """Base of every error that dpbounds raises on purpose."""


class InputError(DPBoundsError):
    """A value, option or file that cannot be used as it stands (exit code 2)."""


class ClaimError(InputError):
    """A claim that is malformed: it has no meaning, so it gets no verdict."""


class EmptyDomainError(ClaimError):
    """The premises of a claim hold nowhere, so the claim says nothing."""


class LanguageError(ClaimError):
    """A statement uses something outside the claim language; the message names it."""


class ForeignError(LanguageError):
    """A construct that no decider knows: the statement is bad input, whereas other language errors concern one decider."""


class PrecisionError(DPBoundsError):
    """The requested digits were not reached; the message says what was."""


class Undecidable(PrecisionError):
    """A comparison of enclosures that the precision at hand cannot decide."""


class DerivationError(DPBoundsError):
    """A step of a derivation does not hold, or could not be checked."""


class CertificateError(DPBoundsError):
    """A certificate that is malformed or does not survive replay."""


class MissingExtra(InputError, ImportError):
    """A package that an optional part of dpbounds needs is not installed; the message says which extra adds it."""


def require(extra: str, *packages: str) -> None:
    """Say in one line which extra of dpbounds is missing, where a package that it brings is not installed.

    Args:
        extra: its name in `pyproject.toml`.
        packages: what is about to be imported.

    Raises:
        MissingExtra: one of them cannot be imported.

    >>> require("float64", "math")
    """
    missing = [package for package in packages if find_spec(package) is None]
    if missing:
        raise MissingExtra(f"this needs {' and '.join(missing)}; pip install 'dpbounds[{extra}]' adds it")


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """The end of an error message: the known name that is nearest, or nothing.

    >>> did_you_mean("chek", ["check", "show"]), did_you_mean("zzz", ["check", "show"])
    ('; did you mean check?', '')
    """
    found = get_close_matches(name, list(known), n=1, cutoff=0.6)
    return f"; did you mean {found[0]}?" if found else ""


OTHER_NAMES = {
    "noise-multiplier": "sigma", "noise": "sigma", "sampling-rate": "q", "sample-rate": "q", "sampling-probability": "q",
    "iterations": "steps", "eps": "epsilon", "order": "alpha", "dataset-size": "records", "num-examples": "records",
    "number-of-examples": "records", "batchsize": "batch", "expected-batch-size": "batch", "num-epochs": "epochs",
}  # fmt: skip
"""What other accountants call an option or a key, and its name here."""


def other_name(name: str) -> str:
    """A part of an error message: what a name of other accountants is called here, or nothing.

    >>> other_name("noise_multiplier"), other_name("colour")
    (', which is called sigma here', '')
    """
    meant = OTHER_NAMES.get(name.replace("_", "-"))
    return f", which is called {meant} here" if meant else ""
