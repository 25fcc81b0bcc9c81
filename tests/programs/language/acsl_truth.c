// expect: false(unreach-call)
/* The truth values of ACSL. */
int main(int count, char **arguments) {
  //@ assert \true;
  /*@ loop invariant \true; */
  if (count > 3) {
    //@ assert \false;
  }
  return 0;
}
