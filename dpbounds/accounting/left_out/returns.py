"""The end of a line on which several atoms turn at speeds without a common measure: they are hardly ever all in step again.

Let a_j be masses at losses l_j of one use, tilted by e^{cL}, m ≥ M(c), and 0 one of them. The tilted law is a positive measure, so
|M(c+iy)|² = ∬cos(y(l − l′)) loses at least 2a_ia_j(1 − cos y(l_i − l_j)) against m² by each pair. As (1 − x)^{k/2} ≤ e^{−kx/2}, k uses have

    |M|^k ≤ m^k·e^{−A(y)},    A(y) = (k/m²)·Σ_{i<j} a_ia_j(1 − cos y(l_i − l_j)),

and the A of different laws add. Choose levels τ_1 < … < τ_L, each with a few of the j, and let R = R_l = {y ≥ 0: A(y) < τ_l}.
There θ_j, what yu_j, u_j = l_j − l_0, is beside the nearest multiple 2πn_j(y), has 1 − cos θ_j < τ_lm²/(ka_0a_j): so |θ_j| < Θ, the
same for all j. Where 2Θ < π, angles of pairs are the differences, and 1 − cos x ≥ ρx²/2 for |x| ≤ 2Θ, ρ = (1 − cos 2Θ)/(2Θ²). So

    A(y) ≥ N(yu − 2πn(y)),    N(θ) = Σ over the laws of (kρ/2m²)·(Σa·Σaθ² − (Σaθ)²),    Σa with a_0.

For y, y′ in R with the same n, |y − y′|·√S ≤ 2√τ_l, S = N(u). For others n = n(y) − n(y′) ≠ 0 and t = y − y′ have
N(tu − 2πn) < 4τ_l; with y′ = 0 even < τ_l. If t² < G² too, then with σ for 4τ_l or τ_l, any w > 0, λ² = wσ/G² and B the matrix of N

    λ²t² + N(tu − 2πn) < (1 + w)σ;    its least value over t is 4π²·(n·Bn − (n·Bu)²/(λ² + S)),

a quadratic form in n. All n for which it is less, for one w (large ones are for a lattice), are listed by elimination, in any basis of
Z^d; LLL finds a good one. As N(tu − 2πn) = S(t − t*)² + 4π²·(n·Bn − (n·Bu)²/S), t* = 2π·n·Bu/S, the stretch of each ends at a known
height. With r of them for 4τ_l, at most r + 1 stretches of R_l meet an interval of length G_l that begins in one; each is at most
D_l = 2√(τ_l/S) long. Those for τ_l are the returns below E_l; on that of n, A ≥ φ_n = 4π²·(n·Bn − (n·Bu)²/S).

Let Y be the last node. No y ≥ Y is in the stretch of y = 0 if SY² ≥ τ_l. If that holds from Y′ > Y on only, the atoms that are at
most 1/Y′ from 0 show A ≥ τ_L from Y to Y′ in the same way, with Θ = 1. The points of R_l beyond Y are in the returns below E_l that
end above Y, each from some Y_n ≥ Y on and D_n ≤ D_l long, or they are at max(Y, E_l), called E, and further up, r + 1 stretches for
each G_l, with D_l/h + 1 nodes each; nodes of R_l that are not in R_{l−1} have at most e^{−τ_{l−1}}. With F for the other factors at the
height, |z(z+1)| ≥ y² and Σ_{i≥0} (E + iG)^{−2} ≤ 1/E² + 1/(GE), the nodes left out at both ends add at most

    (m^k·e^{−cε}/π)·( F(Y)·e^{−τ_L}/Y + Σ_l F(E)·e^{−τ_{l−1}}(r + 1)(D_l + h)(1/E² + 1/(G_lE))
                                      + Σ_l Σ_n F(Y_n)·e^{−max(τ_{l−1}, φ_n)}(D_n + h)/Y_n² ),    τ_0 = 0.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from flint import arb, fmpz_mat

from dpbounds.laws.contour_factor import ContourFactor, TiltedAtoms
from dpbounds.numbers.balls import precision

_MOST = 12
"""Atoms of a level, beside those that the others are compared with."""
_LEVELS, _RATIO = 10, 1.6
_MOST_TRIED = 4_000
_SCALE = 2.0**40
_TRIES, _SMALLER = 16, 8.0
_MOST_RETURNS, _FARTHEST = 200, 1e12
_WEIGHTS = (1, 15)
_SHARE_OF_RETURNS = 0.25
"""What the returns of a level that are not passed may add, against what is aimed at."""
_ROOM = 6.0
"""Least ka_0a_j/m² against τ."""
_ROUNDS = 4
_LARGEST, _HALVINGS = 600.0, 16
_LEAST = 1e-6
"""Masses against the heaviest one that are looked at."""


@dataclass(frozen=True)
class Level:
    """τ, E, below which R has no point beyond the last node, and G, within which there are few."""

    fall: float
    first: float
    gap: float


@dataclass(frozen=True)
class AtomReturn:
    """A return: its middle, half of its length, and φ."""

    middle: arb
    half: arb
    fall: arb

    @property
    def end(self) -> float:
        """A height beyond it."""
        return float((self.middle + self.half).upper()) * (1 + 1e-12)


@dataclass(frozen=True)
class Turn:
    """An atom: number of its law, its mass, u, and ka_0a_j/m²."""

    law: int
    mass: arb
    speed: arb
    weight: arb


@dataclass(frozen=True)
class Returns:
    """What is known of the atoms of some factors at an abscissa, at the current precision: the most helpful first."""

    turns: tuple[Turn, ...]
    laws: tuple[tuple[TiltedAtoms, int], ...]

    def spread(self, apart: arb) -> arb:
        """S of the atoms that are at most so far from the heaviest, with Θ = 1."""
        total = arb(0)
        for law, steps in self.laws:
            rows = [(mass, loss - law.losses[0]) for mass, loss in zip(law.masses, law.losses, strict=True)]
            near = [(mass, loss) for mass, loss in rows if abs(loss) <= apart]
            mass, mean = sum((a for a, _ in near), arb(0)), sum((a * x for a, x in near), arb(0))
            square = sum((a * x**2 for a, x in near), arb(0))
            total += steps * _share(arb(1)) / 2 / law.moment**2 * (mass * square - mean**2).nonnegative_part()
        return total

    def form(self, fall: arb) -> tuple[list[list[arb]], list[arb]] | None:
        """B and u of a level; None where no atom helps."""
        turns = [turn for turn in self.turns if turn.weight > _ROOM * fall][:_MOST]
        if not turns or not fall > 0:
            return None
        least = turns[0].weight
        for turn in turns[1:]:
            least = least.min(turn.weight)
        share = _share((1 - fall / least).acos())
        scales = [share * steps / 2 / law.moment**2 for law, steps in self.laws]
        whole = [law.masses[0] + sum((turn.mass for turn in turns if turn.law == i), arb(0)) for i, (law, _) in enumerate(self.laws)]
        form = [
            [scales[a.law] * a.mass * ((whole[a.law] if a is b else 0) - b.mass) if a.law == b.law else arb(0) for b in turns]
            for a in turns
        ]
        return form, [turn.speed for turn in turns]

    def returns(self, level: Level) -> tuple[list[AtomReturn], int] | None:
        """The returns below `first`, and how many stretches lie within `gap` of each other at most; None where there are many."""
        found = self.form(arb(level.fall))
        beside = None if found is None else near_returns(found, arb(4 * level.fall), arb(level.gap))
        if found is None or beside is None or (listed := near_returns(found, arb(level.fall), arb(level.first))) is None:
            return None
        return listed, 1 + len(beside)

    def bound(self, levels: Sequence[Level], last: arb, step: arb, others: Callable[[arb], arb]) -> arb:
        """The bound without e^{−cε}, by the levels that hold; infinite where the last one does not.

        Args:
            last: Y. step: h. others: m^k·F of a height, not rising.
        """
        if not (last > 0 and levels):
            return arb.pos_inf()
        held: list[tuple[Level, list[AtomReturn], int, arb]] = []
        for level in levels:
            known, form = self.returns(level), self.form(arb(level.fall))
            if known is not None and form is not None:
                held.append((level, *known, size_of(form)))
        if not held or held[-1][0] is not levels[-1]:
            return arb.pos_inf()
        far = last
        for level, _, _, size in held:
            far = far.max((level.fall / size).sqrt())
        far = arb(far.upper())
        if not far <= last and not self.spread(1 / far) * last**2 >= levels[-1].fall:
            return arb.pos_inf()
        total, before = others(last) * (-arb(levels[-1].fall)).exp() / last, arb(0)
        for level, listed, count, size in held:
            start, width = last.max(arb(level.first)), 2 * (level.fall / size).sqrt()
            total += others(start) * (-before).exp() * count * (width + step) * (1 / start**2 + 1 / (level.gap * start))
            for own in listed:
                if not own.end <= float(last.lower()) * (1 - 1e-12):
                    start = last.max(own.middle - own.half)
                    total += others(start) * (-before.max(own.fall)).exp() * (2 * own.half + step) / start**2
            before = arb(level.fall)
        return total / arb.pi()


def near_returns(found: tuple[list[list[arb]], list[arb]], fall: arb, gap: arb) -> list[AtomReturn] | None:
    """The stretches around all t > 0 below `gap` where N(tu − 2πn) < `fall` for some n ≠ 0; None where there are too many.

    N(tu − 2πn) = S(t − t*)² + 4π²·(n·Bn − (n·Bu)²/S), t* = 2π·n·Bu/S. No stretch reaches t = 0, so that n and −n are not both on one side:
    N(2πn) ≥ 2π²ρ·Σ n_j²·ka_0a_j/m² by the pairs with 0, which is above 4τ for `_ROOM` = 6, where Θ < 0.6 and ρ > 0.88.
    """
    if not (gap > 0 and gap.is_finite()):
        return None
    form, speeds = found
    size, images = size_of(found), [sum((entry * speed for entry, speed in zip(row, speeds, strict=True)), arb(0)) for row in form]
    best: list[AtomReturn] | None = None
    for share in _WEIGHTS:
        rest = share * fall / gap**2 + size
        left = [
            [entry - own * other / rest for entry, other in zip(row, images, strict=True)] for row, own in zip(form, images, strict=True)
        ]
        basis = reduced_basis(left)
        vectors = short_vectors(in_basis(left, basis), (1 + share) * fall / (4 * arb.pi() ** 2))
        if vectors is None:
            continue
        ends = []
        for short in vectors:
            n = [sum(count * row[j] for count, row in zip(short, basis, strict=True)) for j in range(len(form))]
            along = sum((own * entry for own, entry in zip(n, images, strict=True)), arb(0))
            whole = sum(
                (own * entry * other for own, row in zip(n, form, strict=True) for entry, other in zip(row, n, strict=True)), arb(0)
            )
            least = 4 * arb.pi() ** 2 * (whole - along**2 / size)
            left_over = fall - least
            if left_over < 0:
                continue
            middle, half = abs(2 * arb.pi() * along / size), (arb(left_over.upper()) / size).sqrt()
            if not middle - half >= gap:
                ends.append(AtomReturn(middle, half, arb(least.lower())))
        if best is None or len(ends) < len(best):
            best = ends
        if not best:
            return best
    return best


def _share(angle: arb) -> arb:
    """ρ of Θ ≤ π/2."""
    return (1 - (2 * angle).cos()) / (2 * angle**2)


def size_of(form: tuple[list[list[arb]], list[arb]]) -> arb:
    """S."""
    rows, speeds = form
    return sum(
        (own * entry * speed for own, row in zip(speeds, rows, strict=True) for entry, speed in zip(row, speeds, strict=True)), arb(0)
    )


def returns_of(factors: Sequence[ContourFactor], x: arb, rough: bool = False) -> Returns:
    """The atoms of all factors, the heaviest of each law first."""
    laws: list[tuple[TiltedAtoms, int]] = []
    turns: list[Turn] = []
    for factor in factors:
        law = factor.tilted_atoms(x, rough)
        if law is None or not (law.moment > 0 and law.masses[0] > 0):
            continue
        kept = sum(bool(mass > _LEAST * law.masses[0]) for mass in law.masses)
        laws.append((TiltedAtoms(law.masses[:kept], law.losses[:kept], law.moment), factor.steps))
        for mass, loss in zip(law.masses[1:kept], law.losses[1:kept], strict=True):
            turns.append(Turn(len(laws) - 1, mass, loss - law.losses[0], factor.steps * law.masses[0] * mass / law.moment**2))
    return Returns(tuple(sorted(turns, key=lambda turn: -float(turn.weight.mid()))), tuple(laws))


def reduced_basis(form: list[list[arb]]) -> list[list[int]]:
    """A basis of Z^d that LLL finds for floats of a form: no more than a change of variables, as its determinant says.

    >>> reduced_basis([[arb(1), arb(0)], [arb(0), arb(1)]])
    [[1, 0], [0, 1]]
    """
    size = len(form)
    plain = [[int(i == j) for j in range(size)] for i in range(size)]
    largest = max((form[i][i].mid() for i in range(size)), key=lambda entry: float(entry.log()) if entry > 0 else -math.inf)
    if not largest > 0 or not all(entry.is_finite() for row in form for entry in row):
        return plain
    roots = _cholesky([[float((entry / largest).mid()) for entry in row] for row in form])
    rows = [[round(entry * _SCALE) for entry in row] + [int(i == j) for j in range(size)] for i, row in enumerate(roots)]
    reduced = fmpz_mat(rows).lll()
    basis = [[int(reduced[i, size + j]) for j in range(size)] for i in range(size)]
    return basis if abs(int(fmpz_mat(basis).det())) == 1 else plain


def in_basis(form: list[list[arb]], basis: list[list[int]]) -> list[list[arb]]:
    """The form of another basis."""
    size = len(form)
    half = [[sum((form[i][j] * row[i] for i in range(size)), arb(0)) for j in range(size)] for row in basis]
    return [[sum((own[j] * row[j] for j in range(size)), arb(0)) for row in basis] for own in half]


def _cholesky(form: list[list[float]]) -> list[list[float]]:
    """Rows whose products are about those of the form."""
    size = len(form)
    rows = [[0.0] * size for _ in range(size)]
    for i in range(size):
        for j in range(i + 1):
            left = form[i][j] - sum(rows[i][t] * rows[j][t] for t in range(j))
            rows[i][j] = math.sqrt(max(left, 1e-20)) if i == j else left / rows[j][j]
    return rows


def short_vectors(form: list[list[arb]], bound: arb) -> list[list[int]] | None:
    """All whole n ≠ 0, one of each n and −n, for which it is not certain that the form is at least `bound`; None where they are many.

    Σ d_i(n_i + Σ_{j>i} μ_ijn_j)² by elimination, from the last n_i on.
    """
    rest, pivots, rows = [list(row) for row in form], [], []
    while rest:
        first = rest[0]
        if not first[0] > 0:
            return None
        pivots.append(first[0])
        rows.append([entry / first[0] for entry in first[1:]])
        rest = [[row[j] - row[0] * first[j] / first[0] for j in range(1, len(first))] for row in rest[1:]]
    found: list[list[int]] = []
    tried = 0

    def is_listed(later: list[int], left: arb) -> bool:
        """Whether all with these n_{i+1} … that use up no more than `left` were listed."""
        nonlocal tried
        i = len(pivots) - 1 - len(later)
        if i < 0:
            if any(later):
                found.append(later)
            return len(found) <= _MOST_RETURNS
        middle = sum((entry * n for entry, n in zip(rows[i], later, strict=True)), arb(0))
        half = (arb(left.upper()) / pivots[i]).sqrt()
        if not (half.is_finite() and middle.is_finite()):
            return False
        low, high = int((-middle - half).lower().floor().fmpz()), int((half - middle).upper().ceil().fmpz())
        for n in range(0 if not any(later) else low, high + 1):  # n and −n have the same value
            tried += 1
            used = pivots[i] * (n + middle) ** 2
            if tried > _MOST_TRIED or (not used > left and not is_listed([n, *later], left - arb(used.lower()))):
                return False
        return True

    return found if is_listed([], bound) else None


def _level(known: Returns, fall: float, before: float, large: float, beside: Callable[[float], float]) -> tuple[Level, float] | None:
    """A level with 4·large·F(first) ≤ first·gap, and a height beyond which its returns add little; None where none is found."""
    gap, each = 2 * math.sqrt(large), large
    form = known.form(arb(fall))
    if form is None:
        return None
    for _ in range(_TRIES):
        if (others := near_returns(form, arb(4 * fall), arb(gap))) is not None:
            break
        gap /= _SMALLER
    else:
        return None
    large *= 1 + len(others)
    first, low = 4 * large / gap, 4 * large / gap * math.exp(-60.0)
    if beside(first) < -1.0:
        for _ in range(_HALVINGS):
            middle = math.sqrt(low * first)
            low, first = (low, middle) if math.log(4 * large) + beside(middle) <= math.log(middle * gap) else (middle, first)
    level = Level(fall, first, gap)
    if (found := known.returns(level)) is None:
        return None
    last, left = 0.0, _SHARE_OF_RETURNS
    for own in sorted(found[0], key=lambda own: -own.end):
        start = max(1e-300, float((own.middle - own.half).mid()))
        left -= each * math.exp(-max(0.0, float(own.fall) - before) + min(0.0, beside(start))) / start / start
        if left < 0:
            last = own.end
            break
    return (level, last) if last <= _FARTHEST else None


def approx_returns_end(
    factors: Sequence[ContourFactor], x: float, top: float, step: float, beside: Callable[[float], float] = lambda _: 0.0
) -> tuple[float, tuple[Level, ...]]:
    """The lowest Y and the levels for a bound of about e^{−top} of the integrand at x; infinite where there is none.

    Args:
        beside: about log F of a height, against that at 0.
    """
    none: tuple[float, tuple[Level, ...]] = (math.inf, ())
    with precision(128):
        known = returns_of(factors, arb(x), rough=True)
        if not known.turns or not 0 < top < _LARGEST:
            return none
        fall, last = top, 0.0
        for _ in range(_ROUNDS):
            if (form := known.form(arb(fall))) is None or not 0 < (size := float(size_of(form).mid())) < math.inf:
                return none
            far = math.sqrt(fall / size)
            last = min(far, math.sqrt(fall / max(float(known.spread(arb(1 / far)).mid()), size)))
            fall = top + max(1.0, 1 - math.log(last))
        levels: list[Level] = []
        for own in (fall * _RATIO**-turn for turn in reversed(range(_LEVELS))):
            if (form := known.form(arb(own))) is None or not 0 < (size := float(size_of(form).mid())) < math.inf:
                return none
            width, before = 2 * math.sqrt(own / size), levels[-1].fall if levels else 0.0
            found = _level(known, own, before, (width + step) * math.exp(top - before), beside)
            if found is not None:
                levels.append(found[0])
                last = max(last, found[1])
    return (1.01 * last, tuple(levels)) if levels and levels[-1].fall == fall else none
