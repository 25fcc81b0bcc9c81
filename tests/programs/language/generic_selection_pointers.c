// expect: unsupported "_Generic"
// Types are kept without qualifiers, so this choice cannot be made.
int main(void) { return _Generic("x", const char *: 1, default: 0); }
