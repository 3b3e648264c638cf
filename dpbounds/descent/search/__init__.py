"""Untrusted: how certificates of descents are found. Nothing that decides imports anything from here."""
