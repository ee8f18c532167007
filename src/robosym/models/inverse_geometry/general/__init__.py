"""The general method: all solutions of any six-joint serial arm, by elimination and an eigenvalue problem.

After Raghavan and Roth 1993; in the order in which they are used:

``arm``              the arm as numbers
``invariants``       the functions of a line in which the closure equations are linear
``labelling``        which joint is hidden in the coefficients, and which are eliminated first
``elimination``      the matrix pencil of an arm and a labelling
``roots``            eigenvalues and eigenvectors of the pencil, and the joints they stand for
``three_prismatic``  arms with three prismatic joints, without elimination
``trial``            how well an elimination finds positions that are known
``strategy``         which labellings suit an arm, by trial
``plan``             an arm with its numbers and its strategy
``stages``           what solves a pose, as stages of a routine
``solver``           the stages for a robot and its parameters

What is computed at a pose is written once, for numbers, with which eliminations are tried, and for expressions, of which
the programs of the stages are made.
"""

from .solver import GeneralSolver

__all__ = ["GeneralSolver"]
