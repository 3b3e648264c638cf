"""Statements about users, points of trade-off curves, matrix mechanisms, last iterates and shuffled answers, by other formulas."""

import math
from fractions import Fraction
from statistics import NormalDist

import mpmath
import pytest

from dpbounds import accounting
from dpbounds.cli import main
from dpbounds.errors import InputError
from dpbounds.mechanisms import Gaussian
from dpbounds.verify.judge import judgement_of
from dpbounds.verify.reading import read_statement, read_statements

NONE = {"sampling": "none", "relation": "add-or-remove"}
POISSON = {"sampling": "poisson", "relation": "add-or-remove"}
MATRIX = {"source": "toeplitz:1,1/2,3/8", "steps": 3, "sigma": "2", "participations": 1}
DESCENT = {"contraction": "1", "gradient-change": "1", "sigma": "4", "steps": 100, "diameter": "1", "step-size": "0.1"}


def verdict(**entry):
    return judgement_of(read_statement({key.replace("_", "-"): value for key, value in entry.items()})).verdict.value


def gaussian_delta(mu, epsilon):
    phi = NormalDist().cdf
    return phi(mu / 2 - epsilon / mu) - math.exp(epsilon) * phi(-mu / 2 - epsilon / mu)


def around(value):
    """A claim a little above a value, which holds, and one a little below, which does not."""
    return [(str(Fraction(value * (1 + side * 1e-6))), "HOLDS" if side > 0 else "REFUTED") for side in (1, -1)]


def group_delta(sigma, q, group, epsilon):
    """δ of one step in which Bin(g, q) records of a user are drawn, by quadrature of the mixture of normal densities."""
    mass = [math.comb(group, j) * q**j * (1 - q) ** (group - j) for j in range(group + 1)]
    normal, h = NormalDist(0, sigma), 1e-3
    points = [-20 + h * i for i in range(int(45 / h))]
    p = [sum(m * normal.pdf(x - j) for j, m in enumerate(mass)) for x in points]
    q0 = [normal.pdf(x) for x in points]
    return h * max(sum(max(a - math.exp(epsilon) * b, 0) for a, b in pairs) for pairs in (zip(p, q0, strict=True), zip(q0, p, strict=True)))


@pytest.mark.parametrize(("delta", "expected"), around(gaussian_delta(3 / 4, 2.0)))
def test_records_of_a_user_without_sampling(delta, expected):
    assert verdict(sigma="4", group=3, **NONE, claim={"epsilon": "2", "delta": delta}) == expected


@pytest.mark.parametrize(("delta", "expected"), around(group_delta(2, 0.1, 3, 0.5)))
def test_records_of_a_user_that_are_sampled(delta, expected):
    claim = {"epsilon": "0.5", "delta": delta}
    assert verdict(sigma="2", q="0.1", steps=1, group=3, **POISSON, claim=claim) == expected


def test_premises_about_one_record_of_a_user():
    assert verdict(rho="0.1", group=2, claim={"rho": "0.4"}) == "HOLDS" and verdict(rho="0.1", group=2, claim={"rho": "0.39"}) == "REFUTED"
    assert verdict(mu="0.5", group=2, claim={"mu": "1"}) == "HOLDS" and verdict(mu="0.5", group=2, claim={"mu": "0.99"}) == "REFUTED"
    assert verdict(pure_epsilon="0.5", group=3, claim={"epsilon": "1.5"}) == "HOLDS"
    assert verdict(pure_epsilon="0.5", group=3, claim={"epsilon": "1.49"}) == "REFUTED"
    assert verdict(laplace_scale="2", group=3, **NONE, claim={"epsilon": "1.5"}) == "HOLDS"
    assert verdict(laplace_scale="2", group=3, **NONE, claim={"epsilon": "1.49"}) == "REFUTED"


@pytest.mark.parametrize(
    "entry",
    [
        {"sigma": "1", "q": "0.1", "epochs": 1, "sampling": "shuffled", "relation": "zero-out"},
        {"sigma": "1", "q": "0.1", "steps": 1, "sampling": "poisson", "relation": "substitute"},
        {"laplace-scale": "1", "q": "0.1", "steps": 1, "sampling": "poisson", "relation": "add-or-remove"},
        {"randomized-response": "1", "sampling": "none", "relation": "add-or-remove"},
    ],
)
def test_users_without_a_certified_bound(entry):
    found = judgement_of(read_statement(entry | {"group": 2, "claim": {"epsilon": "9", "delta": "1e-5"}}))
    assert found.verdict.value == "NOT EXPRESSIBLE"


@pytest.mark.parametrize(("power", "expected"), around(NormalDist().cdf(NormalDist().inv_cdf(0.05) + 0.5)))
def test_a_point_of_a_trade_off_curve(power, expected):
    claim = {"power": power, "false-positives": "0.05"}
    assert verdict(sigma="2", **NONE, claim=claim) == expected
    assert verdict(matrix={"source": "toeplitz:1", "steps": 4, "sigma": "2", "participations": 1}, claim=claim) == expected


def test_a_power_at_a_small_rate_keeps_its_digits():
    """Φ(Φ⁻¹(1e-6) + 1) by mpmath; as 1 minus six digits of what is missed it was known to 1e-4 only."""
    entry = {"mu": "1", "claim": {"power": "8.721761e-5", "false-positives": "1e-6"}}
    (reading,) = judgement_of(read_statement(entry)).readings
    assert 8.7217e-5 <= float(reading.lower) <= 8.721761014e-5 <= float(reading.upper) <= 8.7218e-5


@pytest.mark.parametrize(("delta", "expected"), around(gaussian_delta(math.sqrt(1 + 1 / 4 + 9 / 64) / 2, 1.0)))
def test_a_matrix_mechanism(delta, expected):
    assert verdict(matrix=MATRIX, claim={"epsilon": "1", "delta": delta}) == expected


def test_a_last_iterate():
    top = math.sqrt(2.5)  # (D/η)²/m + 2sD/η + ms² at m = 10 is 40, over σ² = 16
    for claim, expected in [
        ({"mu": str(top * (1 + 1e-6))}, "HOLDS"),
        ({"mu": str(top * (1 - 1e-6))}, "UNDECIDED"),
        ({"mu": "0.249"}, "REFUTED"),
        ({"epsilon": "2", "delta": str(gaussian_delta(top, 2.0) * (1 + 1e-6))}, "HOLDS"),
        ({"epsilon": "0.5", "delta": str(gaussian_delta(1 / 4, 0.5) * (1 - 1e-6))}, "REFUTED"),
        ({"rho": str(1.25 * (1 + 1e-6))}, "HOLDS"),
        ({"rho": str(1.25 * (1 - 1e-6))}, "UNDECIDED"),
        ({"rho": str((1 - 1e-6) / 32)}, "REFUTED"),
    ]:
        assert verdict(hidden_state=DESCENT, claim=claim) == expected, claim
    free = {key: value for key, value in DESCENT.items() if key not in ("diameter", "step-size")}
    assert verdict(hidden_state=free, claim={"mu": "2.5"}) == "HOLDS" and verdict(hidden_state=free, claim={"mu": "2.499"}) == "REFUTED"


def test_thresholds_of_one_step_show_its_rho():
    """D_α of the two outcomes beside the threshold αμ, over α, rises to μ²/2 as α grows: the lower end of a projected run."""
    with mpmath.workdps(40):
        mu, found = mpmath.mpf(1) / 4, []
        for alpha in (10, 100, 1000, 10_000):
            p, q = mpmath.ncdf(-(alpha - 1) * mu), mpmath.ncdf(-alpha * mu)
            found.append((mpmath.log(p) * alpha / (alpha - 1) - mpmath.log(q)) / alpha)
        assert found == sorted(found) and 0.999 < found[-1] / (mu**2 / 2) < 1


def test_shuffled_answers():
    answers = {"users": "1,000", "local-epsilon": "1"}
    for delta, expected, code in (("1e-3", "HOLDS", 0), ("1e-30", "REFUTED", 1)):
        assert verdict(shuffle=answers, claim={"epsilon": "0.1", "delta": delta}) == expected
        assert main(["verify", "--shuffle", "1000", "--local-epsilon", "1", "--epsilon", "0.1", "--delta", delta]) == code


@pytest.mark.parametrize("kind", ["exponential-mechanism", "noisy-max", "permute-and-flip", "above-threshold"])
def test_selection(kind):
    table = {kind: {"epsilon": "1"}}
    assert verdict(**table, claim={"epsilon": "1"}) == "HOLDS" and verdict(**table, claim={"epsilon": "0.1", "delta": "1e-9"}) == "REFUTED"
    assert verdict(**table, claim={"mu": "2"}) == "NOT EXPRESSIBLE"


def test_more_digits_next_to_the_claim():
    value = accounting.delta(Gaussian(2), 1, digits=20).enclosure
    run = {"contraction": "1", "gradient-change": "1", "sigma": "8", "steps": 16}
    for delta, expected in ((value.upper, "HOLDS"), (value.lower, "REFUTED")):
        assert verdict(hidden_state=run, claim={"epsilon": "1", "delta": str(delta)}) == expected


def test_a_last_iterate_that_is_sampled_can_only_refute():
    run = {**{key: value for key, value in DESCENT.items() if key not in ("diameter", "step-size")}, "q": "0.5"}
    assert verdict(hidden_state=run, claim={"epsilon": "0.1", "delta": "1e-9"}) == "REFUTED"
    assert verdict(hidden_state=run, claim={"epsilon": "9", "delta": "0.9"}) == "UNDECIDED"


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ({"matrix": {"source": "toeplitz:1"}, "claim": {"mu": "1"}}, "needs sigma"),
        ({"matrix": {**MATRIX, "sigmas": 1}, "claim": {"mu": "1"}}, "unknown key 'sigmas'"),
        ({"matrix": "x", "claim": {"mu": "1"}}, "must be a table"),
        ({"matrix": MATRIX, "sigma": "1", "claim": {"mu": "1"}}, "has no meaning"),
        ({"matrix": MATRIX, "claim": {"power": "0.5"}}, "power and false-positives"),
        ({"matrix": MATRIX, "claim": {"power": "1.5", "false-positives": "0.1"}}, "must be >= 0 and <= 1"),
        ({"matrix": MATRIX, "claim": {"power": "0.5", "false-positives": "0"}}, "must lie in (0, 1)"),
        ({"matrix": MATRIX, "claim": {"mu": "1", "delta": "0.1"}}, "a claim is"),
        ({"rho": "1", "group": 0, "claim": {"rho": "1"}}, "group"),
    ],
)
def test_what_is_refused(entry, message):
    with pytest.raises(InputError, match=message.replace("(", "\\(").replace(")", "\\)")):
        read_statement(entry)


def test_a_table_has_columns_for_formulas(tmp_path):
    (tmp_path / "survey.csv").write_text(
        "name,matrix.source,matrix.steps,matrix.sigma,matrix.participations,claim-power,claim-false-positives\n"
        'one,"toeplitz:1,1/2,3/8",3,2,1,0.2,0.1\n'
    )
    (row,) = read_statements([tmp_path / "survey.csv"])
    assert row == read_statement({"name": "one", "matrix": MATRIX, "claim": {"power": "0.2", "false-positives": "0.1"}})


def test_options(capsys):
    words = ["verify", "--sigma", "2", "--steps", "3", "--claim-mu", "1", "--matrix", "toeplitz:1,1/2,3/8", "--participations", "1"]
    assert main(words) == 0 and "HOLDS" in capsys.readouterr().out
    assert main([*words[:3], "--group", "3", *words[5:7], "--sampling", "none", "--relation", "add-or-remove"]) == 1
