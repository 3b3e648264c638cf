"""Declared shapes: proved before they are used, refused without a trace, and certificates that survive no edit."""

import copy
import json

import pytest
import sympy
from sympy import Abs, Eq, Max, Or, Rational, exp, log, sqrt

from dpbounds import FAILS, HOLDS, Boxes, Claim, Concave, Convex, Decreasing, Increasing, Verdict, settle
from dpbounds.claims import certificate
from dpbounds.claims.certify import cover
from dpbounds.claims.cover_text import statements_of
from dpbounds.claims.hints import HintedCover, cover_by_hints
from dpbounds.claims.replay import replay
from dpbounds.claims.stated import Stated
from dpbounds.errors import CertificateError
from dpbounds.kernel.notation import show
from dpbounds.language.functions import SampledGaussianRenyi
from dpbounds.language.symbols import integer, nonnegative, positive, real

x, y = real("x y")
q, s, n = positive("q"), positive("s"), integer("n")
amplified = log(1 + q * (exp(x) - 1))
divergence = SampledGaussianRenyi(Rational(5, 2), s, q)
SQUARE = [x >= 0, x <= 1, q <= 1]
SHAPES = [Increasing, Decreasing, Convex, Concave]


def claim(then, *given, hints=(), budget=1500, **changes):
    return Claim(id="c", text="", given=given, then=then, by=Boxes(budget=budget, hints=tuple(hints)), **changes)


def hinted(made):
    """The cover through declarations; it must survive replay."""
    found = cover_by_hints(made, made.by)
    if isinstance(found, HintedCover):
        assert replay(certificate.of_cover(made, found, 80), made).verdict is Verdict.CERTIFIED
    return found


# --- what a declaration is worth ------------------------------------------------------------------------------------


def test_a_rising_expression_is_decided_at_its_end():
    made = claim(amplified <= Rational(101, 100) * x, *SQUARE, hints=[Increasing(amplified, q)])
    found = hinted(made)
    assert [at for at, _ in found.faces] == [1]
    assert found.slope.leaves + sum(face.leaves for face in found.covers) < cover(made, Boxes()).leaves


def test_a_falling_expression_is_decided_at_its_other_end():
    made = claim(exp(-q * x) <= 1, *SQUARE, hints=[Decreasing(exp(-q * x), q)])
    assert [at for at, _ in hinted(made).faces] == [0]


def test_a_convex_expression_is_decided_at_both_ends():
    made = claim(exp(x * y) <= 1 + Rational(7, 4) * Abs(y), x >= 0, x <= 1, y >= 0, y <= 1, hints=[Convex(exp(x * y), x)])
    assert isinstance(hinted(made), list)  # Abs is not smooth
    made = claim(exp(x * y) <= 1 + Rational(7, 4) * y, x >= 0, x <= 1, y >= 0, y <= 1, hints=[Convex(exp(x * y), x)])
    assert [at for at, _ in hinted(made).faces] == [0, 1]


def test_a_concave_large_side_is_decided_at_both_ends():
    made = claim(log(1 + x) >= x / 2, x >= 0, x <= 1, hints=[Concave(log(1 + x), x)])
    assert isinstance(hinted(made), HintedCover)


def test_an_end_may_depend_on_other_variables():
    moment = log(1 + q**2 * (exp(1 / s**2) - 1))
    made = claim(moment <= Rational(1, 100), s >= 1, q <= 1 / (16 * s), hints=[Increasing(moment, q)])
    assert [at for at, _ in hinted(made).faces] == [1 / (16 * s)]


def test_several_declarations_take_several_variables_away():
    whole = x * y + q * s
    made = claim(
        whole <= 2, x >= 0, x <= 1, y >= 0, y <= 1, q <= 1, s <= 1, hints=[Increasing(whole, q), Increasing(x * y + s, s), Convex(x * y, x)]
    )
    found = hinted(made)
    (_, inner), *_ = found.faces
    assert isinstance(inner, HintedCover) and inner.hint.variable == s


def test_integers_are_taken_as_reals():
    made = claim(2**n >= 1, n >= 0, n <= 40, hints=[Increasing(2**n, n)])
    assert [at for at, _ in hinted(made).faces] == [0]


def test_an_end_that_the_domain_excludes_is_used_where_the_statement_has_a_value():
    good = claim(exp(q) > 1, q <= 1, hints=[Increasing(exp(q), q)])
    assert isinstance(hinted(good), list)  # at q = 0 both sides meet, and the statement is strict
    loose = claim(exp(q) >= 1, q <= 1, hints=[Increasing(exp(q), q)])
    assert isinstance(hinted(loose), HintedCover)
    no_value = claim(log(q) + 10 >= -1 / q, q <= 1, hints=[Increasing(log(q), q), Increasing(log(q) + 1 / q, q)])
    assert isinstance(hinted(no_value), list)


# --- declarations that are false, or say nothing ---------------------------------------------------------------------

TRUE = [
    claim(amplified <= Rational(101, 100) * x, *SQUARE, expect=HOLDS),
    claim(x * (1 - x) <= Rational(26, 100), x >= 0, x <= 1, expect=HOLDS),
    claim(exp(x) >= 1 + x, x >= -1, x <= 1, expect=HOLDS),
    claim(sqrt(1 + x * y) <= 1 + x * y / 2, x >= 0, x <= 1, y >= 0, y <= 1, expect=HOLDS),
]
FALSE = [
    claim(amplified <= Rational(99, 100) * x, *SQUARE, expect=FAILS),
    claim(x * (1 - x) <= Rational(24, 100), x >= 0, x <= 1, expect=FAILS),  # its ends are 0: a shape that is believed would settle it
    claim(x * (1 - x) * (2 - y) <= Rational(45, 100), x >= 0, x <= 1, y >= 0, y <= 1, expect=FAILS),
    claim(x**2 >= Rational(1, 10), x >= -1, x <= 1, expect=FAILS),
    claim(x**3 - x >= -Rational(1, 3), x >= 0, x <= 2, expect=FAILS),
    claim(exp(x - Rational(1, 3)) >= Rational(2, 3) + x + Rational(1, 10**6), x >= 0, x <= 1, expect=FAILS),
    claim(log(q) >= -5, q <= 1, expect=FAILS),
    claim(1 / (q - Rational(1, 2)) <= 3, q <= 1, expect=FAILS),
    claim((2 * x - 1) * y <= Rational(1, 2), x + y <= 1, x >= -1, y >= -1, expect=FAILS),
]


def every_hint(made):
    """Each shape of one side and of the difference in each variable: most are false."""
    then = made.then
    for expression in dict.fromkeys((then.lhs, then.lhs - then.rhs)):
        for variable in made.variables:
            for shape in SHAPES:
                yield shape(expression, variable)


@pytest.mark.parametrize("made", TRUE, ids=lambda c: str(c.then))
def test_no_declaration_harms_a_true_claim(made):
    for hint in every_hint(made):
        outcome = settle(claim(made.then, *made.given, hints=[hint], budget=100))
        assert outcome.verdict is Verdict.CERTIFIED, hint
        assert replay(outcome.certificate, claim(made.then, *made.given)).verdict is Verdict.CERTIFIED


@pytest.mark.parametrize("made", FALSE, ids=lambda c: str(c.then))
def test_no_declaration_settles_a_false_claim(made):
    bare = settle(claim(made.then, *made.given, budget=150)).verdict
    assert bare is not Verdict.CERTIFIED
    for hint in every_hint(made):
        assert isinstance(cover_by_hints(made, Boxes(budget=40, hints=(hint,))), list), hint
    together = settle(claim(made.then, *made.given, hints=list(every_hint(made))[:6], budget=150))
    assert together.verdict is bare
    assert "refused" in together.detail + " ".join(together.left)


@pytest.mark.parametrize(
    ("then", "given", "hint", "reason"),
    [
        (amplified <= 2 * x, SQUARE, Increasing(amplified, y), "no variable"),
        (amplified <= 2 * x, SQUARE, Increasing(amplified + q, q), "differ by more"),
        (amplified <= 2 * x, SQUARE, Increasing(amplified + y, q), "other variables"),
        (Or(x <= 1, x >= 2), SQUARE, Increasing(x, x), "not one inequality"),
        (Max(x, q) <= 2, SQUARE, Increasing(Max(x, q), q), "smooth"),
        (divergence <= 1, [s >= 1, q <= 1], Increasing(divergence, q), "smooth"),
        (exp(x) >= x, SQUARE, Convex(exp(x), x), "convex"),
        (exp(x) >= Rational(1, 2), [x >= 0], Decreasing(exp(x), x), "no premise"),
        (amplified <= 2 * x, SQUARE, Decreasing(amplified, q), "not shown"),
        (amplified <= x / 2, SQUARE, Increasing(amplified, q), "shown, but not enough"),
    ],
)  # fmt: skip
def test_a_refusal_says_why(then, given, hint, reason):
    (said,) = cover_by_hints(claim(then, *given, hints=[hint], budget=60), Boxes(budget=60, hints=(hint,)))
    assert reason in said


def test_a_premise_about_the_variable_is_not_used_beyond_the_domain():
    # Inside x + q <= 1 the expression rises; the end of q may only be 1 - x there, never 1.
    made = claim(q * (2 - q - 2 * x) <= 1, x >= 0, x <= 1, x + q <= 1, hints=[Increasing(q * (2 - q - 2 * x), q)])
    found = hinted(made)
    assert isinstance(found, HintedCover) and [at for at, _ in found.faces] == [1 - x]


def test_a_premise_that_is_an_equation_is_left_when_its_variable_moves():
    made = claim(x + y <= Rational(1, 2), Eq(x + y, Rational(1, 3)), x >= 0, y >= 0, hints=[Increasing(x + y, x)])
    assert settle(made).verdict is Verdict.CERTIFIED
    false = claim(x + y <= Rational(1, 4), Eq(x + y, Rational(1, 3)), x >= 0, y >= 0, hints=[Increasing(x + y, x), Decreasing(x + y, x)])
    assert settle(false).verdict is not Verdict.CERTIFIED


def test_the_smallest_nonsmooth_spot_refuses_the_declaration():
    root = sqrt((x - Rational(1, 3)) ** 2)
    hint = Increasing(x + root, x)
    (said,) = cover_by_hints(claim(x + root <= Rational(5, 3), x >= 0, x <= 1, hints=[hint], budget=200), Boxes(budget=200, hints=(hint,)))
    assert "smooth" in said or "not shown" in said


def test_a_root_of_a_square_is_a_kink_however_it_is_written():
    w = sympy.Symbol("w")
    for v in (x, w):
        root = sympy.Pow(sympy.Pow(v, 2, evaluate=False), Rational(1, 2), evaluate=False)
        made = claim(root >= v + Rational(1, 2), v >= -1, v <= 1)
        for shape in SHAPES:
            for expression in (root, root - v):
                assert isinstance(cover_by_hints(made, Boxes(budget=60, hints=(shape(expression, v),))), list)
                # A root of a square is written as a power of 1/2, whose base has to be positive.
                assert refused(made, shape(expression, v), [-1, 1], (["x"], [["-1", "1"]], "+"), [POINT] * 2)


# --- certificates ----------------------------------------------------------------------------------------------------

RISING = claim(x * exp(q) <= 3 * x, *SQUARE, hints=[Increasing(x * exp(q), q)])
BOTH_ENDS = claim(exp(x) <= 2 * x + 3 - Rational(1, 10), x >= -1, x <= 1, hints=[Convex(exp(x), x)])
NESTED = claim(x * q + s <= 2, x >= 0, x <= 1, q <= 1, s <= 1, hints=[Increasing(x * q, q), Increasing(x + s, s)])
CLAIMS = {"rising": RISING, "both ends": BOTH_ENDS, "nested": NESTED}


@pytest.fixture(scope="module", params=CLAIMS)
def settled(request):
    made = CLAIMS[request.param]
    outcome = settle(made)
    assert (outcome.verdict, outcome.method) == (Verdict.CERTIFIED, "boxes with hints")
    return made, outcome.certificate


def places(node, path=()):
    if isinstance(node, dict):
        for key in node:
            yield from places(node[key], (*path, key))
    elif isinstance(node, list) and node:
        for position, entry in enumerate(node):
            yield from places(entry, (*path, position))
    else:
        yield path


def edits_of(value):
    if isinstance(value, int):
        return [value + 1, value - 1, 3 - value, str(value), None]
    if isinstance(value, str):
        other = {"low": "high", "high": "low", "q": "x", "x": "q", "s": "q"}.get(value, "0")
        near = [value + " ", value[:-1], "", None, 7, other, f"-({value})", f"2*({value})", f"({value}) + 1"]
        near += [value.replace("0", "1"), value.replace("1", "2"), value.replace("<=", "<"), value.replace("q", "x"), "?", "-", "n"]
        return [edit for edit in near if edit != value]
    return [None, {}, [0], "x"]


def means_the_same(path, old, new):
    """Another precision or a wider root is as good, and so is another writing of the slope, or a tree that settles as much."""
    if {"bits", "root", "tree", "places", "writings"} & set(path):
        return True
    return isinstance(new, str) and new.strip() == old


def test_every_edit_of_the_evidence_fails(settled):
    made, document = settled
    for path in places(document["evidence"]):
        value = document["evidence"]
        for key in path:
            value = value[key]
        for edit in edits_of(value):
            changed = copy.deepcopy(document)
            target = changed["evidence"]
            for key in path[:-1]:
                target = target[key]
            target[path[-1]] = edit
            changed["digest"] = certificate.digest_of(changed)
            try:
                replay(json.loads(json.dumps(changed)), made)
            except CertificateError:
                continue
            assert means_the_same(path, value, edit), (path, edit)


def test_missing_additional_and_exchanged_parts_fail(settled):
    made, document = settled
    cover_ = document["evidence"]["cover"]
    shape = cover_["shape"]
    variants = [{k: v for k, v in shape.items() if k != dropped} for dropped in shape]
    variants += [{**shape, "more": 1}, {**shape, "ends": shape["ends"] * 2}, {**shape, "ends": []}, {**shape, "order": 3 - shape["order"]}]
    variants += [{**shape, "ends": [[{"low": "high", "high": "low"}[side], at, by] for side, at, by in shape["ends"]]}]
    variants += [{**shape, "proof": shape["ends"][0][2]}, {**shape, "ends": [[side, at, shape["proof"]] for side, at, _ in shape["ends"]]}]
    for evidence in [{**cover_, "shape": variant} for variant in variants] + [{k: v for k, v in cover_.items() if k != "shape"}]:
        changed = copy.deepcopy({**document, "evidence": {**document["evidence"], "cover": evidence}})
        changed["digest"] = certificate.digest_of(changed)
        with pytest.raises(CertificateError):
            replay(changed, made)


def forged(made, hint, at, proof, face, leaf="t"):
    """A certificate with whatever declaration, end and covers one likes; "+" stands for a leaf that holds."""
    stated = Stated.read(made.id, made.statement, made.statement_hash)
    writer, statement = next(statements_of(made.id, stated.names, stated.then, stated.constraints))

    def box(variables, root, tree):
        offered = {"places": [[v, "0"] for v in variables]}
        return {"solve": [], "root": root, **offered, "bits": 100, "tree": tree.replace("+", leaf)}

    slope = sympy.diff(hint.expression, *[hint.variable] * hint.order)
    sides = ["low", "high"] if hint.order == 2 else (["low"] if hint.sign > 0 else ["high"])
    ends = [[side, show(writer.expression(sympy.sympify(end))), box(*cover_)] for side, end, cover_ in zip(sides, at, face, strict=False)]
    shape = {
        "variable": str(hint.variable),
        "order": hint.order,
        "slope": show(writer.expression(slope)),
        "proof": box(*proof),
        "ends": ends,
    }
    fields = {
        "claim": made.id,
        "variables": list(statement.variables),
        "integers": [],
        "given": list(map(show, statement.given)),
        "then": show(statement.then),
        **({"engine": dict(statement.engine)} if statement.engine else {}),
        "shape": shape,
    }
    leaves = sum(not c.isdigit() for c in proof[2]) + len(at)
    document = certificate._sealed(made, Verdict.CERTIFIED, "boxes with hints", {"cover": fields, "leaves": leaves, "engine": 0})
    document["digest"] = certificate.digest_of(document)
    return document


def with_sides(document):
    """The certificate with each choice of the sides that its ends stand for, and with either sign of its slope."""
    for flip in (False, True):
        for sign in ("", "-1*"):
            changed = copy.deepcopy(document)
            shape = changed["evidence"]["cover"]["shape"]
            shape["slope"] = f"{sign}({shape['slope']})"
            for end in shape["ends"]:
                end[0] = {"low": "high", "high": "low"}[end[0]] if flip else end[0]
            changed["digest"] = certificate.digest_of(changed)
            yield changed


def refused(made, hint, at, proof, face):
    """Whether replay refuses it with every kind of leaf."""
    for leaf in ("n", "m", "t", "-", "?"):
        for document in with_sides(forged(made, hint, at, proof, face, leaf)):
            try:
                replay(document, made)
            except CertificateError:
                continue
            return False
    return True


def test_what_is_forged_of_a_true_claim_is_accepted():
    """So the forgeries below are refused for what they say."""
    made = claim(x <= 1, x >= 0, x <= 1)
    assert not refused(made, Increasing(x, x), [1], (["x"], UNIT, "+"), [POINT])


UNIT = [["0", "1"]]
HUMP = claim(x * (1 - x) <= Rational(1, 5), x >= 0, x <= 1)
POINT = ([], [], "+")


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("expression", [x * (1 - x), -x * (1 - x)])
@pytest.mark.parametrize("at", [[0], [1], [0, 1], [1, 0], [Rational(1, 2)]])
def test_a_forged_declaration_does_not_settle_a_false_claim(shape, expression, at):
    for tree in ("+", "0++", "00++0++"):
        assert refused(HUMP, shape(expression, x), at, (["x"], UNIT, tree), [POINT] * len(at))


def test_a_forged_end_does_not_settle_a_false_claim():
    rising = claim(x <= Rational(1, 2), x >= 0, x <= 1)
    for at in (0, Rational(1, 2), Rational(1, 4), 2, -1):
        assert refused(rising, Increasing(x, x), [at], (["x"], UNIT, "+"), [POINT])


def test_what_a_positive_symbol_assumes_is_not_used_at_its_end():
    steep = claim(q * log(q) >= -Rational(1, 10), q <= 1)
    for hint in (Increasing(q * log(q), q), Decreasing(q * log(q), q), Concave(q * log(q), q)):
        for at in ([0], [1], [0, 1]):
            assert refused(steep, hint, at, (["q"], UNIT, "+"), [POINT] * len(at))


def test_a_declared_shape_may_speak_of_nonnegative_variables():
    rate = nonnegative("r")
    made = claim(log(1 + rate) <= rate, rate <= 1, hints=[Increasing(rate - log(1 + rate), rate)])
    assert isinstance(hinted(made), HintedCover)
