"""What is shipped: pinned versions, and a wheel that carries the catalogue."""

import re
import subprocess
import sys
import tomllib
import zipfile

import pytest


def normalized(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


@pytest.fixture(scope="module")
def project(root):
    return tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))


def test_every_requirement_is_pinned(root, project):
    lines = [line for line in (root / "constraints.txt").read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    assert all(re.fullmatch(r"[\w.-]+==[\w.]+", line) for line in lines)
    pinned = {normalized(line.partition("==")[0]) for line in lines}
    assert len(pinned) == len(lines)
    extras = project["project"]["optional-dependencies"].values()
    wanted = [*project["project"]["dependencies"], *project["build-system"]["requires"], *(row for extra in extras for row in extra)]
    names = {normalized(re.match(r"[\w.-]+", row).group()) for row in wanted}
    assert names - pinned == {"dpbounds"}


def test_the_wheel_carries_the_catalogue(root, tmp_path):
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(build, cwd=root, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("dpbounds-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        archive.extractall(tmp_path / "site")
    proofs = {f"dpbounds/_proofs/{path.relative_to(root / 'proofs').as_posix()}" for path in (root / "proofs").rglob("*.py")}
    assert proofs | {"dpbounds/__init__.py", "dpbounds/py.typed", "dpbounds/cli/__init__.py"} <= names
    assert not [name for name in names if name.startswith(("tests/", "notebooks/", "proofs/"))]
    run = subprocess.run(
        [sys.executable, "-c", "import dpbounds, sys; from dpbounds.cli import main; print(dpbounds.__file__); main(['--version'])"],
        cwd=tmp_path / "site",
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout.startswith(str(tmp_path / "site"))
