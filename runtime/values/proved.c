// Launches for which a kernel was proved free of races: nothing in them has to
// be executed twice.
//
// Who proves it notes at the kernel, as an attribute in its module, what the
// proof takes for granted of a launch; who launches it compares.  One launch is
//
//   BLOCK BLOCK BLOCK GRID GRID GRID SHARED FLAT APART ARGUMENT ..;
//
// numbers, or * for whatever it is.  Sizes are along x, y and z, SHARED is in
// bytes.  FLAT is 1 where a second or third dimension of unknown size has to be
// 1, APART where each pointer has to be into an allocation of its own.

#include "runtime/values/values.h"

#include <inttypes.h>
#include <llvm-c/Core.h>
#include <stdlib.h>
#include <string.h>

// --------------------------------------------------------------- writing ---

static const char *add(Arena *arena, const char *text, Extent number) {
  return number.known ? arena_printf(arena, "%s%" PRIu64 " ", text,
                                     (uint64_t)number.value)
                      : arena_printf(arena, "%s* ", text);
}

static const char *text_of(Arena *arena, const ProvedLaunch *proved) {
  const Launch *launch = &proved->launch;
  const char *text = "";
  for (unsigned axis = 0; axis < 3; axis++)
    text = add(arena, text, launch->block[axis]);
  for (unsigned axis = 0; axis < 3; axis++)
    text = add(arena, text, launch->grid[axis]);
  text = add(arena, text, launch->dynamic_shared);
  text =
      arena_printf(arena, "%s%d %d ", text, proved->is_flat, proved->is_apart);
  for (size_t i = 0; i < launch->arguments.count; i++) {
    const Argument *argument = &launch->arguments.at[i];
    text = argument->known
               ? arena_printf(arena, "%s%" PRIu64 " ", text, argument->value)
               : arena_printf(arena, "%s* ", text);
  }
  return arena_printf(arena, "%s;", text);
}

void proved_note(Arena *arena, KernelEntry *entry, const ProvedLaunch *proved) {
  LLVMModuleRef module = LLVMGetGlobalParent(entry->function);
  entry->proved =
      arena_printf(arena, "%s%s", entry->proved ? entry->proved : "",
                   text_of(arena, proved));
  LLVMAddAttributeAtIndex(
      entry->function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
      LLVMCreateStringAttribute(LLVMGetModuleContext(module), LLVM_PROVED,
                                sizeof LLVM_PROVED - 1, entry->proved,
                                (unsigned)strlen(entry->proved)));
}

// ------------------------------------------------------------- comparing ---

// The next number; is_known: it is one.
static uint64_t next(const char **at, bool *is_known) {
  char *end = NULL;
  *is_known = **at != '*';
  uint64_t number = *is_known ? strtoull(*at, &end, 10) : 0;
  *at = *is_known ? end : *at + 1;
  *at += strspn(*at, " ");
  return number;
}

static bool is_next(const char **at, uint64_t is) {
  bool is_known = false;
  uint64_t number = next(at, &is_known);
  return !is_known || number == is;
}

// Along one axis: threads of a block, or blocks.
typedef struct Side {
  bool is_known;
  uint64_t number;
} Side;

// The index of a thread of which a size is free fits into 31 bits.
static bool are_few(Side block, Side grid, const Run *run, unsigned axis) {
  return (block.is_known && grid.is_known) ||
         (uint64_t)run->block[axis] * run->grid[axis] <= INT32_MAX;
}

static bool is_size(Side side, uint32_t is, bool is_flat) {
  return side.is_known ? side.number == is : !is_flat || is == 1;
}

static bool are_sizes(const Side block[3], const Side grid[3], bool is_flat,
                      const Run *run) {
  for (unsigned axis = 0; axis < 3; axis++) {
    bool is_one = is_flat && axis;
    if (!is_size(block[axis], run->block[axis], is_one) ||
        !is_size(grid[axis], run->grid[axis], is_one) ||
        !are_few(block[axis], grid[axis], run, axis))
      return false;
  }
  return true;
}

static bool is_argument(const char **at, const Run *run, size_t i) {
  bool is_known = false;
  uint64_t number = next(at, &is_known), is = 0;
  if (!is_known)
    return true;
  unsigned bytes = i < run->code->parameters.count
                       ? run->code->parameters.at[i].bytes
                       : (unsigned)sizeof is + 1;
  if (bytes > sizeof is)
    return false;
  memcpy(&is, run->arguments.at[i], bytes);
  uint64_t bits =
      bytes < sizeof is ? (UINT64_C(1) << 8 * bytes) - 1 : ~UINT64_C(0);
  return is == (number & bits);
}

// ----------------------------------------------------------------- apart ---

static const char *pointer_at(const Run *run, size_t parameter) {
  const char *pointer = NULL;
  memcpy(&pointer, run->arguments.at[parameter], sizeof pointer);
  return pointer;
}

static bool is_pointer(const Run *run, size_t parameter) {
  return run->code->parameters.at[parameter].kind == PARAMETER_POINTER;
}

static bool is_into_variable(const Run *run, const char *pointer) {
  for (size_t i = 0; i < run->code->variables.count; i++) {
    const Variable *variable = &run->code->variables.at[i];
    if (variable->at && (uint64_t)(pointer - variable->at) < variable->bytes)
      return true;
  }
  return false;
}

static bool is_one_into_variable(const Run *run) {
  for (size_t i = 0; i < run->code->parameters.count; i++)
    if (is_pointer(run, i) && is_into_variable(run, pointer_at(run, i)))
      return true;
  return false;
}

// Where the pointer leads; NULL: nowhere that is known.
static const Buffer *buffer_of(const Run *run, size_t parameter) {
  const char *pointer = pointer_at(run, parameter);
  for (size_t i = 0; i < run->buffers.count; i++) {
    const Buffer *buffer = &run->buffers.at[i];
    if ((uint64_t)(pointer - buffer->at) < buffer->bytes)
      return buffer->is_gone ? NULL : buffer;
  }
  return NULL;
}

bool proved_are_apart(const Run *run) {
  if (is_one_into_variable(run))
    return false;
  for (size_t i = 0; i < run->code->parameters.count; i++) {
    const Buffer *own = is_pointer(run, i) ? buffer_of(run, i) : NULL;
    if (is_pointer(run, i) && !own)
      return false;
    for (size_t k = 0; own && k < i; k++)
      if (is_pointer(run, k) && buffer_of(run, k) == own)
        return false;
  }
  return true;
}

// ---------------------------------------------------------------- launch ---

static bool is_this(const char *text, const Run *run) {
  Side block[3], grid[3];
  for (unsigned axis = 0; axis < 3; axis++)
    block[axis].number = next(&text, &block[axis].is_known);
  for (unsigned axis = 0; axis < 3; axis++)
    grid[axis].number = next(&text, &grid[axis].is_known);
  bool is_so = is_next(&text, run->dynamic_shared), ignored = false;
  bool is_flat = next(&text, &ignored);
  bool is_apart = next(&text, &ignored);
  is_so &= are_sizes(block, grid, is_flat, run);
  for (size_t i = 0; is_so && *text != ';'; i++)
    is_so = is_argument(&text, run, i);
  return is_so && (!is_apart || proved_are_apart(run));
}

bool proved_for(const char *launches, const Run *run) {
  if (clusters_size(run) > 1 || is_one_into_variable(run))
    return false;
  for (; launches && *launches; launches = strchr(launches, ';') + 1)
    if (is_this(launches, run))
      return true;
  return false;
}
