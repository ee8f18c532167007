"""What may be asked of a model: its options from the signature of its function, what they mean, and words as its arguments.

The command line and the page read the same signatures, so that a new model or option needs nothing in either.
"""
