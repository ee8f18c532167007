"""Parameters from equations that are linear in them: estimates, their uncertainty and their proof."""
