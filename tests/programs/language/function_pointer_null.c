// expect: unknown
// A call through a null pointer is undefined.
static int (*hook)(void);

int main(void) { return hook(); }
