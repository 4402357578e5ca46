// Arrays in structs in arrays.
//
// args:     --local_size=16 --num_groups=2
// verdict:  verified
// bug 1:    racy       the last coordinate is the next cell's tag
// bug 2:    racy       the same cell of all bodies

typedef struct {
  char tag;
  short at[3];
} Cell;

typedef struct {
  Cell cell[4];
} Body;

kernel void place(global Body *body) {
  int i = get_global_id(0);
#if BUG == 2
  global Body *mine = body;
#else
  global Body *mine = body + i / 4;
#endif
  global Cell *cell = &mine->cell[i % 4];
  cell->tag = i; // allow 2: race on 'body'
#if BUG == 1
  int last = 3;
#else
  int last = 2;
#endif
  cell->at[last] = -i - 1; // expect 1,2: race on 'body'
}
