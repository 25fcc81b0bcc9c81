// expect: true
// GNU C: statement expressions, typeof, elvis, case ranges, empty structs, attributes, labels.
#include <assert.h>
#include <stddef.h>

#define max(a, b)                                                                                  \
  ({                                                                                               \
    __typeof__(a) _a = (a);                                                                        \
    typeof(b) _b = (b);                                                                            \
    _a > _b ? _a : _b;                                                                             \
  })
#define container_of(ptr, type, member)                                                            \
  ({                                                                                               \
    const typeof(((type *)0)->member) *__m = (ptr);                                                \
    (type *)((char *)__m - offsetof(type, member));                                                \
  })
#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

struct list {
  struct list *next;
};
struct item {
  int before;
  struct list link;
  int after;
};

static int calls;
static int call(int x) {
  calls++;
  return x;
}
static int early(int x) {
  int y = ({
    if (x < 0)
      return -1;
    x * 2;
  });
  return y;
}
static __attribute__((noinline, unused)) int attributed(int x __attribute__((unused))) { return 4; }

int main(void) {
  int i = 1, j = 5;
  assert(max(i++, j++) == 5 && i == 2 && j == 6);
  assert(max(max(1, 2), ({ int k = 0; for (int n = 0; n < 4; n++) k += n; k; })) == 6);
  assert(early(3) == 6 && early(-3) == -1);

  assert((call(7) ?: call(8)) == 7 && calls == 1);
  assert((call(0) ?: call(8)) == 8 && calls == 3);
  char *none = 0;
  assert((none ?: "default")[0] == 'd');

  struct item items[2] = {{1, {0}, 2}, {3, {0}, 4}};
  struct list *link = &items[1].link;
  items[0].link.next = link;
  assert(container_of(link, struct item, link)->before == 3);
  assert(container_of(items[0].link.next, struct item, link) == &items[1]);

  typeof(i) same = 3;
  __typeof__(items[0].link.next) pointer = link;
  typeof(int *) *pp = &(int *){&same};
  **pp = 4;
  assert(same == 4 && pointer == link && ARRAY_SIZE(items) == 2);
  unsigned char narrow = 255;
  typeof(narrow + 1) promoted = narrow + 1;
  assert(promoted == 256);

  struct pair {
    int a, b;
  } p = ({ struct pair q = {1, 2}; q.b++; q; });
  assert(p.b == 3 && ({ p; }).a == 1);
  int loop = 0;
  while (({ loop++; loop < 4; }))
    ;
  assert(loop == 4);
  assert(__builtin_expect(loop == 4, 1) && __builtin_offsetof(struct item, after) == offsetof(struct item, after));
  assert(__builtin_constant_p(3) && __builtin_types_compatible_p(int, typeof(i)));
  assert(__builtin_choose_expr(1, 5, "x") == 5 && attributed(1) == 4);
  assert(0b101 == 5 && __alignof__(int) == 4 && sizeof(void) == 1);
  char bytes[3] = {1, 2, 3};
  void *v = bytes;
  assert(*(char *)(v + 1) == 2);
  __extension__ long long wide = 1;
  goto done;
  wide = 2;
done:
  assert(wide == 1);
  return 0;
}
