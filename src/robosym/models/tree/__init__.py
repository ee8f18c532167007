"""The tree beneath every model: its bodies and coordinates, how they move, and what they weigh.

``paths`` leads from frame to frame, ``bodies`` holds the moving links, ``coordinates`` says how their joints follow from the
user's q. ``velocities`` and ``motion`` move them, ``wrench`` is what moving one of them takes, ``composite`` and ``regrouping``
put their inertias together, ``chains`` and ``world`` carry vectors between their frames, ``deferred`` turns these late.
"""
