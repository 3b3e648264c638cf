"""Many rows of sampled Gaussian noise at once: the contour of `contour`, every array with a row for each question.

A row is (q, σ, k, δ): k uses of Poisson sampling at rate q with Gaussian noise σ. In units of the noise, φ the
standard normal density,

    u(s) = 1 − q + q·e^{s/σ − 1/2σ²},   w = log u,   f_z(s) = φ(s)·e^{p(z)·w(s)},   M(z) = ∫ f_z ds,

p(z) = 1 + z and L = w in the direction remove, p(z) = −z and L = −w in the direction add (there s → −s). Then

    δ(ε) = (1/2πi) ∫_{Re z = c} M(z)^k e^{−εz}/(z(z+1)) dz,   S_η = (η/π)·Re Σ′_{0≤m≤J} (…)(c + imη) = δ + aliases ± cut.

*Exact nodes.* c, the step τ in s and the step η along the line have at most 24 binary digits, and every node is an
integer of at most 24 digits times its step: nodes, 1 + c, and sums of two nodes of the line are exact in float64.

*Cut noise.* The outcomes s > S are taken out (`laws.paths.truncated_noise`): M is that of the sub-probabilities, and δ of
the whole pair is larger by at most k·P(s > S), which is (1−q)Φ̄(S) + qΦ̄(S − 1/σ) in the direction remove and Φ̄(S)
in the other. The nodes are S − (m+½)τ. A larger S makes M(c′) larger, so M(c′) may be bounded with a cut further out.

*Angles.* λ(s) = q·e^e/u is the weight of the shifted component, e the exponent of u, and increases in s. u(s+ia)/u(s)
= 1 + λ(e^{iθ} − 1) has the argument ∫₀^θ (λ² + λ(1−λ)cos t)/((1−λ)² + λ² + 2λ(1−λ)cos t) dt; for λ ≤ ½ that quotient
increases in cos t, so it is at most λ, and the argument at most λθ. The square of the modulus is 1 −
4λ(1−λ)sin²(θ/2). So for s ≤ S, with ρ = λ(S), or 1 where that exceeds ½, and κ = ρ(1−ρ) or ¼ there,

    0 ≤ arg u(s+ia) ≤ ρθ,    1 ≥ |u(s+ia)|/u(s) ≥ m(θ) = √(1 − 4κ sin²(θ/2)),    0 < θ = a/σ < π.

*Step in s.* The sum over all nodes is off by at most M(c)·e^{a²/2}·m(θ)^{−n}(1 + e^{yρθ})/(e^{2πa/τ} − 1) at height y
≥ 0, and at the end by 2a·f_c(S)·m(θ)^{−n}·max(1, e^{a²/2 + yρθ − 2πa/τ}); n = c in the direction add, else 0.

*Nodes left out.* Left of S₀ ≤ 0, φ increases: Στf ≤ C·Φ(S₀), C = u(S₀)^{1+c} (remove: u increases) or (1−q)^{−c}
(add: u ≥ 1−q).

*Beyond the last height.* |M(c+iy)| ≤ B_a(Y) for y ≥ Y, B_a(y) = e^{a²/2}∫φ|u(s+ia)|^{Re p}e^{−y·arg u(s+ia)}ds, which
decreases in y, and what moving the line leaves at the end, a·e^{a²/2}m(θ)^{−n}f_c(S). The trapezoid sum of B_a is off
by 2M(c)e^{(a²+α²)/2}m((a+α)/σ)^{−n}/(e^{2πα/τ} − 1), α ≤ a or a + α ≤ πσ/2 (`characteristic`), at the end by
e^{a²/2}·2α·f_c(S)·m((a+α)/σ)^{−n}·max(1, e^{α²/2 − 2πα/τ}), and by e^{a²/2}m(θ)^{−n} times the nodes left out of
M(c). The heights left out add at most B^k e^{−cε}/(πY).

*Aliases.* 0 ≤ S_η − δ ± … ≤ e^{−cT}/(1−e^{−cT}) + M(c′)^k e^{−c′ε}e^{−(c′−c)T}/(1−e^{−(c′−c)T}), T = 2π/η, c′ > c
(`contour`).

*Rounding* (`rounding`), u the unit. The exponent e = s/σ − 1/2σ² is off by at most E = u(3|s|/σ + 4/2σ² + |e|): σ
read, one quotient; σ twice, one square, one quotient; one difference. λ = q·e^e/u is dw/de, and q·expm1(e) is off by
(2u + LIBM) of itself, which is |1 − e^{−w}| of u: w is off by W = 1.01(λE + (3u + LIBM)|1 − e^{−w}|) + LIBM·|w|. The
exponent of a weight is off by |p|W + u(2|pw| + s² + 2|e_j − κ| + 4), the exponential by LIBM: r_j together. The
centred loss x = L − μ is off by W + u|x|, a phase by another 2u·y|x|. With Σ = Σ weights, |M e^{−κ−iyμ} − χ(y)| ≤ Σ w
r + y Σ w(W + 3u|x|) + ((R+R′)(1.5·LIBM + 3u) + 1.5(2N+4)u)·Σ + the two errors above: e^{iyx} is a product of two
entries of tables of R and R′ powers, the b-th of which is a product of two earlier ones and off by b times √2·LIBM and
√5·u; a real part adds 2N products in any order (`characteristic`). A product of k is off by (|χ|+e)^k
− |χ|^k.

Rows that this declines (few steps, rates above 1/2, a δ at or above that of ε = 0, bounds wider than asked) come back
as NaN. Never used in a verdict.
"""
