"""Writes the expected text of prompt versions that have none yet, and removes older ones'."""

from tests.inference.test_prompts import NAMES, SNAPSHOTS, rendered, snapshot


def main() -> None:
    """Write what is missing; a text that is there already is left as it is."""
    SNAPSHOTS.mkdir(exist_ok=True)
    present = {snapshot(name) for name in NAMES}
    for path in set(SNAPSHOTS.glob("*.txt")) - present:
        path.unlink()
    for name in NAMES:
        if not snapshot(name).exists():
            snapshot(name).write_text(rendered(name), encoding="utf-8")


if __name__ == "__main__":
    main()
