"""Koskela, Jälkö & Honkela 2020, §7.3: the bound of the discretisation error, and of the density at the end of the range."""

from dpbounds.notation import *

source = Source("koskela2020", "§7.3")

# --- the Riemann sum -----------------------------------------------------------------------------------------------

a, b, c = real("a b c")
end, n, k = positive("L"), positive_integer("n"), positive_integer("k")
ell = index("ell", start=0)
step = 2 * end / n

def parabola(s):
    """a + b s + c s²."""
    return a + b * s + c * s**2

area = 2 * a * end + 2 * c * end**3 / 3
riemann = step * Sum(parabola(ell * step - end), (ell, 0, n - 1))
curvature = 2 * c

discretisation_bound = source.claim(
    "The error of the Riemann sum, here for a concave parabola w >= 0 and n points.",
    [c <= 0, parabola(end) >= 0, parabola(-end) >= 0],
    Abs(area - riemann) <= step * parabola(end) + step**2 / 12 * Abs(curvature),
    {end: 1, n: 1, a: 1, b: 0, c: -1},
    note="The trapezoidal rule has the error 2L dx^2/12 max |w''|: the length of the interval is missing.")

def sum_of_powers(power, closed):
    """Σ ℓ^p for ℓ < n, by induction."""
    at_most = Sum(ell**power, (ell, 0, k))
    statement = rules.eq(Sum(ell**power, (ell, 0, k - 1)), closed)
    base = rules.equality(Sum(ell**power, (ell, 0, 0)), closed.subs(k, 1))
    last = rules.equality(Sum(ell**power, (ell, k, k)), k**power)
    more = rules.chain(rules.sum_split(at_most, k - 1), rules.add(rules.hypothesis(statement), last))
    known = rules.induction(base, rules.restate(rules.eq(at_most, closed.subs(k, k + 1)), more), k, statement, start=1)
    return rules.instance(known, {k: n})

exact_error = step * (parabola(end) - parabola(-end)) / 2 - 2 * end * step**2 / 12 * curvature

def error_of_parabolas(proof):
    """The sum of a parabola in closed form."""
    first = proof("the sum of the indices", sum_of_powers(1, k * (k - 1) / 2))
    second = proof("the sum of their squares", sum_of_powers(2, k * (k - 1) * (2 * k - 1) / 6))
    return proof("collect", rules.equality(area - riemann, exact_error, using=[first, second]))

discretisation_bound__corrected = source.claim("With the factor 2L, which is exact for parabolas.",
    rules.eq(area - riemann, exact_error), Proof(error_of_parabolas),
    mutant=(rules.eq(area - riemann, exact_error + (2 * end - 1) * step**2 / 12 * curvature),
        {end: 1, n: 1, a: 1, b: 0, c: -1}),
    corrects=discretisation_bound,
    note="So no constant in the place of 2L would do for all L. The mutant has 1.")

# --- the density at the end ----------------------------------------------------------------------------------------

sigma, q = positive("sigma q")
far = sigma**2 * end + sigma**2 * log(1 / (2 * q)) - Rational(1, 2)  # σ²L + C
ratio = (exp(end) - (1 - q)) / q
place = sigma**2 * log(ratio) + Rational(1, 2)
density = exp(end) * normal_density(place, 0, sigma) * sigma**2 * exp(end) / (exp(end) - (1 - q))

density_bound = source.claim(
    "The printed bound of the density at L makes dx w(L) vanish (read: is at most 1).",
    [sigma >= 1, q <= Rational(1, 100), end >= 1, far >= 0], sigma * exp(far**2 / (2 * sigma**2)) <= 1,
    {sigma: 2, q: "1/100", end: 12},
    note="One minus too many: the bound is at least sigma, and grows with L.")

def tail_of_density(proof):
    """ω(L) = σ/√(2π)·e^{−(t−1)²/2σ²}·e^{2L}/(qX²), X = (e^L−(1−q))/q, with e^L ≤ X, e^L ≤ 2qX and t−1 ≥ σ²L + C."""
    x, z = real("x"), positive("z")
    given = [q < 1, exp(end) >= 2 * (1 - q), far >= 0]
    size = rules.apply(Lambda(x, exp(x)), rules.positive(end))
    first = rules.restate(rules.le(exp(end) * q, exp(end) - (1 - q)), rules.nonnegative((1 - q) * (exp(end) - 1), given, using=[size]))
    below = rules.restate(rules.le(exp(end), ratio), rules.scale(first, 1 / q))
    second = rules.restate(rules.le(exp(end), 2 * q * ratio), rules.hypothesis(given[1]))
    shown = rules.chain(rules.positive(exp(end)), below)
    square = proof("e^{2L} <= 2 q X^2", rules.multiply(below, second))
    logs = rules.apply(Lambda(z, log(z)), rules.scale(second, 1 / (2 * q)))
    shift = sigma**2 * log(ratio) - Rational(1, 2)
    right = rules.restate(rules.le(far, shift), rules.scale(logs, sigma**2), using=[shown])
    power = rules.apply(Lambda(z, z**2), right, given, using=[shown])
    tail = rules.apply(Lambda(x, exp(-x)), rules.scale(power, 1 / (2 * sigma**2)), given, using=[shown])
    proof("the exponent", tail)
    share = rules.restate(
        rules.le(exp(2 * end) / (2 * q * ratio**2), 1), rules.scale(square, 1 / (2 * q * ratio**2), using=[shown]), using=[shown]
    )
    both = rules.multiply(tail, share, using=[shown])
    constant = rules.scale(both, 2 * sigma / sqrt(2 * pi))
    value = rules.equality(density, constant.lhs, [q < 1], using=[shown])
    number = rules.scale(rules.sign(rules.le(2 / sqrt(2 * pi), 1)), sigma * both.rhs)
    return proof("collect", rules.chain(value, constant, number, given=given, using=[shown]))

density_bound__corrected = source.claim(
    "With one minus: the density at L, if e^L >= 2(1-q) and sigma^2 L + C >= 0.",
    [q < 1, exp(end) >= 2 * (1 - q), far >= 0], rules.le(density, sigma * exp(-(far**2) / (2 * sigma**2))),
    Proof(tail_of_density),
    mutant=(density <= sigma * exp(-(far**2) / sigma**2), {sigma: 2, q: "1/100", end: 1}),
    corrects=density_bound, example={sigma: 2, q: "1/100", end: 12},
    note="C = sigma^2 log(1/(2q)) - 1/2. Both conditions hold where L is used: L >= log 2 is enough for the "
    "first.")
