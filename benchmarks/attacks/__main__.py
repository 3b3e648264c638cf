"""The command line of the attacks."""

from __future__ import annotations

import argparse
import importlib
import pkgutil
from dataclasses import dataclass
from types import ModuleType

import numpy as np

import benchmarks.attacks

TOLERANCE = 2e-5


@dataclass(frozen=True)
class Found:
    """How many inequalities were tried, how many failed, and the least margin."""

    tried: int
    violated: int
    closest: float


def attacks() -> dict[str, ModuleType]:
    """Every attack, by its name."""
    names = [found.name for found in pkgutil.iter_modules(benchmarks.attacks.__path__) if found.name not in ("__main__", "tools")]
    return {name: importlib.import_module(f"benchmarks.attacks.{name}") for name in sorted(names)}


def run(attack: ModuleType, many: int, seed: int = 1, false: bool = False) -> Found:
    """What an attack finds with so many points."""
    with np.errstate(all="ignore"):
        margins = np.concatenate([np.ravel(part) for part in attack.margins(np.random.default_rng(seed), many, false)])
    allowed = getattr(attack, "TOLERANCE", TOLERANCE)
    return Found(margins.size, int((~(margins >= -allowed)).sum()), float(margins.min()))


def main() -> None:
    """Run the named attacks, or all."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.attacks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="attacks (default: all)")
    parser.add_argument("--quick", action="store_true", help="few points, as the tests do")
    parser.add_argument("--seed", type=int, default=1, help="of the random numbers")
    options = parser.parse_args()
    known = attacks()
    if unknown := set(options.names) - set(known):
        parser.error(f"no attack {sorted(unknown)[0]!r}: choose from {', '.join(known)}")
    print("| attack | inequalities tried | violated | least margin |\n|---|---|---|---|")
    for name in options.names or known:
        found = run(known[name], known[name].QUICK if options.quick else known[name].FULL, options.seed)
        print(f"| `{name}` | {found.tried:,} | {found.violated} | {found.closest:.2g} |", flush=True)


if __name__ == "__main__":
    main()
