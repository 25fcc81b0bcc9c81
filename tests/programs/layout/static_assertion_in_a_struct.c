// expect: true
#include <assert.h>
#include <semaphore.h>

struct account {
  sem_t lock;
  _Static_assert(sizeof(sem_t) > sizeof(int), "the lock is larger than a number");
  int money;
  _Static_assert(sizeof(int) == 4, "32 bits");
};

int main(void) {
  static struct account a;
  assert(a.money == 0);
  return 0;
}
