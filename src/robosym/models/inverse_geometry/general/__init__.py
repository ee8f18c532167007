"""The general method: all solutions of any six-joint serial arm, by elimination and an eigenvalue problem."""

from .solver import GeneralSolver

__all__ = ["GeneralSolver"]
