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
    """δ at each ε of removing and of adding a record, by the FFT of the loss of a step on a grid, with the mean of e^loss kept."""
    x = np.linspace(-12 * sigma, 12 * sigma + 1, 400_001)
    loss = np.log1p(rate * np.expm1((2 * x - 1) / (2 * sigma**2)))
    mass = np.diff(ndtr(np.concatenate([[-np.inf], (x[1:] + x[:-1]) / 2, [np.inf]]) / sigma))
    mean, spread = mass @ loss, np.sqrt(mass @ loss**2 - (mass @ loss) ** 2)
    half = max(loss[-1] + 1, 16 * spread * np.sqrt(steps), 1.2 * max(np.abs(epsilons)) + 1)
    width = 2 * half / cells
    place = (loss - mean) / width
    cell = np.floor(place).astype(int)
    up = np.expm1((place - cell) * width) / np.expm1(width)
    grid = np.bincount(cell % cells, mass * (1 - up), cells) + np.bincount((cell + 1) % cells, mass * up, cells)
    composed = np.maximum(np.fft.irfft(np.fft.rfft(grid) ** steps, cells), 0)
    losses = np.fft.fftfreq(cells, 1 / cells) * width + steps * mean
    ratio = np.exp(np.minimum(losses, 600))
    remove = [composed @ np.maximum(ratio - np.exp(epsilon), 0) for epsilon in epsilons]
    add = [composed @ np.maximum(1 - np.exp(epsilon) * ratio, 0) for epsilon in epsilons]
    return np.array(remove), np.array(add)


def mean_distance(characteristic, where):
    """E|X − c| = (2/π)∫₀^∞ (1 − Re φ(t)e^{−itc})/t² dt; `where` is beyond what φ has left."""
    t = np.linspace(0, where, 200_001)[1:]
    step = t[0]
    values = (1 - characteristic(t).real) / t**2
    return 2 / np.pi * ((values.sum() - values[-1] / 2 + values[0] / 2) * step + 1 / where)
