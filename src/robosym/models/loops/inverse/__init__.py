"""The inverse geometric model of robots with closed loops: the way to the frame as of any arm, then the motors beside it.

``route``   the joints between base and frame, driven or not, and what is requested of them
``motors``  how the motors outside the route follow: from sums of its joints, or from loops in closed form
``stages``  the routine: the route solved, for each solution the loops, and what is in the assembly mode kept
``solver``  the model: ``solver(T)`` gives the positions of the motors
``words``   the derivation for people
"""
