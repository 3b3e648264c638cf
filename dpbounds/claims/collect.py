"""Find claims: run the given files and gather every `Claim` at module level.

A claim file is Python and is executed as such: check only files that you would run.
"""

from __future__ import annotations

import contextlib
import hashlib
import re
import sys
import traceback
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from inspect import signature
from pathlib import Path
from types import ModuleType
from typing import Any

from dpbounds.claims import clock
from dpbounds.claims.claim import UNNAMED, Claim
from dpbounds.claims.source import Source
from dpbounds.errors import DPBoundsError, InputError, did_you_mean
from dpbounds.language import outside
from dpbounds.logic.terms import TermError

_LOADED: dict[Path, tuple[Claim, ...]] = {}
_MOST_SECONDS = 120.0
"""Processor seconds for one file. sympy compares an integral with a number by numerical integration, which may never end."""


@dataclass(frozen=True)
class Located:
    """A claim and the file that states it."""

    claim: Claim
    file: Path


def collect(paths: Iterable[str | Path]) -> list[Located]:
    """All claims in files and folders, in order of path and definition.

    Args:
        paths: Python files, or folders that are searched for `*.py` (names starting with "_" or "." are passed over).

    Raises:
        InputError: a path that does not exist, a file that raises or takes minutes to read, no claim at all, two claims of one id.
    """
    found: list[Located] = []
    for file in {file.resolve(): file for file in claim_files(paths)}.values():  # a file that is named twice is read once
        found += [Located(claim, file) for claim in claims_in(file)]
    if not found:
        raise InputError(f"no claims in {', '.join(map(str, paths))}: a claim file defines dpbounds.Claim objects at module level")
    seen: dict[str, Path] = {}
    for located in found:
        claim = located.claim
        for identifier in (part.id for part in claim.with_twin):
            if identifier in seen:
                raise InputError(f"two claims are called {identifier!r}: in {seen[identifier]} and in {located.file}")
            seen[identifier] = located.file
    return found


def claims_in(file: Path) -> tuple[Claim, ...]:
    """The claims of one file, each once, in order of definition."""
    resolved = file.resolve()
    if resolved not in _LOADED:
        module = _execute(resolved, file)
        _LOADED[resolved] = tuple(dict.fromkeys(claims_in_names(module.__dict__)))
        for claim in _LOADED[resolved]:
            claim.name_references()
            if any(isinstance(named, Claim) for named in (claim.corrects, *claim.uses)):
                raise InputError(f"{file}: {claim.id} names a claim that has no name of its own: assign it to a variable")
    return _LOADED[resolved]


def claim_files(paths: Iterable[str | Path]) -> Iterator[Path]:
    """The claim files that files and folders name, in order.

    Raises:
        InputError: a path that does not exist.
    """
    for path in map(Path, paths):
        if path.is_file():
            yield path
        elif path.is_dir():
            inside = sorted(p for p in path.rglob("*.py") if not any(part.startswith(("_", ".")) for part in p.relative_to(path).parts))
            yield from inside
        else:
            raise InputError(f"{path}: no such file or folder")


def claims_in_names(names: Mapping[str, Any]) -> Iterator[Claim]:
    """The claims among the values of names; one without an id is called after its name."""
    for name, value in names.items():
        if isinstance(value, Claim):
            yield _named(value, name)
        elif isinstance(value, (list, tuple)):
            yield from (_named(entry, f"{name}-{k}") for k, entry in enumerate(value, start=1) if isinstance(entry, Claim))
        elif isinstance(value, dict):
            yield from (_named(entry, str(key)) for key, entry in value.items() if isinstance(entry, Claim))


def _named(claim: Claim, name: str) -> Claim:
    """A claim without an id of its own has the name under which it stands, after the id of its source; others hold the same object.

    Two underscores are a dot, as in `lemma_2__corrected`. A claim that has the name with which the id of its source ends has that id.
    """
    prefix, dot, last = claim.id.rpartition(".")
    if last == UNNAMED:
        own = re.sub(r"[^a-z0-9.~]+", "-", name.lower().replace("__", ".")).strip("-.") or UNNAMED
        object.__setattr__(claim, "id", prefix if dot and prefix.endswith(f".{own}") else prefix + dot + own)
    return claim


def module_name(file: Path) -> str:
    """The name under which the module of a claim file is loaded."""
    return f"dpbounds_claims_{hashlib.sha256(str(file.resolve()).encode()).hexdigest()[:12]}"


def _execute(resolved: Path, shown: Path) -> ModuleType:
    name = module_name(resolved)
    module = sys.modules[name] = ModuleType(name)
    module.__file__ = str(resolved)
    try:
        with contextlib.redirect_stdout(sys.stderr):  # stdout is for results
            code = compile(resolved.read_bytes(), str(resolved), "exec")
            clock.within(clock.now() + _MOST_SECONDS, partial(exec, code, module.__dict__))
    except clock.TimeIsUp as error:
        asked = "sympy evaluates a comparison whose sides have no symbols: write Le(a, b, evaluate=False) there"
        raise InputError(f"{shown}{_line(error, resolved)}: reading it takes more than {_MOST_SECONDS:g} s; {asked}") from error
    except (DPBoundsError, TermError) as error:
        message = str(error).removeprefix(f"claim {UNNAMED}: ")
        raise InputError(f"{shown}{_line(error, resolved)}: {message}") from error
    except (Exception, SystemExit) as error:
        message = str(error).strip().split("\n")[0]
        raise InputError(f"{shown}{_line(error, resolved)}: {type(error).__name__}: {message}{_hint(error, module.__dict__)}") from error
    return module


def _hint(error: BaseException, names: Iterable[str]) -> str:
    """What to write instead, for the mistakes that are easily made; `names` are those that the file knew."""
    if isinstance(error, NameError) and error.name:
        imported = "real" in names
        declare = '; declare a variable first, as in `q = real("q")`'
        if imported and (instead := outside.way_round_name(error.name)):
            return instead
        return did_you_mean(error.name, names) or (
            declare if imported else "; `from dpbounds.notation import *` brings the names of claims"
        )
    if "is a term of the notation" in str(error):
        return "; functions of sympy take sympy's symbols: leave the import of sympy out, dpbounds.notation has exp, log, Sum"
    if "FunctionClass" in str(error) or "'function' and 'Term'" in str(error) or "'Term' and 'function'" in str(error):
        return '; a function stands there without its argument: a variable of that name is declared first, as in `gamma = real("gamma")`'
    if "truth value" in str(error):
        return (
            " (chained comparisons such as 0 < q < 1 are two premises: q > 0, q < 1; `and`, `or`, `not`, `max`, `min` are written "
            "And, Or, Not, Max, Min)"
        )
    if "for ^" in str(error):
        return "; a power is written x**2"
    if str(error) == "Cannot convert expression to float":
        return "; functions of Python's math take numbers only: exp, log, sqrt of dpbounds.notation take variables"
    if found := re.fullmatch(r"Source\.\w+\(\) got an unexpected keyword argument '(\w+)'", str(error)):
        return did_you_mean(found.group(1), signature(Source.claim).parameters)
    return ""


def _line(error: BaseException, file: Path) -> str:
    if isinstance(error, SyntaxError):
        return f", line {error.lineno}"
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(file)]
    return f", line {lines[-1]}" if lines else ""
