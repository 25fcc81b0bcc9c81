// Lock-order cycle
//
// Each transfer locks the account that it takes from, then the one that it gives to. Two transfers in opposite directions may
// each hold the lock that the other one waits for.
//
// repair: Locks are taken in one order, here that of the accounts' numbers, whatever the direction.
// property: no-deadlock
// cause: lock order cycle
#include <pthread.h>

struct account {
  pthread_mutex_t lock;
  int balance;
};

static struct account accounts[2] = {
    {PTHREAD_MUTEX_INITIALIZER, 10},
    {PTHREAD_MUTEX_INITIALIZER, 10},
};

static void transfer(int from, int to) {
  pthread_mutex_lock(&accounts[from].lock);
  pthread_mutex_lock(&accounts[to].lock);
  accounts[from].balance--;
  accounts[to].balance++;
  pthread_mutex_unlock(&accounts[to].lock);
  pthread_mutex_unlock(&accounts[from].lock);
}

static void *there(void *unused) {
  transfer(0, 1);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, there, NULL);
  transfer(1, 0);
  pthread_join(thread, NULL);
  return 0;
}
