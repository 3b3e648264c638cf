"""Plots return closed figures with labelled axes that show the certified values."""

from fractions import Fraction

import matplotlib
import matplotlib.pyplot as plt

matplotlib.use("Agg")

from dpbounds import plots
from dpbounds.accounting import delta
from dpbounds.accounting.convergence import convergence_of
from dpbounds.mechanisms import Gaussian, PoissonSampling, Repeated, Sampled
from dpbounds.numbers.balls import Enclosure
from dpbounds.plots.saddle import _minimum

SGD = Sampled(Gaussian("1.5"), PoissonSampling("0.01"))


def labelled(figure) -> bool:
    axes = figure.axes[0]
    return bool(axes.get_title() and axes.get_xlabel()) and not plt.get_fignums()


def test_delta_curve_goes_through_the_certified_values():
    figure = plots.delta_curves({"sgd": Repeated(SGD, 1000)}, ["1/2", 1])
    (line,) = figure.axes[0].get_lines()
    for x, y in zip(*line.get_data(), strict=True):
        certified = delta(Repeated(SGD, 1000), Fraction(x), digits=6).enclosure
        assert certified.lower_float <= y <= certified.upper_float
    assert labelled(figure)


def test_all_families_are_labelled():
    assert labelled(plots.epsilon_over_delta({"a": Gaussian(2)}, ["1e-5", "1e-3"]))
    assert labelled(plots.epsilon_over_steps({"a": SGD}, [10, 100], "1e-5"))
    assert labelled(plots.renyi_curves({"a": SGD}, [2, 4], {"bound": lambda a: a}))
    assert labelled(plots.noise_schedules({"uniform": [4, 4], "step": [4, 2]}))
    assert labelled(plots.saddle_landscape("1.5", "0.01", 1000, 1, points=12))


def test_a_wide_enclosure_shows_as_a_band():
    with plots.style.styled_figure("t", "x", "y") as (figure, axes):
        plots.certified_band(axes, [0, 1], [Enclosure.exactly(1), Enclosure.exactly(Fraction(1, 3))], "wide", color="C0")
    assert len(figure.axes[0].collections) == 1


def test_the_saddle_is_the_minimum_on_the_real_line():
    assert abs(_minimum(lambda x: (x - 3) ** 2) - 3) <= 1e-6


def test_the_bounds_lie_above_the_exact_value_and_the_saddle_between_their_minima():
    figure = plots.saddle_section("1.5", "0.01", 10_000, 4, points=200)
    chernoff, lowest, sharp, best, _, saddle, exact = figure.axes[0].get_lines()
    level = exact.get_ydata()[0]
    assert min(chernoff.get_ydata()) >= min(sharp.get_ydata()) >= level
    assert lowest.get_xdata()[0] <= best.get_xdata()[0] <= saddle.get_xdata()[0]
    assert labelled(figure)


def test_more_nodes_certify_more_digits():
    found = convergence_of(Repeated(SGD, 10_000), 1, [5, 10, 20])
    (line,) = plots.digits_over_nodes({"a": found}).axes[0].get_lines()
    nodes, digits = (list(values) for values in line.get_data())
    assert nodes == sorted(set(nodes)) and digits == sorted(digits) and digits[-1] >= 18
    truth = delta(Repeated(SGD, 10_000), 1, digits=30, direction="remove").enclosure
    assert all(one.enclosure.lower <= truth.upper and truth.lower <= one.enclosure.upper for one in found)


def test_other_methods_take_the_colour_of_the_certified_curve():
    one = Enclosure.exactly(1)
    figure = plots.beside_certified([1, 2], {"a": [one, one]}, {"rough": {"a": [2, 2]}}, title="t", x_label="x", y_label="y", log_y=True)
    certified, rough = figure.axes[0].get_lines()
    assert certified.get_color() == rough.get_color() and certified.get_linestyle() != rough.get_linestyle()
    assert labelled(figure)


def test_the_budget_starts_at_nothing():
    figure = plots.budget_spent({"uniform": [0.25, 0.5]}, 0.5)
    assert list(figure.axes[0].get_lines()[0].get_ydata()) == [0, 0.25, 0.5] and labelled(figure)
