"""Plots of the constant of Claim 26 show its limit below it."""

import matplotlib
import matplotlib.pyplot as plt

matplotlib.use("Agg")

from dpbounds import plots


def test_the_constant_lies_above_the_limit_and_grows():
    figure = plots.constants(["1/2", 1], ["1/2", 1, 2], digits=2)
    lines = [line.get_ydata() for line in figure.axes[0].get_lines()]
    for values, limits in zip(lines[::2], lines[1::2], strict=True):
        assert list(values) == sorted(values)
        assert all(value >= limit * (1 - 1e-3) for value, limit in zip(values, limits, strict=True))
    assert not plt.get_fignums()


def test_the_moment_comes_down_to_its_limit():
    figure = plots.moment_along_path([(1, 2)], [4, 8, 16, 32])
    values, limit = (line.get_ydata() for line in figure.axes[0].get_lines())
    assert list(values) == sorted(values, reverse=True) and values[-1] >= limit[0]


def test_the_routes_can_be_cut_off_below():
    figure = plots.route_deltas(4, "0.1", 1, [1, 2], least=1e-30)
    assert figure.axes[0].get_ylim()[0] >= 0.99e-30
