# gpuverify threads: that functions of the C library answer as the real ones do.
# Each program is right in a process of its own, too, if there is a compiler.
# shellcheck shell=sh

# right NAME OPTION..: the program that follows, by both.
right() {
  name=$1
  shift
  {
    cat <<'END'
#define _GNU_SOURCE
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysinfo.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>
_Alignas(256) static int number;
_Alignas(256) static char text[64];
END
    cat
  } >"$name.c"
  gives 0 'verdict: passed' threads "$name.c" --schedules=40 "$@"
  if ${CC:-cc} -w -pthread -o native "$name.c" -lm 2>compiler.log; then
    while [ $# -gt 0 ] && [ "$1" != -- ]; do shift; done
    [ $# -eq 0 ] || shift
    check "$name.c is right" ./native "$@"
  fi
}

printf '3\n1.5 a 0x10\nlast line' >input.txt
right scans_files <<'END'
int main(void) {
  float real;
  char one;
  int count, all[2] = {0, 0};
  FILE *in = fopen("input.txt", "r");
  assert(!number && in && fscanf(in, "%i", &number) == 1 && number == 3);
  assert(fscanf(in, "%f %c%n", &real, &one, &count) == 2 && real == 1.5f);
  assert(one == 'a' && count == 6 && ftell(in) == 7);
  assert(fscanf(in, "%x", (unsigned *)all) == 1 && all[0] == 16);
  assert(fgetc(in) == '\n' && ungetc('\n', in) == '\n' && !feof(in));
  assert(fscanf(in, "%d", all) == 0 && fscanf(in, "%5s", text) == 1);
  assert(!strcmp(text, "last") && fscanf(in, "%*s") == 0 && feof(in));
  assert(fscanf(in, "%d", all) == EOF && all[0] == 16);
  clearerr(in);
  rewind(in);
  char *line = NULL;
  size_t room = 0;
  assert(getline(&line, &room, in) == 2 && !strcmp(line, "3\n"));
  assert(getline(&line, &room, in) == 11 && getline(&line, &room, in) == 9);
  assert(getline(&line, &room, in) == -1 && feof(in) && fileno(in) > 2);
  rewind(in);
  assert(getdelim(&line, &room, ' ', in) == 6 && !strcmp(line, "3\n1.5 "));
  free(line);
  return fclose(in);
}
END
right sorted <<'END'
typedef struct Pair { int key, place; } Pair;
static int by_key(const void *a, const void *b) {
  return ((const Pair *)a)->key - ((const Pair *)b)->key;
}
int main(void) {
  Pair few[12], many[100];
  for (int i = 0; i < 12; i++)
    few[i] = (Pair){i % 3, i};
  qsort(few, 12, sizeof *few, by_key);
  for (int i = 1; i < 12; i++) // equal ones stay as they were
    assert(few[i - 1].key < few[i].key || few[i - 1].place < few[i].place);
  for (int i = 0; i < 100; i++)
    many[i] = (Pair){i * 37 % 100, i};
  qsort(many, 100, sizeof *many, by_key);
  for (int i = 0; i < 100; i++)
    assert(many[i].key == i);
  qsort(many, 0, sizeof *many, by_key);
  return 0;
}
END
right texts <<'END'
int main(void) {
  char line[] = "a,b;c", *rest = line, *copy = strndup("hello", 3);
  assert(!strcmp(strsep(&rest, ",;"), "a") && !strcmp(strsep(&rest, ",;"), "b"));
  assert(!strcmp(strsep(&rest, ",;"), "c") && !rest && !strsep(&rest, ","));
  assert(!strcmp(copy, "hel") && !strncasecmp("HELp", copy, 3));
  free(copy);
  assert(strpbrk("abc", "xc")[0] == 'c' && !strpbrk("abc", "x"));
  assert(!strcmp(strcasestr("xHeLLo", "hell"), "HeLLo") && !strcasestr("a", "b"));
  assert(stpcpy(text, "12") == text + 2 && strtof("2.5x", &rest) == 2.5f);
  assert(*rest == 'x' && mempcpy(text, "34", 2) == text + 2 && text[1] == '4');
  assert(memmem("abcd", 4, "bc", 2) && !memmem("abcd", 4, "bd", 2));
  assert(*(char *)memrchr("xaya", 'a', 4) == 'a' && iscntrl(7) && isblank(9));
  return !setlocale(LC_ALL, "") || setlocale(LC_ALL, "no such") != NULL;
}
END
right numbers <<'END'
int main(void) {
  int exponent;
  double whole, sine, cosine;
  volatile double half = 0.5;
  assert(frexp(6, &exponent) == 0.75 && exponent == 3);
  assert(modf(-2.5, &whole) == -0.5 && whole == -2 && ldexp(half, 3) == 4);
  sincos(0, &sine, &cosine);
  assert(sine == 0 && cosine == 1 && lround(half) == 1 && lrint(half) == 0);
  assert(fma(half, 4, 1) == 3 && copysign(half, -1) == -0.5 && fdim(1, half) == .5);
  assert(atanh(tanh(half)) > 0.49 && remainder(5, 3) == -1 && nearbyint(half) == 0);
  div_t parts = div(17, 5);
  ldiv_t more = ldiv(-17, 5);
  assert(parts.quot == 3 && parts.rem == 2 && more.quot == -3 && more.rem == -2);
  return !reallocarray(NULL, (size_t)1 << 40, (size_t)1 << 40) ? 0 : 1;
}
END
right dates <<'END'
int main(void) {
  time_t start = 86400;
  struct tm *date = gmtime(&start), own;
  assert(date->tm_year == 70 && date->tm_mday == 2 && gmtime_r(&start, &own));
  assert(timegm(&own) == start && !strcmp(asctime(&own), "Fri Jan  2 00:00:00 1970\n"));
  assert(strftime(text, sizeof text, "%Y-%m-%d %H", &own) == 13);
  assert(!strcmp(text, "1970-01-02 00") && own.tm_yday == 1);
  struct timespec least, soon = {0, 1000};
  assert(!clock_getres(CLOCK_MONOTONIC, &least) && least.tv_nsec == 1);
  return clock_nanosleep(CLOCK_MONOTONIC, 0, &soon, NULL);
}
END
right long_words -- --size=3 x -q --name y --verb --bad --size <<'END'
int main(int count, char **words) {
  static int seen;
  static const struct option known[] = {{"size", required_argument, 0, 's'},
                                        {"name", required_argument, 0, 'n'},
                                        {"verbose", no_argument, &seen, 7},
                                        {"version", optional_argument, 0, 'V'},
                                        {"queue", no_argument, 0, 'q'},
                                        {0, 0, 0, 0}};
  int place = -1;
  opterr = 0;
  assert(getopt_long(count, words, "qs:", known, &place) == 's' && !place);
  assert(!strcmp(optarg, "3") && getopt_long(count, words, "qs:", known, 0) == 'q');
  assert(getopt_long(count, words, "qs:", known, &place) == 'n' && place == 1);
  assert(!strcmp(optarg, "y") && !seen);
  assert(!getopt_long(count, words, "qs:", known, &place) && seen == 7);
  assert(getopt_long(count, words, "qs:", known, &place) == '?' && place == 2);
  assert(getopt_long(count, words, "qs:", known, 0) == '?' && optopt == 's');
  assert(getopt_long(count, words, "qs:", known, 0) == -1);
  return optind != count - 1 || strcmp(words[optind], "x");
}
END
right words_by_w -- -Wsize=3 -W quiet -q -W none -W <<'END'
int main(int count, char **words) {
  static const struct option known[] = {{"size", required_argument, 0, 's'},
                                        {"quiet", no_argument, 0, 'q'},
                                        {0, 0, 0, 0}};
  int place = -1;
  opterr = 0;
  assert(getopt_long(count, words, "qW;", known, &place) == 's' && !place);
  assert(!strcmp(optarg, "3") && optind == 2);
  assert(getopt_long(count, words, "qW;", known, &place) == 'q' && place == 1);
  assert(optind == 4 && getopt_long(count, words, "qW;", known, 0) == 'q');
  assert(getopt_long(count, words, "qW;", known, 0) == '?' && optind == 7);
  assert(getopt_long(count, words, "qW;", known, 0) == '?' && optopt == 'W');
  return getopt_long(count, words, "qW;", known, 0) != -1 || optind != count;
}
END
right output_values <<'END'
#include <fcntl.h>
int main(void) {
  FILE *out = fopen("output", "w");
  assert(puts("") == 1 && puts("abc") == 4 && fputs("", stdout) == 1);
  assert(fputs("abcd", out) == 1 && putchar(0x1ff) == 0xff && putc(-1, out) == 0xff);
  assert(open("output/x", O_RDONLY) == -1 && errno == ENOTDIR);
  errno = 0;
  assert(open("output/x", O_CREAT | O_WRONLY, 0600) == -1 && errno == ENOTDIR);
  errno = 0;
  assert(!fopen("output/", "r") && errno == ENOTDIR);
  errno = 0;
  assert(open("output_values.c/x", O_RDWR) == -1 && errno == ENOTDIR);
  return fclose(out) || remove("output");
}
END
right more_numbers <<'END'
#include <complex.h>
static int down(const void *a, const void *b, void *calls) {
  ++*(int *)calls;
  return *(const int *)b - *(const int *)a;
}
int main(void) {
  int few[3] = {1, 3, 2}, many[50], calls = 0;
  double complex both = 3 + 4 * I;
  for (int i = 0; i < 50; i++)
    many[i] = i * 7 % 50;
  qsort_r(few, 3, sizeof *few, down, &calls);
  qsort_r(many, 50, sizeof *many, down, &calls);
  assert(few[0] == 3 && few[2] == 1 && many[0] == 49 && many[49] == 0 && calls > 50);
  assert(creal(both) == 3 && cimag(conj(both)) == -4 && cabs(both) == 5);
  assert(cabsf(csqrtf(-4)) == 2 && fabs(creal(cexp(I * M_PI)) + 1) < 1e-9);
  volatile long double four = 4;
  return sqrtl(four) != 2 || powl(four, 2) != 16 || floorl(four / 3) != 1;
}
END
right wide_text <<'END'
#include <wchar.h>
#include <wctype.h>
int main(void) {
  wchar_t all[40] = L"one two", to[40], *kept, *end;
  const wchar_t *from = L"bytes";
  mbstate_t state = {0};
  assert(wcslen(all) == 7 && wcsnlen(all, 3) == 3 && wcscmp(L"a", L"b") < 0);
  assert(wcscpy(to, all) == to && !wcscmp(to, all) && wcschr(to, L't') == to + 4);
  assert(wcscat(to, L"!")[7] == L'!' && wcsncmp(to, L"one!", 3) == 0);
  assert(wcsstr(to, L"two") == to + 4 && !wcsstr(to, L"x") && wcsrchr(to, L'o') == to + 6);
  assert(wcsspn(to, L"eno") == 3 && wcscspn(to, L" ") == 3);
  assert(wcspbrk(to, L"wt") == to + 4 && !wcscasecmp(L"aB", L"Ab"));
  assert(!wcscmp(wcstok(all, L" ", &kept), L"one") && !wcscmp(kept, L"two"));
  assert(wmemcmp(wmemset(to, L'y', 3), L"yyy", 3) == 0 && wmemchr(to, L'o', 9) == to + 6);
  assert(wcstol(L" 12x", &end, 10) == 12 && *end == L'x' && wcstod(L"0.5", NULL) == 0.5);
  assert(mbstowcs(to, "abc", 40) == 3 && to[2] == L'c' && mbstowcs(NULL, "abcd", 0) == 4);
  assert(wcstombs(text, L"wide", 64) == 4 && !strcmp(text, "wide"));
  assert(mbstowcs(to, "\303", 4) == (size_t)-1 && errno == EILSEQ);
  assert(wcstombs(text, L"\351", 4) == (size_t)-1 && mbtowc(to, "q", 1) == 1);
  assert(mbrtowc(to, "z", 1, &state) == 1 && to[0] == L'z' && mbsinit(&state));
  assert(wcsrtombs(text, &from, 64, &state) == 5 && !from && !strcmp(text, "bytes"));
  assert(wcrtomb(text, L'k', NULL) == 1 && *text == 'k' && wctomb(text, 0x3b1) == -1);
  assert(iswalpha(L'k') && !iswalpha(0xe9) && towupper(L'k') == L'K');
  assert(iswctype(L'7', wctype("digit")) && wctob(L'c') == 'c' && btowc('c') == L'c');
  wchar_t *copy = wcsdup(L"copy");
  assert(!wcscmp(copy, L"copy"));
  free(copy);
  return strcmp(setlocale(LC_ALL, "C"), "C");
}
END
right wide_output <<'END'
#include <wchar.h>
int main(void) {
  wchar_t to[20];
  FILE *out = fopen("wide_out", "w"), *bytes = fopen("bytes_out", "w");
  assert(!fwide(out, 0) && fwprintf(out, L"%d %s %ls %c\n", 7, "seven", L"wide", 'x') == 15);
  assert(fwide(out, -1) > 0 && fputws(L"more", out) >= 0 && fputwc(L'!', out) == L'!');
  assert(fprintf(out, "bytes") == -1 && fputs("bytes", out) == EOF);
  assert(fputs("text", bytes) >= 0 && fwprintf(bytes, L"no") == -1 && fwide(bytes, 1) < 0);
  fclose(bytes);
  fclose(out);
  out = fopen("wide_out", "r");
  assert(fgets(text, sizeof text, out) && !strcmp(text, "7 seven wide x\n"));
  assert(fgets(text, sizeof text, out) && !strcmp(text, "more!") && !fclose(out));
  assert(swprintf(to, 20, L"%5.1f|%ls", 2.5, L"ab") == 8 && !wcscmp(to, L"  2.5|ab"));
  assert(swprintf(to, 3, L"%d", 12345) == -1 && !wcsncmp(to, L"12", 2));
  assert(snprintf(text, sizeof text, "%ls %.2ls %lc", L"one", L"two", (wint_t)'z') == 8);
  assert(!strcmp(text, "one tw z") && wprintf(L"%d", 3) == 1 && putwchar(L'a') == L'a');
  return remove("wide_out") || remove("bytes_out");
}
END
right keys_of_c11 <<'END'
static tss_t key;
static int ended;
static mtx_t lock;
static void end(void *value) {
  mtx_lock(&lock);
  ended += *(int *)value;
  mtx_unlock(&lock);
}
static int run(void *value) {
  tss_set(key, value);
  return tss_get(key) == value && thrd_equal(thrd_current(), thrd_current());
}
int main(void) {
  thrd_t threads[2];
  int result, one = 1;
  mtx_init(&lock, mtx_plain);
  assert(tss_create(&key, end) == thrd_success && !tss_get(key));
  for (int i = 0; i < 2; i++)
    thrd_create(&threads[i], run, &one);
  for (int i = 0; i < 2; i++)
    assert(thrd_join(threads[i], &result) == thrd_success && result);
  tss_delete(key);
  mtx_destroy(&lock);
  return ended != 2;
}
END
right attributes <<'END'
static pthread_rwlock_t lock;
static void *run(void *value) {
  struct timespec until;
  cpu_set_t set;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec++;
  pthread_setname_np(pthread_self(), "own");
  assert(!pthread_getaffinity_np(pthread_self(), sizeof set, &set));
  assert(CPU_COUNT(&set) > 0 && CPU_COUNT(&set) <= get_nprocs_conf());
  assert(sched_getcpu() < get_nprocs_conf() && gettid() != getpid());
  int error = pthread_rwlock_timedrdlock(&lock, &until);
  assert(!error || error == ETIMEDOUT);
  if (!error)
    pthread_rwlock_unlock(&lock);
  return value;
}
int main(void) {
  pthread_attr_t attributes;
  pthread_rwlockattr_t of_lock;
  pthread_t thread;
  int state;
  void *result;
  pthread_attr_init(&attributes);
  assert(!pthread_attr_setguardsize(&attributes, 4096));
  assert(!pthread_attr_getdetachstate(&attributes, &state));
  assert(state == PTHREAD_CREATE_JOINABLE && gettid() == getpid());
  pthread_rwlockattr_init(&of_lock);
  pthread_rwlock_init(&lock, &of_lock);
  pthread_rwlockattr_destroy(&of_lock);
  pthread_rwlock_wrlock(&lock);
  pthread_create(&thread, &attributes, run, &lock);
  pthread_rwlock_unlock(&lock);
  while ((state = pthread_tryjoin_np(thread, &result)) == EBUSY)
    sched_yield();
  return state || result != &lock || pthread_rwlock_destroy(&lock);
}
END

cat >made.cpp <<'END'
struct pair { int a, b; pair(int n) : a(n), b(n + 1) {} };
int main() {
  pair *one = new pair(3), *kept = one;
  int *all = new int[4]();
  int sum = one->a + one->b + all[3] - 7;
  delete one;
  delete[] all;
  return sum + (WRONG ? kept->a : 0);
}
END
gives 0 'verdict: passed' threads made.cpp -DWRONG=0 --schedules=40
gives 1 'made.cpp:8:31: use-after-free' threads made.cpp -DWRONG=1 --output=s

# Arguments that are wrong, and ends of what there is.
: >empty.txt
right edges <<'END'
#include <semaphore.h>
#include <limits.h>
static void end_with(int status, void *argument) {
  assert(!status && argument == text);
}
int main(void) {
  char *end = text, *line = NULL;
  size_t room = 0, bytes = 0;
  time_t zero = 0, far = LLONG_MAX;
  struct tm date = *gmtime(&zero);
  struct timespec wrong = {0, 1000000000};
  sem_t semaphore;
  pthread_attr_t attributes;
  assert(strtol("7", &end, 1) == 0 && errno == EINVAL && end == text);
  assert(strtoul("7", &end, 37) == 0 && end == text);
  assert(strftime(text, 3, "%Y-%m", &date) == 0);
  assert(strftime(text, 8, "%Y-%m", &date) == 7 && !strcmp(text, "1970-01"));
  date.tm_isdst = 1;
  assert(mktime(&date) == -3600 && date.tm_isdst == 0 && date.tm_year == 69);
  assert(!gmtime(&far) && errno == EOVERFLOW);
  assert(nanosleep(&wrong, NULL) == -1 && clock_nanosleep(77, 0, &wrong, NULL));
  assert(clock_gettime(77, &wrong) == -1 && timespec_get(&wrong, 0) == 0);
  assert(!sem_init(&semaphore, 0, INT_MAX));
  assert(sem_post(&semaphore) == -1 && errno == EOVERFLOW);
  assert(!sem_wait(&semaphore));
  assert(!pthread_attr_init(&attributes));
  assert(pthread_attr_setstacksize(&attributes, 1) == EINVAL);
  assert(!pthread_attr_setstacksize(&attributes, 1 << 20));
  assert(!pthread_attr_getstacksize(&attributes, &bytes) && bytes == 1 << 20);
  assert(pthread_attr_setdetachstate(&attributes, 17) == EINVAL);
  assert(pthread_setname_np(pthread_self(), "much more than 15") == ERANGE);
  FILE *empty = fopen("empty.txt", "r");
  assert(empty && getline(&line, &room, empty) == -1 && line && room == 120);
  free(line);
  assert(fseek(empty, 0, 77) == -1 && lseek(fileno(empty), 0, 77) == -1);
  assert(errno == EINVAL && !on_exit(end_with, text));
  struct option all[] = {{"help", no_argument, NULL, 'h'}, {0}};
  char *words[] = {"edges", "--help=3", NULL};
  opterr = 0;
  assert(getopt_long(2, words, "", all, NULL) == '?' && !optarg);
  volatile _Float16 half = 0.5f16;
  assert((long double)half == 0.5L);
  return 0;
}
END

right deadlines <<'END'
#include <semaphore.h>
static sem_t closed;
static int is_over(const struct timespec *until) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return now.tv_sec > until->tv_sec ||
         (now.tv_sec == until->tv_sec && now.tv_nsec >= until->tv_nsec);
}
int main(void) {
  struct timespec none = {0, 1000000000}, less = {0, -1}, past = {-3, 0}, soon;
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t made = PTHREAD_COND_INITIALIZER;
  pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;
  assert(!pthread_mutex_timedlock(&lock, &none));
  assert(pthread_mutex_timedlock(&lock, &less) == EINVAL);
  assert(pthread_mutex_timedlock(&lock, &past) == ETIMEDOUT);
  assert(pthread_cond_timedwait(&made, &lock, &none) == EINVAL);
  assert(pthread_rwlock_timedrdlock(&shared, &less) == EINVAL);
  assert(pthread_rwlock_timedwrlock(&shared, &none) == EINVAL);
  assert(!sem_init(&closed, 0, 1) && sem_timedwait(&closed, &none) == -1);
  assert(errno == EINVAL && !sem_timedwait(&closed, &past));
  clock_gettime(CLOCK_REALTIME, &soon);
  soon.tv_nsec = (soon.tv_nsec + 1000000) % 1000000000;
  assert(sem_timedwait(&closed, &soon) == -1 && errno == ETIMEDOUT);
  assert(is_over(&soon));
  soon.tv_sec += soon.tv_nsec >= 999000000;
  soon.tv_nsec = (soon.tv_nsec + 1000000) % 1000000000;
  assert(pthread_cond_timedwait(&made, &lock, &soon) == ETIMEDOUT);
  assert(is_over(&soon));
  return pthread_mutex_unlock(&lock);
}
END

right come_and_go <<'END'
int __xpg_strerror_r(int, char *, size_t);
int main(void) {
  FILE *out = fopen("coming", "w"), *nameless = tmpfile();
  char *line, small[8];
  assert(access("coming", F_OK | R_OK | W_OK) == 0 && nameless);
  assert(access("nowhere", F_OK) == -1 && errno == ENOENT);
  assert(fputs("text", out) >= 0 && !fsync(fileno(out)));
  assert(!rename("coming", "going") && access("coming", F_OK) == -1);
  assert(fputs(" more", out) >= 0 && !fclose(out));
  out = fopen("going", "r");
  assert(out && fgets(text, sizeof text, out) && !strcmp(text, "text more"));
  assert(!remove("going") && remove("going") == -1 && errno == ENOENT);
  assert(!fopen("going", "r") && rename("going", "coming") == -1);
  rewind(out);
  assert(fgets(text, 5, out) && !strcmp(text, "text") && !fclose(out));
  assert(unlink("going") == -1 && fprintf(nameless, "%d", 12) == 2);
  rewind(nameless);
  assert(fscanf(nameless, "%d", &number) == 1 && number == 12);
  fclose(nameless);
  for (int i = 0; i < 100; i++) {
    out = fopen("often", "a");
    assert(out && fputc('x', out) == 'x' && !fclose(out));
  }
  assert(!unlink("often"));
  assert(asprintf(&line, "%s-%05.1f", "a", 2.5) == 7 && !strcmp(line, "a-002.5"));
  free(line);
  assert(!strcmp(strerror_r(ENOENT, small, sizeof small), strerror(ENOENT)));
  assert(__xpg_strerror_r(ENOENT, small, sizeof small) == ERANGE);
  assert(!strcmp(strerror_r(4001, text, sizeof text), "Unknown error 4001"));
  assert(*strchrnul("abc", 'x') == 0 && strtold("0.5x", &line) == 0.5L);
  return *line != 'x';
}
END
right signals <<'END'
#include <signal.h>
static void stop(int signal) { number = signal; }
static void *run(void *unused) {
  sigset_t before;
  assert(!pthread_sigmask(SIG_BLOCK, NULL, &before));
  assert(sigismember(&before, SIGUSR1) == 1 && !sigismember(&before, SIGINT));
  return unused;
}
int main(void) {
  struct sigaction action = {0}, before;
  sigset_t set, all;
  pthread_t thread;
  action.sa_handler = stop;
  assert(!sigemptyset(&action.sa_mask) && !sigaction(SIGINT, &action, NULL));
  assert(!sigaction(SIGINT, NULL, &before) && before.sa_handler == stop);
  assert(signal(SIGTERM, SIG_IGN) == SIG_DFL && signal(SIGTERM, stop) == SIG_IGN);
  assert(signal(SIGKILL, stop) == SIG_ERR && errno == EINVAL);
  assert(!sigfillset(&all) && sigismember(&all, SIGHUP) == 1);
  assert(!sigdelset(&all, SIGHUP) && !sigismember(&all, SIGHUP));
  assert(!sigemptyset(&set) && !sigaddset(&set, SIGUSR1));
  assert(sigaddset(&set, 100) == -1 && pthread_sigmask(77, &set, NULL) == EINVAL);
  assert(!pthread_sigmask(SIG_SETMASK, &set, NULL));
  pthread_create(&thread, NULL, run, NULL);
  assert(!sigprocmask(SIG_UNBLOCK, &set, NULL));
  assert(!sigprocmask(SIG_BLOCK, NULL, &all) && !sigismember(&all, SIGUSR1));
  return pthread_join(thread, NULL) || number;
}
END
right kept_attributes <<'END'
#include <semaphore.h>
int main(void) {
  pthread_attr_t all;
  pthread_mutexattr_t of_mutex;
  pthread_condattr_t of_condition;
  struct sched_param priority = {7};
  struct timespec past = {0, 0};
  size_t bytes;
  int value;
  clockid_t clock;
  char name[16];
  pthread_attr_init(&all);
  assert(pthread_attr_setschedpolicy(&all, 99) == EINVAL);
  assert(pthread_attr_setinheritsched(&all, 99) == EINVAL);
  assert(pthread_attr_setscope(&all, PTHREAD_SCOPE_PROCESS) == ENOTSUP);
  assert(pthread_attr_setschedparam(&all, &priority) == EINVAL);
  assert(!pthread_attr_setschedpolicy(&all, SCHED_RR));
  assert(!pthread_attr_setschedparam(&all, &priority));
  assert(!pthread_attr_setinheritsched(&all, PTHREAD_EXPLICIT_SCHED));
  assert(!pthread_attr_setguardsize(&all, 8192));
  priority.sched_priority = 0;
  assert(!pthread_attr_getschedpolicy(&all, &value) && value == SCHED_RR);
  assert(!pthread_attr_getschedparam(&all, &priority));
  assert(priority.sched_priority == 7);
  assert(!pthread_attr_getinheritsched(&all, &value) && value);
  assert(!pthread_attr_getscope(&all, &value) && !value);
  assert(!pthread_attr_getguardsize(&all, &bytes) && bytes == 8192);
  assert(!pthread_attr_getstacksize(&all, &bytes) && bytes == 8 << 20);
  assert(!pthread_getschedparam(pthread_self(), &value, &priority) && !value);
  assert(sched_get_priority_max(SCHED_FIFO) == 99);
  assert(sched_get_priority_min(77) == -1 && errno == EINVAL);
  pthread_mutexattr_init(&of_mutex);
  assert(!pthread_mutexattr_settype(&of_mutex, PTHREAD_MUTEX_ERRORCHECK));
  assert(pthread_mutexattr_settype(&of_mutex, 99) == EINVAL);
  assert(!pthread_mutexattr_gettype(&of_mutex, &value));
  assert(value == PTHREAD_MUTEX_ERRORCHECK);
  pthread_condattr_init(&of_condition);
  assert(pthread_condattr_setclock(&of_condition, 77) == EINVAL);
  assert(!pthread_condattr_setclock(&of_condition, CLOCK_MONOTONIC));
  assert(!pthread_condattr_getclock(&of_condition, &clock));
  assert(clock == CLOCK_MONOTONIC);
  assert(!pthread_setname_np(pthread_self(), "fifteen letters"));
  assert(pthread_getname_np(pthread_self(), name, 15) == ERANGE);
  assert(!pthread_getname_np(pthread_self(), name, 16));
  assert(!strcmp(name, "fifteen letters"));
  sem_t closed;
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t made = PTHREAD_COND_INITIALIZER;
  sem_init(&closed, 0, 0);
  assert(sem_clockwait(&closed, CLOCK_MONOTONIC, &past) == -1);
  assert(errno == ETIMEDOUT);
  assert(!pthread_mutex_clocklock(&lock, CLOCK_MONOTONIC, &past));
  return pthread_cond_clockwait(&made, &lock, CLOCK_MONOTONIC, &past) !=
         ETIMEDOUT;
}
END

# What is looked at is told, as far as the real function looks.
looks() {
  printf '#define _GNU_SOURCE\n#include <stdio.h>\n#include <stdlib.h>\n%s\n%s\n' \
    '#include <string.h>
#include <time.h>' "int main(void) { $2; }" >looks.c
  gives 1 "$1" threads looks.c --schedules=3 --output=s
}
looks out-of-bounds 'char *at = malloc(2); at[0] = at[1] = 1; return !strndup(at, 9)'
looks use-after-free 'char *at = strdup("a"); free(at); return !strpbrk(at, "b")'
looks use-after-free 'time_t *at = malloc(8); free(at); return !gmtime(at)'
looks out-of-bounds 'int *at = malloc(2); return fscanf(fopen("input.txt", "r"), "%d", at)'
looks out-of-bounds 'time_t at = 0; char *to = malloc(4); return !!strftime(to, 8, "%Y-%m", gmtime(&at))'
looks misuse 'FILE *in = fopen("input.txt", "w"); int n; return fscanf(in, "%d", &n)'

# One sentence each, before anything runs.
refuses() {
  printf 'int %s();\nint main(void) { return %s(0); }\n' "$1" "$1" >refused.c
  gives 4 "refused.c:2:25: '$1': $2" threads refused.c -Wno-everything
}
refuses syscall 'calls of the system by number are not executed'
refuses pipe 'pipes and sockets are not executed'
refuses system 'a program with processes of its own is not executed'
refuses raise 'signals are not executed'
refuses pause 'signals are not executed'
refuses sem_open 'semaphores with names are not executed'
cat >reads.c <<'END'
#include <stdio.h>
int main(void) { int n; return scanf("%d", &n); }
END
gives 4 'the program reads what a person types' threads reads.c

# Of threads and their ends: also what nobody asks for.
right detaches <<'END'
static pthread_barrier_t barrier;
static void *wait_twice(void *unused) {
  pthread_barrier_wait(&barrier);
  pthread_barrier_wait(&barrier);
  return unused;
}
static void one_more(void) { number++; }
static void last(void) {
  if (number != 1000)
    abort();
}
int main(void) {
  pthread_t thread;
  pthread_barrier_init(&barrier, NULL, 2);
  pthread_create(&thread, NULL, wait_twice, NULL);
  pthread_barrier_wait(&barrier);
  assert(!pthread_detach(thread) && pthread_detach(thread) == EINVAL);
  pthread_barrier_wait(&barrier);
  atexit(last);
  for (int i = 0; i < 1000; i++)
    assert(!atexit(one_more));
  return 0;
}
END
cat >sleeps.c <<'END'
#include <assert.h>
#include <time.h>
#include <unistd.h>
int main(void) {
  struct timespec far = {17000000000, 0};
  time_t before = time(NULL);
  nanosleep(&far, NULL);
  for (int i = 0; i < 9; i++)
    sleep(-1u);
  assert(time(NULL) > before);
  return 0;
}
END
gives 0 'verdict: passed' threads sleeps.c --schedules=2
