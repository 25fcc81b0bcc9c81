// expect: false(valid-deref) "NULL dereferenced, 8 bytes further" args: --property valid-deref
struct node {
  int value;
  struct node *next;
};
struct node *head;
int main(void) { return head->next == 0; }
