// expect: true
// Accesses that look alike and are sequenced, or to other scalars.
void reach_error(void);

int x, y = 1, a[4], *p = &x;
struct { unsigned u : 3, v : 5; int m, n; } s = {1, 2, 3, 4};
int f(int v, int w) { return v + w; }

int main(void) {
    int i = 0, j = 1;
    i = i + 1;
    i += i;
    a[i++ & 3] = 1;
    i = (i++, 5);
    int r = i++ + j++;
    r = (i && i++) || i--;
    r = (x ? 0 : i) + (x ? i++ : 1) + f(j, j);
    *p++ = y;
    a[x] = a[x] + 1;
    a[0] = a[1]++;
    r = s.u++ + s.v++ + s.m++ + s.n;
    if (s.u != 2 || s.v != 3 || r != 10)
        reach_error();
    if (x != 1 || a[0] != 1 || a[1] != 2)
        reach_error();
    return 0;
}
