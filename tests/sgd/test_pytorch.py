"""PyTorch models: gradients of single records, parameters back and forth, torch's optimisers and datasets, and what is refused.

Runs where torch is installed.
"""

import numpy as np
import pytest
import torch

from dpbounds.errors import InputError
from dpbounds.sgd import Adam, AllocatedBatches, Descent, Momentum, PoissonBatches, Target, softmax, train
from dpbounds.sgd.pytorch import learner_of, load_parameters, parameters_of, records_of

FEATURES = np.random.default_rng(0).normal(size=(40, 3)).astype(np.float32)
LABELS = np.random.default_rng(1).integers(2, size=40)
cross_entropy = torch.nn.functional.cross_entropy


def away(found, expected):
    return np.abs(found - expected).max()


def network(*layers):
    torch.manual_seed(0)
    return torch.nn.Sequential(torch.nn.Linear(3, 4), *layers, torch.nn.Tanh(), torch.nn.Linear(4, 2))


def test_each_row_is_the_gradient_of_its_record_alone():
    model = network()
    rows = learner_of(model, cross_entropy, Descent(0.1), 1.0).gradient(parameters_of(model), FEATURES, LABELS)
    assert rows.shape == (40, 4 * 3 + 4 + 2 * 4 + 2)
    for place in range(40):
        model.zero_grad()
        cross_entropy(model(torch.tensor(FEATURES[place : place + 1])), torch.tensor(LABELS[place : place + 1])).backward()
        alone = torch.cat([value.grad.reshape(-1) for value in model.parameters()]).numpy()
        assert away(rows[place], alone) <= 1e-5


def test_softmax_regression_is_the_one_of_numpy():
    model = torch.nn.Linear(3, 2, bias=False)
    weights = parameters_of(model)
    rows = learner_of(model, cross_entropy, Descent(0.1), 1.0).gradient(weights, FEATURES, LABELS)
    own = softmax.gradients(weights.reshape(2, 3).T, FEATURES, LABELS)
    assert away(rows.reshape(40, 2, 3), own.transpose(0, 2, 1)) <= 1e-5


def test_a_record_that_is_not_a_number_leaves_the_others_alone():
    model = network()
    learner = learner_of(model, cross_entropy, Descent(0.1), 1.0)
    broken = FEATURES.copy()
    broken[7] = np.nan
    found, whole = (learner.gradient(parameters_of(model), rows, LABELS) for rows in (broken, FEATURES))
    others = np.arange(40) != 7
    assert np.isnan(found[7]).any() and away(found[others], whole[others]) <= 1e-5


def test_training_leaves_the_model_until_it_is_loaded():
    model = network()
    before = parameters_of(model)
    learner = learner_of(model, cross_entropy, Descent(0.5), 1.0)
    run = train(learner, before, (FEATURES, LABELS), PoissonBatches("0.1", 4), 3, Target(2, "1e-3"), rounds=3, seed=0)
    assert np.array_equal(parameters_of(model), before) and not np.array_equal(run.parameters, before)
    load_parameters(model, run.parameters)
    assert away(parameters_of(model), run.parameters) <= 1e-5


def test_evaluate_sees_the_model_of_the_round_and_frozen_layers_stay():
    model = network()
    model[0].weight.requires_grad_(False)
    frozen, seen = model[0].weight.clone(), []
    learner = learner_of(model, cross_entropy, Descent(0.5), 1.0, evaluate=lambda now: seen.append(parameters_of(now)) or 0.0)
    run = train(learner, parameters_of(model), (FEATURES, LABELS), AllocatedBatches(2, 20), 9, Target(2, "1e-3"), rounds=2, seed=0)
    assert len(run.parameters) == 4 + 2 * 4 + 2 and torch.equal(model[0].weight, frozen)
    assert len(seen) == 2 and away(seen[-1], run.parameters) <= 1e-5


REFUSED = [
    (torch.nn.BatchNorm1d(4), r"layer '1' \(BatchNorm1d\) mixes the records of a batch"),
    (torch.nn.BatchNorm1d(4, track_running_stats=False), r"layer '1' \(BatchNorm1d\) mixes the records of a batch"),
    (torch.nn.Dropout(0.5), r"layer '1' \(Dropout\) draws random numbers"),
    (torch.nn.AlphaDropout(0.5), r"layer '1' \(AlphaDropout\) draws random numbers"),
]


@pytest.mark.parametrize(("layer", "words"), REFUSED)
def test_layers_that_draw_or_mix_records_are_refused_in_one_line(layer, words):
    with pytest.raises(InputError, match=words) as refused:
        learner_of(network(layer), cross_entropy, Descent(0.1), 1.0)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("layer", [torch.nn.BatchNorm1d(4), torch.nn.Dropout(0.5)])
def test_layers_that_are_switched_off_are_accepted(layer):
    model = network(layer).eval()
    rows = learner_of(model, cross_entropy, Descent(0.1), 1.0).gradient(parameters_of(model), FEATURES, LABELS)
    alone = learner_of(model, cross_entropy, Descent(0.1), 1.0).gradient(parameters_of(model), FEATURES[:1], LABELS[:1])
    assert away(rows[:1], alone) <= 1e-5


class Noisy(torch.nn.Module):
    """Draws by itself, in no layer that has a name."""

    def forward(self, values):
        return values + torch.rand_like(values)


def test_what_only_torch_can_see_is_one_line_too():
    model = network(Noisy())
    with pytest.raises(InputError, match="torch cannot compute the gradients of single records of this model: ") as refused:
        learner_of(model, cross_entropy, Descent(0.1), 1.0).gradient(parameters_of(model), FEATURES, LABELS)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("torchs", "ours"),
    [
        (lambda values: torch.optim.SGD(values, lr=0.5), Descent(0.5)),
        (lambda values: torch.optim.SGD(values, lr=0.5, momentum=0.9), Momentum(0.5, 0.9)),
        (lambda values: torch.optim.Adam(values, lr=0.01), Adam(0.01)),
    ],
    ids=["sgd", "momentum", "adam"],
)
def test_an_optimiser_of_torch_steps_as_the_one_of_numpy(torchs, ours):
    model, batches, budget = network(), AllocatedBatches(4, 10), Target(2, "1e-3")
    start = parameters_of(model)
    runs = [
        train(learner_of(model, cross_entropy, step, 1.0), start, (FEATURES, LABELS), batches, 9, budget, rounds=3, seed=0)
        for step in (torchs(model.parameters()), ours)
    ]
    assert away(runs[0].parameters, start) > 0.01 and away(runs[0].parameters, runs[1].parameters) <= 1e-6
    assert np.array_equal(parameters_of(model), start)


def test_a_training_with_an_optimiser_of_torch_goes_on_where_it_stopped(tmp_path):
    def run(rounds, folder):
        model = network()
        learner = learner_of(model, cross_entropy, torch.optim.Adam(model.parameters(), lr=0.01), 1.0)
        batches, budget = AllocatedBatches(2, 20), Target(2, "1e-3")
        return train(learner, parameters_of(model), (FEATURES, LABELS), batches, 9, budget, rounds=rounds, seed=0, folder=folder)

    run(2, tmp_path / "a")
    assert np.array_equal(run(4, tmp_path / "a").parameters, run(4, tmp_path / "b").parameters)


def test_an_optimiser_of_another_model_is_refused():
    with pytest.raises(InputError, match="must hold exactly the trained parameters of the model"):
        learner_of(network(), cross_entropy, torch.optim.SGD(network().parameters(), lr=0.1), 1.0)
    model = network()
    with pytest.raises(InputError, match="LBFGS"):
        learner_of(model, cross_entropy, torch.optim.LBFGS(model.parameters()), 1.0)


def test_a_loader_gives_its_records_in_order():
    dataset = torch.utils.data.TensorDataset(torch.tensor(FEATURES), torch.tensor(LABELS))
    for data in (dataset, torch.utils.data.DataLoader(dataset, batch_size=7, shuffle=True)):
        features, labels = records_of(data)
        assert np.array_equal(features, FEATURES) and np.array_equal(labels, LABELS)
    with pytest.raises(InputError, match="differ in shape"):
        records_of([(torch.zeros(2), 0), (torch.zeros(3), 1)])
    with pytest.raises(InputError, match="a dataset with a length"):
        records_of(iter([1, 2]))


def test_an_array_of_another_size_is_refused():
    with pytest.raises(InputError, match="the model has 8 trained parameters, got an array of shape"):
        load_parameters(torch.nn.Linear(3, 2), np.zeros(7))
