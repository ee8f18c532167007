"""Robots in numbers, many positions at once: chains of frames, ends that must coincide, the iteration that closes them; states with
velocities and accelerations, and which inertial parameters their torques tell apart."""
