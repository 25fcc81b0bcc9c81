// expect: true
// malloc, calloc, free: structs, arrays, lists, sizes at run time, a fresh object for each call.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct node {
  int value;
  struct node *next;
  char tail[3];
};

static struct node *push(struct node *head, int value) {
  struct node *n = malloc(sizeof(struct node));
  n->value = value;
  n->next = head;
  n->tail[2] = 'x';
  return n;
}
static int drop_all(struct node *n) {
  int sum = 0;
  while (n) {
    struct node *next = n->next;
    sum = sum * 10 + n->value;
    free(n);
    n = next;
  }
  return sum;
}

int main(void) {
  struct node *list = 0;
  for (int i = 1; i <= 3; i++)
    list = push(list, i);
  assert(list->tail[2] == 'x' && list->next != list);
  assert(drop_all(list) == 321);

  int n = 4;
  int *a = malloc(n * sizeof *a), *b = malloc(sizeof(int) * n);
  assert(a != b && a && b);
  for (int i = 0; i < n; i++)
    a[i] = i, b[i] = 10 * i;
  assert(a[3] == 3 && b[3] == 30);
  memcpy(a, b, 2 * sizeof *a);
  assert(a[1] == 10 && a[2] == 2);
  free(a);
  free(b);
  free(NULL);

  struct node *zeroed = calloc(2, sizeof *zeroed);
  assert(zeroed[1].value == 0 && zeroed[1].next == NULL && zeroed[0].tail[1] == 0);
  zeroed[1].next = zeroed;
  zeroed->value = 6;
  assert(zeroed[1].next->value == 6);
  free(zeroed);

  int **rows = malloc(2 * sizeof(int *));
  for (int i = 0; i < 2; i++) {
    rows[i] = calloc(3, sizeof(int));
    rows[i][i] = 7;
  }
  assert(rows[0][0] == 7 && rows[1][0] == 0 && rows[1][1] == 7);
  free(rows[0]);
  free(rows[1]);
  free(rows);

  void *untyped = malloc(8);
  memset(untyped, 0, 8);
  ((int *)untyped)[1] = 5;
  assert(*(int *)untyped == 0 && ((int *)untyped)[1] == 5);
  char *bytes = untyped;
  bytes[0] = 1;
  assert(*(int *)untyped == 1);
  free(untyped);
  struct node *flexible = (struct node *)malloc(sizeof(struct node) + 2);
  flexible->value = 3;
  assert(flexible->value == 3);
  free(flexible);
  return 0;
}
