// expect: true
/* What GCC and Clang agree on of bit-fields wider than int. */
void reach_error(void);
struct s { unsigned long long a : 40; long long b : 35; } s = {1, -1};
int main(void) {
  unsigned long long w;
  s.a += 2;
  s.a++;
  w = s.a;
  if (s.a != 4 || w << 38 != 1ull << 40 || s.b != -1 || s.a + 1ull != 5)
    reach_error();
  s.a = ~0ull;
  if (s.a != 0xffffffffffull || ++s.a != 0)
    reach_error();
  return 0;
}
