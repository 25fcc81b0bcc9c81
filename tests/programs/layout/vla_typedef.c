// expect: true
/* A typedef and a pointer keep the length that their declaration has (C11 6.7.6.2p5, 6.7.8p3). */
void reach_error(void);
int main(void) {
  int n = 3;
  typedef int row[n];
  int(*p)[n] = 0;
  n = 5;
  row a;
  if (sizeof(row) != 12 || sizeof a != 12 || sizeof *p != 12)
    reach_error();
  int b[n++];
  if (sizeof b != 20 || n != 6)
    reach_error();
  return 0;
}
