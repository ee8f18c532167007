"""What a model function returns."""

from .model import Model

__all__ = ["Model"]
