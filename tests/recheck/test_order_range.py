"""Each bound of the checker of order ranges against quadratures in mpmath: never below the truth, and close to it."""

import functools
from fractions import Fraction
from itertools import pairwise, product

import pytest
from mpmath import mp

from dpbounds.covers.intervals import INFINITY, Arithmetic
from dpbounds.recheck import order_range
from dpbounds.recheck.numbers import Refused
from dpbounds.recheck.order_range import BoundOnOrders, NotShown

ONE = Fraction(1)
BREAKS = [-20, -8, -4, -1, 0, 1, 2, 4, 8, 16, 30]


def checker(bound=ONE, least_sigma=ONE, least_inverse=Fraction(16), slack=ONE, add=False):
    return BoundOnOrders(bound, least_sigma, least_inverse, slack, add)


def number(value):
    return mp.mpf(value.numerator) / value.denominator


@functools.cache
def true_excess(order, s, q):
    alpha, s, q = (number(Fraction(x)) for x in (order, s, q))
    with mp.workdps(25):
        moment = mp.quad(
            lambda z: mp.npdf(z) * ((1 + q * mp.expm1(s * z - s * s / 2)) ** alpha - 1 - alpha * q * mp.expm1(s * z - s * s / 2)), BREAKS
        )
        return moment / (alpha * (alpha - 1) * q**2 * s**2)


@pytest.mark.parametrize("order", ["2", "3", "7", "5/2", "29/8", "47/5"])
@pytest.mark.parametrize(("s", "q"), [("1", "1/16"), ("2/3", "1/40"), ("1/4", "1/9")])
def test_the_excess_is_the_quadrature_rounded_up(order, s, q):
    order, s, q = Fraction(order), Fraction(s), Fraction(q)
    tested = checker()
    found = number(Fraction(tested.excess(order, s, tested.arithmetic.number(q))))
    truth = true_excess(order, s, q)
    assert truth * (1 - mp.mpf(10) ** -14) <= found <= truth * (1 + mp.mpf(10) ** -8)


def test_the_excess_rises_with_the_order_the_rate_and_the_noise_and_is_convex_in_the_order():
    orders, rates, scales = (2, Fraction(5, 2), 3, 5), (Fraction(1, 50), Fraction(9, 10)), (Fraction(1, 2), 1)
    value = {point: true_excess(*point) for point in product(orders, scales, rates)}
    for s, q in product(scales, rates):
        assert all(value[a, s, q] < value[b, s, q] for a, b in pairwise(orders))
        slopes = [(value[b, s, q] - value[a, s, q]) / number(Fraction(b - a)) for a, b in pairwise(orders)]
        assert slopes == sorted(slopes)
    assert all(value[a, s, q] < value[a, t, q] for a, q in product(orders, rates) for s, t in pairwise(scales))
    assert all(value[a, s, q] <= value[a, s, p] for a, s in product(orders, scales) for q, p in pairwise(rates))


@pytest.mark.parametrize(
    ("order", "last", "s", "q"),
    [("5/2", 4, "1", "1/16"), ("7", 8, "1", "1/16"), ("10", 11, "1", "1/16"), ("10", 6, "1/2", "1/2"), ("10", 6, "1/2", "1/1000")],
)
def test_the_tails_of_the_trapezoid_rule_cover_what_lies_beyond(order, last, s, q):
    """With so few nodes the sums beyond them are large, and the bound is needed."""
    order, s, q = Fraction(order), Fraction(s), Fraction(q)
    tested = checker()
    tail = number(Fraction(tested._trapezoid_tails(order, s, tested.arithmetic.number(q), Fraction(last))[1]))
    left, right = true_tails(order, s, q, last)
    assert right < tail < 200 * right
    assert left <= number(q) ** 2 * number(order * (order - 1)) / 2 * mp.npdf(8) / 8


@functools.cache
def true_tails(order, s, q, last):
    """What the nodes beyond -8 and `last` add."""

    def term(z):
        u = number(q) * mp.expm1(number(s) * z - number(s) ** 2 / 2)
        return mp.npdf(z) * ((1 + u) ** number(order) - 1 - number(order) * u)

    right = sum(term(mp.mpf(k) / 2) for k in range(2 * last + 1, 2 * last + 80)) / 2
    left = sum(term(-mp.mpf(k) / 2) for k in range(17, 80)) / 2
    return left, right


def test_aliases_are_taken_off():
    """The share of the integral that a step of 1/2 keeps: without the term it would be 1."""
    low, high = (Fraction(end) for end in checker()._trapezoid_share)
    with mp.workdps(30):
        lost = 18 * mp.exp(2) / (mp.exp(8 * mp.pi) - 1)
        assert abs(number(1 - high) / lost - 1) < 1e-6
        assert low <= high < 1


@pytest.mark.parametrize("add", [False, True])
@pytest.mark.parametrize(
    ("s", "least"), [((0, "1/2"), "3"), (("1/2", "5/8"), "4"), (("5/8", "21/32"), "9/2"), (("15/16", "1"), "14/5"), ((0, "1/64"), "20")]
)
def test_the_integral_is_not_below_its_integrand(add, s, least):
    tested, s, least = checker(add=add), tuple(map(Fraction, s)), Fraction(least)
    a = tested.arithmetic
    small = a.exp(a.number(-least))
    bound = number(Fraction(tested.expectation(s, a.number(least), a.multiply(small, a.number(s[1])))[1]))
    for share in (0, mp.mpf(1) / 3, 1):
        truth = true_expectation(number(s[0]) + share * number(s[1] - s[0]), least, add)
        assert truth <= bound
    assert bound <= 2 * truth  # at the last s; the box is as wide as those of real covers


@functools.cache
def true_expectation(noise, least, add):
    """Half of E[x²e^E] at one s and the least L, with c = 1."""
    rate = number(least) * mp.exp(-number(least))
    if add:
        rate = (rate + 2 * noise**2 * mp.exp(-number(least))) / (1 - noise * mp.exp(-number(least)))

    def integrand(z):
        x = (mp.expm1(noise * z - noise**2 / 2) / noise) if noise else z
        exponent = rate * max(-x, 0) if add else (min(rate * x, z + z * z / 4) if x > 0 else 0)
        return x**2 * mp.exp(exponent) * mp.npdf(z) / 2

    return mp.quad(integrand, BREAKS)


@pytest.mark.parametrize("side", ["left", "right"])
def test_the_tails_of_the_integral_cover_what_lies_beyond_the_cells(side):
    tested = checker()
    high, beta = tested._number(Fraction(3, 4)), Fraction(3, 4)
    found = tested._left_tail(high, tested._number(beta)) if side == "left" else tested._right_tail(high)
    with mp.workdps(25):
        assert abs(number(Fraction(found[1])) / true_tail(side) - 1) < 1e-8


@functools.cache
def true_tail(side):
    """At s = 3/4, with the rate 3/4 on the left."""
    if side == "left":
        return mp.quad(lambda y: (y + 0.375) ** 2 * mp.exp((y + mp.mpf(3) / 8) * 3 / 4) * mp.npdf(y), [8, 10, 14, 20, 40])
    return mp.quad(lambda z: z**2 * mp.exp(mp.mpf(3) * z / 2 + z + z * z / 4) * mp.npdf(z), [24 + mp.mpf(k) / 2 for k in range(12)])


def small_box(sigma, inverse_log):
    tiny = Fraction(1, 10**9)
    return ((1 / sigma - tiny, 1 / sigma), (inverse_log - tiny, inverse_log))


@pytest.mark.parametrize(
    ("sigma", "inverse_log"), [(ONE, Fraction(9, 25)), (Fraction(11, 10), Fraction(1, 3)), (Fraction(2), Fraction(1, 4))]
)
def test_nothing_below_the_truth_is_shown_at_the_corner(sigma, inverse_log):
    """R at the last order and at order 2, from the excess: log(1 + αα(α−1)q²vH)/…; a bound just below the largest is refused."""
    q = Fraction(str(mp.nstr(mp.exp(-1 / number(inverse_log)) / number(sigma), 20)))
    orders = [Fraction(2), sigma**2 / inverse_log, sigma**2 / inverse_log + 1]
    ratios = []
    for order in orders:
        scale = number(order * (order - 1) * q**2 / sigma**2)
        ratios.append(mp.log1p(scale * true_excess(order, 1 / sigma, q)) / scale)
    top = Fraction(str(mp.nstr(max(ratios), 12)))
    box = small_box(sigma, inverse_log)
    assert not checker(top * (1 - Fraction(1, 10**5)), sigma)._shown("c", box)
    assert checker(top * (1 + Fraction(1, 10**5)), sigma)._shown("c", box)


def test_orders_up_to_2_are_judged_too():
    """At κ a little above the ratio of the last order the orders near 1 still hold; a smaller κ fails on them alone."""
    box = ((Fraction(999, 1000), ONE), (Fraction(1, 100), Fraction(1, 90)))  # L ≥ 90: q is 0 for all that matters
    low = (mp.e - 1) / 2
    short = checker(Fraction(str(mp.nstr(low * (1 - mp.mpf(10) ** -4), 12))), slack=Fraction(-200))
    ample = checker(Fraction(str(mp.nstr(low * (1 + mp.mpf(10) ** -4), 12))), slack=Fraction(-200))
    assert not short._shown("c", box)
    assert ample._shown("c", box)


@pytest.mark.parametrize(
    "numbers", [{"bound": Fraction(0)}, {"least_sigma": Fraction(0)}, {"least_inverse": Fraction(2)}, {"slack": Fraction(3)}]
)
def test_ranges_outside_of_the_lemmas_are_refused(numbers):
    with pytest.raises(NotShown, match="outside"):
        checker(**numbers)


@pytest.mark.parametrize(
    ("tree", "message"), [("", "cut short"), ("0i", "cut short"), ("ii", "goes on"), ("x", "holds"), ("c", "not shown")]
)
def test_malformed_trees_are_refused(tree, message):
    wide = checker(ONE, Fraction(3), Fraction(70))
    with pytest.raises(NotShown, match=message):
        wide.leaves(tree, Fraction(1, 4))


def test_the_root_must_reach_the_largest_rate():
    with pytest.raises(NotShown, match="root"):
        checker(ONE, Fraction(3), Fraction(70)).leaves("i", Fraction(1, 5))


@pytest.mark.parametrize("slack", [-1000, -6000, -20000])
def test_few_orders_do_not_make_the_add_direction_small(slack):
    """At order 2, σ = 200 and q = 1/600, a point of each range, D·σ²/(αq²) > 1/2: a negative slack must not lower β′ below Le^{−L}."""
    ranges = [checker(Fraction(bound, 20), Fraction(10), Fraction(3), Fraction(slack), add=True) for bound in (6, 10, 20)]
    for below in ranges[:2]:
        with pytest.raises(NotShown, match="not shown"):
            below.leaves("i", Fraction(92, 100))
    assert ranges[2].leaves("i", Fraction(92, 100)) == 1


# each part on its own, where the others would hide that it is missing


def test_both_halves_of_a_range_of_orders_are_judged():
    """H above what is allowed at the first orders alone, in the second half alone and at the last alone, and nowhere."""

    def judged(excess):
        made = Arithmetic(60)
        row = [lambda order, f=f: made.number(Fraction(f(order)))[0] for f in (excess, lambda order: order)]
        return order_range._below(*row, Fraction(2), Fraction(8), 10)

    assert not judged(lambda order: max(order - 2, Fraction(5, 2)))
    assert not judged(lambda order: order - 2 if order <= 5 else Fraction(13, 2))
    assert not judged(lambda order: order - 2 if order <= 5 else 2 * order)
    assert judged(lambda order: order - 2)


def test_the_excess_between_integers_is_its_chord(monkeypatch):
    seen = []
    monkeypatch.setattr(order_range, "_below", lambda excess, allowed, *ends: bool(seen.append(excess)))
    tested, q = checker(), Fraction(1, 20)
    tested._corner((Fraction(99, 100), ONE), tested.arithmetic.number(q), Fraction(4))
    for order in (Fraction(9, 4), Fraction(5, 2), Fraction(15, 4)):
        low, share = order // 1, number(order % 1)
        chord = (1 - share) * true_excess(low, ONE, q) + share * true_excess(low + 1, ONE, q)
        found = number(Fraction(seen[0](order)))
        assert true_excess(order, ONE, q) <= found and abs(found / chord - 1) < mp.mpf(10) ** -12


def test_the_nodes_of_the_trapezoid_rule_and_what_is_beyond_them():
    """At a tiny rate the excess is (e^v − 1)/2v, and with nothing taken off for aliases only the tails hold it above."""
    tested, order, s = checker(), Fraction(5, 2), Fraction(1)
    fine = BoundOnOrders(ONE, ONE, Fraction(16), ONE, False, bits=400)
    fine.__dict__["_trapezoid_share"] = fine.arithmetic.number(ONE)
    found = Fraction(fine.excess(order, s, fine.arithmetic.number(Fraction(1, 10**40))))
    with mp.workdps(60):
        truth = mp.expm1(1) / 2
        assert truth * (1 + mp.mpf(10) ** -30) < number(found) < truth * (1 + mp.mpf(10) ** -13)
    fine.__dict__["_trapezoid_share"] = fine.arithmetic.number(Fraction(1, 2))
    doubled = Fraction(fine.excess(order, s, fine.arithmetic.number(Fraction(1, 10**40))))
    assert abs(doubled / found - 2) < Fraction(1, 10**60)
    assert tested.excess(order, Fraction(3, 2), tested.arithmetic.number(Fraction(1, 9))) == INFINITY
    assert tested.excess(order, Fraction(2), tested.arithmetic.number(Fraction(1, 9))) == INFINITY


def test_every_node_is_taken(monkeypatch):
    places = []
    whole = BoundOnOrders._density
    monkeypatch.setattr(BoundOnOrders, "_density", lambda self, z: places.append(z) or whole(self, z))
    tested = checker()
    tested.excess(Fraction(5, 2), ONE, tested.arithmetic.number(Fraction(1, 9)))
    nodes = sorted(Fraction(z[0]) for z in places)
    assert nodes == sorted([*(Fraction(k, 2) for k in range(-16, 2 * 11 + 1)), -8, 11])  # the tails take both ends once more


def test_the_tails_are_the_majorants_of_the_page():
    """φ(8)/8 on the left, φ(T)·e^{2w}(1 + qe^w)^{α−2}/(T − sα) on the right, both times α(α−1)q²/2."""
    tested, order, s, q, last = checker(), Fraction(10), Fraction(1, 2), Fraction(1, 3), 7
    w = number(s) * last - number(s) ** 2 / 2
    right = mp.npdf(last) * mp.exp(2 * w) * (1 + number(q) * mp.exp(w)) ** 8 / (last - number(s) * 10)
    found = number(Fraction(tested._trapezoid_tails(order, s, tested.arithmetic.number(q), Fraction(last))[1]))
    assert abs(found / (45 * number(q) ** 2 * (mp.npdf(8) / 8 + right)) - 1) < mp.mpf(10) ** -12


def test_a_sum_that_ends_where_its_terms_still_rise_has_no_bound():
    tested = checker()
    for last in (9, 10):
        assert tested._trapezoid_tails(Fraction(10), ONE, tested.arithmetic.number(Fraction(1, 9)), Fraction(last))[1] == INFINITY
    left, right = true_tails(Fraction(3), ONE, Fraction(1, 9), 30)
    found = tested._trapezoid_tails(Fraction(3), ONE, tested.arithmetic.number(Fraction(1, 9)), Fraction(30))[1]
    assert left + right <= number(Fraction(found))


def test_the_share_holds_its_value_at_many_bits():
    low, high = (Fraction(end) for end in BoundOnOrders(ONE, ONE, Fraction(16), ONE, False, bits=300)._trapezoid_share)
    with mp.workdps(120):
        truth = 1 - 18 * mp.exp(2) / (mp.exp(8 * mp.pi) - 1)
        assert number(low) <= truth <= number(high)


def test_the_cells_cover_the_line_between_the_tails():
    cells = checker()._cells
    assert cells[0][0] == -8 and cells[-1][1] == 24 and all(a[1] == b[0] for a, b in pairwise(cells))
    for left, right, mass in cells[::17]:
        assert number(Fraction(mass)) >= mp.ncdf(-number(left)) - mp.ncdf(-number(right)) - mp.mpf(10) ** -16


@pytest.mark.parametrize("s", [("0", "1"), ("1/2", "5/8"), ("5/4", "3/2")])
def test_the_largest_loss_of_a_cell_is_not_below_any_in_it(s):
    side = tuple(Fraction(end) for end in s)
    for left, right, x, weight in checker()._weights(side)[64:320:5]:
        for share in (0, Fraction(1, 3), Fraction(2, 3), 1):
            noise = side[0] + share * (side[1] - side[0])
            for z in (left, right):
                w = number(noise * z - noise * noise / 2)
                size = abs(mp.expm1(w) / number(noise) if noise else number(z))
                assert size <= number(Fraction(x[1])) * (1 + mp.mpf(10) ** -15)
        assert Fraction(weight[1]) >= 0


@pytest.mark.parametrize("add", [False, True])
@pytest.mark.parametrize("slack", ["1", "-1/2", "-7"])
def test_the_rate_of_the_exponent(add, slack):
    tested, s, least, q = checker(slack=Fraction(slack), add=add), Fraction(3, 2), Fraction(5, 4), Fraction(2, 5)
    a = tested.arithmetic
    low, high = (number(Fraction(end)) for end in tested._rate(s, a.number(least), a.number(q)))
    truth = number(least) * mp.exp(-number(least))
    if add:
        truth = (truth + max(number(Fraction(slack)) + 1, 0) * number(s) ** 2 * mp.exp(-number(least))) / (1 - number(q))
    assert abs(low / truth - 1) < mp.mpf(10) ** -14 and abs(high / truth - 1) < mp.mpf(10) ** -14


def test_both_tails_of_the_integral_are_added():
    for name in ("_left_tail", "_right_tail"):
        tested = checker()
        a = tested.arithmetic
        object.__setattr__(tested, name, lambda *given, a=a: a.number(Fraction(100)))
        found = tested.expectation((Fraction(0), Fraction(1, 4)), a.number(Fraction(4)), a.number(Fraction(0)))
        assert Fraction(found[1]) >= 50


def test_boxes_that_are_no_leaf_of_any_kind():
    """Rates that may reach 1, the corner in direction add, orders near 1 at a large rate, and a side 1/L that ends beyond the range."""
    steep = checker(Fraction(10) ** 90, Fraction(1, 4), Fraction(3))
    assert not steep._shown("i", ((Fraction(7, 2), Fraction(4)), (Fraction(1, 2), Fraction(92, 100))))
    box = ((Fraction(999, 1000), ONE), (Fraction(1, 100), Fraction(1, 90)))
    assert checker(Fraction(2), slack=Fraction(-200))._shown("c", box)
    assert not checker(Fraction(2), slack=Fraction(-200), add=True)._shown("c", box)
    wide = ((Fraction(999, 1000), ONE), (Fraction(90, 100), Fraction(92, 100)))
    assert not checker(ONE, ONE, Fraction(3), Fraction(-200))._shown("c", wide)
    assert checker(Fraction(13, 10), ONE, Fraction(3), Fraction(-200))._shown("c", wide)
    small = ((Fraction(1, 5), Fraction(1, 4)), (Fraction(9), Fraction(10)))
    with mp.workdps(20):
        needed = true_expectation(number(Fraction(1, 4)), Fraction(11, 10), False)
    assert not checker(Fraction(str(mp.nstr(needed * mp.mpf("0.99"), 8))), least_inverse=Fraction(3))._shown("i", small)


RANGE = {"bound": "1", "least_sigma": "3", "least_inverse": "70", "slack": "1", "most_inverse_log": "1/4", "direction": "remove"}
EVIDENCE = {"range": RANGE, "tree": "i", "leaves": 1}


def test_the_evidence_of_a_certificate_shows_its_statement():
    for direction in ("remove", "add"):
        shown, leaves = BoundOnOrders.shown({**EVIDENCE, "range": {**RANGE, "direction": direction}})
        assert (leaves, shown) == (1, checker(ONE, Fraction(3), Fraction(70), ONE, add=direction == "add"))
        assert str(shown).splitlines()[1:] == [
            "  given  3 <= sigma",
            "  given  0 < q",
            "  given  q <= 1 / (70 * sigma)",
            "  given  1 < alpha",
            "  given  alpha <= sigma**2 * log(1 / (q * sigma)) + 1",
            f"  claim  the Renyi divergence D of order alpha of the Poisson-sampled Gaussian, direction {direction}: "
            "D <= 1 * alpha * q**2 / sigma**2",
        ]


@pytest.mark.parametrize(
    "evidence",
    [
        {"tree": 7},
        {"tree": "i" * 30_000},
        {"tree": ["i"]},
        {"leaves": 2},
        {"more": 1},
        {"range": None},
        {"range": {**RANGE, "direction": "worst"}},
        {"range": {**RANGE, "more": "1"}},
        {"range": {**RANGE, "bound": 1.5}},
        {"range": {**RANGE, "least_sigma": "1e-9999"}},
        {"range": {key: text for key, text in RANGE.items() if key != "direction"}},
    ],
    ids=str,
)
def test_evidence_that_is_none_is_refused(evidence):
    with pytest.raises(Refused):
        BoundOnOrders.shown({**EVIDENCE, **evidence})
    for key in EVIDENCE:
        with pytest.raises(Refused):
            BoundOnOrders.shown({name: value for name, value in EVIDENCE.items() if name != key})
