"""Koskela, Jälkö & Honkela 2020, §6.3: the privacy loss of sampling with replacement."""

from sympy import Lambda, Sum

from dpbounds import HOLDS, Claim, Counterexample, Mutant, Proof
from dpbounds.language.symbols import family, index, positive, positive_integer
from dpbounds.prover import derive, rules

m, ell = positive_integer("m"), index("ell", start=0)
weight = family("c", "positive")  # c[ℓ+1] for the printed c_ℓ
x, z = positive("x z")


def sums(at):
    """Σ c_ℓ x^ℓ and Σ c_ℓ x^{−ℓ} for ℓ = 0..m."""
    return tuple(Sum(weight[ell + 1] * at ** (sign * ell), (ell, 0, m)) for sign in (1, -1))


def increasing():
    """x^ℓ rises with x and x^{−ℓ} falls, strictly for ℓ ≥ 1; so the quotient rises."""

    def build(proof):
        case = rules.hypothesis(x < z)
        w = positive("w")
        sides = []
        for sign, (small, large) in ((1, (x, z)), (-1, (z, x))):
            power = rules.apply(Lambda(w, w ** (sign * ell)), case, [ell >= 1])
            weighed = rules.scale(power, weight[ell + 1], [ell >= 1])
            later = rules.sum_termwise(weighed, (ell, 1, m))
            totals = [Sum(weight[ell + 1] * at ** (sign * ell), (ell, 0, m)) for at in (small, large)]
            heads = [rules.first_term(total) for total in totals]
            sides.append(proof("numerator" if sign == 1 else "denominator", rules.restate(rules.lt(*totals), later, using=heads)))
        down_x, (up_z, down_z) = sums(x)[1], sums(z)
        first = rules.scale(sides[0], 1 / down_x)
        second = rules.scale(sides[1], up_z / (down_x * down_z))
        return proof("the quotient", rules.chain(first, rules.restate(rules.lt(up_z / down_x, up_z / down_z), second)))

    return derive("loss-with-replacement-increases", "The loss with replacement increases", build, "Koskela et al. 2020, §6.3")


quotients = [up / down for up, down in (sums(x), sums(z))]
with_replacement = Claim(
    id="koskela2020.loss-with-replacement",
    source=("koskela2020", "§6.3, after the privacy loss function"),
    text="The loss with replacement increases strictly: so does the quotient of the sums of c_l x^l and c_l x^-l in x = e^(t/sigma^2).",
    given=[x < z],
    then=rules.lt(*quotients),
    expect=HOLDS,
    by=Proof(increasing),
    example={x: 1, z: 2, m: 1, weight: (1, 1)},
    mutant=Mutant(2 * quotients[0] < quotients[1], given=[x < z], by=Counterexample({x: 1, z: "3/2", m: 1, weight: (1, 1)})),
    note="c[l+1] is the printed c_l > 0. The mutant asks for a factor 2.",
)
