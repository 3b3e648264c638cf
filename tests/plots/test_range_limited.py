"""Plots of the bound on a limited range of orders: beyond 1 where the bound is refuted, below 1 where it was repaired."""

import matplotlib
import matplotlib.pyplot as plt

matplotlib.use("Agg")

from dpbounds import plots


def test_the_ratio_exceeds_one_at_the_refuted_point_only():
    figure = plots.ratio_over_orders([(1, "1/21"), ("1.12", "25/448")])
    wrong, wrong_end, right, right_end, level = (line.get_ydata() for line in figure.axes[0].get_lines())
    assert wrong_end[0] > 1.1 and right_end[0] < 1 and set(level) == {1}
    assert max(wrong) > wrong_end[0]
    assert not plt.get_fignums()


def test_the_largest_order_is_the_printed_one():
    assert 3.9957 <= plots.largest_order(1, "0.05") <= 3.9958
    assert plots.largest_order(1, "0.05") - plots.largest_order(1, "0.05", 0) >= 0.999999


def test_the_region_has_a_panel_with_and_one_without_the_one():
    figure = plots.ratio_region([1, "1.15"], [16, 80], (1, "1/21"))
    left, right, *_ = figure.axes
    assert "+ 1" in left.get_title() and "+ 1" not in right.get_title()
    assert left.get_xlabel() == "σ" and not plt.get_fignums()


def test_figure_16_has_the_bound_above_the_divergence_in_both_panels():
    figure = plots.divergence_and_bound([(1, "0.01"), (4, "0.01")], orders=6)
    for panel, end in zip(figure.axes, (5.605, 52.502), strict=True):
        divergence, bound = panel.get_lines()
        assert abs(float(divergence.get_xdata()[-1]) - end) < 1e-3
        assert all(low < high for low, high in zip(divergence.get_ydata(), bound.get_ydata(), strict=True))
    assert not plt.get_fignums()
