"""Every kind of noise has everything: one row of examples for each class of the registry, and a question to each place that uses it."""

import importlib
from dataclasses import dataclass
from fractions import Fraction
from types import SimpleNamespace

import mpmath
import pytest

import dpbounds
from dpbounds import mechanisms as m
from dpbounds.accounting import delta, delta_of, epsilon
from dpbounds.accounting.evaluate import evaluate
from dpbounds.accounting.irrational import rational_bound
from dpbounds.cli import main
from dpbounds.cli.delta import delta as delta_command
from dpbounds.cli.shared.mechanism_options import read_described
from dpbounds.errors import InputError
from dpbounds.float64 import delta_bounds
from dpbounds.hidden_state.bounds import HiddenState
from dpbounds.laws.ball_numbers import BALLS
from dpbounds.laws.law import FILES, registered_law, registered_sampled_law
from dpbounds.matrix.mechanism import MatrixMechanism
from dpbounds.mechanisms.atomic import AtomicPair
from dpbounds.mechanisms.events import mechanism_of
from dpbounds.mechanisms.pair import Pair, PoissonPair
from dpbounds.mechanisms.pairs import ContinuousPair, TruncatedPair, dominating_pairs
from dpbounds.mechanisms.registry import noise_of_event, noises, readable_noises
from dpbounds.mechanisms.specs import mechanism_to_spec, part_to_mechanism, spec_to_mechanism
from dpbounds.noise.discrete_gaussian import DiscreteGaussian, DiscreteGaussianPair
from dpbounds.noise.discrete_laplace import DiscreteLaplace
from dpbounds.noise.epsilon_delta import EpsilonDelta
from dpbounds.noise.loss_pmf import LossPmf
from dpbounds.noise.mixture_of_gaussians import MixtureOfGaussians
from dpbounds.numbers.balls import precision
from dpbounds.oracle.delta import approx_delta
from dpbounds.oracle.numbers import MPMATH
from dpbounds.renyi import divergence
from dpbounds.renyi.solve import renyi_divergence
from dpbounds.selection.mechanisms import Selection
from dpbounds.shuffle.mechanism import Shuffled
from tests.oracle.renyi import approx_renyi_divergence


@dataclass(frozen=True)
class Example:
    """One mechanism, its specification, a more private one with an irrational parameter, and an event of dp_accounting."""

    mechanism: m.Mechanism
    spec: dict
    irrational: m.Mechanism | None = None
    event: tuple[str, dict] | None = None


EXAMPLES = {
    m.Gaussian: Example(m.Gaussian("1.5"), {"sigma": "1.5"}, m.Gaussian("sqrt(3)"), ("GaussianDpEvent", {"noise_multiplier": 1.5})),
    m.Laplace: Example(m.Laplace(2), {"laplace-scale": "2"}, m.Laplace("sqrt(5)"), ("LaplaceDpEvent", {"noise_multiplier": 2.0})),
    m.RandomizedResponse: Example(m.RandomizedResponse("0.7", 3), {"randomized-response": "0.7", "answers": 3},
                                  m.RandomizedResponse("log(2)", 3),
                                  ("RandomizedResponseDpEvent", {"noise_parameter": 0.5, "num_buckets": 3})),
    DiscreteLaplace: Example(DiscreteLaplace("2.5", 3), {"discrete-laplace": "2.5", "sensitivity": 3}, DiscreteLaplace("sqrt(7)", 3),
                             ("DiscreteLaplaceDpEvent", {"noise_parameter": "0.4", "sensitivity": 3})),
    DiscreteGaussian: Example(DiscreteGaussian("1.5", 2), {"discrete-gaussian": "1.5", "sensitivity": 2}, None,
                              ("DiscreteGaussianDpEvent", {"sigma": 1.5, "sensitivity": 2, "dimension": 1})),
    EpsilonDelta: Example(EpsilonDelta("0.7", "1e-3"), {"epsilon-delta": "0.7", "failure": "0.001"}, EpsilonDelta("log(2)", "1e-3"),
                          ("EpsilonDeltaDpEvent", {"epsilon": 0.7, "delta": 1e-3})),
    MixtureOfGaussians: Example(
        MixtureOfGaussians("1.5", ["0", "0.5", "1"], ["1/2", "1/4", "1/4"]),
        {"mixture-of-gaussians": "1.5", "centres": ["0", "0.5", "1"], "weights": ["0.5", "0.25", "0.25"]},
        None,
        (
            "MixtureOfGaussiansDpEvent",
            {"standard_deviation": 1.5, "sensitivities": [0.0, 0.5, 1.0], "sampling_probs": [0.5, 0.25, 0.25]},
        ),
    ),
    LossPmf: Example(LossPmf("0.5", -1, ["0.25", "0.5", "0.2"], "0.05"),
                     {"loss-pmf": {"spacing": "0.5", "first": -1, "masses": ["0.25", "0.5", "0.2"], "infinity": "0.05"}}),
    m.FiniteTable: Example(m.FiniteTable(["1/2", "1/3", "1/6"], ["1/6", "1/2", "1/3"]),
                         {"table": {"p": ["0.5", "1/3", "1/6"], "q": ["1/6", "0.5", "1/3"]}}),
}  # fmt: skip


def example_of(kind):
    """That of the class itself, and the same with a little more noise, by a root."""
    spec, key = dict(kind.example), kind.parameters[0].key
    more = {**spec, key: f"sqrt({Fraction(spec[key]) ** 2 + 1})"}
    irrational = part_to_mechanism(more) if part_to_mechanism(spec).pair(m.Relation.ADD_OR_REMOVE).parameters else None
    return Example(part_to_mechanism(spec), spec, irrational)


EXAMPLES |= {kind: example_of(kind) for kind in noises() if kind.example}
FORMULAS = {HiddenState, MatrixMechanism, Selection}
"""They have tests of their own."""
DENSITIES = {kind for kind, example in EXAMPLES.items() if isinstance(example.mechanism.pair(m.Relation.ADD_OR_REMOVE), ContinuousPair)}
"""Noises given by their densities have tests of their own: no float64 law, and no definition but the densities."""
ATOMIC = [kind for kind, example in EXAMPLES.items() if isinstance(example.mechanism.pair(m.Relation.ADD_OR_REMOVE), AtomicPair)]


def named(kind):
    return kind.__name__


def test_every_class_has_an_example():
    """Densities are given in Python alone and have tests of their own."""
    assert set(EXAMPLES) == set(noises()) - {m.DensityPair, Shuffled} - FORMULAS
    assert {kind for kind in noises() if not kind.readable} == {m.DensityPair}


def test_names_are_unique():
    keys = [kind.parameters[0].key for kind in noises()]
    assert len(set(keys)) == len(keys)
    events = [name for kind in noises() for name in kind.event_names]
    assert len(set(events)) == len(events)


@pytest.mark.parametrize("kind", noises(), ids=named)
def test_the_package_exports_it(kind):
    assert getattr(dpbounds, kind.__name__) is kind


@pytest.mark.parametrize("kind", EXAMPLES, ids=named)
def test_specifications_go_both_ways(kind):
    example = EXAMPLES[kind]
    assert spec_to_mechanism([example.spec]) == example.mechanism
    assert mechanism_to_spec(example.mechanism) == [example.spec | {"steps": 1}]


@pytest.mark.parametrize("kind", EXAMPLES, ids=named)
def test_the_command_line_takes_what_has_a_help_text(kind):
    example, options = EXAMPLES[kind], {option for parameter in delta_command.params for option in parameter.opts}
    for parameter in kind.parameters:
        assert (f"--{parameter.key}" in options) == parameter.on_command_line
    if kind.parameters[0].on_command_line:
        words = {key: ",".join(value) if isinstance(value, list) else str(value) for key, value in example.spec.items()}
        assert read_described(**{key.replace("-", "_"): value for key, value in words.items()})[0] == example.mechanism


@pytest.mark.parametrize("kind", [kind for kind in EXAMPLES if kind not in DENSITIES], ids=named)
@pytest.mark.parametrize("steps", [1, 2])
@pytest.mark.parametrize("direction", ["remove", "add"])
def test_certified_and_float64_delta_agree_with_the_definition(kind, steps, direction):
    mechanism = m.Repeated(EXAMPLES[kind].mechanism, steps)
    if kind in (m.Laplace, MixtureOfGaussians) and steps > 1:
        return check_float(mechanism, direction)
    with mpmath.workdps(30):
        truth = approx_delta(mechanism, "0.3", 18, direction=direction)
        found = delta(mechanism, "0.3", digits=15, direction=direction)
        slack = mpmath.mpf(10) ** -17 * truth
        assert mpmath.mpf(found.lower) - slack <= truth <= mpmath.mpf(found.upper) + slack
    return check_float(mechanism, direction)


def check_float(mechanism, direction):
    found, bounds = delta(mechanism, "0.3", direction=direction), delta_bounds(mechanism, "0.3", direction=direction)
    assert Fraction(bounds.lower) <= Fraction(found.lower)
    assert Fraction(found.upper) <= Fraction(bounds.upper)
    assert bounds.relative_width < 1e-3


@pytest.mark.parametrize("kind", [kind for kind in EXAMPLES if kind not in DENSITIES], ids=named)
@pytest.mark.parametrize("direction", ["remove", "add"])
def test_sampled_delta_agrees_with_the_definition(kind, direction):
    mechanism = m.Sampled(EXAMPLES[kind].mechanism, m.PoissonSampling("0.3"))
    if kind is LossPmf:
        with pytest.raises(InputError, match="cannot be sampled"):
            delta(mechanism, "0.1", direction=direction)
        return
    with mpmath.workdps(30):
        truth = approx_delta(mechanism, "0.1", 18, direction=direction)
        found = delta(mechanism, "0.1", digits=15, direction=direction)
        slack = mpmath.mpf(10) ** -17 * truth
        assert mpmath.mpf(found.lower) - slack <= truth <= mpmath.mpf(found.upper) + slack
        assert truth > 0


@pytest.mark.parametrize("kind", [kind for kind in EXAMPLES if kind not in DENSITIES], ids=named)
def test_renyi_divergence_agrees_with_the_definition(kind):
    mechanism = EXAMPLES[kind].mechanism
    if kind is LossPmf:
        with pytest.raises(InputError, match="no Rényi divergence here"):
            renyi_divergence(mechanism, "5/2")
        return
    with mpmath.workdps(30):
        truth = approx_renyi_divergence(mechanism, "5/2", 18)
        found = renyi_divergence(mechanism, "5/2", digits=14)
        slack = mpmath.mpf(10) ** -16
        assert mpmath.mpf(found.lower) - slack <= truth <= mpmath.mpf(found.upper) + slack


@pytest.mark.parametrize("kind", EXAMPLES, ids=named)
def test_irrational_parameters_are_rounded_the_right_way(kind):
    """The bound with more privacy has the smaller δ, and the two agree to many digits."""
    mechanism = EXAMPLES[kind].irrational
    pair = EXAMPLES[kind].mechanism.pair(m.Relation.ADD_OR_REMOVE)
    if mechanism is None:
        assert not pair.parameters
        return
    assert pair.parameters
    product = dominating_pairs(mechanism, direction="remove")[0]
    private, exposed = (rational_bound(product, 12, private=which) for which in (True, False))
    more, less = (delta_of_pair(each) for each in (private, exposed))
    assert more.upper <= less.lower
    found = delta(mechanism, "0.3", digits=12, direction="remove")
    assert more.lower <= Fraction(found.upper)
    assert Fraction(found.lower) <= less.upper


def delta_of_pair(product):
    return delta_of(product, "0.3", 12)


@pytest.mark.parametrize("kind", EXAMPLES, ids=named)
def test_events_are_read(kind):
    event = EXAMPLES[kind].event
    assert (event is not None) == bool(kind.event_names)
    if event is None:
        return
    name, values = event
    assert noise_of_event(name) is kind
    found = mechanism_of(type(name, (SimpleNamespace,), {})(**values))
    if kind is m.RandomizedResponse:  # e^ε = (n − (n−1)p)/p = 4 goes through a float
        assert found.answers == 3
        assert abs(float(found.epsilon) - float(mpmath.log(4))) < 1e-15
    else:
        assert found == EXAMPLES[kind].mechanism


@pytest.mark.parametrize("kind", ATOMIC, ids=named)
def test_listed_outcomes_are_the_definition_merged(kind):
    """The law that is used and the one that checks it are written apart: total masses and losses agree."""
    pair = EXAMPLES[kind].mechanism.pair(m.Relation.ADD_OR_REMOVE)
    with mpmath.workdps(25):
        rows, losses = pair.shared(MPMATH), pair.losses(MPMATH.bits)
        plain = pair.definition(MPMATH)
        for (p, q), loss in zip(rows, losses or [], strict=losses is not None):
            assert abs(mpmath.log(p / q) - loss.value(MPMATH)) < mpmath.mpf(10) ** -20
        for side in (0, 1):
            listed = mpmath.fsum(row[side] for row in rows) + MPMATH.number(pair.singular()[side])
            assert abs(listed - mpmath.fsum(row[side] for row in plain)) < mpmath.mpf(10) ** -20


@pytest.mark.parametrize("kind", [kind for kind in EXAMPLES if kind not in DENSITIES], ids=named)
def test_substitution(kind):
    mechanism = EXAMPLES[kind].mechanism
    if kind in (m.FiniteTable, MixtureOfGaussians):
        with pytest.raises(InputError, match="mirror image|add-or-remove only"):
            delta(mechanism, "0.3", relation="substitute")
        return
    both = delta(mechanism, "0.3", relation="substitute"), delta(mechanism, "0.3")
    assert Fraction(both[0].upper) >= Fraction(both[1].lower)


# what the new mechanisms have of their own ---------------------------------------------------------------------------------------------


def test_the_tails_of_the_discrete_gaussian_are_needed():
    """Cut at T = 3 the list alone misses δ; with the mass of the tails it holds it."""

    class Short(DiscreteGaussianPair):
        def reach(self, bits):
            return 3

    pair = Short(Fraction(2), 1)
    with precision(100):
        rows, long = pair.shared(BALLS), DiscreteGaussianPair(Fraction(2), 1)
        reach = long.reach(BALLS.bits)
        whole = long.shared(BALLS)[reach - 3 : reach + 5]  # the same outcomes, −3 to 4
        missing = 1 - sum(p for p, _ in whole)
        assert 0 < missing <= pair.dropped(BALLS) < 10 * missing
        for (p, q), (true_p, true_q) in zip(rows, whole, strict=True):
            assert p.overlaps(true_p)
            assert q.overlaps(true_q)
        assert sum(p.mid() for p, _ in rows) < 1  # the normalising sum holds more than the listed terms


def test_dropped_mass_is_in_every_answer(monkeypatch):
    """With the list cut at 4 the enclosures of all solvers widen and still hold the truth; without `dropped` they miss it."""
    mechanisms = [DiscreteGaussian(3), m.Repeated(DiscreteGaussian(3), 3), m.Composed((DiscreteGaussian(3), m.Gaussian(4)))]
    truths = [delta(mechanism, "0.2", digits=12).enclosure for mechanism in mechanisms]
    monkeypatch.setattr(DiscreteGaussianPair, "reach", lambda self, bits: 12)
    for mechanism, truth in zip(mechanisms, truths, strict=True):
        product = dominating_pairs(mechanism)[0]
        with monkeypatch.context() as patch:
            found, _ = evaluate(product, Fraction("0.2"), 12)
            assert found.overlaps(truth)
            patch.setattr(DiscreteGaussianPair, "dropped", lambda self, numbers: numbers.number(0))
            patch.setattr(DiscreteGaussianPair, "_tails", lambda self, numbers, reach: numbers.number(0))
            wrong, _ = evaluate(product, Fraction("0.2"), 12)
            assert not wrong.overlaps(truth)


def test_many_uses_of_discrete_noise():
    found = delta(m.Repeated(DiscreteLaplace(20, 3), 1000), 10, digits=50)
    assert found.lower.startswith("0.48166528803542540246399877682260999309306318")
    unit = delta(m.Repeated(DiscreteLaplace(4), 60), 1, digits=20)
    plain = delta(m.Repeated(m.RandomizedResponse("1/4"), 60), 1, digits=20)
    assert unit.enclosure.overlaps(plain.enclosure)


def test_the_discrete_gaussian_comes_near_the_continuous_one():
    discrete, continuous = delta(m.Repeated(DiscreteGaussian(20), 50), 1), delta(m.Repeated(m.Gaussian(20), 50), 1)
    assert abs(float(discrete.lower) / float(continuous.lower) - 1) < 1e-2


def test_an_event_of_which_only_epsilon_and_delta_are_known():
    assert delta(EpsilonDelta(1, "1e-6"), 1).enclosure.contains(Fraction(1, 10**6))
    assert delta(EpsilonDelta(1, 1), 5).lower == "1"
    assert epsilon(EpsilonDelta(1, "1e-6"), "1e-7").lower == "inf"
    two = delta(m.Repeated(EpsilonDelta(1, "1e-3"), 2), 2, digits=15)
    assert Fraction(two.lower) <= 1 - Fraction("0.999") ** 2 <= Fraction(two.upper)


def test_answers_beyond_two():
    """Three answers tell less than two: the truth is less likely at the same ε."""
    two, three = (delta(m.RandomizedResponse(1, answers), "0.5").enclosure for answers in (2, 3))
    assert three.upper < two.lower


@pytest.mark.parametrize(
    ("part", "message"),
    [
        ({"sigma": "1", "sensitivity": 2}, "no meaning with sigma"),
        ({"discrete-laplace": "1", "failure": "0.1"}, "no meaning with discrete-laplace"),
        ({"discrete-laplace": "1", "sensitivity": 0}, "sensitivity must be at least 1"),
        ({"discrete-gaussian": "sqrt(2)"}, "rational"),
        ({"randomized-response": "1", "answers": 1}, "at least 2"),
        ({"epsilon-delta": "1", "failure": 2}, "must lie in"),
    ],
)
def test_what_does_not_fit_is_refused_in_one_line(part, message):
    with pytest.raises(InputError, match=message) as caught:
        part_to_mechanism(part)
    assert "\n" not in str(caught.value)


def test_the_command_prints_the_discrete_mechanisms():
    assert main(["delta", "--discrete-laplace", "2", "--sensitivity", "3", "--epsilon", "1"]) == 0
    assert main(["rdp", "--discrete-gaussian", "2", "--alpha", "2"]) == 0
    assert main(["delta", "--sigma", "1", "--sensitivity", "3", "--epsilon", "1"]) == 2


def test_every_readable_noise_is_named_in_the_message():
    with pytest.raises(InputError) as caught:
        part_to_mechanism({})
    assert all(name in str(caught.value) for name in readable_noises())


def import_laws():
    """All files that register laws, which are imported one by one otherwise."""
    for name in {name for names in FILES.values() for name in names}:
        importlib.import_module(f"dpbounds.laws.{name}")


def test_the_table_of_laws_names_the_file_of_each():
    import_laws()
    found = set()
    for how, table in (("", registered_law.registry), ("sampled ", registered_sampled_law.registry)):
        for kind, function in table.items():
            if kind not in (object, PoissonPair):
                name = how + kind.__name__ if how + kind.__name__ in FILES else kind.__name__
                found.add((name, function.__module__.removeprefix("dpbounds.laws.")))
    assert found == {(kind, name) for kind, names in FILES.items() for name in names}


def pair_classes(base=Pair):
    """Every class of pairs that is not abstract."""
    noises()  # which imports their modules
    import_laws()
    for own in base.__subclasses__():
        if not getattr(own, "__abstractmethods__", None):
            yield own
        yield from pair_classes(own)


@pytest.mark.parametrize("kind", sorted(set(pair_classes()), key=lambda kind: kind.__name__))
def test_every_pair_has_a_law_and_a_renyi_divergence_or_a_reason(kind):
    """A pair that is forgotten where laws or divergences register falls to the default, which names no pair."""
    if kind is not TruncatedPair:  # a mean over products, which are taken apart one by one
        assert registered_law.dispatch(kind) is not registered_law.dispatch(object)
    assert divergence.dispatch(kind) is not divergence.dispatch(object) or kind.title != Pair.title
