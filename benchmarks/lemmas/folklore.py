"""Lemmas that the field uses without proof, each with a false twin, written down before anything was tried on them.

Elementary inequalities, means, normal tails, divergences of coins and small tables, concentration, sums, integers, and the closed forms of
differential privacy.
"""

from __future__ import annotations

from benchmarks.lemmas.lemma import lemmas_in
from dpbounds.notation import *

R = Rational
x, y, z, w = real("x y z w")
u, v, epsilon, mu = nonnegative("u v epsilon mu")
a, b, c, d, p, q, r, alpha, rho, sigma, delta = positive("a b c d p q r alpha rho sigma delta")
n, m = positive_integer("n m")
k = index("k")
tiny = R(1, 100)
coin = (p < 1, q < 1)
coins = KLDivergence(bernoulli(p), bernoulli(q))
affinity = sqrt(p * q) + sqrt((1 - p) * (1 - q))
chi = (p - q) ** 2 / (q * (1 - q))
entropy = -p * log(p) - (1 - p) * log(1 - p)
middle = (p + q) / 2
jensen_shannon = (KLDivergence(bernoulli(p), bernoulli(middle)) + KLDivergence(bernoulli(q), bernoulli(middle))) / 2
bennett = (1 + u) * log(1 + u) - u
truth = exp(epsilon) / (1 + exp(epsilon))
response = KLDivergence(bernoulli(truth), bernoulli(1 - truth))
amplified = log(1 + q * (exp(epsilon) - 1))
third = R(1, 3)


def quarter(z_: object) -> object:
    """The slope of the logistic function."""
    return exp(z_) / (1 + exp(z_)) ** 2


LEMMAS = lemmas_in(
    globals(),
    """
# exponentials and logarithms of one variable
log-third-order: => log(1 + u) <= u - u**2 / 2 + u**3 / 3 =/> log(1 + u) <= u - u**2 / 2 + u**3 / 4
log-second-order: => log(1 + u) >= u - u**2 / 2 =/> log(1 + u) >= u - R(49, 100) * u**2
log-pade-above:
     => log(1 + u) <= u * (6 + u) / (6 + 4 * u)
    =/> log(1 + u) <= u * (6 + u) / (6 + R(41, 10) * u)
log-over-root: a >= 1 => log(a) <= (a - 1) / sqrt(a) =/> log(a) <= R(99, 100) * (a - 1) / sqrt(a)
log-by-roots: => log(a) <= n * (a ** (1 / n) - 1) =/> log(a) <= R(99, 100) * n * (a ** (1 / n) - 1)
exp-geometric: x < 1 => exp(x) <= 1 / (1 - x) =/> exp(x) <= 1 / (1 - R(99, 100) * x)
exp-pade: u < 2 => exp(u) <= (2 + u) / (2 - u) =/> exp(u) <= (2 + u) / (2 - R(9, 10) * u)
exp-through-origin: => exp(x) >= E * x =/> exp(x) >= R(272, 100) * x
exp-plus-square: => exp(x) <= x + exp(x**2) =/> exp(x) <= x + exp(x**2 / 2)
exp-half-line: u <= R(3, 2) => exp(-u) <= 1 - u / 2 =/> exp(-u) <= 1 - R(53, 100) * u
exp-chord: u <= 1 => 1 - exp(-u) >= (1 - 1 / E) * u =/> 1 - exp(-u) >= R(64, 100) * u
log-square-below: u <= R(1, 2) => 1 - u >= exp(-u - u**2) =/> 1 - u >= exp(-u - R(7, 10) * u**2)
log-quotient-below: u < 1 => 1 - u >= exp(-u / (1 - u)) =/> 1 - u >= exp(-R(99, 100) * u / (1 - u))
geometric-exp-square: u <= R(1, 2)
     => 1 / (1 - u) <= exp(u + u**2)
    =/> 1 / (1 - u) <= exp(u + R(7, 10) * u**2)
sinh-cubic: => sinh(u) >= u + u**3 / 6 =/> sinh(u) >= u + u**3 / 5
coth-square: u > 0 => u / tanh(u) <= 1 + u**2 / 3 =/> u / tanh(u) <= 1 + u**2 / 4
tanh-rational: => tanh(u) >= u / (1 + u) =/> tanh(u) >= u / (1 + u / 2)
tanh-below-identity: => tanh(u) <= u =/> tanh(u) <= R(99, 100) * u
root-parabola: => sqrt(1 + u) >= 1 + u / 2 - u**2 / 8 =/> sqrt(1 + u) >= 1 + u / 2 - u**2 / 9
self-power: => a**a >= exp(-1 / E) =/> a**a >= exp(-R(36, 100))
self-root: => a ** (1 / a) <= exp(1 / E) =/> a ** (1 / a) <= exp(R(36, 100))
log-quotient: => log(a) / a <= 1 / E =/> log(a) / a <= R(36, 100)
euler-above: => (1 + 1 / a) ** (a + 1) >= E =/> (1 + 1 / a) ** (a + 1) >= R(272, 100)
euler-middle: => (1 + 1 / a) ** (a + R(1, 2)) >= E =/> (1 + 1 / a) ** (a + R(2, 5)) >= E
softplus-parabola:
     => log(1 + exp(x)) <= log(2) + x / 2 + x**2 / 8
    =/> log(1 + exp(x)) <= log(2) + x / 2 + x**2 / 9
softplus-above: => log(1 + exp(x)) >= Max(x, 0) =/> log(1 + exp(x)) >= Max(x, 0) + R(1, 100)
log-cosh: => log(cosh(x)) >= Abs(x) - log(2) =/> log(cosh(x)) >= Abs(x) - R(69, 100)
logistic-cubic:
     => 1 / (1 + exp(-u)) >= R(1, 2) + u / 4 - u**3 / 48
    =/> 1 / (1 + exp(-u)) >= R(1, 2) + u / 4 - u**3 / 50
logistic-slope: => quarter(x) <= R(1, 4) =/> quarter(x) <= R(24, 100)
exp-square-below-one: x <= 1 => exp(x) <= 1 + x + x**2 =/> exp(x) <= 1 + x + R(7, 10) * x**2
exp-remainder:
     => exp(x) <= 1 + x + x**2 / 2 * exp(Abs(x))
    =/> exp(x) <= 1 + x + R(49, 100) * x**2 * exp(Abs(x))
power-of-two: u <= 1 => 2**u <= 1 + u =/> 2**u <= 1 + R(99, 100) * u
log-chord: u <= 1 => log(1 + u) >= log(2) * u =/> log(1 + u) >= R(7, 10) * u
roots-gaussian: u < 1
     => sqrt(1 - u**2) <= exp(-(u**2) / 2)
    =/> sqrt(1 - u**2) <= exp(-R(51, 100) * u**2)
powers-gaussian: u < 1
     => (1 + u) * log(1 + u) + (1 - u) * log(1 - u) >= u**2
    =/> (1 + u) * log(1 + u) + (1 - u) * log(1 - u) >= R(101, 100) * u**2
log-plus-one: => a * log(1 + 1 / a) <= 1 =/> a * log(1 + 1 / a) <= R(99, 100)
exp-reverse: => exp(-u) >= 1 - u + u**2 / 2 - u**3 / 6 =/> exp(-u) >= 1 - u + u**2 / 2 - u**3 / 7
exp-dominates-power: => exp(u) >= (1 + u / 3) ** 3 =/> exp(u) >= (1 + R(34, 100) * u) ** 3
log-log: a > 1 => log(log(a)) <= log(a) - 1 =/> log(log(a)) <= log(a) - R(101, 100)
# means and convexity
means-of-three:
     => (a + b + c) / 3 >= (a * b * c) ** third
    =/> (a + b + c) / 3 >= R(101, 100) * (a * b * c) ** third
harmonic-mean:
     => 2 * a * b / (a + b) <= sqrt(a * b)
    =/> 2 * a * b / (a + b) <= R(99, 100) * sqrt(a * b)
root-subadditive:
     => sqrt(a + b) <= sqrt(a) + sqrt(b)
    =/> sqrt(a + b) <= R(99, 100) * (sqrt(a) + sqrt(b))
log-sum:
     => a * log(a / c) + b * log(b / d) >= (a + b) * log((a + b) / (c + d))
    =/> a * log(a / c) + b * log(b / d) >= (a + b) * log((a + b) / (c + d)) + tiny
young-cubic:
     => a * b <= a**3 / 3 + 2 * b ** R(3, 2) / 3
    =/> a * b <= a**3 / 3 + R(65, 100) * b ** R(3, 2)
young-general: alpha > 1
     => a * b <= a**alpha / alpha + (1 - 1 / alpha) * b ** (alpha / (alpha - 1))
    =/> a * b <= R(99, 100) * (a**alpha / alpha + (1 - 1 / alpha) * b ** (alpha / (alpha - 1)))
cauchy:
     => (x * z + y * w) ** 2 <= (x**2 + y**2) * (z**2 + w**2)
    =/> (x * z + y * w) ** 2 <= R(99, 100) * (x**2 + y**2) * (z**2 + w**2)
minkowski:
     => sqrt((a + c) ** 2 + (b + d) ** 2) <= sqrt(a**2 + b**2) + sqrt(c**2 + d**2)
    =/> sqrt((a + c) ** 2 + (b + d) ** 2) <= R(99, 100) * (sqrt(a**2 + b**2) + sqrt(c**2 + d**2))
power-mean: alpha >= 1
     => ((a + b) / 2) ** alpha <= (a**alpha + b**alpha) / 2
    =/> ((a + b) / 2) ** alpha <= R(49, 100) * (a**alpha + b**alpha)
power-subadditive: alpha <= 1
     => (a + b) ** alpha <= a**alpha + b**alpha
    =/> (a + b) ** alpha <= R(99, 100) * (a**alpha + b**alpha)
power-superadditive: alpha >= 1
     => (a + b) ** alpha >= a**alpha + b**alpha
    =/> (a + b) ** alpha >= R(101, 100) * (a**alpha + b**alpha)
exp-convex: p < 1
     => exp(p * x + (1 - p) * y) <= p * exp(x) + (1 - p) * exp(y)
    =/> exp(p * x + (1 - p) * y) <= R(99, 100) * (p * exp(x) + (1 - p) * exp(y))
exp-lipschitz:
     => Abs(exp(x) - exp(y)) <= Abs(x - y) * exp(Max(x, y))
    =/> Abs(exp(x) - exp(y)) <= R(99, 100) * Abs(x - y) * exp(Max(x, y))
power-concave: p <= 1 => a**p <= 1 + p * (a - 1) =/> a**p <= 1 + R(99, 100) * p * (a - 1)
logarithmic-mean-power: a > b
     => (a - b) / (log(a) - log(b)) <= ((a**third + b**third) / 2) ** 3
    =/> (a - b) / (log(a) - log(b)) <= R(99, 100) * ((a**third + b**third) / 2) ** 3
# the normal distribution
erf-linear: => erf(u) <= 2 * u / sqrt(pi) =/> erf(u) <= R(112, 100) * u
erf-below: => erf(u) >= 2 * u / sqrt(pi) * exp(-(u**2)) =/> erf(u) >= R(113, 100) * u * exp(-(u**2))
erf-exponential: => erf(u) >= 1 - exp(-(u**2)) =/> erf(u) >= 1 - exp(-R(3, 2) * u**2) + tiny
tail-komatsu:
     => NormalCDF(-u) <= 2 * density(u) / (u + sqrt(u**2 + 2))
    =/> NormalCDF(-u) <= R(88, 100) * 2 * density(u) / (u + sqrt(u**2 + 2))
normal-tangent:
     => NormalCDF(u) - R(1, 2) >= u * density(u)
    =/> NormalCDF(u) - R(1, 2) >= R(101, 100) * u * density(u)
normal-logistic:
     => NormalCDF(u) >= 1 / (1 + exp(-sqrt(8 / pi) * u))
    =/> NormalCDF(u) >= 1 / (1 + exp(-R(16, 10) * u))
tail-gaussian-below:
     => NormalCDF(-u) >= exp(-sqrt(2 / pi) * u - u**2 / 2) / 2
    =/> NormalCDF(-u) >= exp(-R(79, 100) * u - u**2 / 2) / 2
isoperimetric-linear: p <= R(1, 2)
     => density(NormalQuantile(p)) >= sqrt(2 / pi) * p
    =/> density(NormalQuantile(p)) >= R(8, 10) * p
isoperimetric-variance: p < 1
     => density(NormalQuantile(p)) >= 4 / sqrt(2 * pi) * p * (1 - p)
    =/> density(NormalQuantile(p)) >= R(16, 10) * p * (1 - p)
quantile-chernoff: p < R(1, 2)
     => -NormalQuantile(p) <= sqrt(2 * log(1 / (2 * p)))
    =/> -NormalQuantile(p) <= sqrt(R(12, 10) * log(1 / (2 * p)))
normal-midpoint:
     => NormalCDF(u + v) - NormalCDF(u) <= v * density(u)
    =/> NormalCDF(u + v) - NormalCDF(u) <= R(99, 100) * v * density(u)
normal-log-concave-pair:
     => NormalCDF(x) * NormalCDF(y) <= NormalCDF((x + y) / 2) ** 2
    =/> NormalCDF(x) * NormalCDF(y) <= R(99, 100) * NormalCDF((x + y) / 2) ** 2
tail-integral: a >= R(1, 2), a <= 4
     => Integral(exp(-(v**2) / 2), (v, a, oo)) <= exp(-(a**2) / 2) / a
    =/> Integral(exp(-(v**2) / 2), (v, a, oo)) <= R(6, 10) * exp(-(a**2) / 2) / a
error-integral: u <= 5
     => Integral(exp(-(v**2)), (v, 0, u)) <= u
    =/> Integral(exp(-(v**2)), (v, 0, u)) <= R(99, 100) * u
# divergences of coins
pinsker-root: *coin => Abs(p - q) <= sqrt(coins / 2) =/> Abs(p - q) <= sqrt(R(49, 100) * coins)
bretagnolle-huber-half: *coin
     => Abs(p - q) <= 1 - exp(-coins) / 2
    =/> Abs(p - q) <= 1 - R(101, 100) * exp(-coins)
bretagnolle-huber-root: *coin
     => Abs(p - q) <= sqrt(1 - exp(-coins))
    =/> Abs(p - q) <= sqrt(1 - exp(-R(49, 100) * coins))
hellinger-below-variation: *coin
     => 1 - affinity <= Abs(p - q)
    =/> 1 - affinity <= R(9, 10) * Abs(p - q)
variation-below-hellinger: *coin
     => Abs(p - q) <= sqrt(2 * (1 - affinity))
    =/> Abs(p - q) <= sqrt(R(9, 10) * (1 - affinity))
variation-affinity: *coin
     => (p - q) ** 2 <= 1 - affinity**2
    =/> R(101, 100) * (p - q) ** 2 <= 1 - affinity**2
chi-square-variation: *coin => chi >= 4 * (p - q) ** 2 =/> chi >= R(401, 100) * (p - q) ** 2
jeffreys: *coin
     => (p - q) * log(p * (1 - q) / (q * (1 - p))) >= 4 * (p - q) ** 2
    =/> (p - q) * log(p * (1 - q) / (q * (1 - p))) >= R(401, 100) * (p - q) ** 2
jensen-shannon-below: *coin
     => jensen_shannon >= (p - q) ** 2 / 2
    =/> jensen_shannon >= R(51, 100) * (p - q) ** 2
jensen-shannon-above: *coin
     => jensen_shannon <= log(2) * Abs(p - q)
    =/> jensen_shannon <= R(69, 100) * Abs(p - q)
renyi-half-pinsker: *coin
     => -2 * log(affinity) >= (p - q) ** 2
    =/> -2 * log(affinity) >= R(101, 100) * (p - q) ** 2
renyi-two-above: *coin
     => RenyiDivergence(2, bernoulli(p), bernoulli(q)) >= 2 * (p - q) ** 2
    =/> RenyiDivergence(2, bernoulli(p), bernoulli(q)) >= R(401, 100) * (p - q) ** 2
divergence-max: *coin
     => coins >= (p - q) ** 2 / (2 * Max(p, q))
    =/> coins >= (p - q) ** 2 / (R(19, 10) * Max(p, q))
divergence-reverse: *coin
     => coins <= (p - q) ** 2 / Min(q, 1 - q) * 2
    =/> coins <= (p - q) ** 2 / Min(q, 1 - q) * R(49, 100)
divergence-mixture: p < 1, q < 1, r < 1
     => KLDivergence(bernoulli(r * p + (1 - r) * q), bernoulli(q)) <= r * coins
    =/> KLDivergence(bernoulli(r * p + (1 - r) * q), bernoulli(q)) <= R(9, 10) * r * coins
hockey-stick-variation: *coin
     => HockeyStick(epsilon, bernoulli(p), bernoulli(q)) <= Abs(p - q)
    =/> HockeyStick(epsilon, bernoulli(p), bernoulli(q)) <= R(99, 100) * Abs(p - q)
poisson-divergence:
     => p * log(p / q) - p + q >= (sqrt(p) - sqrt(q)) ** 2
    =/> p * log(p / q) - p + q >= R(21, 10) * (sqrt(p) - sqrt(q)) ** 2
divergence-near-one: p < 1
     => KLDivergence(bernoulli(p), bernoulli(R(1, 2))) <= log(2) * 4 * (p - R(1, 2)) ** 2
    =/> KLDivergence(bernoulli(p), bernoulli(R(1, 2))) <= R(69, 25) * (p - R(1, 2)) ** 2
entropy-root: p < 1
     => entropy <= 2 * sqrt(p * (1 - p)) * log(2)
    =/> entropy <= R(138, 100) * sqrt(p * (1 - p))
entropy-power: p <= R(1, 2)
     => entropy <= 2 * p * log(1 / p)
    =/> entropy <= R(19, 10) * p * log(1 / p)
# tables of three
entropy-of-three: p + q < 1
     => -p * log(p) - q * log(q) - (1 - p - q) * log(1 - p - q) <= log(3)
    =/> -p * log(p) - q * log(q) - (1 - p - q) * log(1 - p - q) <= R(109, 100)
collision-entropy: p + q < 1
     => -p * log(p) - q * log(q) - (1 - p - q) * log(1 - p - q) >= -log(p**2 + q**2 + (1 - p - q) ** 2)
    =/> -p * log(p) - q * log(q) - (1 - p - q) * log(1 - p - q) >= -R(101, 100) * log(p**2 + q**2 + (1 - p - q) ** 2)
table-pinsker: p + q < 1
     => KLDivergence(Tuple(p, q, 1 - p - q), Tuple(third, third, third)) >= (Abs(p - third) + Abs(q - third) + Abs(R(2, 3) - p - q)) ** 2 /
           2
    =/> KLDivergence(Tuple(p, q, 1 - p - q), Tuple(third, third, third)) >= R(6, 10) * (Abs(p - third) + Abs(q - third) + Abs(R(2, 3) - p -
           q)) ** 2
data-processing: a + b < 1, c + d < 1
     => KLDivergence(Tuple(a + b, 1 - a - b), Tuple(c + d, 1 - c - d)) <= KLDivergence(Tuple(a, b, 1 - a - b), Tuple(c, d, 1 - c - d))
    =/> R(101, 100) * KLDivergence(Tuple(a + b, 1 - a - b), Tuple(c + d, 1 - c - d)) <= KLDivergence(Tuple(a, b, 1 - a - b), Tuple(c, d, 1 -
           c - d))
table-renyi: a < 1
     => RenyiDivergence(2, Tuple(a, (1 - a) / 2, (1 - a) / 2), Tuple(third, third, third)) <= log(3)
    =/> RenyiDivergence(2, Tuple(a, (1 - a) / 2, (1 - a) / 2), Tuple(third, third, third)) <= R(109, 100)
k-response-divergence: epsilon > 0
     => RenyiDivergence(2, Tuple(exp(epsilon) / (exp(epsilon) + 2), 1 / (exp(epsilon) + 2), 1 / (exp(epsilon) + 2)), Tuple(1 /
           (exp(epsilon) + 2), exp(epsilon) / (exp(epsilon) + 2), 1 / (exp(epsilon) + 2))) <= epsilon**2
    =/> RenyiDivergence(2, Tuple(exp(epsilon) / (exp(epsilon) + 2), 1 / (exp(epsilon) + 2), 1 / (exp(epsilon) + 2)), Tuple(1 /
           (exp(epsilon) + 2), exp(epsilon) / (exp(epsilon) + 2), 1 / (exp(epsilon) + 2))) <= R(6, 10) * epsilon**2
# concentration
chernoff-above: u > 0, u <= 1
     => exp(u) / (1 + u) ** (1 + u) <= exp(-(u**2) / 3)
    =/> exp(u) / (1 + u) ** (1 + u) <= exp(-R(2, 5) * u**2)
chernoff-far:
     => exp(u) / (1 + u) ** (1 + u) <= exp(-(u**2) / (2 + u))
    =/> exp(u) / (1 + u) ** (1 + u) <= exp(-(u**2) / (2 + R(6, 10) * u))
chernoff-two: a >= 6 => (E / a) ** a <= 2 ** (-a) =/> (E / a) ** a <= 3 ** (-a)
log-defect:
     => u - log(1 + u) >= u**2 / (2 * (1 + u))
    =/> u - log(1 + u) >= R(51, 100) * u**2 / (1 + u)
log-defect-below-one: a <= 1
     => a - 1 - log(a) >= (1 - a) ** 2 / 2
    =/> a - 1 - log(a) >= R(51, 100) * (1 - a) ** 2
root-defect:
     => 1 + u - sqrt(1 + 2 * u) >= u**2 / (2 * (1 + u))
    =/> 1 + u - sqrt(1 + 2 * u) >= R(51, 100) * u**2 / (1 + u)
bennett-root:
     => bennett >= 9 * (1 + u / 3 - sqrt(1 + 2 * u / 3))
    =/> bennett >= R(91, 10) * (1 + u / 3 - sqrt(1 + 2 * u / 3))
bernstein-moment: u < 3
     => exp(u) - 1 - u <= u**2 / (2 * (1 - u / 3))
    =/> exp(u) - 1 - u <= u**2 / (2 * (1 - u / 4))
hoeffding-tail: p < 1, q < 1
     => exp(-n * coins) <= exp(-2 * n * (p - q) ** 2)
    =/> exp(-n * coins) <= exp(-R(201, 100) * n * (p - q) ** 2)
binomial-moment: p < 1
     => (1 - p + p * exp(x)) ** n <= exp(n * p * (exp(x) - 1))
    =/> (1 - p + p * exp(x)) ** n <= R(99, 100) * exp(n * p * (exp(x) - 1))
exponential-moment: u < 1
     => exp(-u) / (1 - u) <= exp(u**2 / (2 * (1 - u)))
    =/> exp(-u) / (1 - u) <= exp(R(49, 100) * u**2 / (1 - u))
laplace-moment: u**2 <= R(1, 2)
     => 1 / (1 - u**2) <= exp(2 * u**2)
    =/> 1 / (1 - u**2) <= exp(R(13, 10) * u**2)
chi-square-lower: u < R(1, 2)
     => exp(-u) / sqrt(1 - 2 * u) <= exp(u**2 / (1 - 2 * u))
    =/> exp(-u) / sqrt(1 - 2 * u) <= exp(R(9, 10) * u**2)
# sums of n terms
sum-harmonic-above:
     => Sum(1 / k, (k, 1, n)) <= 1 + log(n)
    =/> Sum(1 / k, (k, 1, n)) <= R(99, 100) + log(n)
sum-harmonic-below:
     => Sum(1 / k, (k, 1, n)) >= log(n + 1)
    =/> Sum(1 / k, (k, 1, n)) >= R(6, 10) + log(n)
sum-inverse-roots:
     => Sum(1 / sqrt(k), (k, 1, n)) <= 2 * sqrt(n)
    =/> Sum(1 / sqrt(k), (k, 1, n)) <= R(19, 10) * sqrt(n)
sum-inverse-roots-one:
     => Sum(1 / sqrt(k), (k, 1, n)) <= 2 * sqrt(n) - 1
    =/> Sum(1 / sqrt(k), (k, 1, n)) <= 2 * sqrt(n) - R(101, 100)
sum-inverse-roots-below:
     => Sum(1 / sqrt(k), (k, 1, n)) >= 2 * sqrt(n + 1) - 2
    =/> Sum(1 / sqrt(k), (k, 1, n)) >= 2 * sqrt(n + 1) - R(18, 10)
sum-inverse-squares:
     => Sum(1 / k**2, (k, 1, n)) <= 2 - 1 / n
    =/> Sum(1 / k**2, (k, 1, n)) <= 2 - R(11, 10) / n
sum-telescope:
     => Sum(1 / (k * (k + 1)), (k, 1, n)) <= 1
    =/> Sum(1 / (k * (k + 1)), (k, 1, n)) <= R(99, 100)
sum-roots:
     => Sum(sqrt(k), (k, 1, n)) >= R(2, 3) * n * sqrt(n)
    =/> Sum(sqrt(k), (k, 1, n)) >= R(2, 3) * n * sqrt(n) + sqrt(n) / 2
sum-squares:
     => Sum(k**2, (k, 1, n)) <= (n + 1) ** 3 / 3
    =/> Sum(k**2, (k, 1, n)) <= n**3 / 3 + n**2 / 2
sum-geometric: q < 1
     => Sum(q**k, (k, 1, n)) <= q / (1 - q)
    =/> Sum(q**k, (k, 1, n)) <= R(9, 10) * q / (1 - q)
sum-exponential: a > 0
     => Sum(exp(-a * k), (k, 1, n)) <= 1 / (exp(a) - 1)
    =/> Sum(exp(-a * k), (k, 1, n)) <= R(9, 10) / (exp(a) - 1)
sum-reciprocal-factorials:
     => Sum(1 / factorial(k), (k, 1, n)) <= E - 1
    =/> Sum(1 / factorial(k), (k, 1, n)) <= R(1718, 1000)
sum-logs:
     => Sum(log(k), (k, 1, n)) >= n * log(n) - n + 1
    =/> Sum(log(k), (k, 1, n)) >= n * log(n) - n + R(11, 10)
sum-arithmetic-geometric: q < 1
     => Sum(k * q**k, (k, 1, n)) <= q / (1 - q) ** 2
    =/> Sum(k * q**k, (k, 1, n)) <= R(9, 10) * q / (1 - q) ** 2
sum-zeta-three-halves:
     => Sum(k ** R(-3, 2), (k, 1, n)) <= 3 - 2 / sqrt(n)
    =/> Sum(k ** R(-3, 2), (k, 1, n)) <= R(29, 10) - 2 / sqrt(n)
# integers
misses-above: p <= 1 => 1 - (1 - p) ** n <= n * p =/> 1 - (1 - p) ** n <= R(99, 100) * n * p
misses-below: p <= 1
     => 1 - (1 - p) ** n >= n * p / (1 + n * p)
    =/> 1 - (1 - p) ** n >= R(101, 100) * n * p / (1 + n * p)
euler-discrete-below: n >= 2
     => (1 - 1 / n) ** (n - 1) >= 1 / E
    =/> (1 - 1 / n) ** (n - 1) >= R(37, 100)
bernoulli-second:
     => (1 + u) ** n >= 1 + n * u + n * (n - 1) * u**2 / 2
    =/> (1 + u) ** n >= 1 + n * u + R(51, 100) * n * (n - 1) * u**2
factorial-doubling: => factorial(n) >= 2 ** (n - 1) =/> factorial(n) >= R(21, 10) ** (n - 1)
factorial-mean:
     => factorial(n) <= ((n + 1) / 2) ** n
    =/> factorial(n) <= R(99, 100) * ((n + 1) / 2) ** n
factorial-e-above:
     => factorial(n) <= E * n * (n / E) ** n
    =/> factorial(n) <= R(5, 2) * n * (n / E) ** n
central-three-n:
     => binomial(2 * n, n) <= 4**n / sqrt(3 * n + 1)
    =/> binomial(2 * n, n) <= 4**n / sqrt(R(32, 10) * n + 1)
central-two-n: => binomial(2 * n, n) >= 2**n =/> binomial(2 * n, n) >= R(21, 10) ** n
doubling-square: n >= 4 => 2**n >= n**2 =/> 2**n >= R(101, 100) * n**2
doubling-linear: => 2**n >= n + 1 =/> 2**n >= n + R(11, 10)
catalan:
     => binomial(2 * n, n) / (n + 1) <= 4**n / (n * sqrt(pi * n))
    =/> binomial(2 * n, n) / (n + 1) <= R(1, 2) * 4**n / (n * sqrt(pi * n))
group-size: epsilon > 0
     => (exp(n * epsilon) - 1) / (exp(epsilon) - 1) <= n * exp((n - 1) * epsilon)
    =/> (exp(n * epsilon) - 1) / (exp(epsilon) - 1) <= R(99, 100) * n * exp((n - 1) * epsilon)
root-of-n: n >= 2 => n ** (1 / n) <= 1 + sqrt(2 / n) =/> n ** (1 / n) <= 1 + sqrt(R(1, 2) / n)
# conversions and composition
basic-composition-delta: p < 1
     => 1 - (1 - p) ** n <= n * p
    =/> 1 - (1 - p) ** n <= R(98, 100) * n * p
conversion-factor-e: alpha > 1
     => (alpha - 1) * log(1 - 1 / alpha) - log(alpha) <= -1 - log(alpha - 1)
    =/> (alpha - 1) * log(1 - 1 / alpha) - log(alpha) <= -R(101, 100) - log(alpha - 1)
zcdp-below-pure: epsilon > 0, delta < 1
     => epsilon**2 / 2 + epsilon * sqrt(2 * log(1 / delta)) >= epsilon * sqrt(2 * log(1 / delta))
    =/> epsilon**2 / 2 + epsilon * sqrt(2 * log(1 / delta)) >= epsilon * sqrt(R(3) * log(1 / delta))
zcdp-noise: epsilon > 0, delta < 1
     => GaussianDelta(epsilon, sqrt(2 * (log(1 / delta) + epsilon)) / epsilon) <= delta
    =/> GaussianDelta(epsilon, sqrt(log(1 / delta) + epsilon) / epsilon) <= delta / 10
zcdp-noise-closed: epsilon > 0, u > 0
     => epsilon**2 / (4 * (u + epsilon)) + epsilon * sqrt(u / (u + epsilon)) <= epsilon
    =/> epsilon**2 / (4 * (u + epsilon)) + epsilon * sqrt(u / (u + epsilon)) <= R(99, 100) * epsilon
inverse-zcdp: epsilon > 0, u > 0
     => (sqrt(u + epsilon) - sqrt(u)) ** 2 >= epsilon**2 / (4 * (u + epsilon))
    =/> (sqrt(u + epsilon) - sqrt(u)) ** 2 >= epsilon**2 / (4 * u)
advanced-composition: epsilon > 0
     => epsilon * (exp(epsilon) - 1) / (exp(epsilon) + 1) <= epsilon**2 / 2
    =/> epsilon * (exp(epsilon) - 1) / (exp(epsilon) + 1) <= R(49, 100) * epsilon**2
approximate-variation: delta <= 1
     => (exp(epsilon) - 1 + 2 * delta) / (exp(epsilon) + 1) <= delta + (1 - delta) * epsilon / 2
    =/> (exp(epsilon) - 1 + 2 * delta) / (exp(epsilon) + 1) <= delta + (1 - delta) * R(49, 100) * epsilon
composition-delta-pair: p < 1, q < 1
     => 1 - (1 - p) * (1 - q) <= p + q
    =/> 1 - (1 - p) * (1 - q) <= R(98, 100) * (p + q)
# amplification
amplification-exponential: q <= 1
     => amplified <= q * epsilon * exp(epsilon)
    =/> amplified <= R(9, 10) * q * epsilon * exp(epsilon / 2)
amplification-small: q <= 1, epsilon <= 1
     => amplified <= q * epsilon * (1 + epsilon)
    =/> amplified <= q * epsilon * (1 + R(2, 5) * epsilon)
amplification-composed: q <= 1
     => (1 + q * (exp(epsilon) - 1)) ** 2 <= 1 + q * (exp(2 * epsilon) - 1)
    =/> (1 + q * (exp(epsilon) - 1)) ** 2 <= 1 + R(9, 10) * q * (exp(2 * epsilon) - 1)
amplification-square: q <= 1, epsilon <= 1
     => log(1 + q**2 * (exp(epsilon) - 1) ** 2) <= 3 * q**2 * epsilon**2
    =/> log(1 + q**2 * (exp(epsilon) - 1) ** 2) <= R(9, 10) * q**2 * epsilon**2
sampled-gaussian-order-3: q <= 1, u <= 1
     => log((1 - q) ** 3 + 3 * (1 - q) ** 2 * q + 3 * (1 - q) * q**2 * exp(u) + q**3 * exp(3 * u)) / 2 <= 3 * u / 2
    =/> log((1 - q) ** 3 + 3 * (1 - q) ** 2 * q + 3 * (1 - q) * q**2 * exp(u) + q**3 * exp(3 * u)) / 2 <= R(14, 10) * u
sampled-gaussian-order-2: q <= 1, sigma >= 1
     => SampledGaussianRenyi(2, sigma, q) <= 2 * q**2 / sigma**2
    =/> SampledGaussianRenyi(2, sigma, q) <= q**2 / sigma**2
# closed forms of noise
laplace-divergence: => u - 1 + exp(-u) <= u**2 / 2 =/> u - 1 + exp(-u) <= R(49, 100) * u**2
laplace-below-response:
     => u - 1 + exp(-u) <= u * tanh(u / 2)
    =/> u - 1 + exp(-u) <= R(99, 100) * u * tanh(u / 2)
laplace-delta-closed: sigma >= R(1, 2), sigma <= 4, epsilon <= R(1, 5)
     => mechanism_delta(epsilon, laplace_scale=sigma) <= (1 / sigma - epsilon) / 2
    =/> mechanism_delta(epsilon, laplace_scale=sigma) <= R(9, 20) * (1 / sigma - epsilon)
laplace-renyi-two: sigma >= R(1, 2), sigma <= 4
     => mechanism_renyi(2, laplace_scale=sigma) <= 1 / sigma**2
    =/> mechanism_renyi(2, laplace_scale=sigma) <= R(9, 10) / sigma**2
geometric-variance: epsilon > 0
     => 2 * exp(-epsilon) / (1 - exp(-epsilon)) ** 2 <= 2 / epsilon**2
    =/> 2 * exp(-epsilon) / (1 - exp(-epsilon)) ** 2 <= R(199, 100) / epsilon**2
geometric-variance-below: epsilon > 0
     => 2 * exp(-epsilon) / (1 - exp(-epsilon)) ** 2 >= 2 / epsilon**2 - R(1, 6)
    =/> 2 * exp(-epsilon) / (1 - exp(-epsilon)) ** 2 >= 2 / epsilon**2 - R(1, 7)
response-divergence: => response <= epsilon**2 / 2 =/> response <= R(49, 100) * epsilon**2
response-entropy:
     => log(1 + exp(epsilon)) - epsilon * truth >= log(2) - epsilon**2 / 8
    =/> log(1 + exp(epsilon)) - epsilon * truth >= log(2) - epsilon**2 / 9
response-gdp:
     => 2 * NormalQuantile(truth) <= sqrt(pi / 2) * epsilon
    =/> 2 * NormalQuantile(truth) <= R(125, 100) * epsilon
contraction:
     => tanh(epsilon / 2) ** 2 <= 1 - exp(-epsilon)
    =/> tanh(epsilon / 2) ** 2 <= R(3, 10) * (1 - exp(-epsilon))
pure-delta-line: mu <= epsilon
     => (exp(epsilon) - exp(mu)) / (1 + exp(epsilon)) <= epsilon - mu
    =/> (exp(epsilon) - exp(mu)) / (1 + exp(epsilon)) <= R(9, 10) * (epsilon - mu)
gaussian-delta-tangent: sigma > 0
     => GaussianDelta(epsilon, sigma) >= GaussianDelta(0, sigma) - (exp(epsilon) - 1) * NormalCDF(-1 / (2 * sigma))
    =/> GaussianDelta(epsilon, sigma) >= GaussianDelta(0, sigma) - R(9, 10) * (exp(epsilon) - 1) * NormalCDF(-1 / (2 * sigma))
gaussian-delta-half: sigma > 0
     => GaussianDelta(epsilon, sigma) >= GaussianDelta(0, sigma) - (exp(epsilon) - 1) / 2
    =/> GaussianDelta(epsilon, sigma) >= GaussianDelta(0, sigma) - R(9, 20) * (exp(epsilon) - 1)
gaussian-delta-gaussian: sigma >= 1
     => GaussianDelta(epsilon, sigma) <= exp(-(epsilon**2) * sigma**2 / 2 + epsilon / 2)
    =/> GaussianDelta(epsilon, sigma) <= exp(-(epsilon**2) * sigma**2 / 2 + epsilon / 2) / 3
gaussian-composed: u <= 3, v <= 3
     => GaussianDelta(u + v, 1 / sqrt(2)) <= GaussianDelta(u, 1) + GaussianDelta(v, 1)
    =/> GaussianDelta(u + v, 1 / sqrt(2)) <= R(1, 2) * (GaussianDelta(u, 1) + GaussianDelta(v, 1))
gaussian-trade-off: p < 1
     => NormalCDF(NormalQuantile(1 - p) - mu) >= 1 - p - mu / sqrt(2 * pi)
    =/> NormalCDF(NormalQuantile(1 - p) - mu) >= 1 - p - R(39, 100) * mu
gaussian-renyi-order: alpha >= 2
     => GaussianRenyi(alpha, sigma, 1) >= GaussianRenyi(2, sigma, 1)
    =/> GaussianRenyi(alpha, sigma, 1) >= R(101, 100) * GaussianRenyi(2, sigma, 1)
shuffled: epsilon > 0
     => log(1 + (exp(epsilon) - 1) / (exp(epsilon) + 1) * u) <= epsilon * u / 2
    =/> log(1 + (exp(epsilon) - 1) / (exp(epsilon) + 1) * u) <= R(49, 100) * epsilon * u
""",
)
