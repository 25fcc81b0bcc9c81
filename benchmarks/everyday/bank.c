/* Transfers between accounts; locks are taken in the order of addresses. */
#include <pthread.h>
#include <assert.h>
#include <stdlib.h>

struct account { pthread_mutex_t lock; long balance; };

static struct account accounts[2];

static void transfer(struct account *from, struct account *to, long amount) {
  struct account *first = from < to ? from : to, *second = from < to ? to : from;
  pthread_mutex_lock(&first->lock);
  pthread_mutex_lock(&second->lock);
  if (from->balance >= amount) {
    from->balance -= amount;
    to->balance += amount;
  }
  pthread_mutex_unlock(&second->lock);
  pthread_mutex_unlock(&first->lock);
}

static void *there(void *unused) { transfer(&accounts[0], &accounts[1], 30); return unused; }
static void *back(void *unused) { transfer(&accounts[1], &accounts[0], 50); return unused; }

int main(void) {
  pthread_t a, b;
  for (int i = 0; i < 2; i++) {
    pthread_mutex_init(&accounts[i].lock, NULL);
    accounts[i].balance = 100;
  }
  pthread_create(&a, NULL, there, NULL);
  pthread_create(&b, NULL, back, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(accounts[0].balance + accounts[1].balance == 200);
  for (int i = 0; i < 2; i++) pthread_mutex_destroy(&accounts[i].lock);
  return 0;
}
