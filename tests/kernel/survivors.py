"""Changed conditions of the checker that no test notices, each with the reason why nothing false is proved with it."""

from __future__ import annotations

ORDER = "the order of atoms decides which form is found, and not what it says"
PRIME = "what is left counts as a prime, which only leaves identities unseen"
SAME = "the same value, found in another way"
SAID = "what a message says"
LESS = "refuses more"
GIVEN = "those who call it give what is wanted"

SURVIVORS: dict[str, dict[str, str]] = {
    "terms": {
        "Term.__eq__: never: if self is other:": SAME,
        "Term.__eq__: without part 1: not isinstance(other, Term) or self.code != other.code": SAME,
        "Term.__eq__: without part 0: self.tag == other.tag and self.data == other.data and (self.": "the hash tells tags apart",
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
    "ring": {},
    "definedness": {},
    "sequents": {"arbitrary: dropped: need(x.tag == 'v', 'a variable is wanted')": GIVEN},
    "rules_logic": {
        "induction: without part 0: variable.tag == 'v' and variable.sort == 'Z' and (start.sort": GIVEN,
        "substitution: dropped: need(len(set(parameters)) == len(parameters), 'a parameter i": GIVEN,
        "substitution: without part 0: x.sort == 'R' and t.sort == 'Z'": "an integer for an integer is allowed anyway",
        "substitution: without part 0: x.tag == 'v' and (x.sort == t.sort or (x.sort == 'R' and t.s": GIVEN,
        "substitution: without part 1: x.sort == 'R' and t.sort == 'Z'": "the reader refuses formulas",
    },
    "rules_order": {
        "_has_sign: always: POSITIVE if kind == NONZERO else kind": LESS,
        "_has_sign: never: NONNEGATIVE if kind == NONNEGATIVE else POSITIVE": LESS,
        "_has_sign: never: POSITIVE if kind == NONZERO else kind": "the least of numbers that are not 0 is not 0",
        "_has_sign: not any: any((_has_sign(known, part, POSITIVE) for part in t.parts))": LESS,
        "_has_sign: turned around: kind == NONZERO": "the least of numbers that are not 0 is not 0, and the rest asks for more",
        "_has_sign: turned around: kind == POSITIVE": "an even power of what is not 0 is not 0",
        "_has_sign: without part 0: kind == NONNEGATIVE or parts_are(NONZERO)": "the ring knows that |t| is at least 0",
        "_has_sign: without part 0: kind == POSITIVE and parts_are(NONZERO)": "an even power of what is not 0 is not 0",
        "_has_sign: without part 0: n == 0 or even or parts_are(kind)": "the ring knows that t to the power 0 is 1",
        "_has_sign: without part 1: kind == NONNEGATIVE or (kind == POSITIVE and parts_are(NONZE": LESS,
        "_has_sign: without part 2: n == 0 or even or parts_are(kind)": "the ring knows the sign of a power of what has one",
    },
    "rules_sums": {},
    "rules_calculus": {},
    "checker": {
        "Document.end: always: plain if left else ()": "the ring is not asked anything then",
        "check: always: why if isinstance(why, Refused) else 'nested too deeply'": SAID,
    },
}
