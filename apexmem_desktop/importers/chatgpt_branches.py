"""The tree of messages of a ChatGPT conversation: the branch in use, and those that were left."""

from collections.abc import Iterator
from typing import NamedTuple

from apexmem_desktop.importers.json_stream import Json, as_dict, as_list, as_text
from apexmem_desktop.importers.local_clock import time_ms


class Node(NamedTuple):
    """A message in its place.

    Attributes:
        active: False on a branch that the user left.
        parent: Id of the node before, "" at the root.
    """

    id: str
    message: dict[str, Json]
    active: bool
    parent: str


class Tree:
    """A conversation's mapping. Whatever is wrong with its links, walking it ends."""

    def __init__(self, mapping: dict[str, Json], current: str) -> None:
        self.problems: list[str] = []
        nodes = {key: as_dict(node) for key, node in mapping.items()}
        self._messages = {key: as_dict(node.get("message")) for key, node in nodes.items()}
        self._parents = self._find_parents(nodes)
        self._children: dict[str, list[str]] = {}
        for key, parent in self._parents.items():
            self._children.setdefault(parent, []).append(key)
        if current not in self._messages:
            if current:
                self.problems.append("its current message is missing; the newest branch was taken")
            current = self._newest_leaf()
        self._path = self._walk_up(current)

    def _find_parents(self, nodes: dict[str, dict[str, Json]]) -> dict[str, str]:
        parents = {key: as_text(node.get("parent")) for key, node in nodes.items()}
        if "" in parents.values():
            by_children = _parents_by_children(nodes)
            parents = {key: one or by_children.get(key, "") for key, one in parents.items()}
        for key, parent in parents.items():
            if parent and parent not in nodes:
                self.problems.append("a message before is missing; what follows it was kept")
                parents[key] = ""
        if not any(parents.values()):
            # Tools that rewrite exports drop the links: the order of the file is all there is.
            return dict(zip(parents, ["", *parents], strict=False))
        return parents

    def _newest_leaf(self) -> str:
        leaves = [key for key in self._messages if key not in self._children]
        candidates = leaves or list(self._messages)
        return max(
            reversed(candidates),
            key=lambda key: time_ms(self._messages[key].get("create_time")) or 0,
            default="",
        )

    def _walk_up(self, key: str) -> list[str]:
        path: list[str] = []
        seen: set[str] = set()
        while key:
            if key in seen:
                self.problems.append("its messages form a circle; it was cut")
                break
            seen.add(key)
            path.append(key)
            key = self._parents.get(key, "")
        return path[::-1]

    def nodes(self) -> Iterator[Node]:
        """Give every message once: left branches before the one that took their place."""
        active = set(self._path)
        seen: set[str] = set(active)
        for key in self._path:
            parent = self._parents[key]
            for sibling in self._children.get(parent, ()) if parent else ():
                if sibling not in seen:
                    yield from self._subtree(sibling, seen)
            yield Node(key, self._messages[key], active=True, parent=parent)
        for key in self._path[-1:]:
            for child in self._children.get(key, ()):
                yield from self._subtree(child, seen)
        for key in self._messages:  # other roots, and circles beside the path
            if key not in seen:
                yield from self._subtree(key, seen)

    def _subtree(self, root: str, seen: set[str]) -> Iterator[Node]:
        waiting = [root]
        while waiting:
            key = waiting.pop()
            if key in seen:
                continue
            seen.add(key)
            yield Node(key, self._messages[key], active=False, parent=self._parents[key])
            waiting.extend(reversed(self._children.get(key, [])))


def _parents_by_children(nodes: dict[str, dict[str, Json]]) -> dict[str, str]:
    return {
        child if isinstance(child, str) else as_text(child): key
        for key, node in nodes.items()
        for child in as_list(node.get("children"))
    }
