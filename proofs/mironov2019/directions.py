"""Mironov, Talwar & Zhang 2019, Theorem 5: is the Rényi divergence of removing a record the larger one for other noise too?

Published accountants that use one direction for sampled noise of other kinds rest on it. The proof for Gaussian noise needs only that a
reflection exchanges the two densities (`dpbounds.theory.sampling.directions`), so it holds for Laplace noise.
"""

from dpbounds.notation import *
from dpbounds.theory.sampling import directions as theory

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

# --- discrete laws -------------------------------------------------------------------------------------------------

order, r, sigma = theory.ALPHA, theory.RATE, theory.SIGMA
i, n = index("i"), positive_integer("n")

def moments(first, second):
    """The terms of both directions at one outcome and its mirror image, where first and second change places: add, remove."""
    s, u = r * first + (1 - r) * second, r * second + (1 - r) * first
    pairs = ((second, s), (first, u)), ((s, second), (u, first))
    return [sum(x**order * y ** (1 - order) for x, y in pair) for pair in pairs]

def compared(first, second, over):
    """The sums of both directions, add below remove."""
    return rules.le(*(Sum(term, over) for term in moments(first, second)))

def summed(first, second, over):
    """The inequality at every outcome and its mirror image, summed."""
    def steps(proof):
        everywhere = theory.pointwise(proof)
        term = proof("at an outcome and its mirror image", theory.at_both_images(everywhere, first, second))
        return proof("sum over the outcomes", rules.sum_termwise(term, over))
    return Proof(steps)

a, c = family("a", "positive"), family("c", "positive")
finite = (i, 1, n)
directions__discrete = source.at("Theorem 5, for discrete noise").claim(
    "any pair on finitely many outcomes that a reflection exchanges: the moment of the remove direction is at least that of "
    "the add direction.",
    [order > 1, r < 1], compared(a[i], c[i], finite), summed(a[i], c[i], finite),
    mutant=(rules.le(*(Sum(term, finite) for term in moments(a[i], c[i])[::-1])),
        {order: 2, r: "1/2", n: 1, a: ("2/3",), c: ("1/3",)}),
    note="The outcomes are i and their mirror images; (a, c) at the image is (c, a) at i. An outcome that is its own image "
    "has a = c and adds the same to both.")

centred, shifted = exp(-(i**2) / (2 * sigma**2)), exp(-((i - 1) ** 2) / (2 * sigma**2))
line_of_integers = (i, 1, oo)
directions__discrete_gaussian = source.at("Theorem 5, for discrete Gaussian noise").claim(
    "Sampled discrete Gaussian noise: the moment of the remove direction is at least that of the add direction, "
    "at every real order.",
    [order > 1, r < 1], compared(shifted, centred, line_of_integers), summed(shifted, centred, line_of_integers),
    mutant=(rules.le(*(Sum(term, line_of_integers) for term in moments(shifted, centred)[::-1])),
        {order: 2, r: "1/2", sigma: 1}),
    uses=[directions__discrete],
    note="Sums over all integers, i with 1 - i; both are theta(sigma) = sum of exp(-x^2/(2 sigma^2)) times the moments.")
