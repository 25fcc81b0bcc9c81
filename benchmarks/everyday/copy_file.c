/* Copies a file in blocks with fread and fwrite. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  char block[16];
  size_t got, all = 0;
  FILE *from = fopen("from.txt", "rb");
  if (from == NULL) { perror("from.txt"); return EXIT_FAILURE; }
  FILE *to = fopen("to.txt", "wb");
  if (to == NULL) { perror("to.txt"); fclose(from); return EXIT_FAILURE; }
  while ((got = fread(block, 1, sizeof block, from)) > 0) {
    assert(got <= sizeof block);
    if (fwrite(block, 1, got, to) != got) break;
    all += got;
  }
  if (ferror(from) || ferror(to)) fputs("failed\n", stderr);
  fclose(from);
  return fclose(to) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
