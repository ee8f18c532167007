"""Robots in numbers, many positions at once: chains of frames, ends that must coincide, and the iteration that closes them."""
