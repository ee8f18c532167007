"""What moves by itself: a free base, elastic joints, joints without motors. Some accelerations are given, some torques."""
