// expect: false(unreach-call)
void reach_error(void);
int main(void) {
  int n = 3;
  typedef int row[n];
  n = 5;
  row a;
  if (sizeof a == 12)
    reach_error();
  return 0;
}
