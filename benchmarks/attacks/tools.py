"""What several attacks need: Gaussian noise, sampled Gaussian noise by FFT, a mean by a Fourier integral."""

from __future__ import annotations

import numpy as np
from scipy.special import log_ndtr, ndtr, ndtri


def gaussian(epsilon, mu):
    """δ(ε) of a shift by μ, without cancellation where it is small."""
    return np.exp(log_ndtr(mu / 2 - epsilon / mu)) - np.exp(epsilon + log_ndtr(-mu / 2 - epsilon / mu))


def same_start(delta):
    """The μ whose δ at ε = 0 is that."""
    return 2 * ndtri((1 + delta) / 2)


def sampled(epsilons, sigma, rate, steps, cells=2**16):
    """δ at each ε of removing and of adding a record, by the FFT of the loss of a step on a grid, each under its own law."""
    x = np.linspace(-12 * sigma, 12 * sigma + 1, 400_001)
    loss = np.log1p(rate * np.expm1((2 * x - 1) / (2 * sigma**2)))
    mass = np.diff(ndtr(np.concatenate([[-np.inf], (x[1:] + x[:-1]) / 2, [np.inf]]) / sigma))
    mean, spread = mass @ loss, np.sqrt(mass @ loss**2 - (mass @ loss) ** 2)
    shift = steps * abs(mass @ (np.expm1(loss) * loss))  # how far the two laws are apart
    half = max(loss[-1] + 1, shift + 16 * spread * np.sqrt(steps), 1.2 * max(np.abs(epsilons)) + 1)
    width = 2 * half / cells
    place = (loss - mean) / width
    cell = np.floor(place).astype(int)
    up = np.expm1((place - cell) * width) / np.expm1(width)

    def composed(masses: np.ndarray, toward: np.ndarray) -> np.ndarray:
        grid = np.bincount(cell % cells, masses * (1 - toward), cells) + np.bincount((cell + 1) % cells, masses * toward, cells)
        return np.maximum(np.fft.irfft(np.fft.rfft(grid) ** steps, cells), 0)

    down = np.expm1(-(place - cell) * width) / np.expm1(-width)
    without, present = composed(mass, up), composed(mass * np.exp(loss), down)  # under Q and under P
    losses = np.fft.fftfreq(cells, 1 / cells) * width + steps * mean
    remove = [present @ np.maximum(-np.expm1(epsilon - losses), 0) for epsilon in epsilons]
    add = [without @ np.maximum(-np.expm1(epsilon + losses), 0) for epsilon in epsilons]
    return np.array(remove), np.array(add)


def mean_excess(c, sigma, steps, points=1000):
    """E(X − c)₊ where X + 1 is the mean of `steps` variables e^{z/σ − 1/(2σ²)}: (E|X − c| − c)/2, and

    E|X − c| = (2/π)∫₀^∞ (1 − Re φ(t)e^{−itc})/t² dt, φ by quadrature in z. For few steps σ must be at least 1, as φ falls slowly.
    """
    z = np.linspace(-9, 9, 1501) + min(1 / sigma, 3) / 2
    mass = np.exp(-(z**2) / 2)
    excess = np.expm1(z / sigma - 1 / (2 * sigma**2))
    mass /= mass.sum()
    variance = np.expm1(sigma**-2) / steps
    end = (12 if steps > 50 else 40) / np.sqrt(variance)
    t = np.linspace(0, end, points + 1)[1:]
    powers = np.array([mass @ np.exp(1j * at / steps * excess) for at in t]) ** steps
    values = (1 - (powers * np.exp(-1j * t * c)).real) / t**2
    area = (values.sum() - values[-1] / 2 + (variance + c**2) / 4) * t[0] + 1 / end
    return (2 / np.pi * area - c) / 2
