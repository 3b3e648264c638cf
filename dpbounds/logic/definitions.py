"""The page of definitions: what every quantity of the claim language means, in the notation of claim files.

Each entry has a name, what it is in words, the pattern that it defines, its meaning, what must hold for it to be defined, and a source.
`dpbounds define NAME` prints an entry.

In a pattern, p(x) and q(x) stand for what is written under the binder, and a, b for the ends of its range. Over an integer variable the
integral is a sum. For finite tables the same formula is taken entry by entry, with the conventions of the last column of `TABLES`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from dpbounds.logic.latex import latex
from dpbounds.logic.terms import Function, Term, variable
from dpbounds.logic.text import read

ALPHA, EPSILON, SIGMA, DELTA, RATE, STEPS, LOW, HIGH, X, Z = (
    variable(name) for name in ("alpha", "epsilon", "sigma", "Delta", "q", "k", "a", "b", "x", "z")
)
P, Q = Function("f"), Function("g")
"""The two densities of a pattern, as functions of its variable."""
_NAMES: dict[str, Any] = {
    **{v.data[0]: v for v in (ALPHA, EPSILON, SIGMA, DELTA, RATE, STEPS, LOW, HIGH, X, Z)},
    **{f.name: f for f in (P, Q)},
    **{name: variable(name) for name in ("y", "p", "c_1", "c_2", "m", "s", "mu", "c", "d", "t", "eta")},
    **{name: Function(name) for name in ("gaussian_tradeoff", "gaussian_dp_delta", "hidden_state_mu", "projected_mu", "contracted_mu")},
    **{name: Function(name) for name in ("range_bounded_delta", "permute_and_flip_delta")},
}


@dataclass(frozen=True)
class Definition:
    """One entry.

    Attributes:
        name: of the quantity.
        words: what it is.
        pattern: the quantity with its arguments, as text.
        meaning: what it stands for, as text; empty where words must do.
        given: what must hold for it to be defined, as texts.
        source: where it is defined.
        note: anything else that a reader should know.
    """

    name: str
    words: str
    pattern: str
    meaning: str
    given: tuple[str, ...]
    source: str
    note: str = ""

    @cached_property
    def left(self) -> Term:
        """The pattern as a term."""
        return read(self.pattern, _NAMES)

    @cached_property
    def right(self) -> Term | None:
        """The meaning as a term; None where there is no formula."""
        return read(self.meaning, _NAMES) if self.meaning else None

    @cached_property
    def premises(self) -> tuple[Term, ...]:
        """What must hold, as terms."""
        return tuple(read(text, _NAMES) for text in self.given)

    @property
    def table(self) -> str:
        """The summand for two tables, "" where the quantity takes none."""
        return TABLES.get(self.name, "")

    def as_dict(self) -> dict[str, Any]:
        """The entry for a JSON document, with LaTeX beside the text."""
        return {
            "name": self.name,
            "words": self.words,
            "defines": str(self.left),
            "as": None if self.right is None else str(self.right),
            "latex": f"{latex(self.left)} = {latex(self.right)}" if self.right is not None else latex(self.left),
            "given": [str(premise) for premise in self.premises],
            "tables": self.table or None,
            "note": self.note,
            "source": self.source,
        }


_RENYI = "Rényi 1961; van Erven & Harremoës 2014, (2)"
_GAUSSIAN = "exp(-(y - {mean})**2/(2*sigma**2))/(sqrt(2*pi)*sigma)"
_AT_ZERO = "exp(-y**2/(2*sigma**2))/(sqrt(2*pi)*sigma)"
_AT_DELTA, _AT_ONE, _AT_MINUS = (_GAUSSIAN.format(mean=mean) for mean in ("Delta", "1", "(-1)"))
_MIXED = f"q*({_AT_ONE}) + (1 - q)*({_AT_ZERO})"
_OPPOSITE = f"q*({_AT_MINUS}) + (1 - q)*({_AT_ZERO})"
_LINE = "(y, -oo, oo)"
_DENSITIES = ("ForAll(x, And(a < x, x < b), And(f(x) >= 0, g(x) >= 0))",)
_LAPLACE = "exp(-Abs(y - 1)/b)/(2*b), exp(-Abs(y)/b)/(2*b), (y, -oo, oo)"
_RESPONSE = "Tuple(exp(a)/(1 + exp(a)), 1/(1 + exp(a))), Tuple(1/(1 + exp(a)), exp(a)/(1 + exp(a)))"
_MIRRORED = "Each law is the mirror image of the other one, so that both directions have this value."
_SAMPLED = ("sigma > 0", "q >= 0", "q <= 1")

DEFINITIONS: tuple[Definition, ...] = (
    Definition(
        "RenyiMoment", "the moment of order α of two densities", "RenyiMoment(alpha, f(x), g(x), (x, a, b))",
        "Integral(f(x)**alpha*g(x)**(1 - alpha), (x, a, b))", ("alpha > 1", *_DENSITIES), _RENYI,
        "0 where f(x) = 0, and infinite where f(x) > 0 = g(x) on a set of positive measure.",
    ),
    Definition(
        "RenyiDivergence", "the Rényi divergence of order α of two densities", "RenyiDivergence(alpha, f(x), g(x), (x, a, b))",
        "log(RenyiMoment(alpha, f(x), g(x), (x, a, b)))/(alpha - 1)", ("alpha > 1", *_DENSITIES), _RENYI,
    ),
    Definition(
        "KLDivergence", "the Kullback-Leibler divergence of two densities", "KLDivergence(f(x), g(x), (x, a, b))",
        "Integral(f(x)*(log(f(x)) - log(g(x))), (x, a, b))", _DENSITIES, "Kullback & Leibler 1951",
        "0 where f(x) = 0, and infinite where f(x) > 0 = g(x) on a set of positive measure.",
    ),
    Definition(
        "HockeyStick", "the hockey-stick divergence: the least δ for ε of two densities",
        "HockeyStick(epsilon, f(x), g(x), (x, a, b))", "Integral(Max(f(x) - exp(epsilon)*g(x), 0), (x, a, b))", _DENSITIES,
        "Barthe & Olmedo 2013; Balle, Barthe & Gaboardi 2018, Theorem 1",
    ),
    Definition(
        "LossTail", "the probability under f that the privacy loss log(f/g) is above ε", "LossTail(epsilon, f(x), g(x), (x, a, b))",
        "Integral(Piecewise((f(x), f(x) > exp(epsilon)*g(x)), (0, True)), (x, a, b))", _DENSITIES,
        "Dwork & Rothblum 2016; Sommer, Meiser & Mohammadi 2019",
    ),
    Definition(
        "NormalCDF", "the distribution function Φ of the standard normal law", "NormalCDF(z)",
        "Integral(exp(-x**2/2)/sqrt(2*pi), (x, -oo, z))", (), "NIST DLMF 7.1, 7.18",
    ),
    Definition(
        "NormalQuantile", "the quantile of the standard normal law: the z with NormalCDF(z) = p", "NormalQuantile(p)", "",
        ("p > 0", "p < 1"), "NIST DLMF 7.17",
    ),
    Definition("erf", "the error function", "erf(z)", "2/sqrt(pi)*Integral(exp(-x**2), (x, 0, z))", (), "NIST DLMF 7.2.1"),
    Definition("erfc", "the complementary error function", "erfc(z)", "1 - erf(z)", (), "NIST DLMF 7.2.2"),
    Definition("cosh", "the hyperbolic cosine", "cosh(z)", "(exp(z) + exp(-z))/2", (), "NIST DLMF 4.28.2"),
    Definition("sinh", "the hyperbolic sine", "sinh(z)", "(exp(z) - exp(-z))/2", (), "NIST DLMF 4.28.1"),
    Definition("tanh", "the hyperbolic tangent", "tanh(z)", "sinh(z)/cosh(z)", (), "NIST DLMF 4.28.4"),
    Definition(
        "GaussianRenyi", "the Rényi divergence of order α of the Gaussian mechanism with sensitivity Δ",
        "GaussianRenyi(alpha, sigma, Delta)", f"RenyiDivergence(alpha, {_AT_DELTA}, {_AT_ZERO}, {_LINE})", ("alpha > 1", "sigma > 0"),
        "Mironov 2017, Proposition 7", "It is αΔ²/(2σ²), which is a theorem of the catalogue and no definition.",
    ),
    Definition(
        "GaussianDelta", "the δ of the Gaussian mechanism with sensitivity Δ at ε", "GaussianDelta(epsilon, sigma, Delta)",
        f"HockeyStick(epsilon, {_AT_DELTA}, {_AT_ZERO}, {_LINE})", ("sigma > 0", "Delta > 0"), "Balle & Wang 2018, Theorem 8",
    ),
    Definition(
        "SampledGaussianMoment", "the moment of order α of the Poisson-sampled Gaussian mechanism, a record removed",
        "SampledGaussianMoment(alpha, sigma, q, 'remove')", f"RenyiMoment(alpha, {_MIXED}, {_AT_ZERO}, {_LINE})",
        ("alpha > 1", *_SAMPLED), "Mironov, Talwar & Zhang 2019, Definition 4",
    ),
    Definition(
        "SampledGaussianMoment", "the moment of order α of the Poisson-sampled Gaussian mechanism, a record added",
        "SampledGaussianMoment(alpha, sigma, q, 'add')", f"RenyiMoment(alpha, {_AT_ZERO}, {_MIXED}, {_LINE})",
        ("alpha > 1", *_SAMPLED), "Mironov, Talwar & Zhang 2019, Definition 4",
    ),
    Definition(
        "SampledGaussianRenyi", "the Rényi divergence of order α of the Poisson-sampled Gaussian mechanism, a record removed",
        "SampledGaussianRenyi(alpha, sigma, q, 'remove')", "log(SampledGaussianMoment(alpha, sigma, q, 'remove'))/(alpha - 1)",
        ("alpha > 1", *_SAMPLED), "Mironov, Talwar & Zhang 2019, Definition 4",
    ),
    Definition(
        "SampledGaussianRenyi", "the Rényi divergence of order α of the Poisson-sampled Gaussian mechanism, a record added",
        "SampledGaussianRenyi(alpha, sigma, q, 'add')", "log(SampledGaussianMoment(alpha, sigma, q, 'add'))/(alpha - 1)",
        ("alpha > 1", *_SAMPLED), "Mironov, Talwar & Zhang 2019, Definition 4",
    ),
    Definition(
        "SampledGaussianDelta", "the δ of one Poisson-sampled Gaussian mechanism at ε, a record removed",
        "SampledGaussianDelta(epsilon, sigma, q, 1, 'remove')", f"HockeyStick(epsilon, {_MIXED}, {_AT_ZERO}, {_LINE})",
        ("epsilon >= 0", *_SAMPLED), "Koskela, Jälkö & Honkela 2020, §6.1",
        "Of k steps it is the hockey-stick divergence of the k-fold products of both laws, an integral over k variables.",
    ),
    Definition(
        "SampledGaussianDelta", "the δ of one Poisson-sampled Gaussian mechanism at ε, a record added",
        "SampledGaussianDelta(epsilon, sigma, q, 1, 'add')", f"HockeyStick(epsilon, {_AT_ZERO}, {_MIXED}, {_LINE})",
        ("epsilon >= 0", *_SAMPLED), "Koskela, Jälkö & Honkela 2020, §6.1",
        "Of k steps it is the hockey-stick divergence of the k-fold products of both laws, an integral over k variables.",
    ),
    Definition(
        "SubstituteGaussianDelta", "the δ of one Poisson-sampled Gaussian mechanism at ε, a record replaced by its opposite",
        "SubstituteGaussianDelta(epsilon, sigma, q, 1)", f"HockeyStick(epsilon, {_MIXED}, {_OPPOSITE}, {_LINE})",
        ("epsilon >= 0", *_SAMPLED), "Koskela, Jälkö & Honkela 2020, §6.2",
        "Of k steps it is the hockey-stick divergence of the k-fold products of both laws, an integral over k variables.",
    ),
    Definition(
        "MomentConstant", "the supremum of the moments of order m of the Poisson-sampled Gaussian mechanism over σ ≥ c₁, the rate c₁/σ, "
        "and the integers 1 ≤ m ≤ c₂σ²", "MomentConstant(c_1, c_2)", "", ("c_1 > 0", "c_2 > 0"), "Yuchen 2019, Claim 26",
    ),
    Definition(
        "MechanismDelta", "the least δ for ε of a mechanism, over all pairs of neighbouring data sets",
        "MechanismDelta(epsilon, '[...]', 'worst')", "", ("epsilon >= 0",), "Dwork & Roth 2014, Definition 2.4",
        "The first word is the specification of the mechanism; the second says which of two neighbours comes first.",
    ),
    Definition(
        "MechanismRenyi", "the Rényi divergence of order α of a mechanism, over all pairs of neighbouring data sets",
        "MechanismRenyi(alpha, '[...]', 'worst')", "", ("alpha >= 1",), "Mironov 2017, Definition 4",
        "The first word is the specification of the mechanism; the second says which of two neighbours comes first. Order 1 is the "
        "Kullback-Leibler divergence.",
    ),
    Definition(
        "MechanismDelta", "the least δ for ε of Laplace noise of scale b on answers that differ by 1",
        """MechanismDelta(epsilon, b, '[{"laplace-scale": "@0"}]', 'worst')""", f"HockeyStick(epsilon, {_LAPLACE})",
        ("epsilon >= 0", "b > 0"), "Dwork & Roth 2014, Definition 2.4", _MIRRORED,
    ),
    Definition(
        "MechanismDelta", "the least δ for ε of randomized response of two answers with pure ε = a",
        """MechanismDelta(epsilon, a, '[{"randomized-response": "@0"}]', 'worst')""", f"HockeyStick(epsilon, {_RESPONSE})",
        ("epsilon >= 0", "a > 0"), "Dwork & Roth 2014, Definition 2.4", _MIRRORED,
    ),
    Definition(
        "MechanismRenyi", "the Kullback-Leibler divergence of Laplace noise of scale b on answers that differ by 1",
        """MechanismRenyi(1, b, '[{"laplace-scale": "@0"}]', 'worst')""", f"KLDivergence({_LAPLACE})",
        ("b > 0",), "Mironov 2017, Definition 4", _MIRRORED,
    ),
    Definition(
        "MechanismRenyi", "the Kullback-Leibler divergence of randomized response of two answers with pure ε = a",
        """MechanismRenyi(1, a, '[{"randomized-response": "@0"}]', 'worst')""", f"KLDivergence({_RESPONSE})",
        ("a > 0",), "Mironov 2017, Definition 4", _MIRRORED,
    ),
    Definition(
        "MechanismRenyi", "the Rényi divergence of order α of Laplace noise of scale b on answers that differ by 1",
        """MechanismRenyi(alpha, b, '[{"laplace-scale": "@0"}]', 'worst')""", f"RenyiDivergence(alpha, {_LAPLACE})",
        ("alpha > 1", "b > 0"), "Mironov 2017, Definition 4", _MIRRORED,
    ),
    Definition(
        "MechanismRenyi", "the Rényi divergence of order α of randomized response of two answers with pure ε = a",
        """MechanismRenyi(alpha, a, '[{"randomized-response": "@0"}]', 'worst')""", f"RenyiDivergence(alpha, {_RESPONSE})",
        ("alpha > 1", "a > 0"), "Mironov 2017, Definition 4", _MIRRORED,
    ),
    Definition(
        "Supremum", "the least upper bound of f over the open interval from a to b", "Supremum(f(x), (x, a, b))", "",
        ("a < b",), "Rudin 1976, Definition 1.8",
    ),
    Definition(
        "Infimum", "the greatest lower bound of f over the open interval from a to b", "Infimum(f(x), (x, a, b))", "", ("a < b",),
        "Rudin 1976, Definition 1.8",
    ),
)  # fmt: skip

TABLES = {
    "RenyiMoment": "Piecewise((0, Eq(p, 0)), (oo, Eq(m, 0)), (p**alpha*m**(1 - alpha), True))",
    "KLDivergence": "Piecewise((0, Eq(p, 0)), (oo, Eq(m, 0)), (p*(log(p) - log(m)), True))",
    "HockeyStick": "Max(p - exp(epsilon)*m, 0)",
    "LossTail": "Piecewise((p, p > exp(epsilon)*m), (0, True))",
}
"""For two finite tables: the summand of an entry p of the first and m of the second. The divergence of Rényi is that of its moment."""


@lru_cache
def summand_of(name: str) -> Term:
    """The summand of two entries."""
    return read(TABLES[name], _NAMES)


FIRST, SECOND = variable("p"), variable("m")
"""What stands for the entries in a summand."""


def definitions_of(name: str) -> tuple[Definition, ...]:
    """The entries of a name.

    >>> len(definitions_of("GaussianDelta"))
    1
    """
    return tuple(entry for entry in DEFINITIONS if entry.name == name)


_HEAD = """# Definitions

What every quantity of the claim language means. `dpbounds define NAME` prints an entry, and `dpbounds define --markdown` this page.
$f(x)$ and $g(x)$ stand for what is written under the binder; over an integer variable an integral is a sum. For two finite tables the
summand is taken for the entries $p$ of the first and $m$ of the second, and added. A test compares each entry with what is computed.
"""


def as_markdown(shorthands: tuple[Definition, ...] = ()) -> str:
    """The page; shorthands are entries for words that are written out where a claim uses them."""
    parts = [_HEAD]
    for entry in DEFINITIONS + shorthands:
        parts.append(f"## {entry.name}\n\n{entry.words[0].upper()}{entry.words[1:]}.\n\n`{entry.left}`\n")
        if entry.right is not None:
            parts.append(f"$$ {latex(entry.left)} = {latex(entry.right)} $$\n")
        rows = [("defined where", ", ".join(f"`{premise}`" for premise in entry.premises)), ("tables", entry.table and f"`{entry.table}`")]
        rows += [("note", entry.note), ("source", entry.source)]
        parts.append("".join(f"* {word}: {text}\n" for word, text in rows if text))
    return "\n".join(parts)
