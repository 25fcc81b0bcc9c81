"""Programs that were preprocessed with other headers: the library's types are ours all the same."""

from __future__ import annotations

from pathlib import Path

from abpress.config import Config
from abpress.result import Verdict
from abpress.verify.run import verify

FOREIGN = """
typedef union { char __size[4]; long int __align; } pthread_mutexattr_t;
typedef union { char __size[24]; long int __align; } pthread_mutex_t;
extern int pthread_mutexattr_init(pthread_mutexattr_t *);
extern int pthread_mutex_init(pthread_mutex_t *, const pthread_mutexattr_t *);
extern int pthread_mutex_lock(pthread_mutex_t *);
pthread_mutexattr_t a;
pthread_mutex_t m;
int main(void) {
  pthread_mutexattr_init(&a);
  pthread_mutex_init(&m, &a);
  return pthread_mutex_lock(&m);
}
"""


def test_definitions_of_other_headers_do_not_count(tmp_path: Path) -> None:
    file = tmp_path / "program.i"
    file.write_text(FOREIGN)
    asked = Config.of(file, engine="explicit", property="valid-deref", data_model="ILP32")
    assert verify(asked).result.verdict is Verdict.TRUE
