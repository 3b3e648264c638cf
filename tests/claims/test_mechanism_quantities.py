"""δ(ε) and D_α of mechanisms inside statements, with symbols for their parameters."""

import random
from fractions import Fraction

import pytest
import sympy
from sympy import Rational, exp, log

from dpbounds import Claim, Gaussian, InputError, Laplace, Mutant, Verdict, mechanism_delta, mechanism_renyi, settle
from dpbounds.claims.evidence.replay import replay
from dpbounds.language.enclose import enclose
from dpbounds.language.symbols import nonnegative, positive, positive_integer

epsilon, q = nonnegative("epsilon q")
b, sigma, alpha = positive("b sigma alpha")
n = positive_integer("n")
CLOSED = [
    {"laplace_scale": b},
    {"laplace_scale": b, "q": q},
    {"randomized_response": b},
    {"randomized_response": b, "answers": 3},
    {"randomized_response": b, "q": q, "answers": 3},
    {"sigma": b},
]


def at(part, point):
    return {key: point.get(value, value) if isinstance(value, sympy.Symbol) else value for key, value in part.items()}


@pytest.mark.parametrize("part", CLOSED, ids=lambda part: "-".join(part))
@pytest.mark.parametrize("direction", ["remove", "add", "worst"])
def test_closed_forms_agree_with_the_accounting_engine(part, direction):
    rng = random.Random(str(part))
    for _ in range(4):
        point = {b: Fraction(rng.randint(3, 40), 10), q: Fraction(rng.randint(1, 9), 10)}
        eps = Fraction(rng.randint(0, 20), 10)
        delta = mechanism_delta(epsilon, direction=direction, **part)
        known = enclose(mechanism_delta(epsilon, direction=direction, **at(part, point)), {epsilon: eps})
        assert delta.elementary() is not None and enclose(delta, {**point, epsilon: eps}).overlaps(known)
        for order in (1, Rational(3, 2), 5) if "q" not in part else ():
            renyi = mechanism_renyi(order, direction=direction, steps=n, **part)
            known = enclose(mechanism_renyi(order, direction=direction, steps=3, **at(part, point)), {})
            assert renyi.elementary() is not None and enclose(renyi, {**point, n: 3}).overlaps(known)


BOXED = [
    ({"laplace_scale": b, "q": q, "steps": n}, {b: (1, 2), q: (Fraction(1, 10), Fraction(1, 2)), n: (1, 2)}),
    ({"sigma": b, "q": q, "steps": n}, {b: (1, 2), q: (Fraction(1, 10), Fraction(1, 2)), n: (1, 4)}),
    ({"discrete_laplace": b, "steps": 2}, {b: (1, 3)}),
    ({"epsilon_delta": b, "failure": "0.001", "steps": 2}, {b: (Fraction(1, 2), 1)}),
    (
        {"sigma": b, "sampling": "with-replacement", "population": 9, "batch_size": 2, "guarantee": "pair", "relation": "substitute"},
        {b: (1, 3)},
    ),
]


@pytest.mark.parametrize(("part", "box"), BOXED, ids=lambda row: "-".join(map(str, row)))
def test_a_box_holds_the_values_at_its_points(part, box):
    rng = random.Random(7)
    wide = enclose(mechanism_delta(epsilon, **part), {epsilon: (Fraction(1, 4), 1), **box})
    assert 0 <= wide.lower < wide.upper <= 1
    seen = []
    for _ in range(3):
        point = {
            v: rng.randint(low, high) if v.is_integer else low + (high - low) * Fraction(rng.randint(0, 8), 8)
            for v, (low, high) in box.items()
        }
        eps = Fraction(rng.randint(2, 8), 8)
        value = enclose(mechanism_delta(eps, **at(part, point)), {})
        seen.append(value)
        assert wide.lower <= value.upper and value.lower <= wide.upper
        assert wide.lower <= value.lower + Fraction(1, 10**9) and value.upper <= wide.upper + Fraction(1, 10**9)
    assert max(v.lower for v in seen) > 0


CLAIMS = [
    Claim(
        id="laplace-privacy",
        text="",
        given=[epsilon <= b],
        then=mechanism_delta(epsilon, laplace_scale=1 / b) <= 1 - exp((epsilon - b) / 2),
        mutant=Mutant(mechanism_delta(epsilon, laplace_scale=1 / b) <= Rational(99, 100) * (1 - exp((epsilon - b) / 2))),
    ),
    Claim(
        id="laplace-kl",
        text="",
        then=mechanism_renyi(1, laplace_scale=b) <= 1 / (2 * b**2),
        mutant=Mutant(mechanism_renyi(1, laplace_scale=b) <= Rational(49, 100) / b**2),
    ),
    Claim(
        id="gaussian-composition",
        text="",
        given=[alpha > 1],
        then=mechanism_renyi(alpha, sigma=sigma, steps=n) <= n * alpha / (2 * sigma**2),
        mutant=Mutant(mechanism_renyi(alpha, sigma=sigma, steps=n) <= n * alpha / (2 * sigma**2) - Rational(1, 10**6)),
    ),
    Claim(
        id="sampled-laplace",
        text="",
        given=[b >= 1, b <= 2, q >= Rational(1, 100), q <= Rational(1, 2)],
        then=mechanism_delta(log(1 + q * (exp(1 / b) - 1)), laplace_scale=b, q=q, direction="remove") <= Rational(1, 10),
        mutant=Mutant(mechanism_delta(log(1 + q * (exp(1 / b) - 1)) / 2, laplace_scale=b, q=q, direction="remove") <= 0),
    ),
    Claim(
        id="sampled-steps",
        text="",
        given=[sigma >= 4, sigma <= 5, n <= 3],
        then=mechanism_delta(1, sigma=sigma, q="0.1", steps=n) <= Rational(1, 10**6),
        mutant=Mutant(mechanism_delta(1, sigma=sigma / 4, q="0.1", steps=n) <= Rational(1, 10**6)),
    ),
    Claim(
        id="sampled-kl",
        text="",
        given=[b >= 1, b <= 2, q <= Rational(1, 2)],
        then=mechanism_renyi(1, laplace_scale=b, q=q) <= Rational(1, 5),
        mutant=Mutant(mechanism_renyi(1, laplace_scale=b, q=q) <= Rational(1, 100)),
    ),
    Claim(
        id="published-pair",
        text="",
        given=[sigma >= 2, sigma <= 3],
        then=mechanism_delta(1, sigma=sigma, sampling="without-replacement", q="0.1", guarantee="pair") <= Rational(1, 50),
        mutant=Mutant(mechanism_delta(0, sigma=sigma, sampling="without-replacement", q="0.1", guarantee="pair") <= Rational(1, 50)),
    ),
]


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_claims_and_their_false_twins(claim):
    outcome = settle(claim, budget=10)
    assert (outcome.verdict, outcome.mutant.verdict) == (Verdict.CERTIFIED, Verdict.REFUTED), outcome.detail
    assert replay(outcome.certificate, claim).verdict is Verdict.CERTIFIED


def test_what_rests_on_the_engine_is_counted():
    outcome = settle(CLAIMS[-2], budget=10)
    assert outcome.evidence[0].engine > 0


def test_a_value_outside_of_the_range_of_a_parameter_decides_nothing():
    claim = Claim(id="wide", text="", given=[q <= 2], then=mechanism_delta(1, sigma=1, q=q) <= 1)
    assert settle(claim, budget=5).verdict is Verdict.UNDECIDED


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"discrete_gaussian": b}, "not known that the privacy of DiscreteGaussianPair is monotone"),
        ({"sigma": 1, "sampling": "random-allocation", "bins": n}, "bins cannot be an expression"),
        ({"sigma": b, "sampling": "without-replacement", "q": "0.1"}, 'guarantee="pair"'),
        ({"laplace_scale": b, "relation": "substitute", "q": q}, "known for Gaussian noise only"),
        ({"laplace_scale": "@0"}, "must be a number or an expression"),
        ({}, "give a mechanism, or its parameters"),
        ({"mechanism": Gaussian(1), "sigma": 2}, "not both"),
    ],
)
def test_what_has_no_meaning_is_refused_by_name(arguments, words):
    with pytest.raises(InputError, match=words):
        mechanism_delta(epsilon, **arguments)


def test_the_closed_form_at_epsilon_0():
    assert enclose(mechanism_delta(0, sigma=sigma), {sigma: 1}).overlaps(enclose(mechanism_delta(0, sigma=1), {}))


def test_mechanisms_with_numbers_are_written_as_before():
    assert str(mechanism_delta(1, Laplace(2)).args[1]) == '[{"laplace-scale": "2"}]'
    assert len(mechanism_renyi(2, Gaussian("0.5")).args) == 3


@pytest.mark.parametrize("run", [{"epochs": 3}, {"records": 10, "batch": 1}, {"q": "0.1", "epochs": 2, "rounding": "ceil"}])
def test_steps_that_a_rounding_decides_are_no_part_of_a_claim(run):
    with pytest.raises(InputError, match="a claim takes q and steps"):
        mechanism_delta(1, **{"sigma": 1, "q": nonnegative("q"), **run})
