"""The trapezoid rule along the contour: what the sum holds besides δ(ε).

f(s) = e^{cs}δ(s), δ(s) = E_P(1 − e^{s−L})₊ for every real s, has the Fourier transform M(z)/(z(z+1)) on Re z = c > 0, because
∫ e^{zs}(1 − e^{s−L})₊ ds = e^{zL}(1/z − 1/(z+1)). Poisson summation with nodes c + ijh and T = 2π/h gives exactly

    S_h = Σ_{m∈Z} e^{−mTc} δ(ε − mT).

Right, m = −n < 0: δ(s) ≤ M(c′)e^{−c′s}·κ(c′), κ(t) = t^t/(1+t)^{1+t} (the largest value of (1−y)y^t on [0, 1]), so the terms are at most
κ(c′)M(c′)e^{−c′ε}·e^{−nT(c′−c)}.

Left, m > 0: δ(s) ≤ M(0) ≤ 1. Sharper, for P and Q mutually absolutely continuous: δ(s) = 1 − e^s + e^s·E_Q(1 − e^{L−s})₊, and the last
expectation is δ of the swapped pair at −s, at most κ(w)M_{Q‖P}(w)e^{ws}, with M_{Q‖P}(w) = M(−1−w).
"""

from __future__ import annotations

from flint import arb


def sharp_constant(t: arb) -> arb:
    """κ(t) = t^t/(1+t)^{1+t}, t > 0: sup of (1−y)y^t over y in [0, 1].

    >>> bool(abs(sharp_constant(arb(1)) - arb("0.25")) < 1e-10)
    True
    """
    return (t * t.log() - (1 + t) * t.log1p()).exp() if t > 0 else arb(1)


def geometric(log_ratio: arb) -> arb:
    """Σ_{n≥1} e^{−nλ} = 1/(e^λ − 1), λ > 0; infinite otherwise.

    >>> abs(geometric(arb(2).log()) - 1) < 1e-9
    True
    """
    return 1 / log_ratio.expm1() if log_ratio > 0 else arb.pos_inf()


def right_alias_bound(period: arb, c: arb, epsilon: arb, right: arb, moment: arb) -> arb:
    """An upper bound on Σ_{n≥1} e^{nTc}δ(ε + nT), right > 0; moment = M(right).

    >>> right_alias_bound(arb(10), arb(1), arb(1), arb(2), arb(2)) < 1e-3
    True
    """
    if not right > 0:
        return arb.pos_inf()
    return sharp_constant(right) * moment * (-right * epsilon).exp() * geometric(period * (right - c))


def no_right_alias(period: arb, epsilon: arb, losses: list[arb]) -> arb:
    """0 if ε + T is certified to be at least the largest loss, so that δ(ε + nT) = 0 for n ≥ 1; infinite otherwise.

    >>> no_right_alias(arb(10), arb(1), [arb(5)]) == 0
    True
    """
    return arb(0) if epsilon + period >= sum(losses, arb(0)) else arb.pos_inf()


def left_alias_bound(period: arb, c: arb) -> arb:
    """An upper bound on Σ_{m≥1} e^{−mTc}δ(ε − mT), from δ ≤ 1.

    >>> left_alias_bound(arb(10), arb(1)) < 1e-4
    True
    """
    return geometric(period * c)


def left_alias_main(period: arb, c: arb, epsilon: arb) -> arb:
    """Σ_{m≥1} e^{−mTc}(1 − e^{ε−mT}), the part of the left aliases that is known exactly.

    >>> 0 < left_alias_main(arb(10), arb(1), arb(1)) < 1e-4
    True
    """
    return geometric(period * c) - epsilon.exp() * geometric(period * (1 + c))


def left_alias_cut(period: arb, c: arb, epsilon: arb) -> arb:
    """How far `left_alias_main` may be off for sub-probabilities P, Q, as a multiple of the mass that either lacks at most.

    δ(s) = P − e^s·Q + e^s·E_Q(1 − e^{L−s})₊ with the total masses P and Q for the ones in the main part.

    >>> left_alias_cut(arb(10), arb(1), arb(1)) >= 0
    True
    """
    return geometric(period * c) + epsilon.exp() * geometric(period * (1 + c))


def left_alias_rest(period: arb, c: arb, epsilon: arb, w: arb, moment: arb) -> arb:
    """An upper bound on Σ_{m≥1} e^{−mTc}·e^{ε−mT}·δ_{Q‖P}(mT−ε), w > 0; moment = M(−1−w).

    >>> left_alias_rest(arb(10), arb(1), arb(1), arb(1), arb(2)) < 1e-3
    True
    """
    if not w > 0:
        return arb.pos_inf()
    return sharp_constant(w) * moment * (epsilon * (1 + w)).exp() * geometric(period * (1 + c + w))
