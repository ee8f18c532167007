"""Closed forms: one joint after the other, by the methods of Paul (1981) and Pieper (1968).

In the order in which they are used:

``polynomials``     in sines, cosines and lengths of the joints still to be found
``group_matrices``  the motions of a chain as matrices of such polynomials
``equations``       every equation between two cuts of a chain
``equation_types``  those that give a joint, and the formulas that solve them (Khalil and Dombre 2002, table 4.1)
``quartic``         the type of the fourth degree: Ferrari's formulas
``lengths``         two or three lengths at once, from a linear system
``plan``            the search: which joint from which equation, with eliminations between two of them
``program``         a plan as one straight-line program of all branches
``derivation``      all of this: from a chain to its ``ClosedForm``
``exact``           a branch as expressions to be differentiated, for closed loops and legs of platforms
``stages``          a closed form as stages of a routine, with the search at special poses
``swivel``          seven revolute joints with a spherical shoulder and wrist, for a given swivel angle
"""
