/* What a program calls where it fails, for inputs and for memory. */

static char heap[HEAP] __attribute__((aligned(16)));
static size_t heap_used;

static char failure[100]; /* the text of the failing assertion */

void __assert_fail(const char *text, const char *file, unsigned line, const char *function) {
  snprintf(failure, sizeof failure, "violation assertion %s fails", text);
  end(failure);
}

void reach_error(void) { end("violation reach_error is called"); }

void exit(int status) {
  step();
  end("complete");
}

void abort(void) { exit(1); }

_Bool __VERIFIER_nondet_bool(void) { return choose(2); }

/* The program takes 0 and 1 only. */
int __VERIFIER_nondet_int(void) { return choose(2); }

void __VERIFIER_assume(int condition) {
  if (!condition)
    wait_until(never, 0);
}

void __VERIFIER_atomic_begin(void) { atomic_begin(); }

void __VERIFIER_atomic_end(void) { atomic_end(); }

void *malloc(size_t size) {
  void *result = heap + heap_used;
  heap_used += (size + 15) / 16 * 16;
  if (heap_used > HEAP)
    give_up("the heap is full");
  return result;
}

void *calloc(size_t n, size_t size) { return malloc(n * size); }

void free(void *p) {}
