// What a kernel prints, in an order that does not depend on the schedule.
//
// Most kernels' text goes out as it comes.  Of one that is to leave the same
// whatever the schedule it is kept until the launch is over, and goes out block
// by block, of each block barrier by barrier, and between two barriers thread
// by thread.

#include "runtime/machine/machine.h"
#include "runtime/machine/twice.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct Print {
  uint64_t block;
  uint32_t interval, thread;
  size_t number; // as they came
  char *text;
  size_t length;
} Print;

static struct {
  Print *at;
  size_t count, room;
} kept;

// Of a launch that is executed several times: how often text has come, in this
// execution, and how often it went out.
static uint64_t come, gone;

static void write_out(const char *text, size_t length) {
  while (length) {
    ssize_t written = write(machine.run->output, text, length);
    if (written <= 0)
      return;
    text += written;
    length -= (size_t)written;
  }
}

static void keep(const char *text, size_t length) {
  const Thread *self = machine.self;
  Print *grown = machine_grown(kept.at, kept.count, &kept.room, sizeof *grown);
  char *copy = malloc(length);
  kept.at = grown ? grown : kept.at;
  if (!grown || !copy) {
    free(copy);
    machine_fail(INCIDENT_LIMIT, "no memory to keep what is printed");
  }
  memcpy(copy, text, length);
  kept.at[kept.count] = (Print){.block = self->group->index,
                                .interval = self->group->interval,
                                .thread = self->index,
                                .number = kept.count,
                                .text = copy,
                                .length = length};
  kept.count++;
}

void prints_begin(void) { come = gone = 0; }
void prints_again(void) { come = 0; }
void prints_hush(void) { gone = UINT64_MAX; }

void prints_put(const char *text, size_t length) {
  if (machine.run->output < 0 || twice_execution() == 2 || !length)
    return;
  if (++come <= gone)
    return;
  gone = come;
  if (machine.run->is_deterministic)
    keep(text, length);
  else
    write_out(text, length);
}

static int order(const void *a, const void *b) {
  const Print *one = a, *other = b;
  if (one->block != other->block)
    return one->block < other->block ? -1 : 1;
  if (one->interval != other->interval)
    return one->interval < other->interval ? -1 : 1;
  if (one->thread != other->thread)
    return one->thread < other->thread ? -1 : 1;
  return one->number < other->number ? -1 : 1;
}

void prints_end(void) {
  if (kept.count)
    qsort(kept.at, kept.count, sizeof *kept.at, order);
  for (size_t i = 0; i < kept.count; i++) {
    write_out(kept.at[i].text, kept.at[i].length);
    free(kept.at[i].text);
  }
  kept.count = 0;
}
