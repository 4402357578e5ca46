// What an instruction says of order: is it atomic, for which scope, does it
// acquire or release.
//
// CUDA's atomicAdd and its like order nothing.  For some of them clang
// nevertheless makes instructions that say seq_cst, so the header that an
// instruction comes from decides: from one of CUDA's, or of those that stand
// for them, it is relaxed; elsewhere the program has asked for the order by
// name, with __atomic_fetch_add or cuda::atomic_ref.  OpenCL's functions
// without an order in their name are those of OpenCL 1, which order nothing
// either.

#include "runtime/jit/assembly.h"

#include <assert.h>
#include <llvm-c/DebugInfo.h>
#include <string.h>

// ----------------------------------------------------------- instructions ---

static void fill_compare(LLVMValueRef instruction, Site *site) {
  LLVMAtomicOrdering order = LLVMGetCmpXchgSuccessOrdering(instruction);
  site->acquires = llvm_acquires(order);
  site->releases = llvm_releases(order);
  site->acquires_if_it_fails =
      llvm_acquires(LLVMGetCmpXchgFailureOrdering(instruction));
}

static void fill_atomic(Task *task, LLVMValueRef instruction, Site *site) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
  site->is_load = opcode == LLVMLoad;
  site->is_store = opcode == LLVMStore;
  if (!llvm_scope(instruction, &site->scope))
    unsupported(task, site->loc, "an atomic of unknown scope is not executed");
  if (!asm_says_order(instruction) &&
      llvm_is_of_runtime_header(task, instruction))
    return;
  if (opcode == LLVMAtomicCmpXchg) {
    fill_compare(instruction, site);
    return;
  }
  LLVMAtomicOrdering order = LLVMGetOrdering(instruction);
  site->acquires = llvm_acquires(order) && opcode != LLVMStore;
  site->releases = llvm_releases(order) && opcode != LLVMLoad;
}

// ----------------------------------------------------------------- fences ---

static void fill_both(Site *site, Scope scope) {
  site->scope = scope;
  site->acquires = site->releases = true;
}

// llvm.nvvm.membar.cta, llvm.nvvm.fence.sc.cluster, ..; those of proxies and of
// mbarriers order nothing that is followed here.
static void fill_nvvm_fence(const char *name, Site *site) {
  static const struct {
    const char *part;
    Scope scope;
  } rows[] = {{".cta", SCOPE_BLOCK},
              {".cluster", SCOPE_CLUSTER},
              {".gl", SCOPE_GRID},
              {".gpu", SCOPE_GRID},
              {".sys", SCOPE_SYSTEM}};
  if (strstr(name, "proxy") || strstr(name, "mbarrier"))
    return;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (strstr(name, rows[i].part)) {
      fill_both(site, rows[i].scope);
      return;
    }
}

static uint64_t number(Task *task, const Site *site, LLVMValueRef value) {
  if (!LLVMIsAConstantInt(value))
    unsupported(task, site->loc,
                "a fence whose order or scope is computed is not executed");
  return LLVMConstIntGetZExtValue(value);
}

// atomic_work_item_fence(flags, order, scope), numbered as OpenCL 2 does.
static void fill_work_item_fence(Task *task, LLVMValueRef call, Site *site) {
  enum { ACQUIRE = 2, RELEASE = 3, SEQ_CST = 5 };
  static const Scope scopes[] = {SCOPE_THREAD, SCOPE_BLOCK, SCOPE_GRID,
                                 SCOPE_SYSTEM, SCOPE_WARP};
  if (LLVMGetNumArgOperands(call) != 3)
    unsupported(task, site->loc, "a fence without an order is not executed");
  uint64_t order = number(task, site, LLVMGetOperand(call, 1));
  uint64_t scope = number(task, site, LLVMGetOperand(call, 2));
  if (scope >= sizeof scopes / sizeof *scopes || order > SEQ_CST)
    unsupported(task, site->loc, "a fence of unknown scope is not executed");
  site->scope = scopes[scope];
  site->acquires = order >= ACQUIRE && order != RELEASE;
  site->releases = order >= RELEASE;
}

static void fill_fence_call(Task *task, LLVMValueRef call, Site *site) {
  const char *name = jit_declared(call), *plain = plain_name(task, name);
  if (!strncmp(name, "llvm.nvvm.", 10)) {
    fill_nvvm_fence(name, site);
    return;
  }
  if (!strcmp(plain, "atomic_work_item_fence")) {
    fill_work_item_fence(task, call, site);
    return;
  }
  fill_both(site, SCOPE_BLOCK);
  site->acquires = strcmp(plain, "write_mem_fence") != 0;
  site->releases = strcmp(plain, "read_mem_fence") != 0;
}

static void fill_fence(Task *task, LLVMValueRef instruction, Site *site) {
  LLVMAtomicOrdering order = LLVMGetOrdering(instruction);
  if (!llvm_scope(instruction, &site->scope))
    unsupported(task, site->loc, "a fence of unknown scope is not executed");
  site->acquires = llvm_acquires(order);
  site->releases = llvm_releases(order);
}

// ------------------------------------------------------------------- sites ---

#define HALVES "__gpuverify_atomic_add_"

// __gpuverify_atomic_add_half.acq_rel.cta: with words of PTX.
static void fill_halves(const char *name, Site *site) {
  bool has_both = strstr(name, ".acq_rel");
  site->scope = strstr(name, ".cta")       ? SCOPE_BLOCK
                : strstr(name, ".cluster") ? SCOPE_CLUSTER
                : strstr(name, ".sys")     ? SCOPE_SYSTEM
                                           : SCOPE_GRID;
  site->acquires = has_both || strstr(name, ".acquire");
  site->releases = has_both || strstr(name, ".release");
}

bool jit_is_compare(LLVMValueRef call) {
  assert(LLVMIsACallInst(call));
  const char *name = jit_declared(call);
  return strstr(name, "cmpxchg") || strstr(name, ".cas.");
}

void jit_fill_order(Task *task, LLVMValueRef instruction, Site *site) {
  bool is_call = LLVMIsACallInst(instruction);
  switch (site->kind) {
  case SITE_READ:
  case SITE_WRITE:
    site->is_volatile = !is_call && llvm_is_strong_volatile(instruction);
    break;
  case SITE_ATOMIC:
    if (!is_call)
      fill_atomic(task, instruction, site);
    else if (!strncmp(jit_declared(instruction), HALVES, sizeof HALVES - 1))
      fill_halves(jit_declared(instruction), site);
    else if (strstr(jit_declared(instruction), ".cta."))
      site->scope = SCOPE_BLOCK;
    break;
  case SITE_FENCE:
    if (is_call)
      fill_fence_call(task, instruction, site);
    else
      fill_fence(task, instruction, site);
    break;
  case SITE_FILL:
  case SITE_FETCH:
  case SITE_CALL:
  case SITE_LOOP:
    break;
  }
}
