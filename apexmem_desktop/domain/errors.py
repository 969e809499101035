"""Errors of the world, told to the user. Anything else that is raised is a bug of ours."""


class UserError(Exception):
    """Something outside the program went wrong; the message says what, the hint what to do.

    Attributes:
        message: One plain sentence: what happened.
        hint: One plain sentence: what the user can do.
    """

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        """Join both sentences, as the command line prints them."""
        return f"{self.message} {self.hint}".strip()


class ExportUnreadableError(UserError):
    """A file given for import is missing, empty, damaged, or of no known format."""


class VaultError(UserError):
    """The memory file cannot be opened or written."""


class VaultTooNewError(VaultError):
    """The file was written by a later version of the program."""

    def __init__(self, found: int, supported: int) -> None:
        super().__init__(
            f"This memory file is version {found}; this program reads up to {supported}.",
            hint="Install the newer program, or open a backup.",
        )


class PassphraseNeededError(VaultError):
    """The memory file is encrypted and no passphrase was given."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"{name} is encrypted (or no memory file at all).",
            hint="Give its passphrase: by --passphrase-file FILE, or in APEXMEM_PASSPHRASE.",
        )


class WrongPassphraseError(VaultError):
    """The passphrase does not open the memory file, or the file's beginning is damaged."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"The passphrase does not open {name}.",
            hint="Mind capitals and keyboard language. If it is forgotten, nobody can open the file"
            " any more: import your exports into a new memory."
            " (If you are sure of it, the file is damaged: restore a backup.)",
        )


class DiskFullError(VaultError):
    """The disk has no room for the write; what was being written was rolled back."""

    def __init__(self) -> None:
        super().__init__(
            "The disk is full, so nothing of this step was stored.",
            hint="Free some space and run it again; what was stored before is unharmed.",
        )


class NoRoomError(VaultError):
    """A disk is too small for what shall be put there; nothing was begun.

    Attributes:
        needed_bytes: How much it takes.
        free_bytes: How much there is.
    """

    def __init__(self, folder: str, *, needed_bytes: int, free_bytes: int) -> None:
        super().__init__(
            f"The disk of {folder} has {free_bytes // 1_000_000:,} MB free, and"
            f" {-(-needed_bytes // 1_000_000):,} MB are needed.",
            hint="Free some space there, or choose another folder; nothing was changed.",
        )
        self.needed_bytes = needed_bytes
        self.free_bytes = free_bytes


class ModelMissingError(UserError):
    """The model file is not on this machine, or not whole."""


class ModelCrashedError(UserError):
    """The model's process ended in the middle of its work; the next request starts a new one.

    Attributes:
        detail: How it ended, e.g. "signal 11"; "" when that is not known.
    """

    def __init__(self, detail: str = "") -> None:
        self.detail = detail
        super().__init__(
            "A model stopped unexpectedly" + (f" ({detail})." if detail else "."),
            hint="Ask again: it is started anew. If it happens often, choose a smaller model.",
        )


class QueryRefusedError(UserError):
    """A SQL text that is not one read-only SELECT, or that went over its limits."""


class NotFoundError(UserError):
    """The name or number that the user gave belongs to nothing in this memory."""


class RulingRefusedError(UserError):
    """A decision that cannot be made: it says nothing new, or goes against an earlier one."""


class CancelledError(Exception):
    """The user cancelled; not a fault."""
