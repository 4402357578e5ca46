// What is proved of kernels before they are executed by values: a launch in
// which nothing can race need not be executed twice.
//
// A kernel of a program is proved for the sizes and the scalar arguments that
// the host code of its file launches it with, and for nothing else that this
// code says; or for all launches where it makes none.  One that is executed by
// itself is proved for what its launch file says.  The launch itself compares
// (runtime/values/proved.c), so whoever launches it otherwise, from another
// file or by a pointer, has it executed twice.  Nothing is assumed by name.

#include "plugin/run.h"
#include "runtime/values/values.h"
#include "llvm/core.h"

#include <assert.h>
#include <string.h>

typedef struct Proving {
  Task *task;
  LLVMModuleRef copy; // which the prover looks at
  HostLaunches launches;
  KernelEntries kernels;
  bool is_for_device; // which does not tell variables from allocations
  bool tells_calm;    // which reads are not looked at, where it is not proved
  Vec(const char *) sentences; // of each kernel, as --explain has it
} Proving;

// -------------------------------------------------------------- launches ---

// Of an argument its number, and not where it points.
static Argument number_of(const Argument *argument) {
  return (Argument){.known = argument->known, .value = argument->value};
}

// What a launch can compare.
static Launch comparable(Arena *arena, const Launch *host) {
  Launch launch = {.dynamic_shared = host->dynamic_shared,
                   .is_seen = host->is_seen,
                   .where = host->where};
  memcpy(launch.block, host->block, sizeof launch.block);
  memcpy(launch.grid, host->grid, sizeof launch.grid);
  memcpy(launch.gives_block, host->gives_block, sizeof launch.gives_block);
  memcpy(launch.gives_grid, host->gives_grid, sizeof launch.gives_grid);
  for (size_t i = 0; i < host->arguments.count; i++)
    push(arena, &launch.arguments, number_of(&host->arguments.at[i]));
  return launch;
}

static void find_launches(Proving *proving, const HostLaunches *launches) {
  Arena *arena = &proving->task->arena;
  for (size_t i = 0; i < launches->count; i++) {
    HostLaunch launch = launches->at[i];
    launch.launch = comparable(arena, &launch.launch);
    push(arena, &proving->launches, launch);
  }
}

// ------------------------------------------------------- what it rests on ---

// Assumptions that each launch keeps, which ends and is within the hardware's
// limits; those that it can compare; and what is told of no run by values.
static const char *const kept[] = {
    "launch-limits", "termination",       "long-counters", "thread-count",
    "no-alias",      "unused-dimensions", "benign-writes"};

static bool is_kept(const char *assumption) {
  for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
    if (!strcmp(kept[i], assumption))
      return true;
  return false;
}

static bool assumes(const Verdict *verdict, const char *assumption) {
  for (size_t i = 0; i < verdict->assumptions.count; i++)
    if (!strcmp(verdict->assumptions.at[i], assumption))
      return true;
  return false;
}

static bool is_pointer(LLVMTypeRef type) {
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  return kind == LLVMPointerTypeKind ||
         ((kind == LLVMVectorTypeKind || kind == LLVMArrayTypeKind) &&
          is_pointer(LLVMGetElementType(type))) ||
         kind == LLVMStructTypeKind;
}

static bool is_of_surface(LLVMValueRef call) {
  static const char prefix[] = "__gpuverify_surface_";
  size_t length = 0;
  const char *name = LLVMGetValueName2(LLVMGetCalledValue(call), &length);
  return !strncmp(name, prefix, sizeof prefix - 1);
}

// An array that is not behind an argument, of which a launch knows nothing.
static bool finds_arrays(LLVMValueRef function) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
         i = LLVMGetNextInstruction(i)) {
      bool is_found = LLVMIsALoadInst(i) && is_pointer(LLVMTypeOf(i));
      if (is_found || LLVMIsAIntToPtrInst(i) ||
          (LLVMIsACallInst(i) && is_of_surface(i)))
        return true;
    }
  return false;
}

// What a texture is of may be what the kernel writes.
static bool fetches(LLVMValueRef call) {
  static const char *const words[] = {"tex.", "tld4"};
  LLVMValueRef called = LLVMGetCalledValue(call);
  size_t length = 0;
  bool is_assembly = LLVMIsAInlineAsm(called);
  const char *text = is_assembly ? LLVMGetInlineAsmAsmString(called, &length)
                                 : LLVMGetValueName2(called, &length);
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strstr(text, words[i]))
      return is_assembly || !strncmp(text, "llvm.nvvm.", strlen("llvm.nvvm."));
  return false;
}

static bool may_fetch_in(LLVMValueRef function) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
         i = LLVMGetNextInstruction(i))
      if (LLVMIsACallInst(i) && fetches(i))
        return true;
  return false;
}

static bool may_fetch(LLVMValueRef kernel) {
  LLVMModuleRef module = LLVMGetGlobalParent(kernel);
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
       f = LLVMGetNextFunction(f))
    if ((f == kernel || !llvm_is_kernel(f)) && may_fetch_in(f))
      return true;
  return false;
}

// By the kernel, or by what it may call.
static bool may_be_used(LLVMValueRef value, LLVMValueRef kernel) {
  for (LLVMUseRef use = LLVMGetFirstUse(value); use;
       use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (!LLVMIsAInstruction(user)) {
      if (may_be_used(user, kernel))
        return true;
      continue;
    }
    LLVMValueRef in = LLVMGetBasicBlockParent(LLVMGetInstructionParent(user));
    if (in == kernel || !llvm_is_kernel(in))
      return true;
  }
  return false;
}

// A variable that the host's code can get at, by which it may change what the
// proof has read.
static bool is_of_host(const Proving *proving, LLVMValueRef variable) {
  enum { SHARED_SPACE = 3 };
  bool is_read = LLVMIsGlobalConstant(variable) ||
                 llvm_is_declared_const(proving->task, variable);
  return LLVMGetLinkage(variable) != LLVMPrivateLinkage &&
         LLVMGetPointerAddressSpace(LLVMTypeOf(variable)) != SHARED_SPACE &&
         (proving->is_for_device ||
          (is_read && !LLVMIsExternallyInitialized(variable)));
}

static bool may_read_variable(const Proving *proving, LLVMValueRef kernel) {
  LLVMModuleRef module = LLVMGetGlobalParent(kernel);
  for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g))
    if (is_of_host(proving, g) && may_be_used(g, kernel))
      return true;
  return false;
}

// Why a proof is of no use, or NULL.
static const char *why_not(const Proving *proving, const KernelEntry *entry,
                           const Verdict *verdict) {
  LLVMValueRef prepared = LLVMGetNamedFunction(proving->copy, entry->name);
  if (verdict->kind != VERDICT_VERIFIED || verdict->excused)
    return verdict_name(verdict->kind);
  for (size_t i = 0; i < verdict->assumptions.count; i++)
    if (!is_kept(verdict->assumptions.at[i]))
      return verdict->assumptions.at[i];
  if (assumes(verdict, "no-alias") && finds_arrays(prepared))
    return "arrays that are behind no argument may be one";
  if (may_fetch(entry->function))
    return "it may read what it writes by a texture";
  if (LLVMGetLinkage(entry->function) == LLVMWeakAnyLinkage)
    return "another file may have a kernel of this name";
  return may_read_variable(proving, entry->function)
             ? "the host may have changed a variable"
             : NULL;
}

// ------------------------------------------------------------------ notes ---

static const char *axis_text(Arena *arena, Extent size) {
  return size.known ? arena_printf(arena, "%u", size.value) : "*";
}

static const char *size_text(Arena *arena, const Extent size[3]) {
  return arena_printf(arena, "(%s,%s,%s)", axis_text(arena, size[0]),
                      axis_text(arena, size[1]), axis_text(arena, size[2]));
}

static const char *note(Proving *proving, KernelEntry *entry,
                        const Launch *launch, const Verdict *verdict) {
  Arena *arena = &proving->task->arena;
  proved_note(arena, entry,
              &(ProvedLaunch){*launch, assumes(verdict, "unused-dimensions"),
                              assumes(verdict, "no-alias"),
                              assumes(verdict, "benign-writes")});
  return arena_printf(arena, "blocks of %s in a grid of %s",
                      size_text(arena, launch->block),
                      size_text(arena, launch->grid));
}

// For each of its launches, which were all proved.
static const char *note_all(Proving *proving, KernelEntry *entry,
                            const Verdict *verdict) {
  Arena *arena = &proving->task->arena;
  const char *text = NULL;
  for (size_t i = 0; i < proving->launches.count; i++) {
    const HostLaunch *launch = &proving->launches.at[i];
    if (strcmp(launch->kernel, entry->name) != 0)
      continue;
    const char *one = note(proving, entry, &launch->launch, verdict);
    text = !text               ? one
           : strstr(text, one) ? text
                               : arena_printf(arena, "%s, or %s", text, one);
  }
  return text ? text : note(proving, entry, &(Launch){0}, verdict);
}

static size_t index_of(const Proving *proving, const char *name) {
  size_t i = 0;
  while (i < proving->kernels.count &&
         strcmp(proving->kernels.at[i].name, name) != 0)
    i++;
  assert(i < proving->kernels.count);
  return i;
}

static const char *no_proof(Proving *proving, const KernelEntry *entry,
                            const char *why) {
  Arena *arena = &proving->task->arena;
  LLVMValueRef function = LLVMGetNamedFunction(proving->copy, entry->name);
  const char *calm =
      proving->tells_calm ? values_calm(proving->task, function) : NULL;
  const char *text =
      arena_printf(arena, "'%s' is not proved (%s): it is executed twice",
                   entry->source, why);
  return calm ? arena_printf(arena,
                             "%s; where that is by regions, reads of %s are "
                             "not looked at",
                             text, calm)
              : text;
}

static void listen(void *data, const KernelReport *report) {
  Proving *proving = data;
  size_t i = index_of(proving, report->name);
  KernelEntry *entry = &proving->kernels.at[i];
  const char *why = why_not(proving, entry, report->verdict);
  proving->sentences.at[i] =
      why ? no_proof(proving, entry, why)
          : arena_printf(
                &proving->task->arena,
                "'%s' is proved for %s: such a launch is executed once",
                entry->source, note_all(proving, entry, report->verdict));
}

static void leave_out(void *data, const KernelsLeft *left) {
  Proving *proving = data;
  for (size_t i = 0; i < left->count; i++)
    proving->sentences.at[index_of(proving, left->at[i].name)] =
        no_proof(proving, &left->at[i], "no time was left");
}

// As --strict has it, and as if nothing else were asked for: of what the user
// wants looked at, or says of launches, a launch knows nothing.
static Options options_for(const Settings *settings) {
  Settings fresh;
  settings_default(&fresh, DOOR_RUN);
  Options options = fresh.options;
  memset(options.tried, 0, sizeof options.tried);
  options.confirm = false;
  options.no_benign_tolerance = settings->options.no_benign_tolerance;
  options.file_timeout = settings->prove;
  return options;
}

static void find_kernels(Proving *proving, LLVMModuleRef module) {
  llvm_find_kernels(proving->task, module, &proving->kernels);
  for (size_t i = 0; i < proving->kernels.count; i++) {
    proving->kernels.at[i].proved = NULL; // a file may say so, too
    push(&proving->task->arena, &proving->sentences, NULL);
  }
}

// In a copy of the module; each kernel of it has its sentence then.
static void prove(Proving *proving, const Options *options, const char *file,
                  LLVMModuleRef module) {
  Reporter reporter = {
      .kernel = listen, .left_out = leave_out, .data = proving};
  proving->copy = llvm_copy_module(module);
  find_kernels(proving, module);
  verify_module(options, file, proving->copy, &proving->launches, &reporter);
  llvm_drop_copy(proving->copy);
}

bool proofs_are_wanted(const Settings *settings) {
  return settings_look_for_values(settings) && settings->prove &&
         !settings->deterministic;
}

void program_prove(Task *task, const Settings *settings, const char *file,
                   LLVMModuleRef module, const HostLaunches *launches,
                   Explanations *explained) {
  bool is_for_device = settings->door == DOOR_PLUGIN;
  Proving proving = {.task = task,
                     .is_for_device = is_for_device,
                     .tells_calm = !is_for_device};
  Options options = options_for(settings);
  find_launches(&proving, launches);
  prove(&proving, &options, file, module);
  for (size_t i = 0; i < proving.kernels.count; i++)
    if (proving.sentences.at[i])
      push(&task->arena, explained,
           ((Explanation){proving.kernels.at[i].loc, proving.sentences.at[i]}));
}

static Extent known(uint64_t number) {
  return (Extent){.known = true, .value = (uint32_t)number};
}

// A bool has one bit; what it is in a byte that is neither 0 nor 1 is not
// known.
static bool is_of_whole_bytes(LLVMValueRef kernel, size_t parameter,
                              unsigned bytes) {
  LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(kernel, (unsigned)parameter));
  return LLVMGetTypeKind(type) == LLVMIntegerTypeKind &&
         LLVMGetIntTypeWidth(type) == 8 * bytes;
}

// What the launch file says of sizes, and of whole numbers.
static Launch launch_of(Arena *arena, const Run *run, LLVMValueRef kernel) {
  Launch launch = {.dynamic_shared = known(run->dynamic_shared)};
  for (unsigned axis = 0; axis < 3; axis++) {
    launch.block[axis] = known(run->block[axis]);
    launch.grid[axis] = known(run->grid[axis]);
  }
  for (size_t i = 0; i < run->code->parameters.count; i++) {
    const Parameter *parameter = &run->code->parameters.at[i];
    Argument argument = {0};
    argument.known = parameter->kind == PARAMETER_INTEGER &&
                     parameter->bytes <= sizeof argument.value &&
                     is_of_whole_bytes(kernel, i, parameter->bytes);
    if (argument.known)
      memcpy(&argument.value, run->arguments.at[i], parameter->bytes);
    push(arena, &launch.arguments, argument);
  }
  return launch;
}

bool run_prove(Task *task, const Settings *settings, const char *file,
               LLVMModuleRef module, const char *kernel, const Run *run,
               const char **sentence) {
  Proving proving = {.task = task,
                     .is_for_device = settings_want_device(settings)};
  Options options = options_for(settings);
  options.kernel = kernel;
  push(&task->arena, &proving.launches,
       ((HostLaunch){.kernel = kernel,
                     .launch =
                         launch_of(&task->arena, run,
                                   LLVMGetNamedFunction(module, kernel))}));
  prove(&proving, &options, file, module);
  size_t i = index_of(&proving, kernel);
  const char *proved = proving.kernels.at[i].proved;
  *sentence = proving.sentences.at[i];
  return proved && proved_for(proved, run);
}
