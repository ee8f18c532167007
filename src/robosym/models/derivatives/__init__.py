"""Derivatives of models, linearised models, and models in discrete time."""
