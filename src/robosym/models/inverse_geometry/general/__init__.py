"""The general method: all solutions of any six-joint serial arm, by elimination and an eigenvalue problem.

After Raghavan and Roth 1993; in the order in which they are used:

``arm``              the arm as numbers
``invariants``       the functions of a line in which the closure equations are linear
``labelling``        which joint is hidden in the coefficients, and which are eliminated first
``elimination``      the matrix pencil of an arm and a labelling
``roots``            eigenvalues and eigenvectors of the pencil, and the joints they stand for
``newton``           refinement on the closure, and distinct solutions
``three_prismatic``  arms with three prismatic joints, without elimination
``strategy``         which labellings suit an arm, by trial
``solver``           all of this for many poses
``routine``          the same as stages of a routine, for generated source code
"""

from .solver import GeneralSolver

__all__ = ["GeneralSolver"]
