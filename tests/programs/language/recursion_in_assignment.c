// expect: unknown "recursion of size deeper than 2" args: --recursion-bound 2
/* A compound assignment whose right side is not looked at to its end. */
struct node {
  struct node *next;
};

static int size(struct node *p, int *calls) {
  int n = 1;
  *calls += 1;
  if (p->next)
    n += size(p->next, calls);
  return n;
}

int main(void) {
  struct node round;
  int calls = 0;
  round.next = &round;
  return size(&round, &calls);
}
