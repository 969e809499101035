"""Where the user's own files are: the memory, the settings, the model weights."""

import os
from pathlib import Path

from platformdirs import user_cache_path, user_config_path, user_data_path

_APP = "apexmem-desktop"


def _home() -> Path | None:
    """Return the one folder for everything, if the user asked for that by APEXMEM_HOME."""
    home = os.environ.get("APEXMEM_HOME", "")
    return Path(home).expanduser() if home else None


def default_vault_path() -> Path:
    """Return the memory file that is used when none is named."""
    return (_home() or user_data_path(_APP, appauthor=False)) / "memory.apexmem"


def settings_path() -> Path:
    """Return the settings file; it need not exist."""
    return (_home() or user_config_path(_APP, appauthor=False)) / "settings.toml"


def log_path() -> Path:
    """Return the log of what the program did; no word of a message is in it."""
    return (_home() or user_data_path(_APP, appauthor=False)) / "log.txt"


def model_tests_path() -> Path:
    """Return the file of how each model did on this machine; it need not exist."""
    return (_home() or user_data_path(_APP, appauthor=False)) / "model-tests.json"


def models_dir() -> Path:
    """Return the folder of the model weights, shared by every vault and every copy of the program.

    APEXMEM_MODELS names another one, e.g. on a larger disk.
    """
    named = os.environ.get("APEXMEM_MODELS", "")
    if named:
        return Path(named).expanduser()
    return (_home() or user_cache_path(_APP, appauthor=False)) / "models"
