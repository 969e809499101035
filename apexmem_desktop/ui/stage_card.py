"""Which language model does what, for who wants more than one."""

from functools import partial

from PySide6.QtWidgets import QComboBox, QFormLayout, QFrame

from apexmem_desktop.domain.reading import Machine
from apexmem_desktop.domain.reports import Changes, ModelSummary
from apexmem_desktop.ui.dates import size_text
from apexmem_desktop.ui.desk import Desk
from apexmem_desktop.ui.parts import column, label
from apexmem_desktop.ui.tasks import Lane
from apexmem_desktop.ui.translation import tr

STAGES = ("extraction", "resolution", "answering")


class StageCard(QFrame):
    """A choice for each stage, of the models that are here."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self.setObjectName("card")
        self._desk = desk
        self._models: tuple[ModelSummary, ...] = ()
        self._machine: Machine | None = None
        self.boxes = {stage: QComboBox() for stage in STAGES}
        self.needs = label(tone="muted", size=0.92)
        layout = column(self, spacing=10, margin=18)
        layout.addWidget(label(tr("stages.title"), bold=True))
        layout.addWidget(label(tr("stages.more"), tone="muted", size=0.92))
        form = QFormLayout()
        form.setHorizontalSpacing(20)
        form.setVerticalSpacing(10)
        for stage, box in self.boxes.items():
            name = label(tr(f"stages.{stage}"))
            name.setBuddy(box)
            box.setAccessibleName(tr(f"stages.{stage}"))
            box.activated.connect(partial(self._on_chosen, stage))
            form.addRow(name, box)
        layout.addLayout(form)
        layout.addWidget(self.needs)

    def show_models(self, models: tuple[ModelSummary, ...]) -> None:
        """Offer the language models that are here; nothing where there is no choice."""
        self._models = tuple(one for one in models if one.use == "language" and one.present)
        settings = self._desk.memory.settings()
        for stage, box in self.boxes.items():
            own = settings.model_for(stage)
            box.clear()
            box.addItem(tr("stages.usual"), "")
            for one in self._models:
                box.addItem(one.title or one.name, one.name)
            if own and box.findData(own) < 0:  # a file of the user's own
                box.addItem(own.rpartition("/")[2], own)
            box.setCurrentIndex(max(0, box.findData(own)))
        self.setVisible(len(self._models) > 1 or any(map(settings.model_for, STAGES)))
        self._show_needs()

    def show_machine(self, machine: Machine) -> None:
        """Tell beside the memory that there is what the chosen models need together."""
        self._machine = machine
        self._show_needs()

    def _show_needs(self) -> None:
        used = [one for one in self._models if one.stages]
        needs, machine = sum(one.memory_bytes for one in used), self._machine
        self.needs.setVisible(len(used) > 1 and machine is not None)
        if machine is not None:
            text = {"needs": size_text(needs), "free": size_text(machine.free_bytes)}
            self.needs.setText(tr("stages.needs", **text))

    def _on_chosen(self, stage: str, _index: int) -> None:
        memory, name = self._desk.memory, self.boxes[stage].currentData()
        self._desk.tasks.submit(
            Lane.WRITE,
            lambda _: memory.use_model(name, stage),
            owner=self,
            on_done=lambda _: self._desk.changed.emit(Changes(models=True)),
        )
