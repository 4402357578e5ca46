// What is shared by the files that read options.

#ifndef PLUGIN_OPTIONS_H
#define PLUGIN_OPTIONS_H

#include "plugin/plugin.h"

// Through which doors an option comes.
typedef enum Door {
  BOTH,       // the proof, as a command or in clang
  COMMAND,    // the proof as a command
  SOURCES,    // the same, and gpuverify repair
  EVERYWHERE, // both, and gpuverify barriers
  SHELL,      // the two commands
  BARRIERS,   // gpuverify barriers
  RUN,        // gpuverify run
  TEMPLATE,   // gpuverify launch
  SCHEDULES,  // gpuverify schedules
  THREADS,    // gpuverify threads
  BATCH,      // gpuverify batch
  EXECUTES,   // run and schedules
  REPAIRS,    // gpuverify repair
  INSIDE,     // clang alone
  ALWAYS,     // EVERYWHERE, run, launch and schedules
  SHELLS,     // SHELL, run, launch and schedules
  JUDGES,     // EVERYWHERE, run and schedules: who gives verdicts
  REPORTERS,  // SHELL, run and schedules: the same but for clang
  TELLERS,    // SHELLS and gpuverify merge
} Door;

typedef enum Store {
  FLAG,          // bool
  NUMBER,        // unsigned
  TEXT,          // const char *
  CHOICE,        // the same, one of those listed
  SWITCH,        // bool: on or off
  SWITCH_OFF,    // bool: a flag that switches it off
  SIZES,         // Extent[3]
  OFFSETS,       // uint32_t[3]
  START,         // Extent[3], all known
  KERNEL_ARGS,   // one more of options.kernel_args
  KERNEL_ARRAYS, // one more of options.kernel_arrays
  MACRO,         // one more of clang_args, each of these
  INCLUDE,
  CLANG_ARG,
  CUDA,
  HIP,
  OPENCL,
  VCGEN, // an option in the original's spelling for an inner tool
  IGNORED,
  REFUSED,
  POINTER_BITS,
  FINDBUGS,   // unsigned: a number of loop-unwind
  ASSUMED,    // bool[PREMISES]: those listed
  RUNGS,      // bool[PREMISES]: those listed and no others
  SEVERITIES, // only_warned, and same-value writes
  FORM,       // const Format *, the one of the option's name
} Store;

typedef struct Option {
  const char *name, *value;
  Door door;
  Store store;
  size_t member; // offset into Settings
  const char *help;
} Option;
// One option being read.
typedef struct OptionReading {
  Task *task;
  Settings *settings;
  const Option *option;
  const char *shown; // as the user wrote it
  const char *value; // NULL: none
  const char **error;
} OptionReading;

#define fail(reading, ...)                                                     \
  (*(reading)->error = arena_printf(&(reading)->task->arena, __VA_ARGS__),     \
   false)
// ------------------------------------------------------ option_values.c ---

// Puts the value where its option says.  False: *error says what is wrong.
bool option_store(const OptionReading *reading);
// "64,1,*"
const char *extents_text(Task *task, const Extent extents[3]);

#endif
