"""What the user chose, as one frozen value in a TOML file."""

import dataclasses
import json
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from apexmem_desktop.domain.errors import UserError
from apexmem_desktop.services.locations import settings_path


@dataclass(frozen=True, slots=True)
class Settings:
    """The user's choices; every default means "let the program decide".

    Attributes:
        language_model: Name in the catalogue, or the path of a GGUF file; "" for the default.
        embedder: Name in the catalogue, or the path of a sentence-transformers folder; "" for the
            default.
        zone: IANA zone for imports and questions; "" for the computer's.
        theme: "light", "dark" or "" to follow the desktop.
        ui_language: "en", "zh" or "" to follow the desktop.
        text_percent: Size of the window's text, of the desktop's in percent.
        threads: Threads that a model may use; 0 lets the program decide.
        build_when: When chats are read in the background: "" always, "idle" while nobody uses
            the window, "mains" only on mains power.
        backup_folder: Where backups are made by themselves; "" for nowhere.
        backup_every_days: How often.
        backups_kept: How many of them stay; older ones are removed.
        keep_in_tray: Closing the window while chats are read leaves that going on in the tray.
        quiet: No messages of the desktop when a long job ends.
        extraction_model: Reads chats, where another model shall than `language_model`; as that one.
        resolution_model: Decides who and what is the same, likewise.
        answering_model: Answers questions, likewise.
        memory_folder: Folder of the memory file, where the user moved it; "" for the usual one.
        memory_left: The file that the last move left at the old place; "" for none.
        owner: The user's name, for exports that call them only "You"; "" while nobody said it.
    """

    language_model: str = ""
    embedder: str = ""
    zone: str = ""
    theme: str = ""
    ui_language: str = ""
    text_percent: int = 100
    threads: int = 0
    build_when: str = ""
    backup_folder: str = ""
    backup_every_days: int = 7
    backups_kept: int = 4
    quiet: bool = False
    keep_in_tray: bool = False
    owner: str = ""
    extraction_model: str = ""
    resolution_model: str = ""
    answering_model: str = ""
    memory_folder: str = ""
    memory_left: str = ""

    def model_for(self, stage: str) -> str:
        """Name the model of a stage ("extraction", "resolution", "answering"); "" for the usual."""
        chosen: str = getattr(self, f"{stage}_model")
        return "" if chosen == self.language_model else chosen

    def with_model_for(self, stage: str, name: str) -> "Settings":
        """Let a stage have a model of its own; "" for the usual one."""
        key = f"{stage}_model"
        return dataclasses.replace(self, **{key: name})  # type: ignore[arg-type]  # one of ours


def load_settings(path: Path | None = None) -> Settings:
    """Read the settings; a missing file means the defaults, an unknown key is left alone.

    Raises:
        UserError: The file is there but cannot be understood.
    """
    path = path or settings_path()
    try:
        raw = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return Settings()
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UserError(
            f"The settings file {path} cannot be read: {error}.",
            hint="Mend or remove it; without it the defaults apply.",
        ) from error
    kinds = {field.name: type(field.default) for field in dataclasses.fields(Settings)}
    known: dict[str, Any] = {
        key: value for key, value in raw.items() if type(value) is kinds.get(key)
    }
    return Settings(**known)


def save_settings(settings: Settings, path: Path | None = None) -> None:
    """Write the settings whole or not at all.

    Raises:
        UserError: The folder or the file cannot be written.
    """
    path = path or settings_path()
    # JSON's strings, whole numbers and booleans are TOML's too, so no TOML writer is needed.
    lines = [
        f"{name} = {json.dumps(value, ensure_ascii=False)}\n"
        for name, value in dataclasses.asdict(settings).items()
    ]
    aside = path.with_suffix(".new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        aside.write_text("".join(lines), encoding="utf-8")
        aside.replace(path)
    except OSError as error:
        raise UserError(
            f"The settings cannot be saved to {path}: {error.strerror}.",
            hint="Check that the folder is yours to write and the disk has room.",
        ) from error
