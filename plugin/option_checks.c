// What options say together: contradicting sizes, limits of the hardware.

#include "plugin/options.h"

#include <string.h>

// `gpuverify barriers` is about one block.
ReportStyle settings_style(const Settings *settings) {
  return (ReportStyle){.options = &settings->options,
                       .quiet = settings->quiet,
                       .verbose = settings->verbose,
                       .only_warned = settings->only_warned,
                       .is_one_block_enough = settings->options.one_block ||
                                              settings->door == DOOR_BARRIERS};
}

void settings_print(const Settings *settings, const Diagnosis *diagnosis) {
  if (settings->format)
    settings->format->print(stdout, diagnosis);
  else
    report_text(stdout, diagnosis);
}

// Of a command that proves.
static bool is_of_proof(const Settings *settings) {
  return settings->door == DOOR_COMMAND || settings->door == DOOR_BATCH ||
         settings->door == DOOR_REPAIR;
}

// The product of what is known; the rest is at least 1.
static uint64_t known_product(const Extent extents[3]) {
  uint64_t product = 1;
  for (unsigned axis = 0; axis < 3; axis++)
    if (extents[axis].known && product <= UINT32_MAX)
      product *= extents[axis].value;
  return product;
}

bool extents_are_given(const Extent extents[3]) {
  return extents[0].known || extents[1].known || extents[2].known;
}

// A block that no device has is good for a proof, and somebody may want to
// know.
static bool warn_of_block(const OptionReading *reading, unsigned most) {
  const Extent *block = reading->settings->options.launch.block;
  if (reading->settings->warnings.count) // of the file before
    return true;
  push(&reading->task->arena, &reading->settings->warnings,
       arena_printf(&reading->task->arena,
                    "block size %s: %llu threads, but a block of a device has "
                    "at most %u",
                    extents_text(reading->task, block),
                    (unsigned long long)known_product(block), most));
  return true;
}

// Threads of a block: 1024 on every CUDA device so far, and with HIP.  OpenCL
// names no limit; processors report up to 8192 (CL_DEVICE_MAX_WORK_GROUP_SIZE),
// and we allow some more.
static bool check_block(const OptionReading *reading, Language language) {
  enum { MOST_CUDA = 1024, MOST_OPENCL = 65536, MOST_CUDA_Z = 64 };
  enum { MOST_IN_PROOF = 1 << 27 }; // 512,512,512
  const Settings *settings = reading->settings;
  const Extent *block = settings->options.launch.block;
  bool is_cuda = language == LANGUAGE_CUDA;
  bool is_few = is_cuda || language == LANGUAGE_HIP;
  unsigned most = is_few ? MOST_CUDA : MOST_OPENCL;
  if (is_cuda && block[2].known && block[2].value > MOST_CUDA_Z)
    return fail(reading, "block size %s: z is at most %d",
                extents_text(reading->task, block), MOST_CUDA_Z);
  if (known_product(block) <= most)
    return true;
  if (is_of_proof(settings) && known_product(block) <= MOST_IN_PROOF)
    return warn_of_block(reading, most);
  return fail(reading,
              "block size %s: %llu threads, but a block has at most %u",
              extents_text(reading->task, block),
              (unsigned long long)known_product(block),
              is_of_proof(settings) ? (unsigned)MOST_IN_PROOF : most);
}

static bool check_grid(const OptionReading *reading, Language language) {
  const Extent *grid = reading->settings->options.launch.grid;
  for (unsigned axis = 0; axis < 3; axis++) {
    bool is_short = axis && language == LANGUAGE_CUDA;
    uint32_t most = is_short ? UINT16_MAX : INT32_MAX;
    if (grid[axis].known && grid[axis].value > most)
      return fail(reading, "grid size %s: %c is at most %u",
                  extents_text(reading->task, grid), "xyz"[axis], most);
  }
  return true;
}

static bool check_global(const OptionReading *reading) {
  const Launch *launch = &reading->settings->options.launch;
  if (extents_are_given(launch->global) && extents_are_given(launch->grid))
    return fail(reading, "--global_size and --num_groups exclude each other");
  for (unsigned axis = 0; axis < 3; axis++) {
    Extent global = launch->global[axis], block = launch->block[axis];
    if (!global.known || !block.known)
      continue;
    if (global.value % block.value)
      return fail(reading, "global size %s is no multiple of the local size %s",
                  extents_text(reading->task, launch->global),
                  extents_text(reading->task, launch->block));
    if (global.value / block.value > INT32_MAX)
      return fail(reading,
                  "global size %s: %u groups along %c, but at most %d are "
                  "counted",
                  extents_text(reading->task, launch->global),
                  global.value / block.value, "xyz"[axis], INT32_MAX);
  }
  return true;
}

// An optimiser executes what the source does not, so flags of its arithmetic
// are no promise of the program.
static bool check_premises(const OptionReading *reading, const char *file) {
  const Settings *settings = reading->settings;
  if (!has_suffix(file, ".ll") && !has_suffix(file, ".bc"))
    return true;
  for (unsigned i = 0; i < PREMISES; i++) {
    bool is_asked_for = settings->options.assumed[i] ||
                        (settings->names_rungs && settings->options.tried[i]);
    if (is_asked_for && rungs_are_of_source((PremiseKind)i))
      return fail(reading, "%s: %s is assumed of source files alone", file,
                  premise_name((PremiseKind)i));
  }
  return true;
}

static const char *language_name(Language language) {
  switch (language) {
  case LANGUAGE_CUDA:
    return "cuda";
  case LANGUAGE_HIP:
    return "hip";
  case LANGUAGE_OPENCL:
  case LANGUAGE_BY_SUFFIX:
    break;
  }
  return "opencl";
}

// A wavefront has 64 lanes, or 32.
static bool check_targets(const OptionReading *reading, const char *file) {
  static const char name[] = "--offload-arch=";
  const Settings *settings = reading->settings;
  const char *given = NULL;
  for (size_t i = 0; i < settings->clang_args.count; i++) {
    const char *argument = settings->clang_args.at[i];
    if (strncmp(argument, name, sizeof name - 1))
      continue;
    if (strchr(argument, ',') || (given && strcmp(given, argument)))
      return fail(reading, "%s: give one --offload-arch at a time", file);
    given = argument;
  }
  return true;
}

static bool check_language(const OptionReading *reading, const char *file) {
  const Settings *settings = reading->settings;
  const Launch *launch = &settings->options.launch;
  Language language = settings_language(settings, file);
  bool is_cuda = language == LANGUAGE_CUDA || language == LANGUAGE_HIP;
  const char *what = *file ? file : language == LANGUAGE_HIP ? "HIP" : "CUDA";
  if (settings->language != LANGUAGE_BY_SUFFIX &&
      settings->language != language)
    return fail(reading, "%s: --%s contradicts its suffix", file,
                language_name(settings->language));
  if (is_cuda && extents_are_given(launch->global))
    return fail(reading, "%s: --global_size is for OpenCL; use --gridDim",
                what);
  if (is_cuda && extents_are_given(launch->offset))
    return fail(reading, "%s: --global_offset is for OpenCL", what);
  if (language == LANGUAGE_HIP && !check_targets(reading, file))
    return false;
  return check_block(reading, language) && check_grid(reading, language) &&
         check_premises(reading, file);
}

// Who says how long a kernel may take has time for all of them.
static void lift_file_timeout(Options *limits) {
  if (limits->timeout != DEFAULT_TIMEOUT &&
      limits->file_timeout == DEFAULT_FILE_TIMEOUT)
    limits->file_timeout = 0;
}

static bool is_ignored(const Settings *settings, const char *name) {
  for (size_t i = 0; i < settings->ignored.count; i++) {
    const char *text = settings->ignored.at[i];
    if (!strncmp(text + strspn(text, "-"), name, strlen(name)))
      return true;
  }
  return false;
}

bool settings_check(Task *task, Settings *settings, const char **error) {
  OptionReading reading = {.task = task, .settings = settings, .error = error};
  if (settings->quiet && settings->verbose)
    return fail(&reading, "--quiet and --verbose exclude each other");
  if (is_ignored(settings, "equality-abstraction") &&
      is_ignored(settings, "adversarial-abstraction"))
    return fail(&reading,
                "--equality-abstraction and "
                "--adversarial-abstraction exclude each other");
  if (settings->options.boogie && settings->files.count > 1)
    return fail(&reading, "--emit-boogie writes one file; give one file");
  if (settings->options.program && settings->files.count > 1)
    return fail(&reading, "--emit-program writes one file; give one file");
  bool has_files = settings->files.count != 0;
  if (!check_global(&reading) || (!has_files && !check_language(&reading, "")))
    return false;
  lift_file_timeout(&settings->options);
  if (settings->strict)
    rungs_set(settings->options.tried, false);
  if (settings->exited_threads && !strcmp(settings->exited_threads, "error"))
    settings->options.tried[PREMISE_EXITED_THREADS] = false;
  for (size_t i = 0; i < settings->files.count; i++)
    if (!check_language(&reading, settings->files.at[i]))
      return false;
  return true;
}
