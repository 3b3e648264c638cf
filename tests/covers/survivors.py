"""Changed conditions and terms of the cover checker that no test notices, each with the reason why nothing false is accepted with it."""

from __future__ import annotations

LESS = "one way less to accept: what it showed is left to the other rules, or refused"
AGAIN = "what is remembered is worked out again, to the same result"
SHORT = "the long way gives what the short one gives"
NO_SLOPE = "a slope is None here only beyond 20,000 parts, and None as a term ends the check with an error: nothing is accepted"
NEVER = "never None: the order before was asked for and had a slope"
NO_END = "a side without an end makes the rest reach to -∞, unless the slope is 0 and moving changes nothing"
WORK = "a bound of the work, which the budget bounds too; the rule is sound without"
UNMOVED = "a shift by 0 changes nothing"
WHOLE = "the whole numbers are compared, however long"
CORNERS = "the extremes of all four corners are those of the two"
GENERAL = "a power of a base that is not 0 is exp(y·log x), which raises where the base may be negative, or 0 and no premise says otherwise"
AT_0 = "that an end is not reached is used at 0 only"
ANYWHERE = "the first term left out bounds the rest wherever the sum ends"

SURVIVORS: dict[str, dict[str, str]] = {
    "algebra": {
        "Known.sign: always: if (t, which) not in self._answers:": "work alone: the answer is found again",
        "_least: without part 1: o.tag != 'or' or o.parts[1].tag != 'and'": "no other obligation is an alternative",
        "_least: turned around: q <= 0": "an exponent 0 is a power of a whole number, which asks for nothing",
        "_least: always: if o.tag != 'or' or o.parts[1].tag != 'and':": "the ring learns nothing from a disjunction: " + LESS,
        "Known._is_more: without part 1: rest.get(UNIT, 0) > 0 or (not rest and (strict or which == N": (
            "less is known: the ring says it of the premise itself"
        ),
        "Known._is_more: without part 0: strict or which == NONNEGATIVE": "less is known: the ring says it of the premise itself",
        "Known._is_more: without part 1: strict or which == NONNEGATIVE": "less is known: the ring says it of the premise itself",
        "inequalities_of: never: if premise.tag == 'and':": LESS,
        "inequalities_of: never: if premise.tag == '=':": LESS,
        "parts_of.visit: always: if part not in found:": AGAIN,
    },
    "check": {
        "Checker._is_bound: turned around: slope < 0": "the slope is not 0 there",
        "halves_of: without part 1: high or Fraction(0)": "a side without a lower end that does not contain 0 has an upper end",
    },
    "leaves": {
        "Rules._by_slopes: always: if low[1] != intervals.HUGE and high[1] != intervals.HUGE:": NO_END,
        "Rules._by_slopes: never: if low[1] != intervals.HUGE and high[1] != intervals.HUGE:": LESS,
        "Rules._order: without part 0: point.truth(equal(there, ZERO)) is False or not here.is_zero": "the identity is asked instead",
        "Rules._by_taylor: turned around: names_in(place.at) <= here.box.keys()": LESS,
        "Rules._sides: turned around: away[0][0] >= 0": LESS,
        "Rules._sides: without part 0: away[1][0] <= 0 or here.follows(minus(ZERO, beyond), False)": LESS,
        "Rules._slope: always: if key not in self._slopes:": AGAIN,
        "Rules._order: always: if key not in self._orders:": AGAIN,
        "Rules._by_slopes: never: if low == high or slope is None:": "a side of one number is moved to that number; " + NO_SLOPE,
        "Rules._by_slopes: without part 0: low == high or slope is None": "a side of one number is moved to that number",
        "Rules._by_slopes: without part 1: low == high or slope is None": NO_SLOPE,
        "Rules._by_slopes: never: if value[0][0] > 0 or (value[0][0] == 0 and (not strict)):": LESS,
        "Rules._by_slopes: without part 0: value[0][0] > 0 or (value[0][0] == 0 and (not strict))": LESS,
        "Rules._by_slopes: without part 1: value[0][0] > 0 or (value[0][0] == 0 and (not strict))": LESS,
        "Rules._by_slopes: without part 0: bool(gone) and self.positive(g, strict, Evaluator(folded, _w": (
            "nothing is folded and no premise given up: the same question with one step less"
        ),
        "Rules._by_slopes: all of them:  for x in moved if folded[x] != here.box[x]": "more premises are given up than need be",
        "Rules._by_taylor: all of them:  for name, side in here.box.items() if name != x": "an interval of a variable that is gone",
        "Rules._shown: without part 0: statement.tag == 'not' and statement.parts[0].tag == '='": (
            "only what is negated has an equation for its first part: the parts of a relation are numbers"
        ),
        "Rules.positive: without part 1: low[0] > 0 or (low[0] == 0 and (not strict)) or here.follows": LESS,
        "Rules._by_slopes: turned around: rise[0][0] >= 0": LESS,
        "Rules._by_slopes: turned around: rise[1][0] <= 0": LESS,
        "Rules.positive: without part 1: level == NATURAL or depth == 0": WORK,
        "Rules._by_cases: never: if inside.truth(condition) is False:": "a branch that no point takes has to be shown too",
        "Rules._slope: never: None if before is None else derivative(before, x)": NEVER,
        "Rules._sides: without part 1: away[0][0] >= 0 or here.follows(beyond, False)": LESS,
        "Rules._sides: without part 0: away[0][0] >= 0 or here.follows(beyond, False)": LESS,
        "Rules._by_slopes: without part 0: low[1] != intervals.HUGE and high[1] != intervals.HUGE": NO_END,
        "Rules._by_slopes: without part 1: low[1] != intervals.HUGE and high[1] != intervals.HUGE": NO_END,
        "Rules._by_slopes: turned around: low[1] != intervals.HUGE (2)": NO_END,
        "Rules._by_slopes: turned around: high[1] != intervals.HUGE (2)": LESS + "; " + NO_END,
        "Rules._by_slopes: always: (middle[0], middle[1] - 1) if middle[0] else middle": "half of 0 is 0, written otherwise",
        "Rules._by_taylor: turned around: sign > 0": "a sign is 1 or −1",
        "Rules._sides: turned around: away[1][0] <= 0": LESS,
        "_at_points: turned around: abs(low[1]) < _FAR": WORK,
        "_at_points: without part 1: low == high and abs(low[1]) < _FAR": WORK,
    },
    "document": {},
    "evaluate": {
        "Tools.known: always: if key not in self._rings:": "work alone: the ring is made again",
        "Tools.constant: never: None if form is None or not set(form) <= {UNIT} else Fractio": (
            "Tools.slope holds the number against the whole term"
        ),
        "Tools.constant: without part 0: form is None or not set(form) <= {UNIT}": (
            "a term without a form is refused before: its parts were read"
        ),
        "Tools.constant: without part 1: form is None or not set(form) <= {UNIT}": ("Tools.slope holds the number against the whole term"),
        "Tools.spend: always: if cost is None:": AGAIN,
        "Evaluator._power: never: if exponent == _HALF:": GENERAL,
        "Evaluator._power: never: if exponent == -_HALF:": GENERAL,
        "Evaluator._power: without part 0: _touches(x) and y[0][0] <= 0 and self._is_nonzero(t.parts[0]": GENERAL,
        "Evaluator._power: without part 1: _touches(x) and y[0][0] <= 0 and self._is_nonzero(t.parts[0]": GENERAL,
        "Evaluator._power: without part 0: _touches(root) and self._is_nonzero(t.parts[0])": AT_0,
        "Evaluator._find: without part 0: _touches(x) and self._is_nonzero(t.parts[0])": AT_0,
        "Evaluator._find: without part 0: _touches(x) and self._is_nonzero(t.parts[0]) (2)": AT_0,
        "Evaluator._find: never: a.negative(y) if first == MINUS else a.multiply(x, y)": SHORT,
    },
    "intervals": {
        "rounded: never: if -LIMIT <= e < LIMIT - bits:": SHORT,
        "rounded: turned around: extra > 0": UNMOVED,
        "rounded: turned around: top > LIMIT": "top is not LIMIT there",
        "rounded: turned around: m > 0": "m is not 0 there",
        "rounded: turned around: m > 0 (2)": "m is not 0 there",
        "less: never: if (m > 0) != (n > 0) or m == 0 or n == 0:": WHOLE,
        "less: without part 0: (m > 0) != (n > 0) or m == 0 or n == 0": WHOLE,
        "less: without part 1: (m > 0) != (n > 0) or m == 0 or n == 0": WHOLE,
        "less: without part 2: (m > 0) != (n > 0) or m == 0 or n == 0": WHOLE,
        "less: turned around: e >= f": UNMOVED,
        "fraction: turned around: e >= 0": UNMOVED,
        "shifted: turned around: shift >= 0": UNMOVED,
        "_sum: never: if e - f > 2 * bits + n.bit_length():": "the exact sum is rounded, however long",
        "_sum: turned around: e - f > 2 * bits + n.bit_length()": "what takes the place of b lies beyond b at every distance",
        "_sum: turned around: a[1] < b[1]": "a + b = b + a",
        "_sum: always: (1 if n > 0 else -1) if (n > 0) == up else 0": (
            "it is added to an even number that is rounded away from it: the last bit is dropped, as 0 would be"
        ),
        "_exp_sum: turned around: term > 1": "one term more, which is counted",
        "_exp_of_positive: never: if rise >> bits + s:": "the bound from the first end holds for d <= 1, and d < 1/8: it is wider",
        "Arithmetic.number: never: if q == 1:": SHORT,
        "Arithmetic.multiply: never: if a[0] >= 0 and c[0] >= 0:": CORNERS,
        "Arithmetic.multiply: never: if a[0] < 0 and b[0] <= 0:": CORNERS,
        "Arithmetic.multiply: never: if c[0] < 0 and d[0] <= 0:": CORNERS,
        "Arithmetic.multiply: turned around: b[0] <= 0": CORNERS,
        "Arithmetic.multiply: turned around: d[0] <= 0": CORNERS,
        "Arithmetic._root: without part 0: a[0] == 0 or a[1] == HUGE": SHORT,
        "Arithmetic.log: never: if a == b:": SHORT,
        "Arithmetic.log: never: if a[0] and b[1] != HUGE:": SHORT,
        "Arithmetic.log: without part 1: a[0] and b[1] != HUGE": "the rise to infinity is infinite, and each end has its logarithm",
        "Arithmetic.log: never: if less(rise, (1, -16)):": SHORT,
        "Arithmetic._log: always: if 32 * abs(p) <= q:": "|a - 1|/(a + 1) <= 1/3 for 1/2 <= a < 2, as the sum wants",
        "Arithmetic.erfc: never: if a == b:": SHORT,
        "Arithmetic.erfc: always: if HUGE not in (a[1], b[1]):": "an infinite width has an infinite fall, and each end has its value",
        "Arithmetic.erfc: never: if HUGE not in (a[1], b[1]):": SHORT,
        "Arithmetic.erfc: turned around: HUGE not in (a[1], b[1])": "an infinite width has an infinite fall, and each end has its value",
        "Arithmetic.erfc: never: if less(fall, (1, min(-16, 16 - bits))):": SHORT,
        "Arithmetic._erf_series: never: if a[0] == 0:": "0 times an enclosure is 0",
        "Arithmetic._erfc: never: if a[1] == HUGE:": "the series far out encloses the limit",
        "Arithmetic._erfc: turned around: a[0] <= 0": "1 - erf 0, either way",
        "Arithmetic._erfc: without part 0: less((1, -self.bits - 8), self.absolute(term)[1]) and n < se": ANYWHERE,
        "Arithmetic._erfc: without part 1: less((1, -self.bits - 8), self.absolute(term)[1]) and n < se": ANYWHERE,
        "Arithmetic.absolute: turned around: x[0][0] >= 0": "the longer way ends at the same numbers where an end is 0",
        "Arithmetic.absolute: turned around: x[1][0] <= 0": "the longer way ends at the same numbers where an end is 0",
        "_erf_sum: without part 1: term > 1 or 2 * fixed > 2 * n + 3 << w": (
            "while the next ratio is above 1/2, t > n + 3/2 and a term is at least (n + 3/2)^n/(2n + 1)!!, which is above 4/5"
        ),
        "Arithmetic.reciprocal: without part 0: nonzero and b[0] == 0 and (a[0] < 0)": "it is asked again of the reflected interval",
        "Arithmetic.integer_power: turned around: x[1][0] < 0": "the longer way ends at the same numbers where an end is 0",
        "Arithmetic.integer_power: turned around: x[0][0] < 0": "the longer way ends at the same numbers where an end is 0",
        "Arithmetic.log: turned around: b[1] != HUGE": "the rise to infinity is infinite, and each end has its logarithm",
        "Arithmetic._log: turned around: 32 * abs(p) <= q": SHORT,
        "Arithmetic._erfc: turned around: n < self.bits": ANYWHERE,
        "less: turned around: m < 0": "an infinite end is not 0",
        "less: turned around: n > 0 (2)": "an infinite end is not 0, and a number that is 0 is seen beside",
        "_sum: turned around: n > 0": "n is not 0 there",
        "Arithmetic.reciprocal: always: _quotient(1, a[0], -a[1], bits, True) if a[1] != HUGE else Z": "1/∞ is rounded up",
        "Arithmetic.power: never: ZERO if x[1][0] == 0 else self.exp(self.multiply(y, self.log": LESS,
        "Arithmetic._log: turned around: size < 6": UNMOVED,
        "Arithmetic._erfc: turned around: a[0] > 0": "an infinite end is not 0",
        "_product: turned around: a[0] > 0": "neither factor is 0 there",
        "_product: turned around: b[0] > 0": "neither factor is 0 there",
        "Arithmetic._log: turned around: p > 0": "at a = 1 both ends are 0",
        "less: turned around: m > 0": "0 is smaller than what is above 0, and than nothing else, either way",
        "less: turned around: n > 0": "0 is smaller than what is above 0, and than nothing else, either way",
        "Arithmetic.multiply: turned around: a[0] >= 0": CORNERS,
        "Arithmetic.multiply: turned around: c[0] >= 0": CORNERS,
        "Arithmetic.reciprocal: never: ZERO if b[1] == HUGE else _quotient(1, b[0], -b[1], bits, Fa": "1/∞ is rounded down to 0",
        "_sum: turned around: n > 0 (2)": "n is not 0 there",
        "_erf_sum: turned around: term > 1": "the sum goes on until a term is 0, and the rest is at most that one and what it misses",
        "_erf_sum: turned around: 2 * fixed > 2 * n + 3 << w": "at the ratio 1/2 the rest is at most the last term",
    },
}
