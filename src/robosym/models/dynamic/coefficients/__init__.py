"""The coefficients of the dynamic model: inertia matrix, Coriolis matrix, and the Lagrange form."""
