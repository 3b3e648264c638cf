"""Dropped terms and conditions of the checker that no probe notices, each with the reason why nothing wrong is accepted without it.

A reason says that what is left is larger, so that an enclosure only widens; or that something else refuses the same; or that the term
decides how much work is done and nothing else. `tests.recheck.test_mutants` finds them; long sources are cut in the middle.
"""


def key_of(text: str) -> str:
    """A text of at most 70 characters, which keeps both ends: a factor of a product is told from the product."""
    return text if len(text) <= 70 else f"{text[:50]} ... {text[-15:]}"


PLACES = {"no condition: if y[0] <= 0:": 2, "left only: depth - 1": 2, "left only: order - 1": 3}
"""In how many places of its file a reason holds, where that is more than one."""

SURVIVORS = {
    "noises": {
        "left only: numbers.number(c * self.largest).exp() * ratio": "widens: the ratio is at most 1",
        "left only: (2 * c + 1) ** 2 + 4 * y * y": "widens: a smaller divisor",
        "right only: (2 * c + 1) ** 2 + 4 * y * y": "widens: a smaller divisor",
        "left only: 2 * c + 1": "widens: a smaller divisor",
        "right only: 2 * c + 1": "widens: a smaller divisor",
        "left only: 1 + c": "widens: a smaller exponent below 0",
        "right only: 1 + c": "widens: a smaller exponent below 0",
        "left only: numbers.pi * 2": "widens: the error is divided by less",
        "left only: density * 4 * numbers.number(-step * last).exp()": "widens: the factor is at most 1",
        "left only: -step * last": "widens: a smaller exponent below 0",
        "left only: 2 * self.q * y": "widens for y >= 1; for less: test_ends_hold_the_integral_of_sampled_laplace",
        "left only: u.log() * (p + 1) - (loss + self.largest) / 2": "widens: loss + largest >= 0",
        "left only: loss + self.largest": "widens: a smaller exponent below 0",
    },
    "gaussian_mixture": {
        "without part 0: not self.numerator and (theta * 2) ... low(numbers.pi)": "right too: M(x) >= E[U^{1+x}] (Chebyshev, Jensen)",
        "no condition: if not theta.surely_below(numbers.pi):": "`_negative_power` refuses the same shift with a strip added to it",
        "no condition: if not self.weights[0]:": "the logarithm of 0 is refused as well",
        "no widening: (self._moduli(rule, c, y, numbers) +  ...  error).upper()": "those who take a decay bound read its upper end alone",
        "left only: log_u.re * at_u - log_v.re * at_v - (lo ... _v.im) * turned": "widens: the turn and y are >= 0",
        "left only: log_u.im - log_v.im": "widens: the argument of V is <= 0",
        "left only: rule.shift * self.furthest": "`_negative_power` refuses the same shift with a strip added to it",
        "left only: (numbers.number(high - m).upper_normal( ... * size * weight": "widens: a weight is at most 1",
        "left only: m - low": "widens: low <= 0",
        "without part 1: hits and weight": "a term of weight 0 is 0",
    },
    "order_range": {
        "no condition: if inverse[1] == 0 or s[1] == 0:": "no box of a tree has such an end",
        "without part 0: inverse[1] == 0 or s[1] == 0": "the same",
        "without part 1: inverse[1] == 0 or s[1] == 0": "the same",
        "no condition: if end <= 2:": "less is accepted: True is right there",
        "without part 2: direction not in ('remove', 'add') ...  > _MOST_TOKENS": "work alone",
        "no condition: if end > _MOST_ORDERS:": "work alone",
        "no condition: if y[0] <= 0:": "the closed forms of the tails hold for every y",
        "without part 0: at_next <= enough or excess(stop) <= enough": "less is accepted: either is enough",
        "without part 0: depth == 0 or (needed < at_next an ... < excess(stop))": "work alone",
        "without part 1: depth == 0 or (needed < at_next an ... < excess(stop))": "work alone",
        "without part 0: needed < at_next and needed < excess(stop)": "less is accepted",
        "without part 1: self._shown(token, box) or (depth  ... , depth % 2))))": "less is accepted",
        "without part 0: not self.add and self._bound[0] <  ... rocal(kept))[1]": "less is accepted",
        "without part 1: not self.add and s[0] > 0 and (inv ... 1 / inverse[0])": "a division by 0 ends the check",
        "without part 2: not self.add and s[0] > 0 and (inv ... 1 / inverse[0])": "a division by 0 ends the check",
        "first only: max(low, ONE)": "widens: the lower end of g is a bound without it",
        "second only: min(Fraction(ceil(order)), end)": "widens: a chord of a convex function over more orders",
        "left only: order * s": "where the nodes end; what is beyond has its bound",
        "first only: a.multiply(self._density(self._number( ... raction(1, 8)))": "widens: the factor is 1/8",
        "first only: a.multiply(a.multiply(self._density(se ... ciprocal(fall))": "widens: fall >= 8, as last >= 8 + sα",
        "left only: order - 1": "widens: a larger factor",
        "left only: right - s[0] / 2": "widens for right > 0, and for right <= 0 the other number is the larger one",
        "left only: depth - 1": "work alone",
        "right only: low + high": "both parts cover the box wherever it is cut",
    },
    "truncated_batch": {
        "right only: least + 2 * _MOST": "refuses more",
        "left only: law.decay(c, y, _own(own, name), numbers) * weight": "widens: a weight is at most 1",
        "left only: 1 - ratio": "what is dropped is below the rounding of the terms added before it",
        "left only: total * Fraction(1, 1 << numbers.at.bits)": "widens: stops sooner, and the rest is wider",
        "left only: total + rest.down_by(rest)": "what is dropped is below the rounding of the terms added before it",
        "no widening: rest.down_by(rest)": "the same",
        "left only: numbers.at.bits + 32": "widens: fewer bits",
        "right only: numbers.at.bits + 32": "widens: fewer bits",
    },
}
