"""Harrison & Manurangsi 2026 give the ρ of Laplace and of discrete Laplace noise. How do their δ compare?

Both have the scale b = 1/h and the whole sensitivity s, and both are (s·h)-DP. At t in [0, sh] Laplace noise has δ(t) = 1 − e^{(t − sh)/2}.

Discrete Laplace noise has masses (1 − a)/(1 + a)·a^|x|, a = e^{−h}, and the losses (s − 2x)h at x = 0, …, s, and ±sh beyond. At
t = (s − 2j)h, a sum of three geometric series, its δ is 1 − a^j: that of Laplace noise. Between two of these points it is linear in e^t,
since no loss lies there. So δ of discrete noise is the chord, over e^t, of δ of continuous noise. With t = (s − 2j)h + r, −2h ≤ r ≤ 0:

    continuous: 1 − e^{−jh + r/2},     discrete: 1 − e^{−jh}(e^r + e^{−h})/(1 + e^{−h}).

* The chord of a convex function lies above it (`laplace.order`), so discrete noise never has the smaller δ.
* It has at most the δ of Laplace noise with s·h + 2 log cosh(h/2) in place of s·h (`laplace.shift`); both are equal at r = −h, in the
  middle of each piece, so no smaller shift does. At s = 1 this says that every ε-DP mechanism has at most the δ of Laplace noise with
  2 log((1 + e^ε)/2) in place of ε, for randomized response has the same losses.
* It has less than twice the δ of Laplace noise with the same scale (`laplace.factor`), and at t = 0 and s = 1 at most (1 + √2)/2 times
  (`laplace.zero`), with equality at e^{ε/2} = 1 + √2. For even s both are equal at t = 0.

δ at every t decides the order of two symmetric pairs after any composition (Dong, Roth & Su 2022), so the first two hold for any number of
uses. The sum and the joining are on paper.
"""

from dpbounds.notation import *

source = Source("harrison2026", "Abstract: tight bounds for Laplace and discrete Laplace noise")

j = nonnegative("j")
r = real("r")
epsilon, h = positive("epsilon h")

piece = [r >= -2 * h, r <= 0]
continuous = 1 - exp(-j * h + r / 2)
discrete = 1 - exp(-j * h) * (exp(r) + exp(-h)) / (1 + exp(-h))
less = Rational(99, 100)

laplace__order = source.claim(
    "Discrete Laplace noise has at least the delta of Laplace noise of the same scale and sensitivity.",
    piece, continuous <= discrete,
    mutant=(continuous <= less * discrete, {h: 1, j: 1, r: 0}))

laplace__shift = source.claim(
    "It has at most the delta of Laplace noise whose epsilon is larger by 2 log cosh(h/2), h = 1/scale.",
    discrete <= 1 - exp(-j * h + r / 2) / cosh(h / 2),
    mutant=(discrete <= 1 - exp(-j * h + r / 2) / cosh(less * h / 2), {h: 1, j: 0, r: -1}))

laplace__factor = source.claim(
    "It has at most twice the delta of Laplace noise of the same scale.",
    piece, discrete <= 2 * continuous,
    mutant=(discrete <= 2 * less * continuous, {h: 10, j: 0, r: "-1/100"}))

best = (1 + sqrt(2)) / 2
laplace__zero = source.claim(
    "At sensitivity 1 the two advantages differ by a factor of at most (1 + sqrt(2))/2.",
    tanh(epsilon / 2) <= best * (1 - exp(-epsilon / 2)),
    mutant=(tanh(epsilon / 2) <= less * best * (1 - exp(-epsilon / 2)), {epsilon: "7/4"}))
