"""Models: what reads and answers here, what can be fetched, which is in use."""

from PySide6.QtWidgets import QFileDialog, QVBoxLayout, QWidget

from apexmem_desktop.domain.reading import Machine, SelfTest
from apexmem_desktop.domain.reports import Changes, ModelSummary
from apexmem_desktop.ui.dates import size_text
from apexmem_desktop.ui.desk import Desk
from apexmem_desktop.ui.model_row import ModelRow
from apexmem_desktop.ui.parts import (
    PAGE_MARGIN,
    button,
    clear,
    column,
    heading,
    label,
    row,
    scrolling,
)
from apexmem_desktop.ui.place import Place
from apexmem_desktop.ui.stage_card import StageCard
from apexmem_desktop.ui.tasks import Lane
from apexmem_desktop.ui.translation import tr


class ModelsPlace(Place):
    """A card a model, language models first."""

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(desk, parent)
        self.rows: dict[str, ModelRow] = {}
        self._list = QVBoxLayout()
        self._list.setSpacing(12)
        content = QWidget()
        column(self).addWidget(scrolling(content))
        layout = column(content, spacing=18, margin=PAGE_MARGIN)
        layout.addLayout(heading(tr("place.models"), tr("models.subtitle")))
        self.machine = label(tone="muted")
        layout.addWidget(self.machine)
        layout.addLayout(self._list)
        self.stages = StageCard(desk)
        layout.addWidget(self.stages)
        own = button(tr("models.own_file"), self._choose_own)
        layout.addLayout(row(own, 0))
        folder = tr("models.folder", path=desk.memory.models_folder())
        layout.addWidget(label(folder, tone="muted", size=0.92))
        layout.addStretch(1)

    def refresh(self) -> None:
        """Look again what is here."""
        self._desk.read(self._desk.memory.models, self, self._show)

    def cares_for(self, changes: Changes) -> bool:
        """Tell whether a write may have touched what is shown."""
        return changes.models

    def _show(self, models: tuple[ModelSummary, ...]) -> None:
        if set(self.rows) != {model.name for model in models}:
            self._fill(models)
        for model in models:
            self.rows[model.name].show_model(model)
        self.stages.show_models(models)
        self._desk.read(self._desk.memory.machine, self, self._show_machine)
        self._desk.read(self._desk.memory.self_tests, self, self._show_tests)

    def _show_tests(self, tests: dict[str, SelfTest]) -> None:
        for name, one in self.rows.items():
            if name in tests:
                one.show_test(tests[name])

    def _show_machine(self, machine: Machine) -> None:
        self.machine.setVisible(bool(machine.memory_bytes))
        self.machine.setText(
            tr(
                "models.machine",
                memory=size_text(machine.memory_bytes),
                free=size_text(machine.free_bytes),
                cores=machine.cores,
            )
        )
        for one in self.rows.values():
            one.show_machine(machine)
        self.stages.show_machine(machine)

    def _choose_own(self) -> None:
        """Take a model file of the user's own."""
        name, _ = QFileDialog.getOpenFileName(
            self, tr("models.own_file"), "", tr("models.own_kind") + " (*.gguf)"
        )
        if not name:
            return
        memory = self._desk.memory
        self._desk.tasks.submit(
            Lane.WRITE,
            lambda _: memory.use_model(name),
            owner=self,
            on_done=lambda _: self._desk.changed.emit(Changes(models=True)),
        )

    def _fill(self, models: tuple[ModelSummary, ...]) -> None:
        clear(self._list)
        self.rows = {}
        for use in ("language", "embedding"):
            self._list.addWidget(label(tr(f"models.section_{use}"), size=1.2, bold=True))
            for model in models:
                if model.use == use:
                    self.rows[model.name] = ModelRow(self._desk, model)
                    self._list.addWidget(self.rows[model.name])
