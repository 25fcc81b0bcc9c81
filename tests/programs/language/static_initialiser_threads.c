// expect: true
// Statically initialised structures of locks and links, reached through their addresses.
#include <assert.h>
#include <pthread.h>

struct account {
  pthread_mutex_t lock;
  int balance;
  struct account *other;
};
static struct account accounts[2] = {
    {PTHREAD_MUTEX_INITIALIZER, 5, &accounts[1]},
    {.lock = PTHREAD_MUTEX_INITIALIZER, .balance = 7, .other = accounts},
};

static void *transfer(void *argument) {
  struct account *from = argument;
  pthread_mutex_lock(&accounts[0].lock);
  pthread_mutex_lock(&accounts[1].lock);
  from->balance--;
  from->other->balance++;
  pthread_mutex_unlock(&accounts[1].lock);
  pthread_mutex_unlock(&accounts[0].lock);
  return from->other;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++)
    pthread_create(t + i, 0, transfer, &accounts[i]);
  void *results[2];
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], results + i);
  assert(accounts[0].balance == 5 && accounts[1].balance == 7);
  assert(results[0] == &accounts[1] && results[1] == accounts);
  return 0;
}
