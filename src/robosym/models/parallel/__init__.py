"""Platforms carried by legs (Khalil 2010, section 5): geometry, kinematics and dynamics from the platform or the motors."""
