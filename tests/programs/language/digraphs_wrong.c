// expect: false(unreach-call)
// Digraphs mean what other punctuators do.
%:include <assert.h>

int main(void) <%
  int row<:2:> = <%1, 2%>;
  assert(row<:1:> == 1);
  return 0;
%>
