"""Dynamic models by what they give: torques (inverse), accelerations (forward), coefficients, energies."""
