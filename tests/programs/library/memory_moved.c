// expect: true
#include <assert.h>
#include <string.h>

struct pair {
  int key;
  int value;
};

int a[6], b[6];
struct pair pairs[3];
long wide[2];
short narrow[3];
char bytes[8];

void moves(size_t n) {
  for (int i = 0; i < 6; i++)
    a[i] = b[i] = i;
  memmove(a + 1, a, n * sizeof a[0]);
  assert(a[0] == 0 && a[1] == 0 && a[n] == (int)n - 1 && a[n + 1] == (int)n + 1);
  memmove(b, b + 1, n * sizeof b[0]);
  assert(b[0] == 1 && b[n - 1] == (int)n && b[n] == (int)n);
  memmove(b, a, n * sizeof b[0]);
  assert(b[0] == 0 && b[n - 1] == (int)n - 2 && b[n] == (int)n);
  memmove(b, b, n * sizeof b[0]);
  assert(b[1] == 0 && b[n - 1] == (int)n - 2);
  memmove(b, a, 0 * n);
  assert(b[1] == 0);
}

/* By a member, which is half of an element. */
void by_halves(size_t n) {
  for (int i = 0; i < 3; i++)
    pairs[i] = (struct pair){2 * i, 2 * i + 1};
  struct pair *half = (struct pair *)&pairs[0].value;
  memmove(half, pairs, n * sizeof pairs[0]);
  assert(pairs[0].key == 0 && pairs[0].value == 0 && pairs[1].key == 1 && pairs[1].value == 2);
  assert(pairs[2].key == 3 && pairs[2].value == 5);
}

void within_words(size_t n) {
  memcpy(bytes, "abcdefg", 8);
  memmove(bytes + 1, bytes, n);
  assert(bytes[0] == 'a' && bytes[1] == 'a' && bytes[4] == 'd' && bytes[5] == 'f');
}

void fills(int byte, size_t n) {
  memset(a, byte, n * sizeof a[0]);
  assert(a[0] == 0x05050505 && a[n - 1] == 0x05050505 && a[n] != 0x05050505);
  memset(wide, byte + 0x1fa, sizeof wide);
  assert(wide[0] == -1 && wide[1] == -1);
  memset(narrow, byte + 0x7b, n);
  assert(narrow[0] == (short)0x8080 && narrow[1] == 0);
}

/* The sizes are not known where the calls are. */
int main(void) {
  for (size_t n = 2; n < 5; n++) {
    if (n > 2)
      moves(n);
    if (n == 2)
      by_halves(n);
    if (n == 4)
      within_words(n);
    if (n == 2)
      fills((int)n + 3, n);
  }
  return 0;
}
