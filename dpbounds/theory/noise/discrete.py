"""Randomized response: its Rényi divergence is a finite sum."""

from __future__ import annotations

from sympy import Tuple, exp, log

from dpbounds.language.functions import RenyiDivergence
from dpbounds.language.symbols import nonnegative
from dpbounds.prover import rules
from dpbounds.prover.derivation import ProofSteps, recipe
from dpbounds.prover.facts import Fact
from dpbounds.theory.noise.gaussian import ALPHA

EPSILON = nonnegative("epsilon")


@recipe("randomized-response-renyi", "Rényi divergence of randomized response", "Mironov 2017, Proposition 5")
def randomized_response_renyi(proof: ProofSteps) -> Fact:
    """D_α = log((e^{αε} + e^{(1−α)ε})/(1 + e^ε))/(α−1), for α > 1."""
    given = [ALPHA > 1]
    truth = exp(EPSILON) / (1 + exp(EPSILON))
    lie = 1 / (1 + exp(EPSILON))
    quantity = RenyiDivergence(ALPHA, Tuple(truth, lie), Tuple(lie, truth))
    closed = log((exp(ALPHA * EPSILON) + exp((1 - ALPHA) * EPSILON)) / (1 + exp(EPSILON))) / (ALPHA - 1)
    defined = proof("definition", rules.definition(quantity, given))
    result = proof("the two outcomes", rules.chain(defined, rules.equality(quantity.definition(), closed, given)))
    proof.formula(closed, ALPHA, EPSILON)
    return result
