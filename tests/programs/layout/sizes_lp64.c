// expect: false(unreach-call) args: --data-model LP64
/* `long long` has the alignment 8 in structs of x86-64, 4 in those of i386. */
struct wide { char c; long long x; };
struct packed { char c; int i; } __attribute__((packed, aligned(2)));
enum __attribute__((packed)) small { A = -1, B = 127 };
_Static_assert(sizeof(struct wide) == 16 && sizeof(struct packed) == 6, "");
_Static_assert(sizeof(enum small) == 1 && sizeof(long double) == 16, "");
void reach_error(void);
int main(void) {
  if (_Alignof(struct wide) == 8)
    reach_error();
  return 0;
}
