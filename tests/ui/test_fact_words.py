"""A fact that is not so reads as one says it: beside its name, alone, and on a timeline."""

from dataclasses import replace

import pytest
from PySide6.QtWidgets import QApplication

from apexmem_desktop.cli.spelling import spell_fact
from apexmem_desktop.domain.graph import Fact, Modality
from apexmem_desktop.ui.entity_words import lately_text
from apexmem_desktop.ui.fact_list import fact_text
from apexmem_desktop.ui.fact_words import beside_text, name_text, value_text
from apexmem_desktop.ui.parts import button
from apexmem_desktop.ui.timeline_words import label_text
from apexmem_desktop.ui.translation import set_language, tr
from tests.ui import made_up
from tests.ui.test_timeline import bound, lived

POLO = replace(made_up.FACTS[0], property="owns", value="Polo", polarity=False)
TOMO = replace(POLO, property="favourite_restaurant", value="Tomo")


@pytest.mark.parametrize(
    ("language", "fact", "beside", "alone"),
    [
        ("en", POLO, ("does not own", "Polo"), "does not own Polo"),
        ("zh", POLO, ("没有", "Polo"), "没有 Polo"),
        ("en", TOMO, ("favourite restaurant", "not Tomo"), "not Tomo"),
        ("zh", TOMO, ("最喜欢的餐馆", "不是 Tomo"), "不是 Tomo"),
        ("en", replace(POLO, property="went_climbing"), ("did not go climbing", "Polo"),
         "did not go climbing Polo"),
        ("zh", replace(POLO, property="went_climbing"), ("没有去攀岩", "Polo"), "没有去攀岩 Polo"),
    ],
)  # fmt: skip
def test_a_denied_fact_is_said_naturally(
    language: str, fact: Fact, beside: tuple[str, str], alone: str
) -> None:
    set_language(language)
    assert (name_text(fact), beside_text(fact)) == beside
    assert value_text(fact) == alone


def test_a_fact_of_negated_modality_is_denied_too() -> None:
    negated = replace(POLO, polarity=True, modality=Modality.NEGATED)
    assert fact_text(negated).startswith("does not own: Polo")


def test_it_is_said_so_on_a_card_a_timeline_and_the_command_line() -> None:
    assert "does not own Polo" in lately_text([POLO])
    item = replace(lived(bound("2023-06-01"), None), lane="owns", label="not Polo", denied=True)
    assert label_text(item) == "does not own Polo"
    assert spell_fact(POLO).startswith("does not own: Polo")


def test_what_was_done_is_named_in_the_language_of_the_window() -> None:
    done = replace(lived(bound("2023-06-01"), None), lane="deed", label="sold Polo", deed="sold")
    assert label_text(done) == "sold Polo"
    set_language("zh")
    assert label_text(done) == "卖了 Polo"
    assert label_text(replace(done, label="not sold Polo", denied=True)) == "没有卖 Polo"


def test_chinese_words_keep_away_from_latin_ones_only() -> None:
    set_language("zh")
    assert tr("link.replaces", value="Casa Pilar") == "取代了 Casa Pilar"
    assert tr("link.replaces", value="北京") == "取代了北京"
    assert tr("fact.since", start="2025年6月") == "从2025年6月起"


def test_a_button_shows_a_name_with_an_ampersand_whole(qapp: QApplication) -> None:
    assert button("Joanna & Nate", lambda: None).text() == "Joanna && Nate"
