"""What the languages share that print a ``Routine``: its programs by the printers of ``targets``, its stages by one more.

Such a language has a module ``routine`` in its folder of ``targets`` (``generate`` and ``source`` as for programs), and the texts
of its kernels in ``kernels/`` beside it.
"""
