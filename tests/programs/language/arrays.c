// expect: true
// Arrays: several dimensions, variable indices, of structs, decay, sizes, VLAs.
#include <assert.h>

struct cell {
  char tag;
  int row[3];
};

static int total(int n, int a[n][2]) {
  int s = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 2; j++)
      s = s * 3 + a[i][j];
  return s;
}

static int size_of_parameter(int a[10]) { return sizeof a == sizeof(int *); }

static int global[2][3][4];

int main(void) {
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 3; j++)
      for (int k = 0; k < 4; k++)
        global[i][j][k] = 100 * i + 10 * j + k;
  assert(global[1][2][3] == 123 && *(*(*(global + 1) + 2) + 3) == 123 && global[0][1][2] == 12);
  assert((&global[0][0][0])[0] == 0 && *global[1][1] == 110 && (*global[1])[2] == 102);
  assert(sizeof global == 96 && sizeof global[0] == 48 && sizeof global[0][0] == 16);
  assert(global[1] - global[0] == 3 && &global[1][0] - &global[0][0] == 3);
  int(*rows)[4] = global[1];
  assert(rows[2][1] == 121 && (*++rows)[0] == 110);

  struct cell cells[3] = {{'a', {1, 2, 3}}, {'b'}, {.row = {[1] = 7}}};
  int at = 2;
  cells[at].row[at - 1]++;
  cells[1].row[2] = cells[0].row[at] * 5;
  assert(cells[2].row[1] == 8 && cells[1].row[2] == 15 && cells[1].row[0] == 0 && cells[2].tag == 0);
  assert(sizeof cells == 48);

  int index[3] = {2, 0, 1}, values[3] = {5, 6, 7};
  assert(values[index[index[0]]] == 5 + 1 && values[index[2]] == 6 && index[values[0] - 5] == 2);
  values[index[1]] = index[values[1] - 6];
  assert(values[0] == 2);
  char bytes[4];
  for (char c = 0; c < 4; c++)
    bytes[(unsigned char)c] = 'a' + c;
  assert(bytes[0] == 'a' && bytes[3] == 'd');

  int n = 2;
  int vla[n][n + 1];
  n = 9;
  assert(sizeof vla == 24 && sizeof vla[0] == 12);
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 3; j++)
      vla[i][j] = i + j;
  assert(vla[1][2] == 3 && vla[0][2] == 2 && vla[1][0] == 1);
  assert(vla[1] - vla[0] == 3 && *vla[1] == 1);
  int square[2][2] = {{1, 0}, {0, 2}};
  assert(total(2, square) == 29);
  assert(size_of_parameter(index));
  for (int k = 1; k < 4; k++) {
    int again[k];
    again[k - 1] = k;
    assert(sizeof again == k * sizeof(int) && again[k - 1] == k);
  }
  return 0;
}
