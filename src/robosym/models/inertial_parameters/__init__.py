"""The base inertial parameters: which of the ten of each link the torques can tell apart."""
