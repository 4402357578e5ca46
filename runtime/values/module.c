// All kernels of a module that will be a device's: each gets a second one
// beside it that executes its regions twice.
//
// We get a copy of the module.  Its kernels are prepared and cut as the one of
// `gpuverify run` is, one after another; a kernel that cannot be cut goes, and
// its table says why.  What is left is to be linked into the module that the
// copy was made of: the cut kernels under names of their own, what they call
// of ours, their tables, and declarations of the module's variables.

#include "runtime/values/cutting.h"
#include "runtime/values/on_device.h"
#include "runtime/values/table.h"

#include <assert.h>
#include <llvm-c/Comdat.h>
#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

typedef struct Cutout {
  LLVMModuleRef module;
  LLVMBuilderRef builder;
  CutKernel *kernel;
} Cutout;

// ----------------------------------------------------------- preparation ---

static void drop_lists(LLVMModuleRef module) {
  static const char *const names[] = {"llvm.used", "llvm.compiler.used",
                                      "llvm.global_ctors", "llvm.global_dtors"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    LLVMValueRef list = LLVMGetNamedGlobal(module, names[i]);
    if (list)
      LLVMDeleteGlobal(list);
  }
}

// --------------------------------------------------------------- assembly ---

// What names memory by an address.
static bool has_address(LLVMValueRef assembly) {
  static const char *const words[] = {"[", "cvta", "mapa", "getctarank"};
  size_t length = 0;
  const char *text = LLVMGetInlineAsmAsmString(assembly, &length);
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strstr(text, words[i]))
      return true;
  return false;
}

// Addresses as the executing processor has them are none of a device.
static void refuse_addresses(LLVMValueRef function, LLVMValueRef refused) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
         i = LLVMGetNextInstruction(i)) {
      LLVMValueRef called = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
      if (called && LLVMIsAInlineAsm(called) && has_address(called))
        LLVMSetOperand(i, (unsigned)LLVMGetNumOperands(i) - 1, refused);
    }
}

// Assembly that computes becomes operations, as those of libdevice are.
static void expand_assembly(Task *task, LLVMModuleRef module) {
  LLVMTypeRef none = LLVMVoidTypeInContext(LLVMGetModuleContext(module));
  LLVMValueRef refused =
      LLVMAddFunction(module, "assembly with an address",
                      LLVMFunctionType(none, NULL, 0, false));
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
       f = LLVMGetNextFunction(f))
    refuse_addresses(f, refused);
  code_expand_assembly(task, module, true);
}

static bool is_of_ours(const char *name) {
  static const char prefix[] = "__gpuverify_";
  return !strncmp(name, prefix, sizeof prefix - 1);
}

// What the front end has for a processor, no device has.
static void leave_for_device(Task *task, LLVMBuilderRef builder,
                             LLVMValueRef kernel) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(kernel); block;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef i = LLVMGetFirstInstruction(block), next; i; i = next) {
      next = LLVMGetNextInstruction(i);
      const char *name = LLVMIsACallInst(i) ? jit_declared(i) : NULL;
      Loc where = llvm_location(task, i);
      if (name && is_of_ours(name) &&
          !jit_leave_for_device(task, builder, i, name))
        unsupported(task, where,
                    "--detect=values: '%s' has no code for a device", name);
    }
}

// ----------------------------------------------------------------- shared ---

static bool is_used_in(LLVMValueRef value, LLVMValueRef kernel) {
  for (LLVMUseRef use = LLVMGetFirstUse(value); use;
       use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    bool is_here =
        LLVMIsAInstruction(user)
            ? LLVMGetBasicBlockParent(LLVMGetInstructionParent(user)) == kernel
            : is_used_in(user, kernel);
    if (is_here)
      return true;
  }
  return false;
}

// The assembler refuses a kernel with more, and the user's with it.  What is
// not shared with the user's module is ours.
static void refuse_full_blocks(Task *task, LLVMModuleRef module,
                               const KernelEntry *entry) {
  enum { SHARED_SPACE = 3, MOST = 48 << 10 };
  LLVMTargetDataRef layout = LLVMGetModuleDataLayout(module);
  uint64_t bytes = 0;
  for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g))
    if (LLVMGetPointerAddressSpace(LLVMTypeOf(g)) == SHARED_SPACE &&
        (LLVMGetLinkage(g) != LLVMExternalLinkage ||
         is_used_in(g, entry->function)))
      bytes += LLVMABISizeOfType(layout, LLVMGlobalGetValueType(g));
  if (bytes > MOST)
    unsupported(task, entry->loc,
                "--detect=values: its variables leave no room in shared "
                "memory");
}

static void cut(Task *task, void *data) {
  const Cutout *cutout = data;
  leave_for_device(task, cutout->builder, cutout->kernel->entry.function);
  refuse_full_blocks(task, cutout->module, &cutout->kernel->entry);
  values_cut(task, cutout->module, &cutout->kernel->entry,
             &cutout->kernel->cut);
}

// --------------------------------------------------------------- cleaning ---

static void drop_metadata(LLVMValueRef i) {
  size_t count = 0;
  LLVMValueMetadataEntry *all =
      LLVMInstructionGetAllMetadataOtherThanDebugLoc(i, &count);
  for (unsigned each = 0; each < count; each++)
    LLVMSetMetadata(i, LLVMValueMetadataEntriesGetKind(all, each), NULL);
  LLVMDisposeValueMetadataEntries(all);
}

// What is promised of a parameter is true of the memory that it points to, and
// not of copies, which are written back in another way.
static void drop_promises(LLVMValueRef kernel) {
  static const char *const names[] = {"noalias",  "readonly", "writeonly",
                                      "readnone", "captures", "initializes"};
  for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
    unsigned kind = LLVMGetEnumAttributeKindForName(names[n], strlen(names[n]));
    for (unsigned p = 1; kind && p <= LLVMCountParams(kernel); p++)
      LLVMRemoveEnumAttributeAtIndex(kernel, p, kind);
  }
  unsigned memory = LLVMGetEnumAttributeKindForName("memory", 6);
  LLVMRemoveEnumAttributeAtIndex(
      kernel, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, memory);
}

// Types of accesses, scopes of names and the like are about addresses as they
// were.
static void forget_aliases(LLVMValueRef kernel) {
  drop_promises(kernel);
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(kernel); block;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
         i = LLVMGetNextInstruction(i))
      drop_metadata(i);
}

static void set_text_attribute(LLVMValueRef kernel, const char *name,
                               const char *value) {
  LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(kernel));
  LLVMAddAttributeAtIndex(
      kernel, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
      LLVMCreateStringAttribute(context, name, (unsigned)strlen(name), value,
                                (unsigned)strlen(value)));
}

// The most threads of a block, as "16,16": 0, it does not say.
static unsigned most_threads(LLVMValueRef kernel) {
  LLVMAttributeRef known = LLVMGetStringAttributeAtIndex(
      kernel, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, "nvvm.maxntid",
      12);
  unsigned length = 0, threads = 1;
  const char *text = known ? LLVMGetStringAttributeValue(known, &length) : NULL;
  for (char *end; text && length; text = *end == ',' ? end + 1 : NULL)
    threads *= (unsigned)strtoul(text, &end, 10);
  return known ? threads : 0;
}

// A number of registers that was good for the kernel is not for this one.  It
// has as many as leave room for 1024 threads: any block finds enough of them,
// and a kernel that waits for memory wants others beside it.
static void set_bounds(Task *task, LLVMValueRef kernel) {
  enum { AT_ONCE = 1024 };
  static const char registers[] = "nvvm.maxnreg";
  unsigned threads = most_threads(kernel);
  LLVMRemoveStringAttributeAtIndex(
      kernel, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, registers,
      sizeof registers - 1);
  if (!threads)
    set_text_attribute(kernel, "nvvm.maxntid", "1024");
  unsigned blocks = threads && threads < AT_ONCE ? AT_ONCE / threads : 1;
  set_text_attribute(kernel, "nvvm.minctasm",
                     arena_printf(&task->arena, "%u", blocks));
}

static void copy_text_attribute(LLVMValueRef from, LLVMValueRef to,
                                const char *name) {
  LLVMAttributeIndex at = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
  unsigned length = (unsigned)strlen(name);
  LLVMAttributeRef wanted =
      LLVMGetStringAttributeAtIndex(from, at, name, length);
  LLVMRemoveStringAttributeAtIndex(to, at, name, length);
  if (wanted)
    LLVMAddAttributeAtIndex(to, at, wanted);
}

// Ours were compiled for some device.
static void take_target(LLVMValueRef kernel, LLVMModuleRef module) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
       f = LLVMGetNextFunction(f))
    if (f != kernel && !LLVMIsDeclaration(f)) {
      copy_text_attribute(kernel, f, "target-cpu");
      copy_text_attribute(kernel, f, "target-features");
    }
}

// Templates are in several files, and one of them is kept.
static bool is_one_of_many(LLVMValueRef kernel) {
  LLVMLinkage linkage = LLVMGetLinkage(kernel);
  return linkage == LLVMWeakODRLinkage || linkage == LLVMWeakAnyLinkage ||
         linkage == LLVMLinkOnceODRLinkage || linkage == LLVMLinkOnceAnyLinkage;
}

static void export(const CutKernel *kernel, LLVMValueRef global) {
  LLVMSetLinkage(global, kernel->is_one_of_many ? LLVMWeakODRLinkage
                                                : LLVMExternalLinkage);
}

// ----------------------------------------------------------------- tables ---

typedef Vec(char) Bytes;

static void put(Arena *arena, Bytes *bytes, const void *from, size_t count) {
  for (size_t i = 0; i < count; i++)
    push(arena, bytes, ((const char *)from)[i]);
}

// A text of the table under construction; few are many times there.
typedef struct Texts {
  Arena *arena;
  Bytes bytes;
  size_t start; // of the texts in the table
  Vec(const char *) known;
  Vec(uint32_t) offsets;
} Texts;

static uint32_t text_at(Texts *texts, const char *text) {
  if (!text)
    return 0;
  for (size_t i = texts->known.count; i--;)
    if (!strcmp(texts->known.at[i], text))
      return texts->offsets.at[i];
  uint32_t offset = (uint32_t)(texts->start + texts->bytes.count);
  put(texts->arena, &texts->bytes, text, strlen(text) + 1);
  push(texts->arena, &texts->known, text);
  push(texts->arena, &texts->offsets, offset);
  return offset;
}

static TablePlace place_at(Texts *texts, Loc loc) {
  if (!loc.file || !loc.line)
    return (TablePlace){0};
  return (TablePlace){text_at(texts, loc.file), loc.line, loc.column};
}

static const char *arguments_of(Arena *arena, LLVMValueRef kernel) {
  LLVMTargetDataRef layout =
      LLVMGetModuleDataLayout(LLVMGetGlobalParent(kernel));
  const char *text = "";
  for (unsigned i = 0; i < LLVMCountParams(kernel); i++) {
    LLVMTypeRef own = LLVMTypeOf(LLVMGetParam(kernel, i));
    LLVMTypeRef given = jit_by_value(kernel, i);
    LLVMTypeRef type = given ? given : own;
    text = LLVMGetTypeKind(type) == LLVMPointerTypeKind
               ? arena_printf(arena, "%sp ", text)
               : arena_printf(arena, "%s%llu ", text,
                              LLVMStoreSizeOfType(layout, type));
  }
  return text;
}

static Bytes table_of(Arena *arena, const CutKernel *kernel) {
  const Sites *sites = &kernel->cut.sites;
  size_t count = kernel->reason ? 0 : sites->count;
  Texts texts = {.arena = arena,
                 .start = sizeof(TableHead) + count * sizeof(TableSite)};
  TableHead head = {.format = VALUES_TABLE_FORMAT,
                    .sites = (uint32_t)count,
                    .has_warps = kernel->cut.has_warps,
                    .source = text_at(&texts, kernel->entry.source),
                    .reason = text_at(&texts, kernel->reason),
                    .proved = text_at(&texts, kernel->entry.proved),
                    .arguments = text_at(&texts, kernel->arguments),
                    .where = place_at(&texts, kernel->where)};
  Bytes all = {0}, behind = {0};
  for (size_t i = 0; i < count; i++) {
    TableSite site = {.where = place_at(&texts, sites->at[i].loc),
                      .bytes = sites->at[i].alignment,
                      .is_atomic = sites->at[i].kind == SITE_ATOMIC};
    put(arena, &behind, &site, sizeof site);
  }
  head.bytes = (uint32_t)(texts.start + texts.bytes.count);
  put(arena, &all, &head, sizeof head);
  put(arena, &all, behind.at, behind.count);
  put(arena, &all, texts.bytes.at, texts.bytes.count);
  assert(all.count == head.bytes);
  return all;
}

static void add_table(Task *task, LLVMModuleRef module,
                      const CutKernel *kernel) {
  enum { GLOBAL_SPACE = 1, ALIGNMENT = 8 };
  LLVMContextRef context = LLVMGetModuleContext(module);
  Bytes bytes = table_of(&task->arena, kernel);
  LLVMValueRef value =
      LLVMConstStringInContext2(context, bytes.at, bytes.count, true);
  const char *name =
      arena_printf(&task->arena, VALUES_TABLE_PREFIX "%s", kernel->entry.name);
  LLVMValueRef table = LLVMAddGlobalInAddressSpace(module, LLVMTypeOf(value),
                                                   name, GLOBAL_SPACE);
  LLVMSetInitializer(table, value);
  LLVMSetGlobalConstant(table, true);
  LLVMSetAlignment(table, ALIGNMENT);
  export(kernel, table);
}

// ---------------------------------------------------------------- linking ---

static void share_variables(LLVMModuleRef module) {
  for (LLVMValueRef g = LLVMGetFirstGlobal(module); g;
       g = LLVMGetNextGlobal(g)) {
    LLVMSetLinkage(g, LLVMExternalLinkage);
    LLVMSetComdat(g, NULL);
  }
}

// But for what was made since they were shared.
static void declare_variables(LLVMModuleRef module) {
  for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g))
    if (LLVMGetLinkage(g) == LLVMExternalLinkage)
      LLVMSetInitializer(g, NULL);
}

static void hide_functions(LLVMModuleRef module) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
       f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f)) {
      LLVMSetComdat(f, NULL);
      LLVMSetVisibility(f, LLVMDefaultVisibility);
      LLVMSetLinkage(f, LLVMInternalLinkage);
    }
}

static void show(Task *task, LLVMModuleRef module, CutKernel *kernel) {
  LLVMValueRef function = kernel->entry.function;
  const char *name =
      arena_printf(&task->arena, VALUES_CUT_PREFIX "%s", kernel->entry.name);
  LLVMSetValueName2(function, name, strlen(name));
  export(kernel, function);
  forget_aliases(function);
  set_bounds(task, function);
  take_target(function, module);
}

// The host looks for these by their names, and every module has them.
static void share_ours(LLVMModuleRef module) {
  LLVMValueRef head = LLVMGetNamedGlobal(module, VALUES_HEAD);
  LLVMValueRef end = LLVMGetNamedFunction(module, VALUES_END);
  assert(head && end);
  LLVMSetLinkage(head, LLVMWeakAnyLinkage);
  LLVMSetLinkage(end, LLVMWeakAnyLinkage);
}

static void hide_ours(LLVMModuleRef module) {
  LLVMValueRef head = LLVMGetNamedGlobal(module, VALUES_HEAD);
  LLVMSetLinkage(head, LLVMInternalLinkage);
}

// ---------------------------------------------------------------- kernels ---

static void find_kernels(Task *task, LLVMModuleRef module, bool compares_warps,
                         CutKernels *kernels) {
  KernelEntries entries = {0};
  llvm_find_kernels(task, module, &entries);
  for (size_t i = 0; i < entries.count; i++) {
    CutKernel kernel = {
        .entry = entries.at[i],
        .where = entries.at[i].loc,
        .cut = {.has_warps = compares_warps, .is_for_device = true}};
    kernel.is_one_of_many = is_one_of_many(kernel.entry.function);
    kernel.arguments = arguments_of(&task->arena, kernel.entry.function);
    push(&task->arena, kernels, kernel);
  }
}

static void refuse(CutKernel *kernel, const char *reason, Loc where) {
  kernel->reason = reason;
  if (where.line)
    kernel->where = where;
}

static void cut_each(Task *task, LLVMModuleRef module, CutKernels *kernels) {
  Cutout cutout = {
      .module = module,
      .builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module))};
  for (size_t i = 0; i < kernels->count; i++) {
    cutout.kernel = &kernels->at[i];
    if (!task_run(task, cut, &cutout))
      refuse(&kernels->at[i], task->reason, task->where);
  }
  LLVMDisposeBuilder(cutout.builder);
}

// Of many accesses inlined the assembler makes no end.
static void keep_small(LLVMModuleRef module, const CutKernels *kernels) {
  enum { MANY = 128 };
  static const char *const names[] = {"__gpuverify_values_read",
                                      "__gpuverify_values_write"};
  LLVMAttributeIndex at = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
  unsigned inlined = LLVMGetEnumAttributeKindForName("alwaysinline", 12);
  unsigned kept = LLVMGetEnumAttributeKindForName("noinline", 8);
  size_t most = 0;
  for (size_t i = 0; i < kernels->count; i++)
    if (!kernels->at[i].reason && kernels->at[i].cut.sites.count > most)
      most = kernels->at[i].cut.sites.count;
  for (size_t i = 0; most > MANY && i < sizeof names / sizeof *names; i++) {
    LLVMValueRef function = LLVMGetNamedFunction(module, names[i]);
    LLVMRemoveEnumAttributeAtIndex(function, at, inlined);
    LLVMAddAttributeAtIndex(
        function, at,
        LLVMCreateEnumAttribute(LLVMGetModuleContext(module), kept, 0));
  }
}

static bool is_one_cut(const CutKernels *kernels) {
  for (size_t i = 0; i < kernels->count; i++)
    if (!kernels->at[i].reason)
      return true;
  return false;
}

// What nobody needs goes.
static bool finish(Task *task, LLVMModuleRef module, CutKernels *kernels,
                   const char **reason) {
  drop_lists(module);
  hide_functions(module);
  keep_small(module, kernels);
  for (size_t i = 0; i < kernels->count; i++) {
    if (kernels->at[i].reason)
      LLVMDeleteFunction(kernels->at[i].entry.function);
    else
      show(task, module, &kernels->at[i]);
    add_table(task, module, &kernels->at[i]);
  }
  if (is_one_cut(kernels))
    share_ours(module);
  else
    hide_ours(module);
  LLVMStripModuleDebugInfo(module);
  return llvm_run_passes(task, module, NULL, "globaldce,verify", reason);
}

bool values_cut_module(Task *task, LLVMModuleRef module, bool compares_warps,
                       CutKernels *kernels, const char **reason) {
  find_kernels(task, module, compares_warps, kernels);
  if (!kernels->count)
    return true;
  drop_lists(module);
  share_variables(module);
  expand_assembly(task, module);
  if (!llvm_prepare(task, module, reason))
    return false;
  declare_variables(module);
  cutting_link_device(module);
  cutting_link(module, true);
  cut_each(task, module, kernels);
  return finish(task, module, kernels, reason);
}
