// expect: input-error "a static assertion fails"
struct s { char c; long long x; } __attribute__((aligned(16)));
int main(void) {
  _Static_assert(sizeof(struct s) == 16, "no");
  _Static_assert(_Alignof(struct s) == 8, "yes");
  return 0;
}
