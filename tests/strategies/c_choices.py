"""Random C programs of several short threads that test and write the same variables; some of the
threads choose by an input what they do."""

from __future__ import annotations

from hypothesis import strategies as st

HEAD = """\
#include <pthread.h>
extern _Bool __VERIFIER_nondet_bool(void);
int x, y, z;
"""

_VARIABLES = st.sampled_from("xyz")


@st.composite
def _statements(draw: st.DrawFn) -> str:
    form = draw(
        st.sampled_from(["{0} = 1;", "if (!{0}) {1} = 1;", "{0} = {1} + 1;", "if ({0}) {1}++;"])
    )
    return form.format(draw(_VARIABLES), draw(_VARIABLES))


@st.composite
def choosing_programs(draw: st.DrawFn, threads: int = 4) -> str:
    """The text of a program. The first thread, at least, has a choice."""
    bodies = []
    for k in range(threads):
        body = draw(st.lists(_statements(), min_size=1, max_size=1))
        if k == 0 or draw(st.integers(0, 4)) == 0:
            body.insert(0, f"if (__VERIFIER_nondet_bool()) {{ {draw(_statements())} }}")
        bodies.append(f"void *t{k}(void *p) {{ {' '.join(body)} return 0; }}\n")
    creations = "".join(f"  pthread_create(&t, 0, t{k}, 0);\n" for k in range(threads))
    main = f"int main(void) {{\n  pthread_t t;\n{creations}  pthread_exit(0);\n}}\n"
    return HEAD + "".join(bodies) + main
