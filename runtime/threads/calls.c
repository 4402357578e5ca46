// The functions that a program may call, by name.

#include "runtime/threads/world.h"

#include <string.h>

static const PosixCall *const lists[] = {
    thread_calls,     mutex_calls,       lock_calls,      key_calls,
    c11_calls,        process_calls,     option_calls,    memory_calls,
    text_calls,       print_calls,       scan_calls,      file_calls,
    descriptor_calls, time_calls,        math_calls,      wide_calls,
    cleanup_calls,    attribute_calls,   signal_calls,    cxx_calls,
    jump_calls,       environment_calls, container_calls, futex_calls,
    local_calls,      rtti_calls,        wide_text_calls, wide_print_calls,
    search_calls};

const PosixCall *posix_call(const char *name) {
  for (size_t list = 0; list < sizeof lists / sizeof *lists; list++)
    for (const PosixCall *call = lists[list]; call->name; call++)
      if (!strcmp(call->name, name))
        return call;
  return NULL;
}

void posix_meet_before_call(void) {
  if (world.question->image->takes_addresses)
    threads_meet();
}

void posix_reset(void) {
  keys_reset();
  locals_reset();
  process_reset();
  signals_reset();
  jumps_reset();
  files_reset();
  descriptors_reset();
  streams_reset();
}
