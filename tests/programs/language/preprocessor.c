// expect: true
/* Character constants in conditions, and macros that are pushed. */
void reach_error(void);
#if '\xff' != -1 || '\377' > 0 || 'ab' != 24930 || '\xff\xff\xff\xff' != -1 || '\\' != 92
#error characters
#endif
#define N 1
#pragma push_macro("N")
#pragma push_macro("M")
#undef N
#define N 2
#define M 3
int two = N;
#pragma pop_macro("N")
#pragma pop_macro("M")
#ifdef M
#error M was not defined
#endif
int main(void) {
  if (N != 1 || two != 2)
    reach_error();
  return 0;
}
