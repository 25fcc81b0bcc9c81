/* What code calls that is compiled with -fsanitize=thread: at each access and atomic operation. */

void __tsan_init(void) {}
void __tsan_func_entry(void *caller) {}
void __tsan_func_exit(void) {}

#define ACCESS(size)                                                                               \
  void __tsan_read##size(void *p) { touch(READ, p, size); }                                        \
  void __tsan_write##size(void *p) { touch(WRITE, p, size); }                                      \
  void __tsan_unaligned_read##size(void *p) { touch(READ, p, size); }                              \
  void __tsan_unaligned_write##size(void *p) { touch(WRITE, p, size); }
ACCESS(1)
ACCESS(2)
ACCESS(4)
ACCESS(8)
ACCESS(16)
void __tsan_read_range(void *p, size_t size) { touch(READ, p, size); }
void __tsan_write_range(void *p, size_t size) { touch(WRITE, p, size); }

#define UPDATE(bits, name, new)                                                                    \
  uint##bits##_t __tsan_atomic##bits##_##name(volatile uint##bits##_t *p, uint##bits##_t v,        \
                                              int order) {                                         \
    touch(UPDATE, (const void *)p, sizeof *p);                                                     \
    uint##bits##_t old = *p;                                                                       \
    *p = new;                                                                                      \
    return old;                                                                                    \
  }
#define ATOMIC(bits)                                                                               \
  uint##bits##_t __tsan_atomic##bits##_load(const volatile uint##bits##_t *p, int order) {         \
    touch(ATOMIC_READ, (const void *)p, sizeof *p);                                                \
    return *p;                                                                                     \
  }                                                                                                \
  void __tsan_atomic##bits##_store(volatile uint##bits##_t *p, uint##bits##_t v, int order) {      \
    touch(ATOMIC_WRITE, (const void *)p, sizeof *p);                                               \
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
    touch(UPDATE, (const void *)p, sizeof *p);                                                     \
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
typedef unsigned __int128 uint128_t;
ATOMIC(128)
void __tsan_atomic_thread_fence(int order) {}
void __tsan_atomic_signal_fence(int order) {}
