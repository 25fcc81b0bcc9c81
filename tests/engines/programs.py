"""Small programs in textual form, for tests of the explicit engine and of traces."""

from __future__ import annotations

from abpress.ir.program import Program
from abpress.ir.reader import parse_program

INT = "{4: 0 i32} = 0"
MUTEX = '{4: 0 u32 ".owner"} = 0u32'
MAIN_RETURNS = 'exit "return from main"'
THREAD_ENDS = "finish 0ptr4"


def text(*templates: str, **objects: str) -> str:
    """The text of a program. An object is given as `name="layout = initial"`.

    A location or an edge per line; its position is line n of the file `p.c`, n from 1 in each
    template, and an arrow to the next location is added where there is none.
    """
    lines = ["program pointer 4 overflow end", 'file "p.c"']
    lines += [f"object {name} {layout}" for name, layout in objects.items()]
    for template in templates:
        name = template.split()[1]
        for n, part in enumerate(template.splitlines()):
            label = part.split(":")[0].split()[0] if part.startswith("L") else ""
            if label:
                following = f"L{int(label[1:]) + 1}"
            if part.startswith(("template", "register", "local")):
                lines.append(part)
                continue
            arrow = "" if "->" in part else f" -> {following}"
            lines.append(f"{part}{arrow} @{n}:1 {name}")
    return "\n".join(lines)


def program(*templates: str, **objects: str) -> Program:
    """The program of the `text`."""
    return parse_program(text(*templates, **objects))


def code(name: str, *actions: str, **registers: str) -> str:
    """A template: one location per action; an action may say `-> L…`, or `atomic:` before it."""
    lines = [f"template {name} entry L0"]
    lines += [f"register {register}: {type}" for register, type in registers.items()]
    for i, action in enumerate(actions):
        atomic = action.startswith("atomic:")
        body = action.removeprefix("atomic:").strip()
        if i == len(actions) - 1 and "->" not in body:
            body += f" -> L{i}"
        lines.append(f"L{i}{' atomic' if atomic else ''}: {body}")
    return "\n".join(lines)


def main(*workers: str, join: bool = True, end: str = MAIN_RETURNS) -> str:
    """The template `main`: creates the workers, joins them, and ends."""
    actions = [f"t{i} := spawn {worker} 0ptr4" for i, worker in enumerate(workers)]
    if join:
        actions += [f"r := join t{i}" for i in range(len(workers))]
    threads = {f"t{i}": "u32" for i in range(len(workers))}
    return code("main", *actions, end, **threads, r="ptr4")


def lock(mutex: str) -> tuple[str, ...]:
    """Actions that take a mutex: an atomic block. They use the registers `o` and `$tid`."""
    return (
        "o := 0u32",
        f"atomic: o := *&{mutex}",
        "atomic: await o == 0u32",
        f"atomic: *&{mutex} := $tid",
    )


def unlock(mutex: str) -> tuple[str, ...]:
    """The action that releases a mutex."""
    return (f"*&{mutex} := 0u32",)


def counter(loops: int, threads: int = 2) -> Program:
    """Threads that increment a shared variable without protection, each in a loop."""
    worker = code(
        "worker",
        "i := 0",
        f"when i < {loops} -> L2\n when i >= {loops} -> L5",
        "r := *&x",
        "*&x := r + 1",
        "i := i + 1 -> L1",
        THREAD_ENDS,
        i="i32",
        r="i32",
    )
    return program(main(*["worker"] * threads), worker, x=INT)
