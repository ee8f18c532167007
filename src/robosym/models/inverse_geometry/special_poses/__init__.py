"""Special poses, at which an equation leaves its joint free or two solutions meet: every solution is found all the same.

``stages``             candidates from neighbouring poses, refined at the pose itself, as stages of a routine
``iteration``          the refinement: Levenberg and Marquardt's iteration
``self_motion``        whether the arm moves with its frame at rest, and the position of that motion nearest to a seed
``closure``            what an arm misses a pose by, and its Jacobian matrix
``limits``             whether a position is within limits
``free_joints``        which joints are free in a solution
``linear_algebra``     least squares and triangular systems, on arrays of expressions
``scalars``            functions of arrays of numbers or of expressions
"""
