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
beyond 1 'beyond.c:5:9: racy' 1 2 pct
tells 'what comes then is not known: none of the first schedules comes to its'
beyond 4 'none of the first schedules comes to its end' 0 2 pct
