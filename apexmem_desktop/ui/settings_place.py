"""Settings: language, look, clock, and where everything lies."""

from dataclasses import replace
from zoneinfo import available_timezones

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QFormLayout, QWidget

from apexmem_desktop.domain.reports import Changes, VaultStatus
from apexmem_desktop.services.settings import Settings
from apexmem_desktop.ui.dates import size_text
from apexmem_desktop.ui.desk import Desk
from apexmem_desktop.ui.parts import (
    PAGE_MARGIN,
    card,
    column,
    find_anywhere,
    heading,
    label,
    scrolling,
)
from apexmem_desktop.ui.place import Place
from apexmem_desktop.ui.tasks import Lane
from apexmem_desktop.ui.translation import LANGUAGES, tr, tr_count


class SettingsPlace(Place):
    """Each choice is kept as soon as it is made."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self.language = QComboBox()
        self.theme = QComboBox()
        self.zone = QComboBox()
        self._held = label(tone="muted")
        self._fill(desk.memory.settings())
        self._lay_out()
        self.language.activated.connect(lambda _: self._save(look=True))
        self.theme.activated.connect(lambda _: self._save(look=True))
        self.zone.activated.connect(lambda _: self._save(look=False))

    def refresh(self) -> None:
        """Count anew what the memory holds."""
        self._desk.read(self._desk.memory.status, self, self._show_status)

    def cares_for(self, changes: Changes) -> bool:
        """Tell whether a write may have touched what is shown."""
        return changes.turns or changes.facts

    def _fill(self, settings: Settings) -> None:
        self.language.addItem(tr("settings.system"), "")
        for code, name in LANGUAGES.items():
            self.language.addItem(name, code)
        self.theme.addItem(tr("settings.system"), "")
        for name in ("light", "dark"):
            self.theme.addItem(tr(f"settings.{name}"), name)
        self.zone.addItem(tr("settings.system_zone", zone=self._desk.memory.zone()), "")
        for zone in sorted(available_timezones()):
            self.zone.addItem(zone, zone)
        find_anywhere(self.zone)
        _choose(self.language, settings.ui_language)
        _choose(self.theme, settings.theme)
        _choose(self.zone, settings.zone)

    def _lay_out(self) -> None:
        content = QWidget()
        layout = column(content, spacing=18, margin=PAGE_MARGIN)
        layout.addLayout(heading(tr("place.settings")))
        frame, inner = card(spacing=14, margin=20)
        form = QFormLayout()
        form.setHorizontalSpacing(28)
        form.setVerticalSpacing(12)
        form.setLabelAlignment(Qt.AlignmentFlag.AlignLeft)
        for key, box in (("language", self.language), ("theme", self.theme), ("zone", self.zone)):
            box.setAccessibleName(tr(f"settings.{key}"))
            form.addRow(label(tr(f"settings.{key}")), box)
        inner.addLayout(form)
        inner.addWidget(label(tr("settings.zone_more"), tone="muted", size=0.92))
        layout.addWidget(frame)
        layout.addWidget(self._data_card())
        layout.addWidget(self._keys_card())
        layout.addStretch(1)
        column(self).addWidget(scrolling(content))

    def _data_card(self) -> QWidget:
        frame, inner = card(spacing=8, margin=20)
        inner.addWidget(label(tr("settings.data"), bold=True))
        inner.addWidget(label(tr("first.private"), tone="muted"))
        inner.addWidget(label(tr("settings.vault", path=self._desk.memory.vault_path)))
        inner.addWidget(label(tr("settings.models", path=self._desk.memory.models_folder())))
        inner.addWidget(self._held)
        return frame

    def _keys_card(self) -> QWidget:
        frame, inner = card(spacing=6, margin=20)
        inner.addWidget(label(tr("settings.keys"), bold=True))
        inner.addWidget(label(tr("settings.keys_list"), tone="muted"))
        return frame

    def _show_status(self, status: VaultStatus) -> None:
        parts = [
            tr_count("conversations.turns", status.turns),
            tr_count("people.facts", status.facts),
            tr_count("settings.entities", status.entities),
            size_text(status.vault_bytes),
        ]
        self._held.setText(" · ".join(parts))

    def _save(self, *, look: bool) -> None:
        old = self._desk.memory.settings()
        new = replace(
            old,
            ui_language=self.language.currentData(),
            theme=self.theme.currentData(),
            zone=self.zone.currentData() or "",
        )
        if new == old:
            return
        memory = self._desk.memory
        self._desk.tasks.submit(
            Lane.WRITE,
            lambda _: memory.save_settings(new),
            owner=self,
            on_done=lambda _: self._desk.look_changed.emit() if look else None,
        )


def _choose(box: QComboBox, value: str) -> None:
    box.setCurrentIndex(max(0, box.findData(value)))
