# gpuverify threads: jumps that go nowhere, and where they are told.
# shellcheck shell=sh

# jumps STATUS TEXT: the program that follows.
jumps() {
  {
    printf '#include <%s.h>\n' assert pthread setjmp signal stdlib string
    cat
  } >jumps.c
  gives "$1" "$2" threads jumps.c --schedules=5 --output=s
}

jumps 1 'misuse, by thread 0: jumps to where nobody has called setjmp' <<'END_OF_C'
static jmp_buf back;
int main(void) { longjmp(back, 1); }
END_OF_C
jumps 1 'jumps to where thread 0 has called setjmp' <<'END_OF_C'
static jmp_buf back;
static void *work(void *unused) { longjmp(back, 1); return unused; }
int main(void) {
  pthread_t thread;
  if (!setjmp(back))
    pthread_create(&thread, NULL, work, NULL);
  return pthread_join(thread, NULL);
}
END_OF_C
jumps 1 'jumps over pthread_cleanup_push or pthread_cleanup_pop' <<'END_OF_C'
static void nothing(void *unused) { (void)unused; }
int main(void) {
  jmp_buf back;
  if (setjmp(back))
    return 0;
  pthread_cleanup_push(nothing, NULL);
  longjmp(back, 1);
  pthread_cleanup_pop(0);
}
END_OF_C
jumps 1 'jumps to a function that has returned' <<'END_OF_C'
static jmp_buf back;
static int inner(int depth) {
  if (depth)
    return inner(depth - 1);
  if (setjmp(back))
    return 1;
  return 0;
}
int main(void) {
  if (inner(3))
    return 0;
  longjmp(back, 1);
}
END_OF_C
# Of two calls of one function the outer one is come back to, and then the inner
# one is no more.
jumps 1 'jumps.c:19:7: misuse, by thread 0: jumps to a function that has returned' <<'END_OF_C'
static jmp_buf outer, inner;
static int again(int depth) {
  if (setjmp(depth ? outer : inner))
    return 7 + depth;
  if (depth)
    return again(0) + 1;
  longjmp(outer, 1);
}
int main(void) {
  int value = again(1);
  assert(value == 8);
  for (;;)
      longjmp(inner, 1);
}
END_OF_C
# A buffer on the heap, which may be freed, or too small; what it changes is put
# back; a mask of signals is one if that is wanted.
jumps 0 'verdict: passed' <<'END_OF_C'
static sigjmp_buf back;
_Alignas(256) static sigjmp_buf kept;
static sigset_t now, one;
int main(void) {
  jmp_buf zeros;
  memset(&zeros, 0, sizeof zeros);
  assert(!memcmp(&kept, &zeros, sizeof zeros));
  sigemptyset(&one);
  sigaddset(&one, SIGUSR1);
  for (int saves = 0; saves < 2; saves++) {
    volatile int times = 0;
    pthread_sigmask(SIG_SETMASK, &now, NULL);
    if (!sigsetjmp(saves ? kept : back, saves)) {
      pthread_sigmask(SIG_BLOCK, &one, NULL);
      times++;
      siglongjmp(saves ? kept : back, 0);
    }
    sigset_t found;
    pthread_sigmask(SIG_BLOCK, NULL, &found);
    assert(times == 1 && sigismember(&found, SIGUSR1) == !saves);
  }
  return 0;
}
END_OF_C
jumps 1 'verdict: use-after-free' <<'END_OF_C'
int main(void) {
  jmp_buf *back = malloc(sizeof *back);
  free(back);
  return setjmp(*back);
}
END_OF_C
jumps 1 'verdict: out-of-bounds' <<'END_OF_C'
int main(void) {
  jmp_buf *back = malloc(64);
  return setjmp(*back);
}
END_OF_C
jumps 4 "'_setjmp' is used by its address, which is not executed" <<'END_OF_C'
static int (*volatile save)(struct __jmp_buf_tag *) = _setjmp;
int main(void) { return save(NULL); }
END_OF_C
gives 4 'setjmp, or pthread_cleanup_push, is not there on a device' \
  threads "$root/test/threads/jumps.c" -DBUG=0 --device=check --schedules=300
jumps 4 "jumps.c:9:7: 'llvm.eh.sjlj.setjmp': __builtin_setjmp and __builtin_longjmp are not executed" <<'END_OF_C'
static void *back[5];
int main(void) {
  if (__builtin_setjmp(back))
    return 0;
  __builtin_longjmp(back, 1);
}
END_OF_C
