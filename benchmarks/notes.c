// All that a run of a program sees of races, where its report has one race of
// each two places, and what launches take of memory: for the library of
// programs, when it is linked with --wrap (benchmarks/values-verdicts).
//
// Lines for the file that NOTES names.  For each race, as often as it is seen,
//
//   RACE KIND ARRAY SPACE FIRST LAST WARP WARP LINE LINE
//
// KIND is ww, rw or atomic; SPACE the number of a block for its shared memory,
// else `global`; FIRST and LAST are bytes of the array, those that both access;
// a WARP is of the grid.  And for each launch kilobytes,
//
//   LAUNCH ALL SHARED BLOCKS GRID
//
// that the process has had more while it was executed; of these the most that
// copies have touched, of shared memory, of other memory for blocks that are
// executed at one time, and for the grid.

#define _GNU_SOURCE

#include "runtime/machine/copied.h"
#include "runtime/machine/machine.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// Names that the linker makes.
void __real_machine_note(const Incident *incident);
void __wrap_machine_note(const Incident *incident);
void __real_copied_run(const Run *run, Image *image, Outcome *outcome);
void __wrap_copied_run(const Run *run, Image *image, Outcome *outcome);
void *__real___gpuverify_values_take(uint64_t bytes, uint64_t bytes_a_line,
                                     uint32_t *lines);
void *__wrap___gpuverify_values_take(uint64_t bytes, uint64_t bytes_a_line,
                                     uint32_t *lines);
void __real___gpuverify_values_give(void *copies);
void __wrap___gpuverify_values_give(void *copies);
void *__real___gpuverify_values_grid(uint64_t bytes, uint64_t bytes_a_line,
                                     uint32_t *lines, int32_t *pass);
void *__wrap___gpuverify_values_grid(uint64_t bytes, uint64_t bytes_a_line,
                                     uint32_t *lines, int32_t *pass);
int __real_munmap(void *at, size_t bytes);
int __wrap_munmap(void *at, size_t bytes);

static FILE *notes(void) {
  static FILE *out;
  if (!out)
    out = fopen(getenv("NOTES"), "a");
  assert(out);
  return out;
}

// ----------------------------------------------------------------- races ---

static bool is_atomic(const Site *site) { return site->kind == SITE_ATOMIC; }
static bool is_read(const Site *site) { return site->kind == SITE_READ; }

static const char *kind_of(const Site *a, const Site *b) {
  if (is_atomic(a) || is_atomic(b))
    return "atomic";
  return is_read(a) || is_read(b) ? "rw" : "ww";
}

static uint64_t place(const uint32_t at[3], const uint32_t size[3]) {
  return at[0] + size[0] * (at[1] + (uint64_t)size[1] * at[2]);
}

static uint64_t warp_of(const Actor *actor) {
  const Run *run = machine.run;
  uint64_t threads = (uint64_t)run->block[0] * run->block[1] * run->block[2];
  return place(actor->block, run->grid) * ((threads + LANES - 1) / LANES) +
         place(actor->thread, run->block) / LANES;
}

// Where the array is shared memory; else it is a buffer.
static const Variable *variable_of(const Actor *actor) {
  size_t index = (size_t)actor->array, buffers = machine.run->buffers.count;
  return index < buffers ? NULL
                         : &machine.run->code->variables.at[index - buffers];
}

static void print_array(FILE *out, const Actor *actor) {
  const Variable *variable = variable_of(actor);
  if (!variable)
    fprintf(out, "%s global",
            machine.run->buffers.at[(size_t)actor->array].name);
  else if (variable->space == SPACE_SHARED)
    fprintf(out, "%s %" PRIu64, variable->name,
            place(actor->block, machine.run->grid));
  else
    fprintf(out, "%s global", variable->name);
}

static int64_t later(int64_t a, int64_t b) { return a > b ? a : b; }
static int64_t end(const Actor *actor) {
  return actor->offset + (int64_t)actor->bytes - 1;
}

static void print_race(const Actor *a, const Actor *b) {
  const Site *sites = machine.run->code->sites.at;
  const Site *first = &sites[a->site], *second = &sites[b->site];
  FILE *out = notes();
  fprintf(out, "RACE %s ", kind_of(first, second));
  print_array(out, a);
  fprintf(out, " %" PRId64 " %" PRId64 " %" PRIu64 " %" PRIu64 " %u %u\n",
          later(a->offset, b->offset), -later(-end(a), -end(b)), warp_of(a),
          warp_of(b), first->loc.line, second->loc.line);
}

void __wrap_machine_note(const Incident *incident) {
  if (incident->kind == INCIDENT_RACE && incident->actors[0].array >= 0)
    print_race(&incident->actors[0], &incident->actors[1]);
  __real_machine_note(incident);
}

// ---------------------------------------------------------------- copies ---

enum { MOST = 1 << 14 };

// Copies for a block; they are kept, and others have them later.
typedef struct Block {
  void *at;
  uint64_t shared, all; // bytes, of which the former come first
  uint64_t touched[2];
} Block;

static Block blocks[MOST];
static size_t count;
static void *grid;
static uint64_t grid_bytes, most_shared, most_others, most_grid;

static uint64_t touched(const char *from, uint64_t bytes) {
  uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), all = 0;
  uint64_t pages = (bytes + page - 1) / page;
  unsigned char *is_there = malloc(pages);
  assert(is_there);
  if (mincore((void *)from, bytes, is_there) == 0)
    for (uint64_t i = 0; i < pages; i++)
      all += is_there[i] & 1;
  free(is_there);
  return all * page;
}

static Block *find(const void *at) {
  for (size_t i = 0; i < count; i++)
    if (blocks[i].at == at)
      return &blocks[i];
  return NULL;
}

void *__wrap___gpuverify_values_take(uint64_t bytes, uint64_t bytes_a_line,
                                     uint32_t *lines) {
  void *at = __real___gpuverify_values_take(bytes, bytes_a_line, lines);
  if (!find(at)) {
    assert(count < MOST);
    blocks[count++] = (Block){
        .at = at, .shared = bytes, .all = bytes + *lines * bytes_a_line};
  }
  return at;
}

static uint64_t more(uint64_t a, uint64_t b) { return a > b ? a : b; }

void __wrap___gpuverify_values_give(void *copies) {
  Block *block = find(copies);
  uint64_t shared = 0, others = 0;
  uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
  uint64_t behind = (block->shared + page - 1) / page * page;
  block->touched[0] = touched(block->at, block->shared);
  block->touched[1] =
      touched((const char *)block->at + behind, block->all - behind);
  for (size_t i = 0; i < count; i++) {
    shared += blocks[i].touched[0];
    others += blocks[i].touched[1];
  }
  most_shared = more(most_shared, shared);
  most_others = more(most_others, others);
  __real___gpuverify_values_give(copies);
}

void *__wrap___gpuverify_values_grid(uint64_t bytes, uint64_t bytes_a_line,
                                     uint32_t *lines, int32_t *pass) {
  grid = __real___gpuverify_values_grid(bytes, bytes_a_line, lines, pass);
  grid_bytes = bytes + *lines * bytes_a_line;
  return grid;
}

int __wrap_munmap(void *at, size_t bytes) {
  Block *block = find(at);
  if (block)
    *block = blocks[--count];
  if (at == grid && grid) {
    most_grid = more(most_grid, touched(at, grid_bytes));
    grid = NULL;
  }
  return __real_munmap(at, bytes);
}

// ---------------------------------------------------------------- launch ---

// Kilobytes of the process.
static uint64_t status(const char *name) {
  char line[256];
  uint64_t found = 0;
  FILE *in = fopen("/proc/self/status", "r");
  assert(in);
  while (fgets(line, sizeof line, in))
    if (!strncmp(line, name, strlen(name)))
      found = strtoull(line + strlen(name), NULL, 10);
  fclose(in);
  return found;
}

// The most that the process has had is what it has.
static void begin_again(void) {
  FILE *out = fopen("/proc/self/clear_refs", "w");
  assert(out);
  fputs("5", out);
  fclose(out);
}

void __wrap_copied_run(const Run *run, Image *image, Outcome *outcome) {
  begin_again();
  uint64_t before = status("VmRSS:");
  most_shared = most_others = most_grid = 0;
  __real_copied_run(run, image, outcome);
  fprintf(notes(), "LAUNCH %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
          status("VmHWM:") - before, most_shared >> 10, most_others >> 10,
          most_grid >> 10);
  fflush(notes());
}
