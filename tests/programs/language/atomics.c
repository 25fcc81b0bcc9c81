// expect: true
// C11 atomics, __atomic and __sync builtins: old and new values, all operations, pointers, structs.
#include <assert.h>
#include <stdatomic.h>

static atomic_int counter = ATOMIC_VAR_INIT(5);
static _Atomic unsigned char narrow = 255;
static atomic_flag flag = ATOMIC_FLAG_INIT;

int main(void) {
  assert(atomic_fetch_add(&counter, 2) == 5 && atomic_load(&counter) == 7);
  assert(atomic_fetch_sub_explicit(&counter, 3, memory_order_relaxed) == 7 && counter == 4);
  assert(atomic_fetch_or(&counter, 3) == 4 && atomic_fetch_and(&counter, 6) == 7 && counter == 6);
  assert(atomic_fetch_xor(&counter, 5) == 6 && counter == 3);
  assert(atomic_exchange(&counter, 9) == 3);
  int expected = 8;
  assert(!atomic_compare_exchange_strong(&counter, &expected, 1) && expected == 9 && counter == 9);
  assert(atomic_compare_exchange_strong(&counter, &expected, 1) && expected == 9 && counter == 1);
  atomic_store(&counter, -1);
  assert(counter++ == -1 && ++counter == 1 && (counter += 4) == 5 && counter-- == 5 && counter == 4);
  assert((counter *= 3) == 12 && (counter <<= 1) == 24);
  assert(++narrow == 0 && (narrow -= 1) == 255 && atomic_fetch_add(&narrow, 3) == 255 && narrow == 2);
  assert(!atomic_flag_test_and_set(&flag) && atomic_flag_test_and_set(&flag));
  atomic_flag_clear(&flag);
  assert(!atomic_flag_test_and_set_explicit(&flag, memory_order_acquire));
  atomic_init(&counter, 3);
  atomic_thread_fence(memory_order_seq_cst);

  int x = 10;
  assert(__sync_fetch_and_add(&x, 1) == 10 && __sync_add_and_fetch(&x, 1) == 12);
  assert(__sync_fetch_and_sub(&x, 2) == 12 && __sync_sub_and_fetch(&x, 2) == 8);
  assert(__sync_fetch_and_or(&x, 1) == 8 && __sync_and_and_fetch(&x, 3) == 1 && __sync_xor_and_fetch(&x, 7) == 6);
  assert(__sync_bool_compare_and_swap(&x, 6, 20) && !__sync_bool_compare_and_swap(&x, 6, 30));
  assert(__sync_val_compare_and_swap(&x, 20, 21) == 20 && __sync_val_compare_and_swap(&x, 20, 22) == 21 && x == 21);
  assert(__sync_lock_test_and_set(&x, 1) == 21);
  __sync_lock_release(&x);
  __sync_synchronize();
  assert(x == 0);

  assert(__atomic_add_fetch(&x, 5, __ATOMIC_SEQ_CST) == 5 && __atomic_fetch_add(&x, 5, __ATOMIC_RELAXED) == 5);
  assert(__atomic_load_n(&x, __ATOMIC_ACQUIRE) == 10);
  __atomic_store_n(&x, 4, __ATOMIC_RELEASE);
  assert(__atomic_exchange_n(&x, 7, __ATOMIC_SEQ_CST) == 4);
  assert(__atomic_fetch_nand(&x, 3, __ATOMIC_SEQ_CST) == 7 && x == ~3);
  int e = 1;
  assert(!__atomic_compare_exchange_n(&x, &e, 2, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST) && e == ~3);
  assert(__atomic_compare_exchange_n(&x, &e, 2, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST) && x == 2);
  int out, in = 6;
  __atomic_load(&x, &out, __ATOMIC_SEQ_CST);
  __atomic_store(&x, &in, __ATOMIC_SEQ_CST);
  assert(out == 2 && x == 6);
  unsigned char byte = 250;
  assert(__sync_fetch_and_add(&byte, 10) == 250 && byte == 4 && __sync_sub_and_fetch(&byte, 5) == 255);
  assert(__atomic_test_and_set(&byte, __ATOMIC_SEQ_CST));
  __atomic_clear(&byte, __ATOMIC_SEQ_CST);
  assert(byte == 0);

  int array[3] = {1, 2, 3};
  int *_Atomic p = array;
  assert(p++ == array && *p == 2 && atomic_load(&p) == array + 1);
  assert(atomic_exchange(&p, array + 2) == array + 1 && *p == 3);
  int *plain = array;
  assert(__sync_bool_compare_and_swap(&plain, array, array + 1) && *plain == 2);
  return 0;
}
