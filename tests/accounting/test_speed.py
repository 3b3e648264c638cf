"""Cost of certified δ, in CPU time: flat in k, slow in the depth of δ. Run with `-m slow -s` to see the numbers."""

import itertools
import statistics
import time

import pytest

from dpbounds import accounting
from dpbounds.mechanisms import Gaussian, PoissonSampling, Repeated, Sampled

WORKLOADS = list(itertools.product(("0.001", "0.01", "0.05"), ("0.7", "1", "2"), (10**3, 10**4, 10**5)))


def poisson(sigma, q, steps):
    return Repeated(Sampled(Gaussian(sigma), PoissonSampling(q)), steps)


def seconds(mechanism, epsilon, digits):
    start = time.process_time()
    accounting.delta(mechanism, epsilon, digits=digits)
    return time.process_time() - start


def test_fifteen_digits_are_quick():
    assert seconds(poisson("1.5", "0.01", 10_000), 1, 15) < 1.0


@pytest.mark.slow
@pytest.mark.parametrize(("digits", "median", "worst"), [(15, 0.15, 3.0), (50, 2.0, 30.0)])
def test_workloads(digits, median, worst):
    times = []
    for (q, sigma, steps), delta in itertools.product(WORKLOADS, ("1e-5", "1e-15")):
        mechanism = poisson(sigma, q, steps)
        epsilon = accounting.epsilon(mechanism, delta, digits=4, direction="remove").enclosure.upper_decimal(4)
        times.append(seconds(mechanism, epsilon, digits))
    print(f"{digits} digits: median {statistics.median(times):.3f} s, worst {max(times):.3f} s over {len(times)} workloads")
    assert statistics.median(times) < median
    assert max(times) < worst


@pytest.mark.slow
def test_cost_against_steps_and_depth():
    flat = [seconds(poisson(str(50 * (10**power) ** 0.5 / 100), "0.01", 10**power), 1, 15) for power in range(3, 10)]
    print("k = 1e3 … 1e9:", " ".join(f"{value:.3f}" for value in flat))
    assert max(flat) < 20 * min(flat)
    deep = [seconds(poisson("2", "0.05", 1000), epsilon, 15) for epsilon in (2, 5, 10, 20, 40)]
    print("epsilon = 2 … 40:", " ".join(f"{value:.3f}" for value in deep))
