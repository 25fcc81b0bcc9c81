// expect: unknown "a computed goto leads to no label of its function" args: --engine explicit
static void *other(void) { return &&here; here: return 0; }

int main(void) {
  void *mine = &&end;
  mine = other();
  goto *mine;
end:
  return 0;
}
