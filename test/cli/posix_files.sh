# gpuverify threads: files by name and by number.
# shellcheck shell=sh

# Natively the same.
cat >names.c <<'END'
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static void put(const char *name, const char *text) {
  FILE *file = fopen(name, "w");
  assert(file && fputs(text, file) >= 0 && !fclose(file));
}
static int has(const char *name, const char *text) {
  char line[20] = "";
  FILE *file = fopen(name, "r");
  if (file) {
    fgets(line, sizeof line, file);
    fclose(file);
  }
  return file && !strcmp(line, text);
}
int main(void) {
  char full[5000], *folder = getcwd(NULL, 0);
  put("./a", "one");
  assert(has("a", "one") && has("././a", "one") && has(".//a", "one"));
  sprintf(full, "%s/a", folder);
  assert(has(full, "one") && !has("nowhere/../a", "one"));
  free(folder);
  put(full, "two");
  assert(has("a", "two"));
  assert(!rename(".//a", "b") && access("a", F_OK) && has("./b", "two"));
  int first = open("b", O_RDONLY), second = open("./b", O_RDWR);
  assert(first == 3 && second == 4);
  close(first);
  FILE *unnamed = tmpfile();
  assert(unnamed && fileno(unnamed) == 3 && open("b", O_RDONLY) == 5);
  fputs("kept", unnamed);
  rewind(unnamed);
  assert(fgetc(unnamed) == 'k' && !fopen("", "r") && errno == ENOENT);
  fclose(unnamed);
  assert(open("b", O_RDONLY) == 3 && close(99) == -1 && errno == EBADF);
  assert(!unlink("./b") && access("b", F_OK) == -1);
  close(2);
  assert(write(2, "x", 1) == -1 && errno == EBADF);
#ifdef AGAIN
  open("b", O_CREAT | O_RDWR, 0600);
#endif
}
END
gives 0 'verdict: passed' threads names.c --schedules=10
gives 4 'a file in the place of a standard one is not executed (names.c:45:3)' \
  threads names.c -DAGAIN --schedules=10
check 'no file is left behind' test ! -e a -a ! -e b

# A few more calls, natively the same.
cat >calls.c <<'END'
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <assert.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/resource.h>
#include <sys/times.h>
#include <sys/uio.h>
#include <unistd.h>
int main(void) {
  char text[8], *end;
  assert(ffs(8) == 4 && ffsl(0) == 0 && htons(1) == 256 && ntohl(htonl(7)) == 7);
  assert(imaxabs(-3) == 3 && strtoimax("12x", &end, 10) == 12 && *end == 'x');
  assert(stpncpy(text, "abc", 8) == text + 3 && !text[7]);
  explicit_bzero(text, 8);
  assert(!*text);
  struct rusage used;
  struct tms ticks;
  assert(!getrusage(RUSAGE_SELF, &used) && times(&ticks) != -1);
  int file = open("kept", O_CREAT | O_RDWR, 0600);
  assert(pwrite(file, "abcdef", 6, 0) == 6 && pread(file, text, 2, 3) == 2);
  assert(!memcmp(text, "de", 2) && lseek(file, 0, SEEK_CUR) == 0);
  assert(pread(file, text, 2, 9) == 0 && pread(file, text, 2, -1) == -1);
  assert(!ftruncate(file, 2) && lseek(file, 0, SEEK_END) == 2);
  assert(!ftruncate(file, 4) && pread(file, text, 8, 1) == 3);
  assert(!memcmp(text, "b\0", 3) && ftruncate(file, -1) && ftruncate(99, 1));
  struct iovec parts[] = {{text, 1}, {text + 4, 2}};
  memcpy(text, "x...yz", 6);
  assert(writev(file, parts, 2) == 3 && lseek(file, 1, SEEK_SET) == 1);
  assert(readv(file, parts, 2) == 3 && text[0] == 'b' && text[4] == 'x');
  close(file);
  return unlink("kept");
}
END
gives 0 'verdict: passed' threads calls.c --schedules=10

# Where to open would wait for somebody, or what is read is made meanwhile.
mkfifo pipe
cat >kinds.c <<'END'
#include <fcntl.h>
#include <unistd.h>
int main(void) { return open(NAME, O_RDONLY | O_NONBLOCK) < 0; }
END
gives 4 "/pipe' is no ordinary file (kinds.c:3:25)" threads kinds.c \
  '-DNAME="pipe"'
gives 4 "/status' has more than the disk says (kinds.c:3:25)" threads kinds.c \
  '-DNAME="/proc/self/status"'
gives 4 "'/dev/null' is no ordinary file" threads kinds.c '-DNAME="/dev/null"'

# A name is memory, which is read.
cat >named.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
int main(void) {
  struct stat facts;
  char *name = malloc(8);
  free(name);
  LOOK;
  return 0;
}
END
for look in 'stat(name, &facts)' 'rename(name, "b")' 'rename("b", name)' \
  'fopen(name, "r")' 'fopen("named.c", name)' 'remove(name)'; do
  gives 1 'named.c:8:3: use-after-free' threads named.c "-DLOOK=$look"
done
