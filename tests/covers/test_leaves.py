"""The rules of a leaf: what each condition keeps out, as false statements that pass without it, and true ones that need it."""

import pytest

from tests.covers.test_documents import NAMES, accepted, document

SQUARE = ["0 <= x", "x <= 1", "0 <= y", "y <= 1"]
BELOW = ["-2 <= x", "x <= -1"]
WIDE = ["-1 <= x", "x <= 1"]
FALSE = {
    "a premise about the point that was moved": document("x <= (x - y)**(1/2) + (x - y)**(3/2)/3", "m", ["y < x", "0 <= x", "x <= 1"],
                                                         [["0", "1"], ["-inf", "inf"]], variables=NAMES),
    "a root of a difference that the moved point has no longer": document("x <= 3*(x - y + 1/2)**(1/2) + y**(1/2)/4", "m",
                                                                          ["y < x + 1/2", *SQUARE], variables=NAMES),
    "∞ − ∞ at the end of a side without end": document("-x + x**3 >= 0", "m", ["x <= -1"], [["-inf", "-1"]]),
    "∞ − ∞ at the upper end of a side without end": document("x - x**3 >= 0", "m", ["1 <= x"], [["1", "inf"]]),
    "two conditions of which neither holds": document("x >= 2 or y >= 2", "n", variables=NAMES),
    "one of two conditions": document("x <= 1 and x <= 1/2", "n"),
    "two conditions of which one must fail": document("not (x <= 1/2 and y <= 1/2)", "n", variables=NAMES),
    "a pole between a point and its place": document("1/x <= -1", "t", ["1/2 <= x", "x <= 1"], [["1/2", "1"]], places=[["x", "-1"]]),
    "a logarithm of 0 between a point and its place": document("log(x**2) <= x - 2", "t", ["1/2 <= x", "x <= 1"], [["1/2", "1"]],
                                                               places=[["x", "-1"]]),
    "a root of 0 between a point and its place": document("(x**2)**(3/4) <= x/2 + 1/4", "t", ["1/2 <= x", "x <= 1"], [["1/2", "1"]],
                                                          places=[["x", "-1"]]),
    "an identity for x >= 0 used below 0": document("x**2/2 >= 1/2", "t", places=[["x", "-1"]]),
    "a slope that vanishes at corners only": document("x**2 - x*(y - y**2) >= 0", "t", variables=NAMES, places=[["x", "0"]]),
    "the other end of a variable that lowers a bound": document("x <= 0", "n", ["x <= 1 - y", *SQUARE], [["0", "0"], ["0", "1"]],
                                                                variables=NAMES),
    "a middle outside of the side": document("(x - 3/2)**4 >= 1/100", "m", ["1 <= x", "x <= 2"], [["1", "2"]]),
    "a middle that is rounded beyond a pole beside a narrow side": document("1/10**11/(10 - 2/10**11 - x) >= 26*10**9*(x - 10 + 1/10**11)",
                                                                            "m", ["10 - 1/10**11 <= x", "x <= 10"],
                                                                            [["999999999999/100000000000", "10"]], bits=20),
    "not zero is not above zero": document("not x <= y", "n", ["x < y", *SQUARE], variables=NAMES),
    "the logarithm of a large prime": document("log(1009) == 0", "n"),
    "the logarithms of large primes": document("log(x + 1009) == log(x + 1013) or log(1/1009) == log(1/1013)", "n"),
    "the logarithm of a product of negative numbers": document("log(-2*x) == log(-x)", "n", BELOW, [["-2", "-1"]]),
    "the root of a square below 0": document("exp(log(x**2)/2) == x", "n", BELOW, [["-2", "-1"]]),
    "a power of a difference that may be 0": document("(x - y)**z > 0", "n",
                                                      ["1/2 <= x", "x <= 1", "1/4 <= y", "y <= x", "1 <= z", "z <= 2"],
                                                      [["1/2", "1"], ["1/4", "1"], ["1", "2"]], variables=["x", "y", "z"]),
    "the square of the root of a sum": document("((x + 1)**(1/2))**2 == 1", "n"),
    "a power between whole ones": document("(x + 1)**(3/2) == x + 1", "n"),
    "a power of a logarithm": document("exp(log(x + 1)**2) == x + 1", "n"),
    "a factor beside a sum that is written out": document("((x + 1)**(1/2)*x)*(x + 1)**(1/2) == x + 1", "n"),
    "an exponential of a logarithm": document("exp(2*log(x + 1)) == 0", "n"),
    "a root without its factor": document("(2*x)**(1/2) == x**(1/2)", "n"),
    "a root without its factor, of any sign": document("(2*x)**(1/2) == x**(1/2)", "n", ["1/2 <= x", "x <= 1"], [["-1", "1"]]),
    "roots with other factors": document("(2*x)**(1/2) == (3*x)**(1/2)", "n", ["1/2 <= x", "x <= 1"], [["-1", "1"]]),
    "a sum written out beside a root that is lost": document("((x + 1)**(1/2)*(x + 2)**(1/2))*(x + 2)**(1/2) == x + 2", "n"),
    "a sum written out beside a root that is doubled": document("((x + 1)**(1/2)*(x + 2)**(1/2))*(x + 2)**(1/2) == (x + 1)*(x + 2)", "n"),
    "roots of products of negative numbers": document("(x*y)**(1/2)*(x*z)**(1/2)*(y*z)**(1/2) == x*y*z", "n",
                                                      [end for v in "xyz" for end in (f"-2 <= {v}", f"{v} <= -1")], [["-2", "-1"]] * 3,
                                                      variables=["x", "y", "z"]),
    "a condition for the engine": document("f(x) == 1", "n", engine={"f": "f"}),
    "no derivative up to the fourth": document("x**5 + 1/10 >= 0", "t", WIDE, [["-1", "1"]], places=[["x", "0"]]),
    "a place in a variable that is gone": document("x**2 + y**2 >= 2*x*y + x/100", "t", variables=NAMES, places=[["y", "x"], ["x", "y"]]),
}  # fmt: skip
TRUE = {
    "other than by a premise": document("x - y != 0", "n", ["x < y", *SQUARE], variables=NAMES),
    "a side of a place of odd order": document("exp(x) - exp(-x) >= 2*x", "t", places=[["x", "0"]]),
    "a premise with a function of which nothing is known": document(
        "exp(x) >= 1 + x - x/100", "m", ["0 <= x", "x <= 1", "x <= f(x)"], engine={"f": "1"}
    ),
    "one of two, of which the other may fail": document("x >= 2 or x + y >= 1", "n", ["1 <= x + y", *SQUARE], variables=NAMES),
    "the second of two": document("x + y >= 1 and y <= 1 or x >= 2", "n", ["1 <= x + y", *SQUARE], variables=NAMES),
    "a slope below 0": document("x**2 + x**3 <= 1 + x", "m", ["1/2 <= x", "x <= 1"], [["1/2", "1"]]),
    "a place below 0": document("exp(x + 1) >= 2 + x", "t", ["-2 <= x", "x <= 0"], [["-2", "0"]], places=[["x", "-1"]]),
    "a place without an order beside another": document(
        "x**2 + y**2 + z**5 >= 2*x*y", "t", variables=["x", "y", "z"], places=[["z", "0"], ["x", "y"]]
    ),
}


@pytest.mark.parametrize("name", FALSE)
def test_what_is_false_is_not_accepted(name):
    for tree in ("n", "m", "t"):
        assert not accepted(FALSE[name] | {"tree": tree})


@pytest.mark.parametrize("name", TRUE)
def test_what_is_true_is_accepted(name):
    assert accepted(TRUE[name])
