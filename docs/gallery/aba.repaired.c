#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { NONE = 0, NODES = 3 };

static atomic_int next[NODES] = {NONE, 2, NONE};
static atomic_int top = 1;
static atomic_int users[NODES];

static int changed(int word, int node) { return (word / NODES + 1) * NODES + node; }

static int pop(void) {
  int word = top;
  while (word % NODES != NONE) {
    int below = next[word % NODES];
    if (atomic_compare_exchange_strong(&top, &word, changed(word, below))) break;
  }
  return word % NODES;
}

static void push(int node) {
  int word = top;
  do {
    next[node] = word % NODES;
  } while (!atomic_compare_exchange_strong(&top, &word, changed(word, node)));
}

static void take(int node) {
  if (node != NONE) assert(atomic_fetch_add(&users[node], 1) == 0);
}

static void give_back(int node) {
  if (node == NONE) return;
  atomic_fetch_sub(&users[node], 1);
  push(node);
}

static void *other(void *unused) {
  int first = pop();
  take(first);
  take(pop());
  give_back(first);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, other, NULL);
  take(pop());
  take(pop());
  pthread_join(thread, NULL);
  return 0;
}
