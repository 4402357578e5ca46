// The parser and the emulator of PTX under libFuzzer: whatever the text, they
// come to an end and say what they think of it, as a file and as assembly.

#include "barriers/barriers.h"
#include "ptx/assembly.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum {
  FUZZ_STEPS = 2000,
  FUZZ_MEMORY = 256 << 20,
};

typedef struct Input {
  const char *text;
} Input;

static void emulate(Task *task, void *data) {
  const EmulationOptions options = {.block_size = {64, 1, 1},
                                    .grid_size = {2, 1, 1},
                                    .most_steps = FUZZ_STEPS};
  ptx_emulate(task, data, &options);
}

static void read_assembly(Task *task, const char *text) {
  const PtxAssembly *assembly = ptx_assembly(task, text, 3);
  if (assembly->problem && !*assembly->problem)
    abort();
  for (size_t i = 0; i < assembly->code.count; i++) {
    const AsmInstruction *instruction = &assembly->code.at[i];
    for (unsigned n = 0; n < instruction->operand_count; n++)
      asm_operand_text(&task->arena, instruction, &instruction->operands[n]);
    asm_is_known(instruction);
  }
}

static void parse_and_emulate(Task *task, void *data) {
  const Input *input = data;
  read_assembly(task, input->text);
  Ptx *ptx;
  const char *reason;
  Loc where;
  if (!ptx_parse(task, "fuzz.ptx", input->text, &ptx, &reason, &where)) {
    if (!reason || !*reason)
      abort();
    return;
  }
  for (size_t i = 0; i < ptx_kernel_count(ptx); i++) {
    const PtxKernel *kernel = ptx_kernel(ptx, i);
    // A task of its own: giving up on one kernel is not the end.
    Task inner = {.memory = FUZZ_MEMORY};
    if (!task_run(&inner, emulate, (void *)kernel) && !*inner.reason)
      abort();
    arena_free(&inner.arena);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char *text = malloc(size + 1);
  if (!text)
    return 0;
  memcpy(text, data, size);
  text[size] = '\0';
  Input input = {text};
  Task task = {0};
  task_run(&task, parse_and_emulate, &input);
  arena_free(&task.arena);
  free(text);
  return 0;
}
