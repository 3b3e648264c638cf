"""Sums of independent values: brute force over all messages, mpmath from the definition, and what each error term is for."""

import itertools
from collections import defaultdict
from dataclasses import replace
from fractions import Fraction
from functools import partialmethod

import mpmath
import pytest
from flint import arb

from dpbounds import accounting
from dpbounds.accounting.inverse import search
from dpbounds.numbers import binomial
from dpbounds.numbers.balls import precision
from dpbounds.shuffle import positive_part as engine
from dpbounds.shuffle.mechanism import Shuffled
from dpbounds.shuffle.positive_part import Values, positive_part
from dpbounds.shuffle.published import clone_delta
from dpbounds.shuffle.response import summand


def response_delta(users, answers, local, epsilon, others):
    """δ of shuffled responses, or the blanket bound for `others` = "any"."""
    return positive_part(summand(answers, local, epsilon, others), users)


def rows(answers, local):
    """The laws of a message, symbol by symbol."""
    grown = mpmath.exp(local)
    return [[(grown if y == x else mpmath.mpf(1)) / (grown + answers - 1) for y in range(answers)] for x in range(answers)]


def by_all_messages(users, answers, local, epsilon, held):
    """δ over all k^n messages, those of one histogram joined; the one user is first."""
    laws, level = rows(answers, mpmath.mpf(local)), mpmath.exp(mpmath.mpf(epsilon))
    p, q = defaultdict(mpmath.mpf), defaultdict(mpmath.mpf)
    for sent in itertools.product(range(answers), repeat=users):
        key, beside = tuple(sorted(sent)), mpmath.fprod(laws[x][y] for x, y in zip(held, sent[1:], strict=True))
        p[key] += beside * laws[0][sent[0]]
        q[key] += beside * laws[1][sent[0]]
    return mpmath.fsum(max(p[key] - level * q[key], 0) for key in p)


def blanket_by_all_messages(users, answers, local, epsilon):
    """The blanket's pair: each other user reveals its input (a symbol of its own) or sends a uniform symbol."""
    laws, level, hidden = rows(answers, mpmath.mpf(local)), mpmath.exp(mpmath.mpf(epsilon)), answers
    gamma = answers / (mpmath.exp(mpmath.mpf(local)) + answers - 1)
    other = [gamma / answers] * answers + [1 - gamma]
    p, q = defaultdict(mpmath.mpf), defaultdict(mpmath.mpf)
    for sent in itertools.product(range(answers), *[range(hidden + 1)] * (users - 1)):
        key, beside = tuple(sorted(sent)), mpmath.fprod(other[y] for y in sent[1:])
        p[key] += beside * laws[0][sent[0]]
        q[key] += beside * laws[1][sent[0]]
    return mpmath.fsum(max(p[key] - level * q[key], 0) for key in p)


def encloses(ball, value, width="1e-17"):
    """The ball has the value, up to mpmath's own errors, and is not wide."""
    with mpmath.workdps(40):
        middle, radius = mpmath.mpf(ball.mid().str(40, radius=False)), mpmath.mpf(float(ball.rad()))
        return abs(middle - value) <= radius + mpmath.mpf("1e-33") and radius <= mpmath.mpf(width) * abs(value)


CASES = [(n, k) for k in (2, 3, 4) for n in (1, 2, 3, 4)]


@pytest.mark.parametrize(("users", "answers"), [*CASES, (6, 2), (5, 3)])
@pytest.mark.parametrize(("epsilon", "local"), [("0.1", "1"), ("0.5", "2")])
def test_every_message_counted(users, answers, epsilon, local):
    with mpmath.workdps(40):
        for symbol in range(answers):
            others = ("0", "1", "third")[min(symbol, 2)]
            truth = by_all_messages(users, answers, local, epsilon, [symbol] * (users - 1))
            with precision(120):
                assert encloses(response_delta(users, answers, arb(local), arb(epsilon), others), truth)


@pytest.mark.parametrize(("users", "answers"), [(1, 2), (2, 2), (5, 2), (1, 3), (4, 3), (3, 4)])
@pytest.mark.parametrize("epsilon", ["0", "0.3"])
def test_the_blanket_by_all_messages(users, answers, epsilon):
    with mpmath.workdps(40):
        truth = blanket_by_all_messages(users, answers, "1", epsilon)
    with precision(120):
        assert encloses(response_delta(users, answers, arb(1), arb(epsilon), "any"), truth)


@pytest.mark.parametrize("held", [(0, 1, 2), (1, 1, 2), (0, 0, 1), (2, 2, 2)])
def test_the_blanket_bounds_mixed_data(held):
    with mpmath.workdps(30):
        mixed = by_all_messages(4, 3, "1", "0.2", list(held))
    with precision(120):
        bound = response_delta(4, 3, arb(1), arb("0.2"), "any")
        assert bound >= arb(mpmath.nstr(mixed, 25)) - arb("1e-20")


def test_a_third_symbol_is_not_the_worst_data():
    """Others may be mixed: the maximum over what is known is a lower bound only, and below the blanket."""
    with precision(120):
        known = [response_delta(50, 3, arb(2), arb("0.4"), others) for others in ("0", "1", "third")]
        assert max(known, key=lambda ball: float(ball.mid())) <= response_delta(50, 3, arb(2), arb("0.4"), "any")


def definition_with_two_answers(users, local, epsilon, others):
    """δ = Σ_b (P(b) − e^ε Q(b))₊ for the number b of messages 0: others' binomial, and the one user's message."""
    grown = mpmath.exp(mpmath.mpf(local))
    truth = grown / (1 + grown)
    share = truth if others == "0" else 1 - truth
    beside = [mpmath.binomial(users - 1, b) * share**b * (1 - share) ** (users - 1 - b) for b in range(users)]

    def law(zero):
        return [zero * (beside[b - 1] if b else 0) + (1 - zero) * (beside[b] if b < users else 0) for b in range(users + 1)]

    level = mpmath.exp(mpmath.mpf(epsilon))
    return mpmath.fsum(max(0, p - level * q) for p, q in zip(law(truth), law(1 - truth), strict=True))


@pytest.mark.parametrize("others", ["0", "1"])
@pytest.mark.parametrize(("epsilon", "local"), [("0.05", "1"), ("0.9", "1"), ("1.9", "2")])
def test_two_answers_from_the_definition(others, epsilon, local):
    with mpmath.workdps(60):
        truth = definition_with_two_answers(300, local, epsilon, others)
    with precision(140):
        assert (response_delta(300, 2, arb(local), arb(epsilon), others) / arb(mpmath.nstr(truth, 45)) - 1).contains(0)


def test_two_methods_for_many_users():
    """Three values by the recurrence and by the double sum, with the middle value taken apart into two that are almost equal."""
    with precision(190):
        law = summand(10, arb(2), arb("0.1"), "0")
        (top, middle, bottom), (first, rest, last) = law.values, law.weights
        apart = Values((top, middle, middle - arb("1e-20"), bottom), (first, rest / 3, 2 * rest / 3, last))
        one, other = positive_part(law, 500), positive_part(apart, 500)
        assert one.rel_accuracy_bits() > 60 and other.rel_accuracy_bits() > 60 and abs(one / other - 1) < arb("1e-15")


@pytest.mark.parametrize(
    ("users", "answers", "others"), [(10**9, 2, "0"), (10**6, 10, "0"), (10**6, 100, "1"), (2000, 5, "third"), (10**5, 10, "any")]
)
def test_precisions_agree(users, answers, others):
    found = []
    for bits in (120, 180):
        with precision(bits):
            epsilon = arb(3) / arb(users).sqrt()
            found.append(response_delta(users, answers, arb(2), epsilon, others))
    assert found[0].overlaps(found[1]) and found[0].rel_accuracy_bits() > 40 and found[1].rel_accuracy_bits() > 100


SMALL = {"two": (40, 2, "0"), "three": (40, 4, "0"), "four": (25, 5, "third")}


@pytest.mark.parametrize("case", ["three", "four"])
def test_what_lies_outside_of_the_windows_counts(case, monkeypatch):
    users, answers, others = SMALL[case]
    with precision(120):
        truth = response_delta(users, answers, arb(1), arb("0.1"), others)
        monkeypatch.setattr(engine, "bernstein", lambda count, p, reach: (2, arb(1)))
        assert response_delta(users, answers, arb(1), arb("0.1"), others).overlaps(truth)
        monkeypatch.setattr(engine, "bernstein", lambda count, p, reach: (2, arb("1e-60")))
        assert not response_delta(users, answers, arb(1), arb("0.1"), others).overlaps(truth)


@pytest.mark.parametrize("case", ["three", "four"])
def test_places_of_the_sign_may_be_rounded(case, monkeypatch):
    users, answers, others = SMALL[case]
    sharp = engine._Edge.rounded.__func__

    def rough(cls, *parts):
        with monkeypatch.context() as within:
            within.setattr(engine, "working_bits", lambda: 1)
            return sharp(cls, *parts)

    with precision(120):
        truth = response_delta(users, answers, arb(1), arb("0.1"), others)
        monkeypatch.setattr(engine._Edge, "rounded", classmethod(rough))
        assert response_delta(users, answers, arb(1), arb("0.1"), others).overlaps(truth)
        monkeypatch.setattr(engine._Edge, "rounded", classmethod(lambda *given: replace(rough(*given), error=arb(0))))
        assert not response_delta(users, answers, arb(1), arb("0.1"), others).overlaps(truth)


@pytest.mark.parametrize("others", ["third", "any"])
def test_what_is_taken_too_much_counts(others, monkeypatch):
    """Counts below the window of I are taken although S may be negative there; every second call of `bernstein` in a band bounds them."""
    with precision(120):
        truth, sharp = response_delta(25, 5, arb(1), arb("0.1"), others), engine.bernstein

        def short(count, p, reach):
            return 1, 2 * (-1 / (2 * (count * p * (1 - p) + arb(1) / 3))).exp()

        for below, kept in ((short, True), (lambda *given: (1, arb("1e-60")), False)):
            calls = itertools.chain([sharp, sharp], itertools.cycle([sharp, below]))
            monkeypatch.setattr(engine, "bernstein", lambda *given, calls=calls: next(calls)(*given))
            assert response_delta(25, 5, arb(1), arb("0.1"), others).overlaps(truth) is kept


@pytest.mark.parametrize("others", ["third", "any"])
def test_a_band_counts_with_its_probability(others, monkeypatch):
    """What a band leaves out is weighed with a bound on the probability of the band."""
    users, p, sharp = 25, arb(1) / 3, engine.bernstein
    with precision(120):
        for band, bound in engine.bands(users, p, 0, users):
            mass = sum((binomial.log_mass(users, count, p, 1 - p).exp() for count in band), arb(0))
            assert mass <= bound * (1 + arb("1e-30")) and bound <= 1
        truth, sharp_bands = response_delta(users, 5, arb(1), arb("0.1"), others), engine.bands
        for scale, kept in ((arb(1), True), (arb("1e-60"), False)):
            windows = itertools.cycle([lambda *given: (1, arb(1)), lambda count, p, reach: sharp(count, p, 50.0)])
            calls = itertools.chain([sharp, sharp], windows)
            monkeypatch.setattr(engine, "bernstein", lambda *given, calls=calls: next(calls)(*given))
            monkeypatch.setattr(engine, "bands", lambda *given, scale=scale: ((band, p * scale) for band, p in sharp_bands(*given)))
            assert response_delta(users, 5, arb(1), arb("0.1"), others).overlaps(truth) is kept


@pytest.mark.parametrize(("answers", "others"), [(2, "0"), (4, "1"), (5, "third"), (5, "any")])
def test_the_line_lies_below_and_touches(answers, others):
    """P(A) − uQ(A) is at most δ at every u, and is δ here; its fall is that of neighbours."""
    with precision(140):
        here, local = arb("0.1"), arb(1)
        value, line = engine.value_and_fall(summand(answers, local, here, others), 60)
        height, fall = line
        assert value.overlaps(height)
        for there in ("0", "0.09", "0.0999999", "0.1000001", "0.12", "0.5"):
            moved = height - fall * (arb(there).exp() - here.exp())
            assert moved <= response_delta(60, answers, local, arb(there), others) + arb("1e-30")
        chord = (response_delta(60, answers, local, arb("0.0999999"), others) - value) / (here.exp() - arb("0.0999999").exp())
        assert abs(chord / fall - 1) < arb("1e-4")


@pytest.mark.parametrize("others", ["third", "any"])
def test_what_whole_numbers_cut_off_counts(others, monkeypatch):
    sharp = binomial.FallingSums.__init__

    def rough(self, *given, off=None):
        with monkeypatch.context() as within:
            within.setattr(binomial, "working_bits", lambda: 60)
            sharp(self, *given)
        self.off = self.off if off is None else off

    with precision(140):
        truth = response_delta(400, 5, arb(1), arb("0.1"), others)
        monkeypatch.setattr(binomial.FallingSums, "__init__", rough)
        found = response_delta(400, 5, arb(1), arb("0.1"), others)
        assert found.overlaps(truth) and 1 < found.rel_accuracy_bits() < 40
        monkeypatch.setattr(binomial.FallingSums, "__init__", partialmethod(rough, off=arb(0)))
        monkeypatch.setattr(engine, "between_zero_and", lambda bound: arb(0))
        assert not response_delta(400, 5, arb(1), arb("0.1"), others).overlaps(truth)


CHAINS = {
    "short": (60, 20, [55, 49, 41, 41, 30]),
    "anew where beta grows": (30, 12, [42, 40, 45, 44, 10]),
    "to no hits of one kind": (9, 4, [50, 20, 1, 1, 1]),
}


@pytest.mark.parametrize("chain", CHAINS)
@pytest.mark.parametrize("p", ["0.001", "0.3", "0.999"])
def test_sums_along_chains_from_the_definition(p, chain):
    users, (count, hits, leasts) = 120, CHAINS[chain]
    with precision(120), mpmath.workdps(60):
        kinds, share = [mpmath.mpf(w) for w in ("0.125", "0.25", "0.625")], mpmath.mpf(p)
        sums, truths = binomial.FallingSums(users, (arb(1) / 8, arb(1) / 4), arb(5) / 8, arb(p), 1 - arb(p)), [mpmath.mpf(0)] * 3
        for step, least in enumerate(leasts):
            total, h = count - 2 * step, hits - step
            parts = [h, total - h, users - total]
            weight = mpmath.factorial(users) * mpmath.fprod(w**i / mpmath.factorial(i) for w, i in zip(kinds, parts, strict=True))
            m = users - total
            masses = [mpmath.binomial(m, b) * share**b * (1 - share) ** (m - b) for b in range(least, m + 1)]
            terms = [weight * sum(masses), weight * total * sum(masses), weight * least * masses[0]]
            truths = [truth + term for truth, term in zip(truths, terms, strict=True)]
        for _ in range(2):  # from a place that is kept, too
            found = sums.along(count, hits, leasts)
            assert all(encloses(part, truth) and part.rel_accuracy_bits() > 40 for part, truth in zip(found, truths, strict=True))


@pytest.mark.parametrize("p", ["0.01", "0.3"])
def test_what_lies_beyond_the_first_place_counts(p, monkeypatch):
    """A tail that begins too near misses the geometric series beyond it."""
    with precision(120), mpmath.workdps(60):
        share = mpmath.mpf(p)
        truth = arb(mpmath.nstr(mpmath.fsum(mpmath.binomial(90, b) * share**b * (1 - share) ** (90 - b) for b in range(40, 91)), 50))
        monkeypatch.setattr(binomial.math, "sqrt", lambda value: 0.0)
        sums = binomial.FallingSums(100, (arb(1) / 8, arb(1) / 4), arb(5) / 8, arb(p), 1 - arb(p))
        found = sums.fresh(90, 40)[2] * sums.unit
        assert found.contains(truth) and not (arb(found.mid()) * arb(1, sums.off.upper())).contains(truth)


def by_histograms(users, answers, local, epsilon, others):
    """δ from the definition, symbols without a part of their own joined: P(y) = Σ_x p_0(x)·multinomial(y − e_x; n − 1, r)."""
    grown, level = mpmath.exp(local), mpmath.exp(epsilon)
    rare, left = 1 / (grown + answers - 1), answers - (3 if others == "third" else 2)
    p = [grown * rare, rare, rare, left * rare] if others == "third" else [grown * rare, rare, mpmath.mpf(0), left * rare]
    q = [p[1], p[0], p[2], p[3]]
    r = [rare, rare, grown * rare if others == "third" else (grown - 1) * rare, left * rare]
    fact, total = [mpmath.factorial(i) for i in range(users + 1)], mpmath.mpf(0)
    power = [[w**i for i in range(users + 1)] for w in r]
    for a, b, c in itertools.product(range(users + 1), repeat=3):
        if a + b + c > users:
            continue
        y = (a, b, c, users - a - b - c)
        whole = fact[users - 1] * mpmath.fprod(power[g][i] / fact[i] for g, i in enumerate(y))
        parts = [whole * i / r[g] for g, i in enumerate(y)]
        total += max(0, mpmath.fdot(p, parts) - level * mpmath.fdot(q, parts))
    return total


@pytest.mark.parametrize("others", ["third", "any"])
@pytest.mark.parametrize(("users", "answers", "local", "epsilon"), [(14, 5, "1", "0.1"), (18, 9, "2", "0.9"), (16, 4, "3", "2.9")])
def test_four_values_from_the_definition(users, answers, local, epsilon, others):
    with mpmath.workdps(40):
        truth = by_histograms(users, answers, mpmath.mpf(local), mpmath.mpf(epsilon), others)
        with precision(120):
            assert encloses(response_delta(users, answers, arb(local), arb(epsilon), others), truth)


def test_bernstein_bounds_the_tails():
    with precision(80), mpmath.workdps(30):
        for count, p in [(50, "0.1"), (400, "0.5"), (400, "0.01")]:
            distance, bound = engine.bernstein(count, arb(p), 12.0)
            share = mpmath.mpf(p)
            far = [b for b in range(count + 1) if abs(b - count * share) >= distance]
            tail = mpmath.fsum(mpmath.binomial(count, b) * share**b * (1 - share) ** (count - b) for b in far)
            assert tail <= float(bound.upper()) and bound < 1e-4


def test_zero_and_beyond():
    assert accounting.delta(Shuffled(10, 1, 3), 1).upper == "0"
    assert accounting.delta(Shuffled(10, "log(3)", 3), "log(3)").upper == "0"
    assert accounting.epsilon(Shuffled(10, 1, 3), "0.9").upper == "0"
    with precision(100):
        assert positive_part(Values((arb(2), arb(1)), (arb(1) / 2, arb(1) / 2)), 7).overlaps(arb(3) / 2)
        assert positive_part(Values((arb(-1), arb(-2)), (arb(1) / 2, arb(1) / 2)), 7) == 0


@pytest.mark.parametrize(("answers", "others"), [(2, "0"), (10, "1"), (10, "third"), (10, "any")])
def test_rare_messages_keep_their_digits(answers, others):
    """Probabilities of e^{-100} beside others of nearly 1, which no difference from 1 may give."""
    found = accounting.delta(Shuffled(30, 100, answers, others), 90).enclosure
    fewer = accounting.delta(Shuffled(30, 99, answers, others), 90).enclosure
    assert found.meets(15) and found.lower >= fewer.upper or found.upper == 1
    with mpmath.workdps(120):
        truth = by_histograms(6, answers, mpmath.mpf(100), mpmath.mpf(90), others) if answers > 2 and others in ("third", "any") else None
    with precision(200):
        assert truth is None or (response_delta(6, answers, arb(100), arb(90), others) / arb(mpmath.nstr(truth, 60)) - 1).contains(0)


def test_next_to_the_local_epsilon():
    """All but one value of a message have no weight left under the tilt."""
    found = accounting.delta(Shuffled(1, "1/2", 4, "third"), "0.4999999995").enclosure
    with mpmath.workdps(40):
        grown = mpmath.exp(mpmath.mpf("0.5"))
        truth = (grown - mpmath.exp(mpmath.mpf("0.4999999995"))) / (grown + 3)
    assert found.meets(15) and abs(mpmath.mpf(found.lower_float) / truth - 1) < 1e-14


def test_epsilon_inverts_delta():
    mechanism = Shuffled(1000, 2, 4, "third")
    found = accounting.epsilon(mechanism, "1e-80", digits=12)
    assert accounting.delta(mechanism, found.enclosure.lower).enclosure >= Fraction(1, 10**80)
    assert accounting.delta(mechanism, found.enclosure.upper).enclosure <= Fraction(1, 10**80)


def test_clones_lie_above_the_blanket():
    with precision(120):
        for users, local, epsilon in [(1000, "1", "0.2"), (10_000, "2", "0.2")]:
            blanket = response_delta(users, 2, arb(local), arb(epsilon), "any")
            stronger = clone_delta(users, arb(local), arb(epsilon), stronger=True)
            assert stronger.overlaps(blanket) and clone_delta(users, arb(local), arb(epsilon)) > stronger


def test_epsilon_takes_few_sums(monkeypatch):
    """Tangents bound the root from one side, chords from the other: no point is spent on the second side."""
    asked, evaluate = [], search.evaluate
    monkeypatch.setattr(search, "evaluate", lambda *given, **more: asked.append(given[2]) or evaluate(*given, **more))
    found = accounting.epsilon(Shuffled(10**4, 2, 10), "1e-40")
    assert found.enclosure.meets(15) and len(asked) <= 12  # three data sets of the others


@pytest.mark.parametrize(("answers", "local", "others"), [(4, "1.577", "third"), (5, "0.4471", "any"), (20, "0.5", "any"), (5, "1", "0")])
def test_the_line_at_epsilon_0_is_below_delta_where_two_values_are_equal(answers, local, others):
    """At ε = 0 the values of both middle messages are 0, but fall differently as ε grows."""
    with precision(160):
        height, fall = engine.value_and_fall(summand(answers, arb(local), arb(0), others), 5)[1]
        for at in (arb("0.001"), arb("0.05"), arb("0.2")):
            assert height - fall * at.expm1() < positive_part(summand(answers, arb(local), at, others), 5) * (1 + arb("1e-20"))


@pytest.mark.parametrize(
    ("users", "local", "answers", "others", "target"), [(2, "1.577", 4, "third", "0.3991"), (2, "0.4471", 5, "any", "0.07811")]
)
def test_a_search_by_the_line_at_epsilon_0_finds_epsilon(users, local, answers, others, target):
    mechanism = Shuffled(users, local, answers, others)
    found = accounting.epsilon(mechanism, target, digits=8).enclosure
    ends = [accounting.delta(mechanism, end, digits=16).enclosure for end in (found.lower, found.upper)]
    assert found.meets(8) and ends[0].high >= arb(target).lower() and ends[1].low <= arb(target).upper()
