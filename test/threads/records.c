// Threads write records of two parts into a file, which they lock meanwhile; a
// name in the environment says how the parts are kept apart.
//
// bug 1: assertion  the file is not locked between the parts
// bug 2: deadlock   two files are locked in both orders
// bug 3: misuse     the file is unlocked once more
// bug 4: race       one thread changes the environment while the other reads it

#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static FILE *file, *log_file;

static void write_record(FILE *first, FILE *second, char name) {
#if BUG == 4
  if (name == 'b')
    setenv("APART", "-", 1);
#endif
#if BUG != 1
  flockfile(first);
#endif
#if BUG == 2
  flockfile(second);
#endif
  fprintf(file, "%c%s", name, getenv("APART"));
  putc_unlocked(name, file);
  fputs("\n", file);
#if BUG == 2
  funlockfile(second);
#else
  (void)second;
#endif
#if BUG != 1
  funlockfile(first);
#endif
#if BUG == 3
  funlockfile(first);
#endif
}

static void *work(void *unused) {
  write_record(BUG == 2 ? log_file : file, file, 'b');
  return unused;
}

int main(void) {
  pthread_t thread;
  char line[8], before = 0;
  assert(!getenv("APART") && !setenv("APART", "-", 0));
  file = tmpfile();
  log_file = tmpfile();
  pthread_create(&thread, NULL, work, NULL);
  write_record(file, log_file, 'a');
  pthread_join(thread, NULL);
  rewind(file);
  for (int i = 0; i < 2; i++) {
    assert(fgets(line, sizeof line, file) && strlen(line) == 4);
    assert(line[0] == line[2] && line[1] == '-' && line[0] != before);
    before = line[0];
  }
  printf("%s", BUG == 0 ? "done\n" : "");
  return fclose(file) || fclose(log_file);
}
