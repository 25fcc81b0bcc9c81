// expect: false(valid-deref) args: --property valid-deref
// A call through a null pointer dereferences it.
extern int __VERIFIER_nondet_int(void);

static int one(void) { return 1; }

static int (*table[2])(void) = {one};

int main(void) {
  int i = __VERIFIER_nondet_int();
  if (i < 0 || i > 1)
    return 0;
  return table[i]();
}
