"""The commands `models list|pull|verify|use`."""

import argparse
import sys
from collections.abc import Sequence

from apexmem_desktop.cli import json_shapes, output
from apexmem_desktop.domain.reports import ModelSummary
from apexmem_desktop.services import models
from apexmem_desktop.services.locations import models_dir
from apexmem_desktop.services.settings import load_settings

_USUAL = "usual"  # in the place of a name: no model of its own for this stage any more


def run_list(options: argparse.Namespace) -> None:
    """List the catalogue."""
    _show(options, _summaries())


def run_pull(options: argparse.Namespace) -> None:
    """Fetch models and check them; those that are here whole are left alone."""
    names = options.names or _needed()
    for name in names:
        models.pull_model(name, models_dir(), output.progress_sink(options), options.cancel)
    if options.json:
        _show(options, [one for one in _summaries() if one.name in names])
    elif not options.quiet:
        print(f"Here and verified: {', '.join(names)}")


def run_verify(options: argparse.Namespace) -> int | None:
    """Check model files against the sums that the catalogue gives."""
    names = options.names or [one.name for one in _summaries() if one.present]
    bad = [name for name in names if not models.verify_model(name, models_dir())]
    for name in bad:
        print(
            f"{name} is missing or damaged. Fetch it anew with: apexmem models pull {name}",
            file=sys.stderr,
        )
    if options.json:
        _show(options, [one for one in _summaries() if one.name in names])
    else:
        print("\n".join(f"{name}: {'BAD' if name in bad else 'ok'}" for name in names))
    return 1 if bad else None


def run_use(options: argparse.Namespace) -> None:
    """Choose a model."""
    before = load_settings()
    name = "" if options.stage and options.names[0] == _USUAL else options.names[0]
    chosen = models.use_model(name, stage=options.stage)
    if options.json:
        _show(options, _summaries())
        return
    what = f" for {options.stage}" if options.stage else ""
    print(f"In use{what}: {options.names[0]}")
    if chosen.embedder != before.embedder:
        print("The next import, build or question indexes your messages anew by it;")
        print("until that is done, searches use the index that is there.")


def _summaries() -> Sequence[ModelSummary]:
    return models.list_models(load_settings(), models_dir())


def _needed() -> list[str]:
    """Return the default language model and the embedder."""
    return [models.default_language_model(), models.default_embedder()]


def _show(options: argparse.Namespace, summaries: Sequence[ModelSummary]) -> None:
    if options.json:
        output.print_json({"models": [json_shapes.model_shape(one) for one in summaries]})
        return
    rows = [
        (one.name, one.use, output.spell_bytes(one.bytes), one.licence, _state(one))
        for one in summaries
    ]
    output.print_table(("name", "use", "size", "licence", "state"), rows)


def _state(model: ModelSummary) -> str:
    if not model.present:
        return "not here"
    checked = "verified" if model.verified else "not verified"
    doing = f" for {', '.join(model.stages)}" if model.stages else ""
    return f"here, {checked}" + (f", in use{doing}" if model.in_use else "")
