"""The chain of an inverse problem, and what is requested of it."""
