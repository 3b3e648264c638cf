"""Koskela, Jälkö & Honkela 2020, §6.1, after two steps: how the gap between removing and adding a record composes.

Of a pair P, Q with losses ℓ_j = log(P_j/Q_j) and masses g_j = √(P_j Q_j), e^{−ε/2}δ(ε) of P against Q is Σ g_j S(ℓ_j − ε) with
S(x) = max(e^{x/2} − e^{−x/2}, 0), and that of Q against P is Σ g_j S(−ℓ_j − ε). Their difference is the gap G(ε). The composition with a
pair of losses m_k and masses h_k has the losses ℓ_j + m_k and the masses g_j h_k.
"""

from dpbounds.notation import *

source = Source("koskela2020.two-steps", "§6.1, last sentence, after two steps")

epsilon = real("epsilon")
j, k, n, m = index("j"), index("k"), positive_integer("n"), positive_integer("m")
first, second = (j, 1, n), (k, 1, m)
ell, other = family("l", "real"), family("r", "real")
g, h = family("g", "positive"), family("h", "positive")

def stick(x):
    """S(x)."""
    return Max(exp(x / 2) - exp(-x / 2), 0)

def gap(loss, at):
    """S(ℓ − ε) − S(−ℓ − ε)."""
    return stick(loss - at) - stick(-loss - at)

def first_gap(at):
    """G of the first pair."""
    return Sum(g[j] * gap(ell[j], at), first)

def second_gap(at):
    """G of the second pair."""
    return Sum(h[k] * gap(other[k], at), second)

composed = Sum(Sum(g[j] * h[k] * gap(ell[j] + other[k], epsilon), first), second)
left = Sum(h[k] * (first_gap(epsilon - other[k]) + first_gap(epsilon + other[k])) / 2, second)
right = Sum(g[j] * (second_gap(epsilon - ell[j]) + second_gap(epsilon + ell[j])) / 2, first)
x, y = real("x y")
only_first = (gap(x, epsilon - y) + gap(x, epsilon + y)) / 2

def spread_by_the_other(proof):
    """For any values c, d, e, f of S at ±l ± r - epsilon: term by term, then the sums of the first pair are taken out."""
    values = {family(name, "real"): Lambda((j, k), stick(x + y - epsilon)) for name, x, y in (
        ("c", ell[j], other[k]), ("d", -ell[j], other[k]), ("e", ell[j], -other[k]), ("f", -ell[j], -other[k]))}
    c, d, e, f = (base[j, k] for base in values)
    mass = g[j] * h[k]
    one, two = mass * (c - d + e - f) / 2, g[j] * (Sum(h[k] * (c - e), second) + Sum(h[k] * (d - f), second)) / 2
    inner = rules.equality(Sum(mass * (c - f), second), Sum(one, second) + two)
    terms = rules.sum_termwise(inner, first)
    parts = rules.equality(terms.rhs, Sum(Sum(one, second), first) + Sum(two, first))
    start, turned = (rules.equality(*sums) for sums in (
        (Sum(Sum(mass * (c - f), first), second), terms.lhs), (Sum(Sum(one, second), first), Sum(Sum(one, first), second))))
    taken = rules.sum_termwise(
        rules.equality(Sum(one, first), h[k] * (Sum(g[j] * (c - d), first) + Sum(g[j] * (e - f), first)) / 2), second)
    whole = rules.restate(rules.eq(start.lhs, taken.rhs + Sum(two, first)),
        rules.add(rules.chain(start, terms, parts), rules.chain(turned, taken)))
    return proof("at the values", rules.instance(proof("double sums", whole), values))

composition = source.claim(
    "two pairs on finitely many outcomes: the gap of the composition is each gap, spread by the even part of the other "
    "loss, G_12 = G_1 * e_2 + G_2 * e_1.",
    rules.eq(composed, left + right), Proof(spread_by_the_other),
    mutant=(rules.eq(gap(x + y, epsilon), only_first), {x: 1, y: 2, epsilon: 1}),
    note="The mutant drops the second gap, one outcome each. "
    "e puts half of every mass at the loss and half at its negative. G is odd; if G_1, G_2 >= 0 on [0, oo) and e_1, "
    "e_2 have one peak each, at 0, then G_12 >= 0 there. In lebeda2024.composition.two-steps e has two peaks.")

a, b, v, size = family("a", "nonnegative"), family("b", "nonnegative"), index("v"), positive_integer("N")
positive_gap = family("G", "nonnegative")
over = (v, 1, size)
spread = Sum(positive_gap[v] * (a[v] - b[v]), over)

def nearer(proof):
    """Every term is nonnegative."""
    close = rules.specialize(rules.hypothesis(for_each(over, rules.le(b[v], a[v]))), v, [v <= size])
    term = rules.restate(rules.le(0, positive_gap[v] * (a[v] - b[v])), rules.scale(close, positive_gap[v]))
    return proof("term by term", rules.restate(rules.le(0, spread), rules.sum_termwise(term, over)))

sign = source.claim(
    "losses on a lattice of finitely many outcomes: an odd G >= 0 on [0, oo), spread by an even e, is nonnegative at x >= 0 if "
    "e(x - v) >= e(x + v) for all v > 0.",
    [for_each(over, rules.le(b[v], a[v]))], rules.le(0, spread), Proof(nearer),
    mutant=([rules.le(Sum(b[v], over), Sum(a[v], over))], rules.le(0, spread),
        {size: 2, positive_gap: (1, 3), a: (2, 0), b: (0, 1)}),
    uses=[composition],
    note="a_v = e(x-v), b_v = e(x+v), G_v = G(v): G(-v) = -G(v). An e with one peak, at 0, has it, as |x-v| <= x+v.")
