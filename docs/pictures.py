"""Draw the pictures of the front page again: `.venv/bin/python docs/pictures.py`."""

from pathlib import Path

from dpbounds.mechanisms import Gaussian, PoissonSampling, Repeated, Sampled
from dpbounds.plots import delta_curves, saddle_landscape

HERE = Path(__file__).parent


def main() -> None:
    """Write the pictures beside this file."""
    step = Sampled(Gaussian("1.5"), PoissonSampling("0.01"))
    steps = {f"{k:,} steps": Repeated(step, k) for k in (100, 1_000, 10_000, 100_000)}
    profiles = delta_curves(steps, [f"{n}/4" for n in range(1, 33)], title="DP-SGD, σ = 1.5, q = 0.01: certified δ(ε)")
    profiles.axes[0].set_ylim(bottom=1e-40)
    profiles.savefig(HERE / "profiles.png", dpi=90)
    landscape = saddle_landscape("1.5", "0.01", 10_000, 1, title="One integral: the saddle of M(z)ᵏ e^(−zε)/(z(z+1))")
    landscape.savefig(HERE / "saddle.png", dpi=90)


if __name__ == "__main__":
    main()
