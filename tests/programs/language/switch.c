// expect: true
// switch: fallthrough, default anywhere, nested, ranges, conversion of the labels, Duff's device.
#include <assert.h>

static int classify(int x) {
  int r = 0;
  switch (x) {
  default:
    r += 1;
  case 1:
    r += 10;
    break;
  case 2:
    r += 100;
  case 3:
  case 4:
    r += 1000;
    break;
  case 10 ... 19:
    r += 7;
    break;
  case -3 ... - 1:
    return -x;
  }
  return r;
}

static int nested(int a, int b) {
  switch (a) {
  case 0:
    switch (b) {
    case 0:
      break;
    case 1:
      return 1;
    default:
      return 2;
    }
    return 3;
  case 1:
    for (int i = 0;; i++) {
      switch (i) {
      case 3:
        return i + b;
      default:
        continue;
      }
    }
  }
  return 4;
}

static int duff(int count) {
  int sum = 0, n = (count + 3) / 4;
  switch (count % 4) {
  case 0:
    do {
      sum += 1;
    case 3:
      sum += 10;
    case 2:
      sum += 100;
    case 1:
      sum += 1000;
    } while (--n > 0);
  }
  return sum;
}

static int narrow(unsigned char c) {
  switch (c) {
  case 255:
    return 1;
  case -1:
    return 2;
  }
  return 3;
}

static int unsigned_label(unsigned u) {
  switch (u) {
  case -1:
    return 1;
  case 0x80000000 ... 0x80000010:
    return 2;
  }
  return 3;
}

static int wide(long long x) {
  switch (x) {
  case 1:
    return 1;
  case 0x100000001:
    return 2;
  }
  return 3;
}

int main(void) {
  assert(classify(1) == 10 && classify(2) == 1100 && classify(3) == 1000 && classify(4) == 1000);
  assert(classify(5) == 11 && classify(10) == 7 && classify(19) == 7 && classify(20) == 11);
  assert(classify(-1) == 1 && classify(-3) == 3 && classify(-4) == 11);
  assert(nested(0, 0) == 3 && nested(0, 1) == 1 && nested(0, 9) == 2);
  assert(nested(1, 5) == 8 && nested(2, 0) == 4);
  assert(duff(1) == 1000 && duff(3) == 1110 && duff(4) == 1111 && duff(6) == 1111 + 1100);
  assert(narrow(255) == 1 && narrow(0) == 3);
  assert(unsigned_label(4294967295u) == 1 && unsigned_label(0x80000010) == 2 && unsigned_label(1) == 3);
  assert(wide(1) == 1 && wide(0x100000001) == 2 && wide(0x200000001) == 3);

  int x = 0, calls = 0;
  switch (calls++)
    x = 5;
  assert(x == 0 && calls == 1);
  switch (x) {
    int uninitialised;
  case 0:
    uninitialised = 4;
    x = uninitialised;
  }
  assert(x == 4);
  switch (7)
  case 7:
    x = 8;
  assert(x == 8);
  switch (x)
  case 1:
  case 2:
    x = 9;
  assert(x == 8);
  return 0;
}
