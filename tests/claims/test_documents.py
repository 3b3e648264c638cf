"""Documents behind claims: what the proof checker accepts is found, matched with the claim, and named in the evidence."""

import json
import os
import shutil
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
import sympy

from dpbounds.claims.catalogue import catalogue_folder
from dpbounds.claims.claim import Claim
from dpbounds.claims.collect import collect
from dpbounds.claims.evidence import documents, restated
from dpbounds.claims.evidence.documents import accepted, document_of, folder, name_of
from dpbounds.claims.evidence.replay import replay
from dpbounds.claims.evidence.write_documents import claims_with_documents, is_only_cited, write
from dpbounds.claims.plans import Counterexample, Proof
from dpbounds.claims.settled import claim_called
from dpbounds.claims.settling import settle
from dpbounds.claims.support import Evidence
from dpbounds.claims.verdict import Verdict
from dpbounds.errors import CertificateError, DerivationError
from dpbounds.kernel.checker import Statement
from dpbounds.kernel.notation import show
from dpbounds.kernel.sequents import Sequent
from dpbounds.kernel.terms import ZERO, Refused, Term, equal
from dpbounds.language.functions import HockeyStick, Infimum, KLDivergence, LossTail, RenyiDivergence, RenyiMoment, Supremum
from dpbounds.language.quantifiers import ForAll
from dpbounds.language.symbols import family, index
from dpbounds.language.typed.checker_terms import NotRead, ReadStatement, TypedReading, reading
from dpbounds.logic.terms import TermError, term
from dpbounds.prover import rules
from dpbounds.prover.derivation import derive
from dpbounds.prover.rewriting.arithmetic import ProofSearch
from dpbounds.theory import recipes
from tests.kernel.test_documents import YOUNG

ROOT = Path(__file__).parents[2]
x, y, z = sympy.symbols("x y z", real=True)
ROWS: list[dict[str, Any]] = [
    {**YOUNG[0], "name": "square", "given": ["0 < y"]},
    {"rule": "hypothesis", "with": {"formula": "0 < y"}},
    {"rule": "hypothesis", "with": {"formula": "0 <= x - y"}},
    {"rule": "linear", "by": [1, 1], "with": {"formula": "0 <= (x - y)**2", "multipliers": ["x - y"]}},
    {"rule": "hypothesis", "with": {"formula": "x - y < 0"}},
    {"rule": "linear", "by": [3, 3], "with": {"formula": "0 <= (x - y)**2", "multipliers": ["-(x - y)"]}},
    {"rule": "total_order", "with": {"left": "0", "right": "x - y"}},
    {"rule": "cases", "by": [5, 2, 4]},
    {"rule": "linear", "by": [6, 0], "with": {"formula": "2*x <= x**2/y + y", "multipliers": ["1/y"]}},
    {"rule": "ring", "by": [0], "with": {"formula": "y != 0"}},
    {"end": 7, "defined": [8]},
]
SQUARE = Proof("square")
EMPTY = Statement("", (), equal(ZERO, ZERO), frozenset(), 0)


def read_as_typed(then: Any, given: Any = ()) -> ReadStatement:
    return reading(TypedReading(), term(then), tuple(map(term, given)))


def says_finite(premise: Any) -> bool:
    """Whether a premise is false where something in it is infinite, as the checker shows."""
    read = read_as_typed(sympy.Le(x, x, evaluate=False), [premise])
    return all(finite is not None and documents._all_follow(finite, read.clear, EMPTY) for finite in read.unclear.values())


def store(where: Path, rows: list[dict[str, Any]], name: str = "square") -> Path:
    """Write a document into a folder."""
    (where / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return where


def claim(then: Any, *given: Any, **more: Any) -> Claim:
    """A claim of these tests."""
    return Claim(id="test", text="", then=then, given=given, **more)


HOLDS = 2 * x <= x**2 / y + y


@pytest.mark.parametrize(
    ("then", "given", "found"),
    [
        (HOLDS, [y > 0], True),
        (HOLDS, [y > 1], True),
        (HOLDS, [y >= 1, x < 3], True),
        (HOLDS, [sympy.And(y > 2, x < 3)], True),
        (x**2 / y >= 2 * x - y, [y > 0], True),
        (x**2 / y + z >= 2 * x - y, [y > 0, z >= 0], True),
        (x**2 / y + z >= 2 * x - y, [y > 0], False),
        (sympy.And(HOLDS, x**2 / y >= 2 * x - y - 1), [y > 0], True),
        (sympy.And(HOLDS, x > 5), [y > 0], False),
        (sympy.And(x > 5, HOLDS), [y > 0], False),
        (sympy.And(HOLDS, x**2 / y >= 2 * x - y - 1, x > 5), [y > 0], False),
        (HOLDS, [], False),
        (HOLDS, [y >= 0], False),
        (HOLDS, [y < 0], False),
        (HOLDS, [x > 0], False),
        (2 * x < x**2 / y + y, [y > 0], False),
        (2 * x <= x**2 / y, [y > 0], False),
        (3 * x <= x**2 / y + y, [y > 0], False),
        (2 * y <= y**2 / x + x, [x > 0], False),  # the same with other names: a document speaks of its own
        (sympy.Le(2 * x + 1 / z, x**2 / y + y + 1 / z, evaluate=False), [y > 0], False),  # 1/z is not defined at 0
        (sympy.Le(2 * x + 1 / z, x**2 / y + y + 1 / z, evaluate=False), [y > 0, z > 0], True),
    ],
)
def test_a_claim_must_follow_from_the_document(then: Any, given: list[Any], found: bool, tmp_path: Path) -> None:
    where = store(tmp_path, ROWS)
    assert (document_of(claim(then, *given, by=SQUARE), where) is not None) is found


def test_a_document_that_is_refused_or_missing_or_called_otherwise_counts_for_nothing(tmp_path: Path) -> None:
    wanted = claim(HOLDS, y > 0, by=SQUARE)
    assert document_of(wanted, tmp_path) is None
    found = document_of(wanted, store(tmp_path, ROWS))
    assert found is not None and found.name == "square"
    for rows in ([*ROWS[:-1], {"end": 2}], [ROWS[0] | {"name": "other"}, *ROWS[1:]], [ROWS[0] | {"given": []}, *ROWS[1:]]):
        shutil.rmtree(tmp_path)
        tmp_path.mkdir()
        assert document_of(wanted, store(tmp_path, rows)) is None
    cited = [ROWS[0], {"rule": "cite", "with": {"formula": "2*x <= x**2/y + y", "source": "a book"}}, ROWS[1], ROWS[9] | {"by": [1]}]
    assert accepted("square", store(tmp_path, [*cited, {"end": 0, "defined": [2]}])).citations == {"a book"}
    assert document_of(wanted, tmp_path) is None
    (tmp_path / "within").mkdir()
    with pytest.raises(Refused, match="there is no document"):
        accepted("../square", tmp_path / "within")


def test_documents_rest_on_others_and_not_on_themselves(tmp_path: Path) -> None:
    using = [ROWS[0] | {"name": "using"}, {"rule": "lemma", "with": {"name": "square"}}, ROWS[1], ROWS[9] | {"by": [1]}]
    using.append({"end": 0, "defined": [2]})
    with pytest.raises(Refused, match="no document square"):
        accepted("using", store(tmp_path, using, "using"))
    assert accepted("using", store(tmp_path, ROWS)).steps == 3
    circle = [ROWS[0], {"rule": "lemma", "with": {"name": "using"}}, *using[2:]]
    with pytest.raises(Refused, match="circle"):
        accepted("using", store(tmp_path, circle))
    outside = [using[0], {"rule": "lemma", "with": {"name": "../square"}}, *using[2:]]
    with pytest.raises(Refused, match="no name of a document"):
        accepted("using", store(tmp_path, outside, "using"))


@pytest.mark.parametrize(
    ("then", "given", "found"),
    [
        (sympy.And(y > 2, x >= 1), [x >= 1, y > 2], True),
        (sympy.And(y > 2, x >= 2), [x >= 1, y > 2], False),
        (sympy.And(y > 2, x >= 0), [x >= 1, y > 3], True),
        (sympy.And(y > 2, x >= 1), [x >= 1], False),
        (y > 3, [x >= 1, y > 2], False),
    ],
)
def test_parts_of_what_a_document_proves_follow(then: Any, given: list[Any], found: bool, tmp_path: Path) -> None:
    both, parts = "1 <= x and 2 < y", ["1 <= x", "2 < y"]
    steps = [*[step("hypothesis", formula=part) for part in parts], step("conjunction", 0, 1)]
    where = store(tmp_path, rows_of(both, *steps, given=parts))
    assert (document_of(claim(then, *given, by=SQUARE), where) is not None) is found


def test_an_equation_is_read_from_either_side(tmp_path: Path) -> None:
    where = store(tmp_path, rows_of("x == y", step("hypothesis", formula="x == y"), given=["x == y"]))
    for then, found in ((sympy.Eq(x, y), True), (sympy.Eq(y, x), True), (sympy.Eq(2 * x, y), False), (sympy.Eq(-x, y), False)):
        for given in ([sympy.Eq(x, y)], [sympy.Eq(y, x)]):
            assert (document_of(claim(then, *given, by=SQUARE), where) is not None) is found


def test_one_of_two_is_shown_by_either() -> None:
    shown = [
        restated.Restating().shown(read_formula("0 < x or y < 1"), restated.hypotheses([read_formula(f)]))
        for f in ("0 < x", "y < 1", "y <= 1")
    ]
    assert [s is not None for s in shown] == [True, True, False]
    assert all(s is None or show(s.formula) == "0 < x or y < 1" for s in shown)


def test_what_both_must_hold_is_shown_by_both() -> None:
    known = restated.hypotheses([read_formula("0 < x")])
    for more in ("0 < x and y < 1", "0 < x and 0 <= x and y < 1"):
        assert restated.Restating().shown(read_formula(more), known) is None
    found = restated.Restating().shown(read_formula("0 < x and 0 <= x"), known)
    assert found is not None and show(found.formula) == "0 < x and 0 <= x"


def test_a_premise_of_any_shape_shows_itself() -> None:
    for text in ("integrable(s, q(m) * s)", "not integrable(s, s)"):
        (known,) = restated.hypotheses([read_formula(text)])
        assert restated.Restating().shown(known.formula, [known]) == known
        assert restated.Restating().shown(read_formula("integrable(s, s)"), [known]) is None


def test_a_size_does_not_depend_on_the_order_of_a_difference():
    """|e^{−|x−y|} − e^{−|x|}| is |e^{−|x|} − e^{−|y−x|}|, and is not |e^{−|x|} + e^{−|y−x|}|."""
    one = read_formula("abs(exp(-abs(x - y)) - exp(-abs(x))) == 0").parts[0]
    for text, same in (("abs(exp(-abs(x)) - exp(-abs(y - x))) == 0", True), ("abs(exp(-abs(x)) + exp(-abs(y - x))) == 0", False)):
        assert (restated.Restating().equality(one, read_formula(text).parts[0], []) is not None) is same


def test_a_document_says_what_its_derivation_ends_in(tmp_path: Path) -> None:
    """No less, and under no more, or what follows at sight; a citation shows nothing."""
    rows = rows_of("x <= y", step("hypothesis", formula="x <= y"), given=["x <= y"])
    square, most = accepted("square", store(tmp_path, rows)), sympy.Le(x, y)
    ends = [(most, [most]), (most, [z > 3, most]), (most, []), (most, [z > 3]), (x <= y + 1, [most]), (x >= y, [most])]
    assert [documents.says(square, Ends(then, given)) for then, given in ends] == [True, True, False, False, True, False]
    assert not documents.says(replace(square, citations=frozenset({"a book"})), Ends(*ends[0]))
    assert not documents.says(square, Ends(sympy.zeta(x) > 0, [most]))  # not of the checker's language


@dataclass(frozen=True)
class Ends:
    """What a derivation ends in."""

    conclusion: Any
    assumptions: list[Any]
    name: str = "square"


def test_a_derivation_without_a_document_of_its_own_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        documents, "folder", lambda: store(tmp_path, rows_of("x <= y", step("hypothesis", formula="x <= y"), given=["x <= y"]))
    )
    documents.require_document(Ends(x <= y, [x <= y]))
    for other, why in ((Ends(x >= y, [x <= y]), "proves something else"), (Ends(x <= y, [x <= y], "other"), "there is no document other")):
        with pytest.raises(DerivationError, match=why):
            documents.require_document(other)


def read_formula(text: str) -> Term:
    """A formula about x, y, m, z and p, q."""
    return documents.checker.Document(rows_of(text)[0], {}).claim


def test_what_was_accepted_is_forgotten_when_a_file_changes(tmp_path: Path) -> None:
    """Its time, its length, or its name: each alone."""
    using = [ROWS[0] | {"name": "using"}, {"rule": "lemma", "with": {"name": "square"}}, ROWS[1], ROWS[9] | {"by": [1]}]
    store(tmp_path, [*using, {"end": 0, "defined": [2]}], "using")
    file = store(tmp_path, ROWS) / "square.jsonl"
    good, wrong = file.read_text(), file.read_text().replace("2*x <=", "3*x <=", 1)

    def is_accepted(text: str, time: int) -> bool:
        file.write_text(text)
        os.utime(file, (time, time))
        try:
            return accepted("using", tmp_path).name == "using"
        except Refused:
            return False

    assert len(wrong) == len(good)
    assert [is_accepted(good, 1), is_accepted(wrong, 2), is_accepted(good, 3), is_accepted(wrong + "\n", 3)] == [True, False, True, False]
    assert is_accepted(good, 4)
    file.rename(tmp_path / "other.jsonl")
    with pytest.raises(Refused, match="no document square"):
        accepted("using", tmp_path)


def rows_of(claim: str, *steps: dict[str, Any], given: list[str] = [], end: int | None = None, defined: list[int] = []) -> list[Any]:  # noqa: B006
    """A document about x, y, m, z and p, q."""
    header = {**ROWS[0], "real": ["x", "y"], "integer": ["m", "z"], "functions": {"p": "Z>R", "q": "Z>R"}, "given": given, "claim": claim}
    return [header, *steps, {"end": len(steps) - 1 if end is None else end, "defined": defined}]


def step(rule: str, *by: int, **given: Any) -> dict[str, Any]:
    """A step of a document."""
    return {"rule": rule, "by": list(by), "with": given}


def test_two_signs_make_none(tmp_path: Path) -> None:
    where = store(tmp_path, rows_of("-x == -x", step("ring", formula="-x == -x")))
    twice = sympy.Mul(-1, -1, x, evaluate=False)
    assert document_of(claim(sympy.Eq(-x, -x, evaluate=False), by=SQUARE), where) is not None
    assert document_of(claim(sympy.Eq(twice, -x, evaluate=False), by=SQUARE), where) is None


def test_what_sympy_has_used_of_a_bound_symbol_holds_on_its_range(tmp_path: Path) -> None:
    """Σ|k| over m ≤ k ≤ m is written Σk for k > 0, and Σk = m for every m."""
    moved = step("ring", formula="sum(k, m - m, m - m, k - (-m)) == m")
    total = [step("sum_shift", total="sum(k, m, m, k)", by="-m"), moved, {"rule": "rewrite", "by": [0, 1]}]
    rows = rows_of("sum(k, m, m, k) == m", *total, step("linear", formula="m <= m + 1", multipliers=[]), end=2, defined=[3])
    where, m = store(tmp_path, rows), sympy.Symbol("m", integer=True)
    for k, found in ((sympy.Symbol("k", integer=True), True), (sympy.Symbol("k", integer=True, positive=True), False)):
        wanted = sympy.Eq(sympy.Sum(k, (k, m, m)), m)
        assert (document_of(claim(wanted, by=SQUARE), where) is not None) is found


@pytest.mark.parametrize(
    ("then", "given", "found"),
    [
        (KLDivergence(sympy.Tuple(x), sympy.Tuple(x)) >= 0, [x > 0], True),
        (KLDivergence(sympy.Tuple(x), sympy.Tuple(x)) >= 0, [], False),  # 0 <= 0, and x may be negative
        (RenyiDivergence(x, sympy.Tuple(1), sympy.Tuple(1)) >= 0, [x >= 2], True),
        (RenyiDivergence(x, sympy.Tuple(1), sympy.Tuple(1)) >= 0, [], False),  # of any order
        (RenyiDivergence(x, sympy.Tuple(1), sympy.Tuple(1)) >= 0, [x > 0], False),
    ],
)
def test_what_a_quantity_asks_for_must_follow(then: Any, given: list[Any], found: bool, tmp_path: Path) -> None:
    where = store(tmp_path, rows_of("0 <= 0", step("ring", formula="0 <= 0")))  # what the definitions leave
    assert (document_of(claim(then, *given, by=SQUARE), where) is not None) is found


@pytest.mark.parametrize(
    ("wanted", "given", "found"),
    [
        (ForAll(x, x >= 2, x > 1), [], True),
        (ForAll(x, x >= 1, x > 1), [], False),
        (ForAll(x, x < 5, x > 1), [x > 2], False),  # of another x
        (ForAll(x, sympy.And(x >= 2, x <= y), sympy.And(x > 1, y >= x)), [y > 3], True),
        (ForAll(x, x > 2, ForAll(y, y < 5, x > 1)), [], True),
        (ForAll(x, x > 2, ForAll(y, y < 5, y > 1)), [], False),
    ],
)
def test_what_holds_on_a_range_is_shown_there(wanted: Any, given: list[Any], found: bool) -> None:
    read = read_as_typed(wanted, given)
    shown = restated.Restating().shown(read.claim, restated.hypotheses(read.given))
    assert (shown is not None) is found
    assert shown is None or (shown.formula == read.claim and shown.hypotheses <= set(read.given))


def test_a_quantity_of_a_premise_may_be_infinite(tmp_path: Path) -> None:
    """p = 1 and Σ p²/q ≥ 1 over one outcome give q > 0 where 1/0 = 0; but the moment is infinite for q = 0."""
    i, p, q = index("i"), family("p"), family("q")
    large = RenyiMoment(2, p[i], q[i], (i, 1, 1)) >= 1
    signs = [f"allZ(k, imp(1 <= k, 0 <= {name}(k)))" for name in "qp"]
    given = [*signs, "p(1) == 1", "1 <= sum(k, 1, 1, pow(p(k), 2) * q(k)**(1 - 2))"]

    def everywhere(start: int, formula: str) -> list[dict[str, Any]]:
        """From a step about z, the same for 1 ≤ z ≤ 1."""
        steps = [step("alternative", start, formula=formula), step("discharge", start + 1, formula="z <= 1")]
        return [*steps, step("discharge", start + 2, formula="1 <= z"), step("generalize", start + 3, variable="z")]

    hypotheses = [step("hypothesis", formula=f) for f in (given[0], given[2], given[3], "q(1) <= 0", "0 < q(1)", "z <= 1", "1 <= z")]
    steps = [
        *hypotheses,
        *[step("specialize", 0, at="1"), step("linear", formula="1 <= 1", multipliers=[]), step("detach", 7, 8)],
        *[step("antisymmetric", 3, 9), step("linear", 2, 10, 1, formula="0 < q(1)", multipliers=["1"])],
        *[step("total_order", left="q(1)", right="0"), step("cases", 12, 11, 4)],
        *[step("ring", formula="0 <= 2"), *everywhere(14, "0 <= 2 or p(z) != 0")],
        *[step("antisymmetric", 5, 6), step("ring", 19, 13, formula="q(z) != 0")],
        *everywhere(20, "0 <= 1 - 2 or q(z) != 0"),
    ]
    where = store(tmp_path, rows_of("0 < q(1)", *steps, given=given, end=13, defined=[18, 24]))
    assert accepted("square", where).steps == len(steps)
    wanted = claim(q[1] > 0, large, sympy.Eq(p[1], 1), by=SQUARE)
    assert settle(claim(q[1] > 0, *wanted.given, by=Counterexample({p: [1], q: [0]}))).verdict is Verdict.REFUTED
    assert document_of(wanted, where) is None


@pytest.mark.parametrize(
    ("premise", "finite"),
    [
        (lambda d: d <= x, True),
        (lambda d: x > d, True),
        (lambda d: d < x, True),
        (lambda d: x >= d, True),
        (lambda d: sympy.Eq(d, 1), True),
        (lambda d: sympy.Eq(1, d, evaluate=False), True),
        (lambda d: ForAll(x, x > 1, d <= x), True),
        (lambda d: d >= x, False),
        (lambda d: 1 / d <= x, False),
        (lambda d: sympy.Ne(d, 1), False),
        (lambda d: sympy.Eq(d, d + x), False),
        (lambda d: sympy.Or(d <= x, x < 1), False),
        (lambda d: ForAll(x, d <= x, x > 1), False),
        (lambda d: ForAll(x, x > 1, sympy.And(x > 0, 1 / d <= x)), False),
        (lambda d: ForAll(x, x > 1, sympy.And(x > 0, d <= x)), True),
    ],
)
def test_which_premises_say_that_a_quantity_is_finite(premise: Any, finite: bool) -> None:
    i = index("i")
    assert says_finite(premise(RenyiMoment(2, family("p")[i], family("q")[i], (i, 1, 3)))) is finite


@pytest.mark.parametrize("quantity", [Infimum(-y, (y, 0, sympy.oo)), sympy.Integral(-1, (y, 0, sympy.oo))])
def test_a_quantity_that_may_be_minus_infinity_is_not_finite_for_being_at_most_a_number(quantity: Any) -> None:
    most, least = sympy.Le(quantity, x, evaluate=False), sympy.Ge(quantity, x, evaluate=False)
    below_all = ForAll(x, sympy.true, most)
    bounded_below = isinstance(quantity, Infimum)  # an integral from below may be ∞
    found = [says_finite(p) for p in (most, below_all, least, sympy.Eq(quantity, x, evaluate=False))]
    assert found == [False, False, bounded_below, True]


t, u = sympy.symbols("t u", positive=True)
ENDLESS_INTEGRAL = sympy.Integral(1, (u, 0, sympy.oo))


@pytest.mark.parametrize(
    "premise",
    [
        Infimum(t + ENDLESS_INTEGRAL, (t, 0, 1)) >= x,  # ∞ >= x
        Supremum(t - ENDLESS_INTEGRAL, (t, 0, 1)) <= x,
        sympy.Eq(Supremum(t / (1 + ENDLESS_INTEGRAL), (t, 0, 1)), 0),
        Infimum(t + Supremum(u, (u, 0, sympy.oo)), (t, 0, 1)) >= x,
        Supremum(t, (t, x, y)) <= z,  # over no number at all for y <= x
        Infimum(t, (t, x, y)) >= z,
        KLDivergence(sympy.S.One, sympy.E, (u, 0, sympy.oo)) <= x,  # −∞
        sympy.Le(Supremum(t, (t, 0, sympy.oo)), ENDLESS_INTEGRAL, evaluate=False),  # ∞ <= ∞
        sympy.Ge(Infimum(-t, (t, 0, sympy.oo)), sympy.Integral(-1, (u, 0, sympy.oo)), evaluate=False),
    ],
)
def test_what_may_be_infinite_inside_or_over_an_empty_range_is_not_said_to_be_finite(premise: Any) -> None:
    assert not says_finite(premise)


@pytest.mark.parametrize("premise", [Supremum(t, (t, 0, 1)) <= x, Infimum(t, (t, 0, sympy.oo)) >= x, Supremum(t, (t, x, x + 1)) <= y])
def test_an_extremum_of_numbers_on_the_side_of_one_is_finite(premise: Any) -> None:
    assert says_finite(premise)


def test_no_document_concludes_from_an_infimum_of_minus_infinity(tmp_path: Path) -> None:
    """inf −s over s > 0 is at most −t for every t > 0. No number is: it would be at most −1, and at most itself − 1."""
    s, t, lowest = *sympy.symbols("s t", positive=True), "inf_above(s, 0, -s)"
    given = f"allR(t, imp(0 < t, {lowest} <= -t))"
    steps = [
        *[step("hypothesis", formula=f) for f in (given, f"{lowest} <= 0", f"0 < {lowest}")],
        step("linear", 1, formula=f"0 < 1 - {lowest}", multipliers=["1"]),
        *[step("specialize", 0, at=f"1 - {lowest}"), step("detach", 4, 3), step("linear", 5, formula="1 <= 0", multipliers=["1"])],
        *[step("specialize", 0, at="1"), step("ring", formula="0 < 1"), step("detach", 7, 8)],
        step("linear", 9, 2, formula="1 <= 0", multipliers=["1", "1"]),
        *[step("total_order", left=lowest, right="0"), step("cases", 11, 6, 10)],
        *[step("discharge", 0, formula="0 < y"), step("generalize", 13, variable="y")],
    ]
    where = store(tmp_path, rows_of("1 <= 0", *steps, given=[given], end=12, defined=[14]))
    assert accepted("square", where).steps == len(steps)
    premise = ForAll(t, sympy.true, sympy.Le(Infimum(-s, (s, 0, sympy.oo)), -t, evaluate=False))
    assert document_of(claim(sympy.Le(sympy.Integer(1), 0, evaluate=False), premise, by=SQUARE), where) is None


def test_no_document_concludes_from_an_infimum_of_infinite_numbers(tmp_path: Path) -> None:
    """inf t + J over 0 < t < 1 is ∞ where J is. For numbers, 2s in place of s gives J = J/2, and the infimum is at most 1/2."""
    integral, swapped, scaled = "line(s, ite(0 < s, 1, 0))", "ite(0 < x, 1, 0)", "ite(0 < 2*x + 0, 1, 0)"
    lowest = f"inf(t, 0, 1, t + {integral})"
    given, same = f"1 <= {lowest}", f"{scaled} == {swapped}"
    steps = [
        step("ring", formula="2 != 0"),
        step("integral_affine", 0, integral=integral, scale="2", offset="0"),
        step("part", 1, number=0),
        *[step("hypothesis", formula=f) for f in ("0 < x", "0 < 2*x + 0", "not 0 < x", "not 0 < 2*x + 0")],  # 3 to 6
        step("linear", 3, formula="0 < 2*x + 0", multipliers=["2"]),
        step("linear", 4, formula="0 < x", multipliers=["1/2"]),
        *[step("branch", k, then="1", other="0") for k in (7, 3, 6, 5)],  # 9 to 12
        step("linear", 9, 10, formula=same, multipliers=["1", "-1"]),
        step("absurd", 8, 5, formula=same),
        step("linear", 11, 12, formula=same, multipliers=["1", "-1"]),
        *[step("excluded_middle", formula="0 < 2*x + 0"), step("cases", 16, 14, 15)],
        *[step("excluded_middle", formula="0 < x"), step("cases", 18, 13, 17)],
        *[step("equal_functions", 19, variable="x"), step("part", 20, number=0)],
        step("linear", 2, 21, formula=f"{integral} == 0", multipliers=["2", "-2"]),
        *[step("hypothesis", formula="0 < y"), step("linear", 23, 22, formula=f"0 <= y + {integral}", multipliers=["1", "-1"])],
        *[step("linear", formula=f, multipliers=[]) for f in ("0 < 1/2", "1/2 < 1", "0 < 1")],  # 25 to 27
        step("extremum_reached", 24, 25, 26, variable="y", ends=["0", "1"], at="1/2"),
        *[step("hypothesis", formula=given), step("linear", 29, 28, 22, formula="1 <= 0", multipliers=["2", "2", "2"])],
        *[step("linear", 30, 27, formula="1 < 1", multipliers=["1", "1"]), step("irreflexive", term="1")],
        step("absurd", 31, 32, formula="integrable(s, ite(0 < s, 1, 0))"),
        step("absurd", 31, 32, formula=f"{lowest} <= y + {integral}"),
    ]
    for shown in (34, 33):  # for every y with 0 < y < 1
        steps += [step("discharge", shown, formula="y < 1"), step("discharge", len(steps), formula="0 < y")]
        steps.append(step("generalize", len(steps) - 1, variable="y"))
    where = store(tmp_path, rows_of("1 <= 0", *steps, given=[given], end=30, defined=[27, 33, 37, 40]))
    assert accepted("square", where).steps == len(steps)
    premise = Infimum(t + ENDLESS_INTEGRAL, (t, 0, 1)) >= 1
    assert document_of(claim(sympy.Le(sympy.Integer(1), 0, evaluate=False), premise, by=SQUARE), where) is None


def test_a_document_shows_that_a_premise_has_no_infinite_quantity_from_the_others_alone() -> None:
    """What it showed from the premise itself, or did not show, does not count."""
    found, proof = claim_called("chen2019.conjecture-1.common-ratio"), accepted("conjecture-1-common-ratio", folder())
    read = reading(TypedReading(), *found.terms)
    (unclear,) = read.unclear
    longer = [Sequent(s.hypotheses | {unclear}, s.formula) for s in proof.defined]
    others = [g for g in read.given if g != unclear]
    shown = [
        documents._all_follow(documents.obligations(unclear), others, replace(proof, defined=tuple(d))) for d in (proof.defined, [], longer)
    ]
    assert shown == [True, False, False]
    assert [documents.proves(replace(proof, defined=tuple(d)), found) for d in (proof.defined, [], longer)] == shown


def from_nothing(where: Path, given: str, *steps: dict[str, Any]) -> Path:
    """A document whose last step is 1 ≤ 0, from one premise; what it must show to be defined follows from that too."""
    b, premise = len(steps), documents.checker.Document(rows_of("1 <= 0", given=[given])[0], {}).given[0]
    more = [step("linear", b - 1, formula="0 < 0", multipliers=["1"]), step("irreflexive", term="0")]
    defined = [step("absurd", b, b + 1, formula=show(o).replace("_", "t")) for o in documents.obligations(premise)]
    places = list(range(b + 2, b + 2 + len(defined)))
    return store(where, rows_of("1 <= 0", *steps, *more, *defined, given=[given], end=b - 1, defined=places))


NEVER = sympy.Le(sympy.Integer(1), 0, evaluate=False)


def twice(integral: str) -> list[dict[str, Any]]:
    """∫ f = 0 where ∫ f(2x) is 4∫ f and, by its substitution, ∫ f/2: an integral that does not exist is 0 for the checker."""
    moved = [step("ring", formula="2 != 0"), step("integral_affine", 0, integral=integral, scale="2", offset="0")]
    return [*moved, step("part", 1, number=0), step("linear", 2, formula=f"{integral} == 0", multipliers=["2/7"])]


@pytest.mark.parametrize(
    "quantity",
    [KLDivergence(sympy.Integer(1), sympy.exp(x**2), (x, -sympy.oo, sympy.oo)), sympy.Integral(-(x**2), (x, -sympy.oo, sympy.oo))],
)
def test_no_document_concludes_from_an_integral_of_minus_infinity(quantity: Any, tmp_path: Path) -> None:
    """∫ −u² is at most −5, and no number is."""
    given, integral = "line(u, -u**2) <= -5", "line(u, -u**2)"
    last = [step("hypothesis", formula=given), step("linear", 3, 4, formula="1 <= 0", multipliers=["-1/5", "1/5"])]
    where = from_nothing(tmp_path, given, *twice(integral), *last)
    assert accepted("square", where)
    assert document_of(claim(NEVER, sympy.Le(quantity, -5, evaluate=False), by=SQUARE), where) is None


def test_no_document_concludes_from_a_quantity_within_another_that_is_infinite(tmp_path: Path) -> None:
    """The supremum over 1 < t < 2 of ∫ −tu² is −∞ too, which is at most −5."""
    given, integral = "sup(t, 1, 2, line(u, -(t * u**2))) <= -5", "line(u, -(y * u**2))"
    steps = [
        *[*twice(integral), step("linear", 3, formula=f"{integral} <= 0", multipliers=["1"])],
        *[step("linear", formula="1 < 3/2", multipliers=[]), step("linear", formula="3/2 < 2", multipliers=[])],
        step("extremum_reached", 4, 5, 6, variable="y", ends=["1", "2"], at="3/2"),
        *[step("substitution", 3, terms={"y:R": "3/2"}, functions={}), step("hypothesis", formula=given)],
        step("linear", 7, 9, 8, formula="1 <= 0", multipliers=["1/5", "1/5", "-1/5"]),
    ]
    where = from_nothing(tmp_path, given, *steps)
    assert accepted("square", where)
    quantity = Supremum(sympy.Integral(-y * x**2, (x, -sympy.oo, sympy.oo)), (y, 1, 2))
    assert document_of(claim(NEVER, sympy.Le(quantity, -5, evaluate=False), by=SQUARE), where) is None


@pytest.mark.parametrize(("most", "finite"), [(sympy.Integer(-5), False), (x, False), (sympy.Integer(0), True), (x**2, True)])
def test_a_divergence_of_masses_that_never_meet_is_minus_infinity(most: Any, finite: bool) -> None:
    """log 0 is 0 for the checker, so that a divergence is at most a number there too if the number is at least 0."""
    i = index("i")
    found = RenyiDivergence(2, family("p")[i], family("q")[i], (i, 1, 3))
    assert says_finite(sympy.Le(found, most, evaluate=False)) is finite
    assert says_finite(sympy.Lt(found, most, evaluate=False)) is False  # 0 < 0 is false, and −∞ < 0 is not
    assert says_finite(sympy.Gt(most, found, evaluate=False)) is False
    assert says_finite(sympy.Lt(found, most + 1, evaluate=False)) is finite


def test_a_premise_does_not_say_where_its_own_sum_ends(tmp_path: Path) -> None:
    """Σk = −7 from m to z gives m ≤ z where a sum without terms is 0; by the other convention m = 5 and z = 2 are such."""
    given = "sum(k, m, z, k) == -7"
    steps = [
        *[step("hypothesis", formula=given), step("total_order", left="m", right="z")],
        *[step("hypothesis", formula=f) for f in ("z < m", "m <= i", "i <= z")],
        *[step("linear", 2, 3, 4, formula="0 < 0", multipliers=["1", "1", "1"]), step("irreflexive", term="0")],
        *[step("absurd", 5, 6, formula="i == 0"), step("sum_termwise", 7, variable="i", low="m", high="z")],
        *[step("linear", 0, 8, formula="7 == 0", multipliers=["1", "-1"]), step("ring", 9, formula="7 != 0")],
        *[step("absurd", 9, 10, formula="m <= z"), step("hypothesis", formula="m <= z"), step("cases", 1, 12, 11)],
        step("linear", 13, formula="m <= z + 1", multipliers=["1"]),
    ]

    def stored(given: list[str]) -> Path:
        header, *rest = rows_of("m <= z", *steps, given=given, end=13, defined=[14])
        return store(tmp_path, [{**header, "integer": ["m", "z", "i"]}, *rest])

    with pytest.raises(Refused, match="not shown to be defined without other sums: m <= z \\+ 1"):
        accepted("square", stored([given]))
    # with the range among the premises the same steps show it
    assert accepted("square", stored([given, "m <= z + 1"])).steps == len(steps)


def test_no_document_concludes_from_a_binomial_coefficient_below_zero(tmp_path: Path) -> None:
    """C(−1, 3) = −1 by n(n − 1)(n − 2)/6, and no binomial coefficient of the checker is below 0."""
    given, n = "binom(z, 3) <= -1", sympy.Symbol("z", integer=True)
    steps = [step("hypothesis", formula=given), step("ring", formula="0 <= binom(z, 3)")]
    where = from_nothing(tmp_path, given, *steps, step("linear", 0, 1, formula="1 <= 0", multipliers=["1", "1"]))
    assert accepted("square", where)
    premise = sympy.Le(sympy.binomial(n, 3), -1, evaluate=False)
    assert settle(claim(NEVER, premise, by=Counterexample({n: -1}))).verdict is Verdict.REFUTED
    assert document_of(claim(NEVER, premise, by=SQUARE), where) is None


def test_a_binomial_coefficient_of_numbers_that_are_not_negative_says_what_it_does(tmp_path: Path) -> None:
    given, n = ["0 <= z", "binom(z, 3) <= x"], sympy.Symbol("z", integer=True)
    steps = [step("hypothesis", formula=given[1]), step("ring", formula="0 <= binom(z, 3)")]
    more = [step("linear", 0, 1, formula="0 <= x", multipliers=["1", "1"]), step("ring", formula="0 <= 3")]
    where = store(tmp_path, rows_of("0 <= x", *steps, *more, given=given, end=2, defined=[3]))
    least, most = n >= 0, sympy.Le(sympy.binomial(n, 3), x, evaluate=False)
    assert document_of(claim(x >= 0, least, most, by=SQUARE), where) is not None


def test_no_document_concludes_from_a_supremum_over_nothing(tmp_path: Path) -> None:
    """Over x < t < 1 with x ≥ 1 a supremum is −∞ if it is anything; for the checker, sup 2·0 = 2·sup 0 makes it 0."""
    given, empty = "sup(t, x, 1, 0) <= -5", "sup(t, x, 1, 0)"
    steps = [
        *[step("ring", formula="0 < 2"), step("extremum_multiple", 0, extremum=empty, factor="2")],
        *[step("linear", 1, formula=f"{empty} == 0", multipliers=["-1"]), step("hypothesis", formula=given)],
        step("linear", 3, 2, formula="1 <= 0", multipliers=["1/5", "-1/5"]),
    ]
    where = from_nothing(tmp_path, given, *steps)
    assert accepted("square", where)
    assert document_of(claim(NEVER, sympy.Le(Supremum(sympy.Integer(0), (y, x, 1)), -5, evaluate=False), by=SQUARE), where) is None


@pytest.mark.parametrize(("high", "finite"), [(x, False), (sympy.Integer(1), False), (sympy.Integer(3), True), (sympy.oo, True)])
def test_an_extremum_is_finite_over_what_is_not_empty(high: Any, finite: bool) -> None:
    least, most = Infimum(y, (y, 2, high)), Supremum(-y, (y, 2, high))
    assert says_finite(sympy.Ge(least, 0, evaluate=False)) is finite
    assert says_finite(sympy.Le(most, 0, evaluate=False)) is finite


def test_an_end_of_an_integral_is_not_the_variable_that_it_binds() -> None:
    """The infimum over 1 < t < 2 of the integral of e^−t from 0 to t is 1 − 1/e, and not that from 0 to ∞, where t ≤ t."""
    t = sympy.Symbol("t", positive=True)
    for end, text in ((t, "_0"), (2 * t, "2 * _0")):
        inner = sympy.Integral(sympy.exp(-t), (t, 0, end))
        read = read_as_typed(sympy.Ge(Infimum(inner, (t, 1, 2)), 1, evaluate=False))
        assert show(read.claim) == f"1 <= inf(_0, 1, 2, line(_1, ite(0 < _1 and _1 <= {text}, exp(-_1), 0)))"
        assert [show(o) for o in read.asked] == [f"allR(_0, imp(1 < _0, imp(_0 < 2, 0 <= {text})))"]


def test_two_premises_are_not_each_clear_by_the_other(tmp_path: Path) -> None:
    """For m = 5 and z = 2, ∫ −u² ≤ z − m is true by −∞ and Σk = −7 by a convention; as the checker reads them, both are false."""
    integral = "line(u, -u**2)"
    given = [f"{integral} <= z - m", "sum(k, m, z, k) == -7", "1 <= m"]
    steps = [
        *[*twice(integral), step("hypothesis", formula=given[0])],
        step("linear", 4, 3, formula="m <= z + 1", multipliers=["1", "-1"]),
        *[step("hypothesis", formula=given[1]), step("hypothesis", formula=given[2]), step("ring", 7, formula="0 <= sum(k, m, z, k)")],
        step("linear", 6, 8, formula="1 <= 0", multipliers=["1/7", "1/7"]),
        *[step("linear", 9, formula="0 < 0", multipliers=["1"]), step("irreflexive", term="0")],
        step("absurd", 10, 11, formula="integrable(u, -u**2)"),
    ]
    where = store(tmp_path, rows_of("1 <= 0", *steps, given=given, end=9, defined=[5, 12]))
    assert accepted("square", where).steps == len(steps)
    m, last, k = sympy.symbols("m z k", integer=True)
    premises = [
        sympy.Le(sympy.Integral(-(x**2), (x, -sympy.oo, sympy.oo)), last - m, evaluate=False),
        *[sympy.Eq(sympy.Sum(k, (k, m, last)), -7), m >= 1],
    ]
    wanted = claim(NEVER, *premises, by=SQUARE)
    read = reading(TypedReading(), *wanted.terms)
    assert documents.establishes(accepted("square", where), read.given, read.claim)
    assert document_of(wanted, where) is None
    own = [*steps, step("absurd", 10, 11, formula="m <= z + 1")]  # the range from its own sum too
    where = store(tmp_path, rows_of("1 <= 0", *own, given=given, end=9, defined=[5, 12, 13]))
    assert accepted("square", where).steps == len(own) and document_of(wanted, where) is None


def test_a_sum_of_a_premise_shows_nothing_else(tmp_path: Path) -> None:
    """Σk² ≤ x from m to n shows x ≥ 0 only where m ≤ n + 1."""
    where, (m, n, k) = (
        store(tmp_path, rows_of("0 <= x", step("hypothesis", formula="0 <= x"), given=["0 <= x"])),
        sympy.symbols("m n k", integer=True),
    )
    total = sympy.Sum(k**2, (k, m, n))
    read = read_as_typed(x >= 0, [sympy.Le(total, x, evaluate=False)])
    assert not documents.establishes(accepted("square", where), read.given, read.claim)
    assert document_of(claim(x >= 0, sympy.Le(total, x, evaluate=False), by=SQUARE), where) is None
    assert document_of(claim(x >= 0, sympy.Le(total.subs({m: 1, n: 3}), x, evaluate=False), by=SQUARE), where) is not None


def derived(proof: Any) -> Any:
    """2x ≤ x²/y + y for y > 0."""
    scaled = rules.scale(rules.nonnegative((x - y) ** 2), 1 / y, given=[y > 0])
    return proof("a square", rules.restate(HOLDS, scaled, given=[y > 0]))


def test_a_derivation_of_the_user_gets_a_document_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = claim(HOLDS, y > 0, by=Proof(lambda: derive("square", "", derived)))
    written = settle(wanted)
    assert written.verdict is Verdict.PROVED and written.evidence == (Evidence("derivation"),)
    assert str(written.evidence[0]) == "derivation checked by the kernel"
    assert written.certificate is not None
    text = written.certificate["evidence"]["text"]
    assert json.loads(text.splitlines()[0])["name"] == "test"
    assert replay(written.certificate, wanted).checked_by == "the kernel, document test"
    monkeypatch.setattr(documents, "folder", lambda: tmp_path)
    store(tmp_path, [ROWS[0] | {"name": "test"}, *ROWS[1:]], "test")
    outcome = settle(wanted)  # a stored document is taken where it fits
    assert outcome.evidence == (Evidence("derivation"),)
    assert outcome.certificate is not None
    assert outcome.certificate["evidence"]["steps"] == [] and outcome.detail == "test: 9 steps"
    assert "text" not in outcome.certificate["evidence"]
    assert replay(outcome.certificate, wanted).checked_by == "the kernel, document test"
    (tmp_path / "test.jsonl").unlink()
    with pytest.raises(CertificateError):  # the certificate names a document that is gone
        replay(outcome.certificate, wanted)


def test_a_derivation_without_a_document_proves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its rules accepted every step, so it was PROVED; now the step that could not be written is what the claim is told."""
    monkeypatch.setattr("dpbounds.prover.rewriting.documents.HANDLERS", {})
    monkeypatch.setattr(ProofSearch, "prove", lambda *_, **__: None)
    outcome = settle(claim(HOLDS, y > 0, by=Proof(lambda: derive("square", "", derived))))
    assert outcome.verdict is Verdict.UNDECIDED
    assert "has no proof document" in outcome.detail and "sign: 0 <= (x - y)**2" in outcome.detail


def test_a_claim_of_the_catalogue_is_checked_by_the_kernel() -> None:
    found = settle(claim_called("chen2019.claim-25"))
    assert found.evidence == (Evidence("derivation"),)


def test_every_document_belongs_to_a_derivation_and_the_page_has_the_number() -> None:
    names, stored = {entry.name for entry in recipes()}, {file.stem for file in folder().glob("*.jsonl")}
    assert stored <= names | set(claims_with_documents())
    text = (ROOT / "docs" / "trust.md").read_text(encoding="utf-8")
    assert f"{len(stored & names)} of the {len(names)} derivations of the catalogue" in text
    assert f"{len(stored - names)} derivations of claim files" in text


@pytest.mark.parametrize(
    ("name", "cited"), [("yu2019.sampled-gaussian.convex-in-order", True), ("chen2019.claim-25", False), ("yu2019.accounting", False)]
)
def test_what_is_only_cited_needs_no_document(name: str, cited: bool) -> None:
    assert is_only_cited(claim_called(name)) is cited


def test_a_derivation_has_a_limit_of_processor_time(tmp_path: Path) -> None:
    (found,) = write(["subsampling"], tmp_path, seconds=0.2)
    assert (found.state, found.why) == ("none", "more than 0.2 seconds of processor time")
    assert not list(tmp_path.iterdir())


def test_no_two_claims_share_a_name_of_a_document() -> None:
    own = [
        name_of(entry.claim) for entry in collect([catalogue_folder()]) if isinstance(entry.claim.by, Proof) and entry.claim.by.name is None
    ]
    assert len(own) == len(set(own)) == len(claims_with_documents())
    assert not set(own) & {entry.name for entry in recipes()}


i, m = sympy.Symbol("i", integer=True, positive=True), sympy.Symbol("m", integer=True)
FROM_1, ENDLESS = (i, 1, m), (i, 1, sympy.oo)


def test_an_inequality_between_infinite_sums_is_read_as_one_of_all_partial_sums() -> None:
    small, large = sympy.Sum(x**i, ENDLESS), sympy.Sum(i * x**2, ENDLESS)
    signs = "allZ(_0, imp(1 <= _0, 0 <= x**_0)) and allZ(_0, imp(1 <= _0, 0 <= _0 * x**2))"
    partial = "allZ(_0, imp(0 <= _0, sum(_1, 1, _0, x**_1) <= sum(_1, 1, _0, _1 * x**2)))"
    for statement in (sympy.Le(small, large, evaluate=False), sympy.Ge(large, small, evaluate=False)):
        assert show(read_as_typed(statement).claim) == f"{signs} and {partial}"


LARGE = sympy.Sum(2 * x**2, ENDLESS)


@pytest.mark.parametrize(
    ("statement", "given"),
    [
        (sympy.Lt(sympy.Sum(x**2, ENDLESS), LARGE, evaluate=False), []),  # 0 < 1/n, and the limits are equal
        (sympy.Eq(sympy.Sum(x**2, ENDLESS), LARGE, evaluate=False), []),
        (sympy.Le(sympy.Sum(x**2, FROM_1), LARGE, evaluate=False), []),
        (sympy.Le(sympy.Sum(x**2, (i, 2, sympy.oo)), LARGE, evaluate=False), []),
        (sympy.Le(1 + sympy.Sum(x**2, ENDLESS), LARGE, evaluate=False), []),
        (sympy.Not(sympy.Le(LARGE, LARGE, evaluate=False), evaluate=False), []),
        (sympy.Or(x > 1, sympy.Le(LARGE, LARGE, evaluate=False), evaluate=False), []),
        (x >= 0, [sympy.Le(sympy.Sum(x**2, ENDLESS), LARGE, evaluate=False)]),  # a premise that says more makes a claim that says less
        (sympy.Le(sympy.Sum(x**2, (z, 1, sympy.oo)), sympy.Sum(x**2, (z, 1, sympy.oo)), evaluate=False), []),
    ],
)
def test_no_other_infinite_sum_is_read(statement: Any, given: list[Any]) -> None:
    with pytest.raises((NotRead, Refused, TermError)):
        read_as_typed(statement, given)


def test_infinite_sums_of_the_catalogue_are_compared_by_the_kernel() -> None:
    assert document_of(claim_called("mironov2019.directions.discrete-gaussian")) is not None


_SHARE, _BELL = sympy.Symbol("share", nonnegative=True), sympy.exp(-(x**2) / 2)
_LINE, _PLACE = (x, -sympy.oo, sympy.oo), index("place")
_PLACES = (_PLACE, 1, sympy.Symbol("length", integer=True, positive=True))


@pytest.mark.parametrize(
    ("quantity", "given", "is_read"),
    [
        (HockeyStick(0, _BELL, _BELL / 2, _LINE), (), True),
        (HockeyStick(0, -_BELL, _BELL, _LINE), (), False),
        (HockeyStick(0, x * _BELL, _BELL, _LINE), (), False),
        (LossTail(0, _BELL, (1 - _SHARE) * _BELL, _LINE), (), False),
        (LossTail(0, _BELL, (1 - _SHARE) * _BELL, _LINE), (_SHARE <= 1,), True),
        (KLDivergence(x**2 * _BELL, x**2 * _BELL, _LINE), (), True),
        (HockeyStick(0, _BELL / sympy.sqrt(y), _BELL, _LINE), (y > 0,), True),
        (KLDivergence(_BELL, _BELL / 2, _LINE), (), True),
        (HockeyStick(0, x**2, x**4, (x, 0, 1)), (), True),
        (HockeyStick(0, sympy.Tuple(y, 1 - y), sympy.Tuple(1 - y, y)), (y >= 0, y <= 1), True),
        (HockeyStick(0, family("u", "real")[_PLACE], family("w")[_PLACE], _PLACES), (), False),
        (HockeyStick(0, family("u")[_PLACE], family("u")[_PLACE] - family("w")[_PLACE], _PLACES), (), False),
    ],
)
def test_a_divergence_of_what_may_be_negative_is_not_what_a_document_says(quantity, given, is_read):
    """Its definition has a value there, and the quantity has none."""
    stated = claim(quantity <= 3, *given)
    read = reading(TypedReading(), *stated.terms)
    assert documents._all_follow(read.wanted, read.given, EMPTY) is is_read
