"""A training run as papers print it, in records, batch and epochs, turned into a sampling rate and a number of steps.

With n records and batches of b, a batch of Poisson sampling takes each record with probability b/n, and E epochs take E·n/b steps. Where
that is no whole number a rounding decides; without one the steps are rounded up, which never understates the privacy loss.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from dpbounds.errors import InputError
from dpbounds.mechanisms.libraries import run_of_library
from dpbounds.numbers import exact

ROUNDINGS = ("exact", "floor", "ceil", "floor-epoch", "ceil-epoch")
OLDER_NAMES = {"population": "records", "batch-size": "batch"}
"""Keys of earlier versions and of written specifications; both are read."""
_POISSON = ("poisson", "truncated-poisson")


def steps_of_epochs(epochs: Fraction, each: Fraction, rounding: str) -> Fraction:
    """The steps of E epochs with n/b batches each, by one of `ROUNDINGS`; "exact" leaves a fraction as it is.

    >>> [int(steps_of_epochs(Fraction(15), Fraction(60000, 256), how)) for how in ("floor", "ceil", "floor-epoch", "ceil-epoch")]
    [3515, 3516, 3510, 3525]
    """
    if rounding.endswith("-epoch"):
        return epochs * (each // 1 if rounding == "floor-epoch" else -(-each // 1))
    steps = epochs * each
    return {"exact": steps, "floor": Fraction(steps // 1), "ceil": Fraction(-(-steps // 1))}[rounding]


def run_in_steps(part: Mapping[str, Any], where: str = "mechanism", prefix: str = "") -> tuple[dict[str, Any], tuple[str, ...]]:
    """Rewrite records, batch and epochs of a part as the keys that its sampling takes.

    Args:
        part: keys of a specification, those of `OLDER_NAMES` included.
        where: how error messages call the part.
        prefix: what error messages put before a key.

    Returns:
        The part with q and steps for Poisson sampling, with records, batch and steps for batches of a fixed size, with bins and epochs for
        random allocation; and what was assumed, for the reader.

    Raises:
        InputError: keys that are missing or do not fit together.

    >>> run_in_steps({"sigma": "1.1", "records": "60,000", "batch": 256, "epochs": 15})[0]
    {'sigma': '1.1', 'sampling': 'poisson', 'q': Fraction(8, 1875), 'steps': 3516}
    """
    given: dict[str, Any] = {}
    for key, value in part.items():
        name = OLDER_NAMES.get(key, key)
        if name in given:
            raise InputError(f"{where}: {prefix}{key} is another name of {prefix}{name}; give one of them")
        given[name] = value
    if "matrix" in given and "q" in given:
        return given, cyclic_groups(given)
    if "library" in given:
        given, line = run_of_library(given, where, prefix)
        return given, (line,)
    assumed = "batch" in given and "sampling" not in given
    if assumed:
        given["sampling"] = "poisson"
    scheme = given.get("sampling", "poisson" if "q" in given else "none")
    rounding = given.pop("rounding", None)
    if rounding is not None and (rounding not in ROUNDINGS or "epochs" not in given):
        known = rounding in ROUNDINGS
        broken = f"needs {prefix}epochs" if known else f"must be one of {', '.join(ROUNDINGS)}, got {rounding!r}"
        raise InputError(f"{where}: {prefix}rounding {broken}")
    if scheme not in (*_POISSON, "random-allocation") and "epochs" not in given:
        return given, ()
    each = _batches_of_an_epoch(given, scheme, where, prefix)
    told = []
    if each is not None and "epochs" in given and scheme != "random-allocation":
        told.append(_take_steps(given, each, rounding, where, prefix))
    if assumed:
        others = f"{prefix}sampling without-replacement and random-allocation are other ways to draw batches"
        told.append(f"Poisson sampling was assumed; {others}")
    return given, tuple(told)


def cyclic_groups(given: Mapping[str, Any]) -> tuple[str, ...]:
    """What the groups of cyclic Poisson sampling are, and of what the number speaks.

    >>> cyclic_groups({"q": "1/20", "min-sep": 5})[0]
    'cyclic Poisson: step i takes each record of group i mod 5 with probability 1/20; a record is in one group, chosen beforehand by itself'
    """
    b = given.get("min-sep", 1)
    return (
        f"cyclic Poisson: step i takes each record of group i mod {b} with probability {given['q']}; "
        "a record is in one group, chosen beforehand by itself",
        "a record moves x by a vector of norm 1 at most in each step that takes it; "
        "exact if all columns of a group with a step in each round have the largest norm, else an upper bound",
    )


def _batches_of_an_epoch(given: dict[str, Any], scheme: str, where: str, prefix: str) -> Fraction | None:
    """The n/b of the run; records and batch give way to q, or to the bins of random allocation."""
    if scheme not in (*_POISSON, "random-allocation"):
        if "batch" in given and "records" in given:
            return 1 / _rate(given, where, prefix)
        return None if scheme != "none" and "q" not in given else _from_rate(given, where, prefix)
    if "batch" not in given:
        return _from_rate(given, where, prefix) if scheme != "random-allocation" and "epochs" in given else None
    instead = "bins" if scheme == "random-allocation" else "q"
    if instead in given:
        raise InputError(f"{where}: give either {prefix}{instead} or {prefix}records and {prefix}batch, got both")
    rate = _rate(given, where, prefix)
    del given["batch"]
    if scheme != "truncated-poisson":
        del given["records"]
    if scheme == "random-allocation":
        given["bins"] = int(-(-1 // rate))
    else:
        given["q"] = rate
    return 1 / rate


def _rate(given: Mapping[str, Any], where: str, prefix: str) -> Fraction:
    if "records" not in given:
        raise InputError(f"{where}: {prefix}batch needs {prefix}records, the number of records it is drawn from")
    records, batch = (exact.integer(given[key], key) for key in ("records", "batch"))
    for name, count in (("records", records), ("batch", batch)):
        if count < 1:
            raise InputError(f"{where}: {prefix}{name} must be at least 1, got {exact.integer_text(count)}")
    if batch > records and given.get("sampling") != "with-replacement":
        got = f"{exact.integer_text(batch)} of {exact.integer_text(records)}"
        raise InputError(f"{where}: {prefix}batch must be at most {prefix}records, got {got}")
    return Fraction(batch, records)


def _from_rate(given: Mapping[str, Any], where: str, prefix: str) -> Fraction:
    """1/q; without sampling a step uses every record, so that an epoch is a step."""
    if "q" not in given:
        if "sampling" in given and given["sampling"] != "none":
            raise InputError(f"{where}: {prefix}epochs needs the sampling rate: {prefix}records and {prefix}batch, or {prefix}q")
        return Fraction(1)
    rate = exact.number(given["q"], "q (the sampling rate)")
    if not isinstance(rate, Fraction) or not 0 < rate <= 1:
        raise InputError(f"{where}: {prefix}epochs needs a rational sampling rate in (0, 1], got {given['q']}; give {prefix}steps instead")
    return 1 / rate


def _take_steps(given: dict[str, Any], each: Fraction, rounding: str | None, where: str, prefix: str) -> str:
    if "steps" in given:
        raise InputError(f"{where}: give either {prefix}steps or {prefix}epochs, got both")
    epochs = exact.rational(exact.without_thousands(given.pop("epochs")), "epochs")
    if epochs <= 0:
        raise InputError(f"{where}: {prefix}epochs must be > 0, got {exact.text(epochs)}")
    steps = steps_of_epochs(epochs, each, rounding or "ceil")
    if steps.denominator != 1 or steps < 1:
        fix = f"{prefix}rounding floor or ceil decides, or give {prefix}steps"
        raise InputError(f"{where}: {exact.text(epochs)} epochs are {exact.text(steps)} steps, which must be a whole number >= 1; {fix}")
    given["steps"] = int(steps)
    if rounding is None:
        rounding = "exactly" if (epochs * each).denominator == 1 else "rounded up"
    return f"{exact.text(epochs)} epochs of {exact.text(each)} steps are {exact.integer_text(int(steps))} steps ({rounding})"
