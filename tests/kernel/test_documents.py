"""Documents: what is accepted, what is refused, and how quickly."""

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from dpbounds.kernel.checker import Statement, check_all
from dpbounds.kernel.notation import show
from dpbounds.kernel.sequents import RULES
from dpbounds.kernel.terms import Refused

ROOT = Path(__file__).parents[2]
YOUNG: list[dict[str, Any]] = [
    {"format": "dpbounds-proof/1", "name": "young", "real": ["x", "y"], "integer": [], "functions": {},
     "given": ["0 < y", "0 <= (x - y)**2"], "claim": "2*x <= x**2/y + y"},
    {"rule": "hypothesis", "with": {"formula": "0 < y"}},
    {"rule": "hypothesis", "with": {"formula": "0 <= (x - y)**2"}},
    {"rule": "linear", "by": [1, 0], "with": {"formula": "2*x <= x**2/y + y", "multipliers": ["1/y"]}},
    {"rule": "ring", "by": [0], "with": {"formula": "y != 0"}},
    {"end": 2, "defined": [3]},
]  # fmt: skip


def text(rows: list[Any]) -> str:
    """The document of these lines."""
    return "\n".join(row if isinstance(row, str) else json.dumps(row) for row in rows)


def verdict(rows: list[Any], *before: list[Any]) -> Statement | Refused:
    """What the checker says of a document, after others."""
    return check_all({str(k): text(d) for k, d in enumerate([*before, rows])})[str(len(before))]


def document(claim: str, steps: list[dict[str, Any]], given: list[str] | None = None, **other: Any) -> list[dict[str, Any]]:
    """A document about x, y, a, n and p, f whose last step proves the claim."""
    header = {"format": "dpbounds-proof/1", "name": "test", "real": ["x", "y", "a"], "integer": ["n", "i"]}
    header |= {"functions": {"p": "Z>R", "f": "R>R"}, "given": given or [], "claim": claim}
    return [header | other, *steps, {"end": len([s for s in steps if "rule" in s]) - 1}]


def hyp(formula: str) -> dict[str, Any]:
    """F ⊢ F"""
    return {"rule": "hypothesis", "with": {"formula": formula}}


def step(rule: str, *by: int, **given: Any) -> dict[str, Any]:
    """One line."""
    return {"rule": rule, "by": list(by), "with": given}


def test_a_document_is_accepted() -> None:
    found = verdict(YOUNG)
    assert isinstance(found, Statement)
    assert show(found.claim) == "2 * x <= x**2 / y + y" and not found.citations


def test_every_edit_of_a_document_is_refused() -> None:
    edits: list[list[Any]] = [YOUNG[:k] + YOUNG[k + 1 :] for k in range(len(YOUNG)) if k != 4]
    edits += [[*YOUNG[:5], {"end": 2}], [*YOUNG[:5], {"end": 3, "defined": [3]}], [*YOUNG[:5], {"end": 7, "defined": [3]}]]
    edits += [[YOUNG[0] | change, *YOUNG[1:]] for change in HEADERS]
    edits += [[*YOUNG[:3], YOUNG[3] | change, *YOUNG[4:]] for change in STEPS]
    for rows in edits:
        assert isinstance(verdict(rows), Refused), rows


HEADERS: list[dict[str, Any]] = [
    {"format": "dpbounds-proof/2"},
    {"name": "Young"},
    {"name": 5},
    {"given": []},
    {"given": ["0 <= y"]},
    {"claim": "2*x < x**2/y + y"},
    {"claim": "2*x + 1 <= x**2/y + y"},
    {"real": ["x"]},
    {"real": ["x", "y", "x"]},
    {"real": ["x", "y", "exp"]},
    {"real": ["x", "y", "_0"]},
    {"real": ["x", "y", "%i"]},
    {"real": "xy"},
    {"functions": {"x": "R>R"}},
    {"functions": {"g": "R>F"}},
    {"functions": {"line": "R>R"}},
    {"functions": []},
    {"extra": 1},
]
STEPS: list[dict[str, Any]] = [
    {"by": [1]},
    {"by": [0, 1]},
    {"by": [1, 2]},
    {"by": [1, 9]},
    {"by": [1, -3]},
    {"by": [True, False]},
    {"by": "10"},
    {"rule": "assume"},
    {"rule": "__init__"},
    {"with": {"formula": "2*x <= x**2/y + y"}},
    {"with": {"formula": "2*x <= x**2/y + y", "multipliers": ["1"]}},
    {"with": {"formula": "2*x <= x**2/y + y", "multipliers": ["1/y"], "budget": "5"}},
    {"with": []},
    {"conclusion": "2*x <= x**2/y + y"},
]

HOLES = {
    "a factor a² may be 0": document("x <= 5", [hyp("a**2 * x <= 5 * a**2"), step("linear", 0, formula="x <= 5", multipliers=["a**(-2)"])],
                                     ["a**2 * x <= 5 * a**2"]),
    "multiplying by 1/x under x = 0": document("f(a) == 2*f(a)",
                                               [hyp("x == 0"), step("linear", 0, 0, formula="f(a) == 2*f(a)", multipliers=["-f(a)/x"])],
                                               ["x == 0"]),
    "cancelling 1/x under x = 0": document(
        "f(a) == 2*f(a)",
        [hyp("x == 0"), step("ring", 0, formula="x / x == 0"), step("ring", 1, formula="f(a) == 2*f(a)")],
        ["x == 0"],
    ),
    "an even power of 0 is not positive": document("0 < f(x)**2", [step("ring", formula="0 < f(x)**2")]),
    "a bound that depends on the bound variable": document("sup(_0, 0, 1, f(_0)) <= x",
                                                           [hyp("f(x) <= x"), step("extremum_bound", 0, 0, variable="x", ends=["0", "1"])]),
    "a supremum over a half line that is infinite": document("sup_above(_0, 0, _0) == sup_above(_0, 0, _0)",
                                                             [step("ring", formula="sup_above(_0, 0, _0) == sup_above(_0, 0, _0)")]),
    "a bound that holds on a part of the half line": document(
        "sup_above(_0, 0, _0) <= 1",
        [hyp("x < 1"), step("linear", 0, formula="x <= 1", multipliers=["1"]), step("extremum_bound", 1, variable="x", ends=["0"])],
    ),
    "generalizing what is assumed": document("allR(_0, f(_0) <= 1)", [hyp("f(x) <= 1"), step("generalize", 0, variable="x")],
                                             ["f(x) <= 1"]),
    "assuming the claim": document("f(x) <= 1", [hyp("f(x) <= 1")]),
    "an index that is assumed to be positive": document(
        "sum(_0, 0, n, p(_0)) <= sum(_0, 0, n, 1)",
        [
            *[hyp("1 <= i"), hyp("p(i) <= 1"), step("conjunction", 0, 1), step("part", 2, number=1)],
            step("sum_termwise", 3, variable="i", low="0", high="n"),
        ],
        ["1 <= i"],
    ),
    "1/x in the claim without x ≠ 0": document("1/x == 1/x", [step("ring", formula="1/x == 1/x")]),
    "a logarithm in the claim": document("log(x) == log(x)", [step("ring", formula="log(x) == log(x)")], ["0 <= x"]),
    "an integral in the claim": document("line(_0, f(_0)) == line(_0, f(_0))",
                                         [step("ring", formula="line(_0, f(_0)) == line(_0, f(_0))")]),
    "a power of a negative number": document("x**a == x**a", [step("ring", formula="x**a == x**a")]),
    "an undefined part of a condition": document("x == x", [step("ring", formula="x == x")], ["1/a <= x"]),
    "a supremum that may be infinite": document("sup(_0, 0, 1, f(_0)) == sup(_0, 0, 1, f(_0))",
                                                [step("ring", formula="sup(_0, 0, 1, f(_0)) == sup(_0, 0, 1, f(_0))")]),
    "a binomial below 0": document("binom(n, i) == binom(n, i)", [step("ring", formula="binom(n, i) == binom(n, i)")]),
    "a product's sign for its factors": document("(x*y)**a == x**a * y**a",
                                                 [hyp("0 < x*y"), step("ring", 0, formula="(x*y)**a == x**a * y**a")], ["0 < x*y"]),
    "a square of a sum": document("sum(_0,1,n,p(_0)) * sum(_0,1,n,p(_0)) == sum(_0,1,n,p(_0)**2)",
                                  [step("ring", formula="sum(_0,1,n,p(_0)) * sum(_0,1,n,p(_0)) == sum(_0,1,n,p(_0)**2)")]),
    "∞ − ∞": document("ext(x) - ext(x) == 0", [step("ring", formula="ext(x) == ext(x)")]),
    "a lemma that was not proved": document("x <= 1", [step("lemma", name="nothing")]),
    "a lemma that is itself": document("x <= 1", [step("lemma", name="test")]),
    "a step that is not earlier": document("x <= x", [step("part", 1, number=0), step("ring", formula="x == x")]),
}  # fmt: skip


@pytest.mark.parametrize("name", HOLES)
def test_what_must_not_be_proved(name: str) -> None:
    assert isinstance(verdict(HOLES[name]), Refused)


HOSTILE: dict[str, list[Any]] = {
    "no lines": [],
    "one line": YOUNG[:1],
    "not JSON": ["{", "}"],
    "no objects": ["[]", "5"],
    "a key twice": [YOUNG[0], '{"rule": "irreflexive", "rule": "square", "with": {"term": "x"}}', {"end": 0}],
    "NaN": [YOUNG[0], '{"rule": "irreflexive", "with": {"term": NaN}}', {"end": 0}],
    "deep JSON": [YOUNG[0], "[" * 100_000, {"end": 0}],
    "long numbers": document("x == x", [step("irreflexive", term="9" * 10_000)]),
    "numbers that grow": document("x == x", [step("ring", formula="(((2**999)**999)**999)**999 == x")]),
    "deep terms": document("x == x", [step("irreflexive", term="(" * 150 + "x" + ")" * 150), step("irreflexive", term="-" * 5_000 + "x")]),
    "wide terms": document("x == x", [step("irreflexive", term="+".join(["x"] * 5_000))]),
    "doubling by let": document("x == x", [{"let": f"b{k}", "be": f"b{k - 1} + b{k - 1}" if k else "x"} for k in range(60)]),
    "large products": document("x == x", [step("ring", formula="(x+y+a+n+i+f(x)+f(y)+f(a)+1)**50 == x")]),
    "large towers": document("x == x", [step("ring", formula="((((x+y)**60+a)**60+n)**60+i)**60 == x")]),
    "nested sums": document("x == x", [step("ring", formula=f"{'sum(_0,1,n,'.join([''] + ['x'] * 1)} == x")]),
    "many sums": document(
        "x == x", [step("ring", formula="".join(f"sum(k{k},1,n,(x+p(k{k}))**6*" for k in range(9)) + "x" + ")" * 9 + " == x")]
    ),
    "many steps": document("x == x", [step("ring", formula="x == x")] * 30_000),
    "an unhashable lemma": document("x == x", [step("lemma", name=["test"])]),
    "a number as a term": document("x == x", [step("irreflexive", term=5)]),
    "missing arguments": document("x == x", [{"rule": "irreflexive"}]),
    "an end that is a list": [*document("x == x", [step("ring", formula="x == x")])[:-1], {"end": [0]}],
    "an end that is true": [*document("x == x", [step("ring", formula="x == x")])[:-1], {"end": False}],
    "a rule that is a list": [YOUNG[0], {"rule": ["irreflexive"]}, {"end": 0}],
    "a let that is a list": [YOUNG[0], {"let": ["b"], "be": "x"}, {"end": 0}],
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_documents_are_refused_in_a_line(name: str) -> None:
    start = time.process_time()
    found = verdict(HOSTILE[name])
    assert isinstance(found, Refused)
    assert "\n" not in str(found) and len(str(found)) < 1200
    assert time.process_time() - start < 8


def test_lemmas_are_checked_in_the_order_of_use() -> None:
    lemma = document("2*x <= x**2/y + y", [step("lemma", name="young")], ["0 < y", "0 <= (x - y)**2"])
    lemma.insert(2, hyp("0 < y"))
    lemma.insert(3, step("ring", 1, formula="y != 0"))
    lemma[-1] = {"end": 0, "defined": [2]}
    found = check_all({"second": text(lemma), "first": text(YOUNG)})
    assert all(isinstance(s, Statement) for s in found.values())
    circle = [document("x <= 1", [step("lemma", name=b)], name=a) for a, b in (("a", "b"), ("b", "a"))]
    assert all(isinstance(s, Refused) for s in check_all({str(k): text(d) for k, d in enumerate(circle)}).values())
    twice = check_all({"first": text(YOUNG), "again": text(YOUNG)})
    assert [isinstance(s, Statement) for s in twice.values()] == [True, False]


def test_what_is_cited_stays_on_what_uses_it() -> None:
    cited = document("f(x) <= 1", [step("cite", formula="f(x) <= 1", source="Someone 2000")], name="cited")
    using = document("f(x) <= 2", [step("lemma", name="cited"), step("linear", 0, formula="f(x) <= 2", multipliers=["1"])], name="using")
    found = check_all({"u": text(using), "c": text(cited)})
    assert all(isinstance(s, Statement) and s.citations == {"Someone 2000"} for s in found.values())
    defined = document("x == x", [step("cite", formula="0 < 1", source="Else"), step("ring", formula="x == x")])
    defined[-1] = {"end": 1, "defined": [0]}
    again = verdict(defined)
    assert isinstance(again, Statement) and again.citations == {"Else"}


def test_the_checker_imports_the_standard_library_only() -> None:
    allowed = {
        "__future__", "ast", "collections", "dataclasses", "fractions", "functools", "hashlib", "json", "pathlib", "re", "sys", "typing",
    }  # fmt: skip
    for file in (ROOT / "dpbounds" / "kernel").glob("*.py"):
        for line in file.read_text().splitlines():
            if line.startswith(("import ", "from ")):
                module = line.split()[1]
                assert module.startswith("dpbounds.kernel") or module.split(".")[0] in allowed, (file.name, line)


@pytest.mark.parametrize("most", [12, pytest.param(None, marks=pytest.mark.slow)], ids=["the shortest", "all"])
def test_documents_of_the_tree_are_accepted_by_a_bare_interpreter(most: int | None, tmp_path: Path) -> None:
    """Only the folders of the checkers are there: no packages, no rest of dpbounds. The quick suite checks the rest with their claims."""
    (tmp_path / "dpbounds").mkdir()
    for name in ("logic", "kernel", "covers", "recheck"):
        (tmp_path / "dpbounds" / name).symlink_to(ROOT / "dpbounds" / name)
    found = [file for file in (ROOT / "proofs" / "documents").glob("*.jsonl") if most is None or '"rule": "lemma"' not in file.read_text()]
    files = sorted(map(str, sorted(found, key=lambda file: file.stat().st_size)[:most]))
    assert len(files) >= 12
    run = subprocess.run([sys.executable, "-S", "-m", "dpbounds.logic", *files], capture_output=True, text=True, cwd=tmp_path)
    assert run.returncode == 0, run.stdout[-2000:]
    assert f"{len(files)} accepted, 0 refused" in run.stdout and "citing" not in run.stdout


def test_the_page_lists_every_rule_with_its_statement() -> None:
    page = (ROOT / "docs" / "kernel.md").read_text(encoding="utf-8")
    for name, function in RULES.items():
        statement = (function.__doc__ or "").splitlines()[0].replace("|", "\\|")
        assert f"| `{name}` | {statement} |" in page, name
