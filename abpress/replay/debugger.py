"""A script for gdb: a compiled program under its schedule that stops at each switch of threads."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path

from abpress.replay.building import NATIVE, Executable
from abpress.replay.machine import SANITIZERS
from abpress.replay.run import Replayed

_SCRIPT = """\
# Run it by: gdb -x FILE
# The program stops at each switch of threads and where the run is over: `continue` goes there,
# `next`, `print` and `backtrace` are as ever, `info threads` has the names of the trace.
python
import gdb
PROGRAM, RUNTIME = {program!r}, {runtime!r}
STEPS = {steps}
ENDS = {ends!r}
SWITCHES = [  # who stops, where, who goes on, where, before which step of the trace
{rows}
]


class Stop(gdb.Breakpoint):
    def __init__(self, function):
        super().__init__(function)
        self.silent = True


gdb.execute("set pagination off")
gdb.execute("set confirm off")
for command in {commands!r}:
    gdb.execute(command)
AT_SWITCH, AT_END = Stop("abp_switch"), Stop("abp_over")


def shown(event):
    if not isinstance(event, gdb.BreakpointEvent):
        return
    if AT_END in event.breakpoints:
        print("end of the run:", ENDS)
    elif AT_SWITCH in event.breakpoints:
        number = AT_SWITCH.hit_count
        if number > len(SWITCHES):
            print("a switch that the replay has not seen")
            return
        leaves, left, goes_on, enters, step = SWITCHES[number - 1]
        gdb.selected_thread().name = leaves
        print(f"switch {{number}} of {{len(SWITCHES)}}: {{leaves}} stops at {{left}}")
        where = f"before step {{step}} of {{STEPS}} of the trace" if step else "behind the trace"
        print(f"  {{goes_on}} goes on at {{enters}}, {{where}}")
    else:
        return
    frame = gdb.selected_frame()
    while frame is not None:
        file = frame.find_sal().symtab
        own = file is not None and file.objfile.filename == PROGRAM
        if own and not file.fullname().startswith(RUNTIME):
            frame.select()
            gdb.execute("frame")
            return
        frame = frame.older()


gdb.events.stop.connect(shown)
gdb.execute("run")
end
"""


def gdb_script(
    found: Replayed, its: Executable, schedule: Path, arguments: Sequence[str], steps: int
) -> str:
    """The script for a run that was led; `schedule` holds its answers, `steps` are those of the
    trace. It needs a gdb with Python."""
    program = str(its.path.resolve())
    rows = (
        f"    {(s.leaves, str(s.left), s.goes_on, str(s.enters), s.step)!r},"
        for s in found.switches
    )
    environment = {**_UNDER_A_DEBUGGER, "ABPRESS_ANSWERS": str(schedule.resolve())}
    commands = [
        f"file {shlex.quote(program)}",
        *(f"set environment {name} {value}" for name, value in environment.items()),
        f"set args {shlex.join(arguments)} < /dev/null",
        f"skip -gfi {NATIVE}/*",
    ]
    return _SCRIPT.format(
        program=program,
        runtime=f"{NATIVE}/",
        steps=steps,
        ends=found.what,
        rows="\n".join(rows),
        commands=commands,
    )


_UNDER_A_DEBUGGER = {
    name: value.replace("detect_leaks=1", "detect_leaks=0") for name, value in SANITIZERS.items()
}
"""LeakSanitizer does not work while another program traces this one."""
