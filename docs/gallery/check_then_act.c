// Check then act
//
// The last seat is sold twice: both threads see that one is left before either takes it. Each access has the lock, but what
// was checked under the lock need not hold any more when it is taken the next time.
//
// repair: Check and action are one critical section.
// property: unreach-call
// cause: check then act
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int seats = 1;

static int seats_left(void) {
  pthread_mutex_lock(&lock);
  int left = seats;
  pthread_mutex_unlock(&lock);
  return left;
}

static void *sell(void *unused) {
  if (seats_left() > 0) {
    pthread_mutex_lock(&lock);
    seats--;
    assert(seats >= 0);
    pthread_mutex_unlock(&lock);
  }
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, sell, NULL);
  pthread_create(&second, NULL, sell, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  return 0;
}
