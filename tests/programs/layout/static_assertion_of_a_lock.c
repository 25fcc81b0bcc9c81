// expect: true
#include <assert.h>
#include <semaphore.h>

struct account {
  sem_t lock;
  int money;
} __attribute__((aligned(64)));

_Static_assert(sizeof(struct account) % 64 == 0, "whole cache lines");

int main(void) {
  static struct account a;
  _Static_assert(sizeof a >= sizeof(sem_t) + sizeof(int), "there is place for both");
  assert(a.money == 0);
  return 0;
}
