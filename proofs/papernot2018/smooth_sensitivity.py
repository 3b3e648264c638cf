"""Papernot et al. 2018 (Scalable Private Learning with PATE): are the bounds monotone that the smooth sensitivity of GNMax rests on?

q is the probability that noise of scale σ changes the answer of the teachers, β(q) the data-dependent bound of order λ. The published code
(TensorFlow Privacy, research/pate_2018, `check_conditions`) looks at a derivative, by a numerical minimiser, on what it calls the interval
of conjectured monotonicity. Condition C5: β does not fall up to q₀. Condition C6: β(B_U(q)) − β(q) does not fall up to B_L(q₀).
With μ₂ = σ√(log 1/q), μ₁ = μ₂ + 1 and ε_i = μ_i/σ² the bound is

    e^{(λ−1)β} = (1−q)((1−q)/(1−(q e^{ε₂})^{1−1/μ₂}))^{λ−1} + q (e^{ε₁} q^{−1/(μ₁−1)})^{λ−1}.

With u = 1/σ and q = e^{−(d+u)²} it is s(d) = (1−q)^λ (1−p)^{1−λ} + q^λ r^{1−λ}, p = e^{−d²}, r = e^{−(d+2u)²}. q ≤ q₀ implies d ≥ 1 and
(λ−1)u ≤ d + u. There A = (1−q)/(1−p) ≥ 1; B = q/r ≥ A, since (e^{(d+u)²}−1)(e^{d²}−1) ≥ 1; and d + 2u ≤ d·p/q. So

    −s′(d)/(2q) = (λ−1)d(p/q)A^λ + (d+u−(λ−1)u)B^{λ−1} − λ(d+u)A^{λ−1} ≥ A^{λ−1}((λ−1)(d+2u) + d+u − (λ−1)u − λ(d+u)) = 0.
"""

from dpbounds.notation import *

source = Source("papernot2018.smooth-sensitivity", "conditions C5 and C6 of the appendix on smooth sensitivity")

lam, u, d, low = positive("lambda u d d_0")
m = lam - 1

def outcomes(at):
    """q, p and r."""
    return exp(-((at + u) ** 2)), exp(-(at**2)), exp(-((at + 2 * u) ** 2))

def moment(q, p, r):
    """e^{(λ−1)β}."""
    return (1 - q) ** lam * (1 - p) ** (1 - lam) + q**lam * r ** (1 - lam)

# --- the printed form ----------------------------------------------------------------------------------------------

q, p, r = outcomes(d)
mu_2, log_q = (d + u) / u, -((d + u) ** 2)
first = (1 - q) / (1 - exp((log_q + mu_2 * u**2) * (1 - 1 / mu_2)))
second = exp((mu_2 + 1) * u**2 - log_q / mu_2)
printed = (1 - q) * first**m + q * second**m
BEYOND = [lam > 1, d >= 1]

form = source.claim("The bound of the code, q = exp(-(d+u)^2) and u = 1/sigma, is the moment of two outcomes.",
    BEYOND, rules.eq(printed, moment(q, p, r)),
    Proof(lambda proof: proof("powers", rules.equality(printed, moment(q, p, r), BEYOND))),
    mutant=(rules.eq(printed, 2 * moment(q, p, r)), {lam: 2, u: 1, d: 2}))

# --- condition C5 --------------------------------------------------------------------------------------------------

def falling(proof):
    """s(d) ≤ s(d₀): −s′ ≥ 0 from d₀ on."""
    w, c, x, y, z = *real("w c"), *positive("x y z")
    a, b, beyond, given = (1 - q) / (1 - p), q / r, [d >= 1], [lam > 1, d >= 1]
    start, later, small = (rules.hypothesis(part) for part in (low >= 1, d >= low, m * u <= low + u))
    room = rules.chain(start, later)
    enough = rules.restate(rules.le(m * u, d + u), rules.add(small, later))
    above = rules.convex_tangent(exp(w), w, c)
    tangent = rules.restate(rules.le(1 + 2 * d * u + u**2, exp(2 * d * u + u**2)), rules.instance(above, {w: 2 * d * u + u**2, c: 0}))
    shift = rules.sign(rules.le(d + 2 * u, d * (1 + 2 * d * u + u**2)), beyond)
    steep = proof("d + 2u is at most d p/q", rules.chain(shift, rules.scale(tangent, d)))
    larger = rules.sign(rules.le(d**2, (d + u) ** 2))
    falls = rules.apply(Lambda(w, exp(-w)), larger)
    kept = rules.scale(rules.restate(rules.le(1 - p, 1 - q), falls), 1 / (1 - p), beyond)
    one = proof("A is at least 1", rules.restate(rules.le(1, a), kept, beyond))
    line = rules.restate(rules.le(1 + d**2, 1 / p), rules.instance(above, {w: d**2, c: 0}))
    two = rules.chain(rules.sign(rules.le(2, 1 + d**2), beyond), line)
    sizes = [x >= 2, y >= x]
    least, most = (rules.hypothesis(size) for size in sizes)
    high = rules.restate(rules.le(0, y - 2), rules.chain(least, most))
    corner = rules.scale(rules.restate(rules.le(0, x - 2), least), y - 1, using=[high])
    inside = rules.restate(rules.le(0, (x - 1) * (y - 1) - 1), rules.add(corner, high))
    product = rules.scale(inside, (y - x) / (x**2 * y), sizes)
    ratio = rules.restate(rules.le(1 - 1 / y, (y / x) * (1 - 1 / x)), product, sizes)
    near = rules.discharge(rules.instance(ratio, {x: exp(d**2), y: exp((d + u) ** 2)}), two, rules.apply(Lambda(w, exp(w)), larger))
    wider = rules.scale(rules.apply(Lambda(w, exp(w)), rules.sign(rules.le(2 * d * u + u**2, 2 * d * u + 3 * u**2))), 1 - p, beyond)
    between = rules.chain(rules.restate(rules.le(1 - q, exp(2 * d * u + u**2) * (1 - p)), near), wider)
    both = proof("A is at most B", rules.restate(rules.le(a, b), rules.scale(between, 1 / (1 - p), beyond), beyond))
    shown = rules.sign(rules.lt(0, a), beyond, using=[one])
    floor = m * (d + 2 * u) * a**m
    power = rules.restate(rules.le(floor, m * (d + 2 * u) * a**lam), rules.scale(one, floor, given, using=[shown]), given, using=[shown])
    left = rules.chain(power, rules.scale(steep, m * a**lam, given))
    powers = rules.apply(Lambda(z, z**m), both, given, using=[shown])
    right = rules.scale(powers, d + u - m * u, [*given, m * u <= d + u])
    slope = m * d * exp(2 * d * u + u**2) * a**lam + (d + u - m * u) * b**m - lam * (d + u) * a**m
    total = rules.restate(rules.le(0, slope), rules.add(left, right), given, using=[shown])
    sign = proof("so -s' is nonnegative", rules.discharge(total, enough, room))
    s = moment(q, p, r)
    domain = [lam > 1, low >= 1, m * u <= low + u]
    lowest = rules.minimum(-s, d, low, given=domain, domain=[d >= low], using=[sign, rules.discharge(shown, room)],
        factored=2 * q * slope * (d - low))
    return proof("s falls", rules.restate(rules.le(s, s.subs(d, low)), lowest, [*domain, d >= low]))

INSIDE = [lam > 1, low >= 1, d >= low]
c5 = source.claim(
    "Condition C5 holds for every sigma and every real order lambda > 1: the bound does not fall in q where q <= q_0.",
    [*INSIDE, m * u <= low + u], rules.le(moment(*outcomes(d)), moment(*outcomes(low))), Proof(falling),
    mutant=([*INSIDE, m * u <= 2 * (low + u)], rules.le(moment(*outcomes(d)), moment(*outcomes(low))),
        {lam: 5, u: 1, low: 1, d: "3/2"}),
    uses=[form], example={lam: 2, u: 1, low: 1, d: 2},
    note="q = exp(-(d+u)^2) falls in d. No number of classes enters. The mutant allows orders up to 2 mu_2 + 1, the claim "
    "up to mu_2 + 1 as the code does.")

# --- condition C6 --------------------------------------------------------------------------------------------------

near, far = positive("y_1 y_2")
classes = positive_integer("m")

def wrong(at):
    """q = (m−1)Φ(−y): every vote is at most q away."""
    return (classes - 1) * NormalCDF(-at)

def beta(at):
    """β at q."""
    root = sqrt(-log(at))
    return log(moment(at, exp(-((root - u) ** 2)), exp(-((root + u) ** 2)))) / m

def rise(at):
    """β(B_U(q)) − β(q), B_U(q) = (m−1)Φ(−y + √2u)."""
    return beta(wrong(at - sqrt(2) * u)) - beta(wrong(at))

edge = wrong(near - sqrt(2) * u)
c6 = source.claim(
    "Condition C6, q = (m-1) Phi(-y): the rise does not fall in q where q <= B_L(q_0), that is where B_U(q) <= q_0 (read: beta <= "
    "lambda/sigma^2 there, and sqrt(log 1/B_U) >= 1 + u, (lambda - 99/100) u).",
    [lam > 1, classes >= 2, near <= far, edge < 1, sqrt(-log(edge)) >= 1 + u,
        sqrt(-log(edge)) >= (lam - Rational(99, 100)) * u, beta(edge) <= lam * u**2],
    rise(far) <= rise(near), {lam: 5, u: "1/4", classes: 10, near: "71/25", far: "3"},
    note="sigma = 4, order 5, 10 classes: 0.0842... at q = 0.0203... and 0.0850... at q = 0.0121... The code checks the "
    "condition and stops here, rightly.")
