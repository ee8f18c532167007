"""Special poses, at which an equation leaves its joint free or two solutions meet: every solution is found all the same.

``stages``             candidates from neighbouring poses, refined at the pose itself, as stages of a routine
``iteration``          the programs of the refinement: Levenberg and Marquardt's iteration, and the walk along self-motions
``solver``             runs the stages on many poses at once; which joints are free in a solution
``expression_arrays``  programs from functions of arrays, and the linear algebra they need
"""
