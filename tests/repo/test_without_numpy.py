"""The prover needs neither numpy nor scipy: a core install and a browser have none, and verdicts are the same."""

import json
import subprocess
import sys

from dpbounds.claims import run
from dpbounds.claims.collect import collect

CLAIMS = """
from dpbounds.notation import *

x, y, z = positive("x"), positive("y"), positive("z")
t = real("t")
claims = [
    Claim(id="tangent", text="", then=exp(x) >= 1 + x, mutant=exp(x) >= 1 + Rational(101, 100) * x),
    Claim(id="product", text="", given=[x <= 1, y <= 1], then=(1 - x) * (1 - y) >= 1 - x - y),
    Claim(id="combination", text="", given=[x + y >= 3, y + z >= 3, x + z >= 3], then=2 * x + 2 * y + 2 * z >= 9),
    Claim(id="tail", text="", given=[x >= 0], then=NormalCDF(-x) <= exp(-(x**2) / 2) / 2),
    Claim(id="far-point", text="", given=[t >= 0, t <= 100], then=(t - Rational(7777, 100)) ** 2 >= Rational(1, 10**4)),
]
"""
RUN = """
import sys
sys.modules["numpy"] = sys.modules["scipy"] = None
from dpbounds.cli import main
code = main({words})
assert not any(name.partition(".")[0] in ("numpy", "scipy") for name, module in sys.modules.items() if module is not None)
sys.exit(code)
"""


def test_verdicts_are_the_same(root, tmp_path):
    file = tmp_path / "claims.py"
    file.write_text(CLAIMS)
    words = ["check", str(file), "--json", "--workers", "1", "--budget", "10", "--certificates", str(tmp_path / "blocked")]
    done = subprocess.run([sys.executable, "-c", RUN.format(words=words)], cwd=root, capture_output=True, text=True, timeout=300)
    assert done.returncode == 1, done.stderr  # one claim is false
    blocked = {row["id"]: row["verdict"] for row in json.loads(done.stdout)["claims"]}
    rows = run.check([file], run.Options(budget=10, certificates=tmp_path / "own"))
    assert blocked == {row.claim.id: row.outcome.verdict.value for row in rows}
    assert len(blocked) == len(collect([file])) and sorted(set(blocked.values())) == ["CERTIFIED", "REFUTED"], blocked
    assert blocked["far-point"] == "REFUTED"
