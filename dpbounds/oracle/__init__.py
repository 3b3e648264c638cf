"""A second opinion in mpmath, to n digits: slow, plain, and sharing no code with the ball engine that it checks.

Nothing here is certified: values come from adaptive quadrature whose error is estimated, not bounded.
"""
