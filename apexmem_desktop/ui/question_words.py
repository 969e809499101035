"""What the memory asks the user, and the answers to choose from, in the user's language."""

from apexmem_desktop.domain.clarifying import OpenKind, OpenQuestion
from apexmem_desktop.domain.graph import Fact
from apexmem_desktop.domain.wall import clock_of
from apexmem_desktop.ui.dates import bound_text
from apexmem_desktop.ui.fact_words import value_text
from apexmem_desktop.ui.rows import validity_text
from apexmem_desktop.ui.translation import tr, tr_name


def title_text(question: OpenQuestion) -> str:
    """Name a question in a few words."""
    if question.kind is OpenKind.CONFLICT:
        return tr("clarify.conflict_title", who=question.sides[0].subject, what=_what(question))
    if question.kind is OpenKind.SAME:
        one, other = _two_names(question)
        return tr("clarify.same_title", a=one, b=other)
    if question.kind is OpenKind.DATE:
        fact = question.sides[0]
        return tr("clarify.date_title", who=fact.subject, what=_what(question), value=fact.value)
    return question.source.file if question.source is not None else ""


def sign_name(question: OpenQuestion) -> str:
    """Name who or what a question is about; "" where it is a file."""
    names = [fact.subject for fact in question.sides] or [one.name for one in question.entities]
    return names[0] if names else ""


def kind_text(question: OpenQuestion) -> str:
    """Name the kind of a question."""
    return tr(f"clarify.{question.kind.value}_kind")


def asked_text(question: OpenQuestion) -> str:
    """Ask in one sentence."""
    if question.kind is OpenKind.SAME:
        one, other = _two_names(question)
        key = "clarify.joined_ask" if question.joined else "clarify.same_ask"
        return tr(key, a=one, b=other)
    if question.kind is OpenKind.DATE:
        return tr("clarify.date_ask", phrase=question.sides[0].phrase)
    return tr(f"clarify.{question.kind.value}_ask")


def choice_texts(question: OpenQuestion) -> list[str]:
    """Write each way in which it can be decided."""
    if question.kind is OpenKind.CONFLICT:
        return [_side_text(fact) for fact in question.sides]
    if question.kind is OpenKind.SAME:
        return [tr("clarify.same_yes"), tr("clarify.same_no")]
    if question.kind is OpenKind.DATE:
        fact = question.sides[0]
        starts = (fact.valid_from, question.other_start)
        return [bound_text(start, clock_of(fact.evidence)) for start in starts]
    order = question.source.date_order if question.source is not None else ""
    return [tr("clarify.order_yes", order=tr(f"order.{order}")), tr("clarify.order_no")]


def _two_names(question: OpenQuestion) -> list[str]:
    """Name the two that may be one; where their names are the same, with where each speaks."""
    names = [one.name for one in question.entities]
    told = zip(names, question.apps, strict=True) if question.apps else ()
    return [f"{name} ({', '.join(apps)})" for name, apps in told] or names


def _what(question: OpenQuestion) -> str:
    return tr_name("property", question.property_name)


def _side_text(fact: Fact) -> str:
    speakers = dict.fromkeys(proof.speaker for proof in fact.evidence if proof.speaker)
    said = " · ".join((validity_text(fact), *speakers))
    return f"{value_text(fact)}\n{said}"
