"""Build the site: python3 make.py site [--out FOLDER] [--quick]

One static folder: the interactive pages with Python for the browser, the catalogue, the documentation. Serve it with any web server, for
example `python3 -m http.server --directory site`. `--quick` leaves the catalogue and the documentation out.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
import sys
import time
from pathlib import Path

WEB = Path(__file__).resolve().parent
ROOT = WEB.parent
sys.path[:0] = [str(WEB), str(ROOT)]

import packages  # noqa: E402

MOST = 35_000_000
"""Bytes of the whole folder."""
LIBRARY = {"dpbounds": "dpbounds", "proofs": "dpbounds/_proofs", "statements": "dpbounds/_statements"}
CHECKERS = {f"dpbounds/{name}": f"dpbounds/{name}" for name in ("kernel", "covers", "recheck")}


def build(out: Path, quick: bool = False) -> dict[str, str]:
    """Write the site.

    Args:
        out: the folder, which is made anew.
        quick: without the catalogue and the documentation.

    Returns:
        The version of each thing that the site carries.

    Raises:
        packages.Missing: something cannot be fetched, or the folder is too large.
    """
    kept = ROOT / ".dpbounds/site"
    kept.mkdir(parents=True, exist_ok=True)
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    from dpbounds import __version__

    wanted = packages.pins(ROOT / "constraints.txt")
    versions = {"dpbounds": __version__, "pyodide": packages.pyodide(kept, out / "pyodide"), **wanted}
    packages.bundle(packages.wheels(kept, wanted), kept, out / "packages.zip")
    packages.library(ROOT, out / "dpbounds.zip", LIBRARY, WEB / "python/host.py", without="proofs/certificates")
    packages.library(ROOT, out / "checkers.zip", CHECKERS, WEB / "python/bare.py")
    for path in sorted((WEB / "page").iterdir()):
        shutil.copy(path, out / path.name)
    (out / "versions.json").write_text(json.dumps(versions, indent=1) + "\n", encoding="utf-8")
    _write_service_worker(out)
    if not quick:
        import catalogue
        import documents
        import pages

        (out / "code.css").write_text(pages.code_css(), encoding="utf-8")
        catalogue.Catalogue(ROOT, out, catalogue.rows_of(ROOT)).write()
        documents.Documents(ROOT, out).write()
    if (size := size_of(out)) > MOST:
        raise packages.Missing(f"the site has {size / 1e6:.1f} MB, and at most {MOST / 1e6:.0f} MB are allowed")
    return versions


def size_of(folder: Path) -> int:
    """Bytes of all files of a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def _write_service_worker(out: Path) -> None:
    """Name the files that the interactive pages need, and a version that changes with any of them."""
    files = sorted(path.relative_to(out).as_posix() for path in out.rglob("*") if path.is_file() and path.name != "service.js")
    digest = hashlib.sha256()
    for name in files:
        digest.update(name.encode() + b"\0" + hashlib.sha256((out / name).read_bytes()).digest())
    service = out / "service.js"
    text = service.read_text(encoding="utf-8").replace('"@FILES@"', json.dumps(files)).replace("@VERSION@", digest.hexdigest()[:16])
    service.write_text(text, encoding="utf-8")


def main() -> int:
    """Build and say what was used."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=ROOT / "site", help="where the site goes (default: site)")
    parser.add_argument("--quick", action="store_true", help="leave the catalogue and the documentation out")
    options = parser.parse_args()
    begun = time.monotonic()
    try:
        versions = build(options.out, options.quick)
    except packages.Missing as problem:
        print(f"site: {problem}", file=sys.stderr)
        return 1
    for name, version in versions.items():
        print(f"{name:14} {version}")
    files = sum(path.is_file() for path in options.out.rglob("*"))
    print(f"{options.out}: {files} files, {size_of(options.out) / 1e6:.1f} MB, built in {time.monotonic() - begun:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
