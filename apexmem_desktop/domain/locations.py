"""Where the program's own read-only files are: prompts, samples, the model catalogue."""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent.parent


def resources_dir() -> Path:
    """Return the folder of prompts, ontology, samples and icons.

    In a checkout (also an editable install) it stands beside the package; in a wheel it was
    packed into the package.
    """
    beside = _PACKAGE.parent / "resources"
    # A folder named "resources" beside an installed package belongs to somebody else.
    if (beside / "prompts").is_dir() and (_PACKAGE.parent / "pyproject.toml").is_file():
        return beside
    return _PACKAGE / "_resources"


def catalog_path() -> Path:
    """Return the list of models that can be fetched, a TOML file."""
    beside = _PACKAGE.parent / "models" / "catalog.toml"
    if beside.is_file() and (_PACKAGE.parent / "pyproject.toml").is_file():
        return beside
    return _PACKAGE / "_resources" / "models" / "catalog.toml"
