"""δ(ε) as a mean over the privacy loss, for the composition of two steps, and the pair of sampling under substitution.

    Σ max(pK − e^ε qL, 0) = Σ pK·max(1 − e^{ε−s−t}, 0),      s = log(p/q), t = log(K/L):

the losses of the steps add, so that the law of the total loss is the convolution of the laws of the single losses. K and L may depend on
the first output; with more steps, p and q are the laws of all outputs but the last.
"""

from __future__ import annotations

from sympy import Expr, Lambda, Max, Rational, Sum, Symbol, exp, log, oo, sqrt

from dpbounds.language.functions import HockeyStick, normal_density
from dpbounds.language.symbols import family, positive, real
from dpbounds.prover import rules
from dpbounds.prover.derivation import ProofSteps, recipe
from dpbounds.prover.facts import Fact
from dpbounds.theory.conversion.approximate import FIRST_OVER, OVER, above, h, y
from dpbounds.theory.noise.gaussian import OUTPUT

SOURCE = "Koskela, Jälkö & Honkela 2020"
EPSILON = real("epsilon")
P, Q, K, L = (family(name, "positive") for name in ("p", "q", "K", "L"))
LOSSES = log(P[h] / Q[h]) + log(K[h, y] / L[h, y])


@recipe(
    "convolved-losses", "δ(ε) of a composition from the sum of the privacy losses", f"{SOURCE}, Theorem 6; Sommer et al. 2019, Theorem 1"
)
def convolved_losses(proof: ProofSteps) -> Fact:
    """Σ_h Σ_y max(pK − e^ε qL, 0) = Σ_h Σ_y pK·max(1 − e^{ε−s−t}, 0), in two inequalities."""
    weight, other = P[h] * K[h, y], Q[h] * L[h, y]
    excess, share = weight - exp(EPSILON) * other, 1 - exp(EPSILON - LOSSES)
    same = proof("the total loss is s + t", rules.equality(excess, weight * share))
    stick, mean = Max(excess, 0), Max(share, 0)
    up = rules.restate(rules.le(excess, weight * mean), rules.scale(above(share), weight), using=[same])
    one = rules.maximum(up, rules.nonnegative(weight * mean))
    down = rules.restate(rules.le(share, stick / weight), rules.scale(above(excess), 1 / weight), using=[same])
    two = rules.scale(rules.maximum(down, rules.nonnegative(stick / weight)), weight)
    two = rules.restate(rules.le(weight * mean, stick), two)
    sums = [rules.sum_termwise(rules.sum_termwise(fact, OVER), FIRST_OVER) for fact in (one, two)]
    left, right = Sum(stick, OVER, FIRST_OVER), Sum(weight * mean, OVER, FIRST_OVER)
    both = [rules.restate(goal, fact) for goal, fact in zip((rules.le(left, right), rules.le(right, left)), sums, strict=True)]
    return proof("outcome by outcome", rules.conjunction(*both))


# --- the pair of §6.2 ----------------------------------------------------------------------------------------------

SIGMA, RATE = positive("sigma q")
LOSS = real("s")
GIVEN = (RATE < 1,)


def pair(at: Expr = OUTPUT) -> tuple[Expr, Expr]:
    """qN(1,σ²)+(1−q)N(0,σ²) and qN(−1,σ²)+(1−q)N(0,σ²)."""
    middle = (1 - RATE) * normal_density(at, 0, SIGMA)
    return RATE * normal_density(at, 1, SIGMA) + middle, RATE * normal_density(at, -1, SIGMA) + middle


@recipe("substitution-symmetric", "The pair of sampling under substitution has one δ in both directions", f"{SOURCE}, §6.2")
def substitution_symmetric(proof: ProofSteps) -> Fact:
    """δ_ε of the pair is δ_ε of the pair swapped: a reflection at 0 exchanges the two densities."""
    upper, lower = pair()
    over = (OUTPUT, -oo, oo)
    sticks = [HockeyStick(EPSILON, *laws, over) for laws in ((upper, lower), (lower, upper))]
    meaning = [rules.definition(stick, GIVEN) for stick in sticks]
    integrands = [stick.definition().function for stick in sticks]
    mirror = proof("reflect at 0", rules.reflect_integral(integrands[0], OUTPUT, 0, GIVEN))
    same = rules.integrate_termwise(rules.equality(mirror.rhs.function, integrands[1], GIVEN), over)
    return proof("the two densities change places", rules.chain(meaning[0], mirror, same, meaning[1], given=GIVEN))


def _densities_at(place: Expr) -> tuple[Expr, Expr]:
    """Both densities divided by that of N(0,σ²)."""
    upper, lower = (RATE * exp((sign * 2 * place - 1) / (2 * SIGMA**2)) + 1 - RATE for sign in (1, -1))
    return upper, lower


def loss_at(place: Expr) -> Expr:
    """The privacy loss of the pair."""
    upper, lower = _densities_at(place)
    return log(upper / lower)


SCALE = RATE * exp(-1 / (2 * SIGMA**2))
_OFFSET = -(1 - RATE) * (1 - exp(LOSS))
_ROOT = sqrt((1 - RATE) ** 2 * (1 - exp(LOSS)) ** 2 + 4 * SCALE**2 * exp(LOSS))
INVERSE = SIGMA**2 * log((_OFFSET + _ROOT) / (2 * SCALE))


def _root_is_larger(sign: int) -> Fact:
    """0 < B + R, for one sign of s, which is that of B = −(1−q)(1−e^s)."""
    z = Symbol("z", nonnegative=True)
    inside = (1 - RATE) ** 2 * (1 - exp(LOSS)) ** 2
    side = rules.le(0, LOSS)
    here = [*GIVEN, side if sign > 0 else side.negated]
    square = rules.sign(rules.lt(inside, inside + 4 * SCALE**2 * exp(LOSS)), GIVEN)
    grown = rules.apply(Lambda(z, sqrt(z)), square, GIVEN)
    if sign > 0:
        return rules.restate(rules.lt(0, _OFFSET + _ROOT), rules.sign(rules.lt(0, _OFFSET + _ROOT), here), here)
    modulus = rules.equality(sqrt(inside), -_OFFSET, here)
    return rules.restate(rules.lt(0, _OFFSET + _ROOT), rules.chain(modulus, grown, given=here), here)


def _equation(shown: Fact) -> Fact:
    """(w/2 + 1−q)/(2c²/w + 1−q) = e^s at w = B + R, because w² − 2Bw = R² − B² = 4c²e^s."""
    w, root = positive("w"), _OFFSET + _ROOT
    upper, lower = w / 2 + 1 - RATE, 2 * SCALE**2 / w + 1 - RATE
    quadratic = rules.eq(w**2 - 2 * _OFFSET * w, 4 * SCALE**2 * exp(LOSS))
    times = rules.restate(rules.eq(upper, exp(LOSS) * lower), rules.scale(rules.hypothesis(quadratic, GIVEN), 1 / (2 * w)), GIVEN)
    rest = rules.sign(rules.lt(0, 1 - RATE), GIVEN)
    above = rules.restate(rules.lt(0, lower), rules.add(rules.positive(2 * SCALE**2 / w), rest), GIVEN)
    quotient = rules.restate(rules.eq(upper / lower, exp(LOSS)), rules.scale(times, 1 / lower, GIVEN, using=[above]), GIVEN, using=[above])
    squares = rules.equality(root**2 - 2 * _OFFSET * root, 4 * SCALE**2 * exp(LOSS), GIVEN)
    there = rules.add(rules.positive(2 * SCALE**2 / root, GIVEN, using=[shown]), rest)
    here = rules.restate(rules.lt(0, lower.subs(w, root)), there, GIVEN)
    return rules.discharge(rules.instance(quotient, {w: root}, GIVEN, using=[shown, here]), squares)


@recipe("substitution-inverse", "The inverse of the privacy loss of sampling under substitution", f"{SOURCE}, §6.2")
def substitution_inverse(proof: ProofSteps) -> Fact:
    """The loss at σ² log((B + √(B² + 4c²e^s))/2c) is s, with B = −(1−q)(1−e^s) and c = q e^{−1/2σ²}: cx² − Bx = c e^s at the root x."""
    shown = proof("the root is positive", rules.cases(_root_is_larger(1), _root_is_larger(-1), over=rules.le(0, LOSS)))
    x = (_OFFSET + _ROOT) / (2 * SCALE)
    upper, lower = SCALE * x + 1 - RATE, SCALE / x + 1 - RATE
    rest = rules.sign(rules.lt(0, 1 - RATE), GIVEN)
    parts = [(upper, rules.scale(shown, Rational(1, 2))), (lower, rules.positive(SCALE / x, GIVEN, using=[shown]))]
    signs = [rules.restate(rules.lt(0, whole), rules.add(part, rest)) for whole, part in parts]
    z = positive("z")
    plain = zip(_densities_at(SIGMA**2 * log(z)), (SCALE * z + 1 - RATE, SCALE / z + 1 - RATE), strict=True)
    inside = rules.scale(shown, 1 / (2 * SCALE))
    meant = [rules.instance(rules.equality(form, part), {z: x}, GIVEN, using=[shown, inside]) for form, part in plain]
    known = [rules.chain(sign, fact, given=GIVEN) for sign, fact in zip(signs, meant, strict=True)]
    below = rules.apply(Lambda(z, 1 / z), meant[1], GIVEN, using=[signs[1], known[1]])
    ratio = rules.multiply(meant[0], below)
    root = proof("its equation", rules.restate(rules.eq(upper / lower, exp(LOSS)), _equation(shown), GIVEN, using=[shown, *signs]))
    quotient = rules.chain(ratio, root, given=GIVEN)
    logs = rules.apply(Lambda(z, log(z)), quotient, GIVEN, using=known)
    return proof("take the logarithm", logs)
