"""Lemmas as papers print them, read as statements of the claim language."""

from dpbounds.reading.lemma import Lemma, read_lemma, read_lemmas

__all__ = ["Lemma", "read_lemma", "read_lemmas"]
