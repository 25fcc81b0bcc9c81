"""Random small programs whose threads access three cells in all ways that count for races, as text.

Many of the accesses belong to steps that may be impossible: they are followed by assumptions, or
stand in atomic blocks that wait. Flags and a lock order some of them.
"""

from __future__ import annotations

from random import Random

CELLS = ("x", "y", "z")


class _Thread:
    """Draws the statements of one thread. `$` stands for the next location."""

    def __init__(self, chance: Random, kinds: list[str]) -> None:
        self.chance = chance
        self.lines: list[str] = []
        self._kinds = kinds
        self._locations = 0
        self.at("a := 0 -> $")

    def at(self, *edges: str, atomic: bool = False) -> None:
        self.lines.append(f"  L{self._locations}{' atomic' if atomic else ''}:")
        self._locations += 1
        self.lines += [f"    {edge.replace('$', f'L{self._locations}')}" for edge in edges]

    def beyond(self) -> str:
        """The location after the next one."""
        return f"L{self._locations + 2}"

    def access(self) -> str:
        cell, kind = self.chance.choice(CELLS), self.chance.choice(self._kinds)
        writes = self.chance.random() < 0.5
        effect = f"*&{cell} := {self.chance.randint(0, 2)}" if writes else f"a := *&{cell}"
        return f"{effect} -> $ {kind}".rstrip()

    def condition(self) -> tuple[str, str]:
        value = self.chance.randint(0, 2)
        both = [f"a == {value}", f"a != {value}"]
        self.chance.shuffle(both)
        return both[0], both[1]

    def statement(self) -> None:
        kind = self.chance.choice("aaaaaaallfffwwbssssss")
        if kind == "a":
            self.at(self.access())
        elif kind == "l":
            self._locked()
        elif kind == "f":
            if self.chance.random() < 0.5:
                self.at("*&flag := 1 -> $ atomic_access")
            else:
                self.at("a := *&flag -> $ atomic_access")
                self.at(f"{self.chance.choice(('await', 'assume'))} a == 1 -> $")
        elif kind == "w":
            self.at(f"a := *&{self.chance.choice(CELLS)} -> $")
            self.at(f"assume {self.condition()[0]} -> $")
        elif kind == "b":
            self.at("-> $", f"-> {self.beyond()}")
            self.at(self.access())
        else:
            self.at("-> $")
            for _ in range(self.chance.randint(1, 4)):
                self._inside()
            self.at("-> $")

    def _locked(self) -> None:
        self.at("-> $")
        self.at("a := *&lock -> $ library_access", atomic=True)
        self.at("await a == 0 -> $", atomic=True)
        self.at("*&lock := 1 -> $ library_access", atomic=True)
        for _ in range(self.chance.randint(0, 2)):
            self.at(self.access())
        self.at("*&lock := 0 -> $ library_access")

    def _inside(self) -> None:
        """An action of an atomic block."""
        kind = self.chance.choice("aaaawif")
        if kind == "w":
            word = self.chance.choice(("assume", "await"))
            self.at(f"{word} {self.condition()[0]} -> $", atomic=True)
        elif kind == "i":
            holds, fails = self.condition()
            self.at(f"when {holds} -> $", f"when {fails} -> {self.beyond()}", atomic=True)
            self.at(self.access(), atomic=True)
        elif kind == "f":
            self.at("a := *&flag -> $ library_access", atomic=True)
        else:
            self.at(self.access(), atomic=True)


def racing_program(seed: int) -> str:
    """A program of two or three threads, main included, as `parse_program` reads it."""
    chance = Random(seed)
    kinds = [""] * chance.randint(1, 4) + ["atomic_access"] * chance.randint(1, 5)
    kinds += ["section_access", "library_access", "exposed_access"]
    names = ["one", "two"][: chance.randint(1, 2)]
    main = _Thread(chance, kinds)
    for name in names:
        main.at(f"{name} := spawn {name} 0ptr -> $")
    for _ in range(chance.randint(0, 3)):
        main.statement()
    if chance.random() < 0.4:
        main.at(f"joined := join {chance.choice(names)} -> $")
        main.statement()
    main.at(chance.choice(('exit "exit" -> L0', "finish 0ptr -> L0", "finish 0ptr -> L0")))
    threads = {"main": main}
    for name in names:
        threads[name] = _Thread(chance, kinds)
        for _ in range(chance.randint(1, 4)):
            threads[name].statement()
        threads[name].at(chance.choice(['exit "exit" -> L0'] + ["finish 0ptr -> L0"] * 9))
    lines = ["program pointer 4 overflow end"]
    for cell in (*CELLS, "lock", "flag"):
        initial = chance.randint(0, 1) if cell in CELLS else 0
        lines.append(f"object {cell} {{4: 0 i32}} = {initial}")
    for name, thread in threads.items():
        lines += [f"template {name} entry L0", "  register a: i32", "  register joined: ptr"]
        lines += [f"  register {other}: u32" for other in names]
        lines += thread.lines
    return "\n".join(lines) + "\n"
