"""Changed conditions of the checker that no test notices, each with the reason why nothing false is proved with it."""

ORDER = "the order of atoms decides which form is found, and not what it says"
PRIME = "what is left counts as a prime, which only leaves identities unseen"
SAME = "the same value, found in another way"
SAID = "what a message says"
LESS = "refuses more"
GIVEN = "those who call it give what is wanted"

OF_THE_RING = {
    "d·r times any power of 1/d is r times the power before: true for each exponent, since d is not 0.": [
        "Ring.lowered: without part 1: b == a and e > 0",
        "Ring.lowered: turned around: e > 0",
    ],
    "How much work, not what comes out.": [
        "_parts: always: if id(a) not in found:",
        "_renamed: always: if id(a) not in done:",
        "Ring.learn: always: if self._amount() > before:",
        "Ring.value: always: if t not in self._values:",
        "Ring._positive: always: if a not in self._seen:",
        "Ring.learn: turned around: self._amount() > before",
        "mentions.found: without part 1: not isinstance(part, (tuple, frozenset)) or id(part) in seen",
    ],
    "Neither factor is 0.": ["Ring.pow: turned around: b[UNIT] * e > 0"],
    "Divides by one: the same, with more work.": ["Ring.content: never: if least == 1 and (not shared):"],
    "Two terms below 0: the logarithm of −1 then has the wrong sign for `certain`, so it refuses.": [
        "Ring._larger: without part 1: self._level >= LEVELS or not c > 0 > d or (not all((self._po",
    ],
    "No coefficient of a polynomial is 0.": ["Ring._term_is: turned around: c > 0"],
    "Says to the type checker what the kind of an atom says already.": [
        "Ring._atom_is: without part 1: kind == 'over' and isinstance(a, tuple) and self.certain(dic",
        "Ring._atom_is: without part 1: kind == 'log' and isinstance(a, tuple) and self.certain(add(",
        "Ring._log_of_atom: without part 1: kind == 'over' and isinstance(a, tuple)",
        "Ring._log_of_atom: without part 1: kind == 'exp' and isinstance(a, tuple)",
    ],
    "c ≠ 0 is then used in a sum that may be empty, where it gives no sign, and c/c is multiplied by 0.": [
        "Ring._learn_sign: always: if self._is_about_here(a):",
    ],
    "How deep logarithms of logarithms are compared.": ["Ring._larger: turned around: self._level >= LEVELS"],
    "The content of one atom is the atom or, where it is positive, 1: either is a key of it up to a positive factor.": [
        "Ring._mark: always: self.content(p)[1][0] if len(p) > 1 or len(next(iter(p))) >",
    ],
    "A longer key, which tells more apart: refuses more.": [
        "Ring._mark: never: self.content(p)[1][0] if len(p) > 1 or len(next(iter(p))) >",
    ],
    "An atom is a tuple or a term.": ["Ring._atom_is: always: a.tag if isinstance(a, Term) else ''"],
    "The power 0 is 1 whatever the base is.": ["Ring._whole_power: turned around: whole >= 0", "Ring.inverse: turned around: n < 0",
                                               "Ring.pow: turned around: n >= 0", "Ring._value: turned around: n >= 0"],
    "For a product that is ≥ 0, Π |aᵢ|^{kᵢ b} is what comes out, and that is its power.": [
        "Ring.pow: without part 0: e > 0 and self._atom_is(a, 1, NONNEGATIVE)",
        "Ring.pow: turned around: e > 0",
    ],
    "The integral of a number over the line is 0, which is what comes out.": [
        "Ring.bound: without part 0: t.tag == 'sum' and inner[m] == UNIT and counted",
    ],
    "A key of one atom, or of one number: itself or 1, or a longer key; refuses more at most.": [
        "Ring._mark: without part 0: len(p) > 1 or len(next(iter(p))) > 1",
        "Ring._mark: without part 1: len(p) > 1 or len(next(iter(p))) > 1",
        "Ring._mark: turned around: len(p) > 1",
        "Ring._mark: turned around: len(next(iter(p))) > 1",
    ],
    "Only an atom that is certainly positive has an exponent that is no integer, and it is asked first whether the atom is.": [
        "Ring._term_is: without part 0: e.denominator != 1 or not self._opposite_is(a, which)",
    ],
    "Learns 1 ≤ x twice.": ["Ring._enter: turned around: least > 1"],
    "A larger number in the name of a bound variable: still larger than all inside.": [
        "_height: without part 0: name[0] == '%' and name[1:].isdigit()",
    ],
    "Says to the type checker that a number has a value.": ["Ring._value: without part 1: number_of(t) or 0"],
    "A guard: what may be 0 has positive whole exponents in every monomial.": [
        "Ring.inverted: dropped: need(e > 0 and e.denominator == 1, 'a power of what may be 0",
        "Ring.inverted: without part 0: e > 0 and e.denominator == 1",
        "Ring.inverted: without part 1: e > 0 and e.denominator == 1",
        "Ring.inverted: turned around: e > 0",
    ],
    "The power 0 of an atom is 1; an atom that says so is left out by the next product, or tells more apart.": [
        "Ring.content: without part 0: e and self._positive(a)",
    ],
    "All terms are divided at once instead of those with the highest power: r·(1/d)^{k−1} is d·r·(1/d)^k for them too.": [
        "Ring.lowered: all of them:  for m, c in p.items() if dict(m).get(a) == most",
    ],
    "The whole part of an exponent between 0 and 1 is 0: the same, with more work.": [
        "Ring._folded: without part 2: isinstance(a, tuple) and a[0] == 'exp' and (not 0 < e < 1) a",
    ],
    "Which denominator is cleared first.": ["Ring.cleared: all of them:  for a in found if len(a[1]) == least"],
    "Says to the type checker what the choice of the roots says already.": ["Ring._folded: without part 1: logarithm_of(a[1]) or {}"],
}  # fmt: skip
"""Labels by their reason."""

SURVIVORS: dict[str, dict[str, str]] = {
    "terms": {
        "Term.__eq__: without part 0: self is other or (isinstance(other, Term) and self.code == o": SAME,
        "Term.__eq__: without part 1: isinstance(other, Term) and self.code == other.code and (sel": SAME,
        "Term.free: always: {self.data} if self.tag == 'f' else set()": "data of another node is no name with a signature",
        "abstract: never: s if x not in s.free else None": SAME,
        "instantiate.change: without part 0: given.sort == 'Z' or s.sort == given.sort": LESS,
        "shift: always: transform(term, change) if by and term.loose else term": SAME,
        "shift: without part 0: by and term.loose": SAME,
        "shift: without part 1: by and term.loose": SAME,
    },
    "notation": {},
    "polynomials": {
        "_digest: always: if id(a) not in done:": SAME,
        "_digest: always: sorted(parts) if isinstance(a, frozenset) else parts": ORDER,
        "_digest: never: [_digest(part, done, budget) for part in a] if isinstance(a,": ORDER,
        "_digest: never: sorted(parts) if isinstance(a, frozenset) else parts": ORDER,
        "add: never: c if factor == 1 else factor * c": SAME,
        "divided: all of them:  for a, e in k if e != dict(m).get(a)": LESS,
        "divided: turned around: e < 0": "no monomial has an exponent 0",
        "factors: always: if e:": "a prime to the power 0 adds nothing",
        "factors: turned around: p * p <= n": PRIME,
        "factors: turned around: p < 200": PRIME,
        "factors: without part 0: p * p <= n and p < 200": PRIME,
        "factors: without part 1: p * p <= n and p < 200": "takes longer",
        "multiply: always: monomial([*m, *n]) if m and n else m or n": SAME,
        "multiply: without part 0: m and n": SAME,
        "multiply: without part 1: m and n": SAME,
        "ordered: always: found if len(found) < 2 else sorted(found, key=lambda a: _di": ORDER,
        "ordered: never: found if len(found) < 2 else sorted(found, key=lambda a: _di": SAME,
        "ordered: turned around: len(found) < 2": ORDER,
        "quotient: never: q.numerator if q.denominator == 1 else q": "a fraction that is an integer is equal to it",
        "scaled: always: key(p) if least == 1 else frozenset(((m, quotient(c, least))": LESS,
        "scaled: never: key(p) if least == 1 else frozenset(((m, quotient(c, least))": SAME,
        "scaled: turned around: least == 1": LESS,
    },
    "ring": {label: reason for reason, labels in OF_THE_RING.items() for label in labels},
    "definedness": {},
    "sequents": {"arbitrary: dropped: need(x.tag == 'v', 'a variable is wanted')": GIVEN},
    "rules_logic": {
        "induction: without part 0: variable.tag == 'v' and variable.sort == 'Z' and (start.sort": GIVEN,
        "substitution: dropped: need(len(set(parameters)) == len(parameters), 'a parameter i": GIVEN,
        "substitution: without part 0: x.sort == 'R' and t.sort == 'Z'": "an integer for an integer is allowed anyway",
        "substitution: without part 0: x.tag == 'v' and (x.sort == t.sort or (x.sort == 'R' and t.s": GIVEN,
        "substitution: without part 1: x.sort == 'R' and t.sort == 'Z'": "the reader refuses formulas",
    },
    "rules_order": {},
    "rules_sums": {},
    "rules_calculus": {
        "slope_of: always: times(times(number(n), power(a, n - 1)), d(a)) if n else ZER": "0 times anything is 0",
        "slope_of: turned around: n >= 0": LESS,
        "derivative: without part 0: variable.tag == 'v' and variable.sort == 'R'": GIVEN,
        "extremum_multiple: without part 2: g == below(ZERO, factor) and extremum.tag in EXTREMA and (no": "a premise has no loose index",
        "integral_of_sum: dropped: need(POINT not in low.free | high.free, 'the range depends o": "no document can name that point",
    },
    "checker": {
        "Document.end: always: plain if left else ()": "the ring is not asked anything then",
        "check: always: why if isinstance(why, Refused) else 'nested too deeply'": SAID,
    },
}
