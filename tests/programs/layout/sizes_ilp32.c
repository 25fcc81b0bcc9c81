// expect: true args: --data-model ILP32
/* Sizes and alignments of i386, as GCC and Clang have them. */
struct wide { char c; long long x; };
struct real { char c; double d; };
struct longer { char c; long double d; };
struct atomic { char c; _Atomic long long x; };
struct strict { char c; int m __attribute__((aligned(8))); short p __attribute__((packed)); };
typedef struct { char c; } outside __attribute__((aligned(8)));
struct around { char c; outside o; };
_Static_assert(_Alignof(long long) == 4 && __alignof__(long long) == 8, "");
_Static_assert(_Alignof(double) == 4 && __alignof__(double) == 8, "");
_Static_assert(sizeof(long double) == 12 && __alignof__(long double) == 4, "");
_Static_assert(sizeof(struct wide) == 12 && __alignof__(struct wide) == 4, "");
_Static_assert(sizeof(struct real) == 12 && sizeof(struct longer) == 16, "");
_Static_assert(sizeof(struct atomic) == 16 && _Alignof(_Atomic long long) == 8, "");
_Static_assert(sizeof(struct strict) == 16 && sizeof(struct around) == 16, "");
_Static_assert(sizeof(outside) == 1 && _Alignof(outside) == 8, "");
void reach_error(void);
int main(void) {
  long long x = 0;
  int y __attribute__((aligned(16))) = 0;
  if (__alignof__(x) != 8 || __alignof__ y != 16 || _Alignof(__typeof__(y)) != 4)
    reach_error();
  return (int)x + y;
}
