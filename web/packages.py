"""What the page's Python is made of: Pyodide from npm, wheels from the package index, each of one version, kept between builds."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

PYODIDE = "314.0.7"
INTEGRITY = "0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyMcWkwq+HbE5uyuGD82LN7y2q+SNvi/6V5JEsOlD2R1A=="
"""SHA-512 of the package, as npm publishes it."""
PYTHON, PLATFORM = "3.14", "pyemscripten_2026_0_wasm32"
COMPILED = ("python-flint",)
PURE = ("click", "mpmath", "rich", "sympy")
CORE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "pyodide-lock.json", "python_stdlib.zip")
_LEFT_OUT = re.compile(
    r"/(tests?|benchmarks)/|\.(pyx|pxd|pyi|h)$|\.dist-info/(RECORD|WHEEL|INSTALLER)$"
    r"|sympy/(parsing/(autolev|fortran|latex|c/)|utilities/mathml/data/)"
    r"|sympy/(stats|categories|crypto|liealgebras|diffgeom|physics|vector|holonomic)/"
    r"|rich/_unicode_data/unicode(?!17)"
)
_REPLACED = {"mpmath/function_docs.py": b"def __getattr__(name):\n    return ''\n"}
"""Docstrings that nobody reads on the page."""
_STAMP = (1980, 1, 1, 0, 0, 0)


class Missing(Exception):
    """Something that the build needs is not to be had."""


def pyodide(kept: Path, target: Path) -> str:
    """Put Pyodide's core into a folder; returns its version.

    Args:
        kept: where downloads stay between builds.
        target: where the core goes.
    """
    archive = kept / f"pyodide-{PYODIDE}.tgz"
    if not archive.exists():
        npm = shutil.which("npm")
        if npm is None:
            raise Missing("npm is not on PATH; it fetches Pyodide (Debian, Ubuntu: apt install npm)")
        _run([npm, "pack", f"pyodide@{PYODIDE}", "--silent", "--pack-destination", str(kept)], f"npm has no pyodide {PYODIDE}")
    if base64.b64encode(hashlib.sha512(archive.read_bytes()).digest()).decode() != INTEGRITY:
        raise Missing(f"{archive} is not the published pyodide {PYODIDE}; delete it and build again")
    target.mkdir(parents=True)
    with tarfile.open(archive) as packed:
        for name in CORE:
            member = packed.extractfile(f"package/{name}")
            if member is None:
                raise Missing(f"pyodide {PYODIDE} has no {name}")
            content = member.read()
            if name.endswith(".wasm"):  # the largest file by far; the worker unpacks it
                name, content = f"{name}.gz", gzip.compress(content, 9, mtime=0)
            if name == "pyodide-lock.json":  # the page loads none of the packages that it lists
                content = json.dumps({**json.loads(content), "packages": {}}).encode()
            (target / name).write_bytes(content)
    return PYODIDE


def pins(constraints: Path) -> dict[str, str]:
    """The version of each package that the page needs, from constraints.txt."""
    found = dict(re.findall(r"(?m)^([\w.-]+)==([\w.]+)", constraints.read_text(encoding="utf-8")))
    if lacking := [name for name in (*COMPILED, *PURE) if name not in found]:
        raise Missing(f"{constraints.name} has no version of {', '.join(lacking)}")
    return {name: found[name] for name in (*COMPILED, *PURE)}


def wheels(kept: Path, wanted: dict[str, str]) -> dict[str, Path]:
    """The wheel of each package, fetched with pip unless it is kept.

    Args:
        kept: where downloads stay between builds.
        wanted: versions by name.
    """
    for names, more in ((COMPILED, ["--implementation", "cp", "--abi", "cp314", "--platform", PLATFORM]), (PURE, [])):
        lacking = [f"{name}=={wanted[name]}" for name in names if _wheel(kept, name, wanted[name]) is None]
        if lacking:
            pip = [
                sys.executable,
                "-m",
                "pip",
                "download",
                "--quiet",
                "--no-deps",
                "--only-binary=:all:",
                "--python-version",
                PYTHON,
                *more,
            ]
            _run([*pip, "--dest", str(kept), *lacking], f"there is no wheel for the browser of {', '.join(lacking)}")
    found = {name: _wheel(kept, name, version) for name, version in wanted.items()}
    if lost := [name for name, wheel in found.items() if wheel is None]:
        raise Missing(f"the wheels of {', '.join(lost)} did not arrive")
    return {name: wheel for name, wheel in found.items() if wheel is not None}


def bundle(found: dict[str, Path], kept: Path, archive: Path) -> None:
    """All wheels as one archive, without their tests.

    Args:
        found: the wheels.
        kept: where the archive of a former build is found.
        archive: what is written.
    """
    key = hashlib.sha256(
        b"".join(wheel.read_bytes() for wheel in found.values()) + _LEFT_OUT.pattern.encode() + repr(_REPLACED).encode()
    ).hexdigest()[:16]
    former = kept / f"packages-{key}.zip"
    if not former.exists():
        partial = former.with_suffix(".part")
        with zipfile.ZipFile(partial, "w") as made:
            for wheel in found.values():
                with zipfile.ZipFile(wheel) as packed:
                    for name in sorted(packed.namelist()):
                        if not name.endswith("/") and not _LEFT_OUT.search(name):
                            put(made, name, _REPLACED.get(name) or packed.read(name))
        partial.replace(former)
    shutil.copy(former, archive)


def library(root: Path, archive: Path, folders: dict[str, str], extra: Path, without: str = "") -> None:
    """Folders of the clone as one archive, with a module beside them.

    Args:
        root: the clone.
        archive: what is written.
        folders: where each folder goes.
        extra: the module.
        without: a folder that is left out.
    """
    with zipfile.ZipFile(archive, "w") as made:
        put(made, extra.name, extra.read_bytes())
        for source, target in folders.items():
            at = root / source
            for path in [at] if at.is_file() else sorted(at.rglob("*")):
                if path.is_file() and "__pycache__" not in path.parts and not (without and path.is_relative_to(root / without)):
                    put(made, f"{target}/{path.relative_to(at).as_posix()}" if path != at else target, path.read_bytes())


def put(archive: zipfile.ZipFile, name: str, content: bytes) -> None:
    """Add a file, with the same bytes whenever it is built."""
    archive.writestr(zipfile.ZipInfo(name, _STAMP), content, zipfile.ZIP_DEFLATED, 9)


def _wheel(kept: Path, name: str, version: str) -> Path | None:
    tag = PLATFORM if name in COMPILED else "any"
    return next(iter(sorted(kept.glob(f"{name.replace('-', '_')}-{version}-*{tag}.whl"))), None)


def _run(command: list[str], otherwise: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Missing(f"{otherwise}: {' '.join((done.stderr or done.stdout).split())[-300:]}")
