/* Classes of characters as bits in a table, by which the headers of glibc define isalpha and its
   kin. The bits are those of a machine with little-endian numbers. And letters of the other case, by
   which they define tolower and toupper. */
#include <ctype.h>

enum {
  UPPER = 0x100,
  LOWER = 0x200,
  ALPHA = 0x400,
  DIGIT = 0x800,
  XDIGIT = 0x1000,
  SPACE = 0x2000,
  PRINT = 0x4000,
  GRAPH = 0x8000,
  BLANK = 0x1,
  CNTRL = 0x2,
  PUNCT = 0x4,
  ALNUM = 0x8,
  VISIBLE = PRINT | GRAPH,
  LETTER = ALPHA | ALNUM | VISIBLE
};

static const unsigned short classes[384] = {
    [128 + 0 ... 128 + 8] = CNTRL,
    [128 + '\t'] = CNTRL | SPACE | BLANK,
    [128 + '\n' ... 128 + '\r'] = CNTRL | SPACE,
    [128 + 14 ... 128 + 31] = CNTRL,
    [128 + ' '] = SPACE | BLANK | PRINT,
    [128 + '!' ... 128 + '/'] = PUNCT | VISIBLE,
    [128 + '0' ... 128 + '9'] = DIGIT | XDIGIT | ALNUM | VISIBLE,
    [128 + ':' ... 128 + '@'] = PUNCT | VISIBLE,
    [128 + 'A' ... 128 + 'F'] = UPPER | XDIGIT | LETTER,
    [128 + 'G' ... 128 + 'Z'] = UPPER | LETTER,
    [128 + '[' ... 128 + '`'] = PUNCT | VISIBLE,
    [128 + 'a' ... 128 + 'f'] = LOWER | XDIGIT | LETTER,
    [128 + 'g' ... 128 + 'z'] = LOWER | LETTER,
    [128 + '{' ... 128 + '~'] = PUNCT | VISIBLE,
    [128 + 127] = CNTRL,
};
/* From -128 on, as glibc has it. */

static const unsigned short *const table = classes + 128;

const unsigned short **__ctype_b_loc(void) { return (const unsigned short **)&table; }

/* Both from -128 on as well: other characters are themselves, whatever their sign. */
#define SAME(first) \
  (first), (first) + 1, (first) + 2, (first) + 3, (first) + 4, (first) + 5, (first) + 6, (first) + 7
#define SAMES(first) SAME(first), SAME((first) + 8), SAME((first) + 16), SAME((first) + 24)
#define LETTERS(first) SAME(first), SAME((first) + 8), SAME((first) + 16), (first) + 24, (first) + 25
#define OTHERS(first) (first) + 26, (first) + 27, (first) + 28, (first) + 29, (first) + 30
#define NEGATIVE \
  SAMES(128), SAMES(160), SAMES(192), SAME(224), SAME(232), SAME(240), 248, 249, 250, 251, 252, 253, \
      254, -1
#define POSITIVE SAMES(128), SAMES(160), SAMES(192), SAMES(224)

static const int lower[384] = {NEGATIVE, SAMES(0), SAMES(32), 64, LETTERS('a'), OTHERS(65),
                               96, LETTERS('a'), OTHERS(97), POSITIVE};
static const int upper[384] = {NEGATIVE, SAMES(0), SAMES(32), 64, LETTERS('A'), OTHERS(65),
                               96, LETTERS('A'), OTHERS(97), POSITIVE};
static const int *const to_lower = lower + 128;
static const int *const to_upper = upper + 128;

const int **__ctype_tolower_loc(void) { return (const int **)&to_lower; }

const int **__ctype_toupper_loc(void) { return (const int **)&to_upper; }
