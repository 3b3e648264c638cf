"""What a claim file is written in: sympy, the symbols and quantities of privacy, sources and evidence.

from dpbounds.notation import *
"""

from __future__ import annotations

from sympy import (
    Abs,
    And,
    E,
    Eq,
    Function,
    Ge,
    Gt,
    Implies,
    IndexedBase,
    Integer,
    Integral,
    Lambda,
    Le,
    Lt,
    Max,
    Min,
    Ne,
    Not,
    Or,
    Piecewise,
    Rational,
    S,
    Sum,
    Symbol,
    Tuple,
    binomial,
    ceiling,
    cosh,
    diff,
    erf,
    erfc,
    exp,
    factorial,
    floor,
    gamma,
    log,
    oo,
    pi,
    sinh,
    sqrt,
    tanh,
    true,
)

from dpbounds.claims import (
    ASSUMED,
    FAILS,
    HOLDS,
    OPEN,
    Boxes,
    Citation,
    Claim,
    Concave,
    Convex,
    Counterexample,
    Decreasing,
    Identity,
    Increasing,
    Mutant,
    OrderRange,
    Proof,
    Search,
    Source,
    mechanism_delta,
    mechanism_renyi,
)
from dpbounds.claims.source import claim
from dpbounds.language.functions import (
    GaussianDelta,
    GaussianRenyi,
    HockeyStick,
    Infimum,
    KLDivergence,
    LossTail,
    MomentConstant,
    NormalCDF,
    NormalQuantile,
    RenyiDivergence,
    RenyiMoment,
    SampledGaussianDelta,
    SampledGaussianMoment,
    SampledGaussianRenyi,
    SubstituteGaussianDelta,
    Supremum,
    argmax,
    argmin,
    laplace_density,
    normal_density,
)
from dpbounds.language.law import laws
from dpbounds.language.quantifiers import ForAll, for_each
from dpbounds.language.symbols import (
    bernoulli,
    family,
    index,
    integer,
    mixture,
    nonnegative,
    positive,
    positive_integer,
    real,
    sums_to_one,
)
from dpbounds.prover import derive, rules

__all__ = [name for name in dir() if not name.startswith("_") and name != "annotations"]
