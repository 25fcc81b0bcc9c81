// expect: unsupported "of another name"
void reach_error(void);
int y = 1;
extern int x __asm__("y");
int main(void) {
  if (x == 2)
    reach_error();
  return 0;
}
