"""A stronger model reads again what a weaker one read; what the user refused stays refused."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from apexmem_desktop.domain.errors import VaultError
from apexmem_desktop.domain.graph import FactStatus
from apexmem_desktop.inference.language import GenerateRequest
from apexmem_desktop.recall import holding
from apexmem_desktop.services import browsing, building, queries, reading_queue, rulings
from apexmem_desktop.storage import facts, jobs
from tests.fakes import Reply, ScriptedLanguage
from tests.services.test_building import MINUTE_MS, START_MS, ScriptedWorkspace
from tests.storage.builders import count, make_turn, store_chat
