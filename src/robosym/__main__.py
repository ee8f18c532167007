"""``python -m robosym`` is the command line."""

from .cli import main

main()
