"""The common look of the figures."""

import matplotlib

matplotlib.use("Agg")

from dpbounds import plots


def test_labels_of_logarithmic_axes():
    with plots.style.styled_figure("t", "x", "y") as (figure, axes):
        axes.plot([2, 50], [1e-9, 1e3])
        axes.set_xscale("log")
        axes.set_yscale("log")
    figure.canvas.draw()
    assert {"2", "5", "10", "20"} <= {label.get_text() for label in figure.axes[0].get_xticklabels()}
    assert all("times" not in label.get_text() for label in figure.axes[0].get_yticklabels())
