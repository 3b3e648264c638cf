"""Private selection against brute force over outcomes and tables, and against mechanisms run on real scores."""

import itertools
import json
import math
import random
from fractions import Fraction

import mpmath
import pytest

from dpbounds.cli import main
from dpbounds.errors import InputError
from dpbounds.numbers.balls import ball
from dpbounds.numbers.to_digits import certified
from dpbounds.renyi.solve import renyi_divergence
from dpbounds.selection.formulas import _largest, _noise_cdf, flipped_rho
from dpbounds.selection.mechanisms import KINDS, Selection

CASES = [(1, 1.0, 0.3), (2, 1.0, 0.3), (2, 0.5, 0.9), (3, 2.0, 0.0), (3, 0.5, 0.9), (4, 0.25, 0.1)]


def value_of(kind: str, epsilon: float, uses: int, loss: float) -> float:
    selection = Selection(kind, str(epsilon), uses)
    return certified(lambda: selection.delta_ball(ball(Fraction(str(loss)))), 15).upper_float


def delta_of_tables(e: float, tables: tuple[float, ...], loss: float) -> float:
    """All 2^k outcomes."""
    total = 0.0
    for outcome in itertools.product((0, 1), repeat=len(tables)):
        p = q = 1.0
        for t, low in zip(tables, outcome, strict=True):
            high = math.expm1(t - e) / math.expm1(-e)
            p, q = p * (1 - high if low else high), q * (1 - high * math.exp(-t) if low else high * math.exp(-t))
        total += max(0.0, p - math.exp(loss) * q)
    return total


@pytest.mark.parametrize(("uses", "e", "loss"), CASES)
def test_range_bounded_is_the_supremum_over_tables(uses, e, loss):
    certain, chance = value_of("exponential-mechanism", e, uses, loss), random.Random(7)
    same = max(delta_of_tables(e, (e * j / 400,) * uses, loss) for j in range(401))
    mixed = max(delta_of_tables(e, tuple(chance.uniform(0, e) for _ in range(uses)), loss) for _ in range(1500))
    assert certain * (1 - 1e-3) <= same <= certain * (1 + 1e-12)
    assert mixed <= certain * (1 + 1e-12)


def test_one_use_has_the_closed_form():
    for e, loss in ((1.0, 0.0), (2.0, 0.7)):
        wanted = math.expm1((loss - e) / 2) ** 2 / -math.expm1(-e)
        assert abs(value_of("noisy-max", e, 1, loss) - wanted) <= 1e-12 * abs(wanted)
        wanted = -math.expm1((loss - e) / 2)
        assert abs(value_of("permute-and-flip", e, 1, loss) - wanted) <= 1e-12 * abs(wanted)


def permute_and_flip(scores: list[float], e: float) -> list[float]:
    """The law of the answer, over all orders: each is tried and taken with probability exp(e(u − max u)/2)."""
    found = [0.0] * len(scores)
    for order in itertools.permutations(range(len(scores))):
        left = 1 / math.factorial(len(scores))
        for candidate in order:
            taken = left * math.exp(e * (scores[candidate] - max(scores)) / 2)
            found[candidate] += taken
            left -= taken
    return found


def exponential(scores: list[float], e: float) -> list[float]:
    powers = [math.exp(e * score / 2) for score in scores]
    return [power / sum(powers) for power in powers]


@pytest.mark.parametrize(("kind", "run"), [("permute-and-flip", permute_and_flip), ("exponential-mechanism", exponential)])
def test_no_scores_are_worse_and_two_candidates_attain_it(kind, run):
    chance, e, loss = random.Random(3), 1.5, 0.4
    certain, worst = value_of(kind, e, 1, loss), 0.0
    for number in (2, 3, 4):
        for _ in range(120):
            first = [chance.uniform(-3, 3) for _ in range(number)]
            second = [score + chance.choice((-1, 1)) for score in first]
            p, q = run(first, e), run(second, e)
            worst = max(worst, sum(max(0.0, x - math.exp(loss) * y) for x, y in zip(p, q, strict=True)))
    assert worst <= certain * (1 + 1e-12)
    gaps = (delta_of_two(run, gap / 100, e, loss) for gap in range(-300, 301))
    assert max(gaps) >= certain * (1 - 1e-3)


def delta_of_two(run, gap, e, loss):
    p, q = run([gap, 0.0], e), run([gap - 1, 1.0], e)
    return sum(max(0.0, x - math.exp(loss) * y) for x, y in zip(p, q, strict=True))


def first_wins(gap):
    """P(X + gap > Y) for exponential X and Y of mean 1, by quadrature over Y: the report of noisy max."""
    return mpmath.quad(lambda y: mpmath.exp(-y) * mpmath.exp(-max(y - gap, 0)), sorted({0, max(gap, 0), max(gap, 0) + 4, 90}))


@pytest.mark.parametrize("gap", ["0", "0.4", "2", "-1.5"])
def test_noisy_max_with_exponential_noise_is_permute_and_flip_by_quadrature(gap):
    with mpmath.workdps(20):
        expected = permute_and_flip([2 * float(gap), 0.0], 1.0)
        assert abs(first_wins(mpmath.mpf(gap)) - expected[0]) < 1e-13


@pytest.mark.parametrize(("e", "loss"), [("1", "0"), ("2", "0.7"), ("0.3", "0.1")])
def test_the_value_of_permute_and_flip_is_the_largest_over_gaps(e, loss):
    """Two candidates whose scores each move by the sensitivity; every probability by quadrature, no gap of a grid is above the best."""
    with mpmath.workdps(16):
        whole, level, certain = mpmath.mpf(e), mpmath.exp(mpmath.mpf(loss)), value_of("permute-and-flip", float(e), 1, float(loss))

        def excess(gap):
            return first_wins(gap) - level * first_wins(gap - whole)

        assert abs(excess((whole - mpmath.mpf(loss)) / 2) - certain) < 1e-12
        assert all(excess(whole * j / 4) <= certain + 1e-12 for j in range(-1, 6))


def test_permute_and_flip_is_not_eps_squared_over_8_zcdp_and_the_exponential_mechanism_is():
    """KL of two candidates at the gap E/2 is near E²/2 for permute-and-flip, at most E²/8 for range bounded by E."""
    for e in (0.1, 1.0):
        p, q = permute_and_flip([0.5, -0.5], e), permute_and_flip([-0.5, 0.5], e)
        assert sum(x * math.log(x / y) for x, y in zip(p, q, strict=True)) > e * e / 8
        p, q = exponential([0.5, -0.5], e), exponential([-0.5, 0.5], e)
        assert sum(x * math.log(x / y) for x, y in zip(p, q, strict=True)) <= e * e / 8


@pytest.mark.parametrize("x", [-5, -0.5, 0, 1, 9])
def test_noise_of_above_threshold_by_quadrature(x):
    with mpmath.workdps(20):

        def integrand(u):
            below = mpmath.exp((x - u) / 4) / 2 if x < u else 1 - mpmath.exp(-(x - u) / 4) / 2
            return mpmath.exp(-abs(u) / 2) / 4 * below

        area = mpmath.quad(integrand, [-200, min(0, x), max(0, x), 200])
        assert abs(area - mpmath.mpf(float(_noise_cdf(ball(Fraction(str(x)))).mid()))) < 1e-13


def test_above_threshold_has_both_bounds():
    selection = Selection("above-threshold", 1)
    low, high = (
        certified(lambda bound=bound: bound(ball(Fraction(1, 10)))) for bound in (selection.known_delta_ball, selection.delta_ball)
    )
    assert 0 < low.upper < high.lower and not selection.attained


@pytest.mark.parametrize("kind", KINDS)
def test_commands(kind, capsys):
    assert main(["delta", f"--{kind}", "1", "--epsilon", "0.5", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert Fraction(document["delta"]["lower"]) <= Fraction(document["delta"]["upper"]) and document["attained"] is (
        kind != "above-threshold"
    )
    assert main(["epsilon", f"--{kind}", "1", "--delta", document["delta"]["upper"], "--json"]) == 0
    assert Fraction(json.loads(capsys.readouterr().out)["epsilon"]["lower"]) <= Fraction(1, 2)
    assert main(["plan", f"--{kind}", "--epsilon", "0.5", "--delta", document["delta"]["upper"], "--json"]) == 0
    assert Fraction(json.loads(capsys.readouterr().out)[kind]["upper"]) >= 1
    assert main(["verify", f"--{kind}", "1", "--epsilon", "1", "--delta", "1e-9"]) == 0
    assert main(["delta", "--exponential-mechanism", "1", f"--{kind}", "--epsilon", "0.5"]) == 0 or kind == "exponential-mechanism"


def test_refusals():
    for given in (("permute-and-flip", 1, 2), ("exponential-mechanism", 0), ("other", 1), ("noisy-max", 1, 401)):
        with pytest.raises(InputError):
            Selection(*given)


@pytest.mark.parametrize("loss", ["0.5", "0.9", "0.998"])
def test_several_uses_at_lengths_that_are_no_binary_fractions(loss):
    """At ε > E some best t are cut to E, where a ball around p holds 0."""
    wanted = max(delta_of_tables(0.333, (0.333 * j / 4000,) * 3, float(loss)) for j in range(4001))
    found = value_of("exponential-mechanism", 0.333, 3, float(loss))
    assert wanted * (1 - 1e-9) <= found <= wanted * (1 + 1e-4)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--exponential-mechanism", "0.333", "--steps", "3", "--epsilon", "0.999"], {"lower": "0", "upper": "0"}),
        (["--permute-and-flip", "0.333", "--epsilon", "0.333"], {"lower": "0", "upper": "0"}),
        (["--above-threshold", "0.333", "--epsilon", "0.4"], {"lower": "0", "upper": "0"}),
    ],
)
def test_delta_is_0_from_the_largest_loss_on(options, said, capsys):
    assert main(["delta", *options, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["delta"] == said


@pytest.mark.parametrize(
    "options",
    [
        ["--exponential-mechanism", "0.3", "--steps", "3", "--epsilon", "0.5"],
        ["--above-threshold", "0.3", "--epsilon", "0.1"],
        ["--hidden-state", "--contraction", "0.9", "--gradient-change", "1", "--sigma", "5", "--steps", "10", "--epsilon", "1"],
    ],
)
def test_a_refused_certificate_names_a_bound_that_has_one(options, tmp_path, capsys):
    assert main(["delta", *options, "--json"]) == 0
    bound = float(json.loads(capsys.readouterr().out)["upper"])
    assert main(["delta", *options, "--certificate", str(tmp_path / "one.json")]) == 2
    words = capsys.readouterr().err.split()
    instead = words[words.index(next(word for word in words if word.startswith("--"))) :]
    assert main(["delta", *instead, "--epsilon", options[-1], "--json", "--certificate", str(tmp_path / "one.json")]) == 0
    assert float(json.loads(capsys.readouterr().out)["lower"]) >= bound * (1 - 1e-12)
    assert main(["replay", str(tmp_path / "one.json")]) == 0


@pytest.mark.parametrize("e", ["0.01", "1", "8", "100"])
@pytest.mark.parametrize("kind", KINDS)
def test_the_least_rho_lies_between(kind, e):
    """Both sides by mpmath: the divergences of pairs that the kind has from below, and of its bound at many orders from above."""
    low, high = (mpmath.mpf(end.numerator) / end.denominator for end in Selection(kind, e, 1).rho_ends())
    with mpmath.workdps(30):
        loss = mpmath.mpf(e)
        if kind in ("exponential-mechanism", "noisy-max"):
            at = loss + mpmath.log((1 - mpmath.exp(-loss)) / loss)
            first = (1 - mpmath.exp(at - loss)) / (1 - mpmath.exp(-loss))
            wanted, above = coins(first, first * mpmath.exp(-at), 0), loss**2 / 8
            assert abs(low / wanted - 1) < 1e-9 and low <= high <= above * (1 + mpmath.mpf("1e-12"))
            assert high <= low * (1 + mpmath.mpf("1e-20"))
        elif kind == "permute-and-flip":
            worst = max(coins(*chosen(loss, loss * j / 500), 0) for j in range(501))
            assert worst <= low * (1 + mpmath.mpf("1e-20")) and low <= worst * (1 + mpmath.mpf("1e-3"))
            assert low <= high <= low * (1 + mpmath.mpf("1e-20" if loss < 2 else "0.1"))
        else:
            ratios = []
            for t in (mpmath.mpf("1e-9"), mpmath.mpf("0.001"), mpmath.mpf("0.1"), 1, 10):
                moment = ((1 + t) * mpmath.exp(t * loss) + t * mpmath.exp(-(1 + t) * loss)) / (1 + 2 * t)
                ratios.append(mpmath.log(moment) / t / (1 + t))
            assert max(ratios) <= high * (1 + mpmath.mpf("1e-12")) and high <= max(ratios) * (1 + mpmath.mpf("1e-6"))
            assert 0 < low < high


def chosen(e, gap):
    """The first of two candidates wins with p, and with q in the neighbouring data: `first_wins` in closed form."""
    return 1 - mpmath.exp(-gap) / 2, mpmath.exp(gap - e) / 2


def coins(p, q, t):
    """D_{1+t} of two coins; t = 0: the Kullback–Leibler divergence."""
    if not t:
        return p * mpmath.log(p / q) + (1 - p) * mpmath.log((1 - p) / (1 - q))
    return mpmath.log(p ** (1 + t) * q**-t + (1 - p) ** (1 + t) * (1 - q) ** -t) / t


@pytest.mark.parametrize(("e", "alpha"), [("0.1", "1.5"), ("1", "1.001"), ("1", "4"), ("20", "2"), ("3", "100")])
def test_the_renyi_divergence_of_permute_and_flip_is_the_largest_over_gaps(e, alpha):
    found = renyi_divergence(Selection("permute-and-flip", e), alpha)
    with mpmath.workdps(30):
        loss, t = mpmath.mpf(e), mpmath.mpf(alpha) - 1
        worst = max(coins(*chosen(loss, loss * j / 1000), t) for j in range(1001))
        assert worst <= mpmath.mpf(found.upper) and mpmath.mpf(found.lower) <= worst * (1 + mpmath.mpf("1e-4"))
    assert found.document()["attained"] is True


def winners(weights):
    """The law of permute-and-flip from its integral: the first of arrivals that are uniform on (0, 1) with these chances."""
    return [w * mpmath.quad(lambda y, i=i: mpmath.fprod(1 - v * y for j, v in enumerate(weights) if j != i), [0, 1])  # type: ignore[misc]
            for i, w in enumerate(weights)]  # fmt: skip


@pytest.mark.parametrize("seed", range(4))
def test_more_candidates_show_no_more_than_two(seed):
    """Every divergence of permute-and-flip by brute force over random scores and moves; and the lemma of the page on it."""
    chance = random.Random(seed)
    with mpmath.workdps(20):
        for _ in range(6):
            e, number, t = mpmath.mpf(chance.choice((0.2, 1, 3))), chance.choice((3, 4, 6)), chance.choice((0, 0.5, 2))
            scores = [chance.choice((0, chance.uniform(-2, 0))) for _ in range(number)]
            moved = [score + e / 2 * chance.choice((-1, 1, chance.uniform(-1, 1))) for score in scores]
            p, q = (winners([mpmath.exp(x - max(row)) for x in row]) for row in (scores, moved))
            if t:
                shown = mpmath.log(mpmath.fsum(x ** (1 + t) * y**-t for x, y in zip(p, q, strict=True))) / t
            else:
                shown = mpmath.fsum(x * mpmath.log(x / y) for x, y in zip(p, q, strict=True))
            assert shown <= max(coins(*chosen(e, e * j / 200), t) for j in range(201)) * (1 + mpmath.mpf("1e-3"))


@pytest.mark.parametrize(("above", "below"), [(2, 1), (2, 9), (5, 2), (7, 30)])
def test_the_lemma_behind_three_kinds_of_candidates(above, below):
    """∫(1−y)^ν (1−μy)^{b−1} dy is at least 2/(2ν + bμ + √(4ν²(1−μ) + b²μ²)) for ν ≥ 2, with equality at μ = 1; not at ν = 1."""
    with mpmath.workdps(20):
        for j in range(1, 11):
            mu = mpmath.mpf(j) / 10

            def both(nu, mu=mu):
                area = mpmath.quad(lambda y: (1 - y) ** nu * (1 - mu * y) ** (below - 1), [0, 0.1, 1])
                return area, 2 / (2 * nu + below * mu + mpmath.sqrt(4 * nu**2 * (1 - mu) + below**2 * mu**2))

            area, bound = both(above)
            assert area >= bound * (1 - mpmath.mpf("1e-15")) and (j < 10 or abs(area - bound) < 1e-15)
        if below > 1:
            area, bound = both(1, mpmath.mpf("0.5"))
            assert area < bound


@pytest.mark.parametrize("kind", ["permute-and-flip", "noisy-max"])
@pytest.mark.parametrize("e", ["0.5", "3", "40"])
def test_the_least_rho_holds_at_every_order(kind, e):
    """Above 2.6 that of permute-and-flip is a bound."""
    _, high = Selection(kind, e).rho_ends()
    for j in range(-12, 30):
        order = 1 + Fraction(3, 2) ** j
        assert renyi_divergence(Selection(kind, e), order, digits=6).enclosure.lower <= order * high


@pytest.mark.parametrize("e", ["0.2", "2", "9"])
def test_the_divergence_and_the_variance_at_the_first_order(e):
    """K and V by brute force over gaps: ρ is K where V is not above it, and else at most what E and the line K + tV leave."""
    loss = mpmath.mpf(e)
    gaps = [chosen(loss, loss * j / 2000) for j in range(2001)]
    most = max(p * (1 - p) * mpmath.log(p / q * (1 - q) / (1 - p)) ** 2 / 2 for p, q in gaps)
    least = max(coins(*pair, 0) for pair in gaps)
    above = least if most <= least else min(max(min(least + t * most, loss) / (1 + t) for t in mpmath.linspace(0, 2, 20_001)), loss - 1)
    for found, worst in zip(flipped_rho(ball(Fraction(e))), (least, above), strict=True):
        assert worst * (1 - mpmath.mpf("1e-12")) <= float(found.mid()) <= worst * (1 + mpmath.mpf("2e-4"))


@pytest.mark.parametrize(("e", "t"), [("0.3", "0.5"), ("1", "6"), ("30", "0.2")])
def test_the_proof_that_the_first_order_is_the_worst_of_the_exponential_mechanism(e, t):
    """t·D as a sum over the product of sinh; in each term k′(1+s) − k′(s) ≤ G(a(1 + 2s)) ≤ (1 + 2s)k′(1), and less does not do."""
    found = renyi_divergence(Selection("noisy-max", e), 1 + Fraction(t))
    with mpmath.workdps(25):
        e, t, one = mpmath.mpf(e), mpmath.mpf(t), mpmath.mpf(1)

        def k(x):
            return x * mpmath.log(mpmath.sinh(e * x / 2) / (e * x / 2))

        assert abs((k(1 + t) - k(t) - k(one)) / t / mpmath.mpf(found.lower) - 1) < 1e-12
        for n in (1, 2, 40):
            a = (e / (2 * mpmath.pi * n)) ** 2
            slope = lambda v: mpmath.log1p(v) + 2 * v / (1 + v)  # noqa: E731
            for s in (t / 100, t / 3, t):
                grown = slope(a * (1 + s) ** 2) - slope(a * s**2)
                assert grown <= slope(a * (1 + 2 * s)) <= (1 + 2 * s) * slope(a)
        assert slope(a * (1 + t) ** 2) > (1 + 2 * t) * slope(a)  # n = 40: k′(s) counts


def test_a_place_that_is_not_told_apart_stays_a_bracket():
    """Where no sign is known the value holds that of every gap, at both ends too."""
    found = _largest(ball(1), lambda r, q: ball(0), lambda r, q: r)
    assert float(found.lower()) <= math.exp(-1) / 2 and float(found.upper()) >= 0.5


def test_a_claim_of_zcdp(capsys):
    words = ["verify", "--permute-and-flip", "1", "--claim-rho"]
    assert main([*words, "0.37"]) == 0 and "HOLDS" in capsys.readouterr().out
    assert main([*words, "0.125"]) == 1 and "REFUTED" in capsys.readouterr().out
    assert main([*words, "0.3297"]) == 0 and main([*words, "0.3296"]) == 1
    assert main([*words, "0.32965996833976385"]) == 1 and main([*words, "0.32965996833976386"]) == 0
    capsys.readouterr()
    words[1] = "--above-threshold"
    assert main([*words, "0.37"]) == 0 and main([*words, "0.0137"]) == 1 and main([*words, "0.3"]) == 3
    for kind in ("--exponential-mechanism", "--noisy-max"):
        words[1] = kind
        assert main([*words, "0.1233016"]) == 0 and main([*words, "0.1233015"]) == 1
    assert abs(float(Selection("noisy-max", 1, 3).rho_ends()[1]) - 3 * 0.12330156148224) < 1e-11
