"""Cover documents: what is accepted, and each edit that must be refused."""

import json
import random
from fractions import Fraction

import mpmath
import pytest

from dpbounds.covers.check import check
from dpbounds.covers.document import read, read_line, reader_of
from dpbounds.covers.evaluate import Evaluator, Tools
from dpbounds.kernel.notation import show
from dpbounds.kernel.terms import Refused

NAMES = ["x", "y"]


def document(then, tree="n", given=(), root=None, **more):
    variables = more.pop("variables", ["x"])
    root = root if root is not None else [["0", "1"]] * len(variables)
    bounds = [c for v in variables for c in (f"0 <= {v}", f"{v} <= 1")] if not given else list(given)
    fields = {"claim": "c", "variables": variables, "integers": [], "given": bounds, "then": then, "solve": []}
    return {**fields, "root": root, "places": [], "bits": 80, "tree": tree, **more}


def accepted(fields):
    try:
        check(read_line(json.dumps(fields)))
    except Refused:
        return False
    return True


# Each pair: a document that is accepted, and what in it must not be missing or other.
RULES = {
    "values": (document("x <= 1"), [{"then": "x <= 9/10"}, {"then": "x < 1"}, {"given": ["0 <= x"]}, {"given": ["x <= 1"]}, {"given": ["0 <= x", "x <= 2"]}]),
    "split": (document("x*(1 - x) <= 2/5", "00nn0nn"), [{"tree": "n"}, {"tree": "0n"}, {"tree": "00nn0n"}, {"tree": "00nn0nnn"}, {"then": "x*(1 - x) <= 1/5"}]),
    "slopes": (document("exp(x) >= 1 + x - x/100", "m"), [{"tree": "n"}, {"then": "exp(x) >= 1 + 11*x/10"}, {"given": ["-1 <= x", "x <= 1"], "root": [["-1", "1"]]}]),
    "even Taylor form": (document("exp(x) >= 1 + x", "t", ["-1 <= x", "x <= 1"], [["-1", "1"]], places=[["x", "0"]]), [{"places": []}, {"places": [["x", "1/2"]]}, {"tree": "m"}, {"then": "exp(x) > 1 + x"}, {"then": "exp(x) >= 1 + 101*x/100"}]),
    "odd Taylor form": (document("x >= x - x**3/6 + x**3/7", "t", places=[["x", "0"]]), [{"given": ["-1 <= x", "x <= 1"], "root": [["-1", "1"]]}, {"then": "x >= x - x**3/7 + x**3/6"}]),
    "Taylor form at a line": (document("x**2 + y**2 >= 2*x*y", "t", variables=NAMES, places=[["x", "y"]]), [{"places": [["x", "1 - y"]]}, {"then": "x**2 + y**2 >= 201*x*y/100"}, {"then": "x**2 + y**2 > 2*x*y"}]),
    "side known by a premise": (document("x + x**3 <= y + y**3", "t", ["0 < y", "y <= 1", "0 <= x", "x <= y"], variables=["x", "y"], places=[["x", "y"]]), [{"given": ["0 < y", "y <= 1", "0 <= x", "x <= 2*y", "x <= 1"]}, {"places": []}]),
    "cases": (document("abs(x - 1/2) + x >= 1/2", "t"), [{"tree": "m"}, {"then": "abs(x - 1/2) + x >= 51/100"}, {"then": "abs(x - 1/2) - x >= 1/2"}]),
    "maximum": (document("x*max(0, 1 - y/x) == max(0, x - y) or x*max(0, 1 - y/x) <= max(0, x - y)", "t", ["0 < x", "x <= 1", "0 <= y", "y <= 1"], variables=NAMES), [{"given": ["0 <= x", "x <= 1", "0 <= y", "y <= 1"]}, {"given": ["x <= 1", "0 <= y", "y <= 1"]}]),
    "case distinction": (document("ite(x < 1/2, x, 1/2) <= x", "t"), [{"then": "ite(x > 1/2, x, 1/2) <= x"}, {"then": "ite(x < 1/2, x, 51/100) <= x"}]),
    "premise": (document("x < y", "n", ["x < y", "0 <= x", "y <= 1", "x <= 1", "0 <= y"], variables=NAMES), [{"given": ["x <= y", "0 <= x", "y <= 1", "x <= 1", "0 <= y"]}, {"then": "2*x < y"}, {"then": "y < x"}, {"given": ["0 <= x", "y <= 1", "x <= 1", "0 <= y"]}]),
    "identity": (document("exp(x + y) == exp(x)*exp(y)", "n", variables=NAMES), [{"then": "exp(x + y) == exp(x)*exp(2*y)"}, {"then": "exp(x*y) == exp(x)**y + 0*log(x)"}]),
    "definedness of a quotient": (document("x/x <= 1", "t", ["0 < x", "x <= 1"]), [{"given": ["0 <= x", "x <= 1"]}, {"given": ["0 < x**2", "x <= 1", "-1 <= x"], "root": [["-1", "1"]], "then": "1/x <= 1/x + x"}]),
    "definedness of a logarithm": (document("x*log(x) <= x*log(x) + 1", "t", ["0 < x", "x <= 1"]), [{"given": ["0 <= x", "x <= 1"]}]),
    "definedness of a root": (document("x**(1/2) >= 0"), [{"given": ["-1 <= x", "x <= 1"], "root": [["-1", "1"]]}]),
    "a factor 0 does not hide": (document("0*x <= 0"), [{"then": "0*log(x) <= 0"}, {"then": "0/x <= 0"}]),
    "outside": (document("x <= 1/2", "0n-", ["0 <= x", "x <= 49/100"], [["0", "1"]]), [{"given": ["0 <= x", "x <= 1"]}, {"given": ["0 <= x", "x <= 1", "x <= 1/2"]}, {"tree": "0--"}, {"tree": "0-n"}, {"tree": "-"}]),
    "root by another variable": (document("x <= 1", "n", ["x <= y", "y <= 1", "0 <= x", "0 <= y"], variables=NAMES), [{"given": ["x <= y", "y <= x", "0 <= x", "0 <= y"]}, {"given": ["x <= 2*y", "y <= 1", "0 <= x", "0 <= y"]}]),
    "integers": (document("x != 3/2", "0nn", ["1 <= x", "x <= 2"], [["1", "2"]], integers=["x"]), [{"integers": []}, {"root": [["1/2", "2"]]}, {"root": [["2", "2"]]}]),
    "rounded ends of integers": (document("x <= 2", "n", ["1/2 <= x", "x <= 5/2"], [["1", "2"]], integers=["x"]), [{"integers": []}, {"given": ["1/2 <= x", "x <= 7/2"]}]),
    "infinite side": (document("exp(-x) <= 1", "n", ["0 <= x"], [["0", "inf"]]), [{"root": [["0", "1"]]}, {"then": "exp(x) <= 1000000"}, {"given": ["-1 <= x"], "root": [["-1", "inf"]]}]),
    "solved equation": (document("y*x <= 1/4", "t", ["x + y == 1", "0 <= x", "x <= 1"], [["0", "1"]], variables=NAMES, solve=[["y", "1 - x", ["1"]]], places=[["x", "1/2"]]), [{"solve": [["y", "1 - 2*x", ["1"]]]}, {"solve": [["y", "1 - x", ["-1"]]]}, {"solve": [["y", "1 - x", []]]}, {"given": ["x + y <= 1", "0 <= x", "x <= 1"]}, {"solve": []}, {"then": "y*x <= 6/25"}, {"given": ["x*(x + y) == x", "0 <= x", "x <= 1"]}]),
    "two solved equations": (document("x*y*z <= 1/4*z", "t", ["x + y == 1", "y + 2*z == 2", "0 <= x", "x <= 1"], [["0", "1"]], variables=["x", "y", "z"], solve=[["y", "1 - x", ["1", "0"]], ["z", "1/2 + x/2", ["-1/2", "1/2"]]], places=[["x", "1/2"]]), [{"given": ["x + y == 1", "0 <= x", "x <= 1"]}, {"given": ["x + y == 1", "2*x + 2*y == 2", "0 <= x", "x <= 1"]}, {"solve": [["y", "1 - x", ["1", "0"]], ["z", "1/2 - x/2", ["-1/2", "1/2"]]]}, {"given": ["x + y == 1", "y*z + 2*z == 2 - y", "0 <= x", "x <= 1"]}]),
    "one equation gives one variable": (document("x*y <= 1/4", "t", ["x + y == 1", "0 <= x", "x <= 1"], [["0", "1"]], variables=NAMES, solve=[["y", "1 - x", ["1"]]], places=[["x", "1/2"]]), [{"then": "x*y <= 0", "solve": [["x", "0", ["1"]], ["y", "1", ["1"]]], "root": [], "places": []}, {"then": "x*y <= 0", "given": ["x + y == 1", "x*y == 0", "0 <= x"], "solve": [["x", "0", ["1", "1"]], ["y", "1", ["1", "1"]]], "root": [], "places": []}]),
    "one end of an integer": (document("1 + x <= 2**x", "m", ["1 <= x"], [["1", "inf"]], integers=["x"]), [{"then": "2 + x <= 2**x"}, {"then": "1 + x < 2**x"}, {"tree": "n"}]),
    "logarithm of a rational": (document("log(8/9) == 3*log(2) - 2*log(3) and x <= 1"), [{"then": "log(8/9) == 3*log(2) + 2*log(3)"}, {"then": "log(8/9) == 2*log(2) - 2*log(3)"}, {"then": "log(-8) == log(-2) + 2*log(2)"}]),
    "root of a power": (document("(x**4*y**2)**(1/4) == x*y**(1/2)", variables=NAMES), [{"given": ["-1 <= x", "x <= 1", "0 <= y", "y <= 1"], "root": [["-1", "1"], ["0", "1"]]}, {"then": "(x**4*y**2)**(1/4) == x*y"}]),
    "root of a power off the box": (document("(x**2)**(1/2) <= x", "n"), [{"given": ["-1 <= x", "x <= 1"], "root": [["-1", "1"]]}, {"given": ["-1/100 <= x", "x <= 1"], "root": [["-1/100", "1"]]}]),
    "mean value with two variables": (document("x*y - x - y + 2 > 0", "m", variables=NAMES), [{"then": "x*y - x - y + 1 > 0"}, {"given": ["0 <= x", "x <= 1", "0 <= y"]}]),
}  # fmt: skip


@pytest.mark.parametrize("name", RULES)
def test_a_rule_accepts_and_refuses_each_edit(name):
    fields, edits = RULES[name]
    assert accepted(fields)
    for edit in edits:
        assert not accepted({**fields, **edit}), edit


UNIT = ["0 <= x", "x <= 1"]
SQUARE = [*UNIT, "0 <= y", "y <= 1"]
# A power 0**y with y > 0 is 0: neither positive, nor a divisor, nor an argument of a logarithm.
CORNER = ["0 <= x", "x <= 1", "1 <= y", "y <= 2"]
AT_A_CORNER = ["0 < x**y", "x**y != 0", "0 < y*x**y", "log(x**y) < 5", "0 < y/x**y", "0 < (x**y)**y", "0 < x**(y/2)*exp(y)"]
FALSE = [
    document("x**2 >= 1/100", "0nn"),
    document("log(x) <= 0", "n"),
    document("1/x >= 1", "t"),
    document("x < x", "t"),
    document("x**(1/2) <= x", "t", places=[["x", "0"]]),
    document("abs(x - 1/2) > 0", "t", places=[["x", "1/2"]]),
    document("(x**2)**(1/2) <= x", "t", ["-1 <= x", "x <= 1"], [["-1", "1"]], places=[["x", "0"]]),
    document("log(x**2) == 2*log(x)", "t", ["-1 <= x", "x <= 1", "x != 0"], [["-1", "1"]]),
    document("1 == 1/(x - x)", "t"),
    document("x == 1 or x != 1 and log(x) < 1", "t"),
    document("exp(f(x)) > 0", "t", engine={"f": "f"}),
    # A slope of one sign on a side without an end: no point is reached there, and ∞ − ∞ is no value.
    document("x**2 + x**3 >= 0", "m", ["x <= -1"], [["-inf", "-1"]]),
    document("x**2 - x**3 >= 0", "m", ["1 <= x"], [["1", "inf"]]),
    # An equation that is not linear in x does not say what y is.
    document("1 <= y", "n", ["y + 8*x*(1 - x) == 1", "0 <= x", "x <= 1"], [["0", "1"]], variables=NAMES, solve=[["y", "1", ["1"]]]),
    document("0 <= 1/x", "t", ["-1 <= x", "x <= -1/2"], [["-1", "-1/2"]]),
    document("log(1 + x)/x >= 1", "t", ["0 < x", "x <= 1"]),
    # The slope at x = 0 vanishes in a corner of the box, and nowhere else.
    document("x**2 - x*y >= 0", "t", variables=NAMES, places=[["x", "0"]]),
    document("not x <= 1", "t"),
    *(document(then, "t", CORNER, [["0", "1"], ["1", "2"]], variables=NAMES) for then in AT_A_CORNER),
]


@pytest.mark.parametrize("fields", FALSE, ids=lambda f: f["then"])
def test_what_is_false_or_undefined_is_refused(fields):
    for tree in ("n", "m", "t", "-", fields["tree"], "0tt"):
        assert not accepted({**fields, "tree": tree})


def test_leaves_that_rest_on_the_engine_are_counted_and_may_be_vetoed():
    fields = document("f(x) <= 1 and x <= 1", "0?n", engine={"f": "D(x)"})
    assert not accepted(fields)
    fields["tree"] = "0??"
    assert check(read(fields)).by_engine == 2
    with pytest.raises(Refused, match="not shown by the engine"):
        check(read(fields), lambda leaf: leaf.sides[0][0] == 0)


HOSTILE = {
    "no JSON": "{",
    "a key twice": json.dumps(document("x <= 1"))[:-1] + ', "tree": "n"}',
    "not a number": json.dumps(document("x <= 1")).replace("80", "NaN"),
    "deep JSON": "[" * 100_000,
    "a list": "[]",
}
EDITS = {
    "deep statement": {"then": "(" * 5000 + "x" + ")" * 5000 + " <= 1"},
    "deep sum": {"then": "+".join(["x"] * 3000) + " <= 3000"},
    "many signs": {"then": "-" * 3000 + "x <= 1"},
    "huge number": {"then": f"x <= {10**4000}**{10**9}"},
    "tower": {"then": "x**9**9**9**9 <= 0"},
    "huge power": {"then": f"x**{10**12} <= 1"},
    "long sum": {"then": "sum(i, 1, 10**9, x) <= 1"},
    "nested sums": {"then": "sum(i, 1, 9999, sum(j, 1, 9999, x)) <= 1"},
    "huge binomial": {"then": "x <= binom(10**9, 10**8)"},
    "attribute": {"then": "x.__class__ <= 1"},
    "call": {"then": "__import__('os') <= 1"},
    "lambda": {"then": "(lambda: 1)() <= 1"},
    "float": {"then": "x <= 1.0"},
    "truth value": {"then": "x <= True"},
    "chain": {"then": "0 <= x <= 1"},
    "unknown name": {"then": "z <= 1"},
    "a number as statement": {"then": "x"},
    "a condition as number": {"then": "(x <= 1) <= 1"},
    "other alphabet": {"then": "ｘ <= 1"},
    "reserved name": {"variables": ["exp"]},
    "a name twice": {"variables": ["x", "x"]},
    "many variables": {"variables": [f"x{i}" for i in range(11)]},
    "another field": {"more": 1},
    "wrong kinds": {"bits": True},
    "few bits": {"bits": 3},
    "many bits": {"bits": 10**9},
    "a float as end": {"root": [["0.5", "1"]]},
    "division by 0": {"root": [["0", "1/0"]]},
    "empty side": {"root": [["1", "0"]]},
    "missing side": {"root": []},
    "other digits": {"tree": "٠nn"},
    "other axis": {"tree": "1nn"},
    "unknown token": {"tree": "z"},
    "empty tree": {"tree": ""},
    "deep tree": {"tree": "0" * 300_000},
    "large tree": {"tree": "0" * 500_000},
    "place of itself": {"places": [["x", "x"]]},
    "tree is a list": {"tree": ["n"]},
    "deep place": {"places": [["y", "sum(i, 0, 9000, x)"]], "variables": NAMES},
    "huge ends": {"given": [f"{10**400} <= x"], "root": [[str(10**400), "inf"]]},
    "huge ends below": {"given": [f"x <= {-(10**400)}"], "root": [["-inf", str(-(10**400))]], "then": "1 <= x"},
    "huge product": {"then": "x <= " + "*".join(["2**20000"] * 30_000)},
    "a claim of two lines": {"claim": "c: accepted\n"},
    "a claim of surrogates": {"claim": "\ud800"},
    "surrogates": {"then": "x <= 1\ud800"},
}


@pytest.mark.parametrize("name", [*HOSTILE, *EDITS])
def test_hostile_documents_are_refused_in_one_line(name):
    line = HOSTILE.get(name) or json.dumps({**document("x <= 1"), **EDITS[name]})
    with pytest.raises(Refused) as reason:
        check(read_line(line))
    assert len(str(reason.value).splitlines()) == 1 and len(str(reason.value)) < 300


def test_too_much_work_is_refused(monkeypatch):
    monkeypatch.setattr("dpbounds.covers.check.MOST_WORK", 20)
    with pytest.raises(Refused, match="too much work"):
        check(read(document("exp(x) <= 3", "0" * 7 + "n" * 8)))


def test_the_arithmetic_of_identities_is_counted(monkeypatch):
    """The statement is evaluated in a few operations; that its sides are equal takes polynomials of 231 terms."""
    made = document("(x + y + 1)**20 == (1 + y + x)**20", variables=NAMES)
    assert accepted(made)
    monkeypatch.setattr("dpbounds.covers.check.MOST_WORK", 2000)
    with pytest.raises(Refused, match="too much work"):
        check(read(made))
    assert accepted(document("(x + y + 1)**20 <= 3**20", variables=NAMES))


def test_longer_numbers_cost_more(monkeypatch):
    monkeypatch.setattr("dpbounds.covers.check.MOST_WORK", 3000)
    made = document("2*Phi(-x) <= 1")
    assert accepted(made)
    with pytest.raises(Refused, match="too much work"):
        check(read({**made, "bits": 2000}))


# --- random statements ------------------------------------------------------------------------------------------------


def random_term(chance, depth):
    if depth == 0 or chance.random() < 0.15:
        return chance.choice(["x", "y", str(Fraction(chance.randint(-4, 4), chance.randint(1, 3))), "x", "y"])
    a, b = random_term(chance, depth - 1), random_term(chance, depth - 1)
    forms = ["({0} + {1})", "({0} - {1})", "{0} * {1}", "({0}) / ({1})", "({0})**2", "({0})**3", "exp({0})", "log({0})", "abs({0})"]
    forms += ["max({0}, {1})", "min({0}, {1})", "({0})**(1/2)", "Phi({0})", "ite({0} < {1}, {0}, {1})", "({0})**(-1)", "({0})**({1})"]
    return chance.choice(forms).format(f"({a})", f"({b})")


def exact_value(term, point):
    """The value of a term at a point, None where it has none."""
    tools = Tools(200)
    a = tools.arithmetic
    try:
        low, high = Evaluator({n: a.number(v) for n, v in point.items()}, (), tools).value(term)
    except Exception:
        return None
    return low, high


def number_at(term, point):
    """The same by mpmath, which shares nothing with the checker."""
    m = mpmath.mp
    go = [number_at(part, point) for part in term.parts] if term.tag not in ("ite",) else []
    match term.tag:
        case "q":
            return m.mpf(term.data[0].numerator) / term.data[0].denominator
        case "v":
            return m.mpf(point[term.data[0]].numerator) / point[term.data[0]].denominator
        case "+":
            return go[0] + go[1]
        case "*":
            return go[0] * go[1]
        case "^":
            return go[0] ** term.data[0]
        case "exp":
            return m.exp(go[0])
        case "log":
            if go[0] <= 0:
                raise ValueError
            return m.log(go[0])
        case "pow":
            if go[0] < 0 or (go[0] == 0 and go[1] <= 0):
                raise ValueError
            return m.power(go[0], go[1])
        case "abs":
            return abs(go[0])
        case "max" | "min":
            return max(go) if term.tag == "max" else min(go)
        case "Phi":
            return m.ncdf(go[0])
        case "ite":
            return number_at(term.parts[1] if true_at(term.parts[0], point) else term.parts[2], point)
    raise AssertionError(term.tag)


def true_at(formula, point):
    left, right = (number_at(part, point) for part in formula.parts)
    slack = mpmath.mpf(10) ** -40 * (1 + abs(left) + abs(right))
    return left <= right + slack and not (formula.tag == "<" and left == right == 0)


SIDES = ["-1", "-1/2", "0", "1/2", "1", "2"]


def random_document(chance):
    (a, b), (c, d) = (sorted(chance.sample(SIDES, 2), key=Fraction) for _ in range(2))
    strict = [chance.choice(["<=", "<"]) for _ in range(2)]
    given = [f"{a} {strict[0]} x", f"x <= {b}", f"{c} {strict[1]} y", f"y <= {d}"]
    term = random_term(chance, 3)
    kind = chance.random()
    if kind < 0.3:
        then = f"{term} {chance.choice(['<=', '<', '>='])} {random_term(chance, 2)}"
    elif kind < 0.7:
        then = f"{term} {chance.choice(['<=', '>=', '<'])} {chance.randint(-3, 3)}"
    else:  # ties
        at = chance.choice(["x - y", "x", "y", "x + y", "x - 1/2"])
        then = f"0 <= ({at})**{chance.choice([1, 2, 3])}*({term})"
    tree = chance.choice(["t", "0tt", "1tt", "01tt1tt", "m", "n"])
    places = [["x", "0"], ["x", "y"], ["y", "0"], ["x", "1/2"], ["x", a], ["x", b], ["y", c], ["y", d]]
    return {**document(then, tree, given, [[a, b], [c, d]], variables=NAMES), "places": chance.sample(places, 3)}, strict


def attack(seed, count):
    """Random statements: each accepted one is evaluated at corners and inside. Returns how many were accepted."""
    chance, taken = random.Random(seed), 0
    with mpmath.workdps(60):
        for _ in range(count):
            fields, strict = random_document(chance)
            try:
                cover = read(fields)
                check(cover)
            except Refused:
                continue
            taken += 1
            marks = [
                [
                    Fraction(low),
                    Fraction(high),
                    *(Fraction(low) + (Fraction(high) - Fraction(low)) * Fraction(chance.randint(0, 64), 64) for _ in range(3)),
                ]
                for low, high in fields["root"]
            ]
            tiny = Fraction(1, 10**9)
            for x in [*marks[0], marks[0][0] + tiny, marks[0][1] - tiny]:
                for y in [*marks[1], marks[1][0] + tiny, marks[1][1] - tiny]:
                    if (strict[0] == "<" and x == marks[0][0]) or (strict[1] == "<" and y == marks[1][0]):
                        continue
                    assert true_at(cover.statement.then, {"x": x, "y": y}), (fields, x, y)
    return taken


@pytest.mark.parametrize("seed", range(4))
def test_what_is_accepted_is_true_at_exact_points(seed):
    assert attack(seed, 250) >= 20


def test_reading_what_is_shown_gives_the_same_term():
    chance, read_term = random.Random(5), reader_of(NAMES).reader
    for _ in range(300):
        try:
            term = read_term(random_term(chance, 4))
        except Refused:
            continue
        assert read_term(show(term)) == term
