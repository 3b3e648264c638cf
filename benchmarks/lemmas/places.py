"""Lemmas of three kinds, each with a false twin: roots of quadratics, one place of a family among the others, tables as laws.

Written to measure what the documents for these kinds are worth; they are no fresh list.
"""

from __future__ import annotations

from benchmarks.lemmas.lemma import lemmas_in
from dpbounds.notation import *

x, a, b, c = nonnegative("x a b c")
p, q, r, s = real("p q r s")
alpha, epsilon = real("alpha"), positive("epsilon")
n, m = positive_integer("n m")
i = index("i")
over = (i, 1, n)
P, Q = laws("P Q", over, "positive")
u = family("u", "nonnegative")
asinh_x = log(x + sqrt(x**2 + 1))
coins = tuple(premise for t in (p, q, r, s) for premise in (t > 0, t < 1))
three = coins[:6]
A, B, C, D = map(bernoulli, (p, q, r, s))


LEMMAS = lemmas_in(
    globals(),
    """
# roots of quadratics
birnbaum-for-erfc:
     => erfc(x) >= 2 * exp(-(x**2)) / (sqrt(pi) * (x + sqrt(x**2 + 2)))
    =/> erfc(x) >= 2 * exp(-(x**2)) / (sqrt(pi) * (x + sqrt(x**2 + R(19, 10))))
pollak-for-erfc:
     => erfc(x) <= 2 * exp(-(x**2)) / (sqrt(pi) * (x + sqrt(x**2 + 4 / pi)))
    =/> erfc(x) <= 2 * exp(-(x**2)) / (sqrt(pi) * (x + sqrt(x**2 + R(7, 5))))
sampford-for-erfc:
     => erfc(x) <= 4 * exp(-(x**2)) / (sqrt(pi) * (3 * x + sqrt(x**2 + 4)))
    =/> erfc(x) <= 4 * exp(-(x**2)) / (sqrt(pi) * (3 * x + sqrt(x**2 + 5)))
asinh-below-identity: => asinh_x <= x =/> asinh_x <= R(19, 20) * x
asinh-third-order: => asinh_x >= x - x**3 / 6 =/> asinh_x >= x - x**3 / 7
cosh-by-sinh: => sqrt(x**2 + 1) - 1 <= x * asinh_x / 2 =/> sqrt(x**2 + 1) - 1 <= R(9, 20) * x * asinh_x
bennett-dual: => x * asinh_x - sqrt(x**2 + 1) + 1 <= x**2 / 2 =/> x * asinh_x - sqrt(x**2 + 1) + 1 <= R(12, 25) * x**2
exponential-below-root: => exp(-x) <= sqrt(x**2 + 1) - x + x**2 / 2 =/> exp(-x) <= R(99, 100) * (sqrt(x**2 + 1) - x) + x**2 / 2
asinh-tangent: => log(1 + x + sqrt(x**2 + 2 * x + 2)) <= log(1 + sqrt(2)) + x / sqrt(2)
    =/> log(1 + x + sqrt(x**2 + 2 * x + 2)) <= log(1 + sqrt(2)) + R(7, 10) * x
mills-of-order-one: x >= 1
     => NormalCDF(-x) <= normal_density(x) * 4 / (3 * x + sqrt(x**2 + 8))
    =/> NormalCDF(-x) <= normal_density(x) * 4 / (3 * x + sqrt(x**2 + 9))
# one place among the others
entropy-but-one: P, n >= 2, m <= n
     => -Sum(P[i] * log(P[i]), over) <= -P[m] * log(P[m]) - (1 - P[m]) * log(1 - P[m]) + (1 - P[m]) * log(n - 1)
    =/> -Sum(P[i] * log(P[i]), over) <= -P[m] * log(P[m]) - (1 - P[m]) * log(1 - P[m]) + R(9, 10) * (1 - P[m]) * log(n - 1)
regret-against-one: m <= n
     => Sum((u[m] - u[i]) * exp(epsilon * u[i]), over) <= (n - 1) / (E * epsilon) * exp(epsilon * u[m])
    =/> Sum((u[m] - u[i]) * exp(epsilon * u[i]), over) <= R(9, 10) * (n - 1) / (E * epsilon) * exp(epsilon * u[m])
event-of-one: P, Q, n >= 2
     => KLDivergence(P, Q) >= P[1] * log(P[1] / Q[1]) + (1 - P[1]) * log((1 - P[1]) / (1 - Q[1]))
    =/> KLDivergence(P, Q) >= R(11, 10) * (P[1] * log(P[1] / Q[1]) + (1 - P[1]) * log((1 - P[1]) / (1 - Q[1])))
chi-square-of-one: P, Q, n >= 2
     => Sum(P[i]**2 / Q[i], over) >= P[1]**2 / Q[1] + (1 - P[1])**2 / (1 - Q[1])
    =/> Sum(P[i]**2 / Q[i], over) >= P[1]**2 / Q[1] + R(21, 20) * (1 - P[1])**2 / (1 - Q[1])
affinity-of-one: P, Q, n >= 2
     => Sum(sqrt(P[i] * Q[i]), over) <= sqrt(P[1] * Q[1]) + sqrt((1 - P[1]) * (1 - Q[1]))
    =/> Sum(sqrt(P[i] * Q[i]), over) <= sqrt(P[1] * Q[1]) + R(19, 20) * sqrt((1 - P[1]) * (1 - Q[1]))
collision-but-one: P, n >= 2
     => Sum(P[i]**2, over) >= P[1]**2 + (1 - P[1])**2 / (n - 1)
    =/> Sum(P[i]**2, over) >= P[1]**2 + R(21, 20) * (1 - P[1])**2 / (n - 1)
variation-of-one: P, Q
     => Sum(Abs(P[i] - Q[i]), over) >= 2 * Abs(P[1] - Q[1])
    =/> Sum(Abs(P[i] - Q[i]), over) >= R(21, 10) * Abs(P[1] - Q[1])
moment-of-one: P, Q, n >= 2, alpha > 1
     => Sum(P[i]**alpha * Q[i]**(1 - alpha), over) >= P[1]**alpha * Q[1]**(1 - alpha) + (1 - P[1])**alpha * (1 - Q[1])**(1 - alpha)
    =/> Sum(P[i]**alpha * Q[i]**(1 - alpha), over) >= P[1]**alpha * Q[1]**(1 - alpha) + R(11, 10) * (1 - P[1])**alpha *
        (1 - Q[1])**(1 - alpha)
squared-regret: for_each(over, u[i] <= u[1])
     => Sum((u[1] - u[i])**2 * exp(epsilon * u[i]), over) <= 4 * (n - 1) / (E * epsilon)**2 * exp(epsilon * u[1])
    =/> Sum((u[1] - u[i])**2 * exp(epsilon * u[i]), over) <= R(18, 5) * (n - 1) / (E * epsilon)**2 * exp(epsilon * u[1])
gap-to-the-best: m <= n
     => Sum(u[m] - u[i], over) <= (n - 1) * u[m]
    =/> Sum(u[m] - u[i], over) <= R(9, 10) * (n - 1) * u[m]
# tables as laws
weak-triangle-of-order-two: *three
     => RenyiDivergence(2, A, B) <= R(3, 2) * RenyiDivergence(4, A, C) + RenyiDivergence(3, C, B)
    =/> RenyiDivergence(2, A, B) <= RenyiDivergence(4, A, C) + RenyiDivergence(3, C, B)
weak-triangle-of-order-three: *three
     => RenyiDivergence(3, A, B) <= R(5, 4) * RenyiDivergence(6, A, C) + RenyiDivergence(5, C, B)
    =/> RenyiDivergence(3, A, B) <= R(3, 4) * RenyiDivergence(6, A, C) + RenyiDivergence(5, C, B)
weak-triangle-by-thirds: alpha > 1, *three
     => RenyiDivergence(alpha, A, B) <= (alpha - R(1, 3)) / (alpha - 1) * RenyiDivergence(3 * alpha, A, C) + RenyiDivergence((3 * alpha
        - 1) / 2, C, B)
    =/> RenyiDivergence(alpha, A, B) <= RenyiDivergence(3 * alpha, A, C) + RenyiDivergence((3 * alpha - 1) / 2, C, B)
moments-by-halves: alpha > 1, *three
     => RenyiMoment(alpha, A, B)**2 <= RenyiMoment(2 * alpha, A, C) * RenyiMoment(2 * alpha - 1, C, B)
    =/> RenyiMoment(alpha, A, B)**2 <= R(9, 10) * RenyiMoment(2 * alpha, A, C) * RenyiMoment(2 * alpha - 1, C, B)
variation-triangle: *three
     => HockeyStick(0, A, B) <= HockeyStick(0, A, C) + HockeyStick(0, C, B)
    =/> HockeyStick(0, A, B) <= HockeyStick(0, A, C) + R(9, 10) * HockeyStick(0, C, B)
profiles-of-two-steps: *three
     => HockeyStick(a + b, A, B) <= HockeyStick(a, A, C) + exp(a) * HockeyStick(b, C, B)
    =/> HockeyStick(a + b, A, B) <= HockeyStick(a, A, C) + HockeyStick(b, C, B) * R(9, 10)
profiles-of-three-steps: *coins
     => HockeyStick(a + b + c, A, B) <= HockeyStick(a, A, C) + exp(a) * HockeyStick(b, C, D) + exp(a + b) * HockeyStick(c, D, B)
    =/> HockeyStick(a + b + c, A, B) <= HockeyStick(a, A, C) + exp(a) * HockeyStick(b, C, D) + R(9, 10) * HockeyStick(c, D, B)
variation-of-three-steps: *coins
     => HockeyStick(0, A, B) <= HockeyStick(0, A, C) + HockeyStick(0, C, D) + HockeyStick(0, D, B)
    =/> HockeyStick(0, A, B) <= HockeyStick(0, A, C) + R(9, 10) * HockeyStick(0, C, D) + HockeyStick(0, D, B)
weak-triangle-of-moments: *three
     => RenyiMoment(2, A, B)**2 <= RenyiMoment(4, A, C) * RenyiMoment(3, C, B)
    =/> RenyiMoment(2, A, B)**2 <= R(19, 20) * RenyiMoment(4, A, C) * RenyiMoment(3, C, B)
moments-by-thirds: *three
     => RenyiMoment(2, A, B)**3 <= RenyiMoment(6, A, C) * RenyiMoment(R(5, 2), C, B)**2
    =/> RenyiMoment(2, A, B)**3 <= R(9, 10) * RenyiMoment(6, A, C) * RenyiMoment(R(5, 2), C, B)**2
""",
)
