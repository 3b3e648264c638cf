"""The checker of numbers: from a certificate it derives an enclosure of δ, ε or a Rényi divergence again.

It uses the standard library and the interval arithmetic of `dpbounds.covers`, and nothing else of dpbounds. It chooses nothing: every
parameter is in the certificate. docs/error-bounds.md states and proves each bound that it uses.
"""
