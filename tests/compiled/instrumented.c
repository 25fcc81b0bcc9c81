/* What compiled code calls: at each access and atomic operation, where it fails, for inputs and for
   memory. */

void __tsan_init(void) {}
void __tsan_func_entry(void *caller) {}
void __tsan_func_exit(void) {}

#define ACCESS(size)                                                                               \
  void __tsan_read##size(void *p) { step(); }                                                      \
  void __tsan_write##size(void *p) { step(); }                                                     \
  void __tsan_unaligned_read##size(void *p) { step(); }                                            \
  void __tsan_unaligned_write##size(void *p) { step(); }
ACCESS(1)
ACCESS(2)
ACCESS(4)
ACCESS(8)
ACCESS(16)
void __tsan_read_range(void *p, size_t size) { step(); }
void __tsan_write_range(void *p, size_t size) { step(); }

#define UPDATE(bits, name, new)                                                                    \
  uint##bits##_t __tsan_atomic##bits##_##name(volatile uint##bits##_t *p, uint##bits##_t v,        \
                                              int order) {                                         \
    step();                                                                                        \
    uint##bits##_t old = *p;                                                                       \
    *p = new;                                                                                      \
    return old;                                                                                    \
  }
#define ATOMIC(bits)                                                                               \
  uint##bits##_t __tsan_atomic##bits##_load(const volatile uint##bits##_t *p, int order) {         \
    step();                                                                                        \
    return *p;                                                                                     \
  }                                                                                                \
  void __tsan_atomic##bits##_store(volatile uint##bits##_t *p, uint##bits##_t v, int order) {      \
    step();                                                                                        \
    *p = v;                                                                                        \
  }                                                                                                \
  UPDATE(bits, exchange, v)                                                                        \
  UPDATE(bits, fetch_add, old + v)                                                                 \
  UPDATE(bits, fetch_sub, old - v)                                                                 \
  UPDATE(bits, fetch_and, old & v)                                                                 \
  UPDATE(bits, fetch_or, old | v)                                                                  \
  UPDATE(bits, fetch_xor, old ^ v)                                                                 \
  UPDATE(bits, fetch_nand, ~(old & v))                                                             \
  uint##bits##_t __tsan_atomic##bits##_compare_exchange_val(                                       \
      volatile uint##bits##_t *p, uint##bits##_t expected, uint##bits##_t v, int yes, int no) {    \
    step();                                                                                        \
    uint##bits##_t old = *p;                                                                       \
    if (old == expected)                                                                           \
      *p = v;                                                                                      \
    return old;                                                                                    \
  }                                                                                                \
  int __tsan_atomic##bits##_compare_exchange_strong(                                               \
      volatile uint##bits##_t *p, uint##bits##_t *expected, uint##bits##_t v, int yes, int no) {   \
    uint##bits##_t old = __tsan_atomic##bits##_compare_exchange_val(p, *expected, v, yes, no);     \
    bool same = old == *expected;                                                                  \
    *expected = old;                                                                               \
    return same;                                                                                   \
  }                                                                                                \
  int __tsan_atomic##bits##_compare_exchange_weak(                                                 \
      volatile uint##bits##_t *p, uint##bits##_t *expected, uint##bits##_t v, int yes, int no) {   \
    if (!failures() || choose(2) == 0)                                                             \
      return __tsan_atomic##bits##_compare_exchange_strong(p, expected, v, yes, no);               \
    *expected = __tsan_atomic##bits##_load(p, no);                                                 \
    return 0;                                                                                      \
  }
ATOMIC(8)
ATOMIC(16)
ATOMIC(32)
ATOMIC(64)
void __tsan_atomic_thread_fence(int order) {}
void __tsan_atomic_signal_fence(int order) {}

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
