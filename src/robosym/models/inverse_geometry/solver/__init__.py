"""What answers a call: a pose, or many, to solutions.

``inverse_geometric``  the solver of an arm whose pose determines its joints: ``solver(T)``, ``batch``, ``nearest``
``redundant``          the solver of an arm with more joints: one position, found numerically from a seed
``pose_input``         the pose as it is given: checked, and repaired if requested
``selection``          which solutions: within limits, with periodic copies, nearest first
``out_of_reach``       how far the arm stays from a pose that it cannot reach
``forward_geometry``   the pose of given positions, compiled, and descent towards a pose
``result``             the answer: solutions, status, free joints
``explanation``        a solver in words and as data
``source``             a solver as source code
"""
