"""Where frames and joints are.

``poses``              ``transform`` and ``geometric``: frames from joints
``inverse_geometric``  joints from the pose of a frame, of arms, robots with closed loops and platforms
``loop_geometry``      every joint of a robot with closed loops from those of its motors
"""
