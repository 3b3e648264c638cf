"""A PyTorch model as a learner of noisy SGD: its parameters as one array, gradients of single records by `torch.func`.

For small models, and as a second opinion on a training library: gradients are clipped in integers on the CPU, the account is certified, and
nothing is written for speed. `vmap` computes the gradient of each record as if it were alone in its batch, so layers that
mix records cannot leak between them. Layers that draw random numbers (dropout) or keep running averages (batch normalisation) are refused.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from dpbounds.errors import require

require("torch", "torch")

import numpy as np
import torch
from torch.func import functional_call, grad, vmap

from dpbounds.errors import InputError
from dpbounds.sgd.optimisers import Optimiser, State
from dpbounds.sgd.train import Learner

Array = Any
Loss = Callable[..., torch.Tensor]

_DROPOUT = torch.nn.modules.dropout._DropoutNd
_NORMALISED_OVER_RECORDS = torch.nn.modules.batchnorm._NormBase


def parameters_of(model: torch.nn.Module) -> Array:
    """All parameters that are trained, one after the other, as a float64 array.

    >>> parameters_of(torch.nn.Linear(3, 2)).shape
    (8,)
    """
    return _joined(_trained(model).values())


def load_parameters(model: torch.nn.Module, parameters: Array) -> None:
    """Write such an array into the model.

    Raises:
        InputError: an array of another size.
    """
    with torch.no_grad():
        for name, value in _split(model, parameters).items():
            _trained(model)[name].copy_(value)


def records_of(data: Any) -> tuple[Array, ...]:
    """The records of a `Dataset`, or of the one behind a `DataLoader`, as arrays with one row for each: what `train` takes.

    Every record is read once, in the order of the dataset. The batches of the loader are not used: `train` draws those that
    the account is about.

    Raises:
        InputError: a dataset without a length, or records of different shapes.

    >>> points = torch.utils.data.TensorDataset(torch.zeros(5, 3), torch.arange(5))
    >>> [column.shape for column in records_of(torch.utils.data.DataLoader(points, batch_size=2, shuffle=True))]
    [(5, 3), (5,)]
    """
    dataset = getattr(data, "dataset", data)
    if not (hasattr(dataset, "__len__") and hasattr(dataset, "__getitem__")) or not len(dataset):
        raise InputError(f"records need a dataset with a length and records to be counted by, got {type(dataset).__name__}")
    rows = [dataset[place] for place in range(len(dataset))]
    columns = zip(*(row if isinstance(row, (tuple, list)) else (row,) for row in rows), strict=True)
    try:
        return tuple(np.stack([np.asarray(value) for value in column]) for column in columns)
    except ValueError as error:
        raise InputError(f"the records of the dataset differ in shape: {_line(error)}") from None


def learner_of(
    model: torch.nn.Module,
    loss: Loss,
    step: Optimiser | torch.optim.Optimizer,
    clip: float,
    *,
    evaluate: Callable[[torch.nn.Module], float] | None = None,
    chunk: int = 256,
) -> Learner:
    """A learner for `train`, which starts from `parameters_of(model)`.

    Args:
        model: its first argument is a batch of records; it is left as it is, but for `evaluate`.
        loss: (output of the model on a batch of one, *that record's other columns) → a number as a tensor.
        step: an optimiser as of `Learner`, or one of torch over the trained parameters of the model. Only its settings are taken.
        clip: as of `Learner`.
        evaluate: a model with the parameters of the round → a number, from public data.
        chunk: records in one call of `vmap`.

    Raises:
        InputError: a layer that draws random numbers or normalises over records, or an optimiser of other parameters.

    >>> from dpbounds.sgd import AllocatedBatches, Target, train
    >>> model, squares = torch.nn.Linear(2, 1), lambda output, target: ((output - target) ** 2).sum()
    >>> points, targets = np.eye(2, dtype=np.float32).repeat(50, axis=0), np.ones((100, 1), dtype=np.float32)
    >>> learner = learner_of(model, squares, torch.optim.Adam(model.parameters(), lr=0.1), clip=1.0)
    >>> run = train(learner, parameters_of(model), (points, targets), AllocatedBatches(4, 25), 8, Target(1, "1e-5"), rounds=2)
    >>> load_parameters(model, run.parameters)
    """
    _check_layers(model)

    def of_one(values: Mapping[str, torch.Tensor], record: torch.Tensor, *columns: torch.Tensor) -> torch.Tensor:
        frozen = {name: value for name, value in model.state_dict().items() if name not in values}
        output = functional_call(model, {**frozen, **values}, (record.unsqueeze(0),))
        return loss(output, *(column.unsqueeze(0) for column in columns))

    def gradient(parameters: Array, *rows: Array) -> Array:
        columns = [torch.as_tensor(np.ascontiguousarray(row)) for row in rows]
        values = _split(model, parameters)
        try:
            found = vmap(grad(of_one), in_dims=(None, *(0 for _ in columns)))(values, *columns)
        except (RuntimeError, ValueError) as error:
            raise InputError(f"torch cannot compute the gradients of single records of this model: {_line(error)}") from error
        return torch.cat([found[name].reshape(len(rows[0]), -1) for name in values], dim=1).numpy()

    def evaluated(parameters: Array) -> float:
        assert evaluate is not None
        load_parameters(model, parameters)
        return float(evaluate(model))

    taken = _TorchStep(model, step) if isinstance(step, torch.optim.Optimizer) else step
    return Learner(gradient, taken, clip, evaluate=None if evaluate is None else evaluated, chunk=chunk)


@dataclass(frozen=True, eq=False)
class _TorchStep:
    """A torch optimiser as a function of parameters, gradient and state: it runs on copies, so that a training can be resumed."""

    model: torch.nn.Module
    optimiser: torch.optim.Optimizer

    def __post_init__(self) -> None:
        held = {id(value) for group in self.optimiser.param_groups for value in group["params"]}
        if held != {id(value) for value in _trained(self.model).values()}:
            raise InputError("the optimiser must hold exactly the trained parameters of the model: give it model.parameters()")
        if isinstance(self.optimiser, torch.optim.LBFGS):
            raise InputError("LBFGS computes the loss several times a step, which no account here covers; use SGD or Adam")

    def __call__(self, parameters: Array, gradient: Array, state: State, number: int) -> tuple[Array, State]:
        values, slopes = (_split(self.model, array, torch.float64) for array in (parameters, gradient))
        copies = {name: torch.nn.Parameter(value.clone()) for name, value in values.items()}
        for name, copy in copies.items():
            copy.grad = slopes[name]
        own = {id(value): copies[name] for name, value in _trained(self.model).items()}
        groups = [group | {"params": [own[id(value)] for value in group["params"]]} for group in self.optimiser.param_groups]
        optimiser = type(self.optimiser)(groups)
        for key, value in state.items():
            name, _, what = key.rpartition("/")
            optimiser.state[copies[name]][what] = torch.from_numpy(np.array(value))
        optimiser.step()
        kept = {
            f"{name}/{what}": value.detach().numpy().copy() if isinstance(value, torch.Tensor) else np.array(value)
            for name, copy in copies.items()
            for what, value in optimiser.state[copy].items()
            if value is not None
        }
        return _joined(copies.values()), kept


def _check_layers(model: torch.nn.Module) -> None:
    """Refuse, by name, what gradients of single records cannot be taken through."""
    for name, layer in model.named_modules():
        shown = f"layer {name or 'itself'!r} ({type(layer).__name__})"
        if isinstance(layer, _DROPOUT) and layer.training and layer.p > 0:
            raise InputError(f"{shown} draws random numbers that the gradients of single records cannot share; remove it, or set p = 0")
        averages = getattr(layer, "running_mean", None) is not None
        if isinstance(layer, _NORMALISED_OVER_RECORDS) and (layer.training if averages else _over_batches(layer)):
            raise InputError(f"{shown} mixes the records of a batch, so that clipping would not bound one; use GroupNorm or LayerNorm")


def _over_batches(layer: torch.nn.Module) -> bool:
    """Instance normalisation without running averages looks at one record; batch normalisation always looks at the batch."""
    return not isinstance(layer, torch.nn.modules.instancenorm._InstanceNorm)


def _line(error: Exception) -> str:
    """The first sentence of what torch says."""
    return str(error).split("\n")[0].split(". ")[0].rstrip(".")


def _joined(values: Any) -> Array:
    parts = [value.detach().cpu().reshape(-1).to(torch.float64) for value in values]
    return torch.cat(parts).numpy()


def _trained(model: torch.nn.Module) -> dict[str, torch.Tensor]:
    return {name: value for name, value in model.named_parameters() if value.requires_grad}


def _split(model: torch.nn.Module, parameters: Array, dtype: torch.dtype | None = None) -> dict[str, torch.Tensor]:
    """The array cut into the shapes of the trained parameters, in their types or in `dtype`."""
    shapes = _trained(model)
    flat = torch.from_numpy(np.array(parameters, dtype=np.float64))
    sizes = [value.numel() for value in shapes.values()]
    if flat.shape != (sum(sizes),):
        raise InputError(f"the model has {sum(sizes)} trained parameters, got an array of shape {tuple(flat.shape)}")
    parts = zip(shapes.items(), flat.split(sizes), strict=True)
    return {name: part.reshape(value.shape).to(dtype or value.dtype) for (name, value), part in parts}
