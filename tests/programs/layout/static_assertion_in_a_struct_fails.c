// expect: input-error "a static assertion fails"
#include <pthread.h>

struct account {
  pthread_mutex_t lock;
  _Static_assert(sizeof(int) == 8, "64 bits");
  int money;
};

int main(void) {
  struct account a;
  return a.money = 0;
}
