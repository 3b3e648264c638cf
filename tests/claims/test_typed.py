"""A claim states terms: what was typed is kept, sympy gets one reading of it, and a declaration that no range supports is refused."""

import random
from pathlib import Path

import pytest
import sympy

from benchmarks.lemmas import LISTS, lemmas_of
from dpbounds import notation as n
from dpbounds.claims import Claim, Mutant
from dpbounds.claims.catalogue import catalogue_folder
from dpbounds.claims.collect import claim_files, claims_in
from dpbounds.claims.statement.typeset import domain_latex, markdown_of
from dpbounds.errors import ClaimError, EmptyDomainError
from dpbounds.logic.terms import Named, Term, free_in, renamed, variable
from dpbounds.logic.text import declarations, read, show
from tests.logic.digest import digest

x, y = n.real("x y")
p = n.positive("p")
i, m = n.index("i"), n.positive_integer("m")


def test_what_was_typed_is_kept() -> None:
    claim = Claim("a", "", p / p <= n.Max(x, x), given=[x >= 1, n.And(y > 0, y < 1)], mutant=p - p > 0)
    assert str(claim.conclusion) == "p/p <= Max(x, x)"
    assert [str(part) for part in claim.premises] == ["x >= 1", "y > 0", "y < 1"]
    assert str(claim.then) == "p/p <= x" and len(claim.given) == 3  # evaluation would leave no p
    twin = claim.twin(claim.mutant)
    assert str(twin.conclusion) == "p - p > 0" and twin.premises == claim.premises


def test_sympy_gets_relations_undecided_and_no_premise_twice() -> None:
    claim = Claim("a", "", p**2 >= 0, given=[p > 0, m >= 1, m >= 2])
    assert str(claim.then) == "p**2 >= 0" and [str(part) for part in claim.given] == ["m >= 2"]
    assert claim.premises == (p > 0, m >= 1, m >= 2)


def test_sympy_and_terms_meet_in_one_statement() -> None:
    s = sympy.Symbol("s", positive=True)
    claim = Claim("a", "", s * x <= y, given=[s > 1])
    assert str(claim.conclusion) == "s*x <= y" and str(claim.premises[0]) == "s > 1"
    plain = Claim("b", "", s / s <= s, given=[s > 1])
    assert str(plain.conclusion) == "1 <= s"
    strange = Claim("c", "", sympy.zeta(s) > 1)
    assert strange.conclusion is None and strange.then == (sympy.zeta(s) > 1)


@pytest.mark.parametrize(
    ("statement", "why"),
    [
        (lambda v: n.Supremum(n.Abs(v), (v, x, 2)) <= n.Rational(5, 2), "does not follow from its range"),
        (lambda v: n.Supremum(v, (v, -1, 2)) <= 2, "does not follow from its range"),
        (lambda v: n.Integral(v, (v, 0, x)) <= 2, "does not follow from its range"),
        (lambda v: n.Integral(v, (v, -n.oo, 0)) <= 2, "does not follow from its range"),
        (lambda v: n.HockeyStick(1, n.exp(-v), n.exp(-v), (v, -n.oo, n.oo)) <= 2, "does not follow from its range"),
        (lambda v: n.Supremum(n.Infimum(v, (v, y, 3)), (y, -1, 2)) <= 2, "does not follow from its range"),
    ],
)
def test_a_sign_that_no_range_supports_is_refused(statement: object, why: str) -> None:
    with pytest.raises(ClaimError, match=why):
        Claim("a", "", statement(n.nonnegative("v")))  # type: ignore[operator]


@pytest.mark.parametrize(
    "statement",
    [
        n.Supremum(n.positive("v"), (n.positive("v"), 0, 2)) <= 2,
        n.Supremum(n.nonnegative("v"), (n.nonnegative("v"), p, 2)) <= 2,
        n.Integral(n.positive("v"), (n.positive("v"), 0, p)) <= 2,
        n.Sum(i, (i, 1, m)) >= 1,
        n.Sum(n.index("k", start=0), (n.index("k", start=0), 0, m)) >= 1,
        n.Sum(n.Sum(n.index("k"), (n.index("k"), i, m)), (i, 1, m)) >= 1,
        n.Sum(n.index("k", start=0), (n.index("k", start=0), m - 1, n.oo)) >= 1,
        n.ForAll(n.positive("v"), n.true, n.positive("v") <= x),
    ],
)
def test_a_sign_that_follows_is_accepted(statement: Term) -> None:
    assert Claim("a", "", statement).conclusion == statement


def test_a_sign_that_premises_give_is_accepted() -> None:
    v = n.positive("v")
    statement = n.Supremum(v, (v, x, 2)) <= 2
    assert Claim("a", "", statement, given=[x >= 0]).conclusion == statement
    with pytest.raises(ClaimError, match="does not follow"):
        Claim("a", "", statement, given=[x >= -1])


def test_a_sum_from_zero_says_what_to_write() -> None:
    with pytest.raises(ClaimError, match=r'write i = index\("i", start=0\)'):
        Claim("a", "", n.Sum(i, (i, 0, m)) >= 1)


@pytest.mark.parametrize(
    ("make", "error", "why"),
    [
        (lambda: Claim("a", "", x + 1), ClaimError, "must be a relation"),
        (lambda: Claim("a", "", x == 1), ClaimError, "write Eq"),
        (lambda: Claim("a", "", x <= 1, given=[x == 1]), ClaimError, "write Eq"),
        (lambda: Claim("a", "", x <= 1, given=[n.Integer(1) > 2]), EmptyDomainError, "is false"),
        (lambda: Claim("a", "", n.real("p") <= p), ClaimError, "both called p"),
        (lambda: Claim("a", "", n.real("remove") <= p), ClaimError, "names a direction"),
        (lambda: Claim("a", "", n.family("K")[i, m] <= 1), ClaimError, "one index"),
        (lambda: Claim("a", "", n.Sum(i, (i, 1, m)) <= i), ClaimError, "both a variable and bound"),
        (lambda: Claim("a", "", x <= y, witness={y: -1, n.positive("p"): 2, x: "a"}), ClaimError, "witness"),
        (lambda: Claim("a", "", x <= p, witness={p: -1}), ClaimError, "breaks what the symbol"),
    ],
)
def test_malformed_claims_are_refused(make: object, error: type[Exception], why: str) -> None:
    with pytest.raises(error, match=why):
        make()  # type: ignore[operator]


def test_constants_of_a_witness_are_put_in() -> None:
    claim = Claim("a", "", x <= y, given=[x <= 2], witness={y: "5/2"})
    assert str(claim.conclusion) == "x <= 5/2"


def test_points_may_be_given_in_terms() -> None:
    law = n.laws("q", (i, 1, m))
    claim = n.claim([law], law[1] <= x, {x: n.Rational(1, 2), law: (1,), m: 1})
    assert {str(key): value for key, value in claim.by.point.items()} == {"x": sympy.S.Half, "q": (1,), "m": 1}
    assert Mutant(x <= 1, [law]).given is not None


def test_the_page_has_the_order_that_was_typed() -> None:
    eps = n.positive("eps")
    claim = Claim("a", "", n.And(n.exp(-eps) - 1 <= (1 - eps) / 2, x >= 0), given=[eps >= 1])
    assert domain_latex(claim) == [r"\varepsilon \geq 1"]
    assert markdown_of(claim).endswith(
        "$\\displaystyle e^{- \\varepsilon} - 1 \\leq \\frac{1 - \\varepsilon}{2}$\n\n$\\displaystyle x \\geq 0$"
    )


def statements_of(claim: Claim) -> list[Term]:
    twin = [] if claim.mutant is None else [claim.twin(claim.mutant)]
    assert all(c.conclusion is not None and c.premises is not None for c in (claim, *twin)), claim.id
    return [t for c in (claim, *twin) for t in (c.conclusion, *c.premises)]  # type: ignore[misc]


def check_file(claims: list[Claim]) -> None:
    """Texts are read back, and the digest does not depend on names."""
    rng = random.Random(0)
    for claim in claims:
        for t in statements_of(claim):
            assert read(show(t), declarations([t])) == t, (claim.id, show(t)[:300])
        named = free_in([claim.conclusion, *claim.premises])
        fresh = [f"w{k}" for k in range(len(named))]
        rng.shuffle(fresh)
        new = {
            v: type(v)(name, v.sort, v.facts) if isinstance(v, Named) else variable(name, v.sort, v.data[2])
            for v, name in zip(named, fresh, strict=True)
        }
        moved = [renamed(t, new) for t in claim.premises]
        rng.shuffle(moved)
        assert digest(moved, renamed(claim.conclusion, new)) == digest(claim.premises, claim.conclusion), claim.id


FILES = list(claim_files([catalogue_folder()]))


@pytest.mark.parametrize("file", [f for f in FILES if f.stem in ("renyi", "noise", "composition", "worst_mechanism")], ids=lambda f: f.stem)
def test_statements_of_the_catalogue_are_read_back(file: Path) -> None:
    check_file(list(claims_in(file)))


@pytest.mark.slow
@pytest.mark.parametrize("file", FILES, ids=lambda f: f"{f.parent.name}-{f.stem}")
def test_every_statement_of_the_catalogue_is_read_back(file: Path) -> None:
    check_file(list(claims_in(file)))


@pytest.mark.slow
@pytest.mark.parametrize("name", LISTS)
def test_every_lemma_is_read_back(name: str) -> None:
    check_file([claim for entry in lemmas_of(name) for claim in (entry.true, entry.twin)])
