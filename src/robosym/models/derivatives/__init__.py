"""Derivatives of models, those of the dynamics by recursions of their own; linearised models, and models in discrete time."""
