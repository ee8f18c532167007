"""Torques from the motion: the inverse dynamic model, and the parts of it that need no acceleration."""
