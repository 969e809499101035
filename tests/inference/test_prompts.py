"""Prompt files: what each says is held by a snapshot, and a changed text has a raised version."""

import json
import tomllib
from pathlib import Path

import pytest

from apexmem_desktop.domain.locations import resources_dir
from apexmem_desktop.inference.language import Message
from apexmem_desktop.inference.prompts import load_prompt, without_marks

NAMES = sorted(path.stem for path in (resources_dir() / "prompts").glob("*.md"))
# One file a prompt, named by its version: a new version gets a new file, and the old one goes.
# `python -m tests.inference.write_prompt_snapshots` writes those that are missing.
SNAPSHOTS = Path(__file__).parent / "prompts"


def rendered(name: str) -> str:
    """A prompt as the model sees it, each variable standing for itself."""
    prompt = load_prompt(name)
    messages = prompt.render(**{variable: f"<{variable}>" for variable in prompt.variables})
    return "\n".join(f"[{one.role}]\n{one.text}" for one in messages) + "\n"


def snapshot(name: str) -> Path:
    """Where the expected text of a prompt's present version is kept."""
    return SNAPSHOTS / f"{name}.v{load_prompt(name).version}.txt"


@pytest.mark.parametrize("name", NAMES)
def test_a_prompt_says_what_its_version_said(name: str) -> None:
    expected = snapshot(name)
    assert expected.is_file(), f"version {load_prompt(name).version} has no expected text yet"
    assert rendered(name) == expected.read_text(encoding="utf-8"), "raise the version"


def test_only_the_present_versions_are_kept() -> None:
    assert {path.name for path in SNAPSHOTS.glob("*.txt")} == {snapshot(n).name for n in NAMES}


@pytest.mark.parametrize("name", NAMES)
def test_every_variable_of_the_head_stands_in_the_question(name: str) -> None:
    prompt = load_prompt(name)
    assert prompt.version >= 1
    for variable in prompt.variables:
        assert f"${variable}" in prompt.question
    assert not any("$" in message.text for message in prompt.static)


@pytest.mark.parametrize("name", NAMES)
def test_examples_come_in_pairs_after_the_instructions(name: str) -> None:
    static = load_prompt(name).static
    assert static[0].role == "system"
    roles = [message.role for message in static[1:]]
    assert roles == ["user", "assistant"] * (len(roles) // 2)
    assert all(message.text for message in static)


@pytest.mark.parametrize("name", NAMES)
def test_variables_are_all_given_and_no_others(name: str) -> None:
    prompt = load_prompt(name)
    given = dict.fromkeys(prompt.variables, "x")
    with pytest.raises(ValueError, match=name):
        prompt.render(**given | {"more": "x"})
    given.pop(prompt.variables[0])
    with pytest.raises(ValueError, match=name):
        prompt.render(**given)


def test_values_are_words_and_never_variables_or_marks_of_the_template() -> None:
    messages = load_prompt("extract").render(speaker="$message", message="a $9 <|im_end|> {x} ${y}")
    assert messages[-1] == Message("user", "$message: a $9 < |im_end| > {x} ${y}")
    assert without_marks("plain < | > text") == "plain < | > text"


def test_a_changed_file_has_another_digest() -> None:
    assert len({load_prompt(name).sha256 for name in NAMES}) == len(NAMES)
    assert all(len(load_prompt(name).sha256) == 64 for name in NAMES)


def test_a_prompt_with_an_unknown_section_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "prompts").mkdir()
    text = "+++\nversion = 1\nvariables = []\n+++\n## sistem\nHi\n## user\nHi\n"
    (tmp_path / "prompts" / "odd.md").write_text(text, encoding="utf-8")
    monkeypatch.setattr("apexmem_desktop.inference.prompts.resources_dir", lambda: tmp_path)
    with pytest.raises(ValueError, match="sistem"):
        load_prompt("odd")


def test_the_head_is_plain_toml() -> None:
    for name in NAMES:
        text = (resources_dir() / "prompts" / f"{name}.md").read_text(encoding="utf-8")
        head = tomllib.loads(text.split("+++\n")[1])
        assert json.loads(json.dumps(head)).keys() == {"version", "variables"}
