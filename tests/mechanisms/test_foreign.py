"""Descriptions of other accountants as plain text: every class is read, bounded or refused by name."""

import json
import sys
from dataclasses import dataclass
from fractions import Fraction
from types import SimpleNamespace

import pytest

from dpbounds import mechanisms as m
from dpbounds.accounting import delta, epsilon
from dpbounds.cli import main
from dpbounds.errors import InputError
from dpbounds.float64 import delta_bounds
from dpbounds.mechanisms.events import FIELDS, event_of, mechanism_of, notes_of
from dpbounds.mechanisms.foreign import text_to_description
from dpbounds.noise.discrete_gaussian import DiscreteGaussian
from dpbounds.noise.discrete_laplace import DiscreteLaplace
from dpbounds.noise.epsilon_delta import EpsilonDelta
from dpbounds.noise.mixture_of_gaussians import MixtureOfGaussians

GAUSSIAN = "GaussianDpEvent(noise_multiplier=2.0)"
READ = {
    "NoOpDpEvent()": m.FiniteTable((1,), (1,)),
    "NonPrivateDpEvent()": m.FiniteTable((1, 0), (0, 1)),
    GAUSSIAN: m.Gaussian(2),
    "LaplaceDpEvent(noise_multiplier=2.5)": m.Laplace("2.5"),
    "DiscreteLaplaceDpEvent(noise_parameter=0.5, sensitivity=3)": DiscreteLaplace(2, 3),
    "DiscreteGaussianDpEvent(sigma=1.5, sensitivity=1.0, dimension=1)": DiscreteGaussian("1.5"),
    "RandomizedResponseDpEvent(noise_parameter=0.5, num_buckets=2)": m.RandomizedResponse("log(3)"),
    "EpsilonDeltaDpEvent(epsilon=1.0, delta=1e-06)": EpsilonDelta(1, "1e-6"),
    "ExponentialMechanismDpEvent(epsilon=1.0)": m.RandomizedResponse(1),
    "PermuteAndFlipDpEvent(epsilon=0.5)": m.RandomizedResponse("0.5"),
    f"ComposedDpEvent(events=[{GAUSSIAN}, LaplaceDpEvent(1.0)])": m.Composed((m.Gaussian(2), m.Laplace(1))),
    f"SelfComposedDpEvent(event={GAUSSIAN}, count=3)": m.Repeated(m.Gaussian(2), 3),
    f"PoissonSampledDpEvent(0.01, {GAUSSIAN})": m.Sampled(m.Gaussian(2), m.PoissonSampling("0.01")),
    f"SampledWithReplacementDpEvent(10, 2, {GAUSSIAN})": m.Sampled(m.Gaussian(2), m.WithReplacementSampling(10, 2)),
    f"SampledWithoutReplacementDpEvent(10, 2, {GAUSSIAN})": m.Sampled(m.Gaussian(2), m.FixedSizeSampling(10, 2)),
    "TruncatedSubsampledGaussianDpEvent(100, 0.1, 20, 2.0)": m.Sampled(m.Gaussian(2), m.TruncatedPoissonSampling("0.1", 100, 20)),
    f"RandomAllocationDpEvent({GAUSSIAN}, num_selected=1, num_steps=9)": m.Sampled(m.Gaussian(2), m.RandomAllocation(9)),
    "MixtureOfGaussiansDpEvent(1.0, [0.0, 1.0], [0.9, 0.1])": MixtureOfGaussians(1, [0, 1], ["0.9", "0.1"]),
    "SingleEpochTreeAggregationDpEvent(noise_multiplier=2.0, step_counts=[1, 5])": m.Repeated(m.Gaussian(2), 3),
}
REFUSED = ["UnsupportedDpEvent()", "ZCDpEvent(rho=0.1, xi=0.0)", f"RepeatAndSelectDpEvent(event={GAUSSIAN}, mean=2.0, shape=inf)"]


@pytest.mark.parametrize("text", READ)
def test_events_are_read(text):
    assert text_to_description(text).mechanism == READ[text]


@pytest.mark.parametrize("text", REFUSED)
def test_events_are_refused_by_name(text):
    with pytest.raises(InputError, match=text.partition("(")[0]):
        text_to_description(text)


def test_every_class_is_here():
    assert {text.partition("(")[0] for text in (*READ, *REFUSED)} == set(FIELDS)


WRITTEN = [text for text in READ if not text.startswith(("NoOp", "NonPr", "Exp", "Permute", "Trunc", "SingleE"))]


@pytest.mark.parametrize("text", WRITTEN)
def test_events_are_written_back(text):
    mechanism = READ[text]
    found = mechanism_of(event_of(mechanism))
    if isinstance(mechanism, m.RandomizedResponse):
        assert abs(float(found.epsilon) - float(mechanism.epsilon)) < 1e-12
    else:
        assert found == mechanism


def test_an_event_is_built_by_the_package_where_it_is_installed(monkeypatch):
    built = event_of(m.Repeated(m.Sampled(m.Gaussian(2), m.PoissonSampling("0.5")), 3))
    classes = {name: lambda name=name, **fields: (name, fields) for name in FIELDS}
    monkeypatch.setitem(sys.modules, "dp_accounting", SimpleNamespace(**classes, dp_event=None))
    name, fields = built.built()
    assert (name, fields["count"], fields["event"][1]["event"]) == (
        "SelfComposedDpEvent",
        3,
        ("GaussianDpEvent", {"noise_multiplier": 2.0}),
    )
    monkeypatch.setitem(sys.modules, "dp_accounting", None)
    with pytest.raises(InputError, match="not installed"):
        built.built()


def test_what_no_event_describes_is_named():
    for mechanism in (m.FiniteTable([1], [1]), m.Sampled(m.Gaussian(1), m.GroupPoissonSampling("0.1", 2))):
        with pytest.raises(InputError, match="no event of dp_accounting"):
            event_of(mechanism)


def test_json_and_python_agree():
    inner = {"module_name": "dp_accounting.dp_event", "class_name": "GaussianDpEvent", "noise_multiplier": 1.1}
    tree = {
        "class_name": "SelfComposedDpEvent",
        "event": {"class_name": "PoissonSampledDpEvent", "sampling_probability": 0.01, "event": inner},
        "count": 7,
    }
    text = (
        "SelfComposedDpEvent(event=PoissonSampledDpEvent(sampling_probability=0.01, event=GaussianDpEvent(noise_multiplier=1.1)), count=7)"
    )
    assert text_to_description(json.dumps(tree)) == text_to_description(text)


def test_bounds_say_so():
    for text in ("ExponentialMechanismDpEvent(1.0)", "ComposedDpEvent([PermuteAndFlipDpEvent(1.0)])"):
        assert "upper bound" in text_to_description(text).notes[0]
    assert "zero-out" in text_to_description("SelfComposedDpEvent(SingleEpochTreeAggregationDpEvent(1.0, 4), 2)").notes[0]
    assert text_to_description(GAUSSIAN).notes == ()


def test_the_float64_accountants_refuse_what_has_no_lower_bound():
    class DpEvent:
        pass

    @dataclass
    class PermuteAndFlipDpEvent(DpEvent):
        epsilon: float

    assert notes_of(PermuteAndFlipDpEvent(1.0))
    with pytest.raises(InputError, match="lower bound"):
        delta_bounds(PermuteAndFlipDpEvent(1.0), 1)


def test_what_is_not_private_has_no_epsilon():
    everything = mechanism_of(text_to_description_event("ComposedDpEvent([NonPrivateDpEvent(), GaussianDpEvent(1.0)])"))
    assert delta(everything, 5).lower == "1"
    assert epsilon(everything, "1e-5").lower == "inf"


def text_to_description_event(text):
    from dpbounds.mechanisms.foreign import _parsed

    return _parsed(text)


@pytest.mark.parametrize("leaves", range(1, 20))
def test_a_leaf_is_in_so_many_sums(leaves):
    """Counted: after s steps a binary counter has released every full block; leaf 1 is in a block of each size 2^j ≤ s."""
    text = f"SingleEpochTreeAggregationDpEvent(2.0, {leaves})"
    assert text_to_description(text).mechanism == m.Repeated(m.Gaussian(2), sum(2**j <= leaves for j in range(10)))


def test_opacus_histories():
    expected = m.Composed(
        tuple(m.Repeated(m.Sampled(m.Gaussian(s), m.PoissonSampling(q)), k) for s, q, k in (("1.1", "0.01", 500), ("0.9", "0.02", 10)))
    )
    history = [(1.1, 0.01, 500), (0.9, 0.02, 10)]
    for text in (repr(history), json.dumps(history), repr({"history": history, "mechanism": "rdp"}), json.dumps({"history": history})):
        assert text_to_description(text).mechanism == expected


JAX = {"noise_multipliers": 1.5, "num_samples": 100, "delta": 1e-5, "batch_size": 10, "num_updates": 30}


@pytest.mark.parametrize(
    ("change", "sampling"),
    [
        ({}, m.PoissonSampling("0.1")),
        ({"examples_per_user": 3}, m.GroupPoissonSampling("0.1", 3)),
        ({"truncated_batch_size": 20}, m.TruncatedPoissonSampling("0.1", 100, 20)),
        ({"sampling_method": "SamplingMethod.FIXED_BATCH_SIZE"}, m.FixedSizeSampling(100, 10)),
    ],
)
def test_jax_privacy_parameters(change, sampling):
    found = text_to_description(json.dumps(JAX | change)).mechanism
    assert found == m.Repeated(m.Sampled(m.Gaussian("1.5"), sampling), 30)


def test_jax_privacy_as_python_prints_it():
    text = (
        "DpParams(noise_multipliers=[(0, 2.0), (20, 1.0)], num_samples=100, delta=1e-05, batch_size=10, batch_size_scale_schedule=None, "
        "is_finite_guarantee=True, batch_sizes=10, examples_per_user=None, cycle_length=None, "
        "sampling_method=<SamplingMethod.POISSON: 1>, truncated_batch_size=None, num_updates=30)"
    )
    parts = text_to_description(text).mechanism.parts
    assert [(part.steps, part.mechanism.base.sigma) for part in parts] == [(20, 2), (10, 1)]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "3",
        "{}",
        "[]",
        "[[1, 0.1]]",
        "[[1, 2, 3]]",
        "GaussianDpEvent()",
        "GaussianDpEvent(sigma=1)",
        "GaussianDpEvent(1.0, 2.0)",
        "GaussianDpEvent(1.0, noise_multiplier=1.0)",
        "GausianDpEvent(1.0)",
        "GaussianDpEvent(__import__('os').getcwd())",
        "GaussianDpEvent(noise_multiplier=nan)",
        "DiscreteGaussianDpEvent(sigma=1.0)",
        "MixtureOfGaussiansDpEvent(1.0, [0.0, 1.0], [0.5, 0.4])",
        "RandomizedResponseDpEvent(0.0, 2)",
        "PoissonSampledDpEvent(0.1, SelfComposedDpEvent(GaussianDpEvent(1.0), 2))",
        "SingleEpochTreeAggregationDpEvent(1.0, 0)",
        "(" * 5000,
        json.dumps(JAX | {"cycle_length": 4}),
        json.dumps(JAX | {"batch_size_scale_schedule": {"5": 2}}),
        json.dumps(JAX | {"batch_size": 101}),
        json.dumps(JAX | {"noise_multipliers": [[5, 1.0]]}),
        json.dumps({name: value for name, value in JAX.items() if name != "num_updates"}),
        json.dumps(JAX | {"nois": 1}),
    ],
)
def test_bad_input_is_one_line(text, tmp_path, capsys):
    path = tmp_path / "event.txt"
    path.write_text(text, encoding="utf-8")
    assert main(["delta", "--event", str(path), "--epsilon", "1"]) == 2
    caught = capsys.readouterr()
    assert (caught.out, caught.err.count("\n")) == ("", 1)


def test_the_command_line(tmp_path, capsys):
    path = tmp_path / "event.txt"
    path.write_text("ComposedDpEvent([ExponentialMechanismDpEvent(0.5), GaussianDpEvent(2.0)])", encoding="utf-8")
    assert main(["delta", "--event", str(path), "--epsilon", "1", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert any("upper bound" in note for note in document["notes"])
    same = delta(m.Composed((EpsilonDelta("0.5"), m.Gaussian(2))), 1).enclosure
    assert Fraction(document["lower"]) <= same.upper
    assert same.lower <= Fraction(document["upper"])
    assert main(["delta", "--event", str(path), "--sigma", "1", "--epsilon", "1"]) == 2
    assert main(["delta", "--event", str(tmp_path / "none"), "--epsilon", "1"]) == 2
