"""Dynamic models by what they give: torques (inverse), accelerations (forward), some of both (free), coefficients, energies."""
