"""What was decided, in the user's language."""

from apexmem_desktop.domain.rulings import Ruling, RulingKind
from apexmem_desktop.ui.translation import tr, tr_name

_PARTS = 2


def ruling_text(ruling: Ruling) -> str:
    """Say a ruling: its kind in the user's language, and what it was about as it was stored."""
    kind = tr(f"ruling.{ruling.kind.value}")
    about = about_text(ruling)
    return tr("ruling.line", kind=kind, about=about) if about else kind


def about_text(ruling: Ruling) -> str:
    """Say what a ruling was about, without the English verb that it is stored with."""
    says = ruling.says
    if ruling.kind is RulingKind.UNDO:
        says = says.partition(": ")[2]
    words = says.split(" ", 1)
    about = words[1] if len(words) == _PARTS else says
    subject, comma, rest = about.partition(", ")
    name, colon, value = rest.partition(": ")
    if not comma or not colon:
        return about
    return tr(
        "ruling.fact", who=subject, what=tr_name("property", "_".join(name.split())), value=value
    )
