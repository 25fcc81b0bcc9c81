// expect: unsupported "of another name"
void reach_error(void);
extern int y = 1;
extern int x __asm__("y");
int main(void) {
  y = 1;
  x = 2;
  if (y == 2)
    reach_error();
  return 0;
}
