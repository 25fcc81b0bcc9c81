// ABA
//
// A stack without locks, of nodes with numbers. `pop` reads the top and its successor, and puts the successor on top if the top
// is still the same node. Meanwhile that node may have been taken, the one below it too, and the first one put back: the
// comparison succeeds, and the node below, which is in use elsewhere, is on the stack again.
//
// repair: The top has a count beside the number of the node, in one word, that goes up whenever the top changes.
// property: unreach-call
// cause: ABA
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { NONE = 0, NODES = 3 };

static atomic_int next[NODES] = {NONE, 2, NONE};
static atomic_int top = 1;
static atomic_int users[NODES];

static int pop(void) {
  int node = top;
  while (node != NONE) {
    int below = next[node];
    if (atomic_compare_exchange_strong(&top, &node, below)) break;
  }
  return node;
}

static void push(int node) {
  int above = top;
  do {
    next[node] = above;
  } while (!atomic_compare_exchange_strong(&top, &above, node));
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
