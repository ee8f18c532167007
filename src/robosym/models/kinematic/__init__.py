"""Kinematic models: velocities, accelerations, Jacobian matrices and their inverses, momenta."""
