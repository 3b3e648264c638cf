"""Issue 45 of uvm-plaid/programming-dp: the formula σ = √(2 log(1.25/δ))/ε is not valid for every ε and δ. For which is it?

Dwork & Roth 2014 (Theorem A.1) show it for ε < 1. Put s = σε, so that δ = (5/4)e^{−s²/2}, and sensitivity 1. The noise has

    δ(ε, s) = Φ(ε/(2s) − s) − e^ε Φ(−ε/(2s) − s).

* It rises with ε at fixed s: its derivative is e^ε(φ(b)/s − Φ(−b)) with b = s + ε/(2s) ≥ s (`classical.rises`). So the largest ε of
  a range is enough.
* Near: a cover of s, at the largest ε (`classical.near`).
* Far: with Mills' ratio R = Φ(−x)/φ(x) and a = s − ε/(2s) > 0 it is φ(a)(R(a) − R(b)), and R′ = xR − 1 ≥ −1/(1 + x²) (`classical.mills`),
  so that it is at most φ(s)e^{ε/2}(ε/s)/(1 + a²), which is below δ from s = 8 on (`classical.far`). (It grows with ε, and falls with s
  against φ(s).)

The joining is on paper. Each range of δ is one of s: δ ≤ 1/100000 is s ≥ 4.8447…, every δ below 1 is s > 0.6680….
"""

from dpbounds.notation import *

source = Source("harrison2023", "The issue's formula; its hypothesis in Dwork & Roth 2014, Theorem A.1, is epsilon < 1")

s, x = positive("s"), nonnegative("x")
allowed = Rational(5, 4) * exp(-(s**2) / 2)

def delta(epsilon):
    """δ of the noise at ε."""
    return NormalCDF(epsilon / (2 * s) - s) - exp(epsilon) * NormalCDF(-epsilon / (2 * s) - s)

def density(y):
    return exp(-(y**2) / 2) / sqrt(2 * pi)

# The largest delta, an s at or below its own, the epsilon that holds, one that fails and where.
RANGES = {
    "1": ("0.668", "3.78", "3.79", "0.81"),
    "1e-1": ("2.2475", "5.74", "5.75", "2.2475"),
    "1e-3": ("3.7764", "7.46", "7.47", "3.7765"),
    "1e-5": ("4.8447", "8.41", "8.42", "4.845"),
    "1e-6": ("5.2984", "8.78", "8.79", "5.2985"),
    "1e-9": ("6.4717", "9.62", "9.63", "6.4719"),
}

classical__rises = source.claim(
    "At a fixed s the delta of the noise rises with epsilon: s Phi(-b) <= phi(b) for every b >= s.",
    s * NormalCDF(-s - x) <= density(s + x),
    mutant=(s * NormalCDF(-s - x) <= Rational(9, 10) * density(s + x), {s: 4, x: 0}))

classical__mills = source.claim(
    "Mills' ratio is at least x/(1 + x^2).",
    x * density(x) <= (1 + x**2) * NormalCDF(-x),
    mutant=(Rational(11, 10) * x * density(x) <= (1 + x**2) * NormalCDF(-x), {x: 4}))

nears = [
    source.claim(
        f"For delta up to {name} the formula is right at epsilon = {right}, as far as s = 8; at {wrong} it is not.",
        [s >= Rational(start), s <= 8], delta(Rational(right)) <= allowed, Boxes(),
        mutant=(delta(Rational(wrong)) <= allowed, {s: place}), id=f"classical.near~{name}")
    for name, (start, right, wrong, place) in RANGES.items()]

END, LARGEST = Rational(8), Rational("9.62")
classical__far = source.claim(
    "At epsilon = 9.62, and so at every smaller one, the bound by Mills' ratio is below delta from s = 8 on.",
    [s >= END], LARGEST * exp(LARGEST / 2) / sqrt(2 * pi) <= Rational(5, 4) * s * (1 + (s - LARGEST / (2 * s)) ** 2),
    mutant=[s >= 1], uses=[classical__mills])
