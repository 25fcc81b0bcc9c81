// expect: unknown "leading zeros of 0"
int main(void) { return __builtin_clz(0); }
