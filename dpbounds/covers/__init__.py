"""The checker of covers: does a plain-text document show that a statement holds on its whole domain?

Standard library only, and nothing of dpbounds outside of this package: what found a cover has no part in judging it.
"""
