"""Statements about μ-GDP and hidden states, in the shorthands of the claim language; each has a mutant."""

from fractions import Fraction

import pytest

from dpbounds import Claim, Selection, Verdict, accounting, settle
from dpbounds.hidden_state.bounds import HiddenState
from dpbounds.language.functions import expand_quantities
from dpbounds.language.typed.bridge import to_sympy
from dpbounds.logic import gaussian_family
from dpbounds.logic.definitions import DEFINITIONS
from dpbounds.logic.gaussian_family import (
    SHORTHANDS,
    contracted_mu,
    gaussian_tradeoff,
    hidden_state_mu,
    permute_and_flip_delta,
    projected_mu,
    range_bounded_delta,
)
from dpbounds.logic.notation import Rational, positive, sqrt

c, s, sigma, d, m, t, mu, alpha, epsilon, eta = positive("c s sigma d m t mu alpha epsilon eta")
TRIED = {
    "a run forgets": ([c < 1, t >= 1], lambda f: hidden_state_mu(c, 1, 1, t) <= f * sqrt((1 + c) / (1 - c)), Rational(9, 10)),
    "projected runs have a least bound": ([], lambda f: f * projected_mu(d, s, sigma, m) ** 2 >= 4 * d * s / sigma**2, Rational(9, 10)),
    "a contraction adds nothing": (
        [c < 1, m >= 1, d <= 1 / (1 - c)],
        lambda f: contracted_mu(d, 1, 1, c, 1) <= f / (1 - c),
        Rational(9, 10),
    ),
    "a bounded range is better than exponential noise": (
        [epsilon <= eta],
        lambda f: range_bounded_delta(epsilon, eta) <= f * permute_and_flip_delta(epsilon, eta),
        Rational(9, 10),
    ),
    "no test is worse than a coin": ([alpha < 1], lambda f: gaussian_tradeoff(alpha, mu) <= f * (1 - alpha), Rational(1, 2)),
}


@pytest.mark.parametrize("name", TRIED)
def test_statements_are_certified_and_their_mutants_refuted(name):
    premises, statement, wrong = TRIED[name]
    assert settle(Claim(then=statement(Rational(1)), given=premises)).verdict is Verdict.CERTIFIED
    assert settle(Claim(then=statement(wrong), given=premises)).verdict is Verdict.REFUTED


@pytest.mark.parametrize("entry", SHORTHANDS, ids=lambda entry: entry.name)
def test_entries_say_what_is_written_out(entry):
    names = [str(part) for part in entry.left.args]
    made = to_sympy(getattr(gaussian_family, entry.name)(*positive(" ".join(names))))
    values = {name: Fraction(2 + k, 7) for k, name in enumerate(names)}
    here, there = (
        expression.subs({symbol: values[symbol.name] for symbol in expression.free_symbols}).evalf(15)
        for expression in (expand_quantities(made), expand_quantities(to_sympy(entry.right)))
    )
    assert abs(here - there) <= 1e-12
    assert entry.name not in {known.name for known in DEFINITIONS}


def test_they_are_the_numbers_of_the_command():
    run = HiddenState("0.9", 2, 3, 7)
    written = to_sympy(hidden_state_mu(Rational(9, 10), 2, 3, 7)).evalf(20)
    assert abs(run.mu(15).upper_float - float(written)) <= 1e-14
    bound = HiddenState(1, 1, 2, 100, 3, "1/4")
    best = min(float(to_sympy(projected_mu(12, 1, 2, k)).evalf()) for k in range(1, 101))
    assert abs(bound.mu(12).upper_float - best) <= 1e-10 and bound.diameter / bound.step_size == Fraction(12)


def test_more_shorthands_say_what_is_computed():
    run, bound = HiddenState("9/10", 1, 2, 50, 3, "1/4"), HiddenState("9/10", 1, 2, 50)
    best = min(float(to_sympy(contracted_mu(12, 1, 2, Rational(9, 10), k)).evalf()) for k in range(1, 51))
    assert abs(run.mu(12).upper_float - min(best, bound.mu(12).upper_float)) <= 1e-10
    for kind, written in (("noisy-max", range_bounded_delta), ("permute-and-flip", permute_and_flip_delta)):
        value = accounting.delta(Selection(kind, "1.5"), "0.3").enclosure
        assert abs(value.upper_float - float(to_sympy(written(Rational(3, 10), Rational(3, 2))).evalf(20))) <= 1e-14
