"""Guarantees with a formula of their own in `delta`, `epsilon`, `plan` and `verify`: hidden states, private selection.

A family is an object with `delta_ball` (its δ at the precision that is set, an upper bound where not `attained`),
`known_delta_ball` (what some case of it has at least), `assumes` and `described`. `with_families` puts the options beside those
of a command, and answers in its place.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import click

from dpbounds.errors import InputError, Undecidable

if TYPE_CHECKING:
    from dpbounds.numbers.balls import Ball, Enclosure

Command = TypeVar("Command", bound=Callable[..., Any])
HIDDEN = ("contraction", "diameter", "step_size", "gradient_change")
SELECTION = ("exponential_mechanism", "noisy_max", "permute_and_flip", "above_threshold")
_GIVEN = "given"
_HELP = {
    "contraction": ("C", "Hidden state: by which factor a gradient step brings two points together, at most 1."),
    "diameter": ("D", "Hidden state: diameter of the set onto which iterates are projected; leave it out without projection."),
    "step_size": ("ETA", "Hidden state: the step size."),
    "gradient_change": ("S", "Hidden state: by which a neighbour moves a gradient at most."),
    "exponential_mechanism": ("E", "Exponential mechanism whose loss has a range of length E; --steps uses, fixed beforehand."),
    "noisy_max": ("E", "The same: the largest score with Gumbel noise."),
    "permute_and_flip": ("E", "Permute-and-flip of pure epsilon E: the largest score with exponential noise."),
    "above_threshold": ("E", "Above threshold of pure epsilon E, Laplace noise; both bounds."),
}
_INSTEAD = {
    "certificate": "there is a formula, and nothing to replay: --json keeps the answer with what it assumes",
    "oracle": "leave it out: the answer is a formula, in the definitions of docs/further-mechanisms.md",
}
SCHEMA = "dpbounds/1"


class FamilyOptions(Protocol):
    """What a formula has to offer."""

    @property
    def attained(self) -> bool:
        """Whether the bound is the value."""

    @property
    def assumes(self) -> str:
        """What is assumed, in a few words."""

    @property
    def largest_loss(self) -> Fraction | None:
        """From where on δ is 0; None where it never is."""

    @property
    def instead(self) -> str:
        """What has a certificate, and bounds the same."""

    def delta_ball(self, epsilon: Ball) -> Ball:
        """δ, or a bound on it."""

    def known_delta_ball(self, epsilon: Ball) -> Ball:
        """δ of some case."""

    def described(self, digits: int) -> dict[str, Any]:
        """More for the JSON document."""


def with_families(function: Command) -> Command:
    """Add the options of the families to a command, and answer where one of them is given; its module's name says which command it is."""

    @functools.wraps(function)
    def wrapped(**options: Any) -> Any:
        own = {name: options.pop(name) for name in ("hidden_state", *HIDDEN, *SELECTION)}
        given = {name: value for name, value in own.items() if value not in (None, False)}
        if not given:
            return function(**options)
        rest = {name: value for name, value in options.items() if value not in (None, False, ())}
        return _answer(function.__module__.rpartition(".")[2], given, rest)

    for name, (metavar, text) in reversed(_HELP.items()):
        extra: dict[str, Any] = {"is_flag": False, "flag_value": _GIVEN} if name in SELECTION else {}
        wrapped = click.option(f"--{name.replace('_', '-')}", name, metavar=metavar, help=text, **extra)(wrapped)
    hidden = click.option("--hidden-state", is_flag=True, help="The last iterate of noisy gradient descent on convex losses.")
    return hidden(wrapped)  # type: ignore[return-value]


def _answer(command: str, given: dict[str, Any], rest: dict[str, Any]) -> int:
    as_json = rest.pop("as_json", False)
    asked = {name: rest.pop(name, None) for name in ("epsilon", "delta", "digits")}
    rest.pop("source", None)
    if rest.pop("certificate", None) is not None:
        raise InputError(f"no certificate: the small checker does not know this formula; {read_family(given, rest).instead}")
    ask = {"delta": _delta, "epsilon": _epsilon, "plan": _plan, "verify": _verify}[command]
    document, text, code = ask(given, rest, asked)
    click.echo(json.dumps(document, ensure_ascii=False) if as_json else text)
    return code


def read_family(given: Mapping[str, Any], rest: Mapping[str, Any], sigma: Any = None) -> FamilyOptions:
    """The family that the options describe.

    Raises:
        InputError: what is missing or does not belong there, in one line.
    """
    hidden = "hidden_state" in given
    takes = {"sigma", "steps", "q"} if hidden else {"steps"}
    if wrong := [name for name in rest if name not in takes] + [
        name for name in given if (name in SELECTION) == hidden and name != "hidden_state"
    ]:
        where = "a hidden state" if hidden else "private selection" if set(given) & set(SELECTION) else "a mechanism without --hidden-state"
        extra, own = (f"--{name.replace('_', '-')}" for name in (wrong[0], next(iter(given))))
        instead = _INSTEAD.get(wrong[0], f"leave it out, or leave {own} out for a mechanism that takes {extra}")
        raise InputError(f"{extra} has no meaning with {where}; {instead}")
    if hidden:
        return _hidden(given, rest, sigma)
    from dpbounds.selection.mechanisms import Selection

    kinds = list(given)
    if len(kinds) == 2 and _GIVEN in given.values():  # --exponential-mechanism 1 --permute-and-flip
        kinds = [name for name in kinds if given[name] == _GIVEN]
    if len(kinds) != 1:
        raise InputError(f"give one of {', '.join('--' + name.replace('_', '-') for name in SELECTION)}, got {len(kinds)}")
    value = sigma if sigma is not None else next((value for value in given.values() if value != _GIVEN), None)
    kind = kinds[0].replace("_", "-")
    if value is None:
        raise InputError(f"--{kind} needs its epsilon, such as --{kind} 1")
    return Selection(kind, value, rest.get("steps", 1))


def _hidden(given: Mapping[str, Any], rest: Mapping[str, Any], sigma: Any) -> FamilyOptions:
    from dpbounds.hidden_state.bounds import HiddenState
    from dpbounds.hidden_state.last_iterate import LastIterate

    needed = {name: given.get(name) for name in ("contraction", "gradient_change")}
    needed |= {"sigma": sigma if sigma is not None else rest.get("sigma"), "steps": rest.get("steps")}
    if missing := [f"--{name.replace('_', '-')}" for name, value in needed.items() if value is None]:
        raise InputError(f"a hidden state needs {', '.join(missing)}, such as {' '.join(f'{name} 1' for name in missing)}")
    run = HiddenState(
        needed["contraction"], needed["gradient_change"], needed["sigma"], needed["steps"], given.get("diameter"), given.get("step_size")
    )
    return LastIterate(run, rest["q"]) if "q" in rest else run


def _document(quantity: str, family: FamilyOptions, given: Mapping[str, Any], rest: Mapping[str, Any], digits: int) -> dict[str, Any]:
    return {"schema": SCHEMA, "quantity": quantity} | family.described(digits) | {"inputs": {**given, **rest}}


def _ends(value: Enclosure, digits: int) -> dict[str, str]:
    return {"lower": value.lower_decimal(digits + 2), "upper": value.upper_decimal(digits + 2)}


def _line(quantity: str, family: FamilyOptions, found: Mapping[str, Mapping[str, str]]) -> str:
    value, known = found[quantity], found.get("known")
    lower = getattr(family, "attained", False)
    document = family.described(12)
    head = "exactly" if lower else "at least" if document.get("bound") == "lower" else "at most"
    lines = [f"{quantity} {head} [{value['lower']}, {value['upper']}] for {family.assumes}"]
    if "mu" in document:
        lines.append(f"  mu {head} [{document['mu']['lower']}, {document['mu']['upper']}] for {family.assumes}")
    if known:
        lines.append(f"  {quantity} at least {known['lower']} in some case of {family.assumes}")
    return "\n".join(lines)


def _delta(given: dict[str, Any], rest: dict[str, Any], asked: dict[str, Any]) -> tuple[dict[str, Any], str, int]:
    from dpbounds.numbers.domains import nonnegative

    family, digits = read_family(given, rest), _digits(asked)
    if asked["epsilon"] is None:
        raise InputError("--epsilon is missing; give it, such as --epsilon 1")
    loss = nonnegative(asked["epsilon"], "epsilon")
    found = {"delta": _ends(_delta_at(family, family.delta_ball, loss, digits + 1), digits)}
    if not family.attained and family.described(digits).get("bound") != "lower":
        found["known"] = _ends(_delta_at(family, family.known_delta_ball, loss, digits + 1), digits)
    document = _document("delta", family, given, rest | {"epsilon": asked["epsilon"]}, digits)
    return document | found["delta"] | found, _line("delta", family, found), 0


def _delta_at(family: FamilyOptions, bound: Callable[[Ball], Ball], loss: Any, digits: int) -> Enclosure:
    """δ at an ε: exactly 0 from the largest loss on, where balls cannot tell."""
    from dpbounds.numbers.balls import Enclosure
    from dpbounds.numbers.precise import as_ball
    from dpbounds.numbers.to_digits import certified

    if family.largest_loss is not None and isinstance(loss, Fraction) and loss >= family.largest_loss:
        return Enclosure.exactly(0)
    return certified(lambda: bound(as_ball(loss)), digits)


def _epsilon(given: dict[str, Any], rest: dict[str, Any], asked: dict[str, Any]) -> tuple[dict[str, Any], str, int]:
    family, digits = read_family(given, rest), _digits(asked)
    if asked["delta"] is None:
        raise InputError("--delta is missing; give it, such as --delta 1e-5")
    found = {"epsilon": _ends(epsilon_of(family.delta_ball, asked["delta"], digits + 1), digits)}
    if not family.attained and family.described(digits).get("bound") != "lower":
        found["known"] = _ends(epsilon_of(family.known_delta_ball, asked["delta"], digits + 1), digits)
    document = _document("epsilon", family, given, rest | {"delta": asked["delta"]}, digits)
    return document | found["epsilon"] | found, _line("epsilon", family, found), 0


def epsilon_of(delta_ball: Callable[[Ball], Ball], delta: Any, digits: int) -> Enclosure:
    """The least ε ≥ 0 with δ(ε) ≤ δ, for a δ(ε) that falls."""
    from dpbounds.budgets.tradeoff import epsilon_by_bisection
    from dpbounds.numbers.domains import delta_between
    from dpbounds.numbers.precise import as_ball
    from dpbounds.numbers.to_digits import decide, surely_at_most

    chance = delta_between(delta)

    def fails(candidate: Fraction) -> bool:
        return not decide(
            lambda: surely_at_most(delta_ball(as_ball(candidate)), as_ball(chance)), f"delta at epsilon {candidate} against its target"
        )

    return epsilon_by_bisection(fails, digits)


def _plan(given: dict[str, Any], rest: dict[str, Any], asked: dict[str, Any]) -> tuple[dict[str, Any], str, int]:
    from dpbounds.numbers.domains import delta_between, nonnegative
    from dpbounds.numbers.precise import as_ball
    from dpbounds.numbers.to_digits import bisect, decide, surely_at_most

    if asked["epsilon"] is None or asked["delta"] is None:
        raise InputError("this plan needs --epsilon and --delta, such as --epsilon 1 --delta 1e-5")
    if "q" in rest:
        raise InputError("the last iterate with --q is a lower bound, and nothing is planned by it; leave --q out")
    loss, chance, digits = nonnegative(asked["epsilon"], "epsilon"), delta_between(asked["delta"]), _digits(asked, 6)
    hidden = "hidden_state" in given
    name = "sigma" if hidden else next(iter(given)).replace("_", "-")
    if name in rest or not hidden and set(given.values()) != {_GIVEN}:
        raise InputError(
            f"--{name} is what the plan finds; give it without a value" if not hidden else "--sigma is what the plan finds; drop it"
        )

    def private(value: Fraction) -> bool:
        family = read_family(given, rest, value)
        return decide(
            lambda: surely_at_most(family.delta_ball(as_ball(loss)), as_ball(chance)), f"delta at {name} {value} against its target"
        )

    def weak(value: Fraction) -> bool:
        return private(value) != hidden  # what is kept below the edge

    low = high = Fraction(1)
    while not weak(low):
        low /= 2
    while weak(high):
        high *= 2
    edge = bisect(weak, low, high, digits + 1)
    ends = _ends(edge, digits)
    value = ends["upper"] if hidden else ends["lower"]
    said = read_family(given, rest, Fraction(value)).assumes
    document = {"schema": SCHEMA, "quantity": name, name: ends, **ends, "assumes": said}
    document["inputs"] = {**given, **rest, "epsilon": asked["epsilon"], "delta": asked["delta"]}
    return document, f"{name} {value} is private enough for epsilon {asked['epsilon']}, delta {asked['delta']}: {said}", 0


def _verify(given: dict[str, Any], rest: dict[str, Any], asked: dict[str, Any]) -> tuple[dict[str, Any], str, int]:
    from dpbounds.numbers.domains import delta_between, nonnegative
    from dpbounds.numbers.precise import as_ball
    from dpbounds.numbers.to_digits import decide, surely_at_most
    from dpbounds.verify.verdict import StatementVerdict, exit_code_of

    if (claimed := rest.pop("claim_mu", None)) is not None:
        return _verify_mu(given, rest, asked, claimed)
    if asked["epsilon"] is None or asked["delta"] is None:
        raise InputError("this statement needs --epsilon and --delta, such as --epsilon 1 --delta 1e-5, or --claim-mu")
    family = read_family(given, rest)
    loss, chance = nonnegative(asked["epsilon"], "epsilon"), delta_between(asked["delta"])

    def at_most(bound: Callable[[Ball], Ball]) -> bool | None:
        try:
            return decide(lambda: surely_at_most(bound(as_ball(loss)), as_ball(chance)), "delta against the claim", 80)
        except Undecidable:
            return None

    lower_only = family.described(6).get("bound") == "lower"
    verdict = StatementVerdict.UNDECIDED
    if not lower_only and at_most(family.delta_ball):
        verdict = StatementVerdict.HOLDS
    elif at_most(family.known_delta_ball) is False:
        verdict = StatementVerdict.REFUTED
    found = {"delta": _ends(_delta_at(family, family.delta_ball, loss, 13), 12)}
    document = _document("verdict", family, given, rest, 12) | found
    document |= {"verdict": verdict.value, "claim": {"epsilon": asked["epsilon"], "delta": asked["delta"]}}
    head = f"{verdict.value}  ({asked['epsilon']}, {asked['delta']})-DP for {family.assumes}"
    return document, f"{head}\n{_line('delta', family, found)}", exit_code_of([verdict])


def _verify_mu(given: dict[str, Any], rest: dict[str, Any], asked: dict[str, Any], claimed: str) -> tuple[dict[str, Any], str, int]:
    """M-GDP: holds where μ ≤ M; fails where losses are known whose μ is above M, as G_μ < G_M at every false-positive rate then."""
    from dpbounds.hidden_state.bounds import HiddenState
    from dpbounds.numbers import exact
    from dpbounds.numbers.domains import positive
    from dpbounds.verify.verdict import StatementVerdict, exit_code_of

    family = read_family(given, rest)
    if not isinstance(family, HiddenState) or asked["epsilon"] is not None or asked["delta"] is not None:
        raise InputError("--claim-mu is a claim about --hidden-state without --q; else give --epsilon and --delta")
    bound, wanted = family.mu(15), exact.rational(positive(claimed, "claim-mu"), "claim-mu")
    verdict = StatementVerdict.UNDECIDED
    if bound.upper <= wanted:
        verdict = StatementVerdict.HOLDS
    elif (bound.lower if family.attained else family.known_mu()) > wanted:
        verdict = StatementVerdict.REFUTED
    document = _document("verdict", family, given, rest, 15) | {"verdict": verdict.value, "claim": {"mu": claimed}}
    at_least = "" if family.attained else f"; some of them have at least {exact.text(family.known_mu())}"
    head = f"{verdict.value}  {claimed}-GDP for {family.assumes}"
    line = f"  mu at most {bound.upper_decimal(12)} for {family.assumes}{at_least}"
    return document, f"{head}\n{line}", exit_code_of([verdict])


def _digits(asked: Mapping[str, Any], default: int = 15) -> int:
    from dpbounds.numbers.domains import at_least_one

    digits = at_least_one(asked["digits"], "digits") if asked["digits"] is not None else default
    if digits > 1000:
        raise InputError(f"digits must be at most 1000, got {digits}")
    return digits
