/* Objects as in Java: each has a mutex and a condition, and lives in dynamic memory. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct monitor {
  pthread_mutex_t mutex;
  pthread_cond_t changed;
};

static void enter(struct monitor *m) { pthread_mutex_lock(&m->mutex); }
static void leave(struct monitor *m) { pthread_mutex_unlock(&m->mutex); }
static void await_change(struct monitor *m) { pthread_cond_wait(&m->changed, &m->mutex); }
static void notify(struct monitor *m) { pthread_cond_signal(&m->changed); }
static void notify_all(struct monitor *m) { pthread_cond_broadcast(&m->changed); }

static void init(struct monitor *m) {
  pthread_mutex_init(&m->mutex, 0);
  pthread_cond_init(&m->changed, 0);
}
