"""Enclosures that the checker must give, beside the truth from mpmath; each probe says whether the truth lies inside.

Parameters are coarse on purpose: the error term that a probe is about is larger than all the rest, so without it the truth lies outside.
"""

import functools
from fractions import Fraction as F

import mpmath
from mpmath import mpc, mpf

from dpbounds.covers.intervals import Undefined
from dpbounds.recheck import (
    atoms,
    bromwich,
    convolution,
    fixed_size,
    gaussian_mixture,
    grid,
    irrational,
    laplace_sum,
    noises,
    numbers,
    profiles,
    renyi,
    truncated_batch,
)
from tests.truths import gaussian_delta


def exact(value):
    return mpf(value.numerator) / value.denominator


def inside(real, truth):
    """The truth is known to 36 digits only."""
    low, high = (exact(end) for end in real.bounds())
    return low - abs(truth) * mpf(10) ** -36 <= truth <= high + abs(truth) * mpf(10) ** -36


def within(disc, truth):
    unit = mpf(2) ** disc.e
    return abs(mpc(disc.a * unit, disc.b * unit) - truth) <= disc.r * unit


# moments by definition


@functools.cache
def mixture_moment(q, sigma, numerator, denominator, z, modulus_at=None):
    """M(z), or with (a, y) the integral of |f(s + ia)| at the exponent Re z + iy."""
    rate, noise = exact(q), exact(sigma)

    def f(s, a=0):
        w = (mpc(s, a) if a else s) / noise - 1 / (2 * noise**2)
        v = (-mpc(s, a) if a else -s) / noise - 1 / (2 * noise**2)
        u = 1 - rate + rate * mpmath.exp(w) if numerator else mpf(1)
        d = 1 - rate + rate * mpmath.exp(v) if denominator else mpf(1)
        return u, d

    def integrand(s):
        if modulus_at is None:
            u, d = f(s)
            return mpmath.npdf(s) * mpmath.exp((1 + z) * mpmath.log(u) - z * mpmath.log(d))
        a, y = modulus_at
        u, d = f(s, a)
        turn = mpmath.arg(u) - mpmath.arg(d)
        return mpmath.npdf(s) * mpmath.exp(mpf(a) ** 2 / 2) * abs(u) ** (1 + z) * abs(d) ** (-z) * mpmath.exp(-y * turn)

    return mpmath.quad(integrand, [-16, -10, -5, 0, 5, 10, 16, 24])


@functools.cache
def laplace_moment(largest, q, reversed_, z):
    e0, rate = exact(largest), exact(q)
    p = -z if reversed_ else 1 + z

    def u(loss):
        return 1 - rate + rate * mpmath.exp(loss)

    middle = mpmath.quad(lambda loss: mpmath.exp(p * mpmath.log(u(loss)) - (loss + e0) / 2) / 4, [-e0, 0, e0])
    return mpmath.exp(p * mpmath.log(u(e0)) - e0) / 2 + mpmath.exp(p * mpmath.log(u(-e0))) / 2 + middle


REMOVE = (F(1, 10), F(1), True, False)
ADD = (F(1, 5), F(3, 4), False, True)
BOTH = (F(1, 4), F(1), True, True)
LAWS = {"remove": REMOVE, "add": ADD, "both": BOTH}


def rule(shift, strip, step, first, last):
    return {"shift": str(shift), "strip": str(strip), "step": str(step), "first": first, "last": last}


def mixture(q, sigma, numerator, denominator):
    return gaussian_mixture.GaussianMixture((1 - q, q), sigma, numerator, denominator)


FINE = rule(0, "1", "1/8", -96, 160)


def real_moment(name, own, x=2, bits=120):
    law = mixture(*LAWS[name])
    return inside(law.moment(F(x), own, numbers.Numbers(bits)), mixture_moment(*LAWS[name], x).real)


def line(name, own, c=F(3, 2), h=F(3), count=2, moment=FINE):
    law = mixture(*LAWS[name])
    discs = law.line(numbers.Points(c, h, count), {"line": own, "moment": moment}, numbers.Numbers(120))
    return all(within(disc, mixture_moment(*LAWS[name], mpc(exact(c), exact(h) * j))) for j, disc in enumerate(discs))


def decay(name, own, c=F(3, 2), y=F(2)):
    law = mixture(*LAWS[name])
    bound = law.decay(c, y, {"decay": own, "moment": FINE}, numbers.Numbers(120))
    truth = mixture_moment(*LAWS[name], exact(c), (float(F(own["shift"])), float(y)))
    return exact(bound.bounds()[1]) >= truth


def refused_rules():
    """Strips below the real axis or out of the strip of analyticity, shifts of a moment, sums that end early, too many nodes."""
    at, made = numbers.Points(F(3, 2), F(3), 2), numbers.Numbers(60)
    away = gaussian_mixture.GaussianMixture((F(0), F(1, 2), F(1, 2)), F(1), False, True)
    lines = [rule("1/2", "1", "1/4", -20, 30), rule("16/5", "1/8", "1/4", -20, 30)]
    moments = [rule("1/4", "1", "1/4", -40, 60), rule(0, "16/5", "1/4", -40, 60), rule(0, "1", "6", -40, 60), rule(0, "1", "1/4", -40, 4)]
    moments += [rule(0, "1", "1/4", -20_001, 60), rule(0, "1", "1/4", 1, 60), rule(0, "1", "1/4", -40, 20_001)]
    decays = [rule("1", "3/4", "1/4", -40, 60)]
    law = mixture(*REMOVE)
    return (
        all(refuses(lambda own=own: law.line(at, {"line": own, "moment": FINE}, made)) for own in lines)
        and all(refuses(lambda own=own: law.moment(F(2), own, made)) for own in moments)
        and all(refuses(lambda own=own: law.decay(F(2), F(1), {"decay": own, "moment": FINE}, made)) for own in decays)
        and refuses(lambda: away.moment(F(2), FINE, made))
        and refuses(lambda: mixture(*BOTH).line(at, {"line": rule("2", "1/8", "1/4", -40, 60), "moment": FINE}, made))
    )


NEAR_ONE = (F(999, 1000), F(4), True, False)
"""Almost a shifted normal density, for which the bounds of a quadrature are nearly reached."""


def moment_of(law, own, x):
    """The moment of any pair at any order."""
    return inside(mixture(*law).moment(F(x), own, numbers.Numbers(120)), mixture_moment(*law, exact(F(x))).real)


def line_of(law, own, c, h=F(1), count=2, moment=None):
    """A line of any pair."""
    made = numbers.Numbers(200)
    discs = mixture(*law).line(numbers.Points(c, h, count), {"line": own, "moment": moment or rule(0, "1", "1/8", -240, 400)}, made)
    return all(within(disc, mixture_moment(*law, mpc(exact(c), exact(h) * j))) for j, disc in enumerate(discs))


def decay_of(law, own, c, y):
    """A decay bound of any pair."""
    own = {"decay": own, "moment": rule(0, "1", "1/8", -240, 400)}
    bound = mixture(*law).decay(c, y, own, numbers.Numbers(200)).bounds()[1]
    return exact(bound) >= mixture_moment(*law, exact(c), (float(F(own["decay"]["shift"])), float(y)))


def quadratures_that_are_off():
    """Nodes so far apart that the sum is off by nearly its bound: beside the largest term, where it is turned, and three in all."""
    return (
        moment_of(NEAR_ONE, rule(0, "5/2", "5/2", -8, 8), 4)
        and decay_of(NEAR_ONE, rule("5/2", "5/2", "5/2", -8, 8), F(4), F(1, 100))
        and line_of((F(1, 100), F(1), True, False), rule("1", "1", "22/7", -6, 6), F(3, 2))
        and line_of((F(9, 10), F(1), True, False), rule("1", "1", "22/7", -6, 8), F(2))
        and line_of((F(1, 100), F(1), True, False), rule("3/10", "3/10", "20", -3, 3), F(3, 2))
    )


def negative_powers_at_large_orders():
    """Strips so wide that V comes close to 0 in them, at the order 41: their bounds differ by many powers of ten."""
    lines = [("9/10", "57/20", "21/10", "49/100"), ("3/4", "251/100", "61/25", "459/1000"), ("1/4", "529/200", "429/200", "1/2")]
    lines += [("99/100", "177/100", "5/4", "113/200")]
    decays = [("99/100", "1/4", "103/40", "16/15", -20, 40), ("99/100", "23/8", "43/200", "8", -4, 6)]
    return all(line_of((F(q), F(2), False, True), rule(a, b, step, -60, 120), F(40), count=1) for q, a, b, step in lines) and all(
        decay_of((F(q), F(2), False, True), rule(a, b, step, *ends), F(40), F(1, 1000)) for q, a, b, step, *ends in decays
    )


def fine_decay():
    """Nodes so close together that the bound is the integral on the shifted line."""
    pairs = ((F(9, 10), F(1), True, False), (F(1, 2), F(1), True, True))
    return all(decay_of(law, rule("1", "1/2", "1/16", -120, 160), F(3, 2), F(1, 10)) for law in pairs)


def tails_that_are_reached():
    """Sums that end early, of pairs for which the bound on what is left out is nearly what it is."""
    for sigma in (F(1, 2), F(1), F(2)):
        for x in (F(1, 2), F(2)):
            last = int(4 * (1 + x) / sigma) + 6
            if not moment_of((F(999, 1000), sigma, True, False), rule(0, "1", "1/4", -60, last), x):
                return False
    shifted = line_of((F(999, 1000), F(1), True, False), rule("5/4", "5/4", "1/8", -120, 32), F(2), count=1)
    ends = [moment_of((F(9, 10), F(3, 4), False, True), rule(0, "1", "1/4", -60, last), 3) for last in (6, 10)]
    twice = gaussian_mixture.GaussianMixture((F(1, 1000), F(0), F(999, 1000)), F(1), True, False)
    found = twice.moment(F(2), rule(0, "1/2", "1/8", -120, 56), numbers.Numbers(120))
    truth = sum(
        mpmath.binomial(3, k) * mpf("0.001") ** (3 - k) * mpf("0.999") ** k * mpmath.exp(mpf(4) * (k * k - k) / 2) for k in range(4)
    )
    return shifted and all(ends) and inside(found, truth)


def largest_losses():
    """There is one in direction add alone, and none where the query always moves."""
    made = numbers.Numbers(60)
    away = gaussian_mixture.GaussianMixture((F(0), F(1, 2), F(1, 2)), F(1), False, True)
    none = [mixture(*REMOVE), mixture(*BOTH), away]
    return all(law.largest_loss(made) is None for law in none) and inside(mixture(*ADD).largest_loss(made), mpmath.log(mpf(5) / 4))


def levels_that_are_missed():
    """Where the loss is s is guessed, too low or too high, and the interval about it grows until it holds the level."""
    whole, found = profiles._approx_level, True
    up, still = tuple(enumerate(MOVES)), ((0, F(1)),)
    try:
        for off in (F(1, 1000), F(-1, 1000)):
            profiles._approx_level = lambda *given, off=off: whole(*given) + off
            law = gaussian_mixture.GaussianMixture(MOVES, F(1), True, False)
            found = found and profile_of(law, F(1, 5), hockey_stick(up, still, F(1), F(1, 5)))
    finally:
        profiles._approx_level = whole
    return found


def moves_that_are_refused():
    """Strips and shifts that are too wide for a query that moves by two units, and a sum that ends between both means."""
    made, at = numbers.Numbers(60), numbers.Points(F(3, 2), F(3), 2)
    both, up = (gaussian_mixture.GaussianMixture(MOVES, F(1), True, present) for present in (True, False))
    fine = rule(0, "1", "1/4", -40, 60)
    return (
        refuses(lambda: up.moment(F(2), rule(0, "8/5", "1/4", -40, 60), made))
        and refuses(lambda: up.decay(F(2), F(1), {"decay": rule("1/2", "2/5", "1/4", -40, 60), "moment": fine}, made))
        and refuses(lambda: both.line(at, {"line": rule("1", "1/4", "1/4", -40, 60), "moment": fine}, made))
        and refuses(lambda: up.moment(F(2), rule(0, "1", "1/4", -40, 20), made))
        and not refuses(lambda: up.moment(F(2), fine, made))
    )


# truncated batches


def chance_of_a_full_batch(count, q, least):
    """P(Bin(count, q) >= least), exactly."""
    return sum((mpmath.binomial(count, j) * exact(q) ** j * exact(1 - q) ** (count - j) for j in range(least, count + 1)), mpf(0))


def full_batches():
    """Limits below and far below and above the mean, few bits at which the sum ends early, and what would take too long."""
    cases = [(11, F(1, 5), 4), (11, F(1, 5), 1), (11, F(4, 5), 11), (300, F(1, 10), 20), (300, F(1, 10), 45), (2000, F(1, 50), 90)]
    found = all(
        inside(truncated_batch.upper_tail(*case, numbers.Numbers(bits)), chance_of_a_full_batch(*case))
        for case in cases
        for bits in (20, 80)
    )
    far_below = inside(truncated_batch.upper_tail(45000, F(9, 10), 30000, numbers.Numbers(30)), mpf(1))
    return found and far_below and refuses(lambda: truncated_batch.upper_tail(10**10, F(1, 5), 4, numbers.Numbers(60)))


def truncated():
    """Moments, a line, decay bounds and closed forms in both orders, by the two pairs with their weights."""
    made, full = numbers.Numbers(120), chance_of_a_full_batch(11, F(1, 5), 4)
    fine, close = rule(0, "1/2", "1/8", -96, 200), rule("1/4", "1/4", "1/16", -200, 300)
    own = {key: {"uncut": each, "full": each} for key, each in (("line", close), ("moment", fine), ("decay", close))}
    for up in (True, False):
        law = truncated_batch.truncated_batch(F(1, 5), F(3, 2), 12, 4, made)
        law = law if up else law.swapped()
        pairs = ((F(1, 5), F(3, 2), up, not up), (F(4, 25), F(3, 4), up, not up))

        def mean(value, pairs=pairs):
            return (1 - full) * value(pairs[0]) + full * value(pairs[1])

        if not inside(law.moment(F(2), own["moment"], made), mean(lambda pair: mixture_moment(*pair, 2)).real):
            return False
        discs = law.line(numbers.Points(F(2), F(1), 2), own, made)
        if not all(within(disc, mean(lambda pair, j=j: mixture_moment(*pair, mpc(2, j)))) for j, disc in enumerate(discs)):
            return False
        bound = exact(law.decay(F(2), F(2), own, made).bounds()[1])
        if bound < mean(lambda pair: mixture_moment(*pair, mpf(2), (0.25, 2.0))):
            return False
        for s in (F(1, 5), F(-1, 16)):
            rows = [(((0, 1 - q), (1 if up else -1, q)), sigma) for q, sigma, _, _ in pairs]
            sticks = [hockey_stick(*((row, ((0, F(1)),)) if up else (((0, F(1)),), row)), sigma, s) for row, sigma in rows]
            if not profile_of(law, s, (1 - full) * sticks[0] + full * sticks[1]):
                return False
        largest = law.largest_loss(made)
        if (largest is None) != up or (not up and exact(largest.bounds()[1]) < -mpmath.log(mpf(4) / 5)):
            return False
    return True


def rational_sides():
    """A number on its side of a formula is taken, one on the other side is refused, in either direction of either kind."""
    made = numbers.Numbers(80)

    def query(sigma, epsilon):
        return {"epsilon": epsilon, "mechanism": [{"sigma": sigma, "steps": 1}]}

    asked = query("sqrt(2)", "log(3)")
    for private, right, wrong in ((True, ("1.42", "1.1"), ("1.41", "1.0")), (False, ("1.41", "1.0"), ("1.42", "1.1"))):
        irrational.require_bound(asked, query(*right), private, made)
        for given in ((right[0], wrong[1]), (wrong[0], right[1])):
            if not refuses(lambda given=given, private=private: irrational.require_bound(asked, query(*given), private, made)):
                return False
    return refuses(lambda: irrational.require_bound(asked, {**query("1.42", "1.1"), "steps": 1}, True, made))


def sums_of_discs():
    """In units far apart, and too far."""
    apart = numbers.Disc(3, -1, 1, -70).plus(numbers.Disc(5, 2, 2, 3))
    far = refuses(lambda: numbers.Disc(1, 1, 1, -200_000).plus(numbers.Disc(1, 1, 1, 3)))
    return far and all(
        within(apart, mpc(3 + u, -1 + v) * mpf(2) ** -70 + mpc(5 + 2 * u, 2 + 2 * v) * 8) for u, v in ((0, 0), (1, 0), (0, -1))
    )


# formulas of irrational parameters

FORMULAS = {
    "sqrt(2)/3": lambda: mpmath.sqrt(2) / 3,
    "log(3) - 1/2": lambda: mpmath.log(3) - mpf(1) / 2,
    "2*exp(-20) + 1e-3": lambda: 2 * mpmath.exp(-20) + mpf("0.001"),
    "-pi*E": lambda: -mpmath.pi * mpmath.e,
    "2**(1/3)": lambda: mpf(2) ** (mpf(1) / 3),
    "2**(-1/3)": lambda: mpf(2) ** (-mpf(1) / 3),
    "(1 + sqrt(5))**-3": lambda: (1 + mpmath.sqrt(5)) ** -3,
    "(1 - sqrt(5))**3": lambda: (1 - mpmath.sqrt(5)) ** 3,
    "0.1*sqrt(7)": lambda: mpf(1) / 10 * mpmath.sqrt(7),
}


def formulas():
    """Each holds its number, and others are refused."""
    bad = (
        "1/(sqrt(4) - 2)",
        "2**sqrt(2)",
        "2**9999",
        "sin(1)",
        "sqrt(-1)",
        "log(0)",
        "x",
        "sqrt(2",
        "pi()",
        "1_0",
        "sqrt(2) # 3",
        "\n2",
        "1j",
        "2**(1/0)",
        "[1]",
        "sqrt(2)" * 99,
    )
    made = numbers.Numbers(80)
    return all(inside(irrational.closed(text, made), truth()) for text, truth in FORMULAS.items()) and all(
        refuses(lambda text=text: irrational.closed(text, made)) for text in bad
    )


# δ of plain Gaussian noise by a line: only the errors of the contour are left


def contour(mu=1, epsilon=1, c="1", h="1/2", nodes=40, right="6", left="4", laws=None):
    uses = laws or [(noises.Gaussian(F(mu) ** 2), 1)]
    own = {"name": "bromwich", "bits": 100, "abscissa": c, "step": h, "nodes": nodes, "right": right, "left": left}
    own["factors"] = [{"right": None, "left": None} for _ in uses]
    found = bromwich.bromwich(uses, F(epsilon), own, numbers.Numbers(100))
    return inside(found, gaussian_delta(mu, epsilon))


def plain_laplace(h="1/10", nodes=2000, steps=30, epsilon=1):
    """Laplace noise decays so little that the nodes beyond the line matter."""
    uses = [(noises.Laplace(F(1, 3)), steps)]
    own = {"name": "bromwich", "bits": 100, "abscissa": "1", "step": h, "nodes": nodes, "right": "4", "left": "2"}
    own["factors"] = [{"right": None, "left": None}]
    found = bromwich.bromwich(uses, F(epsilon), own, numbers.Numbers(100))
    truth = laplace_sum.laplace_sum([(F(1, 3), steps)], F(epsilon), numbers.Numbers(300)).bounds()[0]
    return inside(found, exact(truth))


def bounded_losses(steps=3, epsilon=F(1, 2), h="1/20", nodes=300):
    """A period that reaches the largest loss, so nothing on the right is left; many nodes, as the line hardly decays."""
    own = {"name": "bromwich", "bits": 60, "abscissa": "2", "step": h, "nodes": nodes, "right": None, "left": None, "factors": [{}]}
    found = bromwich.bromwich([(noises.Laplace(F(1, 2)), steps)], epsilon, own, numbers.Numbers(60))
    truth = laplace_sum.laplace_sum([(F(1, 2), steps)], epsilon, numbers.Numbers(300)).bounds()[0]
    return inside(found, exact(truth))


def period_too_short():
    """A period that does not reach the largest loss is refused."""
    try:
        bounded_losses(steps=8, h="4", nodes=20)
    except numbers.Refused:
        return True
    return False


def bound_alone(order="2", mu=1, epsilon=3):
    """[0, bound] holds δ, and the bound is what it should be at an order: κ(x)·M(x)·e^{−xε}."""
    made = numbers.Numbers(80)
    own = {"name": "tail bound", "bits": 80, "order": order, "moments": [None, None]}
    found = bromwich.tail_bound([(noises.Gaussian(F(mu, 3)), 2), (noises.Gaussian(F(mu, 3)), 1)], F(epsilon), own, made)
    x = exact(F(order))
    value = x**x / (1 + x) ** (1 + x) * mpmath.exp(x * (1 + x) * mu / 2 - x * epsilon)
    low, high = (exact(end) for end in found.bounds())
    return low <= 0 and inside(found, gaussian_delta(mu, epsilon)) and value <= high <= value * (1 + mpf(10) ** -15)


def dropped_outcomes(steps=3, epsilon=F(1, 4)):
    """A table of which one outcome is not listed, and only its mass is known."""
    made = numbers.Numbers(80)
    whole = atoms.table([p for p, _ in TABLE], [q for _, q in TABLE], made)
    both = []
    for missing in range(3):
        rows = tuple(row for index, row in enumerate(whole.rows) if index != missing)
        part = atoms.Atoms(rows, dropped=made.number(F(1, 2) if missing != 2 else F(1, 4)))
        found = convolution.mean_excess(convolution.totals([(part, steps)], {"units": [None]}, made), epsilon, made)
        total = convolution.mean_excess(convolution.totals([(whole, steps)], {"units": [None]}, made), epsilon, made)
        both.append(inside(found + bromwich.unlisted_mass([(part, steps)], made), exact(total.bounds()[0])))
    return all(both)


def beyond_the_list():
    """Outcomes of sampled discrete Gaussian noise that are not listed, much noise and a short list: the bound is close to their sum."""
    sigma, shift, reach, both = 50, 1, 2, []
    density = {j: mpmath.exp(-(mpf(j) ** 2) / (2 * sigma**2)) for j in range(-1000, 1001)}
    whole = mpmath.fsum(density.values())
    for rate in (F(1), F(1, 2), F(1, 10)):
        for x in (F(0), F(1), F(3, 2)):
            for power in (1 + exact(x), -exact(x)):
                unlisted = [j for j in density if (j < -reach or j > shift + reach) and j - shift in density]
                ratio = {j: 1 - exact(rate) + exact(rate) * density[j - shift] / density[j] for j in unlisted}
                truth = mpmath.fsum(density[j] * ratio[j] ** power for j in unlisted) / whole
                found = atoms.Beyond(F(sigma), shift, reach, rate).moment(x, numbers.Numbers(80)).bounds()[1]
                both.append(truth <= exact(found) <= truth + mpf(1) / 10)
    return all(both)


def sampled_laplace(own, reversed_=False, c=F(2), h=F(3), count=3, q=F(1, 4), largest=F(1)):
    law = noises.SampledLaplace(largest, q, reversed_)
    discs = law.line(numbers.Points(c, h, count), {"line": own}, numbers.Numbers(100))
    found = law.moment(c, own, numbers.Numbers(100))
    ends = all(within(disc, laplace_moment(largest, q, reversed_, mpc(exact(c), exact(h) * j))) for j, disc in enumerate(discs))
    return ends and inside(found, laplace_moment(largest, q, reversed_, exact(c)).real)


def sampled_laplace_decay(reversed_=False, c=F(1), q=F(1, 4), largest=F(1)):
    """The bound holds at many heights beyond y, among them those where the atoms are in phase."""
    law = noises.SampledLaplace(largest, q, reversed_)
    rate, e0 = exact(q), exact(largest)
    gap = mpmath.log((1 - rate + rate * mpmath.exp(e0)) / (1 - rate + rate * mpmath.exp(-e0)))
    for n in range(1, 6):
        for part in (mpf(0), mpf("0.05"), mpf("-0.05"), mpf("0.1")):
            y = 2 * mpmath.pi * (n + part) / gap
            height = F(int(y * 1000), 1000)
            bound = law.decay(c, height, {}, numbers.Numbers(80)).bounds()[1]
            if abs(laplace_moment(largest, q, reversed_, mpc(exact(c), y))) > exact(bound):
                return False
    return True


def laplace_decay():
    law = noises.Laplace(F(1))
    for n in range(1, 40):
        y = F(n, 4)
        bound = exact(law.decay(F(1), y, {}, numbers.Numbers(80)).bounds()[1])
        z = mpc(1, exact(y))
        value = (mpmath.exp(z) * (z + 1) + mpmath.exp(-1 - z) * z) / (2 * z + 1)
        if abs(value) > bound:
            return False
    return True


def gaussian_decay():
    """|M(c + iy)| of plain Gaussian noise is the bound itself."""
    for variance, c, y in ((F(1, 3), F(1, 2), F(2)), (F(2), F(3), F(1, 4)), (F(1), F(5, 2), F(7))):
        bound = exact(noises.Gaussian(variance).decay(c, y, {}, numbers.Numbers(80)).bounds()[1])
        z = mpc(exact(c), exact(y))
        truth = abs(mpmath.exp(z * (1 + z) * exact(variance) / 2))
        if not truth <= bound <= truth * (1 + mpf(10) ** -15):
            return False
    return True


def other_laplace():
    """Laplace noise at scales and abscissas that are not 1, sampled and not: no bound below the modulus at any height."""
    for largest, c in ((F(1, 2), F(1, 2)), (F(3), F(2)), (F(2), F(1, 10))):
        size = exact(largest)
        for n in range(1, 60):
            z = mpc(exact(c), mpf(n) / 3)
            value = abs((mpmath.exp(z * size) * (z + 1) + mpmath.exp(-(1 + z) * size) * z) / (2 * z + 1))
            if value > exact(noises.Laplace(largest).decay(c, F(n, 3), {}, numbers.Numbers(80)).bounds()[1]):
                return False
    own = {"strip": "3/4", "step": "1/8", "last": 240}
    lines = all(sampled_laplace(own, r, c=F(5, 4), largest=size, h=F(2)) for r in (False, True) for size in (F(1, 2), F(3, 2)))
    coarse = all(sampled_laplace({"strip": "3/4", "step": "1", "last": 60}, r, c=F(5, 4), largest=F(3, 2), h=F(1)) for r in (False, True))
    decays = all(sampled_laplace_decay(r, c, largest=size) for r in (False, True) for c, size in ((F(1, 2), F(1, 2)), (F(3), F(2))))
    return lines and coarse and decays


def coarse_laplace():
    """Three nodes, 20 apart, of losses that are nearly 0: the sum is four times the integral, and the bound is not twice what is needed."""
    own = {"strip": "1", "step": "20", "last": 1}
    laws = [noises.SampledLaplace(F(1, 100), F(1, 4), reversed_) for reversed_ in (False, True)]
    return all(
        inside(law.moment(F(1), own, numbers.Numbers(80)), laplace_moment(law.largest, law.q, law.reversed, mpf(1)).real) for law in laws
    )


def cut_laplace():
    """Few nodes at orders so large that one end of the losses rules: what is cut off there is nearly as large as its bound."""
    cases = ((F(1), F(1, 4), False, 30), (F(8), F(9, 10), False, 3), (F(8), F(9, 10), True, 3), (F(8), F(1, 20), True, 40))
    for largest, q, reversed_, x in cases:
        law = noises.SampledLaplace(largest, q, reversed_)
        for last in (20, 40):
            own = {"strip": "3/10", "step": "1/10", "last": last}
            if not inside(law.moment(F(x), own, numbers.Numbers(80)), laplace_moment(largest, q, reversed_, mpf(x)).real):
                return False
    return len(law._nodes(F(1), F(0), {"strip": "3/10", "step": "1/10", "last": 3}, numbers.Numbers(60))[0]) == 2 + 7


def high_laplace():
    """A line so high that the phase turns by more than half a circle from one node to the next."""
    own = {"strip": "1", "step": "1/2", "last": 80}
    return all(sampled_laplace(own, reversed_, c=F(1, 2), h=F(10), count=8, q=F(1, 2)) for reversed_ in (False, True))


def decay_at_large_orders():
    """One end of the losses rules, and the phase turns about as fast as the density falls: then the integral is a quarter of its bound."""
    cases = (
        (F(1), F(1, 20), False, 99),
        (F(8), F(1, 20), False, 99),
        (F(4), F(1, 20), True, 20),
        (F(4), F(9, 10), True, 20),
        (F(8), F(1, 2), True, 20),
    )
    for largest, q, reversed_, c in cases:
        law, rate, end = noises.SampledLaplace(largest, q, reversed_), exact(q), exact(-largest if reversed_ else largest)
        share = rate * mpmath.exp(end) / (1 - rate + rate * mpmath.exp(end))
        p = -c if reversed_ else 1 + c
        for times in (mpf(1) / 2, mpf(1), mpf(2)):
            y = F(int(1000 * times * abs(p * share - mpf(1) / 2) / share), 1000)
            bound = law.decay(F(c), y, {}, numbers.Numbers(80)).bounds()[1]
            if abs(laplace_moment(largest, q, reversed_, mpc(c, exact(y)))) > exact(bound):
                return False
    return True


def refused_laplace():
    """Strips in which the density may vanish, or too many nodes."""
    law = noises.SampledLaplace(F(4), F(1, 4), reversed=False)
    rules = [("2", "1/8", 40), ("31/20", "1/8", 40), ("1/4", "1/8", 20_001)]
    flat, wide = noises.SampledLaplace(F(1, 100), F(1, 4), reversed=False), {"strip": "2", "step": "1/8", "last": 40}
    return refuses(lambda: flat.moment(F(1), wide, numbers.Numbers(60))) and all(
        refuses(lambda own=own: law.moment(F(1), dict(zip(("strip", "step", "last"), own, strict=True)), numbers.Numbers(60)))
        for own in rules
    )


# arithmetic


def sums_of_powers(bits=40, count=30):
    """Σ W_n·R_n^j at a low precision against the exact value."""
    made = numbers.Numbers(bits)
    angles, weights = [F(1, 3), F(7, 5), F(-2)], [F(1), F(1, 7), F(3)]
    ratios = [made.number(angle).cis() for angle in angles]
    found = numbers.geometric_line([numbers.Complex(made.number(w), made.number(0)) for w in weights], ratios, count, made)
    for j, disc in enumerate(found):
        truth = sum(exact(w) * mpmath.expj(exact(angle) * j) for w, angle in zip(weights, angles, strict=True))
        if not within(disc, truth):
            return False
    return True


def powers(bits=30):
    z = numbers.Disc(5 << 25, 3 << 25, 1 << 10, -27)
    shown = z.power(37, bits)
    return all(within(shown, (mpc(5, 3) / 4 + mpc(a, b) * mpf(2) ** -17) ** 37) for a, b in ((0, 0), (1, 0), (0, 1), (-0.7, 0.7)))


def products(bits=24):
    """Discs that touch: the product of the farthest points lies in the product."""
    x, y = numbers.Disc(3 << 20, 0, 1 << 18, -20), numbers.Disc(0, 1 << 22, 1 << 20, -20)
    shown = x.times(y, bits)
    return all(within(shown, (3 + u / 4) * (4j + v)) for u in (0, 1, -1, 1j) for v in (0, 1, -1, 1j))


def phases(bits=60):
    for value in (F(1, 3), F(-40, 7), F(1000), F(1, 10**6), F(0)):
        shown = numbers.Numbers(bits).number(value).cis()
        truth = mpmath.expj(exact(value))
        if not (inside(shown.re, truth.real) and inside(shown.im, truth.imag)):
            return False
    made = numbers.Numbers(bits).number(0)
    wide = made.about(F(1), F(1, 10)).cis()
    return all(inside(wide.re, mpmath.cos(x)) and inside(wide.im, mpmath.sin(x)) for x in (mpf("0.9"), mpf(1), mpf("1.1")))


def logarithms(bits=300):
    made = numbers.Numbers(bits)
    for x, y in ((F(1), F(1)), (F(-1), F(1, 2)), (F(1, 10**9), F(2)), (F(5), F(0))):
        shown = numbers.Complex(made.number(x), made.number(y)).log()
        with mpmath.workdps(110):
            truth = mpmath.log(mpc(exact(x), exact(y)))
            if not (inside(shown.re, truth.real) and inside(shown.im, truth.imag)):
                return False
    return True


def arithmetic(bits=50):
    """Operators of real intervals and of rectangles on exact numbers and on wide intervals, whose ends the result must reach."""
    made = numbers.Numbers(bits)
    a, b, n = made.number(F(7, 3)), made.number(F(-2, 5)), 3 * (1 << 15) + 7
    wide = made.number(0).about(F(3), F(1, 2))  # [5/2, 7/2]
    z, w = numbers.Complex(a, b), numbers.Complex(b, made.number(F(5, 7)))
    x, y = mpc(mpf(7) / 3, mpf(-2) / 5), mpc(mpf(-2) / 5, mpf(5) / 7)
    reals = [
        (2 - a, mpf(2) - mpf(7) / 3),
        (made.number(F(100_001, 100_000)) ** n, (mpf(100_001) / 100_000) ** n),
        (a.plus_minus(made.number(F(1, 9))), mpf(7) / 3 - mpf(1) / 9),
        (a.plus_minus(made.number(F(1, 9))), mpf(7) / 3 + mpf(1) / 9),
        (a.down_by(made.number(F(1, 9))), mpf(7) / 3 - mpf(1) / 9),
        (a.down_by(made.number(F(1, 9))), mpf(7) / 3),
        (b.positive_part(), mpf(0)),
        (made.total([a, b, made.number(5)]), mpf(7) / 3 - mpf(2) / 5 + 5),
        (numbers.Disc(5, 1, 3, -2).real(made), mpf(2)),
        (numbers.Disc(5, 1, 3, -2).real(made), mpf(1) / 2),
        (numbers.Disc(5, 1, 3, 2).real(made), mpf(32)),
        ((a - wide).absolute(), mpf(1) / 6),
        ((a - wide).absolute(), mpf(7) / 6),
    ]
    complexes = [
        (z + w, x + y), (z * w, x * y), (z.times(F(3, 2)), x * 3 / 2), (z.plus(2), x + 2), (z.reciprocal(), 1 / x),
        (z.exp(), mpmath.exp(x)),
    ]  # fmt: skip
    rows = all(inside(found, truth) for found, truth in reals)
    rows = rows and all(inside(found.re, truth.real) and inside(found.im, truth.imag) for found, truth in complexes)
    low, high = (F(end) for end in (a.down_by(made.number(F(1, 9)))).bounds())
    return rows and high <= F(7, 3) + F(1, 10**9) and low <= F(20, 9)


def discs(bits=40):
    """Discs about rectangles, and wider ones: corners lie inside, also where one side alone is wide."""
    made = numbers.Numbers(bits)
    sides = [(F(1, 3), F(1, 50), F(0)), (F(-2), F(0), F(1, 50)), (F(1, 10**6), F(1, 10**8), F(1, 10**8)), (F(90), F(3), F(1))]
    for middle, across, up in sides:
        rectangle = numbers.Complex(made.number(0).about(middle, across), made.number(0).about(F(1, 7), up))
        shown = rectangle.disc()
        for u, v in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
            corner = mpc(exact(middle + u * across), mpf(1) / 7 + v * exact(up))
            if not within(shown, corner):
                return False
            if not all(within(shown.wider(F(1, 9)), corner + mpmath.expj(k) / 9) for k in range(7)):
                return False
    exact_product = numbers.Disc(3, 0, 0, -2).times(numbers.Disc(2, 1, 0, 5), 60)
    points = numbers.Points(F(1, 3), F(1, 7), 4).points(made)
    if not within(exact_product, mpc(48, 24)) or not inside(points[3].im, mpf(3) / 7):
        return False
    m, e = made.number(0).about(F(1, 3), F(1, 100)).fixed(4)
    ends = (F(1, 3) - F(1, 100), F(1, 3) + F(1, 100))
    return all(abs(end * 16 - m) <= e for end in ends)


def wide_sums_of_powers(bits=40, count=12):
    """Σ W_n·R_n^j for every member of wide weights and wide ratios."""
    made = numbers.Numbers(bits)
    for weight_width, angle_width, tilt in (
        (F(1, 50), F(0), F(0)),
        (F(0), F(1, 200), F(0)),
        (F(0), F(0), F(1, 50)),
        (F(1, 50), F(1, 200), F(1, 50)),
    ):
        angles, weights = [F(1, 3), F(7, 5)], [F(1), F(-3)]
        ratios = [made.number(0).about(angle, angle_width).cis() for angle in angles]
        parts = [numbers.Complex(made.number(0).about(w, weight_width), made.number(0).about(F(1, 2), tilt)) for w in weights]
        shown = numbers.geometric_line(parts, ratios, count, made)
        for sign in (1, -1):
            for turn in (1, -1):
                rows = [
                    (mpc(exact(w + sign * weight_width), mpf(1) / 2 + turn * exact(tilt)), exact(angle + turn * angle_width))
                    for w, angle in zip(weights, angles, strict=True)
                ]
                for j, disc in enumerate(shown):
                    if not within(disc, mpmath.fsum(w * mpmath.expj(angle * j) for w, angle in rows)):
                        return False
    return True


def lopsided_phases(bits=60):
    """cos and sin over intervals that end where they are steepest."""
    made = numbers.Numbers(bits)
    for low, high in ((F(0), F(1, 5)), (F(-1, 5), F(0)), (F(3, 2), F(2)), (F(299, 100), F(3))):
        shown = made.number(0).about((low + high) / 2, (high - low) / 2).cis()
        for k in range(5):
            x = exact(low) + (exact(high) - exact(low)) * k / 4
            if not (inside(shown.re, mpmath.cos(x)) and inside(shown.im, mpmath.sin(x))):
                return False
    return True


def kernels(bits=30):
    at = numbers.Points(F(2, 3), F(5, 7), 9)
    truth = [1 / (z * (z + 1)) for z in (mpc(mpf(2) / 3, mpf(5) * j / 7) for j in range(9))]
    return all(within(at.kernel(j, bits), value) for j, value in enumerate(truth))


# closed forms, sums and tables


def profile_of(law, s, truth, steps=1):
    made = numbers.Numbers(90)
    return inside(profiles.profile([(law, steps)], made.number(F(s)), made), truth)


@functools.cache
def excess(name, s):
    """E(p − e^s·q)₊ of a mixture pair, by its definition."""
    rate, noise = (exact(part) for part in LAWS[name][:2])

    def density(t, shift):
        return (1 - rate) * mpmath.npdf(t) + rate * mpmath.npdf(t, shift / noise, 1)

    shifts = {"remove": (1, 0), "add": (0, -1), "both": (1, -1)}[name]

    def gap(t):
        return density(t, shifts[0]) - mpmath.exp(exact(s)) * density(t, shifts[1])

    places = [mpf(2 * n) for n in range(-8, 9)]
    total = mpf(0)
    for a, b in zip(places, places[1:], strict=False):
        if gap(a) * gap(b) < 0:
            root = mpmath.findroot(gap, (a, b), solver="anderson", tol=1e-60, verify=False)
            total += mpmath.quad(lambda t: max(gap(t), mpf(0)), [a, root, b])
        elif gap((a + b) / 2) > 0:
            total += mpmath.quad(gap, [a, b])
    return total


def finite(rows, epsilon, steps=1, bits=60, unit=None, lost=F(0)):
    """A table used several times, against the sum over all outcomes."""
    made = numbers.Numbers(bits)
    law = atoms.table([p for p, _ in rows], [q for _, q in rows], made)
    own = {"units": [unit]}
    found = convolution.mean_excess(convolution.totals([(law, steps)], own, made), F(epsilon), made)
    found = found + bromwich.unlisted_mass([(law, steps)], made)
    totals = {(F(1), F(1)): 1}
    for _ in range(steps):
        new = {}
        for (p, q), ways in totals.items():
            for a, b in rows:
                new[p * a, q * b] = new.get((p * a, q * b), 0) + ways
        totals = new
    truth = sum((ways * max(exact(p) - mpmath.exp(exact(F(epsilon))) * exact(q), mpf(0)) for (p, q), ways in totals.items()), mpf(0))
    return inside(found, truth)


def discrete_gaussian(bits=20, steps=3, epsilon=F(1, 2)):
    """Few bits cut the noise early."""
    sigma = F(3, 2)
    made = numbers.Numbers(bits)
    law = atoms.discrete_gaussian(sigma, 1, made)
    own = {"units": [{"plain": str(1 / sigma**2), "ratio": "1"}]}
    found = convolution.mean_excess(convolution.totals([(law, steps)], own, made), epsilon, made)
    found = found + bromwich.unlisted_mass([(law, steps)], made)
    noise = {x: mpmath.exp(-mpf(x * x) / 2 / exact(sigma) ** 2) for x in range(-40, 42)}
    total = sum(noise[x] for x in range(-40, 41))
    losses = {0: mpf(1)}  # the sum of the outcomes decides the loss
    for _ in range(steps):
        new = {}
        for before, p in losses.items():
            for x in range(-30, 31):
                new[before + x + 1] = new.get(before + x + 1, mpf(0)) + p * noise[x] / total
        losses = new
    truth = mpf(0)
    for x, p in losses.items():
        loss = (2 * mpf(x) - steps) / 2 / exact(sigma) ** 2
        truth += p * max(1 - mpmath.exp(exact(epsilon) - loss), mpf(0))
    return inside(found, truth)


def laplaces(uses, epsilon, bits=120):
    """Residues against a grid-free second method: the density of a sum of Laplace losses by expansion is what they are, so a contour."""
    found = laplace_sum.laplace_sum([(F(e), k) for e, k in uses], F(epsilon), numbers.Numbers(bits))

    def moment(z):
        value = mpc(1)
        for e, k in uses:
            e = exact(F(e))
            value *= ((mpmath.exp(z * e) * (z + 1) + mpmath.exp(-(1 + z) * e) * z) / (2 * z + 1)) ** k
        return value

    return inside(found, _double_sum(uses, epsilon)) and bool(abs(moment(mpc(0)) - 1) < mpf(10) ** -30)


@functools.cache
def _double_sum(uses, epsilon):
    """δ of at most two Laplace losses by direct integration over one of them."""
    flat = [exact(F(e)) for e, k in uses for _ in range(k)]
    epsilon = exact(F(epsilon))

    def one(e, s):
        return max(mpf(0), 1 - mpmath.exp(s), 1 - mpmath.exp((s - e) / 2))

    if len(flat) == 1:
        return one(flat[0], epsilon)
    a, b = flat
    ends = sorted({-a, a, *(x for x in (epsilon - b, epsilon + b) if -a < x < a)})
    middle = mpmath.quad(lambda loss: mpmath.exp((loss - a) / 2) / 4 * one(b, epsilon - loss), ends)
    return one(b, epsilon - a) / 2 + mpmath.exp(-a) / 2 * one(b, epsilon + a) + middle


def combined(laws, epsilon, bits=80, units=None):
    """A product of laws, each (law, steps, rows by definition), against the sum over all outcomes."""
    made = numbers.Numbers(bits)
    uses = [(law(made), steps) for law, steps, _ in laws]
    found = convolution.mean_excess(convolution.totals(uses, {"units": units or [None] * len(uses)}, made), F(epsilon), made)
    found = found + bromwich.unlisted_mass(uses, made)
    outcomes = [(mpf(1), mpf(1))]
    for _, steps, rows in laws:
        for _ in range(steps):
            outcomes = [(p * a, q * b) for p, q in outcomes for a, b in rows]
    level = mpmath.exp(exact(F(epsilon)))
    real = True
    for (law, _), (_, _, rows) in zip(uses, laws, strict=True):
        real = real and inside(law.moment(F(3, 2), None, made), sum(a * (a / b) ** 1.5 for a, b in rows if a and b))
    return real and inside(found, mpmath.fsum(max(p - level * q, mpf(0)) for p, q in outcomes))


def answers(epsilon, count, failure):
    """Randomized response with a failure, by definition."""
    likely, kept = mpmath.exp(exact(F(epsilon))), 1 - exact(F(failure))
    total = likely + count - 1
    rows = [(likely, mpf(1)), (mpf(1), likely), *[(mpf(1), mpf(1))] * (count - 2)]
    lost = exact(F(failure))
    return [(kept * p / total, kept * q / total) for p, q in rows] + ([(lost, mpf(0)), (mpf(0), lost)] if lost else [])


def geometric_noise(scale, shift, reach=150):
    """Discrete Laplace noise, by definition, its outcomes joined where the loss is the same."""
    r = mpmath.exp(-1 / exact(F(scale)))
    mass = {x: (1 - r) / (1 + r) * r ** abs(x) for x in range(-reach, reach + shift + 1)}
    inner = [(mass[x - shift], mass[x]) for x in range(1, shift)]
    low = (mpmath.fsum(mass[x - shift] for x in range(shift - reach, 1)), mpmath.fsum(mass[x] for x in range(-reach, 1)))
    return [low, *inner, (low[1], low[0])]


def mixed(rows, rate):
    """P becomes γP + (1 − γ)Q."""
    rate = exact(F(rate))
    return [(rate * p + (1 - rate) * q, q) for p, q in rows]


def exchanged(rows):
    return [(q, p) for p, q in rows]


def response(count, failure):
    return lambda made: atoms.randomized_response(F(1, 2), count, F(failure), made)


def counts(shift):
    return lambda made: atoms.discrete_laplace(F(2), shift, made)


def sampled_answers():
    """A sampled law and an exchanged sampled one in one product."""

    def first(made):
        return response(3, "1/10")(made).sampled(F(1, 3), made)

    def second(made):
        return atoms.table([p for p, _ in LOST], [q for _, q in LOST], made).sampled(F(1, 4), made).swapped()

    table = exchanged(mixed([(exact(p), exact(q)) for p, q in LOST], "1/4"))
    laws = [(first, 2, mixed(answers("1/2", 3, "1/10"), "1/3")), (second, 2, table)]
    return all(combined(laws, e) for e in (0, "1/4"))


def exchanged_answers():
    """Losses log(1 − γ + γe^a), exchanged and several times."""
    rows = exchanged(mixed(answers("1/2", 2, "0"), "1/3"))
    return combined([(lambda made: response(2, "0")(made).sampled(F(1, 3), made).swapped(), 3, rows)], "1/5")


def tabled(rows):
    """A table as a law of `combined`, by definition beside it."""
    return lambda made: atoms.table([p for p, _ in rows], [q for _, q in rows], made), [(exact(p), exact(q)) for p, q in rows]


def equal_losses():
    """Two parts of one kind with losses that are no logarithms of fractions, and answers beside a table."""

    def law(made):
        return response(2, "0")(made).sampled(F(1, 3), made)

    rows = mixed(answers("1/2", 2, "0"), "1/3")
    table, by_definition = tabled(TABLE)
    beside = [(table, 2, by_definition), (response(3, "1/10"), 2, answers("1/2", 3, "1/10"))]
    return all(combined([(law, 2, rows), (law, 1, rows)], e) and combined(beside, e) for e in ("0", "1/5", "3/5"))


def one_lattice():
    """Two laws on one lattice; rows in no order, where the least loss is likelier than the largest; a loss that several answers share."""
    twos = [tabled(((F(2, 3), F(1, 3)), (F(1, 3), F(2, 3)))), tabled(((F(4, 5), F(1, 5)), (F(1, 5), F(4, 5))))]
    wide, by_definition = tabled(tuple((F(p, 100), F(q, 100)) for p, q in ((35, 35), (38, 57), (27, 8))))
    two, three, one = ({"plain": plain, "ratio": ratio} for plain, ratio in (("0", "2"), ("0", "3/2"), ("1", "1")))
    none = atoms.randomized_response
    pairs = [(law, steps, rows) for (law, rows), steps in zip(twos, (2, 1), strict=True)]
    both = [(wide, 1, by_definition), (lambda made: none(F(0), 3, F(0), made), 2, answers("0", 3, "0"))]
    return all(combined(pairs, e, 60, [two, two]) and combined(both, e, 60, [three, one]) for e in ("0", "1/2", "1"))


def products_of_rows():
    """Products of polynomials by one long multiplication, with the largest coefficients that there are."""
    rows = [[255] * n for n in (1, 2, 3, 300)] + [[65535, 0, 1, 65535] * n for n in (1, 70)] + [[0, 0]]
    for a in rows:
        for b in rows:
            truth = [sum(a[i] * b[n - i] for i in range(len(a)) if 0 <= n - i < len(b)) for n in range(len(a) + len(b) - 1)]
            found = [convolution._times(a, b, 3, up) for up in (False, True)]
            if any(len(row) < len(truth) for row in found):
                return False
            if any(not low * 8 <= value <= high * 8 for low, value, high in zip(found[0], truth, found[1], strict=False)):
                return False
    return True


def line_of_atoms():
    """M on a line, of a table and of sampled answers."""
    made, at = numbers.Numbers(80), numbers.Points(F(3, 2), F(2, 3), 4)
    laws = [tabled(TABLE), (lambda made: response(3, "0")(made).sampled(F(1, 3), made), mixed(answers("1/2", 3, "0"), "1/3"))]
    return all(
        within(disc, sum(p * mpmath.exp(mpc(1.5, mpf(2 * j) / 3) * mpmath.log(p / q)) for p, q in rows))
        for law, rows in laws
        for j, disc in enumerate(law(made).line(at, {}, made))
    )


# queries that move by several units, batches of fixed size, and grids of losses

MOVES = (F(3, 4), F(1, 8), F(1, 8))


@functools.cache
def moves_moment(numerator, denominator, sigma, z, modulus_at=None):
    """M(z) for the weights `MOVES`, or with (a, y) the integral of |f(s + ia)|, by its definition."""
    noise = exact(sigma)

    def side(s, sign, present):
        if not present:
            return mpc(1)
        return sum(exact(w) * mpmath.exp(sign * hits * s / noise - hits**2 / (2 * noise**2)) for hits, w in enumerate(MOVES))

    def integrand(s):
        a, y = modulus_at or (0, 0)
        u, v = side(mpc(s, a), 1, numerator), side(mpc(s, a), -1, denominator)
        if modulus_at is None:
            return mpmath.npdf(s) * mpmath.exp((1 + z) * mpmath.log(u) - z * mpmath.log(v))
        turn = mpmath.arg(u) - mpmath.arg(v)
        return mpmath.npdf(s) * mpmath.exp(mpf(a) ** 2 / 2) * abs(u) ** (1 + z) * abs(v) ** (-z) * mpmath.exp(-y * turn)

    return mpmath.quad(integrand, [-16, -10, -5, 0, 5, 10, 16, 24])


def moves(own, kind="moment", sigma=F(3, 2)):
    """The moment, the line or the decay bound, for all three orders."""
    found, made = True, numbers.Numbers(120)
    fine = rule(0, "1", "1/8", -96, 160)
    for sides in ((True, False), (False, True), (True, True)):
        law = gaussian_mixture.GaussianMixture(MOVES, sigma, *sides)
        if kind == "moment":
            found = found and inside(law.moment(F(2), own, made), moves_moment(*sides, sigma, 2).real)
        elif kind == "line":
            discs = law.line(numbers.Points(F(3, 2), F(3), 2), {"line": own, "moment": fine}, made)
            found = found and all(within(disc, moves_moment(*sides, sigma, mpc(1.5, 3 * j))) for j, disc in enumerate(discs))
        else:
            bound = law.decay(F(3, 2), F(2), {"decay": own, "moment": fine}, made)
            found = found and exact(bound.bounds()[1]) >= moves_moment(*sides, sigma, mpf(1.5), (float(F(own["shift"])), 2.0))
    return found


@functools.cache
def hockey_stick(p_moves, q_moves, sigma, s):
    """E(p − e^s·q)₊ for normal mixtures, each a tuple of (place, weight), with one crossing."""
    noise, level = exact(sigma), mpmath.exp(exact(s))

    def above(t, rows):
        return mpmath.fsum(exact(w) * mpmath.ncdf((place - t) / noise) for place, w in rows)

    def log_ratio(t):
        def density(rows):
            return mpmath.fsum(exact(w) * mpmath.npdf(t, place, noise) for place, w in rows)

        return mpmath.log(density(p_moves)) - mpmath.log(density(q_moves)) - exact(s)

    low, high = mpf(-40), mpf(40)
    for _ in range(140):
        low, high = ((low + high) / 2, high) if log_ratio((low + high) / 2) < 0 else (low, (low + high) / 2)
    if abs(abs(low) - 40) < mpf(10) ** -9:
        return 1 - level if low < 0 else mpf(0)
    return above(low, p_moves) - level * above(low, q_moves)


def profiles_of_moves():
    up, still, down = tuple(enumerate(MOVES)), ((0, F(1)),), tuple((-hits, w) for hits, w in enumerate(MOVES))
    cases = (((True, False), up, still), ((False, True), still, down), ((True, True), up, down))
    return all(
        profile_of(gaussian_mixture.GaussianMixture(MOVES, F(1), *sides), s, hockey_stick(p, q, F(1), s))
        for sides, p, q in cases
        for s in (F(1, 5), F(-1, 9), F(0), F(-1, 3), F(1, 2))
    )


def refuses(compute):
    """Whether a computation is refused, rather than given a value that is no bound."""
    try:
        compute()
    except (numbers.Refused, Undefined):
        return True
    return False


def profiles_far_out():
    """Noise that is not 1, several uses, and levels beyond the least loss and near the largest one."""
    both, plain = (F(1, 4), F(3, 4), True, True), noises.Gaussian(F(1, 4))
    up, down = ((0, F(3, 4)), (1, F(1, 4))), ((0, F(3, 4)), (-1, F(1, 4)))
    swapped = all(profile_of(mixture(*both), s, hockey_stick(up, down, F(3, 4), s)) for s in (F(1, 3), F(-2), F(3)))
    below = all(profile_of(mixture(*REMOVE), s, 1 - mpmath.exp(exact(s))) for s in (F(-1, 4), F(-3)))
    above = profile_of(mixture(*ADD), F(1, 3), mpf(0)) and profile_of(mixture(*ADD), F(-1, 2), excess("add", F(-1, 2)))
    return swapped and below and above and profile_of(plain, F(1, 2), gaussian_delta(mpmath.sqrt(mpf(5) / 4), mpf(1) / 2), 5)


def profiles_of_laplace():
    """Sampled Laplace noise in both orders, by the losses of the noise: under Q they have atoms at both ends and a density between."""
    e0, rate = mpf(1), mpf(1) / 4

    def ratio(loss):
        return 1 - rate + rate * mpmath.exp(loss)

    def gap(loss, level, swapped):
        return max(1 - level * ratio(loss), mpf(0)) if swapped else max(ratio(loss) - level, mpf(0))

    for swapped in (False, True):
        for s in (F(1, 8), F(-1, 16), F(-1, 5), F(-2), F(2)):
            level = mpmath.exp(exact(s))
            edge = ((1 / level if swapped else level) - 1 + rate) / rate
            places = [-e0, *([mpmath.log(edge)] if mpmath.exp(-e0) < edge < mpmath.exp(e0) else []), e0]
            middle = mpmath.quad(lambda x, w=level, r=swapped: mpmath.exp(-(x + e0) / 2) / 4 * gap(x, w, r), places)
            truth = mpmath.exp(-e0) / 2 * gap(e0, level, swapped) + gap(-e0, level, swapped) / 2 + middle
            if not profile_of(noises.SampledLaplace(F(1), F(1, 4), swapped), s, truth):
                return False
    return True


def profiles_that_are_none():
    """Several uses of noise that has no closed form for them, a table, and levels at which a sign is open."""
    made = numbers.Numbers(60)
    one, level, open_sign = made.number(1), made.number(0), made.number(0).about(F(0), F(1, 10))
    uses = [
        [(noises.Laplace(F(1)), 2)],
        [(noises.Laplace(F(1)), 1), (noises.Gaussian(F(1)), 1)],
        [(mixture(*REMOVE), 2)],
        [(atoms.randomized_response(F(1), 2, F(0), made), 1)],
    ]
    unsigned = [(fixed_size.FixedSize(F(1, 10), F(2)), 1)]
    edge = made.number(F(3, 4)).log()  # log(1 − q): a loss that sampled noise comes close to and never has
    at_the_edge = [(noises.SampledLaplace(F(1), F(1, 4), False), 1)]
    return (
        all(refuses(lambda given=given: profiles.profile(given, one, made)) for given in uses)
        and refuses(lambda: profiles.profile(unsigned, open_sign, made))
        and refuses(lambda: profiles.profile(at_the_edge, edge, made))
        and not refuses(lambda: profiles.profile(unsigned, level, made))
    )


def fixed_sizes():
    """Two displacements of 1, with half the noise; below 0 the mirror image."""
    law, rate = fixed_size.FixedSize(F(1, 10), F(2)), F(1, 10)

    def above(s):
        return hockey_stick(((0, 1 - rate), (1, rate)), ((0, F(1)),), F(1), s)

    mirrored = all(profile_of(law, -s, 1 - mpmath.exp(-exact(s)) + mpmath.exp(-exact(s)) * above(s)) for s in (F(1, 20), F(1, 100)))
    return mirrored and all(profile_of(law, s, above(s)) for s in (F(0), F(1, 5), F(1)))


def gridded(steps=2, step="1/8", first=-24, last=24, epsilon=F(1, 2), mu=1, beside=(), bits=90):
    """Plain Gaussian noise by a coarse grid, alone or beside a table, against its closed form."""
    made = numbers.Numbers(bits)
    law = noises.Gaussian(F(mu) ** 2)
    uses = [(law, steps), *((atoms.table([p for p, _ in rows], [q for _, q in rows], made), 1) for rows in beside)]
    own = {"name": "grid", "bits": bits, "step": step, "grids": [{"first": first, "last": last}], "units": [None] * len(beside)}
    found = grid.grid(uses, epsilon, own, made)
    outcomes = [(mpf(1), mpf(1))]
    for rows in beside:
        outcomes = [(p * exact(a), q * exact(b)) for p, q in outcomes for a, b in rows]
    truth, size = mpf(0), mpf(mu) * mpmath.sqrt(steps)
    for p, q in outcomes:
        if p and q:
            truth += p * gaussian_delta(size, exact(epsilon) - mpmath.log(p / q))
        elif p:
            truth += p
    return inside(found, truth) and found.bounds()[1] <= 1


def two_grids(step="1/4", epsilon=F(1, 2), first=(-40, -20), last=(40, 20), steps=(1, 2)):
    """Two kinds of noise, each with a grid of its own."""
    made = numbers.Numbers(90)
    uses = [(noises.Gaussian(F(1)), steps[0]), (noises.Gaussian(F(1, 4)), steps[1])]
    grids = [{"first": a, "last": b} for a, b in zip(first, last, strict=True)]
    found = grid.grid(uses, epsilon, {"name": "grid", "bits": 90, "step": step, "grids": grids, "units": []}, made)
    return inside(found, gaussian_delta(mpmath.sqrt(steps[0] + mpf(steps[1]) / 4), exact(epsilon)))


def wrong_grids():
    """Grids that are missing, or too short."""
    refused = 0
    for grids in ([], [{"first": 1, "last": 2}]):
        try:
            grid.grid([(noises.Gaussian(F(1)), 1)], F(1), {"step": "1", "grids": grids, "units": []}, numbers.Numbers(60))
        except (numbers.Refused, ValueError):
            refused += 1
    return refused == 2


def infinite_divergence():
    """Of an event that only one side shows."""
    made = numbers.Numbers(60)
    try:
        renyi.renyi(
            [(atoms.randomized_response(F(1), 2, F(1, 9), made), 1)], F(2), {"name": "moments", "bits": 60, "moments": [None]}, made
        )
    except numbers.Refused:
        return True
    return False


def gridded_laplace(step="1/4", points=6, epsilon=F(1, 3)):
    """Laplace noise has atoms at the ends of the grid."""
    made = numbers.Numbers(90)
    own = {"name": "grid", "bits": 90, "step": step, "grids": [{"first": -points, "last": points}], "units": []}
    found = grid.grid([(noises.Laplace(F(1)), 3)], epsilon, own, made)
    return inside(found, exact(laplace_sum.laplace_sum([(F(1), 3)], epsilon, numbers.Numbers(300)).bounds()[0]))


def late_grid_of_many():
    """16 uses, each with much below the grid: what is below counts once for each of them."""
    made = numbers.Numbers(90)
    own = {"name": "grid", "bits": 90, "step": "1/32", "grids": [{"first": 4, "last": 8}], "units": []}
    found = grid.grid([(noises.Laplace(F(1, 4)), 16)], F(1), own, made)
    return inside(found, exact(laplace_sum.laplace_sum([(F(1, 4), 16)], F(1), numbers.Numbers(300)).bounds()[0]))


def divergences(bits=20):
    """Discrete Gaussian noise at few bits, two uses, and orders whose largest terms lie far out."""
    for sigma, shift, x in ((F(3, 2), 1, F(2)), (F(1), 2, F(1, 2)), (F(2), 1, F(6)), (F(2), 1, F(14))):
        made = numbers.Numbers(bits)
        own = {"name": "moments", "bits": bits, "moments": [None]}
        try:
            found = renyi.renyi([(atoms.discrete_gaussian(sigma, shift, made), 2)], 1 + x, own, made)
        except numbers.Refused:
            continue
        noise = {j: mpmath.exp(-mpf(j * j) / 2 / exact(sigma) ** 2) for j in range(-60, 61)}
        total = mpmath.fsum(noise.values())
        power = exact(x)
        moment = mpmath.fsum(noise[j - shift] ** (1 + power) * noise[j] ** (-power) for j in range(-60 + shift, 61)) / total
        if not inside(found, 2 * mpmath.log(moment) / power):
            return False
    return True


def sampled_divergences(bits=20):
    """Sampled discrete Gaussian noise at few bits, in both orders, by the definition; and what is beyond few outcomes alone."""
    for sigma, shift, x, rate in ((F(3, 2), 1, F(2), F(1, 5)), (F(1), 2, F(1, 2), F(9, 10)), (F(2), 1, F(6), F(1, 50))):
        noise = {j: mpmath.exp(-mpf(j * j) / 2 / exact(sigma) ** 2) for j in range(-80, 81)}
        total, power, kept = mpmath.fsum(noise.values()), exact(x), exact(1 - rate)
        q = {j: noise[j] / total for j in range(-80 + shift, 81)}
        p = {j: exact(rate) * noise[j - shift] / total + kept * q[j] for j in q}
        for swapped in (False, True):
            made = numbers.Numbers(bits)
            law = atoms.discrete_gaussian(sigma, shift, made).sampled(rate, made)
            law = law.swapped() if swapped else law
            terms = {j: (q[j] / p[j]) ** power * q[j] if swapped else (p[j] / q[j]) ** power * p[j] for j in q}
            found = renyi.renyi([(law, 2)], 1 + x, {"name": "moments", "bits": bits, "moments": [None]}, made)
            if not inside(found, 2 * mpmath.log(mpmath.fsum(terms.values())) / power):
                return False
            for reach in (0, 1, 4):
                if reach + 1 < x * shift:
                    continue
                bound = atoms.Beyond(sigma, shift, reach, rate).moment(x, numbers.Numbers(60)).bounds()[1]
                if exact(bound) < mpmath.fsum(terms[j] for j in terms if j < -reach or j > shift + reach):
                    return False
    return True


def shifted_tails():
    """What is beyond few outcomes of discrete Gaussian noise, at an order."""
    for reach, x, shift in ((3, F(2), 1), (2, F(1, 2), 2), (8, F(3), 2)):
        bound = atoms.Beyond(F(3, 2), shift, reach).moment(x, numbers.Numbers(60)).bounds()[1]
        noise = {j: mpmath.exp(-mpf(j * j) / 2 / mpf("2.25")) for j in range(-90, 91)}
        power, total = exact(x), mpmath.fsum(noise.values())
        beyond = [j for j in range(-90 + shift, 91) if j < -reach or j > shift + reach]
        if exact(bound) < mpmath.fsum(noise[j - shift] ** (1 + power) * noise[j] ** (-power) for j in beyond) / total:
            return False
    return True


def sampled_divergence():
    """The divergence of sampled Gaussian noise at the order 3, a binomial sum, twice and beside plain noise."""
    made, rate = numbers.Numbers(120), mpf(1) / 10
    own = {"name": "moments", "bits": 120, "moments": [FINE, None]}
    uses = [(mixture(F(1, 10), F(1), True, False), 2), (noises.Gaussian(F(1, 4)), 3)]
    found = renyi.renyi(uses, F(3), own, made)
    moment = sum(mpmath.binomial(3, k) * (1 - rate) ** (3 - k) * rate**k * mpmath.exp(mpf(k * k - k) / 2) for k in range(4))
    return inside(found, 2 * mpmath.log(moment) / 2 + 3 * mpf(3) / 8)


TABLE = ((F(1, 2), F(1, 4)), (F(3, 8), F(1, 2)), (F(1, 8), F(1, 4)))
SHARED = ((F(1, 4), F(1, 8)), (F(1, 4), F(1, 8)), (F(3, 8), F(1, 2)), (F(1, 8), F(1, 4)))
LOST = ((F(1, 2), F(1, 4)), (F(1, 4), F(1, 2)), (F(1, 4), F(0)), (F(0), F(1, 4)))

PROBES = {
    "aliasing of a moment": lambda: all(real_moment(name, rule(0, "1", "3/2", -20, 20)) for name in LAWS),
    "aliasing of a moment, wide strip": lambda: all(real_moment(name, rule(0, "2", "2", -20, 20)) for name in ("remove", "both")),
    "tail of a moment": lambda: all(real_moment(name, rule(0, "1", "1/4", -7, 13)) for name in LAWS),
    "tail of a moment on the left": lambda: all(real_moment(name, rule(0, "1", "1/4", -3, 60)) for name in LAWS),
    "fine moment": lambda: all(real_moment(name, FINE) for name in LAWS),
    "aliasing of a line": lambda: all(line(name, rule("1", "1", "5/4", -30, 30)) for name in LAWS),
    "tail of a line": lambda: all(line(name, rule("1", "1", "1/4", -7, 12)) for name in LAWS),
    "fine line": lambda: all(line(name, rule("1", "1", "1/10", -120, 170)) for name in LAWS),
    "aliasing of a decay bound": lambda: all(decay(name, rule("1/4", "1/2", "1", -14, 14)) for name in LAWS),
    "tail of a decay bound": lambda: all(decay(name, rule("1/4", "3/4", "1/4", -6, 12)) for name in LAWS),
    "line, moment and decay that are refused": refused_rules,
    "line, moment and decay that are off": quadratures_that_are_off,
    "decay bound with close nodes": fine_decay,
    "line and decay at large orders": negative_powers_at_large_orders,
    "tail of a moment that is reached": tails_that_are_reached,
    "moves that are refused": moves_that_are_refused,
    "largest losses of moves that are refused": largest_losses,
    "closed forms at levels that are missed": levels_that_are_missed,
    "arithmetic of sums of discs": sums_of_discs,
    "full batches": full_batches,
    "truncated batches": truncated,
    "formulas": formulas,
    "formulas and numbers beside them": rational_sides,
    "aliases on the right": lambda: contour(c="3", h="2", nodes=30, right="5", left=None),
    "aliases on the left": lambda: contour(c="1/2", h="1", nodes=60, right="20", left="3"),
    "plain aliases on the left": lambda: contour(c="1/2", h="3/4", nodes=60, right="20", left=None),
    "nodes beyond the line": lambda: all(contour(c="1", h="1/4", nodes=n) for n in range(4, 14)),
    "a long line": lambda: contour(c="1", h="1/4", nodes=60),
    "two factors": lambda: contour(mu=2, laws=[(noises.Gaussian(F(3)), 1), (noises.Gaussian(F(1, 2)), 2)], h="1/4", nodes=40),
    "Laplace beyond the line": lambda: all(plain_laplace(nodes=n) for n in range(6, 40, 3)),
    "a line to the largest loss": bounded_losses,
    "a line that falls short": period_too_short,
    "a line that is not needed": bound_alone,
    "convolution of what is listed": dropped_outcomes,
    "discrete noise beyond the list": beyond_the_list,
    "decay of Laplace noise": laplace_decay,
    "aliasing of sampled Laplace": lambda: all(sampled_laplace({"strip": "1", "step": "1", "last": 60}, r) for r in (False, True)),
    "aliasing of sampled Laplace, coarse": lambda: all(sampled_laplace({"strip": "1", "step": "2", "last": 40}, r) for r in (False, True)),
    "tails of sampled Laplace": lambda: all(sampled_laplace({"strip": "1", "step": "1/8", "last": 30}, r) for r in (False, True)),
    "decay of sampled Laplace": lambda: sampled_laplace_decay() and sampled_laplace_decay(True) and sampled_laplace_decay(q=F(9, 10)),
    "decay of Gaussian noise": gaussian_decay,
    "Laplace noise of other scales": other_laplace,
    "strips of Laplace noise": refused_laplace,
    "aliasing of sampled Laplace, three nodes": coarse_laplace,
    "tails of sampled Laplace, large orders": cut_laplace,
    "line of sampled Laplace, high up": high_laplace,
    "decay of sampled Laplace, large orders": decay_at_large_orders,
    "sums of powers": sums_of_powers,
    "powers of discs": powers,
    "products of discs": products,
    "phases": phases,
    "logarithms": lambda: logarithms() and logarithms(190),
    "arithmetic": arithmetic,
    "arithmetic of discs": discs,
    "sums of powers of wide numbers": wide_sums_of_powers,
    "phases of lopsided intervals": lopsided_phases,
    "kernels": kernels,
    "closed form, Gaussian": lambda: profile_of(noises.Gaussian(F(1)), 1, gaussian_delta(1, 1)),
    "closed forms, mixtures": lambda: all(
        profile_of(mixture(*LAWS[name]), s, excess(name, s)) for name in LAWS for s in (F(1, 8), F(-1, 16))
    ),
    "closed form, Laplace": lambda: all(
        profile_of(noises.Laplace(F(1)), s, max(mpf(0), 1 - mpmath.exp(exact(F(s))), 1 - mpmath.exp((exact(F(s)) - 1) / 2)))
        for s in (F(1, 2), F(-1, 2), F(2), F(-2))
    ),
    "convolution: losses too close to the threshold to be told apart from it": lambda: finite(
        [
            (F(1, 10), F(1, 20)),
            (F(20000001, 10**19), F(1, 10**12)),
            (F(3, 10**12), F(1, 10**12)),
            (F(9, 10) - F(20000001, 10**19) - F(3, 10**12), F(19, 20) - F(2, 10**12)),
        ],
        "6931471/10000000",
        bits=20,
    ),
    "convolution: many losses in one rounding with the threshold": lambda: finite(
        [*((F(1, 20), F(1, 20 * (8_900_000 + n))) for n in range(10)), (F(1, 2), 1 - sum(F(1, 20 * (8_900_000 + n)) for n in range(10)))],
        "16001551/1000000",
        bits=20,
    ),
    "convolution": lambda: all(finite(TABLE, epsilon, steps) for epsilon in (0, F(1, 2)) for steps in (1, 3)),
    "convolution with infinite losses": lambda: all(finite(LOST, epsilon, steps) for epsilon in (0, F(1, 2)) for steps in (1, 3)),
    "convolution on a lattice": lambda: all(
        finite(((F(2, 3), F(1, 3)), (F(1, 3), F(2, 3))), F(1, 2), steps, bits, {"plain": "0", "ratio": "2"})
        for steps in (1, 4, 7)
        for bits in (20, 60)
    ),
    "convolution of equal ratios": lambda: finite(SHARED, F(1, 2), 1) and finite(SHARED, 0, 2),
    "convolution of equal losses": equal_losses,
    "convolution on one lattice": one_lattice,
    "convolution, products": products_of_rows,
    "discrete, line": line_of_atoms,
    "discrete Gaussian": discrete_gaussian,
    "convolution of answers": lambda: all(combined([(response(4, "1/10"), 3, answers("1/2", 4, "1/10"))], e) for e in (0, "3/4")),
    "convolution of sampled answers": sampled_answers,
    "convolution of exchanged answers": exchanged_answers,
    "convolution of discrete Laplace": lambda: all(
        combined([(counts(shift), 2, geometric_noise(2, shift))], "1/5", 60) for shift in (1, 2, 3)
    ),
    "aliasing of a moment of moves": lambda: all(moves(rule(0, "1", step, -20, 24)) for step in ("3/2", "2")),
    "tail of a moment of moves": lambda: all(moves(rule(0, "1", "1/4", *ends)) for ends in ((-4, 17), (-9, 17), (-4, 60))),
    "line of moves": lambda: moves(rule("1", "1", "5/4", -30, 30), "line") and moves(rule("1", "1", "1/4", -7, 22), "line"),
    "decay of moves": lambda: moves(rule("1/4", "1/2", "1", -14, 18), "decay") and moves(rule("1/4", "3/4", "1/4", -6, 18), "decay"),
    "closed forms, moves": profiles_of_moves,
    "closed forms, fixed size": fixed_sizes,
    "closed forms, far out": profiles_far_out,
    "closed forms, sampled Laplace": profiles_of_laplace,
    "closed forms that there are none of": profiles_that_are_none,
    "grid": lambda: all(gridded(step=step, epsilon=e) for step in ("1/8", "1/2") for e in (F(0), F(1, 2), F(3, 2))),
    "grid that ends early": lambda: all(gridded(first=a, last=b) for a, b in ((-24, 8), (-4, 24), (-2, 3), (4, 9), (-9, -2))),
    "grid that begins late": lambda: gridded(1, first=8, last=24, epsilon=F(0)) and gridded(2, first=4, last=24, epsilon=F(1, 4)),
    "grid that begins late, many uses": late_grid_of_many,
    "grid with much beyond": lambda: gridded(2, "1/64", -250, 20, F(1, 5)) and gridded(3, "1/64", -250, 40, F(0)),
    "grid, twice": lambda: all(two_grids(step, e) for step in ("1/4", "1/2", "3/4") for e in (F(0), F(1, 2), F(5, 4))),
    "grid, twice, that ends early": lambda: (
        two_grids("1/64", F(1, 4), (-200, -99), (20, 99)) and two_grids("1/64", F(1, 4), (-200, -99), (200, 9))
    ),
    "grid, twice, that begins late": lambda: two_grids("1/8", F(0), (8, -20), (40, 20)) and two_grids("1/8", F(0), (-40, 6), (40, 20)),
    "grid, far from 0": lambda: all(gridded(2, step, -90, 90, e) for step in ("1/8", "1/12") for e in (F(3), F(49, 16), F(33, 8))),
    "grid, just below a point": lambda: gridded(10, "1/4", -30, 30, F(499, 1000)) and two_grids("1/4", F(499, 1000), steps=(10, 1)),
    "grid that is wrong": wrong_grids,
    "divergence that is infinite": infinite_divergence,
    "grid beside tables": lambda: all(gridded(beside=beside) for beside in ((TABLE,), (LOST,), (LOST, TABLE))),
    "grid of Laplace noise": lambda: all(gridded_laplace(*given) for given in (("1/4", 6), ("1/4", 4), ("2/5", 3), ("3/10", 3))),
    "divergence of discrete Gaussian": lambda: divergences(20) and divergences(30),
    "divergence, tails": shifted_tails,
    "divergence of sampled discrete Gaussian": sampled_divergences,
    "divergence, sampled": sampled_divergence,
    "residues": lambda: all(laplaces(uses, e) for uses in ((("1", 1),), (("1", 2),), (("1/3", 1), ("1", 1))) for e in ("1/2", "1/10")),
}


def holds(name):
    """Whether a probe finds the truth inside."""
    with mpmath.workdps(40):
        return PROBES[name]()
