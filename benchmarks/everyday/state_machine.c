/* A connection with states, driven by events of two threads. */
#include <pthread.h>
#include <assert.h>
#include <stdlib.h>

enum state { CLOSED, OPENING, OPEN };
enum event { CONNECT, ACCEPT, CLOSE };

static enum state state = CLOSED;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void handle(enum event event) {
  pthread_mutex_lock(&lock);
  switch (event) {
    case CONNECT: if (state == CLOSED) state = OPENING; break;
    case ACCEPT: if (state == OPENING) state = OPEN; break;
    case CLOSE: state = CLOSED; break;
  }
  assert(state == CLOSED || state == OPENING || state == OPEN);
  pthread_mutex_unlock(&lock);
}

static void *client(void *unused) { handle(CONNECT); handle(CLOSE); return unused; }
static void *server(void *unused) { handle(ACCEPT); return unused; }

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, client, NULL);
  pthread_create(&b, NULL, server, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(state == CLOSED);
  return 0;
}
