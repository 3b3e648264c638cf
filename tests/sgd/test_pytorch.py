"""PyTorch models: gradients of single records, parameters back and forth, and what torch refuses. Runs where torch is installed."""

import numpy as np
import pytest
import torch

from dpbounds.errors import InputError
from dpbounds.sgd import AllocatedBatches, Descent, PoissonBatches, Target, softmax, train
from dpbounds.sgd.pytorch import learner_of, load_parameters, parameters_of

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


@pytest.mark.parametrize("layer", [torch.nn.BatchNorm1d(4), torch.nn.Dropout(0.5)], ids=["batch normalisation", "dropout"])
def test_layers_that_draw_or_keep_averages_are_refused(layer):
    model = network(layer)
    with pytest.raises((RuntimeError, ValueError)):
        learner_of(model, cross_entropy, Descent(0.1), 1.0).gradient(parameters_of(model), FEATURES, LABELS)


def test_an_array_of_another_size_is_refused():
    with pytest.raises(InputError, match="the model has 8 trained parameters, got an array of shape"):
        load_parameters(torch.nn.Linear(3, 2), np.zeros(7))
