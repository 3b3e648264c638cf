"""Mironov, Talwar & Zhang 2019, Theorem 5: is the Rényi divergence of removing a record the larger one for other noise too?

Published accountants that use one direction for sampled noise of other kinds rest on it. The proof for Gaussian noise needs only that a
reflection exchanges the two densities (`dpbounds.theory.sampling.directions`), so it holds for Laplace noise.
"""

from sympy import Rational

from dpbounds import HOLDS, Claim, Counterexample, Mutant, Proof, mechanism_renyi
from dpbounds.language.functions import RenyiDivergence, laplace_density
from dpbounds.theory.sampling import directions as theory

alpha, q, b = theory.ALPHA, theory.RATE, theory.SIGMA
without, other = laplace_density(theory.OUTPUT, 0, b), laplace_density(theory.OUTPUT, 1, b)
sampled = q * other + (1 - q) * without

laplace = Claim(
    id="mironov2019.directions.laplace",
    source=("mironov2019", "Theorem 5, for Laplace noise"),
    text="Laplace noise of scale sigma, sampled at rate q: the Rényi divergence of the remove direction is at least that of the add"
    " direction, at every real order alpha > 1.",
    given=[alpha > 1, q < 1],
    then=RenyiDivergence(alpha, without, sampled, theory.OVER) <= RenyiDivergence(alpha, sampled, without, theory.OVER),
    expect=HOLDS,
    by=Proof("remove-above-add-laplace"),
    mutant=Mutant(
        mechanism_renyi(alpha, laplace_scale=b, q=q, direction="remove")
        <= Rational(101, 100) * mechanism_renyi(alpha, laplace_scale=b, q=q, direction="add"),
        by=Counterexample({alpha: 2, b: 1, q: "1/2"}),
    ),
    note="Divergences add, so the order stays after any number of steps.",
)
