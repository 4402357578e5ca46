// What the files that cut a kernel share.

#ifndef RUNTIME_VALUES_CUTTING_H
#define RUNTIME_VALUES_CUTTING_H

#include "runtime/jit/jit.h"
#include "runtime/machine/copied.h"
#include "runtime/values/values.h"

enum { FRAMES = 3 };

typedef Vec(LLVMValueRef) Instructions;

typedef struct Cutting {
  Task *task;
  LLVMModuleRef module;
  LLVMContextRef context;
  LLVMValueRef kernel;
  LLVMTargetDataRef layout;
  LLVMBuilderRef builder;
  LLVMTypeRef none, i8, i32, i64, pointer;
  Sites *sites;

  // Filled by cutting_survey.
  Instructions accesses, atomics, barriers, prints, returns, locals, lifetimes;
  Instructions async;   // copies, and waits for them
  Instructions structs; // parameters that are not just read
  Instructions fences, acquiring, releasing; // the latter are atomics, too
  bool has_warps;     // operations that the threads of a warp do together
  bool has_records;   // of what is not done a second time
  bool has_widths;    // strong accesses of several
  uint64_t width;     // of one of them
  ValueTable calm;    // arguments that are read and not looked at
  bool are_apart;     // the pointers among the arguments, and from variables
  ValueTable written; // where an address comes from that is written
  bool may_write_any; // ... or from elsewhere

  // Filled by values_cut.
  LLVMValueRef thread;  // what values.cu keeps of each
  LLVMValueRef flights; // of its copies, if there are such
  LLVMBasicBlockRef entry, dispatch;
  Vec(LLVMBasicBlockRef) regions;
  Vec(Loc) places; // of barriers
  // What a thread keeps between regions, as it is, as it was at the region's
  // begin, and as the first execution has left it.
  LLVMValueRef frames[FRAMES];
  uint64_t frame_bytes;
} Cutting;

// Gives up at what cannot be executed twice.
#define REFUSE(cutting, instruction, ...)                                      \
  unsupported((cutting)->task, llvm_location((cutting)->task, instruction),    \
              "--detect=values: " __VA_ARGS__)

// -------------------------------------------------------------- survey.c ---

// What has to be changed; gives up at what cannot be executed twice.
void cutting_survey(Cutting *cutting);

typedef enum PointsTo { POINTS_NOWHERE, POINTS_OWN, POINTS_OTHER } PointsTo;

// To memory of the thread itself, or constants, or else; gives up where that is
// not known.
PointsTo cutting_points_to(Cutting *cutting, LLVMValueRef instruction,
                           LLVMValueRef pointer);

// What a pointer may be derived from.
Instructions cutting_sources(Task *task, LLVMValueRef pointer);

// ---------------------------------------------------------------- calm.c ---

void cutting_find_written(Cutting *cutting);
// Does nobody write where this pointer leads?  Only with cutting->are_apart.
bool cutting_is_calm(Cutting *cutting, LLVMValueRef pointer);
// "'in', 'table'" of cutting->calm; NULL: it is empty.
const char *cutting_calm_names(Cutting *cutting);

// --------------------------------------------------------------- order.c ---

// Gives up if threads may be ordered by anything but barriers; then fences have
// nothing to say.
void cutting_refuse_order(Cutting *cutting);
void cutting_remove_fences(Cutting *cutting);

// ------------------------------------------------------------- observe.c ---

// A plain access behind an operation that finds something may be of the same
// memory.
bool cutting_may_come_last(Cutting *cutting);

// ------------------------------------------------------------- redirect.c ---

// Each access goes where values.cu says.
void cutting_redirect(Cutting *cutting);
LLVMValueRef cutting_flat(const Cutting *cutting, LLVMValueRef pointer);
// All of its accesses have so many bytes, and are aligned to that.
int cutting_add_site(Cutting *cutting, LLVMValueRef instruction, SiteKind kind,
                     uint64_t bytes);

// -------------------------------------------------------------- atomics.c ---

// Takes an atomic operation, or a volatile access, into cutting->atomics.
void cutting_survey_atomic(Cutting *cutting, LLVMValueRef instruction);
// Each of them is done on bytes of the thread's own.
void cutting_redirect_atomics(Cutting *cutting);

// ---------------------------------------------------------------- async.c ---

// False: the call has nothing to do with asynchronous copies.
bool cutting_survey_async(Cutting *cutting, LLVMValueRef call,
                          const char *name);
// Before the accesses are.
void cutting_redirect_async(Cutting *cutting);
// Here, where the builder is, a region begins.
void cutting_begin_async(Cutting *cutting);

// ---------------------------------------------------------------- frame.c ---

// Room in the frame; its address, for use anywhere.
LLVMValueRef cutting_place(Cutting *cutting, uint64_t bytes,
                           uint64_t alignment);
// Local arrays, and values of one region that another one uses, go to the
// frame.
void cutting_keep_locals(Cutting *cutting);
// Those of a kernel that is not cut begin as zeros, as frames do: a struct may
// be filled in part and copied as a whole, and both executions are compared.
void cutting_clear_locals(Cutting *cutting);
void cutting_keep_values(Cutting *cutting);

// ------------------------------------------------------------- library.c ---

// values.cu as bitcode is in the module from here on, or what of it is inlined,
// or device.cu.
void cutting_link(LLVMModuleRef module, bool is_for_device);
void cutting_link_device(LLVMModuleRef module);
LLVMValueRef cutting_call(Cutting *cutting, LLVMTypeRef result,
                          const char *name, LLVMValueRef *arguments,
                          unsigned count);

static inline LLVMValueRef cutting_number(const Cutting *cutting, int number) {
  return LLVMConstInt(cutting->i32, (unsigned long long)number, true);
}

#endif
