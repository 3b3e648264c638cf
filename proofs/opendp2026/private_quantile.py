"""OpenDP declares by how much the scores of its private quantile change: are the two constants right?

A candidate c with l records below and g above scores |(1−α)·min(l, L) − α·min(g, L)|, multiplied by the denominator of α, with a limit L
against overflow, which makes changes only smaller. `score_candidates_map` declares d·max(α, 1−α) for d records added or removed, and d/2
where the size is known, so that d/2 records are replaced. By the triangle inequality a score changes by at most the change of what is
between the bars; the claims bound it from above, and the other sign is that of the neighbours in the other order. `make_private_quantile`
doubles both constants for the range distance of the scores (`opendp2026.noisy-top-k`).
"""

from dpbounds.notation import *

source = Source("opendp2026.private-quantile",
    "rust/src/transformations/quantile_score_candidates/mod.rs, score_candidates and score_candidates_map, commit bc6e18b8")

alpha, distance, constant = nonnegative("alpha d C")
more_below, less_below, more_above, less_above = nonnegative("b_1 b_2 a_1 a_2")
change = (1 - alpha) * (more_below - less_below) - alpha * (more_above - less_above)
counted = [alpha <= 1, alpha <= constant, 1 - alpha <= constant, more_below + less_below + more_above + less_above <= distance]

def unknown_size_proof(proof):
    """Every record counts at most C."""
    parts = [rules.scale(rules.hypothesis(1 - alpha <= constant), more_below), rules.scale(rules.hypothesis(alpha <= constant), less_above),
             rules.scale(rules.hypothesis(counted[3]), constant),
             rules.nonnegative((1 - alpha) * less_below + alpha * more_above + constant * (less_below + more_above), [alpha <= 1])]
    return proof("add", rules.restate(rules.le(change, distance * constant), rules.add(*parts), [alpha <= 1]))

one = {alpha: "1/2", constant: "1/2", distance: 1, more_below: 1, less_below: 0, more_above: 0, less_above: 0}
unknown_size = source.claim(
    "d records added or removed change a score by at most d max(alpha, 1-alpha).",
    counted, change <= distance * constant, Proof(unknown_size_proof),
    mutant=(change <= Rational(99, 100) * distance * constant, one))

# Records that move: first letter from where, second letter to where (below, equal, above).
be, ba, eb, ea, ab, ae = nonnegative("m_be m_ba m_eb m_ea m_ab m_ae")
moved = (1 - alpha) * (eb + ab - be - ba) - alpha * (ea + ba - ae - ab)

def known_size_proof(proof):
    """Every record that moves counts at most 1."""
    parts = [rules.hypothesis(be + ba + eb + ea + ab + ae <= distance / 2),
             rules.nonnegative(alpha * eb + (1 - alpha) * ae + (2 - alpha) * be + 2 * ba + (1 + alpha) * ea, [alpha <= 1])]
    return proof("add", rules.restate(rules.le(moved, distance / 2), rules.add(*parts), [alpha <= 1]))

known_size = source.claim(
    "d/2 records replaced change a score by at most d/2, whatever alpha is.",
    [alpha <= 1, be + ba + eb + ea + ab + ae <= distance / 2], moved <= distance / 2, Proof(known_size_proof),
    mutant=(moved <= Rational(49, 100) * distance, {alpha: "1/2", distance: 2, be: 0, ba: 0, eb: 0, ea: 0, ab: 1, ae: 0}))
