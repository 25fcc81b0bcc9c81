// expect: true
/* #pragma pack: push and pop by name, constants in all bases, _Pragma, in the operand of sizeof. */
void reach_error(void);
#pragma pack(push, outer, 0x4)
#pragma pack(push, 02)
struct two { char c; int i; };
#pragma pack(pop, outer)
struct natural { char c; int i; };
_Pragma("pack(push, 1)") struct one { char c; int i; };
_Pragma("pack(pop)") int main(void) {
  if (sizeof(struct two) != 6 || sizeof(struct natural) != 8 || sizeof(struct one) != 5)
    reach_error();
  if (_Alignof(struct {
#pragma pack(1)
        char c;
#pragma pack()
        int i;
      }) != 4)
    reach_error();
  return 0;
}
