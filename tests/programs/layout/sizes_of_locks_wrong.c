// expect: false(unreach-call)
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>
#include <threads.h>

struct account {
  int number;
  pthread_mutex_t lock;
  pthread_cond_t changed;
  char money;
} account;

static char room[100];

int main(void) {
  assert(sizeof(pthread_mutex_t) == 40 && _Alignof(pthread_mutex_t) == 8);
  assert(sizeof(pthread_cond_t) == 48 && sizeof(pthread_attr_t) == 56);
  assert(sizeof(mtx_t) == 40 && sizeof(cnd_t) == 48);
  assert(sizeof account == 104 && offsetof(struct account, money) + 1 == 97);
  assert(&account.money - (char *)&account == 96);
  assert((size_t)&((struct account *)0)->changed == 48);
  memset(room + sizeof(pthread_mutex_t), 1, 1);
  assert(room[40] == 1 && room[39] == 1);
  return 0;
}
