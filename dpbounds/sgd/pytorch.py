"""A PyTorch model as a learner of noisy SGD: its parameters as one array, gradients of single records by `torch.func`.

`vmap` computes the gradient of each record as if it were alone in its batch, so layers that mix records cannot leak between
them. Layers that draw random numbers (dropout) or keep running averages (batch normalisation) are refused by torch.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from dpbounds.errors import require

require("torch", "torch")

import numpy as np
import torch
from torch.func import functional_call, grad, vmap

from dpbounds.errors import InputError
from dpbounds.sgd.optimisers import Optimiser
from dpbounds.sgd.train import Learner

Array = Any
Loss = Callable[..., torch.Tensor]


def parameters_of(model: torch.nn.Module) -> Array:
    """All parameters that are trained, one after the other, as a float64 array.

    >>> parameters_of(torch.nn.Linear(3, 2)).shape
    (8,)
    """
    parts = [value.detach().cpu().reshape(-1) for value in _trained(model).values()]
    return torch.cat(parts).to(torch.float64).numpy()


def load_parameters(model: torch.nn.Module, parameters: Array) -> None:
    """Write such an array into the model.

    Raises:
        InputError: an array of another size.
    """
    with torch.no_grad():
        for name, value in _split(model, parameters).items():
            _trained(model)[name].copy_(value)


def learner_of(
    model: torch.nn.Module,
    loss: Loss,
    step: Optimiser,
    clip: float,
    *,
    evaluate: Callable[[torch.nn.Module], float] | None = None,
    chunk: int = 256,
) -> Learner:
    """A learner for `train`, which starts from `parameters_of(model)`.

    Args:
        model: its first argument is a batch of records; it is left as it is, but for `evaluate`.
        loss: (output of the model on a batch of one, *that record's other columns) → a number as a tensor.
        step, clip: as of `Learner`.
        evaluate: a model with the parameters of the round → a number, from public data.
        chunk: records in one call of `vmap`.

    >>> from dpbounds.sgd import AllocatedBatches, Descent, Target, train
    >>> model, squares = torch.nn.Linear(2, 1), lambda output, target: ((output - target) ** 2).sum()
    >>> points, targets = np.eye(2, dtype=np.float32).repeat(50, axis=0), np.ones((100, 1), dtype=np.float32)
    >>> learner, budget = learner_of(model, squares, Descent(0.1), clip=1.0), Target(1, "1e-5")
    >>> run = train(learner, parameters_of(model), (points, targets), AllocatedBatches(4, 25), 8, budget, rounds=2)
    >>> load_parameters(model, run.parameters)
    """

    def of_one(values: Mapping[str, torch.Tensor], record: torch.Tensor, *columns: torch.Tensor) -> torch.Tensor:
        frozen = {name: value for name, value in model.state_dict().items() if name not in values}
        output = functional_call(model, {**frozen, **values}, (record.unsqueeze(0),))
        return loss(output, *(column.unsqueeze(0) for column in columns))

    def gradient(parameters: Array, *rows: Array) -> Array:
        columns = [torch.as_tensor(np.ascontiguousarray(row)) for row in rows]
        values = _split(model, parameters)
        found = vmap(grad(of_one), in_dims=(None, *(0 for _ in columns)))(values, *columns)
        return torch.cat([found[name].reshape(len(rows[0]), -1) for name in values], dim=1).numpy()

    def evaluated(parameters: Array) -> float:
        assert evaluate is not None
        load_parameters(model, parameters)
        return float(evaluate(model))

    return Learner(gradient, step, clip, evaluate=None if evaluate is None else evaluated, chunk=chunk)


def _trained(model: torch.nn.Module) -> dict[str, torch.Tensor]:
    return {name: value for name, value in model.named_parameters() if value.requires_grad}


def _split(model: torch.nn.Module, parameters: Array) -> dict[str, torch.Tensor]:
    shapes = _trained(model)
    flat = torch.from_numpy(np.array(parameters, dtype=np.float64))
    sizes = [value.numel() for value in shapes.values()]
    if flat.shape != (sum(sizes),):
        raise InputError(f"the model has {sum(sizes)} trained parameters, got an array of shape {tuple(flat.shape)}")
    parts = zip(shapes.items(), flat.split(sizes), strict=True)
    return {name: part.reshape(value.shape).to(value.dtype) for (name, value), part in parts}
