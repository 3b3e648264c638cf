"""Sums of powers and exponentials: the fast ways enclose what direct sums at more digits give, and need their remainder."""

import random

import pytest
from flint import acb, arb

from dpbounds.laws.paths import power_sums as sums
from dpbounds.laws.paths.phase_sums import phase_sums
from dpbounds.numbers.balls import precision


def a_case(seed):
    """Weights that fall, exponents of sizes from 10⁻³ to 10², points on a curve."""
    source = random.Random(seed)
    size, count = source.randrange(1, 40), source.randrange(1, 30)
    weights = [acb(source.uniform(-1, 1), source.uniform(-1, 1)) * arb(-source.uniform(0, 300)).exp() for _ in range(size)]
    exponents = [acb(source.uniform(-1, 1), source.uniform(-1, 1)) * 10 ** source.randrange(-3, 3) for _ in range(size)]
    points = [acb(5 + 0.1 * j, 0.02 * j * j) for j in range(count)]
    return weights, exponents, points


def directly(weights, exponents, points):
    with precision(1000):
        return [sum(((z * g).exp() * w for w, g in zip(weights, exponents, strict=True)), acb(0)) for z in points]


def holds(enclosure, truth):
    """Whether a ball holds the truth, itself a far smaller ball."""
    with precision(1000):
        return enclosure.contains(acb(truth.real.mid(), truth.imag.mid()))


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize("terms", [1, 2, 7, 40, 300])
def test_any_number_of_terms_encloses_the_sum(seed, terms):
    case = a_case(seed)
    with precision(200):
        found = sums.expanded_sums(*case, [sums.Share(list(range(len(case[0]))), terms, 200)])
    assert all(map(holds, found, directly(*case)))


@pytest.mark.parametrize("seed", range(60))
def test_any_shares_at_any_precision_enclose_the_sum(seed):
    case, source = a_case(seed), random.Random(seed)
    owners = [source.randrange(4) for _ in case[0]]
    with precision(200):
        exact = [acb(1) / 3 * g for g in case[1]]  # exponents that no share holds exactly
        shares = [
            sums.Share([i for i, owner in enumerate(owners) if owner == n], source.randrange(1, 150), source.choice([8, 32, 53, 150, 400]))
            for n in range(4)
        ]
        found = sums.expanded_sums(case[0], exact, case[2], shares)
    assert all(map(holds, found, directly(case[0], exact, case[2])))


def test_without_the_remainder_the_sum_is_missed(monkeypatch):
    monkeypatch.setattr(sums, "remainder", lambda *_: arb(0))
    with precision(200):
        found = sums.expanded_sums([acb(1)], [acb(1)], [acb(0), acb(1), acb(2)], [sums.Share([0], 12, 200)])
    assert not holds(found[0], acb(1)) and holds(found[1], directly([acb(1)], [acb(1)], [acb(1)])[0])


@pytest.mark.parametrize("dropped", [0, 1])
def test_without_the_remainder_of_one_share_the_sum_is_missed(dropped, monkeypatch):
    case = [acb(1), acb(1)], [acb(1), acb(2)], [acb(0), acb(1), acb(2)]
    shares = [sums.Share([0], (12, 60)[dropped], 200), sums.Share([1], (60, 12)[dropped], 200)]
    truth, remainder = directly(*case), sums.remainder
    with precision(200):
        assert all(map(holds, sums.expanded_sums(*case, shares), truth))
        lost = [acb(1), acb(2)][dropped]
        monkeypatch.setattr(sums, "remainder", lambda w, g, z, k: arb(0) if g == [lost] else remainder(w, g, z, k))
        assert not holds(sums.expanded_sums(*case, shares)[0], truth[0])


def test_what_few_bits_round_off_an_exponent_is_in_the_ball():
    case = [acb(1)], [acb(100) / 3], [acb(1), acb("1.01")]
    found = sums.expanded_sums(*case, [sums.Share([0], 40, 24)])
    assert all(map(holds, found, directly(*case)))
    assert not holds(
        sums.expanded_sums([acb(1)], [acb(100.0 / 3 * (1 + 2.0**-24))], case[2], [sums.Share([0], 60, 200)])[0], directly(*case)[0]
    )


@pytest.mark.parametrize("turn", [acb(1), acb(0, -1), acb("0.6", "0.8"), acb(-3, 1)], ids=str)
@pytest.mark.parametrize("terms", [3, 40])
def test_any_direction_encloses_the_sum(turn, terms, monkeypatch):
    monkeypatch.setattr(sums, "_direction", lambda points: turn)
    for seed in range(8):
        case = a_case(seed)
        with precision(200):
            found = sums.expanded_sums(*case, [sums.Share(list(range(len(case[0]))), terms, 200)])
        assert all(map(holds, found, directly(*case)))


def test_a_long_expansion_along_a_slanted_line_keeps_its_digits(monkeypatch):
    """In powers of z itself the balls grow by a part of √2 with each multiplication."""
    case = [acb(1)], [acb(1, -1)], [acb(j, j) for j in range(-60, 61, 20)]  # zg is real
    share = sums.Share([0], 500, 300)

    def lost():
        with precision(300):
            found = sums.expanded_sums(*case, [share])
        assert all(map(holds, found, directly(*case)))
        return max(float(arb(total.rad()).log()) for total in found) - 120 + 300 * 0.693

    assert lost() < 12
    monkeypatch.setattr(sums, "_direction", lambda points: acb(1))
    assert lost() > 16


@pytest.mark.parametrize("shares", [[], [[0]], [[0, 1], [1]], [[0, 1, 2]]])
def test_every_term_belongs_to_exactly_one_share(shares):
    with pytest.raises(ValueError, match="exactly one share"):
        sums.expanded_sums([acb(1)] * 2, [acb(1)] * 2, [acb(0), acb(1)], [sums.Share(indices, 9, 53) for indices in shares])


@pytest.mark.parametrize(("size", "terms"), [(3.0, 4), (3.0, 20), (40.0, 30), (1e-9, 2), (0.0, 5)])
def test_the_remainder_bounds_the_tail_of_the_series(size, terms):
    with precision(300):
        tail = sum((arb(size) ** k / arb(k).fac() for k in range(terms, 400)), arb(0))
        bound = sums.remainder([acb(2), acb(0, 1)], [acb(size), acb(0, -size)], [acb(1), acb(0)], terms)
    assert bound >= 3 * arb(tail.lower())
    assert not size or 2 * size >= terms or bound <= 3 * tail * 2.5  # and not much more, where the series has begun to fall


@pytest.mark.parametrize("seed", range(20))
def test_both_ways_agree_and_keep_the_digits(seed, monkeypatch):
    weights, exponents, _ = a_case(seed)
    weights = [acb(w.real.mid(), w.imag.mid()) for w in weights]
    points = [acb(3 + 0.01 * j, 0.02 * j) for j in range(60)]
    exponents = [acb((g / 30).real.mid(), (g / 30).imag.mid()) for g in exponents]
    with precision(300):
        shares = sums.approx_shares(weights, exponents, points)
        assert shares is not None
        assert max(share.bits for share in shares) == 300
        found = sums.exponential_sums(weights, exponents, points)
        monkeypatch.setattr(sums, "_FEWEST_POINTS", 1000)
        plain = sums.exponential_sums(weights, exponents, points)
        assert all(a.overlaps(b) for a, b in zip(found, plain, strict=True))
        scale = max(arb((abs(w) * (points[0] * g).exp().abs_upper()).upper()) for w, g in zip(weights, exponents, strict=True))
        assert all(arb(a.rad()) <= scale * arb(2) ** -270 for a in found)
    assert all(map(holds, found, directly(weights, exponents, points)))


def test_powers_of_integers_are_exact():
    found = sums.power_sums([acb(w) for w in (3, -1, 4)], [acb(b) for b in (2, -3, 0)], 23)
    assert [int(value.real.unique_fmpz()) for value in found] == [3 * 2**k - (-3) ** k + 4 * 0**k for k in range(23)]


def test_what_has_no_size_is_summed_directly():
    with precision(100):
        assert sums.approx_shares([acb(0)] * 3, [acb(1)] * 3, [acb(k) for k in range(20)]) is None
        assert all(value == 0 for value in sums.exponential_sums([acb(0)] * 3, [acb(1)] * 3, [acb(k) for k in range(20)]))
        assert sums.approx_shares([acb(1)], [acb(1)], [acb(1)] * 20) is None


def test_where_digits_would_cancel_the_sums_are_direct(monkeypatch):
    points = [acb(0, 2 * j - 59) for j in range(60)]
    with precision(200):
        found = sums.exponential_sums([acb(1)], [acb(1)], points)
        monkeypatch.setattr(sums, "_MOST_CANCELLED", 1000)
        assert sums.approx_shares([acb(1)], [acb(1)], points) is not None
    assert all(arb(part.rad()) < arb(2) ** -180 for value in found for part in (value.real, value.imag))


@pytest.mark.parametrize(
    ("exponent", "step"),
    [(acb(1e-200), acb(1e-200)), (acb(1.5e308, 1.5e308), acb(1)), (acb(1), acb(1.5e308, 1.5e308)), (acb(1), acb("1e400"))],
)
def test_numbers_beyond_floats_have_sums(exponent, step):
    points = [step * j / 19 for j in range(20)]
    found = sums.exponential_sums([acb(1)], [exponent], points)
    assert len(found) == len(points) and found[0].contains(1)


def test_no_terms_sum_to_zero():
    assert phase_sums([], [], arb(1), 5) == [acb(0)] * 5


def far_apart(count):
    """One term with an exponent of 40 at points along the imaginary axis: a single expansion would lose e^80."""
    return [acb(1, 1)], [acb(40)], [acb(1, 2 * j / count) for j in range(count)]


@pytest.mark.parametrize("count", [48, 49, 99])
def test_points_too_far_apart_for_one_expansion_are_halved(count, monkeypatch):
    case, lengths, expand = far_apart(count), [], sums.expanded_sums
    truth = directly(*case)

    def counted(weights, exponents, points, shares):
        lengths.append(len(points))
        return expand(weights, exponents, points, shares)

    monkeypatch.setattr(sums, "expanded_sums", counted)
    with precision(100):
        assert sums.approx_shares(*case) is None
        found = sums.exponential_sums(*case)
    assert len(found) == count and all(map(holds, found, truth))
    assert len(lengths) >= 2 and sum(lengths) == count
    assert all(total.rel_accuracy_bits() >= 60 for total in found)


def test_few_points_too_far_apart_are_taken_directly(monkeypatch):
    case = far_apart(2 * sums._FEWEST_POINTS - 1)
    truth = directly(*case)
    monkeypatch.setattr(sums, "expanded_sums", lambda *_: pytest.fail("an expansion"))
    with precision(100):
        assert all(map(holds, sums.exponential_sums(*case), truth))
