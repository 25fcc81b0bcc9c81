/* Classes of characters as bits in a table, by which the headers of glibc define isalpha and its
   kin. The bits are those of a machine with little-endian numbers. */
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
