"""One folder per target language: a printer and its templates."""
