"""What answers a call: a pose, or many, to solutions.

``routine``            the routine around a method: the pose checked, the solutions chosen and put in order, the status
``inverse_geometric``  the model of an arm whose pose determines its joints: ``solver(T)``, ``batch``, ``nearest``
``redundant``          the solver of an arm with more joints: one position, found numerically from a seed
``pose_input``         the pose as it is given: repaired if requested, or what is wrong with it
``asked``              a pose and what was given with it, for what is found when it is looked at
``selection``          the joints' limits, and periodic copies within them
``out_of_reach``       how far the arm stays from a pose that it cannot reach
``forward_geometry``   the pose of given positions, compiled, and descent towards a pose
``result``             the answer: solutions, status, free joints
``explanation``        a solver in words and as data
"""
