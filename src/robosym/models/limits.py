"""How far the search for the cheapest way of writing a model goes: every limit in one table.

Each says what it limits and what happens beyond. None changes a result, only the operations it takes and the time to
generate them; ``benchmarks/choices.py`` prints both at, below and above each value. What grows with the cube of a chain
is never built beyond a limit only to be compared. How many ways go through the passes is said in ``program/choice.py``,
and how many angles over parallel axes add up in ``spatial/screws.py``.
"""

from __future__ import annotations

# --- geometry --------------------------------------------------------------------------------------------------------

# Frames whose poses are requested. Carrying each back to the base costs the square of their number: beyond, only the
# running product from the base is tried.
MOST_FROM_RIGHT = 4

# --- the tree --------------------------------------------------------------------------------------------------------

# Parts of a vector or an inertia whose turns about parallel axes are put off. Beyond, they are turned at once: every
# joint of a longer run would act on each of them.
MOST_PARTS = 4
# Joints between the base and the tip farthest from it. Beyond, axes do not come to meet what is carried back, nor are
# columns written in a frame near the base: there are more axes than columns to meet.
LONGEST_TO_MEET = 8

# --- inverse dynamics ------------------------------------------------------------------------------------------------

# Bodies of a serial chain of revolute joints, and of any other robot, that is written in every form. Beyond, the closed
# form of the first links is the only one, and has been the cheapest wherever it was compared.
FEW_BODIES, SOME_BODIES = 4, 12

# --- the coefficients ------------------------------------------------------------------------------------------------

# Operations of an entry of A in the base's axes, and of bringing a joint there: with them the two ways of a longer chain
# are estimated, and CLEARLY is how many times dearer one must be to be left out.
PRODUCT, PLACING, CLEARLY = 11, 100, 1.5
# Joints for which derivatives of every entry of A by every coordinate, cubic, are tried beside the recursion.
MOST_DIFFERENTIATED = 8
# Joints in a row for which C is also made from the Christoffel symbols themselves, cubic; beyond, from the rates only.
LONGEST_BY_SYMBOLS = 8

# --- forward dynamics ------------------------------------------------------------------------------------------------

# The mean square of the depth of the joints (46 for a chain of 11), with which the inertia matrix and its factors grow.
# Beyond, they are not built: articulated bodies, which grow linearly, are the cheaper.
DEEP = 45

# --- derivatives -------------------------------------------------------------------------------------------------------

# Coordinates of a model that is also written by forward mode of the inverse dynamic model. Beyond, the recursion is shorter.
FEW_DIFFERENTIATED = 3
# Speeds of a robot whose derivatives of forward dynamics are written out. Beyond, a loop solves the same system for one column
# after the other, which takes a few more operations and far less time to generate and to compile.
MOST_WRITTEN_OUT = 12

# --- kinematics ------------------------------------------------------------------------------------------------------

# Frames tried for the axes and the origin of the inner matrix of a Jacobian: on a longer way those about its middle.
MOST_MIDDLES = 10
# The same for each half and the point of a system, where there are three to choose: the cube of it is weighed.
MOST_TRIED = 8
# How often the joints of a way may act on each other's vectors for a lever to be tried. Beyond, "carried" and "back" lose
# to "across", which multiplies once a joint, and take long to be made.
MOST_TURNED = 300
# Links met on the ways from all requested frames. Beyond, motions are not seen from each frame inwards, which meets every
# link again for every frame.
MOST_MET = 80
# Frames at which a wrench may enter the chain: on a longer way those at its ends and evenly between.
MOST_ENTRIES = 8
# Columns that a wrench is multiplied with. Beyond, carrying it along the chain always costs less.
MOST_COLUMNS = 7
# Velocities of a way on which the systems of an inverse get the full effort: of the splits with the smallest blocks so many
# are weighed, of those so many written out, and of those so many in all forms. Beyond, the lesser effort.
LONG_WAY, FULL_EFFORT, LESS_EFFORT = 12, (24, 8, 4), (6, 3, 1)
# Rows of a block of which all orders are weighed. Beyond, the sparsest row comes first.
LARGEST_REORDERED = 5
# Rows of a block that is solved by determinants, which grow with the power of two. Beyond, by orthogonal columns.
LARGEST_BY_DETERMINANTS = 6
# Columns that a redundant arm has to spare for the squares of all square parts of J to be tried beside the minors of J J^T.
# Beyond, J has far more square parts than J J^T has minors.
MOST_SPARE = 2
