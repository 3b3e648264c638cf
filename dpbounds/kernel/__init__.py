"""The trusted proof checker: a small program that reads a document and accepts it or refuses it.

It uses the standard library only and imports nothing of the rest of dpbounds. `python -S -m dpbounds.logic FILE…` checks documents.
"""
