"""Write requirements.lock: the exact versions of what the package and its developers need.

Walks from the names in pyproject.toml through what is installed, so that things that were
installed by hand beside them stay out. Run it by `make lock` in an environment that you upgraded
and tested.
"""

import importlib.metadata
import re
import tomllib
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parent.parent
HEAD = """\
# Exact versions of everything, developers' tools included. Written by `make lock`; what each is
# for stands in docs/dependencies.md. torch is installed before the rest: see the Makefile.
"""


def main() -> None:
    """Write the file anew."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    wanted = project["dependencies"] + extras["encryption"] + extras["dev"]
    versions: dict[str, str] = {}
    for requirement in wanted:
        _collect(Requirement(requirement), versions)
    lines = [f"{name}=={version}\n" for name, version in sorted(versions.items())]
    (ROOT / "requirements.lock").write_text(HEAD + "".join(lines), encoding="utf-8")
    print(f"{len(lines)} packages")


def _collect(requirement: Requirement, versions: dict[str, str]) -> None:
    """Take a requirement and all that it stands on."""
    if requirement.marker is not None and not _applies(requirement):
        return
    name = re.sub(r"[-_.]+", "-", requirement.name).lower()
    if name in versions:
        return
    found = importlib.metadata.distribution(name)
    # "2.13.0+cpu" is the build of one platform; the version is the same on all.
    versions[name] = found.version.partition("+")[0]
    for text in found.requires or ():
        _collect(Requirement(text), versions)


def _applies(requirement: Requirement) -> bool:
    return requirement.marker is not None and requirement.marker.evaluate({"extra": ""})


if __name__ == "__main__":
    main()
