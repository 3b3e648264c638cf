"""Koskela, Jälkö & Honkela 2020, §6.1, after two steps of the sampled Gaussian mechanism: removing a record shows at least as much.

By koskela2020.two-steps this follows from one step (koskela2020.directions.corrected) if e, the even part of the density g of the loss
under √(PQ), has one peak, at 0. With a = 1 − q, W = σ² and X = e^ℓ the loss ℓ > log a comes from x = W log((X−a)/q) + 1/2, so that
g ∝ e^{−x²/(2W)} X^{3/2}/(X−a) and g′/g = −S/q. For ℓ > 0 put X = 1 + qh; ± stands for ℓ and −ℓ, and −ℓ > log a for h < 1/a:

    z₊ = log(1+h),  S₊ = (3/2 + W z₊)(1+qh)/(1+h) − 3q/2,      z₋ = log((1−ah)/(1+qh)),  S₋ = (3/2 + W z₋)/(1−ah) − 3q/2,
    g(−ℓ)/g(ℓ) = e^{−R},  −R = W(z₊² − z₋²)/2 − 3 log(1+qh) + 3(z₊ − z₋)/2.

e′ ≤ 0 at ℓ says S₋e^{−R} ≤ S₊. S₊ > 0, so it holds where S₋ ≤ 0 and for h ≥ 1/a, where g(−ℓ) = 0. As z₋ < 0 < z₊ < −z₋, a larger W
makes S₊ larger, and S₋ and −R smaller: the inequality at W holds for all larger W. At h = 0 both sides are 3a/2, and the next
term asks for W ≥ 3a/2 + 9a²/4: no less noise has one peak.
"""

from dpbounds.notation import *

source = Source("koskela2020.one-peak", "§6.1, last sentence, after two steps")

a, h = nonnegative("a h")
q = 1 - a
least = Rational(3, 2) * a + Rational(9, 4) * a**2

def sides(noise):
    """S₋e^{−R} and S₊ at W = noise."""
    right, left = log(1 + h), log((1 - a * h) / (1 + q * h))
    above = (Rational(3, 2) + noise * right) * (1 + q * h) / (1 + h) - 3 * q / 2
    below = (Rational(3, 2) + noise * left) / (1 - a * h) - 3 * q / 2
    ratio = noise * (right**2 - left**2) / 2 - 3 * log(1 + q * h) + Rational(3, 2) * (right - left)
    return below * exp(ratio), above

near = source.claim(
    "sigma = 2, every rate: the even part of the loss falls where h <= 1/2.",
    [a <= 1, h <= Rational(1, 2)], rules.le(*sides(4)), Boxes(budget=20_000),
    mutant=(rules.le(*sides(Rational(37, 10))), {a: 1, h: "1/20"}))

far = source.claim(
    "sigma = 2, every rate: it falls where h >= 1/2, as S_- <= 0 there: z_- <= -3/8.",
    [a <= 1, h >= Rational(1, 2)], 1 - a * h <= exp(-Rational(3, 8)) * (1 + q * h), Boxes(budget=2000),
    mutant=([a <= 1, h >= Rational(9, 20)], {a: 0, h: "9/20"}))
