"""Yuchen 2019, Claim 26, part 1, for one real answer that does not see the order of the batch: it holds at every even order.

A scalar query does not depend on the order of the batch (or the batch comes in random order) and changes by at most 1 when a record is
replaced; a batch of m out of n > m records is drawn, r = m/n. (For m = n nothing is sampled, and the bound is that of Gaussian noise.)
Without the condition on the order the bound fails: `in_order` below.

Draw m − 1 of the other records and one more of them. The batch is that of m − 1 with the record (probability r) or with the one more.
The three answers with the record, with its replacement and with the one more lie pairwise within 1 of each other. So both outputs are
the same averages of

    rN(a) + (1−r)N(c)  and  rN(b) + (1−r)N(c)      (variance σ², a, b, c pairwise within 1),

and by joint convexity the moment is at most the largest moment of these pairs. Where all other records equal the replacement, c = b,
and with |a − b| = 1 the moment is the bound itself: the bound is attained by a query.

Write f_x for the density of N(x, σ²) and λ for an even order. u^λ v^{1−λ} is jointly convex in real u and v > 0, and
(rf_a + (1−r)f_c, rf_b + (1−r)f_c) is the average, with r and 1 − r, of (rf_a + (1−r)f_b, f_b) and (f_c + r(f_a − f_b), f_c). So

    G_λ ≤ r G_λ(rf_a + (1−r)f_b ‖ f_b) + (1−r) E_c(1 + r(f_a − f_b)/f_c)^λ.

Both terms are sums of binomial(λ, k) r^k m_k, where m_k(x, y) = E_0((f_x − f_y)/f_0)^k with x, y the differences to b, or to c. With
w = 1/σ² E_0 Π f_{x_i}/f_0 = exp(w Σ_{i<j} x_i x_j). Expand each exp(w x_i x_j): a term is a graph on k points with repeated edges, and

    m_k(x, y) = Σ over graphs of w^{edges}/Π(repetitions!) · Π_i (x^{d_i} − y^{d_i}),      d_i the degrees.

If |x|, |y|, |x − y| ≤ 1 then |x^d − y^d| ≤ 1 for every d ≥ 1: for odd d and opposite signs as |x|^d + |y|^d ≤ |x| + |y| = |x − y|. And at
(x, y) = (1, 0) every factor with d ≥ 1 is 1. So m_k(x, y) ≤ m_k(1, 0) for every k ≥ 2, which is the claim. At order 2 only
m_2 = e^{wx²} + e^{wy²} − 2e^{wxy} is needed. At order 2 the three inequalities (convexity on finitely many outcomes, and the two cases
of the second moment) are PROVED; the reduction to three answers, the Gaussian integrals, the passage to densities and the joining are
on paper, above. In the plane the claim fails: on the unit triangle xy is 1/2 and not 0.
"""

from dpbounds.notation import *

source = Source("chen2019.claim-26.part-1.line", "proof of Claim 26, part 1")

# --- convexity --------------------------------------------------------------------------------------------------------

n, i = positive_integer("n"), index("i")
over = (i, 1, n)
r = positive("r")
a, b, c = family("a", "positive"), family("b", "positive"), family("c", "positive")

def quotient(first, second):
    """Σ first²/second, the moment of order 2."""
    return Sum(first**2 / second, over)

def averaged(proof):
    """(ru₁+(1−r)u₂)²/(rv₁+(1−r)v₂) ≤ ru₁²/v₁ + (1−r)u₂²/v₂: u²/v ≥ 2tu − t²v, at t the quotient of the averages."""
    given = [r < 1]
    u, t, v = real("u"), real("t"), positive("v")
    tangent = rules.restate(rules.le(2 * t * u - t**2 * v, u**2 / v), rules.nonnegative((u - t * v) ** 2 / v))
    whole, below = r * a[i] + (1 - r) * c[i], r * b[i] + (1 - r) * c[i]
    parts = ((r, r * a[i] + (1 - r) * b[i], b[i]), (1 - r, c[i] + r * (a[i] - b[i]), c[i]))
    lines = [rules.scale(rules.instance(tangent, {t: whole / below, u: upper, v: lower}, given), weight, given)
        for weight, upper, lower in parts]
    term = proof("at each outcome", rules.restate(rules.le(whole**2 / below,
        sum(weight * upper**2 / lower for weight, upper, lower in parts)), rules.add(*lines), given))
    summed = rules.sum_termwise(term, over)
    return proof("sum over the outcomes", rules.restate(statement, summed, given))

statement = rules.le(quotient(r * a[i] + (1 - r) * c[i], r * b[i] + (1 - r) * c[i]),
    r * quotient(r * a[i] + (1 - r) * b[i], b[i]) + (1 - r) * quotient(c[i] + r * (a[i] - b[i]), c[i]))

convex = source.claim(
    "On finitely many outcomes, order 2: the moment of a batch of fixed size is at most an average of one under Poisson sampling and "
    "one over the law of the others.",
    [r < 1], statement, Proof(averaged),
    mutant=(rules.le(statement.lhs, Rational(99, 100) * statement.rhs),
        {n: 2, r: "1/2", a: ("1/3", "2/3"), b: ("1/2", "1/2"), c: ("1/2", "1/2")}))

# --- the second moment -----------------------------------------------------------------------------------------------

w = positive("w")
s, t = nonnegative("s t")
room = s + t <= 1
apart_gap = exp(w * s**2) + exp(w * t**2) - 2 * exp(-w * s * t)

def opposite(proof):
    """e^{−wst}(e^A + e^B − 2) ≤ e^A + e^B − 2 ≤ e^{A+B} − 1 with A, B = ws(s+t), wt(s+t) and A + B = w(s+t)²."""
    x = real("x")
    near, other = w * s * (s + t), w * t * (s + t)
    rise = [rules.restate(rules.le(1, exp(z)), rules.apply(Lambda(x, exp(x)), rules.nonnegative(z))) for z in (near, other)]
    pair = rules.restate(rules.le(exp(near) + exp(other), 1 + exp(near + other)),
        rules.multiply(*(rules.restate(rules.le(0, exp(z) - 1), fact) for z, fact in zip((near, other), rise, strict=True))))
    inside = rules.restate(rules.le(0, exp(near) + exp(other) - 2), rules.add(*rise))
    shrink = rules.restate(rules.le(exp(-w * s * t), 1), rules.apply(Lambda(x, exp(x)), rules.sign(rules.le(-w * s * t, 0))))
    smaller = rules.scale(shrink, exp(near) + exp(other) - 2, using=[inside])
    square = rules.apply(Lambda(x, w * x**2), rules.hypothesis(room))
    grown = rules.apply(Lambda(x, exp(x)), square)
    return proof("three steps", rules.restate(rules.le(apart_gap, exp(w) - 1), rules.add(smaller, pair, grown)))

apart = source.claim(
    "Order 2, the two answers on opposite sides of the third, at distances s and t.",
    [room], rules.le(apart_gap, exp(w) - 1), Proof(opposite),
    mutant=([s + t <= Rational(101, 100)], {s: "101/100", t: 0, w: 1}),
    uses=[convex])

x, y = nonnegative("x y")
together_gap = exp(w * x**2) + exp(w * y**2) - 2 * exp(w * x * y)

def same_side(proof):
    """e^{wy²} ≤ e^{wxy}, 1 ≤ e^{wxy}, e^{wx²} ≤ e^w."""
    z = real("z")
    order, most = rules.hypothesis(y <= x), rules.hypothesis(x <= 1)
    lower = rules.apply(Lambda(z, exp(z)), rules.scale(order, w * y))
    one = rules.apply(Lambda(z, exp(z)), rules.nonnegative(w * x * y))
    upper = rules.apply(Lambda(z, exp(z)), rules.apply(Lambda(z, w * z**2), most))
    return proof("three exponentials", rules.restate(rules.le(together_gap, exp(w) - 1), rules.add(lower, one, upper)))

together = source.claim(
    "Order 2, the two answers on one side of the third, at distances y <= x.",
    [y <= x, x <= 1], rules.le(together_gap, exp(w) - 1), Proof(same_side),
    mutant=([y <= x, x <= Rational(101, 100)], {x: "101/100", y: 0, w: 1}),
    uses=[convex],
    note="So at order 2 the bound of Claim 26, part 1, holds for every scalar query that does not see the order of the batch, every noise "
    "and every size of the batch.")

# --- every even order ------------------------------------------------------------------------------------------------

d = positive("d")
inner = [d >= 1, s > 0, t > 0]

def powers(proof):
    """s^d ≤ s and t^d ≤ t for s, t ≤ 1."""
    z, distance = positive("z u")
    small = rules.apply(Lambda(z, z ** (d - 1)), rules.hypothesis(distance <= 1), [d >= 1])
    power = rules.restate(rules.le(distance**d, distance), rules.scale(small, distance), [d >= 1])
    room_left = rules.hypothesis(room)
    facts = []
    for near, other in ((s, t), (t, s)):
        below = rules.restate(near <= 1, rules.add(room_left, rules.nonnegative(other)))
        facts.append(rules.discharge(rules.instance(power, {distance: near}, inner), below))
    return proof("each power is at most its base", rules.restate(rules.le(s**d + t**d, 1), rules.add(*facts, room_left), inner))

degree = source.claim(
    "The factor of a point of degree d, for two answers on opposite sides of the third.",
    [*inner, room], rules.le(s**d + t**d, 1), Proof(powers),
    mutant=([d >= Rational(9, 10), s > 0, t > 0, room], {d: "9/10", s: "1/2", t: "1/2"}),
    note="With it the graphs of the file give every even order.")

# --- a query that sees the order of the batch ------------------------------------------------------------------------

# Records x, A, B in this order; x is replaced by another record. A batch of two keeps the order, and the query counts whether its first
# record is x and whether its second is A: a replaced record changes the answer by at most 1. The three batches answer 2, 1, 0 with x and
# 1, 0, 0 without it. Outputs are rounded to the cells between the whole numbers from -2 to 7.
sigma = positive("sigma")
TWO_OF_THREE = Rational(2, 3)

def rounded(answers):
    """The probabilities of the cells: the average over the batches of N(answer, σ²)."""
    below = [0, *(sum(NormalCDF((cut - answer) / sigma) for answer in answers) / len(answers) for cut in range(-2, 8)), 1]
    return Tuple(*(high - low for low, high in zip(below, below[1:], strict=False)))

in_order = source.claim(
    "The same for a query that sees the order of the batch: two records out of three, order 2, outputs rounded to 11 cells.",
    RenyiMoment(2, rounded((2, 1, 0)), rounded((1, 0, 0))) <= 1 + TWO_OF_THREE**2 * (exp(1 / sigma**2) - 1),
    {sigma: 2},
    note="Rounding is post-processing, which only lowers the moment. So the answer must not depend on the order, or the batch must come in "
    "random order.")
