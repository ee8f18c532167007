"""Vectors, rotations and screws, written once for any scalar: expression, float or array."""
