// expect: unsupported "<< on a bit-field wider than int: compilers differ"
void reach_error(void);
struct s { unsigned long long a : 40; } s = {1};
int main(void) {
  s.a += 2;
  if (s.a == 3 && (s.a << 39) == 0)
    reach_error();
  return 0;
}
