"""What is read, under the everyday name of its property (`domain/everyday.py`)."""

from dataclasses import replace

from apexmem_desktop.building.candidates import Candidate
from apexmem_desktop.building.grounding import fits_kind
from apexmem_desktop.building.ontology import load_shapes
from apexmem_desktop.domain.everyday import canonical_name


def with_canonical_name(candidate: Candidate) -> Candidate:
    """Store what a clause tells under the everyday name of its verb, where its value can be that.

    The speaker's own things ("laptop · crashed") keep their names: there the name is what was said.
    """
    name = canonical_name(candidate.property)
    if name == candidate.property or candidate.shape == "own":
        return candidate
    shape = load_shapes().get(name)
    if shape is None:
        return replace(candidate, property=name)
    if not fits_kind(candidate.value, shape.value_kind):
        return candidate
    return replace(candidate, property=name, shape=name)
