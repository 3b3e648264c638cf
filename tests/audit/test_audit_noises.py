"""Noises with a file of their own under audit: a right accountant of Skellam noise, and one that forgets a step."""

import math

import pytest

from dpbounds.audit.adapter import UPPER, Adapter, Selftest, description_of
from dpbounds.audit.grids import own_noises, questions_of
from dpbounds.audit.judge import AnswerOutcome
from dpbounds.audit.run import Settings, adapters_of, audit_of
from dpbounds.audit.schedule import QuestionSchedule


def bessel(n, v):
    """e^{−v}·I_n(v) by its series, in floats."""
    term, total, m = math.exp(-v + n * math.log(v / 2) - math.lgamma(n + 1)), 0.0, 0
    while term > total * 1e-18 or m < v:
        total += term
        term *= v * v / 4 / ((m + 1) * (n + m + 1))
        m += 1
    return total


class Skellam(Adapter):
    """δ of one use from the masses, a little above."""

    name = "own.skellam"
    guarantee = {"delta": UPPER}
    source = {"delta": "an upper bound"}
    selftest = (Selftest("delta", ({"skellam": 2.0, "steps": 1},), 0.3, 0.1875460956, 1e-6, "docs/add-a-noise.md"),)
    noises = ("skellam",)
    forgets = False

    def delta(self, spec, epsilon):
        (part, *others) = spec
        if others or "skellam" not in part or "q" in part or (part["steps"] > 1 and not self.forgets):
            return None
        v = part["skellam"]
        masses = [bessel(n, v) for n in range(int(v + 12 * math.sqrt(v) + 40))]
        total = sum(max(0.0, masses[abs(x - 1)] - math.exp(epsilon) * masses[abs(x)]) for x in range(2 - len(masses), len(masses)))
        return total * (1 + 1e-9) + 1e-12


class Forgetful(Skellam):
    """Counts every use once."""

    name = "own.forgetful"
    forgets = True


def settings(**options):
    return Settings(**{"grid": ("noises",), "budget": 2.0, "seconds": 2.0, "related": False, "questions": 12, "findings": 1} | options)


@pytest.mark.parametrize("name", ["skellam", "forgetful"])
def test_an_accountant_of_such_a_noise_is_audited(name, inside, certified):
    (adapter,) = [each for each in adapters_of(__file__) if each.name == f"own.{name}"]
    found = audit_of(__file__, adapter, settings(), certified=certified)
    assert found.selftest == ""
    assert found.rows
    assert (found.count(AnswerOutcome.UNSOUND) > 0) is (name == "forgetful")


def test_others_are_not_asked():
    names = {question.family for _, question in zip(range(60), questions_of("noises", 1), strict=False)}
    assert names == set(own_noises()) >= {"skellam", "discrete-gaussian", "discrete-laplace"}
    asked = QuestionSchedule(("noises",), 1, ("delta",), description_of(Skellam()))
    assert {asked.next()[1].family for _ in range(30)} == {"skellam"}

    class Silent(Skellam):
        noises = ()

    assert QuestionSchedule(("noises",), 1, ("delta",), description_of(Silent())).next() is None
