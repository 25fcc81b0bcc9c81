// expect: true
/* C23: an enumeration with a type of its own; enumerators beyond int have the type of theirs. */
void reach_error(void);
enum small : unsigned char { FIRST, LAST = 255 };
struct pair { enum small a, b; };
enum later : signed char;
struct before { char c; enum later l; };
enum later : signed char { LATER = -1 };
enum big { BIG = 0x80000000u };
int main(void) {
  if (sizeof(enum small) != 1 || sizeof(struct pair) != 2 || sizeof LAST != 1)
    reach_error();
  if (sizeof(struct before) != 2 || sizeof(LATER) != 1 || LATER >= 0)
    reach_error();
  if (BIG > -1)
    reach_error();
  return 0;
}
