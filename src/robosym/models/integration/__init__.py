"""Steps of integration as stages: what simulations and models in discrete time share."""
