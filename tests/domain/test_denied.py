"""What is not so reads as one says it, in both languages, wherever a fact is shown."""

import tomllib

import pytest

from apexmem_desktop.domain.denied import denied_name, denied_words
from apexmem_desktop.domain.locations import resources_dir

# Told by a noun, or by a word of which only the value can be denied: "job: not a teacher".
NOUNS = {
    "job_title", "relationship_status", "partner", "child", "sibling", "parent", "friend", "pet",
    "favourite", "birthday", "age", "health", "diet", "status", "relative", "boss", "flatmate",
    "colleague", "own", "neighbour", "former_partner", "grandchild", "named",
}  # fmt: skip


def test_every_property_told_by_a_verb_can_be_denied() -> None:
    path = resources_dir() / "ontology" / "properties.toml"
    names = tomllib.loads(path.read_text(encoding="utf-8"))
    assert [name for name in names if name not in NOUNS and not denied_name(name, "en")] == []


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("name", ["owns", "lives_in", "plans", "visited", "allergic_to"])
def test_a_denied_verb_says_so_in_its_language(name: str, language: str) -> None:
    said = denied_name(name, language)
    assert said.isascii() is (language == "en")
    assert any(word in said for word in ("not", "不", "没"))


def test_a_noun_and_what_nobody_knows_leave_it_to_the_value() -> None:
    assert denied_name("job_title", "en") == denied_name("left_hand_of", "zh") == ""
    assert denied_words("owns", "Polo") == "does not own: Polo"
    assert denied_words("job_title", "a teacher") == "job title: not a teacher"
