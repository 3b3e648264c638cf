"""Yu et al. 2019, Sections IV-B1 and IV-C: disjoint blocks of data (Theorem 2), and noise that is chosen along the way."""

from dpbounds.notation import *
from dpbounds.theory.composition import filters as theory

source = Source("yu2019")

order, rho = from_sympy(theory.LAMBDA), from_sympy(theory.RHO)
a, b, tau, sigma, q = positive("a b tau sigma q")

# --- Theorem 2 -----------------------------------------------------------------------------------------------------

h, y, z = theory.HISTORY, theory.OUTPUT, theory.z
before, block, after = (h, 1, theory.EARLIER), theory.OVER, (z, 1, theory.LATER)
first, upper, lower, last = theory.BEFORE[h], theory.UPPER[h, y], theory.LOWER[h, y], theory.AFTER[h, y, z]
twice = [Tuple(x**2, x * (1 - x), x * (1 - x), (1 - x) ** 2) for x in (a, b)]

theorem_2 = source.at("Section IV-B1, Theorem 2 and Corollary 1").claim(
    "on the blocks of a partition of the domain the moment is that of the block with the record.",
    [order > 1, sums_to_one(theory.BEFORE, before),
        *(for_each(before, Eq(Sum(kernel, block), 1)) for kernel in (upper, lower)),
        for_each(before, for_each(block, Eq(Sum(last, after), 1))),
        for_each(before, RenyiDivergence(order, upper, lower, block) <= order * rho)],
    Sum((first * upper * last) ** order * (first * lower * last) ** (1 - order), after, block, before)
        <= exp(order * (order - 1) * rho), Proof("blocks-of-data"),
    mutant=([order > 1, a < 1, b < 1, RenyiDivergence(order, bernoulli(a), bernoulli(b)) <= order * rho],
        RenyiDivergence(order, *twice) <= order * rho, {order: 2, a: "2/3", b: "1/3", rho: "1/4"}),
    corrects="yu2019.theorem-2.average", uses=["yu2019.appendix-c"],
    note="With the largest rho this is Theorem 2, with equal ones Corollary 1, for adding or removing a "
    "record. A partition drawn without looking at the data is a mixture, which costs nothing more (Appendix "
    "-C). In the mutant two blocks hold the record.")

# --- noise chosen along the way ------------------------------------------------------------------------------------

j = theory.STEP
fair, third = Rational(1, 2), Rational(1, 3)
seen = [Tuple(fair * x, fair * (1 - x), fair) for x in (a, b)]

adaptive_noise = source.at("Section IV-C, the validation-based schedule").claim(
    "budgets chosen along the way add up as fixed ones do, if no history spends more than rho.",
    [order > 1, theory.CLOSE, *theory.ROWS, theory.MEANING, theory.START, theory.WITHIN],
    Le(theory.moment(j), exp(order * (order - 1) * theory.TOTAL)), Proof("adaptive-budgets"),
    mutant=([order > 1, a < 1, b < 1, RenyiMoment(order, bernoulli(a),
        bernoulli(b)) <= exp(order * (order - 1) * rho)],
        RenyiMoment(order, *seen) <= exp(order * (order - 1) * rho / 2),
        {order: 2, a: "2/3", b: "1/3", rho: "203/1000"}),
    corrects="yu2019.adaptive-noise.range",
    note="One order at a time: under zCDP for all of them, under random sampling for every order that the "
    "ranges of all steps contain. In the mutant half of the histories spend rho and half nothing: the mean "
    "of what they spend is not enough.")

adaptive_noise__range = source.at("Section IV-C with Theorem 3, random sampling").claim(
    "The same under random sampling with the orders of the noise chosen first (read: tau, then sigma <= "
    "tau).",
    [tau >= 4, sigma >= 1, sigma <= tau, q <= 1 / (16 * tau), order > 1,
        order <= tau**2 * log(1 / (q * tau))],
    sum(SampledGaussianRenyi(order, noise, q) for noise in (tau, sigma))
        <= order * q**2 * (1 / tau**2 + 1 / sigma**2), {tau: 4, sigma: 1, q: "1/100", order: 20},
    note="The noise of a later step is not known when the range is fixed; the range must hold for all noise "
    "that may be chosen.")
