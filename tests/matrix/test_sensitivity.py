"""Sensitivities against all patterns and all signs, in fractions; the two searches against each other; errors against inverses."""

import itertools
import json
import random
from fractions import Fraction

import mpmath
import numpy
import pytest

from dpbounds import accounting
from dpbounds.cli import main
from dpbounds.errors import InputError
from dpbounds.matrix import patterns
from dpbounds.matrix.mechanism import cyclic_poisson
from dpbounds.matrix.read import Matrix, read_matrix
from dpbounds.matrix.sensitivity import prefix_errors, sensitivity_of
from dpbounds.mechanisms import Gaussian, PoissonSampling, Repeated, Sampled

SEVERAL = "1,0,3/4,1/4,0,2/3"


def dense(matrix: Matrix) -> list[list[Fraction]]:
    n, c = matrix.steps, matrix.coefficients
    return [[c[i - j] if i >= j else Fraction(0) for j in range(n)] for i in range(n)] if c else [list(row) for row in matrix.rows]


def gram_of(rows: list[list[Fraction]]) -> list[list[Fraction]]:
    n = len(rows)
    return [[sum(rows[r][i] * rows[r][j] for r in range(n)) for j in range(n)] for i in range(n)]


def all_patterns(n: int, b: int, k: int):
    for m in range(1, k + 1):
        for pattern in itertools.combinations(range(n), m):
            if all(j - i >= b for i, j in itertools.pairwise(pattern)):
                yield pattern


def brute(rows: list[list[Fraction]], b: int, k: int) -> tuple[Fraction, Fraction]:
    """The largest sum of absolute values, and the largest over sign vectors."""
    gram, n = gram_of(rows), len(rows)
    above = below = Fraction(0)
    for pattern in all_patterns(n, b, k):
        above = max(above, sum(abs(gram[i][j]) for i in pattern for j in pattern))
        for signs in itertools.product((1, -1), repeat=len(pattern)):
            below = max(
                below, sum(s * t * gram[i][j] for i, s in zip(pattern, signs, strict=False) for j, t in zip(pattern, signs, strict=False))
            )
    return above, below


def random_matrices():
    chance = random.Random(5)
    for n in (3, 5, 7):
        for bands in (2, 4, 7):
            entries = [Fraction(chance.randint(-4, 4), chance.randint(1, 3)) for _ in range(min(bands, n))]
            yield Matrix(coefficients=(Fraction(1), *entries[1:]) + (Fraction(0),) * (n - len(entries)))
            rows = [[Fraction(chance.randint(-3, 3)) if 0 <= i - j < bands else Fraction(0) for j in range(n)] for i in range(n)]
            rows[0][0] = Fraction(1)
            yield Matrix(rows=tuple(map(tuple, rows)))


@pytest.mark.parametrize("matrix", list(random_matrices()))
def test_all_patterns_and_signs(matrix):
    for b, k in ((1, 3), (2, 2), (3, 3)):
        above, below = brute(dense(matrix), b, k)
        found = sensitivity_of(matrix, b, k)
        assert below <= found.lower_squared <= found.upper_squared == above
        if found.is_exact:
            assert above == below


@pytest.mark.parametrize("search", ["_dynamic", "_branch"])
@pytest.mark.parametrize("seed", range(6))
def test_both_searches_find_the_largest_sum(search, seed):
    chance = random.Random(seed)
    n, b, k = 9, chance.choice((1, 2, 3)), chance.choice((2, 3, 4))
    bands = chance.choice((3, 6, 9))
    gram = [[chance.randint(0, 9) if d == 0 or d >= b else 0 for d in range(min(bands, n - i))] for i in range(n)]
    full = lambda p: sum(gram[i][0] for i in p) + 2 * sum(gram[i][j - i] for i, j in itertools.combinations(p, 2) if j - i < bands)  # noqa: E731
    expected = max(full(p) for p in all_patterns(n, b, k))
    k = min(k, -(-n // b))
    found = patterns._dynamic(gram, b, k, bands) if search == "_dynamic" else patterns._branch(gram, b, k)
    assert found.lower == found.upper == expected == full(found.pattern)
    assert patterns._value_of(gram, found.pattern) == expected


def test_branch_and_bound_that_is_cut_keeps_both_ends(monkeypatch):
    chance = random.Random(1)
    gram = [[chance.randint(0, 9) for _ in range(10 - i)] for i in range(10)]
    exact = patterns._branch(gram, 1, 5).lower
    monkeypatch.setattr(patterns, "MOST_NODES", 12)
    cut = patterns._branch(gram, 1, 5)
    assert cut.lower <= exact <= cut.upper and cut.method == "branch and bound" and cut.lower < cut.upper


def test_leftmost_is_8_percent_low():
    found = sensitivity_of(read_matrix(SEVERAL, 8), 2, 4)
    gram = gram_of(dense(read_matrix(SEVERAL, 8)))
    leftmost = sum(gram[i][j] for i in (0, 2, 4, 6) for j in (0, 2, 4, 6))
    assert found.is_exact and found.pattern != (0, 2, 4, 6)
    assert 0.91 < float(leftmost / found.upper_squared) ** 0.5 < 0.93


def test_without_signs_both_sides_are_given():
    """3·I − J is twice 1.5·I − J/2: the sum is 12, the supremum 9 at three vectors at 120°, signs reach 8."""
    rows = ((1, -1, 0), (0, 1, -1), (-1, 0, 1))
    found = sensitivity_of(Matrix(rows=tuple(tuple(map(Fraction, row)) for row in rows)), 1, 3)
    assert found.upper_squared == 12 and not found.is_exact
    assert 8 < found.lower_squared <= 9
    assert found.value().lower <= 3 <= found.value().upper


def test_blt_in_fixed_point_is_the_exact_one(monkeypatch):
    from dpbounds.matrix import read

    text = "blt:0.9,0.5:0.1,-0.25"
    whole = sensitivity_of(read_matrix(text, 30), 5, 3)
    monkeypatch.setattr(read, "_EXACT_BITS", -(10**9))
    monkeypatch.setattr(read, "_FIXED_BITS", 40)
    cut = sensitivity_of(read_matrix(text, 30), 5, 3)
    assert whole.error == 0 < cut.error
    assert cut.value(6).contains(whole.value(30)) and not cut.is_exact
    bare = type(cut)(**{**vars(cut), "error": Fraction(0)})  # without the error term the value is missed
    assert not bare.value(30).contains(whole.value(30))
    exact = read_matrix(text, 3).coefficients
    monkeypatch.undo()
    assert read_matrix(text, 3).coefficients == (1, Fraction(-3, 20), Fraction(9, 100) - Fraction(1, 8)) and len(exact) == 3


@pytest.mark.parametrize("source", [("1,1/2,1/4", 6), ("2,-1,1/3", 5)])
def test_prefix_errors_by_the_inverse(source):
    matrix = read_matrix(*source)
    found = sensitivity_of(matrix, 2, 2)
    rows = Matrix(rows=tuple(map(tuple, dense(matrix))))
    n = matrix.steps
    with mpmath.workdps(30):
        c = mpmath.matrix([[mpmath.mpf(x.numerator) / x.denominator for x in row] for row in dense(matrix)])
        b = mpmath.matrix([[1 if i >= j else 0 for j in range(n)] for i in range(n)]) * c**-1
        squares = [mpmath.fsum(b[i, j] ** 2 for j in range(n)) * mpmath.mpf(float(found.lower_squared)) for i in range(n)]
        for given in (matrix, rows):
            mean, most = prefix_errors(given, found)
            assert abs(mpmath.mpf(mean.lower_decimal(12)) / (mpmath.fsum(squares) / n) - 1) < 1e-9
            assert abs(mpmath.mpf(most.upper_decimal(12)) / max(squares) - 1) < 1e-9


def test_delta_is_that_of_the_gaussian_mechanism(capsys):
    from dpbounds.mechanisms import Gaussian

    assert (
        main(["sensitivity", "1", "--steps", "9", "--min-sep", "1", "--participations", "4", "--sigma", "3", "--epsilon", "1", "--json"])
        == 0
    )
    document = json.loads(capsys.readouterr().out)
    expected = accounting.delta(Gaussian("3/2"), 1).enclosure
    assert Fraction(document["delta"]["lower"]) <= expected.upper and expected.lower <= Fraction(document["delta"]["upper"])
    assert document["sensitivity_squared"]["exact"] == "4" and document["exact"]


def test_files(tmp_path, capsys):
    table = tmp_path / "c.csv"
    table.write_text("1,0,0\n1/2,1,0\n0,1/2,1\n")
    numpy.save(tmp_path / "c.npy", numpy.array([[1, 0, 0], [0.5, 1, 0], [0, 0.5, 1]]))
    column = tmp_path / "row.csv"
    column.write_text("1,1/2\n")
    found = [sensitivity_of(m, 1, 2) for m in (read_matrix(str(table)), read_matrix(str(tmp_path / "c.npy")), read_matrix(str(column), 3))]
    assert found[0] == found[1] and found[0].upper_squared == found[2].upper_squared == Fraction(7, 2)
    assert main(["sensitivity", str(table), "--participations", "2"]) == 0
    assert "exact" in capsys.readouterr().out


def test_a_matrix_with_a_rate_is_cyclic_poisson_sampling(capsys):
    """1 + 1/4 + 1/16 = 21/16: noise 2 on Cx is the multiplier 8/√21; 101 steps in 5 groups are 21 uses."""
    words = ["--matrix", "1,1/2,1/4", "--sigma", "2", "--steps", "101", "--q", "1/20", "--epsilon", "1/2", "--json"]
    assert main(["delta", *words, "--min-sep", "5"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["inputs"]["mechanism"] == [{"sigma": "8*sqrt(21)/21", "sampling": "poisson", "q": "0.05", "steps": 21}]
    for wrong in (["--min-sep", "2"], ["--min-sep", "5", "--participations", "3"]):
        assert main(["delta", *words, *wrong]) == 2


CYCLIC = ["--matrix", "1,1/2", "--steps", "20", "--min-sep", "5", "--q", "1/20"]


def test_cyclic_sampling_in_verdicts_plans_and_sweeps(capsys, tmp_path):
    """ε(1e-5) is 0.3397461…: of four uses at 2/√(5/4), of which the last group alone has a shorter column."""
    truth = float(accounting.epsilon(Repeated(Sampled(Gaussian("4/sqrt(5)"), PoissonSampling("1/20")), 4), "1e-5").upper)
    for epsilon, verdict, code in ((truth + 1e-6, "HOLDS", 0), (truth - 1e-6, "REFUTED", 1)):
        assert main(["verify", *CYCLIC, "--sigma", "2", "--epsilon", f"{epsilon:.7f}", "--delta", "1e-5"]) == code
        said = capsys.readouterr().out
        assert said.startswith(verdict) and "group i mod 5" in said and "added or removed" in said
    assert main(["plan", *CYCLIC, "--epsilon", f"{truth:.12f}", "--delta", "1e-5", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert Fraction(found["lower"]) <= 2 <= Fraction(found["upper"]) and "group i mod 5" in found["assumes"]
    rows, out = tmp_path / "rows.csv", tmp_path / "out.csv"
    rows.write_text('matrix,sigma,steps,min-sep,q,delta\n"1,1/2",2,20,5,1/20,1e-5\n')
    assert main(["sweep", str(rows), "-o", str(out)]) == 0
    assert f"{truth:.8f}" in out.read_text() and "group i mod 5" in out.read_text()


def test_what_some_record_shows_under_cyclic_sampling(tmp_path):
    """Steps 0 and 2 are one group, 1 and 3 the other: norms 1, 2 and 3, 1; and a column of zeros."""
    table = tmp_path / "columns.csv"
    table.write_text("1,0,0,0\n0,3,0,0\n0,0,2,0\n0,0,0,1\n")
    at_most, at_least = (cyclic_poisson(str(table), 6, None, "1/2", 2, least=least) for least in (False, True))
    assert at_most.mechanism.base.sigma == 2 and at_least.mechanism.base.sigma == 6
    assert cyclic_poisson(str(table), 6, None, "1/2", 3, least=True).mechanism.base.sigma == 6  # group 0 alone has two steps
    table.write_text("1,0\n0,0\n")
    with pytest.raises(InputError, match="zero"):
        cyclic_poisson(str(table), 6, None, "1/2", 1, least=True)


def test_prefix_sums_of_noise_that_cancel():
    """7/4 and 7/4: every second prefix sum of 1/C is 0, and a ball around 0 that is not exact."""
    matrix = read_matrix("7/4,7/4", 4)
    mean, most = prefix_errors(matrix, sensitivity_of(matrix, 4, 1))
    assert mean.contains(3) and most.contains(4)


@pytest.mark.parametrize("n", [1, 2, 3, 5, 8, 11])
def test_the_binary_tree_against_its_nodes(n):
    nodes = [range(a << h, (a + 1) << h) for h in range(5) for a in range(n >> h)]
    gram = [[sum(i in node and j in node for node in nodes) for j in range(n)] for i in range(n)]
    for b, k in ((1, 2), (2, 3), (3, 4)):
        wanted = max(sum(gram[i][j] for i in pattern for j in pattern) for pattern in all_patterns(n, b, k))
        found = sensitivity_of(read_matrix("tree", n), b, k)
        assert found.is_exact and found.lower_squared == wanted
    assert prefix_errors(read_matrix("tree", n), sensitivity_of(read_matrix("tree", n), n, 1)) is None


@pytest.mark.parametrize(("k", "b", "n", "square"), [(1, 8, 8, 4), (3, 4, 9, 11), (8, 3, 24, 88), (2, 1, 19, 18), (19, 1, 19, 503)])
def test_the_binary_tree_of_many_uses(k, b, n, square):
    found = sensitivity_of(read_matrix("tree", n), b, k)
    leaves = list(found.pattern)
    blocks = [(a << h, (a + 1) << h) for h in range(6) for a in range(n >> h)]
    assert sum(sum(low <= i < high for i in leaves) ** 2 for low, high in blocks) == found.lower_squared
    assert found.lower_squared == square


def test_a_tree_needs_its_steps():
    with pytest.raises(InputError, match="a tree needs --steps"):
        read_matrix("tree")
