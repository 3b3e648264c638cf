#!/usr/bin/env python3
"""Set up the environment `.venv` and run a job in it; needs nothing but Python >= 3.11.

    python3 make.py check          check the catalogue, stored certificates first: dpbounds check proofs/ --replay
    python3 make.py test           lint, types, layers, tests; --all: also slow ones; only some: --browser, --mutants, --fuzz, --catalogue
    python3 make.py site           build the site into site/: interactive pages, catalogue, documentation; needs npm and the network
    python3 make.py certificates   settle the catalogue from nothing and store its certificates; write its proof documents
    python3 make.py coq            prove the rules of the checker in Coq, and its documents step by step; --quick for three minutes
    python3 make.py notebooks      open the notebooks in JupyterLab
    python3 make.py setup          only set up; then .venv/bin/dpbounds --help

Further words are passed on to the program that does the job. The environment is made once, with the versions of constraints.txt, and
again only when pyproject.toml, constraints.txt or the Python changed. Nothing else outside .venv is touched by setting up.
"""

# This file is read by whatever `python3` is, so it keeps to syntax and library that old versions have.
import hashlib
import os
import shutil
import signal
import subprocess
import sys

ROOT = os.path.dirname(os.path.abspath(__file__))
VENV = os.path.join(ROOT, ".venv")
BIN = os.path.join(VENV, "Scripts" if os.name == "nt" else "bin")
PYTHON = os.path.join(BIN, "python.exe" if os.name == "nt" else "python")
OLDEST = (3, 11)
JOBS = {
    "check": "core",
    "test": "dev",
    "site": "dev",
    "certificates": "core",
    "coq": "core",
    "notebooks": "notebooks",
    "setup": "dev",
}  # and the extra of pyproject.toml that each needs; core: none
EXTRAS = ["core", "notebooks", "dev"]  # each holds the one before
GROUPS = {
    "--browser": ["-m", "browser", "tests/site"],
    "--mutants": ["-m", "slow", "tests/test_mutants.py", "tests/recheck/test_mutants.py"],
    "--fuzz": ["-m", "slow", "tests/properties", "tests/claims/test_fuzz.py", "tests/claims/test_bound_variable_family.py"],
    "--catalogue": ["-m", "slow", "tests/claims/test_catalogue.py"],
}  # slow tests by purpose


def say(message):
    print("make.py: " + message, file=sys.stderr)
    sys.stderr.flush()


def environment():
    """The variables of the caller without those that would redirect Python or pip away from .venv, or make every process compile anew."""
    redirecting = ("PYTHONHOME", "PYTHONPATH", "__PYVENV_LAUNCHER__", "PIP_USER", "PIP_TARGET", "PIP_PREFIX", "PYTHONDONTWRITEBYTECODE")
    kept = {name: value for name, value in os.environ.items() if name not in redirecting}
    kept.update(PYTHONNOUSERSITE="1", PIP_DISABLE_PIP_VERSION_CHECK="1", VIRTUAL_ENV=VENV)
    kept["PATH"] = BIN + os.pathsep + kept.get("PATH", os.defpath)
    return kept


def run(*command):
    """Run a command in the clone and return its exit code; it ends with this script."""
    process = subprocess.Popen(command, cwd=ROOT, env=environment())
    signal.signal(signal.SIGTERM, lambda *_: process.terminate())
    while True:
        try:
            return process.wait()
        except KeyboardInterrupt:  # the child got it too and decides what to do
            continue


def answers(*command):
    """Whether a command runs and exits with 0."""
    try:
        return subprocess.call(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) == 0
    except OSError:
        return False


def pythons():
    """The interpreters at hand that are new enough, the running one first."""
    newest_first = [f"python3.{minor}" for minor in range(20, OLDEST[1] - 1, -1)]
    found = [sys.executable] + [shutil.which(name) for name in newest_first + ["python3", "python"]]
    test = f"import sys, venv; sys.exit(sys.version_info < {OLDEST})"
    return [python for python in dict.fromkeys(filter(None, found)) if answers(python, "-c", test)]


def make_venv():
    """Create .venv with pip in it, by whichever way this machine offers."""
    candidates = pythons()
    if not candidates:
        return f"dpbounds needs Python >= 3.11 with its venv module; this is {sys.version.split()[0]} and no other is on PATH"
    for python in candidates:
        ways = []
        if answers(python, "-c", "import ensurepip; ensurepip.version()"):
            ways.append([[python, "-m", "venv", "--clear", VENV]])
        if answers(python, "-m", "pip", "--python", python, "--version"):
            # Debian without python3-venv, but with a pip that can install into another environment
            bare = [python, "-m", "venv", "--clear", "--without-pip", VENV]
            ways.append([bare, [python, "-m", "pip", "--python", PYTHON, "install", "--quiet", "pip"]])
        if shutil.which("uv"):
            ways.append([["uv", "venv", "--quiet", "--clear", "--seed", "--python", python, VENV]])
        if answers(python, "-m", "virtualenv", "--version"):
            ways.append([[python, "-m", "virtualenv", "--quiet", "--clear", VENV]])
        for way in ways:
            say("creating .venv with " + python)
            if all(answers(*command) for command in way) and answers(PYTHON, "-m", "pip", "--version"):
                return None
    return "no Python here can make an environment with pip; on Debian and Ubuntu: apt install python3-venv"


def stamp(extra):
    """Where .venv records what was installed into it."""
    return os.path.join(VENV, "installed-" + extra)


def fingerprint():
    """Changes when the installed environment must, and when the clone was moved: scripts in .venv hold its path."""
    digest = hashlib.sha256()
    for name in ("pyproject.toml", "constraints.txt"):
        with open(os.path.join(ROOT, name), "rb") as file:
            digest.update(file.read())
    return ROOT + "\n" + digest.hexdigest() + "\n"


def recorded(extra):
    """What the stamp of an extra says, or nothing when .venv does not work."""
    if not os.path.exists(stamp(extra)) or not answers(PYTHON, "-m", "pip", "--version"):
        return ""
    with open(stamp(extra), encoding="utf-8") as file:
        return file.read()


def install(extra):
    """Make .venv hold dpbounds and the extra; return an error message or None."""
    wanted = fingerprint()
    found = [recorded(larger) for larger in EXTRAS[EXTRAS.index(extra) :]]
    if wanted in found:
        return None
    if not any(record.startswith(ROOT + "\n") for record in found + [recorded(EXTRAS[0])]):
        problem = make_venv()
        if problem:
            return problem
    target = "." if extra == "core" else f".[{extra}]"
    say(f"installing {target} into .venv; a minute or two the first time")
    pip = [PYTHON, "-m", "pip", "install", "--quiet", "--constraint", "constraints.txt"]
    if run(*pip, "hatchling", "editables") or run(*pip, "--no-build-isolation", "--editable", target):
        return "the installation failed; the lines above say why"
    with open(stamp(extra), "w", encoding="utf-8") as file:
        file.write(wanted)
    return None


def tool(name):
    return os.path.join(BIN, name + (".exe" if os.name == "nt" else ""))


def commands(job, words):
    """The commands of a job, in order; the last one gets the further words."""
    if job == "check":
        return [[tool("dpbounds"), "check", "proofs/", "--replay"] + words]
    if job == "certificates":
        return [[PYTHON, "-m", "dpbounds.claims." + part] + words for part in ("evidence.write_documents", "stored")]
    if job == "coq":
        return [[PYTHON, os.path.join("benchmarks", "coq", "check.py")] + words]
    if job == "notebooks":
        return [[PYTHON, "-m", "jupyterlab", "notebooks"] + words]
    if job == "site":
        return [[PYTHON, os.path.join("web", "build.py")] + words]
    if job == "test" and any(group in words for group in GROUPS):
        chosen = [word for group in GROUPS if group in words for word in GROUPS[group]]
        return [[PYTHON, "-m", "pytest"] + chosen + [word for word in words if word not in GROUPS]]
    if job == "test":
        checks = [[tool("ruff"), "check"], [tool("ruff"), "format", "--check"], [tool("mypy")], [tool("lint-imports")]]
        tests = [PYTHON, "-m", "pytest", "-p", "nbval", "--nbval-lax", "-n", "2", "--dist", "loadfile", "--no-loadscope-reorder"]
        chosen = ["-m", ""] if "--all" in words else []  # without the marks that pyproject.toml leaves out
        return checks + [tests + chosen + [word for word in words if word != "--all"]]
    return []


def main(words):
    job = words[0] if words else "--help"
    if job not in JOBS:
        asked = job in ("-h", "--help")
        print(__doc__.strip(), file=sys.stdout if asked else sys.stderr)
        return 0 if asked else 2
    problem = install(JOBS[job])
    if problem:
        say(problem)
        return 2
    code = 0
    for command in commands(job, words[1:]):
        if job == "test":
            say(" ".join([os.path.basename(command[0])] + command[1:]))
        code = run(*command) or code
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
