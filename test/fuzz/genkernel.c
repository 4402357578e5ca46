// Writes random kernels, and what the reference finds in them.
//
//   genkernel --seed=S --count=N --folder=DIR [--bad | --clean] [--programs]
//       the kernels 0 .. N-1 into DIR/*.cu, several to a file; the first line
//       of a file has the launch options, DIR/expected has a line for each
//       kernel: name, file, finding, how it was found
//       and DIR/k<n>-<i>.json are launches of it, larger if its options allow;
//       --bad leaves out those in which the reference finds no problem, --clean
//       those in which it finds one; with --programs the files are programs
//       that launch each of their kernels as the reference does, too, tell what
//       is in the arrays then, and leave out the launches that are their
//       arguments
//   genkernel --seed=S --index=I
//       that one kernel, on stdout
//   genkernel --seed=S --index=I --shrink=COMMAND
//       that one, smaller: as long as the reference finds something and
//       sh -c COMMAND, with the launch options as $1 and a file as $2, succeeds

#define _DEFAULT_SOURCE

#include "test/fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { KERNELS_A_FILE = 10, KERNELS_A_PROGRAM = 50, LAUNCHES = 2 };

typedef struct Request {
  uint64_t seed;
  unsigned index, count;
  const char *folder, *command;
  bool only_bad, only_clean, makes_programs;
} Request;

static void die(const char *what) {
  fprintf(stderr, "genkernel: %s\n", what);
  exit(2);
}

static FILE *open_or_die(const char *name) {
  FILE *file = fopen(name, "w");
  if (!file)
    die(name);
  return file;
}

static const char *finding_name(FuzzFindingKind kind) {
  static const char *const names[] = {[FINDING_NONE] = "none",
                                      [FINDING_RACE] = "race",
                                      [FINDING_DIVERGENCE] = "divergence",
                                      [FINDING_INVALID] = "invalid"};
  return names[kind];
}

static void print_start(FILE *out, const Setting *setting) {
  fprintf(out, "// %s\n\n", setting->options);
  print_preamble(out);
}

// A file that is being filled with kernels of one setting.
typedef struct Batch {
  const Setting *setting;
  FILE *out;
  char *name;
  unsigned kernels;
  // Of a program: what is to be in its main function.
  char *calls;
  size_t calls_bytes;
  FILE *calls_out;
} Batch;
typedef Vec(Batch *) Batches;

static unsigned kernels_a_file(const Request *request) {
  return request->makes_programs ? KERNELS_A_PROGRAM : KERNELS_A_FILE;
}

static void begin_calls(Batch *batch) {
  batch->calls_out = open_memstream(&batch->calls, &batch->calls_bytes);
  if (!batch->calls_out)
    die("out of memory");
}

static void end_batch(Batch *batch) {
  if (batch->calls_out) {
    fclose(batch->calls_out);
    fputc('\n', batch->out);
    print_host(batch->out);
    fputs(batch->calls, batch->out);
    fputs("}\n", batch->out);
    free(batch->calls);
  }
  fclose(batch->out);
}

static Batch *batch_for(Arena *arena, Batches *batches, const Request *request,
                        const Setting *setting) {
  for (size_t i = 0; i < batches->count; i++)
    if (batches->at[i]->setting == setting &&
        batches->at[i]->kernels < kernels_a_file(request))
      return batches->at[i];
  char *name = arena_printf(arena, "batch%zu.cu", batches->count);
  FILE *out = open_or_die(arena_printf(arena, "%s/%s", request->folder, name));
  Batch *batch = NEW(arena, Batch);
  *batch = (Batch){.setting = setting, .out = out, .name = name};
  push(arena, batches, batch);
  print_start(out, setting);
  if (request->makes_programs)
    begin_calls(batch);
  return batch;
}

static void write_launches(Arena *arena, const Request *request,
                           const FuzzProgram *program, const Setting *setting) {
  for (unsigned i = 0; i < LAUNCHES; i++) {
    FILE *out = open_or_die(arena_printf(arena, "%s/k%u-%u.json",
                                         request->folder, program->index, i));
    print_launch(out, program, setting->large, request->seed + i);
    fclose(out);
  }
}

static void write_calls(const Batch *batch, const Request *request,
                        const FuzzProgram *program) {
  const Setting *setting = batch->setting;
  for (unsigned i = 0; i < LAUNCHES; i++)
    print_kernel_call(batch->calls_out, program,
                      i ? setting->large : setting->shapes[0],
                      request->seed + i, i);
}

static bool is_bad(const FuzzFinding *finding) {
  return finding->kind == FINDING_RACE || finding->kind == FINDING_DIVERGENCE;
}

static void write_kernel(Arena *names, Batches *batches, FILE *expected,
                         const Request *request, unsigned index) {
  Arena arena = {0};
  const Setting *setting;
  FuzzFinding finding;
  FuzzProgram *program =
      generate(&arena, request->seed, index, &setting, &finding);
  if (is_bad(&finding) ? !request->only_clean : !request->only_bad) {
    Batch *batch = batch_for(names, batches, request, setting);
    program_hide_unused(program);
    print_program(batch->out, program);
    if (request->makes_programs)
      write_calls(batch, request, program);
    else
      write_launches(&arena, request, program, setting);
    batch->kernels++;
    fprintf(expected, "k%u %s %s %s\n", index, batch->name,
            finding_name(finding.kind), finding.text);
  }
  arena_free(&arena);
}

static void write_kernels(const Request *request) {
  Arena names = {0};
  Batches batches = {0};
  FILE *expected =
      open_or_die(arena_printf(&names, "%s/expected", request->folder));
  for (unsigned i = 0; i < request->count; i++)
    write_kernel(&names, &batches, expected, request, i);
  for (size_t i = 0; i < batches.count; i++)
    end_batch(batches.at[i]);
  fclose(expected);
  arena_free(&names);
}

typedef struct Hunt {
  const Setting *setting;
  const Request *request;
  const char *file;
} Hunt;

static bool command_succeeds(const Hunt *hunt) {
  pid_t child = fork();
  if (child < 0)
    die("cannot fork");
  if (child == 0) {
    execl("/bin/sh", "sh", "-c", hunt->request->command, "sh",
          hunt->setting->options, hunt->file, (char *)NULL);
    _exit(127);
  }
  int status;
  while (waitpid(child, &status, 0) < 0)
    ;
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static bool is_still_bad(FuzzProgram *program, void *data) {
  const Hunt *hunt = data;
  FuzzFinding finding =
      setting_run(program, hunt->setting, hunt->request->seed);
  if (!is_bad(&finding))
    return false;
  FILE *out = open_or_die(hunt->file);
  program_hide_unused(program);
  print_start(out, hunt->setting);
  print_program(out, program);
  fclose(out);
  return command_succeeds(hunt);
}

static void shrink_program(const Request *request, FuzzProgram *program,
                           const Setting *setting) {
  char file[] = "/tmp/genkernel-XXXXXX.cu";
  int descriptor = mkstemps(file, 3);
  if (descriptor < 0)
    die("cannot make a temporary file");
  close(descriptor);
  Hunt hunt = {setting, request, file};
  if (!is_still_bad(program, &hunt))
    die("there is nothing to shrink: it is not bad");
  shrink(program, is_still_bad, &hunt);
  unlink(file);
}

static void write_one(const Request *request) {
  Arena arena = {0};
  const Setting *setting;
  FuzzFinding finding;
  FuzzProgram *program =
      generate(&arena, request->seed, request->index, &setting, &finding);
  if (request->command) {
    shrink_program(request, program, setting);
    finding = setting_run(program, setting, request->seed);
  }
  program_hide_unused(program);
  print_start(stdout, setting);
  printf("\n// %s %s\n", finding_name(finding.kind), finding.text);
  print_program(stdout, program);
  arena_free(&arena);
}

static const char *value_of(const char *argument, const char *name) {
  size_t length = strlen(name);
  return strncmp(argument, name, length) ? NULL : argument + length;
}

static void parse(Request *request, const char *argument) {
  const char *value;
  if ((value = value_of(argument, "--seed=")))
    request->seed = strtoull(value, NULL, 10);
  else if ((value = value_of(argument, "--index=")))
    request->index = (unsigned)strtoul(value, NULL, 10);
  else if ((value = value_of(argument, "--count=")))
    request->count = (unsigned)strtoul(value, NULL, 10);
  else if ((value = value_of(argument, "--folder=")))
    request->folder = value;
  else if ((value = value_of(argument, "--shrink=")))
    request->command = value;
  else if (!strcmp(argument, "--bad"))
    request->only_bad = true;
  else if (!strcmp(argument, "--clean"))
    request->only_clean = true;
  else if (!strcmp(argument, "--programs"))
    request->makes_programs = true;
  else
    die("usage: genkernel --seed=S (--count=N --folder=DIR "
        "[--bad|--clean] [--programs] | "
        "--index=I [--shrink=COMMAND])");
}

int main(int argc, char **argv) {
  Request request = {.seed = 1};
  for (int i = 1; i < argc; i++)
    parse(&request, argv[i]);
  if (request.folder)
    write_kernels(&request);
  else
    write_one(&request);
  return 0;
}
