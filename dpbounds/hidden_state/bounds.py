"""The last iterate of noisy gradient descent on convex losses, as a mechanism; `formulas` has what is computed, and where it comes from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from typing import TYPE_CHECKING, Any, ClassVar

from dpbounds.errors import InputError
from dpbounds.mechanisms import Guarantee, Parameter
from dpbounds.mechanisms.formula import FormulaNoise, ends_of
from dpbounds.numbers import exact
from dpbounds.numbers.domains import at_least_one, positive, probability

if TYPE_CHECKING:
    from dpbounds.numbers.balls import Ball

MOST_STEPS, MOST_CONTRACTED = 20_000, 12
"""Steps of a sampled run: without contraction, or where a step forgets all; and else."""
_KEYS = ("contraction", "gradient-change", "sigma", "steps", "diameter", "step-size")
CLASS = "convex losses, full batch, the last iterate alone; each gradient step is a contraction by"


@dataclass(frozen=True)
class HiddenState(FormulaNoise):
    """Noisy gradient descent of which the last iterate is released.

    Args:
        contraction: 0 ≤ c ≤ 1, by which a gradient step brings two points together; 1 for losses that are convex and smooth alone.
        gradient_change: s > 0, by which a neighbour moves the gradient of a step at most.
        sigma: σ > 0, the standard deviation of the noise in each coordinate of the gradient.
        steps: t ≥ 1.
        diameter: of the set onto which each iterate is projected; None without projection.
        step_size: η > 0; it counts where there is a diameter.

    >>> HiddenState("0.5", 1, 2, 1).mu(10).contains(Fraction(1, 2)), HiddenState(1, 1, 1, 4).mu(10).contains(2)
    (True, True)
    """

    contraction: Fraction
    gradient_change: Fraction
    sigma: Fraction
    steps: int
    diameter: Fraction | None = None
    step_size: Fraction | None = None

    def __init__(
        self,
        contraction: exact.Number,
        gradient_change: exact.Number,
        sigma: exact.Number,
        steps: exact.Number,
        diameter: exact.Number | None = None,
        step_size: exact.Number | None = None,
    ) -> None:
        c = exact.rational(probability(contraction, "contraction of convex losses"))
        if diameter is not None and step_size is None:
            raise InputError("a diameter needs the step size, such as --step-size 0.1")
        vars(self).update(contraction=c, steps=at_least_one(steps, "steps"))
        lengths = {"gradient-change": gradient_change, "sigma": sigma, "diameter": diameter, "step-size": step_size}
        for name, value in lengths.items():
            vars(self)[name.replace("-", "_")] = None if value is None else positive(exact.rational(value, name), name)

    parameters = (
        Parameter("hidden-state", "", "", "The last iterate of noisy gradient descent on convex losses, alone.", flag=True),
        Parameter("contraction", "contraction", "C", "Hidden state: a gradient step brings two points together by this factor, at most 1."),
        Parameter("gradient-change", "gradient_change", "S", "Hidden state: the most by which a neighbour moves a gradient."),
        Parameter("diameter", "diameter", "D", "Hidden state: diameter of the set onto which iterates are projected; none: no projection."),
        Parameter("step-size", "step_size", "ETA", "Hidden state: the step size; it counts with --diameter."),
    )
    takes: ClassVar[frozenset[str]] = frozenset({"sigma", "steps", "q"})
    optional: ClassVar[frozenset[str]] = frozenset(parameter.key for parameter in parameters)

    @classmethod
    def from_spec(cls, given: Mapping[str, Any]) -> FormulaNoise:  # type: ignore[override]
        """The run; its last iterate on the linear loss where it is sampled at a rate q."""
        if missing := [f"--{key}" for key in _KEYS[:4] if key not in given]:
            raise InputError(f"a hidden state needs {', '.join(missing)}, such as {' '.join(f'{name} 1' for name in missing)}")
        run = cls(*(given.get(key) for key in _KEYS))  # type: ignore[arg-type]
        return LastIterate(run, given["q"]) if "q" in given else run

    def to_spec(self) -> dict[str, Any]:
        """The keys that `from_spec` reads."""
        values = {key: getattr(self, key.replace("-", "_")) for key in _KEYS if key != "steps"}
        return {"hidden-state": True, "steps": self.steps} | {key: exact.text(value) for key, value in values.items() if value is not None}

    @property
    def attained(self) -> bool:
        """Whether losses of the class have exactly this μ: without projection, and where a step forgets all that was before."""
        return self.diameter is None or self.contraction == 0 or self.steps == 1

    @property
    def assumes(self) -> str:
        """The class of runs of which the number speaks."""
        where = "" if self.diameter is None else f", iterates are projected to diameter {exact.text(self.diameter)}"
        return f"{CLASS} {exact.text(self.contraction)}{where}; {self.adjacency}"

    def mu_ball(self) -> Ball:
        """The least μ of the formulas that apply; the class has no smaller one where `attained`."""
        return reduce(lambda one, other: one.min(other), (value for _, _, value in self._candidates()))

    def known_mu_ball(self) -> Ball:
        """A μ that losses of the class have at least: μ itself where it is attained, else s/σ.

        The loss of the last step is |x − a|²/2η, whose step leads to a from everywhere. So a step moves N(a, η²σ²) by ηs, and a can be
        chosen for each ε so that the best test is by a threshold within the set onto which is projected.
        """
        return self.mu_ball() if self.attained else HiddenState(0, self.gradient_change, self.sigma, 1).mu_ball()

    def _candidates(self) -> list[tuple[str, int, Ball]]:
        from dpbounds.hidden_state.formulas import candidates

        distance = self.diameter / self.step_size / self.sigma if self.diameter and self.step_size else None
        return candidates(self.contraction, self.gradient_change / self.sigma, self.steps, distance)

    def said(self, digits: int) -> dict[str, Any]:
        """μ at both ends, whether it is attained, and by which formula, at which number of steps from the end."""
        name, m, _ = min(self._candidates(), key=lambda row: float(row[2].mid()))
        return super().said(digits) | {"mu": ends_of(self.mu(digits), digits), "formula": f"{name}, m = {m}"}

    @property
    def adjacency(self) -> str:
        """Which neighbours."""
        return f"a neighbour moves a gradient by at most {exact.text(self.gradient_change)}"


@dataclass(frozen=True)
class LastIterate(FormulaNoise):
    """The linear loss under Poisson sampling at the rate q.

    Args:
        run: contraction, gradient change, noise and steps; without a diameter.
        rate: 0 < q ≤ 1.

    >>> from dpbounds.numbers.balls import ball
    >>> from dpbounds.numbers.to_digits import certified
    >>> certified(lambda: LastIterate(HiddenState(1, 1, 1, 1), "1/100").delta_ball(ball(1)), 5).lower_decimal(3)
    '2.73e-9'
    """

    run: HiddenState
    rate: Fraction

    def __init__(self, run: HiddenState, rate: exact.Number) -> None:
        q = exact.rational(positive(probability(rate, "q"), "q"))
        if run.diameter is not None:
            raise InputError("the last iterate of a sampled run has no exact value with a projection; leave --diameter out")
        most = MOST_STEPS if run.contraction in (0, 1) else MOST_CONTRACTED
        if run.steps > most:
            raise InputError(f"the last iterate of a sampled run takes at most {most} steps at this contraction, got {run.steps}")
        vars(self).update(run=run, rate=q)

    parameters, takes, readable = HiddenState.parameters, HiddenState.takes, False
    guarantee: ClassVar[Guarantee] = Guarantee.PAIR
    gaussian, one_sided = False, True
    attained, beside = False, None  # type: ignore[assignment]  # a lower bound itself: convex losses may have more
    instead = "and nothing that has one bounds the last iterate from below; --json prints both ends"  # type: ignore[assignment]

    @property
    def adjacency(self) -> str:
        """Which neighbours."""
        return f"one record is added or removed; {self.run.adjacency}"

    def to_spec(self) -> dict[str, Any]:
        """The run and the rate."""
        return self.run.to_spec() | {"q": exact.text(self.rate)}

    @property
    def assumes(self) -> str:
        """Of which loss the number speaks."""
        q, c = exact.text(self.rate), exact.text(self.run.contraction)
        run = f"the linear loss, Poisson sampling at rate {q}, contraction {c}"
        return f"{run}: a lower bound for every guarantee of convex losses"

    def delta_ball(self, epsilon: Ball) -> Ball:
        """The larger of both directions, at the precision that is set."""
        return self.delta_in(False)(epsilon).max(self.delta_in(True)(epsilon))

    def delta_in(self, backwards: bool) -> Callable[[Ball], Ball]:
        """δ of (with ‖ without) the record, or of (without ‖ with) it."""
        from dpbounds.hidden_state.formulas import delta_of

        run, move = self.run, self.run.gradient_change / self.run.sigma
        return lambda epsilon: delta_of(run.contraction, move, self.rate, run.steps, epsilon, backwards)

    def said(self, digits: int) -> dict[str, Any]:
        """That it is a lower bound."""
        return {"attained": self.attained, "assumes": self.assumes, "bound": "lower"}
