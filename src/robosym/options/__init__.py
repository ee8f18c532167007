"""Options of functions, read once from signature and docstring: types, choices, defaults, one sentence each.

Argument checks, the command line, the forms of the web app and the reference pages all read ``options_of(function)``.
"""
