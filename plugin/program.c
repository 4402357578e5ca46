// gpuverify run without a launch file: a whole program.
//
// The device side of each file becomes bitcode by our own front end, as for the
// proof; the host side, with that bitcode in it, an object by clang; both are
// linked with libgpuverify-cuda.so, which answers CUDA's runtime API and
// executes kernels.  The program is a process of its own and writes where it
// would write; what the library sees goes into a Ledger beside the program.

#define _GNU_SOURCE

#include "plugin/run.h"
#include "plugin/suppress.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct Building {
  Task *task;
  const Settings *settings;
  Folder folder;
  const char *library, *program;
  CommandLine objects;
  Explanations explained;
  int status;
} Building;

enum { PATH_BYTES = 4096 };

// ------------------------------------------------------------- processes ---

// Starts it with stderr going to `error`, if that is a file.
static pid_t start(const Building *building, const CommandLine *line,
                   int error) {
  char **arguments = (char **)(uintptr_t)line->at;
  pid_t child = fork_bound(SIGTERM);
  if (child)
    return child;
  setenv("TMPDIR", building->folder.path, 1);
  if (!getenv("PATH") || !*getenv("PATH")) // where clang finds its linker
    setenv("PATH", "/usr/local/bin:/usr/bin:/bin", 1);
  if (error >= 0)
    dup2(error, STDERR_FILENO);
  execv(arguments[0], arguments);
  fprintf(stderr, "gpuverify: %s: %s\n", arguments[0], strerror(errno));
  _exit(EXIT_FRONT_END);
}

static bool succeeds(const Building *building, const CommandLine *line,
                     int error) {
  int status = 0;
  pid_t child = start(building, line, error);
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
    continue;
  return child > 0 && WIFEXITED(status) && !WEXITSTATUS(status);
}

// ----------------------------------------------------------------- files ---

static bool make_folder(Building *building) {
  if (folder_make(building->task, &building->folder))
    return true;
  status_complain(&building->status, EXIT_WRONG_USE, building->folder.path,
                  strerror(errno));
  return false;
}

static const char *file_in(const Building *building, size_t number,
                           const char *suffix) {
  return arena_printf(&building->task->arena, "%s/%zu%s", building->folder.path,
                      number, suffix);
}

static bool find_library(Building *building) {
  building->library = find_beside(building->task, CUDA_LIBRARY);
  if (!building->library)
    status_complain(&building->status, EXIT_WRONG_USE, CUDA_LIBRARY,
                    "it is not beside this command and not in ../lib");
  return building->library;
}

// ----------------------------------------------------------------- build ---

static bool refuse(Building *building, int status, const char *file,
                   const char *why) {
  status_complain(&building->status, status, file, why);
  return false;
}

// *plugin: what the host's compiler needs.
static bool compile_device(Building *building, const char *file,
                           const char *device, const char **plugin) {
  HostLaunches launches = {0};
  Settings settings = *building->settings;
  push(&building->task->arena, &settings.clang_args, PROGRAM_MACRO);
  struct LLVMOpaqueModule *module =
      frontend_compile(building->task, &settings, file, &launches);
  if (!module)
    return refuse(building, EXIT_FRONT_END, file, "does not compile");
  suppressions_know_functions(building->settings->options.suppressions, module);
  if (proofs_are_wanted(&settings))
    program_prove(building->task, building->settings, file, module, &launches,
                  &building->explained);
  frontend_link_library(building->task, building->settings, module);
  if (frontend_launches(module))
    *plugin = find_beside(building->task, HOST_LIBRARY);
  bool is_written = llvm_write_file(module, device);
  llvm_free_module(module);
  return is_written ||
         refuse(building, EXIT_WRONG_USE, device, strerror(errno));
}

static bool is_of_host(const char *file) {
  static const char *const suffixes[] = {".cpp", ".cc", ".cxx", ".C", ".c"};
  for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
    if (has_suffix(file, suffixes[i]))
      return true;
  return false;
}

static bool compile(Building *building, size_t number) {
  const char *file = building->settings->files.at[number];
  const char *device = NULL, *plugin = NULL,
             *object = file_in(building, number, ".o");
  if (has_suffix(file, ".o") || has_suffix(file, ".a")) {
    push(&building->task->arena, &building->objects, file);
    return true;
  }
  if (file_trouble(file))
    return refuse(building, EXIT_WRONG_USE, file, file_trouble(file));
  if (!has_suffix(file, ".cu") && !is_of_host(file))
    return refuse(building, EXIT_WRONG_USE, file,
                  "a program is made of .cu, .cpp, .cc, .cxx, .c, .o and .a "
                  "files; for one kernel give --launch=FILE");
  if (has_suffix(file, ".cu")) {
    device = file_in(building, number, ".bc");
    if (!compile_device(building, file, device, &plugin))
      return false;
  }
  CommandLine line = frontend_host_command(building->task, building->settings,
                                           file, device, object, plugin);
  if (!succeeds(building, &line, -1))
    return refuse(building, EXIT_FRONT_END, file, "does not compile");
  push(&building->task->arena, &building->objects, object);
  return true;
}

// "cublasCreate_v2" of "...: undefined reference to `cublasCreate_v2'".
static bool missing_name(const char *line, char name[256]) {
  static const char mark[] = "undefined reference to `";
  const char *at = strstr(line, mark);
  if (!at)
    return false;
  at += sizeof mark - 1;
  snprintf(name, 256, "%.*s", (int)strcspn(at, "'\n"), at);
  return true;
}

static void explain_link(Building *building, const char *errors) {
  char line[PATH_BYTES], name[256], last[256] = "";
  FILE *in = fopen(errors, "r");
  while (in && fgets(line, sizeof line, in)) {
    if (!missing_name(line, name) || !strcmp(name, last))
      continue;
    strcpy(last, name);
    if (!strcmp(name, "main"))
      refuse(building, EXIT_WRONG_USE, building->settings->files.at[0],
             "there is no main in this program; for one kernel give "
             "--launch=FILE");
    else
      refuse(building, EXIT_FRONT_END, name,
             "the program calls it, and neither it nor 'gpuverify run' has it");
  }
  if (!*last && in) {
    rewind(in);
    while (fgets(line, sizeof line, in))
      fputs(line, stderr);
    refuse(building, EXIT_FRONT_END, building->settings->files.at[0],
           "does not link");
  }
  if (in)
    fclose(in);
}

static bool link_program(Building *building) {
  const char *errors = file_in(building, 0, ".errors");
  int file = open(errors, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  CommandLine line = frontend_link_command(
      building->task, building->settings, &building->objects, building->library,
      building->program);
  bool is_linked = succeeds(building, &line, file);
  if (file >= 0)
    close(file);
  if (!is_linked)
    explain_link(building, errors);
  return is_linked;
}

// As the first file is called, for programs that say their name.
static const char *name_program(const Building *building) {
  const char *file = building->settings->files.at[0];
  const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file;
  return arena_printf(&building->task->arena, "%s/%.*s", building->folder.path,
                      (int)strcspn(name, "."), name);
}

static bool build(Building *building) {
  building->program = name_program(building);
  for (size_t i = 0; i < building->settings->files.count; i++)
    if (!compile(building, i))
      return false;
  return link_program(building);
}

// --------------------------------------------------------------- execute ---

// Of the architecture that was asked for last; 0: none.
static unsigned capability(const Settings *settings) {
  static const char *const options[] = {"--cuda-gpu-arch=sm_",
                                        "--offload-arch=sm_"};
  unsigned found = 0;
  for (size_t i = 0; i < settings->clang_args.count; i++)
    for (size_t n = 0; n < sizeof options / sizeof *options; n++) {
      const char *argument = settings->clang_args.at[i];
      size_t length = strlen(options[n]);
      if (!strncmp(argument, options[n], length))
        found = (unsigned)strtoul(argument + length, NULL, 10);
    }
  return found;
}

static LedgerOrders orders_of(const Settings *settings, Watch watch) {
  return (LedgerOrders){.watch = watch,
                        .cuts = settings_look_for_values(settings),
                        .cuts_by_warps = settings_compare_warps(settings),
                        .cuts_all = settings->unit,
                        .is_deterministic = settings->deterministic,
                        .limits = {.megabytes = settings->values_memory,
                                   .copies = settings->values_copies,
                                   .passes = settings->values_passes},
                        .seed = settings->seed,
                        .is_quick = settings->quick,
                        .launch_seconds = settings->launch_seconds,
                        .capability = capability(settings),
                        .no_benign_tolerance =
                            settings->options.no_benign_tolerance};
}

static void find_places(const Execution *execution, ProgramReport *report) {
  const Ledger *ledger = report->ledger;
  for (unsigned i = 0; i < ledger->counts.refusals; i++)
    if (ledger->refusals[i].times)
      report->refusals[i] =
          program_place(execution->task, execution->settings,
                        execution->program, &ledger->refusals[i].place);
  if (ledger->fault.times)
    report->fault = program_place(execution->task, execution->settings,
                                  execution->program, &ledger->fault.place);
}

// Text goes to stderr, where the program's may be read with it.
static void tell(Building *building, const ProgramReport *report) {
  const Settings *settings = building->settings;
  Diagnosis *diagnosis = diagnose_program(&building->task->arena, report);
  Suppressions *suppressions = settings->options.suppressions;
  int status = status_of_level(diagnosis->level);
  status_worsen(
      &building->status,
      report->ledger->counts.sightings == MOST_SIGHTINGS
          ? suppressions_give_up(suppressions, diagnosis, status)
          : suppressions_settle(suppressions, settings, diagnosis, status));
  if (settings->format)
    settings_print(settings, diagnosis);
  else
    report_text(stderr, diagnosis);
}

static void execute(Building *building, Execution *execution, Watch watch) {
  LedgerOrders orders = orders_of(building->settings, watch);
  ProgramReport report = {.file = building->settings->files.at[0],
                          .is_by_values = orders.cuts,
                          .is_deterministic = orders.is_deterministic};
  if (!ledger_make(execution, &orders)) {
    refuse(building, EXIT_WRONG_USE, LEDGER_NAME, strerror(errno));
    return;
  }
  int trouble = program_execute(execution, &report.end);
  if (trouble) {
    refuse(building, EXIT_WRONG_USE, building->program, strerror(trouble));
    return;
  }
  if (building->settings->explain)
    report.explained = building->explained;
  report.ledger = ledger_look(execution);
  report.doubt = ledger_doubt(building->task, report.ledger, &report.end);
  find_places(execution, &report);
  tell(building, &report);
}

int program_run(Task *task, const Settings *settings, Watch watch) {
  Building building = {.task = task, .settings = settings};
  if (!find_library(&building) || !make_folder(&building))
    return building.status;
  Execution *execution = NEW(&task->arena, Execution);
  if (build(&building)) {
    *execution = (Execution){.task = task,
                             .settings = settings,
                             .folder = building.folder.path,
                             .program = building.program,
                             .file = -1};
    execute(&building, execution, watch);
    ledger_forget(execution);
  }
  folder_remove(&building.folder);
  return building.status;
}
