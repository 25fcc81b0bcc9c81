// expect: true args: --property valid-deref
extern int __VERIFIER_nondet_int(void);

static int one(void) { return 1; }

static int two(void) { return 2; }

static int (*table[3])(void) = {one, two};

int main(void) {
  int i = __VERIFIER_nondet_int();
  if (i < 0 || i > 1)
    return 0;
  return table[i]();
}
