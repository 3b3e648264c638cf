"""Amplification by sampling."""
