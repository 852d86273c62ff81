"""Stepping in time."""
