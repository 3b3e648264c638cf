"""What must hold for the operations of a statement to be defined."""

import pytest

from dpbounds.kernel.definedness import obligations
from dpbounds.kernel.notation import Reader, show
from dpbounds.kernel.terms import variable

NAMES = {n: variable(n, "R") for n in "axy"} | {n: variable(n, "Z") for n in "ijn"}
READ = Reader(NAMES, {"f": "R>R", "p": "Z>R"})

CASES = {
    "x + y*a - x**2 <= max(x, abs(y))": [],
    "1/x <= a": ["x != 0"],
    "x**(-3) <= a": ["x != 0"],
    "x**3 <= a": [],
    "x**0 <= a": [],
    "2**(-3) <= a": [],
    "0**(-3) <= a": ["0 != 0"],
    "log(x) <= log(y)": ["0 < x", "0 < y"],
    "x**a <= 1": ["0 < x or 0 <= x and 0 < a"],
    "2**a <= 1": [],
    "0**a <= 1": ["0 < 0 or 0 <= 0 and 0 < a"],
    "(-2)**a <= 1": ["0 < -2 or 0 <= -2 and 0 < a"],
    "x**n <= 1": ["0 <= n or x != 0"],
    "2**n <= 1": ["0 <= n or 2 != 0"],
    "binom(n, i) <= 1": ["0 <= n", "0 <= i"],
    "imp(x < y, 1/a <= 1)": ["imp(x < y, a != 0)"],
    "imp(1/a <= 1, x < y)": ["a != 0"],
    "x < y and 1/a <= 1": ["imp(x < y, a != 0)"],
    "x < y or 1/a <= 1": ["imp(not x < y, a != 0)"],
    "not 1/a <= 1": ["a != 0"],
    "ite(x < y, 1/a, 1/y) <= 1": ["imp(x < y, a != 0)", "imp(not x < y, y != 0)"],
    "ite(1/x < y, a, y) <= 1": ["x != 0"],
    "allR(_0, imp(0 < _0, 1/_0 <= a))": ["allR(_0, imp(0 < _0, _0 != 0))"],
    "allZ(_0, log(p(_0)) <= a)": ["allZ(_0, 0 < p(_0))"],
    "sum(_0, 1, n, 1/p(_0)) <= a": ["allZ(_0, imp(1 <= _0, imp(_0 <= n, p(_0) != 0)))", "1 <= n + 1"],
    "sum(_0, 1, 5, p(_0)) <= a": [],
    "sum(_0, 1, 0, p(_0)) <= a": [],
    "sum(_0, 1, -1, p(_0)) <= a": ["1 <= -1 + 1"],
    "sum(_0, i, 5, p(_0)) <= a": ["i <= 5 + 1"],
    "sum(_0, i, n, p(_0)) <= sum(_0, i, n, 1)": ["i <= n + 1"],
    "imp(1 <= n, sum(_0, 1, n, p(_0)) <= a)": ["1 <= n + 1"],
    "1 <= n and sum(_0, 1, n, p(_0)) <= a": ["1 <= n + 1"],
    "ite(1 <= n, sum(_0, 1, n, p(_0)), 0) <= a": ["1 <= n + 1"],
    "allR(_0, sum(_1, 1, n, p(_1)) <= _0)": ["1 <= n + 1"],
    "allZ(_0, sum(_1, _0, n, p(_1)) <= a)": ["allZ(_0, _0 <= n + 1)"],
    "sum(_0, 1, n, sum(_1, 1, _0, p(_1))) <= a": ["allZ(_0, imp(1 <= _0, imp(_0 <= n, 1 <= _0 + 1)))", "1 <= n + 1"],
    "sum(_0, 1, sum(_1, 1, n, _1), p(_0)) <= a": ["1 <= n + 1", "1 <= sum(_0, 1, n, _0) + 1"],
    "f(1/x) <= a": ["x != 0"],
    "line(_0, f(_0)) <= a": ["integrable(_0, f(_0))"],
    "line(_0, 1/f(_0)) <= a": ["allR(_0, f(_0) != 0)", "integrable(_0, 1 / f(_0))"],
    "line(_0, ite(x < _0, 1/_0, 0)) <= a": ["allR(_0, imp(x < _0, _0 != 0))", "integrable(_0, ite(x < _0, 1 / _0, 0))"],
    "sup(_0, x, y, f(_0)) <= a": ["x < y", "allR(_0, imp(x < _0, imp(_0 < y, f(_0) <= sup(_1, x, y, f(_1)))))"],
    "inf(_0, x, y, 1/_0) <= a": ["allR(_0, imp(x < _0, imp(_0 < y, _0 != 0)))", "x < y",
                                 "allR(_0, imp(x < _0, imp(_0 < y, inf(_1, x, y, 1 / _1) <= 1 / _0)))"],
    "sup_above(_0, x, f(_0)) <= a": ["allR(_0, imp(x < _0, f(_0) <= sup_above(_1, x, f(_1))))"],
    "inf_above(_0, 0, 1/_0) <= a": ["allR(_0, imp(0 < _0, _0 != 0))", "allR(_0, imp(0 < _0, inf_above(_1, 0, 1 / _1) <= 1 / _0))"],
    "sum(_0, 1, n, line(_1, f(_1) / p(_0))) <= a": ["allZ(_0, imp(1 <= _0, imp(_0 <= n, allR(_1, p(_0) != 0))))",
                                                    "allZ(_0, imp(1 <= _0, imp(_0 <= n, integrable(_1, f(_1) / p(_0)))))", "1 <= n + 1"],
    "allZ(_0, imp(2 <= _0, sum(_1, 1, _0, a) <= a))": ["allZ(_0, imp(2 <= _0, 1 <= _0 + 1))"],
    "allZ(_0, imp(2 < _0, sum(_1, 1, _0, a) <= a))": ["allZ(_0, 1 <= _0 + 1)"],
    "allZ(_0, imp(_0 <= 2, sum(_1, 1, _0, a) <= a))": ["allZ(_0, 1 <= _0 + 1)"],
    "allZ(_0, imp(n <= _0, sum(_1, 1, _0, a) <= a))": ["allZ(_0, 1 <= _0 + 1)"],
    "allZ(_0, imp(2 <= n, sum(_1, 1, _0, a) <= a))": ["allZ(_0, 1 <= _0 + 1)"],
    "allZ(_0, 2 <= _0 and sum(_1, 1, _0, a) <= a)": ["allZ(_0, 1 <= _0 + 1)"],
    "allZ(_0, imp(0 <= a, imp(2 <= _0, sum(_1, 1, _0, a) <= a)))": ["allZ(_0, 1 <= _0 + 1)"],
}  # fmt: skip


@pytest.mark.parametrize("statement", CASES)
def test_obligations(statement: str) -> None:
    assert [show(o) for o in obligations(READ(statement))] == [show(READ(o)) for o in CASES[statement]]
