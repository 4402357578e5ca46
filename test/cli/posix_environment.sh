# gpuverify threads: the environment, files without names, err, large variables
# of threads.  Each program is right in a process of its own, too.
# shellcheck shell=sh

# right: the program that follows, by both.
right() {
  {
    printf '#define _GNU_SOURCE\n'
    printf '#include <%s.h>\n' assert err errno pthread stdio stdlib string unistd
    cat
  } >right.c
  gives 0 'verdict: passed' threads right.c --schedules=100
  if ${CC:-cc} -w -pthread -o native right.c 2>compiler.log; then
    check 'right.c is right' ./native
  fi
}

GPUVERIFY_TEST=user
export GPUVERIFY_TEST
right <<'END_OF_C'
extern char **environ;
static char own[] = "OWN=1", *empty[] = {NULL};
int main(void) {
  assert(!strcmp(getenv("GPUVERIFY_TEST"), "user") && !getenv("OWN"));
  assert(!setenv("GPUVERIFY_TEST", "other", 0));
  assert(!strcmp(getenv("GPUVERIFY_TEST"), "user"));
  assert(!setenv("GPUVERIFY_TEST", "a=b", 1));
  assert(!strcmp(getenv("GPUVERIFY_TEST"), "a=b"));
  assert(!putenv(own) && !strcmp(getenv("OWN"), "1"));
  own[4] = '2';
  assert(!strcmp(getenv("OWN"), "2") && !setenv("MORE", "", 1) && !*getenv("MORE"));
  assert(!unsetenv("OWN") && !getenv("OWN") && getenv("MORE") && !unsetenv("OWN"));
  assert(!putenv("MORE") && !getenv("MORE"));
  assert(setenv("", "x", 1) == -1 && errno == EINVAL);
  assert(setenv("A=B", "x", 1) == -1 && setenv(NULL, "x", 1) == -1);
  assert(unsetenv("A=B") == -1);
  for (int i = 0; i < 50; i++) {
    char name[8];
    sprintf(name, "N%d", i);
    assert(!setenv(name, name, 1) && !strcmp(getenv(name), name));
  }
  assert(!strcmp(secure_getenv("N7"), "N7") && !clearenv() && !getenv("N7"));
  assert(!setenv("LAST", "1", 1) && !strcmp(environ[0], "LAST=1") && !environ[1]);
  environ = empty;
  assert(!getenv("LAST") && !setenv("LAST", "2", 1) && !strcmp(getenv("LAST"), "2"));
  return 0;
}
END_OF_C
right <<'END_OF_C'
int main(void) {
  char name[] = "new.XXXXXX", other[] = "new.XXXXXX", wrong[] = "newXXXXX";
  int file = mkstemp(name), second = mkstemp(other);
  assert(file > 2 && second > 2 && strcmp(name, other) && !access(name, F_OK));
  assert(mkstemp(wrong) == -1 && errno == EINVAL);
  assert(write(file, "abc", 3) == 3 && !lseek(file, 0, SEEK_SET));
  char text[4] = "";
  assert(read(file, text, 4) == 3 && !strcmp(text, "abc"));
  assert(!unlink(name) && !unlink(other) && access(name, F_OK));
  char third[] = "new.XXXXXX";
  assert(!close(mkstemp(third)) && strcmp(third, name) && strcmp(third, other));
  assert(!unlink(third));
  return close(file) || close(second);
}
END_OF_C
right <<'END_OF_C'
static _Thread_local int large[20000] = {1, 2};
static void *work(void *value) {
  assert(large[0] == 1 && large[1] == 2 && !large[19999]);
  large[19999] = large[0] = 7;
  return value;
}
int main(void) {
  pthread_t threads[3];
  large[0] = 3;
  for (int i = 0; i < 3; i++)
    pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < 3; i++)
    pthread_join(threads[i], NULL);
  return large[0] != 3 || large[19999];
}
END_OF_C
right <<'END_OF_C'
static _Thread_local _Alignas(4096) char page[64] = "p";
static _Thread_local char byte = 1;
static void *work(void *value) {
  assert(!((unsigned long)page % 4096) && page[0] == 'p' && byte == 1);
  byte = page[63] = 2;
  return value;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  work(NULL);
  pthread_join(thread, NULL);
  assert(!page[62]);
  return byte != 2;
}
END_OF_C
right <<'END_OF_C'
static FILE *file;
static void *work(void *value) {
  assert(ftrylockfile(file));
  return value;
}
int main(void) {
  pthread_t thread;
  file = tmpfile();
  flockfile(file);
  assert(!ftrylockfile(file));
  funlockfile(file);
  pthread_create(&thread, NULL, work, NULL);
  pthread_join(thread, NULL);
  assert(fputs_unlocked("ab", file) >= 0 && fwrite_unlocked("c", 1, 1, file) == 1);
  rewind(file);
  assert(getc_unlocked(file) == 'a' && fgetc_unlocked(file) == 'b');
  assert(getc_unlocked(file) == 'c' && getc_unlocked(file) == EOF);
  assert(feof_unlocked(file) && !ferror_unlocked(file));
  funlockfile(file);
  return fclose(file);
}
END_OF_C
right <<'END_OF_C'
static void end(void) { _exit(0); }
int main(void) {
  warn("not %s", "seen");
  warnx("%d", 3);
  atexit(end);
  errx(4, NULL);
}
END_OF_C
cat >large.c <<'END_OF_C'
static _Thread_local char large[1 << 18];
int main(void) { return large[1]; }
END_OF_C
gives 4 "'large': the variables of this program are too large" threads large.c
