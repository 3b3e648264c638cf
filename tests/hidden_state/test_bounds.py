"""Hidden states against brute force over all starts, and against the runs themselves."""

import json
from fractions import Fraction

import mpmath
import pytest

from dpbounds.cli import main
from dpbounds.errors import InputError
from dpbounds.hidden_state.bounds import HiddenState, LastIterate
from dpbounds.numbers.balls import Enclosure, ball
from dpbounds.numbers.to_digits import certified

RUNS = [
    ("0.9", 1, 3, 100, None, None), (1, 1, 10, 150, 5, "0.1"), (1, "0.3", 2, 40, 5, "0.1"), ("0.99", 1, 5, 60, 2, "0.1"),
    ("0.99", 1, 5, 7, 2, "0.1"), ("0.5", 2, 3, 7, 1, 1), ("0.5", 2, 3, 7, 100, 1), ("0.9", 1, 3, 50, "0.001", 1), (0, 1, 2, 5, 1, 1),
]  # fmt: skip


def inside(value: mpmath.mpf, enclosure: Enclosure) -> bool:
    low, high = (mpmath.mpf(text) for text in (enclosure.lower_decimal(25), enclosure.upper_decimal(25)))
    return bool(low * (1 - mpmath.mpf("1e-20")) <= value <= high * (1 + mpmath.mpf("1e-20")))


def least_mu(c, s, sigma, t, diameter, step):
    """From the definition: every m, every sum term by term."""
    c, s, sigma = (mpmath.mpf(Fraction(x).numerator) / Fraction(x).denominator for x in (c, s, sigma))
    distance = None if diameter is None else mpmath.mpf(diameter) / mpmath.mpf(step)
    power = [c**j if j else mpmath.mpf(1) for j in range(t + 1)]
    found = [s * mpmath.fsum(power[:t]) / (sigma * mpmath.sqrt(mpmath.fsum(p * p for p in power[:t])))]
    for m in range(1, t + 1) if distance is not None else ():
        sums = mpmath.fsum(power[:m]), mpmath.sqrt(mpmath.fsum(p * p for p in power[:m]))
        found.append((power[m] * distance + s * sums[0]) / (sigma * sums[1]))
    return min(found)


@pytest.mark.parametrize("run", RUNS)
def test_the_best_start_is_that_of_brute_force(run):
    with mpmath.workdps(40):
        state = HiddenState(*run)
        assert inside(least_mu(*run), state.mu(20))
        assert certified(state.known_mu_ball, 20).lower <= state.mu(20).upper


def test_never_above_the_closed_form_of_the_paper():
    for diameter in ("0.05", "0.33", 1, 7):
        d, s, eta, sigma = Fraction(diameter), Fraction(1), Fraction(1, 10), Fraction(3)
        rounds = -(-d // (eta * s))
        paper = (3 * s * d / eta + s**2 * rounds) / sigma**2
        assert HiddenState(1, s, sigma, int(rounds) + 5, d, eta).mu(20).lower ** 2 <= paper


@pytest.mark.parametrize("c", ["0.3", "0.9", "1"])
def test_the_linear_loss_attains_it(c):
    """Means and variance of the run itself, step by step; δ by quadrature of the two densities."""
    t, s, sigma, eta = 6, Fraction(2), Fraction(3), Fraction(1, 7)
    mean, variance = Fraction(0), Fraction(0)
    for _ in range(t):
        mean, variance = Fraction(c) * mean + eta * s, Fraction(c) ** 2 * variance + eta**2 * sigma**2
    state = HiddenState(c, s, sigma, t)
    assert state.attained
    with mpmath.workdps(30):
        mu = mpmath.mpf(mean.numerator) / mean.denominator / mpmath.sqrt(mpmath.mpf(variance.numerator) / variance.denominator)
        assert inside(mu, state.mu(20))
        cut = mu / 2 + mpmath.mpf("0.5") / mu
        area = mpmath.quad(lambda x: mpmath.npdf(x - mu) - mpmath.exp(0.5) * mpmath.npdf(x), [cut, cut + 5, cut + 40])
        assert inside(area, certified(lambda: state.delta_ball(ball(Fraction(1, 2))), 15))


@pytest.mark.parametrize(("c", "t", "q"), [("0.5", 3, "0.2"), ("1", 4, "0.05"), ("0", 3, "0.5"), ("0.9", 2, "1")])
def test_last_iterate_by_quadrature(c, t, q):
    """Both densities summed over all patterns of participation, integrated in pieces between the zeros of the integrand."""
    last, epsilon = LastIterate(HiddenState(c, 1, 2, t), q), Fraction(1, 10)
    with mpmath.workdps(30):
        factor, rate, noise = mpmath.mpf(c), mpmath.mpf(q), mpmath.mpf(2)
        power = [factor**j if j else mpmath.mpf(1) for j in range(t)]
        spread = noise * mpmath.sqrt(mpmath.fsum(p * p for p in power))
        parts = []
        for pattern in range(2**t):
            taken = [pattern >> j & 1 for j in range(t)]
            parts.append(
                (
                    mpmath.fsum(p * b for p, b in zip(power, taken, strict=True)) / spread,
                    rate ** sum(taken) * (1 - rate) ** (t - sum(taken)),
                )
            )

        def both(x):
            return mpmath.fsum(w * mpmath.npdf(x - a) for a, w in parts), mpmath.npdf(x)

        for with_first, found in ((True, last.delta_in(False)), (False, last.delta_in(True))):

            def excess(x, with_first=with_first):
                p, q_ = both(x) if with_first else both(x)[::-1]
                return p - mpmath.exp(mpmath.mpf("0.1")) * q_

            zero, high = mpmath.mpf(-20), mpmath.mpf(20)
            for _ in range(100):
                middle = (zero + high) / 2
                zero, high = (zero, middle) if (excess(middle) > 0) is with_first else (middle, high)
            area = mpmath.quad(excess, [zero, zero + 3, zero + 30] if with_first else [zero - 30, zero - 3, zero])
            enclosure = certified(lambda found=found: found(ball(epsilon)), 18)
            assert abs(area - mpmath.mpf(enclosure.lower_decimal(20))) < mpmath.mpf("1e-17")


def test_sampling_is_a_lower_bound_and_rate_one_is_the_run_itself():
    run = HiddenState("0.5", 1, 2, 4)
    whole = certified(lambda: run.delta_ball(ball(1)), 15)
    assert certified(lambda: LastIterate(run, 1).delta_ball(ball(1)), 15).overlaps(whole)
    assert certified(lambda: LastIterate(run, "0.5").delta_ball(ball(1)), 15) < whole


@pytest.mark.parametrize("given", [("1.1", 1, 1, 1), ("0.5", 0, 1, 1), ("0.5", 1, 1, 0), ("0.5", 1, 1, 1, 1)])
def test_bad_input_has_one_line(given):
    with pytest.raises(InputError):
        HiddenState(*given)


WORDS = ["--hidden-state", "--contraction", "0.99", "--gradient-change", "1", "--steps", "300"]


def test_commands(capsys):
    projected = [*WORDS, "--diameter", "2", "--step-size", "0.1", "--sigma", "5", "--json"]
    assert main(["delta", *projected, "--epsilon", "1"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["attained"] is False and document["mu"]["lower"] <= "1.6928258088522316" <= document["mu"]["upper"]
    assert Fraction(document["known"]["upper"]) <= Fraction(document["delta"]["lower"]) <= Fraction(document["delta"]["upper"])
    assert main(["epsilon", *projected, "--delta", document["delta"]["upper"]]) == 0
    assert Fraction(json.loads(capsys.readouterr().out)["epsilon"]["lower"]) <= 1
    assert main(["plan", *WORDS, "--epsilon", "1", "--delta", "1e-5", "--json"]) == 0
    sigma = json.loads(capsys.readouterr().out)["sigma"]
    for value, verdict in ((sigma["upper"], 0), (sigma["lower"], 1)):
        assert main(["verify", *WORDS, "--sigma", value, "--epsilon", "1", "--delta", "1e-5"]) == verdict
    assert all("convex losses" in line for line in capsys.readouterr().out.splitlines())
    projected[-1:] = ["--epsilon", "1", "--delta", "1e-3"]
    assert main(["verify", *projected]) == 3  # between what is known and the bound
    assert all("convex losses" in line for line in capsys.readouterr().out.splitlines())
    assert main(["delta", "--contraction", "1", "--sigma", "1", "--epsilon", "1"]) == 2


def test_statements_about_mu(capsys):
    """Without projection μ is attained; projected, between s/σ and the bound nothing is said."""
    free = ["verify", "--hidden-state", "--contraction", "1", "--gradient-change", "1", "--sigma", "2", "--steps", "16"]
    projected = ["verify", *WORDS, "--diameter", "2", "--step-size", "0.1", "--sigma", "5"]
    cases = [(free, "2", 0), (free, "1.9999", 1), (projected, "1.7", 0), (projected, "1", 3), (projected, "0.19", 1)]
    for words, claimed, code in cases:
        assert main([*words, "--claim-mu", claimed]) == code
        assert all("convex losses" in line for line in capsys.readouterr().out.splitlines())
    assert main([*free, "--claim-mu", "2", "--json"]) == 0
    (document,) = json.loads(capsys.readouterr().out)["statements"]
    assert document["verdict"] == "HOLDS" and document["readings"][0]["lower"] <= "2" <= document["readings"][0]["upper"]
    for words in ([*free, "--q", "0.5"], ["verify", "--noisy-max", "1"]):
        assert main([*words, "--claim-mu", "2"]) == 3 and "NOT EXPRESSIBLE" in capsys.readouterr().out


def test_one_step_is_the_poisson_sampled_gaussian_mechanism():
    from dpbounds import accounting
    from dpbounds.mechanisms import Gaussian, PoissonSampling, Sampled

    last = LastIterate(HiddenState(1, 1, "1.5", 1), "0.02")
    for epsilon in ("0", "0.3", "1"):
        expected = accounting.delta(Sampled(Gaussian("1.5"), PoissonSampling("0.02")), epsilon).enclosure
        assert certified(lambda epsilon=epsilon: last.delta_ball(ball(Fraction(epsilon)))).overlaps(expected)


def cheapest(c, s, sigma, t, diameter, step):
    """Without the formulas: the least √Σa²/σ over starts and moves a_j with d ← c·d + s − a_j and 0 at the end, by simulation."""

    def end(start, moves):
        distance = start
        for move in moves:
            distance = c * distance + s - move
        return distance

    found = []
    starts = [(Fraction(0), t)] if diameter is None else [(Fraction(0), t), *((diameter / step, m) for m in range(1, t + 1))]
    for start, m in starts:
        still = [Fraction(0)] * m
        left = end(start, still)
        pulls = [left - end(start, [*still[:j], Fraction(1), *still[j + 1 :]]) for j in range(m)]
        weight = sum(pull * pull for pull in pulls)
        moves = [left * pull / weight for pull in pulls]  # the shortest vector of moves with Σ pull·a = left
        assert end(start, moves) == 0
        found.append(sum(move * move for move in moves))
    return mpmath.sqrt(mpmath.mpf(min(found).numerator) / min(found).denominator) / (mpmath.mpf(sigma.numerator) / sigma.denominator)


@pytest.mark.parametrize("run", RUNS)
def test_mu_without_the_formulas(run):
    c, s, sigma, _, diameter, step = (None if x is None else Fraction(x) for x in run)
    steps = min(run[3], 30)
    with mpmath.workdps(40):
        state = HiddenState(*run[:3], steps, *run[4:])
        assert inside(cheapest(c, s, sigma, steps, diameter, step), state.mu(20))
