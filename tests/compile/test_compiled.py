"""Descents as documents: each kind of step is written and judged, and what is forged, edited or of another claim is refused."""

import json
import subprocess
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from sympy import Abs, E, Integral, Max, Min, Rational, Sum, binomial, cosh, exp, factorial, log, oo, pi, sqrt, tanh

from dpbounds import Claim, settle
from dpbounds.claims import settling
from dpbounds.claims.evidence import certificate
from dpbounds.claims.evidence.compiled import compiled
from dpbounds.claims.evidence.descents import certificate_of
from dpbounds.claims.evidence.judged import judged
from dpbounds.claims.evidence.replay import replay
from dpbounds.claims.evidence.ways import Compiled, name_of
from dpbounds.claims.verdict import Verdict
from dpbounds.errors import CertificateError
from dpbounds.kernel.terms import Refused
from dpbounds.language.functions import GaussianDelta, KLDivergence, NormalCDF, NormalQuantile, SampledGaussianRenyi, Supremum
from dpbounds.language.symbols import index, nonnegative, positive, positive_integer, real

ROOT = Path(__file__).parents[2]
x, y, u, p, q, n = nonnegative("x"), positive("y"), real("u"), positive("p"), positive("q"), positive_integer("n")
m = positive_integer("m")
k, j, x_ = index("k"), index("j", start=0), real("x_")


def _coins(share: Any) -> tuple[tuple[Any, Any], tuple[Any, Any]]:
    """Two coins, each the other one turned."""
    return (share, 1 - share), (1 - share, share)


def _bell(t: Any) -> Any:
    """The normal density."""
    return exp(-(t**2) / 2) / sqrt(2 * pi)


LEMMAS: dict[str, tuple[list[Any], Any]] = {
    "monotone": ([], log(1 + x) <= x),
    "twice": ([], x * (6 + x) / (6 + 4 * x) >= log(1 + x)),
    "two-variables": ([], exp(-x) + exp(-y) <= 1 + exp(-x - y)),
    "tangent": ([], y * log(y) >= y - 1),
    "strict": ([], log(1 + y) < y),
    "chord": ([p < 1], log(1 + p * (exp(y) - 1)) <= p * y + y**2 / 8),
    "closed-ends": ([p <= 1], log(1 + p * (exp(x) - 1)) <= p * x + x**2 / 8),
    "divergence": ([p < 1, q < 1], p * log(p / q) + (1 - p) * log((1 - p) / (1 - q)) >= 2 * (p - q) ** 2),
    "roots": ([], sqrt(x * y) <= (x + y) / 2),
    "hyperbolic": ([], cosh(u) <= exp(u**2 / 2)),
    "absolute": ([], sqrt(1 + u**2) <= 1 + Abs(u)),
    "maximum": ([], log(exp(u) + 1) <= Max(u, 0) + log(2)),
    "constants": ([], y * sqrt(2) * Rational(7, 10) < y),
    "logarithm-of-2": ([], y * log(2) < y * Rational(7, 10)),
    "circle": ([], 2 * y <= pi * y),
    "premise": ([p + q < 1], p * q <= (1 - p) * p),
    "normal-below-1": ([], NormalCDF(x) >= Rational(1, 2)),
    "normal-line": ([], NormalCDF(x) <= Rational(1, 2) + x / sqrt(2 * pi)),
    "limit-of-a-tail": ([], NormalCDF(-y) <= exp(-(y**2) / 2) / (y * sqrt(2 * pi))),
    "limit-of-a-logarithm": ([], log(1 + 1 / y) >= 2 / (2 * y + 1)),
    "limit-of-an-exponential": ([], exp(1 / y) >= 1 + 1 / y),
    "limit-with-a-root": ([], log((1 + y) / y) * sqrt(y * (1 + y)) <= 1),
    "limit-of-order-2": ([], (exp(y) - 1) ** 2 >= y**2 * exp(y)),
    "limits-of-a-chord": ([p < 1], 4 * p * (1 - p) * log(2) <= -p * log(p) - (1 - p) * log(1 - p)),
    "strict-chord": ([], 2 * NormalCDF(-y) < exp(-(y**2) / 2)),
    "limit-with-premises": ([p < 1], log(1 - p + p * exp(y)) >= log(p) + y),
    "power-at-an-end": ([q <= 1], (1 - q) ** n >= 1 - n * q),
    "telescope": ([], Sum(1 / (k * (k + 1)), (k, 1, n)) <= 1),
    "weighted-powers": ([q < 1], Sum(k * q**k, (k, 1, n)) <= q / (1 - q) ** 2),
    "row-of-binomials": ([q < 1], Sum(binomial(n, j) * q**j * (1 - q) ** (n - j), (j, 0, n)) <= 1),
    "logarithms": ([p < 1], y**p * q ** (1 - p) <= p * y + (1 - p) * q),
    "integral-to-infinity": ([], Integral(x_ * exp(-x_), (x_, y, oo)) <= 2 * exp(-y / 2)),
    "integral": ([], Integral(exp(-y * x_), (x_, 0, x)) <= 1 / y),
    "gaussian-delta": ([], GaussianDelta(x, y, 1) <= NormalCDF(1 / (2 * y) - x * y)),
    "gaussian-delta-falls": ([], GaussianDelta(x + p, y, 1) <= GaussianDelta(x, y, 1)),
    "induction": ([], Sum(1 / k**2, (k, 1, n)) <= 2 - 1 / n),
    "induction-of-roots": ([], Sum(1 / sqrt(k), (k, 1, n)) <= 2 * sqrt(n)),
    "rising-ratio": ([], binomial(2 * n, n) <= 4**n / sqrt(3 * n + 1)),
    "rising-ratio-of-two-integers": ([m <= n], binomial(n, m) >= (n / m) ** m),
    "moment": ([q > 1], GaussianDelta(x, y, 1) <= exp((q - 1) * (q / (2 * y**2) - x))),
    "moment-times-its-constant": ([q > 1], GaussianDelta(x, y, 1) <= (1 - 1 / q) ** (q - 1) / q * exp((q - 1) * (q / (2 * y**2) - x))),
    "density-of-a-quotient": ([p >= q], GaussianDelta(x, p, 1) <= GaussianDelta(x, q, 1)),
    "delta-of-0": ([], GaussianDelta(x, y, 1) >= GaussianDelta(0, y, 1) - (exp(x) - 1) / 2),
    "delta-at-the-median": ([], GaussianDelta(y, 1 / sqrt(2 * y), 1) <= Rational(1, 2)),
    "order-of-two-variables": ([p < 1, q < 1], (p - q) * log(p * (1 - q) / (q * (1 - p))) >= 4 * (p - q) ** 2),
    "value-at-0": ([], NormalCDF(x) >= (1 + sqrt(1 - exp(-(x**2) / 2))) / 2),
    "logarithm-above-a-number": ([p < Rational(1, 3)], NormalCDF(-sqrt(2 * log(1 / (2 * p)))) <= p),
    "case-at-sight": ([p <= y, q <= y], Abs(p - q) <= y),
    "minimum-of-exponentials": ([p <= q], Min(1, exp(-u)) <= exp(q) * Min(1, exp(-u - p))),
    "factorial-rises": ([], factorial(n) >= 2 ** (n - 1)),
    "factorials": ([], factorial(n) <= E * n * (n / E) ** n),
    "factorial-of-twice": ([], sqrt(3 * n + 1) * factorial(2 * n) <= 4**n * factorial(n) ** 2),
    "quantile-below-a-half": ([p <= Rational(1, 2)], exp(-(NormalQuantile(p) ** 2) / 2) / sqrt(2 * pi) >= sqrt(2) * p / sqrt(pi)),
    "quantile-as-a-side": ([p < Rational(1, 2)], NormalQuantile(1 - p) <= sqrt(2 * log(1 / (2 * p)))),
    "quantile-of-a-function": ([], 2 * NormalQuantile(exp(x) / (1 + exp(x))) <= sqrt(pi / 2) * x),
    "quantile-of-the-rest": ([p < 1], NormalCDF(NormalQuantile(1 - p) - x) >= 1 - p - x / sqrt(2 * pi)),
    "quantiles-of-both": ([p < 1], NormalQuantile(p) + NormalQuantile(1 - p) <= 0),
    "divisors-that-are-divided": ([], KLDivergence(1, *_coins(exp(x) / (1 + exp(x)))) <= x**2 / 2),
    "integral-at-a-closed-end": ([], Integral(exp(x * x_) / 2, (x_, -1, 1)) <= exp(x**2 / 6)),
    "absolute-value-on-both-sides": ([x <= 1], Integral(Abs(x - x_), (x_, 0, 1)) <= Rational(1, 2)),
    "line-in-three-pieces": ([], Integral(exp(-Abs(x_)) * exp(-Abs(x - x_)) / 4, (x_, -oo, oo)) <= Rational(1, 4)),
    "absolute-values-inside-of-one": ([], Integral(Abs(exp(-Abs(x - x_)) - exp(-Abs(x_))) / 4, (x_, -oo, oo)) <= x / 2),
    "half-line-from-below": ([], Integral(exp(x_) * _bell(x_), (x_, -oo, x)) <= exp(Rational(1, 2))),
    "integrand-of-both-signs": ([], KLDivergence(1, _bell(x_ - x), _bell(x_), (x_, -oo, oo)) <= x**2 / 2),
    "moving-end": ([], Integral(1 / (1 + x_**2), (x_, y, oo)) <= 1 / y),
    "moving-end-from-0-on": ([], Integral(exp(-x_) / (1 + x_), (x_, x, oo)) <= exp(-x) / (1 + x)),
    "premise-with-an-exponential": ([p < 1, q < 1, p <= q * exp(x), 1 - q <= (1 - p) * exp(x)], p - q <= tanh(x / 2)),
    "extremum": ([], Supremum(x_ * exp(-y * x_), (x_, 0, oo)) <= exp(-1) / y),
    "variable-for-a-part": ([p < 1, y <= log(1 / p)], y + 2 * sqrt(y * log(1 / p)) <= 3 * sqrt(y * log(1 / p))),
    "condition-by-a-chain": ([y >= 1, q <= 1 / (16 * y)], SampledGaussianRenyi(2, y, q) <= 2 * q**2 / y**2),
}


def claim_of(name: str) -> Claim:
    given, then = LEMMAS[name]
    return Claim(id=name, text="", given=tuple(given), then=then)


@cache
def certificate_called(name: str) -> Mapping[str, Any]:
    """The certificate of the descent of a lemma."""
    found = certificate_of(claim_of(name), 10.0)
    assert found is not None
    return found


@pytest.mark.parametrize("name", LEMMAS)
def test_a_descent_is_a_document_of_the_claim(name: str) -> None:
    found = compiled(claim_of(name), certificate_called(name), None)
    assert found.statement is not None, (found.reason, found.detail)
    assert judged(claim_of(name), found.text) == found.statement and not found.statement.citations


def test_a_document_is_of_one_claim_only() -> None:
    names = ["monotone", "tangent", "strict", "roots", "absolute"]
    texts = {name: compiled(claim_of(name), certificate_called(name), None).text for name in names}
    for name in names:
        for other in names:
            if name != other:
                with pytest.raises(Refused):
                    judged(claim_of(name), texts[other])


FALSE = {
    "monotone": log(1 + x) <= x / 2,
    "tangent": y * log(y) >= y - Rational(9, 10),
    "roots": sqrt(x * y) <= (x + y) / 3,
    "normal-line": NormalCDF(x) <= Rational(1, 2) + x / sqrt(3 * pi),
    "induction": Sum(1 / k**2, (k, 1, n)) <= Rational(3, 2) - 1 / n,
    "factorial-rises": factorial(n) >= Rational(5, 2) ** (n - 1),
    "factorials": factorial(n) <= E * n * (n / 3) ** n,
    "quantile-of-a-function": 2 * NormalQuantile(exp(x) / (1 + exp(x))) <= sqrt(pi / 3) * x,
    "line-in-three-pieces": Integral(exp(-Abs(x_)) * exp(-Abs(x - x_)) / 4, (x_, -oo, oo)) <= Rational(1, 5),
    "half-line-from-below": Integral(exp(x_) * _bell(x_), (x_, -oo, x)) <= exp(Rational(2, 5)),
    "integrand-of-both-signs": KLDivergence(1, _bell(x_ - x), _bell(x_), (x_, -oo, oo)) <= x**2 / 3,
    "moving-end": Integral(1 / (1 + x_**2), (x_, y, oo)) <= 1 / (y + 1),
    "moving-end-from-0-on": Integral(exp(-x_) / (1 + x_), (x_, x, oo)) <= exp(-x) / (2 + x),
    "extremum": Supremum(x_ * exp(-y * x_), (x_, 0, oo)) <= exp(-2) / y,
}


@pytest.mark.parametrize("name", FALSE)
def test_a_certificate_of_another_claim_gives_no_document(name: str) -> None:
    found = compiled(Claim(id=name, text="", then=FALSE[name]), certificate_called(name), None)
    assert found.statement is None and found.reason


def edited(text: str) -> list[str]:
    """Documents with one line changed in ways that say something else."""
    rows = [json.loads(line) for line in text.splitlines()]
    found = []
    for at in range(1, len(rows) - 1):
        found.append([*rows[:at], *rows[at + 1 :]])
        if rows[at].get("by"):
            found.append([*rows[:at], {**rows[at], "by": rows[at]["by"][1:]}, *rows[at + 1 :]])
    for key, value in (("given", []), ("claim", "0 <= 1"), ("claim", "log(1 + x) < x")):
        found.append([{**rows[0], key: value}, *rows[1:]])
    found.append([*rows[:-1], {"end": 0}])
    return ["".join(json.dumps(row) + "\n" for row in each) for each in found]


def test_an_edited_document_is_refused_or_proves_the_claim_still() -> None:
    claim = claim_of("monotone")
    text = compiled(claim, certificate_called("monotone"), None).text
    whole, refused = judged(claim, text), 0
    for other in edited(text):
        try:
            found = judged(claim, other)
        except Refused:
            refused += 1
            continue
        assert (found.claim, found.given, found.citations) == (whole.claim, whole.given, whole.citations)
    assert refused > 10


def test_a_cited_step_is_no_document() -> None:
    claim = claim_of("monotone")
    head = {"format": "dpbounds-proof/1", "name": "x", "real": ["x"], "integer": [], "functions": {}, "given": ["0 <= x"]}
    rows = [
        {**head, "claim": "log(1 + x) <= x"},
        {"rule": "cite", "with": {"formula": "log(1 + x) <= x", "source": "a friend"}},
        {"rule": "cite", "with": {"formula": "0 < 1 + x", "source": "a friend"}},
        {"end": 0, "defined": [1]},
    ]
    with pytest.raises(Refused, match="cites"):
        judged(claim, "".join(json.dumps(row) + "\n" for row in rows))


def test_the_evidence_and_the_certificate_say_who_judged(tmp_path: Path) -> None:
    claim = claim_of("monotone")
    found = settle(claim)
    assert found.verdict is Verdict.CERTIFIED and str(found.evidence[0]) == "document checked by the kernel"
    assert "by the kernel" in found.detail
    assert found.certificate is not None
    file = certificate.write(found.certificate, tmp_path)
    again = replay(certificate.read(file), claim)
    assert again.verdict is Verdict.CERTIFIED and again.checked_by == f"the kernel, document {name_of(claim.id)}"
    bare = subprocess.run([sys.executable, "-S", "-m", "dpbounds.logic", str(file)], cwd=ROOT, capture_output=True, text=True)
    assert bare.returncode == 0 and "claim  log(x + 1) <= x" in bare.stdout, bare.stderr


def test_a_certificate_with_an_edited_document_is_refused() -> None:
    found = settle(claim_of("monotone"))
    assert found.certificate is not None
    evidence = {**found.certificate["evidence"]}
    for text in (evidence["text"].replace("log(x + 1) <= x", "log(x + 1) < x"), "", "{}\n{}\n"):
        wrong = {**found.certificate, "evidence": {**evidence, "text": text}}
        with pytest.raises(CertificateError):
            replay({**wrong, "digest": certificate.digest_of(wrong)}, claim_of("monotone"))


def test_a_descent_without_a_document_decides_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settling, "compiled", lambda claim, found: Compiled(reason="a step that is not written"))
    monkeypatch.setattr(settling, "_from_document", lambda *_, **__: None)
    monkeypatch.setattr(settling, "_from_boxes", lambda claim, *_: settling._undecided(claim, "boxes", "not tried"))
    claim = Claim(id="tangent", text="", given=(), then=exp(x) >= 1 + x)
    outcome = settle(claim, budget=1)
    assert outcome.verdict is Verdict.UNDECIDED and outcome.certificate is None
    assert outcome.detail == "a descent was found, but no proof document of it: a step that is not written"


def test_the_certificate_of_a_descent_is_replayed_by_its_document_or_not_at_all() -> None:
    """As an earlier version wrote them."""
    claim = claim_of("monotone")
    document = settle(claim).certificate
    assert document is not None
    old = {**document, "method": "descent", "evidence": {**document["evidence"], "problems": []}}
    assert replay({**old, "digest": certificate.digest_of(old)}, claim).verdict is Verdict.CERTIFIED
    bare = {**old, "evidence": {"problems": []}}
    with pytest.raises(CertificateError, match="`dpbounds check` with the file of the claim makes it again"):
        replay({**bare, "digest": certificate.digest_of(bare)}, claim)


@pytest.mark.slow
def test_a_slope_that_changes_its_sign_in_two_steps_is_written() -> None:
    claim = Claim(id="erf", text="", then=(2 * NormalCDF(x) - 1) ** 2 <= 1 - exp(-2 * x**2 / pi))
    found = certificate_of(claim, 10.0)
    assert found is not None and "'then'" in repr(found)
    assert compiled(claim, found, None).statement is not None
