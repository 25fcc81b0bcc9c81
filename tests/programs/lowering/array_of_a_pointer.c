// expect: input-error "array_of_a_pointer.c:4:18: invalid initialiser of an array: braces are missing"
int main(void) {
  char *word = "ab";
  char text[3] = word;
  return text[0];
}
