"""A whole certificate takes a bounded effort, and a search of limits asks the clock."""

import time
from fractions import Fraction
from typing import Any

import pytest
from sympy import Integral, exp

from dpbounds import Claim
from dpbounds.claims.boxes import inequalities
from dpbounds.claims.boxes.inequalities import check_claim
from dpbounds.claims.evidence.descents import certificate_of
from dpbounds.covers.intervals import Arithmetic
from dpbounds.descent import polynomials as poly
from dpbounds.descent.boxes import EnclosedTower
from dpbounds.descent.effort import limited, spend
from dpbounds.descent.limits import lower_limit
from dpbounds.descent.polynomials import ONE
from dpbounds.descent.refusal import DescentRefused
from dpbounds.descent.tower import Tower, _sign_without_roots
from dpbounds.language.symbols import nonnegative, positive, real

x = real("x")
a, t = positive("a t")
u = nonnegative("u")
tangent = Claim(id="tangent", text="", then=exp(x) >= 1 + x)


def test_a_limit_counts_everything_inside() -> None:
    with limited(10):
        spend(6)
        with pytest.raises(DescentRefused, match="takes long to check"):
            spend(5)
    spend(1000)


def test_a_certificate_beyond_the_limit_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    found = certificate_of(tangent, 5)
    assert found is not None
    check_claim(tangent, found)
    monkeypatch.setattr(inequalities, "_MOST_WORK", 20)
    with pytest.raises(DescentRefused, match="takes long to check"):
        check_claim(tangent, found)


def _long(steps: int) -> dict[str, Any]:
    """A certificate of few kB, each of whose factors is a product of thousands of pairs of terms."""
    row = ["*".join(["1", "g0^1"]) + " + " + " + ".join(f"{i}*g0^{i}" for i in range(2, 60)), 60, None]
    return {"num": [row] * steps}


def test_a_hostile_certificate_is_refused_in_seconds() -> None:
    found = certificate_of(tangent, 5)
    assert found is not None
    (problem,) = found["problems"]
    problem["parts"][0]["by"] = _long(60)
    start = time.process_time()
    with pytest.raises(DescentRefused):
        check_claim(tangent, found)
    assert time.process_time() - start < 20


def test_products_and_signs_are_counted() -> None:
    """Each kind of work that grows is counted: products, chains of Sturm, brackets of numbers, and texts."""
    dense = {(i,) if i else (): (i * i * 7 + 3 * i) % 11 - 5 or 1 for i in range(30)}
    with limited(100), pytest.raises(DescentRefused, match="takes long"):
        poly.times(dense, dense)
    with limited(100), pytest.raises(DescentRefused, match="takes long"):
        poly.read(" + ".join(f"1*g0^{i}" for i in range(2, 300)))
    with limited(200), pytest.raises(DescentRefused, match="takes long"):
        _sign_without_roots(dense, 0)
    with limited(200), pytest.raises(DescentRefused, match="takes long"):
        Tower().free("exp", (poly.constant(3), ONE))
    with limited(1000), pytest.raises(DescentRefused, match="takes long"):
        EnclosedTower(tower_of_logarithms(20), {0: (Fraction(1), Fraction(2))}, Arithmetic(64)).generator(20)
    with limited(100), pytest.raises(DescentRefused, match="takes long"):
        EnclosedTower(tower_of_logarithms(0), {0: (Fraction(1), Fraction(2))}, Arithmetic(64)).polynomial({(): Fraction(7**20_000, 3)})


def tower_of_logarithms(count: int) -> Tower:
    """log(x + log(x + …)) for x > 1."""
    tower = Tower()
    x, _ = tower.variable("x", (Fraction(1), None))
    for i in range(count):
        tower.free("log", (poly.plus(x, poly.generator(i)), ONE))
    return tower


@pytest.mark.parametrize("kind", ["exp", "log", "phi", "root"])
def test_a_bracket_of_a_long_number_counts_for_more(kind: str) -> None:
    """A power of a power is a number of ten thousands of bits from a short text, and takes hundreds of times as long as a short one."""
    free = Tower().free
    order = 2 if kind == "root" else 0
    with limited(5_000):
        free(kind, (poly.constant(Fraction(7, 3)), ONE), order)
    with limited(100_000), pytest.raises(DescentRefused, match="takes long"):
        free(kind, (poly.constant(Fraction(1001, 1000) ** 2300), ONE), order)


def test_a_short_certificate_with_long_numbers_is_refused_in_seconds() -> None:
    """Each of the numbers Φ(((n + 1)/n)^1920) takes a tenth of a second."""
    own = Claim(id="integral", text="", then=Integral(exp(-a * t), (t, 0, u)) <= 1 / a)
    found = certificate_of(own, 5)
    assert found is not None
    (row,) = found["problems"][0]["closed"]
    long = [["phi", ["^", ["^", f"{n + 1}/{n}", "64"], "30"]] for n in range(1000, 1058)]
    row["of"] = ["+", row["of"], ["*", "0", *long]]
    start = time.process_time()
    with pytest.raises(DescentRefused, match="takes long to check"):
        check_claim(own, found)
    assert time.process_time() - start < 4


def test_a_limit_asks_the_clock() -> None:
    """An expansion calls what it is given, so a search stops inside of it."""

    class Stop(Exception):
        pass

    def stop() -> None:
        raise Stop

    tower = Tower()
    variable, _ = tower.variable("x", (Fraction(0), None))
    power = poly.power(poly.plus(ONE, variable), 3)
    assert lower_limit(tower, power, ONE, 0, None, 1, 2)[1] is None
    with pytest.raises(Stop):
        lower_limit(tower, power, ONE, 0, None, 1, 2, stop)
