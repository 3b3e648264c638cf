"""Plots of subsampling show bounds above the exact values."""

import matplotlib
import matplotlib.pyplot as plt

matplotlib.use("Agg")

from dpbounds import plots


def labelled(figure) -> bool:
    return all(axes.get_title() and axes.get_xlabel() for axes in figure.axes) and not plt.get_fignums()


def test_of_the_sampling_bounds_only_the_one_with_the_3_leaves_the_exact_curve():
    figure = plots.sampling_regimes([(5, "0.001", [2, 64, 300]), (1, "0.001", [2, 8, 20])])
    for panel in figure.axes:
        none, with_three, without, exact, lower, change = (list(line.get_ydata()) for line in panel.get_lines())
        assert all(a <= b <= c <= d for a, b, c, d in zip(lower, exact, with_three, none, strict=True))
        assert all(x <= y * (1 + 1e-5) for x, y in zip(without, exact, strict=True))
        assert with_three[1] > 1.04 * exact[1] and change
    assert labelled(figure)


def test_what_the_3_costs_can_exceed_3():
    figure = plots.cost_of_three([(5, "0.001", [2, 340])])
    assert max(figure.axes[0].get_lines()[0].get_ydata()) > 5
    assert labelled(figure)


def test_bounds_on_epsilon_lie_above_the_exact_value():
    figure = plots.sampled_epsilon_over_steps([(2, "0.01")], [100, 1000], "1e-5", [2, 4, 8, 16, 32])
    with_three, without, exact = (line.get_ydata() for line in figure.axes[0].get_lines())
    assert all(a >= b >= c for a, b, c in zip(with_three, without, exact, strict=True))
