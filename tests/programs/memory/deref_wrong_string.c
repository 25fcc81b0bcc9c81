// expect: false(valid-deref) args: --property valid-deref
int main(void) {
  char *s = "ab";
  return s[3];
}
