"""Poses at which a method loses solutions."""
