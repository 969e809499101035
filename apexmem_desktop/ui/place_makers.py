"""How each place is made. A place's module is loaded only when somebody first goes there."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from apexmem_desktop.ui.desk import Desk
from apexmem_desktop.ui.place import Place


def _ask(desk: Desk, parent: QWidget) -> Place:
    from apexmem_desktop.ui.ask_place import AskPlace

    return AskPlace(desk, parent)


def _timeline(desk: Desk, parent: QWidget) -> Place:
    from apexmem_desktop.ui.timeline_place import TimelinePlace
    from apexmem_desktop.ui.timeline_plot import TimelinePlot

    ahead = Qt.FindChildOption.FindDirectChildrenOnly
    return TimelinePlace(desk, parent, parent.findChild(TimelinePlot, options=ahead), whole=False)


def _people(desk: Desk, parent: QWidget) -> Place:
    from apexmem_desktop.ui.people_place import PeoplePlace

    return PeoplePlace(desk, parent, whole=False)


def _clarify(desk: Desk, parent: QWidget) -> Place:
    from apexmem_desktop.ui.clarify_place import ClarifyPlace

    return ClarifyPlace(desk, parent, whole=False)


def _conversations(desk: Desk, parent: QWidget) -> Place:
    from apexmem_desktop.ui.conversations_place import ConversationsPlace

    return ConversationsPlace(desk, parent, whole=False)


def _imports(desk: Desk, parent: QWidget) -> Place:
    from apexmem_desktop.ui.imports_place import ImportsPlace

    return ImportsPlace(desk, parent, whole=False)


def _models(desk: Desk, parent: QWidget) -> Place:
    from apexmem_desktop.ui.models_place import ModelsPlace

    return ModelsPlace(desk, parent)


def _settings(desk: Desk, parent: QWidget) -> Place:
    from apexmem_desktop.ui.settings_place import SettingsPlace

    return SettingsPlace(desk, parent, whole=False)


MAKERS: dict[str, Callable[[Desk, QWidget], Place]] = {
    "ask": _ask,
    "timeline": _timeline,
    "people": _people,
    "clarify": _clarify,
    "conversations": _conversations,
    "imports": _imports,
    "models": _models,
    "settings": _settings,
}

# Made in the background as soon as the window is there, in this order.
CHEAP = ("imports", "people", "clarify", "conversations", "models", "settings")


def load_modules() -> None:
    """Load the modules of the cheap places; any thread may do it."""
    import apexmem_desktop.ui.clarify_place
    import apexmem_desktop.ui.conversations_place
    import apexmem_desktop.ui.imports_place
    import apexmem_desktop.ui.models_place
    import apexmem_desktop.ui.people_place
    import apexmem_desktop.ui.settings_place  # noqa: F401 - loading is all that is wanted
    from apexmem_desktop.services import machine  # noqa: F401 - Settings asks it
    from apexmem_desktop.ui.zone_names import zone_names

    zone_names()


def begin_timeline(desk: Desk, parent: QWidget) -> None:
    """Make the half of the timeline that takes longest, for whoever makes the rest of it."""
    from apexmem_desktop.ui.timeline_place import make_plot

    make_plot(desk, parent)  # not seen before it has its place


def load_timeline() -> None:
    """Load the timeline's module and its drawing library; any thread may do it."""
    import apexmem_desktop.ui.timeline_place  # noqa: F401 - loading is all that is wanted
