"""Certificates of descents as documents: towers, signs, slopes, limits."""
