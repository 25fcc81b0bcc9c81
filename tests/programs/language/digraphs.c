// expect: true
// Digraphs mean what other punctuators do; the operator # shows how they are spelled.
%:include <assert.h>
%:define JOINED(a, b) a%:%:b
%:define SHOWN(x) #x

int main(void) <%
  int JOINED(ro, w)<:2:> = <%1, 2%>;
  const char *shown = SHOWN(<:);
  assert(row<:1:> == 2 && sizeof SHOWN(<:) == 3 && shown[0] == '<' && shown[1] == ':');
  return 0;
%>
