"""reversa: bugs as files in a git repository, kept true by a deterministic tool."""

__version__ = "0.1.0"
