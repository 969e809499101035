"""Prompts are text files with a version and named variables; nothing is computed at import.

A file under `resources/prompts/` has a TOML head between two `+++` lines, then sections that begin
with `## system`, `## user` or `## assistant`. All but the last section are static: they are the
same for each call, so the model's cache keeps them. `$name` is replaced in the last section only.
"""

import hashlib
import tomllib
from dataclasses import dataclass
from functools import lru_cache
from string import Template

from apexmem_desktop.domain.locations import resources_dir
from apexmem_desktop.inference.language import Message

_ROLES = ("system", "user", "assistant")


@dataclass(frozen=True, slots=True)
class Prompt:
    """One prompt file.

    Attributes:
        version: Raised with each change, so that `runs` tells what wrote a fact.
        sha256: Of the file's text.
        static: The messages that never change: instructions and worked examples.
        question: The last message, with `$variables`.
    """

    name: str
    version: int
    sha256: str
    variables: tuple[str, ...]
    static: tuple[Message, ...]
    question: str

    def render(self, **variables: str) -> tuple[Message, ...]:
        """Put the variables into the last message; every one must be given, and no other.

        Raises:
            ValueError: The names differ from those in the file's head.
        """
        if set(variables) != set(self.variables):
            raise ValueError(f"{self.name} takes {self.variables}, got {sorted(variables)}")
        safe = {name: without_marks(value) for name, value in variables.items()}
        return (*self.static, Message("user", Template(self.question).substitute(safe)))


def without_marks(text: str) -> str:
    """Break up the chat template's own marks, so that imported words stay data (fault 91)."""
    return text.replace("<|", "< |").replace("|>", "| >")


@lru_cache(maxsize=32)
def load_prompt(name: str) -> Prompt:
    """Read `resources/prompts/<name>.md`."""
    text = (resources_dir() / "prompts" / f"{name}.md").read_text(encoding="utf-8")
    _, head, body = text.split("+++\n", 2)
    settings = tomllib.loads(head)
    sections = _sections(body)
    return Prompt(
        name=name,
        version=int(settings["version"]),
        sha256=hashlib.sha256(text.encode()).hexdigest(),
        variables=tuple(settings["variables"]),
        static=tuple(sections[:-1]),
        question=sections[-1].text,
    )


def _sections(body: str) -> list[Message]:
    sections: list[Message] = []
    lines: list[str] = []
    role = ""
    for line in [*body.splitlines(), "## end"]:
        if line.startswith("## "):
            if role:
                sections.append(Message(role, "\n".join(lines).strip()))
            role, lines = line.removeprefix("## ").strip(), []
            if role not in (*_ROLES, "end"):
                raise ValueError(f"a prompt has no section {role!r}")
        else:
            lines.append(line)
    return sections
