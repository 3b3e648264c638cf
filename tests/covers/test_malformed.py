"""What is said of a cover that is not well formed: each condition of the checker has a document that fails it alone."""

import json

import pytest

from dpbounds.covers.check import check
from dpbounds.covers.document import LINE, TREE, read, read_line
from dpbounds.kernel.terms import Refused
from tests.covers.test_documents import NAMES, UNIT, document

PLAIN = document("x <= 1")
END = "a side of the root box is given by fractions, -inf and inf"
FIELDS = "a cover has the fields bits, claim, given, integers, places, root, solve, then, tree, variables"
NAMED = "what has a name has one of its own"
MANY = "there are at most ten variables, and a hundred functions for the engine"
PLAIN_NAME = "a variable has a plain name"
PRINTED = "a claim's name is printable ASCII"
ENGINE = "engine has a text for each name"
INTEGERS = "integers are variables"
PAIR = "an entry is a list of 2"
PLACE = "a place of expansion is given by the other variables"
UNKNOWN = "an entry speaks of an unknown variable"
BITS = "bits are between 20 and 2000"
TEXT = "a term is a text of ASCII characters"
TOKEN = "unknown token {} in the tree, or a tree too deep"
SOLVED = "what a variable is solved for contains solved variables"
UNSOLVED = "the combination does not give the statement"
EMPTY = "the root box leaves no value of x"
LINEAR = ["x + y == 1", *UNIT]


def changed(**more):
    """The plain cover with other fields."""
    return {**PLAIN, **more}


def solved(given, solve, **more):
    """A cover in x and y, of which some are solved for."""
    return document("x <= 1", "n", given, **{"root": [["0", "1"]], "variables": NAMES, "solve": solve, **more})


TOLD = [
    # the fields of a document
    (changed(more=1), FIELDS),
    ({key: value for key, value in PLAIN.items() if key != "tree"}, FIELDS),
    (changed(claim=5), "claim is of another kind"),
    (changed(then=5), "then is of another kind"),
    (changed(variables="x"), "variables is of another kind"),
    (changed(integers="x"), "integers is of another kind"),
    (changed(given="0 <= x"), "given is of another kind"),
    (changed(given=["0 <= x"] * 501), "given is a list, not too long"),
    (changed(claim="a\nb"), PRINTED),
    (changed(claim="café"), PRINTED),
    (changed(variables=[5]), PLAIN_NAME),
    (changed(variables=["a b"]), PLAIN_NAME),
    (changed(variables=["exp"]), PLAIN_NAME),
    (changed(variables=["x", "a b"]), PLAIN_NAME),
    (changed(variables=["x" * 101]), PLAIN_NAME),
    (changed(variables=["x", "x"]), NAMED),
    (changed(variables=[f"x{k}" for k in range(11)]), MANY),
    (changed(engine={"f": 5}), ENGINE),
    (changed(engine=["f"]), ENGINE),
    (changed(engine={"a b": "x"}), PLAIN_NAME),
    (changed(engine={"exp": "x"}), PLAIN_NAME),
    (changed(engine={"x": "x"}), NAMED),
    (changed(engine={f"f{k}": "x" for k in range(101)}), MANY),
    (changed(then="f(x, x) <= 1", engine={"f": "x"}), "f does not take parts of sorts R, R"),
    (changed(integers=[5]), INTEGERS),
    (changed(integers=["y"]), INTEGERS),
    (changed(integers=[[]]), INTEGERS),
    (changed(bits=True), "bits is of another kind"),
    (changed(tree=["n"]), "tree is of another kind"),
    (changed(solve={}), "solve is of another kind"),
    (changed(root={}), "root is of another kind"),
    (changed(places={}), "places is of another kind"),
    (changed(bits=19), BITS),
    (changed(bits=2001), BITS),
    (changed(tree="0" * (TREE + 1)), "the tree is too large"),
    (changed(tree="z" * TREE), TOKEN.format("'z'")),
    (changed(places=[["x"]]), PAIR),
    (changed(places=["x1"]), PAIR),
    (changed(places=[["x", "x"]]), PLACE),
    (changed(places=[["y", "0"]]), UNKNOWN),
    (changed(solve=[["y", "0", []]]), UNKNOWN),
    (changed(solve=[["x", "0"]]), "an entry is a list of 3"),
    (changed(solve=[["x", "0", "1"]]), "a list of terms is wanted"),
    (changed(root=[["0.5", "1"]]), END),
    (changed(root=[[0, "1"]]), END),
    (changed(root=[["inf", "1"]]), END),
    (changed(root=[["0", "-inf"]]), END),
    (changed(root=[["0", "1/2/3"]]), END),
    (changed(root=[["0", "1/0"]]), "a side of the root box is no number"),
    # statements
    (changed(then=5), "then is of another kind"),
    (changed(given=[5]), TEXT),
    (changed(then="x <= 1 or é"), TEXT),
    (changed(then="x <= 1".ljust(100_001)), TEXT),
    (changed(then="x + 2**999 <= 2**998"), "a leaf is not shown: x in [0, 1]"),
    (changed(then="x <="), "cannot be read: 'x <='"),
    (changed(then="x"), "a formula is wanted, not a term"),
    (changed(places=[["x", "1 <= 1"]]), "a term is wanted, not a formula"),
    (changed(then="y <= 1"), "the name y is not declared"),
    (changed(then="x <= True"), "not in the notation: Constant"),
    (changed(then="x <= 1.5"), "not in the notation: Constant"),
    (changed(then="x <= 2 % 3"), "not in the notation: BinOp"),
    (changed(then="x in x"), "not in the notation: Compare"),
    (changed(then="0 <= x <= 1"), "not in the notation: Compare"),
    (changed(then="+x <= 1"), "not in the notation: UnaryOp"),
    (changed(then="(x <= 1) <= 1"), "<= does not take parts of sorts F, Z"),
    (changed(then="not x"), "not does not take parts of sorts R"),
    (changed(then="x <= 1 and x"), "and does not take parts of sorts F, R"),
    (changed(then="ite(x, x, x) <= 1"), "ite does not take parts of sorts R, R, R"),
    (changed(then="sum(x, 1, 2, x) <= 1"), "x is bound and already has a meaning"),
    (changed(then="sum(i, 1, 2, sum(i, 1, 2, i)) <= 1"), "i is bound and already has a meaning"),
    (changed(then="f(x) <= 1"), "unknown function f"),
    (changed(then="exp(x, x) <= 1"), "exp takes 1 arguments"),
    # the root box
    (solved(["2*y == y**2", *UNIT], [["y", "y**2 - y", ["1"]]]), SOLVED),
    (solved([*UNIT], [["y", "1 - x", ["1"]]]), UNSOLVED),
    (solved(LINEAR, [["y", "1 - x", []]]), UNSOLVED),
    (solved(LINEAR, [["y", "1 - x", ["2"]]]), UNSOLVED),
    (changed(root=[]), "the root box does not fit the variables"),
    (changed(root=[["1/2", "1"]], integers=["x"]), "the root box gives the integer x other ends"),
    (changed(root=[["0", "3/2"]], integers=["x"]), "the root box gives the integer x other ends"),
    (changed(root=[["1", "0"]]), EMPTY),
    (changed(root=[["1/8", "1"]]), "no premise bounds x as the root box does"),
    (changed(root=[["0", "7/8"]]), "no premise bounds x as the root box does"),
    (changed(given=["-1/2 < x", "x < 2"], root=[["1", "1"]], integers=["x"]), "no premise bounds x as the root box does"),
    (changed(given=["0 <= x", "x**2 <= 1"]), "no premise bounds x as the root box does"),
    (changed(given=["0 <= x", "x <= 1/y", "1/2 <= y"]) | {"variables": NAMES, "root": [["0", "1"], ["1/2", "inf"]]},
     "no premise bounds x as the root box does"),
    (changed(given=["0 <= x", "x <= y**2", "0 <= y", "y <= 1"]) | {"variables": NAMES, "root": [["0", "1/2"], ["0", "1"]]},
     "no premise bounds x as the root box does"),
    (changed(given=["0 <= x", "x <= y", "y <= x"]) | {"variables": NAMES, "root": [["0", "1"]] * 2},
     "no premise bounds x as the root box does"),
    (changed(given=["0 <= x", "x <= 1"], root=[["1", "1"]], integers=["x"]), "no premise bounds x as the root box does"),
    (changed(given=["0 <= x", "y == 1"], variables=NAMES, root=[["0", "1"], ["1", "1"]]), "no premise bounds x as the root box does"),
    (changed(given=["0 <= x"]), "no premise bounds x as the root box does"),
    (changed(given=["x <= 1"]), "no premise bounds x as the root box does"),
    # the tree
    (changed(tree=""), "the tree ends early"),
    (changed(tree="0n"), "the tree ends early"),
    (changed(tree="nn"), "the tree goes on after its last leaf"),
    (changed(tree="z"), TOKEN.format("'z'")),
    (changed(tree="1nn"), TOKEN.format("'1'")),
    (changed(tree="٠nn"), TOKEN.format("'٠'")),
    (changed(tree="²nn"), TOKEN.format("'²'")),
    (changed(tree="0" * 401 + "n" * 402), TOKEN.format("'0'")),
    (changed(given=["1 <= x", "x <= 1"], root=[["1", "1"]], tree="0nn"), "a side of length 0 cannot be split"),
    (changed(given=["0 <= x", "x <= 1", "2 <= x*x"], tree="-"), "the cover says nothing: a premise fails everywhere"),
    (changed(given=["0 <= x", "x <= 1", "2 <= x*x"], tree="0!!"), "the cover says nothing: a premise fails everywhere"),
    (changed(then="x <= 1/2"), "a leaf is not shown: x in [0, 1]"),
    (changed(then="x <= 1/2", tree="0nn"), "a leaf is not shown: x in [1/2, 1]"),
    (changed(tree="-"), "no premise surely fails on a leaf: x in [0, 1]"),
    (changed(given=["0 <= x", "x <= 1", "x <= f(x)"], tree="-", engine={"f": "1"}), "no premise surely fails on a leaf: x in [0, 1]"),
    (changed(tree="!"), "the cover says nothing: a premise fails everywhere"),
]  # fmt: skip


@pytest.mark.parametrize("fields, told", TOLD, ids=range(len(TOLD)))
def test_each_condition_says_what_it_wants(fields, told):
    with pytest.raises(Refused) as reason:
        check(read(fields))
    assert str(reason.value) == told


LINES = [
    ("{", "the cover is not JSON"),
    ("[" * 100_000, "the cover is not JSON"),
    ("[]", "the cover is not an object"),
    (json.dumps(PLAIN)[:-1] + ', "tree": "n"}', "a key occurs twice"),
    (json.dumps(PLAIN).replace("80", "NaN"), "NaN is no number"),
    (" " * (LINE + 1), "the cover is too long"),
]


@pytest.mark.parametrize("line, told", LINES, ids=range(len(LINES)))
def test_each_line_that_is_no_cover_is_named(line, told):
    with pytest.raises(Refused) as reason:
        read_line(line)
    assert str(reason.value) == told


def test_a_list_of_the_names_of_fields_is_no_cover():
    with pytest.raises(Refused, match=FIELDS):
        read(sorted(PLAIN))


def test_the_longest_line_is_read():
    assert read_line(json.dumps(PLAIN).ljust(LINE)) == read(PLAIN)


AT_THE_LIMIT = [
    changed(bits=20),
    changed(bits=2000),
    changed(given=[*PLAIN["given"], *["x <= 2"] * 498]),
    document("a <= 1", variables=["a", *(f"x{k}" for k in range(9))]),
    changed(engine={f"f{k}": "x" for k in range(100)}),
    document("x" * 100 + " <= 1", variables=["x" * 100]),
    changed(then="x <= 1".ljust(100_000)),
    changed(then="x <= 1 and f(x) == 1", tree="?", engine={"f": "f"}),
    changed(then="f(x) == 1", tree="?", engine={"f": "f"}),
    changed(tree="0" * 400 + "n" * 401),
    changed(root=[["-1", "2"]]),
    changed(given=["0 <= x and x <= 1"]),
    changed(given=["0 <= x", "-1 <= x", "x <= 1", "x <= 2"]),
    changed(given=["x == 1/3"], root=[["1/3", "1/3"]]),
    changed(given=["0 <= x", "x <= 1/3"], root=[["0", "1/3"]]),
    changed(given=["0 <= x", "x*2 <= 1"], root=[["0", "1/2"]]),
    changed(given=["0 <= x", "2*x <= 1"], root=[["0", "1/2"]]),
    changed(given=["0 <= x", "-x >= -1"]),
    # Premises that contradict each other: the statement is true, and no side of the root box is empty.
    changed(given=["0 <= x", "1 <= x", "x <= 1/2"], root=[["0", "1/2"]]),
    document("x <= 1", given=["-1 < x", "x <= 0", "-1 <= y", "y <= -1/2", "0 < x + y", "0 < y**(-1/2) + x"],
             root=[["-1", "0"], ["-1", "-1/2"]], variables=NAMES),
    document("x <= 1", given=["0 <= x", "x <= y + z", "y <= 1/3", "z <= 1/3"], root=[["0", "2/3"], ["-inf", "1/3"], ["-inf", "1/3"]],
             variables=["x", "y", "z"]),
    changed(given=["0 < x", "x < 2"], root=[["1", "1"]], integers=["x"]),
    changed(given=["0 <= x", "not 1 < x"]),
    document("x <= 1", given=["0 <= x", "x <= y", "0 <= y", "y <= 1/3"], root=[["0", "1/3"]] * 2, variables=NAMES),
    document("x <= 1", given=["y - 1 <= x", "x <= 1 - y", "1/3 <= y", "y <= 1"], root=[["-2/3", "2/3"], ["1/3", "1"]], variables=NAMES),
    document("x <= 3", given=["0 <= x", "x <= exp(y)", "0 <= y", "y <= 1"], root=[["0", "3"], ["0", "1"]], variables=NAMES),
    document("x <= 1", "n", ["x <= 1"], [["-inf", "1"]]),
    document("x <= 1", "0-n", ["1 <= x", "x <= 1"], [["0", "1"]]),
    document("x <= f(x)", "0??", ["1/2 <= x", "x <= 1"], [["0", "1"]], engine={"f": "1"}),
    document("x <= f(x) and x <= 1/2", "0?!", ["0 <= x", "x <= 1/3"], [["0", "1"]], engine={"f": "1"}),
    document("1/2 <= x", "0!n", ["0 <= x", "x <= 1", "f(x) <= x", "1/4 <= x"], [["0", "1"]], engine={"f": "x"}),
    document("2/3 <= x", "00!!n", ["0 <= x", "x <= 1", "f(x) <= x", "1/4 <= x"], [["0", "1"]], engine={"f": "x"}) | {"then": "1/2 <= x"},
    solved([*LINEAR, "x == x"], [["y", "1 - x", ["1"]]]),
    solved(["x == x", *LINEAR], [["y", "1 - x", ["5", "1"]]]),
    solved(LINEAR, [["y", "1 - x", ["1"]], ["y", "1 - x", ["1"]]]),
    solved(LINEAR, [["y", "1 - x", ["1"]]], integers=["y"]),
]  # fmt: skip


@pytest.mark.parametrize("fields", AT_THE_LIMIT, ids=range(len(AT_THE_LIMIT)))
def test_what_is_just_allowed_is_accepted(fields):
    assert check(read(fields))
