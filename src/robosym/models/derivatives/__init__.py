"""Derivatives of the dynamic models, by recursions of their own."""
