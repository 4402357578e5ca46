"""Stands in for Triton where it is not installed: what a launch needs of it."""
