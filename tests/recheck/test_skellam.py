"""Skellam noise in the checker: its series against mpmath, its tails, and certificates end to end."""

from __future__ import annotations

import json
from fractions import Fraction

import mpmath
import pytest

from dpbounds.accounting import delta, epsilon
from dpbounds.certificates.number import certificate_of
from dpbounds.mechanisms import PoissonSampling, Repeated, Sampled
from dpbounds.noise.skellam import Skellam, SkellamPair
from dpbounds.oracle.numbers import MPMATH
from dpbounds.recheck.check import check
from dpbounds.recheck.noise.skellam import _bessel, atoms
from dpbounds.recheck.numbers import Numbers, Refused


@pytest.mark.parametrize(("variance", "n"), [("0.1", 0), ("2.5", 3), ("40", 0), ("40", 60)])
def test_the_series_holds_the_bessel_function(variance, n):
    low, high = _bessel(Fraction(variance), n, 80).bounds()
    with mpmath.workdps(40):
        exact = mpmath.besseli(n, mpmath.mpf(variance))
        assert mpmath.mpf(low.numerator) / low.denominator <= exact <= mpmath.mpf(high.numerator) / high.denominator
        assert float(high - low) < 1e-20 * float(exact)


def test_what_is_not_listed_is_bounded():
    """The bound holds the mass beyond the list, and is no more than a few times as large; without it the masses do not add up to 1."""
    numbers = Numbers(40)
    law = atoms({"skellam": "2.5", "steps": 1}, False, numbers)
    listed = numbers.total([p for p, _ in law.rows])
    with mpmath.workdps(60):
        reach = (len(law.rows) - 2) // 2
        missing = 2 * mpmath.nsum(lambda k: mpmath.exp(-2.5) * mpmath.besseli(k, 2.5), [reach + 1, reach + 60])
        assert missing <= float(law.dropped.bounds()[1]) <= 4 * missing
    assert float(listed.bounds()[0]) <= 1 <= float((listed + law.dropped).bounds()[1])


@pytest.mark.parametrize("part", [{"skellam": "-1"}, {"skellam": "1", "sensitivity": 0}, {"skellam": "1e9"}])
def test_bad_parts_are_refused(part):
    with pytest.raises(Refused):
        atoms(part, False, Numbers(40))


@pytest.mark.parametrize("t", ["1/2", "3/2", "9"])
def test_renyi_divergences_hold_the_sum(t):
    """The list and its tails against three times as many terms, by Bessel functions of mpmath."""
    order = Fraction(t)
    with mpmath.workdps(30):
        found = SkellamPair(Fraction(5, 2), 2).divergence(mpmath.mpf(order.numerator) / order.denominator, MPMATH)
        mass = lambda x: mpmath.exp(-2.5) * mpmath.besseli(abs(x), 2.5)  # noqa: E731
        alpha = 1 + mpmath.mpf(order.numerator) / order.denominator
        exact = mpmath.log(mpmath.fsum(mass(x - 2) ** alpha * mass(x) ** (1 - alpha) for x in range(-60, 200))) / (alpha - 1)
        assert abs(found / exact - 1) < 1e-20


@pytest.mark.parametrize("sampled", [False, True])
def test_certificates(sampled):
    mechanism = Sampled(Skellam(2), PoissonSampling("0.3")) if sampled else Repeated(Skellam(2), 1)
    for result in (delta(mechanism, "0.3", digits=6), epsilon(mechanism, "1e-3", digits=5)):
        text = certificate_of(result)
        assert check(text)
        shown = json.loads(text)
        shown["query"]["mechanism"][0]["skellam"] = "1.9"
        with pytest.raises(Refused):
            check(json.dumps(shown))
