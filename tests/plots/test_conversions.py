"""Plots of conversions: nothing lies below the exact value, and what is marked is the optimum."""

import math

import matplotlib
import matplotlib.pyplot as plt

matplotlib.use("Agg")

from dpbounds import plots
from dpbounds.renyi.conversions import delta_of
from dpbounds.renyi.curves import GaussianCurve


def labelled(figure) -> bool:
    return all(axes.get_title() and axes.get_xlabel() for axes in figure.axes) and not plt.get_fignums()


def test_no_conversion_is_below_the_exact_value():
    figure = plots.conversion_losses([(2, 1, 1), ("1.5", "0.01", 1000)], ["1e-3", "1e-6"])
    for panel in figure.axes:
        *conversions, one = panel.get_lines()
        assert len(conversions) >= 5
        assert all(value >= 1 for line in conversions for value in line.get_ydata())
    assert labelled(figure)


def test_the_marked_gap_is_the_exponent_of_the_legendre_bound():
    figure = plots.legendre_picture(GaussianCurve(1), 2, ["1.5", 2, "2.5", 3, 4])
    shown = float(figure.axes[0].texts[-1].get_text().split("≈")[1])
    exact = -math.log(delta_of(GaussianCurve(1), 2, rule="chernoff").upper_float)
    assert exact * 0.99 <= shown <= exact * 1.01
    assert labelled(figure)


def test_a_limit_on_the_orders_raises_epsilon():
    curve, *points = plots.limited_orders("0.05", "1e-5", [4, 8, 30]).axes[0].get_lines()
    heights = [point.get_ydata()[0] for point in points]
    assert heights == sorted(heights, reverse=True)
    assert heights[-1] <= min(curve.get_ydata()) * 1.001
