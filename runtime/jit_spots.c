// The most common cases of spots.c as IR, so that code needs no call for them.
//
// Where only bounds are watched, an access is done with if it is in the array
// that the site accessed last.  Where races are watched, an access of a word
// does what follows, in a function that is inlined:
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
// Whatever is not so is no mistake, but less common.

#include "runtime/jit.h"
#include "runtime/races.h"

enum { WORD_SHIFT = 2, LINE_SHIFT = 5 };

_Static_assert(WORD_BYTES == 1 << WORD_SHIFT, "shifts are as sizes");
_Static_assert(LINE_WORDS == 1 << LINE_SHIFT, "shifts are as sizes");

typedef struct Maker {
  LLVMModuleRef module;
  LLVMContextRef context;
  LLVMBuilderRef builder;
  SpotCase which;
  LLVMValueRef function, at, bytes, site, spot;
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

// Goes on where it holds.
static void require(const Maker *m, LLVMValueRef condition) {
  LLVMBasicBlockRef next = add_block(m);
  LLVMBuildCondBr(m->builder, condition, next, m->call);
  LLVMPositionBuilderAtEnd(m->builder, next);
}

// --------------------------------------------------------------- the cases ---

static LLVMValueRef offset(const Maker *m) {
  LLVMValueRef at = LLVMBuildPtrToInt(m->builder, m->at, m->i64, "");
  return LLVMBuildSub(m->builder, at,
                      load(m, m->i64, m->spot, offsetof(Spot, at)), "");
}

// Rotated, so that what is not aligned becomes large.
static LLVMValueRef word_index(const Maker *m) {
  unsigned id = LLVMLookupIntrinsicID("llvm.fshr", 9);
  LLVMValueRef rotate =
      LLVMGetIntrinsicDeclaration(m->module, id, (LLVMTypeRef[]){m->i64}, 1);
  LLVMValueRef bytes = offset(m), by = LLVMConstInt(m->i64, WORD_SHIFT, false);
  return LLVMBuildCall2(m->builder, LLVMGlobalGetValueType(rotate), rotate,
                        (LLVMValueRef[]){bytes, bytes, by}, 3, "");
}

static void split_case(const Maker *m, LLVMValueRef index) {
  LLVMValueRef words = load(m, m->pointer, m->spot, offsetof(Spot, words));
  LLVMValueRef word = element(m, words, index, sizeof(Word));
  LLVMValueRef enough = load(m, m->i64, word, offsetof(Word, enough));
  LLVMValueRef moment = load(m, m->i64, constant(m, &turn.moment), 0);
  LLVMValueRef era = load(m, m->i64, constant(m, &turn.era), 0);
  LLVMBuildCondBr(m->builder,
                  LLVMBuildOr(m->builder, equal(m, enough, moment),
                              equal(m, enough, era), ""),
                  m->done, m->call);
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
  LLVMValueRef self = load(m, m->pointer, constant(m, &machine.self), 0);
  LLVMValueRef thread = load(m, m->i32, self, offsetof(Thread, index));
  LLVMValueRef shift =
      LLVMBuildAnd(m->builder, LLVMBuildSub(m->builder, index, thread, ""),
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

static void tell_site(const Maker *m) {
  LLVMValueRef self = load(m, m->pointer, constant(m, &machine.self), 0);
  LLVMBuildStore(m->builder, m->site, place(m, self, offsetof(Thread, site)));
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

static void bounds_case(const Maker *m) {
  LLVMValueRef limit = load(m, m->i64, m->spot, offsetof(Spot, limit));
  require(m, LLVMBuildICmp(m->builder, LLVMIntULT, offset(m), limit, ""));
  LLVMBuildBr(m->builder, m->done);
}

// --------------------------------------------------------------- function ---

static Hook *hook_of(SpotCase which) {
  Site site = {.kind = which == SPOT_WRITE_WORD ? SITE_WRITE : SITE_READ};
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
  tell_site(m);
  if (m->which == SPOT_BOUNDS)
    bounds_case(m);
  else
    word_case(m);
  make_call(m);
  LLVMPositionBuilderAtEnd(m->builder, m->done);
  LLVMBuildRetVoid(m->builder);
}

static LLVMValueRef declare(LLVMModuleRef module, const char *name) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMTypeRef pointer = LLVMPointerTypeInContext(context, 0);
  LLVMTypeRef types[] = {pointer, LLVMInt64TypeInContext(context),
                         LLVMInt32TypeInContext(context), pointer};
  LLVMTypeRef none = LLVMVoidTypeInContext(context);
  LLVMValueRef function =
      LLVMAddFunction(module, name, LLVMFunctionType(none, types, 4, false));
  unsigned kind = LLVMGetEnumAttributeKindForName("alwaysinline", 12);
  LLVMAddAttributeAtIndex(function,
                          (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                          LLVMCreateEnumAttribute(context, kind, 0));
  LLVMSetLinkage(function, LLVMInternalLinkage);
  return function;
}

LLVMValueRef jit_spot_function(LLVMModuleRef module, SpotCase which) {
  static const char *const names[] = {"gpuverify_bounds", "gpuverify_read_word",
                                      "gpuverify_write_word"};
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMValueRef function = LLVMGetNamedFunction(module, names[which]);
  if (function)
    return function;
  function = declare(module, names[which]);
  Maker m = {.module = module,
             .context = context,
             .builder = LLVMCreateBuilderInContext(context),
             .which = which,
             .function = function,
             .at = LLVMGetParam(function, 0),
             .bytes = LLVMGetParam(function, 1),
             .site = LLVMGetParam(function, 2),
             .spot = LLVMGetParam(function, 3),
             .i8 = LLVMInt8TypeInContext(context),
             .i32 = LLVMInt32TypeInContext(context),
             .i64 = LLVMInt64TypeInContext(context),
             .pointer = LLVMPointerTypeInContext(context, 0)};
  make_body(&m);
  LLVMDisposeBuilder(m.builder);
  return function;
}
