// What follows -- is for the program, and its exit status is told.
//
// program:  7 blue
// prints:   2 arguments, the last is blue
// prints:   program exited with 7
// verdict:  failed

#include <stdio.h>
#include <stdlib.h>

int main(int count, char **texts) {
  printf("%d arguments, the last is %s\n", count - 1, texts[count - 1]);
  return atoi(texts[1]);
}
