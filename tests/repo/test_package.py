"""What is shipped: pinned versions, and a wheel that carries the catalogue."""

import json
import os
import re
import subprocess
import sys
import tomllib
import zipfile

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name


@pytest.fixture(scope="module")
def project(root):
    return tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("python", ["3.11", "3.12", "3.13", "3.14", "3.15"])
def test_every_requirement_has_one_pin(root, project, python):
    lines = [line for line in (root / "constraints.txt").read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    pins = [pin for pin in map(Requirement, lines) if pin.marker is None or pin.marker.evaluate({"python_version": python})]
    assert all([specifier.operator for specifier in pin.specifier] == ["=="] and pin.url is None for pin in pins)
    pinned = [canonicalize_name(pin.name) for pin in pins]
    assert len(set(pinned)) == len(pinned)
    extras = [row for extra in project["project"]["optional-dependencies"].values() for row in extra]
    wanted = [*project["project"]["dependencies"], *project["build-system"]["requires"], *extras]
    assert {canonicalize_name(Requirement(row).name) for row in wanted} - set(pinned) == {"dpbounds"}


def test_the_wheel_carries_the_catalogue(root, tmp_path):
    """A claim is settled and shown from an unpacked wheel, in a folder that is no clone."""
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    address = {"DPBOUNDS_REPOSITORY": "https://example.org/owner/name", "DPBOUNDS_REF": "v9"}
    subprocess.run(build, cwd=root, check=True, capture_output=True, env={**os.environ, **address})
    (wheel,) = tmp_path.glob("dpbounds-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        archive.extractall(tmp_path / "site")
    (folder,) = (tmp_path / "site").glob("dpbounds-*.dist-info")
    metadata = (folder / "METADATA").read_text(encoding="utf-8")
    assert "Project-URL: Source, https://example.org/owner/name" in metadata
    assert "](https://example.org/owner/name/raw/v9/docs/site.png)" in metadata and "](https://example.org/owner/name/blob/v9/" in metadata
    assert not re.search(r"\]\((?!https?:|#)", metadata)
    assert "[pytest11]\ndpbounds = dpbounds.pytest_plugin" in (folder / "entry_points.txt").read_text(encoding="utf-8")
    proofs = {f"dpbounds/_proofs/{path.relative_to(root / 'proofs').as_posix()}" for path in (root / "proofs").rglob("*.py")}
    assert proofs | {"dpbounds/__init__.py", "dpbounds/py.typed", "dpbounds/cli/__init__.py"} <= names
    assert {"dpbounds/report/page.css", "dpbounds/report/page.js"} <= names
    for folder, ending in (("statements", "toml"), ("audits", "json")):
        carried = {f"dpbounds/_{folder}/{path.name}" for path in (root / folder).glob(f"*.{ending}")}
        assert carried and carried <= names
    assert not [name for name in names if name.startswith(("tests/", "notebooks/", "proofs/"))]

    def run(*words):
        code = f"import sys; sys.path.insert(0, {str(tmp_path / 'site')!r}); from dpbounds import cli; print(cli.__file__); cli.main()"
        (tmp_path / "elsewhere").mkdir(exist_ok=True)
        command = [sys.executable, "-P", "-c", code, *words]
        return subprocess.run(command, cwd=tmp_path / "elsewhere", capture_output=True, text=True, check=True).stdout

    where, _, document = run("check", "--only", "trustworthy2022.gaussian-rdp", "--workers", "1", "--json").partition("\n")
    assert where.startswith(str(tmp_path / "site"))
    (claim,) = json.loads(document)["claims"]
    assert (claim["id"], claim["verdict"], claim["as_expected"]) == ("trustworthy2022.gaussian-rdp", "REFUTED", True)
    assert "trustworthy2022.gaussian-rdp" in run("show", "trustworthy2022.gaussian-rdp")
    assert "HOLDS  apple-lookup-hints" in run("verify", "--only", "apple-lookup-hints")
    code = "from dpbounds.audit.peers import stored; print(len(stored()))"
    listed = subprocess.run(
        [sys.executable, "-P", "-c", f"import sys; sys.path.insert(0, {str(tmp_path / 'site')!r}); {code}"],
        cwd=tmp_path / "elsewhere", capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert int(listed.stdout) >= 9
