// gpuverify run without a launch file: a whole program.
//
// The device side of each file becomes bitcode by our own front end, as for the
// proof; the host side, with that bitcode in it, an object by clang; both are
// linked with libgpuverify-cuda.so, which answers CUDA's runtime API and
// executes kernels.  The program is a process of its own and writes where it
// would write; what the library sees goes into a Ledger that both processes
// have.

#define _GNU_SOURCE

#include "plugin/run.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

typedef struct Building {
  Task *task;
  const Settings *settings;
  Folder folder;
  const char *library, *program;
  CommandLine objects;
  int status;
} Building;

enum { PATH_BYTES = 4096, TICK = 50 * 1000 * 1000 };

// ------------------------------------------------------------- processes ---

// A copy of this process that does not outlive it.
static pid_t fork_bound(int signal_at_our_end) {
  fflush(NULL);
  pid_t parent = getpid(), child = fork();
  if (child)
    return child;
  prctl(PR_SET_PDEATHSIG, signal_at_our_end);
  signal(SIGPIPE, SIG_DFL);
  if (getppid() != parent)
    _exit(EXIT_FRONT_END);
  return 0;
}

// Starts it with stderr going to `error`, if that is a file.
static pid_t start(const Building *building, const CommandLine *line,
                   int error) {
  char **arguments = (char **)(uintptr_t)line->at;
  pid_t child = fork_bound(SIGTERM);
  if (child)
    return child;
  setenv("TMPDIR", building->folder.path, 1);
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
  if (access(file, R_OK))
    return refuse(building, EXIT_WRONG_USE, file, strerror(errno));
  if (is_folder(file))
    return refuse(building, EXIT_WRONG_USE, file, "this is a folder");
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

static Ledger *open_ledger(int *file) {
  *file = memfd_create("gpuverify", 0);
  if (*file < 0 || ftruncate(*file, sizeof(Ledger)))
    return NULL;
  void *at =
      mmap(NULL, sizeof(Ledger), PROT_READ | PROT_WRITE, MAP_SHARED, *file, 0);
  return at == MAP_FAILED ? NULL : at;
}

static pid_t start_program(const Building *building, int ledger) {
  const Settings *settings = building->settings;
  Arena *arena = &building->task->arena;
  Vec(char *) arguments = {0};
  push(arena, &arguments, (char *)(uintptr_t)building->program);
  for (size_t i = 0; i < settings->program_args.count; i++)
    push(arena, &arguments, settings->program_args.at[i]);
  push(arena, &arguments, NULL);
  setenv("GPUVERIFY_LEDGER", arena_printf(&building->task->arena, "%d", ledger),
         1);
  pid_t child = fork_bound(SIGKILL);
  if (child)
    return child;
  if (settings->json) // stdout is for a program to read
    dup2(STDERR_FILENO, STDOUT_FILENO);
  execv(arguments.at[0], arguments.at);
  _exit(127);
}

static pid_t running;

// Who wants to end us wants to end the program; its end is told as ever.  What
// a terminal sends it sends to both.
static void pass_on(int number, siginfo_t *info, void *context) {
  (void)context;
  if (info->si_code <= 0) // from a process
    kill(running, number);
}

static void pass_signals_to(pid_t child) {
  static const int numbers[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};
  struct sigaction action = {.sa_sigaction = pass_on, .sa_flags = SA_SIGINFO};
  running = child;
  sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    sigaction(numbers[i], &action, NULL);
}

static void show_progress(const Ledger *ledger, double since) {
  fprintf(stderr,
          "\rgpuverify: %.0f s, launch %llu of '%s', %llu of %llu blocks\033[K",
          clock_seconds() - since, (unsigned long long)ledger->launches,
          ledger->kernel, (unsigned long long)ledger->done,
          (unsigned long long)ledger->total);
}

// Until it ends; shows how far it is where somebody looks.
static int wait_for(const Building *building, pid_t child,
                    const Ledger *ledger) {
  const double first_shown = 2;
  bool is_shown = building->settings->progress || isatty(STDERR_FILENO);
  double start = clock_seconds(), last = start + first_shown - 1;
  int status = 0;
  bool has_shown = false;
  while (waitpid(child, &status, WNOHANG) == 0) {
    nanosleep(&(struct timespec){0, TICK / 10}, NULL);
    if (!is_shown || clock_seconds() < last + 1 || !ledger->total)
      continue;
    last = clock_seconds();
    has_shown = true;
    show_progress(ledger, start);
  }
  if (has_shown)
    fputs("\r\033[K", stderr);
  return status;
}

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

static void find_places(const Building *building, ProgramReport *report) {
  const Ledger *ledger = report->ledger;
  for (unsigned i = 0; i < ledger->refusal_count; i++)
    if (ledger->refusals[i].times)
      report->refusals[i] =
          program_place(building->task, building->settings, building->program,
                        &ledger->refusals[i].place);
  if (ledger->fault.times)
    report->fault = program_place(building->task, building->settings,
                                  building->program, &ledger->fault.place);
}

static int execute(Building *building, Watch watch) {
  int file = -1;
  Ledger *ledger = open_ledger(&file);
  double start = clock_seconds();
  if (!ledger) {
    refuse(building, EXIT_WRONG_USE, "memory for reports", strerror(errno));
    return building->status;
  }
  ledger->watch = watch;
  ledger->launch_seconds = building->settings->launch_seconds;
  ledger->capability = capability(building->settings);
  ledger->no_benign_tolerance = building->settings->options.no_benign_tolerance;
  pid_t child = start_program(building, file);
  pass_signals_to(child);
  int status = wait_for(building, child, ledger);
  ProgramReport report = {.file = building->settings->files.at[0],
                          .ledger = ledger,
                          .exit_status =
                              WIFEXITED(status) ? WEXITSTATUS(status) : -1,
                          .signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0,
                          .seconds = clock_seconds() - start};
  find_places(building, &report);
  if (building->settings->json)
    report_program_json(stdout, &report);
  else
    report_program_text(stderr, &report);
  status_worsen(&building->status, program_status(&report));
  munmap(ledger, sizeof *ledger);
  close(file);
  return building->status;
}

int program_run(Task *task, const Settings *settings, Watch watch) {
  Building building = {.task = task, .settings = settings};
  if (!find_library(&building) || !make_folder(&building))
    return building.status;
  if (build(&building))
    execute(&building, watch);
  folder_remove(&building.folder);
  return building.status;
}
