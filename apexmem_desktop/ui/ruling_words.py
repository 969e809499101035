"""What was decided, in the user's language."""

from apexmem_desktop.domain.rulings import Ruling
from apexmem_desktop.ui.fact_words import told_name, told_value
from apexmem_desktop.ui.rows import shortened
from apexmem_desktop.ui.translation import tr


def ruling_text(ruling: Ruling) -> str:
    """Say a ruling: what was done, and what it was about."""
    kind = tr(f"ruling.{ruling.kind.value}")
    about = about_text(ruling)
    return tr("ruling.line", kind=kind, about=about) if about else kind


def about_text(ruling: Ruling) -> str:
    """Say what a ruling was about."""
    about = ruling.about
    if about.question:
        return tr("ruling.misfit_of", question=about.question, quote=shortened(about.quote))
    if not about.subject:
        return tr("ruling.and").join(about.names)
    value = told_value(about.property_name, about.value, denied=about.denied)
    what = told_name(about.property_name, denied=about.denied)
    if about.new_value:
        return tr("ruling.corrected", who=about.subject, what=what, old=value, new=about.new_value)
    return tr("ruling.fact", who=about.subject, what=what, value=value)


def ruled_text(kind: str) -> str:
    """Say in a word that the user ruled on something, or "" where he did not."""
    return tr(f"ruled.{kind}") if kind else ""


def ruled_word(kind: str) -> str:
    """Say the same as shortly as can be, beside a state."""
    return tr(f"ruled_word.{kind}") if kind else ""
