"""Robots, models, recordings and runs as plain data: what the page and notebooks show.

Each function takes a robot and words, and returns what JSON can say: the server only passes it on.
"""
