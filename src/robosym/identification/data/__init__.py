"""Recordings, recipes, and the samples they make."""
