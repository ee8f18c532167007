"""Closed forms, by the methods of Paul and Pieper."""
