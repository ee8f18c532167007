"""Identification models: what the dynamic parameters are multiplied by (SYMORO+ 1997, section 6)."""
