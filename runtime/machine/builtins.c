// The table of all functions that a thread of the device can call, and those of
// them that no function of the host is: ids, barriers, atomics, output,
// failure, annotations.
//
// An i1 is the lowest bit of an argument; the other bits may be anything.

#define _GNU_SOURCE

#include "ptx/numbers.h"
#include "runtime/machine/collect.h"
#include "runtime/machine/copied.h"
#include "runtime/machine/tensor.h"
#include "runtime/machine/twice.h"

#include <math.h>
#include <string.h>

// ------------------------------------------------------------------- ids ---

static uint32_t warp_size(void) { return LANES; }
static uint32_t lane_id(void) { return machine.self->index % LANES; }
static uint32_t lane_bit(void) { return UINT32_C(1) << lane_id(); }

// A gigahertz, whatever this machine has.
static uint64_t clock_now(void) {
  return twice_clock((uint64_t)(clock_seconds() * 1e9));
}
static uint32_t clock_low(void) { return (uint32_t)clock_now(); }
static uint32_t zero(void) { return 0; }
static uint32_t warp_id(void) { return machine.self->index / LANES; }
static uint32_t warp_count(void) {
  return (machine.threads + LANES - 1) / LANES;
}
static uint32_t sub_group_size(void) {
  uint32_t rest = machine.threads - machine.self->index / LANES * LANES;
  return rest < LANES ? rest : LANES;
}
static uint32_t one(void) { return 1; }
static uint32_t lanes_below(void) { return (UINT32_C(1) << lane_id()) - 1; }
static uint32_t lanes_up_to(void) { return lanes_below() * 2 + 1; }
static uint32_t lanes_above(void) { return ~lanes_up_to(); }
static uint32_t lanes_from(void) { return ~lanes_below(); }
static uint32_t dynamic_shared(void) {
  return (uint32_t)machine.run->dynamic_shared;
}
static uint32_t all_shared(void) {
  return (uint32_t)machine.image->shared_bytes;
}

// ---------------------------------------------------------------- memory ---

// What was done to these bytes when they were somebody else's races with
// nothing.
static void *take(uint64_t bytes) {
  char *taken = heap_take(machine.run->heap, bytes);
  if (taken && machine.watches_races)
    region_renew(taken, bytes);
  return taken;
}

// Who still uses it races with that, or finds it gone.
static void tell_gone(void *at) {
  const Heap *heap = machine.run->heap;
  uint64_t bytes = at && heap ? heap_piece_bytes(heap, at) : 0;
  if (bytes && machine.watches_races && machine.run->watch == WATCH_RACES)
    region_fill(at, bytes, machine.self->site);
}

static void give(void *at) {
  Heap *heap = machine.run->heap;
  tell_gone(at);
  const char *mistake = at && heap ? heap_give(heap, at) : NULL;
  if (at && !heap)
    mistake = "free without a heap";
  if (mistake)
    machine_fail(INCIDENT_CRASH, "%s", mistake);
}

// cudaMalloc and cudaFree
static uint32_t take_to(void **at, uint64_t bytes) {
  *at = take(bytes);
  return *at || !bytes ? 0 : 2;
}
static uint32_t give_back(void *at) {
  give(at);
  return 0;
}

// Launches from kernels are in order with each other, and so all streams are.
static uint32_t make_stream(uint64_t *stream, uint32_t flags) {
  (void)flags;
  *stream = 1;
  return 0;
}
static uint32_t no_error(void) { return 0; }
static const char *error_text(uint32_t error) {
  return error ? "an error" : "no error";
}

// What cooperative groups keep of a grid, in one word after another.
static uint32_t workspace_low(void) {
  return (uint32_t)(uintptr_t)machine.run->workspace;
}
static uint32_t workspace_high(void) {
  return (uint32_t)((uint64_t)(uintptr_t)machine.run->workspace >> 32);
}

// Behind what the kernel has itself.
static uint64_t reserved_shared(void) {
  return (uint64_t)(uintptr_t)machine.image->shared +
         machine.image->shared_bytes - RESERVED_SHARED;
}

// The address of which only the lower half is known.
static uint64_t shared_at(uint32_t low) {
  uint64_t base = (uint64_t)(uintptr_t)machine.image->shared;
  return base + low - (uint32_t)base;
}

static uint32_t shared_low(const void *at) { return (uint32_t)(uintptr_t)at; }

static bool is_shared(const void *at) {
  const Image *image = machine.image;
  return (uint64_t)((const char *)at - image->shared) < image->shared_bytes;
}
static bool is_local(const void *at) {
  return stacks_contain(&machine.stacks, at);
}
static bool is_global(const void *at) {
  return !is_shared(at) && !is_local(at);
}

// OpenCL: beyond the third dimension ids are 0 and sizes 1.
static uint64_t cl_local_id(uint32_t axis) {
  return axis < 3 ? machine.self->id[axis] : 0;
}
static uint64_t cl_group_id(uint32_t axis) {
  return axis < 3 ? machine.self->group->id[axis] : 0;
}
static uint64_t cl_local_size(uint32_t axis) {
  return axis < 3 ? machine.run->block[axis] : 1;
}
static uint64_t cl_num_groups(uint32_t axis) {
  return axis < 3 ? machine.run->grid[axis] : 1;
}
static uint64_t cl_global_offset(uint32_t axis) {
  return axis < 3 ? machine.run->offset[axis] : 0;
}
static uint64_t cl_global_id(uint32_t axis) {
  return cl_global_offset(axis) + cl_group_id(axis) * cl_local_size(axis) +
         cl_local_id(axis);
}
static uint64_t cl_global_size(uint32_t axis) {
  return cl_num_groups(axis) * cl_local_size(axis);
}
static uint64_t cl_local_linear_id(void) { return machine.self->index; }

// -------------------------------------------------------------- barriers ---

void builtin_at(uint32_t site) { machine.self->site = site; }

static void barrier(void) {
  if (machine.run->code->counts_barrier_0)
    named_meet_all(NAMED_SYNC, false, 0, 0);
  else
    machine_wait(THREAD_AT_BARRIER);
}

static void meet_at(bool is_aligned, uint32_t number) {
  if (number)
    named_meet_all(NAMED_SYNC, is_aligned, number, 0);
  else
    barrier();
}

static void barrier_named(uint32_t number) { meet_at(false, number); }
static void barrier_named_aligned(uint32_t number) { meet_at(true, number); }

static uint32_t count_all(bool is_aligned, uint32_t number, uint32_t vote) {
  Group *group = machine.self->group;
  if (number || machine.run->code->counts_barrier_0)
    return named_meet_all(NAMED_REDUCE, is_aligned, number, vote);
  group->votes += vote & 1;
  machine_wait(THREAD_AT_BARRIER);
  return group->result;
}

// How many said yes, whether nobody said no, and whether any said yes.
#define VOTES(suffix, is_aligned)                                              \
  static uint32_t barrier_count##suffix(uint32_t number, uint32_t vote) {      \
    return count_all(is_aligned, number, vote);                                \
  }                                                                            \
  static uint8_t barrier_and##suffix(uint32_t number, uint32_t vote) {         \
    return count_all(is_aligned, number, !(vote & 1)) == 0;                    \
  }                                                                            \
  static uint8_t barrier_or##suffix(uint32_t number, uint32_t vote) {          \
    return count_all(is_aligned, number, vote) > 0;                            \
  }
VOTES(, false)
VOTES(_aligned, true)

static void barrier_grid(void) { machine_wait(THREAD_AT_GRID); }

// --------------------------------------------------------------- atomics ---

static uint32_t atomic_add_int(uint32_t *at, uint32_t value) {
  return __atomic_fetch_add(at, value, __ATOMIC_RELAXED);
}
static uint32_t atomic_sub_int(uint32_t *at, uint32_t value) {
  return __atomic_fetch_sub(at, value, __ATOMIC_RELAXED);
}
static uint32_t atomic_inc_int(uint32_t *at) { return atomic_add_int(at, 1); }
static uint32_t atomic_dec_int(uint32_t *at) { return atomic_sub_int(at, 1); }
static uint32_t atomic_exchange_int(uint32_t *at, uint32_t value) {
  return __atomic_exchange_n(at, value, __ATOMIC_RELAXED);
}
static uint32_t atomic_compare_int(uint32_t *at, uint32_t old, uint32_t value) {
  __atomic_compare_exchange_n(at, &old, value, false, __ATOMIC_RELAXED,
                              __ATOMIC_RELAXED);
  return old;
}
static uint32_t atomic_or_int(uint32_t *at, uint32_t value) {
  return __atomic_fetch_or(at, value, __ATOMIC_RELAXED);
}
static uint32_t atomic_xor_int(uint32_t *at, uint32_t value) {
  return __atomic_fetch_xor(at, value, __ATOMIC_RELAXED);
}
static uint32_t atomic_and_int(uint32_t *at, uint32_t value) {
  return __atomic_fetch_and(at, value, __ATOMIC_RELAXED);
}
static uint64_t atomic_add_long(uint64_t *at, uint64_t value) {
  return __atomic_fetch_add(at, value, __ATOMIC_RELAXED);
}
static uint64_t atomic_exchange_long(uint64_t *at, uint64_t value) {
  return __atomic_exchange_n(at, value, __ATOMIC_RELAXED);
}
static uint64_t atomic_compare_long(uint64_t *at, uint64_t old,
                                    uint64_t value) {
  __atomic_compare_exchange_n(at, &old, value, false, __ATOMIC_RELAXED,
                              __ATOMIC_RELAXED);
  return old;
}
static uint64_t atomic_or_long(uint64_t *at, uint64_t value) {
  return __atomic_fetch_or(at, value, __ATOMIC_RELAXED);
}
static uint64_t atomic_xor_long(uint64_t *at, uint64_t value) {
  return __atomic_fetch_xor(at, value, __ATOMIC_RELAXED);
}
static uint64_t atomic_and_long(uint64_t *at, uint64_t value) {
  return __atomic_fetch_and(at, value, __ATOMIC_RELAXED);
}

// Fibers change only at calls, so these need no loop.
#define CHANGE(type, name, changed)                                            \
  static type name(type *at, type value) {                                     \
    type old = *at;                                                            \
    *at = changed;                                                             \
    return old;                                                                \
  }
CHANGE(int32_t, atomic_max_int, value > old ? value : old)
CHANGE(int64_t, atomic_max_long, value > old ? value : old)
CHANGE(int64_t, atomic_min_long, value < old ? value : old)
CHANGE(uint32_t, atomic_umax_int, value > old ? value : old)
CHANGE(uint64_t, atomic_umax_long, value > old ? value : old)
CHANGE(uint32_t, atomic_umin_int, value < old ? value : old)
CHANGE(uint64_t, atomic_umin_long, value < old ? value : old)
CHANGE(float, atomic_add_float, old + value)
CHANGE(double, atomic_add_double, old + value)
// Up to the value, then from 0 on; and downwards.
CHANGE(uint32_t, atomic_wrap_up_int, old >= value ? 0 : old + 1)
CHANGE(uint32_t, atomic_wrap_down_int,
       old == 0 || old > value ? value : old - 1)
CHANGE(int32_t, atomic_min_int, value < old ? value : old)

// --------------------------------------------------- failure, annotations ---

static void assert_fail(const char *condition, const char *file, uint32_t line,
                        const char *function, uint64_t bytes) {
  (void)file, (void)line, (void)function, (void)bytes;
  machine_fail(INCIDENT_ASSERTION, "%s", condition);
}

// The carry that assembly leaves for other assembly: 0, 1, or lost.
static void leave_carry(uint32_t carry) {
  machine.self->has_carry = carry < 2;
  machine.self->carry = carry == 1;
}
static uint32_t take_carry(void) {
  if (!machine.self->has_carry)
    machine_fail(INCIDENT_REFUSED, "assembly takes a carry that none has left");
  return machine.self->carry;
}

static void trap(void) { machine_fail(INCIDENT_TRAP, "%s", ""); }

static void annotation_requires(uint32_t holds) {
  if (!(holds & 1))
    machine_fail(INCIDENT_REQUIRES, "%s", "");
}

static void annotation_assert(uint32_t holds) {
  if (!(holds & 1))
    machine_fail(INCIDENT_ASSERTION, "%s", "");
}

// Whatever the time is, others have a turn.
static void nap(uint32_t nanoseconds) {
  (void)nanoseconds;
  machine_wait(THREAD_READY);
}

static void change_quiet(uint32_t by) {
  machine.self->quiet += by;
  machine.turn_mask = 0; // the next thread is not quiet
  if (machine.watches_races)
    races_turn(machine.self);
}
static void quiet_begin(void) { change_quiet(1); }
static void quiet_end(void) { change_quiet(UINT32_MAX); }

// ---------------------------------------------------------------- output ---

typedef struct Output {
  char text[1024];
  size_t length;
  const char *arguments;
  int count; // of arguments
} Output;

enum { MOST_DIRECTIVE = 64, NUMBER_BYTES = 512 };

static void flush(Output *output) {
  prints_put(output->text, output->length);
  output->length = 0;
}

static void print_part(Output *output, const char *text, size_t length) {
  while (length) {
    size_t room = sizeof output->text - output->length;
    size_t count = length < room ? length : room;
    memcpy(output->text + output->length, text, count);
    output->length += count;
    text += count;
    length -= count;
    if (output->length == sizeof output->text)
      flush(output);
  }
}

// The next argument; each lies at a multiple of its own size.
static uint64_t next_argument(Output *output, size_t bytes) {
  uint64_t value = 0;
  output->arguments += -(uintptr_t)output->arguments % bytes;
  memcpy(&value, output->arguments, bytes);
  output->arguments += bytes;
  output->count++;
  return value;
}

// One conversion, "%5.2f", by the host's printf.
static void print_conversion(Output *output, const char *directive) {
  char text[NUMBER_BYTES];
  int length = 0;
  char kind = directive[strlen(directive) - 1];
  bool is_long = strpbrk(directive, "lzjt") != NULL;
  if (!strcmp(directive, "%s")) {
    const char *at = (const char *)(uintptr_t)next_argument(output, 8);
    print_part(output, at ? at : "(null)", strlen(at ? at : "(null)"));
    return;
  }
  if (strchr("fFeEgGaA", kind)) {
    uint64_t bits = next_argument(output, 8);
    double value;
    memcpy(&value, &bits, sizeof value);
    length = snprintf(text, sizeof text, directive, value);
  } else if (kind == 's' || kind == 'p') {
    void *value = (void *)(uintptr_t)next_argument(output, 8);
    length = snprintf(text, sizeof text, directive, value);
  } else if (is_long) {
    uint64_t value = next_argument(output, 8);
    length = snprintf(text, sizeof text, directive, value);
  } else {
    uint32_t value = (uint32_t)next_argument(output, 4);
    length = snprintf(text, sizeof text, directive, value);
  }
  if (length > 0)
    print_part(output, text,
               (size_t)length < sizeof text ? (size_t)length : sizeof text - 1);
}

// Copies a directive with the width and precision that are arguments written
// out.  False: it is none that a device knows.
static bool read_directive(Output *output, const char *format, size_t length,
                           char directive[MOST_DIRECTIVE]) {
  size_t used = 0;
  if (!format[length - 1] || !strchr("diouxXcsfFeEgGaAp", format[length - 1]))
    return false;
  for (size_t i = 0; i < length; i++) {
    int room = (int)(MOST_DIRECTIVE - used);
    int more = format[i] == '*'
                   ? snprintf(directive + used, (size_t)room, "%d",
                              (int)next_argument(output, 4))
                   : snprintf(directive + used, (size_t)room, "%c", format[i]);
    if (more >= room)
      return false;
    used += (size_t)more;
  }
  return true;
}

int builtin_print(const char *format, const char *arguments) {
  Output output = {.arguments = arguments};
  while (*format) {
    char directive[MOST_DIRECTIVE];
    size_t plain = strcspn(format, "%");
    print_part(&output, format, plain);
    format += plain;
    if (!*format)
      break;
    size_t length = 1 + strspn(format + 1, "-+ #0123456789.*hlzjt") + 1;
    if (read_directive(&output, format, length, directive)) {
      print_conversion(&output, directive);
      format += length;
    } else {
      print_part(&output, "%", 1);
      format += format[1] == '%' ? 2 : 1;
    }
  }
  flush(&output);
  return output.count;
}

// ----------------------------------------------------------------- table ---

static const Builtin builtins[] = {
#define BUILTIN(name, how, function)                                           \
  {name, HOW_##how, (HostFunction)(function), ORIGIN_SELF, 0},
#define FIELD(name, origin, field)                                             \
  {name, HOW_FIELD, NULL, ORIGIN_##origin, OFFSET_##origin(field)},
#define OFFSET_SELF(field) offsetof(Thread, field)
#define OFFSET_GROUP(field) offsetof(Group, field)
#define OFFSET_RUN(field) offsetof(Run, field)
#include "runtime/machine/builtins.def"
#undef FIELD
#define CALLED(name, how)                                                      \
  BUILTIN("__gpuverify_values_" #name, how, __gpuverify_values_##name)
#include "runtime/machine/copied.def"
#undef CALLED
#undef BUILTIN
};

static bool matches(const char *row, const char *name) {
  size_t length = strlen(row);
  bool is_prefix = row[length - 1] == '*';
  return is_prefix ? !strncmp(row, name, length - 1) : !strcmp(row, name);
}

const Builtin *builtin_find(Task *task, const char *name) {
  const char *plain = plain_name(task, name);
  const Builtin *of_numbers = builtin_of_numbers(name);
  if (of_numbers)
    return of_numbers;
  for (size_t i = 0; i < sizeof builtins / sizeof *builtins; i++)
    if (matches(builtins[i].name, plain) || matches(builtins[i].name, name))
      return builtins[i].how == HOW_UNKNOWN ? NULL : &builtins[i];
  return builtin_of_library(name);
}
