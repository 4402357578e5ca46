// The most common cases of spots.c as IR, so that code needs no call for them.
//
// Where only bounds are watched, an access is done with if it is aligned and in
// the array that the site accessed last.  Where races are watched, an access of
// a word does what follows, in a function that is inlined:
//
//       index = (at - spot->at) / 4, or too large if that leaves a rest
//       index < spot->word_limit ?                          no: call the hook
//       line = &spot->lines[index / 32]
//       line->phase == PHASE_SPLIT ?
//   yes: a read of a word that has been read enough ?       no: call the hook
//   no:  its deed is that of the line and of now, the phase is right, and the
//        thread's bit is free ?                             no: call the hook
//        set it
//
// An access that the code shows to be of shared memory looks at the word's mark
// instead (marks.c), or only at bounds (still.c).
//
// An access that fails one of these tests is not wrong, only less common.

#include "runtime/jit/jit.h"
#include "runtime/machine/races.h"

#include <assert.h>
#include <string.h>

enum { WORD_SHIFT = 2, LINE_SHIFT = 5, LIKELY = 2000, MOST_INLINED = 200 };

_Static_assert(WORD_BYTES == 1 << WORD_SHIFT, "shifts are as sizes");
_Static_assert(LINE_WORDS == 1 << LINE_SHIFT, "shifts are as sizes");

typedef struct Maker {
  LLVMModuleRef module;
  LLVMContextRef context;
  LLVMBuilderRef builder;
  SpotCase which;
  LLVMValueRef function, at, bytes, site, spot, thread, power;
  LLVMBasicBlockRef call, done;
  LLVMTypeRef i8, i32, i64, pointer;
} Maker;

// ----------------------------------------------------------------- pieces ---

static LLVMBasicBlockRef add_block(const Maker *m) {
  return LLVMAppendBasicBlockInContext(m->context, m->function, "");
}

static LLVMValueRef place(const Maker *m, LLVMValueRef base, size_t offset) {
  LLVMValueRef bytes = LLVMConstInt(m->i64, offset, false);
  return LLVMBuildGEP2(m->builder, m->i8, base, &bytes, 1, "");
}

static LLVMValueRef load(const Maker *m, LLVMTypeRef type, LLVMValueRef base,
                         size_t offset) {
  return LLVMBuildLoad2(m->builder, type, place(m, base, offset), "");
}

static LLVMValueRef constant(const Maker *m, const void *at) {
  return jit_address(m->module, (uintptr_t)at);
}

static LLVMValueRef element(const Maker *m, LLVMValueRef base,
                            LLVMValueRef index, size_t bytes) {
  return LLVMBuildGEP2(m->builder, LLVMArrayType2(m->i8, bytes), base, &index,
                       1, "");
}

static LLVMValueRef equal(const Maker *m, LLVMValueRef a, LLVMValueRef b) {
  return LLVMBuildICmp(m->builder, LLVMIntEQ, a, b, "");
}

static LLVMValueRef both(const Maker *m, LLVMValueRef a, LLVMValueRef b) {
  return LLVMBuildAnd(m->builder, a, b, "");
}

// It is mostly true, so that registers are saved where the hook is called.
static void expect(const Maker *m, LLVMValueRef branch) {
  LLVMMetadataRef weights[] = {
      LLVMMDStringInContext2(m->context, "branch_weights", 14),
      LLVMValueAsMetadata(LLVMConstInt(m->i32, LIKELY, false)),
      LLVMValueAsMetadata(LLVMConstInt(m->i32, 1, false))};
  LLVMMetadataRef node = LLVMMDNodeInContext2(m->context, weights, 3);
  LLVMSetMetadata(branch, LLVMGetMDKindIDInContext(m->context, "prof", 4),
                  LLVMMetadataAsValue(m->context, node));
}

// Goes on where it holds.
static void require(const Maker *m, LLVMValueRef condition) {
  LLVMBasicBlockRef next = add_block(m);
  expect(m, LLVMBuildCondBr(m->builder, condition, next, m->call));
  LLVMPositionBuilderAtEnd(m->builder, next);
}

// --------------------------------------------------------------- the cases ---

static LLVMValueRef offset(const Maker *m) {
  LLVMValueRef at = LLVMBuildPtrToInt(m->builder, m->at, m->i64, "");
  return LLVMBuildSub(m->builder, at,
                      load(m, m->i64, m->spot, offsetof(Spot, at)), "");
}

// The offset rotated, so that what is not aligned becomes large.
static LLVMValueRef index_of(const Maker *m, LLVMValueRef power) {
  unsigned id = LLVMLookupIntrinsicID("llvm.fshr", 9);
  assert(id);
  LLVMValueRef rotate =
      LLVMGetIntrinsicDeclaration(m->module, id, (LLVMTypeRef[]){m->i64}, 1);
  LLVMValueRef bytes = offset(m);
  return LLVMBuildCall2(m->builder, LLVMGlobalGetValueType(rotate), rotate,
                        (LLVMValueRef[]){bytes, bytes, power}, 3, "");
}

static LLVMValueRef word_index(const Maker *m) {
  return index_of(m, LLVMConstInt(m->i64, WORD_SHIFT, false));
}

static void split_case(const Maker *m, LLVMValueRef index) {
  LLVMValueRef words = load(m, m->pointer, m->spot, offsetof(Spot, words));
  LLVMValueRef word = element(m, words, index, sizeof(Word));
  LLVMValueRef enough = load(m, m->i64, word, offsetof(Word, enough));
  LLVMValueRef moment = load(m, m->i64, constant(m, &turn.moment), 0);
  LLVMValueRef era = load(m, m->i64, constant(m, &turn.era), 0);
  LLVMValueRef is_enough = LLVMBuildOr(m->builder, equal(m, enough, moment),
                                       equal(m, enough, era), "");
  expect(m, LLVMBuildCondBr(m->builder, is_enough, m->done, m->call));
}

static LLVMValueRef has_deed(const Maker *m, LLVMValueRef line) {
  bool writes = m->which == SPOT_WRITE_WORD;
  LLVMValueRef stay = load(m, m->i64, constant(m, &turn.stay), 0);
  LLVMValueRef deed = load(m, m->pointer, m->spot, offsetof(Spot, deeds));
  return both(m, equal(m, load(m, m->i64, m->spot, offsetof(Spot, stay)), stay),
              equal(m,
                    load(m, m->pointer, line,
                         writes ? offsetof(Line, write) : offsetof(Line, read)),
                    deed));
}

static LLVMValueRef has_phase(const Maker *m, LLVMValueRef phase,
                              LLVMValueRef index) {
  LLVMValueRef shift =
      LLVMBuildAnd(m->builder, LLVMBuildSub(m->builder, index, m->thread, ""),
                   LLVMConstInt(m->i32, LANES - 1, false), "");
  return equal(m, phase, shift);
}

static void line_case(const Maker *m, LLVMValueRef line, LLVMValueRef phase,
                      LLVMValueRef index) {
  bool writes = m->which == SPOT_WRITE_WORD;
  LLVMValueRef word = LLVMBuildTrunc(m->builder, index, m->i32, "");
  LLVMValueRef written = load(m, m->i32, line, offsetof(Line, written));
  LLVMValueRef was_read = load(m, m->i32, line, offsetof(Line, was_read));
  LLVMValueRef bit = LLVMBuildShl(
      m->builder, LLVMConstInt(m->i32, 1, false),
      both(m, word, LLVMConstInt(m->i32, LINE_WORDS - 1, false)), "");
  LLVMValueRef taken =
      writes ? LLVMBuildOr(m->builder, written, was_read, "") : written;
  require(m, both(m, has_deed(m, line), has_phase(m, phase, word)));
  require(m, equal(m, both(m, taken, bit), LLVMConstNull(m->i32)));
  LLVMBuildStore(
      m->builder, LLVMBuildOr(m->builder, writes ? written : was_read, bit, ""),
      place(m, line,
            writes ? offsetof(Line, written) : offsetof(Line, was_read)));
  LLVMBuildBr(m->builder, m->done);
}

static void word_case(const Maker *m) {
  LLVMBasicBlockRef split = add_block(m), whole = add_block(m);
  LLVMValueRef index = word_index(m);
  LLVMValueRef limit = load(m, m->i64, m->spot, offsetof(Spot, word_limit));
  require(m, LLVMBuildICmp(m->builder, LLVMIntULT, index, limit, ""));
  LLVMValueRef lines = load(m, m->pointer, m->spot, offsetof(Spot, lines));
  LLVMValueRef number = LLVMBuildLShr(
      m->builder, index, LLVMConstInt(m->i64, LINE_SHIFT, false), "");
  LLVMValueRef line = element(m, lines, number, sizeof(Line));
  LLVMValueRef phase = load(m, m->i32, line, offsetof(Line, phase));
  LLVMBuildCondBr(m->builder,
                  equal(m, phase, LLVMConstInt(m->i32, PHASE_SPLIT, false)),
                  split, whole);
  LLVMPositionBuilderAtEnd(m->builder, split);
  if (m->which == SPOT_READ_WORD)
    split_case(m, index);
  else
    LLVMBuildBr(m->builder, m->call);
  LLVMPositionBuilderAtEnd(m->builder, whole);
  line_case(m, line, phase, index);
}

// Sets a number of the mark, and is done with it.
static void set_number(const Maker *m, LLVMValueRef mark, size_t offset,
                       LLVMValueRef own) {
  LLVMBuildStore(m->builder, own, place(m, mark, offset));
  LLVMBuildBr(m->builder, m->done);
}

static LLVMValueRef is_of(const Maker *m, LLVMValueRef mark, size_t offset,
                          LLVMValueRef base) {
  LLVMValueRef other =
      LLVMBuildXor(m->builder, load(m, m->i64, mark, offset), base, "");
  LLVMValueRef end = LLVMConstInt(m->i64, UINT64_C(1) << MARK_MOMENT_AT, false);
  return LLVMBuildICmp(m->builder, LLVMIntULT, other, end, "");
}

static LLVMValueRef negation(const Maker *m, LLVMValueRef condition) {
  return LLVMBuildNot(m->builder, condition, "");
}

static LLVMValueRef own_number(const Maker *m, LLVMValueRef base) {
  LLVMBuilderRef b = m->builder;
  LLVMValueRef site =
      LLVMBuildShl(b, LLVMBuildZExt(b, m->site, m->i64, ""),
                   LLVMConstInt(m->i64, MARK_THREAD_BITS, false), "");
  LLVMValueRef thread = LLVMBuildZExt(b, m->thread, m->i64, "");
  return LLVMBuildOr(b, base, LLVMBuildOr(b, site, thread, ""), "");
}

// Goes on where it holds; else to the block, which is new.
static LLVMBasicBlockRef unless(const Maker *m, LLVMValueRef condition) {
  LLVMBasicBlockRef next = add_block(m), other = add_block(m);
  LLVMBuildCondBr(m->builder, condition, next, other);
  LLVMPositionBuilderAtEnd(m->builder, next);
  return other;
}

static void read_mark(const Maker *m, LLVMValueRef mark, LLVMValueRef base) {
  LLVMBasicBlockRef other = add_block(m);
  expect(m, LLVMBuildCondBr(m->builder,
                            is_of(m, mark, offsetof(Mark, second), base),
                            m->done, other));
  LLVMPositionBuilderAtEnd(m->builder, other);
  LLVMValueRef barred = LLVMConstInt(m->i64, MARKS_BARRED, false);
  LLVMValueRef own = own_number(m, base);
  require(m, negation(m, LLVMBuildOr(
                             m->builder, equal(m, base, barred),
                             is_of(m, mark, offsetof(Mark, write), base), "")));
  LLVMBasicBlockRef first =
      unless(m, is_of(m, mark, offsetof(Mark, read), base));
  LLVMBasicBlockRef second = add_block(m);
  LLVMValueRef differs = LLVMBuildXor(
      m->builder, load(m, m->i64, mark, offsetof(Mark, read)), own, "");
  LLVMValueRef bits = LLVMConstInt(m->i64, (1 << MARK_THREAD_BITS) - 1, false);
  LLVMBuildCondBr(m->builder,
                  LLVMBuildIsNull(m->builder, both(m, differs, bits), ""),
                  m->done, second);
  LLVMPositionBuilderAtEnd(m->builder, second);
  set_number(m, mark, offsetof(Mark, second), own);
  LLVMPositionBuilderAtEnd(m->builder, first);
  set_number(m, mark, offsetof(Mark, read), own);
}

static void write_mark(const Maker *m, LLVMValueRef mark, LLVMValueRef base) {
  LLVMValueRef barred = LLVMConstInt(m->i64, MARKS_BARRED, false);
  LLVMValueRef taken =
      LLVMBuildOr(m->builder, is_of(m, mark, offsetof(Mark, write), base),
                  is_of(m, mark, offsetof(Mark, read), base), "");
  require(m, negation(m, LLVMBuildOr(m->builder, taken, equal(m, base, barred),
                                     "")));
  set_number(m, mark, offsetof(Mark, write), own_number(m, base));
}

static void mark_case(const Maker *m) {
  LLVMValueRef index = word_index(m);
  LLVMValueRef limit = load(m, m->i64, m->spot, offsetof(Spot, mark_limit));
  require(m, LLVMBuildICmp(m->builder, LLVMIntULT, index, limit, ""));
  LLVMValueRef marks = load(m, m->pointer, m->spot, offsetof(Spot, marks));
  LLVMValueRef mark = element(m, marks, index, sizeof(Mark));
  LLVMValueRef base = load(m, m->i64, constant(m, &turn.marks), 0);
  if (m->which == SPOT_READ_MARK)
    read_mark(m, mark, base);
  else
    write_mark(m, mark, base);
}

static void bounds_case(const Maker *m) {
  LLVMValueRef limit = load(m, m->i64, m->spot, offsetof(Spot, index_limit));
  LLVMValueRef index = index_of(m, m->power);
  require(m, LLVMBuildICmp(m->builder, LLVMIntULT, index, limit, ""));
  LLVMBuildBr(m->builder, m->done);
}

// The limit takes the place of the thread, the start that of the spot.
static void still_case(const Maker *m) {
  LLVMValueRef at = LLVMBuildPtrToInt(m->builder, m->at, m->i64, "");
  LLVMValueRef start = LLVMBuildPtrToInt(m->builder, m->spot, m->i64, "");
  require(m,
          LLVMBuildICmp(m->builder, LLVMIntULT,
                        LLVMBuildSub(m->builder, at, start, ""),
                        LLVMBuildZExt(m->builder, m->thread, m->i64, ""), ""));
  LLVMValueRef one = LLVMConstInt(m->i64, 1, false);
  LLVMValueRef mask = LLVMBuildSub(
      m->builder, LLVMBuildShl(m->builder, one, m->power, ""), one, "");
  require(m, equal(m, both(m, at, mask), LLVMConstNull(m->i64)));
  LLVMBuildBr(m->builder, m->done);
}

// --------------------------------------------------------------- function ---

static Hook *hook_of(SpotCase which) {
  bool writes = which == SPOT_WRITE_WORD || which == SPOT_WRITE_MARK;
  Site site = {.kind = writes ? SITE_WRITE : SITE_READ};
  return which == SPOT_BOUNDS ? region_access : spot_hook(&site);
}

static void make_call(const Maker *m) {
  LLVMTypeRef types[] = {m->pointer, m->i64, m->i32};
  LLVMTypeRef type =
      LLVMFunctionType(LLVMVoidTypeInContext(m->context), types, 3, false);
  LLVMValueRef hook = jit_address(m->module, (uintptr_t)hook_of(m->which));
  LLVMValueRef arguments[] = {m->at, m->bytes, m->site};
  LLVMPositionBuilderAtEnd(m->builder, m->call);
  LLVMBuildCall2(m->builder, type, hook, arguments, 3, "");
  LLVMBuildBr(m->builder, m->done);
}

static void make_body(Maker *m) {
  LLVMPositionBuilderAtEnd(m->builder, add_block(m));
  m->call = add_block(m);
  m->done = add_block(m);
  switch (m->which) {
  case SPOT_BOUNDS:
    bounds_case(m);
    break;
  case SPOT_READ_WORD:
  case SPOT_WRITE_WORD:
    word_case(m);
    break;
  case SPOT_READ_MARK:
  case SPOT_WRITE_MARK:
    mark_case(m);
    break;
  case SPOT_STILL:
    still_case(m);
    break;
  case SPOT_CASES:
    break;
  }
  make_call(m);
  LLVMPositionBuilderAtEnd(m->builder, m->done);
  LLVMBuildRetVoid(m->builder);
}

static const char *const names[SPOT_CASES] = {
    [SPOT_BOUNDS] = "gpuverify_bounds",
    [SPOT_READ_WORD] = "gpuverify_read_word",
    [SPOT_WRITE_WORD] = "gpuverify_write_word",
    [SPOT_READ_MARK] = "gpuverify_read_mark",
    [SPOT_WRITE_MARK] = "gpuverify_write_mark",
    [SPOT_STILL] = "gpuverify_still"};

LLVMValueRef jit_spot_function(LLVMModuleRef module, SpotCase which) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMTypeRef pointer = LLVMPointerTypeInContext(context, 0);
  LLVMTypeRef i32 = LLVMInt32TypeInContext(context);
  LLVMTypeRef i64 = LLVMInt64TypeInContext(context);
  LLVMTypeRef types[] = {pointer, i64, i32, pointer, i32, i64};
  LLVMTypeRef none = LLVMVoidTypeInContext(context);
  assert(which < SPOT_CASES);
  LLVMValueRef function = LLVMGetNamedFunction(module, names[which]);
  if (function)
    return function;
  function = LLVMAddFunction(module, names[which],
                             LLVMFunctionType(none, types, 6, false));
  jit_add_attribute(function, "nounwind", 0);
  return function;
}

bool jit_is_spot(LLVMValueRef function) {
  LLVMModuleRef module =
      LLVMIsAFunction(function) ? LLVMGetGlobalParent(function) : NULL;
  for (SpotCase which = SPOT_BOUNDS; module && which < SPOT_CASES; which++)
    if (LLVMGetNamedFunction(module, names[which]) == function)
      return true;
  return false;
}

// So often that to compile all of that would take longer than it saves.
static bool is_called_often(LLVMValueRef function) {
  unsigned calls = 0;
  for (LLVMUseRef use = LLVMGetFirstUse(function); use;
       use = LLVMGetNextUse(use))
    calls++;
  return calls > MOST_INLINED;
}

static void define(LLVMModuleRef module, SpotCase which,
                   LLVMValueRef function) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  Maker m = {.module = module,
             .context = context,
             .builder = LLVMCreateBuilderInContext(context),
             .which = which,
             .function = function,
             .at = LLVMGetParam(function, 0),
             .bytes = LLVMGetParam(function, 1),
             .site = LLVMGetParam(function, 2),
             .spot = LLVMGetParam(function, 3),
             .thread = LLVMGetParam(function, 4),
             .power = LLVMGetParam(function, 5),
             .i8 = LLVMInt8TypeInContext(context),
             .i32 = LLVMInt32TypeInContext(context),
             .i64 = LLVMInt64TypeInContext(context),
             .pointer = LLVMPointerTypeInContext(context, 0)};
  jit_add_attribute(function,
                    is_called_often(function) ? "noinline" : "alwaysinline", 0);
  LLVMSetLinkage(function, LLVMInternalLinkage);
  make_body(&m);
  LLVMDisposeBuilder(m.builder);
}

void jit_define_spots(LLVMModuleRef module) {
  jit_define_own(module);
  for (SpotCase which = SPOT_BOUNDS; which < SPOT_CASES; which++) {
    LLVMValueRef function = LLVMGetNamedFunction(module, names[which]);
    if (function)
      define(module, which, function);
  }
}
