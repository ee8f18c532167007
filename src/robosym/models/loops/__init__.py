"""Closed loops: how all joints follow from the driven ones.

``structure``  the loops of a robot: which joints are around each, which are driven and which follow
``chains``     what of a loop is unknown, as a chain whose end is brought to where the rest of the loop is
``equations``  the constraints in the frames of the cut joints, those that are independent and those that follow
``plan``       which loops are solved in closed form and which by iteration, together or one after the other
``search``     closed positions from many starts at once, for loops without a closed form
``found``      the assembly modes of such loops
``newton``     the iteration that closes them, as stages of a routine
``path``       how it stays in its mode far from where it starts
``routine``    the iteration before the program of any model
``numeric``    closed positions in numbers, for any robot
``mobility``   ``robosym.mobility``: in how many ways a robot moves, and what its motors control
"""
