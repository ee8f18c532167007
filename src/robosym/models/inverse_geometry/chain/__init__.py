"""The chain of an inverse problem, and what is requested of it.

``chain``             start G1 K1 G2 ... Gm end = T: groups of joints with parallel axes, constant matrices between them
``task``              which chain (base, frame, given joints), and whether its whole pose or its position alone
``pose``              the symbols of T = [s n a P], and what a solution may miss it by
``random_positions``  positions with all their numbers: what vanishes at all of them is taken as zero
``features``          axes that meet or are parallel (Pieper 1968), and in how many directions the frame can move
"""
