"""What training libraries account for: `library` fixes the sampling, the neighbours and how epochs become steps.

All three compose Poisson sampled Gaussian noise and bound ε for neighbours that differ by one record more or less. They differ in q and
in the number of steps, here for n records, batches of b and E epochs:

| library | q | steps |
|---|---|---|
| Opacus 1.6.0 | 1/L with L = ⌈n/b⌉, the batches of its loader | E·int(1/(1/L)) in float64: E L, or E (L − 1), as for L = 93 |
| TensorFlow Privacy 0.9.0 | b/n | ⌈E n/b⌉ |
| JAX-Privacy 2.0.0, Keras models | b/n | E ⌊n/b⌋, and E where b > n/2 |

Sources: `privacy_engine.py` (`sample_rate = 1 / len(data_loader)`) and `utils/uniform_sampler.py` of Opacus,
`analysis/compute_dp_sgd_privacy_lib.py` of TensorFlow Privacy, `keras_api.py` of JAX-Privacy.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dpbounds.errors import InputError
from dpbounds.numbers import exact

SAMPLING, RELATION = "poisson", "add-or-remove"
"""What all of them account for."""


@dataclass(frozen=True)
class TrainingLibrary:
    """How a library turns a training run into q and steps.

    Attributes:
        title: its name and the version that was read.
        rate: q of n records and batches of b.
        steps: of E epochs, n records and batches of b.
        takes_fractions: whether E may be a fraction.
        caution: what its users should know about the batches that are really drawn.
    """

    title: str
    rate: Callable[[int, int], Fraction]
    steps: Callable[[Fraction, int, int], Fraction]
    takes_fractions: bool
    caution: str


def _loader(records: int, batch: int) -> int:
    return -(-records // batch)


LIBRARIES: Mapping[str, TrainingLibrary] = {
    "opacus": TrainingLibrary(
        "Opacus 1.6.0",
        lambda records, batch: Fraction(1, _loader(records, batch)),
        lambda epochs, records, batch: epochs * int(1 / (1 / _loader(records, batch))),  # float64 on purpose: its sampler does this
        takes_fractions=False,
        caution="with poisson_sampling=False its batches are shuffled",
    ),
    "tf-privacy": TrainingLibrary(
        "TensorFlow Privacy 0.9.0",
        lambda records, batch: Fraction(batch, records),
        lambda epochs, records, batch: Fraction(-(-epochs * records // batch)),
        takes_fractions=True,
        caution="its training loops usually shuffle; with microbatches of several examples give half of sigma",
    ),
    "jax-privacy": TrainingLibrary(
        "JAX-Privacy 2.0.0",
        lambda records, batch: Fraction(batch, records),
        lambda epochs, records, batch: epochs * max(1, records // batch),
        takes_fractions=False,
        caution="its Keras models draw such batches only with poisson_sampling_in_fit=True",
    ),
}


def run_of_library(part: Mapping[str, Any], where: str = "mechanism", prefix: str = "") -> tuple[dict[str, Any], str]:
    """Rewrite a run of `library` as q and steps of Poisson sampling.

    Args:
        part: a noise multiplier, `library`, `records`, `batch`, and `epochs` or `steps`.
        where: how error messages call the part.
        prefix: what error messages put before a key.

    Returns:
        The part with sampling, q and steps, and what the library accounts for, in one line.

    Raises:
        InputError: no such library, a key that it fixes, or one that is missing.

    >>> run_of_library({"sigma": "1.1", "library": "opacus", "records": 60000, "batch": 256, "epochs": 15})[0]
    {'sigma': '1.1', 'sampling': 'poisson', 'q': Fraction(1, 235), 'steps': 3525}
    """
    given = dict(part)
    name = given.pop("library")
    if name not in LIBRARIES:
        raise InputError(f"{where}: {prefix}library must be one of {', '.join(LIBRARIES)}, got {name!r}")
    for key, fixed in (("sampling", SAMPLING), ("relation", RELATION), ("rounding", None), ("q", None)):
        if given.get(key, fixed) != fixed:
            its_own = f"accounts for {fixed}" if fixed else f"has {key} of its own"
            raise InputError(f"{where}: {name} {its_own}, got {prefix}{key} {given[key]}; leave it out, or leave {prefix}library out")
    missing = [f"{prefix}{key}" for key in ("records", "batch") if key not in given]
    if "sigma" not in given or missing:
        raise InputError(f"{where}: {prefix}library needs {' and '.join(missing or [f'{prefix}sigma, the noise multiplier'])}")
    records, batch = (exact.integer(given.pop(key), key) for key in ("records", "batch"))
    if not 1 <= batch <= records:
        raise InputError(f"{where}: {prefix}batch must be from 1 to {prefix}records, got {batch} of {records}")
    library = LIBRARIES[name]
    rate = library.rate(records, batch)
    given |= {"sampling": SAMPLING, "q": rate}
    counted = ""
    if "epochs" in given:
        if "steps" in given:
            raise InputError(f"{where}: give either {prefix}steps or {prefix}epochs, got both")
        epochs = exact.rational(exact.without_thousands(given.pop("epochs")), "epochs")
        if epochs <= 0 or (epochs.denominator != 1 and not library.takes_fractions):
            kind = "> 0" if library.takes_fractions else "a whole number >= 1"
            raise InputError(f"{where}: {prefix}epochs must be {kind} for {name}, got {exact.text(epochs)}")
        given["steps"] = int(library.steps(epochs, records, batch))
        counted = f"; {exact.text(epochs)} epochs are {exact.integer_text(given['steps'])} steps"
    line = f"{library.title} accounts for Poisson sampling, q = {exact.text(rate)}, {RELATION} neighbours{counted}; {library.caution}"
    return given, line
