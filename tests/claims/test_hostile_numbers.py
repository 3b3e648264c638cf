"""Statements with numbers of many digits, large powers and large counts end in time and take no memory, whatever is said of them."""

import contextlib
import re
import resource
import shlex
import subprocess
import sys
import time

import pytest
import sympy

from dpbounds import Claim, settle
from dpbounds import notation as words
from dpbounds.errors import InputError
from dpbounds.language.in_floats import in_floats
from dpbounds.language.large_powers import LongNumber
from dpbounds.language.symbols import canonical_text

BUDGET, MOST_SECONDS, MOST_BYTES = 10, 3, 2_000_000_000
"""Of a claim; what may be left of a step beside the budget and its grace; memory."""
WORST = """
x**(10**6) <= 1; x >= 0, x <= 1
x**(10**6) <= 2; x >= 0, x <= R(1000001, 1000000)
(1 + x)**(10**18) >= 1 + 10**18*x; x >= 0
2**(2**n) >= n; n >= 1
2**(3**x) >= x; x >= 40
sqrt(10**2000 + 1) >= x; x >= 0, x <= 10
log(1 + R(1, 10**3000))*x <= x*R(2, 10**3000); x >= 0
RenyiMoment(10**6, (x, 1 - x), (R(1, 2), R(1, 2))) >= 1; x > 0, x < 1
"""
"""Each took all memory, minutes, or an exception that nobody could read."""
HOSTILE = """
exp(x)**R(10**16 + 1, 10**16) <= exp(x)*2; x >= 0, x <= 1
exp(x)**R(10**16 + 1, 10**16) <= exp(2*x); x >= 0
2**(x*R(10**16 + 1, 10**16)) <= 4**x; x >= 0
(1 + x)**R(10**16 + 1, 10**16) >= 1 + x; x >= 0
(1 + x)**R(123456789012345678, 987654321098765432) <= 1 + x; x >= 0
x**R(6004799503160661, 9007199254740992) <= 1 + x; x > 0
log(2*exp(x)/3 + R(1, 3)) <= x*L + 1; x >= 0, x <= L
2**x/3 + R(2, 3) <= 3**(x*L); x >= 0, x <= L
log(360360**x/3 + R(2, 3)) <= x*log(360360); x >= 0, x <= L
log(exp(x)/3 + R(2, 3)) <= x*log(R(4, 3))/log(2); x >= R(1, 10**16), x <= log(2)
6**(x*L) <= 6**x; x >= 0
two**(10**9) <= 3**x; x >= 0
x <= two**(10**6); x >= 0
(1 + x)**(10**6) >= 1 + 10**6*x; x >= 0
(1 + x)**(10**9) >= 1 + 10**9*x; x >= 0
(1 + x + y)**(10**5) >= 1 + 10**5*x; x >= 0, y >= 0
(x + y)**300 >= x**300 + y**300; x >= 0, y >= 0
(x + 1)**(10**4)*(x + 2)**(10**4) >= 1; x >= 0
(1 - x)**(10**7) + x**(10**7) <= 1; x >= 0, x <= 1
x**(2**40) - x**(2**40 - 1) <= 0; x >= 0, x <= 1
(1 + x)**n >= 1 + n*x; x >= 0, n >= 10**12
(1 + 1/n)**n <= E; n >= 10**15
(1 - R(1, 10**16))**n <= exp(-n*R(1, 10**16)); n >= 1
2**n >= n**2; n >= 10**9
2**n >= n**2; n >= 10**30
2**(2**(2**n)) >= n; n >= 1
n**n >= factorial(n); n >= 10**6
factorial(n) >= 2**n; n >= 10**7
factorial(n) <= n**n; n >= 1, n <= 10**7
factorial(10**6) >= x; x >= 0, x <= 5
binomial(10**9, 10**8) >= x; x >= 0, x <= 5
binomial(10**6, k) >= 1; k >= 0, k <= 10**6
binomial(n, 10**6) >= 0; n >= 10**6
binomial(2*n, n) >= 2**n; n >= 10**7
gamma(x) >= 1; x >= 10**7
gamma(x + R(10**16 + 1, 10**16)) >= gamma(x + 1)/2; x >= 5
floor(x**(10**5)) <= x**(10**5); x >= 2
floor(exp(x)) <= exp(x); x >= 10**6
floor(2**x) <= 2**x; x >= 10**9
floor(10**300*x) <= 10**300*x; x >= 0
ceiling(R(10**16 + 1, 10**16)**x) >= 1; x >= 10**20
(10**3000 + 1)**R(1, 7)*x >= x; x >= 0
(10**200 + 7)**R(1, 3)*x >= x; x >= 0
((10**39 + 3)*(10**37 + 9))**R(1, 3) >= x; x >= 0, x <= 3
sqrt((10**39 + 3)*(10**37 + 9)*x**2) >= x; x >= 0
sqrt((10**39 + 3)*(10**37 + 9) + x) >= 0; x >= 0
log((10**39 + 3)*(10**37 + 9)) >= x; x >= 0, x <= 1
log(1 + R(1, 10**300))*x <= x*R(2, 10**300); x >= 0
log(1 + x/10**300) <= x/10**300; x >= 0
log(x**(10**9)) <= 10**9*(x - 1); x > 0
exp(10**9*x) >= 1 + 10**9*x; x >= 0
exp(x**1000) >= 1; x >= 10**6
exp(exp(x)) >= x; x >= 100
exp(exp(exp(exp(x)))) >= x; x >= 0
exp(10**12*log(2 + x)) >= x; x >= 1
exp(R(10**16 + 1, 10**16)*log(x)) >= x; x >= 1
NormalCDF(x) <= 1 - R(1, 10**1000); x <= 5
NormalCDF(-10**9 - x) >= 0; x >= 0
GaussianRenyi(10**300, x, 1) <= 10**300/x**2; x >= 1
GaussianRenyi(a, x, 1) <= a/x**2; x >= 1, a >= 10**300
SampledGaussianRenyi(10**6, x, R(1, 100)) <= 10**6/x**2; x >= 1
SampledGaussianMoment(R(10**16 + 1, 10**16), x, R(1, 100)) >= 1; x >= 1
GaussianDelta(10**300, x, 1) <= R(1, 10**300); x >= 1
RenyiDivergence(10**300, (x, 1 - x), (R(1, 2), R(1, 2))) <= log(2); x > 0, x < 1
RenyiDivergence(R(10**16 + 1, 10**16), (x, 1 - x), (R(1, 2), R(1, 2))) <= log(2); x > 0, x < 1
HockeyStick(10**300, (x, 1 - x), (R(1, 2), R(1, 2))) >= 0; x > 0, x < 1
Sum(1/k**2, (k, 1, 10**9)) <= 2 + x; x >= 0
Sum(k**(10**4), (k, 1, n)) >= n; n >= 1
Sum(x**k, (k, 0, 10**6)) >= 1; x >= 0, x <= 1
Sum(x**k/factorial(k), (k, 0, 10**5)) <= exp(x); x >= 0
Sum(binomial(10**5, k)*x**k, (k, 0, 10**5)) >= 1; x >= 0
Sum(x**(k*R(10**16 + 1, 10**16)), (k, 0, oo)) <= 1/(1 - x); x >= 0, x < 1
Integral((1 + t)**(10**5), (t, 0, x)) >= x; x >= 0
Integral(t**R(10**16 + 1, 10**16), (t, 0, x)) <= x**2; x >= 1
x**2 <= 2; x >= 0, x**R(10**16 + 1, 10**16) <= R(141421356237309504880168872420969807, 10**35)
x <= 10; x >= 0, exp(x) <= R(10**16 + 1, 10**16)**(10**4)
x <= 10**400; x >= 0, log(x) <= 1000
x**y >= 1; x >= 1, y >= R(1, 10**16 + 1), y <= R(10**16 - 1, 10**16)
(x**R(10**16 + 1, 10**16) + y**R(10**16 + 1, 10**16))**R(10**16, 10**16 + 1) <= x + y; x > 0, y > 0
Abs(x**999999 - 1) >= 0; x >= 0
x*2**R(10**16 + 1, 10**16) <= 3*x; x >= 0
x*(10**16 + 1)**R(10**16 + 1, 10**16) <= 10**17*x; x >= 0
sinh(x*10**8) >= x; x >= 0
erf(10**300*x) <= 1; x >= 0
"""


def statements(text):
    return [line for line in text.splitlines() if line]


def settled(statement, budget):
    """What is said of a statement, the processor seconds it takes, and the largest memory of the process so far."""
    names = {**vars(words), "R": words.Rational, "two": words.Integer(2), "L": words.Rational(6243314768165359, 9007199254740992)}
    names |= {name: words.real(name) for name in "xyta"} | {name: words.integer(name) for name in "nk"}
    start, outcome = time.process_time(), None
    with contextlib.suppress(InputError):  # a refusal that says what to write instead
        then, given = statement.split(";")
        whole, *premises = (eval(part, names) for part in (then, *re.split(r",(?![^()]*\))", given)))  # noqa: S307, the lists of this file
        outcome = settle(Claim(id="hostile", text="", given=premises, then=whole), budget=budget)
    return outcome, time.process_time() - start, 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


@pytest.mark.parametrize("statement", statements(WORST))
def test_the_worst_end_soon(statement):
    budget = 0.2
    assert settled(statement, budget)[1] < 1.3 * budget + 0.5 + MOST_SECONDS


@pytest.mark.slow
@pytest.mark.parametrize("statement", statements(WORST + HOSTILE))
def test_hostile_statements_end_in_time_and_take_no_memory(statement):
    code = f"from tests.claims.test_hostile_numbers import settled; print(*settled({statement!r}, {BUDGET})[1:])"
    command = f"ulimit -v {2 * MOST_BYTES // 1000}; exec {shlex.quote(sys.executable)} -c {shlex.quote(code)}"
    found = subprocess.run(["/bin/sh", "-c", command], capture_output=True, text=True)
    seconds, size = map(float, found.stdout.split())
    assert seconds < BUDGET + MOST_SECONDS + 0.5 + 0.3 * BUDGET
    assert size < MOST_BYTES


def test_no_simplifier_computes_a_power_of_many_digits():
    """The guard is below all of them: each of these took minutes, or all memory."""
    x, start = sympy.Symbol("x", positive=True), time.process_time()
    whole, share = sympy.Integer(10) ** 16 + 1, sympy.Rational(10**16 + 1, 10**16)
    power, root = (1 + x) ** (10**7), sympy.Integer(24) ** share
    for simplify in (
        sympy.simplify,
        sympy.powsimp,
        sympy.factor,
        sympy.expand,
        sympy.cancel,
        sympy.together,
        sympy.expand_log,
        sympy.radsimp,
    ):
        assert simplify(power * root + x).has(x)
    assert sympy.limit(power, x, sympy.oo) is sympy.oo
    with pytest.raises(OverflowError):
        sympy.powsimp(2**x * sympy.Pow(2, whole, evaluate=False)).subs(x, whole)
    assert time.process_time() - start < 2


def test_the_sign_of_a_number_with_a_root_of_a_large_order_is_unknown():
    root = sympy.Pow(sympy.Integer(2) ** 5000, sympy.Rational(1, 5000))
    assert (root - 2).is_positive is None and (root - 2).is_negative is None
    assert settled("(two**5000)**R(1, 5000)*x <= 2*x; x >= 0, x <= 1", 1)[0] is not None


@pytest.mark.parametrize(("n", "x"), [(10**2000 + 1, (1, 2)), (2**5000, (1, 5000)), (10**500, (7, 3)), (24, (10**16 + 1, 10**16))])
def test_products_with_a_root_of_a_reciprocal_end(n, x):
    """sympy's products went on and on, and filled the memory."""
    whole, order = sympy.Integer(n), sympy.Rational(*x)
    for product in (3 / whole**order, 3 * (1 / whole) ** order, 3 * whole**-order):
        assert abs(product.evalf(20) * sympy.Float(n, 40) ** sympy.Float(order, 40) - 3) < 1e-12


@pytest.mark.parametrize(
    "statement",
    [
        "Piecewise((x, (R(7, 1)**700)**R(1, 7) <= R(7, 1)**100), (0, True)) >= x; x >= 0, x <= 1",
        "floor((R(10, 1)**400 + 1)**R(1, 2)) >= R(10, 1)**200 + 0*x; x >= 1, x <= 2",
        "x <= sqrt(R(10, 1)**2000); x >= 0, x <= R(10, 1)**1000",
        "x <= 1; x*(two**5000)**R(1, 5000) <= 2, x >= 0",
    ],
)
def test_relations_of_long_numbers_and_their_roots_raise_nothing(statement):
    assert settled(statement, 0.2)[0] is not None


@pytest.mark.parametrize(("n", "q"), [(3, 2), (2, 5)])
def test_a_root_that_is_not_taken_may_be_whole(n, q):
    whole = sympy.Integer(n) ** 1000
    root = sympy.Pow(whole**q, sympy.Rational(1, q))
    assert root.is_Pow and root.is_integer is None
    assert sympy.Eq(root, whole) != sympy.false and sympy.Ne(root, whole) != sympy.true


def test_what_is_not_large_is_computed_as_before():
    x = sympy.Symbol("x")
    assert sympy.Integer(3) ** 2000 == 3**2000
    assert sympy.Integer(12) ** sympy.Rational(3, 2) == 24 * sympy.sqrt(3)
    assert sympy.Rational(3, 2) ** -2 == sympy.Rational(4, 9)
    assert sympy.factorial(500).is_Integer and sympy.binomial(1000, 500).is_Integer and sympy.binomial(10**9, 3).is_Integer
    assert sympy.expand((1 + x) ** 100).coeff(x, 50) == sympy.binomial(100, 50)
    assert sympy.factor(x**6 - 1) == (x - 1) * (x + 1) * (x**2 - x + 1) * (x**2 + x + 1)
    assert sympy.cancel((x**2000 - 1) / (x**1000 - 1)) == x**1000 + 1


def test_large_powers_are_variables_in_polynomials_and_come_back():
    x, y = sympy.symbols("x y")
    e = (x**5000 * y - x**5000) / (y - 1) + (1 + x) ** 5000 / (x + 1)
    assert sympy.cancel(sympy.cancel(e) - e) == 0 and not sympy.cancel(e).atoms(sympy.Dummy)
    assert sympy.Poly(y * (1 + x) ** 5000, y).coeffs() == [(1 + x) ** 5000]
    with pytest.raises(sympy.PolynomialError):
        sympy.Poly((1 + x) ** 5000, x)


@pytest.mark.parametrize("n", [3, 7, 400])
def test_functions_of_floats_are_near_the_exact_values(n):
    """Against sympy; a power is exact while its exponent is small, a float later."""
    k, x = sympy.Symbol("k", integer=True), sympy.Symbol("x", real=True)
    for e in (2**k, x**k, k**3 - k ** sympy.Rational(1, 2), sympy.binomial(k, 2), sympy.floor(k / 2) * x, sympy.Sum(x**k, (k, 0, 5))):
        exact = e.subs({k: n, x: sympy.Rational(9, 8)}).doit()
        assert abs(in_floats([k, x], e)(n, 1.125) - float(exact)) <= 1e-9 * abs(float(exact))


def test_no_text_has_a_number_that_python_does_not_print():
    with pytest.raises(LongNumber):
        canonical_text(sympy.Integer(10) ** 5000)
