"""Ids of threads behind pointers to anything: who reads them there as numbers looks at them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from abpress.ir.program import Alloc, MemoryObject
from abpress.ir.types import Layout
from abpress_frontend.lower.body import Body
from abpress_frontend.lower.pointing import Object, Pointing, heap_object
from abpress_frontend.lower.thread_ids import HIDDEN, NeedsFeature, ids_of, is_read


def look_behind_pointers(
    bodies: Mapping[str, Body],
    objects: Mapping[str, MemoryObject],
    points_to: Callable[[], Pointing],
) -> None:
    """Raises NeedsFeature for a place where a pointer to anything, which may point to ids, becomes
    one to numbers.

    A pointer to an id itself leads to numbers wherever the ids of the object lie. One to an object
    with ids in it is taken for one to its beginning: so one to a struct may become one to its first
    members.
    """
    if not any(body.revealed for body in bodies.values()):
        return
    with_ids = {o: its for o, its in _layouts(bodies, objects) if ids_of(its)}
    if not with_ids:
        return
    pointing = points_to()
    hidden = {
        o
        for name, body in bodies.items()
        for pointer in body.hidden_ids
        for o in pointing.objects(name, pointer)
    }
    for name, body in bodies.items():
        for pointer, type, at in body.revealed:
            for o in pointing.objects(name, pointer) & with_ids.keys():
                if is_read(type, with_ids[o], o in hidden):
                    raise NeedsFeature(f"{HIDDEN}{at}")


def _layouts(
    bodies: Mapping[str, Body], objects: Mapping[str, MemoryObject]
) -> Iterator[tuple[Object, Layout]]:
    """All objects, and what is where in them; of arrays on the heap, in one element."""
    yield from ((("", name), o.layout) for name, o in objects.items())
    for name, body in bodies.items():
        yield from (((name, local), o.layout) for local, o in body.graph.locals.items())
        for effect in body.graph.effects():
            if isinstance(effect, Alloc):
                yield heap_object(name, effect), effect.element
