"""Signs by the structure of a term: what is shown, for every operation, and what is not."""

import pytest

from dpbounds.kernel.notation import Reader, show
from dpbounds.kernel.terms import Refused, variable
from dpbounds.prover.rewriting.building import StepWriter

READ = Reader({n: variable(n, "R") for n in "abcxyz"}, {"f": "R>R"})
SHOWN = [
    (["0 <= f(a)", "0 < b"], "0 <= f(a) * b + (x - y)**2"),
    (["0 < f(a)"], "0 < f(a)**x * exp(y)"),
    (["f(a) != 0"], "0 < f(a)**2"),
    (["f(a) != 0", "x != 0"], "f(a) * x != 0"),
    (["x - y != 0", "x + y != 0"], "(x - y) * (x + y) != 0"),
    (["x - y != 0"], "(x - y)**3 != 0"),
    (["x - y != 0"], "0 < (x - y)**2"),
    (["x - y != 0"], "0 < (x - y)**(-4)"),
    (["0 <= x - y"], "0 <= (x - y)**3"),
    (["0 < x - y"], "0 < (x - y)**3 * exp(x)"),
    (["0 < x - y"], "0 < (x - y)**2 + (x + y)**2"),
    (["0 < x - y"], "(x + y)**2 + (x - y) != 0"),
    ([], "0 <= (x - y)**6"),
    (["0 <= x - y"], "0 <= exp(x) / (x - y)"),
    (["0 < x", "0 < -(x - 1)"], "0 <= (2*x - 1)**2 / x / -(x - 1)"),
    (["0 < -(x - 1)"], "0 < 1/-(x - 1)"),
    (["0 <= x - y"], "0 <= (x - y)**z"),
    (["0 < x - y"], "(x - y)**z != 0"),
    (["0 < f(a)"], "0 < max(x, f(a))"),
    (["0 < f(a)"], "max(f(a), x) != 0"),
    (["0 < f(a)", "0 < x"], "0 < min(x, f(a))"),
    (["0 <= f(a)", "0 <= x"], "0 <= min(x, f(a))"),
    (["0 < f(a)", "0 < x"], "min(x, f(a)) != 0"),
    (["f(a) != 0"], "0 < abs(f(a))"),
    (["x - y != 0"], "abs(x - y) != 0"),
    (["0 < f(a)", "0 < x"], "0 < ite(y < a, x, f(a))"),
    (["0 <= f(a)", "0 <= x"], "0 <= ite(y < a, x, f(a))"),
    (["f(a) != 0", "0 < x"], "ite(y < a, x, f(a)) != 0"),
]
NOT_SHOWN: list[tuple[list[str], str]] = [
    (["0 <= f(a)"], "0 < f(a)"),
    (["0 < f(a)"], "1 < f(a)"),
    ([], "0 < f(a)**2"),
    ([], "0 <= f(a)**3"),
    (["0 <= f(a)"], "0 < f(a)**x"),
    ([], "0 <= f(a)**x"),
    (["f(a) != 0"], "f(a) * x != 0"),
    (["0 < f(a)"], "0 < min(x, f(a))"),
    (["x != 0"], "max(x, f(a)) != 0"),
    ([], "0 < abs(f(a))"),
    (["0 < f(a)"], "0 < ite(y < a, x, f(a))"),
    (["0 < f(a)"], "0 < f(a) + x"),
    (["0 <= f(a)", "0 <= x"], "0 < f(a) + x"),
    (["0 < f(a)"], "0 <= f(a) * x"),
    (["0 < f(a) * x"], "0 < f(a)"),
    (["0 < f(a)", "x != 0"], "f(a) + x != 0"),
    (["0 <= x - y"], "0 < (x - y)**2"),
    (["0 <= x - y"], "(x - y)**3 != 0"),
    (["x - y != 0"], "0 < (x - y)**3"),
    (["0 < x"], "0 <= max(y, z)"),
]


@pytest.mark.parametrize("given, goal", SHOWN)
def test_a_sign_follows_from_those_of_the_parts(given: list[str], goal: str) -> None:
    write = StepWriter()
    premises = write.hypotheses(map(READ, given))
    said = write.steps[write("sign", *premises, formula=READ(goal))]
    assert show(said.formula) == show(READ(goal)) and said.hypotheses <= set(map(READ, given))


@pytest.mark.parametrize("given, goal", NOT_SHOWN)
def test_a_sign_that_does_not_follow_is_refused(given: list[str], goal: str) -> None:
    write = StepWriter()
    with pytest.raises(Refused):
        write("sign", *write.hypotheses(map(READ, given)), formula=READ(goal))
