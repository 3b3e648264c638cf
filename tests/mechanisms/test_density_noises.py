"""Student-t and truncated Laplace noise, by their densities: δ, ε and Rényi against quadrature in mpmath, and all places that ask them."""

from fractions import Fraction

import mpmath
import pytest

from dpbounds.accounting import delta, epsilon
from dpbounds.certificates.number import certificate_of
from dpbounds.cli import main
from dpbounds.errors import InputError, PrecisionError
from dpbounds.float64 import delta_bounds
from dpbounds.mechanisms import Composed, Gaussian, PoissonSampling, Repeated, Sampled
from dpbounds.mechanisms.mechanism import no_certificate
from dpbounds.mechanisms.specs import mechanism_to_spec, spec_to_mechanism
from dpbounds.noise.student_t import StudentT
from dpbounds.noise.truncated_laplace import TruncatedLaplace
from dpbounds.renyi.solve import renyi_divergence
from dpbounds.verify.judge import judgement_of
from dpbounds.verify.reading import read_statement
from dpbounds.verify.verdict import StatementVerdict


def student(noise, x):
    nu, s = mpmath.mpf(noise.degrees), mpmath.mpf(noise.scale.numerator) / noise.scale.denominator
    constant = mpmath.gamma((nu + 1) / 2) / (mpmath.sqrt(nu * mpmath.pi) * mpmath.gamma(nu / 2) * s)
    return constant * (1 + (x / s) ** 2 / nu) ** (-(nu + 1) / 2)


def student_delta(noise, level):
    """∫(p − e^ε q) between the roots of (νs² + x²) = e^{2ε/(ν+1)}(νs² + (x−1)²), where the loss is ε."""
    nu, s = mpmath.mpf(noise.degrees), mpmath.mpf(noise.scale.numerator) / noise.scale.denominator
    ratio = mpmath.exp(2 * level / (nu + 1))
    a, b, c = ratio - 1, -2 * ratio, ratio * (nu * s**2 + 1) - nu * s**2
    root = mpmath.sqrt(b * b - 4 * a * c)
    ends = [(-b - root) / (2 * a), (-b + root) / (2 * a)]
    middle = [ends[0] + (ends[1] - ends[0]) * mpmath.mpf(i) / 40 for i in range(41)]
    return mpmath.quad(lambda x: student(noise, x - 1) - mpmath.exp(level) * student(noise, x), middle)


STUDENTS = [(StudentT(2, 1), "0.1"), (StudentT("1.5", 2), "0.3"), (StudentT(2), "0.3"), (StudentT(1, 6), "1")]
BAD = [{"student-t": "0"}, {"student-t": "2", "degrees": 0}, {"truncated-laplace": "1"}, {"truncated-laplace": "1", "reach": "-1"}]


@pytest.mark.parametrize(("noise", "level"), STUDENTS)
def test_student_noise_against_quadrature(noise, level):
    with mpmath.workdps(30):
        truth = student_delta(noise, mpmath.mpf(level))
        found = delta(noise, level, digits=12)
        assert found.enclosure.meets(12)
        assert mpmath.mpf(found.lower) * (1 - mpmath.mpf(10) ** -20) <= truth <= mpmath.mpf(found.upper) * (1 + mpmath.mpf(10) ** -20)


def laplace_delta(noise, level, move):
    """The mass beyond the reach of Q, and ∫(p − e^ε q) from where the loss is ε to that reach."""
    b, reach = (mpmath.mpf(value.numerator) / value.denominator for value in (noise.scale, noise.reach))
    weight = 1 / (2 * b * (1 - mpmath.exp(-reach / b)))

    def density(x):
        return weight * mpmath.exp(-abs(x) / b) if abs(x) <= reach else mpmath.mpf(0)

    alone = mpmath.quad(lambda x: density(x - move), [max(reach, move), reach + move] if move <= reach else [reach, move, reach + move])
    start = (move + b * level) / 2
    if start >= move:
        return alone
    points = sorted({start, *(point for point in (mpmath.mpf(move), reach) if start < point <= reach)})
    return alone + mpmath.quad(lambda x: density(x - move) - mpmath.exp(level) * density(x), points)


def test_noise_that_does_not_reach_the_other_count():
    found = delta(TruncatedLaplace(1, "0.4"), "0.3", digits=8).enclosure
    assert found.upper == 1 >= found.lower > 1 - Fraction(1, 10**8)


@pytest.mark.parametrize(("scale", "reach", "level"), [(1, 5, "0.5"), ("0.7", 3, "0"), (2, "2.5", "0.2"), (1, 5, "1.5")])
def test_truncated_laplace_noise_against_quadrature(scale, reach, level):
    noise = TruncatedLaplace(scale, reach)
    with mpmath.workdps(30):
        for relation, move in (("add-or-remove", 1), ("substitute", 2)):
            truth = laplace_delta(noise, mpmath.mpf(level), move)
            found = delta(noise, level, digits=12, relation=relation)
            assert mpmath.mpf(found.lower) * (1 - mpmath.mpf(10) ** -18) <= truth <= mpmath.mpf(found.upper) * (1 + mpmath.mpf(10) ** -18)


def test_many_uses_sampling_and_orders_of_student_noise():
    with mpmath.workdps(20):
        ends = [-mpmath.inf, -5, 0, 1, 6, mpmath.inf]
        order = mpmath.quad(lambda x: student(StudentT(2), x - 1) ** 3 / student(StudentT(2), x) ** 2, ends)
        assert abs(mpmath.mpf(renyi_divergence(StudentT(2), 3, digits=10).lower) - mpmath.log(order) / 2) < 1e-9
    once, sampled = delta(StudentT(2), "0.3", digits=6), delta(Sampled(StudentT(2), PoissonSampling("0.5")), "0.1", digits=6)
    few = delta(Repeated(StudentT(2), 3), "0.3", digits=6)
    assert 0 < sampled.enclosure.upper < once.enclosure.lower < few.enclosure.lower
    found = epsilon(StudentT(2), once.lower, digits=5, direction="remove")
    assert found.enclosure.contains(Fraction(3, 10)) or abs(float(found.lower) - 0.3) < 1e-4


def test_what_they_do_not_have_is_named():
    with pytest.raises(InputError, match="--relation add-or-remove only"):
        delta(StudentT(2), "0.3", relation="substitute")
    for noise, name in ((StudentT(2), "Student-t"), (TruncatedLaplace(1, 5), "truncated Laplace")):
        with pytest.raises(InputError, match="use dpbounds.accounting"):
            delta_bounds(noise, "0.3")
        for mechanism in (Sampled(noise, PoissonSampling("0.5")), Repeated(noise, 3), Composed((Gaussian(1), noise))):
            assert f"the small checker does not know {name} noise" in no_certificate(mechanism)
    with pytest.raises(InputError, match="no certificate: the small checker does not know Student-t noise"):
        certificate_of(renyi_divergence(StudentT(2), 2, digits=4))
    assert no_certificate(Composed((Gaussian(1), Repeated(Gaussian(2), 3)))) == ""
    assert renyi_divergence(TruncatedLaplace(1, 5), 2).lower == "inf"
    with pytest.raises(PrecisionError, match="nodes"):
        delta(Repeated(TruncatedLaplace(1, 5), 5), "0.5", digits=5)


@pytest.mark.parametrize("noise", [StudentT("1.5", 2), TruncatedLaplace("0.5", 4)])
def test_specifications_the_command_line_and_statements(noise, capsys):
    (part,) = mechanism_to_spec(noise)
    assert spec_to_mechanism([part]) == noise
    words = [word for key, value in part.items() for word in (f"--{key}", str(value))]
    assert main(["delta", *words, "--epsilon", "0.3", "--digits", "4"]) == 0
    known = delta(noise, "0.3", digits=4)
    assert known.enclosure.lower_decimal(4)[:5] in capsys.readouterr().out
    entry = {key: value for key, value in part.items() if key != "steps"} | {"sampling": "none", "relation": "add-or-remove"}
    for factor, verdict in ((1.01, StatementVerdict.HOLDS), (0.99, StatementVerdict.REFUTED)):
        claim = {"epsilon": "0.3", "delta": f"{float(known.enclosure.upper) * factor:.12f}"}
        assert judgement_of(read_statement({**entry, "claim": claim})).verdict is verdict


@pytest.mark.parametrize("bad", BAD)
def test_bad_parameters_are_refused(bad):
    with pytest.raises(InputError):
        spec_to_mechanism([bad])
