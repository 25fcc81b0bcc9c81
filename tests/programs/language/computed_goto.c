// expect: true
#include <assert.h>
#include <pthread.h>

enum { PUSH, ADD, DUP, LOOP, HALT };
static const unsigned char code[] = {PUSH, 2, DUP, ADD, LOOP, HALT};

static int run(const unsigned char *pc, int rounds) {
  static const void *const labels[] = {
      [PUSH] = &&push, [ADD] = &&add, [DUP] = &&dup, [LOOP] = &&loop, [HALT] = &&halt};
  int stack[4], *sp = stack;
  goto *labels[*pc++];
push:
  *sp++ = *pc++;
  goto *labels[*pc++];
add:
  sp--;
  sp[-1] += sp[0];
  goto *labels[*pc++];
dup:
  sp[0] = sp[-1];
  sp++;
  goto *labels[*pc++];
loop:
  if (--rounds > 0)
    pc -= 3;
  goto *labels[*pc++];
halt:
  return sp[-1];
}

static void *thread(void *p) {
  *(int *)p = run(code, 2);
  return 0;
}

int main(void) {
  pthread_t a;
  int one, two = run(code, 1), k = 0;
  void *next = &&again;
  pthread_create(&a, 0, thread, &one);
  pthread_join(a, 0);
  assert(one == 8 && two == 4);
again:
  if (++k == 3)
    next = &&end;
  else
    assert(k < 3);
  goto *next;
end:
  assert(k == 3);
  return 0;
}
