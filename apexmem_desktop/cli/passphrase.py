"""Where the passphrase of an encrypted memory comes from: a file, the environment, or a question.

Never an argument: other users of a machine can read those, and shells keep them.
"""

import argparse
import getpass
import os
import sys
import warnings
from pathlib import Path

from apexmem_desktop.domain.errors import PassphraseNeededError, UserError, VaultError
from apexmem_desktop.services.workspace import needs_passphrase

VARIABLE = "APEXMEM_PASSPHRASE"


def find_passphrase(options: argparse.Namespace, path: Path) -> str:
    """Find the passphrase that the memory needs, or is to be made with; "" for one in clear.

    A new memory is encrypted if `--encrypt` says so or a passphrase is given at all: who gives
    one wants it used. One in the environment is for whichever memory needs it.

    Raises:
        PassphraseNeededError: None was given, and there is nobody to ask.
        UserError: The one given cannot be used.
    """
    given = given_passphrase(options, path)
    if given:
        return given
    wants_encryption = getattr(options, "encrypt", False)
    if _is_new(path):
        return _ask_twice(path) if wants_encryption else ""
    if needs_passphrase(path):
        return _ask(path)
    if wants_encryption:
        raise VaultError(
            f"{path.name} is there already, and not encrypted; that is chosen when it is made.",
            hint="Import your exports into a new memory: --vault NEW --encrypt",
        )
    return ""


def given_passphrase(options: argparse.Namespace, path: Path) -> str:
    """Give the passphrase of the file named or of the environment; "" when there is nobody's.

    Raises:
        UserError: What is given there is no passphrase.
    """
    if options.passphrase_file:
        return _from_file(options.passphrase_file)
    if not _is_new(path) and not needs_passphrase(path):
        return ""
    words = os.environ.get(VARIABLE, "")
    if any("\ud800" <= char <= "\udfff" for char in words):
        raise UserError(f"{VARIABLE} holds no valid UTF-8 text.")
    return words


def _is_new(path: Path) -> bool:
    return not path.is_dir() and (not path.exists() or not path.stat().st_size)


def _from_file(path: Path) -> str:
    try:
        lines = path.expanduser().read_text(encoding="utf-8-sig").splitlines()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no UTF-8 text"
        raise UserError(
            f"The passphrase file {path} cannot be read: {reason}.",
            hint="Write the passphrase on its first line.",
        ) from error
    if not lines or not lines[0]:
        raise UserError(
            f"The passphrase file {path} has an empty first line.",
            hint="Write the passphrase on its first line.",
        )
    return lines[0]


def _ask(path: Path) -> str:
    """Ask without showing what is typed; only a person at a terminal can answer."""
    if not sys.stdin.isatty():
        raise PassphraseNeededError(path.name)
    with warnings.catch_warnings():
        # Where the terminal cannot hide it, the words are not asked for rather than shown.
        warnings.simplefilter("error", getpass.GetPassWarning)
        try:
            return getpass.getpass(f"Passphrase of {path.name}: ")
        except (getpass.GetPassWarning, EOFError) as error:
            raise PassphraseNeededError(path.name) from error


def _ask_twice(path: Path) -> str:
    print(
        "Write the passphrase down somewhere safe: without it nobody can open this memory again.",
        file=sys.stderr,
    )
    words = _ask(path)
    if not words:
        raise UserError("An empty passphrase protects nothing.", hint="Choose some words.")
    if _ask(path) != words:
        raise UserError("The two passphrases differ.", hint="Nothing was made. Try again.")
    return words
