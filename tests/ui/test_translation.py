"""Each visible word is there in each language."""

import re
import tomllib
from pathlib import Path
from string import Template

import pytest

import apexmem_desktop.recall.signals
import apexmem_desktop.ui
from apexmem_desktop.domain.locations import resources_dir
from apexmem_desktop.ui.translation import (
    LANGUAGES,
    load_texts,
    set_language,
    tr,
    tr_count,
    tr_name,
)

UI = Path(apexmem_desktop.ui.__file__).parent
CODE = "\n".join(path.read_text(encoding="utf-8") for path in sorted(UI.glob("*.py")))
OTHERS = sorted(set(LANGUAGES) - {"en"})


@pytest.mark.parametrize("language", OTHERS)
def test_languages_have_the_same_keys(language: str) -> None:
    assert load_texts(language).keys() == load_texts("en").keys()


@pytest.mark.parametrize("language", OTHERS)
def test_texts_fill_in_the_same_names(language: str) -> None:
    for key, text in load_texts("en").items():
        theirs = Template(load_texts(language)[key]).get_identifiers()
        ours = Template(text).get_identifiers()
        # A language may write a date or a count without one of its parts, never with another one.
        allowed = set(ours) | ({"m", "d", "y", "n"} if key.startswith("date.") else set())
        assert set(theirs) <= allowed, key


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_key_in_the_code_exists(language: str) -> None:
    texts = load_texts(language)
    for key in re.findall(r'\btr\(\s*"([^"]+)"', CODE):
        assert key in texts, key
    for key in re.findall(r'\btr_count\(\s*"([^"]+)"', CODE):
        assert f"{key}.other" in texts, key


def test_no_sentence_stands_outside_the_translations() -> None:
    shown = re.compile(
        r'\b(?:setText|setToolTip|setPlaceholderText|setWindowTitle|label|button)\(f?"(.*?)"'
    )
    for text in shown.findall(CODE):
        words = re.sub(r"\{[^}]*\}", "", text)
        assert not re.search(r"[a-z]{3}", words) or words == "APEX-MEM", text


def test_tr_fills_names_in() -> None:
    assert tr("people.first", day="2 May 2023") == "first on 2 May 2023"


def test_one_and_many_differ() -> None:
    assert tr_count("conversations.turns", 1) == "one message"
    assert tr_count("conversations.turns", 1200) == "1,200 messages"


def test_unknown_names_are_tidied() -> None:
    assert tr_name("property", "left_hand_of") == "left hand of"
    set_language("zh")
    assert tr_name("property", "lives_in") == "住在"
    assert tr_name("property", "went_climbing") == "去攀岩"
    assert tr_name("property", "favourite_hut") == "最喜欢的hut"


def test_every_property_of_the_ontology_has_a_name() -> None:
    path = resources_dir() / "ontology" / "properties.toml"
    for name in tomllib.loads(path.read_text(encoding="utf-8")):
        assert f"property.{name}" in load_texts("en"), name


def test_an_unknown_language_becomes_english() -> None:
    set_language("tlh")
    assert tr("common.cancel") == "Cancel"


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_finds_a_message_has_a_name(language: str) -> None:
    signals = Path(apexmem_desktop.recall.signals.__file__).read_text(encoding="utf-8")
    names = re.findall(r'(?:_scored|Ranking)\("([a-z ]+)"', signals)
    assert "talk" in names
    for name in names:
        assert f"signal.{name.replace(' ', '_')}" in load_texts(language), name
