// expect: true
// Static locals: one object per declaration for all calls and threads; initialised once.
#include <assert.h>
#include <pthread.h>

static int next(void) {
  static int n = 10;
  return n++;
}
static int other(void) {
  static int n;
  {
    static int n = 100;
    n++;
    if (n == 102)
      return n;
  }
  return ++n;
}
static int *address(void) {
  static int cell[2] = {1, 2};
  return cell;
}
static int recursive(int depth) {
  static int deepest;
  if (depth > deepest)
    deepest = depth;
  if (depth < 3)
    recursive(depth + 1);
  return deepest;
}

static void *thread(void *unused) {
  next();
  return 0;
}

int main(void) {
  assert(next() == 10 && next() == 11 && other() == 1 && other() == 102 && other() == 2);
  assert(address() == address());
  address()[1]++;
  assert(address()[1] == 3 && recursive(0) == 3);
  pthread_t t;
  pthread_create(&t, 0, thread, 0);
  pthread_join(t, 0);
  assert(next() == 13);
  for (int i = 0; i < 3; i++) {
    static int kept = 5;
    kept += i;
    assert(kept == (i == 0 ? 5 : i == 1 ? 6 : 8));
  }
  return 0;
}
