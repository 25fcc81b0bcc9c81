"""Speed of the interpreter: stateful depth-first search of a two-thread counter program.

Prints the median of five searches.
"""

from __future__ import annotations

import argparse
import statistics
import time

from abpress.ir.program import Program
from abpress.ir.reader import parse_program
from abpress.semantics.interpreter import Interpreter

ROUNDS = 10
RUNS = 5

PROGRAM = f"""
program pointer 4 overflow end

object counter {{4: 0 i32}} = 0

template main entry L0
  register a: u32
  register b: u32
  register r: ptr
  register v: i32
  L0: a := spawn worker 0ptr -> L1
  L1: b := spawn worker 0ptr -> L2
  L2: r := join a -> L3
  L3: r := join b -> L4
  L4: v := *&counter -> L5
  L5: when v > {2 * ROUNDS} -> L6
      when v <= {2 * ROUNDS} -> L7
  L6: fail "unreach-call" "counted too far" -> L6
  L7: exit "return from main" -> L7

template worker entry L0
  register i: i32
  register c: i32
  L0: i := 0 -> L1
  L1: when i < {ROUNDS} -> L2
      when i >= {ROUNDS} -> L5
  L2: c := *&counter -> L3
  L3: *&counter := c + 1 -> L4
  L4: i := i + 1 -> L1
  L5: finish 0ptr -> L5
"""


def search(program: Program) -> tuple[int, int, float]:
    """States and steps of a complete search, and its seconds."""
    interpreter = Interpreter(program)
    threads, steps = interpreter.threads, interpreter.steps
    begin = time.perf_counter()
    first = interpreter.initial()
    visited = {first}
    stack = [first]
    count = 0
    while stack:
        s = stack.pop()
        for t in threads(s):
            for step in steps(s, t):
                count += 1
                successor = step.successor
                if step.violation is None and successor not in visited:
                    visited.add(successor)
                    stack.append(successor)
    return len(visited), count, time.perf_counter() - begin


def arguments(parser: argparse.ArgumentParser) -> None:
    """Whether to run it."""
    parser.add_argument(
        "--show", action="store_true", help="print the generated code of the counter's first step"
    )


def run(options: argparse.Namespace) -> int:
    """Prints steps and states per second, or the code."""
    program = parse_program(PROGRAM)
    if options.show:
        interpreter = Interpreter(program)
        s = interpreter.initial()
        for t in (1, 1, 1, 2, 2, 2):
            print(interpreter.source(s, t))
            step = next(iter(interpreter.steps(s, t)), None)
            s = step.successor if step is not None else s
        return 0
    searches = [search(program) for _ in range(RUNS)]
    states, steps, _ = searches[0]
    seconds = statistics.median(each[2] for each in searches)
    print(f"{states} states, {steps} steps, median of {RUNS} searches {seconds:.3f} s")
    print(f"{steps / seconds:.0f} steps/s, {states / seconds:.0f} states/s")
    return 0
