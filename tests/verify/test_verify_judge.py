"""Verdicts on statements: close twins on both sides of the truth, readings, intervals, engines that decline."""

import math
from fractions import Fraction

import pytest

from dpbounds import accounting
from dpbounds.errors import InputError, PrecisionError
from dpbounds.mechanisms import FixedSizeSampling, Gaussian, PoissonSampling, RandomizedResponse, Repeated, Sampled
from dpbounds.noise.discrete_gaussian import DiscreteGaussian
from dpbounds.noise.discrete_laplace import DiscreteLaplace
from dpbounds.noise.skellam import Skellam
from dpbounds.verify import judge
from dpbounds.verify.judge import judgement_of
from dpbounds.verify.reading import read_statement
from dpbounds.verify.sides import Coins, sides_of
from dpbounds.verify.verdict import StatementVerdict
from tests.truths import gaussian_delta

PLAIN = {"sampling": "none", "relation": "add-or-remove"}
POISSON = {"sampling": "poisson", "relation": "add-or-remove"}

CUT = {"sigma": 2, "steps": 4, "sampling": "truncated-poisson", "relation": "add-or-remove"}


def judged(epsilon, delta="1e-5", **entry):
    claim = {"epsilon": epsilon} if delta is None else {"epsilon": epsilon, "delta": delta}
    return judgement_of(read_statement({**entry, "claim": claim}))


def verdict(epsilon, delta="1e-5", **entry):
    """Without the ε that would hold, which decides nothing."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(judge, "_with_needed", lambda reading, *others: reading)
        return judged(epsilon, delta, **entry).verdict


def test_close_twins_of_the_gaussian():
    """ε(1e−5) at σ = 1 is 4.3771780956811…, a closed form."""
    assert verdict("4.37717809569", sigma=1, **PLAIN) is StatementVerdict.HOLDS
    assert verdict("4.37717809567", sigma=1, **PLAIN) is StatementVerdict.REFUTED


def test_what_to_print_instead():
    (reading,) = judged("4.377", sigma=1, **PLAIN).readings
    assert (reading.verdict, reading.rounds_to_printed, reading.print_instead) == (StatementVerdict.REFUTED, True, "4.378")
    (reading,) = judged("4.37", sigma=1, **PLAIN).readings
    assert (reading.rounds_to_printed, reading.print_instead) == (False, "4.38")


@pytest.mark.parametrize(("sigma", "epochs", "printed", "true"), [("1.06", 20, "1.34", "1.407647"), ("0.638", 70, "8.68", "9.476696")])
def test_central_limit_values_of_bu_et_al(sigma, epochs, printed, true):
    entry = {"sigma": sigma, "records": 60000, "batch": 256, "epochs": epochs, "rounding": "floor"} | POISSON
    (reading,) = judged(printed, **entry).readings
    assert reading.verdict is StatementVerdict.REFUTED
    assert Fraction(reading.needed_lower) <= Fraction(true) + Fraction(1, 10**6)
    assert Fraction(reading.needed_upper) >= Fraction(true) - Fraction(1, 10**6)
    assert verdict("9.4768" if epochs == 70 else "1.4077", **entry) is StatementVerdict.HOLDS


def test_the_sampling_decides():
    """The case of the README of TensorFlow Privacy: 2.31 with Poisson sampling, 52.63 without amplification."""
    found = judged("2.92", sigma="1.12", q="0.00425", epochs=60, rounding="floor", sampling=["poisson", "none"], relation="zero-out")
    assert found.verdict is StatementVerdict.DEPENDS
    assert [reading.verdict for reading in found.readings] == [StatementVerdict.HOLDS, StatementVerdict.REFUTED]


def test_intervals_are_judged_at_both_ends():
    exact_value = Fraction("4.37718")
    assert verdict("4.37718", sigma=["0.99", "1"], **PLAIN) is StatementVerdict.DEPENDS
    assert verdict("4.5", sigma=["0.99", "1"], **PLAIN) is StatementVerdict.HOLDS
    assert verdict(str(exact_value), sigma=["0.9", "0.99"], **PLAIN) is StatementVerdict.REFUTED
    assert verdict("0.42", sigma={"rounded": "10.0"}, **PLAIN) is verdict("0.42", sigma=["9.95", "10.05"], **PLAIN)


def test_steps_that_the_text_leaves_open_are_judged_at_both_ends():
    entry = {"sigma": "1", "records": 1000, "batch": 300, "epochs": 30} | POISSON
    low, high = (judged("1", **entry | {"rounding": how}).readings[0].needed_upper for how in ("floor-epoch", "ceil-epoch"))
    between = str((Fraction(low) + Fraction(high)) / 2)
    assert Fraction(low) < Fraction(high)
    assert verdict(between, **entry) is StatementVerdict.DEPENDS
    assert verdict(between, **entry | {"rounding": "floor-epoch"}) is StatementVerdict.HOLDS
    assert verdict(between, **entry | {"rounding": "ceil-epoch"}) is StatementVerdict.REFUTED


def test_fixed_batches_under_add_or_remove_are_poisson_batches_at_half_the_noise():
    """Both sides are one mechanism; at one step it is the closed form that the engine attains under substitution."""
    entry = {"sigma": "1", "q": "0.01", "steps": 1, "sampling": "without-replacement", "claim": {"epsilon": "1", "delta": "1e-5"}}
    sides = {
        r: sides_of(read_statement(entry | {"relation": r}), "without-replacement", r, worst=True) for r in ("add-or-remove", "substitute")
    }
    assert sides["add-or-remove"].exact
    attained = accounting.delta(sides["substitute"].lower.mechanism, 1, digits=9).enclosure
    bound = accounting.delta(Sampled(Gaussian(1), FixedSizeSampling(100, 1)), 1, digits=9).enclosure
    assert attained.overlaps(bound)


def test_fixed_batches_have_two_sides_under_substitution():
    entry = {"sigma": "2", "q": "0.1", "steps": 20, "sampling": "without-replacement", "relation": "substitute"}
    assert verdict("0.5", **entry) is StatementVerdict.REFUTED
    assert verdict("9", **entry) is StatementVerdict.HOLDS
    assert verdict("9", **entry | {"sampling": "poisson"}) is StatementVerdict.HOLDS


def test_shuffled_batches_have_two_sides():
    """Nine batches of ten records and one of nine, whose lower bounds are tests of coins; random allocation has equal batches."""
    entry = {"sigma": "0.5", "records": 99, "batch": 10, "epochs": 1, "relation": "zero-out"}
    assert verdict("12", **entry, sampling="shuffled") is StatementVerdict.HOLDS
    assert verdict("1", **entry, sampling="shuffled") is StatementVerdict.REFUTED
    assert verdict("12", **entry | {"relation": "add-or-remove"}, sampling="shuffled") is StatementVerdict.UNDECIDED
    equal = {"sigma": "2", "q": "0.1", "epochs": 1, "rounding": "exact", "relation": "add-or-remove"}
    assert verdict("5", **equal, sampling="random-allocation") is StatementVerdict.HOLDS


def test_cut_batches_lie_between_fewer_draws_and_the_certified_pair():
    """Thirty records at rate 1/5, cut at 9: a batch is full with probability 0.1084."""
    entry = CUT | {"q": "0.2", "records": 30}
    sides = sides_of(read_statement(entry | {"batch-limit": 9, "claim": {"epsilon": 1}}), "truncated-poisson", "add-or-remove", worst=True)
    full = sum(math.comb(29, j) * Fraction(1, 5) ** j * Fraction(4, 5) ** (29 - j) for j in range(9, 30))
    kept = sides.lower.mechanism.mechanism.sampling.q
    assert 0 <= Fraction(1, 5) * (1 - full) - kept <= Fraction(1, 2**50)
    stays = sum(math.comb(29, j) * Fraction(1, 5) ** j * Fraction(4, 5) ** (29 - j) * min(1, Fraction(9, j + 1)) for j in range(30)) / 5
    assert kept < stays < Fraction(1, 5)
    lower, upper = (accounting.delta(bound.mechanism, 1, digits=6).enclosure for bound in (sides.lower, sides.upper))
    plain = accounting.delta(judge.sides_of(read_statement(entry | {"sampling": "poisson", "claim": {"epsilon": 1}}), "poisson",
                                            "add-or-remove", worst=True).upper.mechanism, 1, digits=6).enclosure  # fmt: skip
    assert lower.upper < plain.lower < upper.lower
    cut = entry | {"batch-limit": 9}
    assert verdict("1", upper.upper_decimal(3), **cut) is StatementVerdict.HOLDS
    assert verdict("1", lower.lower_decimal(3), **cut) is StatementVerdict.REFUTED
    assert verdict("1", plain.upper_decimal(3), **cut) is StatementVerdict.UNDECIDED
    whole = entry | {"batch-limit": 30}
    assert verdict("1", plain.upper_decimal(5), **whole) is StatementVerdict.HOLDS
    with pytest.raises(InputError, match="batch-limit"):
        verdict("1", **cut | {"sampling": "poisson"})


def test_the_threshold_test_is_a_lower_bound():
    """One epoch, σ = 0.5, t = 10, ε = 1: the true δ is 0.187449 (two independent formulas); t = 1 is Gaussian noise."""
    one = Coins(Fraction(1, 2), 10, Fraction(1), 1).bound(Fraction(1))
    found = accounting.delta(one.mechanism, 1, digits=6).enclosure
    assert Fraction("0.15") <= found.lower and found.upper <= Fraction("0.187449")
    whole = Coins(Fraction(1), 1, Fraction(1), 1).bound(Fraction(1))
    assert accounting.delta(whole.mechanism, 1, digits=6).enclosure.upper <= accounting.delta(Gaussian(1), 1, digits=6).enclosure.upper


def test_the_coins_are_rounded_inward():
    """A coin of p and q, rounded to few bits, must stay a weaker test: p may only fall, q may only rise."""
    import mpmath

    coins = Coins(Fraction(3, 4), 7, Fraction(5, 8), 1)
    p, q = coins._coin(Fraction(9, 8))
    with mpmath.workdps(40):
        below, shifted = mpmath.ncdf(mpmath.mpf(3) / 2), mpmath.ncdf(mpmath.mpf(1) / 6)
        true_q = 1 - below**7
        true_p = mpmath.mpf(3) / 8 * true_q + mpmath.mpf(5) / 8 * (1 - below**6 * shifted)
        assert mpmath.mpf(p.numerator) / p.denominator <= true_p and mpmath.mpf(q.numerator) / q.denominator >= true_q
        assert true_p - mpmath.mpf(p.numerator) / p.denominator <= mpmath.mpf(2) ** -59


def test_a_record_that_may_be_left_out_leaks_less():
    often, rarely = (Coins(Fraction(1, 2), 10, weight, 3).bound(Fraction(1)) for weight in (Fraction(1), Fraction(1, 2)))
    assert accounting.delta(rarely.mechanism, 1, digits=5).enclosure.upper < accounting.delta(often.mechanism, 1, digits=5).enclosure.lower


def test_unequal_parts():
    parts = [{"sigma": "1.5", "q": "0.01", "steps": 500}, {"sigma": "4", "q": "1", "steps": 1}]
    truth = accounting.epsilon(
        judge.sides_of(
            read_statement({"parts": parts, "claim": {"epsilon": 1}} | POISSON), "poisson", "add-or-remove", worst=True
        ).upper.mechanism,
        "1e-5",
        digits=6,
    ).enclosure
    assert verdict(truth.upper_decimal(6), parts=parts, **POISSON) is StatementVerdict.HOLDS
    assert verdict(truth.lower_decimal(3), parts=parts, **POISSON) is StatementVerdict.REFUTED


def test_pure_guarantees():
    assert verdict("2.2", None, **{"pure-epsilon": "1.1", "steps": 2}) is StatementVerdict.HOLDS
    assert verdict("2.1999", None, **{"pure-epsilon": "1.1", "steps": 2}) is StatementVerdict.REFUTED
    assert verdict("0.5", None, **{"laplace-scale": 2}, **PLAIN) is StatementVerdict.HOLDS
    assert verdict("0.5", None, **{"laplace-scale": 2}, **PLAIN | {"relation": "substitute"}) is StatementVerdict.REFUTED
    assert verdict("1", None, sigma=5, **PLAIN) is StatementVerdict.REFUTED
    many = Repeated(RandomizedResponse("0.1"), 100)
    enough = accounting.epsilon(many, "1e-6", digits=5).upper
    assert verdict(enough, "1e-6", **{"pure-epsilon": "0.1", "steps": 100}) is StatementVerdict.HOLDS


def test_concentrated_premises():
    """ρ = 2.56 at 1e−10: Gaussian noise has 16.479, the best conversion 17.158; what lies between is not settled by ρ alone."""
    assert verdict("17.16", "1e-10", rho="2.56") is StatementVerdict.HOLDS
    assert verdict("17.14", "1e-10", rho="2.56") is StatementVerdict.UNDECIDED
    assert verdict("16.47", "1e-10", rho="2.56") is StatementVerdict.REFUTED
    assert verdict("4.37718", mu=1) is StatementVerdict.HOLDS and verdict("4.37717", mu=1) is StatementVerdict.REFUTED


def test_concentrated_claims():
    def of(claim, **entry):
        return judgement_of(read_statement({**entry, "claim": claim})).verdict

    shuffled = {"sigma": 8, "epochs": 100, "sampling": "shuffled", "relation": "zero-out"}
    assert of({"rho": "0.78125"}, **shuffled) is StatementVerdict.HOLDS and of({"rho": "0.78124"}, **shuffled) is StatementVerdict.REFUTED
    sampled = {"sigma": 1, "q": "0.001", "steps": 10} | POISSON
    assert of({"rho": "5"}, **sampled) is StatementVerdict.HOLDS and of({"rho": "4.99"}, **sampled) is StatementVerdict.REFUTED
    assert (
        of({"mu": "1"}, sigma=1, **PLAIN) is StatementVerdict.HOLDS and of({"mu": "0.9999"}, sigma=1, **PLAIN) is StatementVerdict.REFUTED
    )
    assert of({"mu": "2"}, sigma=1, sampling="none", relation="substitute") is StatementVerdict.HOLDS
    assert (
        of({"rho": "1"}, rho="0.5", steps=2) is StatementVerdict.HOLDS
        and of({"rho": "0.99"}, rho="0.5", steps=2) is StatementVerdict.REFUTED
    )
    assert of({"rho": "0.5"}, **{"pure-epsilon": 1}) is StatementVerdict.HOLDS
    assert of({"mu": 3}, rho="0.5") is StatementVerdict.NOT_EXPRESSIBLE
    assert of({"rho": "2.56"}, rho={"rounded": "2.56"}) is StatementVerdict.DEPENDS
    assert of({"rho": "2.565"}, rho={"rounded": "2.56"}) is StatementVerdict.HOLDS


def test_only_gaussian_noise_has_the_mu_of_its_rho():
    """Pure ε = 1 is 1/2-zCDP; its total variation is tanh(1/2) = 0.462, and 1-GDP allows 0.383. Laplace noise of scale 1 has 0.393."""
    assert accounting.delta(RandomizedResponse(1), 0, digits=6).enclosure.lower > accounting.delta(Gaussian(1), 0, digits=6).enclosure.upper
    for entry in ({"pure-epsilon": 1}, {"randomized-response": 1} | PLAIN, {"laplace-scale": 1} | PLAIN):
        for parts in ([entry], [entry, {"mu": "0.5"}]):
            keys = {key: entry[key] for key in PLAIN if key in entry} or PLAIN
            tables = [{key: value for key, value in part.items() if key not in PLAIN} for part in parts]
            claimed = judgement_of(read_statement({"parts": tables, "claim": {"mu": "1.2"}} | keys))
            assert claimed.verdict is StatementVerdict.NOT_EXPRESSIBLE
    mixed = {"parts": [{"pure-epsilon": 1}, {"mu": 2}], "claim": {"mu": "1.9"}}
    assert judgement_of(read_statement(mixed)).verdict is StatementVerdict.REFUTED


def test_a_rounded_rho_is_judged_at_both_ends():
    assert verdict("17.15", "1e-10", rho=["2.4", "2.8"]) is StatementVerdict.DEPENDS
    assert verdict("17.9", "1e-10", rho={"rounded": "2.56"}) is StatementVerdict.HOLDS
    assert verdict("16", "1e-10", rho={"rounded": "2.56"}) is StatementVerdict.REFUTED


def test_a_shared_rate_is_no_rate_of_a_premise():
    """Ten uses of pure ε = 0.1 are no (0.5, 1e-5)-DP, whatever the rate of the sampled part beside them."""
    parts = [{"sigma": 10, "steps": 1}, {"pure-epsilon": "0.1", "steps": 10}]
    assert verdict("0.5", parts=parts, q="0.01", **POISSON) is StatementVerdict.REFUTED
    for key in ("q", "records", "batch", "rounding"):
        with pytest.raises(InputError, match="no meaning"):
            verdict("1", **{"pure-epsilon": 1, "steps": 100, key: "ceil" if key == "rounding" else 1})


def test_steps_are_epochs_by_the_batches_of_an_epoch():
    """60000 records in batches of 256: 1000 epochs are 234000 steps without the last batches and 235000 with them, one use each."""
    entry = {"sigma": 10, "records": 60000, "batch": 256, "sampling": "none", "relation": "add-or-remove"}
    once = {"sigma": 10, "steps": 1000} | PLAIN
    (reading,) = judged("17.84", **once).readings
    for steps, rounding in ((234000, "floor-epoch"), (235000, "ceil-epoch")):
        (found,) = judged("17.84", **entry, steps=steps, rounding=rounding).readings
        assert (found.lower, found.upper) == (reading.lower, reading.upper)
        (either,) = judged("17.84", **entry, steps=steps).readings
        assert Fraction(either.needed_lower) <= Fraction(reading.needed_lower)
        assert Fraction(reading.needed_upper) <= Fraction(either.needed_upper)


def test_a_part_of_an_epoch_uses_some_record_once_more():
    half, whole = ({"sigma": 1, "epochs": epochs} | PLAIN for epochs in ("2.5", 3))
    assert judged("7", **half).readings == judged("7", **whole).readings
    shuffled = {"sigma": 1, "q": "0.1", "sampling": "shuffled", "relation": "zero-out"}
    statements = [read_statement(shuffled | {"steps": steps, "claim": {"epsilon": 1}}) for steps in (29, 30)]
    few, more = (sides_of(statement, "shuffled", "zero-out", worst=True) for statement in statements)
    assert [coins.epochs for coins in few.coins] == [2, 2] and [coins.epochs for coins in more.coins] == [3, 3]
    assert few.upper == more.upper


@pytest.mark.parametrize(
    ("entry", "missing"),
    [
        ({"records": 100, "batch": 10, "epochs": 2} | POISSON, "the noise"),
        ({"sigma": 1, "steps": 5} | POISSON, "the sampling rate"),
        ({"sigma": 1, "q": "0.1"} | POISSON, "the number of steps"),
        ({"sigma": 1, "q": "0.1", "steps": 5} | POISSON | {"sampling": "with-replacement"}, "with replacement"),
        ({"sigma": 1, "q": "0.1", "steps": 5} | POISSON | {"sampling": "truncated-poisson"}, "batch-limit"),
        ({"q": "0.1", "batch-limit": 9, "records": 99} | CUT | {"relation": "zero-out"}, "cut at a largest size under zero-out"),
        ({"q": "0.1", "batch-limit": 9} | CUT, "the number of records"),
        ({"q": ["0.1", "0.2"], "batch-limit": 9, "records": 99} | CUT, "one sampling rate"),
        ({"parts": [{"rho": "1"}, {"mu": "1"}]}, "rho-zCDP with other parts"),
    ],
)
def test_what_is_missing_is_named(entry, missing):
    (reading,) = judged("1", **entry).readings
    assert reading.verdict is StatementVerdict.NOT_EXPRESSIBLE
    assert missing in reading.reason


def test_an_engine_that_declines_settles_nothing(monkeypatch):
    def declines(*args, **options):
        raise PrecisionError("no digit was reached")

    monkeypatch.setattr(judge.accounting, "delta", declines)
    for epsilon in ("0.001", "50"):
        (reading,) = judged(epsilon, sigma=1, **PLAIN).readings
        assert reading.verdict is StatementVerdict.UNDECIDED
        assert "declined" in reading.reason


def test_an_engine_that_is_wide_settles_nothing(monkeypatch):
    """An enclosure of [0, 1] is true and says nothing."""
    from flint import arb

    from dpbounds.numbers.balls import Enclosure

    found = accounting.delta(Gaussian(1), 1)
    monkeypatch.setattr(judge.accounting, "delta", lambda *a, **k: vars_replaced(found, Enclosure.between(arb(0), arb(1))))
    assert verdict("0.001", sigma=1, **PLAIN) is StatementVerdict.UNDECIDED
    assert verdict("50", sigma=1, **PLAIN) is StatementVerdict.UNDECIDED


def vars_replaced(result, enclosure):
    from dataclasses import replace

    return replace(result, enclosure=enclosure)


def test_the_normal_distribution_of_another_library_agrees():
    """δ(1) of three uses of Gaussian noise, from the normal distribution function of mpmath."""
    import mpmath

    with mpmath.workdps(30):
        value = gaussian_delta(mpmath.sqrt(3) / mpmath.mpf("0.9"), 1)
        above, below = mpmath.nstr(value * (1 + mpmath.mpf("1e-5")), 20), mpmath.nstr(value * (1 - mpmath.mpf("1e-5")), 20)
    assert verdict("1", above, sigma="0.9", steps=3, **PLAIN) is StatementVerdict.HOLDS
    assert verdict("1", below, sigma="0.9", steps=3, **PLAIN) is StatementVerdict.REFUTED


@pytest.mark.parametrize(
    ("entry", "mechanism", "relation"),
    [
        ({"skellam": 4, "sensitivity": 2, **PLAIN}, Skellam(4, 2), "add-or-remove"),
        ({"discrete-gaussian": 2, "sampling": "none", "relation": "substitute"}, DiscreteGaussian(2), "substitute"),
        (
            {"discrete-laplace": 2, "q": "0.1", "steps": 5, **POISSON},
            Repeated(Sampled(DiscreteLaplace(2), PoissonSampling("0.1")), 5),
            "add-or-remove",
        ),
    ],
)
def test_noises_with_a_file_of_their_own(entry, mechanism, relation):
    """Close twins of the certified ε."""
    exact = accounting.epsilon(mechanism, "1e-3", digits=8, relation=relation).enclosure
    assert verdict(str(float(exact.upper) * (1 + 1e-6)), "1e-3", **entry) is StatementVerdict.HOLDS
    assert verdict(str(float(exact.lower) * (1 - 1e-6)), "1e-3", **entry) is StatementVerdict.REFUTED


def test_intervals_of_such_noises_take_the_worse_end():
    """More Skellam noise is more private, a larger ε of an event less: HOLDS needs the one end, REFUTED the other."""
    for name, low, high, worse in (("skellam", 3, 5, 3), ("epsilon-delta", "0.4", "0.6", "0.6")):
        entry = {name: [low, high], "steps": 2, **PLAIN} | ({"failure": "1e-6"} if name == "epsilon-delta" else {})
        (statement,) = [read_statement({**entry, "claim": {"epsilon": 1, "delta": "1e-3"}})]
        worst, best = (sides_of(statement, "none", "add-or-remove", worst=worst).upper.mechanism.mechanism for worst in (True, False))
        attribute = "variance" if name == "skellam" else "epsilon"
        other = high if worse == low else low
        assert (getattr(worst, attribute), getattr(best, attribute)) == (Fraction(worse), Fraction(other))


def test_what_such_noises_do_not_have():
    assert verdict(1, skellam=4, **{**PLAIN, "sampling": "shuffled"}, steps=2) is StatementVerdict.NOT_EXPRESSIBLE
    assert verdict(1, skellam=4, group=2, **PLAIN) is StatementVerdict.NOT_EXPRESSIBLE
    assert verdict(1, skellam=4, q="0.1", steps=2, sampling="poisson", relation="substitute") is StatementVerdict.NOT_EXPRESSIBLE
    rho = judgement_of(read_statement({"skellam": 4, **PLAIN, "claim": {"rho": "0.5"}}))
    assert rho.verdict is StatementVerdict.NOT_EXPRESSIBLE
    with pytest.raises(InputError, match="sensitivity beside sigma has no meaning"):
        read_statement({"sigma": 2, "sensitivity": 3, **PLAIN, "claim": {"epsilon": 1}})
