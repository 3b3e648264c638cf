"""Mironov, Talwar & Zhang 2019, Theorem 5: is the Rényi divergence of removing a record the larger one for other noise too?

Published accountants that use one direction for sampled noise of other kinds rest on it. The proof for Gaussian noise needs only that a
reflection exchanges the two densities (`dpbounds.theory.sampling.directions`), so it holds for Laplace noise.
"""

from dpbounds.notation import *

source = Source("mironov2019", "Theorem 5, for Laplace noise")

(alpha, q, b), y = positive("alpha q sigma"), real("y")
without, other = laplace_density(y, 0, b), laplace_density(y, 1, b)
line = (y, -oo, oo)
sampled = q * other + (1 - q) * without

directions__laplace = source.claim(
    "Sampled Laplace noise: the remove direction has at least the divergence of the add direction.",
    [alpha > 1, q < 1],
    RenyiDivergence(alpha, without, sampled, line) <= RenyiDivergence(alpha, sampled, without, line),
    Proof("remove-above-add-laplace"),
    mutant=(mechanism_renyi(alpha, laplace_scale=b, q=q, direction="remove")
        <= Rational(101, 100) * mechanism_renyi(alpha, laplace_scale=b, q=q, direction="add"),
        {alpha: 2, b: 1, q: "1/2"}),
    note="Divergences add, so the order stays after any number of steps.")
