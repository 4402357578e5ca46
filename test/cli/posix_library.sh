# gpuverify threads: what functions of the C library leave behind, look at and refuse.
# shellcheck shell=sh

# program NAME: its text is the rest of main.
program() {
  {
    cat <<'END_OF_C'
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <malloc.h>
#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>
// What is put back in chunks is put back for its own sake.
_Alignas(256) static int before;
_Alignas(256) static int number;
_Alignas(256) static double real;
_Alignas(256) static char text[64], line[64] = "a b c";
_Alignas(256) static char *place;
int main(int count, char **words) {
  assert(++before == 1);
END_OF_C
    cat
    echo '  return !count && !words && !number && !text[1] && !line[1] && !place &&
    real == 0; }'
  } >"$1.c"
}

# right NAME: each schedule finds what the first one has found.
right() {
  program "$1"
  gives 0 'verdict: passed' threads "$1.c" --schedules=5
}

# wrong NAME VERDICT: it is wrong in the first one.
wrong() {
  program "$1"
  gives 1 "verdict: $2" threads "$1.c" --schedules=5 --output=s
}

# ----------------------------------------------- what a schedule leaves behind

right scans <<'END'
  assert(!number && !*text && real == 0);
  assert(sscanf("12 0.5 word", "%d %lf %60s", &number, &real, text) == 3);
  assert(number == 12 && real == 0.5 && !strcmp(text, "word"));
END
right scans_more <<'END'
  signed char one = 1;
  short two = 2;
  long long eight;
  void *at;
  int behind = 0;
  assert(!*text && !line[8] && sscanf("ab", "%d", &number) == 0);
  assert(sscanf("7 8 9 0x10 xyz]12", "%hhd %hd %lld %p %5[xyz]%*c%2c%n", &one,
                &two, &eight, &at, text, line + 8, &behind) == 6);
  assert(one == 7 && two == 8 && eight == 9 && at == (void *)16);
  assert(behind == 17 && line[8] == '1' && line[9] == '2');
END
right scans_counts <<'END'
  int all[] = {-1, -1};
  assert(sscanf("5 y", "%d x%n", all, (int *)0) == 1 && all[0] == 5);
  assert(sscanf("1 2", "%*[1]%n %%%n", &number, (int *)0) == 0 && number == 1);
  assert(sscanf("", "%n%d%n", &number, all, (int *)0) == -1 && !number);
  strcpy(text, "17 x");
  assert(sscanf(text, "%*d %c%n", text, &number) == 1 && number == 4);
  assert(!strcmp(text, "x7 x"));
END
right half_numbers <<'END'
  volatile _Float16 half = 100.5;
  volatile __int128 wide = (__int128)half;
  half = (_Float16)wide;
  assert(wide == 100 && half == 100);
END
right counts <<'END'
  assert(!number);
  char to[20];
  snprintf(to, sizeof to, "abc%n%.*s%5.1f%c%ld", &number, 2, "defg", 2.5, 'x', 7L);
  assert(number == 3 && !strcmp(to, "abcde  2.5x7"));
END
right tokens <<'END'
  assert(!place);
  assert(!strcmp(strtok_r(line, " ", &place), "a") && place == line + 2);
  assert(!strcmp(strtok(place, " "), "b") && !strcmp(strtok(NULL, " "), "c"));
  assert(!strtok(NULL, " ") && !strtok(NULL, " "));
END
right letters <<'END'
  char *own[] = {"p", "x", "-abc", "-o", "1", "y", "-q7", "--", "-z", NULL};
  assert(optind == 1 && !optarg && optopt == '?');
  assert(getopt(9, own, "abco:q::") == 'a');
  assert(getopt(9, own, "abco:q::") == 'b');
END
right options <<'END'
  char *own[] = {"p", "x", "-abc", "-o", "1", "y", "-q7", "-u", "--", "-z", NULL};
  char *after[] = {"p", "-abc", "-o", "1", "-q7", "-u", "--", "x", "y", "-z"};
  assert(getopt(10, own, "abco:q::") == 'a' && getopt(10, own, "abco:q::") == 'b');
  assert(getopt(10, own, "abco:q::") == 'c' && getopt(10, own, "abco:q::") == 'o');
  assert(!strcmp(optarg, "1"));
  assert(getopt(10, own, "abco:q::") == 'q' && !strcmp(optarg, "7"));
  assert(getopt(10, own, "abco:q::") == '?' && optopt == 'u');
  assert(getopt(10, own, "abco:q::") == -1 && optind == 7);
  for (int i = 0; i < 10; i++)
    assert(!strcmp(own[i], after[i]));
  optind = 1;
  assert(getopt(10, own, "+:o:") == '?' && getopt(10, own, "+:o:") == '?');
END
right main_words <<'END'
  assert(!words[1] || (!strcmp(words[1], "x") && !strcmp(words[2], "-a")));
  while (getopt(count, words, "ab") != -1)
    number++;
END
gives 0 'verdict: passed' threads main_words.c --schedules=5 -- x -a -ab y
right errors <<'END'
  assert(!strcmp(strerror(ENOENT), "No such file or directory"));
  char *one = strerror(4001), *two = strerror(4002);
  assert(one == two && !strcmp(two, "Unknown error 4002"));
END
right lots <<'END'
  int first = rand();
  srand(1);
  assert(first == rand() && drand48() < 1);
END

# ------------------------------------------------ what is read, and how far

wrong freed_text use-after-free <<'END'
  char *at = strdup("hello");
  free(at);
  printf("%d %s\n", 3, at);
END
wrong freed_wide use-after-free <<'END'
  int *at = malloc(8);
  at[0] = 'x';
  at[1] = 0;
  free(at);
  printf("%ls\n", at);
END
wrong short_wide out-of-bounds <<'END'
  int *at = malloc(8);
  return mbstowcs(at, "xy", 3) == 2;
END
wrong open_text out-of-bounds <<'END'
  char *at = malloc(4);
  memset(at, 'x', 4);
  printf("%s\n", at);
END
wrong open_words out-of-bounds <<'END'
  char *at = malloc(8);
  memset(at, 'x', 8);
  snprintf(text, sizeof text, "%.*s", 9, at);
END
wrong scanned out-of-bounds <<'END'
  char *at = malloc(4);
  sscanf("12345", "%s", at);
END
wrong counted use-after-free <<'END'
  int *at = malloc(4);
  free(at);
  printf("ab%n", at);
END
wrong compared use-after-free <<'END'
  char *at = strdup("hello");
  free(at);
  return strcasecmp(at, "help");
END
wrong spanned use-after-free <<'END'
  char *at = strdup("12");
  free(at);
  return (int)strtol(at, NULL, 10);
END
right no_further <<'END'
  char *at = malloc(4);
  memcpy(at, "abcd", 4);
  assert(strchr(at, 'c') == at + 2 && strcmp(at, "abd") < 0);
  assert(strncmp(at, "abcd", 4) == 0 && memchr(at, 'd', 99) == at + 3);
  printf("%.4s\n", at);
  free(at);
END
cat >apart.c <<'END'
#include <pthread.h>
#include <stdio.h>
#include <string.h>
static char both[16] = "ab 12";
static void *change(void *a) { both[SHARED] = 'x'; return a; }
int main(void) {
  pthread_t thread;
  int found;
  pthread_create(&thread, 0, change, 0);
  found = strchr(both, ' ') != NULL;
  printf("%.2s", both);
  pthread_join(thread, 0);
  return !found;
}
END
gives 0 'verdict: passed' threads apart.c -DSHARED=4 --schedules=100
gives 1 'verdict: racy' threads apart.c -DSHARED=1 --output=s
cat >tokens_race.c <<'END'
#include <pthread.h>
#include <string.h>
static void *cut(void *text) { return strtok(text, " ") ? NULL : text; }
int main(void) {
  pthread_t thread;
  char one[] = "a b", two[] = "c d";
  pthread_create(&thread, 0, cut, one);
  cut(two);
  pthread_join(thread, 0);
}
END
gives 1 'verdict: racy' threads tokens_race.c --output=s

# ------------------------------------------------- as the real library has it

right too_large <<'END'
  char *end;
  errno = 0;
  assert(strtol("99999999999999999999", &end, 10) == LONG_MAX && errno == ERANGE);
  errno = 0;
  assert(strtod("1e999", NULL) == HUGE_VAL && errno == ERANGE);
  errno = 7;
  assert(strtol(" 12x", &end, 10) == 12 && *end == 'x' && errno == 7);
  assert(strtoul("", &end, 0) == 0);
  snprintf(text, sizeof text, "%m");
  assert(!strcmp(text, strerror(7)));
END
right keys <<'END'
  pthread_key_t keys[PTHREAD_KEYS_MAX], more;
  for (int i = 0; i < PTHREAD_KEYS_MAX; i++)
    assert(!pthread_key_create(&keys[i], NULL));
  assert(pthread_key_create(&more, NULL) == EAGAIN);
  assert(!pthread_setspecific(keys[900], text) && !pthread_key_delete(keys[900]));
  assert(!pthread_key_create(&more, NULL) && !pthread_getspecific(more));
  for (int i = 0; i < 3000; i++)
    assert(!pthread_key_delete(more) && !pthread_key_create(&more, NULL));
END
right aligned <<'END'
  void *at = text;
  assert(posix_memalign(&at, 24, 8) == EINVAL && posix_memalign(&at, 4, 8) == EINVAL);
  assert(at == text && !posix_memalign(&at, 64, 8) && (uintptr_t)at % 64 == 0);
  free(at);
  assert(!aligned_alloc(24, 48) && errno == EINVAL);
  errno = 0;
  assert(!malloc((size_t)1 << 40) && errno == ENOMEM && !calloc(SIZE_MAX, 2));
  assert(posix_memalign(&at, (size_t)1 << 62, 8) == ENOMEM);
  at = memalign(24, 8);
  assert((uintptr_t)at % 32 == 0 && !realloc(at, 0));
  at = realloc(NULL, 5);
  memcpy(at, "four", 5);
  at = realloc(at, 500);
  assert(!strcmp(at, "four"));
  free(at);
END
wrong emptied use-after-free <<'END'
  char *at = malloc(5);
  assert(!realloc(at, 0));
  *at = 1;
END
wrong stranger misuse <<'END'
  return realloc(text, 5) == NULL;
END
right files <<'END'
  assert(!fopen("no folder/file", "w") && errno == ENOENT);
  assert(!fopen("files.c/file", "w") && errno == ENOTDIR);
  assert(!fopen("", "w") && errno == ENOENT && !fopen("nothing", "r"));
  FILE *out = fopen("made", "w+");
  assert(out && !fopen("made", "wx") && errno == EEXIST);
  memset(line, 'x', 63);
  for (int i = 0; i < 200; i++)
    assert(fprintf(out, "%.60s\n", line) == 61);
  assert(fprintf(out, "%9000d", 5) == 9000 && ftell(out) == 200 * 61 + 9000);
  fclose(out);
  out = fopen("four", "w+");
  fputs("four", out);
  rewind(out);
  assert(fgets(text, 5, out) && !feof(out) && !strcmp(text, "four"));
  assert(fgetc(out) == EOF && feof(out) && !ferror(out));
  rewind(out);
  assert(!feof(out) && fgets(text, 9, out) && feof(out));
  rewind(out);
  assert(fread(text, 1, 4, out) == 4 && !feof(out));
  assert(fread(text, 1, 4, out) == 0 && feof(out));
  assert(fgets(text, 1, out) == text && !*text && !fgets(text, 9, out));
  fclose(out);
  out = fopen("files.c", "r");
  assert(fputs("text", out) == EOF && errno == EBADF && ferror(out));
  assert(fwrite("text", 1, 4, out) == 0 && fprintf(out, "x") == EOF);
  fclose(out);
END
check 'what a program writes stays with its schedule' [ ! -e made ]

# ------------------------------------------------------------------- refused

# refused NAME TEXT
refused() {
  program "$1"
  gives 4 "$2" threads "$1.c" --schedules=5
}
refused by_number 'arguments by number' <<'END'
  printf("%1$d\n", 5);
END
refused wide 'wide characters' <<'END'
  int letters[8];
  return sscanf("text", "%ls", letters);
END
refused foreign 'that the locale C has not' <<'END'
  printf("%d\n", wprintf(L"%lc", 0x3b1));
END
refused rounds 'how numbers are rounded' <<'END'
  __builtin_set_flt_rounds(0);
END
refused takes 'memory that is taken' <<'END'
  return sscanf("text", "%ms", &place);
END
cat >halves.c <<'END'
#include <complex.h>
#include <stdio.h>
int main(int count, char **words) {
  unsigned __int128 wide = (unsigned __int128)count << 70;
  _Float16 half = (_Float16)count;
  __float128 quarter = count;
  double complex both = count + 2.0 * I;
  wide /= 7u + (unsigned)count;
  double real = (double)wide;
  both = both * both / 2.0;
  quarter = quarter * quarter / 3 + (double)half;
  printf("%d %d %d %d\n", (int)((__int128)real % 1000), (int)(8 * quarter),
         (int)(half * 2), (int)__real__ both);
  return !words;
}
END
gives 0 'verdict: passed' threads halves.c --schedules=5
# The compiler's library may be so old that it lacks this one.
cat >absent.c <<'END'
#include <stdio.h>
int main(int count, char **words) {
  __bf16 half = (__bf16)(float)count;
  printf("%d\n", (int)(float)half);
  return !words;
}
END
"$gpuverify" threads absent.c --schedules=3 >told 2>&1
check 'what machine code calls is told' grep -q \
  'calls what gpuverify has not: Symbols not found: \[ __truncsfbf2\|verdict: passed' told
check 'in one sentence' [ "$(grep -c 'session error' told)" = 0 ]
cat >large.c <<'END'
static char all[(128 << 20) - LEFT];
int main(void) { all[5] = 1; return 0; }
END
gives 4 'the arguments and the environment' threads large.c -DLEFT=4200
gives 4 'are too large' threads large.c -DLEFT=0
gives 0 'verdict: passed' threads large.c -DLEFT=1000000 --schedules=3
cat >cells.c <<'END'
#include <pthread.h>
#include <string.h>
static long cells[1 << 20];
static void *none(void *a) { return a; }
int main(void) {
  pthread_t threads[THREADS];
  memset(cells, 0, CELLS * sizeof *cells);
  for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], 0, none, 0);
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], 0);
}
END
gives 0 'only up to the 64th thread' threads cells.c -DCELLS=600000 -DTHREADS=1 \
  --schedules=70
gives 0 'only up to the 64th thread' threads cells.c -DCELLS=1 -DTHREADS=70 \
  --schedules=70
for count in 1 500000; do
  gives 0 'verdict: passed' threads cells.c -DCELLS=$count -DTHREADS=3 --schedules=70
  says_not '64th thread'
done
