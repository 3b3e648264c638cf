"""Changed conditions and terms of the cover checker that no test notices, each with the reason why nothing false is accepted with it."""

LESS = "one way less to accept: what it showed is left to the other rules, or refused"
AGAIN = "what is remembered is worked out again, to the same result"
SHORT = "the long way gives what the short one gives"
NO_SLOPE = "a slope is None here only beyond 20,000 parts, and None as a term ends the check with an error: nothing is accepted"
NEVER = "never None: the order before was asked for and had a slope"
NO_END = "a side without an end has no middle, which ends the check, or a rest that reaches to -∞, unless the slope is 0"
WORK = "a bound of the work, which the budget bounds too; the rule is sound without"
CORNERS = "the extremes of all four corners are those of the two"
GENERAL = "a power of a base that is not 0 is exp(y·log x), which raises where the base may be negative, or 0 and no premise says otherwise"
AT_0 = "that an end is not reached is used at 0 only"
ANYWHERE = "the first term left out bounds the rest wherever the sum ends"

SURVIVORS: dict[str, dict[str, str]] = {
    "algebra": {
        "Known.sign: always: if (t, which) not in self._answers:": "work alone: the answer is found again",
        "_least: without part 1: o.tag != 'or' or o.parts[1].tag != 'and'": "no other obligation is an alternative",
        "_least: turned around: q <= 0": "an exponent 0 is a power of a whole number, which asks for nothing",
        "Known._is_more: without part 1: rest.get(UNIT, 0) > 0 or (not rest and (strict or which == N": (
            "less is known: the ring says it of the premise itself"
        ),
        "Known._is_more: without part 0: strict or which == NONNEGATIVE": "less is known: the ring says it of the premise itself",
        "Known._is_more: without part 1: strict or which == NONNEGATIVE": "less is known: the ring says it of the premise itself",
        "parts_of.visit: always: if part not in found:": AGAIN,
    },
    "check": {
        "Checker._is_bound: turned around: slope < 0": "the slope is not 0 there",
        "halves_of: without part 1: high or Fraction(0)": "a side without a lower end that does not contain 0 has an upper end",
    },
    "leaves": {
        "Rules._by_slopes: always: if low.is_finite() and high.is_finite():": NO_END,
        "Rules._by_slopes: never: if low.is_finite() and high.is_finite():": LESS,
        "Rules._order: without part 0: point.truth(equal(there, ZERO)) is False or not here.is_zero": "the identity is asked instead",
        "Rules._by_taylor: turned around: names_in(place.at) <= here.box.keys()": LESS,
        "Rules._sides: turned around: away[0] >= 0": LESS,
        "Rules._sides: without part 0: away[1] <= 0 or here.follows(negative(beyond), False)": LESS,
        "Rules._slope: always: if key not in self._slopes:": AGAIN,
        "Rules._order: always: if key not in self._orders:": AGAIN,
        "Rules._by_slopes: never: if low == high or slope is None:": "a side of one number is moved to that number; " + NO_SLOPE,
        "Rules._by_slopes: without part 0: low == high or slope is None": "a side of one number is moved to that number",
        "Rules._by_slopes: without part 1: low == high or slope is None": NO_SLOPE,
        "Rules._by_slopes: never: if value[0] > 0 or (value[0] == 0 and (not strict)):": LESS,
        "Rules._by_slopes: without part 0: value[0] > 0 or (value[0] == 0 and (not strict))": LESS,
        "Rules._by_slopes: without part 1: value[0] > 0 or (value[0] == 0 and (not strict))": LESS,
        "Rules._by_slopes: without part 0: bool(gone) and self.positive(g, strict, Evaluator(folded, _w": (
            "nothing is folded and no premise given up: the same question with one step less"
        ),
        "Rules._by_slopes: all of them:  for x in moved if folded[x] != here.box[x]": "more premises are given up than need be",
        "Rules._by_taylor: all of them:  for name, side in here.box.items() if name != x": "an interval of a variable that is gone",
        "Rules._shown: without part 0: statement.tag == 'not' and statement.parts[0].tag == '='": (
            "only what is negated has an equation for its first part: the parts of a relation are numbers"
        ),
        "Rules.positive: without part 1: low > 0 or (low == 0 and (not strict)) or here.follows(g, st": LESS,
        "Rules._by_slopes: turned around: rise[0] >= 0": LESS,
        "Rules._by_slopes: turned around: rise[1] <= 0": LESS,
        "Rules.positive: without part 1: level == NATURAL or depth == 0": WORK,
        "Rules._by_cases: never: if inside.truth(condition) is False:": "a branch that no point takes has to be shown too",
        "Rules._slope: never: None if before is None else derivative(before, x)": NEVER,
        "Rules._sides: without part 1: away[0] >= 0 or here.follows(beyond, False)": LESS,
        "Rules._sides: without part 0: away[0] >= 0 or here.follows(beyond, False)": LESS,
        "Rules._by_slopes: without part 0: low.is_finite() and high.is_finite()": NO_END,
        "Rules._by_slopes: without part 1: low.is_finite() and high.is_finite()": NO_END,
        "Rules._by_taylor: turned around: sign > 0": "a sign is 1 or −1",
        "Rules._sides: turned around: away[1] <= 0": LESS,
        "_at_points: turned around: abs(low.adjusted()) < _FAR": WORK,
        "_at_points: without part 1: low == high and abs(low.adjusted()) < _FAR": WORK,
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
        "Evaluator._power: without part 0: _touches(root) and self._is_nonzero(t.parts[0])": AT_0,
        "Evaluator._power: without part 0: _touches(x) and y[0] <= 0 and self._is_nonzero(t.parts[0])": GENERAL,
        "Evaluator._power: without part 1: _touches(x) and y[0] <= 0 and self._is_nonzero(t.parts[0])": GENERAL,
        "Evaluator._find: without part 0: _touches(x) and self._is_nonzero(t.parts[0])": AT_0,
        "Evaluator._find: without part 0: _touches(x) and self._is_nonzero(t.parts[0]) (2)": AT_0,
        "Evaluator._find: never: a.negative(y) if first == MINUS else a.multiply(x, y)": SHORT,
    },
    "intervals": {
        "Arithmetic.multiply: never: if a > 0 and c > 0:": CORNERS,
        "Arithmetic._nearest: never: low if x[0] == x[1] else function(x[1])": AGAIN,
        "Arithmetic._normal_cdf: turned around: a < -math.isqrt(2 * self.bits + 18) - 1": "at one number the other series, right too",
        "Arithmetic._far_normal_cdf: without part 1: n < self.bits and self.absolute(term)[1] > self._small": ANYWHERE,
        "Arithmetic._far_normal_cdf: turned around: n < self.bits": ANYWHERE,
        "Arithmetic._far_normal_cdf: turned around: self.absolute(term)[1] > self._small": ANYWHERE,
        "Arithmetic._sum: turned around: 2 * fixed > 2 * n + 3 << w": "one term more: the bound of the rest counts the terms",
        "Arithmetic.power: always: self.exp(self.multiply(y, self.log((x[1], x[1]))))[1] if x[1": "the logarithm of 0 is refused",
        "Arithmetic.normal_cdf: never: low if x[0] == x[1] else self._normal_cdf(x[1])": AGAIN,
        "Arithmetic._sum: turned around: term > 1": "one term more: the bound of the rest counts the terms",
        "Arithmetic._sum: without part 1: term > 1 or 2 * fixed > 2 * n + 3 << w": (
            "t is at most (√(2·bits + 18) + 2)²: when terms of w + 0.7·t bits have fallen below one unit, t/(2n + 3) is below 0.3"
        ),
        "Arithmetic.reciprocal: without part 0: nonzero and b == 0 and (a < 0)": "the mirrored interval is asked with the same word",
        "Arithmetic._far_normal_cdf: never: if a.is_infinite():": "1/∞ and e^−∞ are 0 with a tiny margin: the series encloses the limit",
    },
}
