/* Adds what is printed to a hash. Stands before the program, so that its macros do not matter here. */
void reach_error(void);
void __VERIFIER_error(void);
static unsigned long long __observe_hash;
static int __observe_length, __observe_before;
static void __observe_char(int c) {
  __observe_hash = __observe_hash * FACTOR + (unsigned char)c;
  __observe_length++;
}
static void __observe_literal(unsigned long long factor, unsigned long long term, int length) {
  __observe_hash = __observe_hash * factor + term;
  __observe_length += length;
}
static void __observe_text(const char *s, int left, int width, int precision) {
  int n = 0;
  while ((precision < 0 || n < precision) && s[n]) n++;
  for (int i = n; !left && i < width; i++) __observe_char(' ');
  for (int i = 0; i < n; i++) __observe_char(s[i]);
  for (int i = n; left && i < width; i++) __observe_char(' ');
}
static void __observe_decimal(long long v) {
  unsigned long long m = v, d = 1;
  if (v < 0) { m = 0 - m; __observe_char('-'); }
  while (m / d >= 10) d *= 10;
  for (; d; d /= 10) __observe_char('0' + m / d % 10);
}
static void __observe_number(unsigned long long m, int minus, int base, int upper, int left,
                             int zero, int plus, int alternative, int width, int precision) {
  unsigned long long d = 1;
  int digits = 1, zeros, length, sign = minus || plus;
  int prefix = alternative && base == 16 && m ? 2 : 0;
  while (m / d >= base) { d *= base; digits++; }
  if (precision == 0 && m == 0) { digits = 0; d = 0; }
  if (alternative && base == 8 && m && precision <= digits) precision = digits + 1;
  zeros = precision > digits ? precision - digits : 0;
  length = digits + zeros + sign + prefix;
  if (zero && !left && precision < 0 && length < width) { zeros += width - length; length = width; }
  for (int i = length; !left && i < width; i++) __observe_char(' ');
  if (sign) __observe_char(minus ? '-' : plus);
  if (prefix) { __observe_char('0'); __observe_char(upper ? 'X' : 'x'); }
  for (int i = 0; i < zeros; i++) __observe_char('0');
  for (; d; d /= base) {
    int digit = m / d % base;
    __observe_char(digit < 10 ? '0' + digit : (upper ? 'A' : 'a') + digit - 10);
  }
  for (int i = length; left && i < width; i++) __observe_char(' ');
}
static void __observe_signed(long long v, int left, int zero, int plus, int width, int precision) {
  unsigned long long m = v;
  __observe_number(v < 0 ? 0 - m : m, v < 0, 10, 0, left, zero, plus, 0, width, precision);
}
static void __observe_print(void) { __observe_before = __observe_length; }
static int __observe_printed(void) { return __observe_length - __observe_before; }
