"""Haghifam, Steinke, Ullman 2024, Private geometric median (NeurIPS 2024, arXiv 2406.07407): lemma A.1 and appendix C.

Radius and Lipschitz constant are 1: both sides of every bound are proportional to them. L is log(2/β), and the steps T are real numbers.
"""

from dpbounds.notation import *

draft = Source("haghifam2024", "appendices A.2 and C")
n, rho, T, d, L, m, t, x, y, a, b, points = positive("n rho T d L m t x y a b points")
beta = positive("beta")
long = [beta <= 1, d >= 1, T * d >= log(4 / beta)]
variance, own = T / (2 * rho * n**2), 1 / (sqrt(T) * sqrt(2 + 5 * d * T / (rho * n**2)))


def risk(step):
    """The right side of equation 12."""
    error = step * variance * d * (1 + 4 * sqrt(log(4 / beta) / (T * d)))
    return 1 / (2 * step * T) + step + error + 2 * sqrt(variance) * sqrt(28 * log(2 / beta) / T)


first = sqrt(d) / (n * sqrt(rho)) * (sqrt(1 + 2 * rho * n**2 / (T * d)) + sqrt(56 * log(2 / beta)))
at = {d: 1, T: 3, beta: Rational(1, 2), n: 1, rho: 9}
equation_13 = draft.claim("Equation 13, first inequality, with the step size of the proof.", long, risk(own) <= first, at)
stated_step = draft.claim(
    "The same with the step size that lemma A.1 states.", long, risk(sqrt(d / (12 * rho * n**2))) <= 2 * first, {**at, T: 3000}
)
# With u = ρn²/T everything is a function of d, u and L; 1 + 4·sqrt(log(4/β)/(Td)) is at most 5.
root, last = sqrt(5 * d + 2 * x) + sqrt(56 * L), sqrt(2 * x)
given = [d >= 1, log(2) <= L]
constant__printed = draft.claim(
    "What lemma A.1 says of the sum, with its constant 16.", given, root <= 16 * sqrt(d * L) + last, mutant=root <= 10 * sqrt(d * L) + last
)
constant__sharper = draft.claim(
    "The same with 10.17 in the place of 16.",
    given,
    root <= Rational(1017, 100) * sqrt(d * L) + last,
    mutant=root <= Rational(1016, 100) * sqrt(d * L) + last,
)
equation_13__last = draft.claim(
    "Equation 13, second inequality.",
    given,
    sqrt(d) * (sqrt(1 + 2 * x / d) + sqrt(56 * L)) <= 2 * sqrt(d) * sqrt(56 * L) + last,
    mutant=sqrt(d) * (sqrt(1 + 2 * x / d) + sqrt(56 * L)) <= Rational(11, 10) * sqrt(d) * sqrt(56 * L) + last,
)
condition = draft.claim(
    "The premise 1 ≤ sqrt(56 log(2/β)) always holds.", [beta <= 1], sqrt(56 * log(2 / beta)) >= 1, mutant=sqrt(56 * log(2 / beta)) >= 7
)
lemma_c1 = draft.claim(
    "Lemma C.1: the tail of the normal distribution.",
    [beta <= 1],
    2 * NormalCDF(-sqrt(2 * log(2 / beta))) <= beta,
    mutant=2 * NormalCDF(-sqrt(2 * log(2 / beta))) <= beta / 5,
)
lemma_c1__quarter = draft.claim(
    "Sharper: the tail is at most 0.24β.",
    [beta <= 1],
    2 * NormalCDF(-sqrt(2 * log(2 / beta))) <= Rational(24, 100) * beta,
    mutant=2 * NormalCDF(-sqrt(2 * log(2 / beta))) <= Rational(23, 100) * beta,
)
lemma_c1__sharper = draft.claim(
    "Not in the draft: log(1/β) in the place of log(2/β) is enough.",
    [beta <= 1],
    2 * NormalCDF(-sqrt(2 * log(1 / beta))) <= beta,
    mutant=2 * NormalCDF(-sqrt(2 * log(Rational(9, 10) / beta))) <= beta,
)
corollary_c3 = draft.claim(
    "Corollary C.3: the upper end.",
    [m >= t],
    m + 2 * sqrt(t * m) + 2 * t <= m * (1 + 4 * sqrt(t / m)),
    mutant=m + 2 * sqrt(t * m) + 2 * t <= m * (1 + 3 * sqrt(t / m)),
)
equation_14 = draft.claim(
    "Equation 14: three quarters of the points decide.",
    Rational(3, 4) * points * (1 + sqrt(1 - Rational(4, 9))) - points > 0,
    mutant=Rational(1, 2) * points * (1 + sqrt(1 - Rational(4, 9))) - points > 0,
)
lemma_2_6 = draft.claim(
    "Proof of lemma 2.6: a ratio falls.",
    [x > y, y > Rational(1, 2)],
    (a + 2 * x * b) / (2 * x - 1) <= (a + 2 * y * b) / (2 * y - 1),
    mutant=(a + 2 * x * b) / (2 * x - 1) <= Rational(9, 10) * (a + 2 * y * b) / (2 * y - 1),
)
