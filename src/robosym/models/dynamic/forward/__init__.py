"""Accelerations from torques: the forward dynamic model."""
