"""What moves by itself: a free base, flexible joints, joints without motors. Some accelerations are given, some torques."""
