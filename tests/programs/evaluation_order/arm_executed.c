// expect: unknown "unsequenced accesses to i"
// NOTE(defined-errors): the arm is executed in one of the two executions.
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int i = 0, c = __VERIFIER_nondet_int();
  int r = (c && i) + i++;
  return r;
}
