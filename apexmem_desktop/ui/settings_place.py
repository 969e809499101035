"""Settings: how it looks, which clock counts, when chats are read, and where the data lies."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFormLayout,
    QSizePolicy,
    QSystemTrayIcon,
    QVBoxLayout,
    QWidget,
)

from apexmem_desktop.domain.reading import Machine
from apexmem_desktop.domain.reports import Changes, VaultStatus
from apexmem_desktop.services.settings import Settings
from apexmem_desktop.ui.backup_card import BackupCard
from apexmem_desktop.ui.data_card import DataCard
from apexmem_desktop.ui.desk import Desk
from apexmem_desktop.ui.directions import one_way
from apexmem_desktop.ui.erase_dialog import EraseDialog
from apexmem_desktop.ui.idle_clock import IdleClock
from apexmem_desktop.ui.parts import (
    PAGE_MARGIN,
    button,
    card,
    column,
    find_anywhere,
    heading,
    label,
    row,
    scrolling,
)
from apexmem_desktop.ui.passphrase_card import PassphraseCard
from apexmem_desktop.ui.place import Place
from apexmem_desktop.ui.shortcut_sheet import ShortcutSheet
from apexmem_desktop.ui.tasks import Lane
from apexmem_desktop.ui.translation import LANGUAGES, tr, tr_count
from apexmem_desktop.ui.zone_names import ZONE_CHARS, zone_names

TEXT_SIZES = (80, 90, 100, 115, 130, 150, 175, 200)
_SPARE_PX = 4
BUILD_WHEN = ("", "idle", "mains")


class SettingsPlace(Place):
    """Each choice is kept as soon as it is made."""

    def __init__(self, desk: Desk, parent: QWidget | None = None, *, whole: bool = True) -> None:
        """Begin the page, and go on to its end unless somebody does that piece by piece."""
        super().__init__(desk, parent)
        self.language = QComboBox()
        self.theme = QComboBox()
        self.text_size = QComboBox()
        self.zone = QComboBox()
        self.when = QComboBox()
        self.threads = QComboBox()
        self.when_note = label(tone="muted", size=0.92)
        self.clock = IdleClock(desk, self)
        self.clock.told.connect(self._show_idle)
        self.told = QCheckBox(tr("settings.told"))
        self.stays = QCheckBox(tr("settings.stays"))
        self.stays.setVisible(QSystemTrayIcon.isSystemTrayAvailable())
        self.dialog: EraseDialog | None = None
        self._fill(desk.memory.settings())
        self._fill_threads(desk.memory.settings(), desk.memory.machine())
        self._rest = self._pieces()
        if whole:
            self.complete()

    def _pieces(self) -> Iterator[None]:
        """Make the page card by card, from the outside in."""
        layout = self._frame()
        looks = (("language", self.language), ("theme", self.theme), ("text", self.text_size))
        zone = (("zone", self.zone),)
        reads = (("when", self.when), ("threads", self.threads))
        width = self._widest([key for key, _ in (*looks, *zone, *reads)])
        layout.addWidget(_form_card(looks, width))
        yield
        layout.addWidget(_form_card(zone, width, tr("settings.zone_more")))
        layout.addWidget(self._reading_card(reads, width))
        yield
        self.data = DataCard(self._desk)
        layout.addWidget(self.data)
        self.passphrase = PassphraseCard(self._desk)
        layout.addWidget(self.passphrase)
        yield
        self.backups = BackupCard(self._desk)
        layout.addWidget(self.backups)
        yield
        layout.addWidget(self._erase_card())
        layout.addWidget(self._help_card())
        layout.addStretch(1)
        self._wire()

    def _wire(self) -> None:
        for box in (self.language, self.theme, self.text_size):
            box.activated.connect(lambda _: self._save(look=True))
        for box in (self.zone, self.when, self.threads):
            box.activated.connect(lambda _: self._save(look=False))
        for check in (self.told, self.stays):
            check.toggled.connect(lambda _: self._save(look=False))

    def refresh(self) -> None:
        """Count anew what the memory holds."""
        self._desk.read(self._desk.memory.status, self, self._show_status)
        self.data.refresh()
        self.backups.refresh()
        self._explain_when()

    def cares_for(self, changes: Changes) -> bool:
        """Tell whether a write may have touched what is shown."""
        return changes.turns or changes.facts

    def erase(self) -> None:
        """Open the dialog that erases."""
        self.dialog = EraseDialog(self._desk, self.window())
        self.dialog.show()

    def _fill(self, settings: Settings) -> None:
        self.language.addItem(tr("settings.system"), "")
        for code, name in LANGUAGES.items():
            self.language.addItem(name, code)
        self.theme.addItem(tr("settings.system"), "")
        for name in ("light", "dark"):
            self.theme.addItem(tr(f"settings.{name}"), name)
        for percent in TEXT_SIZES:
            self.text_size.addItem(one_way(f"{percent} %"), percent)
        self.zone.addItem(tr("settings.system_zone", zone=self._desk.memory.zone()), "")
        self.zone.addItems(list(zone_names()))
        find_anywhere(self.zone, ZONE_CHARS)
        for when in BUILD_WHEN:
            self.when.addItem(tr(f"settings.when_{when or 'always'}"), when)
        _choose(self.language, settings.ui_language)
        _choose(self.theme, settings.theme)
        _choose(self.text_size, settings.text_percent)
        self.zone.setCurrentIndex(max(0, self.zone.findText(settings.zone)))
        _choose(self.when, settings.build_when)
        self.told.setChecked(not settings.quiet)
        self.stays.setChecked(settings.keep_in_tray)

    def _fill_threads(self, settings: Settings, machine: Machine) -> None:
        self.threads.addItem(tr("settings.threads_auto"), 0)
        for count in range(1, max(machine.cores, settings.threads) + 1):
            self.threads.addItem(tr_count("settings.threads_count", count), count)
        _choose(self.threads, settings.threads)

    def _frame(self) -> QVBoxLayout:
        content = QWidget()
        layout = column(content, spacing=18, margin=PAGE_MARGIN)
        # First the frame, then what is in it: to hang a full page into a frame costs as much again.
        column(self).addWidget(scrolling(content))
        layout.addLayout(heading(tr("place.settings")))
        return layout

    def _reading_card(self, fields: tuple[tuple[str, QComboBox], ...], width: int) -> QWidget:
        reading = _form_card(fields, width)
        inner = reading.layout()
        if inner is not None:
            inner.addWidget(self.when_note)
            inner.addWidget(self.told)
            inner.addWidget(self.stays)
        return reading

    def _widest(self, keys: list[str]) -> int:
        """Measure the names, so that the boxes of all cards stand below one another."""
        advance = self.fontMetrics().horizontalAdvance
        return max(advance(tr(f"settings.{key}")) for key in keys) + _SPARE_PX

    def _erase_card(self) -> QWidget:
        frame, inner = card(spacing=8, margin=20)
        inner.addWidget(label(tr("erase.title"), bold=True))
        inner.addWidget(label(tr("erase.intro"), tone="muted"))
        inner.addLayout(row(button(tr("erase.open"), self.erase, kind="danger"), 0))
        return frame

    def _help_card(self) -> QWidget:
        frame, inner = card(spacing=8, margin=20)
        inner.addWidget(label(tr("settings.help"), bold=True))
        inner.addWidget(label(tr("settings.log_more"), tone="muted"))
        keys = button(tr("keys.title"), self._show_keys)
        keys.setToolTip("F1")
        log = button(tr("settings.log"), self.open_log)
        inner.addLayout(row(keys, log, 0))
        return frame

    def open_log(self) -> None:
        """Open the log in whatever shows texts here."""
        from apexmem_desktop.services.locations import log_path

        QDesktopServices.openUrl(QUrl.fromLocalFile(str(log_path())))

    def _show_keys(self) -> None:
        ShortcutSheet(self.window()).exec()

    def _show_status(self, status: VaultStatus) -> None:
        self.data.show_status(status)
        self.passphrase.show_state(encrypted=status.encrypted)

    def _explain_when(self) -> None:
        """Say below the choice what it means on this computer."""
        when = self.when.currentData()
        if when == "idle":
            self.clock.ask()
        elif when == "mains":
            self._desk.read(self._desk.memory.machine, self, self._show_power)
        else:
            self.when_note.setText(tr("settings.when_note_always"))

    def _show_idle(self, idle_ms: int | None) -> None:
        if self.when.currentData() == "idle":
            known = "window" if idle_ms is None else "idle"
            self.when_note.setText(tr(f"settings.when_note_{known}"))

    def _show_power(self, machine: Machine) -> None:
        if self.when.currentData() == "mains":
            state = "battery" if machine.on_battery else "mains"
            state = state if machine.tells_power else "no_power"
            self.when_note.setText(tr(f"settings.when_note_{state}"))

    def _save(self, *, look: bool) -> None:
        old = self._desk.memory.settings()
        new = replace(
            old,
            ui_language=self.language.currentData(),
            theme=self.theme.currentData(),
            text_percent=self.text_size.currentData(),
            zone=self.zone.currentText() if self.zone.currentIndex() > 0 else "",
            build_when=self.when.currentData(),
            threads=self.threads.currentData(),
            quiet=not self.told.isChecked(),
            keep_in_tray=self.stays.isChecked(),
        )
        if new == old:
            return
        self._explain_when()
        memory = self._desk.memory
        self._desk.tasks.submit(
            Lane.WRITE,
            lambda _: memory.save_settings(new),
            owner=self,
            on_done=lambda _: self._on_saved(look=look),
        )

    def _on_saved(self, *, look: bool) -> None:
        if look:
            self._desk.look_changed.emit()
        else:
            self._desk.build_asked.emit()  # it may be allowed to read now


def _form_card(fields: tuple[tuple[str, QComboBox], ...], width: int, more: str = "") -> QWidget:
    frame, inner = card(spacing=12, margin=20)
    form = QFormLayout()
    form.setHorizontalSpacing(28)
    form.setVerticalSpacing(12)
    form.setLabelAlignment(Qt.AlignmentFlag.AlignLeft)
    form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
    for key, box in fields:
        name = label(tr(f"settings.{key}"))
        name.setBuddy(box)
        name.setMinimumSize(width, box.sizeHint().height())
        box.setAccessibleName(tr(f"settings.{key}"))
        # In large letters a box is rather cut than laid over its name.
        box.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        form.addRow(name, box)
    inner.addLayout(form)
    if more:
        inner.addWidget(label(more, tone="muted", size=0.92))
    return frame


def _choose(box: QComboBox, value: Any) -> None:
    box.setCurrentIndex(max(0, box.findData(value)))
