"""Noisy SGD: the account is what was executed, budgets hold, interruptions lose nothing, and it learns."""

import json
from fractions import Fraction

import numpy as np
import pytest
from click.testing import CliRunner

from dpbounds import accounting, sgd
from dpbounds.budgets import schedules
from dpbounds.cli import cli
from dpbounds.errors import InputError, PrecisionError
from dpbounds.mechanisms import Gaussian, PoissonSampling, RandomAllocation, Repeated, Sampled
from dpbounds.sgd.budgets import round_divergence
from dpbounds.sgd.clipping import GRID_BITS

POINTS = np.random.default_rng(0).normal(size=(60, 2))
SCHEMES = [sgd.PoissonBatches("0.1", 6), sgd.FixedBatches(60, 6), sgd.AllocatedBatches(4, 15), sgd.ReshuffledBatches(60, 15)]
BUDGET = sgd.Target(2, "1e-3")


def mean_gradient(parameters, rows):
    return parameters - rows


def learner(**changes):
    return sgd.Learner(**({"gradient": mean_gradient, "step": sgd.Descent(0.1), "clip": 1.0} | changes))


class Spy:
    """A generator that writes down which noise and which samples it was asked for."""

    def __init__(self, seed):
        self.inner, self.noises, self.samples = np.random.default_rng(seed), [], []

    def normal(self, mean, scale, shape):
        self.noises.append((mean, scale, shape))
        return self.inner.normal(mean, scale, shape)

    def integers(self, high, size):
        self.samples.append(("integers", high, size))
        return self.inner.integers(high, size=size)

    def choice(self, records, batch, replace):
        self.samples.append(("choice", records, batch, replace))
        return self.inner.choice(records, batch, replace=replace)

    def permutation(self, records):
        self.samples.append(("permutation", records))
        return self.inner.permutation(records)


@pytest.mark.parametrize("batches", SCHEMES, ids=lambda scheme: scheme.name)
def test_what_is_logged_is_what_was_executed(batches, tmp_path):
    spies = []

    def generator(number):
        spies.append(Spy(number))
        return spies[-1]

    plan = schedules.StepDecay(6, "0.7", 2)
    budget = sgd.Target(9, "1e-3") if batches.name == "without-replacement" else sgd.OrderBudget(4, 100)
    run = sgd.train(learner(), np.zeros(2), [POINTS], batches, plan, budget, rounds=4, seed=generator, folder=tmp_path)
    log = [json.loads(line) for line in (tmp_path / "journal.jsonl").read_text().splitlines()[1:]]
    assert len(spies) == len(log) == run.account.rounds == 4
    assert [use.rounds for use in run.account.uses] == [2, 2]
    sigmas = [use.sigma for use in run.account.uses for _ in range(use.rounds)]
    for spy, row, sigma in zip(spies, log, sigmas, strict=True):
        steps = 4 if batches.name in ("random-allocation", "reshuffled") else 1
        assert len(spy.noises) == steps
        assert {Fraction(scale) / 2**GRID_BITS for _, scale, _ in spy.noises} == {sigma} == {Fraction(row["sigma"])}
        assert all(mean == 0.0 and shape == (2,) for mean, _, shape in spy.noises)
        if batches.name == "poisson":
            assert spy.samples == [("integers", 10, 60)] and row["q"] == "0.1" and row["steps"] == 1
        if batches.name == "without-replacement":
            assert spy.samples == [("choice", 60, 6, False)] and (row["population"], row["batch-size"]) == (60, 6)
        if batches.name == "random-allocation":
            assert spy.samples == [("integers", 4, 60)] and (row["bins"], row["epochs"]) == (4, 1)
        if batches.name == "reshuffled":
            assert spy.samples == [("permutation", 60)]


def printed_delta(*words):
    return json.loads(
        CliRunner().invoke(cli, ["delta", *words, "--epsilon", "1/2", "--digits", "4", "--json"], standalone_mode=False).stdout
    )


@pytest.mark.parametrize("batches", SCHEMES, ids=lambda scheme: scheme.name)
def test_the_command_line_recomputes_the_account_from_the_log(batches, tmp_path):
    plan = 6 if batches.name == "without-replacement" else schedules.StepDecay(40, "0.7", 20)
    run = sgd.train(learner(), np.zeros(2), [POINTS], batches, plan, sgd.Target(3, "1e-3"), rounds=30, seed=1, folder=tmp_path)
    own = run.account.delta_at("1/2", digits=4)
    log, spec = tmp_path / "journal.jsonl", tmp_path / "spec.json"
    spec.write_text(json.dumps(run.account.spec()))
    for words in (["--spec", str(log)], ["--spec", str(spec), "--relation", batches.relation.value]):
        printed = printed_delta(*words)
        assert (printed["lower"], printed["upper"]) == (own.lower, own.upper)
    other = {"add-or-remove": "substitute", "substitute": "add-or-remove"}[batches.relation]
    refused = CliRunner().invoke(cli, ["delta", "--spec", str(log), "--relation", other, "--epsilon", "1"])
    assert isinstance(refused.exception, InputError) and "the journal is of batches for" in str(refused.exception)


@pytest.mark.parametrize("batches", SCHEMES, ids=lambda scheme: scheme.name)
def test_a_target_is_used_up_and_not_exceeded(batches):
    budget = sgd.Target(1, "1e-3")
    sigma = 5 if batches.name in ("poisson", "without-replacement") else 20
    run = sgd.train(learner(), np.zeros(2), [POINTS], batches, sigma, budget, seed=2)
    assert run.account == sgd.planned(batches, sigma, budget) and run.account.rounds > 1
    assert run.account.delta_at(1).enclosure.upper <= Fraction(1, 1000)
    assert run.account.after(Fraction(sigma)).delta_at(1).enclosure.lower > Fraction(1, 1000)
    assert run.epsilon_at("1e-3") <= 1


def test_the_account_is_that_of_the_textbook_mechanisms():
    poisson = sgd.Account(SCHEMES[0]).after(Fraction(3), 5).delta_at(1).enclosure
    direct = accounting.delta(Repeated(Sampled(Gaussian(3), PoissonSampling("0.1")), 5), 1, digits=6).enclosure
    assert poisson.overlaps(direct)
    shuffled = sgd.Account(SCHEMES[3]).after(Fraction(3), 9).delta_at(1).enclosure
    assert shuffled.overlaps(accounting.delta(Gaussian("0.5"), 1, digits=6).enclosure)
    allocated = sgd.Account(SCHEMES[2]).after(Fraction(3), 9).delta_at(1).enclosure
    assert allocated.overlaps(accounting.delta(Repeated(Sampled(Gaussian(3), RandomAllocation(4)), 9), 1, digits=6).enclosure)
    assert allocated.upper <= accounting.delta(Gaussian(1), 1, digits=6).enclosure.lower, "one Gaussian for nine epochs is no less"


@pytest.mark.parametrize("order", ["3/2", 4, 16])
def test_the_zcdp_account_covers_the_divergences_of_a_round(order):
    """ρ·α is at least D_α of a round, up to the rounding of the divergence; a quarter of it would not be."""
    for scheme in SCHEMES[2:]:
        rho, divergence = scheme.zcdp_of(Fraction(3)), round_divergence(scheme, Fraction(3), Fraction(order))
        assert divergence <= rho * Fraction(order) * (1 + Fraction(1, 10**10))
        assert divergence >= rho * Fraction(order) / 4 * (1 - Fraction(1, 10**3))


def test_an_accountant_that_refuses_leaves_the_target_unused(monkeypatch):
    def refuse(self, epsilon, digits=6):
        raise PrecisionError("no digits")

    monkeypatch.setattr(sgd.Account, "delta_at", refuse)
    assert not sgd.Target(1, "1e-5").holds(sgd.Account(SCHEMES[2]).after(Fraction(3)))
    assert sgd.Target(1, "1e-5").holds(sgd.Account(SCHEMES[2]).after(Fraction(300))), "the zCDP bound is enough here"


@pytest.mark.parametrize("batches", SCHEMES, ids=lambda scheme: scheme.name)
def test_the_batches_are_what_the_account_assumes(batches):
    counts = np.zeros(60)
    for seed in range(200):
        drawn = list(batches.draw(60, np.random.default_rng(seed)))
        for batch in drawn:
            assert len(set(batch.tolist())) == len(batch)
            counts[batch] += 1
        if batches.name in ("random-allocation", "reshuffled"):
            assert sorted(np.concatenate(drawn).tolist()) == list(range(60))
        if batches.name == "without-replacement":
            assert [len(batch) for batch in drawn] == [6]
    rate = counts / 200
    assert np.all(np.abs(rate - (1 if batches.name in ("random-allocation", "reshuffled") else 0.1)) <= 0.11)


def test_allocation_is_uniform_and_independent_of_the_other_records():
    """Batch sizes are binomial: mean 15 and variance 11.25 of 60 records in 4 bins; shuffled batches of one size would have variance 0."""
    sizes = np.array([[len(batch) for batch in SCHEMES[2].draw(60, np.random.default_rng(seed))] for seed in range(500)])
    assert np.abs(sizes.mean(axis=0) - 15).max() <= 0.8 and 9 <= sizes.var() <= 13.5
    covariance = np.cov(sizes.T)[0, 1]
    assert -5.5 <= covariance <= -2, "−n/t² = −3.75"


def test_the_noise_has_the_scale_that_is_charged_for():
    still = learner(step=lambda parameters, gradient, state, number: (gradient, state), clip=0.5)
    found = [
        sgd.train(
            still, np.zeros(50), [np.zeros((10, 50))], sgd.AllocatedBatches(1, 10), 4, sgd.ConcentratedBudget(1), rounds=1, seed=seed
        ).parameters
        for seed in range(80)
    ]
    assert 0.97 <= np.std(found) / (0.5 * 4 / 10) <= 1.03


def test_an_empty_batch_still_gets_noise():
    run = sgd.train(learner(), np.zeros(2), [POINTS[:0]], sgd.PoissonBatches("0.1", 6), 5, BUDGET, rounds=1, seed=0)
    assert np.all(run.parameters != 0)


@pytest.mark.parametrize("batches", SCHEMES, ids=lambda scheme: scheme.name)
@pytest.mark.parametrize("bad", [[np.nan, 0.0], [np.inf, 0.0], [-np.inf, np.inf], [1e308, 1e308], [5e-324, 0.0]])
def test_one_bad_record_moves_an_epoch_by_no_more_than_the_clipping_norm(bad, batches):
    """A record of gradient 0 adds what an absent one adds; the batches are drawn alike, so the difference is the record's."""
    start = learner(gradient=lambda parameters, rows: np.asarray(rows), step=sgd.Descent(1.0), clip=0.5)

    def after_rounds(rows):
        points = np.vstack((rows, POINTS[1:]))
        return sgd.train(start, np.zeros(2), [points], batches, 9, sgd.Target(2, "1e-3"), rounds=4, seed=4).parameters

    change = after_rounds([bad]) - after_rounds(np.zeros((1, 2)))
    assert np.isfinite(change).all() and np.linalg.norm(change) <= 4 * 0.5 / batches.divisor * (1 + 1e-9)


def test_parameters_that_are_not_finite_end_the_training():
    def explode(parameters, gradient, state, number):
        return parameters + np.inf, state

    with pytest.raises(InputError, match="the parameters are not finite"):
        sgd.train(learner(step=explode), np.zeros(2), [POINTS], SCHEMES[0], 5, BUDGET, rounds=2, seed=0)


def centred(parameters, rows):
    return parameters - (rows - rows.mean(axis=0))


def test_a_gradient_that_depends_on_other_records_is_refused():
    with pytest.raises(InputError, match="changes with the other records"):
        sgd.train(learner(gradient=centred), np.zeros(2), [POINTS], SCHEMES[1], 5, BUDGET, rounds=1, seed=0)
    run = sgd.train(learner(gradient=centred, alone=True), np.zeros(2), [POINTS], SCHEMES[1], 5, BUDGET, rounds=1, seed=0)
    assert run.account.rounds == 1


@pytest.mark.parametrize(
    "gradient",
    [
        lambda parameters, rows: (parameters - rows).mean(axis=0),
        lambda parameters, rows: (parameters - rows)[:1],
        lambda parameters, rows: np.repeat(parameters - rows, 2, axis=0),
        lambda parameters, rows: (parameters - rows)[:, :1],
        lambda parameters, rows: 0.0,
    ],
    ids=["mean", "one row", "two rows each", "part of the parameters", "a number"],
)
@pytest.mark.parametrize("alone", [False, True])
def test_gradients_of_a_wrong_shape_are_refused(gradient, alone):
    if alone and np.shape(gradient(np.zeros(2), POINTS[:1])) == (1, 2):
        assert np.array_equal(gradient(np.zeros(2), POINTS[:1]), mean_gradient(np.zeros(2), POINTS[:1]))
        return
    with pytest.raises(InputError, match="gradient"):
        sgd.train(learner(gradient=gradient, alone=alone), np.zeros(2), [POINTS], SCHEMES[1], 5, BUDGET, rounds=1, seed=0)


def test_a_gradient_cannot_change_the_parameters():
    def meddle(parameters, rows):
        parameters += 1
        return parameters - rows

    with pytest.raises(ValueError, match="read-only"):
        sgd.train(learner(gradient=meddle), np.zeros(2), [POINTS], SCHEMES[1], 5, BUDGET, rounds=1, seed=0)


def test_chunks_change_nothing():
    one, many = (
        sgd.train(learner(chunk=size), np.zeros(2), [POINTS], SCHEMES[2], 5, BUDGET, rounds=2, seed=3).parameters for size in (1000, 7)
    )
    assert np.array_equal(one, many)


@pytest.mark.parametrize("step", [sgd.Descent(0.1), sgd.Momentum(0.1), sgd.Adam(0.1)], ids=["descent", "momentum", "adam"])
@pytest.mark.parametrize("batches", SCHEMES, ids=lambda scheme: scheme.name)
def test_an_interruption_between_rounds_changes_nothing(step, batches, tmp_path):
    watched = learner(step=step, evaluate=lambda parameters: float(parameters.sum()))
    whole = sgd.train(watched, np.zeros(2), [POINTS], batches, 9, BUDGET, rounds=12, seed=6)
    sgd.train(watched, np.zeros(2), [POINTS], batches, 9, BUDGET, rounds=7, seed=6, folder=tmp_path)
    resumed = sgd.train(watched, np.zeros(2), [POINTS], batches, 9, BUDGET, rounds=12, seed=6, folder=tmp_path)
    assert np.array_equal(whole.parameters, resumed.parameters)
    assert whole.account == resumed.account and whole.history == resumed.history


def test_a_crash_inside_a_round_is_charged_and_its_noise_not_drawn_again(tmp_path):
    calls = []

    def failing(parameters, rows):
        calls.append(len(rows))
        if len(calls) == 7:
            raise KeyboardInterrupt
        return parameters - rows

    numbers = []

    def generator(number):
        numbers.append(number)
        return np.random.default_rng([3, number])

    crashing = learner(gradient=failing, alone=False, chunk=60)
    with pytest.raises(KeyboardInterrupt):
        sgd.train(crashing, np.zeros(2), [POINTS], SCHEMES[3], 30, BUDGET, seed=generator, folder=tmp_path)
    begun = len(numbers)
    run = sgd.train(learner(), np.zeros(2), [POINTS], SCHEMES[3], 30, BUDGET, seed=generator, folder=tmp_path)
    assert begun >= 1 and numbers == list(range(len(numbers)))
    assert run.account.rounds == len(numbers) and run.account == sgd.planned(SCHEMES[3], 30, BUDGET)


def test_a_torn_last_line_is_a_round_that_never_ran(tmp_path):
    sgd.train(learner(), np.zeros(2), [POINTS], SCHEMES[0], 5, BUDGET, rounds=2, seed=0, folder=tmp_path)
    with (tmp_path / "journal.jsonl").open("a") as file:
        file.write('{"round": 2, "sig')
    run = sgd.train(learner(), np.zeros(2), [POINTS], SCHEMES[0], 5, BUDGET, rounds=3, seed=0, folder=tmp_path)
    assert run.account.rounds == 3 and len((tmp_path / "journal.jsonl").read_text().splitlines()) == 4


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda text: text.replace('"round": 1', '"round": 0'), "not the round 1"),
        (lambda text: text.replace('"q": "0.1"', '"q": "0.01"'), "not the round 0"),
        (lambda text: "\n".join(text.splitlines()[:1] + text.splitlines()[2:]) + "\n", "not the round 0"),
        (lambda text: text.replace('clip": "1.0', 'clip": "2.0'), "belongs to a training with other batches"),
        (lambda text: "", "its account is lost"),
    ],
    ids=["number", "rate", "a round left out", "another clip", "empty"],
)
def test_a_journal_that_was_changed_is_refused(change, message, tmp_path):
    sgd.train(learner(), np.zeros(2), [POINTS], SCHEMES[0], 5, BUDGET, rounds=2, seed=0, folder=tmp_path)
    file = tmp_path / "journal.jsonl"
    file.write_text(change(file.read_text()))
    with pytest.raises(InputError, match=message):
        sgd.train(learner(), np.zeros(2), [POINTS], SCHEMES[0], 5, BUDGET, rounds=3, seed=0, folder=tmp_path)


def following(history):
    return schedules.ConstantNoise(10 if len(history) < 3 else 4)


@pytest.mark.parametrize(
    ("batches", "budget"),
    [(SCHEMES[2], sgd.ConcentratedBudget("0.1")), (SCHEMES[3], sgd.ConcentratedBudget("0.4")), (SCHEMES[0], sgd.OrderBudget(8, "0.05"))],
    ids=["random-allocation", "reshuffled", "poisson"],
)
def test_noise_that_follows_the_outputs_keeps_an_adaptive_budget(batches, budget):
    watched = learner(evaluate=lambda parameters: float(parameters.sum()))
    run = sgd.train(watched, np.zeros(2), [POINTS], batches, following, budget, seed=1)
    assert run.adaptive and {use.sigma for use in run.account.uses} == {Fraction(10), Fraction(4)}
    assert not budget.admits(run.account, Fraction(4)) and budget.admits(run.account, Fraction(400))
    assert run.epsilon_at("1e-3").contains(budget.epsilon_at("1e-3"))
    assert run.epsilon_at("1e-3").upper >= run.account.epsilon_at("1e-3").enclosure.upper


def test_the_log_of_adaptive_noise_is_not_read_as_a_guarantee(tmp_path):
    watched = learner(evaluate=lambda parameters: float(parameters.sum()))
    sgd.train(watched, np.zeros(2), [POINTS], SCHEMES[2], following, sgd.ConcentratedBudget("0.1"), rounds=2, seed=1, folder=tmp_path)
    refused = CliRunner().invoke(cli, ["delta", "--spec", str(tmp_path / "journal.jsonl"), "--epsilon", "1"])
    assert isinstance(refused.exception, InputError) and "followed its outputs" in str(refused.exception)
    with pytest.raises(InputError, match="kind of noise"):
        sgd.train(watched, np.zeros(2), [POINTS], SCHEMES[2], 10, sgd.ConcentratedBudget("0.1"), rounds=3, seed=1, folder=tmp_path)


def test_budgets_refuse_what_they_do_not_cover():
    with pytest.raises(InputError, match="fixed before training"):
        sgd.train(learner(), np.zeros(2), [POINTS], SCHEMES[0], following, BUDGET, seed=1)
    with pytest.raises(InputError, match="no useful zCDP account"):
        sgd.train(learner(), np.zeros(2), [POINTS], SCHEMES[0], 5, sgd.ConcentratedBudget(1), seed=1)
    with pytest.raises(InputError, match="does not last one round"):
        sgd.train(learner(), np.zeros(2), [POINTS], SCHEMES[2], "0.5", BUDGET, seed=1)
    with pytest.raises(InputError, match="no account before training"):
        sgd.planned(SCHEMES[2], following, sgd.ConcentratedBudget(1))
    with pytest.raises(InputError, match="the batches are for 60 records, got 59"):
        sgd.train(learner(), np.zeros(2), [POINTS[1:]], SCHEMES[1], 5, BUDGET, seed=1)
    with pytest.raises(InputError, match="ask the account"):
        BUDGET.epsilon_at("1e-9")


@pytest.mark.parametrize(
    "batches", [sgd.PoissonBatches("0.1", 2), sgd.PoissonBatches("0.1", 13), sgd.AllocatedBatches(4, 2), sgd.AllocatedBatches(4, 31)]
)
def test_a_divisor_that_is_no_expected_batch_is_refused(batches):
    with pytest.raises(InputError, match="records that a batch has on average; give a public number between"):
        sgd.train(learner(), np.zeros(2), [POINTS], batches, 5, BUDGET, rounds=1, seed=0)


@pytest.mark.parametrize("batches", [sgd.PoissonBatches("0.1", 3), sgd.PoissonBatches("0.1", 12), sgd.AllocatedBatches(4, 7.5)])
def test_a_divisor_within_a_factor_of_two_is_accepted(batches):
    assert sgd.train(learner(), np.zeros(2), [POINTS], batches, 20, BUDGET, rounds=1, seed=0).account.rounds == 1


class SGD:
    """A stand-in for a torch optimiser: an object with a step, not a function."""


@pytest.mark.parametrize(("step", "shown"), [(SGD(), "got SGD"), (sgd.Adam, "got the class Adam"), (0.1, "got float")])
def test_what_is_no_optimiser_is_refused_before_training(step, shown):
    with pytest.raises(InputError, match=f"step must be an optimiser such as .*{shown}; torch optimisers go to"):
        learner(step=step)


class Loader:
    """What matters of a DataLoader here."""

    dataset = POINTS


def test_a_data_loader_is_pointed_to_its_arrays():
    with pytest.raises(InputError, match="records_of makes them of a DataLoader"):
        sgd.train(learner(), np.zeros(2), Loader(), SCHEMES[0], 5, BUDGET, rounds=1, seed=0)


def test_epsilon_is_printed_as_a_short_decimal_enclosure():
    run = sgd.train(learner(), np.zeros(2), [POINTS], SCHEMES[0], 5, BUDGET, rounds=2, seed=0)
    low, high = str(run.epsilon_at("1e-3")).strip("[]").split(", ")
    assert len(low) <= 20 and len(high) <= 20
    assert Fraction(low) <= run.epsilon_at("1e-3").lower and run.epsilon_at("1e-3").upper <= Fraction(high)


def test_substitution_costs_more_than_addition_in_zcdp():
    rounds = [sgd.planned(scheme, 4, sgd.ConcentratedBudget(1)).rounds for scheme in SCHEMES[2:]]
    assert rounds == [32, 8]


def test_it_learns_and_the_gap_to_plain_training_shows_what_privacy_costs():
    generator = np.random.default_rng(1)
    labels = generator.integers(3, size=300)
    features = sgd.softmax.with_constant(generator.normal(size=(300, 5)) + 3 * np.eye(3, 5)[labels])
    public = (features[200:], labels[200:])
    pupil = sgd.Learner(sgd.softmax.gradients, sgd.Descent(0.5), 1.0, evaluate=lambda weights: sgd.softmax.accuracy_of(weights, *public))
    data, batches, start = (features[:200], labels[:200]), sgd.AllocatedBatches(4, 50), np.zeros((6, 3))
    weak = sgd.train(pupil, start, data, batches, 2, sgd.ConcentratedBudget(5), seed=0)
    strong = sgd.train(pupil, start, data, batches, 200, sgd.ConcentratedBudget("0.0005"), seed=0)
    assert sgd.train_plainly(pupil, start, data, batches, 40, seed=0)[1][-1] > 0.9
    assert weak.history[-1] > 0.8
    assert sgd.gap_to_plain(weak, pupil, start, data, seed=0) <= 0.1 < sgd.gap_to_plain(strong, pupil, start, data, seed=0)


def test_the_bar_is_drawn_on_standard_error_and_only_when_asked(capsys):
    sgd.train(learner(), np.zeros(2), [POINTS], SCHEMES[0], 5, BUDGET, rounds=1, seed=0)
    assert capsys.readouterr() == ("", "")
    sgd.train(learner(), np.zeros(2), [POINTS], SCHEMES[0], 5, BUDGET, rounds=1, seed=0, progress=True)
    shown = capsys.readouterr()
    assert shown.out == "" and "noisy SGD" in shown.err
