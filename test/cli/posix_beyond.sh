# gpuverify threads: what was seen before a program wants what is not there.
# shellcheck shell=sh

cat >beyond.c <<'END'
#include <pthread.h>
#include <stdio.h>
static int shared;
static void *work(void *unused) {
  shared++;
  return unused;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  if (WRONG != 1)
    pthread_join(thread, NULL);
  shared++;
  if (WRONG == 1)
    pthread_join(thread, NULL);
  if (ENDS == 1)
    getchar();
  for (volatile unsigned i = 0; ENDS == 2; i++)
    shared += (int)i;
  return 0;
}
END
beyond() {
  gives "$1" "$2" threads beyond.c "-DWRONG=$3" "-DENDS=$4" --output=s \
    --schedules=70 "--scheduler=$5"
}
for scheduler in pct dfs; do
  beyond 1 'beyond.c:5:9: racy' 1 0 $scheduler
  says_not 'what comes then'
  beyond 1 'beyond.c:5:9: racy' 1 1 $scheduler
  tells 'what comes then is not known: the program reads what a person types'
  tells 'nothing worse, and none that came to its end'
  gives 1 'verdict: racy' threads beyond.c -DWRONG=1 -DENDS=1 --replay=s
  beyond 4 'verdict: unknown (the program reads what a person types' 0 1 \
    $scheduler
done
# Why, once; and for who reads documents.
check 'it is told once' test \
  "$("$gpuverify" threads beyond.c -DWRONG=0 -DENDS=1 2>&1 | grep -c 'a person types')" = 1
gives 4 '"reason":"the program reads what a person types' threads beyond.c \
  -DWRONG=0 -DENDS=1 --json
gives 4 "program 'beyond.c' is unknown: the program reads what a person types" \
  threads beyond.c -DWRONG=0 -DENDS=1 --sarif
gives 1 'beyond.c:5:9: racy' threads beyond.c -DWRONG=1 -DENDS=2 --output=s \
  --lots=1 --schedules=1
tells 'what comes then is not known: none of the first schedules comes to its'

# Who ends the program, and where: not what an earlier schedule was about.
cat >ends.c <<'END'
#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int turn, last;
static void *work(void *number) {
  pthread_mutex_lock(&mutex);
  last = *(int *)number;
  if (turn++ == 1 && last == WRONG)
    exit(last + 2);
  pthread_mutex_unlock(&mutex);
  return NULL;
}
int main(void) {
  pthread_t threads[2];
  int numbers[] = {1, 2};
  for (int i = 0; i < 2; i++)
    pthread_create(&threads[i], NULL, work, &numbers[i]);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], NULL);
  return WRONG == 2 ? last : 0;
}
END
for wrong in 1 2; do
  case $wrong in
  1) place='ends.c:9:5: failed, by thread 1: exit status 3, and 0 in' ;;
  2) place='ends.c: failed, by thread 0: exit status 1, and 4 in' ;;
  esac
  gives 1 "$place" threads ends.c -DWRONG=$wrong --output=s --schedules=64
  gives 1 "$place" threads ends.c -DWRONG=$wrong --replay=s
done
