"""Numbers and checkable statements of the blog (2019), the slides on trustworthy ML (2022) and Zhu & Wang's slides (2019)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from dpbounds import accounting
from dpbounds.budgets import routes
from dpbounds.mechanisms import FiniteTable, Gaussian
from dpbounds.numbers.balls import Enclosure, ball
from dpbounds.numbers.to_digits import certified
from dpbounds.reference.reproduction.row import AT_MOST, MEETS, PrintedComparison, PrintedRelation, PrintedRow, Value, closest, printed_row
from dpbounds.renyi import conversions
from dpbounds.renyi.amplification import zhu_wang_lower_of, zhu_wang_upper_of
from dpbounds.renyi.curves import GaussianCurve, LaplaceCurve, LinearCurve, PoissonGaussianCurve


def rows() -> Iterator[PrintedRow]:
    """All rows of these sources.

    >>> next(iter(rows())).source
    'chen2019'
    """
    yield from _blog()
    yield from _slides()
    yield from _zhu_wang()


def _blog() -> Iterator[PrintedRow]:
    closed_form = "exp(-(1/(2 sigma) - epsilon sigma)^2/2)"
    yield printed_row(
        "chen2019.example-2.order",
        "Example 2",
        f"delta at sigma 2, epsilon 1, at the order given as optimal, against {closed_form}",
        "equal",
        ("order (1 + 2 epsilon/sigma^2)/2", _example_2, Fraction(3, 4)),
        ("order 1/2 + epsilon sigma^2", _example_2, Fraction(9, 2)),
        note="the printed order is below 1 here",
    )
    quantity = f"the infimum over all orders against {closed_form}, sigma 2, epsilon 1"
    yield printed_row("chen2019.example-2.delta", "Example 2", quantity, "equal", ("certified infimum", _least_of_example_2))
    yield printed_row(
        "chen2019.example-3.sigma",
        "Example 3",
        "sigma = sqrt(k)(sqrt(2 log(1/delta))/epsilon + 1/sqrt(2 epsilon)) is (epsilon, delta)-DP, k 10, epsilon 1, delta 1e-5",
        "delta <= 1e-5",
        ("the Chernoff bound and the exact delta at that sigma", _example_3),
        note="the step from the Chernoff bound needs sigma^2 > k/(2 epsilon), which is not stated and holds at this sigma",
    )
    quantity, note = "limit of G along r = 1/sigma, lambda = sigma^2", "G >= 1 always; the limit is exp(c1^2 c2^2/2)"
    recipe = ("limit of the sum (9.5)", routes.constant_limit_of, 1, 1)
    yield printed_row("chen2019.claim-26.limit", "Claim 26", quantity, "0", recipe, note=note)
    quantity = "C(1, 1), C(1, 2), C(2, 1) exist: the sum is bounded, here by 50"
    yield printed_row("chen2019.claim-26.constant", "Claim 26", quantity, "C <= 50", ("certified suprema", _constants_below_50))
    yield printed_row(
        "chen2019.routes.condition",
        "Comparison",
        "Route 2 is at least as good as Route 3 for k < 2 epsilon/c2, at sigma 8, epsilon 1, c2 1/2",
        "delta_2 <= delta_3",
        ("delta_2 <= delta_3 at k = 3, below 2 epsilon/c2 = 4", _route_2_wins, 3),
        ("delta_2 <= delta_3 at k = 1, below epsilon/c2 = 2", _route_2_wins, 1),
        note="the exponent of Route 2 is at most sigma^2 epsilon^2/(2k), half of what is printed",
    )


def _constants_below_50() -> Value:
    pairs = ((1, 1), (1, 2), (2, 1))
    return closest([PrintedComparison(routes.constant_of(*pair, 3).value, AT_MOST, Fraction(50), f"{pair}") for pair in pairs])


def _route_2_wins(epochs: int) -> Value:
    third = certified(lambda: ball(-16).exp())  # exp(-c2 sigma^2 epsilon/2)
    return PrintedComparison(routes.route_2_of(1, 8, epochs), AT_MOST, third)


def _example_2(order: Fraction) -> Value:
    """exp((λ−1)(λ/(2σ²) − ε)) at order λ against the closed form, σ = 2, ε = 1. No privacy statement at orders up to 1."""
    value = certified(lambda: ball((order - 1) * (order / 8 - 1)).exp())
    return PrintedComparison(value, MEETS, _closed_form(Fraction(2), Fraction(1)))


def _least_of_example_2() -> Value:
    return PrintedComparison(conversions.delta_of(GaussianCurve(2), 1, rule="chernoff"), MEETS, _closed_form(Fraction(2), Fraction(1)))


def _closed_form(sigma: Fraction, epsilon: Fraction) -> Enclosure:
    return certified(lambda: ball(-((1 / (2 * sigma) - epsilon * sigma) ** 2) / 2).exp())


def _example_3() -> Value:
    sigma = certified(lambda: ball(10).sqrt() * ((2 * ball(10**5).log()).sqrt() + 1 / ball(2).sqrt()))
    upper, most = Fraction(sigma.upper), Fraction(1, 10**5)
    chernoff = conversions.delta_of(LinearCurve(10 / (2 * upper**2)), 1, rule="chernoff")
    one_use = certified(lambda: ball(upper) / ball(10).sqrt())
    exact = accounting.delta(Gaussian(Fraction(one_use.lower)), 1).enclosure
    return closest([PrintedComparison(chernoff, AT_MOST, most, "Chernoff"), PrintedComparison(exact, AT_MOST, most, "exact")])


def _slides() -> Iterator[PrintedRow]:
    yield printed_row(
        "trustworthy2022.uniform-record",
        "Differential Privacy",
        "delta of revealing a uniform record out of 10, at epsilon 0",
        "0.1",
        ("total variation of the two output distributions", _uniform_record),
    )
    for name, epsilon in (("small", Fraction(1, 2)), ("large", Fraction(20))):
        yield printed_row(
            f"trustworthy2022.gaussian-noise-{name}-epsilon",
            "Gaussian mechanism",
            f"sigma = sqrt(2 log(1/delta))/epsilon is (epsilon, delta)-DP at epsilon {epsilon}, delta 1e-5",
            "delta <= 1e-5",
            ("exact delta", _slide_noise, epsilon, Fraction(1)),
            ("1.25/delta in the logarithm, for epsilon <= 1", _slide_noise, min(epsilon, Fraction(1)), Fraction(5, 4)),
        )
    yield printed_row(
        "trustworthy2022.gaussian-rdp",
        "Rényi differential privacy",
        "D_4 of Gaussian noise, sensitivity 3, sigma 2, against alpha Delta/(2 sigma^2)",
        "equal",
        ("alpha Delta/(2 sigma^2) = 1.5", _order_4_meets, Fraction(3, 2)),
        ("alpha Delta^2/(2 sigma^2) = 4.5", _order_4_meets, Fraction(9, 2)),
    )


def _order_4_meets(value: Fraction) -> Value:
    return PrintedComparison(GaussianCurve(2, 3).certified_divergence(4), MEETS, value)


def _uniform_record() -> Value:
    """Records 1..10 against the data set with the tenth one replaced by an eleventh value."""
    share = Fraction(1, 10)
    return accounting.delta(FiniteTable([share] * 10 + [0], [share] * 9 + [0, share]), 0).enclosure


def _slide_noise(epsilon: Fraction, numerator: Fraction) -> Value:
    sigma = certified(lambda: (2 * (ball(numerator) * 10**5).log()).sqrt() / ball(epsilon))
    return PrintedComparison(accounting.delta(Gaussian(Fraction(sigma.upper)), epsilon).enclosure, AT_MOST, Fraction(1, 10**5))


def _zhu_wang() -> Iterator[PrintedRow]:
    exact, matches = (
        "Exact RDP of Subsampled Mechanism",
        "certified enclosures of upper bound, lower bound and exact value overlap to 12 digits",
    )
    for sigma, regime in ((5, "high privacy"), (1, "low privacy")):
        yield printed_row(
            f"zhuwang2019.matches-sigma-{sigma}",
            "Overall DP over composition",
            f"without the 3 the upper bound equals the exact divergence, sigma {sigma}, gamma 1e-3 ({regime}), orders 2 to 64",
            "equal",
            (matches, _meets, sigma),
        )
        yield printed_row(
            f"zhuwang2019.factor-3-sigma-{sigma}",
            exact,
            f"the factor 3 costs at most a factor 3 in the divergence, sigma {sigma}, gamma 1e-3, orders 2 to 64",
            "bound <= 3 D",
            ("upper bound with 3 at most 3 times the exact divergence", _within_factor_3, sigma),
        )
    yield printed_row(
        "zhuwang2019.matches-laplace",
        "Exact Amplification Bound for RDP",
        "upper and lower bound meet for Laplace noise of scale 1, gamma 1e-3",
        "equal",
        ("certified enclosures overlap", _meets_laplace),
    )
    yield printed_row(
        "zhuwang2019.prefactor",
        exact,
        "the bound with prefactor 1/alpha holds, alpha 2, gamma 1/2, sigma 1",
        "D_2 <= bound",
        ("prefactor 1/alpha against the exact divergence", _prefactor, Fraction(1, 2)),
        ("prefactor 1/(alpha-1), with which both are equal here", _prefactor, Fraction(1), MEETS),
    )


ORDERS = (2, 3, 5, 8, 16, 32, 64)


def _meets(sigma: int) -> Value:
    curve, base = PoissonGaussianCurve(sigma, "1e-3"), GaussianCurve(sigma)
    bounds = [(bound(base, "1e-3", a, digits=12), a) for a in ORDERS for bound in (zhu_wang_upper_of, zhu_wang_lower_of)]
    return closest([PrintedComparison(bound, MEETS, curve.certified_divergence(a, 12), f"order {a}") for bound, a in bounds])


def _meets_laplace() -> Value:
    noise = LaplaceCurve(1)
    pairs = [(a, zhu_wang_upper_of(noise, "1e-3", a), zhu_wang_lower_of(noise, "1e-3", a)) for a in (2, 8, 64)]
    return closest([PrintedComparison(upper, MEETS, lower, f"order {a}") for a, upper, lower in pairs])


def _within_factor_3(sigma: int) -> Value:
    curve, base = PoissonGaussianCurve(sigma, "1e-3"), GaussianCurve(sigma)

    def thrice(order: int) -> Enclosure:
        return certified(lambda: 3 * curve.certified_divergence(order).ball(), 12)

    return closest([PrintedComparison(zhu_wang_upper_of(base, "1e-3", a, 3), AT_MOST, thrice(a), f"order {a}") for a in ORDERS])


def _prefactor(factor: Fraction, relation: PrintedRelation = AT_MOST) -> Value:
    """factor·log(sum) against the exact D_2 at γ = 1/2, σ = 1, where the sum has no term of order 3."""
    bound = certified(lambda: ball(factor) * zhu_wang_upper_of(GaussianCurve(1), "0.5", 2, 3).ball(), 8)
    return PrintedComparison(PoissonGaussianCurve(1, "0.5").certified_divergence(2, 12), relation, bound)
