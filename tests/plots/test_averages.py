"""Bars of Conjecture 1 show the certified divergences of pairs and of their averages."""

import math
from fractions import Fraction

import matplotlib
import matplotlib.pyplot as plt

matplotlib.use("Agg")

from dpbounds import plots
from dpbounds.plots.averages import averaged

UP, DOWN = (("2/3", "1/3"), ("1/3", "2/3")), (("1/3", "2/3"), ("2/3", "1/3"))


def test_a_pair_and_its_flip_average_to_nothing():
    figure = plots.average_divergences({"flip": ([UP, UP], [UP, DOWN])}, 2)
    closer_1, closer_2, closer, farther_1, farther_2, farther = (bar.get_height() for bar in figure.axes[0].patches)
    exact = math.log(1.5)
    assert all(exact <= height <= exact + 1e-4 for height in (closer_1, closer_2, closer, farther_1, farther_2))
    assert farther <= 1e-12
    assert not plt.get_fignums()


def test_averages_are_exact():
    table = averaged([UP, (("1/2", "1/2"), (0, 1))])
    assert table.p == (Fraction(7, 12), Fraction(5, 12)) and table.q == (Fraction(1, 6), Fraction(5, 6))
