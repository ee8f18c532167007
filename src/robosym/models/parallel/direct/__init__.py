"""All assembly modes of a parallel robot: every pose of its platform for given positions of its motors, in numbers."""
