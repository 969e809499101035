"""A memory that is read by rule alone, so that nobody needs a model to redo the bench's sheets."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from apexmem_desktop.inference.requests import GenerateRequest, Generation, ModelTime
from apexmem_desktop.services.workspace import Workspace

if TYPE_CHECKING:
    from apexmem_desktop.domain.progress import CancelToken
    from apexmem_desktop.inference.embedder import EmbedderHost
    from apexmem_desktop.inference.language import LanguageHost

RULES_ONLY = "rules-only"  # what `runs` keeps in a model's place
_NOTHING = "-"  # what the prompts take for "it tells nothing"


class RulesOnlyWorkspace(Workspace):
    """A workspace whose language model finds nothing and is never in favour of anything."""

    def language(self) -> "LanguageHost":
        """Return the model that says nothing."""
        return cast("LanguageHost", _Silence())

    def embedder(self) -> "EmbedderHost | None":
        """Return none: no rule needs vectors, and they take longer than all the rules."""
        return None

    def language_for(self, stage: str) -> "LanguageHost":
        """Return the model that says nothing, whatever the settings name."""
        return self.language()


class _Silence:
    """Answers every request with nothing, at no cost; choices are all as likely."""

    model_id = RULES_ONLY
    context_tokens = 8192
    spent = ModelTime()

    def generate(
        self, requests: Sequence[GenerateRequest], *, cancel: "CancelToken | None" = None
    ) -> list[Generation]:
        """Find nothing in any of them."""
        if cancel is not None:
            cancel.check()
        return [_nothing(request) for request in requests]


def _nothing(request: GenerateRequest) -> Generation:
    if not request.choices:
        return Generation(text=_NOTHING, finish="stop")
    each = 1 / len(request.choices)
    return Generation("", "stop", choice_probabilities=dict.fromkeys(request.choices, each))
