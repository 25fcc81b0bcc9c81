// expect: false(unreach-call)
// The arguments of __builtin_expect are evaluated in any order: gcc and clang choose differently.
void reach_error(void);

int g = 1;

int next(void) {
    return ++g;
}

int main(void) {
    if (__builtin_expect(g, next()) == 2)
        reach_error();
    return 0;
}
