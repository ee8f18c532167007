"""Linear systems as straight-line code, on any scalars."""
