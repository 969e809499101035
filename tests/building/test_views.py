"""Opinions, feelings, advice, thanks: what is read and what only looks like it. All invented."""

import pytest

from apexmem_desktop.building.gate import find_openings
from apexmem_desktop.building.grounding import why_ungrounded
from apexmem_desktop.building.ontology import load_shapes
from tests.building.telling import said, spell

ANA = "Ana Ruiz"

TOLD = [
    ("Beeswax makes the best candles", "thinks Beeswax makes the best candles"),
    ("Yeah, rowing at dawn is so calming!", "thinks rowing at dawn is so calming"),
    ("Oh wow Ben, old maps are fascinating to me", "thinks old maps are fascinating to me"),
    ("Restoring the harp has been tricky", "thinks Restoring the harp has been tricky"),
    ("I believe that patience is half of pottery", "thinks patience is half of pottery"),
    ("We should save the old mill from the bulldozers",
     "thinks We should save the old mill from the bulldozers"),
    ("A lorry hit our garden wall", "says A lorry hit our garden wall"),
    ("There are three herons on the pond", "says There are three herons on the pond"),
    ("It's so soothing to knead dough by hand", "finds soothing to knead dough by hand"),
    ("It was hard to see how the flood ruined our archive",
     "finds hard to see how the flood ruined our archive"),
    ("It means a lot to have my brother in the choir", "finds to have my brother in the choir"),
    ("I'm determined to finish the quilt", "feels determined to finish the quilt"),
    ("I'm swamped with orders for the bakery", "feels swamped with orders for the bakery"),
    ("I'm feeling homesick", "feels homesick"),
    ("I've been getting so anxious about the audition",
     "feels getting so anxious about the audition"),
    ("I'm ready to hand over the shop", "feels ready to hand over the shop"),
    ("I need help with the wedding seating plan", "needs help with the wedding seating plan"),
    ("Can't wait to open the tea house", "looks_forward_to open the tea house"),
    ("I can't eat walnuts or cashews", "cannot eat walnuts or cashews"),
    ("Hoping my novel finds a publisher", "hopes my novel finds a publisher"),
    ("I'll keep training for the regatta", "plans keep training for the regatta"),
    ("I'm off to pick up the twins", "plans pick up the twins"),
    ("Save the receipts for two years", "advises Save the receipts for two years"),
    ("You should try the ferry to Hven", "advises try the ferry to Hven"),
    ("Don't forget to back up the old laptop", "advises Don't forget to back up the old laptop"),
    ("Let's plant an orchard behind the school",
     "suggests Let's plant an orchard behind the school"),
    ("Here's a photo of our flooded cellar", "shows photo of our flooded cellar"),
    ("Thanks for driving my mother to the clinic", "thanks_for driving my mother to the clinic"),
    ("I'm so proud of you for standing up to the council",
     "admires standing up to the council"),
    ("I'm in awe of your patience with the twins", "admires your patience with the twins"),
    ("Your friendship means the world to me", "values friendship"),
    ("I cherish Sundays with the choir", "values Sundays with the choir"),
    ("I appreciate your help with the tax forms", "values your help with the tax forms"),
]  # fmt: skip

NOTHING = [
    "That's so great!",
    "You are such a good friend",
    "It was so much fun",
    "It's so soothing and rewarding",
    "Let's say I live in Rome with a cat",
    "It's not good to work at night for years",
    "It was never fun to camp in the rain with my uncle",
    "It's not true that I own the van",
    "They look so cute in this",
    "The kids look adorable, Ben",
    "I'm so happy for you",
    "I'm sure it will be fine",
    "If it rains the fair is ruined for everybody",
    "When it rains the fair is ruined",
    "I'm so proud of you!",
    "I admire you",
    "Keep it up!",
    "Keep me posted about the audition",
    "Let me know how the audition goes",
    "Take care of yourself",
    "Appreciate your help",
    "Thanks for the tip",
    "I can't wait",
    "I can't believe you sold the van",
    "I'll let you know",
    "I'll keep going",
    "It doesn't help me sleep",
    "The bus was late again and the traffic was awful",
    "Do you think patience is half of pottery?",
    "Mira closed the window",
    "It makes me happy",
    "It taught me patience and how to listen",
    "They keep me calm before exams",
]


def _read(text: str) -> list[str]:
    turn = said(text)
    told = [one for opening in find_openings(turn) for one in opening.told]
    for one in told:
        assert turn.text[one.value_start : one.value_end] == one.value
        assert one.shape in load_shapes()
    kept = [one for one in told if not why_ungrounded(turn, one)]
    return [
        spell(one).removeprefix(f"{ANA} ").replace("shows a ", "shows ").replace(" Your ", " ")
        for one in kept
    ]


@pytest.mark.parametrize(("text", "told"), TOLD)
def test_a_view_is_read_as_it_was_said(text: str, told: str) -> None:
    heads = [one.replace("gets the ", "gets ") for one in _read(text)]
    assert told in heads


@pytest.mark.parametrize("text", NOTHING)
def test_what_points_elsewhere_or_is_only_polite_is_no_view(text: str) -> None:
    assert _read(text) == []


def test_each_clause_of_a_sentence_may_tell_its_own() -> None:
    told = _read("Weaving is my escape, but selling the rugs has been hard")
    assert "thinks selling the rugs has been hard" in told
    assert any(one.endswith("Weaving") or "Weaving is my escape" in one for one in told)


def test_what_a_narrower_rule_has_read_is_not_told_again_as_a_view() -> None:
    assert _read("My laptop crashed yesterday") == ["laptop crashed"]


def test_the_model_is_still_asked_where_a_view_stands_beside_a_plain_cue() -> None:
    (beside,) = find_openings(said("Working at the mill is tiring"))
    assert beside.told
    assert beside.asks == any(s.name not in ("likes", "practises") for s in beside.shapes)
    (read,) = find_openings(said("I moved to Rome"))
    assert not read.asks
