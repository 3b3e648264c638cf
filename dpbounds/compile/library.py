"""Small lemmas as steps, each written once in a document and used by substitution."""

from __future__ import annotations

from fractions import Fraction

from dpbounds.compile.steps import Steps
from dpbounds.kernel.terms import (
    MINUS,
    ONE,
    ZERO,
    Term,
    at_most,
    below,
    equal,
    instantiate,
    minus,
    negative,
    node,
    number,
    over,
    plus,
    power,
    times,
    variable,
)


class Library:
    """Lemmas of one document.

    Args:
        steps: the document.
    """

    def __init__(self, steps: Steps) -> None:
        self.steps = steps

    def instance(self, lemma: int, values: dict[Term, Term], *shown: int) -> int:
        """A lemma at given terms, with its hypotheses shown by steps.

        Raises:
            NotWritten: a hypothesis is none of the steps.
        """
        step = self.steps.write("substitution", lemma, terms=values, functions={})
        return self.steps.write("cut", step, *shown) if shown else step

    def logarithm(self, s: Term, a: Term, same: int) -> int:
        """e^s = a gives log a = s."""
        steps, u, v = self.steps, variable("u_", "R"), variable("v_", "R")
        given = steps.assume(equal(node("exp", u), v))
        grown = steps.write("log_monotone", given, steps.write("sign", formula=node("<", ZERO, node("exp", u))))
        lemma = steps.write("linear", grown, formula=equal(node("log", v), u), multipliers=[number(-1)])
        return self.instance(lemma, {u: s, v: a}, same)

    def root(self, s: Term, a: Term, r: Fraction, same: int, least: int, positive: int) -> int:
        """s^q = a^p, 0 < s and 0 < a give a^{p/q} = s."""
        steps, u, v = self.steps, variable("u_", "R"), variable("v_", "R")
        signs = [steps.assume(below(ZERO, u)), steps.assume(below(ZERO, v))]
        given = steps.assume(equal(power(u, r.denominator), power(v, r.numerator)))
        grown = steps.write("log_monotone", given, steps.write("sign", *signs, formula=below(ZERO, power(u, r.denominator))))
        logs = equal(node("log", v), times(number(1 / r), node("log", u)))
        order = steps.write("linear", grown, *signs, formula=logs, multipliers=[number(-1 / Fraction(r.numerator))])
        powers = steps.write("exp_monotone", steps.write("linear", order, formula=_scaled(logs, r), multipliers=[number(r)]))
        lemma = steps.write("linear", powers, *signs, formula=equal(node("pow", v, number(r)), u), multipliers=[ONE])
        return self.instance(lemma, {u: s, v: a}, same, least, positive)

    def normal_above(self, t: Term, least: int) -> int:
        """0 < t gives 1/2 < Φ(t)."""
        steps, u, x = self.steps, variable("u_", "R"), variable("x_", "R")
        order = steps.assume(below(ZERO, u))
        slope = steps.write("derivative", function=node("Phi", x), variable=x)
        sign = steps.write("sign", formula=below(ZERO, steps.formula(slope).parts[1]))
        rise = steps.write("monotone", slope, sign, order, variable=x, low=ZERO, high=u)
        middle = steps.write("normal_symmetry", term=ZERO)
        half = steps.write("linear", middle, formula=equal(node("Phi", ZERO), number("1/2")), multipliers=[number("1/2")])
        lemma = steps.write("linear", rise, half, formula=below(number("1/2"), node("Phi", u)), multipliers=[ONE, number(-1)])
        return self.instance(lemma, {u: t}, least)

    def normal_order(self, a: Term, b: Term, step: int, *, strict: bool) -> int:
        """Φ(a) ≤ Φ(b) gives a ≤ b, for b < a would give Φ(b) < Φ(a); also <."""
        write, u, v, x = self.steps.write, variable("u_", "R"), variable("v_", "R"), variable("x_", "R")
        given, goal = (self.steps.assume(node("<" if strict else "<=", *pair)) for pair in ((node("Phi", u), node("Phi", v)), (u, v)))
        split = write("total_order", **({"left": v, "right": u} if strict else {"left": u, "right": v}))
        wrong = next(f for f in self.steps.formula(split).parts if f != self.steps.formula(goal))
        slope = write("derivative", function=node("Phi", x), variable=x)
        sign = write("sign", formula=node(wrong.tag, ZERO, self.steps.formula(slope).parts[1]))
        rise = write("monotone", slope, sign, self.steps.assume(wrong), variable=x, low=v, high=u)
        bad = write("linear", given, rise, formula=below(node("Phi", u), node("Phi", u)), multipliers=[ONE, ONE])
        none = write("absurd", bad, write("irreflexive", term=node("Phi", u)), formula=self.steps.formula(goal))
        branches = [none if f == wrong else goal for f in self.steps.formula(split).parts]
        return self.instance(write("cases", split, *branches), {u: a, v: b}, step)

    def normal_tail(self, t: Term, least: int) -> int:
        """0 ≤ t gives Φ(−t) ≤ e^{−t²/2}.

        With N the density: N(x) ≤ e^{−t²/2}·(N(x − t) + N(x + t)) where |x| ≥ t. Both sides are integrated, and N over
        −t < x ≤ t, where its integral is Φ(t) − Φ(−t); over the line that is 1.
        """
        steps, write, u, x, half = self.steps, self.steps.write, variable("u_", "R"), variable("x_", "R"), number("1/2")
        order = steps.assume(at_most(ZERO, u))
        slope = write("derivative", function=node("Phi", x), variable=x)
        density = steps.formula(slope).parts[1]
        ends = write("linear", order, formula=at_most(negative(u), u), multipliers=[number(2)])
        area = write("fundamental_theorem", slope, write("sign", formula=at_most(ZERO, density)), ends, variable=x, low=negative(u), high=u)
        one = write("sign", formula=below(ZERO, ONE))
        bells = [write("gaussian_integral", one, mean=m) for m in (ZERO, u, negative(u))]
        scale, e = density.parts[0].parts[1], node("exp", times(number("-1/2"), power(u, 2)))
        scales = [scale, *[times(scale, e)] * 2]
        found = [write("part", k, number=0) for k in (area, *bells)]
        bounds = [write("integrable_multiple", k, factor=c) for k, c in zip(found[1:], scales, strict=True)]
        pair = write("integral_sum", *bounds[1:])
        every = write("integral_sum", found[0], write("part", pair, number=0))
        whole = write("part", every, number=0)
        inside = self._normal_pointwise(u, x, order, [instantiate(steps.formula(k).parts[0], x) for k in (found[0], *bounds)])
        grown = write("integral_monotone", inside, bounds[0], whole, variable=x)
        values = [write("part", k, number=1) for k in (every, pair, area, *bells)]
        rows = [grown, write("normal_symmetry", term=u), *values]
        weights = [*[half] * 5, times(number("-1/2"), scale), *(times(half, c) for c in scales[1:])]
        root = write("sign", formula=below(ZERO, scale))
        lemma = write("linear", *rows, root, formula=at_most(node("Phi", negative(u)), e), multipliers=weights)
        return self.instance(lemma, {u: t}, least)

    def _normal_pointwise(self, u: Term, x: Term, order: int, functions: list[Term]) -> int:
        """N(x) ≤ ite(−u < x ≤ u, N(x), 0) + e^{−u²/2}·(N(x − u) + N(x + u)), from a step 0 ≤ u.

        The functions are the second of the four, the first, and the last two.
        """
        write, (middle, left, *shifted) = self.steps.write, functions
        part, scale = middle.parts[0], left.parts[0]
        goal = at_most(left, plus(middle, plus(*shifted)))
        signs = [write("sign", formula=at_most(ZERO, f)) for f in functions if f != left]
        root = write("sign", formula=below(ZERO, scale))
        inside = write("excluded_middle", formula=part)
        yes, no = write.hypotheses(self.steps.formula(inside).parts)
        branch = write("branch", yes, then=middle.parts[1], other=ZERO)
        first = write("linear", branch, *signs[1:], root, formula=goal, multipliers=[MINUS, ONE, ONE])

        def beyond(fact: int, side: int) -> int:
            bound = plus(times(number("-1/2"), power(u, 2)), shifted[side].parts[1].parts[0])
            small = write("linear", fact, order, formula=at_most(left.parts[1].parts[0], bound), multipliers=[u])
            more = [write("exp_monotone", small), signs[2 - side], signs[0]]
            return write("linear", *more, root, formula=goal, multipliers=[scale, ONE, ONE])

        splits = [write("total_order", left=x, right=end) for end in (negative(u), u)]
        (low, above), (under, high) = (write.hypotheses(self.steps.formula(k).parts) for k in splits)
        wrong = write("absurd", write("conjunction", above, under), no, formula=goal)
        second = write("cases", splits[0], beyond(low, 1), write("cases", splits[1], wrong, beyond(high, 0)))
        return write("cases", inside, first, second)

    def below_root(self, a: Term, v: Term, order: int, *, strict: bool) -> int:
        """a² ≤ v gives a ≤ v^{1/2}, by cases a ≤ 0 and 0 < a; also <."""
        steps, u, w = self.steps, variable("u_", "R"), variable("v_", "R")
        tag, half = "<" if strict else "<=", number("1/2")
        given = steps.assume(node(tag, power(u, 2), w))
        goal = node(tag, u, node("pow", w, half))
        least = steps.write("linear", given, steps.write.square(u), formula=node(tag, ZERO, w), multipliers=[ONE, ONE])
        root = steps.write("sign", least, formula=node(tag, ZERO, node("pow", w, half)))
        split = steps.write("total_order", left=u, right=ZERO)
        low, high = steps.write.hypotheses(steps.formula(split).parts)
        first = steps.write("linear", low, root, formula=goal, multipliers=[ONE, ONE])
        exponent = steps.write("sign", formula=node(tag, ZERO, half))
        grown = steps.write("power_monotone", steps.write.square(u), given, exponent)
        second = steps.write("linear", grown, high, formula=goal, multipliers=[ONE])
        lemma = steps.write("cases", split, first, second)
        return self.instance(lemma, {u: a, w: v}, order)

    def root_of_power(self, a: Term, power_: Term, r: Term, least: int) -> int:
        """0 ≤ a gives (a^m)^r = a for m·r = 1 and 0 < r: what the checker's normal form does not see of a sum.

        Args:
            a: the base.
            power_: a^m.
            r: 1/m.
            least: 0 ≤ a.
        """
        steps, u = self.steps, variable("u_", "R")
        goal = equal(node("pow", node(power_.tag, u, *power_.parts[1:], data=power_.data), r), u)
        split = steps.write("total_order", left=u, right=ZERO)
        zero, some = (steps.assume(f) for f in steps.formula(split).parts)
        none = [
            steps.write("antisymmetric", zero, steps.assume(at_most(ZERO, u))),
            steps.write("power_of_zero", steps.write("sign", formula=below(ZERO, r))),
        ]
        ends = [steps.write("linear", *by, formula=goal, multipliers=[]) for by in (none, [some])]
        return self.instance(steps.write("cases", split, *ends), {u: a}, least)

    def root_below(self, v: Term, a: Term, *shown: int) -> int:
        """v^{1/2} ≤ a, from steps 0 ≤ v, v ≤ a² and 0 ≤ a."""
        steps, u, w, half = self.steps, variable("a_", "R"), variable("v_", "R"), number("1/2")
        given = [steps.assume(f) for f in (at_most(ZERO, w), at_most(w, power(u, 2)), at_most(ZERO, u))]
        order = steps.write("power_monotone", *given[:2], steps.write("sign", formula=at_most(ZERO, half)))
        same = self.root_of_power(u, power(u, 2), half, given[2])
        lemma = steps.write("linear", order, same, formula=at_most(node("pow", w, half), u), multipliers=[ONE, ONE])
        return self.instance(lemma, {u: a, w: v}, *shown)

    def mean(self, a: Term, b: Term, c: Term, share: Term, *shown: int) -> int:
        """c ≤ θa + (1−θ)b for θ log a + (1−θ) log b = log c: with m = θa + (1−θ)b, log(a/m) ≤ a/m − 1, and log(b/m) likewise.

        The steps show 0 < a, 0 < b, 0 < c, 0 ≤ θ, 0 ≤ 1 − θ and the equation.
        """
        steps = self.steps
        u, v, w, s = (variable(f"{n}_", "R") for n in "uvws")
        rest = minus(ONE, s)
        signs = [steps.assume(f) for f in (below(ZERO, u), below(ZERO, v), at_most(ZERO, s), at_most(ZERO, rest))]
        m = plus(times(s, u), times(rest, v))
        split = steps.write("total_order", left=s, right=number("1/2"))
        branches = []
        for f, large, own in zip(steps.formula(split).parts, (rest, s), (v, u), strict=True):
            half = steps.write("linear", steps.assume(f), formula=below(ZERO, large), multipliers=[ONE])
            part = steps.write("sign", half, *signs, formula=below(ZERO, times(large, own)))
            other = steps.write("sign", *signs, formula=at_most(ZERO, times(minus(ONE, large) if large == s else s, v if own == u else u)))
            branches.append(steps.write("linear", part, other, formula=below(ZERO, m), multipliers=[ONE, ONE]))
        mean = steps.write("cases", split, *branches)
        logs = [minus(node("log", x), node("log", m)) for x in (u, v)]
        tangents = [steps.write("exp_above", term=t) for t in logs]
        goal = at_most(plus(times(s, logs[0]), times(rest, logs[1])), ZERO)
        order = steps.write("linear", *tangents, *signs, mean, formula=goal, multipliers=[s, rest])
        same = steps.assume(equal(plus(times(s, node("log", u)), times(rest, node("log", v))), node("log", w)))
        some = steps.assume(below(ZERO, w))
        below_ = steps.write("linear", order, same, formula=at_most(node("log", w), node("log", m)), multipliers=[ONE, MINUS])
        lemma = steps.write("linear", steps.write("exp_monotone", below_), some, mean, formula=at_most(w, m), multipliers=[ONE])
        return self.instance(lemma, {u: a, v: b, w: c, s: share}, *shown)

    def logarithm_above(self, x: Term, least: int) -> int:
        """1 − 1/x + 3(x − 1)²/(2x(x + 2)) ≤ log x for 0 < x: the difference has the slope (t − 1)³/(t²(t + 2)²)."""
        steps, v, t = self.steps, variable("v_", "R"), variable("t_", "R")
        order = steps.assume(below(ZERO, v))
        low, high = node("min", ONE, v), node("max", ONE, v)
        bounds = steps.write("maximum", left=ONE, right=v)
        at_one, at_v, from_one, from_v = (steps.write("part", bounds, number=k) for k in range(4))
        above = steps.write("sign", order, formula=below(ZERO, low))
        here = steps.write("linear", above, steps.assume(at_most(low, t)), formula=below(ZERO, t), multipliers=[ONE, ONE])
        two = plus(t, number(2))
        start = steps.write("linear", here, formula=below(ZERO, two), multipliers=[ONE])
        gap = minus(node("log", t), _sharp(t))
        derivative = steps.write("derivative", here, start, function=gap, variable=t)
        slope = steps.formula(derivative).parts[1]
        form = over(power(minus(t, ONE), 4), times(power(t, 2), power(two, 2)))
        shape = steps.write("sign", here, start, formula=at_most(ZERO, form))
        goal = at_most(ZERO, times(slope, minus(t, ONE)))
        sign = steps.write("linear", shape, here, start, formula=goal, multipliers=[ONE])
        valley = steps.write("valley", derivative, sign, from_one, at_one, from_v, at_v, variable=t, low=low, high=high, at=ONE, to=v)
        lemma = steps.write("linear", valley, order, formula=at_most(_sharp(v), node("log", v)), multipliers=[ONE])
        return self.instance(lemma, {v: x}, least)


def _sharp(t: Term) -> Term:
    """1 − 1/t + 3(t − 1)²/(2t(t + 2))."""
    square = over(over(times(number("3/2"), power(minus(t, ONE), 2)), t), plus(t, number(2)))
    return plus(minus(ONE, power(t, -1)), square)


def _scaled(equation: Term, r: Fraction) -> Term:
    return equal(*(times(number(r), side) for side in equation.parts))
