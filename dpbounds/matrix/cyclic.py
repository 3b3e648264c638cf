"""Banded matrix mechanisms with cyclic Poisson sampling: Poisson sampling on groups.

The records are cut into b groups beforehand, b at least the bands of C. Step i samples from group i mod b alone, at the rate q.
So a record can take part in every b-th step only, and these columns of C do not overlap: in units of the largest column each of
them is one use of the Poisson sampled Gaussian mechanism. Source: Choquette-Choo et al. 2023, "(Amplified) banded matrix
factorization", Theorem 4.
"""

from __future__ import annotations

from fractions import Fraction

from dpbounds.errors import InputError
from dpbounds.matrix.read import read_matrix
from dpbounds.mechanisms import Gaussian, PoissonSampling, Repeated, Sampled
from dpbounds.numbers import exact
from dpbounds.numbers.domains import at_least_one


def cyclic_poisson(
    sigma: exact.Number, records: exact.Number, batch: exact.Number, groups: exact.Number, steps: exact.Number, bands: exact.Number = 1
) -> Repeated:
    """The mechanism that a record sees.

    Args:
        sigma: noise multiplier: the noise of Cx over the norm of its largest column.
        records: N, in groups of N/b, which must be whole. batch: expected batch; q = batch·b/N. groups: b.
            steps: n; a record may be in ⌈n/b⌉ of them.
        bands: of C; at most b.

    >>> cyclic_poisson(2, 1000, 10, 5, 100).steps
    20
    """
    b, n = at_least_one(groups, "groups"), at_least_one(steps, "steps")
    if at_least_one(bands, "bands") > b:
        raise InputError(f"the matrix has {bands} bands, more than the {b} groups: columns of one record would overlap")
    size = Fraction(exact.rational(records, "records"), b)
    if size.denominator != 1 or size < 1:
        raise InputError(f"the records must fill {b} groups of the same size; leave {exact.rational(records) % b} out")
    rate = exact.rational(batch, "batch") / size
    if not 0 < rate <= 1:
        raise InputError(f"the expected batch must be at most a group of {size}, got {batch}")
    return Repeated(Sampled(Gaussian(sigma), PoissonSampling(rate)), -(-n // b))


def sampled_uses(
    matrix: str, sigma: exact.Number, steps: exact.Number | None, rate: exact.Number, groups: exact.Number, least: bool = False
) -> Repeated:
    """The same with noise sigma on each coordinate of Cx, at the rate q in a group, for a matrix that `read_matrix` reads.

    No record shows more; with `least`, some record shows no less, for of the groups with a step in each round it is in the one whose
    shortest column is longest.

    >>> sampled_uses("1,1/2", 2, 100, "1/20", 5).steps
    20
    """
    read, b = read_matrix(matrix, None if steps is None else at_least_one(steps, "steps")), at_least_one(groups, "min-sep")
    if read.bandwidth() > b:
        raise InputError(
            f"with --q the {read.bandwidth()} bands of the matrix need as many groups; give --min-sep {read.bandwidth()} or more"
        )
    gram, unit = read.gram(b)
    squares = [Fraction(row[0], unit) for row in gram]
    square = max(min(squares[group::b]) for group in range((read.steps - 1) % b + 1)) if least else max(squares)
    if not square:
        raise InputError("a column of the matrix is zero: nothing is known of the privacy of its records from below; leave it out")
    multiplier = exact.number(f"({exact.text(exact.number(sigma))})/sqrt({exact.text(square)})")
    return Repeated(Sampled(Gaussian(multiplier), PoissonSampling(rate)), -(-read.steps // b))
