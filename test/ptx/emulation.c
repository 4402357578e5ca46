// usage: emulation
//
// The forms as the check of named barriers reads them (ptx/parser.c) and
// executes them (barriers/emulate/): one PTX file with a kernel for each, which
// looks up the operands and the expected results in tables.  Each warp writes
// to shared memory if all of its lanes have the right ones.  A form whose
// results the emulator does not know is left out.

#define _GNU_SOURCE

#include "barriers/barriers.h"
#include "test/ptx/forms.h"

#include <stdlib.h>
#include <string.h>

enum {
  LANES = 32,
  PART = 4, // of the tuples a kernel has every fourth
  THREADS = TUPLES / PART,
  OPEN = 32, // the bit of the second result that says it
};

static unsigned tuple_of(size_t number, unsigned thread) {
  return thread * PART + (unsigned)(number % PART);
}

// ------------------------------------------------------------------ tables ---

static void print_table(FILE *to, const char *name, size_t number,
                        const uint64_t *values, unsigned count) {
  fprintf(to, ".const .align 8 .u64 %s%zu[%u] = {", name, number, count);
  for (unsigned i = 0; i < count; i++)
    fprintf(to, "%s0x%llx", i ? "," : "", (unsigned long long)values[i]);
  fprintf(to, "};\n");
}

// Of each kind at each place, by tuple.
static void print_operands(FILE *to) {
  static uint64_t values[TUPLES];
  for (unsigned kind = 0; kind < KINDS; kind++)
    for (unsigned n = 0; n < MOST_SOURCES; n++) {
      for (unsigned t = 0; t < TUPLES; t++)
        values[t] = edge(kind, place_of(t, n));
      print_table(to, "operands", kind * MOST_SOURCES + n, values, TUPLES);
    }
}

static void print_results(FILE *to, const Form *form, size_t number) {
  uint64_t values[THREADS], seconds[THREADS];
  for (unsigned thread = 0; thread < THREADS; thread++) {
    uint64_t in[MOST_SOURCES];
    Result result;
    fill(form, tuple_of(number, thread), in);
    if (!result_of(form, in, &result))
      result.is_open = true;
    values[thread] = result.value;
    seconds[thread] = result.second | (uint64_t)result.is_open << OPEN;
  }
  print_table(to, "values", number, values, THREADS);
  print_table(to, "seconds", number, seconds, THREADS);
}

// ----------------------------------------------------------------- kernels ---

// Registers have the names that LLVM's operands have.
static void print_as_file(FILE *to, const Form *form, unsigned tuple) {
  Form plain = *form;
  char *text;
  size_t size;
  FILE *room = open_memstream(&text, &size);
  plain.names_literals = false;
  print_text(room, &plain, tuple);
  fclose(room);
  for (char *at = text; *at; at++)
    fputc(at[0] == '%' && at[1] >= '0' && at[1] <= '9' ? '$' : *at, to);
  free(text);
}

static unsigned bits_of_register(Type type) {
  char letter = constraint_of(type);
  return letter == 'l' ? 64 : letter == 'h' ? 16 : 32;
}

static void print_load(FILE *to, const char *reg, unsigned bits,
                       const char *table, size_t number, const char *at) {
  fprintf(to,
          "mov.u64 at, %s%zu; add.s64 at, at, %s; ld.const.u64 wide, [at];\n"
          "cvt.u%u.u64 %s, wide;\n",
          table, number, at, bits, reg);
}

static void print_registers(FILE *to, const Form *form) {
  fprintf(to,
          ".reg .pred open, good; .reg .b32 thread; .reg .b64 at, row, wide,\n"
          "of_tuple, of_thread, got, value, second; .reg .b%u $0;"
          " .reg .b32 $1;\n",
          bits_of_register(form->result));
  for (unsigned i = 0; i < sources_of(form); i++)
    fprintf(to, ".reg .b%u $%u; ", bits_of_register(source_type(form, i)),
            2 + i);
}

static void print_sources(FILE *to, const Form *form) {
  for (unsigned i = 0; i < sources_of(form); i++) {
    Type type = source_type(form, i);
    unsigned place = i < form->sources ? i : MOST_SOURCES - 1;
    char reg[8];
    snprintf(reg, sizeof reg, "$%u", 2 + i);
    print_load(to, reg, bits_of_register(type), "operands",
               kind_of(type) * MOST_SOURCES + place, "of_tuple");
  }
}

// What is open is not executed, and has the expected results.
static void print_kernel(FILE *to, const Form *form, size_t number,
                         unsigned tuple) {
  unsigned bits = bits_of_register(form->result);
  fprintf(to, ".entry k%zu_%u() {\n", number, tuple);
  print_registers(to, form);
  fprintf(to,
          "mov.u32 thread, %%tid.x; mul.wide.u32 of_thread, thread, 8;\n"
          "mul.wide.u32 of_tuple, thread, %d; add.s64 of_tuple, of_tuple, "
          "%zu;\n",
          8 * PART, 8 * (number % PART));
  if (tuple < TUPLES)
    fprintf(to, "mov.u64 of_thread, 0; mov.u64 of_tuple, %u;\n", 8 * tuple);
  print_sources(to, form);
  print_load(to, "value", 64, tuple < TUPLES ? "literal" : "values", number,
             "of_thread");
  print_load(to, "second", 64, tuple < TUPLES ? "carry" : "seconds", number,
             "of_thread");
  fprintf(to,
          "cvt.u%u.u64 $0, value; cvt.u32.u64 $1, second;\n"
          "setp.ge.u64 open, second, 0x%llx; @open bra skip;\n",
          bits, 1ull << OPEN);
  print_as_file(to, form, tuple);
  fprintf(to,
          "\nskip: cvt.u64.u%u got, $0; setp.eq.u64 good, got, value;\n"
          "cvt.u32.u64 thread, second; setp.eq.and.u32 good, $1, thread, good;"
          "\n@good st.shared.u8 [mark], 1;\n}\n",
          bits);
}

static void print_literals(FILE *to, const Form *form, size_t number) {
  for (unsigned n = 0; n < LITERALS; n++) {
    uint64_t in[MOST_SOURCES];
    Result result;
    fill(form, literal_tuple(number, n), in);
    if (!result_of(form, in, &result) || result.is_open)
      continue;
    print_table(to, "literal", number, &result.value, 1);
    print_table(to, "carry", number, &result.second, 1);
    print_kernel(to, form, number, literal_tuple(number, n));
  }
}

static char *file_of(const Form *forms, size_t count) {
  char *text;
  size_t size;
  FILE *to = open_memstream(&text, &size);
  fprintf(to,
          ".version 8.8\n.target sm_90\n.address_size 64\n"
          ".shared .b8 mark[16];\n");
  print_operands(to);
  for (size_t i = 0; i < count; i++) {
    print_results(to, &forms[i], i);
    print_kernel(to, &forms[i], i, TUPLES);
    print_literals(to, &forms[i], i);
  }
  fclose(to);
  return text;
}

// --------------------------------------------------------------- emulation ---

typedef struct Run {
  const PtxKernel *kernel;
  unsigned threads;
  const Programs *programs;
} Run;

static void emulate(Task *task, void *data) {
  Run *run = data;
  EmulationOptions options = {.block_size = {run->threads, 1, 1},
                              .grid_size = {1, 1, 1},
                              .most_steps = 10000};
  run->programs = ptx_emulate(task, run->kernel, &options);
}

typedef enum Answer { RIGHT, WRONG, NOT_KNOWN } Answer;

// Lanes that do not know it perhaps write.
static Answer answer_of(const Programs *programs, unsigned threads) {
  bool is_known = true;
  for (unsigned warp = 0; warp < (threads + LANES - 1) / LANES; warp++) {
    const Commands *commands = &programs->warps[warp];
    uint32_t lanes = threads < LANES ? 1 : UINT32_MAX;
    for (size_t i = 0; i < commands->count; i++)
      if (commands->at[i].kind == COMMAND_WRITE) {
        lanes &= ~commands->at[i].lanes;
        is_known &= !commands->at[i].is_perhaps;
      }
    if (lanes)
      return WRONG;
  }
  return is_known ? RIGHT : NOT_KNOWN;
}

static Answer run(const PtxKernel *kernel, bool is_literal) {
  Task task = {0};
  Run run = {.kernel = kernel, .threads = is_literal ? 1 : THREADS};
  Answer answer = task_run(&task, emulate, &run)
                      ? answer_of(run.programs, run.threads)
                      : NOT_KNOWN;
  arena_free(&task.arena);
  return answer;
}

static int check_all(const Ptx *ptx, const Form *forms) {
  size_t right = 0, known = 0;
  for (size_t i = 0; i < ptx_kernel_count(ptx); i++) {
    const PtxKernel *kernel = ptx_kernel(ptx, i);
    size_t number = 0;
    unsigned tuple = 0;
    sscanf(ptx_kernel_name(kernel), "k%zu_%u", &number, &tuple);
    Answer answer = run(kernel, tuple < TUPLES);
    right += answer == RIGHT;
    known += answer != NOT_KNOWN;
    if (answer == WRONG)
      printf("FAIL %s%s\n", forms[number].text,
             tuple < TUPLES ? " of literals" : "");
  }
  printf("%zu kernels right of %zu that the emulator knows\n", right, known);
  return right != known || !known;
}

int main(void) {
  size_t count;
  const Form *forms = all_forms(&count);
  char *text = file_of(forms, count);
  const char *reason;
  Task task = {0};
  Ptx *ptx;
  Loc where;
  bool is_read = ptx_parse(&task, "forms.ptx", text, &ptx, &reason, &where);
  int status = 1;
  if (is_read)
    status = check_all(ptx, forms);
  else
    printf("FAIL line %u: %s\n", where.line, reason);
  arena_free(&task.arena);
  free(text);
  return status;
}
