"""Yuchen 2019: adaptive composition (Claim 22) over arbitrary finite kernels."""

from dpbounds.notation import *

source = Source("chen2019.claim-22", "Claim 22")

order = positive("lambda")
rho, rho_1, rho_2 = nonnegative("rho rho_1 rho_2")
h, y, j = index("h"), index("y"), index("j", start=0)
m, n = positive_integer("m"), positive_integer("n")
sizes = IndexedBase("N", integer=True, positive=True)
outputs, first = (y, 1, n), (h, 1, m)
p, q = laws("p", first), laws("q", first, "positive")
K, L = family("K"), family("L", "positive")
J, I = family("J"), family("I", "positive")  # noqa: E741
a, b = positive("a b")

product = [Tuple(x**2, x * (1 - x), x * (1 - x), (1 - x) ** 2) for x in (a, b)]
composition_is_free = Mutant(
    RenyiDivergence(order, *product) <= rho,
    given=[order > 1, a < 1, b < 1, RenyiDivergence(order, bernoulli(a), bernoulli(b)) <= rho],
    by=Counterexample({order: 2, a: "2/3", b: "1/3", rho: "1/2"}),
)

two_steps = source.claim(
    "a mechanism with rho_1, then one of many kernels with rho_2 each: the joint law has rho_1 + rho_2.",
    [order > 1, p, q, *(for_each(first, Eq(Sum(kernel[h, y], outputs), 1)) for kernel in (K, L)),
        RenyiDivergence(order, p, q) <= rho_1,
        for_each(first, RenyiDivergence(order, K[h, y], L[h, y], outputs) <= rho_2)],
    log(Sum((K[h, y] * p[h]) ** order * (L[h, y] * q[h]) ** (1 - order), outputs, first)) / (order - 1)
        <= rho_1 + rho_2, Proof("two-step-composition"),
    mutant=composition_is_free)

def every(body):
    """For every step j and every history h of it."""
    return ForAll(j, true, for_each((h, 1, sizes[j]), body))

def joint_moment(step):
    """Σ J^λ I^{1−λ} over the histories after some steps."""
    return Sum(J[step, h] ** order * I[step, h] ** (1 - order), (h, 1, sizes[step]))

extended = Sum((J[j, h] * K[j, h, y]) ** order * (I[j, h] * L[j, h, y]) ** (1 - order), outputs, (h, 1, sizes[j]))

claim_22 = source.claim("if every kernel of an adaptive composition has D_lambda <= rho, j steps have j rho.",
    [order > 1, Eq(joint_moment(0), 1, evaluate=False), ForAll(j, true, Eq(joint_moment(j + 1), extended)),
        *(every(Eq(Sum(kernel[j, h, y], outputs), 1)) for kernel in (K, L)),
        every(RenyiDivergence(order, K[j, h, y], L[j, h, y], outputs) <= rho)],
    joint_moment(j) <= exp(j * (order - 1) * rho), Proof("adaptive-composition"),
    mutant=composition_is_free,
    note="That histories grow by one output, with the product of the probabilities, is what adaptive "
    "composition means.")
