"""The decider for ranges of orders: what it reads, what it refuses, and its certificates under edits."""

import copy
from dataclasses import replace
from fractions import Fraction

import pytest
from mpmath import mp
from sympy import Rational, Symbol, log

from dpbounds import HOLDS, Claim, OrderRange, Verdict, settle
from dpbounds.claims import certificate
from dpbounds.claims.order_range import range_of
from dpbounds.claims.order_range_replay import _Checker
from dpbounds.claims.replay import replay
from dpbounds.errors import CertificateError, LanguageError
from dpbounds.language.functions import SampledGaussianRenyi
from dpbounds.language.symbols import positive

alpha, sigma, q = positive("alpha sigma q")


def claim_on(least_sigma=3, least_inverse=70, slack=1, factor=1, **changes):
    claim = Claim(
        id="range",
        text="",
        given=[sigma >= least_sigma, q <= 1 / (least_inverse * sigma), alpha > 1, alpha <= sigma**2 * log(1 / (q * sigma)) + slack],
        then=SampledGaussianRenyi(alpha, sigma, q) <= factor * alpha * q**2 / sigma**2,
        expect=HOLDS,
        by=OrderRange(budget=200),
    )
    return replace(claim, **changes)


def test_the_numbers_are_read_off_the_statement():
    wanted = range_of(claim_on(Rational(28, 25), 16, 0, Rational(3, 2)))
    assert [str(n) for n in (wanted.least_sigma, wanted.least_inverse, wanted.slack, wanted.bound)] == ["28/25", "16", "0", "3/2"]


def test_another_spelling_of_the_orders_is_the_same_range():
    claim = claim_on()
    spelled = [sigma >= 3, 1 / (70 * sigma) >= q, alpha > 1, alpha <= 1 - sigma**2 * (log(q) + log(sigma))]
    assert range_of(replace(claim, given=spelled)) == range_of(claim)


@pytest.mark.parametrize("left_out", range(4))
def test_every_premise_is_needed(left_out):
    claim = claim_on()
    given = [premise for k, premise in enumerate(claim.given) if k != left_out]
    with pytest.raises(LanguageError, match="range of orders"):
        range_of(replace(claim, given=given))


@pytest.mark.parametrize(
    "then",
    [
        SampledGaussianRenyi(alpha, sigma, q) < alpha * q**2 / sigma**2,
        SampledGaussianRenyi(alpha, sigma, q) >= alpha * q**2 / sigma**2,
        SampledGaussianRenyi(alpha, sigma, q) <= alpha * q / sigma**2,
        SampledGaussianRenyi(alpha, sigma, q) <= alpha**2 * q**2 / sigma**2,
        SampledGaussianRenyi(alpha + 1, sigma, q) <= alpha * q**2 / sigma**2,
        SampledGaussianRenyi(alpha, sigma, Symbol("r", real=True)) <= alpha * q**2 / sigma**2,
    ],
)
def test_other_statements_are_refused(then):
    with pytest.raises(LanguageError, match="range of orders"):
        range_of(claim_on(then=then))


def test_a_false_bound_stays_undecided():
    outcome = settle(claim_on(1, 16, 1, by=OrderRange(budget=300)))
    assert outcome.verdict is Verdict.UNDECIDED
    assert "300 boxes" in outcome.detail
    assert outcome.left


@pytest.fixture(scope="module")
def settled():
    claim = claim_on(2, 70)
    outcome = settle(claim)
    assert outcome.verdict is Verdict.CERTIFIED
    return claim, outcome.certificate


def test_a_certificate_replays_on_mpmath_intervals(settled):
    claim, document = settled
    assert replay(document, claim).checked_by == "intervals and rationals"


def edited(document, change):
    copied = copy.deepcopy(document)
    change(copied["evidence"])
    copied["digest"] = certificate.digest_of(copied)
    return copied


EDITS = {
    "smaller sigma": lambda e: e["range"].update(least_sigma="1"),
    "larger bound": lambda e: e["range"].update(bound="2"),
    "more orders": lambda e: e["range"].update(slack="2"),
    "larger rates": lambda e: e["range"].update(least_inverse="16"),
    "smaller root": lambda e: e["range"].update(most_inverse_log="1/10"),
    "cut tree": lambda e: e.update(tree=e["tree"][:-1]),
    "longer tree": lambda e: e.update(tree=e["tree"] + "i"),
    "unknown token": lambda e: e.update(tree=e["tree"][:-1] + "?"),
    "another count": lambda e: e.update(leaves=e["leaves"] + 1),
    "another method": lambda e: e.update(tree="c" + e["tree"][1:] if e["tree"][0] == "i" else e["tree"].replace("i", "c")),
    "another field": lambda e: e.update(more=1),
    "no field": lambda e: e.pop("bits"),
}


@pytest.mark.parametrize("name", EDITS)
def test_edits_are_found(settled, name):
    claim, document = settled
    with pytest.raises(CertificateError):
        replay(edited(document, EDITS[name]), claim)


def test_a_certificate_does_not_settle_a_wider_claim(settled):
    with pytest.raises(CertificateError):
        replay(settled[1], claim_on(1, 70))


# --- the bounds of replay, against values computed otherwise -----------------------------------------------------------


def two_points(rate, share):
    """A mean-zero u that is −rate with probability `share`: its moments, and log E[(1+u)^α]."""
    other = rate * share / (1 - share)
    moments = [mp.mpf(share) * (-mp.mpf(rate)) ** j + (1 - mp.mpf(share)) * mp.mpf(other) ** j for j in range(13)]
    return moments, lambda alpha: mp.log(share * (1 - mp.mpf(rate)) ** alpha + (1 - share) * (1 + mp.mpf(other)) ** alpha)


@pytest.mark.parametrize("order", [Fraction(k, 8) for k in range(17, 80, 5)])
@pytest.mark.parametrize(("rate", "share"), [(0.25, 0.5), (0.25, 0.98), (0.75, 0.9), (0.9375, 0.999), (0.01, 0.1)])
def test_the_bound_by_moments_is_never_below_the_truth(order, rate, share):
    checker = _Checker(Fraction(1), Fraction(16), Fraction(1), False)
    with mp.workdps(40):
        moments, truth = two_points(rate, share)
        inside = [checker.iv.mpf(mp.nstr(m, 35)) for m in moments]
        alpha = mp.mpf(order.numerator) / order.denominator
        exact = truth(alpha) / (alpha * (alpha - 1))
        short, ample = (checker.iv.mpf(mp.nstr(exact * (1 + relative), 35)) for relative in (mp.mpf(-1) / 10**9, mp.mpf(1)))
        assert not checker._moments_hold(order, order, short, inside, checker.iv.mpf(rate))
        assert checker._moments_hold(order, order, ample, inside, checker.iv.mpf(rate)) or rate > 0.5


def test_the_remainder_of_an_even_order_needs_its_factor():
    """With u = −q often enough, the last term without 1/(1−q) lies below the truth: a bound that forgets it is wrong."""
    rate, share, alpha = mp.mpf(15) / 16, mp.mpf(3) / 10, mp.mpf(7) / 2
    moments, truth = two_points(rate, share)
    forgotten = sum(mp.binomial(alpha, j) * moments[j] for j in range(2, 5))
    assert forgotten < mp.exp(truth(alpha)) - 1 < forgotten + mp.binomial(alpha, 4) * moments[4] * rate / (1 - rate)


def test_the_moments_of_replay_are_those_of_the_sampled_gaussian():
    checker = _Checker(Fraction(1), Fraction(16), Fraction(1), False)
    noise, rate = mp.mpf(3) / 4, mp.mpf(1) / 16
    found = checker._moments(5, checker.iv.mpf(noise), checker.iv.mpf(rate))
    for j in range(6):
        value = mp.quad(lambda z: (rate * (mp.exp(noise * z - noise**2 / 2) - 1)) ** j * mp.npdf(z), [-12, -4, 0, 4, 8, 20])  # noqa: B023
        assert abs(value - mp.mpf(found[j].mid)) < mp.mpf(10) ** -12


@pytest.mark.parametrize("add", [False, True])
@pytest.mark.parametrize(
    ("s", "least"), [((0, Fraction(1, 2)), 3), ((Fraction(1, 2), Fraction(5, 8)), 4), ((Fraction(5, 8), Fraction(21, 32)), Fraction(9, 2))]
)
def test_the_integral_of_replay_is_not_below_its_integrand(add, s, least):
    checker = _Checker(Fraction(1), Fraction(16), Fraction(1), add)
    high = checker.number(Fraction(s[1]))
    bound = checker.expectation(s, checker.number(Fraction(least)), checker.iv.exp(-checker.number(Fraction(least))) * high)
    for share in (0, mp.mpf(1) / 3, 1):
        noise = float(s[0]) + share * (float(s[1]) - float(s[0]))
        beta = float(least) * mp.exp(-float(least))

        def integrand(z, noise=noise, beta=beta):
            x = (mp.expm1(noise * z - noise**2 / 2) / noise) if noise else z
            exponent = beta * max(-x, 0) if add else (min(beta * x, z + z * z / 4) if x > 0 else 0)
            return x**2 * mp.exp(exponent) * mp.npdf(z) / 2

        truth = mp.quad(integrand, [-20, -8, -4, -1, 0, 1, 2, 4, 8, 16, 30])
        assert truth <= mp.mpf(bound.b) <= 3 * truth
