"""Forged certificates: covers and points that look right and establish something false must not survive replay."""

import pytest
import sympy
from sympy import And, Eq, Integral, Or, Piecewise, Rational, Sum, Symbol, exp, gamma, log, sqrt, tan

from dpbounds import Claim
from dpbounds.claims import Boxes
from dpbounds.claims.boxes.certify import cover
from dpbounds.claims.counterexamples.refute import Refutation
from dpbounds.claims.covers.cover_export import NotConfirmed, _multipliers
from dpbounds.claims.evidence import certificate, sealing
from dpbounds.claims.evidence.replay import replay
from dpbounds.claims.settling import settle
from dpbounds.claims.stated import Stated
from dpbounds.claims.statement.cover_text import statements_of
from dpbounds.claims.verdict import Verdict
from dpbounds.errors import CertificateError, ClaimError
from dpbounds.kernel.notation import show
from dpbounds.language.functions import GaussianRenyi, RenyiMoment, SampledGaussianRenyi
from dpbounds.language.symbols import bernoulli, family, integer, positive, real

x, y, z = real("x y z")
n = integer("n")


def forged(claim, variables, root, tree, substitution=(), changes=(), leaf="t"):
    """A certificate of boxes with whatever evidence one likes and a digest that fits; "+" stands for a leaf that holds."""
    stated = Stated.read(claim.id, claim.statement, claim.statement_hash)
    writer, statement = next(statements_of(claim.id, stated.names, stated.then, stated.constraints))
    solved = {str(v): show(writer.expression(sympy.sympify(value))) for v, value in dict(substitution).items()}
    try:
        rows = _multipliers(statement, list(solved))
    except NotConfirmed:
        rows = [["1"]] * len(solved)
    cover = {
        "claim": claim.id,
        "variables": [*map(str, variables), *sorted(set(statement.variables) - set(map(str, variables)))],
        "integers": sorted(statement.integers),
        "given": list(map(show, statement.given)),
        "then": show(statement.then),
        **({"engine": dict(statement.engine)} if statement.engine else {}),
        "solve": [[name, value, row] for (name, value), row in zip(solved.items(), rows, strict=True)],
        "root": [[str(low), str(high)] for low, high in root],
        "places": [[str(v), str(end)] for v, side in zip(variables, root, strict=True) for end in side if abs(end) != float("inf")],
        "bits": 100,
        "tree": tree.replace("+", leaf),
    }
    leaves = sum(not c.isdigit() for c in tree)
    evidence = {"cover": {**cover, **dict(changes)}, "leaves": leaves, "engine": leaves if leaf == "?" else 0}
    document = certificate.sealed(
        claim, Verdict.CERTIFIED, "boxes", {**evidence, **{k: v for k, v in dict(changes).items() if k in evidence}}
    )
    for key in set(evidence) & set(dict(changes)):
        del document["evidence"]["cover"][key]
    document["digest"] = certificate.digest_of(document)
    return document


def survives(claim, *args, changes=()):
    """Whether replay accepts it with leaves of some kind: by slopes and Taylor forms, or left to the engine."""
    for leaf in ("t", "?"):
        try:
            if replay(forged(claim, *args, changes=changes, leaf=leaf), claim).verdict is Verdict.CERTIFIED:
                return True
        except CertificateError:
            continue
    return False


def claim(then, *given):
    return Claim(id="c", text="", given=given, then=then)


def test_a_good_cover_is_accepted():
    good = claim(x * y <= 1, x >= 0, x <= 1, y >= 0, y <= 1)
    assert survives(good, [x, y], [(0, 1), (0, 1)], "+")
    assert survives(good, [x, y], [(0, 1), (0, 1)], "0+1++")
    assert survives(good, [x, y], [(-1, 1), (0, 1)], "+")


@pytest.mark.parametrize("tree", ["", "0", "0+", "++", "-", "0-+", "2++", "a", "٣++", "0+1+", "+-", " +", "+ "])
def test_trees_that_do_not_cover(tree):
    assert not survives(claim(x * y <= 1, x >= 0, x <= 1, y >= 0, y <= 1), [x, y], [(0, 1), (0, 1)], tree)


def test_a_tree_may_not_split_a_point_or_run_away():
    good = claim(x <= 1, x >= 1, x <= 1)
    assert not survives(good, [x], [(1, 1)], "0++")
    assert not survives(claim(x <= 1, x >= 0, x <= 1), [x], [(0, 1)], "0" * 2000 + "+" * 2001)


def test_the_root_must_contain_the_domain():
    false = claim(x <= Rational(1, 2), x >= 0, x <= 1)
    assert not survives(false, [x], [(0, Rational(1, 2))], "+")
    assert not survives(claim(x >= Rational(1, 2), x >= 0, x <= 1), [x], [(Rational(1, 2), 1)], "+")
    assert not survives(claim(x <= 1, x >= 0), [x], [(0, 1)], "+")
    assert not survives(claim(x <= 1, x >= 0, x <= 2), [x], [(1, 0)], "+")


def test_bounds_may_not_lean_on_each_other():
    circle = claim(x <= 5, x <= y, y <= x, x >= 0, y >= 0)
    assert not survives(circle, [x, y], [(0, 1), (0, 1)], "+")
    shifted = claim(x <= 5, x <= y - 1, y <= x + 1, x >= 0, y >= 0)
    assert not survives(shifted, [x, y], [(0, 1), (0, 2)], "+")


@pytest.mark.parametrize("order", [0, 1, 2])
def test_a_falling_bound_is_largest_at_the_smallest_point_and_nowhere_else(order):
    # x >= 1/s on s in [1, 10]: x may be 1/10, whatever premise is read first.
    s = Symbol("stu"[order], positive=True)
    false = claim(x >= Rational(1, 2), x >= 1 / s, x <= 2, s >= 1, s <= 10)
    assert not survives(false, [x, s], [(1, 2), (1, 10)], "+")
    assert not survives(false, [x, s], [(Rational(1, 2), 2), (1, 10)], "+")


def test_a_falling_bound_is_used_where_it_is_right():
    s = positive("s")
    assert survives(claim(x <= Rational(1, 16), x >= 0, x <= 1 / (16 * s), s >= 1, s <= 10), [s, x], [(1, 10), (0, Rational(1, 16))], "+")


def test_integer_sides_are_integers():
    false = claim(n <= 2, n >= 1, n <= Rational(17, 5))
    assert not survives(false, [n], [(1, Rational(5, 2))], "+")
    assert not survives(claim(n <= 2, n >= 1, n <= 3), [n], [(1, 2)], "+")
    assert survives(claim(n <= 3, n >= 1, n <= Rational(17, 5)), [n], [(1, 3)], "+")


# --- substitutions -------------------------------------------------------------------------------------------------

SIMPLEX = (Eq(x + y, 1), x >= 0, y >= 0)


def test_a_substitution_must_be_the_solution():
    false = claim(x * y <= 0, *SIMPLEX)
    assert not survives(false, [], [], "+", {x: sympy.S.Zero, y: sympy.S.One})
    assert not survives(false, [x], [(0, 1)], "+", {y: sympy.S.Zero})
    assert not survives(false, [x], [(0, 0)], "+", {y: 1 - x})
    assert not survives(claim(y <= 0, *SIMPLEX), [x], [(0, 1)], "+", {y: y * 0 + x - x})
    assert not survives(claim(x <= 0, x >= 0, x <= 1, y >= 0, y <= 1), [y], [(0, 1)], "+", {x: sympy.S.Zero})
    assert survives(claim(x + y <= 1, *SIMPLEX), [x], [(0, 1)], "+", {y: 1 - x})


def test_one_equation_eliminates_one_variable():
    false = claim(x * y * z <= 0, Eq(x + y + z, 1), x >= 0, y >= 0, z >= 0)
    assert not survives(false, [x], [(0, 1)], "+", {y: 1 - x, z: sympy.S.Zero})
    assert not survives(false, [], [], "+", {x: sympy.S.Zero, y: sympy.S.Zero, z: sympy.S.One})


def test_a_substitution_does_not_hide_what_is_undefined():
    hidden = claim((x + y - 1) * log(x) <= 0, Eq(x + y, 1), x >= -1, x <= 1)
    assert not survives(hidden, [x], [(-1, 1)], "+", {y: 1 - x})


# --- leaves --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("then", "low", "high"),
    [
        (x**2 >= Rational(1, 10**6), -1, 1),
        (x**n >= -Rational(1, 2), -1, 1),
        (exp(x) >= 1 + x + x**2 / 2, -1, 1),
        (x**3 >= 0, -1, 0),
        (x**2 > 0, 0, 1),
        (log(x) + 1 <= log(x) + 2, -1, 1),
        (sqrt(x) + 1 <= sqrt(x) + 2, -1, 1),
        (1 / x + 1 <= 1 / x + 2, -1, 1),
        (sympy.Le(Piecewise((x, x > 2)) + 1, Piecewise((x, x > 2)) + x + 2, evaluate=False), -1, 1),
        (gamma(x) >= Rational(89, 100), 1, 2),
        (Integral(exp(-(y**2)), (y, 0, x)) <= x - Rational(1, 100), 0, 1),
        (GaussianRenyi(2, x) >= 1, -1, 1),
        (SampledGaussianRenyi(2, 1, x) <= 2, -1, 1),
        (SampledGaussianRenyi(Rational(5, 2), 1, x) <= Rational(1, 1000), 0, 1),
        (RenyiMoment(2, bernoulli(x), bernoulli(x**2)) >= Rational(7, 5), 0, Rational(1, 10)),
        (Or(x < 0, x > 0), -1, 1),
        (And(x <= 1, x < 1), 0, 1),
        (sympy.floor(x) <= 0, 0, 1),
        (Sum(x, (Symbol("k", integer=True), 1, 3)) <= 2, 0, 1),
    ],
)
@pytest.mark.parametrize("tree", ["+", "0++", "0-+", "00++0++"])
def test_leaves_that_do_not_hold(then, low, high, tree):
    made = claim(then, x >= low, x <= high, *([n >= 1, n <= 3] if n in then.free_symbols else []))
    variables = [x, n] if n in then.free_symbols else [x]
    assert not survives(made, variables, [(low, high), (1, 3)][: len(variables)], tree)


def test_what_is_outside_the_language_is_refused():
    with pytest.raises(ClaimError, match="tan"):
        survives(claim(tan(x) + y <= tan(x) + 2, x >= 0, x <= 3, y >= 0, y <= 1), [x, y], [(0, 3), (0, 1)], "+")


def test_a_cover_of_an_empty_domain_proves_nothing():
    assert not survives(claim(x <= 5, x >= 0, x <= 1, x**2 >= 2), [x], [(0, 1)], "-")


@pytest.mark.parametrize(
    "changes",
    [
        {"leaves": 2},
        {"leaves": True},
        {"leaves": "1"},
        {"engine": 1},
        {"engine": False},
        {"bits": 5},
        {"bits": 10**9},
        {"bits": True},
        {"bits": "80"},
        {"variables": ["x", "x"]},
        {"variables": []},
        {"variables": ["z"]},
        {"root": [["0", "1e0"]]},
        {"root": [["0", "1e1000000000"]]},
        {"root": [["0", " 1"]]},
        {"root": [[0, 1]]},
        {"root": [["0", "1", "2"]]},
        {"root": []},
        {"root": [["0", "1/0"]]},
        {"tree": 7},
        {"tree": None},
        {"tree": ["+"]},
        {"solve": [["x", "0"]]},
        {"solve": [["q", "0"]]},
        {"solve": {}},
        {"places": [["x", "x"]]},
        {"places": {}},
        {"points": []},
        {"writings": []},
        {"claim": "d"},
        {"integers": ["x"]},
        {"given": []},
        {"then": "x <= 2"},
    ],
)
def test_fields_of_the_wrong_kind(changes):
    made = claim(x <= 1, x >= 0, x <= 1)
    assert survives(made, [x], [(0, 1)], "+")
    assert not survives(made, [x], [(0, 1)], "+", changes=changes)


# --- points --------------------------------------------------------------------------------------------------------


def point_survives(made, point):
    try:
        return replay(sealing.of_refutation(made, Refutation(point, ())), made).verdict is Verdict.REFUTED
    except CertificateError:
        return False


def test_points_must_lie_in_the_domain_and_violate():
    false = claim(x**2 >= x, x >= 0, x <= 1)
    half = Rational(1, 2)
    assert point_survives(false, {x: half})
    for bad in (sympy.S.Zero, sympy.S.One, sympy.Integer(2), sympy.oo, sympy.nan, sympy.I, sympy.zoo, y):
        assert not point_survives(false, {x: bad})
    assert not point_survives(false, {})
    assert not point_survives(false, {x: half, y: half})


@pytest.mark.parametrize(
    ("then", "value"),
    [
        (sqrt(x) * sqrt(x - 1) >= 0, -1),
        (GaussianRenyi(x, 1) >= 1, Rational(1, 2)),
        (SampledGaussianRenyi(2, 1, x) <= 0, -1),
        (Piecewise((1, x > 0)) > 2, -1),
        (x ** Rational(1, 3) >= 1, -8),
        (1 / x >= 1, 0),
    ],
)
def test_undefined_statements_are_not_violated(then, value):
    assert not point_survives(claim(then), {x: sympy.sympify(value)})


def test_values_keep_to_their_symbols():
    even, rate, loss = Symbol("m", even=True, positive=True), positive("r"), sympy.IndexedBase("w", negative=True)
    assert not point_survives(claim(even >= 2 + 0 * x, even <= 6), {even: sympy.Integer(1)})
    assert not point_survives(claim(n**2 >= n), {n: Rational(1, 2)})
    assert not point_survives(claim(rate >= x, x <= 0), {rate: sympy.Integer(-1), x: sympy.S.Zero})
    assert not point_survives(claim(loss[1] <= x, x >= 0), {loss: (sympy.S.One,), x: sympy.S.Zero})
    p = family("p")
    assert not point_survives(claim(p[1] >= x, x <= 0), {p: (-sympy.S.One,), x: sympy.S.Zero})
    assert not point_survives(claim(p[3] <= x, x <= 0), {p: (sympy.S.One,), x: sympy.S.Zero})


def test_ties_are_decided_exactly():
    made = claim(x < sqrt(2), x**2 <= 2)
    assert point_survives(made, {x: sqrt(2)})
    near = Rational(1414213562373095048801688724209698078569, 10**39)
    assert not point_survives(made, {x: near})


# --- the veto of the intervals -------------------------------------------------------------------------------------


def trusting_engine(monkeypatch):
    """An engine that agrees with whatever it is asked."""
    from dpbounds.claims.evidence import replay as module

    monkeypatch.setattr(module, "engine_of", lambda *asked: lambda leaf: True)


SAMPLED = gamma(x + 1) <= 2  # true on [0, 1], and only the engine evaluates it


@pytest.mark.parametrize(
    "case",
    [
        (x**2 <= -1, [(0, 1)], "+"),  # false on the whole leaf
        (x <= Rational(1, 2), [(0, 1)], "+"),  # false at an end
        (x * (1 - x) < Rational(1, 4), [(0, 1)], "+"),  # false in the middle
        (x <= 2, [(0, 1)], "-"),  # a leaf that is said to lie outside holds points of the domain
    ],
)
def test_what_the_intervals_refute_no_engine_may_save(case, monkeypatch):
    """Replay asked the finder's own engine about leaves that its intervals had refuted."""
    trusting_engine(monkeypatch)
    then, root, tree = case
    unit = (x >= 0, x <= 1)
    assert survives(claim(SAMPLED, *unit), [x], [(0, 1)], "+")
    assert not survives(claim(then, *unit), [x], root, tree)
    assert not survives(claim(And(SAMPLED, then), *unit), [x], root, tree)
    assert not survives(claim(And(SAMPLED, then), *unit), [x], root, tree.replace("-", "!"))


def test_a_statement_that_is_evaluated_here_does_not_rest_on_the_engine(monkeypatch):
    """1/x has no value at an end: no engine is asked, however trusting."""
    trusting_engine(monkeypatch)
    assert not survives(claim(1 / x >= 1, x >= 0, x <= 1), [x], [(0, 1)], "+")
    assert not survives(claim(exp(x) <= 1 + x, x >= 0, x <= 1), [x], [(0, 1)], "+")


def test_an_overflow_in_the_engine_does_not_survive_replay():
    """The engine took exp(exp(x))·(1 + y) for a negative number; replay asked it again and agreed."""
    assert not survives(claim(exp(exp(x)) * (1 + y) <= 0, x >= 1000, x <= 1001, y >= 0), [x, y], [(1000, 1001), (0, float("inf"))], "+")


def test_a_root_that_reaches_to_infinity_hides_nothing():
    """A root box with y in [0, oo] under the premise y <= 1 took every leaf away from the intervals."""
    bounded = (x >= 0, x <= 1, y >= 0, y <= 1)
    for tree in ("+", "1++", "1+1++", "1+-"):
        assert not survives(claim(x * y <= Rational(1, 2), *bounded), [x, y], [(0, 1), (0, float("inf"))], tree)
        assert not survives(claim(x * y < 1, *bounded), [x, y], [(0, 1), (0, float("inf"))], tree)
    free = claim(x / (1 + y) <= 1, x >= 0, x <= 1, y >= 0)
    assert survives(free, [x, y], [(0, 1), (0, float("inf"))], "1+1+1++")


def test_how_much_rests_on_the_engine_is_counted_over_all_parts():
    """Of several covers only the first that needed the engine was reported."""
    made = claim(gamma(x + 1) <= Rational(101, 100), x >= 0, x <= 1)
    found = replay(sealing.of_cover(made, cover(made, Boxes()), 80), made).checked
    assert 0 < found.by_engine <= found.parts
    assert str(found + found).endswith(f"rests on the engine: {2 * found.by_engine} of {2 * found.parts} leaves")


# --- who checked ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("then", "balls"), [(x**2 <= 1, False), (exp(x) <= 3, False), (gamma(x + 1) <= Rational(101, 100), True), (sympy.sinh(x) <= 2, False)]
)
def test_the_report_says_where_the_ball_engine_helped(then, balls):
    made = claim(then, x >= 0, x <= 1)
    found = replay(sealing.of_cover(made, cover(made, Boxes()), 80), made)
    assert (found.checked.by_engine > 0) is ("rests on the engine" in found.checked_by) is balls
    assert found.checked.parts >= found.checked.by_engine


def test_statement_and_hash_must_fit():
    made = claim(x <= 1, x >= 0, x <= 1)
    good = forged(made, [x], [(0, 1)], "+")
    for field, value in (
        ("then", "x <= 2"),
        ("then", "Max('1', 2) <= x"),
        ("given", []),
        ("given", [*good["statement"]["given"], "x <= 0"]),
        ("names", {"x": ["real", "positive"]}),
        ("names", {"x": ["rational"]}),
        ("names", {}),
    ):
        changed = {**good, "statement": {**good["statement"], field: value}}
        changed["digest"] = certificate.digest_of(changed)
        with pytest.raises(CertificateError):
            replay(changed)
        with pytest.raises(CertificateError):
            replay(changed, made)


def test_a_proof_about_functions_is_replayed(tmp_path):
    """Legendre scaling speaks of every function f: its text cannot be read back, its document can."""
    from dpbounds.claims import Claim, Proof, settle
    from dpbounds.claims.evidence.replay import replay
    from dpbounds.language.functions import Supremum
    from dpbounds.language.quantifiers import ForAll
    from dpbounds.language.symbols import positive, real

    k, t, x, f = positive("k"), positive("t"), real("x"), sympy.Function("f", real=True)
    line = (t, 0, sympy.oo)
    statement = sympy.Eq(Supremum(-k * f(t) + t * x, line), k * Supremum(-f(t) + t * x / k, line))
    finite = ForAll(t, sympy.true, t * x / k - f(t) <= real("c"))
    claim = Claim(id="scaling", text="", given=[finite], then=statement, by=Proof("legendre-scaling"))
    document = settle(claim).certificate
    assert replay(document, claim).checked_by == "the kernel, document legendre-scaling"
    other = Claim(id="scaling", text="", given=[finite], then=sympy.Eq(statement.rhs, 2 * statement.lhs), by=Proof("legendre-scaling"))
    with pytest.raises(CertificateError, match="another statement"):
        replay(document, other)


@pytest.mark.parametrize("facts", [{"odd": True}, {"integer": True, "nonzero": True}], ids=str)
def test_what_a_symbol_assumes_is_known_to_replay(facts):
    """Zero is no odd number: the search leaves its box out, and replay must read the same off the symbol."""
    v = Symbol("v", **facts)
    gap = Claim(id="c", text="", given=[v >= -10, v <= 10], then=sympy.Ge(v**2, 1, evaluate=False), by=Boxes())
    found = settle(gap)
    assert found.verdict is Verdict.CERTIFIED
    assert replay(found.certificate, gap).verdict is Verdict.CERTIFIED


def test_a_root_of_a_square_has_a_kink_for_replay_too():
    w = Symbol("w")
    assert not survives(claim(sqrt(w**2) <= w, w >= -1, w <= 1), [w], [(-1, 1)], "+")
    assert not survives(claim(sqrt(w**2) <= w, w >= -1, w <= 1), [w], [(-1, 1)], "0++")
