"""The catalogue of derivations: each builds, reads the same when built again, and its closed form agrees in three arithmetics."""

import json
import subprocess
import sys
from fractions import Fraction

import numpy as np
import pytest
from sympy import Symbol

from dpbounds.claims.evidence import documents
from dpbounds.errors import DerivationError, InputError
from dpbounds.language.symbols import positive
from dpbounds.prover import derive, rules
from dpbounds.prover.derivation import ProofSteps
from dpbounds.theory import get, recipes

NAMES = [entry.name for entry in recipes()]
QUICK = ["power-mean", "sharp-delta", "subsampled-moment", "legendre-scaling", "gaussian-legendre", "conjecture-1-fails", "yu-13"]
DOCUMENTED = {path.stem for path in documents.folder().glob(f"*{documents.SUFFIX}")}
"""What these derive is in documents, which the tests of the kernel check; building them again is for the slow suite."""

POINTS = {
    "gaussian-renyi": [(2, 1, 1), ("7/2", "1.5", -2)],
    "laplace-renyi": [(2, 1, 1), ("7/2", 3, "1/2")],
    "randomized-response-renyi": [(2, 1), ("1.1", "0.1"), (5, 0)],
    "logistic-renyi": [(2, 1), ("5/2", "3/2")],
    "generalized-normal-renyi": [(2, 2, 1, 1), ("5/2", 3, 1, "3/2")],
    "gaussian-legendre": [(1, 2), ("0.01", 1)],
    "sampled-gaussian-moment": [(2, 1, "0.1"), (8, "1.5", "0.01"), (3, 2, 1), (5, 1, 0)],
    "sampled-gaussian-renyi": [(2, 1, "0.1"), (8, "1.5", "0.01")],
    "constrained-order": [("0.1", 20, "1e-5"), ("0.1", 3, "1e-5"), ("1/4", 3, "1/3")],
}
LONG_POINTS = {"generalized-normal-renyi", "logistic-renyi", "sampled-gaussian-moment", "sampled-gaussian-renyi"}
"""Derivations with a closed form and a document that take long to build."""


def test_the_lists_name_derivations():
    assert {*QUICK, *POINTS} <= set(NAMES) and set(POINTS) >= LONG_POINTS


@pytest.mark.parametrize("name", [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in NAMES])
def test_reads_the_same_when_built_again(name):
    assert get(name).rebuild().to_json() == get(name).to_json()


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow) if name in DOCUMENTED - {*POINTS} | LONG_POINTS else name for name in NAMES]
)
def test_builds_says_what_its_document_proves_and_can_be_read(name):
    built = get(name)
    documents.require_document(built)
    assert (built.closed_form is not None) == (name in POINTS)
    json.dumps(built.to_json())
    assert built.result is built.steps[-1].fact
    assert built.assumed == ()
    for text in (built.latex(), built._repr_latex_(), built._repr_markdown_(), str(built)):
        assert built.steps[0].name in text.replace(r"\_", "_")


def test_names_are_unique_and_documented():
    assert len(set(NAMES)) == len(NAMES)
    assert all(entry.builder.__doc__ and entry.title for entry in recipes())


def test_numbers_known_otherwise():
    """Against values computed independently: Gil, Alajaji & Linder's integral for logistic noise by mpmath, and closed cases."""
    import mpmath

    with mpmath.workdps(30):
        alpha, shift = mpmath.mpf(5) / 2, mpmath.mpf(3) / 2

        def density(y):
            return mpmath.exp(-y) / (1 + mpmath.exp(-y)) ** 2

        moment = mpmath.quad(lambda y: density(y - shift) ** alpha * density(y) ** (1 - alpha), [-60, -10, 0, 5, 60])
        expected = mpmath.log(moment) / (alpha - 1)
        got = get("logistic-renyi").mpmath(25)("5/2", "3/2")
        assert abs(got - expected) < mpmath.mpf(10) ** -15
        first, second, shape = mpmath.mpf(1), mpmath.mpf(3) / 2, mpmath.mpf(3)

        def general(y, s):
            return shape / (2 * s * mpmath.gamma(1 / shape)) * mpmath.exp(-((y / s) ** shape))

        moment = 2 * mpmath.quad(lambda y: general(y, first) ** alpha * general(y, second) ** (1 - alpha), [0, 1, 2, 4, 12])
        expected = mpmath.log(moment) / (alpha - 1)
        got = get("generalized-normal-renyi").mpmath(25)("5/2", 3, 1, "3/2")
        assert abs(got - expected) < mpmath.mpf(10) ** -15


@pytest.mark.parametrize("name, point", [(name, point) for name, points in POINTS.items() for point in points])
def test_three_evaluations_agree(name, point):
    built = get(name)
    enclosure, precise = built.ball(200)(*point), built.mpmath(40)(*point)
    sign, mantissa, exponent, _ = precise._mpf_
    value = Fraction((-1) ** sign * int(mantissa)) * Fraction(2) ** exponent
    slack = Fraction(1, 10**38) * max(1, abs(value))
    assert enclosure.lower - slack <= value <= enclosure.upper + slack
    assert enclosure.upper - enclosure.lower <= slack
    machine = Fraction(float(built.numpy()(*(v if isinstance(v, int) else float(Fraction(v)) for v in point))))
    assert abs(machine - value) <= Fraction(1, 10**12) * max(1, abs(value))


def test_numpy_is_vectorised():
    values = get("gaussian-renyi").numpy()(np.array([2.0, 3.0]), 1.0, 1.0)
    assert values.tolist() == [1.0, 1.5]


def test_bad_arguments():
    gaussian = get("gaussian-renyi").ball()
    for arguments in [(2, 1), (2, -1, 1), (1, 1, 1), ("1/2", 1, 1), (float("nan"), 1, 1)]:
        with pytest.raises(InputError):
            gaussian(*arguments)
    with pytest.raises(InputError):
        get("power-mean").numpy()
    with pytest.raises(InputError):
        get("no-such-derivation")


@pytest.mark.slow
def test_an_order_that_must_be_an_integer():
    """It takes seconds to build this one."""
    with pytest.raises(InputError):
        get("sampled-gaussian-moment").ball()("5/2", 1, "0.1")


def test_a_derivation_must_end_in_a_fact_and_its_closed_form_in_the_conclusion():
    x = Symbol("x", real=True)
    with pytest.raises(DerivationError):
        derive("nothing", "no fact", lambda proof: x > 0)

    def builder(proof: ProofSteps):
        proof.formula(x**3, x)
        return proof("sign", rules.nonnegative(x**2))

    with pytest.raises(DerivationError):
        derive("other", "another formula", builder)


def test_rebuilding_notices_a_change():
    x, y = positive("x y")
    turn = iter([x, y])
    built = derive("fickle", "changes", lambda proof: proof("sign", rules.positive(next(turn))))
    with pytest.raises(DerivationError):
        built.rebuild()


def run(*words):
    return subprocess.run([sys.executable, "-m", "dpbounds", "derive", *words], capture_output=True, text=True)


def test_command_line():
    listed = run()
    assert listed.returncode == 0 and all(name in listed.stdout for name in NAMES)
    shown = run("power-mean")
    assert shown.returncode == 0 and "lambda > 1" in shown.stdout
    assert r"\begin{enumerate}" in run("power-mean", "--latex").stdout
    document = json.loads(run("power-mean", "--json").stdout)
    assert document["schema"] == "dpbounds/1" and document["derivation"] == "power-mean"
    for words in (["nothing"], ["--latex"], ["power-mean", "--latex", "--json"]):
        bad = run(*words)
        assert bad.returncode == 2 and len(bad.stderr.strip().splitlines()) == 1 and "Traceback" not in bad.stderr


def test_titles_with_stars_stay_as_they_are_in_markdown():
    starred = derive("starred", "δ(ε) ≤ e^{−κ*(ε)}", lambda proof: proof("sign", rules.nonnegative(Symbol("x", real=True) ** 2)))
    assert r"e^{−κ\*(ε)}**" in starred._repr_markdown_()
