"""Yu et al. 2019, Section IV-C: does noise that falls from step to step help, at one and the same budget?

Step i adds noise of variance s_i (per coordinate, in units of the squared sensitivity) and costs 1/(2s_i) of ρ-zCDP. Where the risk
of the last iterate is a fixed part plus Σ v_i² s_i, the best schedule has s_i proportional to 1/v_i (Cauchy–Schwarz). For descent on
h‖θ−θ*‖²/2 with contraction a = 1−ηh the last iterate is off by a^n times the start plus the noise, that of the i-th step from the end
with the weight v_i = (1−a)a^{i−1} (in units of the step 1/h). The weights sum to 1 − a^n. With steps of sizes η_i the weights are
(1−a_i)Π_{j later} a_j, a_i = 1 − η_i h, and sum to 1 − Πa_i.
"""

from dpbounds.notation import *

source = Source("yu2019.decaying-noise", "Section IV-C, dynamic privacy budget allocation")

n, i = positive_integer("n"), index("i")
over = (i, 1, n)
rho, start = positive("rho D")
v, s = family("v", "positive"), family("s", "positive")
spent = rules.le(Sum(1 / (2 * s[i]), over), rho)
total, noise = Sum(v[i], over), Sum(v[i] ** 2 * s[i], over)
two = {n: 2, rho: 1, v: (1, 2), s: (1, 1)}

def least(weight=v[i], given=(), numbers=positive):
    """(Σ weight)²/(2ρ) ≤ Σ weight²·s: from (weight·√s − c/√s)² ≥ 0 at c = Σ weight/(2ρ)."""
    (c, x), z = numbers("c x"), positive("z")
    square = rules.restate(rules.le(2 * c * x - c**2 / z, x**2 * z), rules.nonnegative((x * z - c) ** 2 / z))
    everything = Sum(weight, over)
    each = rules.instance(square, {c: everything / (2 * rho), x: weight, z: s[i]}, given)
    summed = rules.sum_termwise(each, over)
    budget = rules.scale(rules.hypothesis(spent), everything**2 / (2 * rho**2), given)
    return rules.restate(rules.le(everything**2 / (2 * rho), Sum(weight**2 * s[i], over)), rules.add(summed, budget), given)

best = source.claim(
    "Noise of variance s_i in step i that spends at most rho of zCDP adds at least (v_1 + ... + v_n)^2/(2 rho) "
    "to a risk with weights v_i^2.",
    [spent], rules.le(total**2 / (2 * rho), noise), Proof(lambda proof: proof("squares", least())),
    mutant=(rules.le(Rational(101, 100) * total**2 / (2 * rho), noise), {n: 2, rho: 1, v: (1, 1), s: (1, 1)}),
    example=two)

at_best = total / (2 * rho * v[i])
attained = source.claim(
    "The schedule s_i = (v_1 + ... + v_n)/(2 rho v_i) spends rho exactly and adds just that.",
    And(rules.eq(Sum(1 / (2 * at_best), over), rho), rules.eq(Sum(v[i] ** 2 * at_best, over), total**2 / (2 * rho))),
    Proof(lambda proof: proof("both", rules.conjunction(
        rules.equality(Sum(1 / (2 * at_best), over), rho, using=[rules.positive(total)]),
        rules.equality(Sum(v[i] ** 2 * at_best, over), total**2 / (2 * rho))))),
    mutant=(rules.eq(Sum(v[i] ** 2 * at_best, over), total**2 / rho), {n: 2, rho: 1, v: (1, 2)}),
    uses=[best])

# --- gradient descent on one curvature ------------------------------------------------------------------------------

a = positive("a")
weight = (1 - a) * a ** (i - 1)
iterate = a ** (2 * n) * start + Sum(weight**2 * s[i], over)
limit = start / (1 + 2 * rho * start)
steps = {n: 2, a: "1/2", rho: 1, start: 1, s: (1, 1)}

def one_step_is_best(proof):
    """a^{2n}D + (1−a^n)²/(2ρ) ≥ D/(1+2ρD)."""
    given = [a < 1]
    x = real("x")
    base = rules.equality(Sum(weight, (i, 1, 1)), 1 - a)
    before = rules.hypothesis(rules.eq(Sum(weight, over), 1 - a**n))
    split = rules.sum_split(Sum(weight, (i, 1, n + 1)), n)
    last = rules.equality(Sum(weight, (i, n + 1, n + 1)), (1 - a) * a**n)
    step = rules.restate(rules.eq(Sum(weight, (i, 1, n + 1)), 1 - a ** (n + 1)), rules.add(split, before, last), given)
    geometric = proof("the weights sum to 1 - a^n",
        rules.induction(rules.restate(rules.eq(Sum(weight, (i, 1, 1)), 1 - a**1), base), step, n,
            rules.eq(Sum(weight, over), 1 - a**n), start=1))
    noisy = proof("no schedule adds less", least(weight, given))
    squares = rules.apply(Lambda(x, x**2 / (2 * rho)), geometric, given)
    plain = rules.chain(rules.restate(rules.eq(squares.rhs, noisy.lhs), squares, given), noisy, given=given)
    square = rules.nonnegative(((1 + 2 * rho * start) * x - 1) ** 2 / (2 * rho * (1 + 2 * rho * start)))
    parabola = rules.restate(rules.le(limit, x**2 * start + (1 - x) ** 2 / (2 * rho)), square)
    at = rules.instance(parabola, {x: a**n})
    target = rules.le(limit, iterate)
    return proof("the parabola in a^n", rules.restate(target, rules.add(at, plain), given))

one_curvature = source.claim(
    "On a quadratic of one curvature n steps with any schedule of noise leave at least the risk D/(1 + 2 rho D), which one "
    "step has.",
    [a < 1, spent], rules.le(limit, iterate), Proof(one_step_is_best),
    mutant=(rules.le(Rational(101, 100) * limit, iterate),
        {n: 1, a: "1/3", rho: 1, start: 1, s: ("1/2",)}),
    uses=[best], example=steps,
    note="D is the squared distance of the start per coordinate, where noise of variance s moves a whole step 1/h by s: in units of the "
    "squared sensitivity over the squared curvature. The one step has contraction 1/(1 + 2 rho D) and variance 1/(2 rho): the point "
    "of the mutant.")

left_over, z = real("A"), family("z", "real")  # of any sign: a step may overshoot
whole = Sum(z[i], over)
of_any_steps = rules.le(limit, left_over**2 * start + Sum(z[i] ** 2 * s[i], over))

def any_steps_lose(proof):
    """A²D + (Σz)²/(2ρ) ≥ D/(1+2ρD) where Σz = 1 − A."""
    noisy = proof("no schedule adds less", least(z[i], numbers=real))
    x = real("x")
    squared = rules.apply(Lambda(x, x**2 / (2 * rho)), rules.hypothesis(rules.eq(whole, 1 - left_over)))
    square = rules.nonnegative(((1 + 2 * rho * start) * left_over - 1) ** 2 / (2 * rho * (1 + 2 * rho * start)))
    parabola = rules.restate(rules.le(limit, left_over**2 * start + (1 - left_over) ** 2 / (2 * rho)), square)
    plain = rules.chain(rules.restate(rules.eq(squared.rhs, noisy.lhs), squared), noisy)
    return proof("the parabola in A", rules.restate(of_any_steps, rules.add(parabola, plain)))

one_curvature__any_steps = source.claim(
    "On one curvature steps of any sizes leave at least that risk: weights z_i that sum to 1 - A, "
    "where A is what the steps leave of the start.",
    [spent, rules.eq(whole, 1 - left_over)], of_any_steps, Proof(any_steps_lose),
    mutant=(rules.le(Rational(101, 100) * limit, of_any_steps.rhs),
        {n: 1, left_over: "1/3", rho: 1, start: 1, s: ("1/2",), z: ("2/3",)}),
    uses=[one_curvature], example={n: 1, left_over: "1/3", rho: 1, start: 1, s: ("1/2",), z: ("2/3",)},
    note="A step may overshoot: the weights and A may be negative.")

power = positive("x")
constant = positive_integer("n") * (1 - a) ** 2 * (1 - power**2) / (1 - a**2)
gain = source.claim(
    "At the same n and a constant noise adds at least n (1-a)/(1+a) times what the best schedule adds (x = "
    "a^n).",
    [a < 1, power < 1], n * (1 - a) / (1 + a) * (1 - power) ** 2 <= constant,
    Proof(lambda proof: proof("1 - x <= 1 + x", rules.restate(
        n * (1 - a) / (1 + a) * (1 - power) ** 2 <= constant,
        rules.nonnegative(2 * n * power * (1 - power) * (1 - a) / (1 + a), [a < 1, power < 1]), [a < 1, power < 1]))),
    mutant=(n * (1 - a) / (1 + a) * (1 - power) ** 2 * Rational(101, 100) <= constant, {n: 2, a: "1/10000", power: "1/100000000"}),
    uses=[best])

# --- two curvatures ------------------------------------------------------------------------------------------------

eta = positive("eta")
TWO = ((Rational(1), 1), (Rational(1, 10), 100))  # curvature, squared distance of the start
BUDGET, LAST = 100, 12

def left(size, count):
    """What n steps of size η leave of the start: Σ h (1−ηh)^{2n} D."""
    return sum(curvature * (1 - size * curvature) ** (2 * count) * distance for curvature, distance in TWO)

def squares(size, count):
    """v_k² = η² Σ h (1−ηh)^{2k}, k steps from the end."""
    return [size**2 * sum(curvature * (1 - size * curvature) ** (2 * later) for curvature, _ in TWO) for later in range(count)]

def constant_noise(count):
    """The risk with n equal variances n/(2ρ)."""
    return left(eta, count) + sum(squares(eta, count)) * Rational(count, 2 * BUDGET)

two_curvatures__constant = source.claim(
    "Curvatures 1 and 1/10, squared distances 1 and 100, rho = 100: with constant noise every number of steps up to 12, of every "
    "size up to 2, leaves at least the risk 42/100.",
    [eta <= 2], And(*(rules.le(Rational(42, 100), constant_noise(count)) for count in range(1, LAST + 1))), Boxes(budget=5000),
    mutant=(rules.le(Rational(43, 100), constant_noise(LAST)), {eta: "303/200"}))

size = Rational(8, 5)
decaying = left(size, LAST) + sum(sqrt(square) for square in squares(size, LAST)) ** 2 / (2 * BUDGET)
two_curvatures__decaying = source.claim("Curvatures 1 and 1/10: 12 steps of size 8/5 with the best schedule leave less than 29/100.",
    rules.le(decaying, Rational(29, 100)), Boxes(),
    mutant=(rules.le(decaying, Rational(28, 100)), {}),
    uses=[best, attained, two_curvatures__constant],
    note="So with several curvatures decaying noise helps steps of one size, at the best size of each.")

# With steps of one size η ≤ 2 and y = ηn the constant noise adds at least y((1 − b) + (1 − c))/400, with b and c what the steps leave
# of the two squares: η²h/(1−(1−ηh)²) = η/(2−ηh) ≥ η/2. The risk is at least b + 10c + y(2 − b − c)/400, and c ≥ (4/5)^y as
# log(1 − η/10) is concave. For y ≤ 400 it is at least y/200 + (10 − y/400)(4/5)^y; for y > 400, and for η > 2 (b > 1), at least 1.
y = nonnegative("y")
two_curvatures__every_number = source.claim(
    "With constant noise and steps of one size, every number of steps and every size leaves at least the risk 15/100.",
    [y <= 400], rules.le(Rational(15, 100), y / 200 + (10 - y / 400) * exp(-y * log(Rational(5, 4)))), Boxes(),
    mutant=(rules.le(Rational(16, 100), y / 200 + (10 - y / 400) * exp(-y * log(Rational(5, 4)))), {y: 27}),
    uses=[two_curvatures__constant],
    note="y is the size times the number of steps. The lines that join this to the risk are in the file.")

MANY, SHORTER = 30, Rational(11, 10)
longer = left(SHORTER, MANY) + sum(sqrt(square) for square in squares(SHORTER, MANY)) ** 2 / (2 * BUDGET)
two_curvatures__decaying_longer = source.claim(
    "Curvatures 1 and 1/10: 30 steps of size 11/10 with the best schedule leave less than 9/100.",
    rules.le(longer, Rational(9, 100)), Boxes(),
    mutant=(rules.le(longer, Rational(8, 100)), {}),
    uses=[best, attained, two_curvatures__every_number])

def falling_steps(sizes):
    """The risk with constant noise and steps of these sizes."""
    risk, count = Rational(0), len(sizes)
    for curvature, distance in TWO:
        kept = Rational(1)
        for step in reversed(sizes):
            risk += curvature * step**2 * kept**2 * Rational(count, 2 * BUDGET)
            kept *= 1 - step * curvature
        risk += curvature * distance * kept**2
    return risk

FALLING = [Rational(step) for step in ("10", "5", "3", "1", "1/2")]
two_curvatures__falling_steps = source.claim(
    "Curvatures 1 and 1/10: five steps of sizes 10, 5, 3, 1 and 1/2 with constant noise leave less than 77/1000.",
    rules.le(falling_steps(FALLING), Rational(77, 1000)), Boxes(),
    mutant=(rules.le(falling_steps(FALLING), Rational(76, 1000)), {}),
    uses=[two_curvatures__decaying_longer],
    note="So most of what decaying noise gains over steps of one size, falling steps gain without it; with 50 or more steps of one size "
    "decaying noise leaves less than these five.")
