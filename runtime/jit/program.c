// The device code of a whole program, kernel by kernel.
//
// A module is parsed and prepared once and kept as bitcode.  First all its
// variables, and the functions that they point to, become host code: what the
// kernels of a program share.  Each kernel becomes host code when it is first
// launched, from a piece of the module (pieces.c) that has no other kernel,
// and in which variables are replaced by their addresses.  So a program with a
// thousand kernels pays for those that it launches, and a kernel that cannot be
// executed here is no obstacle to the others.
//
// The numbers of sites of the shared functions are the same in all kernels.

#include "runtime/jit/assembly.h"

#include <assert.h>
#include <string.h>

// The most dynamic shared memory that a launch may ask for.
enum { MOST_DYNAMIC_SHARED = 166912 + RESERVED_SHARED, SHARED_SPACE = 3 };

typedef struct Making {
  DeviceProgram *program;
  size_t number; // of the module
  LLVMModuleRef module;
  const KernelEntry *entry; // NULL: what kernels share
  KernelForm form;
  Code *code;
} Making;

// -------------------------------------------------------------- a module ---

// So that each can be found again in a copy.
static void name_all(LLVMModuleRef module) {
  for (LLVMValueRef g = LLVMGetFirstGlobal(module); g;
       g = LLVMGetNextGlobal(g)) {
    size_t length = 0;
    LLVMGetValueName2(g, &length);
    if (!length)
      LLVMSetValueName2(g, "unnamed", 7);
  }
}

// Lists of what a linker must keep.
static void drop_lists(LLVMModuleRef module) {
  static const char *const names[] = {"llvm.used", "llvm.compiler.used"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    LLVMValueRef list = LLVMGetNamedGlobal(module, names[i]);
    if (list)
      LLVMDeleteGlobal(list);
  }
}

static bool prepare(DeviceProgram *program, LLVMModuleRef module,
                    DeviceModule *device, Refusal *refusal) {
  Task *task = &program->task;
  drop_lists(module);
  name_all(module);
  jit_change_launches(module);
  program_link(program, device->image, module);
  code_expand_assembly(task, module, true);
  if (!llvm_prepare(task, module, &refusal->reason))
    return false;
  llvm_find_kernels(task, module, &device->kernels);
  for (size_t i = 0; i < device->kernels.count; i++)
    device->kernels.at[i].function = NULL;
  pieces_begin(task, device, module);
  return true;
}

static bool is_of_block(LLVMValueRef global) {
  return LLVMGetPointerAddressSpace(LLVMTypeOf(global)) == SHARED_SPACE;
}

// What is kept: one kernel, or all variables that outlive it.
static void keep(LLVMModuleRef module, LLVMValueRef kernel) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
       f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f) && f != kernel)
      LLVMSetLinkage(f, LLVMInternalLinkage);
  for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g))
    if (!LLVMIsDeclaration(g))
      LLVMSetLinkage(g, kernel || is_of_block(g) ? LLVMInternalLinkage
                                                 : LLVMExternalLinkage);
}

// ------------------------------------------------------------- host code ---

static void survey(Task *task, void *data) {
  Making *making = data;
  bool is_cut = making->entry && making->form != FORM_AS_WRITTEN;
  const Cutter *cutter = is_cut ? making->program->cutter : NULL;
  Cut cut = {.has_warps = making->program->cuts_by_warps,
             .wants_copies = making->program->cuts_all,
             .is_deterministic = making->program->is_deterministic,
             .are_apart = making->form == FORM_APART};
  if (cutter)
    cutter->cut(task, making->module, making->entry, &cut);
  making->code = code_in_program(task, making->module, making->entry,
                                 making->program, making->number);
  if (cutter)
    cutter->tell(task, making->code, &cut);
}

static bool look(Making *making, Refusal *refusal) {
  Task *task = &making->program->task;
  keep(making->module, making->entry ? making->entry->function : NULL);
  if (!llvm_run_passes(task, making->module, NULL, "globaldce",
                       &refusal->reason))
    return false;
  if (task_run(task, survey, making))
    return true;
  *refusal = (Refusal){task->where, task->reason};
  return false;
}

// The module becomes the image's.
static bool compile(const Making *making, Image *image, Refusal *refusal) {
  Run run = {.code = making->code,
             .watch = run_watch(making->code, making->program->watch),
             .passes_left = true,
             .is_quick = making->program->is_quick,
             .dynamic_shared = making->entry ? MOST_DYNAMIC_SHARED : 0};
  return image_make(&making->program->task, &run, image, &refusal->reason);
}

// ---------------------------------------------------- what kernels share ---

// The host may write what no kernel writes.
static void make_writable(LLVMModuleRef module) {
  for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g))
    LLVMSetGlobalConstant(g, false);
}

static bool is_shared_by_kernels(const Variable *variable) {
  return variable->space != SPACE_SHARED && !variable->is_note;
}

// Their names, while there is a module to tell them.
static void add_globals(const Making *making) {
  Arena *arena = &making->program->task.arena;
  const Variable *variable = making->code->variables.at;
  for (LLVMValueRef g = LLVMGetFirstGlobal(making->module); g;
       g = LLVMGetNextGlobal(g), variable++) {
    size_t length = 0;
    assert(variable <
           making->code->variables.at + making->code->variables.count);
    if (!is_shared_by_kernels(variable))
      continue;
    Global global = {.image = making->program->modules.at[making->number].image,
                     .name = arena_copy(arena, LLVMGetValueName2(g, &length)),
                     .source = variable->name,
                     .bytes = variable->bytes,
                     .element = variable->element,
                     .is_managed = llvm_is_managed(g)};
    push(arena, &making->program->globals, global);
  }
}

static void place_globals(const Making *making, const Image *image,
                          Global *global) {
  const Code *code = making->code;
  assert(image->variables.count == code->variables.count);
  for (size_t i = 0; i < code->variables.count; i++)
    if (is_shared_by_kernels(&code->variables.at[i]))
      global++->at = image->variables.at[i];
}

static bool make_shared(DeviceProgram *program, size_t number,
                        Refusal *refusal) {
  LLVMModuleRef module =
      jit_parse(program->modules.at[number].pieces.at[0].bitcode);
  Making making = {.program = program, .number = number, .module = module};
  Image image = {0};
  size_t first = program->globals.count;
  if (!module)
    return false;
  make_writable(module);
  if (!look(&making, refusal))
    return false;
  add_globals(&making);
  if (!compile(&making, &image, refusal))
    return false;
  place_globals(&making, &image, &program->globals.at[first]);
  for (size_t i = program->sites.count; i < making.code->sites.count; i++)
    push(&program->task.arena, &program->sites, making.code->sites.at[i]);
  return true;
}

const Global *program_global(const DeviceProgram *program, size_t image,
                             const char *name) {
  const Global *found = NULL;
  for (size_t i = 0; i < program->globals.count; i++) {
    const Global *global = &program->globals.at[i];
    if (!strcmp(global->name, name) && (!found || global->image == image))
      found = global;
  }
  return found;
}

bool program_add(DeviceProgram *program, size_t image, Refusal *refusal) {
  assert(image < program->images.count);
  DeviceModule device = {.image = image};
  const DeviceImage *given = &program->images.at[image];
  LLVMMemoryBufferRef bitcode = LLVMCreateMemoryBufferWithMemoryRange(
      given->at, given->bytes, "device code", false);
  LLVMModuleRef module = jit_parse(bitcode);
  LLVMDisposeMemoryBuffer(bitcode);
  refusal->reason = "its device code cannot be read";
  if (!module)
    return false;
  bool is_prepared = prepare(program, module, &device, refusal);
  llvm_free_module(module);
  push(&program->task.arena, &program->modules, device);
  return is_prepared &&
         make_shared(program, program->modules.count - 1, refusal);
}

// --------------------------------------------------------------- kernels ---

// Its number, or that of none.
static size_t find_entry(const KernelEntries *kernels, const char *name) {
  size_t i = 0;
  while (i < kernels->count && strcmp(kernels->at[i].name, name) != 0)
    i++;
  return i;
}

bool program_kernel(DeviceProgram *program, size_t number, const char *name,
                    KernelForm form, ProgramKernel *kernel, Refusal *refusal) {
  assert(number < program->modules.count);
  DeviceModule *device = &program->modules.at[number];
  size_t known = find_entry(&device->kernels, name);
  LLVMModuleRef module = NULL;
  refusal->reason = "its device code is not there";
  if (known < device->kernels.count)
    module = pieces_take(&program->task, device, known, &refusal->reason);
  if (!module)
    return false;
  KernelEntry entry = device->kernels.at[known];
  entry.function = LLVMGetNamedFunction(module, name);
  Making making = {.program = program,
                   .number = number,
                   .module = module,
                   .entry = &entry,
                   .form = form};
  kernel->image = NEW(&program->task.arena, Image);
  if (!look(&making, refusal) || !compile(&making, kernel->image, refusal))
    return false;
  kernel->code = making.code;
  return true;
}
