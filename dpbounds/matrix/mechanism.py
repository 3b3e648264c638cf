"""A matrix mechanism Cx + Z: Gaussian noise whose μ is the sensitivity of C over σ; with cyclic Poisson sampling, Poisson on groups."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from dpbounds.errors import InputError
from dpbounds.matrix.read import read_matrix
from dpbounds.mechanisms import Gaussian, Mechanism, Parameter, PoissonSampling, Repeated, Sampled
from dpbounds.mechanisms.formula import FormulaNoise, ends_of
from dpbounds.numbers import exact
from dpbounds.numbers.domains import at_least_one, positive
from dpbounds.numbers.exact import Exact

if TYPE_CHECKING:
    from dpbounds.matrix.sensitivity import Sensitivity
    from dpbounds.numbers.balls import Ball


@dataclass(frozen=True)
class MatrixMechanism(FormulaNoise):
    """Gaussian noise on each coordinate of Cx, where a record takes part in several steps.

    Args:
        matrix: what `dpbounds.read_matrix` reads: a .npy or .csv file, a first column, a BLT, or tree.
        sigma: σ > 0 of the noise on each coordinate of Cx.
        steps: n; needed for Toeplitz, BLT and tree.
        min_sep: b ≥ 1; two uses of a record are at least b steps apart.
        participations: k; None: as many as fit.

    >>> MatrixMechanism("1,0,3/4,1/4,0,2/3", 2, 8, 2, 4).sensitivity.pattern
    (0, 2, 5, 7)
    """

    matrix: str
    sigma: Exact
    steps: int | None = None
    min_sep: int = 1
    participations: int | None = None

    def __init__(
        self,
        matrix: str,
        sigma: exact.Number,
        steps: exact.Number | None = None,
        min_sep: exact.Number = 1,
        participations: exact.Number | None = None,
    ) -> None:
        vars(self).update(matrix=str(matrix), sigma=positive(sigma, "sigma"), min_sep=at_least_one(min_sep, "min-sep"))
        for name, value in {"steps": steps, "participations": participations}.items():
            vars(self)[name] = None if value is None else at_least_one(value, name)

    parameters = (
        Parameter("matrix", "matrix", "MATRIX", "Matrix mechanism: .npy or .csv file, 1,1/2 (first column), blt:... or tree."),
        Parameter("min-sep", "min_sep", "B", "Matrix mechanism: two uses of a record are at least B steps apart; default 1.", default=1),
    )
    takes: ClassVar[frozenset[str]] = frozenset({"sigma", "steps", "participations", "q"})
    adjacency = "one record is added or removed, with steps that are fixed beforehand"  # type: ignore[assignment]

    @classmethod
    def from_spec(cls, given: Mapping[str, Any]) -> Mechanism:  # type: ignore[override]
        """The matrix and how records take part; with a rate q by cyclic Poisson sampling of `min-sep` groups."""
        if "sigma" not in given:
            raise InputError("a matrix mechanism needs --sigma, the noise on each coordinate of Cx, such as --sigma 2")
        if "q" in given:
            if "participations" in given:
                raise InputError("participations has no meaning with --q: a record can be in every --min-sep-th step; drop it")
            return cyclic_poisson(given["matrix"], given["sigma"], given.get("steps"), given["q"], given.get("min-sep", 1))
        return cls(given["matrix"], given["sigma"], given.get("steps"), given.get("min-sep", 1), given.get("participations"))

    def to_spec(self) -> dict[str, Any]:
        """The same keys."""
        found = {"matrix": self.matrix, "sigma": exact.text(self.sigma), "steps": self.steps, "min-sep": self.min_sep}
        return {key: value for key, value in (found | {"participations": self.participations}).items() if value is not None}

    @cached_property
    def sensitivity(self) -> Sensitivity:
        """Of C, both ends."""
        from dpbounds.matrix.sensitivity import sensitivity_of

        return sensitivity_of(read_matrix(self.matrix, self.steps), self.min_sep, self.participations)

    @property
    def attained(self) -> bool:
        """Whether the sensitivity is exact."""
        return self.sensitivity.is_exact

    @property
    def assumes(self) -> str:
        """Which records."""
        found = self.sensitivity
        uses = f"a record is in at most {found.participations} of {found.steps} steps, at least {found.min_sep} apart"
        return f"Gaussian noise {exact.text(self.sigma)} on Cx; {uses}, and moves x by a vector of norm 1 at most in each"

    def mu_ball(self) -> Ball:
        """The upper end."""
        return self._mu_of(self.sensitivity.end_squared(False))

    def known_mu_ball(self) -> Ball:
        """The lower end."""
        return self._mu_of(self.sensitivity.end_squared(True))

    def _mu_of(self, square: Ball) -> Ball:
        from dpbounds.numbers.precise import as_ball

        return square.sqrt() / as_ball(self.sigma)

    def said(self, digits: int) -> dict[str, Any]:
        """μ, the sensitivity and the pattern."""
        found, more = self.sensitivity, digits + 1
        known = {"mu": ends_of(found.between(self._mu_of, more), digits), "sensitivity": ends_of(found.value(more), digits)}
        return super().said(digits) | known | {"pattern": list(found.pattern)}


def cyclic_poisson(
    matrix: str, sigma: exact.Number, steps: exact.Number | None, rate: exact.Number, groups: exact.Number, least: bool = False
) -> Repeated:
    """Banded matrix mechanisms with cyclic Poisson sampling, as what a record shows: each use is a Poisson sampled Gaussian mechanism.

    The records are cut into b groups beforehand, b at least the bands of C. Step i samples from group i mod b alone, at the rate q, the
    expected batch over the size of a group. So a record can take part in every b-th step only, and these columns of C do not overlap: in
    units of the largest column each of them is one use.

    Args:
        matrix: what `read_matrix` reads. sigma: the noise on each coordinate of Cx. steps: n; a record may be in ⌈n/b⌉ of them.
        rate: q. groups: b.
        least: no record shows more than the result; with `least`, some record shows no less, for of the groups with a step in each round
            it is in the one whose shortest column is longest.

    Source: Choquette-Choo et al. 2023, "(Amplified) banded matrix factorization", Theorem 4.

    >>> cyclic_poisson("1,1/2", 2, 100, "1/20", 5).steps
    20
    """
    read, b = read_matrix(matrix, None if steps is None else at_least_one(steps, "steps")), at_least_one(groups, "min-sep")
    if (bands := read.bandwidth()) > b:
        raise InputError(f"with --q the {bands} bands of the matrix need as many groups; give --min-sep {bands} or more")
    gram, unit = read.gram(b)
    squares = [Fraction(row[0], unit) for row in gram]
    square = max(min(squares[group::b]) for group in range((read.steps - 1) % b + 1)) if least else max(squares)
    if not square:
        raise InputError("a column of the matrix is zero: nothing is known of the privacy of its records from below; leave it out")
    multiplier = exact.number(f"({exact.text(exact.number(sigma))})/sqrt({exact.text(square)})")
    return Repeated(Sampled(Gaussian(multiplier), PoissonSampling(rate)), -(-read.steps // b))
