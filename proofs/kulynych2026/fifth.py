"""Kulynych & Honkela 2026 recommend μ ≈ ε/5 for reporting: for which attacks does (ε/5)-GDP promise at least what ε-DP promises?

Under μ-GDP an attack with the false-positive rate Φ(z) has at most the true-positive rate Φ(z + μ); under ε-DP TPR/FPR ≤ e^ε.

* Fixed false-positive rate: Φ(z + μ) ≤ e^{cμ}Φ(z) for every μ > 0 wherever φ(x) ≤ cΦ(x) for all x ≥ z (`fifth.rate`): the derivative of
  log Φ(z + μ) − cμ in μ is φ/Φ − c at z + μ. Small μ show that less does not do: Φ(z + μ)/Φ(z) = 1 + μφ(z)/Φ(z) + O(μ²). As φ/Φ falls,
  c = 5 is enough down to the rate Φ(−4.80697…) = 7.6614…·10⁻⁷, and not below.
* Fixed recall Φ(w): Φ(w)/Φ(w − μ) grows like e^{μ²/2}, so ε/5 is enough up to some ε only.
* (ε, δ): δ of (ε/5)-GDP at ε grows with ε; it is at most 10⁻⁵ for ε ≤ 10.01.
"""

from dpbounds.notation import *

source = Source("kulynych2026", "Abstract: mu ~ epsilon/5 as a conservative general-purpose conversion")

z = real("z")
c, epsilon, mu = positive("c epsilon mu")

slope = exp(-(z**2) / 2) / sqrt(2 * pi) <= c * NormalCDF(z)

# The rate, a z with at most this false-positive rate, enough, too little.
RATES = {
    "7.67e-7": ("-4.80676", "5", "4.999"),
    "1e-5": ("-4.2649", "4.4788", "4.4787"),
    "1e-4": ("-3.71902", "3.9585", "3.9584"),
    "1e-3": ("-3.09024", "3.3671", "3.367"),
    "1e-2": ("-2.32635", "2.6653", "2.6652"),
    "1e-1": ("-1.28156", "1.755", "1.754"),
}

rates = [
    source.claim(
        f"The density phi is at most {enough} Phi from the false-positive rate {rate} on: there mu = epsilon/{enough} promises "
        "TPR/FPR <= e^epsilon, for every epsilon.",
        [z >= Rational(place)], slope, tight=(c, enough, less, {z: place}), id=f"fifth.rate~{rate}")
    for rate, (place, enough, less) in RATES.items()]

fifth__every_rate = source.claim(
    "mu = epsilon/5 promises TPR/FPR <= e^epsilon at every false-positive rate.",
    NormalCDF(z + mu) <= exp(5 * mu) * NormalCDF(z), {z: "-4.8071", mu: "1/100000"})

fifth__recall = source.claim(
    "At the recall 1/2 mu = epsilon/5 promises TPR/FPR <= e^epsilon up to epsilon = 47.3.",
    [epsilon <= Rational("47.3")], Rational(1, 2) <= exp(epsilon) * NormalCDF(-epsilon / 5),
    mutant=([epsilon <= Rational("47.4")], Rational(1, 2) <= exp(epsilon) * NormalCDF(-epsilon / 5), {epsilon: "47.4"}))

profile = NormalCDF(epsilon / 10 - 5) - exp(epsilon) * NormalCDF(-epsilon / 10 - 5)
PROFILES = {"1e-6": ("5.86", "5.87"), "1e-5": ("10.01", "10.02"), "1e-4": ("14.96", "14.97")}

profiles = [
    source.claim(
        f"(epsilon/5)-GDP is (epsilon, {delta})-DP for every epsilon up to {enough}.",
        [epsilon <= Rational(enough)], profile <= Rational(delta),
        mutant=([epsilon <= Rational(beyond)], profile <= Rational(delta), {epsilon: beyond}), id=f"fifth.profile~{delta}")
    for delta, (enough, beyond) in PROFILES.items()]
