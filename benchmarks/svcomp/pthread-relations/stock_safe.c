/* A producer and a consumer: what is in stock was made and not yet used. */
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

static void __VERIFIER_assert(int cond) {
  if (!cond) {
    reach_error();
    abort();
  }
}

extern int __VERIFIER_nondet_int(void);

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int wanted, made, used, stock;

void *produce(void *unused) {
  for (int i = 0; i < wanted; i++) {
    pthread_mutex_lock(&lock);
    made++;
    stock++;
    pthread_mutex_unlock(&lock);
  }
  return 0;
}

void *consume(void *unused) {
  for (int i = 0; i < wanted; i++) {
    pthread_mutex_lock(&lock);
    if (stock > 0) {
      stock--;
      used++;
    }
    pthread_mutex_unlock(&lock);
  }
  return 0;
}

int main(void) {
  pthread_t producer, consumer;
  wanted = __VERIFIER_nondet_int();
  if (wanted > 100000)
    return 0;
  pthread_create(&producer, 0, produce, 0);
  pthread_create(&consumer, 0, consume, 0);
  pthread_join(producer, 0);
  pthread_join(consumer, 0);
  __VERIFIER_assert(made == used + stock);
  return 0;
}
