"""Asking, as the window calls it: questions, and the dialogues that they are kept in."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from apexmem_desktop.domain.answers import Answer, AskNews, AskOptions, DialogueSummary
from apexmem_desktop.domain.errors import NotFoundError
from apexmem_desktop.domain.progress import CancelToken

if TYPE_CHECKING:
    from apexmem_desktop.services.asking import RemovedDialogue
    from apexmem_desktop.services.workspace import Workspace


class AskingMemory:
    """The part of the memory behind the window that answers."""

    _ws: "Workspace"

    def ask(
        self,
        question: str,
        options: AskOptions,
        on_news: Callable[[AskNews], None],
        cancel: CancelToken,
    ) -> Answer:
        """Answer a question; news come while it thinks."""
        from apexmem_desktop.services import asking

        return asking.ask(self._ws, question, options, on_news=on_news, cancel=cancel)

    def dialogues(self) -> tuple[DialogueSummary, ...]:
        """What was asked, the last asked first."""
        from apexmem_desktop.services import asking

        return asking.list_dialogues(self._ws)

    def dialogue(self, dialogue_id: int) -> tuple[Answer, ...]:
        """The answers of one dialogue."""
        from apexmem_desktop.services import asking

        return asking.get_dialogue(self._ws, dialogue_id)

    def remove_dialogue(self, dialogue_id: int) -> "RemovedDialogue":
        """Take a dialogue out; what this gives back brings it back."""
        from apexmem_desktop.services import asking

        return asking.remove_dialogue(self._ws, dialogue_id)

    def bring_back_dialogue(self, removed: "RemovedDialogue") -> None:
        """Put a dialogue back."""
        from apexmem_desktop.services import asking

        asking.bring_back_dialogue(self._ws, removed)

    def latest_answer(self) -> Answer | None:
        """The newest stored answer with its trace."""
        from apexmem_desktop.services import asking

        try:
            return asking.get_trace(self._ws)
        except NotFoundError:
            return None
