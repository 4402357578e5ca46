// Launches for which a kernel was proved free of races: nothing in them has to
// be executed twice.
//
// Who proves it notes at the kernel, as an attribute in its module, what the
// proof takes for granted of a launch, in the form of compare.h; who launches
// it compares.

#include "runtime/values/compare.h"
#include "runtime/values/values.h"

#include <inttypes.h>
#include <llvm-c/Core.h>
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
  text = arena_printf(arena, "%s%d %d %d ", text, proved->is_flat,
                      proved->is_apart, proved->is_same);
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

// ----------------------------------------------------------------- apart ---

static const char *pointer_at(const Run *run, size_t parameter) {
  const char *pointer = NULL;
  memcpy(&pointer, run->arguments.at[parameter], sizeof pointer);
  return pointer;
}

static bool is_pointer(const Run *run, size_t parameter) {
  return run->code->parameters.at[parameter].kind == PARAMETER_POINTER;
}

// Or to its end: so may a pointer that goes backwards.
static bool is_into_variable(const Run *run, const char *pointer) {
  for (size_t i = 0; i < run->code->variables.count; i++) {
    const Variable *variable = &run->code->variables.at[i];
    if (variable->at && (uint64_t)(pointer - variable->at) <= variable->bytes)
      return true;
  }
  return false;
}

// A struct may have a pointer anywhere.
static bool has_one_into_variable(const Run *run, size_t parameter) {
  const Parameter *is = &run->code->parameters.at[parameter];
  const char *at = run->arguments.at[parameter], *pointer = NULL;
  for (size_t i = 0; i + sizeof pointer <= is->bytes; i++) {
    memcpy(&pointer, at + i, sizeof pointer);
    if (is_into_variable(run, pointer))
      return true;
  }
  return false;
}

static bool is_one_into_variable(const Run *run) {
  for (size_t i = 0; i < run->code->parameters.count; i++)
    if (has_one_into_variable(run, i))
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

static bool do_touch(const Buffer *a, const Buffer *b) {
  return a->at + a->bytes == b->at || b->at + b->bytes == a->at;
}

// An array may be in several pieces that the host has registered one by one,
// and a pointer to the end of one is to the begin of the next.
static bool is_whole(const Run *run, const Buffer *buffer) {
  for (size_t i = 0; i < run->buffers.count; i++)
    if (do_touch(buffer, &run->buffers.at[i]))
      return false;
  return true;
}

bool proved_are_apart(const Run *run) {
  if (is_one_into_variable(run))
    return false;
  for (size_t i = 0; i < run->code->parameters.count; i++) {
    const Buffer *own = is_pointer(run, i) ? buffer_of(run, i) : NULL;
    if (is_pointer(run, i) && (!own || !is_whole(run, own)))
      return false;
    for (size_t k = 0; own && k < i; k++)
      if (is_pointer(run, k) && buffer_of(run, k) == own)
        return false;
  }
  return true;
}

// ---------------------------------------------------------------- launch ---

static unsigned bytes_of(const void *data, size_t argument) {
  const Run *run = data;
  return argument < run->code->parameters.count
             ? run->code->parameters.at[argument].bytes
             : 0;
}

static bool are_apart(const void *data) { return proved_are_apart(data); }

bool proved_for(const char *launches, const Run *run) {
  MadeLaunch made = {.grid = run->grid,
                     .block = run->block,
                     .shared = run->dynamic_shared,
                     .tells_same_value = !run->tolerates_same_value,
                     .arguments = run->arguments.at,
                     .bytes = bytes_of,
                     .are_apart = are_apart,
                     .data = run};
  return clusters_size(run) <= 1 && !is_one_into_variable(run) &&
         compare_launch(launches, &made);
}
