"""APEX-MEM Desktop: a temporal memory of conversations, kept and read on the user's own machine."""

__version__ = "0.1.0"
