"""Koskela, Jälkö & Honkela 2020, §6.1: after any number of steps removing a record shows at least as much as adding it.

The theorem and its proof are in docs/removing-against-adding.md. For any mixture P of N(m, Σ) against Q = N(0, Σ), in any dimension,

    δ of Q against P  ≤  δ of Gaussian noise with the same δ(0)  ≤  δ of P against Q        at every ε ≥ 0.

k steps of sampled Gaussian noise are such a pair, as are random allocation and sampled matrix mechanisms. The proof has four parts:

1. log(dP/dQ) is convex: it is the logarithm of a sum of exponentials of linear functions (`convex`).
2. By Ehrhard's inequality (cited) it has under Q the law of T(Z), T convex and rising, Z ~ N(0, 1).
3. T minus a line has at most two zeros, so that δ of P against Q and δ of a shift by μ change order at most once, in ε over all reals.
   So the μ at which the two are equal rises with ε.
4. A shift has the same δ either way (`shift`), and δ(−ε) of one direction is δ(ε) of the other.

A second route needs no Ehrhard, and a premise: the density of the loss of each step is log-concave. It is so for
(1 − q)/q ≤ e^{2 − 3/(2σ²)}: with r = e^y, x = log(1 − q + qr) and y ~ N(−v/2, v), v = 1/σ², its second logarithmic derivative in x is
u(u − 1)(y/v + 3/2) − u²/v, u = dy/dx = 1 + e^{−y}(1 − q)/q, and that it is at most 0 is `log-concave`.
"""

from dpbounds.notation import *

source = Source("koskela2020.every-number", "§6.1, last sentence, after any number of steps")

i, n = index("i"), positive_integer("n")
over = (i, 1, n)
weights, (x, y) = family("w", "positive"), (family(name, "real") for name in "xy")

def mixture(exponent):
    """Σ w_i e^{exponent}."""
    return Sum(weights[i] * exp(exponent), over)

first, middle, last = mixture(x[i]), mixture((x[i] + y[i]) / 2), mixture(y[i])

def cauchy_and_schwarz(proof):
    """Σ w_i (e^{x_i/2}Σ_y − e^{y_i/2}Σ_m)² ≥ 0, for any values of the two sums."""
    b, c = positive("b c")
    square = weights[i] * (exp(x[i] / 2) * c - exp(y[i] / 2) * b) ** 2
    term = rules.restate(rules.le(2 * b * c * weights[i] * exp((x[i] + y[i]) / 2),
        c**2 * weights[i] * exp(x[i]) + b**2 * weights[i] * exp(y[i])), rules.nonnegative(square))
    added = rules.instance(rules.sum_termwise(term, over), {b: middle, c: last})
    return proof("divided by the last sum", rules.restate(rules.le(middle**2, first * last), rules.scale(added, 1 / last)))

convex = source.claim(
    "The logarithm of a sum of exponentials is convex: at the middle of two points it is at most the mean.",
    rules.le(middle**2, first * last), Proof(cauchy_and_schwarz),
    mutant=(rules.le(middle**2, Rational(99, 100) * first * last), {n: 1, weights: (1,), x: (0,), y: (0,)}),
    example={n: 1, weights: (1,), x: (0,), y: (1,)})

epsilon, mu = real("epsilon"), positive("mu")

def call(at):
    """E(e^{μZ − μ²/2} − e^t)₊ at t."""
    return NormalCDF(mu / 2 - at / mu) - exp(at) * NormalCDF(-mu / 2 - at / mu)

shift = source.claim(
    "Gaussian noise has one delta for removing and adding, at every real epsilon.",
    rules.eq(call(epsilon), 1 - exp(epsilon) + exp(epsilon) * call(-epsilon)),
    mutant=(rules.eq(call(epsilon), exp(epsilon) * call(-epsilon)), {epsilon: 1, mu: 1}))

odds, v, (place, t) = positive("c"), positive("v"), real("y t")
few = rules.le(odds, exp(2 - 3 * v / 2))

def tangent(proof):
    """1 + t ≤ e^t at t = y + 3v/2 − 2."""
    at = place + 3 * v / 2 - 2
    line = rules.scale(rules.instance(rules.convex_tangent(exp(t), t, 0), {t: at}), odds)
    rate = rules.scale(rules.hypothesis(few), exp(at))
    return proof("the tangent", rules.restate(rules.le(odds * (place + 3 * v / 2 - 1), exp(place)), rules.add(line, rate)))

log_concave = source.claim(
    "The density of the loss of a step is log-concave if (1 - q)/q <= e^(2 - 3/(2 sigma^2)).",
    [few], rules.le(odds * (place + 3 * v / 2 - 1), exp(place)), Proof(tangent),
    mutant=([rules.le(odds, Rational(21, 20) * exp(2 - 3 * v / 2))], rules.le(odds * (place + 3 * v / 2 - 1), exp(place)),
        {odds: Rational(21, 20) * sqrt(E), v: 1, place: "1/2"}),
    note="c = (1 - q)/q, v = 1/sigma^2.")

# --- the noise between, at some settings ----------------------------------------------------------------------------

VALUES = (Rational(1, 10), 1, 3)
"""Those of ε at which the three are compared."""

# Noise with a slightly larger δ(0), noise with a slightly smaller one: what is run.
SETTINGS = {
    "sampled~1": (3.93312, 3.93313, {"sigma": "7/10", "q": "1/1000", "steps": 10_000}),
    "sampled~2": (2.460686, 2.460687, {"sigma": "1", "q": "1/100", "steps": 1000}),
    "sampled~3": (1.880718, 1.880719, {"sigma": "2", "q": "1/100", "steps": 10_000}),
    "sampled~4": (0.635925, 0.635926, {"sigma": "1", "q": "1/2", "steps": 10}),
    "allocated~1": (2.60838, 2.60839, {"sigma": "1", "sampling": "random-allocation", "bins": 10}),
    "allocated~2": (2.10357, 2.10358, {"sigma": "1/2", "sampling": "random-allocation", "bins": 100}),
}

def between(name: str, more: str, less: str, run: dict) -> Claim:
    """Adding a record, noise with the same δ(0), removing a record: in this order."""
    def delta(value, direction):
        return mechanism_delta(value, direction=direction, **run)

    low, high = Rational(str(more)), Rational(str(less))
    same = [GaussianDelta(0, high) < delta(0, "remove"), delta(0, "remove") < GaussianDelta(0, low)]
    order = [part for value in VALUES for part in (
        delta(value, "add") < GaussianDelta(value, high), GaussianDelta(value, low) < delta(value, "remove"))]
    words = ", ".join(f"{part} = {value}" for part, value in run.items())
    return source.claim(
        f"{words}: at epsilon = 1/10, 1, 3 delta of adding a record < delta of Gaussian noise "
        "with the same delta(0) < delta of removing it.",
        And(*same, *order), Boxes(),
        mutant=(delta(1, "remove") < GaussianDelta(1, low), {}),
        id=f"between.{name}")

settings = [between(name, *setting) for name, setting in SETTINGS.items()]
