"""Accountants as their papers publish them, in float64: approximations, not bounds."""
