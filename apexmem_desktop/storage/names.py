"""When two spellings are the same name; SQL has the same function (storage.functions)."""

from apexmem_desktop.domain.names import normalise

__all__ = ["normalise"]
